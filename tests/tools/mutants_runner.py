"""The plugin that runs the tests of one title against its mutants, and knows which reach what.

It is loaded into a pytest of its own (`-p tests.tools.mutants_runner`) whose job is a file. All
tests are collected once. Each mutant then gets a fork of that process, where the code of one
function is put in place of the right one: nothing is written into the checkout and nothing is
imported twice. What runs at import needs a process of its own, in which the loader compiles the
mutant.

The map says which statements a test reaches. It is made in the same way, by functions that note
their statements, and kept for each test file until it or the engine changes.
"""

from __future__ import annotations

import ast
import gc
import hashlib
import importlib.machinery
import os
import resource
import signal
import time
import warnings
from collections.abc import Callable, Iterable
from functools import cache, partial
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import msgspec
import pytest

from engine.core.files import write_atomically
from tests.tools.mutants_sites import FUNCTIONS, mutated

ROOT = Path(__file__).parents[2]
JOB = "PRONTUARIO_MUTANTS"
SUBPROCESSES = ("test_hash_seed_does_not_matter",)
TIMES, SECONDS = 15, 3
"""A test may take so many times as long as it does, and so many seconds more."""
MEMORY = 3 << 30
SHARED = ("engine/core", "engine/kit", "engine/game.py", "engine/drive.py", "engine/odds.py")
READY = "ready"


class Mutant(msgspec.Struct, frozen=True):
    """One point of one module made wrong."""

    slug: str
    file: str
    kind: str
    number: int
    seed: str
    line: int
    statement: int
    function: str
    name: str
    what: str

    def __str__(self) -> str:
        """Where it is and what was changed."""
        return f"{self.file}:{self.line}  {self.what}"

    def tree(self) -> ast.Module:
        """The module with the fault."""
        source = (ROOT / self.file).read_text(encoding="utf-8")
        return mutated(source, self.kind, locators(self.slug), self.seed, self.number)


class Verdict(msgspec.Struct, frozen=True):
    """The test that noticed a mutant, or how many reached it in vain."""

    mutant: Mutant
    noticed: str
    reached: int
    tried: int
    seconds: float


class Job(msgspec.Struct):
    """What a run has to do, and where it says what came of it."""

    slug: str
    mutants: list[Mutant]
    results: str
    kept: str
    limit: float
    at_import: bool = False


class Reach(msgspec.Struct):
    """How long a test takes, and the statements that it reaches, by file."""

    seconds: float
    lines: dict[str, list[int]]


@cache
def locators(slug: str) -> list[str]:
    """Every locator of a book, with its house rulings."""
    inventory = (ROOT / "tests" / "rules_it" / "inventory" / f"{slug}.txt").read_text("utf-8")
    refs = {ref.strip() for line in inventory.splitlines() for ref in line.split("=")}
    house = (ROOT / "rules_it" / slug / "casa.yaml").read_text("utf-8")
    refs |= {line.split("id:")[1].strip() for line in house.splitlines() if "id: " in line}
    return sorted(ref.partition(":")[2] for ref in refs if ref.startswith(f"{slug}:"))


# Code in place of code


def functions() -> dict[tuple[str, str], list[FunctionType]]:
    """The functions of the rule modules that are alive, by file and name."""
    found: dict[tuple[str, str], list[FunctionType]] = {}
    gc.unfreeze()  # the program freezes what it has loaded, and frozen things are not told
    for thing in gc.get_objects():
        if type(thing) is FunctionType:
            path = Path(thing.__code__.co_filename)
            if path.is_relative_to(ROOT / "engine") and path.parent.name == "rules":
                key = (path.relative_to(ROOT).as_posix(), thing.__code__.co_qualname)
                found.setdefault(key, []).append(thing)
    return found


def codes(code: CodeType) -> dict[tuple[str, int], CodeType]:
    """The code of every function of a module or class, but not of those inside functions."""
    found = {}
    for part in code.co_consts:
        if isinstance(part, CodeType) and "<locals>" not in part.co_qualname:
            if part.co_name == "__annotate__":  # Python's own, from 3.14 on
                continue
            if part.co_flags & 2:  # it has fast locals: a function
                found[part.co_qualname, part.co_firstlineno] = part
            else:
                found |= codes(part)
    return found


def put(tree: ast.Module, file: str, alive: Iterable[FunctionType]) -> None:
    """Give functions the code that a tree has for them."""
    new = codes(compile(tree, str(ROOT / file), "exec", dont_inherit=True))
    for function in alive:
        code = function.__code__
        if (code.co_qualname, code.co_firstlineno) in new:
            function.__code__ = new[code.co_qualname, code.co_firstlineno]


class _Noting(ast.NodeTransformer):
    """A call before each statement of each function."""

    def __init__(self) -> None:
        self.depth = 0

    def generic_visit(self, node: ast.AST) -> ast.AST:
        inside = isinstance(node, FUNCTIONS)
        self.depth += inside
        super().generic_visit(node)
        if self.depth:
            for field in ("body", "orelse", "finalbody"):
                block = getattr(node, field, None)
                if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                    setattr(node, field, [new for s in block for new in (_note(s), s)])
        self.depth -= inside
        return node


def _note(statement: ast.stmt) -> ast.stmt:
    call = ast.Call(ast.Name("__reached__", ast.Load()), [ast.Constant(statement.lineno)], [])
    return ast.copy_location(ast.Expr(call), statement)


# Running tests in a fork


def forked(work: Callable[[Callable[[str], None]], None]) -> tuple[int, str]:
    """Run something in a fork; its status and what it told."""
    told, tell = os.pipe()
    with warnings.catch_warnings():  # what is told of threads: nobody waits for one in the fork
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if not child:
        os.close(told)
        devnull = os.open(os.devnull, os.O_RDWR)
        for stream in (1, 2):
            os.dup2(devnull, stream)
        status = 3
        try:
            with os.fdopen(tell, "w", encoding="utf-8", buffering=1) as answers:
                work(partial(print, file=answers))
            status = 0
        finally:
            os._exit(status)
    os.close(tell)
    with os.fdopen(told, encoding="utf-8") as answers:
        text = answers.read()
    _, status = os.waitpid(child, 0)
    return status, text


class Runner:
    """The plugin."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.failed = ""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Only what concerns the title, and runs in this process."""
        items[:] = [item for item in items if self.concerns(item)]

    def concerns(self, item: pytest.Item) -> bool:
        """Whether a test of all titles is about this one."""
        if item.name.partition("[")[0] in SUBPROCESSES:
            return False
        if item.path.parent.name != "titles":
            return True
        given = getattr(item, "callspec", None)
        values = given.params.values() if given is not None else ()
        return any(
            value == self.job.slug
            or (isinstance(value, Path) and f"-{self.job.slug}-" in value.stem)
            for value in values
        )

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Instead of the tests: the map, then every mutant."""
        if session.testsfailed:
            raise session.Interrupted("errors during collection")
        items = {item.nodeid: item for item in session.items}
        alive = functions()
        reach = self.map(items, alive)
        verdicts: list[Verdict] = []
        for mutant in self.job.mutants:
            verdicts.append(self.judge(mutant, items, alive, reach))
        Path(self.job.results).write_bytes(msgspec.json.encode(verdicts))
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """The first failure is enough."""
        if report.failed:
            self.failed = report.nodeid

    # The map

    def map(
        self, items: dict[str, pytest.Item], alive: dict[tuple[str, str], list[FunctionType]]
    ) -> dict[str, Reach]:
        """What every test reaches; kept by test file."""
        folder = Path(self.job.kept)
        folder.mkdir(parents=True, exist_ok=True)
        engine = digest([*(ROOT / part for part in SHARED), ROOT / "engine" / self.job.slug])
        found: dict[str, Reach] = {}
        by_file: dict[Path, list[pytest.Item]] = {}
        for item in items.values():
            by_file.setdefault(item.path, []).append(item)
        for path, tests in sorted(by_file.items()):
            beside = [p for p in path.parent.glob("*.py") if not p.name.startswith("test_")]
            stamp = digest([path, *beside])
            kept = folder / f"{self.job.slug}-{path.stem}-{engine}-{stamp}.json"
            if not kept.exists():
                _, text = forked(partial(self.note, tests, alive))
                lines = [
                    msgspec.json.decode(line, type=dict[str, Reach]) for line in text.splitlines()
                ]
                made = {name: reach for line in lines for name, reach in line.items()}
                if len(made) != len(tests):
                    raise pytest.UsageError(f"{path.name} fails without any mutant")
                write_atomically(kept, msgspec.json.encode(made))
            found |= msgspec.json.decode(kept.read_bytes(), type=dict[str, Reach])
        return {name: reach for name, reach in found.items() if name in items}

    def note(
        self,
        tests: list[pytest.Item],
        alive: dict[tuple[str, str], list[FunctionType]],
        tell: Callable[[str], None],
    ) -> None:
        """Run tests whose rules note what they reach."""
        noted: dict[str, set[int]] = {}
        for file in {file for file, _ in alive}:
            noted[file] = set()
            mine = [f for (where, _), group in alive.items() if where == file for f in group]
            for function in mine:
                function.__globals__["__reached__"] = noted[file].add
            tree = _Noting().visit(ast.parse((ROOT / file).read_text(encoding="utf-8")))
            put(ast.fix_missing_locations(tree), file, mine)
        for i, item in enumerate(tests):
            forget()
            for lines in noted.values():
                lines.clear()
            start = time.process_time()
            self.run(item, tests[i + 1] if i + 1 < len(tests) else None)
            seconds = time.process_time() - start
            if self.failed:
                return
            lines_by_file = {file: sorted(lines) for file, lines in noted.items() if lines}
            tell(msgspec.json.encode({item.nodeid: Reach(seconds, lines_by_file)}).decode())

    # The mutants

    def judge(
        self,
        mutant: Mutant,
        items: dict[str, pytest.Item],
        alive: dict[tuple[str, str], list[FunctionType]],
        reach: dict[str, Reach],
    ) -> Verdict:
        """Run the tests that reach a mutant, the fastest first, until one fails."""
        names = [name for name in reach if self.reaches(reach[name], mutant)]
        names.sort(key=lambda name: reach[name].seconds)
        start = time.monotonic()

        def work(tell: Callable[[str], None]) -> None:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            if not self.job.at_import:
                put(mutant.tree(), mutant.file, alive[mutant.file, mutant.function])
            tell(READY)
            begun = time.process_time()
            for i, name in enumerate(names):
                if time.process_time() - begun > self.job.limit:
                    return
                tell(name)
                signal.setitimer(signal.ITIMER_PROF, reach[name].seconds * TIMES + SECONDS)
                self.run(items[name], items[names[i + 1]] if i + 1 < len(names) else None)
                if self.failed:
                    os._exit(1)

        status, told = forked(work)
        ready, *tried = told.splitlines() or [""]
        if ready != READY:
            raise pytest.UsageError(f"cannot be made: {mutant}")
        noticed = tried[-1] if status else ""
        seconds = time.monotonic() - start
        return Verdict(mutant, noticed, len(names), len(tried), seconds)

    def reaches(self, reach: Reach, mutant: Mutant) -> bool:
        """Whether a test runs the statement, or one that names what the statement defines."""
        if mutant.function:
            return mutant.statement in reach.lines.get(mutant.file, ())
        users = uses(mutant.slug, mutant.name) if mutant.name else {}
        if not users:
            return mutant.file in reach.lines
        return any(lines & set(reach.lines.get(file, ())) for file, lines in users.items())

    def run(self, item: pytest.Item, following: pytest.Item | None) -> None:
        """One test."""
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


@cache
def uses(slug: str, name: str) -> dict[str, set[int]]:
    """The statements of functions that name something of a module, by file."""
    found: dict[str, set[int]] = {}
    for path in sorted((ROOT / "engine" / slug / "rules").glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for function in ast.walk(tree):
            if isinstance(function, FUNCTIONS):
                for statement in ast.walk(function):
                    if isinstance(statement, ast.stmt) and any(
                        isinstance(node, ast.Name) and node.id == name
                        for node in ast.walk(statement)
                    ):
                        file = path.relative_to(ROOT).as_posix()
                        found.setdefault(file, set()).add(statement.lineno)
    return found


def forget() -> None:
    """What rules remember from the test before would hide what the next one reaches."""
    for thing in gc.get_objects():
        if hasattr(type(thing), "cache_clear") and ".rules." in getattr(thing, "__module__", ""):
            thing.cache_clear()


def digest(paths: Iterable[Path]) -> str:
    """The content of files and folders, as a short text."""
    known = hashlib.blake2b(digest_size=8)
    for path in paths:
        files = sorted(p for p in path.rglob("*") if p.suffix in (".py", ".yaml"))
        for file in files or [path]:
            known.update(file.name.encode() + file.read_bytes())
    return known.hexdigest()


# In a pytest of its own


def at_import(mutant: Mutant) -> None:
    """Let the loader compile the mutant instead of the module."""
    where = str(ROOT / mutant.file)
    right = importlib.machinery.SourceFileLoader.get_code

    def get_code(self: Any, fullname: str) -> CodeType | None:
        if self.path == where:
            return compile(mutant.tree(), where, "exec", dont_inherit=True)
        return right(self, fullname)

    importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[method-assign]


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    """Before anything of a title is imported."""
    job = the_job()
    if job.at_import:
        at_import(job.mutants[0])


def pytest_configure(config: pytest.Config) -> None:
    """Take up the job."""
    config.pluginmanager.register(Runner(the_job()), "mutants")


def the_job() -> Job:
    """What the environment asks for."""
    return msgspec.json.decode(Path(os.environ[JOB]).read_bytes(), type=Job)
