"""The log of an encounter: the whole story, step by step, verified, and to take along."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods

from .access import find_visit, for_visitors
from .forms import read_number
from .models import Encounter
from .play import read_history, read_state
from .replaying import find_moment, tell_story, write_story
from .rules import find_system
from .rules.core.document import replay, write_document
from .secrecy import redact
from .story import view_log
from .viewing import recent_steps

STEPS_PER_PAGE = 50
MOST_PAGES = 10_000


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_log(request: HttpRequest, pk: int) -> HttpResponse:
    """The whole story, newest first. `step` shows the fight after one; for the GM `verify` replays it."""
    visit = find_visit(request, pk)
    encounter, viewer = visit.encounter, visit.viewer
    system, state = find_system(encounter.system), redact(read_state(encounter), viewer)
    page = min(max(read_number(request.GET.get("page", "")) or 1, 1), MOST_PAGES)
    rows = recent_steps(encounter, viewer, (page - 1) * STEPS_PER_PAGE, STEPS_PER_PAGE + 1)
    context = {
        "encounter": encounter,
        "viewer": viewer,
        "slug": system.slug,
        "log": view_log(system, state, rows[:STEPS_PER_PAGE], viewer),
        "older": page + 1 if len(rows) > STEPS_PER_PAGE else 0,
        "newer": page - 1,
        "verdict": _verify(request, encounter) if viewer.is_gm else None,
    }
    if "step" in request.GET:
        context["moment"] = find_moment(encounter, viewer, read_number(request.GET["step"]))
    return render(request, "combat/log.html", context)


def _verify(request: HttpRequest, encounter: Encounter) -> Any:
    if "verify" not in request.GET:
        return None
    return replay(read_history(encounter), find_system)


@for_visitors
@require_http_methods(["GET", "HEAD"])
def export(request: HttpRequest, pk: int) -> HttpResponse:
    """For the GM the encounter as one JSON document, to replay; for others the story they may read.

    `as=text` is that story in plain text, for the GM too.
    """
    visit, kind = find_visit(request, pk), request.GET.get("as", "json")
    encounter, viewer = visit.encounter, visit.viewer
    if kind not in ("json", "text"):
        raise Http404("A log is exported as JSON or as text.")
    if kind == "text":
        answer = HttpResponse(tell_story(encounter, viewer), content_type="text/plain; charset=utf-8")
    else:
        document = write_document(read_history(encounter)) if viewer.is_gm else write_story(encounter, viewer)
        answer = HttpResponse(document, content_type="application/json")
    name = f"{slugify(encounter.name) or 'encounter'}.{'txt' if kind == 'text' else 'json'}"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
