"""The parts of the state that an attack depends on: what follows from them is kept while they stay.

A turn changes budgets, aim, ammunition and wounds of others; the way to a target and most DMs stay as they
were. Who lets an attack depend on something else adds it here.
"""

from __future__ import annotations

from msgspec import UNSET

from combat.rules.core.basics.memory import Seen, remember
from combat.rules.core.map.bodies import SIZE
from combat.rules.core.state.state import Combatant, Condition, Item, State

from ..dice.focus import AIMING, KILL
from ..people.values import FULL_DMS, MACHINES
from ..world.cover import MARK as COVER
from ..world.motion import MOVED_M
from ..world.senses import WARM

OF_TARGETS = ("dead", "prone", "crouched", "evading")  # conditions of a target that concern an attack


@remember
def find_lasting(conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """The conditions of an attacker but for aim, which is added up apart."""
    return tuple([held for held in conditions if held.kind not in (AIMING, KILL)])


@remember
def find_shown(conditions: tuple[Condition, ...]) -> tuple[tuple[str, int], ...]:
    """The conditions of a target that concern an attack, with their levels."""
    return tuple([(held.kind, held.level) for held in conditions if held.kind in OF_TARGETS])


@remember
def find_gear(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Someone's items but for weapons: armor, sights and sensors; ammunition is no matter."""
    return tuple([item for item in items if item.kind != "weapon" or "sensor" in item.data])


def watch(state: State, combatant: Combatant, target: Combatant, item: Item) -> Seen:
    """The parts, words and numbers that the way to a target and the DMs of place and stance depend on.

    The scores of the attacker, aim, and others beside the target are left out. With a drone all counts, since
    its operator attacks; the clock counts for machines and for those inside one.
    """
    berth, theirs = combatant.berth, target.berth
    carrier = None if berth is UNSET else state.combatants.get(berth.inside)
    other = None if theirs is UNSET else state.combatants.get(theirs.inside)
    mine = find_lasting(combatant.conditions) if combatant.conditions else ()
    machine = carrier is not None or combatant.sheet["kind"] in MACHINES
    own, marks = combatant.marks, target.marks
    parts = (
        *(state.scene, state.options, combatant.sheet, combatant.at, target.sheet, target.at),
        *(item.data, item.marks, carrier, other, state if combatant.sheet.get("drone") else None),
        *mine,
        *find_gear(combatant.items),
    )
    words = (
        *(state.system, combatant.id, target.id, item.id, item.kind, berth, theirs, len(mine)),
        find_shown(target.conditions) if target.conditions else (),
        (state.round, state.clock) if machine else None,
        *(own.get(SIZE), own.get(FULL_DMS)),
        *(marks.get(SIZE), marks.get(COVER), marks.get(WARM), marks.get(MOVED_M)),
    )
    return parts, words
