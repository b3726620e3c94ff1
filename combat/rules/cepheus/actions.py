"""All actions of the game, from the modules of their procedures; which tiles lead, and which come last."""

from __future__ import annotations

from combat.rules.core.passengers import find_at_station
from combat.rules.core.state.state import Combatant, State

from . import time
from .care import hazards, medicines, treatment
from .characters.machinery import DRIVER, find_speed, find_vehicle
from .characters.values import is_out
from .fight import aiming, collisions, grapple, weapons
from .fight.attacks import attack, blind, suppression, volleys
from .fight.explosives import blasts, lobs
from .move import movement, ways
from .turn import initiative, rounds, rulings, sensing, tasks
from .vehicles import collisions as motion
from .vehicles import crew, driving, repairs, stunts
from .world.acting import TABLE

ACTIONS = TABLE.collect(
    *(attack.ACTIONS, blind.ACTIONS, suppression.ACTIONS, volleys.ACTIONS),
    *(aiming.ACTIONS, grapple.ACTIONS, weapons.ACTIONS, blasts.ACTIONS, lobs.ACTIONS),
    *(crew.ACTIONS, driving.ACTIONS, motion.ACTIONS, stunts.ACTIONS),
    *(
        collisions.ACTIONS,
        repairs.ACTIONS,
    ),
    *(hazards.ACTIONS, medicines.ACTIONS, treatment.ACTIONS, time.ACTIONS),
    *(movement.ACTIONS, ways.ACTIONS),
    *(
        rulings.ACTIONS,
        initiative.ACTIONS,
        rounds.ACTIONS,
    ),
    *(
        sensing.ACTIONS,
        tasks.ACTIONS,
    ),
)

OUT_OF_HAND = frozenset({"put_away", "drop"})
INSIDE = frozenset({"stance", "exchange"})
IN_MOTION = INSIDE | {"get_out"}
CHANGE = "change_place"


def find_pressing(state: State, combatant: Combatant) -> tuple[str, ...]:
    """Driving comes first for the driver: what nobody drives goes straight on. [CE-VEH-05]

    Then what only they can do: to be hit less, and to shake off who follows. [CE-VACT-03, CE-VACT-20]
    The others take the controls if nobody who can act is there. [CE-VEH-08]
    """
    if combatant.station == DRIVER:
        return ("drive", "evade", "weave")
    vehicle = find_vehicle(state, combatant.id)
    return (CHANGE,) if vehicle and not _is_driven(state, vehicle) else ()


def find_unusual(state: State, combatant: Combatant) -> frozenset[str]:
    """Seldom wanted: weapons out of hand; inside a vehicle a stance, and while it moves the way out.

    And another seat while someone drives.
    """
    vehicle = find_vehicle(state, combatant.id)
    if vehicle is None:
        return OUT_OF_HAND
    inside = IN_MOTION if find_speed(state, vehicle) else INSIDE
    return OUT_OF_HAND | inside | ({CHANGE} if _is_driven(state, vehicle) else frozenset())


def _is_driven(state: State, vehicle: Combatant) -> bool:
    """Whether someone who can act is at the controls."""
    return any(not is_out(one) for one in find_at_station(state, vehicle.id, DRIVER))
