"""What is held back while somebody unseen has the turn: the end of the last turn in sight, until the next.

Pages still show whoever acted last: a hidden turn looks like a slow GM.
"""

from __future__ import annotations

from combat.rules.core.declaration.actions import Actions
from combat.rules.core.state import events as e
from combat.rules.core.state.history import COMMAND, Step, has_public_roll

from .viewer import Viewer

STARTS = (e.TurnStarted, e.TurnShared)
AT_ONCE = (*STARTS, e.FightStarted, e.FightEnded, e.Checked)  # a step with one of them is told at once


def is_held_back(step: Step, viewer: Viewer) -> bool:
    """Whether a step only passes the turn to people whom a viewer may not know of."""
    return any(isinstance(fact.event, STARTS) for fact in step.facts) and is_quiet(step, viewer)


def is_quiet(step: Step, viewer: Viewer) -> bool:
    """Whether a step ends a turn and a viewer sees none begin; nor dice, which are told at once."""
    if viewer.is_gm or step.kind != COMMAND or step.name != Actions.advance:
        return False
    return not has_public_roll(step) and not any(map(_is_told, viewer.select(step.facts)))


def _is_told(fact: e.Fact) -> bool:
    return isinstance(fact.event, AT_ONCE) or bool(getattr(fact.event, "roll", None))


def find_ended(step: Step) -> frozenset[str]:
    """The combatants whose turns a step ends."""
    return frozenset(fact.event.who for fact in step.facts if isinstance(fact.event, e.TurnEnded))
