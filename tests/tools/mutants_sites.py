"""Where a rule module can be made wrong in one point: another locator, or another logic.

Left out by rule, because no game can tell the difference: docstrings, annotations, decorators,
`assert`, `raise`, what stands under `if TYPE_CHECKING`, words (the arguments of `N_`), `+`
between displays and texts, and the `[0]` and `default=` that only fill an empty place.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

CITATION, LOGIC = "citation", "logic"
KINDS = (CITATION, LOGIC)

OTHER: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
SIGNS = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
}
WIDTH = 110
BORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
EXTREMES = {"min": "max", "max": "min"}
NOT_NUMBERS = (ast.JoinedStr, ast.List, ast.ListComp, ast.Tuple, ast.Dict, ast.Set)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Site(NamedTuple):
    """One point of a module; `edit` makes it wrong in the tree that was searched.

    `function` is the outermost function around it, `""` for what runs when the module is
    imported; `statement` is the line of the statement around it.
    """

    line: int
    statement: int
    function: str
    name: str
    what: str
    edit: Callable[[], None]


def sites(tree: ast.Module, kind: str, locators: list[str], rng: Random) -> list[Site]:
    """Every point of a module, in order; `rng` picks the other locators."""
    _Parents().visit(tree)
    found = []
    for node in ast.walk(tree):
        if _is_left_out(node):
            continue
        edits = _citations(node, locators, rng) if kind == CITATION else _logic(node)
        for what, edit in edits:
            found.append(_site(node, what, edit))
    return sorted(found, key=lambda site: (site.line, site.what))


def mutated(source: str, kind: str, locators: list[str], seed: str, number: int) -> ast.Module:
    """The module with one of its points made wrong."""
    tree = ast.parse(source)
    sites(tree, kind, locators, Random(seed))[number].edit()
    return ast.fix_missing_locations(tree)


# The points


Edit = tuple[str, Callable[[], None]]


def _citations(node: ast.AST, locators: list[str], rng: Random) -> Iterator[Edit]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        cited = node.value.partition("#")[0]  # the sentence that it names goes with the rule
        if cited in locators:
            other = rng.choice([locator for locator in locators if locator != cited])
            yield _change(node, "value", other, repr(cited), repr(other), node)


def _logic(node: ast.AST) -> Iterator[Edit]:
    match node:
        case ast.Compare(ops=[op]):
            other = OTHER[type(op)]()
            yield _change(node, "ops", [other], SIGNS[type(op)], SIGNS[type(other)], node)
        case ast.BoolOp(op=ast.And()):
            yield _change(node, "op", ast.Or(), "and", "or", node)
        case ast.BoolOp(op=ast.Or()):
            yield _change(node, "op", ast.And(), "or", "and", node)
        case ast.BinOp(op=ast.Add()) | ast.AugAssign(op=ast.Add()) if not _is_joining(node):
            yield _change(node, "op", ast.Sub(), "+", "-", node)
        case ast.BinOp(op=ast.Sub()) | ast.AugAssign(op=ast.Sub()):
            yield _change(node, "op", ast.Add(), "-", "+", node)
        case ast.Call(func=ast.Name(id="min" | "max" as name) as func):
            yield _change(func, "id", EXTREMES[name], name, EXTREMES[name], node)
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            if not _fills_a_place(node):
                yield _change(node, "value", value + 1, value, value + 1, _parent(node) or node)
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            if _is_worth_negating(test):
                yield _change(node, "test", _not(test), "if", "if not", test)
            if isinstance(node, ast.If) and not node.orelse:
                yield _change(node, "test", ast.Constant(False), "if", "never", test)
        case ast.comprehension(ifs=[*tests]):
            for i, test in enumerate(tests):
                if _is_worth_negating(test):
                    others = [*tests[:i], _not(test), *tests[i + 1 :]]
                    yield _change(node, "ifs", others, "if", "if not", test)
        case ast.Expr(value=ast.Yield() | ast.YieldFrom() as value):
            never = ast.IfExp(ast.Constant(False), value, ast.Constant(None))
            yield _change(node, "value", never, "yield", "nothing", value)


def _change(
    node: ast.AST, field: str, value: object, before: object, after: object, shown: ast.AST
) -> Edit:
    """One field of a node gets another value; told by what changes and the source around it."""
    return f"{before} → {after}: {_text(shown)}", lambda: setattr(node, field, value)


def _not(test: ast.expr) -> ast.expr:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    return ast.copy_location(ast.UnaryOp(ast.Not(), test), test)


def _is_worth_negating(test: ast.expr) -> bool:
    """Whether the negation is another change than that of the comparison itself."""
    return not (isinstance(test, ast.Compare) and not isinstance(test.ops[0], BORDERS))


# What is left out


def _is_left_out(node: ast.AST) -> bool:
    child = node
    while (parent := _parent(child)) is not None:
        match parent:
            case ast.Assert() | ast.Raise():
                return True
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                return True
            case ast.Call(func=ast.Name(id="N_")):
                return True
            case ast.Expr(value=ast.Constant()):
                return True
            case ast.AnnAssign() if child is parent.annotation:
                return True
            case ast.arg():
                return True
            case ast.FunctionDef() if child is parent.returns or child in parent.decorator_list:
                return True
            case ast.Subscript(value=ast.Name(id="Literal" | "ClassVar")):
                return True
        child = parent
    return False


def _is_joining(node: ast.BinOp | ast.AugAssign) -> bool:
    """Texts and lists are joined by `+`; taking it away is a crash and no other rule."""
    parts = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.value]
    return any(
        isinstance(part, NOT_NUMBERS)
        or (isinstance(part, ast.Constant) and isinstance(part.value, str))
        for part in parts
    )


def _fills_a_place(node: ast.Constant) -> bool:
    parent = _parent(node)
    is_first = isinstance(parent, ast.Subscript) and node.value == 0
    return is_first or (isinstance(parent, ast.keyword) and parent.arg == "default")


# Around a node


class _Parents(ast.NodeVisitor):
    def visit(self, node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            child.parent = node  # type: ignore[attr-defined]
            self.visit(child)


def _parent(node: ast.AST) -> ast.AST | None:
    return getattr(node, "parent", None)


def _site(node: ast.AST, what: str, edit: Callable[[], None]) -> Site:
    statement, function = 0, None
    names: list[str] = []
    where = child = node
    while not hasattr(where, "lineno"):
        where = _parent(where) or ast.Constant(0, lineno=0)
    walking: ast.AST | None = node
    while walking is not None:
        if not statement and isinstance(walking, ast.stmt):
            statement = walking.lineno
            top = walking
        if isinstance(walking, FUNCTIONS) and child in walking.body:
            function, names = walking, []
        if isinstance(walking, (*FUNCTIONS, ast.ClassDef)):
            names.insert(0, walking.name)
        child, walking = walking, _parent(walking)
    qualified = ".".join(names) if function else ""
    return Site(where.lineno, statement, qualified, _assigned(top), what, edit)


def _assigned(statement: ast.stmt) -> str:
    """The name that a statement of the module gives a value to."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
    return ""


def _text(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"
