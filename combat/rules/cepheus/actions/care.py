"""Actions of healing and of drugs, with their forms."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.requests import Choice
from combat.rules.core.commands.commands import Action, Field, first_open
from combat.rules.core.gm.decisions import gm_action
from combat.rules.core.state.state import State, has_condition, present

from ..care import drugs
from ..care import treatment as care
from ..people.values import find_skill, is_person, is_vehicle, is_wounded
from ..world.economy import check_minor, check_quiet, check_significant
from .guards import check_free_to_act, find_reason, people_field

GROUP = "Healing"


# ---------------------------------------------------------------- in a fight


def find_obstacle_aid(state: State, actor: str) -> None:
    """Somebody has to need first aid, and a significant action to be left."""
    wounded = [f for f in present(state) if is_wounded(f) and not has_condition(f, "dead")]
    reasons = [find_reason(state, patient, care.check_aid) for patient in wounded]
    if not wounded:
        raise Refused("not_allowed", "Nobody here is wounded: first aid is for those who are.")
    if all(reasons):
        raise Refused("not_allowed", reasons[0])
    check_significant(state, actor, "first aid")


def find_fields_aid(state: State, actor: str) -> tuple[Field, ...]:
    """The patient, oneself included."""

    def check(state: State, who: str) -> None:
        care.check_first_aid(state, care.FirstAid(actor=actor, target=who))

    options = tuple(
        Choice(f.id, f.name, refused=find_reason(state, f, check)) for f in present(state) if is_person(f)
    )
    value = first_open(options)
    return (Field("target", "Patient", "target", options, value, rule="CE-MED-02"),)


def find_obstacle_drug(state: State, actor: str) -> None:
    """There has to be a drug at hand, and an action to take it."""
    if not any(drugs.is_drug(item) for item in state[actor].items):
        raise Refused("not_allowed", f"{state[actor].name} has no drugs.")
    try:
        check_minor(state, actor, "taking a drug")
    except Refused:
        check_significant(state, actor, "giving a drug")


def find_fields_drug(state: State, actor: str) -> tuple[Field, ...]:
    """The drug, and for whom."""
    items = tuple(
        Choice(item.id, item.name, str(item.data.get("text", "")))
        for item in state[actor].items
        if drugs.is_drug(item)
    )
    first = items[0].value if items else ""

    def check(state: State, who: str) -> None:
        drugs.check_drug(state, drugs.TakeDrug(actor=actor, item=first, target=who))

    people = people_field(state, "target", "For", check if first else None, actor)
    return (Field("item", "Drug", "choice", items, first), people)


# ---------------------------------------------------------------- after it


def find_fields_tend(state: State, actor: str) -> tuple[Field, ...]:
    """Who helps whom."""
    return (
        people_field(state, "target", "Patient", care.check_aid, actor, "CE-MED-02"),
        _doctor_field(state),
    )


def find_fields_surgery(state: State, actor: str) -> tuple[Field, ...]:
    """Who operates on whom, and where."""
    return (
        people_field(state, "target", "Patient", care.check_patient, actor, "CE-MED-12"),
        _doctor_field(state),
        Field("hospital", "In a hospital or sickbay", "flag", required=False, rule="CE-MED-10"),
    )


def _doctor_field(state: State) -> Field:
    """Who helps: to begin with whoever knows most of Medicine, the unhurt before others."""

    def check(state: State, who: str) -> None:
        care.check_doctor(state, who, "helps")

    able = [fighter for fighter in present(state) if not find_reason(state, fighter, check)]
    best = max(able, key=lambda f: (not is_wounded(f), find_skill(f, care.SKILL)), default=None)
    people = [fighter for fighter in present(state) if not is_vehicle(fighter)]
    options = tuple(Choice(f.id, f.name, refused=find_reason(state, f, check)) for f in people)
    return Field("doctor", "By", "choice", options, best.id if best else "")


def _after_the_fight(state: State, actor: str) -> None:
    check_quiet(state)


ACTIONS = (
    Action(
        name="first_aid",
        label="First aid",
        group=GROUP,
        type=care.FirstAid,
        run=care.first_aid,
        rule="CE-MED-02",
        cost="Significant",
        find_bar=check_free_to_act,
        find_obstacle=find_obstacle_aid,
        find_fields=find_fields_aid,
        preview=care.preview_first_aid,
        text="Medicine: twice the Effect comes back within five minutes of the wound.",
    ),
    Action(
        name="take_drug",
        label="Take or give a drug",
        group=GROUP,
        type=drugs.TakeDrug,
        run=drugs.take_drug,
        rule="CE-FAT-01",
        cost="Minor, or Significant for someone else",
        find_bar=check_free_to_act,
        find_obstacle=find_obstacle_drug,
        find_fields=find_fields_drug,
        text="One dose, for yourself or for someone at arm's length.",
    ),
    gm_action(
        "tend",
        "First aid after the fight",
        GROUP,
        care.Tend,
        care.tend,
        "CE-MED-02",
        fields=find_fields_tend,
        preview=care.preview_care,
        check=_after_the_fight,
    ),
    gm_action(
        "surgery",
        "Surgery",
        GROUP,
        care.Operate,
        care.operate,
        "CE-MED-08",
        fields=find_fields_surgery,
        preview=care.preview_care,
        check=_after_the_fight,
    ),
)
