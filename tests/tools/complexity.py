"""How long, how branched and how wide every function is: those over given limits are printed.

    python -m tests.tools.complexity --lines 50 --branches 15 --parameters 6 engine/aslsk

Branches are cyclomatic complexity as radon counts it: 1, and one more for each condition, loop,
handler, `else` of a loop or a try, further operand of `and` and `or`, comprehension and each of its
conditions, case of a match, assertion. A function inside a function counts by itself.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

ROOT = Path(__file__).parents[2]
FOLDERS = ("engine", "app", "rules_it")
NO_LIMIT = sys.maxsize

Function = ast.FunctionDef | ast.AsyncFunctionDef
Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Measure(msgspec.Struct, frozen=True):
    """A function and its size."""

    place: str
    name: str
    lines: int
    branches: int
    parameters: int

    def __str__(self) -> str:
        return (
            f"{self.place} {self.name}: {self.lines} lines, {self.branches} branches, "
            f"{self.parameters} parameters"
        )


class Limits(msgspec.Struct, frozen=True):
    """What a function may have at most."""

    lines: int = NO_LIMIT
    branches: int = NO_LIMIT
    parameters: int = NO_LIMIT

    def broken_by(self, one: Measure) -> bool:
        """Whether a function has more of anything."""
        return (
            one.lines > self.lines
            or one.branches > self.branches
            or one.parameters > self.parameters
        )


def measures(source: str, place: str = "") -> Iterator[Measure]:
    """Every function of a module, methods and inner ones too, in the order of the text."""
    for node, name, is_method in _functions(ast.parse(source), "", False):
        start = node.lineno
        yield Measure(
            f"{place}:{start}",
            name,
            (node.end_lineno or start) - start + 1,
            1 + sum(_branches(child) for child in _own(node)),
            _parameters(node, is_method),
        )


def _functions(node: ast.AST, prefix: str, in_class: bool) -> Iterator[tuple[Function, str, bool]]:
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, Scope):
            yield from _functions(child, prefix, in_class)
            continue
        name = f"{prefix}{child.name}"
        if not isinstance(child, ast.ClassDef):
            yield child, name, in_class
        yield from _functions(child, f"{name}.", isinstance(child, ast.ClassDef))


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """What stands in a function itself, and not in one inside it."""
    for child in node.body if isinstance(node, Function) else ast.iter_child_nodes(node):
        if not isinstance(child, Scope):
            yield child
            yield from _own(child)


def _branches(node: ast.AST) -> int:
    match node:
        case ast.If() | ast.IfExp() | ast.Assert():
            return 1
        case ast.For() | ast.AsyncFor() | ast.While():
            return 1 + bool(node.orelse)
        case ast.Try() | ast.TryStar():
            return len(node.handlers) + bool(node.orelse)
        case ast.BoolOp():
            return len(node.values) - 1
        case ast.comprehension():
            return 1 + len(node.ifs)
        case ast.Match():
            return sum(not _is_wildcard(case.pattern) for case in node.cases)
    return 0


def _is_wildcard(pattern: ast.pattern) -> bool:
    return isinstance(pattern, ast.MatchAs) and pattern.pattern is None


def _parameters(node: Function, is_method: bool) -> int:
    """All that a caller may give, hence without `self` and `cls`."""
    given = node.args
    number = len(given.posonlyargs) + len(given.args) + len(given.kwonlyargs)
    number += (given.vararg is not None) + (given.kwarg is not None)
    static = any(
        isinstance(one, ast.Name) and one.id == "staticmethod" for one in node.decorator_list
    )
    return number - (is_method and not static)


def over(paths: Iterable[Path], limits: Limits) -> list[Measure]:
    """The functions of some files and folders that break the limits, the most branched first."""
    files = [
        file for path in paths for file in (sorted(path.rglob("*.py")) if path.is_dir() else [path])
    ]
    found = [
        one
        for file in files
        for one in measures(file.read_text(encoding="utf-8"), _named(file))
        if limits.broken_by(one)
    ]
    return sorted(found, key=lambda one: (-one.branches, -one.lines, one.place))


def _named(file: Path) -> str:
    whole = file.resolve()
    return str(whole.relative_to(ROOT)) if whole.is_relative_to(ROOT) else str(file)


def main(arguments: list[str]) -> int:
    """Print who breaks the limits; 1 if somebody does."""
    parser = argparse.ArgumentParser(prog="complexity", description=__doc__)
    for name in Limits.__struct_fields__:
        parser.add_argument(f"--{name}", type=int, default=NO_LIMIT)
    parser.add_argument("paths", nargs="*", type=Path)
    given = parser.parse_args(arguments)
    paths = given.paths or [ROOT / folder for folder in FOLDERS]
    found = over(paths, Limits(given.lines, given.branches, given.parameters))
    for one in found:
        sys.stdout.write(f"{one}\n")
    sys.stderr.write(f"{len(found)} over the limits\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
