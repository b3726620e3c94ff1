"""The page that imports an exported encounter."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from combat.models import Campaign, Encounter
from combat.play.after.imports import MAX_BYTES, Imported, import_encounter
from combat.play.people.campaigns import find_campaigns
from combat.play.scenes.uvtt_errors import is_map
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.sharing.access import person_of
from cosmos_site.base.errors import status_of
from cosmos_site.base.files import read_upload

from ..redirects import see_other

MAPS = (".uvtt", ".dd2vtt", ".df2vtt")
MAX_SCENES = 3


class IsMap(Exception):
    """The file is a map: the page of a scene reads it."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_page(request: HttpRequest) -> HttpResponse:
    """Import an encounter from a file; all of it, or nothing with the reason."""
    refused, maps = None, None
    if request.method == "POST":
        try:
            done = _import(request)
        except IsMap:
            maps = list(_find_scenes(request))
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
        "maps": maps,
        "megabytes": MAX_BYTES // 1_000_000,
    }
    status = status_of(refused) if refused else 422 if maps is not None else 200
    return render(request, "combat/prep/import_encounter.html", context, status=status)


def _import(request: HttpRequest) -> Imported:
    owner, word = person_of(request), request.POST.get("campaign", "")
    campaign = None
    if word:
        campaign = Campaign.objects.filter(owner=owner, pk=read_count(word) or 0).first()
        if campaign is None:
            raise Refused("unknown", "Choose one of your campaigns.")
    raw = read_upload(request, "file", MAX_BYTES)
    if is_map(raw) or str(getattr(request.FILES["file"], "name", "")).lower().endswith(MAPS):
        raise IsMap
    return import_encounter(owner, raw, campaign)


def _find_scenes(request: HttpRequest) -> QuerySet[Encounter]:
    """The encounters whose scene a map may be meant for: the newest."""
    mine = Encounter.objects.filter(owner=person_of(request), archived=False, downtime=False)
    return mine.only("name")[:MAX_SCENES]


def _describe(done: Imported) -> str:
    dice = done.verdict.dice
    said = f"“{done.encounter.name}” imported. {done.verdict.summary}"
    return f"{said} {dice.proven} of its rolls are proven by opened seals." if dice.proven else said
