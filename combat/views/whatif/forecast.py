"""The forecast page: begin, watch it converge, cancel. Of a fight, or of a branch of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from combat.display.combatants.tones import find_tones
from combat.display.whatif.forecast_view import view_forecast
from combat.play.whatif import forecast_jobs
from combat.rules.core.basics.errors import Refused
from combat.rules.core.odds.forecast import CLOSE
from combat.sharing.access import find_gm_context, for_visitors
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.caching import outage
from cosmos_site.base.htmx import is_htmx


@dataclass(frozen=True)
class Subject:
    """What to forecast: its place among the jobs, its pages, and how a job begins."""

    context: ViewerContext
    place: forecast_jobs.Place
    here: str
    back: str
    start: Callable[[], Any]
    branch: int = 0


@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def show_forecast(request: HttpRequest, pk: int) -> HttpResponse:
    """The forecast of the fight: it is played many times with the same engine."""
    context = find_gm_context(request, pk)
    subject = Subject(
        context,
        pk,
        reverse("forecast", args=[pk]),
        reverse("table", args=[pk]),
        lambda: forecast_jobs.start(context.encounter, context.full_state),
    )
    return answer_forecast(request, subject)


def answer_forecast(request: HttpRequest, subject: Subject) -> HttpResponse:
    """The page of a forecast; a POST begins or cancels it."""
    problem = ""
    if request.method == "POST":
        try:
            _change(request, subject)
        except Refused as refused:
            problem = refused.message
        else:
            if not is_htmx(request):
                return HttpResponseRedirect(subject.here, status=303)
    partial = "#job" if is_htmx(request) else ""
    shown = _view_job(subject)
    again = not problem and _was_lost(request, shown["job"])
    shown |= {
        "encounter": subject.context.encounter,
        "subject": subject,
        "here": subject.here,
        "problem": problem,
        "again": again,
        "alone": bool(outage.problem),
        "close": round(100 * CLOSE),
    }
    return render(
        request, f"combat/whatif/forecast/forecast.html{partial}", shown, status=409 if problem else 200
    )


def _change(request: HttpRequest, subject: Subject) -> None:
    if request.POST.get("do") == "cancel":
        forecast_jobs.cancel(subject.place)
    else:
        subject.start()


def _was_lost(request: HttpRequest, job: forecast_jobs.Job | None) -> bool:
    """Whether the forecast on the page was lost when its table stopped; the page then restarts it."""
    return job.lost if job else bool(request.GET.get("running"))


def _view_job(subject: Subject) -> dict[str, Any]:
    job, context = forecast_jobs.read_job(subject.place), subject.context
    if job is None:
        return {"job": None}
    shown = view_forecast(job, find_tones(context.known_state)) if job.done else None
    return {"job": job, "old": job.stamp != context.stamp, "shown": shown}
