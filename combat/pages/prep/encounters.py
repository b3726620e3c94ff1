"""The list of encounters, and the page of a new one."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from characters.access import person_of
from characters.models import Character
from combat.models import Encounter
from combat.play.after.imports import Imported, import_encounter
from combat.play.campaigns.campaigns import find_campaigns, find_last_game
from combat.play.demo import make_demo_fight, open_demo_fight
from combat.play.scenes.ready import find_last_scene, find_ready_scenes
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.declaration.system import System
from cosmos_site.base.errors import status_of
from cosmos_site.base.forms import is_htmx, see_other

from . import people_view, starting
from .forms import DRAW, LAST, ImportForm, StartForm
from .listing import read_choice, view_list
from .ready import view_ready_scenes

FIRST = next(iter(SYSTEMS))
NEW = "New encounter"  # the name of one without people
LOOK, LOOKS = "encounters", ("list", "pictures")  # how the list is shown, remembered by the session
MAX_SCENES = 3


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def list_encounters(request: HttpRequest) -> HttpResponse:
    """The encounters that the user owns or runs as a co-GM; a demo fight is opened here."""
    status = 200
    if request.method == "POST":
        try:
            for name in ("demo", "fresh"):
                if name in request.POST:
                    return _open_demo(request, request.POST[name], fresh=name == "fresh")
            raise Refused("unknown", "This page has no such action.")
        except Refused as refused:
            messages.warning(request, refused.message)
            status = status_of(refused)
    shown = view_list(person_of(request), read_choice(request.GET), request.GET.get("page"))
    if request.GET.get("look") in LOOKS:
        request.session[LOOK] = request.GET["look"]
    shown["look"] = request.session.get(LOOK, LOOKS[0])
    template = "found" if is_htmx(request) else "encounters"
    return render(request, f"combat/prep/list/{template}.html", shown, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_encounter(request: HttpRequest) -> HttpResponse:
    """One page from nothing to a ready fight; while it is filled in, it shows what it would make.

    Buttons whose `do` is not blank only change what is filled in, or ask for the forecast: nothing is stored.
    """
    if request.method == "GET" and "pictures" in request.GET and is_htmx(request):
        return _show_pictures(request)
    person, status, refused = person_of(request), 200, ""
    if request.method == "POST" and "after" in request.POST:
        return _begin_next(request)
    asked = (request.POST if request.method == "POST" else request.GET).copy()
    if request.method != "POST":  # a GM's notes are in no address
        asked.pop("notes", None)
        if "empty" in asked:
            asked["notes"], asked["name"] = "", NEW
    last = find_last_game(Encounter.objects.filter(owner=person, demo=False))
    system = find_system(next((one for one in (asked.get("system"), last) if one in SYSTEMS), FIRST))
    campaigns = find_campaigns(person).only("name")
    wanted = read_count(asked.get("campaign", "")) or 0
    campaign = next((one for one in campaigns if one.pk == wanted), None)
    party = starting.find_party(person, system.slug, campaign)
    # While it is filled in, the form asks by itself: its buttons have a `do` of their own
    do = asked.get("do", "") or ("read" if request.method == "POST" and "read" in request.GET else "")
    is_sent = request.method == "POST" and not do
    sent = (request.POST, request.FILES) if is_sent else ()
    form = StartForm(campaigns, campaign, party, *sent)
    if is_sent:
        made = form.carry_out(lambda said: starting.begin(request, person, said))
        if made:
            return _go_on(request, *made, draws=form.cleaned_data["scene"] == DRAW and not request.FILES)
        status = form.status
    try:
        _change(person, system, party, asked, do)
    except Refused as problem:
        refused, status = problem.message, status_of(problem)
    shown = _plan(person, asked, system, party)
    if do == "odds":
        starting.begin_chance(person, shown["plan"])
    shown |= {"form": form, "campaigns": campaigns, "campaign": campaign, "games": map(find_system, SYSTEMS)}
    shown |= {"refused": refused, "odds": starting.view_chance(person, shown["plan"])}
    part = "start_odds" if do == "odds" and is_htmx(request) else "new"
    answer = render(request, f"combat/prep/list/{part}.html", shown, status=status)
    if is_htmx(request) and shown["plan"].box.is_changed:  # the whole form, with other notes in it
        answer["HX-Retarget"] = answer["HX-Reselect"] = "#start"
    return answer


def _begin_next(request: HttpRequest) -> HttpResponse:
    """Begin the next fight with the characters of one; refused, its report says what would be right."""
    number = read_count(request.POST["after"]) or 0
    try:
        return see_other("prep", starting.begin_next(request, person_of(request), number).pk)
    except Refused as refused:
        messages.warning(request, refused.message)
        return see_other("report", number)


def _go_on(request: HttpRequest, encounter: Encounter, rest: str, *, draws: bool) -> HttpResponse:
    """Lead to the preparation of a new encounter, with the notes that nobody understood; or to draw its map.

    The session has them: an address is kept in histories and logs.
    """
    answer = see_other("scene" if draws and not rest.strip() else "prep", encounter.pk)
    if rest.strip():
        people_view.keep_notes(request, encounter.pk, rest)
        answer["Location"] += "#people"
    return answer


def _change(person: User, system: System, party: list[Character], asked: QueryDict, do: str) -> None:
    """Fill in what a button asks for: an example, a suggestion, the whole party; Refused if it is gone."""
    do, _, chosen = do.partition(":")
    fights = starting.list_fights(system)
    if do == "example" or "notes" not in asked:
        fight = fights[
            int(chosen) if chosen.isdecimal() and len(chosen) < 3 and int(chosen) < len(fights) else 0
        ]
        asked["notes"], asked["scene"] = fight.notes, fight.scene
        if asked.get("name", "") in {"", *(one.name for one in fights)}:
            asked["name"] = fight.name
    elif do == "use":
        asked["notes"] = starting.use_suggestion(_make_plan(person, asked, system, party), chosen)
    elif do == "all":
        asked.setlist("who", [str(one.pk) for one in party])
    elif do not in ("", "read", "odds"):
        raise Refused("unknown", "This page has no such action.")


def _show_pictures(request: HttpRequest) -> HttpResponse:
    """The pictures of one group of scenes, or of none if there is no such group."""
    system = find_system(next((one for one in [request.GET.get("system")] if one in SYSTEMS), FIRST))
    wanted = request.GET["pictures"]
    groups = view_ready_scenes(system, system.begin(), wanted)
    scenes = next((one.scenes for one in groups if one.name == wanted), ())
    return render(request, "combat/prep/scene/ready_pictures.html", {"scenes": scenes})


def _make_plan(
    person: User, asked: QueryDict, system: System, party: list[Character]
) -> starting.EncounterDraft:
    """What is filled in would make."""
    who = asked.getlist("who")
    brought = [one for one in party if str(one.pk) in who]
    notes, ready = asked.get("notes", ""), _find_scene(asked)
    last = find_last_scene(person, Encounter(system=system.slug)) if asked.get("scene") == LAST else None
    return starting.make_plan(person, system, notes, "" if asked.get("own") else ready, brought, last)


def _find_scene(asked: QueryDict) -> str:
    """The scene of the library that is chosen."""
    scenes, ready = {one.key for one in find_ready_scenes()}, asked.get("scene", "")
    return ready if ready in scenes else ""


def _plan(person: User, asked: QueryDict, system: System, party: list[Character]) -> dict[str, Any]:
    """What the page shows of what is filled in."""
    who, ready, notes = asked.getlist("who"), _find_scene(asked), asked.get("notes", "")
    plan = _make_plan(person, asked, system, party)
    fights = starting.list_fights(system)
    return {
        "system": system,
        "plan": plan,
        "ready": ready,
        "chosen": "own" if asked.get("own") else ready or asked.get("scene", ""),
        "last": find_last_scene(person, Encounter(system=system.slug)),
        "own_meters": starting.OWN_METERS,
        "heroes": starting.view_heroes(system, party),
        "who": [one.pk for one in party if str(one.pk) in who],
        "name": asked.get("name", ""),
        "examples": [(number, one.label, one.notes == notes) for number, one in enumerate(fights)],
        "ready_scenes": view_ready_scenes(system, plan.state),
        "next": "start",
        "late": False,
    }


def _open_demo(request: HttpRequest, value: str, *, fresh: bool) -> HttpResponse:
    """Open the demo fight of a game by its short name; others by their number after a slash."""
    slug, _, number = value.partition("/")
    if slug not in SYSTEMS or number not in map(str, ("", *range(1, len(find_system(slug).demo.make_all())))):
        raise Http404
    open_fight = make_demo_fight if fresh else open_demo_fight
    return see_other("table", open_fight(person_of(request), slug, int(number or 0)).pk)


# The page that imports an exported encounter.


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
