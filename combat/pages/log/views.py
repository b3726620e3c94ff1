"""The log of an encounter: all of it, step by step, verified, and as a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods

from combat.display.log_view import MARKS, mark_of, view_log
from combat.display.rules_view import view_rules
from combat.display.shapes.table_shapes import CombatantView
from combat.models import StoredStep
from combat.play.campaigns.table_notes import find_document
from combat.play.writing.encounter_service import read_history
from combat.play.writing.step_cache import find_rows
from combat.rules import find_system
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.engine.document import replay, write_document
from combat.sharing.access import find_context, for_visitors
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.files import answer_file

from ..report.replay import export_text, write_log
from ..table.rows import find_people
from ..table.shapes import find_steps
from .dice_view import view_seals
from .my_rolls import view_my_rolls
from .replay_view import view_replay
from .rounds import (
    Filters,
    LogRound,
    Part,
    find_parts,
    find_rounds,
    keep_lines,
    read_filters,
    tell_times,
    view_kinds,
    view_people,
    view_rail,
)

STEPS_PER_PAGE = 100
MAX_PAGES = 10_000
MAX_SEARCHED = 2_000  # steps, the newest: a filter looks at no more, and the page says so


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_log(request: HttpRequest, pk: int) -> HttpResponse:
    """The log, the newest round first. `step` shows the fight after one; for the GM `verify` replays it.

    `who` and `show` narrow it.
    """
    context = find_context(request, pk)
    if "step" in request.GET and (shown := view_replay(context, request.GET["step"])):
        return render(request, "combat/report/replay.html", _share(context) | shown)
    viewer, combatants = context.viewer, find_people(context)
    filters = read_filters(request.GET.dict(), viewer, combatants)
    page = min(max(read_count(request.GET.get("page", "")) or 1, 1), MAX_PAGES)
    parts = find_parts(context)
    rows, rounds, is_last = _find_page(context, parts, filters, page=page, combatants=combatants)
    tell_times(context, rounds)
    if rounds and page == 1 and filters.is_open:
        rounds[-1].is_now = context.known_state.phase == "fight"
    shown = {
        "rounds": rounds,
        "rail": view_rail(parts, rounds, STEPS_PER_PAGE if filters.is_open else 0),
        "filters": filters,
        "people": view_people(filters, viewer, combatants),
        "kinds": view_kinds(filters, viewer),
        "seals": view_seals(context, rows),
        "my_rolls": view_my_rolls(context) if page == 1 and filters.is_my_rolls else None,
        "searched": MAX_SEARCHED if sum(part.count for part in parts) > MAX_SEARCHED else 0,
        "newer": filters.query(page=page - 1) if page > 1 else "",
        "older": "" if is_last else filters.query(page=page + 1),
        "rules": view_rules(context.system, context.known_state),
        "verdict": _verify(request, context) if viewer.is_gm else None,
    }
    return render(request, "combat/log/log.html", _share(context) | shown)


def _share(context: ViewerContext) -> dict[str, Any]:
    """What the templates of the log and of the replay know of the encounter."""
    return {
        "encounter": context.encounter,
        "viewer": context.viewer,
        "slug": context.system.slug,
        "mark_words": tuple(MARKS.items()),
        "can_branch": context.viewer.is_gm or context.viewer.is_seated,
    }


def _find_page(
    context: ViewerContext,
    parts: tuple[Part, ...],
    filters: Filters,
    page: int,
    combatants: Mapping[str, CombatantView],
) -> tuple[list[StoredStep], list[LogRound], bool]:
    """The steps of a page, their lines by rounds, and whether it is the last; page 1 has the newest."""
    steps, first = find_steps(context).order_by("-number"), (page - 1) * STEPS_PER_PAGE
    if filters.is_open:
        rows = find_rows(steps[first : first + STEPS_PER_PAGE + 1])
        is_last = len(rows) <= STEPS_PER_PAGE
        rows = rows[:STEPS_PER_PAGE]
        log = view_log(context, reversed(rows))
        return rows, find_rounds(context, parts, rows, log=log, combatants=combatants), is_last
    rows = find_rows(steps[:MAX_SEARCHED])
    log = view_log(context, reversed(rows))
    found = [step.number for step in reversed(log) if filters.takes(step, context.viewer.seats)]
    wanted = set(found[first : first + STEPS_PER_PAGE])
    rounds = keep_lines(find_rounds(context, parts, rows, log=log, combatants=combatants), wanted)
    rows = [row for row in rows if mark_of(row, context.viewer) in wanted]
    return rows, rounds, len(found) <= first + STEPS_PER_PAGE


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
    name, is_gm = slugify(encounter.name) or "encounter", context.viewer.is_gm
    if kind == "text":
        return answer_file(export_text(context).encode(), f"{name}.txt", "text/plain; charset=utf-8")
    return answer_file(
        write_document(find_document(encounter)) if is_gm else write_log(context), f"{name}.json"
    )
