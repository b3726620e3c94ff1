"""The conditions of the game: `conditions.toml` says what each does, and the rules ask here.

`KINDS` answers what someone loses, what bars them, what changes a number and what ends. vehicles/ has the
damage to the parts of machines.
"""

from __future__ import annotations

from pathlib import Path

from combat.rules.core.book.conditions import load_conditions
from combat.rules.core.state.state import Combatant, Condition, has_condition, replace

KINDS = load_conditions(Path(__file__).parents[1] / "conditions.toml")
SHORT_TEXTS = {  # in the quick rules the first two hits on a part have no effect  [CS-VLOC-10]
    "drive_hit": "The third: it no longer moves.",
    "weapon_hit": "The third destroys it.",
    "sensors_hit": "The third destroys them: blind.",
}
SHORT_KINDS = KINDS | {key: replace(KINDS[key], text=text) for key, text in SHORT_TEXTS.items()}
OUT, DEAD, LIFELESS, SCRAP = map(KINDS.tagged, ("out", "dead", "lifeless", "scrap"))
HELPLESS, BUSY, HELD, STALLS = map(KINDS.tagged, ("helpless", "busy", "hold", "stall"))
UNFIT, IMMOBILE = map(KINDS.tagged, ("unfit", "immobile"))
LOW, CRAWLING, CREEPING, LIMPING = map(KINDS.tagged, ("low", "crawls", "creeps", "limps"))
REACTION_SPAN = KINDS.ended_by("reaction span")
ADDS_UP = "adds up"


def is_dead(combatant: Combatant) -> bool:
    """Whether someone is dead; a machine never is."""
    return has_condition(combatant, *DEAD)


def is_scrap(combatant: Combatant) -> bool:
    """Whether a machine is a wreck or has exploded."""
    return has_condition(combatant, *SCRAP)


def is_lifeless(combatant: Combatant) -> bool:
    """Whether someone is dead, or a machine scrap."""
    return has_condition(combatant, *LIFELESS)


def is_busy(combatant: Combatant) -> bool:
    """Whether someone is on an extended action. [CE-OTHER-06]"""
    return has_condition(combatant, *BUSY)


def is_held(combatant: Combatant) -> bool:
    """Whether someone is in a grapple. [CE-GRAP-14]"""
    return has_condition(combatant, *HELD)


def is_low(combatant: Combatant) -> bool:
    """Whether someone is crouched or prone."""
    return has_condition(combatant, *LOW)


def crawls(combatant: Combatant) -> bool:
    """Whether someone is prone, and so crawls. RULING R35"""
    return has_condition(combatant, *CRAWLING)


def creeps(combatant: Combatant) -> bool:
    """Whether someone moves at half speed. [CE-MINOR-19] [CE-STANCE-03]"""
    return has_condition(combatant, *CREEPING)


def limps(combatant: Combatant) -> bool:
    """Whether someone is seriously wounded, and so limps. [CE-INJ-04]"""
    return has_condition(combatant, *LIMPING)


def takes(held: Condition, pool: str) -> bool:
    """Whether a condition takes the actions of a pool from a turn."""
    row = KINDS.find_row(held)
    return row is not None and pool in row.takes
