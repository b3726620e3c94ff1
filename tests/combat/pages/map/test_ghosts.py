"""Those who arrive later as faint tokens on the GM's maps, and on nobody else's."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.display.map.ghosts import SHARES, _list_spots, _name, add_ghosts
from combat.display.map.scene import view_scene
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from combat.rules.core.gm.reserves import EDGES
from combat.rules.core.space import BattleMap, Point, Scene, Wall, Zone, plot, with_map
from combat.rules.core.space.battle_map import DOOR
from combat.rules.core.state.state import Reserve, present, replace
from tests.combat.audience.test_leaks import calm
from tests.combat.cast import gather
from tests.combat.markup import Page
from tests.combat.rules.games import every_slug
from tests.combat.visit import MARCUS, PIRATE, SLUG, ZARA, Visit, demo_fight, load, read, state_of

PAGES = ("", "prep/", "scene/")


def hold(pk: int, *who: str, **plan: Any) -> None:
    submit(pk, Submission("hold_back", {"targets": who, **plan}))


def find_ghosts(page: Page) -> list[str]:
    return [one["aria-label"] for one in page.all("g", class_="ghost")]


def has_token(page: Page, who: str) -> bool:
    return any(one["data-token"] == who for one in page.all("g", class_="token"))


@pytest.fixture
def visit(gm: User, gm_client: Client) -> Visit:
    return Visit(gm_client, demo_fight(gm, SLUG).pk, htmx=False)


@pytest.mark.parametrize("path", PAGES)
def test_gm_sees_who_waits_for_a_place_and_until_when(visit: Visit, path: str) -> None:
    name = state_of(visit.pk)[PIRATE].name
    hold(visit.pk, PIRATE, when="round", at_round=3, edge="north")
    page = read(visit.client.get(visit.here + path))
    assert set(find_ghosts(page)) == {f"{name} waits: round 3"}
    assert not has_token(page, PIRATE)


def test_who_waits_for_no_place_is_on_no_map(visit: Visit) -> None:
    hold(visit.pk, PIRATE, when="hand")
    assert all(not find_ghosts(read(visit.client.get(visit.here + path))) for path in PAGES)


@pytest.mark.slow
def test_ghosts_are_no_targets_and_gone_once_they_arrive(visit: Visit) -> None:
    submit(visit.pk, Submission("join", {"block": "pirate_example", "side": "enemies", "name": "Rook"}))
    hold(visit.pk, PIRATE, when="hand", edge="east")
    submit(visit.pk, Submission("start", {}))
    page = read(visit.client.get(visit.here, {"do": "attack", "combatant": state_of(visit.pk).active}))
    assert find_ghosts(page)
    assert not [one for one in page.all("a") if f"target={PIRATE}" in (one["href"] or "")]
    submit(visit.pk, Submission("arrive", {"reserve": "r1"}))
    page = read(visit.client.get(visit.here))
    assert not find_ghosts(page)
    assert has_token(page, PIRATE)


def test_no_one_else_reads_anything_of_them(visit: Visit) -> None:
    """The pages of others are the same wherever someone waits, or nowhere."""
    hold(visit.pk, PIRATE, when="hand")
    people = gather(load(visit.pk), ZARA, MARCUS)
    clients = (people.player, people.watcher)
    before = [calm(client.get(visit.here).content.decode()) for client in clients]
    submit(visit.pk, Submission("change_arrival", {"reserve": "r1", "when": "hand", "edge": "north"}))
    assert before == [calm(client.get(visit.here).content.decode()) for client in clients]
    assert "waits: by hand" in people.gm.get(visit.here).content.decode()


# ---- Where


ZONES = (Zone("z1", "Yard", 0, 0, 10, 10), Zone("z2", "Shed", 10, 0, 10, 10))
DOOR_WALL = Wall("w1", 10, 2, 10, 4, kind=DOOR)


def find_spots(slug: str, **plan: Any) -> list[tuple[float, float]]:
    """Where the first opponent of a game is drawn who waits with such a plan."""
    system = find_system(slug)
    block = next(iter(system.book.find_blocks().values()))
    one = system.characters.make_combatant("f1", "Karg", "enemies", block.sheet, {})
    away = replace(one, gone=True, hidden=True)
    scene = with_map(Scene("Here", ZONES), BattleMap(walls=(DOOR_WALL,)))
    waiting = (Reserve("r1", ("f1",), **plan),)
    state = replace(system.begin(), scene=scene, combatants={"f1": away}, reserves=waiting)
    return [ghost.spot for ghost in add_ghosts(system, state, view_scene(system, state, {})).ghosts]


@every_slug
@pytest.mark.parametrize(
    "plan",
    [
        {"zone": "z2"},
        {"at": Point(4, 6)},
        {"at": Point(400, -600)},
        {"when": "door", "of": "w1"},
        *[{"edge": edge} for edge in EDGES],
    ],
)
def test_each_place_is_on_the_map(slug: str, plan: dict[str, Any]) -> None:
    ((x, y),) = find_spots(slug, **plan)
    system = find_system(slug)
    scene = with_map(Scene("Here", ZONES), BattleMap(walls=(DOOR_WALL,)))
    left, top, width, height = view_scene(system, replace(system.begin(), scene=scene), {}).box
    assert left < x < left + width
    assert top < y < top + height


def test_place_is_that_of_the_plan() -> None:
    assert find_spots(SLUG, at=Point(4, 6)) == [(4, 6)]
    assert find_spots(SLUG, zone="z2") == [(15, 5)]
    assert find_spots(SLUG, when="door", of="w1") == [(10, 3)]
    (north,), (south,) = find_spots(SLUG, edge="north"), find_spots(SLUG, edge="south")
    assert north[1] < 5 < south[1]
    assert find_spots(SLUG) == find_spots(SLUG, when="door", of="gone") == []


def list_spots(place: Zone = ZONES[0], hexes: bool = False, **plan: Any) -> list[tuple[float, float]]:
    """All places at which somebody with such a plan may be drawn, on a map from 2, 3 to 22, 13."""
    system = find_system(SLUG)
    drawn = BattleMap(walls=(replace(DOOR_WALL, id="w0", y1=8, y2=9), replace(DOOR_WALL, x1=9, x2=12)))
    state = replace(system.begin(), scene=with_map(Scene("Here", (place,)), drawn))
    view = replace(view_scene(system, state, {}), box=(2, 3, 20, 10), hexes=hexes)
    return _list_spots(state, view, Reserve("r1", ("f1",), **plan))


def test_places_to_be_drawn_at_are_those_where_they_arrive() -> None:
    """In the middle first, then to both sides: along an edge, or in a zone; a door has one."""
    along, down = [12.0, 7.0, 17.0, 4.0, 20.0], [8.0, 5.5, 10.5, 4.0, 12.0]
    assert list_spots(edge="north") == [(x, 3) for x in along]
    assert list_spots(edge="south") == [(x, 13) for x in along]
    assert list_spots(edge="west") == [(2, y) for y in down]
    assert list_spots(edge="east") == [(22, y) for y in down]
    loft = Zone("z3", "Loft", 4, 6, 10, 5)
    found = list_spots(loft, zone="z3")
    assert found[:5] == [(9, 8.5), (9, 7.25), (9, 9.75), (9, 6.5), (9, 10.5)]
    assert (len(found), found[-1]) == (len(SHARES) ** 2, (13, 10.5))
    assert list_spots(loft, zone="z3", edge="north") == list_spots(edge="north"), "the edge goes before"
    assert list_spots(when="door", of="w1") == [(10.5, 3)]
    assert list_spots(when="hand", of="w1") == []


def test_places_in_a_hex_zone_lean_with_its_rows_unless_upright() -> None:
    loft = Zone("z3", "Loft", 4, 6, 10, 5)
    straight = list_spots(loft, zone="z3")
    assert list_spots(loft, hexes=True, zone="z3") == [plot(x, y, hexes=True) for x, y in straight]
    assert list_spots(replace(loft, upright=True), hexes=True, zone="z3") == straight
    assert list_spots(replace(loft, upright=True), zone="z3") == straight


def test_ghosts_keep_clear_of_those_who_are_there(visit: Visit) -> None:
    zone = state_of(visit.pk).scene.zones[0]
    submit(visit.pk, Submission("join", {"block": "pirate_example", "name": "Karg"}))
    submit(visit.pk, Submission("join", {"block": "pirate_example", "name": "Rook"}))
    for who in [one.id for one in present(state_of(visit.pk)) if one.name in ("Karg", "Rook")]:
        hold(visit.pk, who, when="hand", zone=zone.id)
    system, state = find_system(SLUG), state_of(visit.pk)
    first, second = add_ghosts(system, state, view_scene(system, state, {})).ghosts
    assert first.spot != second.spot


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("Karg",), "Karg"),
        (("Pirate 2",), "Pirate 2"),
        (("Pirate", "Pirate 2", "Pirate 3"), "Pirate \N{MULTIPLICATION SIGN}3"),
        (("Karg", "Pirate"), "Karg +1"),
        (("Karg", "Pirate", "Pirate 2"), "Karg +2"),
    ],
)
def test_those_who_wait_together_are_named_in_short(names: tuple[str, ...], said: str) -> None:
    system = find_system(SLUG)
    block = next(iter(system.book.find_blocks().values()))
    people = {
        f"f{n}": system.characters.make_combatant(f"f{n}", name, "foes", block.sheet, {})
        for n, name in enumerate(names, 1)
    }
    assert _name(replace(system.begin(), combatants=people), Reserve("r1", tuple(people))) == said
