"""Campaigns as cards: the game played last, how many encounters, and the faces of the party."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery

from characters.display.sheet_view import initials_of
from characters.models import Character
from combat.models import Campaign, CampaignMember, Encounter
from combat.play.campaigns.campaigns import find_campaigns
from combat.rules import SYSTEMS, find_system
from combat.rules.core.declaration.system import System

MAX_CREW = 5


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


def find_folders(user: User, archived: bool = False) -> QuerySet[Campaign]:
    """Someone's campaigns, with what `view_folders` shows of their encounters."""
    last = Encounter.objects.filter(campaign=OuterRef("pk")).order_by("-changed").values("system")[:1]
    count = Count("encounters", filter=Q(encounters__archived=False))
    found = find_campaigns(user, archived).annotate(played=Subquery(last), fights=count).defer("notes")
    return found.order_by("-changed", "-pk")  # counting drops the order of the table


def view_folders(shown: Iterable[Campaign], user: User) -> list[CampaignCard]:
    """Found campaigns as cards, each with its people."""
    members = CampaignMember.objects.filter(
        campaign__in=shown, character__npc=False, character__deleted_at=None
    )
    crews: dict[int, list[Character]] = {}
    wanted = ("campaign", *(f"character__{name}" for name in ("name", "portrait", "face", "owner")))
    for member in members.select_related("character").only(*wanted).order_by("character__name"):
        crews.setdefault(member.campaign_id, []).append(member.character)
    return [_view_folder(one, crews.get(one.pk, []), user) for one in shown]


def _view_folder(campaign: Any, crew: list[Character], user: User) -> CampaignCard:
    faces = (Face(one, initials_of(one.name), one.owner_id == user.pk) for one in crew[:MAX_CREW])
    game = find_system(campaign.played) if campaign.played in SYSTEMS else None
    return CampaignCard(campaign, game, campaign.fights, crew=tuple(faces), people=len(crew))
