"""Every action says under its form what it does and what it costs."""

from __future__ import annotations

import pytest

from combat.rules import find_system
from combat.rules.core.commands.commands import Action
from combat.rules.core.gm.actions import GM_ACTIONS
from combat.rules.cosmos.book.blurbs import BLURBS
from combat.rules.cosmos.turn.checks import CHECKS

SYSTEM = find_system("cosmos")
PRICES = {
    "Standard": "Standard Action",
    "Move": "Move Action",
    "Quick": "Quick Action",
    "Whole turn": "whole turn",
    "Free": "costs nothing",
}
EVERYTHING = [*SYSTEM.actions.values(), *GM_ACTIONS.values(), *CHECKS]


@pytest.mark.parametrize("action", EVERYTHING, ids=lambda action: f"{action.group}: {action.name}")
def test_an_action_says_what_it_does_in_a_line(action: Action) -> None:
    assert action.text.endswith(".")
    assert 15 <= len(action.text) <= 100


@pytest.mark.parametrize("action", SYSTEM.actions.values(), ids=lambda action: action.name)
def test_an_action_names_its_price(action: Action) -> None:
    assert PRICES.get(action.cost, "") in action.text


def test_no_sentence_is_left_over() -> None:
    assert set(BLURBS) == {action.name for action in EVERYTHING} - set(GM_ACTIONS)
