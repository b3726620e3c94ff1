"""Preparing an encounter: the fight on one page, before it and while it goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import msgspec
from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods

from characters.access import person_of
from characters.models import Character
from combat.audience import things
from combat.audience.changes import find_open_seats
from combat.display.combatants.cards import NPC
from combat.display.forms.fields import JoinForm, check_form
from combat.display.log_view import say_undoes
from combat.display.map.ghosts import add_ghosts
from combat.display.map.scene import add_decks, view_scene
from combat.display.map.starts import view_starts
from combat.display.shapes.table_shapes import view_reserves
from combat.models import Campaign, Encounter, ShareLink
from combat.play.after.imports import copy_encounter
from combat.play.campaigns.campaigns import bring_party, find_party, move_encounter
from combat.play.campaigns.npcs import find_fields, find_offered
from combat.play.campaigns.roster import JOINS_LATE, find_ready, find_side, has_characters, join_or_wait
from combat.play.scenes import drawing
from combat.play.scenes.imported import copy_pictures
from combat.play.writing.encounter_service import Seen, Submission, read_state, submit, submit_all
from combat.play.writing.locking import locked, say_busy
from combat.rules.core.basics.errors import Refused
from combat.rules.core.gm.bosses import find_boss
from combat.rules.core.space import Scene, Zone, zone_named
from combat.rules.core.space.ground import has_ground
from combat.sharing.access import (
    check_owner,
    find_gm_context,
    for_visitors,
)
from combat.sharing.guests import delete_encounter
from combat.sharing.invitations import invite
from combat.sharing.links import find_lasting_link
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.errors import status_of
from cosmos_site.base.forms import SiteForm, is_htmx, see_other

from ..map.editor import WAS, check_both, list_was, merge
from ..map.zone_form import ZoneForm, find_initial, plain
from ..table.rows import find_people, group_sides, view_places
from ..table.shapes import view_seating
from ..table.waiting_view import view_room
from . import gallery, odds_view, people_view, rows, starts
from . import rows as later
from .forms import (
    ArrangeForm,
    BringForm,
    DeleteForm,
    MoveForm,
    OptionsForm,
    PutForm,
    RenameForm,
    StartAreaForm,
)
from .odds_view import PrepOdds
from .people_view import PeopleBox
from .ready import make_checklist, view_ready_scenes
from .rule_effects import ask_effects
from .rule_rows import view_rules

OK = 200
MAX_LENGTH = 60  # of a search
ORDER = ("is-ally", "is-foe")  # of the sides in the roster; then others
# The part of the page to return to after a form: that form
PLACES = {
    "campaign": "keep",
    "party": "roster",
    "remove_zone": "scene",
    "place": "prep",
    "start_area": "prep",
    "options": "options",
    "arrange": "roster",
    "hold_back": "roster",
    "change_arrival": "waiting",
    "duplicate_each": "roster",
    "remove_each": "roster",
    "set_boss": "roster",
    "place_by_side": "roster",
    "name": "keep",
}
DOES = "does"  # asks what a house rule does
KEPT = ("who", "kind", "source")  # of the gallery
OF_THE_OWNER = ("name", "archive", "delete", "copy", "campaign")  # co-GMs may not do these


@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def prepare(request: HttpRequest, pk: int) -> HttpResponse:
    """Roster, scene and table options, before and during a fight."""
    context, status = find_gm_context(request, pk), 200
    if DOES in request.GET and is_htmx(request) and request.method != "POST":
        shown = _find_effects(request, context)
        return render(request, "combat/campaigns/rule_does.html", shown)
    said = {**people_view.read_usual(request.GET.dict()), **people_view.find_notes(request, pk)}
    box = people_view.view_box(request, context, said)
    if request.method == "POST":
        if request.POST.get("do", "").partition(":")[0] in people_view.DOES:
            people_view.keep_notes(request, pk, "")
        try:
            return _prepare(request, context)
        except Refused as refused:
            messages.warning(request, refused.message)
            context = find_gm_context(request, pk)
            status = status_of(refused)
            if _is_of_gallery(request):
                return gallery.show_again(request, context, status)
            if request.POST.get("do", "").partition(":")[0] in people_view.DOES:
                box = people_view.view_box(request, context, request.POST)
    return render(request, "combat/prep/prep.html", _find_shown(request, context, box), status=status)


def _make_forms(request: HttpRequest, context: ViewerContext) -> dict[str, SiteForm]:
    """The forms by the button that sends them; the one that was sent has what was typed.

    That of a zone is there only if it is open.
    """
    encounter, system, state = context.encounter, context.system, context.known_state
    do = request.POST.get("do", "")
    sent = {"join" if do == "with" else do: request.POST}
    find = "" if "join" in sent else _find_words(request)
    opened = request.POST.getlist("group") if "options" in sent else request.GET.getlist("open")
    opened += [one.topic for one in system.book.options if one.key == request.GET.get(DOES)]
    plan = later.find_plan(request, state)
    names = {"name": encounter.name, "tags": ", ".join(encounter.tag_list)}
    folders = _find_campaigns(context), context.find_campaign_id(things.NAME)
    join = JoinForm(
        system,
        state,
        sent.get("join"),
        initial=_find_kept(request),
        find=find,
        npcs=_find_npcs(request, context, find),
    )
    has_zone = _find_edited(request, context) or "zone" in {*opened, *sent}
    return {
        **({"zone": _make_zone_form(request, context, sent.get("zone"))} if has_zone else {}),
        "join": join,
        "with": join,
        "options": OptionsForm(system, state, sent.get("options"), opened=opened),
        "arrange": ArrangeForm(context.system, state, sent.get("arrange")),
        "hold_back": later.LaterForm(state, sent.get("hold_back")),
        "place": PutForm(sent.get("place")),
        "start_area": StartAreaForm(sent.get("start_area")),
        **({"change_arrival": plan.form} if plan else {}),
        "name": RenameForm(*folders, sent.get("name"), names=names),
        "campaign": MoveForm(*folders, sent.get("campaign")),
        "delete": DeleteForm(sent.get("delete")),
    }


def _find_edited(request: HttpRequest, context: ViewerContext) -> Zone | None:
    """The zone whose form is open, or was sent."""
    was_sent = request.POST.get("do") == "zone"
    zone = request.POST.get("id", "") if was_sent else request.GET.get("edit", "")
    return zone_named(context.known_state.scene, zone)


def _make_zone_form(request: HttpRequest, context: ViewerContext, sent: QueryDict | None = None) -> ZoneForm:
    """The form of the open zone, or of a new one: as it is, or as it was sent."""
    state, edited = context.known_state, _find_edited(request, context)
    if edited is None:
        next_x = max((zone.x + zone.width for zone in state.scene.zones), default=0.0)  # in a row, in meters
        return ZoneForm(context.system, state, sent, initial={"x": plain(next_x)})
    now = ZoneForm(context.system, state, initial=find_initial(state.scene, edited))
    return ZoneForm(context.system, state, merge(sent, now), initial=now.initial) if sent else now


def _check_zone(request: HttpRequest, context: ViewerContext) -> None:
    """Refuse to replace, unread, what someone else changed in the same zone, or to bring it back."""
    if WAS in request.POST:
        if _find_edited(request, context) is None:
            raise Refused("stale", "This zone was removed meanwhile: save to add it again.")
        check_both(request.POST, _make_zone_form(request, context))


def _prepare(request: HttpRequest, context: ViewerContext) -> HttpResponse:
    """Do what a form, or a button alone, asks; raises Refused."""
    do = request.POST.get("do", "").partition(":")[0]
    if do not in FILLED | BUTTONS.keys():
        raise Refused("unknown", "This page has no such action.")
    if do in OF_THE_OWNER:
        check_owner(request, context)
    if do == "zone":
        _check_zone(request, context)
    if do in FILLED:
        answer = FILLED[do](request, context, check_form(_make_forms(request, context)[do]))
    else:
        answer = BUTTONS[do](request, context)
    return answer or _back_to_prep(context.encounter, PLACES.get(do, ""))


def _back_to_prep(encounter: Encounter, place: str, **kept: str) -> HttpResponse:
    """Redirect to the form that was sent; a named place, since browsers otherwise keep the old one."""
    query = urlencode({name: word for name, word in kept.items() if word})
    answer = see_other("prep", encounter.pk)
    answer["Location"] += f"{'?' if query else ''}{query}#{place}"
    return answer


def _back_to_table(request: HttpRequest, encounter: Encounter) -> HttpResponse | None:
    """Redirect to the table, if those who were added are reinforcements."""
    return see_other("table", encounter.pk) if request.POST.get("next") == gallery.TABLE else None


def _back_to_gallery(request: HttpRequest, encounter: Encounter, notes: str = "") -> HttpResponse | None:
    """Redirect to the gallery, as it was, if a form of it was sent; the session keeps `notes` for it."""
    if not _is_of_gallery(request):
        return None
    people_view.keep_notes(request, encounter.pk, notes)
    kept = {name: request.POST[name] for name in KEPT if request.POST.get(name)}
    if notes:
        kept.pop("who", None)  # the line counts again
    if request.POST["next"] == gallery.TABLE:
        kept["to"] = gallery.TABLE
    answer = see_other("prep_people", encounter.pk)
    answer["Location"] += f"?{urlencode(kept)}" if kept else ""
    return answer


def _is_of_gallery(request: HttpRequest) -> bool:
    """Whether a form was sent from the gallery, which leads back to itself or to the table."""
    return request.POST.get("next") in ("gallery", gallery.TABLE)


def _submission(context: ViewerContext, name: str, /, version: Seen = None, **fields: Any) -> Submission:
    return Submission(name, fields, version=version, by=context.name, grant=context.grant)


def _join(request: HttpRequest, context: ViewerContext, form: JoinForm) -> HttpResponse:
    """Add combatants; the form for the next ones keeps block, side and zone."""
    encounter, fields = context.encounter, _read_join(request, context, form)
    joined = join_or_wait(encounter.pk, [_submission(context, "join", **fields)])
    later = form.cleaned_data["later"]
    _say_added(request, form.cleaned_data["side"], [one.name for one in joined], later)
    if later and joined:
        return _back_to_plan(encounter)
    if back := _back_to_table(request, encounter) or _back_to_gallery(request, encounter):
        return back
    return _back_to_form(request, encounter, form)


def _back_to_plan(encounter: Encounter) -> HttpResponse:
    """Redirect to the form that says when and where those who wait arrive, for the newest of them."""
    reserves = read_state(Encounter.objects.get(pk=encounter.pk)).all_reserves
    return _back_to_prep(encounter, "waiting", reserve=reserves[-1].id if reserves else "")


def _read_join(request: HttpRequest, context: ViewerContext, form: JoinForm) -> dict[str, Any]:
    """The fields of the command that adds those whom the form names."""
    said = form.cleaned_data
    if not said["block"].startswith(NPC):
        return dict(said)
    own = find_fields(request.user, context.encounter.system, said["block"].removeprefix(NPC))
    rest = {name: value for name, value in said.items() if name != "block"}
    return {**rest, **own, "name": said["name"] or own["name"]}


def _back_to_form(request: HttpRequest, encounter: Encounter, form: JoinForm) -> HttpResponse:
    """Redirect to the form to add combatants, as it is."""
    kept = {name: form.cleaned_data[name] for name in ("block", "side", "zone")}
    return _back_to_prep(encounter, "add", find=_find_words(request), **kept)


def _try_join(request: HttpRequest, context: ViewerContext, form: JoinForm) -> HttpResponse:
    """Forecast the fight with those whom the form names; nobody joins."""
    odds_view.begin_with(context, _read_join(request, context, form))
    if is_htmx(request):
        return odds_view.render_with(request, context)
    return _back_to_form(request, context.encounter, form)


def _say_added(request: HttpRequest, side: str, names: list[str], later: bool = False) -> None:
    """Say who has joined, or arrives later; nobody has if they wait for an open action."""
    if names and later:
        messages.success(request, f"Arrives later: {', '.join(names)}.")
    elif names:
        messages.success(request, f"Added{f' to {side}' if side else ''}: {', '.join(names)}.")
    else:
        messages.info(request, JOINS_LATE)


def _find_npcs(request: HttpRequest, context: ViewerContext, words: str = "") -> list[tuple[str, Character]]:
    """The viewer's NPCs for this game."""
    encounter = context.encounter
    return find_offered(request.user, encounter.system, words, context.find_campaign_id(things.NPC))


def _read_people(request: HttpRequest, context: ViewerContext) -> HttpResponse:
    """Show what the notes are read as; a script gets only that."""
    box, status = people_view.read_box(request, context)
    if _is_of_gallery(request) and status != OK:
        return gallery.show_again(request, context, status)
    if back := _back_to_gallery(request, context.encounter, box.text):
        return back
    if is_htmx(request):
        part = "people" if box.is_changed else "understood"
        shown = {"people": box, "notes": people_view.make_form(context, box), "encounter": context.encounter}
        shown |= {"late": True}
        answer = render(request, f"combat/prep/people/{part}.html", shown, status=status)
        if box.is_changed:
            answer["HX-Retarget"] = "#people"
        return answer
    return render(request, "combat/prep/prep.html", _find_shown(request, context, box), status=status)


def _add_people(request: HttpRequest, context: ViewerContext) -> HttpResponse:
    """Add those whom the notes name; what was not understood stays in the box."""
    added, rest = people_view.add(request, context)
    _say_added(request, "", added, bool(request.POST.get("later")))
    if not rest and (back := _back_to_table(request, context.encounter)):
        return back
    if back := _back_to_gallery(request, context.encounter, rest):
        return back
    people_view.keep_notes(request, context.encounter.pk, rest)
    return _back_to_prep(
        context.encounter, "people" if rest else "roster", **people_view.read_usual(request.POST)
    )


def _save_zone(request: HttpRequest, context: ViewerContext, form: ZoneForm) -> HttpResponse:
    """Add a zone or change one; after a new one comes the form of the next."""
    scene, said = context.known_state.scene, form.cleaned_data
    zone_id = said["id"] or _free_id(scene, said["name"])
    old = zone_named(scene, zone_id)
    _set_scene(context, form.put_into(scene, old, zone_id))
    return _back_to_prep(context.encounter, "zone", open="" if old else "zone")


def _free_id(scene: Scene, name: str) -> str:
    base = slugify(name) or "zone"
    taken = {zone.id for zone in scene.zones}
    return next(i for i in (base, *(f"{base}-{n}" for n in range(2, 100))) if i not in taken)


def _remove_zone(request: HttpRequest, context: ViewerContext) -> None:
    scene, zone_id = context.known_state.scene, request.POST.get("id", "")
    if zone_named(scene, zone_id) is None:
        raise Refused("unknown", "That zone is gone: reload the page.")
    _set_scene(context, drawing.remove(scene, "zones", zone_id))


def _set_scene(context: ViewerContext, scene: Scene) -> None:
    """Set the whole scene; refused if someone was quicker."""
    encounter, whole = context.encounter, msgspec.to_builtins(scene)
    submit(encounter.pk, _submission(context, "set_scene", version=encounter.version, scene=whole))


def _save_options(request: HttpRequest, context: ViewerContext, form: OptionsForm) -> None:
    """Save table options and scene conditions: one step for each change."""
    steps = [_submission(context, f"set_{kind}", key=k, value=v) for kind, k, v in form.find_changes()]
    submit_all(context.encounter.pk, steps)


def _rename(request: HttpRequest, context: ViewerContext, form: RenameForm) -> None:
    """Save the encounter's name, its tags and its campaign."""
    campaign = form.cleaned_data.pop("campaign", None)
    with locked(context.encounter.pk) as encounter:
        was = encounter.campaign_id
        Encounter.objects.filter(pk=encounter.pk).update(**form.cleaned_data)
        if form.chooses:
            move_encounter(encounter.pk, campaign)
    if form.chooses and was != (campaign.pk if campaign else None):
        messages.success(request, f"Moved to “{campaign.name}”." if campaign else "In no campaign now.")


def _find_campaigns(context: ViewerContext) -> QuerySet[Campaign]:
    """The campaigns an encounter can move to: its owner's, for the owner alone."""
    if not context.may_name(things.NAME):
        return Campaign.objects.none()
    open_or_here = Q(archived=False) | Q(pk=context.encounter.campaign_id)
    return Campaign.objects.filter(open_or_here, owner=context.encounter.owner_id).only("name")


def _bring_party(request: HttpRequest, context: ViewerContext) -> None:
    """Add all characters of the campaign, and give their owners a seat."""
    party, is_there = bring_party(context.encounter.pk, by=context.name, grant=context.grant)
    _say_added(request, "", [one.name for one in party] if is_there else [])


def _move(request: HttpRequest, context: ViewerContext, form: MoveForm) -> None:
    """Move the encounter to a campaign of its owner, or out of one."""
    campaign = form.cleaned_data["campaign"]
    move_encounter(context.encounter.pk, campaign)
    messages.success(request, f"Moved to “{campaign.name}”." if campaign else "In no campaign now.")


def _archive(request: HttpRequest, context: ViewerContext) -> HttpResponse:
    encounter = context.encounter
    Encounter.objects.filter(pk=encounter.pk).update(archived=not encounter.archived)
    return see_other("encounters")


def _delete(request: HttpRequest, context: ViewerContext, form: DeleteForm) -> HttpResponse:
    """Delete the encounter; since that cannot be undone, its name must be typed."""
    pk = context.encounter.pk
    with locked(pk) as encounter:  # nobody writes to an encounter that is being deleted
        name = encounter.name
        if form.cleaned_data["confirm"] != name:
            raise Refused("bad_value", form.asked)
        delete_encounter(encounter)
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


FILLED: dict[str, Callable[[HttpRequest, ViewerContext, Any], HttpResponse | None]] = {
    "join": _join,
    "with": _try_join,
    "arrange": rows.arrange,
    "hold_back": rows.hold_back,
    "change_arrival": rows.change_arrival,
    "place": rows.place,
    "start_area": starts.move_start,
    "zone": _save_zone,
    "options": _save_options,
    "name": _rename,
    "campaign": _move,
    "delete": _delete,
}
BUTTONS: dict[str, Callable[[HttpRequest, ViewerContext], HttpResponse | None]] = {
    "read": _read_people,
    "use": _read_people,
    "people": _add_people,
    "duplicate_each": rows.duplicate,
    "remove_each": rows.remove,
    "set_boss": rows.set_boss,
    "place_by_side": rows.place_by_side,
    "remove_zone": _remove_zone,
    "archive": _archive,
    "copy": _copy,
    "start": _start,
    "party": _bring_party,
}


def _find_shown(request: HttpRequest, context: ViewerContext, box: PeopleBox) -> dict[str, Any]:
    """The values of the page's template."""
    system, state, forms = context.system, context.known_state, _make_forms(request, context)
    combatants = find_people(context)
    sides, dock = group_sides(system, state, combatants), _find_dock(request, context)
    find, join = _find_words(request), forms["join"]
    ready = [(str(one.pk), one.name) for one in find_ready(request.user, state)]
    edited = _find_edited(request, context)
    scene = add_decks(state, add_ghosts(system, state, view_scene(system, state, combatants)))
    options = forms["options"]
    assert isinstance(join, JoinForm)
    assert isinstance(options, OptionsForm)
    return {
        "encounter": context.encounter,
        "system": system,
        "phase": state.phase,
        "waits": say_busy(is_gm=True) if context.encounter.open_command else "",
        "undoes": say_undoes(context),
        "forms": forms,
        "bring": BringForm(state, choices={"character": ready}, initial={"side": find_side(state)}),
        "has_characters": bool(ready) or has_characters(request.user, state),
        "party": find_party(context.encounter, state) if context.may_name(things.PARTY) else [],
        "sides": sorted(sides, key=lambda side: ORDER.index(side.tone) if side.tone in ORDER else len(ORDER)),
        "picked": request.POST.getlist("targets"),
        "odds": odds_view.view_odds(context),
        "boss": find_boss(context.full_state),
        "no_book": PrepOdds(),
        "odds_with": odds_view.view_with(context),
        "rule_groups": view_rules(options),
        **_find_effects(request, context),
        "row": rows.find_row(request, context, sides),
        "reserves": view_reserves(state),
        "plan": later.find_plan(request, state),
        "check": make_checklist(context, sides, dock),
        "ready_scenes": view_ready_scenes(system, state),
        "order": ()
        if system.turn.seating or state.phase != "fight"
        else view_places(state.order, combatants),
        "scene": scene,
        "starts": view_starts(context, scene),
        "has_starts": has_ground(state.scene) or bool(state.scene.starts),
        "seating": view_seating(system, state, combatants),
        "join": join,
        "found": gallery.list_found(join, find),
        "tiers": gallery.list_tiers(context.system),
        "is_asked": "block" in request.GET,
        "preview": gallery.preview(request, context, join),
        "find": find,
        "people": box,
        "late": False,
        "example": system.book.imports.short_example,
        "notes": people_view.make_form(context, box),
        "zone_form": forms.get("zone"),
        "editing": edited,
        "was": list_was(_make_zone_form(request, context)) if edited else (),
        "room": view_room(context, combatants),
        "dock": dock,
    }


def _find_effects(request: HttpRequest, context: ViewerContext) -> dict[str, Any]:
    """What the house rule does that is asked about, in this fight; empty if none is."""
    system = context.system
    known = {one.key: one for one in system.book.all_options}
    asked = known.get(request.GET.get(DOES, ""))
    if asked is None:
        return {}
    return {
        "asked": asked,
        **ask_effects(person_of(request), system, context.known_state.options, asked),
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
