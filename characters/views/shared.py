"""A sheet behind its read-only link: for anyone who has the link, without an account and without cookies."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.core.internal import ratelimit
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from combat.rules.core.basics.errors import Refused
from cosmos_site.base.forms import is_htmx

from ..access import answer_portrait, find_character, hide_own
from ..display.sheet_view import view_paper, view_sheet
from ..fights import Fight, find_fight
from ..games import find_game
from ..guests import for_keepers
from ..models import Character
from ..services import character_service
from .lists import posted_from
from .sheets import render_sheet

WRONG = {"sheet_link": "30/5m/ip"}  # how many wrong links are allowed from one address
WAIT_SECONDS = 300
SHARING: dict[str, Callable[[Character], object]] = {
    "open": character_service.open_link,
    "revoke": character_service.revoke_link,
}
Shown = Callable[..., HttpResponseBase]


def by_link(view: Shown) -> Callable[..., HttpResponseBase]:
    """A page of the character that a link opens; 404 for any other link, and 429 after too many of those."""

    @wraps(view)
    @never_cache
    @require_http_methods(["GET", "HEAD"])
    def guarded(request: HttpRequest, token: str, **kwargs: Any) -> HttpResponseBase:
        character = character_service.find_linked(token)
        answer = view(request, character, token, **kwargs) if character else _refuse(request)
        answer["X-Robots-Tag"] = "noindex, nofollow"
        request.META["CSRF_COOKIE_NEEDS_UPDATE"] = False  # nothing to send from here: no cookie either
        return answer

    return guarded


def _refuse(request: HttpRequest) -> HttpResponse:
    """The answer to a link that opens nothing; every one counts."""
    allowed = ratelimit.consume(
        request, app="characters.links", action="sheet_link", config=WRONG, limit_get=True
    )
    page = "characters/shared/gone_part.html" if is_htmx(request) else "characters/shared/gone.html"
    answer = render(request, page, {"too_many": not allowed}, status=404 if allowed else 429)
    if not allowed:
        answer["Retry-After"] = str(WAIT_SECONDS)
    return answer


@by_link
def show_shared(request: HttpRequest, character: Character, token: str) -> HttpResponse:
    """The sheet without notes and history, with the numbers of a running fight; 204 if `seen` is current."""
    fight = find_fight(character)
    stamp = _make_stamp(character, fight)
    if is_htmx(request) and request.GET.get("seen") == stamp:
        return HttpResponse(status=204)
    state, system = fight.read() if fight else None, find_game(character.system)
    context = {
        "view": view_sheet(system, character, state),
        "character": character,
        "system": system,
        "shared": token,
        "stamp": stamp,
        "is_fighting": state is not None,
        "part": "fight",
    }
    partial = "#sheet" if is_htmx(request) else ""
    return render(request, f"characters/shared/sheet.html{partial}", context)


def _make_stamp(character: Character, fight: Fight | None) -> str:
    """The version of all that the page shows; it does not tell how many changes there were."""
    words = f"{character.pk}:{character.version}:{fight.stamp if fight else ''}"
    return salted_hmac("characters.shared", words, algorithm="sha256").hexdigest()[:20]


@by_link
def print_shared(request: HttpRequest, character: Character, token: str) -> HttpResponse:
    """The sheet on one printed page, without its notes."""
    hide_own(character)
    context = {**view_paper(find_game(character.system), character), "shared": token}
    return render(request, "characters/shared/print.html", context)


@by_link
def show_shared_portrait(
    request: HttpRequest, character: Character, token: str, digest: str
) -> HttpResponseBase:
    """The picture that the sheet shows now."""
    return answer_portrait(character if digest == character.portrait else None, digest)


@posted_from("character", "Share the sheet with its button.", "#link")
@for_keepers
def share_sheet(request: HttpRequest, pk: int) -> HttpResponse:
    """Make the read-only link of a character, or revoke it."""
    character = find_character(request, pk)
    act = SHARING.get(request.POST.get("do", ""))
    if act is None:
        refused = Refused("unknown", "Create a link to the sheet, or revoke it.")
        return render_sheet(request, character, refused=refused)
    act(character)
    if is_htmx(request):
        return render_sheet(request, find_character(request, pk))
    return redirect(f"{reverse('character', args=[pk])}#link")
