"""The roster while preparing: each combatant alone, a group as one block, by side; and orders of turns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from combat.display.shapes.table_shapes import CombatantView, SeatView
from combat.rules.core.basics.numbers import say_whole
from combat.rules.core.declaration.characters import Health
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.decisions import GROUP
from combat.rules.core.state.state import State, present

from .rows import view_items


@dataclass(frozen=True)
class RosterBlock:
    """One combatant, or several that joined as a group, with the group's name and count."""

    members: tuple[CombatantView, ...]
    name: str
    is_group: bool = False

    @property
    def first(self) -> CombatantView:
        """The combatant that represents the block."""
        return self.members[0]

    @property
    def last(self) -> CombatantView:
        """The one that leaves first, if there are to be fewer."""
        return self.members[-1]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all, for forms."""
        return tuple(member.id for member in self.members)

    @property
    def pile(self) -> range:
        """A number for each token drawn behind the first."""
        return range(min(len(self.members), 3) - 1)

    @property
    def zone(self) -> str:
        """The zone where all of them are; "several" if they are in different ones."""
        zones = {member.zone for member in self.members}
        return self.first.zone if len(zones) == 1 else "several zones"

    @property
    def is_hidden(self) -> bool:
        """Whether all of them are hidden."""
        return all(member.hidden for member in self.members)

    @property
    def standing(self) -> int:
        """How many can still fight."""
        return sum(not member.is_out for member in self.members)


@dataclass(frozen=True)
class SideMember:
    """One combatant or a group on a side, and what they carry."""

    block: RosterBlock
    items: tuple[str, ...]


@dataclass(frozen=True)
class SideView:
    """A side as its combatants joined; `health` is that of all of them together: "144 HP"."""

    name: str
    tone: str
    members: tuple[SideMember, ...]
    health: str = ""

    @property
    def count(self) -> int:
        """The number of combatants on it."""
        return sum(len(member.block.members) for member in self.members)

    @property
    def hidden(self) -> int:
        """The number of those that only the GM sees."""
        return sum(one.hidden for member in self.members for one in member.block.members)


def view_roster(state: State, combatants: Mapping[str, CombatantView]) -> list[RosterBlock]:
    """Everybody in the order they joined, a group at the place of its first member."""
    blocks: dict[str, list[CombatantView]] = {}
    for one in present(state):
        if one.id in combatants:
            blocks.setdefault(str(one.marks.get(GROUP, one.id)), []).append(combatants[one.id])
    return [_view_block(members) for members in blocks.values()]


def _view_block(members: list[CombatantView]) -> RosterBlock:
    if len(members) == 1:
        return RosterBlock((members[0],), members[0].name)
    name = members[0].name.rstrip("0123456789 ") or members[0].name
    return RosterBlock(tuple(members), name, is_group=True)


def view_places(order: Sequence[str], combatants: Mapping[str, CombatantView]) -> tuple[SeatView, ...]:
    """An order of turns or of seats, with the possible moves of each."""
    ring = [who for who in order if who in combatants]
    return tuple(
        SeatView(
            combatants[who],
            up=None if at == 0 else ring[at - 2] if at > 1 else "",
            down=ring[at + 1] if at + 1 < len(ring) else None,
        )
        for at, who in enumerate(ring)
    )


def group_sides(
    system: System, state: State, combatants: Mapping[str, CombatantView]
) -> tuple[SideView, ...]:
    """These combatants by side, in the order in which they joined, with what they carry."""
    sides: dict[str, list[SideMember]] = {}
    for block in view_roster(state, combatants):
        combatant = state[block.first.id]
        items = view_items(system, (*system.characters.borrowed_items(state, combatant), *combatant.items))
        sides.setdefault(block.first.side, []).append(SideMember(block, items))
    return tuple(
        SideView(name, found[0].block.first.tone, tuple(found), _add_health(system, state, found))
        for name, found in sides.items()
    )


def _add_health(system: System, state: State, members: Iterable[SideMember]) -> str:
    """The health of all these together, in points; what is counted in other points, such as hulls, apart."""
    found: dict[tuple[str, bool], list[Health]] = {}
    for who in (who for member in members for who in member.block.ids):
        health = system.find_health(state, state[who])
        found.setdefault((health.label, health.rises), []).append(health)
    return ", ".join(
        _say_points(sum(one.now for one in each), sum(one.most for one in each), label, rises)
        for (label, rises), each in found.items()
    )


def _say_points(now: int, most: int, label: str, rises: bool) -> str:
    """All points with their name, and how many there could be if they are not as many."""
    return f"{say_whole(now)}{'' if now == most and not rises else f' of {say_whole(most)}'} {label}"
