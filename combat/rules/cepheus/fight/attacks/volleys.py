"""Ground weapons against starships: several fire at once, and their damage adds up."""

from __future__ import annotations

from typing import Any

from combat.rules.core.basics.dice.dice import Dice, parse_dice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.basics.words import say
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.decisions import Target
from combat.rules.core.state.state import Item, State

from ...body.damage import wound
from ...body.hits import Hit
from ...dice.focus import use_aim
from ...dice.rolls import find_cuts, roll_terms
from ...people import machinery
from ...people.values import is_out
from ..aim import Attack, Sight, burst_terms, modifiers_for_attack
from ..checks import check_attack
from ..shots import burst_damage, fire
from ..weapons import is_gun
from .attack import HIT, MISS

Battery = tuple[tuple[str, int, int, int], ...]  # the firer, dice, bonus and Effect of a hit
BURSTS = ("", "spray", "grouped")
APART = "|"  # separator of the parts of a firer


class Volley(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Several combatants fire at a ship at once.

    Each of the `firers` is an id, optionally with weapon, rounds and burst, such as "f2|f2-w1|10|spray".
    Without a weapon the usable one with the most dice fires.
    """

    firers: tuple[str, ...] = ()


# ---------------------------------------------------------------- firers and weapons


def name_shot(who: str, weapon: str, rounds: int = 0, burst: str = "") -> str:
    """A firer of a volley in the notation of its command."""
    return APART.join((who, weapon, str(rounds), burst))


def read_shot(state: State, firer: str, target: str) -> Attack:
    """The shot of a firer; Refused if it cannot be read."""
    who, weapon, rounds, burst = (*firer.split(APART), "", "", "")[:4]
    if burst not in BURSTS or not (rounds or "0").isdecimal():
        raise Refused("bad_value", "Choose a weapon, its rounds and a burst from the list.")
    if is_out(state[who]):
        raise Refused("bad_target", f"{state[who].name} cannot fire.")
    weapon = weapon or find_gun(state, who, target).id
    return make_shot(who, target, weapon, int(rounds or 0), burst)


def make_shot(who: str, target: str, weapon: str, rounds: int, burst: str) -> Attack:
    """One shot of a volley."""
    known: Any = burst  # one of BURSTS: `read_shot` refuses others
    return Attack(actor=who, target=target, weapon=weapon, mode="ranged", rounds=rounds, burst=known)


def find_guns(state: State, who: str) -> list[Item]:
    """The weapons someone could fire in a volley, the most dice first."""
    combatant, vehicle = state[who], machinery.find_vehicle(state, who)
    known = [item for item in (*combatant.items, *(vehicle.items if vehicle else ())) if _count_dice(item)]
    guns = [item for item in known if item.kind in ("weapon", "mount") and is_gun(item)]
    return sorted(guns, key=lambda item: -_count_dice(item))


def find_gun(state: State, who: str, target: str) -> Item:
    """The weapon with the most dice that someone could fire at a target now; Refused without one."""
    why = f"{state[who].name} has no weapon to fire at it."
    for item in find_guns(state, who):
        try:
            check_attack(state, make_shot(who, target, item.id, 0, ""))
        except Refused as refused:
            why = refused.message
            continue
        return item
    raise Refused("not_allowed", why)


def _count_dice(item: Item) -> int:
    dice = str(item.data.get("damage", ""))
    return parse_dice(dice).count if dice else 0


def find_shots(state: State, who: str) -> list[Attack]:
    """Every way someone could fire in a volley: each weapon at each of its rates, bursts sprayed or grouped.
    [CE-SHIP-03] [CE-BURST-01]"""
    ways = []
    for item in find_guns(state, who):
        for rounds in item.data.get("rate_of_fire", ()) or (0,):
            bursts = ("spray", "grouped") if rounds > 1 else ("",)
            ways += [make_shot(who, "", item.id, rounds, burst) for burst in bursts]
    return ways


def check_volley(state: State, command: Volley) -> tuple[Attack, ...]:
    """Refuse anything but a ship and distinct people who can fire at it. [CE-SHIP-03]"""
    target = state[command.target]
    if not machinery.is_starship(target):
        raise Refused("bad_target", f"{target.name} is no starship: its sheet has the tag starship if it is.")
    people = [firer.split(APART)[0] for firer in command.firers]
    if not people or len(set(people)) != len(people):
        raise Refused("bad_value", "Choose who fires, each of them once.")
    shots = tuple(read_shot(state, firer, command.target) for firer in command.firers)
    for shot in shots:
        check_attack(state, shot)
    return shots


# ---------------------------------------------------------------- firing


def fire_volley(context: RuleContext, command: Volley) -> Then:
    """Fire at the same moment: each firer rolls to hit, and the damage adds up. [CE-SHIP-03]

    The GM allows it: whose turn it is and who has waited is left to the table.
    """
    return Then(_fire_next, command.target, check_volley(context.state, command), ())


def _fire_next(context: RuleContext, target: str, left: tuple[Attack, ...], battery: Battery) -> Then | None:
    """Roll to hit for the next firer, with DM +4 for the size of the target [CE-SHIP-01]; this uses up aim
    [CE-MINOR-03]; a burst is sprayed or grouped. [CE-BURST-02]"""
    if not left:
        return _deal(context, target, battery)
    shot = left[0]
    sight: Sight = check_attack(context.state, shot)
    terms = modifiers_for_attack(context.state, shot, sight, *burst_terms(sight, shot.burst))
    use_aim(context, shot.actor)
    fire(context, sight, sight.rounds)
    effect = roll_terms(
        context,
        shot.actor,
        terms,
        what="check.attack",
        rule="CE-SHIP-03",
        target=target,
        why=say("roll.attack", item=sight.item.name, target=target),
        cuts=find_cuts(terms, "success"),
        outcomes=(HIT, MISS),
    )
    if effect >= 0:
        dice = parse_dice(burst_damage(sight, shot.burst))
        battery = (*battery, (shot.actor, dice.count, dice.plus, effect))
    return Then(_fire_next, target, left[1:], battery)


def count_volley(battery: Battery) -> int:
    """All dice of the weapon with the most, plus half of those of every other. [CE-SHIP-04]  RULING R28"""
    dice = sorted((n for _, n, *_ in battery), reverse=True)
    return sum(dice[:1]) + sum(n // 2 for n in dice[1:])


def _deal(context: RuleContext, target: str, battery: Battery) -> Then | None:
    """Roll the damage together and divide by 50, with the Effect of the lead weapon. [CE-SHIP-02]
    RULING R28"""
    if not battery:
        return None
    lead = max(battery, key=lambda one: one[1])
    dice = str(Dice(count_volley(battery), 6, lead[2]))
    why = say("roll.damage_to", target=target, item="why.volley")
    roll = context.roll(dice, by=lead[0], rule="CE-SHIP-04", why=why)
    hit = Hit(
        target=target,
        by=lead[0],
        dice_total=roll.total,
        effect=lead[3],
        rule="CE-SHIP-04",
        why="why.volley",
        roll=roll,
        terms=(Modifier(say("term.dice", dice=dice), roll.total, "CE-SHIP-04"),),
    )
    return wound(context, hit)
