"""Refusals tell nobody of a deck that no player knows: they are those of the map without it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, read_command
from combat.rules.core.engine.engine import Done, TryDriver, run
from tests.combat.audience.test_unknown_deck import WORLDS, make_map
from tests.combat.rules.every_game.decks import make_zones
from tests.combat.rules.every_game.test_decks import ADA, BO, put
from tests.combat.rules.every_game.test_walls import TABLES
from tests.combat.rules.stage import Stage

THERE = (
    "50,3",
    "62,8",
    "22,3",
    "-30,3",
    "3,3;50,3",
)  # on the deck that nobody knows, under its place, and nowhere
MOST_WAYS = 24  # of filling in the other fields of a form


def make_world(game: str, world: str, *, secret: bool) -> Stage:
    """Ada and Bo on the lowest deck."""
    stage = TABLES[game].make()
    settings = dict(stage.state.scene.settings)
    zones = make_zones() if WORLDS[world][0][1:] else make_zones()[:1]
    stage.do("set_scene", scene={"zones": zones, "settings": settings})
    stage.do("set_map", map=make_map(world, secret=secret))
    put(stage, ADA, 3, 3)
    put(stage, BO, 9, 3)
    return stage


def fill_in(stage: Stage, action: Action) -> Iterator[dict[str, Any]]:
    """The fields of an action with a place, in several ways, without the place."""
    fields = [field for field in action.find_fields(stage.state, ADA) if field.kind != "place"]
    values = [
        [field.value, *(one.value for one in field.options if one.value != field.value)][:4]
        for field in fields
    ]
    for number, chosen in enumerate(product(*values)):
        if number < MOST_WAYS:
            yield {f.name: v for f, v in zip(fields, chosen, strict=True) if v not in ("", None)}


def find_answers(stage: Stage) -> Iterator[tuple[str, str]]:
    """What each action of Ada with a place says to the places of `THERE`: a refusal, or how it ended."""
    for action in stage.system.actions.by_name.values():
        if action.who != "seat":
            continue
        names = [field.name for field in action.find_fields(stage.state, ADA) if field.kind == "place"]
        for name, there in product(names, THERE):
            for filled in fill_in(stage, action):
                yield f"{action.name} {there} {filled}", answer(stage, action, {**filled, name: there})


def answer(stage: Stage, action: Action, fields: dict[str, Any]) -> str:
    """What the rules say to a command of Ada."""
    try:
        result = run(
            stage.system, stage.state, action, read_command(action, {"actor": ADA, **fields}), TryDriver()
        )
    except Refused as refused:
        return refused.message
    return "done" if isinstance(result, Done) else "asks"


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("game", [name for name in TABLES if name != "hexes"])
def test_refusals_are_those_of_the_map_without_the_deck(game: str, world: str) -> None:
    without, with_it = (
        dict(find_answers(make_world(game, world, secret=secret))) for secret in (False, True)
    )
    assert len(without) > len(THERE)
    differ = [f"{what}: {said} / {with_it[what]}" for what, said in without.items() if with_it[what] != said]
    assert not differ, "\n".join(differ)
