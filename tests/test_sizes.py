"""How big folders, files and functions may be: small enough to hold in the head, everywhere."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).resolve().parents[1]
RULES = ROOT / "combat" / "rules"
CODE = ("cosmos_site", "characters", "combat", "tests", "static")
FOLDER_MOST, FILE_MOST, FUNCTION_MOST, FUNCTION_MEDIAN = 12, 500, 60, 10
# Halls that still have to become rooms, each with its modules. A number here only goes down.
HALLS = {
    "combat/display": 46,
    "combat/play": 26,
    "combat/rules/cepheus/actions": 14,
    "combat/rules/cepheus/fight": 25,
    "combat/rules/cepheus/people": 13,
    "combat/rules/core": 14,
    "combat/rules/core/basics": 14,
    "combat/rules/core/space": 15,
    "combat/rules/cosmos/hazards": 17,
    "combat/views": 25,
    "static/css": 13,
    "static/js": 24,
    "tests/combat/display": 22,
    "tests/combat/play": 15,
    "tests/combat/rules/cepheus/fight": 16,
    "tests/combat/rules/core": 30,
    "tests/combat/rules/cosmos/fight": 13,
    "tests/combat/views": 55,
    "tests/site": 20,
}
# Files that are still too long, each with its lines. A number here only goes down.
LONG = {
    "tests/combat/rules/cepheus/fight/test_grapple.py": 516,
    "tests/combat/rules/cosmos/fight/test_overwatch.py": 591,
    "tests/combat/rules/cosmos/move/test_zerog.py": 584,
}
# What has a median of its own: no game hides its long functions behind the short ones of another
PARTS = {
    "cosmos_site": ROOT / "cosmos_site",
    "characters": ROOT / "characters",
    "combat": ROOT / "combat",
    "tests": ROOT / "tests",
    **{path.name: path for path in sorted(RULES.iterdir()) if (path / "__init__.py").exists()},
}


def find_code(*endings: str) -> Iterator[Path]:
    """The files that people write, without migrations and package files."""
    for part in CODE:
        for path in sorted((ROOT / part).rglob("*")):
            if path.suffix in endings and path.name != "__init__.py" and "migrations" not in path.parts:
                yield path


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def find_excess(sizes: dict[str, int], known: dict[str, int], most: int) -> dict[str, tuple[int, int]]:
    """What is bigger than it may be, or smaller than the list of exceptions says: its size, and its limit."""
    limits = {name: known.get(name, most) for name in {*sizes, *known}}
    grown = {name: limit for name, limit in limits.items() if sizes.get(name, 0) > limit}
    shrunk = {name: limit for name, limit in known.items() if sizes.get(name, 0) < limit}
    return {name: (sizes.get(name, 0), limit) for name, limit in {**grown, **shrunk}.items()}


def count_lines(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


@cache
def find_functions(path: Path) -> dict[str, int]:
    """Each function of a file, by where it begins, and its lines."""
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {
        f"{name_of(path)}:{node.lineno} {node.name}": (node.end_lineno or node.lineno) - node.lineno + 1
        for node in functions
    }


def test_folders_hold_about_a_dozen_modules() -> None:
    """A folder that shrinks takes its number in HALLS down with it."""
    sizes = Counter(name_of(path.parent) for path in find_code(".py", ".js", ".css"))
    assert len(sizes) > 50
    assert find_excess(sizes, HALLS, FOLDER_MOST) == {}


def test_files_are_short() -> None:
    """A file that shrinks takes its number in LONG down with it."""
    sizes = {name_of(path): count_lines(path) for path in find_code(".py", ".js", ".css")}
    assert len(sizes) > 500
    assert find_excess(sizes, LONG, FILE_MOST) == {}


@pytest.mark.parametrize("part", PARTS)
def test_functions_are_short(part: str) -> None:
    """Half of them have at most 10 lines, none over 60."""
    files = [path for path in find_code(".py") if path.is_relative_to(PARTS[part])]
    sizes = {name: lines for path in files for name, lines in find_functions(path).items()}
    assert len(files) > 5
    assert {name: lines for name, lines in sizes.items() if lines > FUNCTION_MOST} == {}
    assert median(sizes.values()) <= FUNCTION_MEDIAN


def test_exceptions_only_shrink() -> None:
    assert find_excess({"grew": 14, "fits": 13}, {"grew": 13, "fits": 13}, 12) == {"grew": (14, 13)}
    assert find_excess({"shrank": 12, "new": 13}, {"shrank": 13, "gone": 14}, 12) == {
        "shrank": (12, 13),
        "new": (13, 12),
        "gone": (0, 14),
    }
