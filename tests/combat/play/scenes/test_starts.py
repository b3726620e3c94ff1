"""In every ready scene of every game the sides begin apart, on free ground, each with a way to the other."""

from __future__ import annotations

from itertools import combinations, permutations, product

import msgspec
import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.audience.secrecy import redact
from combat.audience.viewer import Viewer
from combat.models import Encounter
from combat.play.scenes.ready import find_ready_scenes
from combat.play.writing.encounter_service import Submission, create_encounter, submit
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.rules.core.space import VOID, Point, distance, find_zone, map_of
from combat.rules.core.space.battle_map import DOOR, BattleMap
from combat.rules.core.space.decks import GALLERY
from combat.rules.core.space.grid import make_grid
from combat.rules.core.space.paths import Way, find_way, is_filled
from combat.rules.core.state.state import State, present, replace
from tests.combat.markup import Page
from tests.combat.rules.games import every_slug
from tests.combat.visit import SLUG, Visit, demo_fight, read, state_of

MANY = 12
APART = 5  # meters between the sides at least: the two rooms of the smallest ship


def choose(client: Client, encounter: Encounter, key: str) -> None:
    answer = client.post(f"/encounters/{encounter.pk}/scene/", {"do": "ready", "ready": key, "next": "prep"})
    assert answer.status_code == 303, answer.content.decode()[:500]


def join(encounter: Encounter, side: str, count: int = MANY, **fields: object) -> None:
    block = next(iter(find_system(encounter.system).book.find_blocks()))
    submit(encounter.pk, Submission("join", {"block": block, "side": side, "count": count, **fields}))


def unlocked(drawn: BattleMap) -> BattleMap:
    """The map with every door open that people can open."""
    walls = tuple(
        msgspec.structs.replace(wall, open=True)
        if wall.kind == DOOR and not (wall.locked or wall.secret)
        else wall
        for wall in drawn.walls
    )
    return msgspec.structs.replace(drawn, walls=walls)


def is_reached(
    drawn: BattleMap, way: Way, start: Point, goal: Point, used: frozenset[str] = frozenset()
) -> bool:
    """Whether someone can walk to a place, on the ways between decks too, each of them once."""
    if leads(drawn, way, start, goal):
        return True
    for passage in drawn.ways:
        ends = [(passage.x1, passage.y1), (passage.x2, passage.y2)]
        if passage.id in used or passage.locked or passage.kind == GALLERY:
            continue
        for (x, y), (to_x, to_y) in (ends, ends[::-1]):
            beyond = replace(start, x=to_x, y=to_y)
            if leads(drawn, way, start, replace(start, x=x, y=y)):
                if is_reached(drawn, way, beyond, goal, used | {passage.id}):
                    return True
    return False


def leads(drawn: BattleMap, way: Way, start: Point, goal: Point) -> bool:
    """Whether a walk on one deck leads there."""
    try:
        find_way(drawn, way, start, goal)
    except Refused:
        return False
    return True


def find_faults(system: System, state: State) -> list[str]:
    """Who stands where nobody should begin, and which sides are together or cut off."""
    drawn, people = map_of(state.scene), present(state)
    grid = make_grid(drawn, system.space.cell_meters, system.space.has_hexes(state))
    zones = [find_zone(state.scene, one.at) for one in people]
    faults = [
        f"{one.name} in nothing free"
        for one, zone in zip(people, zones, strict=True)
        if zone is None or zone.floor == VOID or is_filled(drawn, grid, one.at)
    ]
    faults += [
        f"{a.name} on {b.name}"
        for a, b in combinations(people, 2)
        if distance(a.at, b.at) < min(1, grid.cell)
    ]
    sides = [[one for one in people if one.side == side] for side in ("allies", "enemies")]
    near = [
        f"{a.name} beside {b.name}"
        for a, b in product(*sides)
        if distance(a.at, b.at) < APART and a.at.shift == b.at.shift  # a floor keeps decks apart
    ]
    way, opened = Way(grid), unlocked(drawn)
    # Whoever reaches the first of their side reaches the others as that one does
    firsts = [side[0] for side in sides]
    ways = [*permutations(firsts, 2), *((one, side[0]) for side in sides for one in side[1:])]
    for one, other in ways:
        if not is_reached(opened, way, one.at, other.at):
            faults.append(f"{one.name} cannot reach {other.name}")
    return faults + near[:3]


@pytest.mark.slow
@every_slug()
def test_twelve_people_per_side_begin_apart_in_every_ready_scene(
    gm: User, gm_client: Client, slug: str
) -> None:
    """People who come to a scene, and those to whom it comes: in other games than the first in turn."""
    system, faults = find_system(slug), {}
    is_first = slug == SLUG
    late = create_encounter(gm, slug, "People first")
    join(late, "enemies")
    join(late, "allies", pc=True)
    for number, ready in enumerate(find_ready_scenes(), start=list(SYSTEMS).index(slug)):
        found = []
        if is_first or number % 2:
            early = create_encounter(gm, slug, ready.name)
            choose(gm_client, early, ready.key)
            join(early, "enemies", MANY - 1)  # before there is anybody to be apart from
            join(early, "allies", pc=True)
            join(early, "enemies", 1)
            found += find_faults(system, state_of(early.pk))
        if is_first or not number % 2:
            choose(gm_client, late, ready.key)
            found += find_faults(system, state_of(late.pk))
        if found:
            faults[ready.key] = found
    assert not faults


def test_place_by_side_says_what_it_lacks(room: Visit) -> None:
    encounter = Encounter.objects.get(pk=room.pk)
    assert find_lack(room) == "Nobody is here: add people."
    join(encounter, "enemies", 3)
    assert find_lack(room) == "Open ground has no sides: draw a map."
    draw(encounter)
    assert find_lack(room) == ""


def find_lack(room: Visit) -> str:
    """Why Place by side is no choice now; empty if it is one."""
    page = read(room.client.get(f"{room.here}prep/"))
    (button,) = page.all("button", value="place_by_side")
    return page.one("small", id=button["aria-describedby"]).text if "disabled" in button.attrs else ""


def draw(encounter: Encounter) -> None:
    """Lay a picture under everybody."""
    look = {"picture": {"digest": "a" * 64, "width": 30, "depth": 20}}
    submit(encounter.pk, Submission("change_map", {"look": look}))


def test_place_by_side_puts_all_back_and_says_when_nobody_moved(room: Visit, gm: User) -> None:
    encounter = Encounter.objects.get(pk=room.pk)
    join(encounter, "enemies", 3)
    refused = room.client.post(f"{room.here}prep/", {"do": "place_by_side"})
    assert (refused.status_code, "no map and no zone" in refused.content.decode()) == (409, True)
    choose(room.client, encounter, "bar")
    join(encounter, "allies", 3, pc=True)
    before = {one.id: one.at for one in present(state_of(room.pk))}
    page = read(room.client.get(f"{room.here}prep/"))
    assert "6 in 2 of 7 zones" in page.one("footer", class_="ready-bar").text
    for who in before:
        submit(room.pk, Submission("place", {"target": who, "x": 12, "y": 10}))
    page = read(room.client.get(f"{room.here}prep/"))
    assert "All in one zone" in page.one("footer", class_="ready-bar").text
    submit(room.pk, Submission("place", {"target": "f1", "x": 12, "y": 5}))
    page = read(room.client.get(f"{room.here}prep/"))
    assert "1 in a wall or an obstacle" in page.one("footer", class_="ready-bar").text
    opening = next(one for one in map_of(state_of(room.pk).scene).walls if one.kind in ("door", "window"))
    x, y = (opening.x1 + opening.x2) / 2, (opening.y1 + opening.y2) / 2
    submit(room.pk, Submission("place", {"target": "f1", "x": x, "y": y}))
    text = read(room.client.get(f"{room.here}prep/")).one("footer", class_="ready-bar").text
    assert "in a wall" not in text, "a doorway is none"
    (button,) = page.all("button", value="place_by_side")
    assert room.client.post(f"{room.here}prep/", {"do": button["value"]}).status_code == 303
    after = {one.id: find_zone(state_of(room.pk).scene, one.at) for one in present(state_of(room.pk))}
    was = {who: find_zone(state_of(room.pk).scene, at) for who, at in before.items()}
    assert after == was
    again = room.client.post(f"{room.here}prep/", {"do": "place_by_side"})
    assert "in the start of their side already" in again.content.decode()


def test_a_preparation_says_that_no_open_way_joins_the_sides(room: Visit) -> None:
    """The ways are drawn on its map, and the switch leads from deck to deck."""
    encounter = Encounter.objects.get(pk=room.pk)
    choose(room.client, encounter, "free_trader")
    join(encounter, "enemies", 2)
    join(encounter, "allies", 2, pc=True)
    here = f"{room.here}prep/"

    def look() -> Page:
        return read(room.client.get(here))

    assert "No open way" not in look().one("footer", class_="ready-bar").text
    assert {"Crew ladder up to Upper deck", "Crew ladder down to Cargo deck"} <= {
        one["aria-label"] for one in look().all("g", class_="deck-way")
    }
    assert [one for one in look().all("button") if one["data-deck"]]
    for way in map_of(state_of(room.pk).scene).ways:
        if way.open and way.kind != "gallery":
            submit(room.pk, Submission("set_door", {"door": way.id, "open": False}))
    page = look()
    footer = page.one("footer", class_="ready-bar")
    assert "No open way between the sides Cargo deck, Upper deck Open a way" in footer.text
    assert [one for one in page.all("a", inside=footer) if one["href"] == f"{room.here}scene/"]
    for one in present(state_of(room.pk)):
        submit(room.pk, Submission("place", {"target": one.id, "x": 5, "y": 5}))
    assert "No open way" not in look().one("footer", class_="ready-bar").text


def test_one_of_a_side_goes_back_to_its_start_and_others_stay(room: Visit) -> None:
    encounter = Encounter.objects.get(pk=room.pk)
    choose(room.client, encounter, "bar")
    join(encounter, "enemies", 3)
    first, *others = present(state_of(room.pk))
    for one in (first, *others):
        submit(room.pk, Submission("place", {"target": one.id, "x": 12, "y": 10}))
    assert (
        room.client.post(f"{room.here}prep/", {"do": "place_by_side", "targets": first.id}).status_code == 303
    )
    now = state_of(room.pk).combatants
    assert find_zone(state_of(room.pk).scene, now[first.id].at) == find_zone(
        state_of(room.pk).scene, first.at
    )
    assert {(now[one.id].at.x, now[one.id].at.y) for one in others} == {(12.0, 10.0)}
    again = room.client.post(f"{room.here}prep/", {"do": "place_by_side", "targets": first.id})
    assert "They are in the start of their side already" in again.content.decode()


def test_third_side_begins_away_from_both(gm: User, gm_client: Client) -> None:
    encounter = create_encounter(gm, SLUG, "Three")
    choose(gm_client, encounter, "bar")
    for side in ("enemies", "allies", "law"):
        join(encounter, side, 2, pc=side == "allies")
    state = state_of(encounter.pk)
    zones = {one.side: find_zone(state.scene, one.at) for one in present(state)}
    assert len({zone.id for zone in zones.values() if zone}) == 3


def test_hidden_foes_do_not_keep_characters_out_of_their_start(gm: User, gm_client: Client) -> None:
    places = []
    for is_hidden in (True, False):
        encounter = create_encounter(gm, SLUG, "Ambush")
        choose(gm_client, encounter, "bar")
        join(encounter, "enemies", 2, hidden=is_hidden)
        join(encounter, "allies", 2, pc=True)
        places.append([one.at for one in present(state_of(encounter.pk)) if one.pc])
    assert places[0] == places[1]


def test_players_do_not_learn_the_starts(gm: User, gm_client: Client) -> None:
    encounter = create_encounter(gm, SLUG, "Secret")
    choose(gm_client, encounter, "bar")
    state = state_of(encounter.pk)
    assert state.scene.starts
    assert redact(state, Viewer()).scene.starts is msgspec.UNSET


def test_cars_of_a_chase_are_not_told_to_go_apart(gm: User, gm_client: Client) -> None:
    chase = demo_fight(gm, "cepheus", 1)
    page = read(gm_client.get(f"/encounters/{chase.pk}/prep/"))
    footer = page.one("footer", class_="ready-bar").text
    assert "All in one zone" not in footer
    assert "2 in 1 of 2 zones" in footer
