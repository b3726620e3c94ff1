"""The pages of campaigns: the list, a campaign with everything in it, its house rules and handouts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.template.defaultfilters import linebreaks_filter
from django.views.decorators.http import require_http_methods

from characters.access import find_owned, person_of
from combat.display.forms.own_conditions import NEW, read_own, view_form
from combat.models import Campaign, Handout
from combat.play.campaigns import campaigns, handouts, own_conditions
from combat.play.campaigns.table_notes import SHARED, save_shared
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.declaration.system import System
from cosmos_site.base.errors import status_of
from cosmos_site.base.forms import SiteForm, is_htmx, see_other

from ..home.views import find_folders
from ..prep.odds_view import view_odds
from .cards import view_cards
from .forms import (
    AddNpcsForm,
    AddPeopleForm,
    CampaignForm,
    DeleteForm,
    DeleteHandoutForm,
    EditHandoutForm,
    EncounterForm,
    HandoutForm,
    NewCampaignForm,
    NotesForm,
    PlanForm,
    RenameForm,
    show_condition,
    take_fix,
    view_typed,
)
from .handouts import answer_image
from .named import draw_parts
from .next_evening_view import view_evening
from .notes import (
    SHARED_TITLE,
    NoteView,
    is_typing,
    open_note,
    show_state,
    show_written,
    view_note,
    write_note,
)
from .tiles import find_players, view_fights, view_first, view_handouts, view_packs, view_people, view_rules

TYPED = ("title", "text", "notes")  # fields whose words nobody wants to type again
PER_PAGE, ENCOUNTERS, OK = 20, 20, 200
Said = dict[str, Any]  # the checked values of a form


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def list_campaigns(request: HttpRequest) -> HttpResponse:
    """The user's campaigns, and the form for a new one."""
    person = person_of(request)
    form = NewCampaignForm(request.POST if request.method == "POST" else None)
    if request.method == "POST":
        made = form.carry_out(lambda said: campaigns.create_campaign(person, said["name"]))
        if made:
            return see_other("campaign", made.pk)
    archived = request.GET.get("show") == "archived"
    page = Paginator(find_folders(person, archived), PER_PAGE).get_page(request.GET.get("page"))
    cards = view_cards(list(page), person)
    query = "show=archived" if archived else ""
    context = {"page": page, "cards": cards, "archived": archived, "query": query, "form": form}
    return render(request, "combat/campaigns/campaigns.html", context, status=form.status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_campaign(request: HttpRequest, pk: int) -> HttpResponse:
    """A campaign: encounters, people, NPCs, handouts, notes, house rules."""
    campaign = _find_campaign(request, pk)
    if campaign is None:
        return _show_typed(request)
    forms = {kind.do: kind(campaign) for kind in ACTIONS}
    shared, status = _answer_shared(request, campaign)
    if request.method == "POST" and _sends_shared(request):
        if is_typing(request):
            return show_written(request, shared, status)
        if shared.form is None and not is_htmx(request):
            messages.success(request, f"{shared.title}: note saved.")
            return _back(campaign, "shared")
    elif request.method == "POST":
        do = request.POST.get("do", "")
        if do == NotesForm.do and is_typing(request):
            return _write_notes(request, campaign)
        if do in forms:
            form = forms[do] = type(forms[do])(campaign, request.POST, request.FILES)
            answer = form.carry_out(partial(ACTIONS[type(form)], request, campaign))
            if answer:
                return answer
            status = form.status
        else:
            try:
                return _push(request, campaign, do)
            except Refused as refused:
                messages.warning(request, refused.message)
                status = status_of(refused)
    shown = {**_find_shown(request, campaign), "forms": forms, "note": shared}
    shown["is_open"] = request.method == "POST" or bool(shared.form or shared.html)
    return render(request, "combat/campaigns/campaign.html", shown, status=status)


def _find_campaign(request: HttpRequest, pk: int) -> Campaign | None:
    """One of the user's campaigns; None if it is gone, or not theirs."""
    return Campaign.objects.filter(pk=pk, owner=person_of(request)).first()


def _show_typed(request: HttpRequest) -> HttpResponse:
    """What was typed for a campaign that is not there any more, to copy it; Http404 if nothing was."""
    typed = [request.POST[name] for name in TYPED if request.POST.get(name, "").strip()]
    if not typed:
        raise Http404("Campaign not found, or not yours.")
    return render(request, "combat/campaigns/typed.html", {"typed": typed}, status=404)


def _find_shown(request: HttpRequest, campaign: Campaign) -> dict[str, Any]:
    """The values of the page's template, without its forms."""
    rows = campaign.encounters.defer("start")
    page = Paginator(rows, ENCOUNTERS).get_page(request.GET.get("page"))
    coming, past = view_fights(page)
    people = list(campaigns.find_people(campaign).defer(None))
    known = campaigns.find_known(campaign.pk, campaign.owner_id, people)
    npcs = list(campaigns.find_people(campaign, npc=True).defer(None))
    cover = next(iter(coming or past), None)
    is_next = bool(coming) and coming[0].encounter.phase == "prep"
    handed, packs = view_handouts(campaign), view_packs(campaign)
    is_new = not (cover or people or npcs or handed or packs or campaign.notes)
    return {
        "campaign": campaign,
        "next": view_evening(campaign, campaign.owner),
        "page": page,
        "coming": coming,
        "past": past,
        "cover": cover,
        "odds": view_odds(coming[0].context) if is_next and coming[0].sides else None,
        "query": "",
        "people": view_people(people, "is-ally", past, find_players(campaign, people, coming), known),
        "npcs": view_people(npcs, "is-foe", past, {}, {one.pk for one in npcs}),
        "notes": draw_parts(campaign.notes, [*people, *npcs], campaign.owner_id),
        "handouts": handed,
        "packs": packs,
        "games": view_rules(campaign, cover.game if cover else None),
        "is_new": is_new,
        **(view_first() if is_new else {}),
    }


def _answer_shared(request: HttpRequest, campaign: Campaign) -> tuple[NoteView, int]:
    """The note that its tables share: as it is read, or in its editor if that is asked for; and a status."""
    find = campaign.shared_notes.first
    if request.method == "POST" and _sends_shared(request):
        return write_note(request, SHARED_TITLE, find, partial(save_shared, campaign.pk))
    view = open_note if request.GET.get("about") == SHARED else view_note
    return view(SHARED, SHARED_TITLE, find()), OK


def _sends_shared(request: HttpRequest) -> bool:
    return request.POST.get("about") == SHARED


def _back(campaign: Campaign, place: str) -> HttpResponse:
    answer = see_other("campaign", campaign.pk)
    answer["Location"] += f"#{place}"
    return answer


def _push(request: HttpRequest, campaign: Campaign, do: str) -> HttpResponse:
    """Do what a button without a form asks; raises Refused."""
    if do == "plan":
        number, form = read_count(request.POST.get("encounter", "")) or 0, PlanForm(request.POST)
        if not form.is_valid():
            raise Refused("bad_value", str(form.errors["planned"][0]))
        campaigns.plan_encounter(campaign, number, form.cleaned_data["planned"])
        return _back(campaign, "encounters")
    if do == "remove":
        campaigns.remove_member(campaign, read_count(request.POST.get("who", "")) or 0)
        return _back(campaign, "people")
    if do != "archive":
        raise Refused("unknown", "This page has no such action.")
    campaigns.change_campaign(campaign, archived=not campaign.archived)
    done = "archived" if campaign.archived else "restored"
    messages.success(request, f"“{campaign.name}” {done}. Its encounters stay where they are.")
    return see_other("campaigns")


def _rename(request: HttpRequest, campaign: Campaign, said: Said) -> HttpResponse:
    campaigns.change_campaign(campaign, name=said["name"])
    return _back(campaign, "keep")


def _note(request: HttpRequest, campaign: Campaign, said: Said) -> HttpResponse:
    campaigns.change_notes(campaign, said["notes"], said["seen_text"])
    messages.success(request, "Notes saved.")
    return _back(campaign, "notes")


def _write_notes(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Save the GM's notes while they are written."""
    form = NotesForm(campaign, request.POST)
    form.carry_out(lambda said: campaigns.change_notes(campaign, said["notes"], said["seen_text"]))
    other = linebreaks_filter(campaign.notes or "They are empty.") if form.is_stale else ""
    seen = form.data["seen_text"] if form.errors else form.find_seen()
    return show_state(request, form, form.status, stamp="seen_text", seen=seen, other=other)


def _delete(request: HttpRequest, campaign: Campaign, said: Said) -> HttpResponse:
    campaigns.delete_campaign(campaign)
    messages.success(request, f"“{campaign.name}” is deleted. Its encounters stay.")
    return see_other("campaigns")


def _create_encounter(request: HttpRequest, campaign: Campaign, said: Said) -> HttpResponse:
    made = campaigns.create_in_campaign(campaign, person_of(request), said["system"], said["name"])
    return see_other("prep", made.pk)


def _add(request: HttpRequest, campaign: Campaign, said: Said) -> HttpResponse:
    npc = said["who"][0].npc
    added = campaigns.add_members(campaign, [one.pk for one in said["who"]], npc)
    messages.success(request, f"Added: {', '.join(one.name for one in added)}.")
    return _back(campaign, "npcs" if npc else "people")


def _add_handout(request: HttpRequest, campaign: Campaign, said: Said) -> HttpResponse:
    made = handouts.create_handout(campaign, **said)
    messages.success(request, f"“{made.title}” is ready. Show it from an encounter of the campaign.")
    return _back(campaign, "handouts")


ACTIONS: dict[type[CampaignForm], Callable[[HttpRequest, Campaign, Said], HttpResponse]] = {
    RenameForm: _rename,
    NotesForm: _note,
    DeleteForm: _delete,
    EncounterForm: _create_encounter,
    AddPeopleForm: _add,
    AddNpcsForm: _add,
    HandoutForm: _add_handout,
}


# ---------------------------------------------------------------- own conditions


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_conditions(request: HttpRequest, pk: int, slug: str) -> HttpResponse:
    """The page of the GM's own conditions for a campaign's encounters of a game."""
    campaign, status = find_owned(request, Campaign.objects, pk), OK
    if slug not in SYSTEMS:
        raise Http404("Game not found.")
    system = find_system(slug)
    asked = request.POST if request.method == "POST" else request.GET
    live, takes = None, "take" in request.POST
    if request.POST.get("do") == "show" or takes:  # only drawn, with the value that was tapped
        posted = take_fix(request.POST) if takes else request.POST
        live = view_typed(system, posted)
        if not takes:
            return render(request, "combat/campaigns/live_condition.html", {"live": live, "is_live": True})
    elif request.method == "POST":
        try:
            messages.success(request, _change_conditions(campaign, system, request.POST))
            return see_other("campaign_conditions", campaign.pk, slug)
        except Refused as refused:
            messages.warning(request, refused.message)
            status = status_of(refused)
    listed = own_conditions.find_kept_conditions(campaign, slug)
    old = next((one for one in listed if one.id == asked.get("own")), NEW)
    typed = take_fix(request.POST) if takes else request.POST if status != OK else None
    form = view_form(system, listed, old, typed=typed)
    live = live or (view_typed(system, typed) if typed else show_condition(system, form.own))
    context = {"campaign": campaign, "system": system, "own": form, "live": live}
    return render(request, "combat/campaigns/campaign_conditions.html", context, status=status)


def _change_conditions(campaign: Campaign, system: System, posted: QueryDict) -> str:
    """Keep or delete a condition; returns what to say about it."""
    if posted.get("do") == "drop":
        return f"“{own_conditions.drop_kept(campaign, system, posted.get('own', '')).name}” is deleted."
    saved = own_conditions.save_condition(campaign, system, read_own(posted), posted.get("own", ""))
    return f"“{saved.name}” is saved."


# ---------------------------------------------------------------- handouts


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_handout(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """The page of one handout, to change or delete it."""
    campaign = _find_campaign(request, pk)
    if campaign is None:
        return _show_typed(request)
    handout = campaign.handouts.defer("image").filter(pk=number).first()
    if handout is None and request.method == "POST" and "delete" not in request.POST:
        return _save_deleted(request, campaign)
    if handout is None:
        raise Http404("Handout not found.")
    edit, delete = EditHandoutForm(campaign, handout), DeleteHandoutForm(handout)
    sent: SiteForm = edit
    if request.method == "POST" and "delete" in request.POST:
        sent = delete = DeleteHandoutForm(handout, request.POST)
        if delete.carry_out(lambda said: _delete_handout(request, handout)):
            return _back(campaign, "handouts")
    elif request.method == "POST":
        sent = edit = EditHandoutForm(campaign, handout, request.POST, request.FILES)
        if edit.carry_out(lambda said: _change_handout(request, handout, said)):
            return _back(campaign, "handouts")
    where = handout.showings.values_list("encounter__name", flat=True).distinct()
    context = {"campaign": campaign, "handout": handout, "where": sorted(set(where))}
    context |= {"edit": edit, "delete": delete}
    return render(request, "combat/campaigns/handouts/handout_edit.html", context, status=sent.status)


def _save_deleted(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Keep what was typed for a handout that was deleted in another tab; a second save creates it again."""
    gone = Handout(title="Deleted handout")
    form = EditHandoutForm(campaign, gone, request.POST, request.FILES)

    def create(said: Said) -> HttpResponse:
        if said.pop("seen_text") != form.find_seen():
            raise Refused("stale", handouts.DELETED)
        return _add_handout(request, campaign, said)

    answer = form.carry_out(create)
    context = {"campaign": campaign, "handout": gone, "edit": form}
    return answer or render(
        request, "combat/campaigns/handouts/handout_edit.html", context, status=form.status
    )


def _change_handout(request: HttpRequest, handout: Handout, said: Said) -> bool:
    handouts.change_handout(handout, **said)
    messages.success(request, "Handout saved.")
    return True


def _delete_handout(request: HttpRequest, handout: Handout) -> bool:
    handouts.delete_handout(handout)
    messages.success(request, f"“{handout.title}” is deleted.")
    return True


@login_required
@require_http_methods(["GET", "HEAD"])
def show_own_picture(request: HttpRequest, pk: int, number: int, digest: str) -> HttpResponse:
    """The picture of a handout, for the owner of its campaign."""
    campaign = find_owned(request, Campaign.objects, pk)
    handout = campaign.handouts.defer("image").filter(pk=number).first()
    if handout is None:
        raise Http404("Handout not found.")
    return answer_image(request, handout, digest)
