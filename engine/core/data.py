"""Typed YAML loading. Every scalar is text until its type says otherwise; every fault is reported.

Anchors, aliases, tags and repeated keys are refused, so a file means what it shows: `0101`, `no`,
`1.10` and `12:30` stay as written.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from difflib import get_close_matches
from enum import Enum
from fractions import Fraction
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NoReturn,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
)

import msgspec
import yaml

from engine.core.files import ENGINE, LEFT_OUT, OWN_DATA
from engine.core.text import N_, Msg, msg

T = TypeVar("T")
Node: TypeAlias = "str | list[Node] | dict[str, Node] | None"
"""A value as read: text, list or mapping; None where nothing is written."""

MAX_BYTES = 2_000_000
MAX_DEPTH = 40

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_LAST_STEP = re.compile(r"(\.[^.\[]*|\[\d+\])$")
_FRACTION = re.compile(r"-?[0-9]+(/[1-9][0-9]*)?")
_EXPECTED = re.compile(r"Expected `([^`]+)`(.*?)(?:, got `?([^` ]+)`?)?(?: - at .*)?$")
_PLACE = re.compile(r" - at `(?:key` in `)?\$(.*?)(?:\[\.\.\.\].*)?`$")
_FIELD = re.compile(r"Object (missing required|contains unknown) field `([^`]+)`")
_WORDS = {
    "str": N_("a text"),
    "array": N_("a list"),
    "object": N_("a mapping"),
    "null": N_("nothing at all"),
    "int": N_("a whole number"),
    "float": N_("a number"),
    "bool": N_("true or false"),
    "fraction": N_("a whole number or a fraction"),
}
_LIMITS = tuple(
    (re.compile(pattern), text)
    for pattern, text in (
        (r" >= (?P<limit>\S+)", N_("{value} is less than {limit}")),
        (r" <= (?P<limit>\S+)", N_("{value} is more than {limit}")),
        (r" > (?P<limit>\S+)", N_("{value} is not more than {limit}")),
        (r" < (?P<limit>\S+)", N_("{value} is not less than {limit}")),
        (r" that's a multiple of (?P<limit>\S+)", N_("{value} is not a multiple of {limit}")),
        (r" of (?:at least length|length >=) (?P<limit>\d+)", N_("Shorter than {limit}")),
        (r" of length <= (?P<limit>\d+)", N_("Longer than {limit}")),
        (r" of length (?P<first>\d+) to (?P<limit>\d+)", N_("Not from {first} to {limit} long")),
        (r" of length (?P<limit>\d+)", N_("Not {limit} long")),
        (r" matching regex (?P<limit>.*)", N_("{value} is not written like {limit}")),
    )
)


class Fault(msgspec.Struct, frozen=True):
    """One thing wrong in a data file: where it is, and what it is."""

    file: str
    path: str
    line: int
    msg: Msg

    def __str__(self) -> str:
        """The fault in English, for developers."""
        return f"{self.file}:{self.line}: {self.path}: {self.msg.id.format(**self.msg.facts)}"


class DataErrors(ValueError):
    """A data file that cannot be used, with all its faults in the order of their lines."""

    def __init__(self, faults: Collection[Fault]) -> None:
        """Sort and keep the faults."""
        self.faults = tuple(sorted(faults, key=lambda fault: fault.line))
        super().__init__("\n".join(str(fault) for fault in self.faults))


def load(source: str | Path, kind: type[T]) -> T:
    """Read a file (a Path) or a text (a str) as `kind`; raises DataErrors with every fault."""
    return Document(source).convert(kind)


def data_path(slug: str, *names: str) -> Path:
    """A file in the `data` folder of a title: `data_path("toi", "maps", "s1.yaml")`.

    A file of the same name in the user's folder, under the title's slug, takes its place, unless
    it is left out.
    """
    if folder := os.environ.get(OWN_DATA):
        own = Path(folder, slug, *names)
        left_out = os.environ.get(LEFT_OUT, "").split(os.pathsep)
        if own.is_file() and "/".join((slug, *names)) not in left_out:
            return own
    return ENGINE.joinpath(slug, "data", *names)


def data_files(slug: str, folder: str) -> list[Path]:
    """The files of a folder in `data`, each as `data_path` finds it."""
    names = sorted(path.name for path in data_path(slug, folder).glob("*.yaml"))
    return [data_path(slug, folder, name) for name in names]


class Document:
    """A YAML text as plain values that know their lines; it gathers faults for a later `check`."""

    def __init__(self, source: str | Path) -> None:
        """Parse a file or a text; raises DataErrors at once when it is not YAML."""
        self.file = str(source) if isinstance(source, Path) else "<text>"
        self.faults: list[Fault] = []
        self._lines = {"$": 1}
        self._holes: set[str] = set()
        self._events: Iterator[Any] = yaml.parse(self._text(source), Loader=_LOADER)
        self.value = self._parse()

    @classmethod
    def of(cls, value: Node, file: str) -> Document:
        """A part of a document that was read before: its faults have paths but no lines."""
        found = cls("")
        found.file, found.value = file, value
        return found

    def line(self, path: str) -> int:
        """The line of a node, or of the nearest one around it."""
        while path not in self._lines:
            path = _LAST_STEP.sub("", path) if _LAST_STEP.search(path) else "$"
        return self._lines[path]

    def fault(self, path: str, msg: Msg, line: int | None = None) -> None:
        """Record a fault."""
        self.faults.append(Fault(self.file, path, line or self.line(path), msg))

    def check(self) -> None:
        """Raise DataErrors if any fault was recorded."""
        if self.faults:
            raise DataErrors(self.faults)

    def convert(self, kind: type[T]) -> T:
        """The document as `kind`; raises DataErrors with every fault."""
        try:
            value = _convert(self.value, kind)
        except msgspec.ValidationError:
            self._audit(self.value, kind, "$")
            raise DataErrors(self.faults) from None
        self.check()
        return value

    def _stop(self, msg: Msg, line: int = 1) -> NoReturn:
        self.fault("$", msg, line)
        raise DataErrors(self.faults)

    # Reading: one pass over the parser's events, so nothing is ever expanded.

    def _text(self, source: str | Path) -> str:
        try:
            if isinstance(source, str):
                size = len(source.encode())
            elif (size := source.stat().st_size) <= MAX_BYTES:
                source = source.read_text(encoding="utf-8")
        except OSError:
            self._stop(msg(N_("Cannot be read")))
        except UnicodeError:
            self._stop(msg(N_("Not text in UTF-8: save it with that encoding")))
        if size > MAX_BYTES:
            self._stop(msg(N_("Larger than {limit} bytes"), limit=MAX_BYTES))
        return str(source)

    def _parse(self) -> Node:
        value: Node = None
        documents = 0
        try:
            for event in self._events:
                if isinstance(event, yaml.DocumentStartEvent):
                    documents += 1
                    if documents > 1:
                        self._stop(msg(N_("More than one document")), _line(event))
                    value = self._node(next(self._events), "$", 0)
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            text = N_("Not YAML: look at indents, colons, quotes and brackets up to this line")
            self._stop(msg(text), mark.line + 1 if mark else 1)
        return value

    def _node(self, event: Any, path: str, depth: int) -> Node:
        self._lines.setdefault(path, _line(event))
        if depth > MAX_DEPTH:
            self._stop(msg(N_("Nested too deeply")), _line(event))
        if event.anchor is not None:
            self.fault(path, msg(N_("Anchors and aliases are not allowed")), _line(event))
        if isinstance(event, yaml.AliasEvent):
            self._holes.add(path)
            return None
        if event.tag is not None:
            self.fault(path, msg(N_("Tags are not allowed: {tag}"), tag=event.tag), _line(event))
        if isinstance(event, yaml.ScalarEvent):
            is_empty = event.implicit[0] and not event.value
            return None if is_empty else str(event.value)
        if isinstance(event, yaml.SequenceStartEvent):
            items = enumerate(self._until(yaml.SequenceEndEvent))
            return [self._node(item, f"{path}[{n}]", depth + 1) for n, item in items]
        return self._mapping(path, depth + 1)

    def _mapping(self, path: str, depth: int) -> Node:
        found: dict[str, Node] = {}
        for event in self._until(yaml.MappingEndEvent):
            line = _line(event)
            key = self._node(event, f"{path}.{getattr(event, 'value', '?')}", depth)
            value = self._node(next(self._events), f"{path}.{key}", depth)
            if not isinstance(key, str):
                self.fault(path, msg(N_("Keys must be text")), line)
            elif key in found:
                first = self.line(f"{path}.{key}")
                again = msg(N_("Key {key} is already on line {first}"), key=key, first=first)
                self.fault(f"{path}.{key}", again, line)
            else:
                found[key] = value
        return found

    def _until(self, end: type) -> Iterator[Any]:
        while not isinstance(event := next(self._events), end):
            yield event

    # Explaining: msgspec stops at the first fault, so after a failure walk value and type together.

    def _audit(self, value: Node, kind: Any, path: str) -> bool:
        """Record every fault of a value that should be of that kind; True when it has none."""
        before = len(self.faults)
        inside = [self._audit(*part) for part in self._parts(value, _narrow(kind, value), path)]
        torn = any(f"{hole}.".startswith((f"{path}.", f"{path}[")) for hole in self._holes)
        if torn or not all(inside) or len(self.faults) > before:
            return False
        try:
            _convert(value, kind)
        except msgspec.ValidationError as error:
            place = _PLACE.search(str(error))
            self.fault(path + (place[1] if place else ""), _explain(str(error), value, kind))
            return False
        return True

    def _parts(self, value: Node, kind: Any, path: str) -> Iterator[tuple[Node, Any, str]]:
        base, args = get_origin(kind) or kind, get_args(kind)
        if not isinstance(base, type):
            return
        if isinstance(value, dict) and issubclass(base, msgspec.Struct):
            yield from self._fields(value, kind, path)
        elif isinstance(value, dict) and issubclass(base, Mapping) and args:
            for key, item in value.items():
                yield key, args[0], f"{path}.{key}"
                yield item, args[1], f"{path}.{key}"
        elif isinstance(value, list) and issubclass(base, Collection) and args:
            is_fixed = base is tuple and args[-1] is not Ellipsis
            kinds = args if is_fixed else args[:1] * len(value)
            for n, (item, item_kind) in enumerate(zip(value, kinds, strict=False)):
                yield item, item_kind, f"{path}[{n}]"

    def _fields(
        self, value: dict[str, Node], kind: type[msgspec.Struct], path: str
    ) -> Iterator[tuple[Node, Any, str]]:
        """The parts of a struct; those that lack and those that it does not know are faults."""
        fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
        for key, field in fields.items():
            if key in value:
                yield value[key], field.type, f"{path}.{key}"
            elif field.required:
                self.fault(path, msg(N_("Key {key} is missing"), key=key))
        config = (get_origin(kind) or kind).__struct_config__
        if config.forbid_unknown_fields:
            for key in value:
                if key not in fields and key != config.tag_field:
                    self.fault(f"{path}.{key}", _unknown_key(key, fields))


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1


def _convert(value: Node, kind: type[T]) -> T:
    return msgspec.convert(value, kind, strict=False, dec_hook=_decode)


def _decode(kind: type, value: object) -> object:
    if kind is not Fraction:
        raise NotImplementedError(f"no way to read {kind}")
    if not isinstance(value, str) or not _FRACTION.fullmatch(value):
        raise ValueError("Expected `fraction`")
    return Fraction(value)


def _narrow(kind: Any, value: Node) -> Any:
    """The member of a union that the value is meant for, without annotations."""
    if get_origin(kind) is Annotated:
        return _narrow(get_args(kind)[0], value)
    if get_origin(kind) not in (Union, UnionType):
        return kind
    members = [member for member in get_args(kind) if member is not NoneType]
    if len(members) == 1:
        return _narrow(members[0], value)
    for member in members:
        config = getattr(member, "__struct_config__", None)
        if config and isinstance(value, dict) and value.get(config.tag_field) == config.tag:
            return member
    return kind


def _explain(error: str, value: Node, kind: Any) -> Msg:
    """Our message for a msgspec error."""
    shape = _narrow(kind, value)
    allowed: tuple[Any, ...] = get_args(shape) if get_origin(shape) is Literal else ()
    if isinstance(shape, type) and issubclass(shape, Enum):
        allowed = tuple(member.value for member in shape)
    if allowed and isinstance(value, str):
        return msg(N_("{value} is not one of: {allowed}"), value=value, allowed=allowed)
    found = _EXPECTED.match(error)
    if not found:
        return _other(error, value, shape)
    text = value[:40] if isinstance(value, str) else ""
    for limit, words in _LIMITS:
        if limited := limit.fullmatch(found[2]):
            facts = {"value": text, **limited.groupdict()}
            return Msg(words, {key: fact for key, fact in facts.items() if f"{{{key}}}" in words})
    words_of = tuple(_WORDS.get(word, word) for word in found[1].split(" | "))
    expected = words_of[0] if len(words_of) == 1 else words_of
    if isinstance(value, str):
        return msg(N_("Expected {expected}, got text: {value}"), expected=expected, value=text)
    got = found[3] or ("array" if isinstance(value, list) else "object")
    return msg(N_("Expected {expected}, got {got}"), expected=expected, got=_WORDS.get(got, got))


def _unknown_key(key: str, known: Iterable[str]) -> Msg:
    near = get_close_matches(key, list(known), n=1)
    if near:
        return msg(N_("Unknown key {key}: did you mean {near}?"), key=key, near=near[0])
    return msg(N_("Unknown key {key}"), key=key)


def _other(error: str, value: Node, shape: Any) -> Msg:
    """Our message for an error that expects nothing."""
    if field := _FIELD.match(error):
        missing = field[1].startswith("missing")
        words = N_("Key {key} is missing") if missing else N_("Unknown key {key}")
        return msg(words, key=field[2])
    if error.startswith("Invalid value"):
        members = get_args(shape) or (shape,)
        configs = [c for m in members if (c := getattr(m, "__struct_config__", None)) and c.tag]
        given = value.get(configs[0].tag_field) if isinstance(value, dict) and configs else value
        allowed = tuple(config.tag for config in configs)
        return msg(N_("{value} is not one of: {allowed}"), value=str(given)[:40], allowed=allowed)
    if "out of range" in error:
        return msg(N_("{value} is too large"), value=str(value)[:40])
    return msg(N_("Not valid: {reason}"), reason=_PLACE.sub("", error))


def unknown_word(word: str, known: Iterable[str]) -> Msg:
    """The message for a word that means nothing where it stands, with the nearest that does."""
    by_letters = {one.casefold(): one for one in known}
    if near := get_close_matches(word.casefold(), by_letters, n=1):
        text = N_("{word} means nothing here: did you mean {near}?")
        return msg(text, word=word, near=by_letters[near[0]])
    return msg(N_("{word} means nothing here"), word=word)
