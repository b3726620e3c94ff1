"""Buttons of actions: "roll" for dice, otherwise a verb for what they do."""

from __future__ import annotations

import pytest

from combat.display.forms.action_form import find_label
from combat.display.forms.odds_panel import OddsPanel, refuse
from combat.rules.core.declaration.system import System
from combat.rules.core.odds.odds import Measure
from tests.combat.rules.every_game.words.keys import own_words
from tests.combat.rules.games import every_game, find_game

HIT = Measure("Hit", 0.72)


@every_game
def test_every_word_for_a_button_belongs_to_an_action(system: System) -> None:
    named = {key.removeprefix("button.") for key in own_words(system) if key.startswith("button.")}
    assert named <= set(system.actions.by_name)


@pytest.mark.parametrize(
    ("name", "found", "words"),
    [
        ("new_day", OddsPanel(), "Begin new day"),
        ("new_day", refuse("Not now."), "Begin new day"),
        ("rest", OddsPanel(), "Rest"),
        ("attack", OddsPanel(first_dice="2d10"), "Roll"),
        ("attack", refuse("Out of reach."), "Roll"),
        ("attack", OddsPanel(first_dice="2d10", headline=HIT), "Roll · 72%"),
        ("attack", OddsPanel(headline=HIT), "Attack · 72%"),  # someone is asked before any dice
        ("attack", OddsPanel(first_dice="2d10", headline=HIT, after="40"), "Roll · 40%"),
    ],
)
def test_a_button_says_what_is_done(name: str, found: OddsPanel, words: str) -> None:
    system = find_game("cosmos")
    assert find_label(system, system.action(name), found) == words
