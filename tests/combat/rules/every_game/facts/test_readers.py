"""Each field of a record has a reader: what stands in a data file is used somewhere, or goes."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from combat.play.scenes.ready import FOLDER
from combat.rules.core.declaration.parts import DAMAGE
from combat.rules.core.declaration.system import System
from tests.combat.rules.games import GAMES

ROOT = Path(__file__).resolve().parents[5]
RULES = ROOT / "combat" / "rules"
SHAPES = ("Struct", "dataclass", "NamedTuple")
ELSEWHERE = {  # what reads a field that no page and no rule reads
    "combat/rules/core/book/examples.py Deed.cites": "the tests of the examples",
    "combat/play/after/faults.py ReplayResult.differs": "who receives the report of a fault",
    "combat/play/after/faults.py Report.python": "who receives the report of a fault",
}
OF_EVERY_BOOK = ("house_fields", "origin", "spends")  # columns that the catalogue reads in every game


def find_files(*endings: str) -> list[Path]:
    """Code and templates, without tests and migrations."""
    folders = ("combat", "characters", "cosmos_site", "templates")
    found = (path for folder in folders for path in sorted((ROOT / folder).rglob("*")))
    return [path for path in found if path.suffix in endings and "migrations" not in path.parts]


@cache
def read_tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def find_reads() -> dict[str, set[str]]:
    """The names that are read, as an attribute or as a word, each with the rooms that read it."""
    reads = defaultdict[str, set[str]](set)
    for path in find_files(".py", ".html", ".txt"):
        for name in read_names(path):
            reads[name].add(find_room(path))
    for path in RULES.glob("*/book/tables.py"):
        for name in find_described(path):
            reads[name].add(find_room(path))
    return reads


def find_described(path: Path) -> set[str]:
    """The fields of a game's records that a table of its data describes one by one: rules ask its rows."""
    shapes = [shape for shape in read_tree(path).body if isinstance(shape, ast.ClassDef)]
    fields = [{name for _, name in list_fields(path, shape)} for shape in shapes]
    found: set[str] = set()
    for file in path.parents[1].glob("data/*.toml"):
        for rows in read_data(file).values():
            ids = {row.get("id", "") for row in rows} if isinstance(rows, list) else set()
            if len(ids) > 2 and any(ids <= known for known in fields):
                found |= ids
    return found


@cache
def read_names(path: Path) -> frozenset[str]:
    """The names that a file reads."""
    return frozenset(_find_names(path))


def _find_names(path: Path) -> Iterator[str]:
    if path.suffix != ".py":
        text = path.read_text("utf-8")
        yield from re.findall(r"\.(\w+)", text)
        yield from re.findall(r"\{(?:\{|% if) (\w+) ", text)  # a field of what is drawn
        return
    for node in ast.walk(read_tree(path)):
        match node:
            case ast.Attribute(attr=name, ctx=ast.Load()):
                yield name
            case ast.Constant(value=str(word)) if word.isidentifier():
                yield word
            case ast.MatchClass(kwd_attrs=names):
                yield from names


def find_room(path: Path) -> str:
    """The game that a file belongs to; nothing for all that every game uses."""
    inside = path.relative_to(RULES).parts[0] if path.is_relative_to(RULES) else ""
    return "" if inside == "core" or inside.endswith(".py") else inside


def find_fields(path: Path) -> Iterator[tuple[str, str]]:
    """The fields of all shapes of a file: "File Class.field" and the name."""
    for shape in ast.walk(read_tree(path)):
        if isinstance(shape, ast.ClassDef):
            yield from list_fields(path, shape)


def list_fields(path: Path, shape: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """The fields of one shape."""
    name = path.relative_to(ROOT).as_posix()
    for field in shape.body:
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            yield f"{name} {shape.name}.{field.target.id}", field.target.id


def is_read(name: str, field: str, room: str) -> bool:
    """Whether a field is read by its own game or by what every game uses; those of the core by any.

    What every game uses knows few columns of a game's book: others of the same name are other things.
    """
    readers = find_reads().get(field, set())
    if "/book/" in name and room and field not in OF_EVERY_BOOK:
        return room in readers
    return bool(readers if not room else readers & {room, ""})


@pytest.mark.parametrize("folder", ["combat", "characters", "cosmos_site"])
def test_every_field_is_read(folder: str) -> None:
    """Delete an unread field with its figures, or let the rules or a page ask for it."""
    fields = [
        (name, field, find_room(path))
        for path in find_files(".py")
        if path.is_relative_to(ROOT / folder)
        for name, field in find_fields(path)
    ]
    assert len(fields) > 20
    unread = [
        name for name, field, room in fields if not is_read(name, field, room) and name not in ELSEWHERE
    ]
    assert not unread, "\n".join(unread)


@pytest.mark.parametrize("game", [path.parent.name for path in RULES.glob("*/options.toml")])
def test_every_house_rule_is_asked_for(game: str) -> None:
    """By its key or the first part of it; the module that lists the options asks for none."""
    options = read_data(RULES / game / "options.toml")["option"]
    rooms = [
        path for path in find_files(".py") if find_room(path) in (game, "") and path.name != "options.py"
    ]
    asked = {name for path in rooms for name in read_names(path)}
    asked |= {text for path in (RULES / game / "data").glob("*.toml") for text in find_texts(read_data(path))}
    assert options
    assert not [key for key in options if not {key, key[: key.rfind("_") + 1]} & asked]


@pytest.mark.parametrize("system", GAMES.values(), ids=GAMES)
def test_every_cause_of_damage_with_an_icon_is_one(system: System) -> None:
    """A weapon, a word of its record, or the key of a cause."""
    catalogue = system.book.catalogue
    entries = catalogue.find_entries() if catalogue else ()
    known = {text for entry in entries for text in find_texts((entry.kind, entry.record))}
    causes = {key.rpartition(".")[2] for key in system.words.words}
    assert not system.kinds.sections[DAMAGE].keys() - known - causes


def read_data(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))


def find_texts(value: object) -> Iterator[str]:
    """All texts in plain data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from find_texts(part)


def test_every_key_of_a_ready_scene_is_read() -> None:
    readers = (ROOT / "combat/play/scenes/ready.py", RULES / "core/space/blueprint.py")
    read = frozenset[str]().union(*map(read_names, readers))
    scenes = [read_data(path) for path in FOLDER.rglob("*.toml")]
    assert len(scenes) > 20
    assert not {key for scene in scenes for key in scene} - read
