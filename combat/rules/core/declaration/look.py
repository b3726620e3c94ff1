"""The declaration of a game's look on its pages."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from ..basics.words import Label
from ..state.state import Combatant, Condition, State
from .figures import Figure


def look_human(combatant: Combatant) -> str:
    """A person: the default look of every combatant."""
    return "person"


def tell_nothing(held: Condition) -> Label:
    """No words: the name of the condition is enough."""
    return ""


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """The look of a game, its combatants and its log on the pages."""

    # The hue of what is active: a name (teal, lime, rose, violet) or any hue, 0 to 350 degrees in tens.
    accent: str | int = "teal"
    # The sign of the game: an SVG path of lines in a square of 24 units.
    emblem: str = ""
    # What a combatant looks like to everyone: person, alien, animal, robot, drone or vehicle.
    likeness: Callable[[Combatant], str] = look_human
    # A combatant drawn by parts, if harm has a location; None for a combatant without parts.
    figure: Callable[[State, Combatant], Figure | None] | None = None
    # What a condition is about, for a chip that shows it beside the name.
    about: Callable[[Condition], Label] = tell_nothing
    # The rules whose changes of a condition another line of the log already tells.
    silent_rules: frozenset[str] = frozenset()
