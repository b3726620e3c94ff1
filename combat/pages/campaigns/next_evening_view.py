"""The page of a campaign's next evening, its calendar file, and the address that calendar apps read."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from characters.guests import for_keepers, visitor_of
from combat.models import Campaign, EveningAnswer, GameEvening
from combat.play.campaigns import chest, next_evening
from combat.play.campaigns.calendar_file import KIND, write_calendar
from combat.play.campaigns.next_evening import MAX_NOTE, MAX_PLACE, MAX_REMARK, MAX_ZONE, Comer, Wanted
from combat.rules.core.basics.checking import clean_text
from combat.rules.core.basics.errors import Refused
from combat.sharing.invitations import Place, find_places
from cosmos_site.base.errors import status_of
from cosmos_site.base.files import answer_file
from cosmos_site.base.forms import CheckedField, SiteForm, see_other

LENGTHS = tuple((60 * hours, f"{hours} h") for hours in (1, 2, 3, 4, 5, 6, 8, 10, 12))
USUAL, USUAL_TIME = 240, "19:00"  # minutes; the time on the clock
FILE_NAME = "next-evening.ics"
# Well-known zones that the field offers; it takes every other name too
ZONES = (
    *("America/Los_Angeles", "America/Denver", "America/Chicago", "America/New_York", "America/Toronto"),
    *("America/Halifax", "America/Sao_Paulo", "America/Argentina/Buenos_Aires", "America/Mexico_City"),
    *("Europe/London", "Europe/Dublin", "Europe/Lisbon", "Europe/Madrid", "Europe/Paris", "Europe/Berlin"),
    *("Europe/Vienna", "Europe/Zurich", "Europe/Rome", "Europe/Stockholm", "Europe/Warsaw", "Europe/Athens"),
    *("Europe/Helsinki", "Europe/Kyiv", "Europe/Istanbul", "Africa/Johannesburg", "Asia/Dubai"),
    *("Asia/Kolkata", "Asia/Singapore", "Asia/Shanghai", "Asia/Tokyo", "Asia/Seoul", "Australia/Perth"),
    *("Australia/Sydney", "Pacific/Auckland", "UTC"),
)


class EveningForm(SiteForm):
    """When the campaign plays next, how long and where."""

    use_required_attribute = True
    ids = "evening-%s"
    rows = (("day", "at", "minutes"), ("zone", "place"), ("note",))
    day = forms.DateField(
        label="Day",
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        error_messages=dict.fromkeys(("required", "invalid"), "A day, such as 2026-12-05."),
    )
    at = forms.TimeField(
        label="Begins at",
        widget=forms.TimeInput({"type": "time"}, format="%H:%M"),
        error_messages=dict.fromkeys(("required", "invalid"), "A time, such as 19:00."),
    )
    minutes = forms.TypedChoiceField(
        label="How long",
        coerce=int,
        choices=LENGTHS,
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose how long from the list."),
    )
    zone = CheckedField(
        next_evening.clean_zone,
        label="Time zone",
        max_length=MAX_ZONE,
        widget=forms.TextInput({"list": "zones", "autocomplete": "off"}),
    )
    place = CheckedField(
        next_evening.clean_place,
        label="Where",
        required=False,
        max_length=MAX_PLACE,
        help_text="a room, a street or a link; blank: as always",
    )
    note = CheckedField(
        partial(clean_text, most=MAX_NOTE, what="A note"),
        label="Note to the party",
        required=False,
        max_length=MAX_NOTE,
        widget=forms.Textarea({"rows": 2}),
    )


@dataclass(frozen=True)
class Tally:
    """How many gave an answer."""

    reply: str
    label: str
    count: int


@dataclass(frozen=True)
class EveningView:
    """The next evening as the party reads it; `mine` is what the viewer has answered."""

    evening: GameEvening
    mark: str
    comers: tuple[Comer, ...]

    @property
    def mine(self) -> Comer | None:
        """The viewer's own row."""
        return next((one for one in self.comers if one.is_me), None)

    @property
    def tallies(self) -> tuple[Tally, ...]:
        """How many gave each answer to the time that is set now."""
        said = Counter(one.answer.reply for one in self.comers if one.answer and not one.is_old)
        return tuple(Tally(reply, label, said[reply]) for reply, label in EveningAnswer.REPLIES)

    @property
    def silent(self) -> int:
        """How many have not answered yet, or only before the evening moved."""
        return sum(one.answer is None or one.is_old for one in self.comers)


def view_evening(campaign: Campaign, visitor: chest.Visitor) -> EveningView | None:
    """The next evening of a campaign with who comes; None if none is set."""
    evening = next_evening.find_next(campaign)
    if evening is None:
        return None
    comers = next_evening.list_comers(campaign, evening, visitor)
    return EveningView(evening, next_evening.mark(evening), tuple(comers))


# ---------------------------------------------------------------- the page


@for_keepers
@require_http_methods(["GET", "HEAD", "POST"])
def show_next_evening(request: HttpRequest, pk: int) -> HttpResponse:
    """The next evening: the GM sets it, the party answers; Http404 for others."""
    campaign, is_gm = _find_campaign(request, pk)
    form, status = None, 200
    if request.method == "POST" and request.POST.get("do") == "set" and is_gm:
        form = EveningForm(request.POST)
        if form.carry_out(partial(_set, request, campaign)):
            return see_other("next_evening", campaign.pk)
        status = form.status
    elif request.method == "POST":
        try:
            messages.success(request, _perform(request, campaign, is_gm))
        except Refused as refused:
            messages.warning(request, refused.message)
            status = status_of(refused)
        else:
            return see_other("next_evening", campaign.pk)
    shown = _view_page(request, campaign, is_gm)
    if is_gm:
        shown["form"] = form or _open_form(campaign, shown["next"])
        shown["zones"] = ZONES
    return render(request, "combat/campaigns/next_evening/page.html", shown, status=status)


def _find_campaign(request: HttpRequest, pk: int) -> tuple[Campaign, bool]:
    """A campaign that the visitor runs or plays in, and whether they run it."""
    campaign, visitor = Campaign.objects.filter(pk=pk).first(), visitor_of(request)
    if campaign is None or not chest.may_use(visitor, campaign):
        raise Http404("Evening not found, or not of your party.")
    return campaign, chest.is_gm(visitor, campaign)


def _read_seen(request: HttpRequest) -> str:
    return request.POST.get("seen", "")


def _set(request: HttpRequest, campaign: Campaign, said: dict[str, Any]) -> GameEvening:
    evening = next_evening.set_evening(campaign, Wanted(**said), _read_seen(request))
    messages.success(
        request, "Changed: everyone is asked again." if evening.changes else "The evening is set."
    )
    return evening


def _perform(request: HttpRequest, campaign: Campaign, is_gm: bool) -> str:
    """Do what a button asks; returns what to say. Raises Refused."""
    asked, do = request.POST, request.POST.get("do", "")
    if do in dict(EveningAnswer.REPLIES):
        visitor = visitor_of(request)
        made = next_evening.answer(campaign, visitor, do, asked.get("note", ""), _read_seen(request))
        return f"You answered: {made.get_reply_display()}."
    if do not in ("withdraw", "renew"):
        raise Refused("unknown", "This page has no such action: reload it.")
    if not is_gm:
        raise Refused("not_allowed", "Only the GM of the campaign does that.")
    if do == "withdraw":
        next_evening.withdraw(campaign, _read_seen(request))
        return "The evening is called off. Calendars show it as canceled."
    next_evening.renew_address(campaign)
    return "A new address is made: the old one has ended."


def _open_form(campaign: Campaign, shown: EveningView | None) -> EveningForm:
    """The form with the evening as it is; without one with the day of the next fight, and the last place."""
    if shown:
        return EveningForm(initial=_read_values(shown.evening))
    last = campaign.evenings.first()
    values = _read_values(last) if last else {"minutes": USUAL, "at": USUAL_TIME}
    planned = campaign.encounters.filter(archived=False, phase="prep", planned__gte=timezone.localdate())
    day = planned.order_by("planned").values_list("planned", flat=True).first()
    form = EveningForm(initial={**values, "day": day, "note": ""})
    if not last:
        form.fields["zone"].widget.attrs["data-own-zone"] = ""
        form.initial["zone"] = timezone.get_default_timezone_name()
    return form


def _read_values(evening: GameEvening) -> dict[str, Any]:
    at = evening.starts.astimezone(ZoneInfo(evening.zone))
    same = {name: getattr(evening, name) for name in ("minutes", "zone", "place", "note")}
    return {"day": at.date(), "at": at.time(), **same}


def _view_page(request: HttpRequest, campaign: Campaign, is_gm: bool) -> dict[str, Any]:
    token = next_evening.find_token(campaign)
    return {
        "campaign": campaign,
        "is_gm": is_gm,
        "next": view_evening(campaign, visitor_of(request)),
        "past": next_evening.find_past(campaign),
        "remark_size": MAX_REMARK,
        "calendar": _find_place(request, token) if token else None,
        "had_calendar": campaign.evenings.exists(),
    }


def _find_place(request: HttpRequest, token: str) -> Place | None:
    places, _ = find_places(request, reverse("campaign_calendar", args=[token]))
    return next(iter(places), None)


# ---------------------------------------------------------------- calendars


@for_keepers
@require_safe
def download_evening(request: HttpRequest, pk: int) -> HttpResponse:
    """The next evening as a calendar file, for the party; Http404 if none is set."""
    campaign, _ = _find_campaign(request, pk)
    evening = next_evening.find_next(campaign)
    if evening is None:
        raise Http404("No evening is set.")
    return _answer_calendar(request, campaign, [evening])


@require_safe
def show_calendar(request: HttpRequest, token: str) -> HttpResponse:
    """The evenings of a campaign for calendar apps, which have no session; Http404 for a wrong token."""
    campaign = next_evening.find_calendar(token)
    if campaign is None:
        raise Http404("Calendar not found, or its address has ended: ask the GM for the new one.")
    return _answer_calendar(request, campaign, next_evening.find_for_calendar(campaign))


def _answer_calendar(request: HttpRequest, campaign: Campaign, evenings: list[GameEvening]) -> HttpResponse:
    link = request.build_absolute_uri(reverse("next_evening", args=[campaign.pk]))
    answer = answer_file(write_calendar(campaign.name, evenings, link), FILE_NAME, KIND)
    answer["X-Content-Type-Options"] = "nosniff"
    answer["Cache-Control"] = "private, no-store"
    return answer
