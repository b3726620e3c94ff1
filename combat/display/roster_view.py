"""The roster while preparing: each combatant by itself, a group as one block; and the order of turns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from combat.rules.core.gm.decisions import GROUP
from combat.rules.core.state.state import State, present

from .shapes import FighterView


@dataclass(frozen=True)
class RosterBlock:
    """One combatant, or several that joined as a group: then with a name and a count of its own."""

    members: tuple[FighterView, ...]
    name: str
    is_group: bool = False

    @property
    def first(self) -> FighterView:
        """Who stands for all of them."""
        return self.members[0]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all, for forms."""
        return tuple(member.id for member in self.members)

    @property
    def is_hidden(self) -> bool:
        """Whether nobody of them is to be seen."""
        return all(member.hidden for member in self.members)

    @property
    def standing(self) -> int:
        """How many are not out."""
        return sum(not member.out for member in self.members)


@dataclass(frozen=True)
class TurnPlace:
    """A place in the order of turns, and behind whom its holder goes with "earlier" and "later"."""

    fighter: FighterView
    earlier: str | None
    later: str | None


def view_roster(state: State, fighters: Mapping[str, FighterView]) -> list[RosterBlock]:
    """Everybody in the order they joined, a group where the first of them stands."""
    blocks: dict[str, list[FighterView]] = {}
    for one in present(state):
        if one.id in fighters:
            blocks.setdefault(str(one.marks.get(GROUP, one.id)), []).append(fighters[one.id])
    return [_view_block(members) for members in blocks.values()]


def _view_block(members: list[FighterView]) -> RosterBlock:
    if len(members) == 1:
        return RosterBlock((members[0],), members[0].name)
    name = members[0].name.rstrip("0123456789 ") or members[0].name
    return RosterBlock(tuple(members), name, is_group=True)


def view_order(state: State, fighters: Mapping[str, FighterView]) -> list[TurnPlace]:
    """The order of turns of a fight under way, with the ways of moving each."""
    order = [who for who in state.order if who in fighters] if state.phase == "fight" else []
    return [
        TurnPlace(
            fighters[who],
            earlier=None if at == 0 else order[at - 2] if at > 1 else "",
            later=order[at + 1] if at + 1 < len(order) else None,
        )
        for at, who in enumerate(order)
    ]
