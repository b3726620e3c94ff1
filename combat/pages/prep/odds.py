"""The forecast in short, beside the roster and at the table: begun again after each change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from combat.display.combatants.tokens import find_tones
from combat.play.whatif import forecast_jobs
from combat.play.whatif.forecast_changes import try_out
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.options import TOPICS
from combat.rules.core.sides import standing_sides
from combat.sharing.access import find_gm_context, for_visitors
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.htmx import is_htmx

from .odds_view import PrepOdds, make_odds


@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def show_odds(request: HttpRequest, pk: int) -> HttpResponse:
    """The forecast of the fight as it is now; a POST begins it. Others than scripts get the page.

    It is the one of the forecast page, so none of the two has to wait for what the other has played.
    """
    context = find_gm_context(request, pk)
    if not is_htmx(request):
        return redirect("prep", pk)
    if topic := request.GET.get("rules", ""):
        return _show_book(request, context, topic)
    if request.method == "POST":
        _begin(context)
    elif "with" in request.GET:
        return render_with(request, context)
    return render(
        request,
        "combat/prep/roster/odds.html",
        {"odds": view_odds(context), "encounter": context.encounter},
    )


def view_odds(context: ViewerContext) -> PrepOdds:
    """What the forecast says so far."""
    state = context.known_state
    if len(standing_sides(context.system, state)) < 2:
        return PrepOdds("A forecast needs two sides.")
    job = forecast_jobs.read_job(context.encounter.pk)
    return make_odds(job if job and job.stamp == context.stamp else None, find_tones(state))


def begin_with(context: ViewerContext, fields: Mapping[str, Any]) -> None:
    """Begin a forecast of the roster with others in it, who do not join; raises Refused."""
    place = f"{context.encounter.pk}:with"
    state = try_out(context.system, context.full_state, "join", fields)
    forecast_jobs.cancel(place)
    forecast_jobs.begin(place, context.stamp, context.encounter.system, state)


def view_with(context: ViewerContext) -> PrepOdds | None:
    """What the forecast with others says so far, if there is one of the present roster."""
    job, state = forecast_jobs.read_job(f"{context.encounter.pk}:with"), context.known_state
    if job is None or job.stamp != context.stamp:
        return None
    joined = [name for who, name in job.names.items() if who not in state.combatants]
    now = view_odds(context)
    before = now.first.percent if now.parts else None
    return replace(make_odds(job, find_tones(state)), whose=", ".join(joined), before=before)


def render_with(request: HttpRequest, context: ViewerContext) -> HttpResponse:
    """That forecast beside the form that asks for it."""
    shown = {"odds_with": view_with(context), "encounter": context.encounter}
    return render(request, "combat/prep/people/odds_with.html", shown)


def _show_book(request: HttpRequest, context: ViewerContext, topic: str) -> HttpResponse:
    """What the house rules of a topic change: the forecast with the rules of the book in their place."""
    if topic not in dict.fromkeys(key for key, *_ in TOPICS):
        raise Http404("There is no such group of house rules.")
    place, problem = f"{context.encounter.pk}:rules-{topic}", ""
    if request.method == "POST":
        state = context.full_state
        own = {one.key for one in context.system.book.options if one.topic == topic}
        options = {key: value for key, value in state.options.items() if key not in own}
        forecast_jobs.cancel(place)
        try:
            forecast_jobs.begin(
                place,
                context.stamp,
                context.encounter.system,
                msgspec.structs.replace(state, options=options),
            )
        except Refused as refused:
            problem = refused.message
    job, now = forecast_jobs.read_job(place), view_odds(context)
    known = job if job and job.stamp == context.stamp else None
    odds = PrepOdds(problem) if problem else make_odds(known, find_tones(context.known_state))
    before = now.first.percent if now.parts else None
    shown = {"book": replace(odds, before=before), "topic": topic, "encounter": context.encounter}
    return render(request, "combat/prep/options/book.html", shown)


def _begin(context: ViewerContext) -> None:
    """Begin a forecast, unless there is one of the present fight; one of an earlier state ends."""
    place = context.encounter.pk
    job = forecast_jobs.read_job(place)
    if job and job.stamp == context.stamp and not (job.lost or job.failed):
        return
    forecast_jobs.cancel(place)
    slug, state = context.encounter.system, context.full_state
    try:
        forecast_jobs.begin(place, context.stamp, slug, state)
    except Refused:
        return  # the page says what is missing
