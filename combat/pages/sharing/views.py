"""The share page of an encounter: links, people, and who plays whom; and where a guest types a code."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from combat.audience.changes import find_held, find_open_seats
from combat.audience.viewer import Viewer
from combat.display.forms.fields import check_form
from combat.models import Encounter, Seat, ShareLink
from combat.play.packs import giving
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.state.state import State
from combat.sharing.access import find_owner_context, for_visitors
from combat.sharing.codes import KINDS as CODED
from combat.sharing.codes import count_try, end_code, find_coded_link, read_code, show_code, write_code
from combat.sharing.invitations import Invitation, invite
from combat.sharing.links import (
    LET_IN,
    assign,
    end_seat,
    find_lasting_link,
    find_open_seat,
    find_token,
    is_closed_now,
    is_open,
    let_in,
    make_link,
    open_lasting_link,
    revoke,
    swap_players,
)
from combat.sharing.reminders import PAUSE_SECONDS, find_asked, remind
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.errors import CONFLICT, TOO_MANY, status_of
from cosmos_site.base.forms import is_htmx, see_other

from ..table.rows import find_people
from ..table.shapes import view_seating
from .forms import CodeForm, HandsForm, LinkForm
from .gathering import make_tag, view_gathering
from .given import view_link

SIDE = ((ShareLink.WATCH, "screen's link"), (ShareLink.CO_GM, "co-GM's link"))
PAGE = "combat/sharing/enter_code.html"
WHOLE_LINK = re.compile(r"/join/([\w-]{20,60})/?\s*$", re.ASCII)
NO_CODE = "A code has 8 letters and digits, like 7K4P-M2QX."
WRONG_CODE = "No table has this code now. Check it, or ask the GM for a new one."
TOO_MANY_CODES = "Too many wrong codes. Wait 5 minutes, or scan the QR code."
WAIT_SECONDS = 300
COPIED = "Copied as it was prepared, and shared: the link is here."
ON_LINKS: dict[str, Callable[[ShareLink], object]] = {
    "code": show_code,
    "end_code": end_code,
    "revoke": revoke,
}


@never_cache
@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def share(request: HttpRequest, pk: int) -> HttpResponse:
    """The ready links, the people here, and who plays which combatant; `?link=` shows another link.

    To a page that is open already it answers with the changed part, or 204 if nothing changed.
    """
    context = find_owner_context(request, pk)
    status = 200
    if request.method == "POST":
        try:
            place = _change(request.POST, context.encounter)
            if context.encounter.closed and not is_closed_now(pk):
                messages.info(request, LET_IN)
            if request.POST["do"] == "give_fight" and context.encounter.phase != "prep":
                messages.success(request, COPIED)
            if request.POST["do"] == "remind":
                messages.success(request, "Reminded: their page calls them.")
            return redirect(place)
        except Refused as refused:
            messages.warning(request, refused.message)
            # who or what is gone was there when this page was opened
            status = CONFLICT if refused.code == "unknown" else status_of(refused)
    elif is_htmx(request):
        return answer_live(request, "combat/sharing/share/live.html", find_live_part(request, context))
    answer = render(request, "combat/sharing/share/page.html", _find_page(request, context), status=status)
    if status == TOO_MANY:
        answer["Retry-After"] = str(PAUSE_SECONDS)
    return answer


def _change(posted: QueryDict, encounter: Encounter) -> str:
    """Do what the posted form asks; return the address of the page that shows it."""
    do, place = posted.get("do", ""), None
    if do in ON_LINKS:
        ON_LINKS[do](_link(encounter, posted.get("link", "")))
    elif do in ACTIONS:
        place = ACTIONS[do](posted, encounter)
        if place and place.startswith("/"):
            return place
    else:
        raise Refused("bad_value", "This page has no such action.")
    if posted.get("next") == "table":
        return reverse("table", args=[encounter.pk])
    name = "share_full" if posted.get("next") == "full" else "share"
    return reverse(name, args=[encounter.pk]) + (place or "")


def _open(posted: QueryDict, encounter: Encounter) -> str:
    """Show the lasting link of a kind, with its code if it may have one."""
    kind = posted.get("kind", ShareLink.PLAY)
    if kind != ShareLink.CO_GM:
        let_in(encounter.pk)
    link = open_lasting_link(encounter, kind)
    if kind in CODED:
        show_code(link)
    return "" if kind == ShareLink.PLAY else f"?show={kind}#link-{kind}"


def _make(posted: QueryDict, encounter: Encounter) -> str:
    said = check_form(LinkForm(posted)).cleaned_data
    limits = {name: value or 0 for name, value in said.items()}
    return _show(make_link(encounter, **{**limits, "name": said["name"]})[0])


def _show(link: ShareLink) -> str:
    return f"?link={link.pk}#link"


def _end(posted: QueryDict, encounter: Encounter) -> None:
    end_seat(find_open_seat(encounter, posted.get("seat", "")))


def _assign(posted: QueryDict, encounter: Encounter) -> None:
    seat = find_open_seat(encounter, posted.get("seat", "")) if posted.get("seat") else None
    assign(encounter, posted.getlist("combatant"), seat)


def _swap(posted: QueryDict, encounter: Encounter) -> None:
    swap_players(encounter, posted.getlist("combatant"))


def _give(posted: QueryDict, encounter: Encounter) -> str:
    """Give a free character to someone who waits for one; refused if it is no longer free."""
    seat = find_open_seat(encounter, posted.get("seat", ""))
    assign(encounter, posted.getlist("combatant"), seat, only_free=True)
    return "#people"


def _remind(posted: QueryDict, encounter: Encounter) -> str:
    remind(encounter, find_open_seat(encounter, posted.get("seat", "")))
    return "#people"


def _move(posted: QueryDict, encounter: Encounter) -> str:
    seat = find_open_seat(encounter, posted.get("seat", ""))
    return _show(make_link(encounter, seat.kind, f"{seat.name}, other device", uses=1, moves=seat)[0])


def _give_fight(posted: QueryDict, encounter: Encounter) -> str:
    """Give the fight; of one that has begun a copy, whose page has its link."""
    notes = "notes" in posted
    if encounter.phase == "prep":
        giving.give(encounter, notes)
        return "#for-gms"
    copy = giving.give_copy(encounter, notes).encounter
    return reverse("share", args=[copy.pk]) + "#for-gms"


def _take_back(posted: QueryDict, encounter: Encounter) -> str:
    giving.take_back(encounter)
    return "#for-gms"


def _link(encounter: Encounter, word: str) -> ShareLink:
    number = read_count(word)
    link = encounter.links.filter(pk=number).first() if number else None
    if link is None:
        raise Refused("unknown", "That link is gone: reload the page.")
    return link


def _find_asked(request: HttpRequest, encounter: Encounter) -> Invitation | None:
    """The requested link, while it lets people in."""
    number = read_count(request.GET.get("link", ""))
    links = encounter.links.select_related("moves__link", "join_code")
    link = links.filter(pk=number).first() if number else None
    return invite(request, link) if link and is_open(link) else None


def _find_page(request: HttpRequest, context: ViewerContext) -> dict[str, Any]:
    """The values of the page's template."""
    encounter, system, state = context.encounter, context.system, context.known_state
    seats = list(encounter.seats.filter(ended=None))
    came = find_came(seats)
    views = find_people(context)
    links = encounter.links.filter(revoked=None, moves=None)
    sent = [request.POST] if request.POST.get("do") in ("assign", "swap") else []
    return {
        **find_live_part(request, context),
        "system": system,
        "asked": _find_asked(request, encounter),
        "is_asked": "link" in request.GET,
        "side": [_view_side(request, encounter, *kind, came) for kind in SIDE],
        "given": view_link(request, encounter),
        "links": [{"link": link, "came": came[link.pk]} for link in links],
        "hands": HandsForm(views.values(), seats, request.GET.get("hand", ""), *sent),
        "is_handing": "hand" in request.GET,
        "form": LinkForm(request.POST if request.POST.get("do") == "make" else None),
        "seating": view_seating(system, state, views),
        "slug": system.slug,
    }


def _view_side(
    request: HttpRequest, encounter: Encounter, kind: str, name: str, came: Mapping[int, list[str]]
) -> dict[str, Any]:
    """The lasting link of another kind, if there is one."""
    link = find_lasting_link(encounter, kind)
    shown = invite(request, link) if link else None
    is_open = request.GET.get("show") == kind
    row = {"kind": kind, "name": name, "shown": shown, "is_open": is_open}
    return {**row, "came": came[link.pk] if link else []}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def enter_code(request: HttpRequest) -> HttpResponse:
    """The form for a code; a code that works leads to its link. A whole link works, too."""
    if request.method != "POST":
        return render(request, PAGE, {"form": CodeForm()})
    typed = request.POST.get("code", "")
    whole = WHOLE_LINK.search(typed)
    return see_other("join", whole[1]) if whole else _open_table(request, typed)


@never_cache
@require_http_methods(["GET", "HEAD"])
def open_code(request: HttpRequest, code: str) -> HttpResponse:
    """The form with the code of an address, as it is typed into a browser.

    It does not look the code up: another web page could make browsers open such addresses, and use up the
    tries of everybody behind their address.
    """
    word = read_code(code)
    if not word:
        return _refuse(request, code, NO_CODE, 422)
    return render(request, PAGE, {"form": CodeForm(write_code(word)), "is_typed": True})


def _open_table(request: HttpRequest, typed: str) -> HttpResponse:
    code = read_code(typed)
    if not code:
        return _refuse(request, typed, NO_CODE, 422)
    tried = count_try(request)
    if tried is None:
        answer = _refuse(request, typed, TOO_MANY_CODES, TOO_MANY)
        answer["Retry-After"] = str(WAIT_SECONDS)
        return answer
    link = find_coded_link(code)
    if link is None:
        return _refuse(request, typed, WRONG_CODE, 404)
    tried.rollback()
    return see_other("join", find_token(link))


def _refuse(request: HttpRequest, typed: str, why: str, status: int) -> HttpResponse:
    return render(request, PAGE, {"form": CodeForm(typed[:60], why)}, status=status)


# What changes while people join: a part of the share page, and the code for a whole room.


@never_cache
@for_visitors
@require_safe
def show_full(request: HttpRequest, pk: int) -> HttpResponse:
    """The code for a whole room: it shows only what everybody at the table may know."""
    context = find_owner_context(request, pk)
    shown = {**_find_full(request, context), "system": context.system}
    if is_htmx(request):
        return answer_live(request, "combat/sharing/share/full_live.html", shown)
    return render(request, "combat/sharing/share/full.html", shown)


def answer_live(request: HttpRequest, template: str, shown: dict[str, Any]) -> HttpResponse:
    """The part if it differs from what the page has seen; else 204."""
    if request.GET.get("seen") == shown["tag"]:
        return HttpResponse(status=204)
    return render(request, template, shown)


def _find_full(request: HttpRequest, context: ViewerContext) -> dict[str, Any]:
    everyone = Viewer()
    shown = _find_shown(request, context, replace(context, viewer=everyone, seat=None).known_state, everyone)
    return {**shown, "tag": make_tag(context.encounter.name, shown["gathering"], shown["shown"])}


def find_live_part(request: HttpRequest, context: ViewerContext) -> dict[str, Any]:
    """The values of the live part: the players' link and the people who have come."""
    asked = find_asked(context.pending)
    shown = _find_shown(request, context, context.known_state, context.viewer, asked)
    return {**shown, "tag": make_tag(shown["gathering"], shown["shown"], shown["came"])}


def _find_shown(
    request: HttpRequest,
    context: ViewerContext,
    known: State,
    viewer: Viewer,
    asked: Set[str] = frozenset(),
) -> dict[str, Any]:
    """The players' link, who came by it, and everyone at the table, as far as the viewer knows."""
    encounter, now = context.encounter, timezone.now()
    seats, held = list(find_open_seats().filter(encounter=encounter)), find_held(encounter)
    link = find_lasting_link(encounter, ShareLink.PLAY)
    return {
        "encounter": encounter,
        "gathering": view_gathering(encounter, known, viewer, seats=seats, held=held, now=now, asked=asked),
        "shown": invite(request, link) if link else None,
        "came": find_came(seats)[link.pk] if link else [],
    }


def find_came(seats: Iterable[Seat]) -> Mapping[int, list[str]]:
    """The names of the people who came by each link, by its number."""
    came: dict[int, list[str]] = defaultdict(list)
    for seat in seats:
        if seat.link_id:
            came[seat.link_id].append(seat.name)
    return came


ACTIONS: dict[str, Callable[[QueryDict, Encounter], str | None]] = {
    "open": _open,
    "make": _make,
    "end": _end,
    "assign": _assign,
    "swap": _swap,
    "give": _give,
    "move": _move,
    "remind": _remind,
    "give_fight": _give_fight,
    "take_back": _take_back,
}
