"""Sheets, and every number derived from one: attributes, hands, features, health."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from combat.rules.core.basics.checking import read_checked
from combat.rules.core.basics.data import as_plain, convert, read_json
from combat.rules.core.basics.memory import remember
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.declaration.characters import DAY, FIGHT, SESSION, Health, Use
from combat.rules.core.sheets.kit import hold_items, number_items, stock
from combat.rules.core.sheets.sheets import SheetBase
from combat.rules.core.state.state import (
    Combatant,
    Condition,
    Item,
    Scalar,
    State,
    find_condition,
    has_condition,
    replace,
)

from ..book import tables
from ..book.options import find_option
from ..book.tables import (
    BASE_VALUE,
    CHECK_FROM,
    HANDS,
    VALUE_ATTRIBUTES,
    VALUE_RULES,
    Consumable,
    Feature,
    Thing,
    Weapon,
)
from . import catalogue
from .conditions import ACTIONS, KINDS, OUT, STOPPED, terms_of

ATTRIBUTES = {"str": "Str", "dex": "Dex", "int": "Int", "prs": "Prs"}
TERMS = {"str": "term.str", "dex": "term.dex", "int": "term.int", "prs": "term.prs"}
LOWEST, HIGHEST = -5, 12
MAX_DICE = 12  # two sixes


class Sheet(SheetBase, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A character of this game: attributes, skills (each worth +1), and gear.

    Stat blocks name weapons, armor (`wears`) and `gear` by their ids; characters have `items`, each with what
    is left in it. `xp` is total XP; a `named` opponent makes its checks even where opponents simply drop.
    """

    attributes: dict[str, Annotated[int, Meta(ge=LOWEST, le=HIGHEST)]]
    skills: Annotated[tuple[str, ...], Meta(max_length=60)] = ()
    background: Annotated[str, Meta(max_length=60)] = ""
    features: Annotated[tuple[str, ...], Meta(max_length=50)] = ()
    weapons: Annotated[tuple[str, ...], Meta(max_length=50)] = ()
    gear: Annotated[tuple[str, ...], Meta(max_length=100)] = ()
    wears: Annotated[str, Meta(max_length=60)] = ""
    natural_armor: Annotated[int, Meta(ge=-20, le=20)] = 0
    natural_resistance: Annotated[int, Meta(ge=-20, le=20)] = 0
    immune: Annotated[tuple[str, ...], Meta(max_length=50)] = ()
    xp: Annotated[int, Meta(ge=0, le=999)] = 0
    luck: Annotated[int, Meta(ge=0, le=99)] = 0
    money: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 0
    named: bool = False
    notes: Annotated[tuple[str, ...], Meta(max_length=50)] = ()


def check_sheet(data: dict[str, Any]) -> Sheet:
    """Read and validate a sheet; raises msgspec.ValidationError naming the field."""
    return read_checked(data, Sheet, catalogue.find_problems)


def make_combatant(
    who: str, name: str, side: str, data: dict[str, Any], options: dict[str, Scalar]
) -> Combatant:
    """The combatant of a sheet, undamaged unless the sheet says otherwise.  [SS-DMG-01]

    A stat block's first weapons are in its hands.
    """
    sheet = check_sheet(data)
    return Combatant(
        id=who,
        name=name,
        side=side,
        sheet=as_plain(sheet),
        tracks={"damage": sheet.tracks.get("damage", 0), "luck": sheet.tracks.get("luck", sheet.luck)},
        items=_make_items(who, sheet, options.get("two_handed") == "ignored"),
        conditions=catalogue.make_conditions(who, sheet.conditions),
    )


def _make_items(who: str, sheet: Sheet, ignore_hands: bool) -> tuple[Item, ...]:
    weapons = map(weapon_item, sheet.weapons)
    items = [*hold_items(weapons, HANDS, lambda item: count_hands(item, ignore_hands))]
    items += [catalogue.make_item(thing) for thing in sheet.items]
    if tables.UNARMED not in (item.data.get("id") for item in items):
        items.append(replace(weapon_item(tables.UNARMED), place="held"))
    if sheet.wears:
        items.append(stock("armor", tables.armors()[sheet.wears], "worn"))
    items += [stock(*catalogue.find_gear(name), count=number) for name, number in Counter(sheet.gear).items()]
    return number_items(who, items)


def weapon_item(weapon: str) -> Item:
    """A weapon of the catalogue as an item; one that needs loading starts loaded.  RULING R46"""
    record = tables.weapons()[weapon]
    return stock("weapon", record, loaded=record.magazine or None)


@remember
def read_weapon(item: Item) -> Weapon:
    """The catalogue record inside a weapon, as at the start of the fight."""
    return convert(item.data, Weapon)


def read_dose(item: Item) -> Consumable:
    """The catalogue record inside a consumable."""
    return convert(item.data, Consumable)


def write_payload(item: Item) -> str:
    """A dose as a weapon stores it: by its id, or a custom one as the whole record."""
    dose = read_dose(item)
    return dose.id if tables.consumables().get(dose.id) == dose else msgspec.json.encode(dose).decode()


def read_payload(payload: str) -> Consumable:
    """The dose stored in a weapon."""
    if payload.startswith("{"):
        return read_json(payload, Consumable)
    return tables.consumables()[payload]


def read_thing(item: Item) -> Thing:
    """The catalogue record inside another item."""
    return convert(item.data, Thing)


def count_hands(item: Item, ignored: bool = False) -> int:
    """The hands an item takes while held.  RULING R13 R16: parts of the body take none."""
    if item.kind == "weapon":
        hands = int(item.data["hands"])
        return min(1, hands) if ignored else hands
    return 1


def attribute_terms(combatant: Combatant, key: str, rule: str) -> Modifiers:
    """An attribute in points, with temporary modifiers."""
    own = Modifier(TERMS[key], int(combatant.sheet["attributes"][key]), rule)
    return (own, *terms_of(combatant, key)) if combatant.conditions else (own,)


def attribute(combatant: Combatant, key: str) -> int:
    """The current value of an attribute, in points."""
    return add_up(attribute_terms(combatant, key, ""))


def has_skill(combatant: Combatant, *names: str) -> str:
    """The first of these skills the combatant has; empty if none.  [SS-ATK-05]"""
    return next((name for name in names if name in combatant.sheet["skills"]), "")


def features_of(combatant: Combatant) -> list[Feature]:
    """The combatant's features, including those of its background, as records."""
    names, background = combatant.sheet["features"], combatant.sheet["background"]
    known = tables.features()
    own = [row for row in known.values() if row.background and row.background == background]
    return [*own, *(known[name] for name in names if known[name] not in own)]


def is_immune(combatant: Combatant, kind: str) -> bool:
    """Whether a combatant is immune to a condition, by nature or implant."""
    return kind in combatant.sheet["immune"] or any(f.immune == kind for f in features_of(combatant))


def damage_of(combatant: Combatant) -> int:
    """The Damage Taken box, in points.  [SS-DMG-03]"""
    return combatant.tracks["damage"]


def find_least(combatant: Combatant) -> dict[str, int]:
    """The damage with which someone comes back: below that which calls for a check."""
    return {"damage": min(damage_of(combatant), CHECK_FROM - 1)}


def is_conscious(combatant: Combatant) -> bool:
    """Whether a combatant is present and awake."""
    return not (combatant.gone or has_condition(combatant, *OUT))


def is_stopped(combatant: Combatant) -> bool:
    """Whether a condition keeps an awake combatant from acting.  RULING R40"""
    return find_stop(combatant) is not None


def find_stop(combatant: Combatant) -> Condition | None:
    """The condition that keeps an awake combatant from acting, if any.  RULING R40"""
    if held := find_condition(combatant, *STOPPED):
        return held
    lost = KINDS.find_loss(combatant, "actions")
    return lost[0] if lost else None


def is_able(combatant: Combatant) -> bool:
    """Whether a combatant can act: awake and not stopped."""
    return is_conscious(combatant) and not is_stopped(combatant)


def find_health(combatant: Combatant) -> Health:
    """The health of a combatant, by total damage.  [SS-DMG-03]

    `most` is the damage at which two sixes still pass the check.
    """
    damage, strength = damage_of(combatant), attribute(combatant, "str")
    most = max(CHECK_FROM, MAX_DICE + strength)
    share = min(1.0, max(0.0, 1 - damage / most))
    dead = has_condition(combatant, "dead")
    word, level = _describe_damage(combatant, damage, damage - strength)
    return Health(
        damage,
        most,
        word,
        share=share,
        level=level,
        is_out=not is_conscious(combatant),
        dead=dead,
        label="damage",
        rises=True,
    )


def _describe_damage(combatant: Combatant, damage: int, needed: int) -> tuple[str, int]:
    for kind in reversed(OUT):
        if has_condition(combatant, kind):
            return f"condition.{kind}", 4
    if combatant.gone:
        return "health.gone", 4
    if damage < CHECK_FROM:
        return ("health.unhurt", 0) if damage <= 0 else ("health.hurt", 1)
    return ("health.shaken", 2) if needed <= CHECK_FROM else ("health.reeling", 3)


def find_uses() -> tuple[Use, ...]:
    """Luck, features that work once, and one consumable a day.  RULING R37, RULING R47"""
    once = (feature for feature in tables.features().values() if feature.again or feature.adds)
    return (
        Use("luck", "Luck", SESSION, "SS-ACT-02", track=True),
        Use("dosed", "Consumable", DAY, "SS-OTHER-24"),
        *(Use(f"used {f.id}", f.name, FIGHT if f.each_fight else SESSION, "SS-ATK-03") for f in once),
    )


# Armor and Resistance, term by term. There are no other values. [SS-DEF-01]


def worn_armor(combatant: Combatant) -> Item | None:
    """The armor a combatant wears."""
    return next((i for i in combatant.items if i.kind == "armor" and i.place == "worn"), None)


def value_terms(state: State, combatant: Combatant, value: str) -> Modifiers:
    """Every current term of Armor or Resistance.

    [SS-DEF-03] [SS-DEF-05] 7 and the better of two attributes; [SS-DEF-07] gear, actions and conditions
    change it. [SS-DEF-02] [SS-DEF-04] The weapon decides which of the two an attack is against.
    """
    return (
        Modifier("term.base", BASE_VALUE, VALUE_RULES[value]),
        *_base_terms(state, combatant, value),
        *_defensive_actions(state, combatant, value),
        *terms_of(combatant, value),
    )


def _base_terms(state: State, combatant: Combatant, value: str) -> list[Modifier]:
    """The better attribute, nature, worn armor and held shields. [SS-DEF-07]

    RULING R30: armor raises attributes at some tables, and the value at others; shields count on top.
    """
    worn = worn_armor(combatant)
    raises = find_option(state, "armor_conversion") != "flat"
    raised = tuple(worn.data["raises"]) if worn and raises else ()
    best = max(VALUE_ATTRIBUTES[value], key=lambda key: attribute(combatant, key) + (key in raised))
    terms = [*attribute_terms(combatant, best, VALUE_RULES[value])]
    if worn and best in raised:
        terms.append(Modifier(worn.name, 1, "SS-DEF-07"))
    natural = int(combatant.sheet[f"natural_{value}"])
    if natural:
        terms.append(Modifier("term.natural", natural, "SS-DEF-07"))
    if worn and worn.data[value] and not raised:
        terms.append(Modifier(worn.name, int(worn.data[value]), "SS-DEF-07"))
    if value == "armor":
        held = [item for item in combatant.items if item.place == "held" and item.data.get("armor")]
        terms += [Modifier(item.name, int(item.data["armor"]), "SS-DEF-07") for item in held]
    return terms


def _defensive_actions(state: State, combatant: Combatant, value: str) -> list[Modifier]:
    """RULING R20: The two actions of a pair do not add up. [SS-OTHER-20] [SS-OTHER-21]"""
    terms = terms_of(combatant, ACTIONS[value])
    return terms if find_option(state, "defense_stacking") == "yes" else terms[:1]
