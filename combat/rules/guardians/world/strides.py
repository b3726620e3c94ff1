"""How far somebody can go in a round, in yards."""

from __future__ import annotations

from combat.rules.core.basics.memory import Seen, remember_by
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up, without_zeros
from combat.rules.core.space import Point, beside, on_ground
from combat.rules.core.state.state import Combatant, State, has_condition

from ..book.options import find_footing, find_option
from ..book.tables import LEGS, MOVE_BASE_YARDS, REACH_YARDS
from ..people.conditions import is_on_part
from ..people.values import find_ranks, rank_terms

WHOLE = 100
LESS = {"term.crawl": "CG-PRONE-01", "term.footing": "CG-MOVE-02", "term.lame": "CG-LIMB-02"}  # makes it less


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
    yards = _find_yards(state, fighter) / 2 ** (int(melee) + count_lame_legs(fighter))
    return yards if find_option(state, "half_move_rounding") == "exact" else float(int(yards))


def _find_yards(state: State, fighter: Combatant) -> float:
    """The yards of a whole move on two sound legs."""
    yards = float(find_ranks(state, fighter, "running", roll=False) + MOVE_BASE_YARDS)
    return yards * (find_footing(state) / WHOLE * int(fighter.sheet["footing"]) / WHOLE)


def tell_hindrances(state: State, fighter: Combatant) -> str:
    """What makes somebody slower now, for a refusal: " (crawling)", " (lame leg, footing 50%)", or nothing.

    [CG-MOVE-02] [CG-LIMB-02] [CG-PRONE-01]
    """
    footing = find_footing(state) * int(fighter.sheet["footing"]) / WHOLE
    found = ["crawling"] if is_crawling(fighter) else ["lame leg"] * bool(count_lame_legs(fighter))
    if footing < WHOLE and not is_crawling(fighter):
        found.append(f"footing {footing:g}%")
    return f" ({', '.join(found)})" if found else ""


def stride_terms(state: State, fighter: Combatant) -> Modifiers:
    """[CG-MOVE-01] What a whole move is made of now; Fatigue does not slow anybody.  RULING R24 R46"""
    terms = [*rank_terms(state, fighter, "running", "CG-MOVE-01", roll=False)]
    terms.append(Modifier("term.floor", -min(0, add_up(terms)), "CG-MOVE-01"))
    terms.append(Modifier("term.base_move", MOVE_BASE_YARDS, "CG-MOVE-01"))
    if is_crawling(fighter):
        steps = {"term.crawl": int(find_stride(state, fighter))}
    else:
        steps = {
            "term.footing": int(_find_yards(state, fighter)),
            "term.lame": int(find_stride(state, fighter)),
        }
    for label, yards in steps.items():
        terms.append(Modifier(label, yards - add_up(terms), LESS[label]))
    return (terms[0], *without_zeros(terms[1:]))


def find_place_beside(state: State, start: Point, target: Combatant, reach: float) -> Point:
    """Where somebody stands who went to another to strike."""
    return on_ground(state.scene, beside(start, target.at, max(REACH_YARDS, reach)))
