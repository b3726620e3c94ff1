"""A hit on its way to whoever it strikes, and the steps that come after it."""

from __future__ import annotations

from typing import Any

import msgspec

from combat.rules.core.basics.dice import Roll
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import Label
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.turns import defer

LASER = "laser"
SURE_EFFECT = 6  # CE-ARMOR-02
Onward = tuple[Any, ...]  # a step and its arguments, to go on with


class Hit(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """[CE-DMG-01] [CE-DMG-02] Damage as it is rolled, before armor, in points.

    `dice_total` is what the dice show with all that is added to them; `terms`, if given, say how it came
    about. `effect` is that of the attack, 0 for what adds none, such as explosions and stray shots
    (RULING R52, R53). `kind` "laser" meets the laser rating of armor; `ap` is armor that does not count.
    Damage that is not `armored` passes armor by.
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
    """[CE-ROUND-05] Keep what somebody did for the end of a count that several share.  RULING R33"""
    defer(context, who, msgspec.json.encode(effect).decode())


def raw_terms(hit: Hit) -> Modifiers:
    """[CE-DMG-02] The damage before armor, as terms: the dice, and the Effect of the attack."""
    dice = hit.terms or (Modifier("term.damage_dice", hit.dice_total, hit.rule or "CE-DMG-01"),)
    return (*dice, Modifier("term.effect", hit.effect, "CE-DMG-02")) if hit.effect else dice


def minimum_terms(hit: Hit, terms: Modifiers) -> Modifiers:
    """[CE-ARMOR-02] An attack of Effect 6 or more does a point at least, after all armor.  RULING R52"""
    left = add_up(terms)
    if hit.effect < SURE_EFFECT or left >= 1:
        return ()
    return (Modifier("term.sure_point", 1 - left, "CE-ARMOR-02"),)


def chain(then: Then | None, onward: Onward) -> Then | None:
    """What is to be done first and to its end, and then the step to go on with."""
    if not onward:
        return then
    if then is None:
        return Then(onward[0], *onward[1:])
    return Then(_go_on, then.step, then.args, onward)


def _go_on(context: RuleContext, step: Any, args: tuple[Any, ...], onward: Onward) -> Then | None:
    return chain(step(context, *args), onward)
