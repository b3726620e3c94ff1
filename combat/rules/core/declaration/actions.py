"""A game's actions, and a few words on what each one does now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

import msgspec

from ..commands.commands import Action
from ..state.state import Combatant, Item, State

MOST = 30  # characters: two lines of a narrow tile
WEAPON, HELD = "weapon", "held"
Brief = str | Callable[[State, Combatant], str]


def find_brief(briefs: Mapping[str, Brief], state: State, combatant: Combatant, name: str) -> str:
    """The words for an action of a combatant, at most MOST characters; none if the name is enough."""
    brief = briefs.get(name, "")
    words = brief if isinstance(brief, str) else brief(state, combatant)
    return words if len(words) <= MOST else f"{words[: MOST - 1].rstrip()}\N{HORIZONTAL ELLIPSIS}"


def name_weapon(otherwise: str) -> Brief:
    """The weapon in hand with its remaining rounds."""
    return lambda state, combatant: next(map(name_rounds, _held(combatant)), otherwise)


def name_loaded(otherwise: str) -> Brief:
    """The first weapon in hand that takes rounds, with the remaining ones."""
    return lambda state, combatant: next(
        (name_rounds(item) for item in _held(combatant) if item.loaded is not None), otherwise
    )


def _held(combatant: Combatant) -> tuple[Item, ...]:
    return tuple(i for i in combatant.items if i.place == HELD and i.kind == WEAPON and not _is_body(i))


def _is_body(item: Item) -> bool:
    return "natural" in item.data.get("traits", ())


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
    # What actions do now, by name, in a few words.
    briefs: Mapping[str, Brief] = {}
    # The actions that are not among the usual ones, although they are the first of their group.
    unusual: frozenset[str] = frozenset()
    # The names of the actions that come first among the usual ones now, such as driving what moves.
    find_pressing: Callable[[State, Combatant], tuple[str, ...]] = lambda state, combatant: ()
    # The conditions of those who are out of the fight: a revival by the GM ends them.
    out: tuple[str, ...] = ()
    # The numbers with which someone who is out just comes back, by track.
    find_least: Callable[[Combatant], dict[str, int]] = lambda combatant: {}

    def has_odds(self, action: Action) -> bool:
        """Whether pages show odds for an action: not if it begins a fight or ends a turn."""
        return action.has_odds and action.name not in (self.start, self.advance)
