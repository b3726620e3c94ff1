"""The odds panel in every game: the chances of each kind and combatant add up to one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest

from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, Command, read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import find_action
from combat.rules.core.odds import enumeration as counting
from combat.rules.core.odds.enumeration import NOT_ROLLED, Results, TooMany, part_checks, part_earned
from combat.rules.core.odds.odds import Measure, brief_chance, brief_odds, find_odds
from combat.rules.core.state.events import Checked
from combat.rules.core.state.state import State
from tests.combat.rules.every_game.test_conformance import fill_in, find_forms, is_ready
from tests.combat.rules.games import demo_moments, every_game

MAX_RUNS = 1500  # of one command: a longer one has no panel either, or resembles another of its kind
OF_EACH = 4  # forms of one action


def find_commands(system: System, done: Callable[[str], bool]) -> Iterator[tuple[State, Action, Command]]:
    """The commands of the demo's script, and each action that is not done yet as its form opens."""
    for moment in demo_moments(system.slug):
        action = find_action(system, moment.step.name)
        yield moment.before, action, read_command(action, moment.step.command)
    for state, who, action, fields in find_forms(system):
        if not done(action.name) and is_ready(action, data := fill_in(who, fields)):
            yield state, action, read_command(action, data)


def add_up(system: System, measures: tuple[Measure, ...]) -> dict[tuple[str, str], float]:
    """The sum of the chances of each kind and combatant.

    A game may tell of going down alone; other outcomes may happen together, or not at all.
    """
    sums: dict[tuple[str, str], float] = defaultdict(float)
    for measure in measures:
        alone = measure.kind.startswith("fate ") or (measure.kind == "falls" and not system.tactics.falls[1])
        if not alone:
            sums[measure.kind, measure.who] += measure.chance
    return sums


@pytest.mark.slow
@every_game
def test_chances_of_one_kind_add_up_to_one(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MAX_RUNS", MAX_RUNS)
    counted, too_many = Counter[str](), Counter[str]()

    def is_done(name: str) -> bool:
        return max(counted[name], too_many[name]) >= OF_EACH

    for state, action, command in find_commands(system, is_done):
        if is_done(action.name):
            continue
        try:
            odds = find_odds(system, state, action, command)
        except TooMany:
            too_many[action.name] += 1
            continue
        except Refused:
            continue
        sums = add_up(system, odds.measures)
        counted[action.name] += bool(sums)
        for (kind, who), whole in sums.items():
            assert whole == pytest.approx(1), f"{action.name}: {kind} of {who} in {odds.measures}"
        labels = [measure.label for measure in odds.measures]
        assert len(set(labels)) == len(labels), action.name
    told = {name for name, times in counted.items() if times}
    rolled = {action.name for action in system.actions.by_name.values() if action.preview}
    assert len(told) >= 3 or rolled <= told, f"{system.slug} has no odds for {rolled - told}"


@pytest.mark.slow
@every_game
def test_chance_on_a_tile_is_that_of_the_panel(system: System) -> None:
    """The tile does not tell who chose what, so it may skip choices; the chance is that after a defense."""
    counted = Counter[str]()
    for state, action, command in find_commands(system, lambda name: counted[name] >= OF_EACH):
        if counted[action.name] >= OF_EACH:
            continue
        asked = (system, state, action, command)
        try:
            headline = brief_odds(*asked).headline
        except (Refused, TooMany):
            with pytest.raises((Refused, TooMany)):
                brief_chance(*asked)
            continue
        assert headline
        chance = brief_chance(*asked)
        if chance != pytest.approx(headline.chance):
            assert chance == pytest.approx(find_odds(*asked).after), action.name
        counted[action.name] += 1
    assert counted


def known(*checks: tuple[str, bool, int], target: str = "") -> Results:
    """Results seen before: the word, whether it is good, and the total."""
    results = Results()
    for outcome, good, total in checks:
        roll = Roll("1d6", (1,), 1, "odds", "f1", "", "")
        check = Checked("f1", "try", roll, (), total, outcome, 8, target=target, good=good)
        results.learn(check, "try")
    return results


HALF = Fraction(1, 2)
HIT, MISS = ("try", "f2", "hit"), ("try", "f2", "miss")


@pytest.mark.parametrize(("target", "counts"), [("f2", "hit"), ("", "miss")])
def test_best_of_several_tries_counts_or_worst_of_several_trials(target: str, counts: str) -> None:
    results = known(("hit", True, 9), ("miss", False, 5), target=target)
    chances = part_checks([(1, (HIT, MISS)), (1, (MISS, HIT))], 2, results)
    assert chances == {("try", "f2", counts): 1}


def test_the_higher_total_is_the_better_of_two_good_results() -> None:
    results = known(("hit", True, 15), ("critical", True, 20), target="f2")
    assert results.pick("try", ["critical", "hit"]) == "critical"


def test_what_is_not_always_rolled_says_so() -> None:
    results = known(("hit", True, 9), ("miss", False, 5), target="f2")
    chances = part_checks([(1, (HIT,)), (1, ())], 2, results)
    assert chances == {HIT: HALF, ("try", "f2", NOT_ROLLED): HALF}


def test_where_nothing_is_told_of_it_nothing_is_earned() -> None:
    earned = {("coins", "f2", "0"): Fraction(1, 4), ("coins", "f2", "1"): HALF}
    assert part_earned(earned) == {("coins", "f2", "0"): HALF, ("coins", "f2", "1"): HALF}
    assert part_earned({("coins", "f2", "1"): Fraction(1)}) == {("coins", "f2", "1"): 1}
