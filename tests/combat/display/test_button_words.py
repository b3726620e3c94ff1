"""Buttons of actions: dice are rolled, or a verb says what is done."""

from __future__ import annotations

import pytest

from combat.display.action_form import find_label
from combat.display.odds_panel import OddsPanel, refuse
from combat.rules.core.system import System
from tests.combat.rules.core.keys import own_words
from tests.combat.rules.games import every_game, find_game


@every_game
def test_every_word_for_a_button_belongs_to_an_action(system: System) -> None:
    named = {key.removeprefix("button.") for key in own_words(system) if key.startswith("button.")}
    assert named <= set(system.actions)


@pytest.mark.parametrize(
    ("name", "found", "words"),
    [
        ("new_day", OddsPanel(), "Begin new day"),
        ("new_day", refuse("Not now."), "Begin new day"),
        ("rest", OddsPanel(), "Rest"),
        ("attack", OddsPanel(first_dice="2d10"), "Roll"),
        ("attack", refuse("Out of reach."), "Roll"),
    ],
)
def test_a_button_says_what_is_done(name: str, found: OddsPanel, words: str) -> None:
    system = find_game("cosmos")
    assert find_label(system, system.action(name), found) == words
