"""Actions of healing and of drugs, with their forms."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, allows
from combat.rules.core.commands.commands import Field, Give, Targeted, first_open
from combat.rules.core.state.belongings import has_any
from combat.rules.core.state.state import State, present

from ..care import medicines
from ..care import treatment as care
from ..people.conditions import is_dead
from ..people.values import find_skill, is_person, is_vehicle, is_wounded
from ..world.economy import check_minor, check_quiet, check_significant
from .guards import TABLE, find_reason, people_field

# ---------------------------------------------------------------- in a fight


def check_aid_now(state: State, actor: str) -> None:
    """Refuse first aid without a patient who needs it or without a significant action left."""
    wounded = [f for f in present(state) if is_wounded(f) and not is_dead(f)]
    reasons = [find_reason(state, patient, care.check_aid) for patient in wounded]
    if not wounded:
        raise Refused("not_allowed", "No one here is wounded.")
    if all(reasons):
        raise Refused("not_allowed", reasons[0])
    check_significant(state, actor, "first aid")


def find_fields_aid(state: State, actor: str) -> tuple[Field, ...]:
    """The patient; the actor may be their own."""

    def check(state: State, who: str) -> None:
        care.check_first_aid(state, Targeted(actor=actor, target=who))

    options = tuple(
        Choice(f.id, f.name, refused=find_reason(state, f, check)) for f in present(state) if is_person(f)
    )
    value = first_open(options)
    return (Field("target", "Patient", "target", options, value, rule="CE-MED-02"),)


def check_drug_now(state: State, actor: str) -> None:
    """Refuse taking a drug without one at hand or without an action for it."""
    if not has_any(state[actor].items, medicines.is_drug):
        raise Refused("not_allowed", f"{state[actor].name} has no drugs.")
    if not allows(check_minor, state, actor, "taking a drug"):
        check_significant(state, actor, "giving a drug")


def find_fields_drug(state: State, actor: str) -> tuple[Field, ...]:
    """The drug, and the person who gets it."""
    items = tuple(
        Choice(item.id, item.name, str(item.data.get("text", "")))
        for item in state[actor].items
        if medicines.is_drug(item)
    )
    first = items[0].value if items else ""

    def check(state: State, who: str) -> None:
        medicines.check_drug(state, Give(actor=actor, item=first, target=who))

    people = people_field(state, actor, "For", check if first else None)
    return (Field("item", "Drug", "choice", items, first), people)


# ---------------------------------------------------------------- after a fight


def find_fields_tend(state: State, actor: str) -> tuple[Field, ...]:
    """The doctor and the patient."""
    return (
        people_field(state, actor, "Patient", care.check_aid, "CE-MED-02"),
        _doctor_field(state),
    )


def find_fields_surgery(state: State, actor: str) -> tuple[Field, ...]:
    """The surgeon, the patient, and the place."""
    return (
        people_field(state, actor, "Patient", care.check_patient, "CE-MED-12"),
        _doctor_field(state),
        Field("hospital", "In a hospital or sickbay", "flag", required=False, rule="CE-MED-10"),
    )


def _doctor_field(state: State) -> Field:
    """The field for the doctor; the default is the one with the most Medicine, the unhurt first."""

    def check(state: State, who: str) -> None:
        care.check_doctor(state, who, "helps")

    able = [combatant for combatant in present(state) if not find_reason(state, combatant, check)]
    best = max(able, key=lambda f: (not is_wounded(f), find_skill(f, care.SKILL)), default=None)
    people = [combatant for combatant in present(state) if not is_vehicle(combatant)]
    options = tuple(Choice(f.id, f.name, refused=find_reason(state, f, check)) for f in people)
    return Field("doctor", "By", "choice", options, best.id if best else "")


def _after_the_fight(state: State, actor: str) -> None:
    check_quiet(state)


ACTIONS = (
    TABLE.act(
        "first_aid", care.first_aid, check_aid_now, fields=find_fields_aid, preview=care.preview_first_aid
    ),
    TABLE.act("take_drug", medicines.take_drug, check_drug_now, fields=find_fields_drug),
    TABLE.gm("tend", care.tend, _after_the_fight, fields=find_fields_tend, preview=care.preview_care),
    TABLE.gm(
        "surgery", care.operate, _after_the_fight, fields=find_fields_surgery, preview=care.preview_care
    ),
)
