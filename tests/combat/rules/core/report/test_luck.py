"""Luck: every roll's chance is that of all its outcomes, and many rolls add up as brute force finds."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rules.core.basics.dice.dice import Dice, Roll, parse_dice
from combat.rules.core.basics.dice.requests import Answer, RollRequest, answer_roll
from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import ReplayDriver, Waiting, find_action, run
from combat.rules.core.report.luck import RollChance, Tallies, add_up, count_successes, find_chance
from combat.rules.core.state.events import Checked
from combat.rules.core.wording.sentences import find_defenses
from tests.combat.rules.games import Moment, demo_moments, every_game, lack
from tests.typed import as_a

MAX_FACES = 216  # faces that brute force tries for one roll


def count_good(system: System, moment: Moment, dice: Dice, before: tuple[Answer, ...]) -> Fraction:
    """How often the check of a step's next roll is good, over every face of every die.

    `before` holds the answers before it.
    """
    action = find_action(system, moment.step.name)
    command = read_command(action, moment.step.command)
    asked = run(system, moment.before, action, command, ReplayDriver(), before)
    assert isinstance(asked, Waiting)
    every, good = list(product(range(1, dice.sides + 1), repeat=dice.count)), 0
    for faces in every:
        given = (*before, answer_roll(as_a(asked.requests[0], RollRequest), faces, "odds"))
        played = run(system, moment.before, action, command, ReplayDriver(), given)
        told = played.facts[len(asked.facts) :]
        checks = (fact.event for fact in told if isinstance(fact.event, Checked))
        good += next(check for check in checks if check.roll.faces == faces).good
    return Fraction(good, len(every))


@every_game
def test_chance_of_a_roll_is_that_of_all_its_faces(system: System) -> None:
    """Every check of the demo, after the answers before its roll."""
    tried = 0
    for moment in demo_moments(system.slug):
        answers = moment.step.answers
        for place in range(len(answers)):
            found = find_chance(system, moment.before, moment.step, place)
            dice = parse_dice(found.check.roll.dice) if found else None
            if found and dice and dice.sides**dice.count <= MAX_FACES:
                assert found.chance == pytest.approx(float(count_good(system, moment, dice, answers[:place])))
                tried += 1
    assert tried, lack(system, "rolls for no check in its demo fight: add a step that does")


def chance(of: float, good: bool) -> RollChance:
    """A check with this chance."""
    roll = Roll("1d6", (6,), 6, "app", "f1", "X-1", "")
    return RollChance(Checked("f1", "check", roll, (), total=6, outcome="", good=good), "X-1", of)


@given(st.lists(st.floats(0, 1), max_size=7))
def test_successes_are_counted_as_brute_force_does(chances: list[float]) -> None:
    spread = [0.0] * (len(chances) + 1)
    for results in product((True, False), repeat=len(chances)):
        share = 1.0
        for result, one in zip(results, chances, strict=True):
            share *= one if result else 1 - one
        spread[sum(results)] += share
    counted = count_successes(chances)
    assert all(isclose(a, b, abs_tol=1e-9) for a, b in zip(counted, spread, strict=True))


@every_game
def test_attacks_that_hit_are_those_no_defense_made_fail(system: System) -> None:
    moments = demo_moments(system.slug)
    tallies = Tallies(system, moments[0].before)
    made, hit = Counter[str](), Counter[str]()
    for moment in moments:
        tallies.step = moment.step.number
        for fact in moment.step.facts:
            tallies.follow(fact, fact.event, actor="")
        events = [fact.event for fact in moment.step.facts]
        averted = find_defenses(events)
        for place, event in enumerate(events):
            if isinstance(event, Checked) and event.kind == system.actions.attack:
                made[event.who] += 1
                hit[event.who] += event.good and place not in averted
    assert made or f"check.{system.actions.attack}" not in system.words, lack(
        system, "an attack in its demo fight"
    )
    assert {who: one.attacks for who, one in tallies.of.items() if one.attacks} == made
    assert Counter({who: one.hits for who, one in tallies.of.items()}) == hit


def test_luck_of_an_even_roll_is_even() -> None:
    luck = add_up([chance(0.5, True)])
    assert (luck.rolls, luck.good, luck.expected, luck.percentile) == (1, 1, 0.5, 0.75)
    assert add_up([]).percentile == 0.5


@pytest.mark.parametrize(("good", "percentile"), [(0, 0.005), (1, 0.1), (2, 0.595)])
def test_luck_counts_what_is_needed_and_not_pips(good: int, percentile: float) -> None:
    """Two checks at 90%: both succeed in 81 of 100, one in 18, none in 1."""
    luck = add_up([chance(0.9, good > 0), chance(0.9, good > 1)])
    assert isclose(luck.percentile, percentile)


def test_what_happened_against_the_odds_is_rare() -> None:
    assert chance(0.9, False).rarity == pytest.approx(0.1)
    assert chance(0.2, True).rarity == 0.2
