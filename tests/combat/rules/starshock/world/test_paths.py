"""Paths from cell to cell, their costs, and the heights of zones."""

from __future__ import annotations

import pytest

from combat.rules.core.space import Point, Scene
from combat.rules.starshock.world.paths import count_cost, find_cells, find_path, shorten
from combat.rules.starshock.world.place import find_level
from tests.combat.rules.starshock.figures import ADA, BO, StarStage, duel, terms


def mapped(kind: str = "squares", **options: object) -> StarStage:
    """Ada at 0, 0 on a map without zones, Bo 6 m away, and Ada's turn."""
    stage = StarStage(**options)
    stage.map(kind)
    stage.hero("Ada")
    stage.foe("Bo", at=(6, 0))
    return stage.begin(ADA, BO)


def points(cells: tuple[Point, ...]) -> list[tuple[float, float]]:
    return [(cell.x, cell.y) for cell in cells]


@pytest.mark.rule("SS-MAP-04")
@pytest.mark.parametrize(
    ("kind", "goal", "cells"),
    [
        ("squares", (2, 2), [(0, 0), (1, 1), (2, 2)]),
        ("squares", (3, 1), [(0, 0), (1, 0), (2, 1), (3, 1)]),
        ("hexes", (1, 1), [(0, 0), (0, 1), (1, 1)]),
        ("hexes", (2, -2), [(0, 0), (1, -1), (2, -2)]),
        ("hexes", (2, 1), [(0, 0), (1, 0), (1, 1), (2, 1)]),
    ],
)
def test_a_path_leads_from_cell_to_cell(
    kind: str, goal: tuple[int, int], cells: list[tuple[int, int]]
) -> None:
    stage = mapped(kind)
    assert points(find_cells(stage.state, (Point(0, 0), Point(*goal)))) == cells


@pytest.mark.rule("SS-MAP-04", "SS-MAP-05")
@pytest.mark.parametrize(
    ("kind", "diagonal", "goal", "cost"),
    [
        ("squares", "one", (4, 4), 4),
        ("squares", "five_ten_alternate", (1, 1), 1),
        ("squares", "five_ten_alternate", (4, 4), 6),
        ("squares", "five_ten_alternate", (4, 0), 4),
        ("squares", "five_ten_alternate", (0, 4), 4),
        ("hexes", "five_ten_alternate", (4, -4), 4),
    ],
)
def test_every_second_diagonal_of_squares_may_cost_two(
    kind: str, diagonal: str, goal: tuple[int, int], cost: int
) -> None:
    stage = mapped(kind, diagonal=diagonal)
    assert count_cost(stage.state, stage[ADA], (Point(0, 0), Point(*goal))) == cost


@pytest.mark.rule("SS-FREE-05")
@pytest.mark.parametrize(("option", "cost"), [("in_zone", 8), ("normal", 4)])
def test_crawling_costs_double_where_the_table_has_it(option: str, cost: int) -> None:
    stage = mapped(prone_crawl=option)
    way = (Point(0, 0), Point(4, 0))
    assert count_cost(stage.state, stage[ADA], way) == 4
    stage.give(ADA, "prone")
    assert count_cost(stage.state, stage[ADA], way) == cost


@pytest.mark.rule("SS-OTHER-07")
def test_entered_ground_counts_and_a_dear_diagonal_is_doubled() -> None:
    stage = mapped(diagonal="five_ten_alternate")
    mud = {"id": "mud", "name": "Mud", "x": 1.5, "y": -5, "width": 20, "depth": 20, "terrain": ["difficult"]}
    stage.do("set_scene", scene={"zones": [mud], "settings": {"positioning": "squares"}})
    assert count_cost(stage.state, stage[ADA], (Point(0, 0), Point(1, 1))) == 1
    assert count_cost(stage.state, stage[ADA], (Point(0, 0), Point(2, 2))) == 1 + 2 * 2
    assert count_cost(stage.state, stage[ADA], (Point(2, 0), Point(1, 0))) == 1


@pytest.mark.rule("SS-MAP-07")
def test_the_pool_pays_for_a_path_to_the_last_meter() -> None:
    stage = mapped()
    stage.edit(ADA, budget={**stage[ADA].budget, "metres": 4})
    assert shorten(stage.state, stage[ADA], (Point(0, 0), Point(9, 0)))[-1] == Point(4, 0)


@pytest.mark.rule("SS-MAP-04")
@pytest.mark.parametrize(
    ("at", "to", "goal"),
    [
        ((6, 0), f"near:{BO}", (5, 0)),
        ((0, 0), f"near:{BO}", (0, 0)),
        ((6, -3), f"away:{BO}", (-120, 60)),
        ((0, 0), f"away:{BO}", (20, 0)),
    ],
)
def test_next_to_someone_and_away_from_them(at: tuple[int, int], to: str, goal: tuple[int, int]) -> None:
    stage = mapped()
    stage.edit(BO, at=Point(*at))
    assert points(find_path(stage.state, stage[ADA], to)) == [(0, 0), goal]


@pytest.mark.rule("SS-MAP-04")
def test_next_to_someone_large_is_beside_all_of_them() -> None:
    stage = mapped()
    stage.do("resize", target=BO, metres=3)
    (_, goal) = find_path(stage.state, stage[ADA], f"near:{BO}")
    assert (goal.x, goal.y) == (4, 0)


# ---------------------------------------------------------------- zones


@pytest.mark.rule("SS-ZONE-13")
@pytest.mark.parametrize(
    ("here", "there", "bonus"), [(4, 2, True), (4, 4, False), (2, 4, False), (0, 0, False), (None, 0, False)]
)
def test_of_two_elevated_zones_only_the_higher_shoots_down(here: int | None, there: int, bonus: bool) -> None:
    stage = duel("needle_gun")
    if here is not None:
        stage.describe("dock", terrain=["elevated"], height=here)
    stage.describe("hold", terrain=["elevated"], height=there)
    stage.put(ADA, "dock")
    stage.put(BO, "hold")
    shown = stage.preview("attack", ADA, target=BO, weapon=stage.weapon(ADA, "needle_gun"))
    assert ("Elevated" in terms(shown.modifiers)) is bonus


@pytest.mark.rule("SS-ZONE-13")
def test_outside_of_all_zones_is_no_height() -> None:
    assert find_level(Scene(), None) == 0


@pytest.mark.rule("SS-ZONE-03", "SS-MAP-01")
@pytest.mark.parametrize(("kind", "told"), [("zones", 1), ("squares", 0), ("hexes", 0)])
def test_on_a_map_no_zone_is_too_large(kind: str, told: int) -> None:
    stage = StarStage("dock")
    stage.map(kind)
    stage.describe("dock", width=9, depth=9)
    assert len(stage.said()) == told
