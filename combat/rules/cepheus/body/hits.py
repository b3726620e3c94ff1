"""A hit on its way to its target: through armor, layer by layer, and the steps after it."""

from __future__ import annotations

from typing import Any

import msgspec

from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import Label
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Item, replace
from combat.rules.core.turn.turns import defer

from ..characters.goods import WORN_OFF

LASER = "laser"
SURE_EFFECT = 6  # CE-ARMOR-02
Onward = tuple[Any, ...]  # the next step and its arguments


class Hit(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Rolled damage before armor, in points. [CE-DMG-01] [CE-DMG-02]

    `dice_total` is the sum of the dice and all bonuses; `terms`, if given, are its parts. `effect` is that of
    the attack, 0 if none is added, as for explosions and stray shots (RULING R52, R53). `kind` "laser" meets
    the laser rating of armor; `ap` is how much armor does not count. Damage that is not `armored` bypasses
    armor.
    """

    target: str
    dice_total: int
    rule: str
    by: str = ""
    effect: int = 0
    kind: str = ""
    ap: int = 0
    why: Label = "why.hit"
    roll: Roll | None = None
    terms: Modifiers = ()
    armored: bool = True


def put_off(context: RuleContext, who: str, effect: msgspec.Struct) -> None:
    """Keep an action's effect until the end of a shared count. [CE-ROUND-05]  RULING R33"""
    defer(context, who, msgspec.json.encode(effect).decode())


def raw_terms(hit: Hit) -> Modifiers:
    """The damage before armor, as terms: the dice, and the Effect of the attack. [CE-DMG-02]"""
    dice = hit.terms or (Modifier("term.damage_dice", hit.dice_total, hit.rule or "CE-DMG-01"),)
    return (*dice, Modifier("term.effect", hit.effect, "CE-DMG-02")) if hit.effect else dice


def minimum_terms(hit: Hit, terms: Modifiers) -> Modifiers:
    """The guaranteed point: an attack of Effect 6 or more does 1 after all armor. [CE-ARMOR-02]
    RULING R52"""
    left = add_up(terms)
    if hit.effect < SURE_EFFECT or left >= 1:
        return ()
    return (Modifier("term.sure_point", 1 - left, "CE-ARMOR-02"),)


def chain(then: Then | None, onward: Onward) -> Then | None:
    """A step that is done to its end first, and then the next step."""
    if not onward:
        return then
    if then is None:
        return Then(onward[0], *onward[1:])
    return Then(_go_on, then.step, then.args, onward)


def _go_on(context: RuleContext, step: Any, args: tuple[Any, ...], onward: Onward) -> Then | None:
    return chain(step(context, *args), onward)


# Armor between a hit and a body, layer by layer.


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
