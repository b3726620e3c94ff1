"""What someone can attack with, as their sheet shows it: before there is a target."""

from __future__ import annotations

import msgspec

from ..basics.modifiers import Modifier, Modifiers, add_up
from ..basics.words import Label
from ..state.state import Combatant, Item, State


class SheetAttack(msgspec.Struct, frozen=True, kw_only=True):
    """One weapon in one use: the sum that holds against every target, damage, and how far it reaches.

    `terms` are added to the `dice`; those of a `percent` are the number to roll under. Without dice nobody
    rolls to hit: `how` says what happens. `total` is the sum, by `rule`; `damage` and `reach` are words.
    """

    item: Item
    terms: Modifiers = ()
    dice: str = ""
    percent: bool = False
    rule: str = ""
    damage: str = ""
    reach: str = ""
    how: Label = ""
    magazine: int | None = None

    @property
    def total(self) -> int:
        """The sum of the terms, in points."""
        return add_up(self.terms)


def find_no_attacks(state: State, combatant: Combatant) -> tuple[SheetAttack, ...]:
    """No attacks: a game that declares none."""
    return ()


def with_points(dice: str, bonus: tuple[Modifier, ...] | list[Modifier]) -> str:
    """A handful of dice with the sum of these terms added: 1d8 and 3 are "1d8+3", without points "1d8"."""
    points = add_up(bonus)
    return f"{dice}{points:+}" if points else dice
