"""Lines drawn over the map with a pointer that the GM lends; no line is stored."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from combat.audience.changes import find_players
from combat.audience.map_fog import find_known_runs
from combat.audience.rights import check_gm, check_takes_part
from combat.live import hub
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.sharing.access import find_context, for_visitors
from combat.sharing.pens import find_ink, lend_pens, take_pens
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.errors import TOO_MANY, UNPROCESSABLE
from cosmos_site.base.forms import is_htmx, see_other

from .previews import EVERYBODY, read_meters

MAX_SPOTS = 60  # in one piece of a line
MAX_LENGTH = 2000  # of the text of these spots
WINDOW_SECONDS, MAX_PIECES = 10, 60  # how many pieces a person may send in this time
THERE = ("gm", "seat")


@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def use_pen(request: HttpRequest, pk: int) -> HttpResponse:
    """Draw a piece of a line; or, for the GM, lend a pointer, take it back, wipe all lines.

    403 for spectators and without a pointer, 422 for malformed lines, 429 for too many.
    """
    context = find_context(request, pk)
    if request.method != "POST":
        return redirect("table", pk)
    check_takes_part(context.viewer)
    if request.POST.get("do", "draw") == "draw":
        return _draw(request, context)
    check_gm(context.viewer)
    try:
        _manage(context, request.POST["do"], request.POST.get("seat", ""))
    except Refused as refused:
        if is_htmx(request):
            return JsonResponse({"refused": refused.message}, status=UNPROCESSABLE)
        messages.warning(request, refused.message)
    if is_htmx(request):
        return HttpResponse(status=204)  # the live stream brings the change
    return see_other("table", pk)


# ---- Drawing ----


def _draw(request: HttpRequest, context: ViewerContext) -> HttpResponse:
    ink = find_ink(context)
    if ink is None:
        raise PermissionDenied("You have no drawing pointer: ask the GM for one.")
    try:
        line, spots = _read_line(request.POST.get("line", "")), _read_spots(request.POST.get("points", ""))
    except Refused as refused:
        return JsonResponse({"refused": refused.message}, status=UNPROCESSABLE)
    if _is_too_often(context):
        return JsonResponse(
            {"refused": "You draw too much at once: wait a moment."},
            status=TOO_MANY,
            headers={"Retry-After": str(WINDOW_SECONDS)},
        )
    _show(context, {"line": line, "ink": ink, "name": context.seat.name if context.seat else "GM"}, spots)
    return HttpResponse(status=204)


def _show(context: ViewerContext, line: dict[str, Any], spots: list[tuple[float, float]]) -> None:
    """Send a piece of a line to the pages that may show it.

    Everybody sees a player's whole line: players draw only on what they know, and cutting it would show them
    where the unknown begins. Others see a GM's line only where all players know the map.
    """
    pk = context.encounter.pk
    runs = find_known_runs(context.full_state, spots) if context.viewer.is_gm else [spots]
    if context.encounter.closed:
        runs = []
    if runs == [spots]:
        hub.point(pk, EVERYBODY, {**line, "runs": runs})
        return
    hub.point(pk, ("gm",), {**line, "runs": [spots]})
    if runs:
        hub.point(pk, ("seat", "public"), {**line, "runs": runs})


def _read_line(word: str) -> int:
    """The number that pieces of the same line share."""
    number = read_count(word[:20])
    if number is None:
        raise Refused("bad_value", "A line needs a number of its own.")
    return number


def _read_spots(text: str) -> list[tuple[float, float]]:
    """Places from "x,y; x,y", in meters of the picture."""
    pairs = [pair.split(",") for pair in text[: MAX_LENGTH + 1].split(";")]
    if len(text) > MAX_LENGTH or len(pairs) > MAX_SPOTS:
        raise Refused(
            "bad_value", f"That is too much at once: a piece of a line has at most {MAX_SPOTS} places."
        )
    if not all(len(pair) == 2 for pair in pairs):
        raise Refused("bad_value", "A line is places in meters: x,y; x,y.")
    return [(read_meters(x), read_meters(y)) for x, y in pairs]


def _is_too_often(context: ViewerContext) -> bool:
    """Count one more piece; return whether it is one too many."""
    key = f"drawn:{context.encounter.pk}:{context.asker}".replace(" ", "-")
    if cache.add(key, 1, WINDOW_SECONDS):
        return False
    try:
        return cache.incr(key) > MAX_PIECES
    except ValueError:  # it has just expired
        return False


# ---- For the GM ----


def _manage(context: ViewerContext, do: str, seat: str) -> None:
    """Lend, take back, or wipe, and tell all pages; Refused for an unknown seat."""
    pk = context.encounter.pk
    if do == "wipe":
        hub.point(pk, EVERYBODY, {"wipe": True})
    elif do == "lend":
        lend_pens(pk, _find_seats(context, seat))
        hub.point(pk, THERE, {"pens": True})
    elif do == "take":
        take_pens(pk, None if seat == "all" else read_count(seat[:20]) or 0)
        hub.point(pk, THERE, {"pens": True})
    else:
        raise Refused("unknown", "That can't be done with a drawing pointer: reload the page.")


def _find_seats(context: ViewerContext, seat: str) -> list[int]:
    """The chosen seat, or all seats of players."""
    there = find_players(context.encounter.pk).values_list("pk", flat=True)
    chosen = list(there) if seat == "all" else [pk for pk in there if str(pk) == seat]
    if not chosen:
        raise Refused("unknown", "Nobody plays from that seat now: reload the page.")
    return chosen
