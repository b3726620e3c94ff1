"""The log of a stage, as everyone reads it."""

from __future__ import annotations

from combat.rules.core.state import events as e
from combat.rules.core.wording import describe_facts
from tests.combat.rules.stage import Stage


def read_log(stage: Stage) -> list[str]:
    """The lines that everyone reads of the last command."""
    names = {combatant.id: combatant.name for combatant in stage.state.combatants.values()}
    public = [fact for fact in stage.facts if fact.to == e.EVERYONE]
    return [line.text for line in describe_facts(stage.system, public, names)]
