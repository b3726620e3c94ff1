"""The forecast beside the roster: begun again after each change."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from combat.display.combatants.tones import find_tones
from combat.display.prep.odds_view import PrepOdds, make_odds
from combat.play.whatif import forecast_jobs
from combat.rules.core.basics.errors import Refused
from combat.rules.core.people.sides import standing_sides
from combat.sharing.access import find_gm_context, for_visitors
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.htmx import is_htmx


@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def show_odds(request: HttpRequest, pk: int) -> HttpResponse:
    """The forecast of the roster as it is now; a POST begins it. Others than scripts get the page."""
    context = find_gm_context(request, pk)
    if not is_htmx(request):
        return redirect("prep", pk)
    if request.method == "POST":
        _begin(context)
    return render(
        request,
        "combat/prep/roster/odds.html",
        {"odds": view_odds(context), "encounter": context.encounter},
    )


def view_odds(context: ViewerContext) -> PrepOdds:
    """What the roster's forecast says so far."""
    state = context.known_state
    if len(standing_sides(context.system, state)) < 2:
        return PrepOdds("A forecast needs two sides.")
    job = forecast_jobs.read_job(_find_place(context))
    return make_odds(job if job and job.stamp == context.stamp else None, find_tones(state))


def _find_place(context: ViewerContext) -> str:
    return f"prep:{context.encounter.pk}"


def _begin(context: ViewerContext) -> None:
    """Begin a forecast of the present roster, unless there is one; one of an older roster ends."""
    place = _find_place(context)
    job = forecast_jobs.read_job(place)
    if job and job.stamp == context.stamp and not (job.lost or job.failed):
        return
    forecast_jobs.cancel(place)
    slug, state = context.encounter.system, context.full_state
    try:
        forecast_jobs.begin(place, context.stamp, slug, state)
    except Refused:
        return  # the page says what is missing
