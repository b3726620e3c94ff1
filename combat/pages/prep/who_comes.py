"""Rolling on a table for who comes: the line goes into the notes field of preparing."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from combat.play.campaigns import random_tables
from combat.rules.core.basics.errors import Refused
from combat.sharing.access import find_gm_context, for_visitors
from cosmos_site.base.errors import status_of
from cosmos_site.base.forms import see_other


@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def roll_for_people(request: HttpRequest, pk: int) -> HttpResponse:
    """The tables that can be rolled on, those of the campaign first; a POST rolls in secret."""
    context, status = find_gm_context(request, pk), 200
    campaign = context.encounter.campaign
    own = random_tables.find_tables(campaign) if campaign else []
    ready = random_tables.find_ready_tables(context.system)
    if request.method == "POST":
        try:
            kind, _, name = request.POST.get("table", "").partition(":")
            among = {"own": own, "ready": ready}.get(kind, [])
            table = next((one for one in among if one.name == name), None)
            if table is None:
                raise Refused("bad_value", "Choose a table: that one is not here.")
            total, row = random_tables.roll_on(pk, table, by=context.name, grant=context.grant)
        except Refused as refused:
            messages.warning(request, refused.message)
            status = status_of(refused)
        else:
            messages.success(request, f"{table.name}, {table.dice}: {total} is “{row.words}”.")
            answer = see_other("prep", pk)
            query = "" if random_tables.is_nobody(row.words) else f"?{urlencode({'notes': row.words})}"
            answer["Location"] += f"{query}#people"
            return answer
    shown = {"encounter": context.encounter, "system": context.system, "own": own, "ready": ready}
    shown["is_owner"] = campaign is not None and campaign.owner_id == request.user.pk
    return render(request, "combat/prep/who_comes.html", shown, status=status)
