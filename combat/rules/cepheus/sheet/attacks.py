"""What someone can attack with, as their sheet shows it."""

from __future__ import annotations

from combat.rules.core.basics.modifiers import without_zeros
from combat.rules.core.basics.words import Label, say
from combat.rules.core.sheets.attacks import SheetAttack
from combat.rules.core.state.state import Combatant, Item, State

from ..book.tables import BANDS, RANGE_BANDS, skills
from ..characters.goods.inventory import HAND_USES, find_fittings
from ..characters.machinery import find_skilled
from ..dice.rolls import DICE
from ..fight.aim import (
    MELEE_TYPES,
    ON_SHEET,
    Mode,
    Sight,
    count_rounds,
    find_row,
    find_terms,
    find_weapon_skill,
    range_rows,
    with_computer,
)
from ..fight.explosives.blasts import find_rings
from ..fight.explosives.launch import find_payload
from ..fight.weapons import find_own, read_arm


def find_attacks(state: State, combatant: Combatant) -> tuple[SheetAttack, ...]:
    """Every weapon in each of its uses, those in hand first. [CE-ATK-04]"""
    weapons = sorted(find_own(combatant), key=lambda item: item.place != "held")
    return tuple(_view(state, combatant, item, mode) for item in weapons for mode in _find_modes(item))


def _find_modes(item: Item) -> list[Mode]:
    """The uses of a weapon, the usual one first."""
    types = read_arm(item).range_types
    uses: dict[Mode, bool] = {
        "ranged": any(row not in HAND_USES for row in types),
        "melee": any(row in MELEE_TYPES for row in types),
        "thrown": "thrown" in types,
    }
    return [mode for mode, has in uses.items() if has]


def _view(state: State, combatant: Combatant, item: Item, mode: Mode) -> SheetAttack:
    sight = _make_sight(state, combatant, item, mode)
    near, _ = find_terms(state, sight, ON_SHEET)
    magazine = int(item.data.get("magazine", 0))
    return SheetAttack(
        item=item,
        terms=without_zeros(with_computer(state, sight, near)),
        dice=DICE,
        rule="CE-ATK-04",
        damage=_say_damage(sight),
        reach=_say_reach(sight),
        how=_say_how(sight),
        magazine=magazine or None if item.loaded is not None else None,
    )


def _make_sight(state: State, combatant: Combatant, item: Item, mode: Mode) -> Sight:
    """The weapon in one use, with no target: nothing of it depends on the band."""
    arm, fittings = read_arm(item), find_fittings(combatant.items, item.id)
    return Sight(
        combatant=combatant,
        target=combatant,
        item=item,
        arm=arm,
        fittings=fittings,
        mode=mode,
        rows=range_rows(state),
        row=find_row(arm, mode, fittings),
        band=BANDS[0],
        skill=find_weapon_skill(find_skilled(state, combatant), arm, mode),
        rounds=count_rounds(arm, 0) if mode == "ranged" else 0,
    )


def _say_how(sight: Sight) -> Label:
    """The skill; of a weapon that is also used at hand, that it is thrown."""
    skill = skills()[sight.skill].name if sight.skill in skills() else f"attack.{sight.mode}"
    return say("attack.thrown_by", skill=skill) if sight.mode == "thrown" else skill


def _say_damage(sight: Sight) -> str:
    """The dice of a hit; of an explosion those at its middle, with the radius. [CE-EXPL-01]"""
    rings = find_rings(find_payload(sight) or sight.arm)
    if not rings:
        return sight.arm.damage
    return f"{rings[0][1]} in {rings[-1][0]:g} m"


def _say_reach(sight: Sight) -> str:
    """The far end of the last band that it reaches. [CE-RANGE-09]"""
    bands = sight.rows[sight.row]
    last = RANGE_BANDS[max(bands, key=BANDS.index)]
    return f"{last.to_m:g} m" if last.to_m < RANGE_BANDS[BANDS[-1]].to_m else last.name
