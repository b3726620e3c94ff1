"""The attacks of a character: total, damage, range and ammunition, all by the game's own rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from combat.rules.core.basics.modifiers import Modifiers
from combat.rules.core.basics.numbers import with_true_minus
from combat.rules.core.basics.words import say_number
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.sheets import SheetAttack
from combat.rules.core.state.state import Combatant, State
from combat.rules.core.wording import Pen, pen_of

from ..games import plan_of


@dataclass(frozen=True)
class AttackView:
    """One weapon in one use. `total` is empty where nobody rolls to hit, `terms` are its sum.

    `item` is the id on the sheet of a weapon whose rounds can be set there; `magazine` is None for what needs
    no ammunition.
    """

    item: str
    name: str
    how: str
    kind: str
    total: str
    points: int
    terms: Modifiers
    dice: str
    rule: str
    damage: str
    reach: str
    is_ready: bool
    loaded: int | None
    magazine: int | None
    spares: int
    count: int = 1


def view_attacks(
    system: System, state: State, combatant: Combatant, listed: Mapping[str, str]
) -> tuple[AttackView, ...]:
    """The attacks with what is in hand first; equal ones are one line with their count.

    `listed` are the items whose rounds are on the sheet, with their ids there.
    """
    pen, found = pen_of(system, state), dict[AttackView, AttackView]()
    for attack in plan_of(system).find_attacks(state, combatant):
        view = _view_attack(system, pen, attack, listed.get(attack.item.id, ""))
        alike = replace(view, item="", count=1)
        known = found.get(alike)
        found[alike] = replace(known, count=known.count + view.count) if known else view
    return tuple(sorted(found.values(), key=lambda view: not view.is_ready))


def _view_attack(system: System, pen: Pen, attack: SheetAttack, listed: str) -> AttackView:
    item = attack.item
    return AttackView(
        item=listed,
        name=item.name,
        how=pen.draw(attack.how),
        kind=system.kinds.of_damage(item.name),
        total=say_total(attack.total, attack.percent) if attack.dice else "",
        points=attack.total,
        terms=pen.terms(attack.terms),
        dice=attack.dice,
        rule=attack.rule,
        damage=with_true_minus(attack.damage),
        reach=attack.reach,
        is_ready=item.place == "held",
        loaded=item.loaded,
        magazine=attack.magazine,
        spares=item.spares,
        count=item.count,
    )


def say_total(points: int, percent: bool) -> str:
    """A sum for people: with its sign, or as a chance in percent."""
    return f"{points}%" if percent else say_number(points, signed=True)
