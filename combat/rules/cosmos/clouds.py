"""Grenades that do something other than damage: flashes, gas and smoke."""

from __future__ import annotations

from typing import Any

from ..core import events as e
from ..core.space import Point
from ..core.state import State, Until, has_condition
from ..core.table import Table, Then
from ..core.turns import gain
from .damage import fall_unconscious, is_immune
from .patches import lay
from .protection import hazard_terms, is_exposed
from .rolls import save
from .tables import ROUND_SECONDS

Effect = tuple[tuple[str, Any], ...]
RULE = "COS-DMG-04"
GAS_CONDITION = "unconscious"


def freeze(effect: dict[str, Any] | None) -> Effect:
    """A weapon's effect as a step of a procedure can carry it."""
    return tuple(sorted((effect or {}).items()))


def spread(
    table: Table, effect: Effect, name: str, centre: Point, radius: float, caught: tuple[str, ...]
) -> Then | None:
    """[COS-DMG-04] What an area weapon does besides damage: smoke at once, saves one by one."""
    words = dict(effect)
    if words.get("concealment"):
        smoke(table, centre, radius, int(words["rounds"]))
    return Then(overcome, effect, name, caught) if words.get("condition") and caught else None


def smoke(table: Table, centre: Point, radius: float, rounds: int) -> None:
    """[COS-COVER-09] Thick smoke conceals heavily for so many rounds."""
    ends_at = table.state.clock + rounds * ROUND_SECONDS
    lay(table, centre, radius, "thick smoke", "Smoke", "COS-COVER-09", ends_at)
    table.tell(e.Said(f"Thick smoke for {rounds} rounds."), "COS-COVER-09")


def overcome(table: Table, effect: Effect, name: str, left: tuple[str, ...]) -> Then | None:
    """One victim after the other saves against the condition."""
    words, who, rest = dict(effect), left[0], left[1:]
    kind = str(words["condition"]).lower()
    if _can_be(table.state, who, kind):
        plus = hazard_terms(table.state, table.state[who], "toxic") if kind == GAS_CONDITION else ()
        key, tn = str(words["save"]), int(words["tn"])
        if not save(table, who, key, tn, RULE, f"against {name}", plus):
            afflict(table, who, kind, int(words.get("rounds", 0)), int(words.get("minutes", 0)))
    return Then(overcome, effect, name, rest) if rest else None


def _can_be(state: State, who: str, kind: str) -> bool:
    """Whether the condition can come about: gas does nothing to those who do not breathe it."""
    fighter = state[who]
    if has_condition(fighter, kind, "dead") or is_immune(fighter, kind):
        return False
    return kind != GAS_CONDITION or is_exposed(state, fighter, "toxic")


def afflict(table: Table, who: str, kind: str, rounds: int, minutes: int) -> None:
    """Give a condition for so many of the victim's own turns, or for minutes by the clock."""
    ends_at = table.state.clock + minutes * 60
    if kind == GAS_CONDITION:
        fall_unconscious(table, who, RULE, cause="gas", ends_at=ends_at)
        return
    turns = rounds + (1 if table.state.active == who else 0)
    until = Until(who, "end", turns) if rounds else None
    gain(table, who, kind, until=until, marks={"ends_at": ends_at} if minutes else {})
