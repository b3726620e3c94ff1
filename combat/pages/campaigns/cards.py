"""The list of campaigns: each with its last fight as a picture and result, its party, its next evening."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.safestring import SafeString

from combat.audience.viewer import GM
from combat.models import Campaign, Encounter
from combat.sharing.viewer_context import ViewerContext

from ..home.pictures import draw_picture
from ..home.views import CampaignCard, view_folders
from ..table.rows import find_people
from .tiles import find_result


@dataclass(frozen=True)
class ListCard:
    """A campaign of the list: its card, the picture and the result of its last fight, and the one to come."""

    card: CampaignCard
    picture: SafeString
    result: str = ""
    tone: str = ""
    last: Encounter | None = None
    next: Encounter | None = None


def view_cards(shown: Sequence[Campaign], user: User) -> list[ListCard]:
    """The campaigns as cards; the one that is played next stands first."""
    fights = _list_fights(shown)
    pictures = {one.pk: one for one in _find_drawn(fights)}
    cards = [
        _view_card(card, fights.get(card.campaign.pk, []), pictures) for card in view_folders(shown, user)
    ]
    dated = [(one.card.planned, place) for place, one in enumerate(cards) if one.card.planned]
    first = min(dated)[1] if dated else 0
    return [*cards[first : first + 1], *cards[:first], *cards[first + 1 :]]


def _list_fights(shown: Sequence[Campaign]) -> dict[int, list[Encounter]]:
    """The encounters of each campaign, the one that changed last first. One query."""
    rows = Encounter.objects.filter(campaign__in=shown, archived=False, downtime=False)
    fields = ("name", "phase", "round", "planned", "changed", "campaign")
    found: dict[int, list[Encounter]] = {}
    for one in rows.only(*fields).order_by("-changed", "-pk"):
        found.setdefault(one.campaign_id or 0, []).append(one)
    return found


def _find_drawn(fights: dict[int, list[Encounter]]) -> list[Encounter]:
    """The last encounter of each campaign with its state. One query."""
    last = [_pick_drawn(rows).pk for rows in fights.values()]
    return list(Encounter.objects.filter(pk__in=last).defer("start"))


def _pick_drawn(rows: list[Encounter]) -> Encounter:
    """The encounter whose picture stands for the campaign: the last that was played, else the last."""
    return next((one for one in rows if one.phase != "prep"), rows[0])


def _find_next(rows: list[Encounter]) -> Encounter | None:
    """The fight that runs, else the one whose day comes first, else the newest prepared."""
    today = timezone.localdate()
    ready = [one for one in rows if one.phase == "prep"]
    dated = sorted((one.planned, one.pk) for one in ready if one.planned and one.planned >= today)
    running = (one for one in rows if one.phase == "fight")
    coming = (one for one in ready if dated and one.pk == dated[0][1])
    return next(chain(running, coming, ready), None)


def _view_card(card: CampaignCard, rows: list[Encounter], drawn: dict[int, Encounter]) -> ListCard:
    if not rows:
        return ListCard(card, SafeString())
    picked = drawn[_pick_drawn(rows).pk]
    context = ViewerContext(picked, GM)
    picture = draw_picture(
        context.system, context.known_state, find_people(context), picked.pk, key=f"camp-{picked.pk}"
    )
    result, tone = "", ""
    if picked.phase == "over":
        result, tone = find_result(context.system, context.known_state)
    elif picked.phase == "fight":
        result, tone = f"Round {picked.round}", "is-wounded"
    return ListCard(card, picture, result, tone, last=picked, next=_find_next(rows))
