"""On a map with fog or hidden areas, players and watchers receive only what their combatants see."""

from __future__ import annotations

from itertools import pairwise
from math import cos, dist, pi, sin
from typing import Any

import msgspec
import pytest

from combat.audience.map_fog import find_known_map, find_known_runs
from combat.audience.secrecy import redact
from combat.audience.viewer import GM, Viewer
from combat.rules.core.map import vision
from combat.rules.core.map.vision import Eyes, Known, hide_fogged
from combat.rules.core.space import Point, Scene, Wall, Zone, map_of
from combat.rules.core.space.barriers import find_nearest
from combat.rules.core.space.grid import Grid
from combat.rules.core.space.rays.fog import Window
from combat.rules.core.state.events import EVERYONE, GM_ONLY, Moved, Said, for_seat
from combat.rules.core.state.state import encode, replace
from tests.combat.rules.cosmos.duels import ADA, BO, duel
from tests.combat.rules.cosmos.figures import CosmosStage
from tests.typed import sure

SEAT, WATCHER = Viewer("seat", frozenset((ADA,))), Viewer()
WALL = {"id": "w1", "x1": 5.5, "y1": -12, "x2": 5.5, "y2": 12}
DOOR = {"id": "d1", "x1": 5.5, "y1": -0.5, "x2": 5.5, "y2": 0.5, "kind": "door", "name": "Hatch"}
BEYOND = {
    "walls": [
        {**WALL, "y2": -0.5},
        DOOR,
        {**WALL, "id": "w2", "y1": 0.5},
        {"id": "vaultwall", "x1": 8, "y1": 3, "x2": 12, "y2": 3, "name": "Vault wall"},
        {"id": "d9", "x1": 12, "y1": 3, "x2": 13, "y2": 3, "kind": "door", "name": "Vault door"},
    ],
    "obstacles": [{"id": "c9", "name": "Gold chest", "x": 9, "y": 4}],
    "lights": [{"id": "lamp9", "x": 9.25, "y": 5, "radius": 7}],
    "picture": {"digest": "cafe1234"},
}
SECRETS = (b"Bo", b"f2", b"aultwall", b"Vault", b"d9", b"Gold chest", b"lamp9", b"Treasury", b"cafe1234")


def behind(fog: bool = True, **parts: Any) -> CosmosStage:
    """Ada on one side of a wall, Bo and various objects on the other."""
    stage = duel(apart=10)
    stage.edit(ADA, pc=True)
    stage.zone("hall", x=-5, y=-10, width=10, depth=20)
    stage.zone("treasury", x=6, y=-10, width=10, depth=20)
    zones = [msgspec.to_builtins(zone) for zone in stage.state.scene.zones]
    zones[1]["name"] = "Treasury"
    stage.do("set_scene", scene={"zones": zones})
    stage.do("set_map", map={**BEYOND, "fog": fog, **parts})
    return stage


def seen_by(stage: CosmosStage, viewer: Viewer) -> bytes:
    return encode(redact(stage.state, viewer))


def find_leaks(raw: bytes) -> list[bytes]:
    return [secret for secret in SECRETS if secret in raw]


def test_the_gm_sees_everything() -> None:
    assert find_leaks(seen_by(behind(), GM)) == list(SECRETS)
    assert find_leaks(seen_by(behind(fog=False), SEAT)) == list(SECRETS)


@pytest.mark.parametrize("viewer", [SEAT, WATCHER])
def test_nothing_behind_a_wall_is_in_any_byte(viewer: Viewer) -> None:
    stage = behind()
    raw = seen_by(stage, viewer)
    assert find_leaks(raw) == []
    assert b"Hatch" in raw
    assert b"hall" in raw


@pytest.mark.parametrize("viewer", [SEAT, WATCHER])
def test_an_open_door_shows_who_stands_behind_it(viewer: Viewer) -> None:
    stage = behind()
    stage.do("set_door", door="d1", open=True)
    known = redact(stage.state, viewer)
    assert BO in known.combatants
    assert b"Treasury" in encode(known)
    assert b"Vault" not in encode(known)


def test_seen_places_are_remembered_but_not_who_stood_there() -> None:
    stage = behind()
    stage.do("set_door", door="d1", open=True)
    stage.do("set_door", door="d1")
    known, cells = redact(stage.state, SEAT), find_known_map(stage.state, SEAT)
    assert cells is not None
    assert BO not in known.combatants
    assert b"Treasury" in encode(known)
    assert cells.knows(8, 0)


def test_without_memory_only_the_present_is_known() -> None:
    stage = behind(remembers=False)
    stage.do("set_door", door="d1", open=True)
    stage.do("set_door", door="d1")
    assert find_leaks(seen_by(stage, SEAT)) == []
    assert map_of(stage.state.scene).explored == {}


@pytest.mark.parametrize("viewer", [SEAT, WATCHER])
def test_an_area_that_the_gm_hides_is_not_there(viewer: Viewer) -> None:
    area = {"id": "a1", "x": 6, "y": -12, "width": 12, "depth": 24, "name": "Secret lab"}
    stage = behind(fog=False, walls=[], hidden=[area])
    assert b"Secret lab" in seen_by(stage, GM)
    raw = seen_by(stage, viewer)
    assert find_leaks(raw) == []
    assert b"Secret lab" not in raw
    stage.do("change_map", drop=["a1"])
    assert b"Treasury" in seen_by(stage, viewer)


def test_a_secret_door_is_a_wall_to_players() -> None:
    stage = behind(walls=[{**DOOR, "id": "priest", "name": "Priest hole", "secret": True}])
    assert b"Priest hole" in seen_by(stage, GM)
    raw = seen_by(stage, SEAT)
    assert (b"priest" in raw, b"Priest" in raw, b"secret" in raw, b'"door"' in raw) == (False,) * 4
    stage.do("set_door", door="priest", open=True)
    assert b"Priest hole" in seen_by(stage, SEAT)


def test_players_hear_nothing_of_who_acts_out_of_sight() -> None:
    stage = behind()
    moved, fallen = {"target": BO, "x": 12, "y": 2}, {"target": BO, "kind": "prone"}
    for name, fields in (("place", moved), ("give_condition", fallen)):
        told = stage.do(name, **fields)
        shown = [fact.event for fact in told if fact.to == EVERYONE] + [
            f.redacted for f in told if f.redacted
        ]
        assert find_leaks(msgspec.json.encode(shown)) == []
        assert any(fact.to == for_seat(BO) for fact in told), "the GM hears of it, and who plays them"


def test_who_walks_out_of_sight_is_said_to_and_not_where_to() -> None:
    stage = behind()
    stage.edit(BO, at=Point(3, 3))
    (fact,) = [f for f in stage.do("place", target=BO, x=12, y=2) if isinstance(f.event, Moved)]
    assert (fact.to, fact.redacted) == (for_seat(BO), Said("log.out_of_sight", BO))


def test_opposed_players_each_hear_of_what_their_own_side_sees() -> None:
    stage = behind()
    stage.edit(BO, pc=True)
    (fact,) = [f for f in stage.do("place", target=BO, x=12, y=2) if isinstance(f.event, Moved)]
    assert fact.to == f"seat:{BO}"
    assert BO in redact(stage.state, Viewer("seat", frozenset((BO,)))).combatants
    assert BO not in redact(stage.state, SEAT).combatants
    assert {ADA, BO}.isdisjoint(redact(stage.state, WATCHER).combatants)


def test_undo_of_a_look_is_a_fold_of_its_facts() -> None:
    """The stage compares every command with a fold of its facts, and the explored area is a fact."""
    stage = behind()
    told = stage.do("set_door", door="d1", open=True)
    assert [type(fact.event).__name__ for fact in told] == ["DoorSet", "Said", "Explored"]
    assert {fact.to for fact in told if type(fact.event).__name__ == "Explored"} == {GM_ONLY}


@pytest.mark.parametrize("viewer", [SEAT, WATCHER])
def test_who_lies_senseless_sees_nobody(viewer: Viewer) -> None:
    stage = behind()
    stage.do("set_door", door="d1", open=True)
    assert BO in redact(stage.state, viewer).combatants
    stage.do("adjust", target=ADA, track="hp", to=-1)
    assert BO not in redact(stage.state, viewer).combatants


@pytest.mark.parametrize("viewer", [SEAT, WATCHER])
def test_nobody_in_an_area_the_gm_hides_is_seen_in_fog_either(viewer: Viewer) -> None:
    stage = behind(hidden=[{"id": "a1", "x": 6, "y": -12, "width": 12, "depth": 24}])
    stage.do("set_door", door="d1", open=True)
    known = redact(stage.state, viewer)
    assert BO not in known.combatants
    assert b"Treasury" not in encode(known)


def test_without_players_a_watcher_sees_nobody_in_the_fog() -> None:
    stage = behind()
    stage.edit(ADA, pc=False)
    assert {ADA, BO}.isdisjoint(redact(stage.state, WATCHER).combatants)


def test_what_one_side_sees_is_told_to_its_players_alone() -> None:
    stage = behind()
    stage.edit(BO, pc=True)
    stage.do("duplicate", target=BO, dice=((5,),))
    (fact,) = [f for f in stage.do("place", target=BO, x=12, y=2) if isinstance(f.event, Moved)]
    assert fact.to == f"seat:{BO}"


def test_memory_switched_off_later_shows_only_the_present() -> None:
    stage = behind()
    stage.do("set_door", door="d1", open=True)
    stage.do("set_door", door="d1")
    assert b"Treasury" in seen_by(stage, SEAT)
    stage.do("change_map", look={"fog": True, "remembers": False})
    assert b"Treasury" not in seen_by(stage, SEAT)


def test_what_the_gm_hides_again_is_forgotten_while_it_is_hidden() -> None:
    stage = behind()
    stage.do("set_door", door="d1", open=True)
    stage.do("set_door", door="d1")
    stage.do("change_map", hidden=[{"id": "a1", "x": 7, "y": -3, "width": 3, "depth": 6}])
    cells = sure(find_known_map(stage.state, SEAT))
    assert (cells.knows(6, 0), cells.knows(8, 0)) == (True, False)
    stage.do("change_map", drop=["a1"])
    cells = sure(find_known_map(stage.state, SEAT))
    assert cells.knows(8, 0)


@pytest.mark.parametrize("is_hidden", [False, True])
def test_things_in_a_hidden_area_stay_unseen_past_an_open_door(is_hidden: bool) -> None:
    area = {"id": "a1", "x": 7, "y": -3, "width": 3, "depth": 6}
    stage = behind(hidden=[area] if is_hidden else [])
    stage.do("set_door", door="d1", open=True)
    knife = replace(stage[ADA].items[0], place="ground", at=Point(8, 0))
    stage.state = replace(stage.state, ground=(knife,))
    assert bool(redact(stage.state, SEAT).ground) is not is_hidden


def test_watchers_know_what_the_players_of_all_sides_know() -> None:
    stage = behind()
    stage.edit(BO, pc=True)
    here, there = stage[ADA].at, stage[BO].at
    known = [find_known_map(stage.state, one) for one in (SEAT, Viewer("seat", frozenset((BO,))), WATCHER)]
    told = [(cells.knows(here.x, here.y), cells.knows(there.x, there.y)) for cells in known if cells]
    assert told == [(True, False), (False, True), (False, False)]


def test_what_was_hidden_when_they_looked_is_not_remembered() -> None:
    stage = behind(hidden=[{"id": "a1", "x": 7, "y": -3, "width": 3, "depth": 6}])
    stage.do("set_door", door="d1", open=True)
    stage.do("set_door", door="d1")
    stage.do("change_map", drop=["a1"])
    cells = sure(find_known_map(stage.state, SEAT))
    assert (cells.knows(6, 0), cells.knows(8, 0)) == (True, False)


def test_players_do_not_hear_who_acts_in_a_hidden_area_they_see() -> None:
    stage = behind(hidden=[{"id": "a1", "x": 6, "y": -12, "width": 12, "depth": 24}])
    stage.do("set_door", door="d1", open=True)
    (fact,) = [f for f in stage.do("place", target=BO, x=9, y=0) if isinstance(f.event, Moved)]
    assert (fact.to, fact.redacted) == (f"seat:{BO}", None)


def test_what_is_known_already_is_no_news() -> None:
    stage = behind()
    news = []
    for is_open in (True, False, True):
        told = stage.do("set_door", door="d1", open=is_open)
        news.append([type(fact.event).__name__ for fact in told].count("Explored"))
    assert news == [1, 0, 0]


def test_a_zone_tells_of_no_other_that_it_leads_to() -> None:
    stage = behind()
    zones = [msgspec.to_builtins(zone) for zone in stage.state.scene.zones]
    zones[0]["links"] = {"treasury": 1}
    stage.do("set_scene", scene={"zones": zones})
    stage.do("set_map", map={**BEYOND, "fog": True})
    assert b"treasury" in seen_by(stage, GM)
    assert b"treasury" not in seen_by(stage, SEAT)


@pytest.mark.parametrize("hexes", [False, True])
def test_of_a_zone_that_nobody_knows_nothing_is_left(hexes: bool) -> None:
    eyes, window = Eyes(Grid(hexes=hexes), lambda combatant: False), Window(1.0, 0, 0, 9, 9)
    scene = Scene(zones=(Zone("v", "Vault", 2, 2, 3, 3),))
    whole = dict.fromkeys(range(9), window.whole)
    assert hide_fogged(scene, eyes, Known(window, {}, {})).zones == ()
    assert len(hide_fogged(scene, eyes, Known(window, whole, whole)).zones) == 1


def test_whoever_plays_on_two_sides_keeps_both_of_theirs() -> None:
    stage = behind()
    both = redact(stage.state, Viewer("seat", frozenset((ADA, BO))))
    assert {ADA, BO} <= both.combatants.keys()


def test_things_are_seen_while_they_are_looked_at() -> None:
    stage = behind()
    knife = replace(stage[ADA].items[0], place="ground", at=Point(8, 0))
    stage.state = replace(stage.state, ground=(knife,))
    seen = []
    for is_open in (True, False):
        stage.do("set_door", door="d1", open=is_open)
        seen.append(len(redact(stage.state, SEAT).ground))
    assert seen == [1, 0]


@pytest.mark.parametrize(("x", "is_seen"), [(4.2, True), (4.4, False)])
def test_things_beyond_a_wall_through_their_cell_are_not_seen(x: float, is_seen: bool) -> None:
    """The wall stands between the middle of the cell, which is seen, and its far side."""
    stage = behind(walls=[{"id": "w", "x1": 4.3, "y1": -30, "x2": 4.3, "y2": 30}])
    knife = replace(stage[ADA].items[0], place="ground", at=Point(x, 0))
    stage.state = replace(stage.state, ground=(knife,))
    assert bool(redact(stage.state, SEAT).ground) is is_seen


@pytest.mark.parametrize(
    ("line", "runs"),
    [
        (((0, 0), (2, 0), (8, 0), (20, 0)), [[(0, 0), (2, 0)], [(20, 0)]]),
        (((0, 0), (20, 0)), [[(0, 0)], [(20, 0)]]),
        (((0, 0), (0, 20)), [[(0, 0), (0, 20)]]),
    ],
)
def test_a_line_is_cut_where_it_leads_through_what_is_hidden(
    line: tuple[tuple[float, float], ...], runs: list[list[tuple[float, float]]]
) -> None:
    stage = behind(fog=False, hidden=[{"id": "a1", "x": 6, "y": -12, "width": 12, "depth": 24}])
    assert find_known_runs(stage.state, line) == runs


# ---- What stands in plain sight ----

CORNERS = ((-5, -4), (6, -4), (6, 4), (-5, 4))


def enclosed(off: float, turn: float = 0.0, **parts: Any) -> CosmosStage:
    """Ada in a room of four walls, shifted from the grid by this many meters and turned by these radians."""
    stage = duel(apart=3)
    stage.edit(ADA, pc=True)
    stage.zone("hall", x=-30, y=-30, width=60, depth=60)
    ends = [
        (x * cos(turn) - y * sin(turn) + off, x * sin(turn) + y * cos(turn) + off)
        for x, y in (*CORNERS, CORNERS[0])
    ]
    walls = [
        {"id": f"w{number}", "x1": x1, "y1": y1, "x2": x2, "y2": y2}
        for number, ((x1, y1), (x2, y2)) in enumerate(pairwise(ends), 1)
    ]
    stage.do("set_map", map={"walls": walls, "fog": True, **parts})
    return stage


@pytest.mark.parametrize("cell", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("off", [0.0, 0.25, 0.5, 0.75])
@pytest.mark.parametrize("turn", [0.0, 0.4, pi / 4])
def test_all_walls_of_a_room_are_known_to_who_stands_in_it(cell: float, off: float, turn: float) -> None:
    stage = enclosed(off, turn, cell=cell)
    before, after = (map_of(s.scene).walls for s in (stage.state, redact(stage.state, SEAT)))
    known = [0.0] * len(before)
    for piece in after:
        number = min(range(len(before)), key=lambda n: _find_away(piece, before[n]))
        known[number] += dist((piece.x1, piece.y1), (piece.x2, piece.y2))
    for length, wall in zip(known, before, strict=True):
        assert length >= dist((wall.x1, wall.y1), (wall.x2, wall.y2)) - 2 * cell, wall


def _find_away(piece: Wall, wall: Wall) -> float:
    """The distance of both ends of a piece from a wall."""
    ends = ((piece.x1, piece.y1), (piece.x2, piece.y2))
    return sum(dist(end, find_nearest((wall.x1, wall.y1, wall.x2, wall.y2), end)) for end in ends)


@pytest.mark.parametrize("off", [0.0, 0.25, 0.5])
def test_tall_thing_in_plain_sight_is_shown(off: float) -> None:
    chest = {"id": "c1", "name": "Locker", "x": 3 + off, "y": off, "blocks_sight": True}
    assert b"Locker" in seen_by(enclosed(0.0, obstacles=[chest]), SEAT)


@pytest.mark.parametrize("off", [0.0, 0.25, 0.5])
@pytest.mark.parametrize("tall", [True, False])
def test_thing_right_behind_a_wall_is_not_shown(off: float, tall: bool) -> None:
    chest = {"id": "c1", "name": "Locker", "x": 6 + off, "y": 0, "blocks_sight": tall}
    assert b"Locker" not in seen_by(enclosed(off, obstacles=[chest]), SEAT)


def test_walls_that_are_looked_at_for_one_viewer_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two thousand walls of two hundred meters would be eight hundred thousand parts."""
    looked_at, find = 0, vision._find_cells_beside

    def count(*args: Any) -> Any:
        nonlocal looked_at
        looked_at += 1
        return find(*args)

    monkeypatch.setattr(vision, "_find_cells_beside", count)
    walls = [
        {"id": f"w{n}", "x1": -100, "y1": n / 10 + 5, "x2": 100, "y2": n / 10 + 5.05} for n in range(2000)
    ]
    stage = duel(apart=3)
    stage.edit(ADA, pc=True)
    stage.do("set_map", map={"walls": walls, "fog": True})
    redact(stage.state, SEAT)
    assert 0 < looked_at <= vision.MAX_PARTS + len(walls)
