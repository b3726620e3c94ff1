"""The tables of a campaign to roll on for who comes: typed, and shown as they will be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods
from msgspec.structs import replace as replace_fields

from characters.access import find_owned, person_of
from combat.models import Campaign
from combat.play.campaigns import random_tables
from combat.play.campaigns.campaigns import MAX_NAME, find_last_game
from combat.play.scenes.ready import find_ready_scenes
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from cosmos_site.base.errors import status_of
from cosmos_site.base.forms import SiteForm, is_htmx, see_other

from ..home.pictures import draw_picture
from ..prep.people_view import make_plain_reader
from ..prep.who_comes import TableView, draw_bars, view_lines


class TableForm(SiteForm):
    """A table: name, dice and lines."""

    name = forms.CharField(label="Name", max_length=MAX_NAME)
    dice = forms.CharField(label="Dice", max_length=20, help_text="such as 2d6 or d100")
    lines = forms.CharField(
        label="Lines",
        max_length=20_000,
        widget=forms.Textarea({"rows": 9, "placeholder": random_tables.EXAMPLE}),
        help_text="A number or a range, then a note as you type it while preparing",
    )
    old = forms.CharField(required=False, widget=forms.HiddenInput)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_tables(request: HttpRequest, pk: int) -> HttpResponse:
    """The tables of a campaign, and the form for a new one or a changed one."""
    campaign, status = find_owned(request, Campaign.objects, pk), 200
    kept = random_tables.find_tables(campaign)
    system = find_system(find_last_game(campaign.encounters) or next(iter(SYSTEMS)))
    if is_htmx(request):
        shown = _try_table(system, person_of(request), request.GET)
        return render(request, "combat/prep/who/made.html", shown)
    ready = random_tables.find_ready_tables(system)
    wanted = request.GET.get("table") or request.GET.get("ready", "")
    chosen = next((one for one in (kept if "table" in request.GET else ready) if one.name == wanted), None)
    initial = {"name": chosen.name, "dice": chosen.dice, "lines": chosen.lines} if chosen else {"dice": "2d6"}
    form = TableForm(initial={**initial, "old": wanted if chosen in kept else ""})
    if request.method == "POST" and "drop" in request.POST:
        try:
            random_tables.drop_table(campaign, request.POST["drop"])
            return see_other("campaign_tables", pk)
        except Refused as refused:
            messages.warning(request, refused.message)
            status = status_of(refused)
    elif request.method == "POST":
        form = TableForm(request.POST)

        def save(said: dict[str, str]) -> bool:
            table = random_tables.read_table(said["name"], said["dice"], said["lines"])
            random_tables.save_table(campaign, table, said["old"])
            return True

        if form.carry_out(save):
            messages.success(request, "Table saved.")
            return see_other("campaign_tables", pk)
        status = form.status
    typed = {name: str(form[name].value() or "") for name in ("name", "dice", "lines")}
    made = _try_table(system, person_of(request), typed)
    shown = {
        "campaign": campaign,
        "tables": kept,
        "ready": _draw_ready(system, ready),
        "form": form,
        "chosen": chosen,
        **made,
    }
    return render(request, "combat/campaigns/campaign_tables.html", shown, status=status)


def _draw_ready(
    system: System, ready: list[random_tables.RandomTable]
) -> list[tuple[random_tables.RandomTable, SafeString, str]]:
    """The ready tables, each with the picture of a ready scene of its kind, and how often nobody comes."""
    start = system.begin()
    scenes = {one.group: replace_fields(start, scene=one.scene) for one in reversed(find_ready_scenes())}
    found = []
    for one in ready:
        picture = draw_picture(system, scenes.get(one.name, start), {})
        nobody = sum(line.percent for line in view_lines(one) if line.is_nobody)
        found.append((one, picture, f"{nobody:.0f}" if nobody else ""))
    return found


def _try_table(system: System, person: User, typed: Mapping[str, str]) -> dict[str, Any]:
    """The table that the typed lines make, with who comes; or what is wrong with them."""
    typed_lines = typed.get("lines", "").strip()
    lines, dice = (typed_lines, typed.get("dice", "")) if typed_lines else (random_tables.EXAMPLE, "2d6")
    try:
        table = random_tables.read_table(typed.get("name") or "Table", dice, lines)
    except Refused as refused:
        return {"table": None, "problem": refused.message}
    reader = make_plain_reader(system, person)
    made = [
        line if line.is_nobody else replace(line, groups=reader.read(line.row.words)[0])
        for line in view_lines(table)
    ]
    bars = draw_bars(table.dice, made)
    return {"table": TableView("", table.name, table.dice, tuple(made), bars), "is_example": not typed_lines}
