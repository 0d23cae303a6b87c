"""The engine remembers nothing between two calls but through `functools` and `core.index`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENGINE = sorted((ROOT / "engine").rglob("*.py"))
HELPER = ROOT / "engine" / "core" / "index.py"
CHANGES = {
    *("add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem"),
    *("popleft", "remove", "setdefault", "update"),
}


def names_of(module: ast.Module) -> set[str]:
    """The names that a module sets outside of its functions and classes."""
    found: set[str] = set()
    for node in module.body:
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.For):
            for inner in ast.walk(node):
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                    found.add(inner.id)
    return found


def root_of(node: ast.expr) -> str:
    """The name at the left of `a.b[c].d`."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def changes(function: ast.AST) -> Iterator[tuple[int, str]]:
    """What a function changes in place or declares global: line and name."""
    for node in ast.walk(function):
        if isinstance(node, ast.Global):
            yield from ((node.lineno, name) for name in node.names)
        elif isinstance(node, ast.Attribute | ast.Subscript):
            if isinstance(node.ctx, ast.Store | ast.Del):
                yield node.lineno, root_of(node)
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in CHANGES:
            yield node.lineno, root_of(node.func)


def locals_of(function: ast.AST) -> set[str]:
    """The names that a function sets itself, its parameters included."""
    found = {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    return found


def remembered(path: Path, text: str) -> list[str]:
    """Where a module keeps something from one call to the next."""
    if path == HELPER:
        return []
    module = ast.parse(text)
    shared, found = names_of(module), []
    classes = {node.name: node for node in module.body if isinstance(node, ast.ClassDef)}
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            hidden = locals_of(node) - {
                name for g in ast.walk(node) if isinstance(g, ast.Global) for name in g.names
            }
            for line, name in changes(node):
                if name in shared - hidden or name in set(classes) - hidden:
                    found.append(f"{path.name}:{line}: {name} is changed")
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "id":
            found.append(f"{path.name}:{node.lineno}: an address is used as a key")
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names = {alias.name for alias in node.names} | {getattr(node, "module", "")}
            if names & {"threading", "contextvars", "weakref"}:
                found.append(f"{path.name}:{node.lineno}: a memory of its own")
    for node in module.body:  # an object of the module whose methods change it
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Call):
            kind = classes.get(getattr(node.value.func, "id", ""))
            for method in kind.body if kind else ():
                if isinstance(method, ast.FunctionDef) and method.name != "__init__":
                    for line, name in changes(method):
                        if name == "self":
                            found.append(f"{path.name}:{line}: a shared object changes itself")
    return found


@pytest.mark.parametrize("path", ENGINE, ids=lambda p: str(p.relative_to(ROOT)))
def test_the_engine_remembers_only_through_the_index(path):
    assert remembered(path, path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "text",
    [
        "_last = {}\ndef f(x):\n    _last[x] = 1\n",
        "_last = []\ndef f(x):\n    _last.append(x)\n",
        "_last = 0\ndef f(x):\n    global _last\n    _last = x\n",
        "class S:\n    map = ''\n_s = S()\ndef f(x):\n    _s.map = x\n",
        "class S:\n    def read(self, x):\n        self.x = x\n_s = S()\n",
        "class S:\n    kept = {}\ndef f(x):\n    S.kept[x] = 1\n",
        "def f(x, kept):\n    return kept[id(x)]\n",
        "import threading\n_s = threading.local()\n",
    ],
)
def test_each_way_to_remember_is_seen(text):
    assert remembered(Path("m.py"), text)


def test_what_a_function_makes_for_itself_may_change():
    text = "x = 1\ndef f(y):\n    x = {}\n    x[y] = 1\n    x.update(x)\n    return x\n"
    assert remembered(Path("m.py"), text) == []
