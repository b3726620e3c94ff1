"""A game's actions, and a few words on what each one does now."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

import msgspec

from ..commands.commands import Action
from ..state.state import Combatant, Item, State

MOST = 30  # characters: two lines of a narrow tile
WEAPON, HELD = "weapon", "held"


def find_brief(action: Action, state: State, combatant: Combatant) -> str:
    """The words on an action's tile, at most MOST characters; none if the name is enough."""
    words = action.brief if action.find_brief is None else action.find_brief(action.brief, state, combatant)
    return words if len(words) <= MOST else f"{words[: MOST - 1].rstrip()}\N{HORIZONTAL ELLIPSIS}"


def name_weapon(
    is_built_in: Callable[[str, Mapping[str, Any]], bool], words: str, state: State, combatant: Combatant
) -> str:
    """The weapon in hand with its remaining rounds; the usual words without one.

    `is_built_in` is that of the game's catalogue: no part of a body is named.
    """
    held = (item for item in _held(combatant) if not is_built_in(item.kind, item.data))
    return next(map(name_rounds, held), words)


def name_loaded(words: str, state: State, combatant: Combatant) -> str:
    """The first weapon in hand that takes rounds, with the remaining ones; the usual words without one."""
    return next((name_rounds(item) for item in _held(combatant) if item.loaded is not None), words)


def _held(combatant: Combatant) -> Iterator[Item]:
    return (item for item in combatant.items if item.place == HELD and item.kind == WEAPON)


def name_rounds(item: Item) -> str:
    """A weapon with its remaining rounds."""
    return item.name if item.loaded is None else f"{item.name}, {item.loaded} left"


class Actions(msgspec.Struct, frozen=True, kw_only=True):
    """The actions of a game. Every game calls the actions `start` and `advance` by these names.

    If several combatants act at once (`State.sharing`), the `advance` command takes a `target`, whose turn
    ends, or `whole` for all of them.
    """

    start: ClassVar[str] = "start"
    advance: ClassVar[str] = "next_turn"

    # The actions by name, in the order of the page.
    by_name: dict[str, Action]
    # The actions that are not among the usual ones now, although they are the first of their group.
    find_unusual: Callable[[State, Combatant], frozenset[str]] = lambda state, combatant: frozenset()
    # The names of the actions that come first among the usual ones now, such as driving what moves.
    find_pressing: Callable[[State, Combatant], tuple[str, ...]] = lambda state, combatant: ()
    # The conditions of those who are out of the fight: a revival by the GM ends them.
    out: tuple[str, ...] = ()
    # The numbers with which someone who is out just comes back, by track.
    find_least: Callable[[Combatant], dict[str, int]] = lambda combatant: {}

    def has_odds(self, action: Action) -> bool:
        """Whether pages show odds for an action: not if it begins a fight or ends a turn."""
        return action.has_odds and action.name not in (self.start, self.advance)
