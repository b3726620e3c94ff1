"""Ways between decks, in every game: their price, who stands at the other end, and where bodies have room."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.map.bodies import SIZE, meters_of
from combat.rules.core.space import map_of, plan_distance
from combat.rules.core.space.paths import is_filled
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from tests.combat.rules.every_game.decks import HEIGHT, LADDER, SHIFT, make_ship, make_zones
from tests.combat.rules.every_game.test_decks import ADA, BO, board, every_game, put
from tests.combat.rules.stage import Stage

FOOT, TOP = (4, 6), (SHIFT + 4, 6)
KINDS = ("stairs", "ladder", "lift")
# Who stands or lies at the far end: a mark or a condition of theirs
OTHERS: dict[str, dict[str, Any]] = {
    "an enemy": {},
    "a friend": {"side": "allies"},
    "someone prone": {"prone": True},
    "a large body": {"marks": {SIZE: 30}},
}


def crowd(stage: Stage, *spots: tuple[float, float], **changes: Any) -> list[str]:
    """People on these spots."""
    prone, people = changes.pop("prone", False), []
    for n, (x, y) in enumerate(spots):
        who = f"x{n}"
        other = replace(stage[BO], id=who, name=f"Cy {n}", pc=False, **{"side": "enemies", **changes})
        stage.state = replace(stage.state, combatants={**stage.state.combatants, who: other})
        put(stage, who, x, y)
        if prone:
            stage.give(who, "prone")
        people.append(who)
    return people


def offer(stage: Stage) -> str:
    """The form of taking a way, in words: the price and the refusals of its ways."""
    action = next(one for one in stage.system.actions.by_name.values() if one.name == "way")
    return repr(action.find_fields(stage.state, ADA))


def take(stage: Stage) -> tuple[object, ...]:
    """What a way takes, and its length."""
    before = dict(stage[ADA].budget)
    stage.do("way", ADA, way="ladder")
    moved = [one for one in stage.told(e.Moved) if one.who == ADA]
    assert stage[ADA].at.z == HEIGHT
    return before, dict(stage[ADA].budget), [(one.metres, one.cost) for one in moved]


def at_foot(game: str, kind: str = "ladder", fog: bool = False) -> Stage:
    stage = board(game, {**LADDER, "kind": kind}, fog=fog)
    put(stage, ADA, *FOOT)
    return stage


@every_game
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("other", OTHERS)
def test_a_way_costs_its_length_whoever_is_at_its_other_end(game: str, kind: str, other: str) -> None:
    free, taken = at_foot(game, kind), at_foot(game, kind)
    (who,) = crowd(taken, TOP, **OTHERS[other])
    assert offer(taken) == offer(free)
    assert take(taken) == take(free)
    apart = plan_distance(taken[ADA].at, taken[who].at)
    assert apart >= 0.5 + meters_of(taken[who]) / 2, "they come out beside"


@every_game
def test_who_leaves_the_top_of_a_way_pays_its_length_down(game: str) -> None:
    free, taken = at_foot(game), at_foot(game)
    crowd(taken, FOOT)
    paid = []
    for stage in (free, taken):
        put(stage, ADA, *TOP)
        stage.do("way", ADA, way="ladder")
        paid.append(dict(stage[ADA].budget))
        assert stage[ADA].at.z == 0
    assert paid[0] == paid[1]


@every_game
@pytest.mark.parametrize("reach", [0, 2, 3])
def test_fog_hides_who_stands_at_the_other_end_of_a_way(game: str, reach: int) -> None:
    """Neither the price nor a refusal tells of enemies whom nobody has seen, however many there are."""
    free, taken = at_foot(game, fog=True), at_foot(game, fog=True)
    spots = [(TOP[0] + x, TOP[1] + y) for x in range(-reach, reach + 1) for y in range(-reach, reach + 1)]
    others = crowd(taken, *spots)
    assert offer(taken) == offer(free)
    assert take(taken) == take(free)
    assert all(plan_distance(taken[ADA].at, taken[who].at) >= 0.5 for who in others)


@every_game
def test_a_way_to_where_all_room_is_seen_to_be_taken_is_refused(game: str) -> None:
    stage = at_foot(game)
    crowd(stage, *[(TOP[0] + x, TOP[1] + y) for x in range(-4, 5) for y in range(-4, 5)])
    assert "people stand in the way" in stage.refused("way", ADA, way="ladder").message


@every_game
@pytest.mark.parametrize("meters", [3, 5, 8])
@pytest.mark.parametrize("corner", [(1.1, -1.1), (1.1, 1.1), (0.6, 7)])
def test_a_large_body_comes_out_where_it_has_room(
    game: str, meters: int, corner: tuple[float, float]
) -> None:
    """Two walls stand near the top of the way."""
    stage = at_foot(game)
    x, y = TOP[0] - corner[0], TOP[1] + corner[1]
    walls = [{"id": "a", "x1": x, "y1": -1, "x2": x, "y2": 13}]
    walls += [{"id": "b", "x1": SHIFT - 1, "y1": y, "x2": SHIFT + 21, "y2": y}] if corner[1] < 7 else []
    stage.do("set_map", map={**make_ship(LADDER), "walls": walls})
    stage.edit(ADA, marks={**stage[ADA].marks, SIZE: meters * 10})
    put(stage, BO, TOP[0] + 1, TOP[1])
    put(stage, ADA, *FOOT)
    take(stage)
    grid = stage.system.find_eyes(stage.state).grid
    at = stage[ADA].at
    assert not is_filled(map_of(stage.state.scene), grid, at, meters)
    apart = max(abs(at.x - stage[BO].at.x), abs(at.y - stage[BO].at.y))
    assert apart >= meters / 2


@every_game
@pytest.mark.parametrize("height", [HEIGHT, 30])
def test_a_lift_carries_the_prone_and_long_stairs_do_not(game: str, height: int) -> None:
    for kind in ("lift", "stairs"):
        stage = at_foot(game, kind)
        low, high = make_ship()["decks"]
        ship = make_ship({**LADDER, "kind": kind})
        zones = [{**zone, "height": height if zone["x"] > SHIFT - 2 else 0} for zone in make_zones()]
        stage.do("set_scene", scene={"zones": zones, "settings": dict(stage.state.scene.settings)})
        stage.do("set_map", map={**ship, "decks": [low, {**high, "height": height}]})
        more = {"actions": 3} if game == "squares" else {}
        stage.edit(ADA, budget={**stage[ADA].budget, **more})
        stage.give(ADA, "prone")
        if kind == "lift":
            stage.do("way", ADA, way="ladder")
            assert stage[ADA].at.x == TOP[0]
        elif game != "cosmos" or height == 30:  # where a turn's crawl is longer
            assert stage.obstacle("way", ADA) or "crawl" in stage.refused("way", ADA, way="ladder").message


@every_game
def test_a_body_too_large_for_the_other_end_is_told_so(game: str) -> None:
    stage = at_foot(game)
    walls = [{"id": f"w{x}", "x1": TOP[0] + x, "y1": -1, "x2": TOP[0] + x, "y2": 13} for x in (-1, 1)]
    stage.do("set_map", map={**make_ship(LADDER), "walls": walls})
    stage.edit(ADA, marks={**stage[ADA].marks, SIZE: 50})
    put(stage, ADA, *FOOT)
    assert stage.refused("way", ADA, way="ladder").message.endswith("Ada has no room at its other end.")
