"""The log of an encounter: all of it, step by step, verified, and as a file."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods

from combat.display.book.rules_view import view_rules
from combat.display.log.log_view import view_log
from combat.display.report.replay import export_text, find_moment, write_log
from combat.display.table.table_view import find_steps
from combat.play.writing.encounter_service import read_history
from combat.rules import find_system
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.engine.document import replay, write_document
from combat.sharing.access import find_context, for_visitors
from combat.sharing.viewer_context import ViewerContext

STEPS_PER_PAGE = 50
MAX_PAGES = 10_000


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_log(request: HttpRequest, pk: int) -> HttpResponse:
    """The whole log, oldest first. `step` shows the fight after one; for the GM `verify` replays it."""
    context = find_context(request, pk)
    page = min(max(read_count(request.GET.get("page", "")) or 1, 1), MAX_PAGES)
    first = (page - 1) * STEPS_PER_PAGE
    rows = list(find_steps(context).order_by("number")[first : first + STEPS_PER_PAGE + 1])
    shown = {
        "encounter": context.encounter,
        "viewer": context.viewer,
        "slug": context.system.slug,
        "can_branch": context.viewer.is_gm or context.viewer.is_seated,
        "log": view_log(context, rows[:STEPS_PER_PAGE]),
        "older": page - 1,
        "newer": page + 1 if len(rows) > STEPS_PER_PAGE else 0,
        "rules": view_rules(context.system, context.known_state),
        "verdict": _verify(request, context) if context.viewer.is_gm else None,
    }
    if "step" in request.GET:
        shown["moment"] = find_moment(context, read_count(request.GET["step"]))
    return render(request, "combat/log/log.html", shown)


def _verify(request: HttpRequest, context: ViewerContext) -> Any:
    if "verify" not in request.GET:
        return None
    return replay(read_history(context.encounter), find_system)


@for_visitors
@require_http_methods(["GET", "HEAD"])
def export(request: HttpRequest, pk: int) -> HttpResponse:
    """The encounter as a JSON document to replay, for the GM; for others the log they may read.

    `as=text` is that log in plain text, for the GM too.
    """
    context, kind = find_context(request, pk), request.GET.get("as", "json")
    encounter = context.encounter
    if kind not in ("json", "text"):
        raise Http404("A log is exported as JSON or as text.")
    if kind == "text":
        answer = HttpResponse(export_text(context), content_type="text/plain; charset=utf-8")
    else:
        is_gm = context.viewer.is_gm
        document = write_document(read_history(encounter)) if is_gm else write_log(context)
        answer = HttpResponse(document, content_type="application/json")
    name = f"{slugify(encounter.name) or 'encounter'}.{'txt' if kind == 'text' else 'json'}"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
