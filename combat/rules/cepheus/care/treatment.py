"""First aid and surgery: what Medicine does for a patient, and its time limits."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.commands.commands import Field, Preview, Targeted, adjusted, first_open
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.decisions import Target, overrule
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, present
from combat.rules.core.turn.turns import is_shared, let_pass

from ..body.allocation import Aided, restore, take_aid
from ..body.damage import lose
from ..body.hits import put_off
from ..body.states import AIDED, HURT_AT, OPERATED
from ..book.options import find_option
from ..book.tables import DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS, TARGET
from ..characters.conditions import is_dead
from ..characters.machinery import check_limbs
from ..characters.values import (
    find_skill,
    is_conscious,
    is_person,
    is_seriously_wounded,
    is_vehicle,
    is_wounded,
)
from ..dice import DICE, better_of, difficulty_terms, lose_aim, modifiers_for_check, roll_check
from ..world.acting import act, find_reason, gm, people_field
from ..world.economy import check_quiet, check_significant, pay_significant
from ..world.sight_lines import check_within

SKILL = "medicine"
FULL_SECONDS = 5 * MINUTE_SECONDS  # CE-MED-04
LATE_SECONDS = HOUR_SECONDS  # CE-MED-05
OPERATED_AT = "operated_at"  # mark: when a patient had surgery
AID_DICE = "1d6"  # RULING R39: minutes outside of combat


class Tend(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """First aid outside of a fight; `doctor` gives it."""

    doctor: str


class Operate(Tend, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Surgery; `hospital` means that a hospital or sickbay is available."""

    hospital: bool = False


# ---------------------------------------------------------------- possible patients


def count_age(state: State, patient: Combatant) -> int | None:
    """Seconds since the last wound; None for wounds from before this encounter."""
    at = patient.marks.get(HURT_AT)
    return None if at is None else state.clock - int(at)


def count_times(state: State, patient: Combatant) -> int:
    """How many times its Effect first aid gives back. [CE-MED-02]

    Twice within five minutes of the wound [CE-MED-04]; once within an hour, if the table allows it that late;
    0 later. [CE-MED-05]

    RULING R39
    """
    if not find_option(state, "treatment_time_limits"):
        return 2
    age = count_age(state, patient)
    if age is None:
        return 0
    if age <= FULL_SECONDS:
        return 2
    return int(age <= LATE_SECONDS and bool(find_option(state, "late_first_aid")))


def check_patient(state: State, who: str) -> Combatant:
    """Refuse patients whom medicine cannot help: machines, the dead, the unhurt."""
    patient = state[who]
    if not is_person(patient):
        raise Refused("bad_target", f"{patient.name} is a machine: repair it instead.")
    if is_dead(patient):
        raise Refused("bad_target", f"{patient.name} is dead: choose someone else.")
    if not is_wounded(patient):
        raise Refused("bad_target", f"{patient.name} is not wounded: choose someone who is.")
    return patient


def check_aid(state: State, who: str) -> Combatant:
    """Refuse first aid that is repeated, too late, or before surgery that has to come first.

    RULING R39: once for each patient and incident. RULING R65
    """
    patient = check_patient(state, who)
    if patient.marks.get(AIDED):
        raise Refused("not_allowed", f"{patient.name} has had first aid for these wounds: only time helps.")
    check_surgery_first(state, patient, "first aid")
    if not count_times(state, patient):
        hour = "an hour" if find_option(state, "late_first_aid") else "five minutes"
        raise Refused("not_allowed", f"First aid helps within {hour} of the wound: it is too late.")
    return patient


def is_surgery_first(state: State) -> bool:
    """Whether the seriously wounded heal their Endurance DM a day, and nothing else before surgery.

    RULING R65
    """
    return bool(find_option(state, "serious_wounds") == "surgery_first")


def check_surgery_first(state: State, patient: Combatant, what: str) -> None:
    """RULING R65: refuse first aid to the seriously wounded before surgery, if the table says so."""
    if is_surgery_first(state) and is_seriously_wounded(patient) and not patient.marks.get(OPERATED):
        raise Refused("not_allowed", f"{patient.name} is seriously wounded: surgery comes before {what}.")


# ---------------------------------------------------------------- first aid


def check_first_aid(state: State, command: Targeted) -> Combatant:
    """Refuse a patient who is not within reach; the doctor may treat themselves."""
    patient = check_aid(state, command.target)
    check_limbs(state, state[command.actor])
    check_within(state, state[command.actor], patient)
    check_significant(state, command.actor, "first aid")
    return patient


def first_aid(context: RuleContext, command: Targeted) -> Then:
    """Give first aid to someone within reach, as the significant action of a turn. [CE-MED-02]"""
    check_first_aid(context.state, command)
    pay_significant(context, command.actor, "first aid", "CE-MED-02")
    lose_aim(context, command.actor, "why.does_something_else")
    terms = adjusted(command, (), "CE-MED-02")
    return Then(_give_aid, command.actor, command.target, terms)


def medicine_key(combatant: Combatant) -> str:
    """The better of Education and Intelligence.  RULING R39"""
    return better_of(combatant, "edu", "int")


def preview_first_aid(state: State, command: Targeted) -> Preview:
    """The sums of first aid."""
    check_first_aid(state, command)
    combatant = state[command.actor]
    own = modifiers_for_check(state, command.actor, SKILL, medicine_key(combatant))
    hard = difficulty_terms(_aid_difficulty(command.actor, command.target), "CE-MED-06")
    number = (Modifier("term.target_number", TARGET, "CE-ATK-01"),)
    return Preview((*own, *hard, *adjusted(command, (), "CE-MED-02")), number, "against.eight", DICE)


def _aid_difficulty(doctor: str, patient: str) -> str:
    """The difficulty of first aid: Difficult for doctors on themselves. [CE-MED-06]"""
    return "difficult" if doctor == patient else "average"


def _give_aid(context: RuleContext, doctor: str, who: str, terms: Modifiers) -> None:
    effect = roll_check(
        context,
        doctor,
        what="check.first_aid",
        skill=SKILL,
        characteristic=medicine_key(context.state[doctor]),
        terms=(*difficulty_terms(_aid_difficulty(doctor, who), "CE-MED-06"), *terms),
        rule="CE-MED-02",
        target=who,
        matters="success",
    )
    times = count_times(context.state, context.state[who])
    context.emit(e.Marked(who, AIDED, True), "CE-MED-02", e.GM_ONLY)
    aided = Aided(who, effect, times)
    if is_shared(context.state):
        put_off(context, doctor, aided)
    else:
        take_aid(context, aided)


def tend(context: RuleContext, command: Tend) -> Then:
    """Give first aid after the fight. [CE-MED-02] RULING R39: it takes 1D6 minutes, counted afterwards."""
    check_quiet(context.state)
    check_aid(context.state, command.target)
    check_doctor(context.state, command.doctor, "gives first aid")
    overrule(context, "gm.first_aid", command, command.target, by=command.doctor)
    return Then(_tend, command.doctor, command.target, adjusted(command, (), "CE-MED-02"))


def preview_care(state: State, command: Tend) -> Preview:
    """The sums of first aid or surgery outside of a fight."""
    doctor, is_surgery = command.doctor, isinstance(command, Operate)
    own = modifiers_for_check(state, doctor, SKILL, medicine_key(state[doctor]))
    find = find_surgery_difficulty if is_surgery else _aid_difficulty
    hard = difficulty_terms(find(doctor, command.target), "CE-MED-13" if is_surgery else "CE-MED-06")
    return Preview(adjusted(command, (*own, *hard)), (), "against.eight", DICE)


def _tend(context: RuleContext, doctor: str, who: str, terms: Modifiers) -> None:
    _give_aid(context, doctor, who, terms)
    roll = context.roll(AID_DICE, by=doctor, rule="CE-MED-02", why="roll.minutes")
    let_pass(context, roll.total * MINUTE_SECONDS, "why.first_aid", "CE-MED-02")


def check_doctor(state: State, who: str, does: str) -> Combatant:
    """Refuse a doctor who cannot act; people and robots, such as the autodoc, can.  RULING R74"""
    doctor = state[who]
    if is_vehicle(doctor) or not is_conscious(doctor):
        raise Refused("bad_value", f"{doctor.name} cannot act: choose someone else who {does}.")
    check_limbs(state, doctor)
    return doctor


# ---------------------------------------------------------------- surgery


def check_surgery(state: State, command: Operate) -> Combatant:
    """Refuse surgery on all but the seriously wounded [CE-MED-12], outside a hospital, and twice a day.
    [CE-MED-10]  RULING R39"""
    check_quiet(state)
    patient = check_patient(state, command.target)
    if not is_seriously_wounded(patient):
        raise Refused("not_allowed", f"{patient.name} is not seriously wounded: surgery would do nothing.")
    if not command.hospital:
        raise Refused("not_allowed", "Surgery needs a hospital or sickbay: select that there is one.")
    last = patient.marks.get(OPERATED_AT)
    if last is not None and state.clock - int(last) < DAY_SECONDS:
        raise Refused("not_allowed", f"{patient.name} had surgery today: let a day pass first.")
    check_doctor(state, command.doctor, "operates")
    return patient


def operate(context: RuleContext, command: Operate) -> Then:
    """Operate on the seriously wounded. [CE-MED-08] [CE-MED-09]"""
    check_surgery(context.state, command)
    overrule(context, "gm.surgery", command, command.target, by=command.doctor)
    return Then(_operate, command.doctor, command.target, adjusted(command, (), "CE-MED-08"))


def find_surgery_difficulty(doctor: str, patient: str) -> str:
    """The difficulty of surgery: Very Difficult for surgeons on themselves. [CE-MED-13]"""
    return "very_difficult" if doctor == patient else "average"


def _operate(context: RuleContext, doctor: str, who: str, terms: Modifiers) -> None:
    """Roll for surgery: success gives back twice the Effect, as first aid does; [CE-MED-09] failure costs the
    Effect."""
    effect = roll_check(
        context,
        doctor,
        what="check.surgery",
        skill=SKILL,
        characteristic=medicine_key(context.state[doctor]),
        difficulty=find_surgery_difficulty(doctor, who),
        terms=terms,
        rule="CE-MED-13" if doctor == who else "CE-MED-08",
        target=who,
    )
    context.emit(e.Marked(who, OPERATED_AT, context.state.clock), "CE-MED-08", e.GM_ONLY)
    if effect < 0:
        lose(context, who, -effect, why="why.surgery_failed", rule="CE-MED-09", injury=False)
        return
    context.emit(e.Marked(who, OPERATED, True), "CE-MED-08", e.GM_ONLY)
    restore(context, who, effect, times=2, why="why.surgery", rule="CE-MED-08", source="CE-MED-08")


# ---------------------------------------------------------------- forms


def check_aid_now(state: State, actor: str) -> None:
    """Refuse first aid without a patient who needs it or without a significant action left."""
    wounded = [f for f in present(state) if is_wounded(f) and not is_dead(f)]
    reasons = [find_reason(state, patient, check_aid) for patient in wounded]
    if not wounded:
        raise Refused("not_allowed", "No one here is wounded.")
    if all(reasons):
        raise Refused("not_allowed", reasons[0])
    check_significant(state, actor, "first aid")


def aid_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The patient; the actor may be their own."""

    def check(state: State, who: str) -> None:
        check_first_aid(state, Targeted(actor=actor, target=who))

    options = tuple(
        Choice(f.id, f.name, refused=find_reason(state, f, check)) for f in present(state) if is_person(f)
    )
    value = first_open(options)
    return (Field("target", "Patient", "target", options=options, value=value, rule="CE-MED-02"),)


def tend_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The doctor and the patient."""
    return (
        people_field(state, actor, "Patient", check=check_aid, rule="CE-MED-02"),
        _doctor_field(state),
    )


def surgery_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The surgeon, the patient, and the place."""
    return (
        people_field(state, actor, "Patient", check=check_patient, rule="CE-MED-12"),
        _doctor_field(state),
        Field("hospital", "In a hospital or sickbay", "flag", required=False, rule="CE-MED-10"),
    )


def _doctor_field(state: State) -> Field:
    """The field for the doctor; the default is the one with the most Medicine, the unhurt first."""

    def check(state: State, who: str) -> None:
        check_doctor(state, who, "helps")

    able = [combatant for combatant in present(state) if not find_reason(state, combatant, check)]
    best = max(able, key=lambda f: (not is_wounded(f), find_skill(f, SKILL)), default=None)
    people = [combatant for combatant in present(state) if not is_vehicle(combatant)]
    options = tuple(Choice(f.id, f.name, refused=find_reason(state, f, check)) for f in people)
    return Field("doctor", "By", "choice", options=options, value=best.id if best else "")


def _after_the_fight(state: State, actor: str) -> None:
    check_quiet(state)


ACTIONS = (
    act("first_aid", first_aid, check_aid_now, fields=aid_fields, preview=preview_first_aid),
    gm("tend", tend, _after_the_fight, fields=tend_fields, preview=preview_care),
    gm("surgery", operate, _after_the_fight, fields=surgery_fields, preview=preview_care),
)
