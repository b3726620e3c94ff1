"""The page of a fight's report."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods

from combat.display.report.learned_view import LearnedView, view_learned
from combat.display.report.recap_view import write_recap
from combat.display.report.report_view import Report, view_report, write_json, write_markdown
from combat.play.after.learned import find_learned
from combat.play.after.recaps import find_told
from combat.play.after.reports import find_fight
from combat.sharing.access import find_context, for_visitors
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.htmx import is_htmx


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_report(request: HttpRequest, pk: int) -> HttpResponse:
    """The report of the last fight. Before its end for the GM alone; `as` is recap, markdown or json."""
    context, kind = find_context(request, pk), request.GET.get("as", "")
    if kind not in ("", "recap", "markdown", "json"):
        raise Http404("A report is a page, a recap, Markdown or JSON.")
    htmx = is_htmx(request)
    if kind == "recap" and (recap := _find_recap(context)):
        return _save(recap, context.encounter.name, "recap")
    report = _find_report(context)
    if report and kind:
        return _write(report, kind)
    shown = {
        "recap": "" if htmx or kind else _find_recap(context),
        "learned": None if htmx or kind else _find_next_time(context, report),
        "encounter": context.encounter,
        "report": report,
        "slug": context.system.slug,
        "unit": context.system.space.unit,
        "is_gm": context.viewer.is_gm,
    }
    return render(request, f"combat/report/report.html{'#report' if htmx else ''}", shown)


def _is_open(context: ViewerContext) -> bool:
    """Whether the viewer may read of the fight yet."""
    return context.viewer.is_gm or context.encounter.phase == "over"


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


def _find_report(context: ViewerContext) -> Report | None:
    """The report, if there is one that the viewer may read yet."""
    fight = find_fight(context.encounter, context.viewer) if _is_open(context) else None
    return view_report(context, fight) if fight else None


def _write(report: Report, kind: str) -> HttpResponse:
    if kind != "json":
        return _save(write_markdown(report), report.name, "report")
    answer = JsonResponse(write_json(report), json_dumps_params={"indent": 2})
    answer["Content-Disposition"] = f'attachment; filename="{_name(report.name)}-report.json"'
    return answer


def _save(text: str, name: str, what: str) -> HttpResponse:
    """Markdown as a file to save."""
    answer = HttpResponse(text, content_type="text/markdown; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{_name(name)}-{what}.md"'
    return answer


def _name(name: str) -> str:
    return slugify(name) or "encounter"
