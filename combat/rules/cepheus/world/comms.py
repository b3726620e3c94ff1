"""Links between the members of a unit: the means, and what cuts them."""

from __future__ import annotations

from combat.rules.core.state.state import Combatant, State, has_condition, present

from ..book.options import CLEAR, JAMMED, find_option, find_setting
from ..characters.values import is_conscious
from .bands import find_combatant
from .motion import count_moved, find_mover
from .scene import AEROSOL, find_crossed, find_smoke
from .senses import is_in_view

DIRECT, HARDLINK, RADIO, LASER, MASER, MESON = "direct", "hardlink", "radio", "laser", "maser", "meson"
LINKS = {  # CE-COMMS-04
    DIRECT: "Voice and hand signals",
    HARDLINK: "Hardlink (wire)",
    RADIO: "Radio",
    LASER: "Laser",
    MASER: "Maser",
    MESON: "Meson",
}
RULES = {
    DIRECT: "CE-COMMS-05",
    HARDLINK: "CE-COMMS-06",
    RADIO: "CE-COMMS-07",
    LASER: "CE-COMMS-08",
    MASER: "CE-COMMS-10",
    MESON: "CE-COMMS-11",
}
LINK = "link"  # mark: the means of communication someone uses, separated by commas
COMMANDER = "commander"  # mark: leads the unit, which is the own side
NO_CONTACT = "no_contact"  # mark of the GM: out of earshot and sight, off the wire, out of reach


def find_links(combatant: Combatant) -> tuple[str, ...]:
    """The means of communication someone uses together, of those at hand; voice and hand signals by default.
    [CE-COMMS-04]"""
    used = str(combatant.marks.get(LINK, DIRECT)).split(",")
    return tuple(kind for kind in find_means(combatant) if kind in used)


def find_means(combatant: Combatant) -> tuple[str, ...]:
    """The means someone has to communicate: signals, and those of their gear.  [CE-COMMS-04]"""
    gear = {str(item.data.get("comms", "")) for item in combatant.items}
    return tuple(kind for kind in LINKS if kind == DIRECT or kind in gear)


def find_commander(state: State, side: str) -> Combatant | None:
    """The leader of a side's unit, as the GM marked; None without one."""
    return next((f for f in present(state) if f.side == side and f.marks.get(COMMANDER)), None)


def is_linked(state: State, a: Combatant | str, b: Combatant | str) -> bool:
    """Whether two members of a unit can talk: by a means that both use and that works between them.

    [CE-COMMS-01] [CE-COMMS-05] The GM says who is out of contact. Everyone is linked to themselves.
    """
    one, other = find_combatant(state, a), find_combatant(state, b)
    if one.id == other.id:
        return True
    if not (is_conscious(one) and is_conscious(other)):
        return False
    if one.marks.get(NO_CONTACT) or other.marks.get(NO_CONTACT):
        return False
    theirs = find_links(other)
    return any(is_up(state, one, other, kind) for kind in find_links(one) if kind in theirs)


def is_up(state: State, one: Combatant, other: Combatant, kind: str) -> bool:
    """Whether a means of communication works between two who use it.

    [CE-COMMS-06] A wire is never cut automatically. [CE-COMMS-07] Jamming cuts radio. [CE-COMMS-11]
    [CE-COMMS-12] Only moving with the device stops mesons.  RULING R80: also inside a vehicle.
    """
    if kind == RADIO:
        return find_setting(state, "radio") != JAMMED
    if kind in (LASER, MASER):
        return other.id in find_chain(state, one, kind)
    if kind == MESON:
        return not any(count_moved(find_mover(state, each)) for each in (one, other))
    return True


def find_chain(state: State, start: Combatant, kind: str) -> set[str]:
    """Everyone a tight beam reaches, relayed by allies in sight.

    [CE-COMMS-08] [CE-COMMS-09] [CE-COMMS-10]
    """
    relays = [f for f in present(state) if f.side == start.side and _relays(f, kind)]
    found, waiting = {start.id}, [start]
    while waiting:
        here = waiting.pop()
        near = [f for f in relays if f.id not in found and has_beam(state, here, f, kind)]
        found |= {f.id for f in near}
        waiting += near
    return found


def _relays(combatant: Combatant, kind: str) -> bool:
    usable = is_conscious(combatant) and not combatant.marks.get(NO_CONTACT)
    return usable and kind in find_means(combatant)


def has_beam(state: State, one: Combatant, other: Combatant, kind: str) -> bool:
    """Whether a beam goes straight from one to the other.

    [CE-COMMS-08] A laser needs a clear line of sight; [CE-COMMS-10] a maser goes through smoke and aerosol.
    """
    if not is_in_view(state, one, other):
        return False
    if kind == MASER:
        return True
    has_aerosol = bool(find_crossed(state, one.at, other.at, AEROSOL))
    return not has_aerosol and find_smoke(state, one.at, other.at) == CLEAR


def is_reached(state: State, who: str) -> bool:
    """Whether someone is linked to the commander of their unit.  [CE-COMMS-01]

    If the table plays without communications, everyone is.  RULING R61
    """
    combatant = state[who]
    leader = find_commander(state, combatant.side)
    if leader is None or not find_option(state, "use_comms"):
        return True
    return is_linked(state, combatant, leader)


def is_cut_off(combatant: Combatant) -> bool:
    """Whether someone has lost the gain from the commander's plan.  [CE-COMMS-02]"""
    return has_condition(combatant, "cut_off")
