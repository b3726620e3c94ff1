"""The running fight of a character: the table app answers, as this app knows no tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from combat.rules.core.sheets.sheets import ME
from combat.rules.core.state.state import State, replace

from .models import Character
from .ports import encounters


@dataclass(frozen=True)
class Fight:
    """A fight that someone is in: its stamp, and its state with them alone, as their player may know it.

    `read` returns None if they have left it.
    """

    stamp: str
    read: Callable[[], State | None]


def find_fight(character: Character) -> Fight | None:
    """The running fight of a character; None without one."""
    found: Fight | None = encounters.find_fight(character)
    return found


def leave_alone(state: State, who: str) -> State:
    """A state that holds only this combatant, as the one of a sheet: nothing in it tells of others."""
    combatant = state[who]
    items = tuple(replace(item, id=item.id.replace(f"{who}-", f"{ME}-", 1)) for item in combatant.items)
    alone = replace(combatant, id=ME, items=items, berth=msgspec.UNSET)
    return replace(state, combatants={ME: alone}, order=(ME,), active=ME, sharing=(), ground=())
