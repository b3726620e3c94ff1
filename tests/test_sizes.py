"""The limit for functions, which stay short; no number of lines decides over a file."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CODE = ("cosmos_site", "characters", "combat", "tests", "static")
FUNCTION_MOST = 60


@cache
def find_code(*endings: str) -> list[Path]:
    """The files that people write, without migrations and package files."""
    found = (path for part in CODE for path in sorted((ROOT / part).rglob("*")))
    return [
        path
        for path in found
        if path.suffix in endings and path.name != "__init__.py" and "migrations" not in path.parts
    ]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def find_excess(sizes: dict[str, int], most: int) -> dict[str, int]:
    """What is bigger than its limit, with its size."""
    return {name: size for name, size in sizes.items() if size > most}


BLOCKS = (ast.stmt, ast.ExceptHandler, ast.match_case)  # functions stand in these, not in expressions


def walk_blocks(node: ast.AST) -> Iterator[ast.AST]:
    """All statements inside."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, BLOCKS):
            yield child
            yield from walk_blocks(child)


@cache
def find_functions(path: Path) -> dict[str, int]:
    """Each function of a file: its first line and its length."""
    blocks = walk_blocks(ast.parse(path.read_text("utf-8")))
    functions = [node for node in blocks if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {
        f"{name_of(path)}:{node.lineno} {node.name}": (node.end_lineno or node.lineno) - node.lineno + 1
        for node in functions
    }


def test_functions_are_short() -> None:
    sizes = {name: lines for path in find_code(".py") for name, lines in find_functions(path).items()}
    assert len(sizes) > 5000
    assert find_excess(sizes, FUNCTION_MOST) == {}
