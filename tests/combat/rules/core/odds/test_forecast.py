"""The forecast is fair: mirrors come out even, foes never help, one seed gives one result."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache
from math import sqrt

import pytest

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, ReplayDriver
from combat.rules.core.odds.forecast import (
    CLOSE,
    LEAST,
    MAX_ROUNDS,
    Ending,
    Forecast,
    Outcome,
    count_needed,
    find_closeness,
    find_escaped,
    find_staying,
    half_margin,
    is_settled,
    play_many,
    sum_up,
)
from combat.rules.core.sides import standing_sides
from combat.rules.core.state.state import State, replace
from tests.combat.rules.games import GAMES, every_game
from tests.combat.rules.stage import Stage

FIGHTS = 60


def line_up(system: System, *sides: tuple[str, int]) -> State:
    """This many copies of the game's first stat block on each side, in rows 6 m apart."""
    stage, block = Stage(system), next(iter(system.book.find_blocks()))
    for row, (side, count) in enumerate(sides):
        for number in range(count):
            stage.add(f"{side} {number}", side, (6.0 * row, 2.0 * number), block=block)
    return stage.state


@cache
def find_wins(slug: str, *sides: tuple[str, int]) -> Mapping[str, float]:
    """The share of fights that each side wins outright."""
    system = GAMES[slug]
    return sum_up(list(play_many(system, line_up(system, *sides), FIGHTS, seed=1))).wins


@pytest.mark.slow
@every_game
def test_mirror_fights_come_out_even(system: System) -> None:
    """One against one of the same; each side joins, and stands, first in half of the fights."""
    heroes, foes = ("allies", 1), ("enemies", 1)
    first, second = find_wins(system.slug, heroes, foes), find_wins(system.slug, foes, heroes)
    left, right = first["allies"] + second["allies"], first["enemies"] + second["enemies"]
    assert left + right > 1, "too many fights have no winner"
    assert abs(left - right) < 4 * sqrt(2 / FIGHTS), (first, second)


@pytest.mark.slow
@every_game
def test_another_enemy_never_helps_the_heroes(system: System) -> None:
    forecasts = [find_wins(system.slug, ("allies", 1), ("enemies", count)) for count in (1, 2, 3)]
    wins = [forecast.get("allies", 0.0) for forecast in forecasts]
    error = 3 * sqrt(0.25 / FIGHTS)
    assert wins[1] < wins[0] + error
    assert wins[2] < wins[1] + error
    assert wins[2] < wins[0], wins


@pytest.mark.slow
@every_game
def test_a_seed_is_a_result(system: System) -> None:
    state = line_up(system, ("allies", 2), ("enemies", 2))
    first, again, other = (list(play_many(system, state, 4, seed)) for seed in (5, 5, 6))
    assert first == again
    assert first != other


@every_game
def test_fights_end_with_one_side_or_none(system: System) -> None:
    state = line_up(system, ("allies", 1), ("enemies", 1))
    for ending in play_many(system, state, 30, seed=1):
        assert len(ending.standing) <= 1 or ending.rounds >= MAX_ROUNDS
        assert set(ending.dropped) <= set(state.combatants)


@every_game
def test_forecast_during_a_fight_does_not_change_the_fight(system: System) -> None:
    stage = Stage(system)
    stage.state = line_up(system, ("allies", 1), ("enemies", 1))
    stage.begin()
    before = stage.state
    endings = list(play_many(system, stage.state, 5, seed=1))
    assert all(len(ending.standing) <= 1 for ending in endings)
    assert stage.state is before


@every_game
def test_a_fight_goes_on_when_nobody_has_the_turn(system: System) -> None:
    stage = Stage(system)
    stage.state = line_up(system, ("allies", 2), ("enemies", 1))
    stage.begin()
    stage.do("remove", target=stage.state.active)
    assert not stage.state.active
    (ending,) = play_many(system, stage.state, 1, seed=1)
    assert len(ending.standing) == 1


# ---------------------------------------------------------------- odd starts, in the made-up game


def test_a_fight_that_is_over_stays_as_it_is(duel: Stage) -> None:
    duel.do("end_fight")
    assert list(play_many(duel.system, duel.state, 2, seed=1)) == [Ending(("allies", "enemies"), 1, ())] * 2


def test_a_fight_nobody_reaches_ends_undecided(duel: Stage) -> None:
    duel.do("place", target="f1", x=-9000, y=0)
    (ending,) = play_many(duel.system, duel.state, 1, seed=1)
    assert ending == Ending(("allies", "enemies"), 1 + MAX_ROUNDS, ())


def test_who_has_fled_far_from_every_enemy_no_longer_stands(duel: Stage) -> None:
    before = duel.state

    def sides() -> list[str]:
        return sorted(find_staying(duel.system, before, duel.state))

    assert sides() == ["allies", "enemies"]
    duel.do("place", target="f1", x=-90, y=0)
    assert "allies" in sides(), "not far enough"
    duel.do("place", target="f1", x=-150, y=0)
    assert sides() == ["enemies"]
    for who in ("f2", "f3"):
        duel.do("place", target=who, x=200, y=0)
    assert sides() == ["allies"], "who has moved farthest has fled, not both"
    duel.do("place", target="f2", x=-140, y=0)
    assert "allies" in sides(), "followed"


def test_side_that_fled_with_nobody_dropped_got_away(duel: Stage) -> None:
    before = duel.state
    assert find_escaped(duel.system, before, duel.state, ("allies", "enemies"), ()) == ""
    duel.do("place", target="f1", x=-150, y=0)
    assert find_escaped(duel.system, before, duel.state, ("enemies",), ()) == "allies"
    assert find_escaped(duel.system, before, duel.state, ("enemies",), ("f2",)) == "allies"
    assert find_escaped(duel.system, before, duel.state, ("enemies",), ("f1",)) == ""
    duel.do("adjust", target="f1", track="hits", to=0)
    assert find_escaped(duel.system, before, duel.state, ("enemies",), ("f1",)) == "", "beaten far away"


def test_nobody_flees_from_enemies_who_are_all_beaten(duel: Stage) -> None:
    before = duel.state
    duel.do("place", target="f1", x=-150, y=0)
    for who in ("f2", "f3"):
        duel.do("adjust", target=who, track="hits", to=0)
    assert find_staying(duel.system, before, duel.state) == ["allies"]


def test_who_gets_away_is_beaten_by_nobody() -> None:
    away, won = Ending(("enemies",), 4, (), "allies"), Ending(("enemies",), 4, ("f1",))
    assert away.outcome == Outcome("allies", escapes=True)
    assert won.outcome == Outcome("enemies")
    told = sum_up([away, away, away, won])
    assert (told.wins, told.escapes) == ({"enemies": 0.25}, {"allies": 0.75})
    assert not is_settled([away] * LEAST + [Ending((), 4, ())] * LEAST), "two outcomes, each of them unsure"


def test_who_began_far_away_has_not_fled(duel: Stage) -> None:
    duel.do("place", target="f1", x=-150, y=0)
    assert sorted(find_staying(duel.system, duel.state, duel.state)) == ["allies", "enemies"]


def test_who_lay_down_before_has_not_dropped(duel: Stage) -> None:
    duel.do("adjust", target="f2", track="hits", to=0)
    for ending in play_many(duel.system, duel.state, 10, seed=1):
        assert "f2" not in ending.dropped


def test_sides_stand_while_someone_can_act(duel: Stage) -> None:
    assert standing_sides(duel.system, duel.state) == ("allies", "enemies")
    for who in ("f2", "f3"):
        duel.do("adjust", target=who, track="hits", to=0)
    assert standing_sides(duel.system, duel.state) == ("allies",)
    duel.do("remove", target="f1")
    assert standing_sides(duel.system, duel.state) == ()


def test_endings_are_summed_up() -> None:
    endings = [
        Ending(("allies",), 3, ("f2", "f3")),
        Ending(("allies",), 5, ("f2",)),
        Ending(("enemies",), 2, ("f1",)),
        Ending((), 6, ("f1", "f2", "f3")),
        Ending(("allies", "enemies"), 60, ()),
    ]
    assert sum_up(endings) == Forecast(
        5, {"allies": 0.4, "enemies": 0.2}, {"f1": 0.4, "f2": 0.6, "f3": 0.4}, 15.2
    )
    assert sum_up([]) == Forecast(0, {}, {}, 0.0)


def test_a_certain_win_is_exactly_certain() -> None:
    assert sum_up([Ending(("allies",), 3, ())] * 50).wins == {"allies": 1.0}


@pytest.mark.parametrize(
    ("chance", "fights", "error"),
    [(0.5, 100, 0.0961), (0.5, 10_000, 0.0098), (0.0, 100, 0.0185), (1.0, 100, 0.0185)],
)
def test_error_of_a_chance(chance: float, fights: int, error: float) -> None:
    assert half_margin(chance, fights) == pytest.approx(error, abs=0.0002)


def test_more_fights_err_less() -> None:
    errors = [half_margin(0.3, fights) for fights in (1, 10, 100, 1000)]
    assert errors == sorted(errors, reverse=True)


def win(crew: int, foes: int) -> list[Ending]:
    return [Ending(("crew",), 3, ())] * crew + [Ending(("enemies",), 3, ())] * foes


@pytest.mark.parametrize(
    ("endings", "settled"),
    [
        (win(LEAST - 1, 0), False),  # all the same, but too few
        (win(LEAST, 0), True),
        (win(50, 50), False),
        (win(300, 300), True),
        (win(200, 200) + [Ending((), 3, ())] * 200, True),
        (win(85, 15), False),
        (win(85 * 4, 15 * 4), True),
    ],
)
def test_forecast_is_settled_once_every_chance_is_known_closely(endings: list[Ending], settled: bool) -> None:
    assert is_settled(endings) is settled
    assert not settled or find_closeness(endings) <= CLOSE


def test_a_forecast_knows_how_many_fights_it_will_take() -> None:
    assert count_needed([]) == count_needed(win(9, 0)) == LEAST
    even = count_needed(win(5, 5))
    assert 590 < even < 610
    assert is_settled(win(even // 2 + 1, even // 2 + 1))
    assert LEAST < count_needed(win(9, 1)) < even


def test_a_question_is_not_drawn_up_where_the_default_is_taken(duel: Stage) -> None:
    """It draws up neither options nor sums for odds, except options for a standing order."""
    drawn: list[str] = []

    def draw() -> tuple[Choice, ...]:
        drawn.append("options")
        return (Choice("no", "No"), Choice("yes", "Yes"))

    def count() -> tuple[int, ...]:
        drawn.append("sums")
        return (4,)

    def ask(state: State) -> str:
        context = RuleContext(duel.system, state, AutoDriver(random.Random(1), tells=False))
        context.roll("1d6", by="f1", rule="TINY-ATK-01", why="", cuts=count)
        return context.ask("f1", "Well?", draw, rule="TINY-ATK-01", default="no")

    assert ask(duel.state) == "no"
    assert drawn == []
    marks = {"standing:TINY-ATK-01": "yes"}
    ordered = replace(duel.state["f1"], marks=marks)
    state = replace(duel.state, combatants={**duel.state.combatants, "f1": ordered})
    assert ask(state) == "yes"
    assert drawn == ["options"]


def test_nobody_is_asked_where_there_are_no_options(duel: Stage) -> None:
    context = RuleContext(duel.system, duel.state, ReplayDriver())
    assert context.ask("f1", "Well?", lambda: (), rule="TINY-ATK-01", default="no") == "no"


def test_fight_is_given_up_in_the_middle_of_a_turn(duel: Stage) -> None:
    """It asks before each action, and plays none once it is told to stop."""
    asked = 0

    def give_up() -> bool:
        nonlocal asked
        asked += 1
        return asked > 2

    assert list(play_many(duel.system, duel.state, 50, seed=1, give_up=give_up)) == []
    assert asked == 3
