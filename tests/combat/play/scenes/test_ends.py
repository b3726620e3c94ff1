"""On a map or zones of a GM's own the sides begin at opposite ends, on free ground, without being dragged."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import pytest
from django.contrib.auth.models import User

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, create_encounter, submit, undo
from combat.rules import find_system
from combat.rules.core.map.bodies import body_of, with_room
from combat.rules.core.space import distance, find_zone, map_of, plot
from combat.rules.core.space.grid import make_grid
from combat.rules.core.space.paths import is_filled
from combat.rules.core.state.state import Combatant, State, present
from tests.combat.rules.games import every_slug
from tests.combat.visit import Visit, load, state_of

HOUSE = [
    {"id": str(number), "kind": "wall", "cover": "full", "x1": x1, "y1": y1, "x2": x2, "y2": y2}
    for number, (x1, y1, x2, y2) in enumerate(
        [(50, 50, 80, 50), (80, 50, 80, 66), (80, 66, 50, 66), (50, 66, 50, 50)]
    )
]
CRATE = {"id": "c", "name": "Crate", "x": 52, "y": 56, "width": 4, "depth": 4}


@pytest.fixture
def fight(gm: User, slug: str) -> Encounter:
    """Two sides of four on open ground."""
    encounter = create_encounter(gm, slug, "Own ground")
    block = next(iter(find_system(slug).book.find_blocks()))
    for side, pc in (("enemies", False), ("allies", True)):
        submit(encounter.pk, Submission("join", {"block": block, "side": side, "count": 4, "pc": pc}))
    return encounter


def split(state: State) -> tuple[list[Combatant], list[Combatant]]:
    people = present(state)
    return [one for one in people if one.side == "allies"], [one for one in people if one.side == "enemies"]


def gap(state: State) -> float:
    """The least distance between the sides."""
    return min(distance(one.at, other.at) for one, other in product(*split(state)))


@every_slug()
def test_sides_go_to_opposite_ends_of_a_map_that_appears(fight: Encounter) -> None:
    submit(fight.pk, Submission("change_map", {"walls": HOUSE, "obstacles": [CRATE]}))
    state, space = state_of(fight.pk), find_system(fight.system).space
    grid = make_grid(map_of(state.scene), space.cell_meters, space.has_hexes(state))
    spots = [grid.plot(one.at) for one in present(state)]
    assert all(50 < x < 80 and 50 < y < 66 for x, y in spots)
    assert not any(is_filled(map_of(state.scene), grid, one.at) for one in present(state))
    assert len(set(spots)) == 8
    assert gap(state) > 12
    undo(fight.pk)
    assert gap(state_of(fight.pk)) < 12


PICTURE = {"digest": "a" * 64, "x": -20, "y": 40, "width": 30, "depth": 18}
DECK = {"id": "d", "name": "Deck", "x": 0, "y": 0, "width": 30, "depth": 12}


@every_slug()
@pytest.mark.parametrize(
    ("drawn", "box"),
    [
        ({"look": {"picture": PICTURE}}, (-20, 40, 10, 58)),
        ({"look": {"picture": PICTURE}, "obstacles": [{**CRATE, "x": -8, "y": 50}]}, (-20, 40, 10, 58)),
        ({"decks": [DECK, {**DECK, "id": "e", "x": 40, "height": 3, "shift": 40}]}, (0, 0, 30, 12)),
    ],
)
def test_sides_go_to_opposite_ends_of_a_new_picture_or_deck(
    fight: Encounter, drawn: dict[str, Any], box: tuple[float, float, float, float]
) -> None:
    submit(fight.pk, Submission("change_map", drawn))
    state = state_of(fight.pk)
    hexes = find_system(fight.system).space.has_hexes(state)
    spots = [plot(one.at.x, one.at.y, hexes) for one in present(state)]
    assert all(box[0] <= x <= box[2] and box[1] <= y <= box[3] for x, y in spots)
    assert gap(state) > 12


@every_slug()
def test_sides_follow_zones_that_are_typed_one_after_another(fight: Encounter) -> None:
    zones = [
        {"id": f"z{n}", "name": f"Zone {n}", "x": 20 * n, "y": 0, "width": 20, "depth": 14} for n in range(4)
    ]
    for most in (1, 2, 4):
        submit(fight.pk, Submission("set_scene", {"scene": {"zones": zones[:most]}}))
        state = state_of(fight.pk)
        assert all(find_zone(state.scene, one.at) for one in present(state))
    heroes, foes = split(state_of(fight.pk))
    scene = state_of(fight.pk).scene
    assert all(find_zone(scene, one.at) == scene.zones[0] for one in heroes)
    assert all(find_zone(scene, one.at) == scene.zones[3] for one in foes)


@every_slug()
def test_those_whom_the_gm_has_placed_stay(fight: Encounter) -> None:
    zone = {"id": "z", "name": "Yard", "x": 0, "y": 0, "width": 40, "depth": 20}
    submit(fight.pk, Submission("set_scene", {"scene": {"zones": [zone]}}))
    submit(fight.pk, Submission("place", {"target": "f1", "x": 20, "y": 10}))
    before = {one.id: one.at for one in present(state_of(fight.pk))}
    more = {**zone, "id": "y", "name": "Garden", "x": 40}
    submit(fight.pk, Submission("set_scene", {"scene": {"zones": [zone, more]}}))
    assert {one.id: one.at for one in present(state_of(fight.pk))} == before
    submit(fight.pk, Submission("place_by_side", {}))
    assert gap(state_of(fight.pk)) > 30
    undo(fight.pk)
    assert {one.id: one.at for one in present(state_of(fight.pk))} == before


@every_slug()
def test_newcomers_go_to_the_end_of_their_side(gm: User, slug: str) -> None:
    encounter = create_encounter(gm, slug, "Map first")
    zone = {"id": "z", "name": "Yard", "x": 0, "y": 0, "width": 40, "depth": 20}
    submit(encounter.pk, Submission("set_scene", {"scene": {"zones": [zone]}}))
    block = next(iter(find_system(slug).book.find_blocks()))
    for side, pc in (("enemies", False), ("allies", True)):
        submit(encounter.pk, Submission("join", {"block": block, "side": side, "count": 4, "pc": pc}))
    assert gap(state_of(encounter.pk)) > 15


def test_vehicles_are_put_onto_nothing(room: Visit, gm: User) -> None:
    """On the toll bridge a car begins beside the parked one, and no car over another."""
    fight = create_encounter(gm, "cepheus", "Cars")
    for side in ("allies", "enemies"):
        submit(fight.pk, Submission("join", {"block": "core_ground_car", "side": side, "count": 2}))
    sent = {"do": "ready", "ready": "toll_bridge", "next": "prep"}
    assert room.client.post(f"/encounters/{fight.pk}/scene/", sent).status_code == 303
    state, space = state_of(load(fight.pk).pk), find_system("cepheus").space
    grid = make_grid(map_of(state.scene), space.cell_meters, hexes=False)
    bodies = [body_of(with_room(one, is_vehicle=True)) for one in present(state)]
    assert all(body.meters >= 4.5 for body in bodies)
    assert not any(is_filled(map_of(state.scene), grid, body.at, body.meters) for body in bodies)
    for one, other in combinations(bodies, 2):
        assert max(abs(one.at.x - other.at.x), abs(one.at.y - other.at.y)) >= 4
