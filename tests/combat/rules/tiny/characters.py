"""People: the sheet, the combatant that it becomes, health, and the numbers of a combatant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from combat.rules.core.basics.checking import read_checked
from combat.rules.core.basics.data import as_plain
from combat.rules.core.basics.modifiers import Derived, Modifier
from combat.rules.core.book.conditions import load_conditions
from combat.rules.core.declaration.characters import Health
from combat.rules.core.sheets.kit import make_conditions
from combat.rules.core.sheets.sheets import Offer, SheetBase, Stat
from combat.rules.core.sheets.simple_creation import SimpleCreation, fill_tracks
from combat.rules.core.state.state import Combatant, Scalar, State, has_condition

KINDS = load_conditions(Path(__file__).parent / "conditions.toml")
HEALTH = ("health.fresh", "health.hurt", "health.badly_hurt", "health.near_the_end", "health.down")


class Sheet(SheetBase, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A duelist. Every number that people set is a field; `CREATION` has its bounds."""

    skill: int = 1
    hits: int = 6


CREATION = SimpleCreation(
    stats=(
        Stat(key="skill", label="Skill", high=5, first_high=4, usual=1, rule="TINY-NEW-01",
             offers=(Offer("Roll", "check"),)),
        Stat(key="hits", label="HP", low=1, high=20, first_low=4, first_high=12, usual=6,
             rule="TINY-NEW-01"),
    ),
    prices={"skill": 2},
    points=8,
    points_word="term.new_duelist",
    rule="TINY-NEW-01",
)  # fmt: skip


def make_combatant(
    who: str, name: str, side: str, data: dict[str, Any], options: dict[str, Scalar]
) -> Combatant:
    """The combatant of a sheet, which it keeps as plain data."""
    sheet = read_checked(data, Sheet, CREATION.find_problems)
    tracks = fill_tracks(sheet, {"hits": sheet.hits})
    held = make_conditions(who, sheet.conditions, KINDS)
    return Combatant(who, name, side, as_plain(sheet), tracks, conditions=held)


def find_health(combatant: Combatant) -> Health:
    """How a combatant is. [TINY-COND-02]"""
    now, most = combatant.tracks["hits"], int(combatant.sheet["hits"])
    out, share = has_condition(combatant, "down"), min(1.0, max(0.0, now / most))
    level = 4 if out else min(3, int(4 * (1 - share)))
    return Health(now, most, HEALTH[level], share, level, out)


def describe_combatant(state: State, combatant: Combatant) -> tuple[Derived, ...]:
    """The numbers that follow from a sheet now, each with its terms."""
    skill = int(combatant.sheet["skill"])
    return (Derived("Skill", skill, (Modifier("term.skill", skill, "TINY-STR-01"),), "TINY-STR-01"),)


def summarize(sheet: dict[str, Any]) -> str:
    """A sheet in one line."""
    return f"Skill {sheet.get('skill', 1)}, {sheet.get('hits', 6)} HP"
