"""What happened to a player's own while nobody looked at this page: the facts of the log as they read them.

Who looked when is kept in the browser. A page that is awake asks for a step as soon as it is there: one that
comes to a step later than that was asleep, closed or out of reach.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from combat.display.log_view import names_of, tell_step
from combat.display.shapes.table_shapes import CombatantView, Missed, MissedLine, MissedPerson
from combat.models import StoredStep
from combat.rules.core.basics.numbers import read_whole as read_number
from combat.rules.core.basics.words import say_number
from combat.rules.core.declaration.system import System
from combat.rules.core.state import events as e
from combat.rules.core.state.history import COMMAND
from combat.rules.core.wording import Pen
from combat.sharing.viewer_context import ViewerContext

from .result_view import read_whole, tell_changes

COOKIE, SECONDS = "looked", 86_400
AWAY = 45_000  # milliseconds after which a page that is awake has long asked for a step
MAX_LINES = 8  # of one person
READ = "looked"  # the `do` of "Got it"


class Looks(NamedTuple):
    """The times of steps, in milliseconds; 0 for none: the newest one seen, the newest one seen before this
    person looked away, and the newest one when they had read what they missed since.
    """

    last: int = 0
    since: int = 0
    read: int = 0

    def note_read(self) -> Looks:
        """The same once a person has done something: what lay before them is read."""
        return self._replace(read=self.last) if self.since and not self.read else self


def read_looks(request: HttpRequest, pk: int) -> Looks:
    """When the person of this browser looked at an encounter."""
    words = request.COOKIES.get(COOKIE, "").split(".")
    times = [max(read_number(word) or 0, 0) for word in words]
    return Looks(*times[1:]) if len(times) == 4 and times[0] == pk else Looks()


def keep_looks(answer: HttpResponse, pk: int, looks: Looks) -> None:
    """Remember it in the browser, for the page of this encounter."""
    answer.set_cookie(
        COOKIE,
        ".".join(map(str, (pk, *looks))),
        max_age=SECONDS,
        path=reverse("table", args=[pk]),
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


class _Step(NamedTuple):
    """A step that counts: its time, who acted if the viewer saw them, and its facts as they read them."""

    at: int
    actor: str
    facts: tuple[e.Fact, ...]


def look(
    context: ViewerContext,
    rows: Iterable[StoredStep],
    combatants: Mapping[str, CombatantView],
    looks: Looks,
    now: datetime,
) -> tuple[Missed | None, Looks]:
    """What a player at their seat missed, and what they have seen from now on; `rows` are newest first."""
    mine = [who for who in combatants if who in context.viewer.seats]
    steps = list(_find_steps(context, rows))
    if not mine or not steps or context.known_state.phase != "fight":
        return None, Looks(max([looks.last, *(step.at for step in steps)]))
    if not looks.last:
        return None, Looks(steps[0].at)
    unseen = [step for step in steps if step.at > looks.last]
    is_late = bool(unseen) and _to_ms(now) - unseen[-1].at > AWAY
    if is_late and (looks.read or not looks.since) and any(_find_told(context, unseen, mine).values()):
        looks = Looks(looks.last, since=looks.last)
    looks = looks._replace(last=max(looks.last, steps[0].at))
    if looks.read and any(step.at > looks.read and _begins_turn(step, mine) for step in steps):
        looks = Looks(looks.last)
    return _view(context, steps, combatants, mine, looks) if looks.since else None, looks


def _find_steps(context: ViewerContext, rows: Iterable[StoredStep]) -> Iterator[_Step]:
    """The steps that count, newest first, each with what the viewer reads with it."""
    viewer, system = context.viewer, context.system
    names = tuple(names_of(context.known_state).items())
    for row in rows:
        if row.kind == COMMAND and not row.struck and row.number not in context.told_lately.steps:
            told = tell_step(read_whole(context, row), system.slug, viewer, names)
            yield _Step(_to_ms(row.created), told.actor, told.facts)


def _to_ms(at: datetime) -> int:
    return int(at.timestamp() * 1000)


def _begins_turn(step: _Step, mine: list[str]) -> bool:
    events = (fact.event for fact in step.facts)
    return any(isinstance(event, e.TurnStarted | e.TurnShared) and event.who in mine for event in events)


def _find_told(context: ViewerContext, steps: list[_Step], mine: list[str]) -> dict[str, list[MissedLine]]:
    """What steps, newest first, say of these combatants, oldest first."""
    names = names_of(context.known_state)
    pen, told = Pen(context.system, names), dict[str, list[MissedLine]]()
    for step in reversed(steps):
        by = "" if step.actor in mine else names.get(step.actor, "")
        for one in tell_changes(pen, step.facts):
            if one.who in mine:
                told.setdefault(one.who, []).extend(MissedLine(by, *words) for words in one.words)
    return told


def _view(
    context: ViewerContext,
    steps: list[_Step],
    combatants: Mapping[str, CombatantView],
    mine: list[str],
    looks: Looks,
) -> Missed | None:
    """What was missed: until it was read, everything since."""
    missed = [step for step in steps if looks.since < step.at <= (looks.read or looks.last)]
    told = _find_told(context, missed, mine)
    if not told:
        return None
    events = [fact.event for step in missed for fact in step.facts]
    people = [
        MissedPerson(
            combatants[who].name,
            combatants[who].look,
            health=combatants[who].health,
            changes=tuple(_find_changes(context.system, events, who)),
            told=tuple(told[who][-MAX_LINES:]),
            earlier=max(len(told[who]) - MAX_LINES, 0),
        )
        for who in mine
        if who in told
    ]
    return Missed(
        tuple(people),
        minutes=(missed[0].at - looks.since) // 60_000,
        turns=sum(isinstance(event, e.TurnStarted) for event in events),
        is_read=bool(looks.read),
        goes_back=steps[-1].at > looks.since,
    )


def _find_changes(system: System, events: Iterable[e.Event], who: str) -> Iterator[tuple[str, str]]:
    """The numbers of someone's health that are others now, each with its label and by how much."""
    changed: dict[str, int] = {}
    for event in events:
        if isinstance(event, e.TrackChanged) and event.who == who and not event.word:
            changed[event.track] = changed.get(event.track, 0) + event.new - event.old
    for track in system.characters.tracks:
        if track.tells_health and changed.get(track.key):
            yield system.draw(track.label), say_number(changed[track.key], signed=True)
