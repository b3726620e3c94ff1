"""The page of a campaign's tables to roll on for who comes."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from characters.access import find_owned
from combat.models import Campaign
from combat.play.campaigns import random_tables
from combat.play.campaigns.campaigns import MAX_NAME, find_last_game
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.errors import Refused
from cosmos_site.base.errors import status_of
from cosmos_site.base.forms import SiteForm, see_other


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
    slug = find_last_game(campaign.encounters) or next(iter(SYSTEMS))
    ready = random_tables.find_ready_tables(find_system(slug))
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
    shown = {"campaign": campaign, "tables": kept, "ready": ready, "form": form, "chosen": chosen}
    return render(request, "combat/campaigns/campaign_tables.html", shown, status=status)
