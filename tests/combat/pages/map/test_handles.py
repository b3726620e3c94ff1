"""Players and doors on the map: a button for those in reach, by the game's own action."""

from __future__ import annotations

import pytest

from combat.display.map.scene import DOOR
from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from combat.rules.core.space import map_of
from tests.combat.cast import Cast, Place, gather
from tests.combat.rules.games import every_slug
from tests.combat.visit import MARCUS, ZARA, combatant, state_of

HATCH = {"id": "d1", "x1": 3, "y1": 0, "x2": 5, "y2": 0, "kind": "door", "name": "Airlock"}


@pytest.fixture
def cast(started: Encounter, bare: Encounter) -> Cast:
    """Zara, whose turn it is, stands at a door; Pia plays her."""
    submit(started.pk, Submission("change_map", {"walls": [HATCH]}))
    submit(started.pk, Submission("place", {"target": ZARA, "x": 4, "y": 0.5}))
    return gather(started, ZARA, MARCUS)


def find_buttons(cast: Cast, role: str, pk: int) -> list[str]:
    """The action of the door's button on someone's page."""
    page = Place(cast[role], pk).page()
    return [button["value"] for button in page.all("button", id="door-d1")]


def is_open(pk: int) -> bool:
    return map_of(state_of(pk).scene).walls[0].open


@every_slug
def test_every_game_has_one_door_action_or_declares_none(slug: str) -> None:
    system = find_system(slug)
    actions = [action for action in system.actions.by_name.values() if action.who != "gm"]
    found = [action.name for action in actions if DOOR in action.type.__struct_fields__]
    assert len(found) == system.space.doors, f"{slug}: Space.doors is {system.space.doors}, but: {found}"


@pytest.mark.slow
def test_only_who_reaches_the_door_in_their_turn_has_a_button(cast: Cast, started: Encounter) -> None:
    shown = {role: find_buttons(cast, role, started.pk) for role in ("gm", "player", "other", "watcher")}
    assert shown == {"gm": ["set_door"], "player": ["door"], "other": [], "watcher": []}
    grips = [len(Place(cast[role], started.pk).page().all("path", class_="door-grip")) for role in shown]
    assert grips == [1, 1, 0, 0]
    submit(started.pk, Submission("place", {"target": ZARA, "x": 4, "y": 5}))
    assert find_buttons(cast, "player", started.pk) == []


def test_player_opens_a_door_as_the_game_says(cast: Cast, started: Encounter) -> None:
    place = Place(cast.player, started.pk)
    page = place.page()
    button = page.one("button", id="door-d1")
    assert button.text == "Open Airlock: Zara · Move"
    before = combatant(started.pk, ZARA).budget
    fields = page.fields(button.parents[-1])
    place.do(button["value"], **{name: fields[name] for name in ("version", "combatant", "door")})
    assert is_open(started.pk)
    assert combatant(started.pk, ZARA).budget != before, "it costs what the game says"
    assert place.page().one("button", id="door-d1").text.startswith("Close")


def test_what_stands_against_it_is_said_in_place_of_the_button(cast: Cast, started: Encounter) -> None:
    submit(started.pk, Submission("change_map", {"walls": [{**HATCH, "locked": True}]}))
    assert find_buttons(cast, "player", started.pk) == []
    page = Place(cast.player, started.pk).page()
    assert "Airlock is locked: the GM can unlock it." in page.one("ul", class_="doors").text


def test_nobody_opens_a_door_with_another_combatant(cast: Cast, started: Encounter) -> None:
    for role in ("other", "watcher", "revoked", "stranger", "nobody"):
        found = cast[role].post(f"/encounters/{started.pk}/", {"do": "door", "combatant": ZARA, "door": "d1"})
        assert found.status_code in (302, 403, 404, 409, 410), role
    assert not is_open(started.pk)
