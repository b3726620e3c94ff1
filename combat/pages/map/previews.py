"""What the map requests before something is done: areas of actions, paths, sight lines, distances."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from combat.audience.map_fog import find_known_runs
from combat.audience.rights import check_takes_part
from combat.audience.secrecy import mask_names
from combat.display.forms.blast import find_grid, find_people, view_people
from combat.display.forms.foe_card import FoeWays, find_foe_ways
from combat.display.forms.planned import find_ways_to
from combat.display.map.scene import measure, view_line, view_lines
from combat.display.plane.plotting import outline_pieces
from combat.display.shapes.scene_shapes import WHO
from combat.live import hub
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_decimal
from combat.rules.core.commands.commands import Action, read_command
from combat.rules.core.odds.deck_moves import BY_WAY
from combat.rules.core.space import Point
from combat.rules.core.space.decks import DOWN, UP
from combat.rules.core.space.grid import Grid
from combat.rules.core.space.plane import Spot, plot, split_place
from combat.rules.core.space.rays.area_shapes import Shape, draw_shape
from combat.rules.core.state.state import is_acting
from combat.sharing.access import find_context, for_visitors
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.errors import TOO_MANY, UNPROCESSABLE
from cosmos_site.base.forms import see_other

from ..table.planned_view import may_plan
from ..table.rows import add_sheets, view_known
from ..table.submissions import MAX_LENGTH, check_plays, find_halt, read_known_fields
from .paths import find_consequences, find_paths, price_ways, tell_deck_move

PAUSE_SECONDS = 2  # until the same person may point again
FARTHEST = 10_000  # meters
NO_PLACE = "A place is two numbers of meters, such as 9, 5."
EVERYBODY = ("gm", "seat", "public")  # the kinds of pages that can show it


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_area(request: HttpRequest, pk: int) -> JsonResponse:
    """The shapes of an action as its form stands, and who is inside them, allies first."""
    context = find_context(request, pk)
    actor = request.GET.get("combatant", "")
    try:
        action = context.system.action(request.GET.get("do", "")[:MAX_LENGTH])
        check_asker(context, action, actor)
        found = find_area(context, action, read_known_fields(context, action, actor, request.GET))
    except Refused as refused:
        found = refuse(refused.message)
    return JsonResponse(found)


def check_asker(context: ViewerContext, action: Action, actor: str) -> None:
    """Raise unless the viewer could do the action: the GM for the GM's own, else who plays the combatant."""
    if action.find_area is None:
        raise Http404("That action covers no area.")
    if action.who == "gm":
        if not context.viewer.is_gm:
            raise Http404("Only the GM can do that.")
    else:
        check_plays(context, actor)


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_paths(request: HttpRequest, pk: int) -> JsonResponse:
    """The places a combatant can go to now; with `do` and `to`, the consequences of that path.

    With `across`, a spot on another deck, it is the whole move to that spot; with "up" or "down" to the end
    of the way to the next deck. With `ways` it is only the length of the move by each way of their deck.
    """
    return answer_paths(request, find_context(request, pk))


def answer_across(context: ViewerContext, actor: str, across: str) -> JsonResponse:
    """A whole move to another deck; where no way leads there, the reason."""
    try:
        is_named = across in (UP, DOWN) or across.startswith(BY_WAY)
        goal = across[:MAX_LENGTH] if is_named else Point(*read_spot(across))
    except Refused as refused:
        return JsonResponse({"refused": refused.message}, status=UNPROCESSABLE)
    return JsonResponse(tell_deck_move(context, actor, goal))


def answer_paths(request: HttpRequest, context: ViewerContext) -> JsonResponse:
    """The same for any table, such as a branch's."""
    actor = request.GET.get("combatant", "")
    check_plays(context, actor)
    if halt := find_halt(context):
        return refuse_paths(halt)
    if "ways" in request.GET:
        return JsonResponse({"ways": price_ways(context, actor)})
    if "across" in request.GET:
        return answer_across(context, actor, request.GET["across"])
    if "do" not in request.GET:
        found = find_paths(context, actor)
    else:
        try:
            action = context.system.action(request.GET["do"][:MAX_LENGTH])
            if not action.leads_there:
                raise Http404("That action leads nowhere.")
            found = find_consequences(context, action, read_known_fields(context, action, actor, request.GET))
        except Refused as refused:
            found = {"words": [], "provokes": [], "refused": refused.message}
    return JsonResponse(found)


def refuse_paths(why: str) -> JsonResponse:
    """The answer while nobody can go anywhere, and why."""
    return JsonResponse({"moves": [], "places": [], "words": [], "provokes": [], "refused": why})


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_lines(request: HttpRequest, pk: int) -> JsonResponse:
    """The lines of sight of a combatant in words, and the rings of its weapons, in meters of the map."""
    context = find_context(request, pk)
    actor = request.GET.get("combatant", "")
    check_plays(context, actor)
    return JsonResponse(view_lines(context, actor))


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_foe(request: HttpRequest, pk: int) -> HttpResponse:
    """The card of a `target`: how they are, how far, their cover; in one's turn, how to attack an enemy.

    Before it, a player plans the attack for that turn. `weapon` is the one that is chosen.
    """
    context = find_context(request, pk)
    actor, target = request.GET.get("combatant", ""), request.GET.get("target", "")
    check_plays(context, actor)
    system, state = context.system, context.obscured_state
    rows = add_sheets(context, view_known(context))
    if target not in rows:
        raise Http404("Nobody you know of.")
    is_foe = state[actor].side != state[target].side
    may_attack, plans = is_foe and is_acting(state, actor), is_foe and may_plan(context, actor)
    halt = find_halt(context) if may_attack else ""
    weapon = request.GET.get("weapon", "")[:MAX_LENGTH]
    found = FoeWays(refused=halt)
    if may_attack and not halt:
        found = find_foe_ways(context, actor, target, weapon)
    elif plans and not rows[target].is_out:
        found = find_ways_to(context, actor, target, weapon)
    way = found.chosen
    shown = {
        "plans": plans,
        "one": rows[target],
        "line": view_line(system, state, state[actor], state[target]),
        "ways": found.ways,
        "way": way,
        "fields": json.dumps(way.plans(actor) if plans else way.sends(actor)) if way else "",
        "options": way.asks(actor) if way and not plans else "",
        "is_gm": context.viewer.is_gm,
        "refused": found.refused,
    }
    return render(request, "combat/map/pointing/foe_card.html", shown)


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_distance(request: HttpRequest, pk: int) -> HttpResponse:
    """The distance `from` one place `to` another, as the game counts it; 422 for anything else."""
    return answer_distance(request, find_context(request, pk), see_other("table", pk))


def answer_distance(request: HttpRequest, context: ViewerContext, page: HttpResponse) -> HttpResponse:
    """The distance as data; a form sent without a script is redirected to its `page`, which says it."""
    try:
        start, end = (find_spot(context, request.GET.get(name, "")) for name in ("from", "to"))
    except Refused as refused:
        return JsonResponse({"refused": refused.message}, status=UNPROCESSABLE)
    found = measure(context, start, end)
    if "text/html" in request.headers.get("Accept", ""):
        messages.info(request, f"Measured: {found['words']}.")
        return page
    return JsonResponse(found)


def find_area(context: ViewerContext, action: Action, fields: dict[str, Any]) -> dict[str, Any]:
    """The shapes of an action as paths in meters, and who is inside, allies first; or why it is refused."""
    state = context.obscured_state
    try:
        command = read_command(action, fields, state)
        shapes = action.find_area(state, command) if action.find_area else ()
        caught = find_people(context, state, action, command, shapes)
    except Refused as refused:
        return refuse(mask_names(refused.message, context.secret_names))
    drawn = [_view_shape(shape, find_grid(context, state)) for shape in shapes]
    return {
        "shapes": drawn,
        "inside": caught,
        "words": view_people(caught).words if shapes else "",
        "refused": "",
    }


def refuse(message: str) -> dict[str, Any]:
    """An answer without an area, with the reason."""
    return {"shapes": [], "inside": [], "words": "", "refused": message}


def _view_shape(shape: Shape, grid: Grid) -> dict[str, Any]:
    x, y = grid.plot(shape.at)
    return {
        "kind": shape.kind,
        "path": outline_pieces(shape.pieces) if shape.pieces else draw_shape(shape, grid),
        "x": round(x, 2),
        "y": round(y, 2),
        "metres": shape.meters,
        "inner": shape.inner,
    }


# Pointing at a place of the map: every open page shows it for a moment; nothing is stored.


@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def point_out(request: HttpRequest, pk: int) -> HttpResponse:
    """Point at x, y in meters of the picture. 403 for spectators, 422 for no place, 429 for too many."""
    context = find_context(request, pk)
    if request.method != "POST":
        return redirect("table", pk)
    check_takes_part(context.viewer)
    try:
        x, y = _read_place(request, context)
    except Refused as refused:
        return JsonResponse({"refused": refused.message}, status=UNPROCESSABLE)
    if not cache.add(f"point:{pk}:{context.asker}".replace(" ", "-"), 1, PAUSE_SECONDS):
        return JsonResponse(
            {"refused": "You have just pinged: wait a moment."},
            status=TOO_MANY,
            headers={"Retry-After": str(PAUSE_SECONDS)},
        )
    point = {"x": x, "y": y, "name": "GM" if context.seat is None else context.seat.name}
    hub.point(pk, _find_kinds(context, x, y), point)
    wants_page = "text/html" in request.headers.get("Accept", "")  # a form sent without a script
    return see_other("table", pk) if wants_page else JsonResponse(point)


def _read_place(request: HttpRequest, context: ViewerContext) -> Spot:
    """The posted place: x and y, or an item of a list."""
    if "place" in request.POST:
        return find_spot(context, request.POST["place"])
    return read_meters(request.POST.get("x", "")), read_meters(request.POST.get("y", ""))


def find_spot(context: ViewerContext, words: str) -> Spot:
    """The place of an item in a list of places: coordinates, or a combatant that the viewer knows of."""
    if not words.startswith(WHO):
        return read_spot(words)
    found = context.known_state.combatants.get(words.removeprefix(WHO))
    if found is None or found.gone:
        raise Refused("unknown", "That combatant isn't on the map now: choose another place.")
    return plot(found.at.x, found.at.y, context.system.space.has_hexes(context.known_state))


def read_spot(words: str) -> Spot:
    """A place from two coordinates with a comma or a space between them; Refused for anything else."""
    numbers = split_place(words[:50])
    if len(numbers) != 2:
        raise Refused("bad_value", NO_PLACE)
    return read_meters(numbers[0]), read_meters(numbers[1])


def read_meters(word: str) -> float:
    """A coordinate of a place, rounded to centimetres; Refused for anything else."""
    meters = read_decimal(word[:20])
    if meters is None or not abs(meters) <= FARTHEST:
        raise Refused("bad_value", NO_PLACE)
    return round(meters, 2)


def _find_kinds(context: ViewerContext, x: float, y: float) -> tuple[str, ...]:
    """The kinds of pages that show a point: only the GM's of what not all players know, or of a closed fight.

    Players point only at what they know, so their points are always shown: leaving one out would tell more.
    """
    if context.encounter.closed:
        return ("gm",)
    is_shown = not context.viewer.is_gm or find_known_runs(context.full_state, [(x, y)])
    return EVERYBODY if is_shown else ("gm",)
