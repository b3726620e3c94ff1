"""Time outside of rounds, with its forms."""

from __future__ import annotations

from combat.rules.core.basics.requests import Choice
from combat.rules.core.commands.commands import Field
from combat.rules.core.gm.decisions import gm_action
from combat.rules.core.state.state import State, present

from ..care.treatment import check_doctor
from ..people.values import is_person, is_vehicle
from ..time import clock, downtime
from .guards import find_reason

GROUP = "Time"


def find_fields_time(state: State, actor: str) -> tuple[Field, ...]:
    """How long, and whether it is rest."""
    return (
        Field("hours", "Hours", "number", value="1", low=0, high=clock.MAX_HOURS),
        Field("minutes", "Minutes", "number", value="0", low=0, high=59, required=False),
        Field("resting", "Everybody rests", "flag", required=False, rule="CE-FAT-03"),
    )


def find_fields_rest(state: State, actor: str) -> tuple[Field, ...]:
    """How, how long, who, and what care there is."""
    kinds = (Choice("rest", "Full rest: 1D6 + Endurance DM"), Choice("active", "Active: 1 + Endurance DM"))
    people = tuple(Choice(fighter.id, fighter.name) for fighter in present(state) if is_person(fighter))

    def check(state: State, who: str) -> None:
        check_doctor(state, who, "gives medical care")

    able = [fighter for fighter in present(state) if not is_vehicle(fighter)]
    doctors = tuple(Choice(f.id, f.name, refused=find_reason(state, f, check)) for f in able)
    return (
        Field("kind", "How", "choice", kinds, "rest", rule="CE-HEAL-01"),
        Field("days", "Days", "number", value="1", low=1, high=downtime.MAX_DAYS),
        Field("who", "Who", "many", people, required=False, help="blank: everyone"),
        Field(
            "doctor",
            "Medical care by",
            "choice",
            (Choice("", "nobody"), *doctors),
            "",
            required=False,
            rule="CE-MED-14",
        ),
        Field("hospital", "In a hospital or sickbay", "flag", required=False, rule="CE-MED-16"),
        Field("slow", "Slow drug: each day heals as a month does", "flag", required=False),
    )


ACTIONS = (
    gm_action(
        "pass_time",
        "Let time pass",
        GROUP,
        clock.PassTime,
        clock.pass_time,
        "CE-UNCON-01",
        fields=find_fields_time,
        check=clock.check_pass,
        has_odds=False,
    ),
    gm_action(
        "rest",
        "Days go by",
        GROUP,
        downtime.Rest,
        downtime.rest,
        "CE-HEAL-01",
        fields=find_fields_rest,
        check=clock.check_pass,
        has_odds=False,
    ),
)
