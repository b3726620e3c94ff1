"""The table and its actions: one page per encounter, its forms posting to its own address."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseNotModified,
    HttpResponseRedirect,
    QueryDict,
)
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods
from msgspec.structs import replace

from characters.access import answer_portrait
from characters.faces import FACES
from characters.guests import visitor_of
from combat.audience.doors import find_next, has_just_opened
from combat.audience.rights import NOT_YOURS, check_takes_part
from combat.audience.secrecy import mask_refusal
from combat.audience.things import CONDITION, FIGHT
from combat.display.combatants.tokens import has_face
from combat.display.forms.action_form import (
    find_correction,
    find_label,
    find_odds,
    find_sent_correction,
    open_form,
    suggest,
    view_overruling,
)
from combat.display.forms.fields import make_start_form
from combat.display.forms.odds_panel import refuse
from combat.display.forms.own_conditions import NEW, OwnForm, view_form
from combat.display.forms.points import foresee_points, say_how_to_type
from combat.display.forms.questions import fill_dice
from combat.display.forms.shot import WHOM, count_chances, put_tiles
from combat.display.map.scene import HandlesView, PensView, WayOut, find_way_out, view_handles, view_pens
from combat.display.regions import fill_in
from combat.display.shapes.figure_shapes import FiguresView
from combat.display.shapes.table_shapes import Missed, TableView, WaitingRoom
from combat.models import Encounter, Handout, StoredStep
from combat.play.after.faults import keep_refusal
from combat.play.campaigns.own_conditions import find_kept_conditions
from combat.play.campaigns.roster import find_kept, find_ready
from combat.play.writing.deadlines import answer_overdue
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import possessive
from combat.rules.core.commands.commands import Action, find_refusal
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import find_action
from combat.rules.core.gm.aliases import find_alias_face
from combat.rules.core.gm.counters import REFILLS
from combat.rules.core.map.bodies import meters_of
from combat.rules.core.sides import describe_empty, standing_sides
from combat.rules.core.space import find_zone
from combat.rules.core.state.state import Combatant, find_own_condition, is_acting, present
from combat.sharing.access import find_context, for_visitors
from combat.sharing.closed import is_waiting
from combat.sharing.invitations import invite_watchers
from combat.sharing.links import touch_seat
from combat.sharing.pens import keep_bar, keep_pins, order_pins
from combat.sharing.viewer_context import ViewerContext, find_handouts, find_left
from combat.stamps import make_stamp
from cosmos_site.base.errors import status_of
from cosmos_site.base.forms import find_header, is_htmx, lead_on, see_other

from .action_groups import view_passing
from .figures_view import allows_figures, open_figures, read_typed
from .missed_view import Looks, keep_looks, look, read_looks
from .planned_view import open_planning
from .players_view import FOR_GM as OF_PLAYERS
from .players_view import PLAYERS, open_players
from .rows import find_own_sheet, group_sides, view_timer
from .shapes import find_lately, recent_steps, view_table
from .start_view import view_start_picks
from .submissions import (
    FOR_GM,
    MAX_LENGTH,
    find_terms,
    keep_term,
    perform,
    read_known_fields,
)
from .table_regions import draw_page
from .waiting_view import view_room, view_showing
from .wishes_view import open_ruling

WINDOW = "quick"  # the form of the small window: what is done most to a combatant
FIGURES = "figures"  # the form that players, too, have where the table allows it
ROW_FORMS = (
    *(WINDOW, "damage", "heal", "condition", "place", "reorder"),
    *("rename", "alias", "resize", "budget", "mend", FIGURES, PLAYERS),
)
# What is typed or chosen in the forms of a row
TYPED = (
    *("points", "reason", "zone", "x", "y", "metres", "after", "pool", "left"),
    *("name", "side", "alias", "kind", "level", "by", "turns"),
)
MAX_TYPED = 200  # characters of a field that is shown again
MAX_WORDS = 2000  # of a list of traits
LASTS = ("1", "2", "3", "5", "10")  # turns that a condition lasts, each a choice
NEXT = {"prep": "prep", "share": "share"}  # pages that forms can return to
OF_TURNS = ("autoplay", "autoplay_all", "pass_turns")
REGIONS = "X-Regions"  # the versions of the regions that a page has
FOLDS = "X-Folds"  # the ids of open folds, of those that are drawn only while they are open


@gzip_page  # its only secret is the token of its forms, masked differently in each answer
@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def show_table(request: HttpRequest, pk: int) -> HttpResponse:
    """The table of an encounter; a POST changes something and shows the result."""
    context = find_context(request, pk)
    if is_waiting(request):
        return lead_on(request, see_other("table", pk))
    if context.seat:
        touch_seat(context.seat)
    if context.pending and answer_overdue(context.encounter, context.full_state):
        context = find_context(request, pk)
    if request.method != "POST":
        return render_table(request, context)
    try:
        done = perform(request.POST, context)
        keep_term(request)
    except Refused as refused:
        keep_refusal(pk, request.POST.dict(), refused)
        context = find_context(request, pk)
        known = mask_refusal(refused, context.full_state, context.viewer)
        return render_table(request, context, refused=known)
    looks = read_looks(request, pk).note_read()
    if is_htmx(request):
        keep_open(request, context.system)
        query = request.GET.urlencode()
        keep_window(request)
        fresh = find_context(request, pk, done.encounter)
        response = render_table(request, fresh, told=done.stopped, looks=looks)
        response["HX-Replace-Url"] = f"{request.path}?{query}" if query else request.path
        return response
    if done.stopped:
        messages.info(request, done.stopped)
    answer = see_other(NEXT.get(request.POST.get("next", ""), "table"), pk)
    if looks.last:
        keep_looks(answer, pk, looks)
    return answer


def keep_open(request: HttpRequest, system: System) -> None:
    """Let an action's form stay open over what was done beside it, such as a pause or a roll of free dice.

    The address of the page names the form. One that was sent is done, and so is the form of an actor whose
    turn was passed.
    """
    page, done = urlsplit(find_header(request, "HX-Current-URL")), request.POST.get("do", "")
    asked = QueryDict(page.query)
    if page.path == request.path and asked.get("do", done) != done and _is_beside(system, done):
        request.GET = asked


def keep_window(request: HttpRequest) -> None:
    """Keep the small window of a combatant open over what was done in it, beside the form of an action."""
    row = request.POST.get("row")
    if row in (WINDOW, PLAYERS) and "target" in request.POST:
        query = {**request.GET.dict(), "row": row, "whose": request.POST["target"]}
        request.GET = QueryDict(urlencode(query))


def _is_beside(system: System, done: str) -> bool:
    """Whether what was done is neither a turn nor an action in one."""
    if done in FOR_GM:
        return done not in OF_TURNS
    turns = (system.actions.start, system.actions.advance)
    return done not in turns and find_action(system, done).who == "gm"


def find_refused_way(context: ViewerContext, posted: QueryDict, refused: Refused) -> WayOut | None:
    """What stops a posted move, and the plan that helps, on what its author knows; None for anything else."""
    action = context.system.actions.by_name.get(posted.get("do", ""))
    who = posted.get("combatant", "")
    known = context.obscured_state.combatants
    is_move = action is not None and action.leads_there
    if not is_move or who not in known or not context.viewer.plays(who):
        return None
    return find_way_out(context.system, context.obscured_state, who, posted.get("to", ""))


def render_table(
    request: HttpRequest,
    context: ViewerContext,
    refused: Refused | None = None,
    told: str = "",
    looks: Looks | None = None,
) -> HttpResponse:
    """The page, or the parts that htmx lacks; 304 if it lacks none.

    `looks` say when its viewer looked before.
    """
    folds = _find_folds(request)
    pens = view_pens(context, folds)
    tag = find_tag(request, context, pens)
    partial = is_htmx(request)
    if partial and not refused and request.method != "POST" and find_header(request, "If-None-Match") == tag:
        response: HttpResponse = HttpResponseNotModified()
    else:
        way_out = find_refused_way(context, request.POST, refused) if refused else None
        refused = Refused(refused.code, way_out.words) if refused and way_out and way_out.words else refused
        looks = looks or read_looks(request, context.encounter.pk)
        shown = _find_shown(request, context, folds, refused, looks) | {"tag": tag, "way_out": way_out}
        shown |= {"advice": told} if told else {}
        shown["pens"] = pens if shown["table"].scene.is_drawn else None
        if context.viewer.is_spectator:
            shown["joining"] = invite_watchers(request, context)
        elif not partial:
            shown["hints"], shown["is_first"] = find_left(request, context.viewer)
        response = _render_regions(request, shown, partial)
        response.status_code = status_of(shown["refused"]) if refused else 200
        if shown["looked"]:
            keep_looks(response, context.encounter.pk, shown["looked"])
    response["ETag"] = tag
    return response


def _render_regions(request: HttpRequest, shown: dict[str, Any], partial: bool) -> HttpResponse:
    """The regions that a page lacks; the whole page if it does not say which it has."""
    page, table = draw_page(shown["table"], shown), shown["table"]
    known = find_header(request, REGIONS).split() if partial else ()
    missing = page.render_missing(frozenset(known))
    html: str
    if missing is None:
        template = "combat/table/table.html#state" if partial else "combat/table/table.html"
        html = render_to_string(template, shown | {"regions": page.by_name, "frame": page.frame}, request)
    else:
        html = missing + render_to_string("combat/table/now.html", shown | {"order": page.order})
    response = HttpResponse(fill_in(html, table.version, lambda: get_token(request)))
    if missing is not None:
        response["HX-Reswap"] = "regions"
    return response


def find_tag(request: HttpRequest, context: ViewerContext, pens: PensView | None) -> str:
    """The ETag of what a viewer sees now: the version for their kind, who they are, what is open."""
    parts = [context.stamp, context.viewer.role, context.encounter.name]
    if not context.viewer.is_spectator:
        seat = context.seat.pk if context.seat else 0
        parts += [str(seat), *sorted(context.viewer.seats), *context.pins, request.GET.urlencode(), str(pens)]
    parts.append(find_header(request, FOLDS))
    return f'W/"{make_stamp("combat.tag", chr(0).join(parts), 24)}"'


def _find_folds(request: HttpRequest) -> set[str]:
    """The ids of the open folds: those of the page, and those that the address asks for."""
    whose, _, _ = request.GET.get("part", "")[:MAX_LENGTH].partition(".")
    return {request.GET.get("fold", ""), f"figure-{whose}", *find_header(request, FOLDS).split()}


def _find_shown(
    request: HttpRequest, context: ViewerContext, folds: set[str], refused: Refused | None, looks: Looks
) -> dict[str, Any]:
    """The values of the page's template."""
    part = request.GET.get("part", "")[:MAX_LENGTH]
    part_of, _, _ = part.partition(".")
    chosen = _find_chosen(request, context)
    rows = recent_steps(context)
    table = view_table(context, chosen, rows, seen=find_header(request, "X-Seen"), folds=folds)
    missed, seen_now = _find_missed(context, rows, table, looks)
    if refused and table.prompt and request.POST.get("do") == "answer_all":
        table = replace(table, prompt=fill_dice(table.prompt, request.POST.dict()))
    state, brings = context.known_state, context.viewer.is_seated and not table.own
    ready = find_ready(visitor_of(request), context.full_state) if brings else ()
    handouts = find_handouts(context)
    shown: dict[str, Any] = {
        "table": table,
        "missed": missed,
        "looked": seen_now,
        "corrects": allows_figures(context),
        "here": request.path,
        "slug": table.slug,
        "encounter": context.encounter,
        "downtime": context.encounter.downtime,
        "owns": context.encounter.owner_id == request.user.pk,
        "next_fight": _find_next(context),
        "door": _find_door(context),
        "seat": context.seat,
        "timer": view_timer(context),
        "handles": find_handles(context, table),
        "handouts": [{"pk": one.pk, "title": one.title} for one in handouts],
        "room": _find_waiting_room(context, table, handouts),
        "ready": ready,
        "terms": find_terms(request),
        "has_ready": bool(ready),
        "refused": refused,
        "system": context.system,
        "folds": folds,
        "part": part,
        "part_of": part_of,
    }
    if context.viewer.is_gm and state.phase != "fight":
        shown["start_form"] = make_start_form(context.system, state)
        shown["lacks_side"] = len(standing_sides(context.system, state)) < 2
        shown["empty_side"] = describe_empty(context.system, state)
        combatants = {one.id: one for one in table.everyone}
        shown["start_picks"] = view_start_picks(shown["start_form"], combatants)
        shown["sides"] = group_sides(context.system, state, combatants) if state.phase == "prep" else ()
    try:
        shown |= find_open_parts(request, context, table, refused)
    except Refused as problem:
        shown["refused"] = refused or problem
    opened = shown.get("open")
    shown["again"] = _find_again(request, context, refused, opened.actor if opened else "")
    return shown


def _find_missed(
    context: ViewerContext, rows: list[StoredStep], table: TableView, looks: Looks
) -> tuple[Missed | None, Looks | None]:
    """What a player missed, and what they have seen now; for others there is neither."""
    if not context.viewer.is_seated or context.seat is None:
        return None, None
    people = {one.id: one for one in table.everyone}
    return look(context, find_lately(context, rows), people, looks, timezone.now())


def _find_chosen(request: HttpRequest, context: ViewerContext) -> str:
    """Whose actions an address asks for; "" for those of who acts.

    A form beside the rows leaves the turn as it is, and one that closed with a turn does not hold it back.
    """
    chosen = request.GET.get("combatant", "")
    if request.GET.get("row", "") in ROW_FORMS and "whose" not in request.GET:
        return ""
    action = context.system.actions.by_name.get(request.GET.get("do", ""))
    is_of_turn = bool(action and action.on_turn and action.who != "gm")
    is_closed = is_of_turn and not is_acting(context.known_state, chosen)
    return "" if is_closed else chosen


def _find_door(context: ViewerContext) -> str:
    """Whether a fight that is prepared is "closed" to players or "open", for its GMs; else empty."""
    encounter = context.encounter
    if not context.viewer.is_gm or encounter.phase != "prep" or encounter.downtime:
        return ""
    return "closed" if encounter.closed else "open"


def _find_next(context: ViewerContext) -> dict[str, Any] | None:
    """The next fight of the campaign once this is over: for its owner the one prepared last. One query.

    For a player it is one that they have a seat at; a page that shows this fight goes on there as it opens.
    """
    if context.seat and context.viewer.is_seated:
        theirs = find_next(context.seat, context.encounter) if context.known_state.phase == "over" else None
        return _view_next(theirs) if theirs else None
    of = context.find_campaign_id(FIGHT)
    if context.known_state.phase != "over" or of is None:
        return None
    coming = Encounter.objects.filter(campaign=of, phase="prep", archived=False, downtime=False)
    found = coming.order_by("-changed").values("pk", "name", "combatants").first()
    return dict(found) if found else None


def _view_next(coming: Encounter) -> dict[str, Any]:
    day = f"{coming.planned:%a} {coming.planned.day} {coming.planned:%b}" if coming.planned else ""
    leads = not coming.closed and has_just_opened(coming)
    return {"pk": coming.pk, "name": coming.name, "day": day, "closed": coming.closed, "leads": leads}


def _find_waiting_room(
    context: ViewerContext, table: TableView, handouts: Sequence[Handout]
) -> WaitingRoom | None:
    """The waiting room, with the handout that a player was shown last."""
    room = view_room(context, {one.id: one for one in table.everyone})
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
    """The address at which a live page reloads what it shows: an open form stays that of its `actor`.

    A page that shows who acts goes on to who acts next.
    """
    asked = request.GET.dict()
    if asked.keys() == {"combatant"} and is_acting(context.known_state, asked["combatant"]):
        return request.path
    named = {"combatant": actor} if actor and "combatant" not in request.GET else {}
    query = "&".join(filter(None, (urlencode(named), request.GET.urlencode())))
    if request.method == "POST":
        open_form = {name: request.POST[name] for name in ("combatant", "do") if request.POST.get(name)}
        query = urlencode(open_form) if refused else query
    return f"{request.path}?{query}" if query and not context.viewer.is_spectator else request.path


def _open_row(
    request: HttpRequest, context: ViewerContext, table: TableView, refused: Refused | None
) -> dict[str, Any]:
    """The form that is open in a combatant's row. One that was refused stays there, with what was typed."""
    sent = request.POST if refused else None
    row = (request.GET if sent is None else sent).get("row", "")
    if row not in ROW_FORMS or (row != FIGURES and not context.viewer.is_gm):
        return {}
    correction = None
    if row == "mend":
        found = find_correction(context, request.GET) if sent is None else find_sent_correction(context, sent)
        if found is None:
            return {}
        correction = found
    named = request.GET.get("whose") or request.GET.get("combatant", "")
    whose = named if sent is None else sent.get("target", "")
    figures = _open_figures(context, row, whose, sent)
    if row == FIGURES and figures is None:
        return {}
    combatants = {one.id: one for one in table.everyone}
    changed = request.POST if request.POST.get("do") in OF_PLAYERS and not refused else None
    players = open_players(context, whose, combatants, changed) if row == PLAYERS else None
    if row == PLAYERS and players is None:
        return {}
    form = _find_row_form(request, context, table, kind=row, whose=whose)
    known = sent if sent else _find_now(context, row, whose)
    typed = {name: known.get(name, "")[:MAX_TYPED] for name in TYPED}
    typed["free_turns"] = sent.get("turns-free", "")[:MAX_TYPED] if sent else ""
    done = table.log[0].lines if request.POST.get("row") == WINDOW and not refused and table.log else ()
    said = tuple(line.text for line in done)
    mends = row == "mend" or "mends" in request.GET
    more = {
        "correction": correction,
        "mends": mends,
        "typed": typed,
        "is_refused": sent is not None,
        "said": said,
        "players": players,
    }
    return {"row": whose, "row_form": {**form, **more, "figures": figures}}


def _find_now(context: ViewerContext, row: str, whose: str) -> dict[str, str]:
    """What the form of a row opens with: where someone stands and acts, and their size."""
    state = context.known_state
    if (one := state.combatants.get(whose)) is None:
        return {}
    if row == "place" and (zone := find_zone(state.scene, one.at)):
        return {"zone": zone.id}
    if row == "reorder" and whose in state.order[1:]:
        return {"after": state.order[state.order.index(whose) - 1]}
    return {"metres": f"{meters_of(one):g}"} if row == "resize" else {}


def _open_figures(context: ViewerContext, row: str, whose: str, sent: QueryDict | None) -> FiguresView | None:
    """The figures of the one whose form is open, with what was typed if it was refused."""
    typed = {name: word[:MAX_WORDS] for name, word in read_typed(sent).items()} if sent else {}
    return open_figures(context, whose, typed) if row == FIGURES else None


def _find_row_form(
    request: HttpRequest, context: ViewerContext, table: TableView, kind: str, whose: str
) -> dict[str, Any]:
    """The form that is open in a combatant's row, and what it offers."""
    characters, combatants = context.system.characters, context.known_state.combatants
    combatant = combatants.get(whose)
    tracks, shared = characters.find_tracks(combatant) if combatant else (), characters.shared_track
    chosen = request.POST.get("track", request.GET.get("track", ""))[:MAX_LENGTH]
    track = chosen or next((one.key for one in (shared, *tracks) if one), "")
    return {
        "kind": kind,
        "tracks": tracks,
        "track": chosen,
        "reads": say_how_to_type(context.system, {"track": track}),
        "zones": context.known_state.scene.zones,
        "conditions": tuple(_find_conditions(context, combatant, kind)),
        "own": _find_own(request, context) if kind == "condition" else None,
        "lasts": LASTS,
        "refills": tuple(REFILLS.items()),
        "people": table.everyone,
        "in_order": table.combatants,
        "faces": FACES if combatant and has_face(context.system, combatant) else (),
        "face": find_alias_face(context.full_state, combatant.id) if combatant else "",
    }


def _find_conditions(
    context: ViewerContext, combatant: Combatant | None, kind: str
) -> Iterator[dict[str, str]]:
    """What the GM can add, the usual ones first.

    The small window lists the GM's own with the game's, and none that someone has.
    """
    system, state = context.system, context.full_state
    held = {one.kind for one in combatant.conditions} if combatant and kind == WINDOW else set[str]()
    for one in system.characters.find_fitting(system.look.find_nature(combatant)) if combatant else ():
        if one.kind not in held:
            sign = system.kinds.of_condition(one.kind)
            yield {"kind": one.kind, "label": one.label, "text": one.text, "sign": sign}
    for own in state.all_own_conditions if kind == WINDOW else ():
        if own.id not in held:
            text = system.characters.own_conditions.describe(own)
            yield {"kind": own.id, "label": own.name, "text": text, "sign": own.sign}


def _find_own(request: HttpRequest, context: ViewerContext) -> OwnForm:
    """The form of the GM's own conditions, and those there are: in this fight, and others of the campaign."""
    state, campaign = context.full_state, context.find_campaign(CONDITION)
    here = {one.name.casefold() for one in state.all_own_conditions}
    of_campaign = find_kept_conditions(campaign, state.system) if campaign else []
    others = [one for one in of_campaign if one.name.casefold() not in here]
    own = find_own_condition(state, request.GET.get("own", "")) or NEW
    name = campaign.name if campaign else ""
    return view_form(context.system, state.all_own_conditions, own, others=others, campaign=name)


def find_open_parts(
    request: HttpRequest, context: ViewerContext, table: TableView, refused: Refused | None
) -> dict[str, Any]:
    """What is open on the page: an action's form, or a form in a combatant's row."""
    asked = request.POST if refused else request.GET
    do, combatant = asked.get("do", ""), asked.get("combatant", "")
    found = {} if table.viewer.is_spectator else _open_row(request, context, table, refused)
    found |= _open_planning(request, context, table)
    if "overrule" in request.GET and table.viewer.is_gm and not table.prompt:
        found["overruling"] = view_overruling(context, request.GET)
    typed = asked if refused and "mode" in asked else request.GET
    if ruling := open_ruling(context, typed, table.looks):
        found["ruling"] = ruling
    if "pass" in request.GET and table.viewer.is_gm and table.phase == "fight" and not table.prompt:
        found["passing"] = view_passing(context)
    action = context.system.actions.by_name.get(do)
    if action and action.who == "gm":
        return found | _open_gm_action(request, context, table, action=action, refused=refused)
    if context.known_state.phase == "prep" or table.turn is None or table.prompt:
        return found
    if do == "suggest":
        return found | _with_tiles(context, table, suggest(context, table.turn.combatant.id))
    actor = combatant or table.turn.combatant.id
    if action is None or not table.viewer.plays(actor) or actor not in context.known_state.combatants:
        return found
    problem = None if refused else _find_problem(context, action, actor)
    if problem and problem.code == "closed":
        raise problem
    opened = open_form(context, action, actor, asked=asked, refused=bool(refused))
    if problem and not (opened.odds_panel and opened.odds_panel.plans):
        raise problem
    return found | _with_tiles(context, table, {"open": opened})


def _open_planning(request: HttpRequest, context: ViewerContext, table: TableView) -> dict[str, Any]:
    """The form of a plan for a next turn, if the address asks for it."""
    if "plan" not in request.GET or table.prompt:
        return {}
    return {"planning": open_planning(context, request.GET, {one.id: one for one in table.everyone})}


def _with_tiles(context: ViewerContext, table: TableView, found: dict[str, Any]) -> dict[str, Any]:
    """What is open, its form with the faces of those whom it can name."""
    if opened := found.get("open"):
        put_tiles(context, opened.form, opened.actor, table.everyone, opened.chances or {})
    return found


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
    elsewhere = (context.system.actions.start, context.system.actions.advance)
    if table.prompt or table.gm_actions is None or action.name in elsewhere:
        return {}
    asked = request.POST if refused else request.GET
    opened = open_form(context, action, "", asked=asked, refused=bool(refused))
    return _with_tiles(context, table, {"open": opened})


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
    chances: dict[str, str] = {}
    try:
        action = context.system.action(request.GET.get("do", "")[:MAX_LENGTH])
        if action.who == "gm" and not context.viewer.is_gm:
            raise Http404("Only the GM can do that.")
        fields = read_known_fields(context, action, actor, request.GET, prefill=False)
        odds_panel = find_odds(context, action, fields)
        chances = count_chances(context, action, fields, odds_panel)
    except Refused as refused:
        odds_panel = refuse(refused.message)
    label = find_label(context.system, action, odds_panel) if action else "Roll"
    shown = {
        "odds_panel": odds_panel,
        "slug": context.system.slug,
        "brief": not context.viewer.is_gm,
        "roll_label": label,
        "chances": _list_chances(context, action, actor, chances),
        "typed_button": find_header(request, "X-Typed"),  # the button that the form on the page has
    }
    return render(request, "combat/forms/odds/odds_panel.html", shown)


def _list_chances(
    context: ViewerContext, action: Action | None, actor: str, chances: Mapping[str, str]
) -> tuple[tuple[str, str], ...]:
    """Each whom an action can name, with the chance that their face shows now; empty if there is none.

    A form on an old page may be that of someone who has left.
    """
    try:
        fields = action.find_fields(context.obscured_state, actor) if action else ()
    except Refused:
        return ()
    whom = next((field.options for field in fields if field.name == WHOM), ())
    return tuple((option.value, chances.get(option.value, "")) for option in whom)


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_points(request: HttpRequest, pk: int) -> HttpResponse:
    """What the points that the GM types would do to someone, before they are set; plain words."""
    context = find_context(request, pk)
    if not context.viewer.is_gm:
        raise PermissionDenied("Only the GM changes the health of others.")
    try:
        words = foresee_points(context.system, context.full_state, request.GET.dict())
    except Refused as refused:
        words = refused.message
    return HttpResponse(escape(words))


@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def pin_action(request: HttpRequest, pk: int) -> HttpResponse:
    """Change the viewer's usual actions: those of a sheet of theirs, else of all fights of this game."""
    context = find_context(request, pk)
    if request.method != "POST":
        return redirect("table", pk)
    check_takes_part(context.viewer)
    who = request.POST.get("combatant", "")
    query = f"?{urlencode({'combatant': who})}" if who in context.known_state.combatants else ""
    answer = HttpResponseRedirect(reverse("table", args=[pk]) + query, status=303)
    slug, sheet = context.encounter.system, find_own_sheet(context, who)
    do, _, named = request.POST.get("do", "").partition(":")
    names = [named] if named else request.POST.getlist("action")
    try:
        if sheet is None:
            keep_pins(answer, slug, order_pins(context.pins, slug, do, names))
        else:
            keep_bar(sheet.pk, slug, do, names)
    except Refused as refused:
        messages.warning(request, refused.message)
    return answer


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_portrait(request: HttpRequest, pk: int, digest: str) -> HttpResponse:
    """A portrait by its digest, if a combatant that the viewer may see has it now."""
    context = find_context(request, pk)
    kept = find_kept(context.encounter, present(context.known_state)).values()
    return answer_portrait(next((sheet for sheet in kept if sheet.portrait == digest), None), digest)
