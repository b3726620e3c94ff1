"""Ends of rounds and minutes: conditions that end, deaths by bleeding, Fatigue and recovery.

And time between fights: rest, days of healing, repairs.
"""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Field, form_of, number_field
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.parts import Interlude
from combat.rules.core.engine.engine import follow
from combat.rules.core.gm.decisions import GmCommand
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Condition, State, has_condition, present
from combat.rules.core.turn.turns import forget, let_pass, remove_condition, remove_conditions, take_deferred

from .body.resolve import end_sleep
from .body.states import ENDS, die, end_of_round
from .body.wounds import face_fatigue
from .book.options import find_option
from .book.tables import DAY_SECONDS, FATIGUE_ROUNDS, PLACES, REST_ROUNDS, ROUND_SECONDS, ROUNDS_PER_MINUTE
from .care import heal_place
from .characters.conditions import KINDS
from .world.acting import REASON, gm, name_keys

MINUTE = ROUND_SECONDS * ROUNDS_PER_MINUTE
RUN, RESTED, TOUGHER = "run", "rested", "tougher"  # rounds in a row: physical, of rest, since Toughness fell
ROUND_MARKS = ("physical", "active", "defended", "defenses", "declared")
UNITS = {"minutes": MINUTE, "hours": 3600, "days": DAY_SECONDS}
MAX_COUNT = 1000
INTERLUDES = (
    Interlude(
        "breath",
        "10 minutes of rest",
        "pass_time",
        {"count": 10, "unit": "minutes"},
        size="short",
        rule="CG-FAT-05",
    ),
    Interlude("night", "8 hours of rest", "pass_time", {"count": 8}, size="night", rule="CG-FAT-05"),
    Interlude("day", "a day of rest", "pass_time", {"count": 1, "unit": "days"}, counts="count"),
    Interlude(
        "week", "a week of rest", "pass_time", {"count": 7, "unit": "days"}, size="week", rule="CG-FAT-05"
    ),
)


def end_round(context: RuleContext) -> None:
    """End a round of six seconds: end conditions, count Fatigue. [CG-ROUND-02]  RULING R39 R43"""
    expire(context, end_of_round(context.state))
    regains = find_option(context.state, "toughness_recovers") == "per_minute"
    for combatant in present(context.state):
        if not has_condition(combatant, "dead"):
            count_toil(context, combatant.id)
            count_rest(context, combatant.id)
            if regains:
                regain_toughness(context, combatant.id)
        forget(context, combatant.id, *ROUND_MARKS)


def expire(context: RuleContext, now: int) -> None:
    """End the conditions that are over at this clock; anyone whose bleeding clock ends dies."""
    for combatant in present(context.state):
        for held in combatant.conditions:
            is_over = ENDS in held.marks and int(held.marks[ENDS]) <= now
            if is_over and held in context.state[combatant.id].conditions:
                _end(context, combatant.id, held)


def _end(context: RuleContext, who: str, held: Condition) -> None:
    if held.kind == "bleeding":
        context.emit(e.Said("log.bleeds_out", who), "CG-BLEED-02")
        die(context, who, "CG-BLEED-02", "bleeding")
    else:
        remove_condition(context, who, held, "why.expired")


# ---------------------------------------------------------------- Fatigue


def count_points(state: State, run: int) -> int:
    """The Fatigue of `run` purely physical rounds in a row. [CG-FAT-01] [CG-FAT-02]  RULING R23"""
    first = FATIGUE_ROUNDS + (find_option(state, "fatigue_first_point") == "sixth_round")
    return run // FATIGUE_ROUNDS if run >= first else 0


def is_physical(state: State, combatant: Combatant) -> bool:
    """Whether this round was purely physical, as played or as the GM says. [CG-FAT-01]  RULING R40"""
    said = combatant.marks.get("physical")
    if said is not None:
        return bool(said)
    if combatant.marks.get("active") or not combatant.marks.get("defended"):
        return False
    return bool(find_option(state, "defense_counts_as_physical") == "yes")


def count_toil(context: RuleContext, who: str) -> None:
    """Add a point of Fatigue at the end of the round that earns it. [CG-FAT-02]  RULING R39"""
    combatant = context.state.combatants[who]
    if not is_physical(context.state, combatant):
        if RUN in combatant.marks:
            forget(context, who, RUN)
        return
    run = int(combatant.marks.get(RUN, 0)) + 1
    context.emit(e.Marked(who, RUN, run), "CG-FAT-01", e.GM_ONLY)
    if run < FATIGUE_ROUNDS:
        return
    points = count_points(context.state, run) - count_points(context.state, run - 1)
    if points:
        change_fatigue(context, who, points, why="why.toil", rule="CG-FAT-02")


def change_fatigue(context: RuleContext, who: str, points: int, why: str, rule: str) -> None:
    """Change Fatigue and apply the consequences.  [CG-FAT-04]"""
    now = context.state[who].tracks["fatigue"]
    context.emit(e.TrackChanged(who, "fatigue", now, new=max(0, now + points), why=why), rule)
    face_fatigue(context, who)


def count_rest(context: RuleContext, who: str) -> None:
    """Take off a point after ten rounds of complete rest. [CG-FAT-05] [CG-FAT-06]  RULING R24 R39"""
    combatant = context.state.combatants[who]
    marks = combatant.marks
    restless = any(marks.get(mark) for mark in ("physical", "active", "defended"))
    if restless or not combatant.tracks["fatigue"]:
        if RESTED in marks:
            forget(context, who, RESTED)
        return
    rested = int(marks.get(RESTED, 0)) + 1
    if rested < REST_ROUNDS:
        context.emit(e.Marked(who, RESTED, rested), "CG-FAT-06", e.GM_ONLY)
        return
    forget(context, who, RESTED)
    change_fatigue(context, who, -1, why="why.rested", rule="CG-FAT-06")


# ---------------------------------------------------------------- Toughness


def regain_toughness(context: RuleContext, who: str) -> None:
    """Give back a rank of lost Toughness a minute, where the table has it so. [CG-SPEC-04]  RULING R14"""
    combatant = context.state[who]
    if combatant.tracks["toughness"] >= int(combatant.sheet["ranks"]["toughness"]):
        forget(context, who, TOUGHER)
        return
    rounds = int(combatant.marks.get(TOUGHER, 0)) + 1
    if rounds < ROUNDS_PER_MINUTE:
        context.emit(e.Marked(who, TOUGHER, rounds), "CG-SPEC-04", e.GM_ONLY)
        return
    forget(context, who, TOUGHER)
    restore_toughness(context, who, 1, "why.expired")


def restore_toughness(context: RuleContext, who: str, ranks: int | None, why: str) -> None:
    """Give back `ranks` of Toughness; None for all. [CG-SPEC-04]"""
    combatant = context.state[who]
    now, full = combatant.tracks["toughness"], int(combatant.sheet["ranks"]["toughness"])
    new = full if ranks is None else min(full, now + ranks)
    if new > now:
        context.emit(e.TrackChanged(who, "toughness", now, new=new, why=why), "CG-SPEC-04")


# ---------------------------------------------------------------- downtime


class PassTime(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Time that passes outside of a fight; at rest unless `busy`."""

    count: int = 1
    unit: str = "hours"
    busy: bool = False


def end_fight(context: RuleContext) -> None:
    """End holds, lost Toughness and some knock-outs with the fight. [CG-SPEC-04]  RULING R14"""
    follow(context, take_deferred(context))
    for combatant in present(context.state):
        who = combatant.id
        remove_conditions(context, who, *KINDS.ended_by("fight_over"), why="why.fight_over")
        end_sleep(context, who)
        if find_option(context.state, "toughness_recovers") == "end_of_encounter":
            restore_toughness(context, who, None, "why.fight_over")
        forget(context, who, *ROUND_MARKS, RUN, RESTED, "early", "again")


def pass_time(context: RuleContext, command: PassTime) -> None:
    """Run clocks down, take Fatigue off for rest, heal by days. [CG-FAT-05] [CG-BLEED-02]  RULING R37"""
    if context.state.phase == "fight":
        raise Refused("not_allowed", "End the fight first: in it, rounds are the clock.")
    if command.unit not in UNITS or not 1 <= command.count <= MAX_COUNT:
        raise Refused("bad_value", f"Enter 1 to {MAX_COUNT} minutes, hours or days.")
    seconds = command.count * UNITS[command.unit]
    before = context.state.clock
    let_pass(context, seconds, command.reason)
    expire(context, context.state.clock)
    days = context.state.clock // DAY_SECONDS - before // DAY_SECONDS if seconds < DAY_SECONDS else 0
    days = max(days, seconds // DAY_SECONDS)
    for combatant in present(context.state):
        if not has_condition(combatant, "dead"):
            _recover(context, combatant.id, seconds // MINUTE, days=days, busy=command.busy)


def _recover(context: RuleContext, who: str, minutes: int, days: int, busy: bool) -> None:
    """RULING R14 R24 R37: Recover Fatigue by the minute, Toughness and Mortality Points by the day."""
    combatant = context.state[who]
    if minutes and combatant.tracks["fatigue"] and not busy:
        change_fatigue(context, who, -minutes, why="why.rested", rule="CG-FAT-05")
    how = find_option(context.state, "toughness_recovers")
    if how == "per_minute" and minutes:
        restore_toughness(context, who, minutes, "why.rested")
    if how == "end_of_encounter" or (how == "next_day" and days):
        restore_toughness(context, who, None, "why.rested")
    points = days * int(find_option(context.state, "healing_per_day"))
    for place in PLACES if points and not busy else ():
        heal_place(context, who, place, points=points, why="why.rested")
    _end_knock(context, who)


def _end_knock(context: RuleContext, who: str) -> None:
    """Wake someone who was out for the rest of a fight, unless a clock still holds them."""
    if not any(c.kind == "unconscious" and ENDS in c.marks for c in context.state[who].conditions):
        end_sleep(context, who)


time_fields = form_of(
    number_field("count", "How many", 1, low=1, high=MAX_COUNT),
    Field("unit", "Of", "choice", options=name_keys(tuple(UNITS)), value="hours"),
    Field("busy", "No rest", "flag", rule="CG-FAT-05", required=False),
    REASON,
)
ACTIONS = (gm("pass_time", pass_time, fields=time_fields, has_odds=False),)
