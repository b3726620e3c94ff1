"""Files of other programs, changed at random: each is read, or refused in a sentence, and no fault comes."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from math import isfinite
from time import monotonic
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User

from characters.exchange import documents, item_imports, previews, reading, roster
from characters.exchange.reading import ValidationFailed
from combat.play.notes.lists import write_notes
from combat.play.packs.documents import check_pack, find_hash, read_document, write_document
from combat.play.scenes.map_files import read_file
from combat.play.scenes.stacking import lay_levels
from combat.rules.core.basics.errors import Refused
from combat.rules.core.engine import document as encounters
from combat.rules.core.space import Scene, with_map
from tests.combat.play.packs.world import make_campaign, pack_all
from tests.combat.play.scenes import test_foundry, test_uvtt
from tests.combat.rules import tiny
from tests.combat.rules.cepheus.characters.foreign.actors import LOOKOUT, RIG
from tests.combat.rules.core.engine.test_document import export
from tests.combat.rules.games import GAMES, every_slug, find_game
from tests.site.hosting.table import soon

DEEP = "@deep@"
HUGE = "@huge@"
DROP = "@drop@"
NUMBERS = (1e308, -1e308, 5e-324, -5e-324, 1e16, -1e16, 0, -1, 0.5, 2**63, 10**30, HUGE)
ODD: tuple[Any, ...] = (
    *NUMBERS,
    *(float("nan"), float("-inf"), "", "x" * 5000, "1e999", "\u202e\x00", "NaN", None, True, False),
    *([], {}, [None], [[]], {"": None}, DEEP, DROP),
)
WRITTEN = {DEEP: "[" * 3000 + "]" * 3000, HUGE: "9" * 5000}
SECONDS = 1  # that a file may take: one person's input makes nobody wait longer


def find_places(data: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to each value of a document."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inner:
        yield (*way, key)
        yield from find_places(value, (*way, key))


def write(data: Any) -> str:
    """JSON, also with what no JSON should hold."""
    text = json.dumps(data)
    for name, raw in WRITTEN.items():
        text = text.replace(json.dumps(name), raw)
    return text


def change(data: Any, way: tuple[Any, ...], value: Any) -> Any:
    """The document with one value changed, or left out."""
    made = deepcopy(data)
    *steps, last = way
    place = made
    for step in steps:
        place = place[step]
    if value == DROP:
        del place[last]
    else:
        place[last] = value
    return made


def find(data: Any, way: tuple[Any, ...]) -> Any:
    """The value at a place."""
    for step in way:
        data = data[step]
    return data


def spoil(data: Any, times: int) -> Iterator[Any]:
    """The document spoiled, the same each time: so many odd numbers for numbers, and as many other cases."""
    by_chance = random.Random(67)
    places = list(find_places(data))
    numbers = [way for way in places if isinstance(find(data, way), int | float)]
    for kind in (
        [(way, value) for way in numbers for value in NUMBERS],
        [(way, value) for way in places for value in ODD],
    ):
        for way, value in by_chance.sample(kind, min(times, len(kind))):
            yield change(data, way, value)


def check(read: Callable[[str], object], text: str) -> None:
    """Read a file in time, or refuse it with a sentence."""
    begun, said = monotonic(), "read"
    try:
        read(text)
    except (Refused, ValidationFailed) as refused:
        said = str(refused)
    except Exception as problem:
        problem.add_note(text[:2000])
        raise
    assert said, text[:300]
    assert monotonic() - begun < soon(SECONDS), text[:300]


# ---- Maps ----


def find_numbers(data: Any) -> Iterator[float]:
    """All numbers in plain values."""
    if isinstance(data, dict | list):
        for one in data.values() if isinstance(data, dict) else data:
            yield from find_numbers(one)
    elif isinstance(data, int | float):
        yield data


def read_map(text: str) -> None:
    """Read the file of a map and lay it into a scene, as the page does."""
    for cell in (None, 1.5):
        found = read_file(text.encode(), cell)
        scene = with_map(Scene(zones=(found.zone,)), found.map)
        if found.levels:
            scene = lay_levels(scene, found.levels, found.zone, found.map.cell or 1.0)
        numbers = list(find_numbers(msgspec.to_builtins((scene, found.starts))))
        assert all(isfinite(number) and abs(number) < 10_000 for number in numbers)


LEVELS = [
    {"_id": "a", "name": "Hold", "elevation": {"bottom": 0, "top": 10}},
    {"_id": "b", "name": "Bridge", "elevation": {"bottom": 10, "top": 20}},
]
OLD = {
    "width": 800,
    "height": 600,
    "grid": 100,
    "gridDistance": 5,
    "gridUnits": "ft",
    "shiftX": 0,
    "shiftY": 0,
    "walls": [],
}
MAPS = {
    "foundry": test_foundry.make_scene(),
    "foundry with levels": test_foundry.make_scene(levels=LEVELS),
    "old foundry": {
        **OLD,
        "padding": 0.25,
        "lights": [{"x": 1, "y": 2, "dim": 30, "bright": 5, "angle": 90}],
    },
    "uvtt": test_uvtt.make_file(),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MAPS)
def test_odd_map_is_read_or_refused(name: str) -> None:
    read_map(write(MAPS[name]))
    for data in spoil(MAPS[name], 1000):
        check(read_map, write(data))


# ---- People and things ----


def read_sheets(text: str) -> None:
    """Read characters and items, from a file or as notes for a fight."""
    for usual in ("cosmos", "cepheus"):
        for read in (previews.preview, item_imports.preview_items):
            try:
                read(reading.read_text(text.encode()), usual, {})
            except (Refused, ValidationFailed):
                continue
    write_notes(text, find_game("cepheus"))


EXAMPLES = {slug: json.loads(documents.write_example(GAMES[slug])) for slug in ("cosmos", "cepheus")}
SHEETS = {"actor": LOOKOUT, "vehicle": RIG, "actors": [LOOKOUT, RIG], **EXAMPLES}
LISTED = {"combatants": [{"name": "Pirate", "hp": 12, "count": 3, "hidden": True, "initiative": 14}]}


@pytest.mark.slow
@pytest.mark.parametrize("name", [*SHEETS, "listed"])
def test_odd_sheet_is_read_or_refused(name: str) -> None:
    data = {**SHEETS, "listed": LISTED}[name]
    for odd in spoil(data, 60):
        check(read_sheets, write(odd))


@pytest.mark.slow
@every_slug
def test_odd_roster_is_read_or_refused(slug: str) -> None:
    text = f"system,name,count,notes\n{slug},Vega,2,\n"
    by_chance = random.Random(67)
    for _ in range(100):
        place = by_chance.randrange(len(text))
        odd = by_chance.choice(
            ("9" * 400, "-1e308", "NaN", ",", '"', "\n", "=1+1", "\u202e", "\x00", "x" * 5000, "")
        )
        check(lambda raw: list(roster.read_roster(raw, slug, {})), text[:place] + odd + text[place + 1 :])
        check(read_sheets, text[:place] + odd + text[place + 1 :])


# ---- Packs and fights ----


@pytest.mark.django_db
def test_odd_pack_is_read_or_refused(gm: User) -> None:
    plain = json.loads(write_document(pack_all(make_campaign(gm))))

    def read(text: str) -> None:
        data = json.loads(text)
        check_pack(read_document(json.dumps({**data, "hash": find_hash(data)}).encode()))

    for odd in spoil(plain, 60):
        text = json.dumps(odd)
        check(lambda raw: read_document(raw.encode()), text)
        check(read, text)


def test_odd_fight_is_read_or_refused() -> None:
    plain = json.loads(encounters.write_document(export(tiny.SYSTEM)))
    for odd in spoil(plain, 100):
        check(lambda raw: encounters.replay(encounters.read_document(raw.encode()), find_game), write(odd))
