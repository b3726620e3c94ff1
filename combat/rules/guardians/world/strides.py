"""How far somebody can go in a round, in yards."""

from __future__ import annotations

from combat.rules.core.basics.memory import Seen, remember_by
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.space import Point, beside, on_ground
from combat.rules.core.state.state import Combatant, State, has_condition

from ..book.options import find_footing, find_option
from ..book.tables import LEGS, MOVE_BASE_YARDS, REACH_YARDS
from ..people.conditions import is_on_part
from ..people.values import find_ranks

WHOLE = 100


def _look_at_conditions(fighter: Combatant) -> Seen:
    return (fighter.conditions,), None


@remember_by(_look_at_conditions)
def count_lame_legs(fighter: Combatant) -> int:
    """[CG-LIMB-02] The legs that cannot be used."""
    return sum(any(is_on_part(fighter, kind, leg) for kind in ("disabled", "destroyed")) for leg in LEGS)


def is_crawling(fighter: Combatant) -> bool:
    """Whether somebody can only crawl: prone, or without a sound leg.  RULING R22 R25"""
    return has_condition(fighter, "prone") or count_lame_legs(fighter) == len(LEGS)


def _look_at_legs(state: State, fighter: Combatant, melee: bool = False) -> Seen:
    parts = (fighter.sheet, fighter.tracks, fighter.conditions)
    return (state.options, state.scene.settings, *parts), melee


@remember_by(_look_at_legs)
def find_stride(state: State, fighter: Combatant, melee: bool = False) -> float:
    """[CG-MOVE-01] Running ranks and 2 yards; [CG-MOVE-02] less on bad ground; [CG-MOVE-03] half with a
    melee attack; half again with a lame leg, rounded down once.  RULING R10 R46"""
    if is_crawling(fighter):
        return 0.0 if melee else float(find_option(state, "crawl_yards"))
    yards = float(find_ranks(state, fighter, "running", roll=False) + MOVE_BASE_YARDS)
    yards *= find_footing(state) / WHOLE * int(fighter.sheet["footing"]) / WHOLE
    halves = int(melee) + count_lame_legs(fighter)
    yards /= 2**halves
    return yards if find_option(state, "half_move_rounding") == "exact" else float(int(yards))


def stride_terms(state: State, fighter: Combatant) -> Modifiers:
    """The terms of a whole move on good ground."""
    running = find_ranks(state, fighter, "running", roll=False)
    return (
        Modifier("term.running", running, "CG-MOVE-01"),
        Modifier("term.base_move", MOVE_BASE_YARDS, "CG-MOVE-01"),
    )


def find_place_beside(state: State, start: Point, target: Combatant, reach: float) -> Point:
    """Where somebody stands who went to another to strike."""
    return on_ground(state.scene, beside(start, target.at, max(REACH_YARDS, reach)))
