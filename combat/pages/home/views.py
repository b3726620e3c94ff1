"""The home page: what comes next; for strangers what this is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.db.models import Count, OuterRef, Q, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from characters.accounts.visitors import LIFETIME, are_welcome, is_visitor, make_visitor
from characters.display.sheet_view import initials_of
from characters.guests import Guest, visitor_of
from characters.models import Character
from characters.services import character_service
from combat.models import Campaign, CampaignMember, Encounter
from combat.play.demo import open_demo_fight
from combat.play.notes.examples import make_short_example
from combat.play.people.campaigns import find_campaigns
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.sharing.access import person_of
from combat.sharing.guests import end_visits
from cosmos_site.base.forms import see_other

from .board import view_demo_board
from .pictures import DemoView, view_demos
from .shapes import view_card, view_large_card
from .tables import find_demo_states, find_tables

MAX_CAMPAIGNS, MAX_CHARACTERS, MAX_CREW = 6, 7, 5


@dataclass(frozen=True)
class Face:
    """A character of the viewer, or one of their campaign, as a picture or initials."""

    character: Character
    initials: str
    is_own: bool


@dataclass(frozen=True)
class CampaignCard:
    """A campaign: the game it played last, how many encounters it has, and its people."""

    campaign: Campaign
    game: System | None
    encounters: int
    crew: tuple[Face, ...]
    people: int


@require_safe
def show_home(request: HttpRequest) -> HttpResponse:
    """The table to go back to, the next ones, campaigns and people; the front page for strangers."""
    visitor, tables = visitor_of(request), find_tables(request)
    shown: dict[str, Any] = {}
    if isinstance(visitor, User):
        shown |= {"campaigns": _view_campaigns(visitor), "demos": _view_demos(visitor)}
    if isinstance(visitor, User | Guest):
        shown["people"] = _view_people(visitor)
    elif not tables:
        front = next(iter(SYSTEMS))
        shown |= {"board": view_demo_board(front), "slug": front, "demos": _view_demos()}
        shown["is_welcome"] = are_welcome()
    first = tables[0] if tables and tables[0].encounter.phase != "over" else None
    shown["go_on"] = view_large_card(first) if first else None
    shown["next"] = [view_card(table) for table in tables[1 if first else 0 :]]
    shown["is_gm"] = any(table.seat is None for table in tables) or bool(shown.get("campaigns"))
    shown["is_first"] = not (tables or shown.get("campaigns") or shown.get("people"))
    if shown["is_first"]:
        game = find_system(next(iter(SYSTEMS)))
        shown |= {"example_game": game, "example": make_short_example(game)}
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
    rows = mine.only("name", "portrait", "face")[:MAX_CHARACTERS]
    return [Face(one, initials_of(one.name), is_own=True) for one in rows]


def _view_campaigns(user: User) -> list[CampaignCard]:
    """The campaigns that changed last, each with its people."""
    last = Encounter.objects.filter(campaign=OuterRef("pk")).order_by("-changed").values("system")[:1]
    count = Count("encounters", filter=Q(encounters__archived=False))
    found = find_campaigns(user).annotate(played=Subquery(last), fights=count).defer("notes")
    shown = list(found[:MAX_CAMPAIGNS])
    members = CampaignMember.objects.filter(
        campaign__in=shown, character__npc=False, character__deleted_at=None
    )
    crews: dict[int, list[Character]] = {}
    wanted = ("campaign", *(f"character__{name}" for name in ("name", "portrait", "face", "owner")))
    for member in members.select_related("character").only(*wanted).order_by("character__name"):
        crews.setdefault(member.campaign_id, []).append(member.character)
    return [_view_campaign(one, crews.get(one.pk, []), user) for one in shown]


def _view_campaign(campaign: Any, crew: list[Character], user: User) -> CampaignCard:
    faces = (Face(one, initials_of(one.name), one.owner_id == user.pk) for one in crew[:MAX_CREW])
    game = find_system(campaign.played) if campaign.played in SYSTEMS else None
    return CampaignCard(campaign, game, campaign.fights, tuple(faces), len(crew))
