"""A number that only the GM knows: its player reads their own terms and a sum that is right, nothing else."""

from __future__ import annotations

import pytest

from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import Done, LiveDriver, find_action, run
from combat.rules.core.state import events as e
from tests.combat.rules.games import GAMES
from tests.combat.rules.stage import Stage

WITH_ACTS = [slug for slug, system in GAMES.items() if system.actions.improvising]


def roll_secretly(system: System, deed: str, grade: str) -> tuple[e.Checked, e.Checked]:
    """A hero's act against a secret number: the check as it is, and as its player knows it."""
    stage, rules = Stage(system), system.actions.improvising
    assert rules
    for one in next(iter(system.demo.make_all())).setup:
        stage.do(one.name, **one.command)
    hero = next(one.id for one in stage.state.combatants.values() if one.pc)
    check = [*{**rules.figures.deeds[deed], rules.figures.grade: grade}.items()]
    command = {"actor": hero, "words": "I try", "check": check, "secret": True}
    action = find_action(system, "improvise")
    done = run(system, stage.state, action, read_command(action, command), LiveDriver())
    assert isinstance(done, Done)
    found = [fact for fact in done.facts if isinstance(fact.event, e.Checked)]
    (fact,) = [one for one in found if one.redacted]
    assert isinstance(fact.event, e.Checked)
    assert isinstance(fact.redacted, e.Checked)
    return fact.event, fact.redacted


@pytest.mark.parametrize("slug", WITH_ACTS)
def test_every_game_tells_own_terms_and_no_step_of_difficulty(slug: str) -> None:
    system = GAMES[slug]
    rules = system.actions.improvising
    assert rules
    deed = next(iter(rules.figures.deeds))
    for grade in rules.figures.grades:
        true, known = roll_secretly(system, deed, grade.value)
        hidden = [one for one in true.modifiers if one not in known.modifiers]
        assert known.total == known.roll.total + add_up(known.modifiers)
        assert (known.against, known.against_label, known.against_terms) == (None, e.UNKNOWN_NUMBER, ())
        assert known.outcome == f"outcome.{'success' if known.good else 'failure'}"
        assert len(hidden) == int("difficulty" in str([one.label for one in true.modifiers]))
