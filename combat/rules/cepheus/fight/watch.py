"""The parts of the state that an attack depends on: what follows from them is kept while they stay.

A turn changes budgets, aim, ammunition and wounds of others; the way to a target and most DMs stay as they
were. If an attack depends on anything else, add it here.
"""

from __future__ import annotations

from msgspec import UNSET

from combat.rules.core.basics.memory import Seen, remember, remember_each
from combat.rules.core.map.bodies import SIZE
from combat.rules.core.state.state import Combatant, Condition, Item, Scalar, State

from ..dice.focus import AIMING, KILL
from ..people.machinery import FACING, HIT_KINDS, SENSORS, STALLS, WEAPON, is_acting_anew
from ..people.values import FULL_DMS, MACHINES
from ..vehicles.facing import EXTRA_ARC
from ..vehicles.gunnery import FIRED
from ..world.cover import MARK as COVER
from ..world.motion import MOVED_M
from ..world.senses import WARM

OF_TARGETS = ("dead", "prone", "crouched", "evading")  # conditions of a target that concern an attack
# those of the vehicle of an attacker
OF_VEHICLES = ("evading", "disabled", HIT_KINDS[WEAPON], HIT_KINDS[SENSORS], *STALLS)
OF_ROUNDS = (FIRED, EXTRA_ARC)  # how marks of a vehicle begin that count for one round


def read_lasting(conditions: tuple[Condition, ...]) -> tuple[object, ...]:
    """What the conditions of an attacker say, but for aim, which is added up apart."""
    for held in conditions:
        if held.kind not in (AIMING, KILL):
            return _read_lasting(conditions)
    return ()  # most who attack have aimed: nothing to remember, for each aim is a new condition


@remember
def _read_lasting(conditions: tuple[Condition, ...]) -> tuple[object, ...]:
    return tuple([_read(held) for held in conditions if held.kind not in (AIMING, KILL)])


def _read(held: Condition) -> tuple[object, ...]:
    """All of a condition but its number and its end: no attack depends on these."""
    return held.kind, str(held.label), held.rule, held.level, held.by, tuple(held.marks.items())


@remember
def find_shown(conditions: tuple[Condition, ...]) -> tuple[tuple[str, int], ...]:
    """The conditions of a target that concern an attack, with their levels."""
    return tuple([(held.kind, held.level) for held in conditions if held.kind in OF_TARGETS])


@remember
def read_hampering(conditions: tuple[Condition, ...]) -> tuple[object, ...]:
    """What the damage of a vehicle says of attacks from it: the rest of its damage is no matter."""
    return tuple([_read(held) for held in conditions if held.kind in OF_VEHICLES])


@remember
def find_gear(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Someone's armor and sensors; weapons, their ammunition and what is fitted to them are no matter."""
    return tuple([item for item in items if item.kind == "armor" or "sensor" in item.data])


@remember
def depends_on_time(conditions: tuple[Condition, ...]) -> bool:
    """Whether a machine's damage has another effect later: it is jury-rigged, or stalls for a while."""
    return any(held.kind in STALLS or "rigged" in held.marks for held in conditions)


@remember_each
def read_course(marks: dict[str, Scalar], now: int) -> tuple[object, ...]:
    """What the marks of a vehicle say of attacks from and at it: where it faces, how far it has moved, and
    the shots and stunts of round `now`."""
    found: list[object] = [marks.get(FACING), marks.get(MOVED_M)]
    begin = f"{now}:"
    for key, told in marks.items():
        if key.startswith(OF_ROUNDS) and str(told).startswith(begin):
            found.append((key, str(told).removeprefix(begin)))
    return tuple(found)


def watch(state: State, combatant: Combatant, target: Combatant, item: Item) -> Seen:
    """The parts, words and numbers that the way to a target and the DMs of place and stance depend on.

    The scores of the attacker, aim, and others beside the target are left out. With a drone all counts, since
    its operator attacks; the clock counts for machines that stall or are jury-rigged.
    """
    berth, theirs = combatant.berth, target.berth
    carrier = None if berth is UNSET else state.combatants.get(berth.inside)
    other = None if theirs is UNSET else state.combatants.get(theirs.inside)
    mine = read_lasting(combatant.conditions) if combatant.conditions else ()
    hampering = read_hampering(carrier.conditions) if carrier and carrier.conditions else ()
    machine = carrier or (combatant if combatant.sheet["kind"] in MACHINES else None)
    own, marks = combatant.marks, target.marks
    seen = find_gear(target.items) if mine else ()  # those who duck may be seen by their heat
    parts = (
        state.scene,
        state.options,
        combatant.sheet,
        target.sheet,
        item.data,
        state if combatant.sheet.get("drone") else None,
        carrier.sheet if carrier else None,
        other.sheet if other else None,
        *find_gear(combatant.items),
        *seen,
    )
    timed = machine and machine.conditions and depends_on_time(machine.conditions)
    words = (
        state.system,
        combatant.id,
        target.id,
        item.id,
        item.kind,
        berth,
        theirs,
        hampering,
        hampering and is_acting_anew(state, combatant.id),
        mine,
        combatant.at,  # those who have moved are at an equal place in the next fight
        target.at,
        tuple(item.marks.items()) if item.marks else (),
        find_shown(target.conditions) if target.conditions else (),
        (state.round, state.clock) if timed else None,
        (carrier.gone, carrier.at, read_course(carrier.marks, state.round)) if carrier else None,
        is_acting_anew(state, combatant.id) if hampering else None,
        (other.gone, other.marks.get(MOVED_M)) if other else None,
        find_shown(other.conditions) if other and other.conditions else (),
        own.get(SIZE),
        own.get(FULL_DMS),
        own.get(COVER),
        own.get(WARM),
        marks.get(SIZE),
        marks.get(COVER),
        marks.get(WARM),
        marks.get(MOVED_M),
    )
    return parts, words
