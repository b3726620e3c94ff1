"""The page of a campaign's evening: its prepared fights in order, and the forecast of them all."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from characters.access import find_owned
from combat.models import Campaign
from combat.play.whatif import evenings, forecast_jobs
from combat.play.whatif.evenings import EARLIER, LATER, Plan, find_plan
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.odds.forecast import CLOSE
from cosmos_site.base.caching import outage
from cosmos_site.base.errors import status_of
from cosmos_site.base.forms import see_other
from cosmos_site.base.htmx import is_htmx

from .evening_view import view_evening


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_evening(request: HttpRequest, pk: int) -> HttpResponse:
    """The evening of one of the user's campaigns; a POST plans it, begins its forecast or cancels it."""
    campaign = find_owned(request, Campaign.objects, pk)
    plan, problem, status = find_plan(campaign), "", 200
    if request.method == "POST":
        try:
            _change(plan, request.POST)
        except Refused as refused:
            problem, status = refused.message, status_of(refused)
        else:
            if not is_htmx(request):
                return see_other("evening", pk)
    elif plan.rows and not plan.fights:
        problem = evenings.NO_FIGHTS
    job = forecast_jobs.read_job(plan.place)
    old = job is not None and job.stamp != plan.stamp
    shown = {
        "campaign": campaign,
        "plan": plan,
        "problem": problem,
        "job": job,
        "old": old,
        "again": not problem and bool(plan.fights) and (job is None or job.lost or old),
        "shown": view_evening(job, plan) if job and job.done and not old else None,
        "alone": bool(outage.problem),
        "close": round(100 * CLOSE),
        "accent": plan.fights[0].system.look.accent if plan.fights else "",
    }
    part = "#job" if is_htmx(request) else ""
    return render(request, f"combat/campaigns/evening/evening.html{part}", shown, status=status)


def _change(plan: Plan, sent: QueryDict) -> None:
    """Do what a button asks; raises Refused."""
    do, _, number = sent.get("do", "").partition(":")
    if do == "start":
        evenings.begin(plan)
    elif do == "cancel":
        forecast_jobs.cancel(plan.place)
    elif do in ("plan", EARLIER, LATER):
        order = _read_numbers(sent, "fight")
        if do != "plan":
            order = evenings.move(order, _read_number(number), do)
        rests = {one: sent.get(f"rest-{one}", "") for one in order}
        evenings.save_plan(plan, order, _read_numbers(sent, "chosen"), rests)
    else:
        raise Refused("unknown", "This page has no such action.")


def _read_numbers(sent: QueryDict, name: str) -> list[int]:
    return [_read_number(word) for word in sent.getlist(name)]


def _read_number(word: str) -> int:
    number = read_count(word)
    if number is None:
        raise Refused("bad_value", "Choose fights from the list.")
    return number
