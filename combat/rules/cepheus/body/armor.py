"""Armor between a hit and a body, layer by layer."""

from __future__ import annotations

from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import Label
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Item, replace

from ..characters.goods.catalogue import WORN_OFF
from .hits import LASER, Hit

Layer = tuple[Label, int]


def find_layers(combatant: Combatant, kind: str) -> tuple[Layer, ...]:
    """The layers that a hit of a kind meets, the outermost first: name and points.

    RULING R75: lasers meet laser ratings; armor worn over other armor lies outside of it.
    """
    worn = [item for item in combatant.items if item.kind == "armor" and item.place == "worn"]
    worn.sort(key=lambda item: not item.data.get("over_other"))
    layers: list[Layer] = [(item.name, count_armor(item, kind)) for item in worn]
    layers.append(("term.natural_armor", int(combatant.sheet.get("natural_armor", 0))))
    return tuple([layer for layer in layers if layer[1]])


def count_armor(item: Item, kind: str) -> int:
    """The points of one piece of armor against a hit of a kind."""
    if kind != LASER:
        return int(item.data.get("ar", 0))
    return max(0, int(item.data.get("ar_laser", 0)) - int(item.marks.get(WORN_OFF, 0)))


def armor_terms(combatant: Combatant, hit: Hit) -> Modifiers:
    """The points each layer takes off; piercing points count against the outermost first. [CE-ARMOR-01]"""
    if not hit.armored:
        return ()
    terms, pierced = [], hit.ap
    for name, points in find_layers(combatant, hit.kind):
        passed = min(pierced, points)
        pierced -= passed
        if points > passed:
            terms.append(Modifier(name, passed - points, "CE-ARMOR-01"))
    return tuple(terms)


def wear_armor(context: RuleContext, hit: Hit) -> None:
    """RULING R75: take a laser point off ablative armor for each laser hit, once the hit is over."""
    if hit.kind != LASER or not hit.armored:
        return
    for item in context.state[hit.target].items:
        is_worn = item.kind == "armor" and item.place == "worn" and item.data.get("ablates")
        if is_worn and count_armor(item, LASER) > 0:
            marks = {**item.marks, WORN_OFF: int(item.marks.get(WORN_OFF, 0)) + 1}
            told = e.ItemChanged(hit.target, replace(item, marks=marks), "how.ablates")
            context.emit(told, "CE-ARMOR-01")
