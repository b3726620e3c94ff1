"""The tables that someone can go to from their home page, in few queries however many there are."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import Case, Q, Value, When
from django.http import HttpRequest

from combat.audience.rights import viewer_of
from combat.audience.viewer import GM
from combat.models import Encounter
from combat.sharing.access import find_seats
from combat.sharing.viewer_context import ViewerContext

MAX_SHOWN, MAX_DEMOS = 5, 200
ORDER = ("fight", "prep", "over")  # phases: what runs comes first, what has ended last


def find_tables(request: HttpRequest) -> list[ViewerContext]:
    """The tables of a visitor, the one to go back to first: their own, and those they have a seat at.

    A running demo fight is among them only if nothing else is next.
    """
    own = _find_own(request.user) if isinstance(request.user, User) else []
    mine = {encounter.pk for encounter in own}
    seats = [seat for seat in find_seats(request) if seat.encounter_id not in mine]
    tables = [ViewerContext(encounter, GM) for encounter in own]
    tables += [ViewerContext(seat.encounter, viewer_of(seat), seat, seat.name) for seat in seats]
    tables.sort(key=_rank)
    shown = [table for at, table in enumerate(tables) if at == 0 or not table.encounter.demo or table.seat]
    return _with_states(shown[:MAX_SHOWN])


def _find_own(user: User) -> list[Encounter]:
    """Someone's encounters that run or are prepared, or else their last; only demo fights that run."""
    is_next = Q(phase="fight") | Q(phase="prep", demo=False)
    kind = Case(When(demo=True, then=Value(2)), When(phase="fight", then=Value(0)), default=Value(1))
    mine = Encounter.objects.filter(owner=user, archived=False).order_by(kind, "-changed")
    mine = mine.select_related("campaign").defer("start", "campaign__notes")
    return list(mine.filter(is_next)[:MAX_SHOWN]) or list(mine.filter(phase="over", demo=False)[:1])


def _rank(table: ViewerContext) -> tuple[int, int]:
    encounter = table.encounter
    is_demo = encounter.demo and table.seat is None
    return ORDER.index("over") if is_demo else ORDER.index(encounter.phase), table.seat is not None


def _with_states(tables: list[ViewerContext]) -> list[ViewerContext]:
    """The same tables, with the states of those that someone joined."""
    lacking = {table.encounter.pk: table.encounter for table in tables if table.seat}
    if lacking:
        for pk, state in Encounter.objects.filter(pk__in=lacking).values_list("pk", "state"):
            lacking[pk].state = state
    return tables


def find_demo_states(user: User) -> dict[tuple[str, str], str]:
    """Where someone's newest demo fights stand, by game and name; empty for one that has not begun."""
    theirs = Encounter.objects.filter(owner=user, demo=True, archived=False)
    rows = theirs.order_by("-created").values_list("system", "name", "phase", "round")[:MAX_DEMOS]
    states = {"prep": "", "over": "ended"}
    return {(slug, name): states.get(phase, f"round {at}") for slug, name, phase, at in reversed(rows)}
