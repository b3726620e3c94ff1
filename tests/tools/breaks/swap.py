"""Change functions where they live: the code of a module's functions is replaced while the program runs."""

from __future__ import annotations

import ast
import gc
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import CodeType, FunctionType

from combat.rules.core.basics import memory
from tests.tools.breaks.places import Place, find_spots

PROBE = "_reached_"  # the name of what a probe calls, in the names of a module
LOCALS = 2  # co_flags of a function, which has new locals in each call; a class has not


def break_place(root: Path, place: Place) -> bool:
    """Change a place in the running program; False if only an import of its module would notice."""
    file = root / place.path
    text = file.read_text("utf-8")
    spot = next((spot for spot in find_spots(place.path, text) if spot.place == place), None)
    if spot is None:
        return False
    pairs = _pair_code(file, ast.parse(text[: spot.start] + place.new + text[spot.end :]))
    if all(before == after for before, after in pairs.items()):
        return False
    _swap(file, pairs)
    memory.forget()
    return True


def probe_places(root: Path, places: Iterable[Place], tell: Callable[[int], object]) -> None:
    """Let the statement of each place tell the place's number before it runs.

    A bound method of a built-in type costs least, and is no call of a function of Python.
    """
    by_file: dict[str, list[tuple[int, Place]]] = {}
    for number, place in enumerate(places):
        by_file.setdefault(place.path, []).append((number, place))
    for path, numbered in by_file.items():
        text = (root / path).read_text("utf-8")
        spots = {spot.place: spot for spot in find_spots(path, text)}
        tree = ast.parse(text)
        for number, place in numbered:
            if place in spots:
                _insert_probe(tree, text.count("\n", 0, spots[place].start) + 1, number)
        for function in _swap(root / path, _pair_code(root / path, tree)):
            function.__globals__[PROBE] = tell


def _insert_probe(tree: ast.Module, line: int, number: int) -> None:
    """Put a probe before the innermost statement of a function that begins at this line or holds it."""
    block, at = _find_statement(tree.body, line)
    runs_once = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef  # a default or a decorator is in it
    if block is not None and not isinstance(block[at], runs_once):
        call = ast.Call(ast.Name(PROBE, ast.Load()), [ast.Constant(number)], [])
        block.insert(at, ast.fix_missing_locations(ast.copy_location(ast.Expr(call), block[at])))


def _find_statement(block: list[ast.stmt], line: int) -> tuple[list[ast.stmt] | None, int]:
    """The innermost statement that holds a line: the block that it is in, and its place there."""
    for at, statement in enumerate(block):
        if statement.lineno <= line <= (statement.end_lineno or 0):
            for inner in _find_blocks(statement):
                found = _find_statement(inner, line)
                if found[0] is not None:
                    return found
            return block, at
    return None, 0


def _find_blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks below a statement."""
    for name in ("body", "orelse", "finalbody"):
        yield getattr(statement, name, [])
    for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield part.body


def _pair_code(file: Path, changed: ast.Module) -> dict[CodeType, CodeType]:
    """The code of each function of a file, and what replaces it."""
    old = compile(file.read_text("utf-8"), str(file), "exec", dont_inherit=True)
    return dict(_pair_functions(old, compile(changed, str(file), "exec", dont_inherit=True)))


def _pair_functions(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """The functions inside two codes of the same shape, in pairs."""
    inside = ([part for part in code.co_consts if isinstance(part, CodeType)] for code in (old, new))
    for before, after in zip(*inside, strict=True):
        if before.co_flags & LOCALS:
            yield before, after
        yield from _pair_functions(before, after)


def _swap(file: Path, pairs: dict[CodeType, CodeType]) -> list[FunctionType]:
    """Give every living function of a file its new code; returns these functions."""
    gc.unfreeze()
    functions = [
        found
        for found in gc.get_objects()
        if type(found) is FunctionType and found.__code__.co_filename == str(file)
    ]
    for function in functions:
        function.__code__ = pairs.get(function.__code__, function.__code__)
    gc.freeze()  # as tests/conftest.py leaves it: garbage is looked for among what tests make
    return functions
