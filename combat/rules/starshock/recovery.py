"""Comas: the daily check, natural recovery, treatment and death; and the passing of time."""

from __future__ import annotations

from ..core import events as e
from ..core.dice import Roll
from ..core.engine import follow
from ..core.errors import Refused
from ..core.gm import GmCommand, Target, overrule
from ..core.state import Combatant, Condition, State, find_condition, has_condition, present, replace
from ..core.table import Table
from ..core.turns import gain, lift
from . import tables
from .damage import STATES, die, wake
from .doses import finish_lasting, tend_bandage
from .rolls import Grade, Result, roll_check, training_terms
from .sheet import attribute_terms, damage_of, find_option
from .tables import (
    COMA_MARGIN,
    COMA_SECONDS,
    HOUR_SECONDS,
    ROUND_SECONDS,
    SHIFT_SECONDS,
    UNCONSCIOUS_SECONDS,
)

MOST_HOURS = 24 * 30


class PassTime(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Hours go by; `resting` says that everybody rests."""

    hours: int
    resting: bool = False


class Treat(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a medical center heals, in points."""

    points: int = 0


# ---------------------------------------------------------------- coma checks


def check_comas(table: Table) -> None:
    """[SS-COMA-03] One coma check for each 24 hours that have passed."""
    for fighter in present(table.state):
        while _is_due(table.state, table.state[fighter.id]):
            check_coma(table, fighter.id)


def _is_due(state: State, fighter: Combatant) -> bool:
    return _seconds_since(state, fighter, "coma") >= COMA_SECONDS


def _seconds_since(state: State, fighter: Combatant, kind: str) -> int:
    held = find_condition(fighter, kind)
    return state.clock - int(held.marks.get("since", state.clock)) if held else 0


def check_coma(table: Table, who: str) -> None:
    """[SS-COMA-03] Str against total damage: wake, a point of damage, or death."""
    _begin_next_day(table, who)
    result = roll_coma(table, who)
    if result.word == "dead":
        die(table, who, "SS-COMA-07" if result.margin > -COMA_MARGIN else "SS-COMA-06")
    elif not result.good:
        _worsen(table, who)
    elif table.option("coma_natural_wake") == "yes":
        wake(table, who, "recovers", "SS-COMA-04")


def _begin_next_day(table: Table, who: str) -> None:
    held = find_condition(table.state[who], "coma")
    assert held is not None
    since = int(held.marks.get("since", table.state.clock)) + COMA_SECONDS
    told = e.ConditionChanged(who, replace(held, marks={**held.marks, "since": since}))
    table.tell(told, "SS-COMA-03", e.GM_ONLY)


def roll_coma(table: Table, who: str) -> Result:
    """[SS-COMA-03] The check, graded by what it means for this character."""
    fighter = table.state[who]
    terms = (*attribute_terms(fighter, "str", "SS-COMA-03"), *training_terms(fighter, "str", "SS-COMA-03"))
    return roll_check(
        table,
        who,
        terms,
        damage_of(fighter),
        rule="SS-COMA-03",
        what="coma check",
        against="Damage",
        grade=_grade(table.state, fighter),
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
            return "dead", False
        if margin >= 0 and not (snake_eyes and strict):
            return "success", True
        return "failure", False

    return grade


def _worsen(table: Table, who: str) -> None:
    """[SS-COMA-05] One more point of damage, without a check."""
    old = damage_of(table.state[who])
    more = tables.COMA_DAMAGE
    table.tell(e.TrackChanged(who, "damage", old, old + more, "the coma"), "SS-COMA-05")


# ---------------------------------------------------------------- treatment


def treat(table: Table, command: Treat) -> None:
    """[SS-COMA-11] Advanced healing at a medical center, entered by the GM.  RULING R34"""
    fighter = _in_coma(table.state, command.target)
    if not 0 <= command.points <= damage_of(fighter):
        raise Refused("bad_value", f"Heal 0 to {damage_of(fighter)} points.")
    overrule(table, f"advanced healing of {fighter.name}", command, fighter.id)
    old = damage_of(fighter)
    if command.points:
        told = e.TrackChanged(fighter.id, "damage", old, old - command.points, "medical center")
        table.tell(told, "SS-COMA-11")
    if not has_condition(fighter, "treated"):
        gain(table, fighter.id, "treated")


def shock(table: Table, command: Target) -> None:
    """[SS-COMA-12] Electroshock therapy wakes whoever had advanced healing."""
    fighter = _in_coma(table.state, command.target)
    if not has_condition(fighter, "treated"):
        text = f"Electroshock comes after advanced healing at a medical center; {fighter.name} had none."
        raise Refused("not_allowed", text)
    overrule(table, f"electroshock for {fighter.name}", command, fighter.id)
    wake(table, fighter.id, "electroshock", "SS-COMA-12")


def _in_coma(state: State, who: str) -> Combatant:
    fighter = state[who]
    if not has_condition(fighter, "coma"):
        raise Refused("bad_target", f"{fighter.name} is not in a coma.")
    return fighter


# ---------------------------------------------------------------- time


def pass_time(table: Table, command: PassTime) -> None:
    """Hours outside of rounds: [SS-UNC-05] the unconscious wake, [SS-COMA-03] comas are checked,
    and a rest of a shift ends what lasts until then."""
    if not 1 <= command.hours <= MOST_HOURS:
        raise Refused("bad_value", f"Let 1 to {MOST_HOURS} hours pass.")
    count_from_now(table)
    run_down(table, command.hours * HOUR_SECONDS // ROUND_SECONDS)
    table.tell(e.TimePassed(command.hours * HOUR_SECONDS, command.reason), "SS-INIT-09")
    pass_clock(table)
    if command.resting and command.hours * HOUR_SECONDS >= SHIFT_SECONDS:
        end_by_rest(table)


def run_down(table: Table, rounds: int) -> None:
    """[SS-COND-02] [SS-OTHER-24] Turns that nobody plays go by as well: what lasts for so many is over,
    with what comes afterwards."""
    for fighter in present(table.state):
        for held in fighter.conditions:
            if held in table.state[fighter.id].conditions:
                _run_down(table, fighter.id, held, rounds)
        for _ in range(rounds):
            if not has_condition(table.state[fighter.id], "bandage"):
                break
            tend_bandage(table, fighter.id)


def _run_down(table: Table, who: str, held: Condition, rounds: int) -> None:
    if held.until and held.until.count > rounds:
        until = replace(held.until, count=held.until.count - rounds)
        told = e.ConditionChanged(who, replace(held, until=until))
        table.tell(told, held.rule, e.GM_ONLY)
    elif held.until or held.kind == "bile":
        _finish(table, who, held)


def _finish(table: Table, who: str, held: Condition) -> None:
    lift(table, who, held, "its time is over")
    if held.kind in tables.lasting():
        follow(table, finish_lasting(table, who, held))


def count_from_now(table: Table) -> None:
    """[SS-UNC-05] [SS-COMA-03] The hour and the days of who joined unconscious or in a coma begin."""
    for fighter in present(table.state):
        for held in fighter.conditions:
            if held.kind in STATES and "since" not in held.marks:
                begun = replace(held, marks={**held.marks, "since": table.state.clock})
                table.tell(e.ConditionChanged(fighter.id, begun), held.rule, e.GM_ONLY)


def pass_clock(table: Table) -> None:
    """What time alone brings, in rounds or hours.  [SS-UNC-05] [SS-COMA-03]"""
    for fighter in present(table.state):
        if _seconds_since(table.state, fighter, "unconscious") >= UNCONSCIOUS_SECONDS:
            wake(table, fighter.id, "an hour has passed", "SS-UNC-05")
    check_comas(table)


def end_by_rest(table: Table) -> None:
    """Crashes end with the rest of a shift."""
    for fighter in present(table.state):
        for held in fighter.conditions:
            row = tables.lasting().get(held.kind)
            if row and row.until_rest:
                lift(table, fighter.id, held, "rested", held.rule)
