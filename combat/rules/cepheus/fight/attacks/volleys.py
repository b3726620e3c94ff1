"""Ground weapons against starships: several fire at once, and their damage adds up."""

from __future__ import annotations

from typing import Any

from combat.rules.core.basics.dice.dice import Dice, parse_dice
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.basics.modifiers import Modifier, add_up
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Field
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.decisions import Target
from combat.rules.core.state.state import Combatant, Item, State, present

from ...body.damage import wound
from ...body.hits import Hit
from ...characters import machinery
from ...characters.goods import is_gun
from ...characters.values import is_out
from ...dice import find_cuts, roll_terms, use_aim
from ...vehicles.fields import choose
from ...world.acting import gm
from ..aim import Attack, Sight, burst_terms, modifiers_for_attack
from ..checks import check_attack
from ..shots import Blow, burst_damage, fire, make_blow
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
    return make_shot(who, target, weapon, rounds=int(rounds or 0), burst=burst)


def make_shot(who: str, target: str, weapon: str, rounds: int, burst: str) -> Attack:
    """One shot of a volley; the GM sees to a rest for extreme range."""
    known: Any = burst  # one of BURSTS: `read_shot` refuses others
    return Attack(
        actor=who, target=target, weapon=weapon, mode="ranged", rounds=rounds, burst=known, rested=True
    )


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
            check_attack(state, make_shot(who, target, item.id, rounds=0, burst=""))
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
            ways += [make_shot(who, "", item.id, rounds=rounds, burst=burst) for burst in bursts]
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
    blow = make_blow(context.state, sight, burst_damage(sight, shot.burst))
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
        battery = (*battery, (shot.actor, *_count_damage(blow), effect))
    return Then(_fire_next, target, left[1:], battery)


def _count_damage(blow: Blow) -> tuple[int, int]:
    """The dice and the bonus of one hit: with aim for the kill, less for aerosol, half at extreme range.
    [CE-MINOR-07] [CE-COND-06] [CE-XRANGE-08]  RULING R28"""
    dice = parse_dice(blow.dice)
    count, plus = dice.count, dice.plus + add_up((*blow.kill, *blow.added))
    return (-(-count // 2), -(-plus // 2)) if blow.halved else (count, plus)


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


# ---------------------------------------------------------------- form


def any_ship(state: State, actor: str) -> None:
    """For the GM: refuse without a starship and someone who can fire at it."""
    if not [one for one in present(state) if machinery.STARSHIP in one.sheet.get("tags", ())]:
        raise Refused("not_allowed", "There is no starship here: its sheet has the tag starship.")


def volley_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The firers, their weapons, and the ship."""
    ships = [f for f in present(state) if machinery.is_starship(f)]
    shots = [(f, shot) for f in present(state) if f not in ships for shot in find_shots(state, f.id)]
    firers = tuple(_name_firer(state, f, shot, ships) for f, shot in shots)
    return (
        choose(state, "target", "Ship", ships, rule="CE-SHIP-01"),
        Field("firers", "Who fires what", "many", firers, help="one weapon each", rule="CE-SHIP-03"),
    )


def _name_firer(state: State, combatant: Combatant, shot: Attack, ships: list[Combatant]) -> Choice:
    """One way for someone to fire in a volley, grayed out if it reaches no ship."""

    def check(ship: Combatant) -> None:
        firer = name_shot(combatant.id, shot.weapon, shot.rounds, shot.burst)
        check_volley(state, Volley(target=ship.id, firers=(firer,)))

    reasons = [why_refused(check, ship) for ship in ships]
    item = next(i for i in find_guns(state, combatant.id) if i.id == shot.weapon)
    burst = f"{shot.rounds} rounds, {'sprayed' if shot.burst == 'spray' else 'grouped'}" if shot.burst else ""
    value = name_shot(combatant.id, shot.weapon, shot.rounds, shot.burst)
    refused = reasons[0] if reasons and all(reasons) else ""
    return Choice(value, f"{combatant.name}: {item.name}", burst, refused)


ACTIONS = (gm("volley", fire_volley, any_ship, fields=volley_fields, has_odds=False),)
