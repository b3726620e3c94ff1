"""What an action comes to now, in the few words that have room beside its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .state.state import Combatant, Item, State

MOST = 30  # letters: two lines of a narrow tile
WEAPON, HELD = "weapon", "held"
Brief = str | Callable[[State, Combatant], str]


def find_brief(briefs: Mapping[str, Brief], state: State, fighter: Combatant, name: str) -> str:
    """The words for an action of somebody's, of at most MOST letters; none where the name says it all."""
    brief = briefs.get(name, "")
    words = brief if isinstance(brief, str) else brief(state, fighter)
    return words if len(words) <= MOST else f"{words[: MOST - 1].rstrip()}\N{HORIZONTAL ELLIPSIS}"


def name_weapon(otherwise: str) -> Brief:
    """The weapon in hand with the rounds that are left in it."""
    return lambda state, fighter: next(map(_describe, _held(fighter)), otherwise)


def name_loaded(otherwise: str) -> Brief:
    """The first weapon in hand that takes rounds, with those that are left."""
    return lambda state, fighter: next(
        (_describe(item) for item in _held(fighter) if item.loaded is not None), otherwise
    )


def _held(fighter: Combatant) -> tuple[Item, ...]:
    return tuple(i for i in fighter.items if i.place == HELD and i.kind == WEAPON and not _is_body(i))


def _is_body(item: Item) -> bool:
    return "natural" in item.data.get("traits", ())


def _describe(item: Item) -> str:
    return item.name if item.loaded is None else f"{item.name}, {item.loaded} left"
