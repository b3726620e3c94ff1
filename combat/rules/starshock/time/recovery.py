"""Comas: the daily check, natural recovery, treatment and death; and the passing of time."""

from __future__ import annotations

from combat.rules.core.basics.dice import Roll
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.engine.engine import follow
from combat.rules.core.gm.decisions import GmCommand, Target, overrule
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    Combatant,
    Condition,
    State,
    find_condition,
    has_condition,
    present,
    replace,
)
from combat.rules.core.turns import add_condition, remove_condition

from ..body.damage import STATES, die, wake
from ..body.doses import finish_lasting, tend_bandage
from ..book import tables
from ..book.tables import (
    COMA_MARGIN,
    COMA_SECONDS,
    HOUR_SECONDS,
    ROUND_SECONDS,
    SHIFT_SECONDS,
    UNCONSCIOUS_SECONDS,
)
from ..dice.rolls import Grade, Result, roll_check, training_terms
from ..people.sheet import attribute_terms, damage_of, find_option

MAX_HOURS = 24 * 30


class PassTime(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Hours go by; `resting` says that everybody rests."""

    hours: int
    resting: bool = False


class Treat(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a medical center heals, in points."""

    points: int = 0


# ---------------------------------------------------------------- coma checks


def check_comas(context: RuleContext) -> None:
    """[SS-COMA-03] One coma check for each 24 hours that have passed."""
    for fighter in present(context.state):
        while _is_due(context.state, context.state[fighter.id]):
            check_coma(context, fighter.id)


def _is_due(state: State, fighter: Combatant) -> bool:
    return _seconds_since(state, fighter, "coma") >= COMA_SECONDS


def _seconds_since(state: State, fighter: Combatant, kind: str) -> int:
    held = find_condition(fighter, kind)
    return state.clock - int(held.marks.get("since", state.clock)) if held else 0


def check_coma(context: RuleContext, who: str) -> None:
    """[SS-COMA-03] Str against total damage: wake, a point of damage, or death."""
    _begin_next_day(context, who)
    result = roll_coma(context, who)
    if result.outcome == "outcome.dead":
        die(context, who, "SS-COMA-07" if result.margin > -COMA_MARGIN else "SS-COMA-06")
    elif not result.good:
        _worsen(context, who)
    elif context.option("coma_natural_wake") == "yes":
        wake(context, who, "why.recovers", "SS-COMA-04")


def _begin_next_day(context: RuleContext, who: str) -> None:
    held = find_condition(context.state[who], "coma")
    assert held is not None
    since = int(held.marks.get("since", context.state.clock)) + COMA_SECONDS
    told = e.ConditionChanged(who, replace(held, marks={**held.marks, "since": since}))
    context.emit(told, "SS-COMA-03", e.GM_ONLY)


def roll_coma(context: RuleContext, who: str) -> Result:
    """[SS-COMA-03] The check, graded by what it means for this character."""
    fighter = context.state[who]
    terms = (*attribute_terms(fighter, "str", "SS-COMA-03"), *training_terms(fighter, "str", "SS-COMA-03"))
    return roll_check(
        context,
        who,
        terms,
        damage_of(fighter),
        rule="SS-COMA-03",
        what="check.coma",
        against="against.damage",
        grade=_grade(context.state, fighter),
        also=(1 - COMA_MARGIN,),
        again="str",
        secret=True,
        special=True,
    )


def is_in_mortal_danger(fighter: Combatant) -> bool:
    """[SS-COMA-06] [SS-COMA-08] More damage than total XP.  RULING R33: opponents count none."""
    return damage_of(fighter) > (int(fighter.sheet["xp"]) if fighter.pc else 0)


def _grade(state: State, fighter: Combatant) -> Grade:
    mortal = is_in_mortal_danger(fighter)
    strict = find_option(state, "snake_eyes_in_coma") == "always_fails"

    def grade(margin: int, roll: Roll) -> tuple[str, bool]:
        """[SS-COMA-04] [SS-COMA-05] [SS-COMA-06] [SS-COMA-07] [SS-COMA-08]"""
        snake_eyes = roll.faces == (1, 1)
        if mortal and (snake_eyes or margin <= -COMA_MARGIN):
            return "outcome.dead", False
        if margin >= 0 and not (snake_eyes and strict):
            return "outcome.success", True
        return "outcome.failure", False

    return grade


def _worsen(context: RuleContext, who: str) -> None:
    """[SS-COMA-05] One more point of damage, without a check."""
    old = damage_of(context.state[who])
    more = tables.COMA_DAMAGE
    context.emit(e.TrackChanged(who, "damage", old, old + more, "why.coma"), "SS-COMA-05")


# ---------------------------------------------------------------- treatment


def treat(context: RuleContext, command: Treat) -> None:
    """[SS-COMA-11] Advanced healing at a medical center, entered by the GM.  RULING R34"""
    fighter = _in_coma(context.state, command.target)
    if not 0 <= command.points <= damage_of(fighter):
        raise Refused("bad_value", f"Heal 0 to {damage_of(fighter)} points.")
    overrule(context, "gm.treat", command, fighter.id)
    old = damage_of(fighter)
    if command.points:
        told = e.TrackChanged(fighter.id, "damage", old, old - command.points, "why.medical_center")
        context.emit(told, "SS-COMA-11")
    if not has_condition(fighter, "treated"):
        add_condition(context, fighter.id, "treated")


def shock(context: RuleContext, command: Target) -> None:
    """[SS-COMA-12] Electroshock therapy wakes whoever had advanced healing."""
    fighter = _in_coma(context.state, command.target)
    if not has_condition(fighter, "treated"):
        text = f"{fighter.name} has had no advanced healing: use that first."
        raise Refused("not_allowed", text)
    overrule(context, "gm.shock", command, fighter.id)
    wake(context, fighter.id, "why.electroshock", "SS-COMA-12")


def _in_coma(state: State, who: str) -> Combatant:
    fighter = state[who]
    if not has_condition(fighter, "coma"):
        raise Refused("bad_target", f"{fighter.name} is not in a coma: choose someone who is.")
    return fighter


# ---------------------------------------------------------------- time


def pass_time(context: RuleContext, command: PassTime) -> None:
    """Hours outside of rounds: [SS-UNC-05] the unconscious wake, [SS-COMA-03] comas are checked,
    and a rest of a shift ends what lasts until then."""
    if not 1 <= command.hours <= MAX_HOURS:
        raise Refused("bad_value", f"Pass 1 to {MAX_HOURS} hours.")
    count_from_now(context)
    run_down(context, command.hours * HOUR_SECONDS // ROUND_SECONDS)
    context.emit(e.TimePassed(command.hours * HOUR_SECONDS, command.reason), "SS-INIT-09")
    pass_clock(context)
    if command.resting and command.hours * HOUR_SECONDS >= SHIFT_SECONDS:
        end_by_rest(context)


def run_down(context: RuleContext, rounds: int) -> None:
    """[SS-COND-02] [SS-OTHER-24] Turns that nobody plays go by as well: what lasts for so many is over,
    with what comes afterwards."""
    for fighter in present(context.state):
        for held in fighter.conditions:
            if held in context.state[fighter.id].conditions:
                _run_down(context, fighter.id, held, rounds)
        for _ in range(rounds):
            if not has_condition(context.state[fighter.id], "bandage"):
                break
            tend_bandage(context, fighter.id)


def _run_down(context: RuleContext, who: str, held: Condition, rounds: int) -> None:
    if held.until and held.until.count > rounds:
        until = replace(held.until, count=held.until.count - rounds)
        told = e.ConditionChanged(who, replace(held, until=until))
        context.emit(told, held.rule, e.GM_ONLY)
    elif held.until or held.kind == "bile":
        _finish(context, who, held)


def _finish(context: RuleContext, who: str, held: Condition) -> None:
    remove_condition(context, who, held, "why.expired")
    if held.kind in tables.lasting():
        follow(context, finish_lasting(context, who, held))


def count_from_now(context: RuleContext) -> None:
    """[SS-UNC-05] [SS-COMA-03] The hour and the days of who joined unconscious or in a coma begin."""
    for fighter in present(context.state):
        for held in fighter.conditions:
            if held.kind in STATES and "since" not in held.marks:
                begun = replace(held, marks={**held.marks, "since": context.state.clock})
                context.emit(e.ConditionChanged(fighter.id, begun), held.rule, e.GM_ONLY)


def pass_clock(context: RuleContext) -> None:
    """What time alone brings, in rounds or hours.  [SS-UNC-05] [SS-COMA-03]"""
    for fighter in present(context.state):
        if _seconds_since(context.state, fighter, "unconscious") >= UNCONSCIOUS_SECONDS:
            wake(context, fighter.id, "why.hour", "SS-UNC-05")
    check_comas(context)


def end_by_rest(context: RuleContext) -> None:
    """Crashes end with the rest of a shift."""
    for fighter in present(context.state):
        for held in fighter.conditions:
            row = tables.lasting().get(held.kind)
            if row and row.until_rest:
                remove_condition(context, fighter.id, held, "why.rested", held.rule)
