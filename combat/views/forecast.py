"""The forecast page: begin, watch it narrow, cancel."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from combat.display.forecast_view import view_forecast
from combat.display.table_view import find_tones
from combat.play import forecast_jobs
from combat.rules.core.basics.errors import Refused
from combat.sharing.access import find_gm_context, for_visitors
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.caching import outage

from .redirects import see_other


@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def show_forecast(request: HttpRequest, pk: int) -> HttpResponse:
    """What the fight may come to, by playing it many times with the very same engine."""
    context = find_gm_context(request, pk)
    problem = ""
    if request.method == "POST":
        try:
            _change(request, context)
        except Refused as refused:
            problem = refused.message
        else:
            if not request.htmx:  # type: ignore[attr-defined]
                return see_other("forecast", pk)
    partial = "#job" if request.htmx else ""  # type: ignore[attr-defined]
    shown = _view_job(context)
    again = not problem and _was_lost(request, shown["job"])
    shown |= {
        "encounter": context.encounter,
        "problem": problem,
        "again": again,
        "alone": bool(outage.problem),
    }
    return render(request, f"combat/forecast.html{partial}", shown, status=409 if problem else 200)


def _change(request: HttpRequest, context: ViewerContext) -> None:
    if request.POST.get("do") == "cancel":
        forecast_jobs.cancel(context.encounter.pk)
    else:
        forecast_jobs.start(context.encounter, context.full_state)


def _was_lost(request: HttpRequest, job: forecast_jobs.Job | None) -> bool:
    """Whether the forecast that is looked at went down with its table; the page then begins it again."""
    return job.lost if job else bool(request.GET.get("running"))


def _view_job(context: ViewerContext) -> dict[str, Any]:
    job = forecast_jobs.read_job(context.encounter.pk)
    if job is None:
        return {"job": None}
    shown = view_forecast(job, find_tones(context.full_state)) if job.done else None
    return {"job": job, "old": job.stamp != context.stamp, "shown": shown}
