"""The table and its actions: one page per encounter, its forms posting to its own address."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache as once
from typing import Any
from urllib.parse import urlencode

from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods
from msgspec.structs import replace

from characters.faces import FACES
from characters.guests import visitor_of
from combat.audience.rights import NOT_YOURS
from combat.audience.secrecy import mask_refusal
from combat.display.drawings import fill_marks
from combat.display.forms.action_form import find_label, find_odds, open_form, suggest
from combat.display.forms.fields import make_start_form
from combat.display.forms.mended import find_mended
from combat.display.forms.odds_panel import refuse
from combat.display.forms.overruling_form import view_overruling
from combat.display.forms.questions import fill_dice
from combat.display.map.handles import HandlesView, view_handles
from combat.display.map.pens_view import view_pens
from combat.display.page_parts import PageParts
from combat.display.prep.sides_view import view_sides
from combat.display.shapes.room_shapes import Room
from combat.display.shapes.table_shapes import TableView
from combat.display.table.parts import draw_page
from combat.display.table.patches import draw_now, leave_out_known, make_patch, read_manifest
from combat.display.table.room_view import view_room, view_showing
from combat.display.table.table_view import view_table
from combat.display.table.timer_view import view_timer
from combat.models import Handout
from combat.play.after.faults import keep_refusal
from combat.play.people.roster import find_ready
from combat.play.writing.deadlines import answer_overdue
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import possessive
from combat.rules.core.commands.commands import Action, find_refusal
from combat.rules.core.declaration.people import Track
from combat.rules.core.people.sides import standing_sides
from combat.rules.core.state.state import is_acting
from combat.sharing.access import find_context, find_context_again, for_visitors
from combat.sharing.handouts import find_handouts
from combat.sharing.hints import find_left
from combat.sharing.invitations import invite_watchers
from combat.sharing.links import touch_seat
from combat.sharing.pens import find_ink
from combat.sharing.viewer_context import ViewerContext
from combat.stamps import make_stamp
from cosmos_site.base.errors import status_of
from cosmos_site.base.htmx import find_header, is_htmx

from ..redirects import see_other
from .doing import MAX_LENGTH, perform
from .questions import read_known_fields

WATCH_SECONDS = 600
ROW_FORMS = ("damage", "heal", "condition", "place", "reorder", "rename", "resize", "budget", "mend")
LASTS = (1, 2, 3, 5, 10)  # turns that a condition lasts, each with a button
NEXT = {"prep": "prep", "share": "share"}  # pages that forms can return to
PARTS = "X-Parts"  # the tags of a page's parts; in an answer, that it consists of parts


@gzip_page  # its only secret is the token of its forms, masked differently in each answer
@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def show_table(request: HttpRequest, pk: int) -> HttpResponse:
    """The table of an encounter; a POST changes something and shows the result."""
    context = find_context(request, pk)
    if context.seat:
        touch_seat(context.seat)
    if context.pending and answer_overdue(context.encounter, context.full_state):
        context = find_context(request, pk)
    if request.method != "POST":
        return render_table(request, context)
    try:
        done = perform(request, context)
    except Refused as refused:
        keep_refusal(pk, request.POST.dict(), refused)
        context = find_context_again(request, context)
        known = mask_refusal(refused, context.full_state, context.viewer)
        return render_table(request, context, refused=known)
    if is_htmx(request):
        response = render_table(request, find_context_again(request, context, done))
        response["HX-Replace-Url"] = request.get_full_path()  # the open form is done, unless asked for
        return response
    return see_other(NEXT.get(request.POST.get("next", ""), "table"), pk)


def render_table(
    request: HttpRequest, context: ViewerContext, refused: Refused | None = None
) -> HttpResponse:
    """The page, or the parts that htmx lacks; 304 if it lacks none."""
    tag = find_tag(request, context)
    partial = is_htmx(request)
    if partial and not refused and request.method != "POST" and find_header(request, "If-None-Match") == tag:
        response: HttpResponse = HttpResponseNotModified()
    elif context.viewer.is_spectator:
        response = _render_watch(request, context, tag, partial)
    else:
        shown = _find_shown(request, context, refused) | {"tag": tag}
        shown["hints"] = () if partial else find_left(request, context.viewer)
        response = _render_parts(request, shown, partial)
        response.status_code = status_of(shown["refused"]) if refused else 200
    response["ETag"] = tag
    return response


def _render_parts(request: HttpRequest, shown: dict[str, Any], partial: bool) -> HttpResponse:
    """The parts that a page lacks; the whole page if it does not say which it has."""
    page, version = draw_page(shown["table"], shown), shown["table"].version
    has = read_manifest(find_header(request, PARTS))
    if partial and has and (patch := make_patch(has, page)) is not None:
        now = draw_now(shown, page.name_tags(has.parts, has.rows, has.log))  # `parts.js` fills in the rest
        return _answer_patch(fill_marks(f"{patch}\n{now}", lambda: get_token(request), version))
    template = "combat/table/table.html#state" if partial else "combat/table/table.html"
    named = page.by_name | {"manifest": page.manifest}
    html = render_to_string(template, shown | {"parts": named}, request)
    return HttpResponse(fill_marks(html, lambda: get_token(request), version))


def _answer_patch(html: str) -> HttpResponse:
    """An answer that swaps only the parts in it."""
    response = HttpResponse(html)
    response["HX-Reswap"] = "none"
    response[PARTS] = "some"
    return response


def find_tag(request: HttpRequest, context: ViewerContext) -> str:
    """The ETag of what a viewer sees now: the version for their kind, who they are, what is open."""
    parts = [context.stamp, context.viewer.role, context.encounter.name]
    if not context.viewer.is_spectator:
        seat = context.seat.pk if context.seat else 0
        pens = context.pens if context.viewer.is_gm else find_ink(context)
        parts += [str(seat), *sorted(context.viewer.seats), *context.pins, request.GET.urlencode(), str(pens)]
    return f'W/"{make_stamp("combat.tag", chr(0).join(parts), 24)}"'


def _render_watch(request: HttpRequest, context: ViewerContext, tag: str, partial: bool) -> HttpResponse:
    """The page for spectators: the changing parts are drawn once for all of them."""
    joining = invite_watchers(request, context)
    shown_link = make_stamp("combat.tag", joining.address, 24) if joining else ""
    key = f"{context.encounter.pk}:{tag}:{shown_link}"
    find = once(lambda: _find_shown(request, context, None) | {"tag": tag, "joining": joining})
    page, now = _find_kept(f"watch:{key}", lambda: _draw_watch(find()))
    has = read_manifest(find_header(request, PARTS))
    if partial and (patch := make_patch(has, page)) is not None:
        return _answer_patch(f"{patch}\n{leave_out_known(now, has, page)}")
    html = _find_kept(f"watched:{key}", lambda: _draw_whole_watch(page, find()))
    if partial:
        return HttpResponse(html)
    shown = {
        "encounter": context.encounter,
        "seat": context.seat,
        "system": context.system,
        "drawn": mark_safe(html),  # noqa: S308 - drawn by our template, which escapes
    }
    return render(request, "combat/table/table.html", shown)


def _draw_watch(shown: dict[str, Any]) -> tuple[PageParts, str]:
    """The parts of a page for spectators, and its values."""
    page = draw_page(shown["table"], shown)
    return page, draw_now(shown, page.manifest)


def _draw_whole_watch(page: PageParts, shown: dict[str, Any]) -> str:
    """What changes on a page for spectators, in one piece."""
    named = page.by_name | {"manifest": page.manifest}
    return render_to_string("combat/table/table.html#state", shown | {"parts": named})


def _find_kept(key: str, make: Callable[[], Any]) -> Any:
    """What the shared cache has for spectators; made and kept if it has nothing."""
    kept = cache.get(key)
    if kept is None:
        kept = make()
        cache.set(key, kept, WATCH_SECONDS)
    return kept


def _find_shown(request: HttpRequest, context: ViewerContext, refused: Refused | None) -> dict[str, Any]:
    """The values of the page's template."""
    table = view_table(context, request.GET.get("combatant", ""), seen=find_header(request, "X-Seen"))
    if refused and table.prompt and request.POST.get("do") == "answer_all":
        table = replace(table, prompt=fill_dice(table.prompt, request.POST.dict()))
    state, brings = context.known_state, context.viewer.is_seated and not table.own
    ready = find_ready(visitor_of(request), context.full_state) if brings else ()
    handouts = find_handouts(context)
    shown: dict[str, Any] = {
        "table": table,
        "here": request.path,
        "slug": table.slug,
        "encounter": context.encounter,
        "downtime": context.encounter.downtime,
        "owns": context.encounter.owner_id == request.user.pk,
        "seat": context.seat,
        "timer": view_timer(context),
        "pens": view_pens(context) if table.scene.is_drawn else None,
        "handles": find_handles(context, table),
        "handouts": [{"pk": one.pk, "title": one.title} for one in handouts],
        "room": _find_room(context, table, handouts),
        "faces": FACES,
        "ready": ready,
        "has_ready": bool(ready),
        "refused": refused,
        "system": context.system,
        "zones": state.scene.zones,
        "conditions": context.system.people.conditions.values(),
        "lasts": LASTS,
        "part": request.GET.get("part", "")[:MAX_LENGTH],
        "part_of": request.GET.get("part", "")[:MAX_LENGTH].partition(".")[0],
        "row_track": request.GET.get("track", "")[:MAX_LENGTH],
    }
    if context.viewer.is_gm and state.phase != "fight":
        shown["start_form"] = make_start_form(context.system, state)
        shown["lacks_side"] = len(standing_sides(context.system, state)) < 2
        shown["sides"] = view_sides(context, table) if state.phase == "prep" else ()
    try:
        shown |= find_open_parts(request, context, table, refused)
    except Refused as problem:
        shown["refused"] = refused or problem
    opened = shown.get("open")
    shown["again"] = _find_again(request, context, refused, opened.actor if opened else "")
    return shown


def _find_room(context: ViewerContext, table: TableView, handouts: Sequence[Handout]) -> Room | None:
    """The waiting room, with the handout that a player was shown last."""
    room = view_room(context, {one.id: one for one in (*table.combatants, *table.waiting_combatants)})
    if room is None or context.viewer.is_gm or not handouts:
        return room
    return replace(room, showing=view_showing(handouts[0]))


def find_handles(context: ViewerContext, table: TableView) -> HandlesView | None:
    """The doors that a player can open or shut from the map now; the GM has buttons for all of them."""
    waits = table.prompt or table.paused
    if not table.turn or not table.scene.plan.doors or waits or not context.viewer.is_seated:
        return None
    return view_handles(context.system, context.obscured_state, table.turn.combatant.id)


def _find_again(request: HttpRequest, context: ViewerContext, refused: Refused | None, actor: str) -> str:
    """The address at which a live page reloads what it shows: an open form stays that of its `actor`."""
    named = {"combatant": actor} if actor and "combatant" not in request.GET else {}
    query = "&".join(filter(None, (urlencode(named), request.GET.urlencode())))
    if request.method == "POST":
        open_form = {name: request.POST[name] for name in ("combatant", "do") if request.POST.get(name)}
        query = urlencode(open_form) if refused else query
    return f"{request.path}?{query}" if query and not context.viewer.is_spectator else request.path


def _find_tracks(context: ViewerContext, who: str) -> tuple[Track, ...]:
    """The stats of a combatant that the form in its row changes."""
    combatant = context.known_state.combatants.get(who)
    return context.system.people.find_tracks(combatant) if combatant else ()


def find_open_parts(
    request: HttpRequest, context: ViewerContext, table: TableView, refused: Refused | None
) -> dict[str, Any]:
    """What is open on the page: an action's form, or a form in a combatant's row."""
    asked = request.POST if refused else request.GET
    do, combatant = asked.get("do", ""), asked.get("combatant", "")
    row = request.GET.get("row", "")
    found: dict[str, Any] = {}
    if row in ROW_FORMS and table.viewer.is_gm:
        mended = find_mended(context, request.GET) if row == "mend" else None
        if row != "mend" or mended:
            tracks = _find_tracks(context, combatant)
            found |= {"row_form": row, "row": combatant, "row_tracks": tracks, "mended": mended}
    if "overrule" in request.GET and table.viewer.is_gm and not table.prompt:
        found["overruling"] = view_overruling(context, request.GET)
    action = context.system.actions.by_name.get(do)
    if action and action.who == "gm":
        return found | _open_gm_action(request, context, table, action, refused)
    if context.known_state.phase == "prep" or table.turn is None or table.prompt:
        return found
    if do == "suggest":
        return found | suggest(context, table.turn.combatant.id)
    actor = combatant or table.turn.combatant.id
    if action is None or not table.viewer.plays(actor) or actor not in context.known_state.combatants:
        return found
    if not refused and (problem := _find_problem(context, action, actor)):
        raise problem
    return found | {"open": open_form(context, action, actor, asked, bool(refused))}


def _find_problem(context: ViewerContext, action: Action, actor: str) -> Refused | None:
    """Why the form of an action is not open, such as because the turn was ended from another page."""
    state = context.known_state
    if action.on_turn and not is_acting(state, actor):
        whose = possessive(state.combatants[actor].name)
        return Refused("closed", f"{action.label} is closed: it is not {whose} turn now.")
    return find_refusal(action, context.obscured_state, actor)


def _open_gm_action(
    request: HttpRequest, context: ViewerContext, table: TableView, action: Action, refused: Refused | None
) -> dict[str, Any]:
    """The form of a GM's action; starting a fight or a turn has buttons of its own."""
    is_offered = any(action.name == view.name for group in table.gm_actions for view in group.actions)
    if table.prompt or not is_offered:
        return {}
    asked = request.POST if refused else request.GET
    return {"open": open_form(context, action, "", asked, bool(refused))}


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_odds(request: HttpRequest, pk: int) -> HttpResponse:
    """The modifier list and odds of an action form as it stands now."""
    return answer_odds(request, find_context(request, pk))


def answer_odds(request: HttpRequest, context: ViewerContext) -> HttpResponse:
    """The sums and odds of the posted form, as far as the viewer knows."""
    actor = request.GET.get("combatant", "")
    if not context.viewer.plays(actor):
        raise Http404(NOT_YOURS)
    action = context.system.actions.by_name.get(request.GET.get("do", ""))
    try:
        action = context.system.action(request.GET.get("do", "")[:MAX_LENGTH])
        if action.who == "gm" and not context.viewer.is_gm:
            raise Http404("Only the GM can do that.")
        fields = read_known_fields(context, action, actor, request.GET, prefill=False)
        odds_panel = find_odds(context, action, fields)
    except Refused as refused:
        odds_panel = refuse(refused.message)
    label = find_label(context.system, action, odds_panel) if action else "Roll"
    shown = {
        "odds_panel": odds_panel,
        "slug": context.system.slug,
        "brief": not context.viewer.is_gm,
        "roll_label": label,
        "typed_button": find_header(request, "X-Typed"),  # the button that the form on the page has
    }
    return render(request, "combat/forms/odds/odds_panel.html", shown)
