"""Calls name what they pass: at most four values stand without their names, six where some come by a star."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.test_sizes import find_code, name_of

MOST = 4
MOST_BY_STAR = 6
OURS = ("combat", "characters", "cosmos_site")


MEANT = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.AnnAssign, ast.ImportFrom, ast.Call)


@cache
def read_nodes(path: Path) -> list[ast.AST]:
    """What is looked at in a file."""
    return [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, MEANT)]


def find_product() -> list[Path]:
    return [path for path in find_code(".py") if name_of(path).startswith(OURS)]


def find_names(path: Path) -> Iterator[tuple[str, bool]]:
    """The functions and shapes of a file, and whether values can have names there.

    They cannot where a function takes any number of values, where its answers are remembered by them, where
    a field holds the function, or in a `Then`: the engine and the odds give a step its values in order. A
    function that only passes on what it is given (`*given: Any`) can.
    """
    for node in read_nodes(path):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                remembered = any(ast.unparse(one) == "remember_each" for one in node.decorator_list)
                yield node.name, (node.args.vararg is None or passes_on(node)) and not remembered
            case ast.ClassDef():
                yield node.name, not any(map(takes_any_number, (*node.body, *node.bases)))
            case ast.AnnAssign(target=ast.Name(id=name), annotation=kind) if "Callable" in ast.unparse(kind):
                yield name, False


def passes_on(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function takes what another takes, in order or by name."""
    given, named = function.args.vararg, function.args.kwarg
    return given is not None and named is not None and ast.unparse(given) == "given: Any"


def takes_any_number(part: ast.AST) -> bool:
    """Whether a member or a base of a class lets it be made with any number of values."""
    if isinstance(part, ast.FunctionDef):
        return part.name == "__init__" and part.args.vararg is not None
    return ast.unparse(part).startswith("partial[")


def find_long_calls(path: Path) -> Iterator[tuple[str, int]]:
    """The names of ours that are called with too many values without names, and the lines."""
    foreign = {
        name.asname or name.name
        for node in read_nodes(path)
        if isinstance(node, ast.ImportFrom) and not node.level and not (node.module or "").startswith(OURS)
        for name in node.names
    }
    for node in read_nodes(path):
        if isinstance(node, ast.Call) and len(node.args) > MOST:
            by_star = any(isinstance(value, ast.Starred) for value in node.args)
            if by_star and len(node.args) <= MOST_BY_STAR:
                continue
            match node.func:
                case ast.Name(id=name) | ast.Attribute(attr=name) if name not in foreign:
                    yield name, node.lineno


def test_calls_name_what_they_pass() -> None:
    named: dict[str, bool] = {}
    for path in find_product():
        for name, can_name in find_names(path):
            named[name] = named.get(name, True) and can_name
    long = [
        f"{name_of(path)}:{line} {name}"
        for path in find_product()
        for name, line in find_long_calls(path)
        if named.get(name)
    ]
    assert len(named) > 5000
    assert not long, "name the values after the third:\n" + "\n".join(long)
