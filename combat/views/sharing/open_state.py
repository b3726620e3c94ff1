"""The state of a table as JSON, for other programs with a spectator link."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from combat.audience.viewer import Viewer
from combat.display.sharing.open_state import write_state
from combat.models import ShareLink
from combat.sharing.links import find_link
from combat.sharing.viewer_context import ViewerContext

GONE = "This link is no longer valid: ask the GM for a new one."
NOT_TO_WATCH = "This link is not for spectators: ask the GM for a spectator link."


@require_http_methods(["GET", "HEAD"])
def show_state(request: HttpRequest, token: str) -> HttpResponse:
    """What a spectator sees, by a spectator link. 304 if nothing has changed; 404 without a link."""
    link = find_link(token)
    if link is None:
        return _answer({"problem": GONE}, 404)
    if link.kind != ShareLink.WATCH:
        return _answer({"problem": NOT_TO_WATCH}, 403)
    context = ViewerContext(link.encounter, Viewer())
    tag = f'"{context.stamp}"'
    if request.headers.get("If-None-Match") == tag:
        return _mark(HttpResponse(status=304), tag)
    return _mark(_answer(write_state(context), 200), tag)


def _answer(plain: dict[str, object], status: int) -> HttpResponse:
    answer = JsonResponse(plain, status=status, json_dumps_params={"ensure_ascii": False})
    answer["Access-Control-Allow-Origin"] = "*"  # the token is the right to read it; cookies do not count
    return answer


def _mark(answer: HttpResponse, tag: str) -> HttpResponse:
    answer["ETag"] = tag
    answer["Cache-Control"] = "no-cache"
    answer["Access-Control-Allow-Origin"] = "*"
    answer["Access-Control-Expose-Headers"] = "ETag"
    return answer


@require_http_methods(["GET", "HEAD"])
def explain(request: HttpRequest) -> HttpResponse:
    """How other programs read a table."""
    return render(request, "combat/sharing/open_state.html", {"command": settings.COMMAND})
