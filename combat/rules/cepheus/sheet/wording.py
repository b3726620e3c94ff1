"""A sheet as its page shows it: numbers with their sums, attacks, the figure, and checks outside a fight."""

from __future__ import annotations

from typing import Literal

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.modifiers import Derived, Modifier, Modifiers, add_up, without_zeros
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.commands import Command, Field, Preview, adjusted
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.parts import FINE, HURT, OUT, Figure, Offer, Part
from combat.rules.core.sheets.sheets import SheetAttack, sheet_check
from combat.rules.core.state.events import make_checked
from combat.rules.core.state.state import Combatant, Item, State

from ..body.hits import find_layers
from ..book import tables
from ..book.tables import BANDS, MENTAL, PHYSICAL, RANGE_BANDS, TARGET, skills
from ..characters.conditions import is_dead
from ..characters.goods import HAND_USES, find_fittings
from ..characters.machinery import (
    DRIVER,
    counts_hull_hits,
    find_skilled,
    find_speed,
    find_top_speed,
    find_vehicle,
)
from ..characters.values import count_lost, find_dm, find_full, find_score, is_machine, is_vehicle
from ..dice import (
    DICE,
    characteristic_terms,
    difficulty_terms,
    find_cuts,
    hindrances,
    modifiers_for_check,
    name_skill,
    roll_terms,
    say_check,
)
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
from ..fight.explosives.lobs import find_payload
from ..fight.weapons import find_own, read_arm
from ..vehicles.driving import MUST_WEAVE, control_terms, find_facing
from ..vehicles.driving import NAMES as FACING_NAMES
from ..vehicles.figure import make_machine_figure
from ..world.order import BASE

AID: tuple[Offer, ...] = (("first_aid", {"target": ""}),)
RULE = "CE-SIG-05"
MAX_REASON = 100  # characters


def describe_combatant(state: State, combatant: Combatant) -> tuple[Derived, ...]:
    """Armor, Initiative, characteristics and the penalties of this round; for machines their points.
    [CE-ARMOR-01] [CE-ROUND-03] [CE-REACT-03]"""
    if is_machine(combatant):
        return (*describe_machine(state, combatant), *describe_initiative(combatant))
    return (
        describe_armor(combatant),
        *describe_initiative(combatant),
        *(describe_score(combatant, key) for key in PHYSICAL),
        *describe_hindrances(state, combatant),
        *describe_ride(state, combatant),
    )


def describe_armor(combatant: Combatant) -> Derived:
    """The points that armor takes off a hit other than a laser's. [CE-ARMOR-01]  RULING R75"""
    layers = find_layers(combatant, "")
    terms = tuple(Modifier(label, points, "CE-ARMOR-01") for label, points in layers)
    return Derived("Armor", add_up(terms), terms, "CE-ARMOR-01", shield=True)


def describe_initiative(combatant: Combatant) -> tuple[Derived, ...]:
    """Initiative of this round: the score, and its changes. [CE-INIT-02] [CE-ROUND-11]  RULING R4"""
    if combatant.initiative is None:
        return ()
    base = int(combatant.marks.get(BASE, combatant.initiative))
    changed = int(combatant.initiative) - base
    terms: Modifiers = (Modifier("term.base_initiative", base, "CE-INIT-02"),)
    if changed:
        terms = (*terms, Modifier("term.changed_initiative", changed, "CE-ROUND-11"))
    return (Derived("Initiative", base + changed, terms, "CE-ROUND-03"),)


def describe_dm(combatant: Combatant, key: str) -> Derived:
    """The DM of the current score of a characteristic.  RULING R1"""
    dm = find_dm(combatant, key)
    terms = (Modifier(f"term.{key}", dm, "CE-DMG-01"),)
    return Derived(f"{key.capitalize()} DM", dm, terms, "CE-DMG-01", signed=True)


def describe_score(combatant: Combatant, key: str) -> Derived:
    """The current score of a characteristic: undamaged, lost to wounds, and the resulting DM.  RULING R1"""
    full, now, dm = find_full(combatant, key), find_score(combatant, key), find_dm(combatant, key)
    terms: Modifiers = (Modifier("term.undamaged", full, "CE-DMG-09"),)
    if now != full:
        terms = (*terms, Modifier("term.wounds", now - full, "CE-DMG-09"))
    sign = "+" if dm >= 0 else "\N{MINUS SIGN}"
    return Derived(key.capitalize(), now, terms, rule="CE-DMG-09", unit=f" (DM {sign}{abs(dm)})")


def describe_hindrances(state: State, combatant: Combatant) -> tuple[Derived, ...]:
    """The penalty on every skill check now, if any. [CE-REACT-06]"""
    terms = tuple(hindrances(state, combatant, "athletics"))
    return (Derived("On skill checks", add_up(terms), terms, "CE-REACT-03", signed=True),) if terms else ()


def describe_ride(state: State, combatant: Combatant) -> tuple[Derived, ...]:
    """The state of the vehicle for someone inside; at the controls its movement as well.  [CE-VEH-01]"""
    vehicle = find_vehicle(state, combatant.id)
    if vehicle is None or not is_vehicle(vehicle):
        return ()
    points = describe_body(state, vehicle, "Vehicle armor")
    return (*points, *(describe_driving(state, vehicle) if combatant.station == DRIVER else ()))


def describe_facing(vehicle: Combatant) -> Derived:
    """The direction of a vehicle's nose on the map. [CE-VEH-02]"""
    degrees = round(find_facing(vehicle)) % 360
    word = FACING_NAMES.get(degrees, "")
    return Derived("Facing", degrees, rule="CE-VEH-02", unit=f"° ({word})" if word else "°")


def describe_machine(state: State, combatant: Combatant) -> tuple[Derived, ...]:
    """The current Hull, Structure and armor, in points, and the numbers of driving. [CE-VDMG-01]
    [CE-VDMG-05]"""
    return (*describe_body(state, combatant, "Armor"), *describe_driving(state, combatant))


def describe_body(state: State, machine: Combatant, armor: str) -> tuple[Derived, ...]:
    """The points of a machine; without Hull and Structure if hits on the Hull are counted instead.

    RULING R66
    """
    points = (("Hull", "hull", "CE-VDMG-01"), ("Structure", "structure", "CE-VDMG-03"))
    counted = () if counts_hull_hits(state) else points
    return tuple(describe_points(machine, *part) for part in (*counted, (armor, "armor", "CE-VDMG-05")))


def describe_driving(state: State, combatant: Combatant) -> tuple[Derived, ...]:
    """The current and top speed of a vehicle [CE-VEH-04]; its DM on its driver's checks. [CE-VACT-04]"""
    if not is_vehicle(combatant):
        return ()
    speeds: tuple[Derived, ...] = (
        Derived("Speed, km/h", round(find_speed(state, combatant)), rule="CE-VEH-04"),
        Derived("Top speed", round(find_top_speed(state, combatant)), rule="CE-VEH-04"),
        describe_facing(combatant),
    )
    if must := int(combatant.marks.get(MUST_WEAVE, 0)):
        speeds = (Derived("Weave to match", must, rule="CE-VACT-24"), *speeds)
    terms = control_terms(state, combatant)
    return (*speeds, Derived("Control", add_up(terms), terms, "CE-VACT-04", signed=True)) if terms else speeds


def describe_points(combatant: Combatant, label: str, key: str, rule: str) -> Derived:
    """Current points of a machine."""
    points = find_score(combatant, key)
    return Derived(label, points, (Modifier(f"track.{key}", points, rule),), rule)


# The drawing of a combatant by parts: the characteristics that wounds reduce.


def make_figure(state: State, combatant: Combatant) -> Figure | None:
    """The physical characteristics as boxes, and mental ones once they are damaged. [CE-DMG-10]"""
    if is_machine(combatant):
        return make_machine_figure(state, combatant)
    mental = [key for key in MENTAL if count_lost(combatant, key)]
    parts = tuple(make_part(combatant, key) for key in (*PHYSICAL, *mental))
    return Figure(shape="", title="Characteristics", parts=parts)


def make_part(combatant: Combatant, key: str) -> Part:
    """One characteristic: its current score, its DM, and the actions that heal it."""
    now, lost = max(0, find_score(combatant, key)), count_lost(combatant, key)
    word, level = ("part.whole", FINE) if not lost else ("part.damaged", HURT)
    if not now:
        word, level = "part.at_zero", OUT
    is_treatable = key in PHYSICAL and lost and not is_dead(combatant)
    dm = find_dm(combatant, key)
    return Part(
        key=key,
        label=tables.characteristics()[key].name,
        now=now,
        most=find_full(combatant, key),
        level=level,
        word=word,
        text=f"DM {'+' if dm >= 0 else chr(0x2212)}{abs(dm)}",
        rule="CE-DMG-09" if key in PHYSICAL else "CE-MENT-01",
        actions=AID if is_treatable else (),
        track=key,
    )


# What someone can attack with, as their sheet shows it.


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


# Checks from a sheet, outside of a fight: any skill with any characteristic, and Initiative.


Characteristic = Literal["str", "dex", "end", "int", "edu", "soc", "psi"]
Difficulty = Literal["simple", "easy", "routine", "average", "difficult", "very_difficult", "formidable"]


class SheetCheck(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """2D6 with a characteristic and, optionally, a skill, against 8."""

    characteristic: Characteristic = "dex"
    skill: str = ""
    difficulty: Difficulty = "average"
    why: str = ""


def check(context: RuleContext, command: SheetCheck) -> None:
    """Roll any check from the sheet; this spends no action. [CE-SIG-05]"""
    terms = terms_for_check(context.state, command)
    what, cuts = name_check(command), find_cuts(terms, "all")
    why = say_check(what, command.why)
    roll_terms(context, command.actor, terms, what=what, rule=RULE, target="", why=why, cuts=cuts)


def terms_for_check(state: State, command: SheetCheck) -> Modifiers:
    """Skill, characteristic, difficulty and an additional modifier."""
    own = modifiers_for_check(state, command.actor, command.skill, command.characteristic)
    return adjusted(command, (*own, *difficulty_terms(command.difficulty, RULE)), RULE)


def name_check(command: SheetCheck) -> Label:
    """The label of the check: the skill, or the characteristic alone."""
    name = name_skill(command.skill) if command.skill else f"term.{command.characteristic}"
    return say("check.of", what=name)


def preview_check(state: State, command: SheetCheck) -> Preview:
    """The sum of a check before it is rolled."""
    need = (Modifier("term.target", TARGET, RULE),)
    return Preview(terms_for_check(state, command), need, "against.eight", DICE)


def check_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of any check."""
    scores = tuple(Choice(row.id, row.name) for row in tables.characteristics().values())
    skills = (Choice("", "none"), *(Choice(row.id, row.name) for row in tables.skills().values()))
    grades = tuple(Choice(row.id, row.name) for row in tables.difficulties().values())
    return (
        Field("characteristic", "Characteristic", "choice", options=scores, value="dex"),
        Field("skill", "Skill", "choice", options=skills, value="", required=False),
        Field("difficulty", "Difficulty", "choice", options=grades, value="average"),
        Field("why", "For what", "text", required=False),
    )


def initiative(context: RuleContext, command: Command) -> None:
    """Roll 2D6 + Dexterity DM. [CE-INIT-01]"""
    who, rule, what = command.actor, "CE-INIT-01", "check.initiative"
    terms = initiative_terms(context.state, command)
    roll = context.roll(DICE, by=who, rule=rule, why=what)
    context.emit(make_checked(who, what, roll, terms, outcome="outcome.rolled"), rule)


def initiative_terms(state: State, command: Command) -> Modifiers:
    """The Dexterity DM. [CE-INIT-01]"""
    return adjusted(command, characteristic_terms(state[command.actor], "dex", "CE-INIT-01"), "CE-INIT-01")


def preview_initiative(state: State, command: Command) -> Preview:
    """The sum of Initiative before it is rolled."""
    return Preview(initiative_terms(state, command), (), "", DICE)


CHECKS = (
    sheet_check(
        "check", "Check", SheetCheck, run=check, rule=RULE, preview=preview_check, fields=check_fields
    ),
    sheet_check(
        "initiative", "Initiative", Command, run=initiative, rule="CE-INIT-01", preview=preview_initiative
    ),
)
