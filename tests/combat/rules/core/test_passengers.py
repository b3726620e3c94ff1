"""Being inside: occupants share places, not turns, and no one is inside what they carry."""

from __future__ import annotations

from pathlib import Path

import pytest

from combat.audience.secrecy import redact
from combat.audience.viewer import Viewer
from combat.pages.table.rows import view_combatants
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import ReplayDriver
from combat.rules.core.passengers import (
    board,
    find_aboard,
    find_at_station,
    find_carrier,
    find_carriers,
    leave,
)
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.fold import fold
from combat.rules.core.state.state import State, replace
from combat.rules.core.wording import describe
from tests.combat.rules import tiny

FAR = Point(300, 40)


@pytest.fixture
def system(tmp_path: Path) -> System:
    """A game in which someone can be at the wheel; its words are its own."""
    (tmp_path / "words.toml").write_text('[station]\nwheel = "at the wheel"\n')
    return replace(tiny.SYSTEM, folder=tmp_path)


@pytest.fixture
def context(system: System) -> RuleContext:
    """Ada, a car, and the ship that it will drive into."""
    state = State("tiny", phase="fight")
    for who, at in (("ada", Point(5, 5)), ("car", Point(9, 9)), ("ship", FAR)):
        combatant = tiny.SYSTEM.characters.make_combatant(who, who.capitalize(), "allies", {}, {})
        state = fold(state, e.CombatantJoined(replace(combatant, at=at)))
    return RuleContext(system, state, ReplayDriver())


def test_those_inside_something_inside_come_along(context: RuleContext) -> None:
    board(context, "ada", "car", "wheel")
    board(context, "car", "ship", "")
    assert context.state["ada"].at == FAR
    assert [outer.id for outer in find_carriers(context.state, "ada")] == ["car", "ship"]
    context.emit(e.Moved("ship", (FAR, Point()), 300, 300))
    assert context.state["ada"].at == Point()


def test_who_gets_in_is_aboard_and_goes_where_the_carrier_goes(context: RuleContext) -> None:
    board(context, "ada", "car", "wheel")
    assert [combatant.id for combatant in find_aboard(context.state, "car")] == ["ada"]
    assert find_at_station(context.state, "car", "wheel") == find_aboard(context.state, "car")
    assert find_at_station(context.state, "car", "gun") == ()
    assert context.state["ada"].at == Point(9, 9)
    assert find_carrier(context.state, "ada") == context.state["car"]
    context.emit(e.Moved("car", (Point(9, 9), Point(70, 9)), 61, 61))
    assert context.state["ada"].at == Point(70, 9)
    leave(context, "ada")
    context.emit(e.Moved("car", (Point(70, 9), Point(80, 9)), 10, 10))
    assert context.state["ada"].at == Point(70, 9)
    assert find_carrier(context.state, "ada") is None


def test_nobody_is_inside_themselves_or_what_they_carry(context: RuleContext) -> None:
    with pytest.raises(Refused, match="inside itself"):
        board(context, "car", "car", "")
    board(context, "car", "ship", "")
    with pytest.raises(Refused, match="get out first"):
        board(context, "ship", "car", "")
    assert context.state["ship"].inside == ""


def test_a_carrier_that_leaves_leaves_those_inside_in_the_open(context: RuleContext) -> None:
    board(context, "ada", "car", "wheel")
    context.emit(e.CombatantLeft("car"))
    assert (context.state["ada"].inside, context.state["ada"].station) == ("", "")


def test_pages_list_those_aboard_but_tell_of_no_hidden_carrier(context: RuleContext, system: System) -> None:
    board(context, "ada", "car", "wheel")
    watcher = Viewer()
    row = view_combatants(system, context.state, watcher)["car"]
    assert [(rider.name, rider.station) for rider in row.aboard] == [("Ada", "at the wheel")]
    inside = view_combatants(system, context.state, watcher)["ada"]
    assert (inside.inside, inside.station) == ("Car", "at the wheel")
    context.emit(e.HiddenSet("car", True))
    known = redact(context.state, watcher)
    assert (known["ada"].inside, known["ada"].station) == ("", "")


def test_those_hidden_inside_are_in_no_list_of_others(context: RuleContext, system: System) -> None:
    context.emit(e.HiddenSet("ada", True))
    board(context, "ada", "car", "wheel")
    assert context.facts[-1].to == e.for_seat("ada")
    assert context.facts[-1].redacted is None
    known = redact(context.state, Viewer())
    assert view_combatants(system, known, Viewer())["car"].aboard == ()


def test_the_log_says_who_gets_in_and_out(context: RuleContext, system: System) -> None:
    names = {"ada": "Ada", "car": "Car"}
    board(context, "ada", "car", "wheel")
    board(context, "ada", "car", "")
    leave(context, "ada")
    lines = [describe(system, fact, names) for fact in context.facts]
    assert [line.text for line in lines if line] == [
        "Ada takes a seat in Car (at the wheel).",
        "Ada gets into Car.",
        "Ada gets out.",
    ]
