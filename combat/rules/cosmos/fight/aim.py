"""The fields of an attack, its checks and its sums, before anything is rolled."""

from __future__ import annotations

from typing import Literal

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.memory import remember_pair
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.commands import Command, Preview
from combat.rules.core.state.state import Combatant, Item, State, has_condition

from ..book.tables import CONCEALMENT, SITUATIONS, SIZE_STEP
from ..dice.rolls import DICE, action_penalties, table_terms
from ..environment import surroundings as environment
from ..people.sheet import ATTRIBUTES, attribute, attribute_terms, drug_terms, half_skill, size_steps, skill
from ..world.scene import (
    check_reach,
    find_concealment,
    find_cover,
    has_trait,
    is_flanked,
    is_higher,
    is_melee,
    range_penalty,
    worst,
)
from ..world.sight_lines import COVER_TERMS, describe_between, say_cover
from ..world.things import find_thing
from .defense import defense_terms
from .weapons import check_may_attack, check_rounds, check_weapon, weapon_terms

Level = Literal["", "none", "light", "heavy", "total"]
YesNo = Literal["", "yes", "no"]
Guess = Literal["", "yes", "no", "roll"]
GUESS_DICE, GUESSED_FROM = "1d10", 6  # RULING R50
MAX_ATTACKS = 3
BURST_ROUNDS, SPRAY_ROUNDS = 3, 10
QUICK_AIMED = 1  # COS-EX-07
CONCEALMENT_TERMS = {
    "light": "term.light_concealment",
    "heavy": "term.heavy_concealment",
    "total": "term.total_concealment",
}


class Strike(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The fields of every attack. Empty cover, concealment and flanking are read from the scene.

    `guess` is the guessed place of an unseen target: right, wrong, or left to a d10. `using` is the attribute
    of a finesse weapon; if empty, the better one.
    """

    target: str
    weapon: str
    cover: Level = ""
    concealment: Level = ""
    guess: Guess = ""
    using: Literal["", "MIG", "COO"] = ""
    flanking: YesNo = ""
    behind: bool = False
    unaware: bool = False


class Attack(Strike, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Shoot or strike one target, up to three times.  [COS-ATK-01] [COS-MOD-09]"""

    attacks: int = 1
    aimed: bool = False
    burst: bool = False
    trip: bool = False


class Charge(Strike, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The one melee attack at the end of a charge.  [COS-COMBO-01]"""


def check_attack(state: State, command: Attack) -> None:
    """Refuse an impossible attack.  RULING R29 R30."""
    check_manner(state, command)
    check_strike(state, command)


def check_manner(state: State, command: Attack) -> None:
    """Refuse a manner of attack that this weapon or this turn does not allow, whatever the target."""
    combatant, weapon = state[command.actor], find_weapon(state, command)
    most = MAX_ATTACKS if has_trait(weapon, "auto") else count_attacks(state)
    if not 1 <= command.attacks <= most:
        attacks = f"1 to {most} attacks" if most > 1 else "1 attack"
        raise Refused("bad_value", f"One Standard Action gives {attacks}.")
    if command.aimed:
        _check_aimed(combatant, command, weapon)
    if command.attacks > 1 and has_trait(weapon, "slow"):
        raise Refused("not_allowed", f"{weapon.name} is slow: one attack at a time.")
    if command.burst and not has_trait(weapon, "burst"):
        raise Refused("not_allowed", f"{weapon.name} cannot fire bursts.")
    if command.trip:
        if command.attacks > 1 or not is_melee(weapon):
            raise Refused("not_allowed", "A trip joins one melee attack.")
        if has_condition(state[command.target], "prone"):
            raise Refused("bad_target", f"{state[command.target].name} is prone already.")


def count_attacks(state: State) -> int:
    """[COS-MOD-09] The most attacks of one Standard Action at this table.  RULING R30."""
    return min(MAX_ATTACKS, int(state.options.get("max_attacks", MAX_ATTACKS)))


def sprays(state: State, command: Strike) -> bool:
    """Whether an automatic weapon makes more attacks than the table allows, at the price of many rounds."""
    return isinstance(command, Attack) and command.attacks > count_attacks(state)


def _check_aimed(combatant: Combatant, command: Attack, weapon: Item) -> None:
    """[COS-MOD-08] One shot, without movement and without a quick aim.  RULING R29."""
    if is_melee(weapon) or command.attacks > 1:
        raise Refused("not_allowed", "An aimed shot is one single ranged attack.")
    if has_condition(combatant, "quick_aim"):
        raise Refused("not_allowed", "A quick aim and an aimed shot do not go together.")
    if has_condition(combatant, "moved"):
        raise Refused("not_allowed", "An aimed shot needs a turn without movement.")


@remember_pair
def find_weapon(state: State, command: Strike) -> Item:
    """The weapon of a command; Refused when it cannot be used now."""
    weapon = find_thing(state, command.actor, command.weapon)
    if weapon.kind != "weapon":
        raise Refused("bad_value", f"{weapon.name} is not a weapon.")
    return weapon


def check_strike(state: State, command: Strike) -> None:
    """Refuse a target that cannot be attacked with this weapon now.  [COS-COVER-05]"""
    combatant, target = state[command.actor], state[command.target]
    check_may_attack(combatant)
    if combatant.id == target.id:
        raise Refused("bad_target", "Choose someone else as the target.")
    if has_condition(target, "dead"):
        raise Refused("bad_target", f"{target.name} is dead.")
    weapon = find_weapon(state, command)
    check_weapon(state, combatant, weapon)
    check_using(combatant, weapon, command.using)
    check_rounds(state, weapon, SPRAY_ROUNDS if sprays(state, command) else rounds_needed(command))
    if has_trait(weapon, "area"):
        raise Refused("not_allowed", f"{weapon.name} hits an area: use “Grenade or area weapon”.")
    if is_melee(weapon):
        check_reach(state, combatant, target, weapon)
    else:
        range_penalty(state, combatant, target, weapon)
    if cover_of(state, command) == "total":
        why = describe_between(state, combatant, target)
        raise Refused("bad_target", f"{why}: no direct attack reaches them.")
    if concealment_of(state, command) == "total" and not command.guess:
        text = f"{target.name} is out of sight: guess where they are, then say whether that is right."
        raise Refused("bad_target", text)
    if command.behind and has_condition(target, "retreating"):  # COS-COMBO-09
        text = f"{target.name} keeps facing the enemy: no one is behind them until their next turn."
        raise Refused("not_allowed", text)


def rounds_needed(command: Strike) -> int:
    """The rounds of ammunition that an attack uses.  RULING R56."""
    if not isinstance(command, Attack):
        return 1
    return command.attacks * (BURST_ROUNDS if command.burst else 1)


@remember_pair
def cover_of(state: State, command: Strike) -> str:
    """The target's cover: from the form, else from the scene."""
    if command.cover:
        return command.cover
    combatant, target = state[command.actor], state[command.target]
    return find_cover(state, combatant, target, is_melee(find_weapon(state, command)))


def describe_cover(state: State, command: Strike) -> Label:
    """The words for the target's cover, with the reason if it comes from the map."""
    level = cover_of(state, command)
    if level == "none" or command.cover:
        return COVER_TERMS.get(level, "")
    return say_cover(state, state[command.actor], state[command.target], level)


@remember_pair
def concealment_of(state: State, command: Strike) -> str:
    """The target's concealment: from the form, else from the scene and its rain."""
    if command.concealment:
        return command.concealment
    rain = environment.rain_concealment(state, is_melee(find_weapon(state, command)))
    return worst(find_concealment(state, state[command.target], state[command.actor]), rain)


def modifiers_for_attack(state: State, command: Strike) -> Modifiers:
    """All modifiers of the attack dice, each cause once.  [COS-ATK-01] [COS-MOD-01]

    [COS-ATK-10] The effect of the surroundings on a shot comes in as the table's own modifier.
    """
    combatant, target = state[command.actor], state[command.target]
    weapon = find_weapon(state, command)
    terms = [*skill_terms(state, combatant, weapon, command.using), *weapon_terms(weapon)]
    if not is_melee(weapon):
        far = range_penalty(state, combatant, target, weapon)
        terms += [far] if far else []
    terms += [*_position_terms(state, command, weapon), *_aim_terms(state, command, weapon)]
    terms += body_terms(state, combatant, weapon)
    return (*terms, *table_terms(command, "COS-MOD-01" if is_melee(weapon) else "COS-ATK-10"))


def body_terms(state: State, combatant: Combatant, weapon: Item) -> list[Modifier]:
    """What the attacker's body and surroundings do to every attack with a weapon."""
    terms = [*action_penalties(state, combatant, physical=True)]
    terms += [*environment.attack_terms(state, combatant, is_melee(weapon)), *drug_terms(combatant, "attack")]
    if has_condition(combatant, "blinded"):
        terms.append(Modifier("term.blinded", -4, "COS-COND-06"))
    return terms


def attack_attribute(combatant: Combatant, weapon: Item, using: str = "") -> str:
    """[COS-ATK-04] [COS-ATK-06] [COS-ATK-08] Might in melee, Coordination at range.

    With finesse the attacker chooses; by default the better of the two.
    """
    if not is_melee(weapon):
        return "COO"
    if using and has_trait(weapon, "finesse"):
        return using
    better = attribute(combatant, "COO") > attribute(combatant, "MIG")
    return "COO" if has_trait(weapon, "finesse") and better else "MIG"


def check_using(combatant: Combatant, weapon: Item, using: str) -> None:
    """[COS-ATK-06] Refuse an attribute that the weapon does not offer."""
    own = attack_attribute(combatant, weapon, using)
    if using and own != using:
        text = f"{weapon.name} takes {ATTRIBUTES[own]}: only finesse weapons leave the choice."
        raise Refused("not_allowed", text)


def skill_terms(state: State, combatant: Combatant, weapon: Item, using: str = "") -> list[Modifier]:
    """Attribute and half Combat."""
    key = attack_attribute(combatant, weapon, using)
    rule = "COS-ATK-08"
    if is_melee(weapon):
        rule = "COS-ATK-06" if key == "COO" else "COS-ATK-04"
    half = half_skill(skill(combatant, "Combat"), state)
    return [
        *attribute_terms(combatant, key, rule),
        Modifier("term.half_combat", half, "COS-ATK-01"),
    ]


def _position_terms(state: State, command: Strike, weapon: Item) -> list[Modifier]:
    """[COS-MOD-05] [COS-MOD-06] [COS-MOD-07] Flanking, height and concealment.  RULING R10."""
    combatant, target = state[command.actor], state[command.target]
    terms = []
    if is_flanking(state, command, weapon):
        terms.append(situation("flanking", "term.flanking"))
    if is_higher(combatant.at, target.at):
        terms.append(situation("higher_ground", "term.higher_ground"))
    level = CONCEALMENT[concealment_of(state, command)]
    if level.value:
        terms.append(Modifier(CONCEALMENT_TERMS[level.name], level.value, level.rule))
    return terms


def situation(key: str, label: Label) -> Modifier:
    """The modifier of a row of the printed table of situations."""
    row = SITUATIONS[key]
    return Modifier(label, row.value, row.rule)


def is_flanking(state: State, command: Strike, weapon: Item) -> bool:
    """[COS-POS-03] Whether the form or else the map gives flanking.  RULING R27: melee only."""
    melee = is_melee(weapon)
    if not melee and not state.options.get("ranged_flanking"):
        return False
    if command.flanking:
        return command.flanking == "yes"
    return is_flanked(state, state[command.actor], state[command.target], melee)


def _aim_terms(state: State, command: Strike, weapon: Item) -> list[Modifier]:
    combatant, terms = state[command.actor], []
    if isinstance(command, Attack):
        if command.aimed:
            terms.append(situation("aimed_shot", "term.aimed_shot"))
        if command.attacks > 1:
            each = SITUATIONS["extra_attack"]
            cost = each.value * (command.attacks - 1)
            terms.append(Modifier(say("term.attacks", n=command.attacks), cost, each.rule))
        if command.trip:
            terms.append(Modifier("term.with_a_trip", -2, "COS-MANV-13"))
            terms += size_terms(combatant, state[command.target])
    if has_condition(combatant, "quick_aim") and not is_melee(weapon):
        terms.append(Modifier("term.quick_aim", QUICK_AIMED, "COS-EX-07"))
    return terms


def size_terms(attacker: Combatant, target: Combatant) -> list[Modifier]:
    """[COS-MANV-14] The modifiers of size for a trip, alone or joined with an attack."""
    steps = size_steps(attacker, target)
    return [Modifier("term.size", SIZE_STEP * steps, "COS-MANV-14")] if steps else []


def defense_against(state: State, command: Strike) -> Modifiers:
    """The target's Defense against this attack."""
    return defense_terms(
        state,
        state[command.target],
        melee=is_melee(find_weapon(state, command)),
        cover=cover_of(state, command),
        cover_term=describe_cover(state, command),
        behind=command.behind,
        unaware=command.unaware,
    )


def preview(state: State, command: Attack) -> Preview:
    """The sums of the form, before anything is rolled."""
    check_attack(state, command)
    terms, against = modifiers_for_attack(state, command), defense_against(state, command)
    unseen = concealment_of(state, command) == "total" and command.guess == "roll"
    notes = (say("note.guess", n=GUESSED_FROM, dice=GUESS_DICE),) if unseen else ()
    return Preview(terms, against, "against.defense", DICE, notes)
