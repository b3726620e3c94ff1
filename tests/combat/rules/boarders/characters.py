"""People: the sheet, the combatant that it becomes, health, and the numbers of a combatant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from combat.rules.core.basics.checking import read_checked
from combat.rules.core.basics.data import as_plain
from combat.rules.core.basics.modifiers import Derived, Modifier, Modifiers
from combat.rules.core.book.conditions import load_conditions
from combat.rules.core.declaration.characters import Health
from combat.rules.core.sheets.kit import make_conditions
from combat.rules.core.sheets.sheets import Offer, SheetBase, Stat
from combat.rules.core.sheets.simple_creation import SimpleCreation, fill_tracks
from combat.rules.core.state.state import Combatant, Scalar, State, has_condition

KINDS = load_conditions(Path(__file__).parent / "conditions.toml")
HEALTH = ("health.fresh", "health.hurt", "health.badly_hurt", "health.near_the_end", "health.down")
SCORES = ("shoot", "fight", "nimble", "aid")


class Sheet(SheetBase, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A boarder. Every number that people set is a field; `CREATION` has its bounds."""

    shoot: int = 10
    fight: int = 10
    nimble: int = 10
    aid: int = 8
    hits: int = 10
    armor: int = 1
    grenades: int = 1


def _score(key: str, usual: int = 10) -> Stat:
    return Stat(
        key=key,
        label=key.capitalize(),
        low=3,
        high=16,
        first_low=8,
        first_high=14,
        usual=usual,
        rule="BRD-NEW-01",
        offers=(Offer("Roll", key),),
    )


CREATION = SimpleCreation(
    stats=(
        _score("shoot"),
        _score("fight"),
        _score("nimble"),
        _score("aid", 8),
        Stat(key="hits", label="HP", low=1, high=30, first_low=8, first_high=16, usual=10, rule="BRD-NEW-01"),
        Stat(key="armor", label="Armor", high=6, first_high=4, usual=1, rule="BRD-NEW-01"),
        Stat(key="grenades", label="Grenades", high=6, first_high=2, usual=1, rule="BRD-GREN-01"),
    ),
    prices={"armor": 2},
    points=20,
    points_word="term.new_boarder",
    rule="BRD-NEW-01",
    lasting=("bleeding",),
)


def make_combatant(
    who: str, name: str, side: str, data: dict[str, Any], options: dict[str, Scalar]
) -> Combatant:
    """The combatant of a sheet, which it keeps as plain data."""
    sheet = read_checked(data, Sheet, CREATION.find_problems)
    tracks = fill_tracks(sheet, {"hits": sheet.hits, "grenades": sheet.grenades})
    held = make_conditions(who, sheet.conditions, KINDS)
    return Combatant(who, name, side, as_plain(sheet), tracks, conditions=held)


def find_health(combatant: Combatant) -> Health:
    """How a combatant is. [BRD-COND-04]"""
    now, most = combatant.tracks["hits"], int(combatant.sheet["hits"])
    out, share = has_condition(combatant, "down"), min(1.0, max(0.0, now / most))
    level = 4 if out else min(3, int(4 * (1 - share)))
    return Health(now, most, HEALTH[level], share, level, out)


def score_terms(combatant: Combatant, key: str) -> Modifiers:
    """A score with what changes all checks of someone. [BRD-CHECK-01] [BRD-COND-02]"""
    score = Modifier(f"term.{key}", int(combatant.sheet[key]), "BRD-CHECK-01")
    return (score, *KINDS.terms(combatant, "checks"))


def describe_combatant(state: State, combatant: Combatant) -> tuple[Derived, ...]:
    """The numbers that follow from a sheet now, each with its terms."""
    return tuple(
        Derived(key.capitalize(), sum(term.value for term in terms), terms, "BRD-CHECK-01")
        for key, terms in ((key, score_terms(combatant, key)) for key in SCORES)
    )


def summarize(sheet: dict[str, Any]) -> str:
    """A sheet in one line."""
    return f"Shoot {sheet.get('shoot', 10)}, Fight {sheet.get('fight', 10)}, {sheet.get('hits', 10)} HP"
