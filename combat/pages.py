"""The quieter pages: home, the list, preparation, the rulebook."""

from __future__ import annotations

from typing import Any

import msgspec
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods

from characters import keeping

from . import live
from .access import find_encounter, find_seats, for_visitors, own_encounter, person_of
from .bringing import find_ready
from .demo import make_demo_fight
from .forms import JoinForm, NewEncounterForm, first_errors
from .mapping import view_scene
from .models import Encounter
from .play import (
    Wish,
    copy_encounter,
    create_encounter,
    read_state,
    submit,
    submit_all,
)
from .redirects import see_other
from .rules import SYSTEMS, find_system
from .rules.core.errors import Refused
from .rules.core.space import Scene, zone_named
from .rules.core.state import State, present
from .rules.core.system import System
from .rules.core.wording import say_choice
from .shapes import GM
from .viewing import view_fighter, view_seating, view_settings
from .views import status_of
from .zones import ZoneForm, find_initial, plain

PER_PAGE = 20
RECENT = 6
OF_THE_OWNER = ("name", "archive", "delete", "copy")  # who else runs the table has no say in these


@require_http_methods(["GET", "HEAD"])
def show_home(request: HttpRequest) -> HttpResponse:
    """What this is, or where one left off."""
    context: dict[str, Any] = {"games": [find_system(slug) for slug in SYSTEMS], "seats": find_seats(request)}
    if request.user.is_authenticated:
        mine = Encounter.objects.filter(owner=request.user, archived=False).defer("start", "state")
        context["recent"] = list(mine[:RECENT])
        people = keeping.find_mine(person_of(request)).filter(archived=False)
        context["people"] = list(people.only("name", "summary", "system")[:RECENT])
    return render(request, "combat/home.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def list_encounters(request: HttpRequest) -> HttpResponse:
    """One's encounters, and the form for a new one."""
    form = NewEncounterForm(
        request.POST if request.method == "POST" else None, initial={"system": SYSTEMS[0]}
    )
    if request.method == "POST":
        if "demo" in request.POST:
            return _open_demo(request)
        if form.is_valid():
            made = create_encounter(
                person_of(request), form.cleaned_data["system"], form.cleaned_data["name"]
            )
            return see_other("prep", made.pk)
    shown = request.GET.get("show", "")
    mine = Encounter.objects.filter(owner=person_of(request), archived=shown == "archived")
    page = Paginator(mine.defer("start", "state"), PER_PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "form": form, "archived": shown == "archived"}
    status = 422 if form.is_bound and form.errors else 200
    return render(request, "combat/encounters.html", context, status=status)


def _open_demo(request: HttpRequest) -> HttpResponse:
    slug = request.POST["demo"]
    if slug not in SYSTEMS:
        raise Http404
    return see_other("table", make_demo_fight(person_of(request), slug).pk)


@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def prepare(request: HttpRequest, pk: int) -> HttpResponse:
    """Roster, scene and table options, before and during a fight."""
    encounter = find_encounter(request, pk)
    forms: dict[str, Any] = {}
    status = 200
    if request.method == "POST":
        try:
            answer = _prepare(request, encounter)
        except Refused as refused:
            messages.warning(request, refused.message)
            forms, status = _bound(request, encounter), status_of(refused)
            encounter = find_encounter(request, pk)
        else:
            return answer
    return render(request, "combat/prep.html", _prep_context(request, encounter, forms), status=status)


def _bound(request: HttpRequest, encounter: Encounter) -> dict[str, Any]:
    """The form that was refused, with what was typed."""
    system, state = find_system(encounter.system), read_state(encounter)
    if request.POST.get("do") == "join":
        return {"join": JoinForm(system, state, request.POST)}
    if request.POST.get("do") == "zone":
        return {"zone_form": ZoneForm(system, state.scene, request.POST)}
    return {}


def _prepare(request: HttpRequest, encounter: Encounter) -> HttpResponse:
    """Do what a posted form of the page says; raises Refused."""
    do = request.POST.get("do", "")
    special = {
        "join": _join,
        "zone": _save_zone,
        "remove_zone": _remove_zone,
        "options": _save_options,
        "name": _rename,
        "archive": _archive,
        "delete": _delete,
        "copy": _copy,
        "start": _start,
    }
    if do not in special:
        raise Refused("unknown", "This page has no such action.")
    if do in OF_THE_OWNER:
        own_encounter(request, encounter.pk)
    return special[do](request, encounter) or see_other("prep", encounter.pk)


def _wish(request: HttpRequest, encounter: Encounter, command: str, /, **fields: Any) -> None:
    submit(encounter.pk, Wish(command, fields, by=request.user.get_username()))


def _join(request: HttpRequest, encounter: Encounter) -> None:
    form = JoinForm(find_system(encounter.system), read_state(encounter), request.POST)
    if not form.is_valid():
        raise Refused("bad_value", first_errors(form))
    _wish(request, encounter, "join", **form.cleaned_data)


def _save_zone(request: HttpRequest, encounter: Encounter) -> None:
    """Add a zone or change one."""
    system, scene = find_system(encounter.system), read_state(encounter).scene
    form = ZoneForm(system, scene, request.POST)
    if not form.is_valid():
        raise Refused("bad_value", first_errors(form))
    said = form.cleaned_data
    zone_id = said["id"] or _free_id(scene, said["name"])
    old = zone_named(scene, zone_id)
    zone = form.make_zone(old, zone_id)
    zones = tuple(zone if z.id == zone.id else z for z in scene.zones)
    zones = zones if old else (*zones, zone)
    _set_scene(request, encounter, msgspec.structs.replace(scene, zones=zones))


def _free_id(scene: Scene, name: str) -> str:
    base = slugify(name) or "zone"
    taken = {zone.id for zone in scene.zones}
    return next(i for i in (base, *(f"{base}-{n}" for n in range(2, 100))) if i not in taken)


def _remove_zone(request: HttpRequest, encounter: Encounter) -> None:
    scene = read_state(encounter).scene
    zones = tuple(z for z in scene.zones if z.id != request.POST.get("id"))
    if len(zones) == len(scene.zones):
        raise Refused("unknown", "That zone is not there any more.")
    _set_scene(request, encounter, msgspec.structs.replace(scene, zones=zones))


def _set_scene(request: HttpRequest, encounter: Encounter, scene: Scene) -> None:
    fields = {"scene": msgspec.to_builtins(scene)}  # the whole of it, so nobody may come between
    wish = Wish("set_scene", fields, version=encounter.version, by=request.user.get_username())
    submit(encounter.pk, wish)


def _save_options(request: HttpRequest, encounter: Encounter) -> None:
    """Table options and scene conditions: one step for each that changed."""
    system, state = find_system(encounter.system), read_state(encounter)
    changes: list[tuple[str, str, Any]] = []
    for option in system.all_options:
        now = system.option(state, option.key)
        wanted: Any = request.POST.get(f"option-{option.key}", now)
        if isinstance(option.default, bool):
            wanted = f"option-{option.key}" in request.POST
        if str(wanted) != str(now):
            changes.append(("set_option", option.key, wanted))
    for setting in system.settings:
        before = system.setting(state, setting.key)
        value = request.POST.get(f"setting-{setting.key}", before)
        if value != before:
            changes.append(("set_setting", setting.key, value))
    by = request.user.get_username()
    submit_all(encounter.pk, [Wish(name, {"key": k, "value": v}, by=by) for name, k, v in changes])


def _rename(request: HttpRequest, encounter: Encounter) -> None:
    name = " ".join(request.POST.get("name", "").split())
    if not 1 <= len(name) <= 100 or "\0" in name:
        raise Refused("bad_value", "A name has 1 to 100 letters.")
    Encounter.objects.filter(pk=encounter.pk).update(name=name)


def _archive(request: HttpRequest, encounter: Encounter) -> HttpResponse:
    Encounter.objects.filter(pk=encounter.pk).update(archived=not encounter.archived)
    return see_other("encounters")


def _delete(request: HttpRequest, encounter: Encounter) -> HttpResponse:
    """Removing cannot be undone, so the name has to be typed."""
    if request.POST.get("confirm", "").strip() != encounter.name:
        raise Refused("bad_value", "Type the encounter's name to remove it with its whole log.")
    pk, name = encounter.pk, encounter.name
    encounter.delete()
    transaction.on_commit(lambda: live.end_all(pk), robust=True)
    messages.success(request, f"“{name}” is gone.")
    return see_other("encounters")


def _copy(request: HttpRequest, encounter: Encounter) -> HttpResponse:
    made = copy_encounter(encounter, person_of(request), f"{encounter.name} (copy)"[:100])
    return see_other("prep", made.pk)


def _start(request: HttpRequest, encounter: Encounter) -> HttpResponse:
    system = find_system(encounter.system)
    _wish(request, encounter, system.start, surprised=request.POST.getlist("surprised"))
    return see_other("table", encounter.pk)


def _prep_context(request: HttpRequest, encounter: Encounter, forms: dict[str, Any]) -> dict[str, Any]:
    system, state = find_system(encounter.system), read_state(encounter)
    fighters = {f.id: view_fighter(system, state, f, GM) for f in present(state)}
    editing = next((z for z in state.scene.zones if z.id == request.GET.get("zone")), None)
    initial = find_initial(editing) if editing else {"x": plain(_next_x(state))}
    return {
        "encounter": encounter,
        "system": system,
        "phase": state.phase,
        "ready": find_ready(request.user, encounter),
        "fighters": list(fighters.values()),
        "scene": view_scene(system, state, fighters),
        "seating": view_seating(system, state, fighters),
        "join": forms.get("join") or JoinForm(system, state),
        "zone_form": forms.get("zone_form") or ZoneForm(system, state.scene, initial=initial),
        "editing": editing,
        "options": _view_options(system, state),
        "settings": view_settings(system, state),
    }


def _next_x(state: State) -> float:
    """Where the next zone of a row begins, in metres."""
    return max((zone.x + zone.width for zone in state.scene.zones), default=0.0)


def _view_options(system: System, state: State) -> list[dict[str, Any]]:
    return [
        {
            "key": o.key,
            "label": o.label,
            "choices": [(c, say_choice(c)) for c in dict.fromkeys((*o.choices, system.option(state, o.key)))],
            "value": system.option(state, o.key),
            "default": o.default,
            "ruling": o.ruling,
            "is_flag": isinstance(o.default, bool),
        }
        for o in system.all_options
    ]
