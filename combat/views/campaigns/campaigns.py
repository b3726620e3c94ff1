"""The pages of campaigns: the list, a campaign with everything in it, its house rules and handouts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from combat.display.prep.options_view import read_options, view_options
from combat.models import Campaign, Handout
from combat.play.people import campaigns, handouts
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.state.state import State
from combat.sharing.access import person_of
from cosmos_site.base.errors import status_of
from cosmos_site.base.files import read_upload
from cosmos_site.base.pictures import HANDOUT, Picture, remake

from ..redirects import see_other
from .handouts import answer_image

PER_PAGE, ENCOUNTERS = 20, 20
GONE = "Campaign not found, or not yours."


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def list_campaigns(request: HttpRequest) -> HttpResponse:
    """The user's campaigns, and the form for a new one."""
    refused = None
    if request.method == "POST":
        try:
            made = campaigns.create_campaign(person_of(request), request.POST.get("name", ""))
            return see_other("campaign", made.pk)
        except Refused as problem:
            refused = problem
    archived = request.GET.get("show") == "archived"
    rows = campaigns.find_campaigns(person_of(request), archived).defer("notes")
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "archived": archived,
        "query": "show=archived" if archived else "",
        "refused": refused,
        "name": request.POST.get("name", "")[:100],
    }
    return render(
        request, "combat/campaigns/campaigns.html", context, status=status_of(refused) if refused else 200
    )


def _find_campaign(request: HttpRequest, pk: int) -> Campaign:
    """The campaign, for its owner alone; Http404 for others."""
    found = Campaign.objects.filter(pk=pk, owner=person_of(request)).first()
    if found is None:
        raise Http404(GONE)
    return found


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_campaign(request: HttpRequest, pk: int) -> HttpResponse:
    """A campaign: encounters, people, NPCs, handouts, notes, house rules."""
    campaign, status = _find_campaign(request, pk), 200
    if request.method == "POST":
        try:
            return _perform(request, campaign)
        except Refused as refused:
            messages.warning(request, refused.message)
            status, campaign = status_of(refused), _find_campaign(request, pk)
    return render(request, "combat/campaigns/campaign.html", _find_shown(request, campaign), status=status)


def _find_shown(request: HttpRequest, campaign: Campaign) -> dict[str, Any]:
    """The values of the page's template; refused forms keep what was typed."""
    rows = campaign.encounters.defer("start", "state")
    page = Paginator(rows, ENCOUNTERS).get_page(request.GET.get("page"))
    games = [find_system(slug) for slug in SYSTEMS]
    posted = request.POST
    return {
        "campaign": campaign,
        "page": page,
        "rows": [(encounter, find_system(encounter.system)) for encounter in page],
        "query": "",
        "people": campaigns.find_people(campaign),
        "npcs": campaigns.find_people(campaign, npc=True),
        "candidates": campaigns.find_candidates(campaign),
        "npc_candidates": campaigns.find_candidates(campaign, npc=True),
        "handouts": campaign.handouts.defer("image"),
        "packs": campaign.packs.select_related("pack").defer("pack__document"),
        "games": [(game, len(campaign.options.get(game.slug, {}))) for game in games],
        "typed": posted,
        "last_game": posted.get("system") or campaigns.find_last_game(rows),
        "notes": posted["notes"] if posted.get("do") == "notes" else campaign.notes,
    }


def _perform(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Do what a form of the page asks; raises Refused."""
    do = request.POST.get("do", "")
    if do not in ACTIONS:
        raise Refused("unknown", "This page has no such action.")
    action, place = ACTIONS[do]
    return action(request, campaign) or _back(campaign, place)


def _back(campaign: Campaign, place: str) -> HttpResponse:
    answer = see_other("campaign", campaign.pk)
    answer["Location"] += f"#{place}"
    return answer


def _rename(request: HttpRequest, campaign: Campaign) -> None:
    campaigns.change_campaign(campaign, name=campaigns.clean_title(request.POST.get("name", "")))


def _note(request: HttpRequest, campaign: Campaign) -> None:
    notes = campaigns.clean_text(request.POST.get("notes", ""), campaigns.MAX_NOTES, "Notes")
    campaigns.change_campaign(campaign, notes=notes)
    messages.success(request, "Notes saved.")


def _archive(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    campaigns.change_campaign(campaign, archived=not campaign.archived)
    done = "archived" if campaign.archived else "restored"
    messages.success(request, f"“{campaign.name}” {done}. Its encounters stay where they are.")
    return see_other("campaigns")


def _delete(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Delete a campaign; since that cannot be undone, its name must be typed."""
    if request.POST.get("confirm", "").strip() != campaign.name:
        raise Refused("bad_value", "Type the campaign's name to delete it, its handouts and its notes.")
    campaigns.delete_campaign(campaign)
    messages.success(request, f"“{campaign.name}” is deleted. Its encounters stay.")
    return see_other("campaigns")


def _create_encounter(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    slug = request.POST.get("system", "")
    if slug not in SYSTEMS:
        raise Refused("bad_value", "Choose a game.")
    name = campaigns.clean_title(request.POST.get("name", ""))
    made = campaigns.create_in_campaign(campaign, person_of(request), slug, name)
    return see_other("prep", made.pk)


def _add(request: HttpRequest, campaign: Campaign) -> None:
    npc = request.POST.get("do") == "add_npcs"
    numbers = [read_count(word) for word in request.POST.getlist("who")]
    if not numbers:
        raise Refused("bad_value", "Nobody is selected: choose from the list.")
    added = campaigns.add_members(campaign, [number or 0 for number in numbers], npc)
    messages.success(request, f"Added: {', '.join(one.name for one in added)}.")


def _remove(request: HttpRequest, campaign: Campaign) -> None:
    campaigns.remove_member(campaign, read_count(request.POST.get("who", "")) or 0)


def _add_handout(request: HttpRequest, campaign: Campaign) -> None:
    posted = request.POST
    made = handouts.create_handout(
        campaign, posted.get("title", ""), posted.get("text", ""), _picture(request)
    )
    messages.success(request, f"“{made.title}” is ready. Show it from an encounter of the campaign.")


def _picture(request: HttpRequest) -> Picture | None:
    """The picture that was sent, re-encoded; None without one."""
    if not request.FILES.get("picture"):
        return None
    return remake(read_upload(request, "picture", HANDOUT.max_bytes), HANDOUT)


Act = Callable[[HttpRequest, Campaign], HttpResponse | None]
ACTIONS: dict[str, tuple[Act, str]] = {
    "name": (_rename, "keep"),
    "notes": (_note, "notes"),
    "archive": (_archive, ""),
    "delete": (_delete, ""),
    "encounter": (_create_encounter, ""),
    "add_people": (_add, "people"),
    "add_npcs": (_add, "npcs"),
    "remove": (_remove, "people"),
    "handout": (_add_handout, "handouts"),
}


# ---------------------------------------------------------------- house rules


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_rules(request: HttpRequest, pk: int, slug: str) -> HttpResponse:
    """The page of the house rules for a campaign's new encounters of a game."""
    campaign, status = _find_campaign(request, pk), 200
    if slug not in SYSTEMS:
        raise Http404("Game not found.")
    system = find_system(slug)
    state = State(slug, options=dict(campaign.options.get(slug, {})))
    if request.method == "POST":
        try:
            campaigns.set_rules(campaign, slug, read_options(system, state, request.POST))
        except Refused as refused:
            messages.warning(request, refused.message)
            status = status_of(refused)
        else:
            messages.success(request, f"House rules saved. New encounters of {system.name} start with them.")
            return _back(campaign, "rules")
    context = {"campaign": campaign, "system": system, "options": view_options(system, state)}
    return render(request, "combat/campaigns/campaign_rules.html", context, status=status)


# ---------------------------------------------------------------- handouts


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_handout(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """The page of one handout, to change or delete it."""
    campaign, status = _find_campaign(request, pk), 200
    handout = _find_handout(campaign, number)
    posted = request.POST
    if request.method == "POST":
        try:
            if "delete" in posted:
                return _delete_handout(request, campaign, handout)
            drop = bool(posted.get("drop_picture"))
            title, text = posted.get("title", ""), posted.get("text", "")
            handouts.change_handout(handout, title, text, _picture(request), drop_picture=drop)
            messages.success(request, "Handout saved.")
            return _back(campaign, "handouts")
        except Refused as refused:
            messages.warning(request, refused.message)
            status = status_of(refused)
            handout.title, handout.text = posted.get("title", "")[:100], posted.get("text", "")
    where = handout.showings.values_list("encounter__name", flat=True).distinct()
    context = {"campaign": campaign, "handout": handout, "where": sorted(set(where))}
    return render(request, "combat/campaigns/handouts/handout_edit.html", context, status=status)


def _delete_handout(request: HttpRequest, campaign: Campaign, handout: Handout) -> HttpResponse:
    if not request.POST.get("sure"):
        raise Refused("bad_value", "Select the box to delete the handout for good.")
    handouts.delete_handout(handout)
    messages.success(request, f"“{handout.title}” is deleted.")
    return _back(campaign, "handouts")


def _find_handout(campaign: Campaign, number: int) -> Handout:
    found = campaign.handouts.defer("image").filter(pk=number).first()
    if found is None:
        raise Http404("Handout not found.")
    return found


@login_required
@require_http_methods(["GET", "HEAD"])
def show_own_picture(request: HttpRequest, pk: int, number: int, digest: str) -> HttpResponse:
    """The picture of a handout, for the owner of its campaign."""
    return answer_image(request, _find_handout(_find_campaign(request, pk), number), digest)
