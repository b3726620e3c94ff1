"""Sheets, and the combatant that a sheet becomes: ranks, parts of the body, items, health."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta

from combat.rules.core.basics.checking import read_checked
from combat.rules.core.basics.data import as_plain, convert
from combat.rules.core.basics.memory import remember
from combat.rules.core.declaration.characters import Health
from combat.rules.core.sheets.kit import number_items, stock
from combat.rules.core.sheets.sheets import SheetBase, Word
from combat.rules.core.state.state import Combatant, Item, Scalar, has_condition, replace

from ..book import tables
from ..book.tables import HANDS, LIMBS, PLACES, UNARMED, Weapon
from . import catalogue
from .conditions import KINDS, OUT, STOPPED
from .values import count_mp, find_mp, find_mp_most

UNABLE = (*OUT, *STOPPED)
HIGHEST = 60  # ranks
Rank = Annotated[int, Meta(ge=0, le=HIGHEST)]
Names = Annotated[tuple[str, ...], Meta(max_length=50)]
MP = Annotated[int, Meta(ge=1, le=9999)]


class Sheet(SheetBase, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A character of this game.

    `ranks` are those of any attribute, aspect or skill; `own` gives the kind of each name that the table
    added. `mortality` are Mortality Points that the table typed. The others are worked out and stored in
    `computed` when the character joins a fight. Stat blocks name weapons, armor (`wears`), shields and `gear`
    by their ids; characters have `items`. `footing` is the percentage of a move that this character keeps.
    """

    ranks: Annotated[dict[Word, Rank], Meta(max_length=120)]
    own: dict[Word, Literal["attribute", "aspect", "skill"]] = {}
    mortality: dict[str, MP] = {}
    computed: dict[str, MP] = {}
    natural_armor: dict[str, Annotated[int, Meta(ge=0, le=99)]] = {}
    initiative: Annotated[int, Meta(ge=-20, le=20)] = 0
    footing: Annotated[int, Meta(ge=0, le=500)] = 100
    hand: Literal["right", "left"] = "right"
    weapons: Names = ()
    wears: Names = ()
    shields: Names = ()
    gear: Names = ()


def check_sheet(data: dict[str, Any]) -> Sheet:
    """Read and validate a sheet; raises msgspec.ValidationError naming the field."""
    return read_checked(data, Sheet, catalogue.find_problems)


def make_combatant(
    who: str, name: str, side: str, data: dict[str, Any], options: dict[str, Scalar]
) -> Combatant:
    """The combatant of a sheet: unhurt unless the sheet says otherwise, armed, its points worked out.

    RULING R20: Mortality Points follow from Health by the table's factors at the moment it joins.
    """
    sheet = check_sheet(data)
    computed = find_points(sheet, options)
    most = {**computed, **sheet.mortality}
    tracks = find_tracks(sheet, most)
    return Combatant(
        id=who,
        name=name,
        side=side,
        sheet={**as_plain(sheet), "computed": computed},
        tracks=tracks,
        items=_make_items(who, sheet),
        conditions=catalogue.make_conditions(who, sheet.conditions, tracks, most),
    )


def find_points(sheet: Sheet, options: Mapping[str, Scalar]) -> dict[str, int]:
    """The Mortality Points by Health; without a factor, the earlier ones stay.  RULING R20"""
    told = any(key.startswith("mortality_") for key in options)
    if sheet.computed and not told:
        return dict(sheet.computed)
    return {place: count_mp(sheet.ranks["health"], place, options) for place in PLACES}


def find_tracks(sheet: Sheet, most: Mapping[str, int]) -> dict[str, int]:
    """The tracks: points of each part, Toughness and Fatigue."""
    full = {f"mp.{place}": most[place] for place in PLACES}
    full["toughness"] = sheet.ranks["toughness"]
    kept = {key: min(value, full.get(key, value)) for key, value in sheet.tracks.items()}
    return {**full, "fatigue": 0, **kept}


# ---------------------------------------------------------------- items


def _make_items(who: str, sheet: Sheet) -> tuple[Item, ...]:
    """Weapons first, so that a sheet update finds their places; then other items, armor, shields, gear."""
    items = [weapon_item(weapon) for weapon in sheet.weapons]
    items += [catalogue.make_item(thing) for thing in sheet.items]
    if UNARMED not in (item.data.get("id") for item in items):
        items.append(weapon_item(UNARMED))
    items += [stock("armor", tables.armors()[name], "worn") for name in sheet.wears]
    items += [stock("shield", tables.shields()[name]) for name in sheet.shields]
    items += [stock("item", tables.things()[name], count=n) for name, n in Counter(sheet.gear).items()]
    return tuple(_put_in_hands([*number_items(who, items)], len(sheet.weapons)))


def weapon_item(weapon: str) -> Item:
    """A weapon of the catalogue as an item; parts of the body are always ready."""
    item = stock("weapon", tables.weapons()[weapon])
    return item if item.data["hands"] else replace(item, place="held")


def _put_in_hands(items: list[Item], weapons: int) -> list[Item]:
    """The items with a stat block's shield and first weapons in its hands.  RULING R45"""
    free = HANDS - sum(int(i.data.get("hands", 1)) for i in items if i.place == "held")
    ready = [*(i for i in items[:weapons] if i.data["hands"])][:1]
    for item in (*ready, *(i for i in items if i.kind == "shield")):
        hands = int(item.data.get("hands", 1))
        if hands <= free and item.place == "carried":
            items[items.index(item)] = replace(item, place="held")
            free -= hands
    return items


@remember
def read_weapon(item: Item) -> Weapon:
    """The catalogue record inside a weapon, as at the start of the fight."""
    return convert(item.data, Weapon)


# ---------------------------------------------------------------- health


def is_conscious(combatant: Combatant) -> bool:
    """Whether a combatant is present, awake and not exhausted."""
    return not (combatant.gone or has_condition(combatant, *OUT))


def is_able(combatant: Combatant) -> bool:
    """Whether a combatant can act: awake and not stopped.  [CG-STUN-01]"""
    return not (combatant.gone or has_condition(combatant, *UNABLE))


def find_health(combatant: Combatant) -> Health:
    """The health of a combatant: all Mortality Points together, and the word of its worst state.

    The bar is that of head, torso or the whole body, whichever is worst; of a part it names the part.
    """
    most = {place: find_mp_most(combatant, place) for place in PLACES}
    now = {place: find_mp(combatant, place) for place in PLACES}
    points = (sum(now.values()), sum(most.values()))
    worst = min((tables.HEAD, tables.TORSO), key=lambda place: now[place] / most[place])
    of_part, of_all = now[worst] / most[worst], points[0] / points[1]
    part = (f"place.{worst}", now[worst], most[worst]) if of_part < of_all else None
    share = min(1.0, max(0.0, min(of_part, of_all)))
    crippled = bool([limb for limb in LIMBS if 2 * (most[limb] - now[limb]) >= most[limb]])
    word, level = _describe(combatant, points[0] < points[1], crippled)
    dead = has_condition(combatant, "dead")
    return Health(
        *points,
        word=word,
        share=share,
        level=level,
        is_out=not is_conscious(combatant),
        dead=dead,
        label="Mortality Points",
        part=part,
    )


def _describe(combatant: Combatant, hurt: bool, crippled: bool) -> tuple[str, int]:
    if has_condition(combatant, *OUT):
        return next(f"condition.{kind}" for kind in reversed(OUT) if has_condition(combatant, kind)), 4
    if combatant.gone:
        return "health.gone", 4
    if has_condition(combatant, *KINDS.tagged("maims")):
        return "health.maimed", 3
    if crippled:
        return "health.crippled", 2
    return ("health.hurt", 1) if hurt else ("health.unhurt", 0)
