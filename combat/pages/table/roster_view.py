"""The roster while preparing: each combatant alone, a group as one block; and the order of turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from combat.display.shapes.table_shapes import CombatantView, SeatView
from combat.rules.core.gm.decisions import GROUP
from combat.rules.core.state.state import State, present


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
