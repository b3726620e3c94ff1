"""The log of a stage, as everybody reads it."""

from __future__ import annotations

from combat.rules.core.state import events as e
from combat.rules.core.wording import describe_facts
from tests.combat.rules.stage import Stage


def read_log(stage: Stage) -> list[str]:
    """The lines everybody reads of the last command."""
    names = {fighter.id: fighter.name for fighter in stage.state.combatants.values()}
    public = [fact for fact in stage.facts if fact.to == e.EVERYONE]
    return [line.text for line in describe_facts(stage.system, public, names)]
