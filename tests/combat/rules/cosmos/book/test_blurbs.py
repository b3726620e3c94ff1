"""Every action's form states its effect and its cost."""

from __future__ import annotations

from combat.rules import find_system
from combat.rules.core.gm.actions import GM_ACTIONS
from combat.rules.cosmos.sheet import CHECKS

SYSTEM = find_system("cosmos")
PRICES = {
    "Standard": "Standard Action",
    "Move": "Move Action",
    "Quick": "Quick Action",
    "Whole turn": "whole turn",
    "Free": "costs nothing",
}
EVERYTHING = [*SYSTEM.actions.by_name.values(), *GM_ACTIONS.values(), *CHECKS]


def test_an_action_says_what_it_does_in_a_line() -> None:
    for action in EVERYTHING:
        assert action.text.endswith("."), action.name
        assert 15 <= len(action.text) <= 100, action.name


def test_an_action_names_its_price() -> None:
    for action in SYSTEM.actions.by_name.values():
        assert PRICES.get(action.cost, "") in action.text, action.name
