"""Playing a saved game again with today's rules: replay decides what still holds."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from engine.core.ctx import Chance, Request, Source
from engine.core.rules import Command, Draw, Entry, Refused, Roll, RuleBug
from engine.core.text import N_, Msg, msg
from engine.core.title import Title
from engine.game import Game, RealDice, SeededChance, decode_fraction, digest, encode_fraction
from engine.saves.chains import ChainedChance
from engine.saves.lines import HERE, Header, Ledger, SaveError
from engine.saves.reading import Record, Snapshot, read

S = TypeVar("S")


class Divergence(msgspec.Struct, frozen=True):
    """After so many entries today's rules no longer accept what follows."""

    entry: int


class Loaded(msgspec.Struct, Generic[S], frozen=True):
    """A game read back, as far as the file is whole and the rules accept it.

    `changed` are the entries after which the state is another one than then, though every answer
    still holds. `forged` are the dice and draws that do not come from the game's own source.
    """

    game: Game[S]
    record: Record
    divergence: Divergence | None = None
    changed: tuple[int, ...] = ()
    forged: tuple[int, ...] = ()

    @property
    def warnings(self) -> tuple[Msg, ...]:
        """What whoever opens the file must hear about it."""
        found = []
        damage = self.record.damage
        if damage is not None:
            words = N_("Line {line} is damaged ({good} lines of {lines} are good).")
            told = msg(words, line=damage.line, good=damage.good, lines=damage.lines)
            found += [told, damage.msg]
        if self.divergence is not None:
            words = N_("After answer {entry} the rules no longer accept what follows.")
            found.append(msg(words, entry=self.divergence.entry))
        elif self.changed:
            words = N_("The rules have changed: every answer still holds, but from entry {entry} "
                       "on the game stands otherwise than it was saved.")  # fmt: skip
            found.append(msg(words, entry=self.changed[0]))
        if self.forged:
            words = N_("Dice or cards do not come from the game's own source: entries {entries}.")
            found.append(msg(words, entries=", ".join(map(str, self.forged))))
        return tuple(found)

    @property
    def is_whole(self) -> bool:
        """Whether the game stands where its file ends."""
        return self.divergence is None and self.record.damage is None

    @property
    def snapshot(self) -> Snapshot | None:
        """The snapshot that the game can go on from, if it leads further than the answers do."""
        found = self.record.snapshot
        if self.record.header.post is not None:
            return None  # the others have the answers, and would miss them
        if found is None or found.schema != schema_of(self.game.title):
            return None
        return found if found.entries > len(self.game.entries) else None


def load(path: Path, titles: Mapping[str, Title[Any]]) -> Loaded[Any]:
    """Read a file and replay it; the game stops where rules and file part ways."""
    return replay(read(path), titles)


def replay(record: Record, titles: Mapping[str, Title[Any]]) -> Loaded[Any]:
    """Play a record again with today's rules, comparing every resting state and all dice."""
    header = record.header
    title = titles.get(header.title)
    if title is None:
        raise SaveError(N_("The title {title} is not known."), 1, title=header.title)
    if header.scenario not in {info.id for info in title.scenarios()}:
        raise SaveError(N_("The scenario {scenario} is not known."), 1, scenario=header.scenario)
    chance = chance_of(header, record.ledger)
    given = renamed(record.entries, title, header.revision)
    forged: set[int] = set()

    def watch(request: Request, index: int, entry: Roll | Draw) -> None:
        if not chance.is_honest(request, index, entry):
            forged.add(index)

    game = _begun(title, record)
    divergence = None
    game.watch = watch
    try:
        game.resume(given)
    except (Refused, RuleBug):
        good = sum(len(passage.entries) for passage in game.passages)
        divergence = Divergence(good)
        game = _begun(title, record)
        game.resume(given[:good])
    game.watch = None
    game.studio = header.studio
    is_comparable = _is_comparable(record, title)
    changed = tuple(
        count
        for count, state in game.rests()
        if is_comparable and record.digests.get(count) not in (None, digest(state))
    )
    game.chance = chance
    game.resume(())
    first = record.start.rolled if record.start is not None else 0
    return Loaded(game, record, divergence, changed, _places(given, forged, first))


def _is_comparable(record: Record, title: Title[Any]) -> bool:
    """Whether states had the shape that they have today, as far as the file tells."""
    shape = record.snapshot.schema if record.snapshot is not None else ""
    return shape in ("", schema_of(title))


def _begun(title: Title[S], record: Record) -> Game[S]:
    """The game before its first entry; dice come later, from the record or from their source."""
    header = record.header
    if record.start is None:
        return Game(title, header.scenario, None, header.options)
    if record.start.schema != schema_of(title):
        raise SaveError(N_("The game began at a position that this version cannot read."))
    return _from_state(title, header, record.start, None)


def _from_state(
    title: Title[S], header: Header, snapshot: Snapshot, chance: Chance | None
) -> Game[S]:
    try:
        state = msgspec.convert(snapshot.state, title.state_type, dec_hook=decode_fraction)
    except (msgspec.ValidationError, ValueError, ZeroDivisionError) as error:
        raise SaveError(N_("The snapshot cannot be read.")) from error
    options, rolled = header.options, snapshot.rolled
    return Game(title, header.scenario, chance, options, start=state, rolled=rolled)


def from_snapshot(loaded: Loaded[S]) -> Game[S]:
    """A game that goes on from the snapshot of a file whose entries no longer lead there."""
    if loaded.snapshot is None:
        raise SaveError(N_("The save holds no snapshot."))
    header = loaded.record.header
    return _from_state(loaded.game.title, header, loaded.snapshot, chance_of(header))


def snapshot_of(game: Game[Any]) -> Snapshot:
    """The resting state where a game stands, as plain data."""
    entries = len(game.entries) - len(game.position.open)
    return photo_of(game.title, game.position.rest, entries, game.rolled)


def photo_of(title: Title[S], state: S, entries: int = 0, rolled: int = 0) -> Snapshot:
    """A state as plain data, after so many entries and rolls."""
    plain = msgspec.to_builtins(state, enc_hook=encode_fraction)
    return Snapshot(entries, plain, schema_of(title), rolled)


def schema_of(title: Title[Any]) -> str:
    """A short name for the shape that the states of a title have today."""
    found = msgspec.json.schema(title.state_type, schema_hook=_plain)
    text = msgspec.json.encode(_shape(found), order="deterministic")
    return hashlib.blake2b(text, digest_size=8).hexdigest()


def _plain(kind: type[Any]) -> dict[str, Any]:
    return {"type": "string"} if kind is Fraction else {"type": kind.__name__}


def _shape(schema: Any) -> Any:
    """A schema without its prose."""
    if isinstance(schema, dict):
        return {key: _shape(value) for key, value in schema.items() if key != "description"}
    return [_shape(value) for value in schema] if isinstance(schema, list) else schema


def chance_of(header: Header, ledger: Ledger | None = None) -> Source:
    """Where the dice of a saved game come from."""
    if header.post is not None:
        if ledger is None:
            words = N_("The line that keeps the secret of your dice is damaged: without it this "
                       "game by post cannot go on. Put back a copy of the file.")  # fmt: skip
            raise SaveError(words)
        if [side for side, who in header.players.items() if who == HERE] != [header.post.side]:
            raise SaveError(N_("The file was changed: its dice are not those of the side that "
                               "plays here."))  # fmt: skip
        return ChainedChance(ledger, header.post.side)
    return RealDice(header.seed) if header.real_dice else SeededChance(header.seed)


def _places(entries: tuple[Entry, ...], indexes: set[int], first: int) -> tuple[int, ...]:
    """Which of all entries those are that chance gave, by the count of dice and draws."""
    given = [place for place, entry in enumerate(entries, 1) if not isinstance(entry, Command)]
    return tuple(place for index, place in enumerate(given, first) if index in indexes)


def renamed(entries: tuple[Entry, ...], title: Title[Any], revision: int) -> tuple[Entry, ...]:
    """Answers with the ids that their options have today."""
    later = [names for since, names in sorted(title.info.renames.items()) if since > revision]
    if not later:
        return entries
    return tuple(
        Command(entry.side, _new_id(entry.option, later)) if isinstance(entry, Command) else entry
        for entry in entries
    )


def _new_id(option: str, later: list[dict[str, str]]) -> str:
    for names in later:
        for old, new in names.items():
            if old == option:
                option = new
                break
            if old.endswith("*") and option.startswith(old[:-1]):
                option = new[:-1] + option[len(old) - 1 :]
                break
    return option
