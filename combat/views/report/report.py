"""The page of a fight's report."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods

from combat.display.report.report_view import Report, view_report, write_json, write_markdown
from combat.play.after.reports import find_fight
from combat.sharing.access import find_context, for_visitors
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.htmx import is_htmx


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_report(request: HttpRequest, pk: int) -> HttpResponse:
    """The report of the last fight. Before its end for the GM alone; `as` is markdown or json."""
    context, kind = find_context(request, pk), request.GET.get("as", "")
    if kind not in ("", "markdown", "json"):
        raise Http404("A report is a page, Markdown or JSON.")
    report = _find_report(context)
    if report and kind:
        return _write(report, kind)
    shown = {
        "encounter": context.encounter,
        "report": report,
        "slug": context.system.slug,
        "unit": context.system.space.unit,
        "is_gm": context.viewer.is_gm,
    }
    htmx = is_htmx(request)
    return render(request, f"combat/report/report.html{'#report' if htmx else ''}", shown)


def _find_report(context: ViewerContext) -> Report | None:
    """The report, if there is one that the viewer may read yet."""
    is_open = context.viewer.is_gm or context.encounter.phase == "over"
    fight = find_fight(context.encounter, context.viewer) if is_open else None
    return view_report(context, fight) if fight else None


def _write(report: Report, kind: str) -> HttpResponse:
    name = slugify(report.name) or "encounter"
    if kind == "json":
        answer: HttpResponse = JsonResponse(write_json(report), json_dumps_params={"indent": 2})
    else:
        answer = HttpResponse(write_markdown(report), content_type="text/markdown; charset=utf-8")
    suffix = "json" if kind == "json" else "md"
    answer["Content-Disposition"] = f'attachment; filename="{name}-report.{suffix}"'
    return answer
