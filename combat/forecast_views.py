"""The forecast page: begin, watch it narrow, cancel."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from . import forecasting
from .access import find_encounter, for_visitors
from .models import Encounter
from .redirects import see_other
from .rules.core.errors import Refused


@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def show_forecast(request: HttpRequest, pk: int) -> HttpResponse:
    """What the fight may come to, by playing it many times with the very same engine."""
    encounter = find_encounter(request, pk)
    problem = ""
    if request.method == "POST":
        try:
            _change(request, encounter)
        except Refused as refused:
            problem = refused.message
        else:
            if not request.htmx:  # type: ignore[attr-defined]
                return see_other("forecast", pk)
    partial = "#job" if request.htmx else ""  # type: ignore[attr-defined]
    context = {"encounter": encounter, "problem": problem} | _view(encounter)
    return render(request, f"combat/forecast.html{partial}", context, status=409 if problem else 200)


def _change(request: HttpRequest, encounter: Encounter) -> None:
    if request.POST.get("do") == "cancel":
        forecasting.cancel(encounter.pk)
    else:
        forecasting.start(encounter)


def _view(encounter: Encounter) -> dict[str, Any]:
    job = forecasting.read_job(encounter.pk)
    if job is None:
        return {"job": None}
    return {
        "job": job,
        "old": job.stamp != encounter.stamp(is_gm=True),
        "wins": forecasting.view_wins(job) if job.done else [],
        "drops": forecasting.view_drops(job) if job.done else [],
        "rounds": forecasting.view_rounds(job),
    }
