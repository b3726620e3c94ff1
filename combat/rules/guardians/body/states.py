"""Stunned, prone, unconscious, dead: how each begins and ends, and what it makes someone drop."""

from __future__ import annotations

from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.space import away_from, map_of, on_ground, stop_below
from combat.rules.core.space.paths import stop_short
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Condition, Item, State, find_condition, replace
from combat.rules.core.turn import hands
from combat.rules.core.turn.turns import add_condition, remove_condition, remove_conditions

from ..book.options import find_option
from ..book.tables import ROUND_SECONDS, ROUNDS_PER_MINUTE, STUN_ROUNDS
from ..characters.conditions import KINDS, find_on_part, is_on_part
from ..characters.values import find_health_ranks
from ..world.reach import find_grid, find_held

ENDS = "ends_at"  # the mark of a clock: the second when the condition is over
LASTS = "lasts"  # the mark of a state that the GM gave until it is ended
CAUSE, PART, HOW = "cause", "part", "how"
POINTS, KNOCKED, FAINTED = "points", "knocked", "fainted"  # causes of a state
SEVERED, CRUSHED = "severed", "crushed"
LIMB_LABELS = {"disabled": "limb.disabled", "destroyed": "limb.lost", "bleeding": "limb.bleeding"}


def end_of_round(state: State, rounds: int = 0) -> int:
    """The clock at the end of this round, or `rounds` rounds later. [CG-ROUND-02]  RULING R43"""
    return state.clock + ROUND_SECONDS * (1 + rounds)


# ---------------------------------------------------------------- states with a clock


def stun(context: RuleContext, who: str, rule: str = "CG-STUN-02", rounds: int = STUN_ROUNDS) -> None:
    """Take the actions of the rest of this round and all of the next. [CG-STUN-01] [CG-STUN-02]

    A later stun moves the end; a held action is lost.  RULING R8 R21
    """
    lengthen(context, who, "stunned", ends=end_of_round(context.state, rounds), rule=rule)
    stop(context, who, "condition.stunned", "CG-STUN-01")


def terrify(context: RuleContext, who: str, rounds: int) -> None:
    """Take the actions of this round and `rounds` after it, and a held one. [CG-REF-02]  RULING R32"""
    lengthen(context, who, "terrified", ends=end_of_round(context.state, rounds), rule="CG-REF-02")
    stop(context, who, "condition.terrified", "CG-REF-02")


def stop(context: RuleContext, who: str, why: Label, rule: str) -> None:
    """End what only those with actions do, such as holding one.  RULING R8"""
    remove_conditions(context, who, *KINDS.ended_by("stop"), why=why, rule=rule)


def lengthen(context: RuleContext, who: str, kind: str, ends: int, rule: str, **marks: str | int) -> None:
    """Begin a state with a clock, or move the end of the one with these marks to the later of both."""
    clocked = (c for c in context.state[who].conditions if c.kind == kind and ENDS in c.marks)
    held = next((c for c in clocked if {**c.marks, ENDS: 0} == {**marks, ENDS: 0}), None)
    if held is None and _lasts(context, who, kind):
        return
    if held is None:
        add_condition(context, who, kind, rule=rule, marks={ENDS: ends, **marks})
    elif int(held.marks[ENDS]) < ends:
        longer = replace(held, marks={**held.marks, ENDS: ends})
        context.emit(e.ConditionChanged(who, longer), rule)


def _lasts(context: RuleContext, who: str, kind: str) -> bool:
    """Whether the GM has given someone this state until it is ended."""
    held = (c for c in context.state[who].conditions if c.kind == kind)
    return any(not c.until and ENDS not in c.marks for c in held)


def fall_prone(context: RuleContext, who: str, rule: str = "CG-PRONE-01") -> None:
    """Lie on the ground; a GM's limit in turns no longer applies. [CG-PRONE-01]"""
    held = find_condition(context.state[who], "prone")
    if held is None:
        add_condition(context, who, "prone", rule=rule)
    elif held.until:
        context.emit(e.ConditionChanged(who, replace(held, until=None)), rule)


def knock_out(
    context: RuleContext, who: str, rule: str, cause: str = KNOCKED, ends: int | None = None
) -> None:
    """Unconscious, by a clock or until a cause ends; hands empty. [CG-LOC-10]  RULING R17 R41"""
    marks: dict[str, bool | int | str] = {CAUSE: cause}
    same = next((c for c in find_sleep(context.state, who) if c.marks.get(CAUSE) == cause), None)
    if ends is not None:
        marks[ENDS] = ends
    if same is None:
        add_condition(context, who, "unconscious", rule=rule, marks=marks)
    elif ENDS in same.marks and (ends is None or int(same.marks[ENDS]) < ends):
        context.emit(e.ConditionChanged(who, replace(same, marks=marks)), rule)
    lie_down(context, who, rule)


def find_sleep(state: State, who: str) -> list[Condition]:
    """The conditions that keep someone unconscious: a blow, a faint, the head."""
    return [held for held in state[who].conditions if held.kind == "unconscious"]


def lie_down(context: RuleContext, who: str, rule: str) -> None:
    """Fall prone, drop held items, and lose a held action.  RULING R41"""
    fall_prone(context, who, rule)
    drop(context, who, *find_held(context.state[who]))
    remove_conditions(context, who, *KINDS.ended_by("collapse"), why="condition.unconscious")


def wake(context: RuleContext, who: str, why: Label, rule: str) -> None:
    """Wake from a blow or a faint; a head wound lasts.  RULING R42"""
    for held in find_sleep(context.state, who):
        if held.marks.get(CAUSE) != POINTS:
            remove_condition(context, who, held, why=why, rule=rule)


def die(context: RuleContext, who: str, rule: str, cause: str) -> None:
    """Die; nothing else counts anymore.  [CG-HEAD-02] [CG-TORSO-04] [CG-BLEED-02]"""
    held = find_condition(context.state[who], "dead")
    if held and held.until:
        remove_condition(context, who, held, "why.one_is_enough")
    elif held:
        return
    remove_conditions(context, who, *KINDS.ended_by("death"), why="why.death")
    add_condition(context, who, "dead", rule=rule, marks={CAUSE: cause})
    lie_down(context, who, rule)


# ---------------------------------------------------------------- items that fall


def drop(
    context: RuleContext, who: str, *items: Item, by: str = "", yards: int = 0, rule: str = "CG-LIMB-02"
) -> None:
    """Drop items on the spot, or `yards` away from the attacker `by` who struck them away.

    A wall stops them, and so does higher ground.  RULING R18
    """
    state = context.state
    at = place = state[who].at
    if yards:
        goal = away_from(at, state.combatants[by].at, yards)
        place = stop_short(map_of(state.scene), find_grid(state), at, goal)
        place = on_ground(state.scene, stop_below(state.scene, at, place))
    for item in items:
        hands.drop(context, who, item, rule, at=place)


# ---------------------------------------------------------------- limbs


def mark_limb(context: RuleContext, who: str, kind: str, part: str, rule: str, **marks: str | int) -> None:
    """Give a part of the body a state, once."""
    if not is_on_part(context.state[who], kind, part):
        how = {"how": f"how_lost.{marks[HOW]}"} if HOW in marks else {}
        label = say(LIMB_LABELS[kind], part=f"place.{part}", **how)
        add_condition(context, who, kind, label=label, rule=rule, marks={PART: part, **marks})


def clear_limb(context: RuleContext, who: str, kind: str, part: str, why: Label, rule: str) -> None:
    """End the state of a part of the body, if it has that state."""
    held = find_on_part(context.state[who], kind, part)
    if held:
        remove_condition(context, who, held, why=why, rule=rule)


def bleed(context: RuleContext, who: str, part: str) -> None:
    """Start the clock of a bleeding limb: Health ranks in minutes. [CG-BLEED-01] [CG-BLEED-02]  RULING R27"""
    rounds = find_health_ranks(context.state[who]) * ROUNDS_PER_MINUTE
    ends = end_of_round(context.state, rounds)
    mark_limb(context, who, "bleeding", part=part, rule="CG-BLEED-02", **{ENDS: ends})


def bleeds_disabled(state: State) -> bool:
    """Whether disabled limbs bleed too.  RULING R27"""
    return bool(find_option(state, "bleeding_from") == "disabled_or_destroyed")
