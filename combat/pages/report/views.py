"""The page of a fight's report, and what a player's own did in it."""

from __future__ import annotations

import json

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods

from combat.play.after.learned import find_learned
from combat.play.after.recaps import find_told
from combat.play.after.reports import find_fight
from combat.sharing.access import find_context, for_visitors
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.files import answer_file
from cosmos_site.base.forms import is_htmx

from ..home.pictures import draw_known
from ..table.result_view import say_loot
from .deeds import view_deeds
from .pictures import view_pictures
from .recap_view import write_recap
from .shapes import (
    LearnedView,
    Report,
    view_learned,
    view_mine,
    view_report,
    write_json,
    write_markdown,
)

MARKDOWN = "text/markdown; charset=utf-8"
PARTS = ("wall", "end", "points")  # of a projector's end, of the GM's, and the turning points alone
KINDS = ("recap", "markdown", "json", *PARTS)


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_report(request: HttpRequest, pk: int) -> HttpResponse:
    """The report of the last fight. Before its end for the GM alone; `as` is a kind of KINDS."""
    context, kind = find_context(request, pk), request.GET.get("as", "")
    if kind not in ("", *KINDS):
        raise Http404("A report is a page, a recap, Markdown, JSON or a part of it.")
    htmx, name = is_htmx(request), slugify(context.encounter.name) or "encounter"
    if kind == "recap" and (recap := _find_recap(context)):
        return answer_file(recap.encode(), f"{name}-recap.md", MARKDOWN)
    has_luck = kind not in ("end", "points")
    fight = find_fight(context.encounter, context.viewer, with_luck=has_luck) if _is_open(context) else None
    report = view_report(context, fight) if fight else None
    if report and kind == "markdown":
        return answer_file(write_markdown(report).encode(), f"{name}-report.md", MARKDOWN)
    if report and kind == "json":
        return answer_file(json.dumps(write_json(report), indent=2).encode(), f"{name}-report.json")
    shown = {
        "recap": "" if htmx or kind else _find_recap(context),
        "learned": None if htmx or kind else _find_next_time(context, report),
        "pictures": view_pictures(context, fight, report) if fight and report else None,
        "picture": draw_known(context, "end-") if kind == "end" and _is_drawn(context) else "",
        "deeds": view_deeds(context, fight) if fight and fight.is_over and _is_end(context, kind) else (),
        "loot": "" if htmx else say_loot(context),
        "encounter": context.encounter,
        "report": report,
        "slug": context.system.slug,
        "unit": context.system.space.unit,
        "is_gm": context.viewer.is_gm,
        "can_branch": context.viewer.is_gm or context.viewer.is_seated,
        "owns": context.encounter.owner_id == request.user.pk,
    }
    if kind in PARTS:
        return render(request, f"combat/report/{kind}.html", shown)
    return render(request, f"combat/report/report.html{'#report' if htmx else ''}", shown)


def _is_open(context: ViewerContext) -> bool:
    """Whether the viewer may read of the fight yet."""
    return context.viewer.is_gm or context.encounter.phase == "over"


def _is_end(context: ViewerContext, kind: str) -> bool:
    """Whether this is the part of the GM's end."""
    return kind == "end" and context.viewer.is_gm


def _is_drawn(context: ViewerContext) -> bool:
    """Whether there is a place to see."""
    return bool(context.known_state.scene.zones or context.known_state.scene.map)


def _find_recap(context: ViewerContext) -> str:
    """The recap as Markdown; empty if there is none that the viewer may read yet."""
    told = find_told(context.encounter) if _is_open(context) else None
    if told is None:
        return ""
    return write_recap(context.system, context.encounter.name, context.full_state, told)


def _find_next_time(context: ViewerContext, report: Report | None) -> LearnedView | None:
    """What the GM can learn about the house rules of a fight that is over."""
    if not context.viewer.is_gm or report is None or not report.is_over:
        return None
    return view_learned(context.system, find_learned(context.encounter))


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_my_fight(request: HttpRequest, pk: int) -> HttpResponse:
    """The numbers of each of a player's own."""
    context = find_context(request, pk)
    fight = find_fight(context.encounter, context.viewer) if context.encounter.phase == "over" else None
    if fight is None or not context.viewer.seats:
        raise Http404("No fight of yours is over.")
    mine = [view_mine(context, fight, who) for who in fight.after.combatants if who in context.viewer.seats]
    return render(request, "combat/table/waiting/my_fight.html", {"mine": mine})
