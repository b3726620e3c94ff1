"""The GM's damage, fatigue, and the hazards of the surroundings."""

from __future__ import annotations

import re

from combat.rules.core.basics.dice.dice import MAX_DICE, Roll, parse_dice
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.basics.words import Label
from combat.rules.core.commands.commands import Field, number_field
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.decisions import Target, overrule
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Item, State, present
from combat.rules.core.turn.turns import remove_conditions

from ..body.allocation import heal, lose_mind
from ..body.damage import wound
from ..body.hits import LASER, Hit
from ..body.states import OTHER, fall_unconscious, tire
from ..book import tables
from ..book.options import find_option
from ..book.tables import MENTAL, Hazard
from ..characters.conditions import is_dead
from ..characters.values import find_full, is_machine, is_person, is_wounded
from ..world.acting import gm, people_field
from .medicines import ANTIDOTE, resists

MAX_POINTS = 999
RULE = "CE-DMG-01"
RESISTED = re.compile(r"Endurance check(?: DM [−-](\d+)(D6)?)?")


class DealDamage(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Damage from the GM: `amount` such as 3d6 or 5; `past_armor` means that armor does not count."""

    amount: str
    past_armor: bool = False
    laser: bool = False


class DealMind(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Damage to a mental characteristic."""

    key: str
    amount: str


class Expose(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A hazard of the list strikes someone; `times` counts its steps, as for a fall."""

    hazard: str
    times: int = 1


def check_alive(state: State, who: str) -> Combatant:
    """Refuse the dead and machines."""
    combatant = state[who]
    if not is_person(combatant):
        raise Refused("bad_target", f"{combatant.name} is a machine: choose a person or an animal.")
    if is_dead(combatant):
        raise Refused("bad_target", f"{combatant.name} is dead: choose someone else.")
    return combatant


def read_points(words: str) -> str:
    """Read dice or a number of points as a person writes them, in the notation of the rules."""
    plain = words.strip().lower()
    try:
        dice = parse_dice(plain)
    except ValueError:
        raise Refused("bad_value", f"“{words[:20]}” is no damage: write it like 3d6 or 5.") from None
    if not 0 <= dice.most <= MAX_POINTS:
        raise Refused("bad_value", f"Damage is 0 to {MAX_POINTS} points.")
    return plain


def _roll(context: RuleContext, who: str, notation: str, rule: str) -> tuple[int, Roll | None]:
    """The points of dice, or of a plain number without any."""
    dice = parse_dice(notation)
    if not dice.count:
        return dice.plus, None
    roll = context.roll(notation, by=who, rule=rule, why="roll.damage")
    return max(0, roll.total), roll


def deal_damage(context: RuleContext, command: DealDamage) -> Then | None:
    """Deal damage without an attack: no Effect, so no point is guaranteed. [CE-DMG-01]  RULING R52"""
    combatant, dice = context.state[command.target], read_points(command.amount)
    if is_dead(combatant):
        raise Refused("bad_target", f"{combatant.name} is dead: choose someone else.")
    overrule(context, "gm.damage", command, combatant.id)
    kind = LASER if command.laser else ""
    return Then(_strike, combatant.id, dice, kind, not command.past_armor, "why.gm")


def _strike(context: RuleContext, who: str, dice: str, kind: str, armored: bool, why: str) -> Then | None:
    points, roll = _roll(context, who, dice, RULE)
    hit = Hit(target=who, dice_total=points, rule=RULE, kind=kind, why=why, roll=roll, armored=armored)
    return wound(context, hit)


def take_points(context: RuleContext, who: str, points: int, why: Label) -> Then | None:
    """Take points away for the GM: the player chooses where; machines use their own table."""
    return wound(context, Hit(target=who, dice_total=points, rule=RULE, why=why, armored=False))


def give_points(context: RuleContext, who: str, points: int, why: Label) -> None:
    """Give points back for the GM; the player chooses where. [CE-INJ-07]"""
    if is_machine(context.state[who]):
        name = context.state[who].name
        raise Refused("bad_value", f"{name} is a machine: choose Hull, Structure or Armor, or repair a part.")
    combatant = check_alive(context.state, who)
    if not is_wounded(combatant):
        raise Refused("bad_value", f"{combatant.name} is not wounded: choose someone who is.")
    heal(context, who, points, why=why, rule="CE-INJ-07")


def deal_mind(context: RuleContext, command: DealMind) -> None:
    """Deal damage to a mental characteristic. [CE-MENT-01]"""
    combatant, dice = check_alive(context.state, command.target), read_points(command.amount)
    if not find_option(context.state, "use_mental"):  # RULING R61: not in the quick rules
        raise Refused("not_allowed", "House rule: minds are not damaged. Change that option first.")
    if command.key not in MENTAL or not find_full(combatant, command.key):
        raise Refused("bad_value", "Choose Intelligence or Education.")
    overrule(context, "gm.mind", command, combatant.id)
    points, roll = _roll(context, combatant.id, dice, "CE-MENT-01")
    lose_mind(context, combatant.id, command.key, points=points, why="why.gm", roll=roll)


def exhaust(context: RuleContext, command: Target) -> None:
    """Make someone fatigued. [CE-FAT-01]"""
    combatant = check_alive(context.state, command.target)
    if not find_option(context.state, "use_fatigue"):
        raise Refused("not_allowed", "House rule: nobody tires. Change that option first.")
    overrule(context, "gm.fatigue", command, combatant.id)
    tire(context, combatant.id, "why.gm")


# ---------------------------------------------------------------- hazards


def expose(context: RuleContext, command: Expose) -> Then | None:
    """Let a hazard strike: first the resistance check, if any, then its damage, without armor."""
    combatant = check_alive(context.state, command.target)
    hazard = tables.hazards().get(command.hazard)
    if hazard is None:
        raise Refused("bad_value", "That hazard is not in the list: choose one that is.")
    if not 1 <= command.times <= 100:
        raise Refused("bad_value", "A hazard strikes 1 to 100 times at once.")
    overrule(context, "gm.hazard", command, combatant.id, what=hazard.name)
    return Then(_face, combatant.id, command.hazard, command.times)


def _face(context: RuleContext, who: str, key: str, times: int) -> Then | None:
    hazard = tables.hazards()[key]
    # An antidote works against one poison.  RULING R94
    if hazard.poison and remove_conditions(context, who, ANTIDOTE, why="why.poison_stopped", rule=RULE):
        return None
    kept = _find_protection(context.state[who], hazard)
    if kept is not None:
        context.emit(e.Said("log.kept_out", who, args={"item": kept.name, "what": hazard.name}), RULE)
        return None
    if _resists(context, who, hazard):
        return None
    if hazard.damage == "unconscious":
        fall_unconscious(context, who, OTHER, "CE-UNCON-01")
        return None
    dice, _, what = hazard.damage.partition(" ")
    if what.lower() in MENTAL and find_option(context.state, "use_mental"):
        points, roll = _roll(context, who, dice.lower(), "CE-MENT-01")
        lose_mind(context, who, what.lower(), points=points, why=hazard.name, roll=roll)
        return None
    return _strike(context, who, _multiply(dice.lower(), times), kind="", armored=False, why=hazard.name)


def _find_protection(combatant: Combatant, hazard: Hazard) -> Item | None:
    """The suit or item that keeps a lack of air from someone.  RULING R99"""
    for item in combatant.items:
        is_sealed = item.place == "worn" and bool(item.data.get("sealed_hours"))
        if (is_sealed and "sealed" in hazard.kept_out_by) or item.data.get("id") in hazard.kept_out_by:
            return item
    return None


def _multiply(notation: str, times: int) -> str:
    """The dice of n steps of a hazard, as one handful."""
    dice = parse_dice(notation)
    return f"{min(MAX_DICE, dice.count * times)}d{dice.sides}"


def _resists(context: RuleContext, who: str, hazard: Hazard) -> bool:
    """Roll an Endurance check if the hazard allows one."""
    found = RESISTED.match(hazard.text)
    if found is None:
        return False
    worse = int(found[1] or 0)
    if found[2]:
        worse = context.roll(f"{worse}d6", by=who, rule=RULE, why=hazard.name).total
    terms = (Modifier(hazard.name, -worse, RULE),) if worse else ()
    return resists(context, who, terms, RULE)


# ---------------------------------------------------------------- forms


def _anybody(state: State, actor: str) -> Field:
    options = tuple(Choice(combatant.id, combatant.name) for combatant in present(state))
    known = {option.value for option in options}
    value = actor if actor in known else next(iter(known and [options[0].value]), "")
    return Field("target", "Target", "choice", options=options, value=value)


def damage_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The target, the amount of damage, and whether armor counts."""
    return (
        _anybody(state, actor),
        Field("amount", "Damage", "text", value="3d6", help="dice or points: 3d6, 5", rule="CE-DMG-01"),
        Field("past_armor", "Armor does not count", "flag", required=False, rule="CE-ARMOR-01"),
        Field("laser", "It is a laser", "flag", required=False),
    )


def mind_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The target, the mental characteristic, and the amount of damage."""
    names = tables.characteristics()
    keys = tuple(Choice(key, names[key].name) for key in MENTAL)
    return (
        people_field(state, actor, "Target", check_alive),
        Field("key", "Characteristic", "choice", options=keys, value=MENTAL[0], rule="CE-MENT-01"),
        Field("amount", "Damage", "text", value="1d6", help="dice or points: 1d6, 2"),
    )


def person_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The person it happens to."""
    return (people_field(state, actor, "Target", check_alive),)


def hazard_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The target, the hazard, and how often it strikes."""
    known = tuple(Choice(h.id, h.name, f"{h.damage}, {h.text}") for h in tables.hazards().values())
    return (
        people_field(state, actor, "Target", check_alive),
        Field("hazard", "Hazard", "choice", options=known, value=known[0].value),
        number_field("times", "Times", 1, low=1, high=100, help="a fall: once for each 2 m"),
    )


ACTIONS = (
    gm("deal_damage", deal_damage, fields=damage_fields),
    gm("hazard", expose, fields=hazard_fields),
    gm("deal_mind", deal_mind, fields=mind_fields),
    gm("exhaust", exhaust, fields=person_fields),
)
