"""Items and conditions of a sheet as a combatant has them, and their problems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from combat.rules.core.basics.checking import Problem
from combat.rules.core.basics.words import Label, say
from combat.rules.core.sheets.kit import Kit
from combat.rules.core.sheets.sheets import Lasting
from combat.rules.core.state.state import Condition, Scalar

from ..book import tables
from ..book.tables import HANDS, LIMBS, PLACES
from .catalogue import CATALOGUE
from .conditions import KINDS

# Conditions that last beyond a fight. Those of the body follow from its Mortality Points.
LASTING = KINDS.tagged("lasting")
MP_TRACKS = tuple(f"mp.{place}" for place in PLACES)
KIT = Kit(
    catalogue=CATALOGUE,
    lasting=LASTING,
    lists=(
        ("weapons", "weapon", tables.weapons()),
        ("wears", "armor", tables.armors()),
        ("shields", "shield", tables.shields()),
        ("gear", "gear", tables.things()),
    ),
    tracks=(*MP_TRACKS, "toughness", "fatigue"),
    hands=HANDS,
)
make_item = KIT.make_item
NEEDED = ("body", "coordination", "health", "toughness", "spirit", "perception")


def find_problems(sheet: dict[str, Any]) -> tuple[Problem, ...]:
    """The problems that a sheet's type does not catch: missing ranks, unknown parts and items."""
    return KIT.find_problems(sheet, _rank_problems(sheet), _part_problems(sheet))


def _rank_problems(sheet: dict[str, Any]) -> Iterator[Problem]:
    """The problems of ranks: missing Attributes that the rules read, and own names that the game has."""
    ranks = sheet["ranks"]
    yield from (Problem(f"ranks.{key}", "is missing") for key in NEEDED if key not in ranks)
    for key in ("health", "toughness"):
        if ranks.get(key, 1) < 1:
            yield Problem(f"ranks.{key}", "must be at least 1")
    known = (*tables.attributes(), *tables.aspects(), *tables.skills())
    for key in sheet["own"]:
        if key in known:
            yield Problem(f"own.{key}", "is a name of the game already")


def _part_problems(sheet: dict[str, Any]) -> Iterator[Problem]:
    for field in ("mortality", "natural_armor", "computed"):
        for key in sheet[field]:
            if key not in PLACES:
                yield Problem(f"{field}.{key}", f"must be one of: {', '.join(PLACES)}")


# ---------------------------------------------------------------- in a fight


def make_conditions(
    who: str, held: tuple[Lasting, ...], tracks: Mapping[str, int], most: Mapping[str, int]
) -> tuple[Condition, ...]:
    """The conditions a combatant starts with: those of the sheet and of its Mortality Points.

    [CG-LIMB-01] [CG-LIMB-03] Limbs disabled or destroyed, which no longer bleed between fights; [CG-HEAD-01]
    [CG-TORSO-01] half of head or torso lost.  RULING R25
    """
    dead = any(lasting.kind == "dead" for lasting in held)
    wanted: list[tuple[str, str]] = [("dead", "")] if dead else []
    for place in PLACES:
        now, full = tracks[f"mp.{place}"], most[place]
        if 2 * (full - now) >= full:
            wanted += _find_wounds(place, now, dead)
    return tuple(_make(f"{who}-c{n}", kind, place) for n, (kind, place) in enumerate(wanted, 1))


def _find_wounds(place: str, now: int, dead: bool) -> list[tuple[str, str]]:
    """The states of a part that has lost half or more; with nothing left of head or torso, death."""
    row = tables.locations()[place]
    kind = row.half if now else row.zero
    if kind in ("dead", "unconscious"):
        return [] if dead else [(kind, place), ("prone", "")]
    return [(kind, place)]


def _make(condition_id: str, kind: str, place: str) -> Condition:
    known, marks = KINDS[kind], dict[str, Scalar]()
    label: Label = f"condition.{kind}"
    if place in LIMBS:
        marks = {"part": place, "cause": "points"}
        label = say(f"limb.{kind}", part=f"place.{place}")
        if kind == "destroyed":
            marks["how"] = "crushed"
            label = say("limb.lost", part=f"place.{place}", how="how_lost.crushed")
    elif kind == "dead":
        marks = {"cause": place}
    elif place:
        marks = {"cause": "points"}
    return Condition(condition_id, kind, label, known.rule, marks=marks)
