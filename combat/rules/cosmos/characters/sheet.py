"""Sheets, and every number derived from them: attributes, HP, Speed, health state."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from combat.rules.core.basics.checking import read_checked
from combat.rules.core.basics.data import as_plain
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import Label, joined, say
from combat.rules.core.declaration.characters import DAY, FIGHT, Health, Use
from combat.rules.core.sheets.kit import hold_items, number_items, stock
from combat.rules.core.sheets.sheets import SheetBase
from combat.rules.core.state.state import (
    SURRENDERED,
    Combatant,
    Condition,
    Item,
    Scalar,
    State,
    has_condition,
)

from .. import environment
from ..book import tables
from ..book.options import find_option
from ..book.tables import DYING, HEALTH_STATES, HealthState, Species, SpeciesAbilities, find_health_state
from ..book.traits import has_tag
from . import catalogue as kit
from .conditions import KINDS

# Limited to a number of uses per encounter or day.  RULING R20, RULING R41
USES = (
    Use("first_aid_at", "Healing of first aid", DAY, "COS-MED-05"),
    Use("surgery_at", "Surgery", DAY, "COS-MED-11"),
    Use("gift_at", "Healing gift", DAY),
    Use("doses", "Tolerance of drugs", DAY, "COS-DRUG-08"),
    Use("field_medicine", "Field medicine", FIGHT, "COS-MED-08"),
)


ATTRIBUTES = {  # the attributes by their three letters
    "PRE": "Presence",
    "RES": "Resolve",
    "INT": "Intellect",
    "MIG": "Might",
    "AWA": "Awareness",
    "COO": "Coordination",
}
ATTRIBUTE_WORDS = {
    "PRE": "attribute.PRE",
    "RES": "attribute.RES",
    "INT": "attribute.INT",
    "MIG": "attribute.MIG",
    "AWA": "attribute.AWA",
    "COO": "attribute.COO",
}
HEALTH_WORDS = {
    "Healthy": "health.healthy",
    "Wounded": "health.wounded",
    "Injured": "health.injured",
    "Critical": "health.critical",
    "Dying": "health.dying",
}
QUICK = 3  # COS-ACT-14
SINGLE_SHOTS = 10  # RULING R56: bows and the like load one shot at a time, from quivers and belts of ten


class Sheet(SheetBase, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A character of this game: attributes 1 to 10, skills 0 to 10, and its items.

    Stat blocks name weapons, armor and gear by their ids, with `spares` magazines for each gun; characters
    have `items`, each with its own uses left.
    """

    attributes: dict[str, Annotated[int, Meta(ge=1, le=10)]]
    skills: dict[str, Annotated[int, Meta(ge=0, le=10)]] = {}
    species: Annotated[str, Meta(max_length=60)] = "terran"
    career: str = ""
    credits: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 0
    size: str = "medium"
    abilities: dict[str, Any] = {}
    natural_armor: Annotated[int, Meta(ge=0, le=50)] = 0
    armor: str = "none"
    shield: str = ""
    weapons: Annotated[tuple[str, ...], Meta(max_length=50)] = ()
    gear: Annotated[tuple[str, ...], Meta(max_length=100)] = ()
    immune: Annotated[tuple[str, ...], Meta(max_length=50)] = ()
    traits: Annotated[tuple[str, ...], Meta(max_length=50)] = ()
    tier: Annotated[str, Meta(max_length=20)] = ""
    spares: Annotated[int, Meta(ge=0, le=99)] = 2


def check_sheet(data: dict[str, Any]) -> Sheet:
    """Read and validate a sheet; raises msgspec.ValidationError naming the field."""
    return read_checked(data, Sheet, kit.find_problems)


def count_max_hp(might: int, resolve: int, extra: int = 0) -> int:
    """Maximum Hit Points, in points.  [COS-HP-01]"""
    return 40 + 8 * might + 4 * resolve + extra


def set_health(sheet: dict[str, Any], most: int) -> dict[str, Any]:
    """A sheet with this maximum of Hit Points, which then is no figure of its tier.  RULING R57"""
    usual = count_max_hp(sheet["attributes"]["MIG"], sheet["attributes"]["RES"])
    return {**sheet, "abilities": {**sheet.get("abilities", {}), "hp": most - usual}, "tier": ""}


def make_combatant(
    who: str, name: str, side: str, data: dict[str, Any], options: dict[str, Scalar]
) -> Combatant:
    """A combatant made from a sheet: at full health unless it says otherwise, a snapshot.

    A stat block's first weapon is in hand.
    """
    sheet = check_sheet(data)
    extra = int(sheet.abilities.get("hp", 0))
    most = count_max_hp(sheet.attributes["MIG"], sheet.attributes["RES"], extra)
    minion = options.get("minion_hp", "off")
    if sheet.tier == "Minion" and minion != "off":  # RULING R57
        most = int(minion)
    hp = min(most, sheet.tracks.get("hp", most))
    return Combatant(
        id=who,
        name=name,
        side=side,
        sheet=as_plain(sheet),
        tracks={"hp": hp},
        items=_make_items(who, sheet),
        conditions=kit.make_conditions(who, hp, sheet.attributes["MIG"], sheet.conditions),
        marks={"max_hp": most},
    )


def _make_items(who: str, sheet: Sheet) -> tuple[Item, ...]:
    """The items of a combatant; a stat block's first weapon is in hand, then its shield.  RULING R59"""
    things = [kit.make_item(thing) for thing in sheet.items]
    free = kit.HANDS - sum(kit.count_hands(thing) for thing in things if thing.place == "held")
    weapons = [_weapon_item(weapon, sheet) for weapon in sheet.weapons]
    shields = [stock("shield", tables.shields()[sheet.shield])] if sheet.shield else []
    first = min(1, len(weapons))
    ready = [*hold_items([*weapons[:first], *shields], free, kit.count_hands)]
    items = [*ready[:first], *weapons[first:], *things]
    if tables.UNARMED not in (item.data.get("id") for item in items):
        items.append(_weapon_item(tables.UNARMED, sheet))
    if sheet.armor not in ("", "none"):
        items.append(stock("armor", tables.armors()[sheet.armor], "worn"))
    items += ready[first:]
    items += [_make_gear(gear) for gear in sheet.gear]
    return number_items(who, items)


def _make_gear(name: str) -> Item:
    kind, record = kit.find_gear(name)
    return stock(kind, record, loaded=record.magazine or None if kind == "weapon" else None)


def _weapon_item(weapon: str, sheet: Sheet) -> Item:
    """A weapon of the catalogue as an item; parts of the body are always in hand."""
    record = tables.weapons()[weapon]
    spares = sheet.spares if record.magazine and record.mode == "ranged" else 0
    if record.magazine == 1:
        spares *= SINGLE_SHOTS
    place = "held" if has_tag(as_plain(record), "built in") else "carried"
    return stock("weapon", record, place, loaded=record.magazine or None, spares=spares)


def attribute(combatant: Combatant, name: str) -> int:
    """An attribute in points, with its bonuses for the scene."""
    points = int(combatant.sheet["attributes"][name])
    return points + add_up(drug_terms(combatant, "might")) if name == "MIG" else points


def attribute_terms(combatant: Combatant, name: str, rule: str) -> list[Modifier]:
    """An attribute, and its bonuses for the scene as terms of their own. [COS-DRUG-05]"""
    base = Modifier(ATTRIBUTE_WORDS[name], int(combatant.sheet["attributes"][name]), rule)
    return [base, *(drug_terms(combatant, "might") if name == "MIG" else [])]


def drug_terms(combatant: Combatant, effect: str) -> list[Modifier]:
    """The changes of active drugs to one figure, one term a drug.  [COS-DRUG-05]"""
    rule = tables.drug_effects()[effect].rule
    return [
        Modifier(_drug_name(held), int(held.marks[effect]), rule)
        for held in combatant.conditions
        if held.kind == "drug" and held.marks.get(effect)
    ]


def _drug_name(held: Condition) -> Label:
    name = held.marks.get("name")
    return held.label if name is None else str(name)


def skill(combatant: Combatant, name: str) -> int:
    """A skill in points; 0 without it."""
    return int(combatant.sheet["skills"].get(name, 0))


def ability(combatant: Combatant, name: str) -> int:
    """A number from the combatant's species; 0 without it."""
    return int(combatant.sheet["abilities"].get(name, 0))


def half_skill(points: int, state: State) -> int:
    """Half a skill, rounded by the table option.  RULING R1."""
    return (points + 1) // 2 if find_option(state, "round_half_skill") == "up" else points // 2


def max_hp(combatant: Combatant) -> int:
    """Maximum Hit Points of a combatant, in points."""
    return int(combatant.marks["max_hp"])


def health_state(combatant: Combatant) -> HealthState:
    """The combatant's health state.  [COS-STATE-01]"""
    return find_health_state(combatant.tracks["hp"], int(combatant.marks["max_hp"]))


def state_penalty(combatant: Combatant) -> Modifiers:
    """The penalty of the health state on all actions.

    [COS-STATE-03] [COS-STATE-07] [COS-STATE-11] [COS-STATE-15]
    """
    band = health_state(combatant)
    if not band.action_penalty:
        return ()
    terms = (Modifier(HEALTH_WORDS[band.name], band.action_penalty, band.penalty_rule),)
    return (*terms, *_painkillers(combatant, band)) if has_condition(combatant, "drug") else terms


def _painkillers(combatant: Combatant, band: HealthState) -> Modifiers:
    """The reduction of the state's penalty by drugs, to that of a better state. [COS-DRUG-02] [COS-DRUG-03]

    RULING R41: a suppressor makes it one state better; adrenaline cancels Wounded, and no worse state that a
    suppressor treats like it.
    """
    terms, left = [], HEALTH_STATES.index(band)
    for term in drug_terms(combatant, "state_penalty_reduction"):
        better = max(0, left - term.value)
        gained = HEALTH_STATES[better].action_penalty - HEALTH_STATES[left].action_penalty
        terms.append(Modifier(term.label, gained, term.rule))
        left = better
    for held in combatant.conditions:
        if held.kind == "drug" and band.name in str(held.marks.get("ignore_state", "")):
            gained = -HEALTH_STATES[left].action_penalty
            terms.append(Modifier(_drug_name(held), gained, "COS-DRUG-02"))
            left = 0
    return tuple(term for term in terms if term.value)


def find_health(combatant: Combatant) -> Health:
    """The combatant's health in the words of the book."""
    hp, most, band = combatant.tracks["hp"], max_hp(combatant), health_state(combatant)
    dead = has_condition(combatant, "dead")
    word: Label = "health.dead" if dead else HEALTH_WORDS[band.name]
    if not dead and band is DYING and has_condition(combatant, "stable"):
        word = "health.stable"
    out = not is_conscious(combatant)
    if out and not dead and band is not DYING:
        fainted = has_condition(combatant, "unconscious")
        word = say("health.unconscious" if fainted else "health.helpless", word=word)
    level = HEALTH_STATES.index(DYING if dead else band)
    return Health(hp, most, word, share=min(1.0, max(0.0, hp / most)), level=level, is_out=out, dead=dead)


def is_conscious(combatant: Combatant) -> bool:
    """Whether a combatant has no condition that leaves no actions."""
    return not KINDS.loses(combatant, "actions")


def is_able(combatant: Combatant) -> bool:
    """Whether a combatant is conscious, present and has not surrendered."""
    return not combatant.gone and is_conscious(combatant) and not has_condition(combatant, SURRENDERED)


def speed_terms(state: State, combatant: Combatant) -> Modifiers:
    """Speed in meters, term by term: base and Coordination, flat changes, one halving.

    [COS-MOVE-01] [COS-STATE-13] [COS-STATE-17] [COS-COND-22]  RULING R2.
    """
    stopped = KINDS.find_loss(combatant, "speed")
    if stopped:
        held, rule = stopped
        return (Modifier(say("term.no_movement", condition=held.label), 0, rule),)
    push = environment.find_push(state, combatant)
    if push:
        return (push,)
    base = ability(combatant, "speed_base") or 5
    terms = [
        Modifier("term.base", base, "COS-MOVE-01"),
        Modifier("attribute.COO", attribute(combatant, "COO"), "COS-MOVE-01"),
    ]
    band = health_state(combatant)
    if band.speed_change:
        terms.append(Modifier(HEALTH_WORDS[band.name], band.speed_change, band.movement_rule))
    terms += environment.speed_changes(state, combatant)
    full = max(0, add_up(terms))
    causes = _halving_causes(state, combatant)
    if causes:
        label = say("term.halved", causes=joined(name for name, _ in causes))
        terms.append(Modifier(label, full // 2 - full, causes[0][1]))
    return tuple(terms)


def _halving_causes(state: State, combatant: Combatant) -> list[tuple[Label, str]]:
    """The causes that halve movement, as label and rule; together they halve it once.  RULING R2."""
    causes = [(term.label, term.rule) for term in KINDS.terms(combatant, "speed")]
    band = health_state(combatant)
    if band.halves_movement:
        causes.append((HEALTH_WORDS[band.name], band.movement_rule))
    return causes + environment.halving_causes(state, combatant)


def find_speed(state: State, combatant: Combatant) -> int:
    """The current Speed in meters."""
    return max(0, add_up(speed_terms(state, combatant)))


def half_speed(state: State, combatant: Combatant) -> int:
    """Half Speed in meters; a Speed already halved is not halved again.  RULING R2."""
    speed = find_speed(state, combatant)
    halved = _halving_causes(state, combatant) and not environment.find_push(state, combatant)
    return speed if halved else speed // 2


def count_quick(combatant: Combatant) -> int:
    """Quick Actions of a turn: three, and any bonus of the species. [COS-ACT-14]  RULING R24."""
    return QUICK + int(combatant.sheet["abilities"].get("extra_quick_actions", 0))


def find_abilities(record: Species) -> dict[str, Any]:
    """The figures of a species that differ from the plain human."""
    plain = msgspec.to_builtins(SpeciesAbilities())
    found = msgspec.to_builtins(record.abilities)
    return {key: value for key, value in found.items() if value != plain[key]}


def describe_abilities(record: Species) -> tuple[str, ...]:
    """The abilities of a species, in words."""
    found = find_abilities(record)
    words = [row.name.format(found[row.id]) for row in tables.abilities().values() if row.id in found]
    return (*words, f"Size: {record.size}") if record.size != "medium" else tuple(words)
