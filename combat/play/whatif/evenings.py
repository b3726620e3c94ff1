"""The evening of a campaign: its prepared fights in the order and with the rests that the GM chooses.

The party are the campaign's characters who are in these fights; a fight tells them by their sheets.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from combat.models import Campaign, Encounter
from combat.rules import find_system, play_evenings
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.parts import Interlude
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.reserves import plan_reserves
from combat.rules.core.odds.evening import Evening, Stage
from combat.rules.core.odds.forecast import CHUNK
from combat.rules.core.sides import standing_sides
from combat.rules.core.state.state import State, present
from combat.stamps import COMMON, make_stamp

from ..campaigns.campaigns import change_campaign, find_people
from ..campaigns.roster import find_character_id
from ..writing.encounter_service import read_state
from ..writing.locking import hold_campaign
from . import forecast_jobs

MAX_FIGHTS, MAX_SHOWN = 8, 20
NOBODY = "Nobody of the campaign is in it: bring the party while you prepare it."
NO_SIDES = "It needs two sides that can fight."
NO_FIGHTS = "No fight to forecast: select one with two sides and someone of the campaign."
EARLIER, LATER = "earlier", "later"


@dataclass(frozen=True)
class PlannedFight:
    """A prepared fight: the rest before it, whether the GM left it `out`, and the `problem` that keeps it
    out. `party` has the combatants of the campaign's people, by the numbers of their sheets."""

    encounter: Encounter
    system: System
    state: State
    party: Mapping[int, str]
    rest: str = ""
    out: bool = False
    problem: str = ""

    @property
    def is_played(self) -> bool:
        """Whether it is a fight of the evening."""
        return not (self.out or self.problem)

    @property
    def side(self) -> str:
        """The side of the party."""
        return self.state.combatants[next(iter(self.party.values()))].side

    @property
    def rests(self) -> tuple[Interlude, ...]:
        """The rests of its game."""
        return self.system.turn.passing.interludes


@dataclass(frozen=True)
class SessionPlan:
    """The prepared fights of a campaign in order, and the names of its people by number."""

    campaign: Campaign
    rows: tuple[PlannedFight, ...]
    names: Mapping[int, str] = field(default_factory=dict)

    @property
    def fights(self) -> list[PlannedFight]:
        """The fights of the evening."""
        return [row for row in self.rows if row.is_played]

    @property
    def expected(self) -> list[str]:
        """The names of those of its people who are in a fight."""
        here = {number for fight in self.fights for number in fight.party}
        return [name for number, name in self.names.items() if number in here]

    @property
    def place(self) -> str:
        """Its place among the jobs."""
        return f"evening:{self.campaign.pk}"

    @property
    def stamp(self) -> str:
        """What differs as soon as a fight, the order, a rest or the party does."""
        told = [(one.encounter.stamp(is_gm=True), one.rest, sorted(one.party)) for one in self.fights]
        return make_stamp("combat.evening", repr(told), COMMON)


def find_plan(campaign: Campaign) -> SessionPlan:
    """The evening as its GM has planned it; fights that are not in the plan yet are the last ones."""
    kept = {row["fight"]: (number, row) for number, row in enumerate(campaign.evening)}
    found = campaign.encounters.filter(phase="prep", archived=False, downtime=False).defer("start")
    last = len(kept)
    ready = sorted(
        found,
        key=lambda one: (
            kept[one.pk][0] if one.pk in kept else last,
            one.planned is None,
            one.planned or one.created.date(),
            one.pk,
        ),
    )
    names = dict(find_people(campaign).values_list("pk", "name"))
    rows: list[PlannedFight] = []
    for encounter in ready[:MAX_SHOWN]:
        row = kept.get(encounter.pk, (0, {}))[1]
        rows.append(_plan_fight(encounter, row, names, [one for one in rows if one.is_played]))
    return SessionPlan(campaign, tuple(rows), names)


def _plan_fight(
    encounter: Encounter, row: Mapping[str, Any], names: Collection[int], before: list[PlannedFight]
) -> PlannedFight:
    """A fight of the plan, after those `before` it."""
    system, state = find_system(encounter.system), plan_reserves(read_state(encounter), None)
    party: dict[int, str] = {}
    for one in present(state):
        number = find_character_id(one)
        if number is not None and number in names:
            party.setdefault(number, one.id)
    rest = row.get("rest", "")
    if rest not in {one.key for one in system.turn.passing.interludes}:
        rest = ""
    known = {number for fight in before for number in fight.party}
    problem = ""
    if len(standing_sides(system, state)) < 2:
        problem = NO_SIDES
    elif not party:
        problem = NOBODY
    elif before and before[0].system is not system:
        problem = f"Another game than that of “{before[0].encounter.name}”: select one of them."
    elif before and not known & party.keys():
        problem = f"Nobody in it was in “{before[0].encounter.name}”: it is another party's."
    elif len(before) >= MAX_FIGHTS:
        problem = f"An evening has at most {MAX_FIGHTS} fights."
    return PlannedFight(
        encounter, system, state, party=party, rest=rest, out=bool(row.get("out")), problem=problem
    )


def save_plan(
    plan: SessionPlan, order: Iterable[int], chosen: Collection[int], rests: Mapping[int, str]
) -> None:
    """Keep the order of the fights, which of them are chosen, and the rest before each.

    Refused for a rest that the game has not. Fights that are gone meanwhile are left out.
    """
    rows = {one.encounter.pk: one for one in plan.rows}
    kept = [rows[number] for number in dict.fromkeys(order) if number in rows]
    for one in kept:
        if rests.get(one.encounter.pk, "") not in {"", *(known.key for known in one.rests)}:
            raise Refused("bad_value", f"Choose the rest before “{one.encounter.name}” from the list.")
    with hold_campaign(plan.campaign, "evening"):
        made = [
            {
                "fight": one.encounter.pk,
                "rest": rests.get(one.encounter.pk, ""),
                "out": one.encounter.pk not in chosen,
            }
            for one in kept
        ]
        change_campaign(plan.campaign, evening=made)


def move(order: list[int], number: int, way: str) -> list[int]:
    """The order with one fight a place earlier or later; Refused if it is not in it."""
    if number not in order:
        raise Refused("stale", "That fight is no longer here: reload the page.")
    here = order.index(number)
    rest = [one for one in order if one != number]
    there = max(0, here - 1) if way == EARLIER else here + 1
    return [*rest[:there], number, *rest[there:]]


def begin(plan: SessionPlan) -> forecast_jobs.Job:
    """Begin the forecast of an evening; a running one of the same evening goes on."""
    fights = plan.fights
    if not fights:
        raise Refused("not_allowed", NO_FIGHTS)
    stages = [
        Stage(
            one.state, {str(key): who for key, who in one.party.items()}, one.side, one.rest if number else ""
        )
        for number, one in enumerate(fights)
    ]
    here = {number for one in fights for number in one.party}
    job = forecast_jobs.Job(
        secrets.token_hex(8),
        plan.stamp,
        fights[0].system.slug,
        chunk=max(1, CHUNK // len(fights)),  # as long as a chunk of any other forecast
        names={str(number): name for number, name in plan.names.items() if number in here},
    )
    start = msgspec.json.encode(Evening(tuple(stages)))
    return forecast_jobs.launch(plan.place, job, play_evenings, start)
