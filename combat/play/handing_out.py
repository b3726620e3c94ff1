"""Handing out all that is left after a fight at once: items by people, and the money of the fallen evenly.

What fallen allies have is theirs, unless the GM gives it away.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from combat.audience.rights import Grant, check_gm, find_viewer
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.loot import (
    EVERYONE,
    GONE,
    LEFT,
    find_asks,
    find_holders,
    find_owner,
    find_takers,
)
from combat.rules.core.state.state import State

from .campaigns.roster import find_side
from .writing.encounter_service import Seen, Submission, check_version, read_state, submit
from .writing.locking import locked

LEAVE = "leave"  # in place of a person: the item stays where it is
Step = tuple[str, dict[str, object]]  # the name of a command, and its fields


class Due(msgspec.Struct, frozen=True):
    """What goes to `people` after a fight unless the GM says otherwise: ids of items, and money by holder."""

    people: tuple[str, ...] = ()
    items: frozenset[str] = frozenset()
    money: dict[str, int] = {}

    @property
    def coins(self) -> int:
        """All of the money."""
        return sum(self.money.values())


def find_due(system: System, state: State) -> Due:
    """What is to be handed out: all that enemies and the scene hold, and what people ask for of an ally's.

    Nothing that is left behind, or whose owner not every player knows; nothing without anyone to get it.
    """
    unknown, holders = system.find_unknown(state), find_holders(system, state)
    people = tuple(one.id for one in find_takers(system, state) if one.id not in unknown)
    if not people:
        return Due()
    own, asked = find_side(state), {item for one, item in find_asks(state) if one.id in people}
    loot = [one for one in holders if not one.id or state.combatants[one.id].side != own]
    offered = asked.union(item.id for one in loot for item in one.items)
    offered.difference_update(item.id for item in state.ground if find_owner(item, state) in unknown)
    items = (item.id for one in holders for item in one.items if item.id in offered)
    return Due(
        people,
        frozenset(item for item in items if f"{LEFT}{item}" not in state.marks),
        {one.id: one.money for one in loot if one.money},
    )


def hand_all(
    encounter_id: int,
    wanted: Mapping[str, str],
    *,
    money: str = "",
    needed: bool = True,
    version: Seen = None,
    by: str = "",
    grant: Grant | None = None,
) -> None:
    """Give each item to whom `wanted` names by its id, or leave it; `money` goes to one, or "all" share it.

    All of it or, if one part is refused, nothing. Each part is a step of its own. Nothing at all is refused
    if something is `needed`.
    """
    with locked(encounter_id) as encounter:
        check_gm(find_viewer(encounter, grant))
        check_version(encounter, version)
        system, state = find_system(encounter.system), read_state(encounter)
        steps = [*_find_gifts(system, state, wanted), *(_find_money(system, state, money) if money else ())]
        if needed and not steps:
            raise Refused("bad_value", "Nothing is set out: choose who gets something first.")
        for name, fields in steps:
            submit(encounter_id, Submission(name, fields, by=by, grant=grant))


def _find_gifts(system: System, state: State, wanted: Mapping[str, str]) -> Iterator[Step]:
    """The commands that hand these items out, one for each holder and person."""
    left = dict(wanted)
    for holder in find_holders(system, state):
        shares: dict[str, list[str]] = {}
        for item in holder.items:
            to = left.pop(item.id, "")
            if to and not (to == LEAVE and f"{LEFT}{item.id}" in state.marks):
                shares.setdefault(to, []).append(item.id)
        for to, items in shares.items():
            if to == LEAVE:
                yield "leave_items", {"holder": holder.id, "items": items}
            else:
                yield "hand_out", {"holder": holder.id, "items": items, "to": to}
    if any(left.values()):
        raise Refused("unknown", GONE)


def _find_money(system: System, state: State, to: str) -> Iterator[Step]:
    """The commands that give the money that is due to one, or share it among all who usually get it."""
    due = find_due(system, state)
    for holder in due.money:
        yield "share_money", {"holder": holder, "to": due.people if to == EVERYONE else [to]}
