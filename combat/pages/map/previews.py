"""What the map requests before something is done: areas of actions, paths, sight lines, distances."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from combat.audience.secrecy import mask_names
from combat.display.combatants.namesakes import name_fully
from combat.display.forms.usual_odds import FoeOdds, find_foe_odds
from combat.display.map.sight_lines import measure, view_line, view_lines
from combat.display.plane.plotting import outline_pieces
from combat.play.deck_moves import find_next_deck
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, Command, read_command
from combat.rules.core.map.bodies import body_of
from combat.rules.core.space import Point, map_of
from combat.rules.core.space.grid import Grid, make_grid
from combat.rules.core.space.rays.area_shapes import Shape, draw_shape, is_inside
from combat.rules.core.state.state import State, is_acting, present
from combat.sharing.access import find_context, for_visitors
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.errors import UNPROCESSABLE
from cosmos_site.base.forms import see_other

from ..table.rows import add_sheets, view_known
from ..table.submissions import MAX_LENGTH, check_plays, read_known_fields
from .paths import find_consequences, find_paths, tell_deck_move
from .points import find_spot, read_spot

UP, DOWN = "up", "down"  # to the next deck


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
    of the way to the next deck.
    """
    return answer_paths(request, find_context(request, pk))


def answer_across(context: ViewerContext, actor: str, across: str) -> JsonResponse:
    """A whole move to another deck; where no way leads there, the reason."""
    try:
        goal = None if across in (UP, DOWN) else Point(*read_spot(across))
    except Refused as refused:
        return JsonResponse({"refused": refused.message}, status=UNPROCESSABLE)
    try:
        goal = goal or find_next_deck(context.obscured_state, actor, across == UP)
    except Refused as refused:
        return JsonResponse({"refused": refused.message})
    return JsonResponse(tell_deck_move(context, actor, goal))


def answer_paths(request: HttpRequest, context: ViewerContext) -> JsonResponse:
    """The same for any table, such as a branch's."""
    actor = request.GET.get("combatant", "")
    check_plays(context, actor)
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
    """The card of a `target`: how they are, how far, their cover; for a foe in one's turn, the chance."""
    context = find_context(request, pk)
    actor, target = request.GET.get("combatant", ""), request.GET.get("target", "")
    check_plays(context, actor)
    system, state = context.system, context.obscured_state
    rows = add_sheets(context, view_known(context))
    if target not in rows:
        raise Http404("Nobody you know of.")
    may_attack = state[actor].side != state[target].side and is_acting(state, actor)
    odds = find_foe_odds(system, state, actor, target) if may_attack else FoeOdds()
    shown = {
        "actor": actor,
        "one": rows[target],
        "line": view_line(system, state, state[actor], state[target]),
        "odds": odds,
        "is_gm": context.viewer.is_gm,
        "refused": mask_names(odds.refused, context.secret_names),
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
        caught = find_people(context, action, command, shapes)
    except Refused as refused:
        return refuse(mask_names(refused.message, context.secret_names))
    drawn = [_view_shape(shape, _find_grid(context, state)) for shape in shapes]
    return {"shapes": drawn, "inside": caught, "words": _say(caught) if shapes else "", "refused": ""}


def refuse(message: str) -> dict[str, Any]:
    """An answer without an area, with the reason."""
    return {"shapes": [], "inside": [], "words": "", "refused": message}


def _find_grid(context: ViewerContext, state: State) -> Grid:
    system = context.system
    return make_grid(map_of(state.scene), system.space.cell_meters, system.space.has_hexes(state))


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


def find_people(
    context: ViewerContext, action: Action, command: Command, shapes: tuple[Shape, ...]
) -> list[dict[str, Any]]:
    """Who is inside, by the rule itself; for harmless actions, who stands in the shapes."""
    state = context.obscured_state
    caught = action.find_caught(state, command) if action.find_caught else ()
    if not caught:
        grid, battle_map = _find_grid(context, state), map_of(state.scene)
        caught = tuple(
            combatant.id
            for combatant in present(state)
            if any(is_inside(shape, battle_map, grid, body_of(combatant)) for shape in shapes)
        )
    side = state[command.actor].side if command.actor else ""
    people = [_view_person(state, who, side) for who in caught if who in context.known_state.combatants]
    return sorted(people, key=lambda one: not one["ally"])


def _view_person(state: State, who: str, side: str) -> dict[str, Any]:
    return {"id": who, "name": name_fully(state, state[who]), "ally": state[who].side == side}


def _say(caught: list[dict[str, Any]]) -> str:
    """Who is inside, in words: allies first, since they matter most."""
    allies, others = (
        ", ".join(one["name"] for one in caught if one["ally"] == is_ally) for is_ally in (True, False)
    )
    parts = {"Allies in the blast": allies, "In the blast": others}
    return " ".join(f"{who}: {names}." for who, names in parts.items() if names) or "No one is in the blast."
