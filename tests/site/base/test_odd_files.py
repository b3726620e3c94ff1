"""Readers of files take any values: odd letters, digits of other scripts, other kinds, and depth.

Each either reads a file or refuses it in a sentence; the same files are tried each time.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from characters.exchange.item_imports import preview_items
from characters.exchange.previews import preview
from characters.exchange.reading import ValidationFailed, read_text
from combat.play.notes.lists import write_notes
from combat.play.packs.documents import read_document as read_pack
from combat.play.scenes.map_files import read_file
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.engine.document import read_document as read_fight
from cosmos_site.base.file_kinds import find_kind
from tests.characters.exchange.test_odd_letters import bend
from tests.combat.play.scenes.test_foundry import lamp, level, make_scene, token, wall
from tests.combat.play.scenes.test_uvtt import make_file
from tests.combat.rules.cepheus.characters.foreign.actors import LOOKOUT, weapon

TIMES = 40  # files of each kind for each reader
DEPTHS = (3, 39, 41, 300, 20_000)
DEEP = "a place for depth"
STRANGE: tuple[Any, ...] = (
    None,
    True,
    -1,
    1e300,
    10**30,
    "",
    "NaN",
    "\u0660\u0661",
    "\uff17",
    [],
    {},
    [[]],
    DEEP,
)
FILES: dict[str, Any] = {
    "a scene": make_scene(),
    "a scene of Foundry 14": make_scene(
        levels=[level("a"), level("b", name="Bridge", elevation={"bottom": 10, "top": None})],
        walls=[wall(0, 0, 8, 0, levels=["a"]), wall(1, 1, 2, 1, door=2, flags={"wall-height": {"top": 3}})],
        lights=[lamp(2, 3, levels=["b"])],
        tokens=[token(0, 1, "K\u0131ls\u0131", 1, level="a"), token(6, 1, "Pirate", -1, level="b")],
    ),
    "a Universal VTT file": make_file(),
    "an actor": LOOKOUT,
    "a weapon": [weapon("Snub pistol", "3D6"), {"name": "Guns", "type": "Item", "sorting": "a"}],
    "a list of combatants": {"Combatants": [{"Name": "Pirate", "HP": {"Value": 9}}, {"name": "Kirsi"}]},
    "an exported fight": {"format": "cosmos-table-encounter", "version": 1, "game": "cosmos", "steps": [{}]},
    "a pack": {"format": "cosmos-table-pack", "version": 1, "name": "Kirsi", "items": [{"kind": "weapon"}]},
    "a file of another program": {"map": {"layers": [], "tilewidth": 9}, "items": [{"createdUserId": "a"}]},
}  # fmt: skip
READERS: dict[str, Callable[[bytes], object]] = {
    "kinds": find_kind,
    "map": lambda raw: read_file(raw, None),
    "characters": lambda raw: preview(read_text(raw), "cepheus", {}),
    "items": lambda raw: preview_items(read_text(raw), "cepheus", {}),
    "notes": lambda raw: write_notes(read_text(raw), find_system("cepheus")),
    "pack": read_pack,
    "fight": read_fight,
}


def list_places(data: Any) -> list[tuple[Any, Any]]:
    """Every table and list in some data, with each of its keys."""
    keys = list(data) if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
    return [*((data, key) for key in keys), *(place for key in keys for place in list_places(data[key]))]


def distort(data: Any, dice: Random) -> bytes:
    """The file with some values of other kinds, odd letters in its words, and now and then depth."""
    data = copy.deepcopy(data)
    for _ in range(dice.randint(1, 4)):
        home, key = dice.choice(list_places(data))
        home[key] = bend(home[key], dice, 0.7) if isinstance(home[key], str) else dice.choice(STRANGE)
    if dice.random() < 0.2 and isinstance(data, dict):
        key = dice.choice(list(data))
        data[bend(key, dice, 0.7)] = data.pop(key)
    depth = dice.choice(DEPTHS)
    begin, end = dice.choice([("[", "]"), ('{"a":', "}")])
    text = json.dumps(data, ensure_ascii=dice.random() < 0.5)
    return text.replace(json.dumps(DEEP), f"{begin * depth}0{end * depth}").encode()


@pytest.mark.parametrize("reader", READERS)
def test_distorted_files_are_read_or_refused(reader: str) -> None:
    dice = Random(reader)
    for data in FILES.values():
        for _ in range(TIMES):
            with suppress(Refused, ValidationFailed):
                READERS[reader](distort(data, dice))


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize(
    "signs", [("[", "]"), ('{"a":', "}"), ('[{"levels":', "}]")], ids=["lists", "tables", "both"]
)
def test_depth_is_read_or_refused(reader: str, depth: int, signs: tuple[str, str]) -> None:
    with suppress(Refused, ValidationFailed):
        READERS[reader](f"{signs[0] * depth}0{signs[1] * depth}".encode())
