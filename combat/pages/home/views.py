"""The home page: what comes next; for strangers what this is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.db.models import Case, Count, OuterRef, Q, QuerySet, Subquery, Value, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from characters.access import person_of
from characters.accounts.visitors import LIFETIME, WAIT_SECONDS, are_welcome, is_visitor, make_visitor
from characters.guests import Guest, visitor_of
from characters.models import Character
from characters.services import character_service
from combat.audience.rights import viewer_of
from combat.audience.viewer import GM
from combat.models import Campaign, CampaignMember, Encounter
from combat.play.campaigns.campaigns import find_campaigns
from combat.play.campaigns.next_evening import find_evenings
from combat.play.demo import open_demo_fight
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.sharing.access import find_seats
from combat.sharing.guests import end_visits
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.errors import TOO_MANY, status_of
from cosmos_site.base.forms import see_other

from .pictures import DemoView, view_demo_board, view_demos
from .player import view_evenings, view_last, view_own
from .shapes import view_card, view_large_card

MAX_CAMPAIGNS, MAX_CHARACTERS = 6, 7
MAX_SHOWN, MAX_DEMOS = 5, 200
ORDER = ("fight", "prep", "over")  # phases: what runs comes first, what has ended last
MAX_CREW = 5


@require_safe
def show_home(request: HttpRequest) -> HttpResponse:
    """The table to go back to, the next ones, campaigns and people; the front page for strangers."""
    visitor, tables = visitor_of(request), find_tables(request)
    shown: dict[str, Any] = {}
    if isinstance(visitor, User):
        found = list(find_folders(visitor)[:MAX_CAMPAIGNS])
        shown |= {"campaigns": view_folders(found, visitor), "demos": _view_demos(visitor)}
    is_gm = any(table.seat is None for table in tables) or bool(shown.get("campaigns"))
    if isinstance(visitor, User | Guest):
        shown["people"] = _view_people(visitor) if is_gm else view_own(visitor)
        shown["evenings"] = view_evenings(find_evenings(visitor), visitor)
    elif not tables:
        front = next(iter(SYSTEMS))
        shown |= {"board": view_demo_board(front), "slug": front, "demos": _view_demos()}
        shown["is_welcome"] = are_welcome()
    first = tables[0] if tables and tables[0].encounter.phase != "over" else None
    shown["go_on"] = view_large_card(first) if first else None
    last = None if is_gm else view_last(tables)
    others = [one for one in tables[1 if first else 0 :] if not last or one.encounter.pk != last.pk]
    shown |= {"next": [view_card(table) for table in others], "last": last, "is_gm": is_gm}
    shown["is_first"] = not (tables or shown.get("campaigns") or shown.get("people"))
    if shown["is_first"]:
        game = find_system(next(iter(SYSTEMS)))
        shown |= {"example_game": game, "example": game.book.imports.short_example}
    shown["is_visitor"] = is_visitor(request.user)
    shown["is_known"] = request.user.is_authenticated or bool(tables)
    return render(request, "combat/home/home.html", shown)


@require_http_methods(["GET", "HEAD", "POST"])
def open_demo(request: HttpRequest) -> HttpResponse:
    """Open the demo fight of the first game, for a stranger as a visitor of their own; GET leads home."""
    if request.method != "POST":
        return redirect("home")
    try:
        if not request.user.is_authenticated:
            end_visits()
            login(request, make_visitor(request))
            request.session.set_expiry(LIFETIME)
        fight = open_demo_fight(person_of(request), next(iter(SYSTEMS)))
    except Refused as refused:
        if status_of(refused) == TOO_MANY:
            answer = render(request, "429.html", {"reason": refused.message}, status=TOO_MANY)
            answer["Retry-After"] = str(WAIT_SECONDS)
            return answer
        messages.warning(request, refused.message)
        return see_other("home")
    return see_other("table", fight.pk)


def _view_demos(user: User | None = None) -> list[tuple[System, DemoView, str]]:
    """The demo fights of all games, with where this person's stand; for strangers the first of each game."""
    states = find_demo_states(user) if user else {}
    games = map(find_system, SYSTEMS)
    demos = [(game, demo) for game in games for demo in view_demos(game.slug)[: None if user else 1]]
    return [(game, demo, states.get((game.slug, demo.name), "")) for game, demo in demos]


def _view_people(keeper: User | Guest) -> list[Face]:
    """The characters that changed last."""
    mine = character_service.find_mine(keeper).filter(archived=False)
    rows = mine.only("name", "portrait", "face", "system", "sheet", "npc")[:MAX_CHARACTERS]
    return [Face(one, is_own=True) for one in rows]


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


# Campaigns as cards: the game played last, how many encounters, and the faces of the party.


@dataclass(frozen=True)
class Face:
    """A character of the viewer, or one of their campaign, as a picture."""

    character: Character
    is_own: bool


@dataclass(frozen=True)
class CampaignCard:
    """A campaign: the game it played last, how many encounters it has, and its people.

    `planned` is the next day on which its GM means to play.
    """

    campaign: Campaign
    game: System | None
    encounters: int
    crew: tuple[Face, ...]
    people: int
    planned: date | None = None


def find_folders(user: User, archived: bool = False) -> QuerySet[Campaign]:
    """Someone's campaigns, with what `view_folders` shows of their encounters."""
    inside = Encounter.objects.filter(campaign=OuterRef("pk"))
    last = inside.order_by("-changed").values("system")[:1]
    to_come = inside.filter(archived=False, phase="prep", planned__gte=timezone.localdate()).order_by(
        "planned"
    )
    count = Count("encounters", filter=Q(encounters__archived=False))
    found = find_campaigns(user, archived).annotate(played=Subquery(last), fights=count).defer("notes")
    found = found.annotate(planned=Subquery(to_come.values("planned")[:1]))
    return found.order_by("-changed", "-pk")  # counting drops the order of the table


def view_folders(shown: Sequence[Campaign], user: User) -> list[CampaignCard]:
    """Found campaigns as cards, each with its people."""
    members = CampaignMember.objects.filter(
        campaign__in=shown, character__npc=False, character__deleted_at=None
    )
    crews: dict[int, list[Character]] = {}
    wanted = (
        "campaign",
        *(f"character__{name}" for name in ("name", "portrait", "face", "owner", "system", "sheet", "npc")),
    )
    for member in members.select_related("character").only(*wanted).order_by("character__name"):
        crews.setdefault(member.campaign_id, []).append(member.character)
    return [_view_folder(one, crews.get(one.pk, []), user) for one in shown]


def _view_folder(campaign: Any, crew: list[Character], user: User) -> CampaignCard:
    faces = (Face(one, one.owner_id == user.pk) for one in crew[:MAX_CREW])
    game = find_system(campaign.played) if campaign.played in SYSTEMS else None
    return CampaignCard(
        campaign,
        game,
        campaign.fights,
        crew=tuple(faces),
        people=len(crew),
        planned=campaign.planned,
    )
