"""Preparing an encounter: the fight on one page, before it and while it goes on."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import msgspec
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods

from characters.faces import FACES
from characters.models import Character
from combat.audience.rights import find_open_seats
from combat.display.forms.fields import NPC, JoinForm, first_errors
from combat.display.map.scene import view_scene
from combat.display.map.zone_form import ZoneForm, find_initial, plain
from combat.display.prep.options_view import read_options, view_options
from combat.display.prep.ready_view import make_checklist, view_ready_scenes
from combat.display.prep.roster_view import view_order
from combat.display.prep.sides_view import group_sides
from combat.display.table.room_view import view_room
from combat.display.table.rows import add_sheets, view_combatants
from combat.display.table.table_view import view_seating, view_settings
from combat.live import hub
from combat.models import Campaign, Encounter, ShareLink
from combat.play.after.copies import copy_encounter
from combat.play.people.campaigns import (
    bring_party,
    find_campaigns,
    find_party,
    move_encounter,
)
from combat.play.people.late_joins import JOINS_LATE, join_or_wait
from combat.play.people.npcs import find_fields, find_offered
from combat.play.people.roster import find_ready, find_side, list_sides
from combat.play.scenes.pictures import copy_pictures
from combat.play.writing.encounter_service import Seen, Submission, read_state, submit, submit_all
from combat.play.writing.locking import locked
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.space import Scene, zone_named
from combat.rules.core.state.state import State
from combat.sharing.access import (
    check_owner,
    check_runs,
    find_context_again,
    find_gm_context,
    for_visitors,
    person_of,
)
from combat.sharing.guests import drop_sheets
from combat.sharing.invitations import invite
from combat.sharing.links import find_lasting_link
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.errors import status_of
from cosmos_site.base.htmx import is_htmx

from ..redirects import see_other
from . import library, odds, people, rows

MAX_LENGTH = 60  # of a search
# The part of the page to return to after a form: that form
PLACES = {
    "campaign": "keep",
    "party": "roster",
    "zone": "zone",
    "remove_zone": "scene",
    "options": "options",
    "arrange": "roster",
    "duplicate_each": "roster",
    "remove_each": "roster",
    "place_by_side": "roster",
    "name": "keep",
}
OF_THE_OWNER = (
    "name",
    "archive",
    "delete",
    "copy",
    "campaign",
)  # co-GMs may not do these


@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def prepare(request: HttpRequest, pk: int) -> HttpResponse:
    """Roster, scene and table options, before and during a fight."""
    context = find_gm_context(request, pk)
    forms: dict[str, Any] = {}
    status = 200
    if request.method == "POST":
        try:
            answer = _prepare(request, context)
        except Refused as refused:
            messages.warning(request, refused.message)
            context = check_runs(find_context_again(request, context))
            forms, status = _bound(request, context), status_of(refused)
        else:
            return answer
    return render(request, "combat/prep/prep.html", _find_shown(request, context, forms), status=status)


def _bound(request: HttpRequest, context: ViewerContext) -> dict[str, Any]:
    """The refused form with what was typed."""
    system, state = context.system, context.known_state
    if request.POST.get("do") == "join":
        return {"join": JoinForm(system, state, request.POST, npcs=_find_npcs(request, context))}
    if request.POST.get("do", "").partition(":")[0] in people.DOES:
        return {"people": people.view_box(request, context, request.POST)}
    if request.POST.get("do") == "zone":
        return {"zone_form": ZoneForm(system, state.scene, request.POST)}
    return {}


def _prepare(request: HttpRequest, context: ViewerContext) -> HttpResponse:
    """Do what a form of the page asks; raises Refused."""
    do = request.POST.get("do", "").partition(":")[0]
    special = {
        "join": _join,
        "read": _read_people,
        "use": _read_people,
        "people": _add_people,
        "arrange": rows.arrange,
        "duplicate_each": rows.duplicate,
        "remove_each": rows.remove,
        "place_by_side": rows.place_by_side,
        "zone": _save_zone,
        "remove_zone": _remove_zone,
        "options": _save_options,
        "name": _rename,
        "archive": _archive,
        "delete": _delete,
        "copy": _copy,
        "start": _start,
        "party": _bring_party,
        "campaign": _move,
    }
    if do not in special:
        raise Refused("unknown", "This page has no such action.")
    if do in OF_THE_OWNER:
        check_owner(request, context)
    return special[do](request, context) or _back_to_prep(context.encounter, PLACES.get(do, ""))


def _back_to_prep(encounter: Encounter, place: str, **kept: str) -> HttpResponse:
    """Redirect to the form that was sent; a named place, since browsers otherwise keep the old one."""
    query = urlencode({name: word for name, word in kept.items() if word})
    answer = see_other("prep", encounter.pk)
    answer["Location"] += f"{'?' if query else ''}{query}#{place}"
    return answer


def _back_to_table(request: HttpRequest, encounter: Encounter) -> HttpResponse | None:
    """Redirect to the table, if the form was opened there; htmx then reads the whole page."""
    if not _is_of_table(request):
        return None
    answer = see_other("table", encounter.pk)
    if is_htmx(request):
        address, answer = answer["Location"], HttpResponse(status=204)
        answer["HX-Redirect"] = address
    return answer


def _is_of_table(request: HttpRequest) -> bool:
    """Whether the form to add combatants is open at the table, for reinforcements."""
    return "table" in (request.GET.get("to"), request.POST.get("next"))


def _submission(context: ViewerContext, name: str, /, version: Seen = None, **fields: Any) -> Submission:
    return Submission(name, fields, version=version, by=context.name, grant=context.grant)


def _join(request: HttpRequest, context: ViewerContext) -> HttpResponse:
    """Add combatants; the form for the next ones keeps block, side and zone."""
    encounter = context.encounter
    npcs = _find_npcs(request, context)
    form = JoinForm(context.system, context.known_state, request.POST, npcs=npcs)
    if not form.is_valid():
        raise Refused("bad_value", first_errors(form))
    said = form.cleaned_data
    fields = dict(said)
    if said["block"].startswith(NPC):
        fields.pop("block")
        own = find_fields(request.user, encounter.system, said["block"].removeprefix(NPC))
        fields |= {**own, "name": said["name"] or own["name"]}
    joined = join_or_wait(encounter.pk, [_submission(context, "join", **fields)])
    _say_added(request, said["side"], [one.name for one in joined])
    kept = {name: said[name] for name in ("block", "side", "zone")}
    return _back_to_table(request, encounter) or _back_to_prep(
        encounter, "add", find=_find_words(request), **kept
    )


def _say_added(request: HttpRequest, side: str, names: list[str]) -> None:
    """Say who has joined; nobody has if they wait for an open action."""
    if names:
        messages.success(request, f"Added{f' to {side}' if side else ''}: {', '.join(names)}.")
    else:
        messages.info(request, JOINS_LATE)


def _find_npcs(request: HttpRequest, context: ViewerContext, words: str = "") -> list[tuple[str, Character]]:
    """The viewer's NPCs for this game."""
    encounter = context.encounter
    return find_offered(request.user, encounter.system, words, encounter.campaign_id)


def _read_people(request: HttpRequest, context: ViewerContext) -> HttpResponse:
    """Show what the notes are read as; a script gets only that."""
    box, status = people.read_box(request, context)
    if is_htmx(request):
        part = "people" if box.is_changed else "understood"
        shown = {"people": box, "encounter": context.encounter}
        return render(request, f"combat/prep/people/{part}.html", shown, status=status)
    shown = _find_shown(request, context, {"people": box})
    return render(request, "combat/prep/prep.html", shown, status=status)


def _add_people(request: HttpRequest, context: ViewerContext) -> HttpResponse:
    """Add those whom the notes name; what was not understood stays in the box."""
    added, rest = people.add(request, context)
    _say_added(request, "", added)
    return _back_to_prep(
        context.encounter, "people" if rest else "roster", notes=rest, **people.read_usual(request.POST)
    )


def _save_zone(request: HttpRequest, context: ViewerContext) -> None:
    """Add a zone or change one."""
    scene = context.known_state.scene
    form = ZoneForm(context.system, scene, request.POST)
    if not form.is_valid():
        raise Refused("bad_value", first_errors(form))
    said = form.cleaned_data
    zone_id = said["id"] or _free_id(scene, said["name"])
    old = zone_named(scene, zone_id)
    zone = form.make_zone(old, zone_id)
    zones = tuple(zone if z.id == zone.id else z for z in scene.zones)
    zones = zones if old else (*zones, zone)
    _set_scene(context, msgspec.structs.replace(scene, zones=zones))


def _free_id(scene: Scene, name: str) -> str:
    base = slugify(name) or "zone"
    taken = {zone.id for zone in scene.zones}
    return next(i for i in (base, *(f"{base}-{n}" for n in range(2, 100))) if i not in taken)


def _remove_zone(request: HttpRequest, context: ViewerContext) -> None:
    scene = context.known_state.scene
    zones = tuple(z for z in scene.zones if z.id != request.POST.get("id"))
    if len(zones) == len(scene.zones):
        raise Refused("unknown", "That zone is gone: reload the page.")
    _set_scene(context, msgspec.structs.replace(scene, zones=zones))


def _set_scene(context: ViewerContext, scene: Scene) -> None:
    """Set the whole scene; refused if someone was quicker."""
    encounter, whole = context.encounter, msgspec.to_builtins(scene)
    submit(encounter.pk, _submission(context, "set_scene", version=encounter.version, scene=whole))


def _save_options(request: HttpRequest, context: ViewerContext) -> None:
    """Save table options and scene conditions: one step for each change."""
    system, state = context.system, context.known_state
    changes = [("set_option", key, value) for key, value in read_options(system, state, request.POST)]
    for setting in system.book.settings:
        before = system.setting(state, setting.key)
        value = request.POST.get(f"setting-{setting.key}", before)
        if value != before:
            changes.append(("set_setting", setting.key, value))
    submit_all(context.encounter.pk, [_submission(context, name, key=k, value=v) for name, k, v in changes])


def _rename(request: HttpRequest, context: ViewerContext) -> None:
    name = " ".join(request.POST.get("name", "").split())
    if not 1 <= len(name) <= 100 or "\0" in name:
        raise Refused("bad_value", "A name has 1 to 100 characters.")
    Encounter.objects.filter(pk=context.encounter.pk).update(name=name)


def _find_campaigns(request: HttpRequest, context: ViewerContext) -> list[Campaign]:
    """The campaigns an encounter can move to: its owner's, for the owner alone."""
    if context.encounter.owner_id != request.user.pk:
        return []
    return list(find_campaigns(person_of(request)).only("name"))


def _bring_party(request: HttpRequest, context: ViewerContext) -> None:
    """Add all characters of the campaign, and give their owners a seat."""
    party, is_there = bring_party(context.encounter.pk, by=context.name, grant=context.grant)
    _say_added(request, "", [one.name for one in party] if is_there else [])


def _move(request: HttpRequest, context: ViewerContext) -> None:
    """Move the encounter to a campaign of its owner, or out of one."""
    word, campaign = request.POST.get("campaign", ""), None
    if word:
        mine = Campaign.objects.filter(owner=person_of(request))
        campaign = mine.filter(pk=read_count(word) or 0).first()
        if campaign is None:
            raise Refused("unknown", "Choose one of your campaigns.")
    move_encounter(context.encounter.pk, campaign)
    messages.success(request, f"Moved to “{campaign.name}”." if campaign else "In no campaign now.")


def _archive(request: HttpRequest, context: ViewerContext) -> HttpResponse:
    encounter = context.encounter
    Encounter.objects.filter(pk=encounter.pk).update(archived=not encounter.archived)
    return see_other("encounters")


def _delete(request: HttpRequest, context: ViewerContext) -> HttpResponse:
    """Delete the encounter; since that cannot be undone, its name must be typed."""
    pk = context.encounter.pk
    with locked(pk) as (encounter, _):  # nobody writes to an encounter that is being deleted
        name = encounter.name
        if request.POST.get("confirm", "").strip() != name:
            raise Refused("bad_value", "Type the encounter's name to delete it and its log.")
        drop_sheets(encounter)
        encounter.delete()
        transaction.on_commit(lambda: hub.end_all(pk), robust=True)
    messages.success(request, f"“{name}” is deleted.")
    return see_other("encounters")


def _copy(request: HttpRequest, context: ViewerContext) -> HttpResponse:
    encounter = context.encounter
    made = copy_encounter(encounter, person_of(request))
    copy_pictures(encounter, made, read_state(made).scene)
    return see_other("prep", made.pk)


def _start(request: HttpRequest, context: ViewerContext) -> HttpResponse:
    pk, start = context.encounter.pk, context.system.actions.start
    submit(pk, _submission(context, start, surprised=request.POST.getlist("surprised")))
    return see_other("table", pk)


def _find_shown(request: HttpRequest, context: ViewerContext, forms: dict[str, Any]) -> dict[str, Any]:
    """The values of the page's template."""
    system, state = context.system, context.known_state
    combatants = add_sheets(context, view_combatants(system, state, context.viewer))
    sides, dock = group_sides(system, state, combatants), _find_dock(request, context)
    find = _find_words(request)
    editing = next((z for z in state.scene.zones if z.id == request.GET.get("edit")), None)
    initial = find_initial(editing) if editing else {"x": plain(_next_x(state))}
    npcs = _find_npcs(request, context, find)
    join = forms.get("join") or JoinForm(system, state, initial=_find_kept(request), find=find, npcs=npcs)
    return {
        "encounter": context.encounter,
        "system": system,
        "phase": state.phase,
        "ready": find_ready(request.user, state),
        "side": find_side(state),
        "all_sides": list_sides(state),
        "party": find_party(context.encounter, state),
        "campaigns": _find_campaigns(request, context),
        "sides": sides,
        "faces": FACES,
        "odds": odds.view_odds(context),
        "row": rows.find_row(request, context, sides),
        "check": make_checklist(context, sides, dock),
        "ready_scenes": view_ready_scenes(system, state),
        "order": [] if system.turn.seating else view_order(state, combatants),
        "scene": view_scene(system, state, combatants),
        "has_starts": bool(state.scene.starts),
        "seating": view_seating(system, state, combatants),
        "join": join,
        "found": library.list_found(join, find),
        "preview": library.preview(request, context, join),
        "find": find,
        "to_table": _is_of_table(request),
        "people": forms.get("people") or people.view_box(request, context, request.GET),
        "zone_form": forms.get("zone_form") or ZoneForm(system, state.scene, initial=initial),
        "editing": editing,
        "options": view_options(system, state),
        "settings": view_settings(system, state),
        "room": view_room(context, combatants),
        "dock": dock,
    }


def _find_dock(request: HttpRequest, context: ViewerContext) -> dict[str, Any] | None:
    """The players' link as it stands, for the owner alone; None before it is shared."""
    encounter = context.encounter
    mine = encounter.owner_id == request.user.pk and not encounter.downtime
    link = find_lasting_link(encounter, ShareLink.PLAY) if mine else None
    if link is None:
        return None
    players = find_open_seats().filter(encounter=encounter, kind=ShareLink.PLAY).count()
    return {"shown": invite(request, link), "players": players}


def _find_words(request: HttpRequest) -> str:
    """The search for stat blocks: as it is typed now, or was when the page was made."""
    said = request.GET if "find" in request.GET else request.POST
    return " ".join(said.get("find", said.get("found", "")).split())[:MAX_LENGTH]


def _find_kept(request: HttpRequest) -> dict[str, str]:
    """The first values of the form for the next combatants: those of the last ones."""
    return {name: request.GET[name] for name in ("block", "side", "zone") if name in request.GET}


def _next_x(state: State) -> float:
    """The x of the next zone in a row, in metres."""
    return max((zone.x + zone.width for zone in state.scene.zones), default=0.0)
