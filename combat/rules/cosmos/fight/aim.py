"""The fields of an attack, its checks and its sums, before anything is rolled; Defense, term by term."""

from __future__ import annotations

from typing import Literal

import msgspec

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.commands import Command, Field, first_open, folded_field
from combat.rules.core.map.bodies import SIZE
from combat.rules.core.state.state import Combatant, Item, State, find_condition, has_condition, present

from .. import environment
from ..body.damage import armor_points, shields, worn_armor
from ..book.options import find_option
from ..book.tables import CONCEALMENT, COVER, SITUATIONS, SIZE_STEP, SIZES, Trait
from ..book.traits import count_rounds_between, count_spray, find_burst, find_traits, has_tag
from ..characters.conditions import KINDS
from ..characters.sheet import ATTRIBUTES, ability, attribute, attribute_terms, drug_terms, half_skill, skill
from ..dice import action_penalties, table_terms
from ..world.scene import (
    Aspect,
    check_reach,
    conceal,
    is_flanked,
    is_higher,
    is_melee,
    look_at,
    range_penalty,
    worst,
)
from ..world.sight_lines import COVER_TERMS, describe_between, find_thing, say_cover
from .weapons import check_may_attack, check_rounds, check_weapon, weapon_choices, weapon_terms

Level = Literal["", "none", "light", "heavy", "total"]
YesNo = Literal["", "yes", "no"]
Guess = Literal["", "yes", "no", "roll"]
GUESS_DICE, GUESSED_FROM = "1d10", 6  # RULING R50
MAX_ATTACKS = 3
CONCEALMENT_TERMS = {
    "light": "term.light_concealment",
    "heavy": "term.heavy_concealment",
    "total": "term.total_concealment",
}
FROM_SCENE = Choice("", "from the scene")
ROLL_GUESS = Choice("roll", "roll a d10", "6 or more finds the place")  # RULING R50
YES_NO = (FROM_SCENE, Choice("yes", "yes"), Choice("no", "no"))
LEVELS_OF_COVER = (FROM_SCENE, *(Choice(name, name) for name in COVER))
LEVELS_OF_CONCEALMENT = (FROM_SCENE, *(Choice(name, name) for name in CONCEALMENT))
GUESSES = (Choice("", "not needed"), Choice("yes", "right place"), Choice("no", "wrong place"), ROLL_GUESS)
FROM_SIGHT = (  # the same in every form
    folded_field("cover", "Target's cover", "choice", options=LEVELS_OF_COVER, value="", rule="COS-MOD-04"),
    folded_field("concealment", "Concealment", "choice", options=LEVELS_OF_CONCEALMENT, rule="COS-MOD-05"),
    folded_field("guess", "Guess where it is", "choice", options=GUESSES, value="", rule="COS-COVER-10"),
    folded_field("flanking", "Flanking", "choice", options=YES_NO, value="", rule="COS-POS-03"),
)


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


def check_attack(state: State, command: Attack) -> Aim:
    """The prepared attack; Refused for an impossible one.  RULING R29 R30."""
    aim = prepare(state, command)
    check_manner(state, command, aim)
    check_strike(state, command, aim)
    return aim


def check_manner(state: State, command: Attack, aim: Aim) -> None:
    """Refuse a manner of attack that this weapon or this turn does not allow, whatever the target."""
    if command.attacks != 1:
        _check_count(state, command, aim)
    if command.aimed:
        _check_aimed(command, aim)
    if command.burst and not find_burst(aim.traits):
        raise Refused("not_allowed", f"{aim.weapon.name} cannot fire bursts.")
    if command.trip:
        if command.attacks > 1 or not aim.melee:
            raise Refused("not_allowed", "A trip joins one melee attack.")
        if bar := KINDS.find_bar(aim.target, "fall"):
            raise Refused("bad_target", bar)


def _check_count(state: State, command: Attack, aim: Aim) -> None:
    """Refuse more attacks than the weapon or the table allows. [COS-MOD-09]"""
    most = max(count_spray(aim.traits)[0], count_attacks(state))
    if not 1 <= command.attacks <= most:
        attacks = f"1 to {most} attacks" if most > 1 else "1 attack"
        raise Refused("bad_value", f"One Standard Action gives {attacks}.")
    if aim.traits and count_rounds_between(aim.traits) > 1:
        raise Refused("not_allowed", f"{aim.weapon.name} is slow: one attack at a time.")


def count_attacks(state: State) -> int:
    """The most attacks of one Standard Action at this table. [COS-MOD-09]  RULING R30."""
    return min(MAX_ATTACKS, int(find_option(state, "max_attacks")))


def sprays(state: State, command: Strike) -> bool:
    """Whether an automatic weapon makes more attacks than the table allows, at the price of many rounds."""
    return isinstance(command, Attack) and command.attacks > 1 and command.attacks > count_attacks(state)


def _check_aimed(command: Attack, aim: Aim) -> None:
    """One shot, without movement and without a quick aim. [COS-MOD-08]  RULING R29."""
    if aim.melee or command.attacks > 1:
        raise Refused("not_allowed", "An aimed shot is one single ranged attack.")
    KINDS.check(aim.combatant, "aimed_shot")


class Aim(msgspec.Struct, frozen=True, gc=False):
    """A prepared attack: who strikes whom, with what, and what the scene and the form say of the target.

    Checks, sums and tactics share it.
    """

    combatant: Combatant
    target: Combatant
    weapon: Item
    melee: bool
    traits: list[Trait]
    aspect: Aspect
    cover: str
    concealment: str


def prepare(state: State, command: Strike) -> Aim:
    """The prepared attack of a command; Refused if it has no weapon or no target here."""
    combatant, target = state[command.actor], state[command.target]
    weapon = find_weapon(state, command)
    data = weapon.data
    melee = data["mode"] == "melee"
    sizes = combatant.marks.get(SIZE, 0), target.marks.get(SIZE, 0)
    aspect = look_at(state.scene, combatant.at, target.at, sizes, melee)
    cover: str = command.cover or aspect.cover
    concealment: str = command.concealment
    if not concealment:
        concealment = aspect.plain or worst(conceal(aspect, combatant), aspect.rain)
    return Aim(
        combatant,
        target,
        weapon,
        melee=melee,
        traits=find_traits(data),
        aspect=aspect,
        cover=cover,
        concealment=concealment,
    )


def find_weapon(state: State, command: Strike) -> Item:
    """The weapon of a command; Refused when it cannot be used now."""
    weapon = find_thing(state, command.actor, command.weapon)
    if weapon.kind != "weapon":
        raise Refused("bad_value", f"{weapon.name} is not a weapon.")
    return weapon


def check_strike(state: State, command: Strike, aim: Aim) -> None:
    """Refuse a target that cannot be attacked with this weapon now.  [COS-COVER-05]"""
    combatant, target, weapon = aim.combatant, aim.target, aim.weapon
    check_may_attack(combatant)
    if combatant.id == target.id:
        raise Refused("bad_target", "Choose someone else as the target.")
    if has_condition(target, "dead"):
        raise Refused("bad_target", f"{target.name} is dead.")
    check_weapon(state, combatant, weapon)
    if command.using:
        check_using(combatant, weapon, command.using)
    if weapon.loaded is not None:
        check_rounds(state, weapon, rounds_needed(state, command, aim.traits))
    if has_tag(weapon.data, "area"):
        raise Refused("not_allowed", f"{weapon.name} hits an area: use “Grenade or area weapon”.")
    if aim.melee:
        check_reach(state, combatant, target, weapon)
    else:
        range_penalty(state, combatant, target, weapon=weapon, meters=aim.aspect.meters)
    if aim.cover == "total" or aim.concealment == "total" or command.behind:
        _check_sight(state, command, aim)


def _check_sight(state: State, command: Strike, aim: Aim) -> None:
    """Refuse a target that no attack reaches, or that nobody sees. [COS-COVER-05] [COS-COVER-10]"""
    if aim.cover == "total":
        why = describe_between(state, aim.combatant, aim.target)
        raise Refused("bad_target", f"{why}: no direct attack reaches them.")
    if aim.concealment == "total" and not command.guess:
        text = f"{aim.target.name} is out of sight: guess where they are, then say whether that is right."
        raise Refused("bad_target", text)
    if command.behind:
        KINDS.check(aim.target, "come_behind")  # COS-COMBO-09


def rounds_needed(state: State, command: Strike, traits: list[Trait]) -> int:
    """The rounds of ammunition that an attack uses.  RULING R56."""
    if not isinstance(command, Attack):
        return 1
    needed = command.attacks * rounds_each(command, traits)
    return max(needed, count_spray(traits)[1]) if sprays(state, command) else needed


def rounds_each(command: Strike, traits: list[Trait]) -> int:
    """The rounds of ammunition of one attack or one burst. [COS-ATK-11]"""
    burst = find_burst(traits) if isinstance(command, Attack) and command.burst else None
    return burst.burst_rounds if burst else 1


def describe_cover(state: State, command: Strike, aim: Aim) -> Label:
    """The words for the target's cover, with the reason if it comes from the map."""
    if aim.cover == "none" or command.cover:
        return COVER_TERMS.get(aim.cover, "")
    return say_cover(state, aim.combatant, aim.target, aim.cover)


def modifiers_for_attack(state: State, command: Strike, aim: Aim) -> Modifiers:
    """All modifiers of the attack dice, each cause once.  [COS-ATK-01] [COS-MOD-01]

    [COS-ATK-10] The effect of the surroundings on a shot comes in as the table's own modifier.
    """
    combatant, weapon = aim.combatant, aim.weapon
    terms = [*skill_terms(state, combatant, weapon, command.using), *weapon_terms(weapon)]
    if not aim.melee:
        far = range_penalty(state, combatant, aim.target, weapon=weapon, meters=aim.aspect.meters)
        terms += [far] if far else []
    terms += _position_terms(state, command, aim)
    if isinstance(command, Attack):
        terms += _manner_terms(command, aim)
    if not aim.melee:
        terms += KINDS.causes(combatant, "ranged_attack")
    terms += body_terms(state, combatant, aim.melee)
    return (*terms, *table_terms(command, "COS-MOD-01" if aim.melee else "COS-ATK-10"))


def body_terms(state: State, combatant: Combatant, melee: bool) -> list[Modifier]:
    """What the attacker's body and surroundings do to every attack: with a weapon, a grapple, a trip."""
    terms = [*action_penalties(state, combatant, physical=True)]
    terms += [*environment.attack_terms(state, combatant, melee), *drug_terms(combatant, "attack")]
    return terms + KINDS.causes(combatant, "attack")


def attack_attribute(combatant: Combatant, weapon: Item, using: str = "") -> str:
    """Might in melee, Coordination at range. [COS-ATK-04] [COS-ATK-06] [COS-ATK-08]

    With finesse the attacker chooses; by default the better of the two.
    """
    if not is_melee(weapon):
        return "COO"
    if not has_tag(weapon.data, "finesse"):
        return "MIG"
    return using or ("COO" if attribute(combatant, "COO") > attribute(combatant, "MIG") else "MIG")


def check_using(combatant: Combatant, weapon: Item, using: str) -> None:
    """Refuse an attribute that the weapon does not offer. [COS-ATK-06]"""
    own = attack_attribute(combatant, weapon, using)
    if own != using:
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


def _position_terms(state: State, command: Strike, aim: Aim) -> list[Modifier]:
    """Flanking, height and concealment. [COS-MOD-05] [COS-MOD-06] [COS-MOD-07]  RULING R10.

    RULING R27: flanking counts in melee only, unless the table lets it count for shots.
    """
    terms = []
    if (aim.melee or find_option(state, "ranged_flanking")) and is_flanking(state, command, aim):
        terms.append(situation("flanking", "term.flanking"))
    terms += height_terms(aim.combatant, aim.target)
    level = CONCEALMENT[aim.concealment]
    if level.value:
        terms.append(Modifier(CONCEALMENT_TERMS[level.name], level.value, level.rule))
    return terms


def height_terms(combatant: Combatant, target: Combatant) -> list[Modifier]:
    """What higher ground gives to every attack: with a weapon, a grapple, a trip. [COS-MOD-07]"""
    higher = is_higher(combatant.at, target.at)
    return [situation("higher_ground", "term.higher_ground")] if higher else []


def situation(key: str, label: Label) -> Modifier:
    """The modifier of a row of the printed table of situations."""
    row = SITUATIONS[key]
    return Modifier(label, row.value, row.rule)


def is_flanking(state: State, command: Strike, aim: Aim) -> bool:
    """Whether the form or else the map gives flanking. [COS-POS-03]"""
    if command.flanking:
        return command.flanking == "yes"
    return is_flanked(state, aim.combatant, aim.target, aim.melee)


def _manner_terms(command: Attack, aim: Aim) -> list[Modifier]:
    """An aimed shot, several attacks, a trip. [COS-MOD-08] [COS-MOD-09] [COS-MANV-13]"""
    terms = []
    if command.aimed:
        terms.append(situation("aimed_shot", "term.aimed_shot"))
    if command.attacks > 1:
        each = SITUATIONS["extra_attack"]
        cost = each.value * (command.attacks - 1)
        terms.append(Modifier(say("term.attacks", n=command.attacks), cost, each.rule))
    if command.trip:
        terms.append(Modifier("term.with_a_trip", -2, "COS-MANV-13"))
        terms += size_terms(aim.combatant, aim.target)
    return terms


def size_terms(attacker: Combatant, target: Combatant) -> list[Modifier]:
    """The modifiers of size for a trip, alone or joined with an attack. [COS-MANV-14]"""
    steps = SIZES.index(attacker.sheet["size"]) - SIZES.index(target.sheet["size"])
    return [Modifier("term.size", SIZE_STEP * steps, "COS-MANV-14")] if steps else []


def defense_against(state: State, command: Strike, aim: Aim) -> Modifiers:
    """The target's Defense against this attack."""
    return defense_terms(
        state,
        aim.target,
        melee=aim.melee,
        cover=aim.cover,
        cover_term="" if aim.cover == "none" else describe_cover(state, command, aim),
        behind=command.behind,
        unaware=command.unaware,
    )


class Sums(msgspec.Struct, frozen=True):
    """The modifiers of the attack dice and the terms of the target's Defense, each with its total."""

    terms: Modifiers
    against: Modifiers
    bonus: int
    defense: int


def sum_up(terms: Modifiers, against: Modifiers) -> Sums:
    """The sums of these terms."""
    return Sums(terms, against, add_up(terms), add_up(against))


def find_sums(state: State, command: Strike, aim: Aim) -> Sums:
    """The sums of an attack."""
    return sum_up(modifiers_for_attack(state, command, aim), defense_against(state, command, aim))


def defense_terms(
    state: State,
    target: Combatant,
    *,
    melee: bool = False,
    cover: str = "none",
    cover_term: Label = "",
    behind: bool = False,
    unaware: bool = False,
) -> Modifiers:
    """Every term of the target's Defense against one attack.

    [COS-DEF-01] [COS-DEF-02] [COS-DEF-03] [COS-DEF-04] [COS-DEF-11] [COS-COND-36]
    """
    none = KINDS.find_loss(target, "defense")
    if none:
        return (Modifier("term.no_defense", 0, none[1]),)
    flat, level = unaware or KINDS.loses(target, "combat"), COVER[cover]  # COS-DEF-12
    terms = [
        Modifier("term.base", 10, "COS-DEF-11" if flat else "COS-DEF-01"),
        *_coordination(target, behind),
        *_training(state, target, flat),
        *_equipment(state, target),
    ]
    if level.value:
        terms.append(Modifier(cover_term or COVER_TERMS[level.name], level.value, level.rule))
    return (*terms, *_conditions(target, melee))


def _coordination(target: Combatant, behind: bool) -> list[Modifier]:
    lost = KINDS.find_loss(target, "coordination")
    if lost:
        held, rule = lost
        return [Modifier(say("term.no_coordination", condition=held.label), 0, rule)]
    if behind:
        return [Modifier("term.from_behind_no_coordination", 0, "COS-POS-06")]
    return [Modifier("attribute.COO", attribute(target, "COO"), "COS-DEF-01")]


def _training(state: State, target: Combatant, flat: bool) -> list[Modifier]:
    """Flat-footed loses Combat, and Reactive Defense with it. [COS-DEF-13]"""
    if flat:
        return [Modifier("term.flat_footed_no_combat", 0, "COS-DEF-13")]
    terms = [Modifier("term.half_combat", half_skill(skill(target, "Combat"), state), "COS-DEF-02")]
    if has_condition(target, "reactive_defense") and not KINDS.loses(target, "reactive_defense"):
        half = half_skill(skill(target, "Combat"), state)
        terms.append(Modifier("term.reactive_defense", half, "COS-DEF-08"))
    return terms


def _equipment(state: State, target: Combatant) -> list[Modifier]:
    """What armor, shields and species add and take off.

    [COS-ARMOR-02] [COS-ARMOR-04] [COS-ARMOR-06] [COS-ARMOR-08]  RULING R9
    """
    terms = []
    worn = worn_armor(target)
    if worn:
        penalty = int(worn.data["defense_penalty"])
        terms.append(Modifier(worn.name, penalty, "COS-DEF-04"))
        if find_option(state, "armor_adds_defense"):
            terms.append(
                Modifier(say("term.by_option", item=worn.name), armor_points(state, worn), "COS-DEF-04")
            )
    for shield in shields(target):
        terms.append(Modifier(shield.name, int(shield.data["defense_bonus"]), "COS-DEF-01"))
    if ability(target, "defense"):
        terms.append(Modifier("term.species", ability(target, "defense"), "COS-DEF-01"))
    return [term for term in terms if term.value]


def _conditions(target: Combatant, melee: bool) -> list[Modifier]:
    """Prone counts here and nowhere else: [COS-MOD-02] and [COS-MOD-03] say the same. [COS-POS-04]
    [COS-POS-05]  RULING R10."""
    terms = [*KINDS.terms(target, "defense"), *drug_terms(target, "defense")]
    return terms + KINDS.causes(target, "defense_melee" if melee else "defense_ranged")


# The fields that all strikes share: the weapon, and what the form says of the target's situation.


def weapon_field(state: State, actor: str, melee: bool | None = None) -> Field:
    """The field for the weapon; those not ready are grayed out with the reason."""
    options = weapon_choices(state, state[actor], melee)
    return Field("weapon", "Weapon", "choice", options=options, value=first_open(options))


def using_field(state: State, actor: str) -> tuple[Field, ...]:
    """The attribute of a finesse weapon, if one is ready. [COS-ATK-06]

    It is folded away if another weapon comes first.
    """
    combatant = state[actor]
    ready = [choice.value for choice in weapon_choices(state, combatant, None) if not choice.refused]
    light = [item.id for item in combatant.items if item.id in ready and has_tag(item.data, "finesse")]
    if not light:
        return ()
    known = {key: f"{ATTRIBUTES[key]} {attribute(combatant, key)}" for key in ("MIG", "COO")}
    better = max(known, key=lambda key: attribute(combatant, key))
    options = (Choice("", f"the better: {known[better]}"), *(Choice(*pair) for pair in known.items()))
    more = ready[0] not in light
    return (
        Field(
            "using",
            "Finesse",
            "choice",
            options=options,
            value="",
            rule="COS-ATK-06",
            required=False,
            more=more,
        ),
    )


def situation_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Cover, concealment and position: read from the scene unless the form says otherwise."""
    return (
        *FROM_SIGHT,
        Field("behind", "From behind", "flag", rule="COS-POS-06", help=_facing(state), more=True),
        Field(
            "unaware",
            "Target unaware of this attacker",
            "flag",
            rule="COS-DEF-12",
            help=describe_unwary(state, actor),
            more=True,
        ),
    )


def _facing(state: State) -> str:
    """A combatant who keeps facing the enemy cannot be attacked from behind. [COS-COMBO-09]"""
    facing = [f.name for f in present(state) if find_condition(f, "retreating")]
    return f"not against {', '.join(facing)}" if facing else ""


def describe_unwary(state: State, actor: str) -> str:
    """The combatants that a stealthy approach surprises easily, for the form; RULING R23. [COS-COND-12]"""
    side = state[actor].side
    deaf = [f.name for f in present(state) if f.side != side and KINDS.loses(f, "hearing")]
    return f"easy with {', '.join(deaf)}: deafened" if deaf else ""
