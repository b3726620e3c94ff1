"""The table and its actions: one page per encounter, its forms posting to its own address."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified, QueryDict
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.crypto import salted_hmac
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_http_methods

from .access import Visit, find_stamp, find_visit, for_visitors
from .autopilot import autoplay
from .bringing import find_ready
from .forms import find_free, make_start_form, read_faces, read_fields, read_number
from .panels import Room, enter_room, open_form, suggest
from .play import Receipt, Wish, answer, answer_overdue, cancel, read_state, redo, stale, submit, undo
from .reckoning import Reckoning
from .redirects import see_other
from .rules import find_system
from .rules.core.commands import Action, find_refusal, read_command
from .rules.core.engine import Recorded, find_action, run
from .rules.core.errors import Refused
from .rules.core.state import State, is_acting
from .rules.core.system import System
from .secrecy import find_unknown, forget_unknown, hush_refusal, redact
from .shapes import TableView, Viewer
from .sharing import see
from .viewing import recent_steps, view_table

CONFLICT, UNFIT = 409, 422
UNFIT_CODES = frozenset({"bad_value", "bad_dice", "unknown"})
OPEN_CODES = frozenset({"stale", "busy", "bad_dice", "bad_value"})  # refusals that tell nothing of the fight
WATCH_SECONDS = 600
ROW_FORMS = ("damage", "heal", "condition", "place", "reorder", "rename", "budget", "remove")
NEXT = {"prep": "prep", "share": "share"}  # pages whose forms lead back to them
MOST_LETTERS = 100  # of a word that is quoted back in a refusal


REWRITES: dict[str, Callable[..., Receipt]] = {"undo": undo, "redo": redo, "cancel": cancel}


def status_of(refused: Refused) -> int:
    """409 for what cannot be done now, 422 for what cannot be read."""
    return UNFIT if refused.code in UNFIT_CODES else CONFLICT


@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def show_table(request: HttpRequest, pk: int) -> HttpResponse:
    """The table of an encounter; a POST does something there and shows the result."""
    visit = find_visit(request, pk)
    if visit.seat:
        see(visit.seat)
    if answer_overdue(visit.encounter):
        visit = find_visit(request, pk)
    if request.method != "POST":
        return render_table(request, visit)
    try:
        perform(request, visit)
    except Refused as refused:
        known = hush_refusal(refused, read_state(visit.encounter), visit.viewer)
        return render_table(request, find_visit(request, pk), refused=known)
    if request.htmx:  # type: ignore[attr-defined]
        response = render_table(request, find_visit(request, pk))
        response["HX-Replace-Url"] = request.get_full_path()  # what was open is done, unless it was asked for
        return response
    return see_other(NEXT.get(request.POST.get("next", ""), "table"), pk)


def perform(request: HttpRequest, visit: Visit) -> Receipt:
    """Do what the posted form says; raises Refused, or PermissionDenied for those who only watch."""
    viewer, encounter = visit.viewer, visit.encounter
    if viewer.role == "watcher":
        raise PermissionDenied("Watching does not change the fight.")
    do, version = request.POST.get("do", ""), _read_version(visit, request.POST.get("version", ""))
    if do == "answer":
        return _answer(request, visit, version)
    if do in ("autoplay", "autoplay_all") and viewer.is_gm:
        return autoplay(encounter.pk, everybody=do == "autoplay_all", by=visit.name)
    if do in (REWRITES if viewer.is_gm else ()):
        return REWRITES[do](encounter.pk, version=version, by=visit.name)
    return _act(request, visit, do, version)


def _read_version(visit: Visit, stamp: str) -> str | None:
    """The stamp of the version a page showed; Refused("stale") if that is not the present one."""
    if stamp and stamp != find_stamp(visit):
        raise stale()
    return stamp or None


def _answer(request: HttpRequest, visit: Visit, version: str | None) -> Receipt:
    posted, viewer = request.POST, visit.viewer
    number = read_number(posted.get("question", ""))
    if number is None:
        raise Refused("bad_value", "Say which question this answers.")
    value, faces = posted.get("value", "")[:MOST_LETTERS], read_faces(posted)
    roll = posted.get("dice") == "app" or (posted.get("dice") == "auto" and not faces)
    return answer(
        visit.encounter.pk,
        number,
        faces=faces,
        value=value,
        roll=roll,
        version=version,
        by=visit.name,
        source="gm" if viewer.is_gm else "seat",
        seats=None if viewer.is_gm else viewer.seats,
        always=bool(posted.get("always")),
    )


def _act(request: HttpRequest, visit: Visit, do: str, version: str | None) -> Receipt:
    posted, encounter, viewer = request.POST, visit.encounter, visit.viewer
    system, state = find_system(encounter.system), read_state(encounter)
    action = find_action(system, do[:MOST_LETTERS])
    actor = posted.get("fighter", "") if action.who != "gm" else ""
    _check_right(viewer, system, state, action, actor, posted)
    seen = redact(state, viewer)
    fields = forget_unknown(read_fields(action, seen, actor, posted), find_free(action), state, viewer)
    dice = posted.get("dice", "")
    faces = read_faces(posted) if dice in ("auto", "table") else ()
    typed = dice == "table" or bool(faces) or (not dice and _types_dice(state))
    wish = Wish(do, fields, version=version, typed=typed, faces=faces, by=visit.name)
    if not find_unknown(state, viewer):
        return submit(encounter.pk, wish)
    rehearse(system, seen, action, fields)
    return _submit_unseen(encounter.pk, wish)


def rehearse(system: System, seen: State, action: Action, fields: dict[str, Any]) -> None:
    """Raise what the rules say against a command by what its author knows of the fight."""
    run(system, seen, action, read_command(action, fields), Recorded())


def _submit_unseen(pk: int, wish: Wish) -> Receipt:
    """Do what is legal as far as its author knows; what stands against it stays secret."""
    try:
        return submit(pk, wish)
    except Refused as refused:
        if refused.code in OPEN_CODES:
            raise
        raise Refused("not_allowed", "That does not work out now: ask the GM.") from None


def _check_right(
    viewer: Viewer, system: System, state: State, action: Action, actor: str, posted: QueryDict
) -> None:
    """Players act for their own fighters, and end their own turns."""
    if viewer.is_gm or (action.who != "gm" and actor in viewer.seats):
        return
    if action.name == system.advance and _find_ending(state, posted) <= viewer.seats:
        return
    if action.who == "gm":
        raise PermissionDenied("That is for the GM.")
    raise Refused("not_allowed", "That fighter is not yours to play.")


def _find_ending(state: State, posted: QueryDict) -> set[str]:
    """Whose turns a posted end of a turn would end."""
    if posted.get("whole"):
        return {state.active, *state.sharing}
    return {posted.get("target") or state.active}


def _types_dice(state: State) -> bool:
    """Whether this table rolls its own dice unless a button says otherwise."""
    return bool(state.options.get("typed_dice"))


def render_table(request: HttpRequest, visit: Visit, refused: Refused | None = None) -> HttpResponse:
    """The page, or just its changing part when htmx asked; 304 when that is what it has already."""
    tag = find_tag(request, visit)
    partial = bool(request.htmx)  # type: ignore[attr-defined]
    if partial and not refused and request.method != "POST" and request.headers.get("If-None-Match") == tag:
        response: HttpResponse = HttpResponseNotModified()
    elif visit.viewer.role == "watcher":
        response = _render_watch(request, visit, tag, partial)
    else:
        context = _table_context(request, visit, refused) | {"tag": tag}
        template = "combat/table.html#state" if partial else "combat/table.html"
        response = render(request, template, context, status=status_of(refused) if refused else 200)
    response["Cache-Control"] = "no-store"
    response["ETag"] = tag
    return response


def find_tag(request: HttpRequest, visit: Visit) -> str:
    """The ETag of what a viewer sees now: the version for their kind, who they are, what is open."""
    parts = [find_stamp(visit), visit.viewer.role, visit.encounter.name]
    if visit.viewer.role != "watcher":
        seat = visit.seat.pk if visit.seat else 0
        parts += [str(seat), *sorted(visit.viewer.seats), request.GET.urlencode()]
    return f'W/"{salted_hmac("combat.tag", chr(0).join(parts)).hexdigest()[:24]}"'


def _render_watch(request: HttpRequest, visit: Visit, tag: str, partial: bool) -> HttpResponse:
    """What watchers see: the changing part is drawn once for all of them."""
    key = f"watch:{visit.encounter.pk}:{tag}"
    html = cache.get(key)
    if html is None:
        context = _table_context(request, visit, None) | {"tag": tag}
        html = render_to_string("combat/table.html#state", context)
        cache.set(key, html, WATCH_SECONDS)
    if partial:
        return HttpResponse(html)
    context = {"encounter": visit.encounter, "seat": visit.seat, "drawn": mark_safe(html)}  # noqa: S308
    return render(request, "combat/table.html", context)


def _table_context(request: HttpRequest, visit: Visit, refused: Refused | None) -> dict[str, Any]:
    encounter, viewer = visit.encounter, visit.viewer
    table = view_table(encounter, viewer, request.GET.get("fighter", ""), recent_steps(encounter, viewer))
    room = enter_room(encounter, viewer)
    context: dict[str, Any] = {
        "table": table,
        "encounter": encounter,
        "seat": visit.seat,
        "ready": find_ready(request.user, encounter) if visit.viewer.role == "seat" and not table.own else (),
        "refused": refused,
        "system": room.system,
        "zones": room.state.scene.zones,
        "conditions": room.system.conditions.values(),
        "again": _find_again(request, visit, refused),
    }
    if viewer.is_gm and room.state.phase != "fight":
        context["start_form"] = make_start_form(room.system, room.state)
    try:
        return context | find_open_parts(request, room, table, refused)
    except Refused as problem:
        return context | {"refused": refused or problem}


def _find_again(request: HttpRequest, visit: Visit, refused: Refused | None) -> str:
    """The address at which a live page reads again what it shows."""
    query = request.GET.urlencode()
    if request.method == "POST":
        open_form = {name: request.POST[name] for name in ("fighter", "do") if request.POST.get(name)}
        query = urlencode(open_form) if refused else query
    return f"{request.path}?{query}" if query and visit.viewer.role != "watcher" else request.path


def find_open_parts(
    request: HttpRequest, room: Room, table: TableView, refused: Refused | None
) -> dict[str, Any]:
    """What is open on the page: an action's form, or a form in a fighter's row."""
    asked = request.POST if refused else request.GET
    do, fighter = asked.get("do", ""), asked.get("fighter", "")
    row = request.GET.get("row", "")
    found: dict[str, Any] = {}
    if row in ROW_FORMS and table.viewer.is_gm:
        found |= {"row_form": row, "row": fighter}
    action = room.system.actions.get(do)
    if action and action.who == "gm":
        return found | _open_desk(request, room, table, action, refused)
    if room.state.phase == "prep" or table.turn is None or table.prompt:
        return found
    if do == "suggest":
        return found | suggest(room, table.turn.fighter.id)
    actor = fighter or table.turn.fighter.id
    if action is None or not table.viewer.plays(actor):
        return found
    if refused or not action.on_turn or is_acting(room.state, actor):
        if not refused and (problem := find_refusal(action, room.state, actor)):
            raise problem
        found["open"] = open_form(room, action, actor, asked, bool(refused))
    return found


def _open_desk(
    request: HttpRequest, room: Room, table: TableView, action: Action, refused: Refused | None
) -> dict[str, Any]:
    """The form of something the GM lets happen; what starts a fight or a turn has buttons of its own."""
    is_offered = any(action.name == view.name for group in table.desk for view in group.actions)
    if table.prompt or not is_offered:
        return {}
    asked = request.POST if refused else request.GET
    return {"open": open_form(room, action, "", asked, bool(refused))}


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_odds(request: HttpRequest, pk: int) -> HttpResponse:
    """The modifier list and odds of an action form as it stands now."""
    visit = find_visit(request, pk)
    room = enter_room(visit.encounter, visit.viewer)
    state = read_state(visit.encounter)
    actor = request.GET.get("fighter", "")
    if not visit.viewer.plays(actor):
        raise Http404("That fighter is not yours to play.")
    try:
        action = room.system.action(request.GET.get("do", "")[:MOST_LETTERS])
        if action.who == "gm" and not visit.viewer.is_gm:
            raise Http404("That is for the GM.")
        data = read_fields(action, room.state, actor, request.GET)
        data = forget_unknown(data, find_free(action), state, visit.viewer)
        reckoning = room.reckon(action, data)
    except Refused as refused:
        reckoning = Reckoning(problem=refused.message)
    context = {"reckoning": reckoning, "slug": room.system.slug}
    return render(request, "combat/reckoning.html", context)
