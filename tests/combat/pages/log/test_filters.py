"""The filters of the log: by kind, by person, and private lines."""

from __future__ import annotations

import pytest

from combat.audience.viewer import GM
from combat.display.shapes.table_shapes import LogStep
from combat.pages.log.rounds import Filters, view_kinds
from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.state.events import EVERYONE, GM_ONLY
from combat.rules.core.wording.pen import Line

ROLL = Roll("1d10", (5,), 5, source="app", by="f1", rule="", why="")


def step(*lines: Line, actor: str = "", look: str = "") -> LogStep:
    return LogStep("1", "command", lines, struck=False, by="", actor=actor, look=look)


@pytest.mark.parametrize(
    ("said", "taken"),
    [((EVERYONE,), False), ((GM_ONLY,), True), ((EVERYONE, GM_ONLY), True), ((GM_ONLY, GM_ONLY), True)],
)
def test_private_is_a_step_with_a_line_that_not_all_read(said: tuple[str, ...], taken: bool) -> None:
    one = step(*(Line("x", to=to) for to in said))
    assert Filters(kind="private").takes(one, frozenset()) is taken


@pytest.mark.parametrize(("rolls", "taken"), [((None,), False), ((None, ROLL), True), ((ROLL,), True)])
def test_rolls_are_the_steps_with_a_roll_in_any_line(rolls: tuple[Roll | None, ...], taken: bool) -> None:
    one = step(*(Line("x", roll=roll) for roll in rolls))
    assert Filters(kind="rolls").takes(one, frozenset()) is taken


@pytest.mark.parametrize(
    ("whom", "taken"), [("", True), ("f1", True), ("f2", True), ("f3", False), ("mine", True)]
)
def test_step_is_of_who_acts_and_of_whom_its_lines_tell(whom: str, taken: bool) -> None:
    one = step(Line("x", who="f2"), actor="f1")
    assert Filters(whom).takes(one, frozenset({"f2", "f9"})) is taken
    assert not Filters("mine").takes(one, frozenset({"f9"}))


@pytest.mark.parametrize(("kind", "taken"), [("attacks", True), ("moves", True), ("aid", False)])
def test_kind_is_that_of_the_action_or_of_a_line(kind: str, taken: bool) -> None:
    assert Filters(kind=kind).takes(step(Line("x", look="move"), look="attack"), frozenset()) is taken


def test_the_chosen_kind_leads_back_to_all() -> None:
    chosen, *others = sorted(view_kinds(Filters(kind="rolls"), GM), key=lambda one: not one.current)
    assert (chosen.label, chosen.query) == ("Rolls", Filters().query())
    assert not any(one.current for one in others)
    assert all(one.query == Filters().query(show=one.label.lower()) for one in others)
