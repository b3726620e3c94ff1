"""All actions of the game, from the modules of their procedures."""

from __future__ import annotations

from combat.rules.core.commands.commands import Action
from combat.rules.core.state.state import replace

from . import dice
from .care import drugs, healing, repair
from .fight import attack, blast, maneuvers, overwatch
from .hazards import checks, electricity, falling, ground, protection
from .move import climbing, combos, movement, zerog
from .time import clock, treatment
from .turn import deeds, hands, rounds
from .world.acting import TABLE

ANSWERED = (
    *(attack.ACTIONS, blast.ACTIONS, maneuvers.ACTIONS, overwatch.ACTIONS),
    *(movement.ACTIONS, climbing.ACTIONS, combos.ACTIONS, zerog.ACTIONS),
    *(healing.ACTIONS, drugs.ACTIONS, repair.ACTIONS),
    *(
        clock.ACTIONS,
        treatment.ACTIONS,
    ),
    *(
        rounds.ACTIONS,
        hands.ACTIONS,
        deeds.ACTIONS,
    ),
    *(dice.ACTIONS, checks.ACTIONS, electricity.ACTIONS, falling.ACTIONS, ground.ACTIONS, protection.ACTIONS),
)


def _watch(actions: tuple[Action, ...]) -> tuple[Action, ...]:
    """These actions, but enemies on overwatch may answer those of combatants. [COS-MANV-16]"""
    return tuple(replace(a, run=overwatch.watched(a.run)) if a.who == "seat" else a for a in actions)


ACTIONS = TABLE.collect(
    *map(_watch, ANSWERED),
    *(
        movement.ALONG_PATHS,
        combos.ALONG_PATHS,
    ),  # watchers answer these at a point of the path
)
