"""The clock: the effects of each round and minute, and the GM's "time passes".

And days between fights: natural healing, medical care, and minds that recover.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Literal

from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, allows, why_refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.commands.commands import Field, form_of, number_field
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.declaration.characters import DAY, FIGHT
from combat.rules.core.declaration.parts import Interlude
from combat.rules.core.gm.decisions import GmCommand
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, present
from combat.rules.core.turn.turns import let_pass, renew

from .body.allocation import heal, heal_mind
from .body.damage import lose
from .body.drugs import RULE, STIMS, pass_drugs
from .body.machines import end_stalls
from .body.states import AIDED, OPERATED, come_round, rest_off
from .book.options import find_option
from .book.tables import DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS, PHYSICAL, dm_of
from .care.treatment import SKILL, check_doctor, check_surgery_first, is_surgery_first
from .characters.conditions import is_dead
from .characters.goods import make_gear
from .characters.values import (
    count_lost,
    find_dm,
    find_full,
    find_skill,
    is_conscious,
    is_person,
    is_seriously_wounded,
    is_vehicle,
    is_wounded,
)
from .fight.clouds import end_clouds
from .world.acting import gm
from .world.economy import check_quiet
from .world.order import end_of_round, mark

MAX_HOURS = 24 * 30
UNPLAYED = "unplayed"  # mark of the fight: rounds that have passed outside of turns since its last one
SLEEP_SECONDS = 6 * HOUR_SECONDS
MAX_DAYS = 60
MAX_STEPS = 200  # days times patients
REST_DICE = "1d6"  # CE-HEAL-01
ACTIVE_POINTS = 1  # CE-HEAL-02
CARE_POINTS = 2  # CE-MED-14
SLOW_DRUG, MONTH_DAYS = "medicinal_slow_drug", 30  # RULING R94
Kind = Literal["rest", "active"]

INTERLUDES = (
    Interlude(
        "hour", "an hour of rest", "pass_time", {"hours": 1, "resting": True}, size="short", rule="CE-FAT-03"
    ),
    Interlude(
        "night",
        "8 hours of sleep",
        "pass_time",
        {"hours": 8, "resting": True},
        size="night",
        rule="CE-FAT-03",
    ),
    Interlude("day", "a day of full rest", "rest", {"days": 1}, counts="days"),
    Interlude("week", "a week of full rest", "rest", {"days": 7}, size="week", rule="CE-HEAL-01"),
)


class PassTime(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Time outside of rounds; `resting` means that everyone rests."""

    minutes: int = 0
    hours: int = 0
    resting: bool = False


def pass_clock(context: RuleContext) -> None:
    """Apply passing time, at the start of each round and after hours: the unconscious may have woken until
    now [CE-UNCON-01], and drugs begin and end now."""
    for combatant in present(context.state):
        if is_person(combatant):
            come_round(context, combatant.id)
            pass_drugs(context, combatant.id)


def pass_rounds(context: RuleContext, rounds: int) -> None:
    """Apply rounds that nobody played, after those that passed so before: what lasts for rounds ends, and
    time passes for all."""
    unplayed = int(context.state.marks.get(UNPLAYED, 0)) + rounds
    mark(context, "", UNPLAYED, unplayed or None)
    ended = context.state.round + unplayed
    end_of_round(context, ended)
    end_clouds(context, ended)
    end_stalls(context, ended)
    pass_clock(context)


def check_pass(state: State, actor: str = "") -> None:
    """Refuse to pass hours during a fight."""
    check_quiet(state)


time_fields = form_of(
    number_field("hours", "Hours", 1, low=0, high=MAX_HOURS),
    number_field("minutes", "Minutes", 0, low=0, high=59, required=False),
    Field("resting", "Everybody rests", "flag", required=False, rule="CE-FAT-03"),
)


def pass_time(context: RuleContext, command: PassTime) -> None:
    """Let minutes or hours pass outside of a fight; [CE-FAT-03] rest ends fatigue."""
    check_quiet(context.state)
    seconds = command.minutes * MINUTE_SECONDS + command.hours * HOUR_SECONDS
    if command.minutes < 0 or command.hours < 0 or not 0 < seconds <= MAX_HOURS * HOUR_SECONDS:
        raise Refused("bad_value", f"Let one minute to {MAX_HOURS} hours pass at a time.")
    everyone = tuple(combatant.id for combatant in present(context.state))
    doing = partial(_spend_time, everyone, command.resting)
    let_pass(context, seconds, command.reason, rule="CE-UNCON-01", meanwhile=doing)
    if command.resting and seconds >= SLEEP_SECONDS:
        sleep(context)


def _spend_time(people: tuple[str, ...], resting: bool, context: RuleContext, seconds: int) -> None:
    """Count time against the fatigue of people who rest; of others it begins to count from 0. [CE-FAT-03]"""
    for who in people:
        rest_off(context, who, seconds if resting else 0)


def sleep(context: RuleContext) -> None:
    """Restart the count of stim drugs after sleep, and restore what can be used once a fight."""
    for combatant in present(context.state):
        if STIMS in combatant.marks:
            context.emit(e.Marked(combatant.id, STIMS, None), "CE-FAT-01", e.GM_ONLY)
    renew(context, FIGHT)


# ---------------------------------------------------------------- downtime


class Rest(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Days of full rest or of active life for `who` (empty: everyone).

    A `doctor` gives medical care to all others, which needs a `hospital` and full rest. The `slow` drug needs
    the same, and makes each day worth a month of healing.
    """

    kind: Kind = "rest"
    days: int = 1
    who: tuple[str, ...] = ()
    doctor: str = ""
    hospital: bool = False
    slow: bool = False


def check_rest(state: State, command: Rest) -> list[str]:
    """The people who rest; Refused in a fight, for too many days, or without the needs of medical care.

    [CE-MED-16] A hospital or sickbay, and full bed rest.
    """
    check_quiet(state)
    if not 1 <= command.days <= MAX_DAYS:
        raise Refused("bad_value", f"Rest for 1 to {MAX_DAYS} days.")
    if command.doctor:
        if not command.hospital:
            raise Refused("not_allowed", "Medical care needs a hospital: select that there is one.")
        if command.kind != "rest":
            raise Refused("not_allowed", "Medical care needs full bed rest: choose that.")
        check_doctor(state, command.doctor, "gives medical care")
        if command.who == (command.doctor,):
            raise Refused("bad_value", "Nobody gives themselves medical care: choose another doctor.")
    if command.slow and not (command.hospital and command.kind == "rest"):
        raise Refused("not_allowed", "Slow drug needs a hospital and full rest: select both.")
    people = command.who or tuple(combatant.id for combatant in present(state))
    resting = [who for who in dict.fromkeys(people) if is_person(state[who])]
    if len(resting) * command.days > MAX_STEPS:
        raise Refused("bad_value", f"At most {MAX_STEPS} days of all together: choose fewer days or people.")
    if command.doctor:
        check_use_of_care(state, command, resting)
    return resting


def rest(context: RuleContext, command: Rest) -> Then:
    """Let days pass: everyone heals naturally, and with a doctor by medical care as well. [CE-INJ-06]"""
    resting = check_rest(context.state, command)
    return Then(_pass_day, command, tuple(resting), command.days)


def _pass_day(context: RuleContext, command: Rest, people: tuple[str, ...], days: int) -> Then | None:
    """Let a day pass: the time, its effects on each person, and their restored uses."""
    doing = partial(_spend_time, people, command.kind == "rest")
    let_pass(context, DAY_SECONDS, f"why.{command.kind}", rule=_find_rule(command.kind), meanwhile=doing)
    sleep(context)
    renew(context, DAY, FIGHT)
    return Then(_recover, command, people, people, days)


def _find_rule(kind: str) -> str:
    return "CE-HEAL-01" if kind == "rest" else "CE-HEAL-02"


def _recover(
    context: RuleContext, command: Rest, people: tuple[str, ...], left: tuple[str, ...], days: int
) -> Then | None:
    if not left:
        return Then(_pass_day, command, people, days - 1) if days > 1 else None
    who = left[0]
    if not is_dead(context.state[who]):
        _recover_one(context, who, command)
    return Then(_recover, command, people, left[1:], days)


def _recover_one(context: RuleContext, who: str, command: Rest) -> None:
    """Heal one person: natural healing, then medical care [CE-INJ-06], then the mind, which slow drug does
    not help. [CE-MENT-03]  RULING R94"""
    if command.slow and is_wounded(context.state[who]):
        context.emit(e.Said("log.takes", who, args={"item": make_gear(SLOW_DRUG).name}), RULE)
    for _ in range(MONTH_DAYS if command.slow else 1):
        before = context.state[who].tracks
        _heal_a_day(context, who, command)
        if is_seriously_wounded(context.state[who]) and context.state[who].tracks == before:
            break  # no dice: the other days give the same
    heal_mind(context, who)
    _forget_treatment(context, who)


def _heal_a_day(context: RuleContext, who: str, command: Rest) -> None:
    if is_wounded(context.state[who]) and not is_dead(context.state[who]):
        heal_naturally(context, who, command.kind)
    if not command.doctor or command.doctor == who:
        return
    if is_wounded(context.state[who]) and not is_dead(context.state[who]):
        care_for(context, who, command.doctor)


def _forget_treatment(context: RuleContext, who: str) -> None:
    """Forget the treatments of wounds that are fully healed."""
    combatant = context.state[who]
    for key in (AIDED, OPERATED):
        if key in combatant.marks and not is_wounded(combatant):
            context.emit(e.Marked(who, key, None), "CE-MED-02", e.GM_ONLY)


# ---------------------------------------------------------------- natural healing


def heal_naturally(context: RuleContext, who: str, kind: Kind) -> None:
    """Heal a day's points [CE-HEAL-01] [CE-HEAL-02]; a negative sum costs points. [CE-HEAL-03] [CE-HEAL-05]

    RULING R38: the loss may kill; by table option a day never costs points.
    """
    combatant = context.state[who]
    roll = _roll_for_rest(context, combatant, kind)
    terms = natural_terms(context.state, combatant, kind, roll.total if roll else 0)
    rule = "CE-HEAL-04" if is_seriously_wounded(combatant) else _find_rule(kind)
    points = add_up(terms)
    if points >= 0:
        heal(context, who, points, why=f"why.{kind}", rule=rule, terms=terms, roll=roll)
    elif find_option(context.state, "daily_healing_may_harm"):
        rule = "CE-HEAL-05" if is_seriously_wounded(combatant) else "CE-HEAL-03"
        why, lost = f"why.{kind}", tuple(Modifier(term.label, -term.value, term.rule) for term in terms)
        lose(context, who, -points, why=why, rule=rule, terms=lost, roll=roll, injury=False, free=True)


def _roll_for_rest(context: RuleContext, combatant: Combatant, kind: Kind) -> Roll | None:
    """Roll a die for a day of full rest [CE-HEAL-01]; none for the seriously wounded. [CE-HEAL-04]"""
    if kind != "rest" or is_seriously_wounded(combatant):
        return None
    return context.roll(REST_DICE, by=combatant.id, rule="CE-HEAL-01", why="roll.healing")


def natural_terms(state: State, combatant: Combatant, kind: Kind, die: int) -> Modifiers:
    """The die or the point of a day, and the Endurance DM; [CE-HEAL-04] only the latter for the seriously
    wounded, who regain nothing without rest, and [CE-HEAL-05] get worse all the same.

    RULING R65: where surgery comes first, any day heals their DM.
    """
    dm = Modifier("term.end_dm", find_dm(combatant, "end"), "CE-HEAL-01")
    if is_seriously_wounded(combatant):
        return (dm,) if kind == "rest" or dm.value < 0 or is_surgery_first(state) else ()
    if kind == "rest":
        return (Modifier("term.healing_die", die, "CE-HEAL-01"), dm)
    return (Modifier("term.active", ACTIVE_POINTS, "CE-HEAL-02"), dm)


# ---------------------------------------------------------------- medical care


def check_use_of_care(state: State, command: Rest, resting: Iterable[str]) -> None:
    """Refuse medical care that could help nobody, before a day passes. [CE-MED-11]"""
    patients = [state[who] for who in resting if who != command.doctor]
    patients = [one for one in patients if is_wounded(one) and not is_dead(one)]
    if not patients:
        raise Refused("not_allowed", "Nobody in this care is wounded: let them rest without it.")
    days = command.days * (MONTH_DAYS if command.slow else 1)
    if not any(can_have_care(state, one) or can_become_whole(one, days) for one in patients):
        names = ", ".join([one.name for one in patients])
        are = "is" if len(patients) == 1 else "are"
        raise Refused(
            "not_allowed", f"{names} {are} seriously wounded: surgery comes first. Or rest without this care."
        )


def can_become_whole(patient: Combatant, days: int) -> bool:
    """Whether so many days of rest can heal one characteristic of the seriously wounded; its Endurance DM is
    at most that of the healthy. [CE-HEAL-04] [CE-INJ-03]"""
    if find_dm(patient, "end") < 1:
        return False
    return min(count_lost(patient, key) for key in PHYSICAL) <= days * dm_of(find_full(patient, "end"))


def care_for(context: RuleContext, who: str, doctor: str) -> None:
    """Heal a day's points of medical care, divided evenly. [CE-MED-14] [CE-MED-15]

    None for the seriously wounded before surgery has helped. [CE-MED-11] None by a doctor who cannot act.
    """
    combatant = context.state[who]
    if not is_conscious(context.state[doctor]):
        context.emit(e.Said("log.no_doctor", doctor), "CE-MED-14")
        return
    if not can_have_care(context.state, combatant):
        context.emit(e.Said("log.no_care", who), "CE-MED-11")
        return
    terms = care_terms(combatant, context.state[doctor])
    heal(
        context,
        who,
        max(0, add_up(terms)),
        why="why.medical_care",
        rule="CE-MED-14",
        terms=terms,
        evenly=True,
    )


def can_have_care(state: State, combatant: Combatant) -> bool:
    """Whether medical care can help: one characteristic has to be undamaged. [CE-MED-11]

    RULING R65: where surgery comes first, it is enough.
    """
    if is_surgery_first(state):
        return allows(check_surgery_first, state, combatant, "medical care")
    return not is_seriously_wounded(combatant)


def care_terms(patient: Combatant, doctor: Combatant) -> Modifiers:
    """2, the patient's Endurance DM, and the doctor's level of Medicine. [CE-MED-14]  RULING R39"""
    return (
        Modifier("term.medical_care", CARE_POINTS, "CE-MED-14"),
        Modifier("term.end_dm", find_dm(patient, "end"), "CE-MED-14"),
        Modifier("term.medicine", max(0, find_skill(doctor, SKILL)), "CE-MED-14"),
    )


def rest_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The kind of rest, its length, the people, and the care they get."""
    kinds = (Choice("rest", "Full rest: 1D6 + Endurance DM"), Choice("active", "Active: 1 + Endurance DM"))
    people = tuple(
        Choice(combatant.id, combatant.name) for combatant in present(state) if is_person(combatant)
    )

    def check(state: State, who: str) -> None:
        check_doctor(state, who, "gives medical care")

    able = [combatant for combatant in present(state) if not is_vehicle(combatant)]
    doctors = tuple(Choice(f.id, f.name, refused=why_refused(check, state, f.id)) for f in able)
    return (
        Field("kind", "How", "choice", options=kinds, value="rest", rule="CE-HEAL-01"),
        number_field("days", "Days", 1, low=1, high=MAX_DAYS),
        Field("who", "Who", "many", people, required=False, help="blank: everyone"),
        Field(
            "doctor",
            "Medical care by",
            "choice",
            options=(Choice("", "nobody"), *doctors),
            value="",
            required=False,
            rule="CE-MED-14",
        ),
        Field("hospital", "In a hospital or sickbay", "flag", required=False, rule="CE-MED-16"),
        Field("slow", "Slow drug: each day heals as a month does", "flag", required=False),
    )


ACTIONS = (
    gm("pass_time", pass_time, check_pass, fields=time_fields, has_odds=False),
    gm("rest", rest, check_pass, fields=rest_fields, has_odds=False),
)
