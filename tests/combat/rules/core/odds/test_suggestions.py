"""Suggestions: only what the rules allow and what raises the chance, best first."""

from __future__ import annotations

import pytest

from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.tactics import Candidate
from combat.rules.core.odds.suggestions import MAX_CANDIDATES, find_suggestions
from tests.combat.rules.stage import Stage

# In the made-up game Ada needs 3 or more on a d6 against Cy: each point is a sixth.
BETTER = Candidate("A better blade", fields={"adjust": 1})
BEST = Candidate("The best blade", fields={"adjust": 2})
SAME = Candidate("Another blade", fields={"adjust": 0})
WORSE = Candidate("A blunt blade", fields={"adjust": -1})
GUARD = Candidate("Guard first", name="guard")
UNREAL = Candidate("Four strikes", fields={"strikes": 4})


def suggestions(
    duel: Stage, *candidates: Candidate, most: int = 3, **fields: object
) -> dict[str, tuple[float, float]]:
    """The suggestions for a strike at Cy, each with its chance and its gain."""
    action = duel.system.action("strike")
    command = read_command(action, {"actor": "f1", "target": "f3", **fields})
    found = find_suggestions(duel.system, duel.state, action, command, candidates, most)
    return {each.candidate.label: (each.chance, each.gain) for each in found}


@pytest.fixture
def duel(duel: Stage) -> Stage:
    """Move Cy near enough to be struck, without a guard."""
    duel.do("place", target="f3", x=1, y=0)
    return duel


def test_only_what_raises_the_chance_is_named_best_first(duel: Stage) -> None:
    now = duel.odds("strike", "f1", target="f3").headline
    assert now
    found = suggestions(duel, WORSE, SAME, BETTER, BEST)
    assert list(found) == ["The best blade", "A better blade"]
    assert found["A better blade"] == pytest.approx((now.chance + 1 / 6, 1 / 6))
    assert found["The best blade"] == pytest.approx((now.chance + 2 / 6, 2 / 6))


def test_what_the_rules_forbid_helps_nobody(duel: Stage) -> None:
    assert suggestions(duel, UNREAL, BETTER).keys() == {"A better blade"}
    assert suggestions(duel, GUARD) == {}, "after a guard nothing is left to strike with"


def test_what_makes_a_command_possible_helps_by_its_whole_chance(duel: Stage) -> None:
    duel.do("place", target="f3", x=5, y=0)
    closer = Candidate("Go there first", name="move", fields={"to": "near:f3"})
    ((chance, gain),) = suggestions(duel, closer).values()
    assert chance == gain > 0


def test_no_more_are_named_than_asked_for_and_no_more_tried_than_can_be(duel: Stage) -> None:
    assert list(suggestions(duel, BETTER, BEST, most=1)) == ["The best blade"]
    assert suggestions(duel, *[SAME] * MAX_CANDIDATES, BEST) == {}
