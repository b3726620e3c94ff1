"""Lightning: a random strike, as an arc."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import GM
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.decisions import GmCommand
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    has_condition,
    present,
)

from .electricity import ARC_DICE, discharge


class Lightning(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A random strike among `targets`, or among all."""

    targets: tuple[str, ...] = ()


def strike_lightning(context: RuleContext, command: Lightning) -> Then:
    """Lightning hits a random combatant for 3d6, as an arc. [COS-XENV-08]  RULING R48."""
    names = command.targets or tuple(f.id for f in present(context.state))
    chosen = [context.state[who] for who in dict.fromkeys(names)]
    living = tuple(f.id for f in chosen if not has_condition(f, "dead"))
    if not living:
        raise Refused("bad_target", "There is no one left to strike.")
    return Then(_strike_one, living)


def _strike_one(context: RuleContext, living: tuple[str, ...]) -> Then:
    roll = context.roll(f"1d{len(living)}", by=GM, rule="COS-XENV-08", why="roll.lightning", look="faces")
    who = living[roll.total - 1]
    context.emit(e.Said("log.lightning", who), "COS-XENV-08")
    return Then(discharge, (who,), ARC_DICE, "COS-XENV-08")
