"""The length of a move in a round, in yards."""

from __future__ import annotations

from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up, without_zeros
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.map.bodies import find_beside
from combat.rules.core.space import Point, on_ground
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, has_condition
from combat.rules.core.turn.turns import forget

from ..book.options import find_footing, find_option
from ..book.tables import LEGS, MOVE_BASE_YARDS, REACH_YARDS, YARDS
from ..characters.conditions import DOWN, find_useless
from ..characters.values import find_ranks, rank_terms

WHOLE = 100
PARTS = 100  # of a yard: as finely as a move that was cut short is counted
PART = "yard_part"  # the mark of what is left beyond whole yards: round, whole yards, parts
LESS = {"term.crawl": "CG-PRONE-01", "term.footing": "CG-MOVE-02", "term.lame": "CG-LIMB-02"}  # reductions


def count_lame_legs(combatant: Combatant) -> int:
    """The legs that cannot be used. [CG-LIMB-02]"""
    return len(find_useless(combatant).intersection(LEGS)) if combatant.conditions else 0


def is_crawling(combatant: Combatant) -> bool:
    """Whether someone can only crawl: prone, or without a sound leg.  RULING R22 R25"""
    return has_condition(combatant, *DOWN) or count_lame_legs(combatant) == len(LEGS)


def stride_yards(state: State, combatant: Combatant, melee: bool = False) -> float:
    """The yards of a move.

    [CG-MOVE-01] Running ranks and 2 yards; [CG-MOVE-02] less on bad ground; [CG-MOVE-03] half with a melee
    attack; half again with a lame leg, rounded down once.  RULING R10 R46
    """
    if is_crawling(combatant):
        return 0.0 if melee else float(find_option(state, "crawl_yards"))
    yards = _whole_move_yards(state, combatant) / 2 ** (int(melee) + count_lame_legs(combatant))
    return yards if find_option(state, "half_move_rounding") == "exact" else float(int(yards))


def _whole_move_yards(state: State, combatant: Combatant) -> float:
    """The yards of a whole move on two sound legs."""
    yards = float(find_ranks(state, combatant, "running", roll=False) + MOVE_BASE_YARDS)
    return yards * (find_footing(state) / WHOLE * int(combatant.sheet["footing"]) / WHOLE)


def count_left(state: State, combatant: Combatant) -> float:
    """The yards left of a move [CG-MOVE-03]; for the prone, at most a crawl. [CG-PRONE-01]  RULING R22 R46"""
    whole = combatant.budget.get(YARDS, 0)
    part = str(combatant.marks.get(PART, "")).removeprefix(f"{state.round}:{whole}:")
    left = whole + int(part) / PARTS if part.isdecimal() else float(whole)
    return min(left, stride_yards(state, combatant)) if is_crawling(combatant) else left


def keep_left(context: RuleContext, who: str, yards: float, rule: str) -> None:
    """Leave so many yards of a move: the whole ones in the budget, the rest in a mark. [CG-MOVE-03]

    RULING R46: moves in pieces are not rounded.
    """
    whole, part = divmod(max(0, round(yards * PARTS)), PARTS)
    budget = context.state[who].budget
    if budget.get(YARDS, 0) != whole:
        context.emit(e.BudgetSet(who, {**budget, YARDS: whole}), rule)
    if part:
        context.emit(e.Marked(who, PART, f"{context.state.round}:{whole}:{part}"), rule, e.GM_ONLY)
    else:
        forget(context, who, PART)


def tell_hindrances(state: State, combatant: Combatant) -> str:
    """The current hindrances for a refusal: " (crawling)", " (lame leg, footing 50%)", or empty.

    [CG-MOVE-02] [CG-LIMB-02] [CG-PRONE-01]
    """
    footing = find_footing(state) * int(combatant.sheet["footing"]) / WHOLE
    found = ["crawling"] if is_crawling(combatant) else ["lame leg"] * bool(count_lame_legs(combatant))
    if footing < WHOLE and not is_crawling(combatant):
        found.append(f"footing {footing:g}%")
    return f" ({', '.join(found)})" if found else ""


def stride_terms(state: State, combatant: Combatant) -> Modifiers:
    """The current terms of a whole move; Fatigue slows no one. [CG-MOVE-01]  RULING R24 R46"""
    terms = [*rank_terms(state, combatant, "running", "CG-MOVE-01", roll=False)]
    terms.append(Modifier("term.floor", -min(0, add_up(terms)), "CG-MOVE-01"))
    terms.append(Modifier("term.base_move", MOVE_BASE_YARDS, "CG-MOVE-01"))
    if is_crawling(combatant):
        steps = {"term.crawl": int(stride_yards(state, combatant))}
    else:
        steps = {
            "term.footing": int(_whole_move_yards(state, combatant)),
            "term.lame": int(stride_yards(state, combatant)),
        }
    for label, yards in steps.items():
        terms.append(Modifier(label, yards - add_up(terms), LESS[label]))
    return (terms[0], *without_zeros(terms[1:]))


def find_place_beside(state: State, combatant: Combatant, target: Combatant, reach: float) -> Point:
    """The position of someone who went up to a target to strike, at the edge of a large one. [CG-MOVE-03]"""
    return on_ground(state.scene, find_beside(combatant, target, max(REACH_YARDS, reach)))
