"""Places in code where an operator, comparison or number can be changed, and how to find them again."""

from __future__ import annotations

import ast
import random
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import msgspec

CODE = ("combat", "characters", "cosmos_site")
ALIKE = 0.6  # how much of a line must be the same to find it again
COMPARISONS = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"),
}  # fmt: skip
SUMS = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "//"), ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"), ast.Mod: ("%", "*"),
}  # fmt: skip
LOGIC = {ast.And: ("and", "or"), ast.Or: ("or", "and")}


class Place(msgspec.Struct, frozen=True):
    """One change of a line: `old` becomes `new`; the number separates equal ones in a function."""

    path: str
    function: str
    line: str
    old: str
    new: str
    number: int = 0


class Spot(msgspec.Struct, frozen=True):
    """The position of a place in a text today, in characters."""

    place: Place
    start: int
    end: int


def find_places(root: Path) -> list[Place]:
    """All places of the code, in the order of its files and lines."""
    files = [
        path
        for part in CODE
        for path in sorted((root / part).rglob("*.py"))
        if "migrations" not in path.parts
    ]
    return [
        spot.place
        for path in files
        for spot in find_spots(path.relative_to(root).as_posix(), path.read_text("utf-8"))
    ]


def choose_places(places: list[Place], count: int, seed: int) -> list[Place]:
    """A random sample of n places, the same for the same seed, in the order of the code."""
    chosen = random.Random(seed).sample(range(len(places)), min(count, len(places)))
    return [places[number] for number in sorted(chosen)]


def find_again(place: Place, places: list[Place]) -> Place | None:
    """The place as it is today: itself, else the most similar with the same change; None if it is gone."""
    if place in places:
        return place
    same = [other for other in places if (other.old, other.new) == (place.old, place.new)]
    best = max(same, key=lambda other: _rank(place, other), default=None)
    return best if best and _compare(place.line, best.line) >= ALIKE else None


def _rank(place: Place, other: Place) -> tuple[float, ...]:
    """How well another place fits: by its line, its function, its file's name, its folder."""
    names = place.path.rpartition("/"), other.path.rpartition("/")
    return (
        round(_compare(place.line, other.line) + _compare(place.function, other.function), 1),
        names[0][2] == names[1][2],
        _compare(names[0][0], names[1][0]),
        place.number == other.number,
    )


def _compare(one: str, two: str) -> float:
    """The similarity of two texts, from 0 to 1."""
    return SequenceMatcher(None, one, two, autojunk=False).ratio() if one != two else 1.0


def find_spots(path: str, text: str) -> list[Spot]:
    """The places of one file, each with its position, in the order of the text."""
    lines = text.splitlines(keepends=True)
    begins = [0]
    for line in lines:
        begins.append(begins[-1] + len(line))
    counted: Counter[tuple[str, str, str]] = Counter()
    spots = []
    changes = _find_changes(ast.parse(text), text, begins)
    for function, start, end, new in sorted(changes, key=lambda found: found[1:]):
        line = lines[bisect_right(begins, start) - 1].strip()
        alike = function, line, text[start:end]
        spots.append(Spot(Place(path, *alike, new, counted[alike]), start, end))
        counted[alike] += 1
    return spots


def _find_changes(tree: ast.Module, text: str, begins: list[int]) -> Iterator[tuple[str, int, int, str]]:
    """Each change: its function, its start and end, and the replacement."""

    def place(row: int, column: int) -> int:
        line = text[begins[row - 1] : begins[row]]
        return begins[row - 1] + len(line.encode()[:column].decode())

    for function, node in _walk(tree, ""):
        start, end = (
            place(node.lineno, node.col_offset),
            place(node.end_lineno or 0, node.end_col_offset or 0),
        )
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            yield function, start, end, str(node.value + 1)
        elif isinstance(node, ast.UnaryOp):
            yield function, start, start + len("not "), ""
        else:
            for left, right, (old, new) in _find_operators(node):
                between = (
                    place(left.end_lineno or 0, left.end_col_offset or 0),
                    place(right.lineno, right.col_offset),
                )
                words = r"\s+".join(map(re.escape, old.split()))
                found = re.search(rf"(?<!\w){words}(?!\w)", text[slice(*between)])
                if found:
                    yield function, between[0] + found.start(), between[0] + found.end(), new


def _find_operators(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr, tuple[str, str]]]:
    """The operators of an expression: the parts left and right of each, and its replacement."""
    if isinstance(node, ast.Compare):
        for left, kind, right in zip(
            [node.left, *node.comparators], node.ops, node.comparators, strict=False
        ):
            yield left, right, COMPARISONS[type(kind)]
    elif isinstance(node, ast.BoolOp):
        for left, right in zip(node.values, node.values[1:], strict=False):
            yield left, right, LOGIC[type(node.op)]
    elif isinstance(node, ast.BinOp):
        yield node.left, node.right, SUMS[type(node.op)]


def _walk(node: ast.AST, function: str) -> Iterator[tuple[str, Any]]:
    """The changeable nodes below a node, each with its function; no types, no text."""
    if isinstance(node, ast.JoinedStr):
        return
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST):
                continue
            if _can_change(child):
                yield function, child
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield from _walk(child, f"{function}.{child.name}".lstrip("."))
            else:
                yield from _walk(child, function)


def _can_change(node: ast.AST) -> bool:
    """Whether a node is a number, a comparison, a sum or logic."""
    if isinstance(node, ast.Constant):
        return type(node.value) in {int, float}
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    if isinstance(node, ast.BinOp):
        text = any(
            isinstance(side, ast.JoinedStr) or isinstance(getattr(side, "value", 0), str)
            for side in (node.left, node.right)
        )
        return type(node.op) in SUMS and not text
    return isinstance(node, ast.Compare | ast.BoolOp)
