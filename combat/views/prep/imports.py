"""The page that imports an exported encounter."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from combat.models import Campaign
from combat.play.after.imports import MAX_BYTES, Imported, import_encounter
from combat.play.people.campaigns import find_campaigns
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.sharing.access import person_of
from cosmos_site.base.errors import status_of
from cosmos_site.base.files import read_upload

from ..redirects import see_other


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_page(request: HttpRequest) -> HttpResponse:
    """Import an encounter from a file; all of it, or nothing with the reason."""
    refused = None
    if request.method == "POST":
        try:
            done = _import(request)
        except Refused as problem:
            refused = problem
        else:
            messages.success(request, _describe(done))
            return see_other("log" if done.encounter.steps else "prep", done.encounter.pk)
    data = request.POST if request.method == "POST" else request.GET
    context = {
        "refused": refused,
        "campaigns": find_campaigns(person_of(request)).only("name"),
        "chosen": read_count(data.get("campaign", "")),
        "megabytes": MAX_BYTES // 1_000_000,
    }
    status = status_of(refused) if refused else 200
    return render(request, "combat/prep/import_encounter.html", context, status=status)


def _import(request: HttpRequest) -> Imported:
    owner, word = person_of(request), request.POST.get("campaign", "")
    campaign = None
    if word:
        campaign = Campaign.objects.filter(owner=owner, pk=read_count(word) or 0).first()
        if campaign is None:
            raise Refused("unknown", "Choose one of your campaigns.")
    return import_encounter(owner, read_upload(request, "file", MAX_BYTES), campaign)


def _describe(done: Imported) -> str:
    dice = done.verdict.dice
    said = f"“{done.encounter.name}” imported. {done.verdict.summary}"
    return f"{said} {dice.proven} of its rolls are proven by opened seals." if dice.proven else said
