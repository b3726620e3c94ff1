"""Time outside of rounds, with its forms."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.commands.commands import Field
from combat.rules.core.commands.forms import form_of, number_field
from combat.rules.core.state.state import State, present

from ..care.treatment import check_doctor
from ..people.values import is_person, is_vehicle
from ..time import clock, downtime
from .guards import TABLE, find_reason

find_fields_time = form_of(
    number_field("hours", "Hours", 1, 0, clock.MAX_HOURS),
    number_field("minutes", "Minutes", 0, 0, 59, required=False),
    Field("resting", "Everybody rests", "flag", required=False, rule="CE-FAT-03"),
)


def find_fields_rest(state: State, actor: str) -> tuple[Field, ...]:
    """The kind of rest, its length, the people, and the care they get."""
    kinds = (Choice("rest", "Full rest: 1D6 + Endurance DM"), Choice("active", "Active: 1 + Endurance DM"))
    people = tuple(
        Choice(combatant.id, combatant.name) for combatant in present(state) if is_person(combatant)
    )

    def check(state: State, who: str) -> None:
        check_doctor(state, who, "gives medical care")

    able = [combatant for combatant in present(state) if not is_vehicle(combatant)]
    doctors = tuple(Choice(f.id, f.name, refused=find_reason(state, f, check)) for f in able)
    return (
        Field("kind", "How", "choice", kinds, "rest", rule="CE-HEAL-01"),
        number_field("days", "Days", 1, 1, downtime.MAX_DAYS),
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
    TABLE.gm("pass_time", clock.pass_time, clock.check_pass, fields=find_fields_time, has_odds=False),
    TABLE.gm("rest", downtime.rest, clock.check_pass, fields=find_fields_rest, has_odds=False),
)
