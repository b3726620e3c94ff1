"""The sides before a fight, each with what its combatants carry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from combat.display.shapes.table_shapes import CombatantView
from combat.rules.core.declaration.system import System
from combat.rules.core.state.state import State

from .roster_view import RosterBlock, view_roster
from .shapes import view_items


@dataclass(frozen=True)
class SideMember:
    """One combatant or a group on a side, and what they carry."""

    block: RosterBlock
    items: tuple[str, ...]


@dataclass(frozen=True)
class SideView:
    """A side as its combatants joined."""

    name: str
    tone: str
    members: tuple[SideMember, ...]

    @property
    def count(self) -> int:
        """The number of combatants on it."""
        return sum(len(member.block.members) for member in self.members)

    @property
    def hidden(self) -> int:
        """The number of those that only the GM sees."""
        return sum(one.hidden for member in self.members for one in member.block.members)


def group_sides(
    system: System, state: State, combatants: Mapping[str, CombatantView]
) -> tuple[SideView, ...]:
    """These combatants by side, in the order in which they joined, with what they carry."""
    sides: dict[str, list[SideMember]] = {}
    for block in view_roster(state, combatants):
        combatant = state[block.first.id]
        items = view_items(system, (*system.people.borrowed_items(state, combatant), *combatant.items))
        sides.setdefault(block.first.side, []).append(SideMember(block, items))
    return tuple(SideView(name, found[0].block.first.tone, tuple(found)) for name, found in sides.items())
