"""The page that imports an exported encounter."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from characters.access import person_of
from combat.models import Encounter
from combat.play.after.imports import Imported, import_encounter
from combat.play.campaigns.campaigns import find_campaigns
from combat.rules.core.basics.numbers import read_count
from cosmos_site.base.forms import see_other

from .forms import ImportForm

MAX_SCENES = 3


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_page(request: HttpRequest) -> HttpResponse:
    """Import an encounter from a file; all of it, or nothing with the reason."""
    owner = person_of(request)
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    form = ImportForm(find_campaigns(owner).only("name"), read_count(request.GET.get("campaign", "")), *sent)
    if request.method == "POST":
        done = form.carry_out(lambda said: import_encounter(owner, said["file"], said["campaign"]))
        if done:
            messages.success(request, _describe(done))
            if _has_twin(done.encounter):
                messages.warning(
                    request,
                    f"You now have more than one encounter called “{done.encounter.name}”. "
                    "Delete what you do not need.",
                )
            return see_other("log" if done.encounter.steps else "prep", done.encounter.pk)
    maps = list(_find_scenes(request)) if form.has_error("file", "map") else None
    shown = {"form": form, "maps": maps}
    return render(request, "combat/prep/import_encounter.html", shown, status=form.status)


def _find_scenes(request: HttpRequest) -> QuerySet[Encounter]:
    """The encounters whose scene a map may be meant for: the newest."""
    mine = Encounter.objects.filter(owner=person_of(request), archived=False, downtime=False)
    return mine.only("name")[:MAX_SCENES]


def _has_twin(made: Encounter) -> bool:
    mine = Encounter.objects.filter(owner=made.owner_id, name=made.name, downtime=False)
    return mine.exclude(pk=made.pk).exists()


def _describe(done: Imported) -> str:
    dice = done.verdict.dice
    said = f"“{done.encounter.name}” imported. {done.verdict.summary}"
    return f"{said} {dice.proven} of its rolls are proven by opened seals." if dice.proven else said
