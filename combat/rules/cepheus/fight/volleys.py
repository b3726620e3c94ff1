"""Ground weapons against starships: several fire at once, and their damage adds up."""

from __future__ import annotations

from combat.rules.core.basics.dice import parse_dice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.basics.words import say
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.decisions import Target
from combat.rules.core.state.state import Item, State

from ..body.damage import wound
from ..body.hits import Hit
from ..dice.focus import use_aim
from ..dice.rolls import find_cuts, roll_terms
from ..people import machinery
from ..people.values import is_out
from .aim import Sight, Strike, modifiers_for_attack
from .attack import HIT, MISS
from .checks import check_attack
from .shots import fire

Battery = tuple[tuple[str, int, int], ...]  # who has hit, with how many dice, with which Effect


class Volley(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Several fire at a ship at once; `firers` are their ids, each with the best weapon at hand."""

    firers: tuple[str, ...] = ()


def find_gun(state: State, who: str, target: str) -> Item:
    """The weapon with the most dice that somebody could fire at a target now; Refused if there is none."""
    fighter = state[who]
    vehicle = machinery.find_vehicle(state, who)
    known = [*fighter.items, *(vehicle.items if vehicle else ())]
    why = f"{fighter.name} has no weapon to fire at it."
    for item in sorted(known, key=lambda item: -_count_dice(item)):
        if item.kind not in ("weapon", "mount") or not _count_dice(item):
            continue
        try:
            check_attack(state, Strike(actor=who, target=target, weapon=item.id, mode="ranged"))
        except Refused as refused:
            why = refused.message
            continue
        return item
    raise Refused("not_allowed", why)


def _count_dice(item: Item) -> int:
    dice = str(item.data.get("damage", ""))
    return parse_dice(dice).count if dice else 0


def check_volley(state: State, command: Volley) -> dict[str, Item]:
    """[CE-SHIP-03] A ship, and people who can fire at it, each once."""
    target = state[command.target]
    if not machinery.is_starship(target):
        raise Refused("bad_target", f"{target.name} is no starship: its sheet has the tag starship if it is.")
    if not command.firers or len(set(command.firers)) != len(command.firers):
        raise Refused("bad_value", "Choose who fires, each of them once.")
    for who in command.firers:
        if is_out(state[who]):
            raise Refused("bad_target", f"{state[who].name} cannot fire.")
    return {who: find_gun(state, who, command.target) for who in command.firers}


def fire_volley(context: RuleContext, command: Volley) -> Then:
    """[CE-SHIP-03] They fire at the same moment: each rolls to hit, and what hits adds up.

    The GM grants it: whose turn it is, and who has waited for it, is the table's to settle.
    """
    guns = check_volley(context.state, command)
    pairs = tuple((who, gun.id) for who, gun in guns.items())
    return Then(_fire_next, command.target, pairs, ())


def _fire_next(
    context: RuleContext, target: str, left: tuple[tuple[str, str], ...], battery: Battery
) -> Then | None:
    """[CE-SHIP-01] The next one rolls to hit, with DM +4 for the size of the target; [CE-MINOR-03] aim is
    used up."""
    if not left:
        return _deal(context, target, battery)
    who, gun = left[0]
    strike = Strike(actor=who, target=target, weapon=gun, mode="ranged")
    sight: Sight = check_attack(context.state, strike)
    terms = modifiers_for_attack(context.state, strike, sight)
    use_aim(context, who)
    fire(context, sight, sight.rounds)
    effect = roll_terms(
        context,
        who,
        terms,
        what="check.attack",
        rule="CE-SHIP-03",
        target=target,
        why=say("roll.attack", item=sight.item.name, target=target),
        cuts=find_cuts(terms, "success"),
        outcomes=(HIT, MISS),
    )
    if effect >= 0:
        battery = (*battery, (who, _count_dice(sight.item), effect))
    return Then(_fire_next, target, left[1:], battery)


def count_volley(battery: Battery) -> int:
    """[CE-SHIP-04] All dice of the weapon that has the most, half of those of each other.  RULING R28"""
    dice = sorted((n for _, n, _ in battery), reverse=True)
    return sum(dice[:1]) + sum(n // 2 for n in dice[1:])


def _deal(context: RuleContext, target: str, battery: Battery) -> Then | None:
    """[CE-SHIP-02] Rolled together, divided by 50 with the Effect of the lead weapon.  RULING R28"""
    if not battery:
        return None
    lead = max(battery, key=lambda one: one[1])
    dice = f"{count_volley(battery)}d6"
    why = say("roll.damage_to", target=target, item="why.volley")
    roll = context.roll(dice, by=lead[0], rule="CE-SHIP-04", why=why)
    hit = Hit(
        target=target,
        by=lead[0],
        dice_total=roll.total,
        effect=lead[2],
        rule="CE-SHIP-04",
        why="why.volley",
        roll=roll,
        terms=(Modifier(say("term.dice", dice=dice), roll.total, "CE-SHIP-04"),),
    )
    return wound(context, hit)
