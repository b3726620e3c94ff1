"""Sheets of people, animals, robots and vehicles, and the combatants made of them."""

from __future__ import annotations

from typing import Any

from combat.rules.core.basics.checking import read_checked
from combat.rules.core.basics.data import as_plain
from combat.rules.core.declaration.characters import Health
from combat.rules.core.state.state import Combatant, Scalar, find_condition, has_condition, replace

from ..book.tables import PHYSICAL
from .conditions import LIFELESS, OUT, is_lifeless
from .goods import inventory
from .lasting import make_conditions
from .sheet_record import Sheet
from .values import BODY, FULL_DMS, count_lost, find_full, find_score, is_machine, is_out

TRACKS = ("end", "str", "dex", "int", "edu", "soc", *BODY)
HEALTH_OF_MACHINES = ("hull", "structure")
MAX_HULL_HITS = 3  # RULING R66


def check_sheet(data: dict[str, Any]) -> Sheet:
    """Read and validate a sheet; raises msgspec.ValidationError naming the field."""
    return read_checked(data, Sheet, inventory.find_problems)


def make_combatant(
    who: str, name: str, side: str, data: dict[str, Any], options: dict[str, Scalar]
) -> Combatant:
    """A combatant as its sheet has it: every track at its full score unless the sheet says otherwise.

    Every combatant has all tracks; those of other kinds are 0. RULING R1: a mark shows that wounds lower no
    DMs at this table.
    """
    sheet = check_sheet(data)
    combatant = Combatant(
        id=who,
        name=name,
        side=side,
        sheet=as_plain(sheet),
        tracks={key: sheet.tracks.get(key, sheet.attributes.get(key, 0)) for key in TRACKS},
        items=inventory.make_items(who, sheet),
        marks={FULL_DMS: True} if options.get("wounds_lower_dms") is False else {},
    )
    return replace(combatant, conditions=make_conditions(combatant, sheet.conditions))


# ---------------------------------------------------------------- health


def find_health(combatant: Combatant) -> Health:
    """The health of a combatant: points of the physical characteristics, or of Hull and Structure."""
    now, most, label = _count_points(combatant)
    word, level = _describe(combatant)
    dead = is_lifeless(combatant)
    return Health(
        now,
        most,
        word,
        share=min(1.0, now / most),
        level=level,
        is_out=is_out(combatant),
        dead=dead,
        label=label,
    )


def _count_points(combatant: Combatant) -> tuple[int, int, str]:
    """The points left, the full points, and their name; for a Hull that the third hit destroys, the hits it
    can still take.  RULING R66"""
    if hits := _count_hull_hits(combatant):
        return max(0, MAX_HULL_HITS - hits), MAX_HULL_HITS, "hits on the hull"
    keys, label = (HEALTH_OF_MACHINES, "hull and structure") if is_machine(combatant) else (PHYSICAL, "body")
    now = sum(max(0, find_score(combatant, key)) for key in keys)
    return now, max(1, sum(find_full(combatant, key) for key in keys)), label


def _count_hull_hits(combatant: Combatant) -> int:
    held = find_condition(combatant, "hull_hit")
    return held.level if held else 0


def _describe(combatant: Combatant) -> tuple[str, int]:
    """The book's word for it, and its severity from 0 to 4. [CE-DMG-10] [CE-DMG-11]"""
    for kind in (*LIFELESS[::-1], *OUT):
        if has_condition(combatant, kind):
            return f"condition.{kind}", 4
    if combatant.gone:
        return "health.gone", 4
    if is_machine(combatant):
        return _describe_machine(combatant)
    lost = [count_lost(combatant, key) for key in PHYSICAL]
    if not any(lost):
        return "health.unhurt", 0
    if all(lost):
        return "health.seriously_wounded", 3
    return "health.wounded", 1 if find_score(combatant, "end") > 0 else 2


def _describe_machine(combatant: Combatant) -> tuple[str, int]:
    hits = _count_hull_hits(combatant)
    if count_lost(combatant, "structure") or hits > 1:
        return "health.breached", 3
    if hits:
        return "health.damaged", 1
    if count_lost(combatant, "hull"):
        return "health.damaged", 1 if find_score(combatant, "hull") > 0 else 2
    return "health.intact", 0
