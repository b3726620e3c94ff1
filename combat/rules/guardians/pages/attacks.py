"""What someone can attack with, as their sheet shows it."""

from __future__ import annotations

from combat.rules.core.sheets.attacks import SheetAttack
from combat.rules.core.state.state import Combatant, Item, State

from ..book.tables import SKILL_DIE
from ..dice.rolls import find_chance
from ..fight.aim import read_use, say_damage
from ..people.values import name_rank, rank_terms


def find_attacks(state: State, combatant: Combatant) -> tuple[SheetAttack, ...]:
    """Every weapon, those in hand first. [CG-ATK-01] [CG-ATK-02]"""
    weapons = [item for item in combatant.items if item.kind == "weapon"]
    weapons.sort(key=lambda item: item.place != "held")
    return tuple(_view(state, combatant, weapon) for weapon in weapons)


def _view(state: State, combatant: Combatant, item: Item) -> SheetAttack:
    use = read_use(item, False)
    return SheetAttack(
        item=item,
        terms=find_chance(state.options, rank_terms(state, combatant, use.skill, "CG-ATK-01")).terms,
        dice=SKILL_DIE,
        percent=True,
        rule="CG-ATK-02",
        damage=say_damage(state, combatant, use),
        reach=f"{use.weapon.range_yards} yd a step" if use.is_distant else "melee",
        how=name_rank(use.skill),
    )
