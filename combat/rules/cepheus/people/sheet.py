"""Sheets of people, animals, robots and vehicles, and the combatants made of them."""

from __future__ import annotations

from typing import Any

from combat.rules.core.basics.checking import read_checked
from combat.rules.core.basics.data import as_plain
from combat.rules.core.basics.memory import Seen, remember_by
from combat.rules.core.state.state import Combatant, Scalar, find_condition, has_condition, replace
from combat.rules.core.system import Health

from ..book.tables import PHYSICAL
from . import inventory
from .conditions import OUT
from .lasting import make_conditions
from .sheet_record import Sheet
from .values import BODY, FULL_DMS, count_lost, find_full, find_score, is_machine

TRACKS = ("end", "str", "dex", "int", "edu", "soc", *BODY)
HEALTH_OF_MACHINES = ("hull", "structure")
MAX_HULL_HITS = 3  # RULING R66


def check_sheet(data: dict[str, Any]) -> Sheet:
    """Read and validate a sheet; raises msgspec.ValidationError naming the field."""
    return read_checked(data, Sheet, inventory.find_problems)


def make_combatant(
    who: str, name: str, side: str, data: dict[str, Any], options: dict[str, Scalar]
) -> Combatant:
    """A fighter as its sheet has it: every track at its full score unless the sheet says otherwise.

    Everybody has all tracks; those that are not theirs stand at 0. RULING R1: who fights at a table
    where wounds lower no DMs is marked so.
    """
    sheet = check_sheet(data)
    fighter = Combatant(
        id=who,
        name=name,
        side=side,
        sheet=as_plain(sheet),
        tracks={key: sheet.tracks.get(key, sheet.attributes.get(key, 0)) for key in TRACKS},
        items=inventory.make_items(who, sheet),
        marks={FULL_DMS: True} if options.get("wounds_lower_dms") is False else {},
    )
    return replace(fighter, conditions=make_conditions(fighter, sheet.conditions))


# ---------------------------------------------------------------- health


def _look_for_health(fighter: Combatant) -> Seen:
    return (fighter.sheet, fighter.tracks, fighter.conditions), fighter.gone


@remember_by(_look_for_health)
def find_health(fighter: Combatant) -> Health:
    """How a fighter is: points of the physical characteristics, or of Hull and Structure."""
    now, most, label = _count_points(fighter)
    word, level = _describe(fighter)
    out = fighter.gone or has_condition(fighter, *OUT)
    dead = has_condition(fighter, "dead", "wreck", "destroyed")
    return Health(now, most, word, min(1.0, now / most), level, out, dead, label)


def _count_points(fighter: Combatant) -> tuple[int, int, str]:
    """What is left, out of how much, and what that is; of a Hull that is destroyed by its third hit those
    that it can still take.  RULING R66"""
    if hits := _count_hull_hits(fighter):
        return max(0, MAX_HULL_HITS - hits), MAX_HULL_HITS, "hits on the hull"
    keys, label = (HEALTH_OF_MACHINES, "hull and structure") if is_machine(fighter) else (PHYSICAL, "body")
    now = sum(max(0, find_score(fighter, key)) for key in keys)
    return now, max(1, sum(find_full(fighter, key) for key in keys)), label


def _count_hull_hits(fighter: Combatant) -> int:
    held = find_condition(fighter, "hull_hit")
    return held.level if held else 0


def _describe(fighter: Combatant) -> tuple[str, int]:
    """[CE-DMG-10] [CE-DMG-11] The book's word, and how bad that is from 0 to 4."""
    for kind in reversed(OUT):
        if has_condition(fighter, kind):
            return f"condition.{kind}", 4
    if fighter.gone:
        return "health.gone", 4
    if is_machine(fighter):
        return _describe_machine(fighter)
    lost = [count_lost(fighter, key) for key in PHYSICAL]
    if not any(lost):
        return "health.unhurt", 0
    if all(lost):
        return "health.seriously_wounded", 3
    return "health.wounded", 1 if find_score(fighter, "end") > 0 else 2


def _describe_machine(fighter: Combatant) -> tuple[str, int]:
    hits = _count_hull_hits(fighter)
    if count_lost(fighter, "structure") or hits > 1:
        return "health.breached", 3
    if hits:
        return "health.damaged", 1
    if count_lost(fighter, "hull"):
        return "health.damaged", 1 if find_score(fighter, "hull") > 0 else 2
    return "health.intact", 0
