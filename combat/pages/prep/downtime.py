"""Downtime: who rests together and for how long, what each day brings, and the rest itself in one tap."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_http_methods
from msgspec.structs import replace

from characters.access import person_of
from characters.games import check_sheet, find_problems
from characters.models import Character
from combat.audience.secrecy import view_health
from combat.audience.viewer import HealthView
from combat.display.combatants.tokens import Look, draw_character
from combat.models import Encounter
from combat.play.campaigns.roster import (
    MAX_TOGETHER,
    begin_downtime,
    find_downtimes,
    find_parties,
    submission_to_join,
)
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.characters import Health
from combat.rules.core.declaration.parts import Interlude
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, find_action
from combat.rules.core.odds.forecast import play_step
from combat.rules.core.odds.resting import DAY, NIGHT, SHORT, find_rest, foresee_rest, list_steps
from combat.rules.core.state.state import State, present
from cosmos_site.base.errors import status_of
from cosmos_site.base.forms import is_htmx, see_other

LENGTHS = {SHORT: "a breather", NIGHT: "a night", "1": "1 day", "3": "3 days", "7": "7 days", "14": "14 days"}
USUAL = "7"
SHOWN = 7  # days that stand in a row, at most
ALLIES = "allies"


@dataclass(frozen=True)
class Day:
    """A day of someone: their points in words, the tone of their health, and its word where it changes."""

    number: int
    points: str
    tone: str
    word: str = ""


@dataclass(frozen=True)
class Resting:
    """Someone who may rest: face, health now, whether they are chosen, and their days."""

    character: Character
    look: Look
    health: HealthView | None
    is_chosen: bool
    now: str = ""
    days: tuple[Day, ...] = ()

    @property
    def after(self) -> Day | None:
        """The last day."""
        return self.days[-1] if self.days else None

    @property
    def changes(self) -> bool:
        """Whether any day makes a difference to their health."""
        return any(day.word or day.points != self.now for day in self.days)


@dataclass(frozen=True)
class Event:
    """What a day brings for someone, in words."""

    day: int
    name: str
    words: str


@dataclass(frozen=True)
class Plan:
    """What the page asks: the game, who rests, and for how long (a key of LENGTHS)."""

    system: System
    people: tuple[Character, ...]
    chosen: tuple[Character, ...]
    length: str

    @property
    def rest(self) -> Interlude | None:
        """The rest of the game for this time."""
        return find_rest(self.system, _find_key(self.length))

    @property
    def days(self) -> int:
        """How many days, or nights, pass."""
        return 1 if self.length in (SHORT, NIGHT) else int(self.length)

    @property
    def lengths(self) -> list[tuple[str, str, bool]]:
        """The times to choose from, as far as the game has a rest for them."""
        known = {key: find_rest(self.system, _find_key(key)) for key in LENGTHS}
        return [(key, words, key == self.length) for key, words in LENGTHS.items() if known[key]]


def _find_key(length: str) -> str:
    """The key of the rest for a time of LENGTHS."""
    return length if length in (SHORT, NIGHT) else DAY


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def spend_downtime(request: HttpRequest) -> HttpResponse:
    """Downtime for the user's characters: who takes part, what the days bring, and what is under way."""
    person, status = person_of(request), 200
    asked = request.POST if request.method == "POST" else request.GET
    plan = _read_plan(person, asked)
    if request.method == "POST":
        try:
            made, is_done = _begin(person, plan, asked)
        except Refused as refused:
            messages.warning(request, refused.message)
            status = status_of(refused)
        else:
            return see_other("take_home" if is_done else "table", made.pk)
    shown = {"plan": plan, **(_foresee(plan) if plan else {})}
    if is_htmx(request):
        return render(request, "combat/prep/roster/rest.html", shown)
    shown["games"] = [find_system(slug) for slug in _find_people(person)]
    shown["under_way"] = find_downtimes(person)
    return render(request, "combat/prep/roster/downtime.html", shown, status=status)


def _find_people(person: User) -> dict[str, list[Character]]:
    """Someone's active characters by the slug of their game."""
    return {people[0].system: people for _, people in find_parties(person)}


def _read_plan(person: User, asked: QueryDict) -> Plan | None:
    """What is asked; without words, everyone of the game that was played last. None without characters."""
    mine = _find_people(person)
    if not mine:
        return None
    picked = set(asked.getlist("who"))
    of_picked = (slug for slug, people in mine.items() if any(str(one.pk) in picked for one in people))
    newest = max(mine, key=lambda slug: max(one.changed_at for one in mine[slug]))
    slug = next(of_picked, asked.get("game", newest))
    slug = slug if slug in mine else newest
    people = sorted(mine[slug], key=lambda one: (str(one.pk) not in picked, one.name.casefold()))
    chosen = [one for one in people if str(one.pk) in picked]
    if not picked and "seen" not in asked:
        chosen = people
    length = asked.get("length", USUAL)
    return Plan(
        find_system(slug), tuple(people), tuple(chosen[:MAX_TOGETHER]), length if length in LENGTHS else USUAL
    )


def _begin(person: User, plan: Plan | None, asked: QueryDict) -> tuple[Encounter, bool]:
    """A new downtime of those who are chosen, and whether they have rested in it at once. Raises Refused."""
    with transaction.atomic():
        made = begin_downtime(person, asked.getlist("who"))
        if plan is None or plan.rest is None or asked.get("do") != "rest":
            return made, False
        for fields in list_steps(plan.rest, plan.days):
            submit(made.pk, Submission(plan.rest.action, dict(fields), by=person.get_username()))
        made.refresh_from_db()
        return made, not made.open_command


# What the days bring, before anyone rests.


def _foresee(plan: Plan) -> dict[str, Any]:
    """The rows of all, the events of the days in order, and why nobody can rest, if so."""
    try:
        camp = _make_camp(plan.system, plan.chosen)
        nights = (
            list(foresee_rest(plan.system, camp, plan.rest, plan.days)) if plan.rest and plan.chosen else []
        )
        problem = ""
    except Refused as refused:
        camp, nights, problem = plan.system.begin(), [], refused.message
    places = dict(zip((one.pk for one in plan.chosen), (one.id for one in present(camp)), strict=False))
    rows = [_view_person(plan, one, places.get(one.pk, ""), camp, nights) for one in plan.people]
    is_exact = all(low == high for low, high in nights)
    events = list(_find_events(plan.system, camp, [low for low, _ in nights]))
    return {"rows": rows, "events": events, "problem": problem, "is_exact": is_exact}


def _make_camp(system: System, people: tuple[Character, ...]) -> State:
    """All of these where nothing happens; raises Refused."""
    camp, auto = system.begin(), AutoDriver(tells=False)
    for one in people:
        fields = submission_to_join(one, side=ALLIES, by="").fields
        command = read_command(find_action(system, "join"), fields)
        camp = play_step(system, camp, "join", command=command, auto=auto).state
    return camp


def _view_person(
    plan: Plan, one: Character, who: str, camp: State, nights: list[tuple[State, State]]
) -> Resting:
    system, sheet = plan.system, dict(one.sheet)
    look, is_chosen = draw_character(one, "is-ally"), one in plan.chosen
    if find_problems(system, sheet):
        return Resting(one, look, None, is_chosen)
    made = system.characters.make_combatant("me", one.name, "", check_sheet(system, sheet), camp.options)
    health = system.characters.health(made)
    shown = Resting(
        one, replace(look, down=health.is_out), view_health(system, health), is_chosen, now=str(health.now)
    )
    if not who:
        return shown
    return Resting(
        shown.character,
        shown.look,
        shown.health,
        is_chosen,
        now=shown.now,
        days=tuple(_view_days(system, health, who, nights)),
    )


def _view_days(system: System, before: Health, who: str, nights: list[tuple[State, State]]) -> Iterator[Day]:
    """The days of someone that stand in their row: all, or as many as fit, the last always."""
    step = -(-len(nights) // SHOWN) or 1
    word = system.draw(before.word)
    for number, (low, high) in enumerate(nights, 1):
        if number % step and number != len(nights):
            continue
        worst, best = (system.characters.health(state[who]) for state in (low, high))
        view = view_health(system, worst)
        points = str(worst.now) if worst.now == best.now else f"{worst.now}–{best.now}"
        yield Day(number, points, view.tone, view.word if view.word != word else "")
        word = view.word


def _find_events(system: System, camp: State, nights: list[State]) -> Iterator[Event]:
    """What changes in words on each day: health, and conditions that begin or end."""
    before = camp
    for number, after in enumerate(nights, 1):
        for one in present(after):
            yield from tell_day(system, number, before, after, one.id)
        before = after


def tell_day(system: System, number: int, before: State, after: State, who: str) -> Iterator[Event]:
    """What changes in words for someone between two states: health, and conditions that begin or end."""
    was, now = before[who], after[who]
    words = [system.draw(system.characters.health(one).word) for one in (was, now)]
    if words[0] != words[1]:
        yield Event(number, now.name, words[1])
    had, has = ({one.kind: system.draw(one.label) for one in each.conditions} for each in (was, now))
    yield from (Event(number, now.name, f"no longer {word}") for kind, word in had.items() if kind not in has)
    yield from (Event(number, now.name, word) for kind, word in has.items() if kind not in had)
