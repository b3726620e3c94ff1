"""Comas: the daily check, natural recovery, treatment and death; and the passage of time."""

from __future__ import annotations

from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Field, first_open, form_of, number_field
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.parts import Interlude
from combat.rules.core.engine.engine import follow
from combat.rules.core.gm.decisions import GmCommand, Target, begin_day, begin_session, overrule
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
from combat.rules.core.turn.turns import add_condition, remove_condition

from .body.damage import STATES, die, wake
from .body.doses import finish_lasting, heal_each_turn
from .book import tables
from .book.options import find_option
from .book.tables import (
    COMA_MARGIN,
    COMA_SECONDS,
    HOUR_SECONDS,
    ROUND_SECONDS,
    SHIFT_SECONDS,
    UNCONSCIOUS_SECONDS,
)
from .characters.conditions import find_burning, lasting_of
from .characters.sheet import attribute_terms, damage_of
from .dice import Grade, Result, roll_check, training_terms
from .world.acting import gm

MAX_HOURS = 24 * 30
INTERLUDES = (
    Interlude("hour", "an hour", "pass_time", {"hours": 1}, size="short", rule="SS-UNC-05"),
    Interlude(
        "shift",
        "a shift of rest",
        "pass_time",
        {"hours": 4, "resting": True},
        size="night",
        rule="SS-INIT-09",
    ),
    Interlude("day", "a day of rest", "pass_time", {"hours": 24, "resting": True}),
    Interlude(
        "week",
        "a week of rest",
        "pass_time",
        {"hours": 168, "resting": True},
        size="week",
        rule="SS-COMA-03",
    ),
)


class PassTime(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Hours that pass; `resting` says that everyone rests."""

    hours: int
    resting: bool = False


class Treat(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The healing of a medical center, in points."""

    points: int = 0


# ---------------------------------------------------------------- coma checks


def check_comas(context: RuleContext) -> None:
    """Make one coma check for each 24 hours that have passed. [SS-COMA-03]"""
    for combatant in present(context.state):
        while _seconds_since(context.state, context.state[combatant.id], "coma") >= COMA_SECONDS:
            check_coma(context, combatant.id)


def _seconds_since(state: State, combatant: Combatant, kind: str) -> int:
    held = find_condition(combatant, kind)
    return state.clock - int(held.marks.get("since", state.clock)) if held else 0


def check_coma(context: RuleContext, who: str) -> None:
    """Roll Str against total damage: wake, a point of damage, or death. [SS-COMA-03]"""
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
    """Roll the check, graded by what it means for this character. [SS-COMA-03]"""
    combatant = context.state[who]
    terms = (
        *attribute_terms(combatant, "str", "SS-COMA-03"),
        *training_terms(combatant, "str", "SS-COMA-03"),
    )
    return roll_check(
        context,
        who,
        terms,
        damage_of(combatant),
        rule="SS-COMA-03",
        what="check.coma",
        against="against.damage",
        grade=_grade(context.state, combatant),
        also=(1 - COMA_MARGIN,),
        again="str",
        secret=True,
        special=True,
    )


def is_in_mortal_danger(combatant: Combatant) -> bool:
    """Whether damage exceeds total XP. [SS-COMA-06] [SS-COMA-08]  RULING R33: opponents have none."""
    return damage_of(combatant) > (int(combatant.sheet["xp"]) if combatant.pc else 0)


def _grade(state: State, combatant: Combatant) -> Grade:
    mortal = is_in_mortal_danger(combatant)
    strict = find_option(state, "snake_eyes_in_coma") == "always_fails"

    def grade(margin: int, roll: Roll) -> tuple[str, bool]:
        """The outcome of a margin, and whether it is a success.

        [SS-COMA-04] [SS-COMA-05] [SS-COMA-06] [SS-COMA-07] [SS-COMA-08]
        """
        snake_eyes = roll.faces == (1, 1)
        if mortal and (snake_eyes or margin <= -COMA_MARGIN):
            return "outcome.dead", False
        if margin >= 0 and not (snake_eyes and strict):
            return "outcome.success", True
        return "outcome.failure", False

    return grade


def _worsen(context: RuleContext, who: str) -> None:
    """Add one point of damage, without a check. [SS-COMA-05]"""
    old = damage_of(context.state[who])
    more = tables.COMA_DAMAGE
    context.emit(e.TrackChanged(who, "damage", old, new=old + more, why="why.coma"), "SS-COMA-05")


# ---------------------------------------------------------------- treatment


def treat(context: RuleContext, command: Treat) -> None:
    """Heal at a medical center by what the GM enters. [SS-COMA-11]  RULING R34"""
    combatant = _in_coma(context.state, command.target)
    if not 0 <= command.points <= damage_of(combatant):
        raise Refused("bad_value", f"Heal 0 to {damage_of(combatant)} points.")
    overrule(context, "gm.treat", command, combatant.id)
    old = damage_of(combatant)
    if command.points:
        told = e.TrackChanged(combatant.id, "damage", old, new=old - command.points, why="why.medical_center")
        context.emit(told, "SS-COMA-11")
    if not has_condition(combatant, "treated"):
        add_condition(context, combatant.id, "treated")


def shock(context: RuleContext, command: Target) -> None:
    """Wake someone by electroshock therapy, after advanced healing. [SS-COMA-12]"""
    combatant = _in_coma(context.state, command.target)
    if not has_condition(combatant, "treated"):
        text = f"{combatant.name} has had no advanced healing: use that first."
        raise Refused("not_allowed", text)
    overrule(context, "gm.shock", command, combatant.id)
    wake(context, combatant.id, "why.electroshock", "SS-COMA-12")


def _in_coma(state: State, who: str) -> Combatant:
    combatant = state[who]
    if not has_condition(combatant, "coma"):
        raise Refused("bad_target", f"{combatant.name} is not in a coma: choose someone who is.")
    return combatant


# ---------------------------------------------------------------- time


def pass_time(context: RuleContext, command: PassTime) -> None:
    """Let hours pass outside of rounds.

    [SS-UNC-05] The unconscious wake, [SS-COMA-03] comas are checked, and the rest of a shift ends what lasts
    until then.
    """
    if not 1 <= command.hours <= MAX_HOURS:
        raise Refused("bad_value", f"Pass 1 to {MAX_HOURS} hours.")
    count_from_now(context)
    until = context.state.clock + command.hours * HOUR_SECONDS
    while left := (until - context.state.clock) // ROUND_SECONDS:
        rounds = min(left, find_due(context.state) or left)
        context.emit(e.TimePassed(rounds * ROUND_SECONDS, command.reason), "SS-INIT-09")
        pass_clock(context)
        run_down(context, rounds)
    if command.resting and command.hours * HOUR_SECONDS >= SHIFT_SECONDS:
        end_by_rest(context)


def find_due(state: State) -> int | None:
    """The rounds until the next lasting effect of a dose ends; None without any. Time that passes stops
    there, so that what follows from it counts from then."""
    held = (held for combatant in present(state) for held in combatant.conditions)
    counts = (each.until.count for each in held if each.until and each.kind in tables.lasting())
    return min(counts, default=None)


def run_down(context: RuleContext, rounds: int) -> None:
    """Count down conditions over unplayed rounds, and apply their ends. [SS-COND-02] [SS-OTHER-24]"""
    for combatant in present(context.state):
        for held in combatant.conditions:
            if held in context.state[combatant.id].conditions:
                _run_down(context, combatant.id, held, rounds)
        for _ in range(rounds):
            if not any(row.heals_each_turn for _, row in lasting_of(context.state[combatant.id])):
                break
            heal_each_turn(context, combatant.id)


def _run_down(context: RuleContext, who: str, held: Condition, rounds: int) -> None:
    if held.until and held.until.count > rounds:
        until = replace(held.until, count=held.until.count - rounds)
        told = e.ConditionChanged(who, replace(held, until=until))
        context.emit(told, held.rule, e.GM_ONLY)
    elif held.until or held in find_burning(context.state[who]):
        _finish(context, who, held)


def _finish(context: RuleContext, who: str, held: Condition) -> None:
    remove_condition(context, who, held, "why.expired")
    if held.kind in tables.lasting():
        follow(context, finish_lasting(context, who, held))


def count_from_now(context: RuleContext) -> None:
    """Start the clock of anyone who joined unconscious or in a coma. [SS-UNC-05] [SS-COMA-03]"""
    for combatant in present(context.state):
        for held in combatant.conditions:
            if held.kind in STATES and "since" not in held.marks:
                begun = replace(held, marks={**held.marks, "since": context.state.clock})
                context.emit(e.ConditionChanged(combatant.id, begun), held.rule, e.GM_ONLY)


def pass_clock(context: RuleContext) -> None:
    """Apply the effects of time alone, in rounds or hours.  [SS-UNC-05] [SS-COMA-03]"""
    for combatant in present(context.state):
        since = _seconds_since(context.state, combatant, "unconscious") if combatant.conditions else 0
        if since >= UNCONSCIOUS_SECONDS:
            wake(context, combatant.id, "why.hour", "SS-UNC-05")
    check_comas(context)


def end_by_rest(context: RuleContext) -> None:
    """End crashes after the rest of a shift."""
    for combatant in present(context.state):
        for held, row in lasting_of(combatant):
            if row.until_rest:
                remove_condition(context, combatant.id, held, why="why.rested", rule=held.rule)


time_fields = form_of(
    number_field("hours", "Hours", 1, low=1, high=720, rule="SS-INIT-09"),
    Field("resting", "Everyone rests", "flag", required=False),
)


def treat_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The points that the medical center heals. [SS-COMA-11]"""
    return (
        comatose_field(state),
        number_field("points", "Damage healed", 0, low=0, high=999, rule="SS-COMA-11", required=False),
    )


def comatose_field(state: State) -> Field:
    """A field for a comatose character."""
    options = tuple(Choice(f.id, f.name) for f in present(state) if has_condition(f, "coma"))
    return Field("target", "Who", "target", options=options, value=first_open(options))


def shock_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The character to wake. [SS-COMA-12]"""
    return (comatose_field(state),)


ACTIONS = (
    gm("pass_time", pass_time, fields=time_fields, has_odds=False),
    gm("new_session", begin_session, has_odds=False),
    gm("new_day", begin_day, has_odds=False),
    gm("treat", treat, fields=treat_fields),
    gm("shock", shock, fields=shock_fields),
)
