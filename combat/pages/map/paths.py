"""Where someone can go now, for the pointer: every place with its cost, and what a path would provoke.

Everything comes from the game's own functions, run on what the viewer knows.
"""

from __future__ import annotations

from typing import Any

from combat.audience.secrecy import mask_names
from combat.display.combatants.tokens import name_people
from combat.display.forms.reactions import say_plan_reaction, say_reaction
from combat.display.log_view import names_of
from combat.display.map.scene import WayOut, find_way_out, offer_plan
from combat.display.plane.land import list_marks
from combat.rules.core.basics.dice.requests import ChoiceRequest, Request
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, find_refusal, read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import ReplayDriver, Waiting, describe_spending, run, spending_of
from combat.rules.core.gm.ways import find_all_trips
from combat.rules.core.odds.deck_moves import BY_WAY, UNSEEN_END, Barred, foresee_across
from combat.rules.core.odds.planner import (
    MOVE,
    Plan,
    find_moves,
    find_opening,
    find_upright_plan,
    find_usual_move,
    say_part,
    say_price,
)
from combat.rules.core.space import Point, find_zone, map_of, plan_distance, plot
from combat.rules.core.space.decks import find_deck
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, present
from combat.rules.core.wording import describe_facts
from combat.sharing.viewer_context import ViewerContext

MAX_PLACES = 3000
MAX_PRICED = 6  # ways of a deck that have their price on the map
NEAR_M = 12.0  # the meters from the end of a move to a deck within which an enemy is named
NOWHERE = "No place of the map is in reach: choose a zone beside it."
CRAWL = "Crawl"
BARE = "Nothing is drawn here: choose Move, and type where to go."


def find_paths(context: ViewerContext, actor: str) -> dict[str, Any]:
    """The places that someone can go to, each by the first action that leads there.

    Each is its x and y, where it is drawn, its cost in meters, the number of its action, the side of its
    square, and the number of the last turn of its path, −1 for a straight path. Actions that cover an area
    are left out. `most` of an action is its limit: cost plus what is left.
    """
    system, state = context.system, context.obscured_state
    hexes = system.space.has_hexes(state)
    moves: list[dict[str, Any]] = []
    places: dict[tuple[float, float], list[Any]] = {}
    turns = Turns(hexes)
    for action in find_moves(system):
        if find_refusal(action, state, actor):
            continue
        reach = action.find_reach(state, actor) if action.find_reach else ()
        if not reach:
            continue
        most = max(one.meters + one.left for one in reach)
        moves.append({"do": action.name, "label": action.label, "most": round(most, 1)})
        for one in reach[:MAX_PLACES]:
            key = (one.at.x, one.at.y)
            drawn = [round(number, 2) for number in plot(*key, hexes)]
            if key not in places:
                cost, last = round(one.meters, 1), turns.add(one.turns)
                places[key] = [*key, *drawn, cost, len(moves) - 1, one.side, last]
    nowhere = NOWHERE if state.scene.zones or map_of(state.scene) else BARE
    first = find_usual_move(system, state, actor)
    problem = "" if moves else _find_reason(system, state, actor) or nowhere
    return {
        "moves": moves,
        "first": first[0].name if first else "",
        "places": list(places.values()),
        "turns": turns.told,
        "unit": system.space.unit,
        "refused": problem,
    }


def _find_reason(system: System, state: State, actor: str) -> str:
    """Why nobody gets anywhere; empty if what is open to them only leads to no place of the map."""
    usual = find_usual_move(system, state, actor)
    reason = usual[1] if usual else None
    if reason is None and not state[actor].inside and MOVE in system.actions.by_name:
        reason = find_refusal(system.action(MOVE), state, actor)
    return reason.message if reason else ""


class Turns:
    """The turns of paths, each listed once: where it is drawn, and the number of the turn before it.

    Paths round one corner share their beginning, so a place needs only the number of its last turn.
    """

    def __init__(self, hexes: bool) -> None:
        self.hexes = hexes
        self.told: list[list[float]] = []
        self.numbers: dict[tuple[int, Point], int] = {}

    def add(self, turns: tuple[Point, ...]) -> int:
        """The number of the last of these turns; −1 for none."""
        last = -1
        for turn in turns:
            key = (last, turn)
            if key not in self.numbers:
                self.numbers[key] = len(self.told)
                self.told.append([*(round(n, 2) for n in plot(turn.x, turn.y, self.hexes)), last])
            last = self.numbers[key]
        return last


def find_consequences(context: ViewerContext, action: Action, fields: dict[str, Any]) -> dict[str, Any]:
    """What a path would do, in words, its course, and whom it provokes; or why it is refused."""
    system, state = context.system, context.obscured_state
    try:
        command = read_command(action, fields, state)
        done = run(system, state, action, command=command, driver=ReplayDriver())
    except Refused as refused:
        message = mask_names(refused.message, context.secret_names)
        out = None
        if action.leads_there:
            who, to = str(fields.get("actor", "")), str(fields.get("to", ""))
            out = find_way_out(system, state, who, to, say_plan_reaction)
        why = out.words if out and out.words else message
        place, hexes = _say_place(context, str(fields.get("to", "")))[0], system.space.has_hexes(state)
        place = place or action.label
        return {"words": [], "provokes": [], "refused": why, "place": place, **_write_out(out, hexes)}
    facts = context.viewer.select(done.facts)
    price = describe_spending(system, spending_of(system, state, action, command))
    lines = describe_facts(system, facts, names_of(state))
    asked = done.requests if isinstance(done, Waiting) else ()
    provoked = [_say(context, one) for one in asked]
    words = [line.text for line in lines]
    place, note = _say_place(context, str(fields.get("to", "")))
    return {
        "words": words,
        "place": place,
        "note": note,
        "way": [] if asked else _draw_way(context, facts, command.actor),
        "provokes": provoked,
        "reaction": say_reaction(system, state, action, command, asked),
        "refused": "",
        "price": price,
        **_offer_upright(context, action, fields),
    }


def _offer_upright(context: ViewerContext, action: Action, fields: dict[str, Any]) -> dict[str, Any]:
    """To stand up before a move, for someone who would crawl."""
    system, state = context.system, context.obscured_state
    plan = find_upright_plan(system, state, action, fields)
    if plan is None:
        return {}
    offer = offer_plan(system, plan, reaction=say_plan_reaction(system, plan))
    out = _write_out(offer, system.space.has_hexes(state))
    return {"label": CRAWL, "upright": out["out"]}


def _find_cover(context: ViewerContext, actor: str, refused: Refused) -> WayOut | None:
    """What opens the way that stops a move to another deck, if it is within reach."""
    if not isinstance(refused, Barred):
        return None
    opening = find_opening(context.system, context.obscured_state, actor, refused.way.id)
    if opening is None:
        return None
    fields = {"do": opening.name, "combatant": actor, **opening.fields}
    return WayOut(refused.message, opening.label, tuple(fields.items()))


def _write_out(out: WayOut | None, hexes: bool) -> dict[str, Any]:
    """What the card of a refused move offers."""
    if out is None or not out.label:
        return {}
    told = {"label": out.label, "price": out.price, "fields": dict(out.fields), "note": out.note}
    told |= {"reaction": out.reaction} if out.reaction else {}
    parts = out.parts if len(out.parts) > 1 else ()
    courses = [[[round(n, 2) for n in plot(at.x, at.y, hexes)] for at in one] for one in out.courses]
    return {"out": {**told, "parts": parts, "courses": courses}}


def _say_place(context: ViewerContext, to: str) -> tuple[str, str]:
    """The name of the zone at a place such as "4,7", and what matters there; both empty outside of zones."""
    try:
        x, y = map(float, to.split(","))
    except ValueError:
        return "", ""
    scene = context.obscured_state.scene
    zone = find_zone(scene, Point(x, y))
    if zone is None:
        return "", ""
    return zone.name, ", ".join(words for _, words in list_marks(context.system, scene, zone))


def _draw_way(context: ViewerContext, facts: list[e.Fact], actor: str) -> list[list[float]]:
    """The course of someone's move as drawn; empty if they do not move yet."""
    moves = (fact.event for fact in facts if isinstance(fact.event, e.Moved))
    paths = (event.path for event in moves if event.who == actor)
    hexes = context.system.space.has_hexes(context.known_state)
    return [[round(n, 2) for n in plot(at.x, at.y, hexes)] for at in next(paths, ())]


def _say(context: ViewerContext, request: Request) -> str:
    """A question or a roll that a path leads to, with who is asked."""
    who = name_people(context.known_state, request.people) or "The GM"
    if isinstance(request, ChoiceRequest):
        return f"{who}: {mask_names(request.question, context.secret_names)}"
    words = context.system.draw(request.why, names_of(context.known_state))
    return f"{who} rolls: {mask_names(words, context.secret_names)}"


# ---------------------------------------------------------------- to another deck


def _find_beyond(move: Plan, actor: str) -> tuple[float, str]:
    """Who of another side is nearest to the end of a move, as far as the viewer knows: how far, and the name.

    The name is empty if nobody is near.
    """
    state = move.after
    me, decks = state[actor], map_of(state.scene).decks
    here = find_deck(decks, me.at.x, me.at.y)
    near = [
        (plan_distance(me.at, one.at), one.name)
        for one in present(state)
        if one.side != me.side and find_deck(decks, one.at.x, one.at.y) == here
    ]
    far, name = min(near, default=(NEAR_M, ""))
    return (far, name) if far < NEAR_M else (far, "")


def _say_beyond(context: ViewerContext, move: Plan, actor: str) -> list[str]:
    """The same as a sentence of the move's card."""
    far, name = _find_beyond(move, actor)
    return [f"You arrive {far:.3g} {context.system.space.unit} from {name}."] if name else []


def price_ways(context: ViewerContext, actor: str) -> dict[str, str]:
    """What the map writes at each way of someone's deck: the length of the whole move, and who waits beyond.

    Ways that this turn does not lead through are left out, as are those past the first `MAX_PRICED`.
    """
    state = context.obscured_state
    if actor not in state.combatants:
        return {}
    ways = [trip.way.id for trip in find_all_trips(state, state[actor].at)][:MAX_PRICED]
    priced = ((way, _price_way(context, actor, way)) for way in ways)
    return {way: words for way, words in priced if words}


def _price_way(context: ViewerContext, actor: str, way: str) -> str:
    try:
        move = foresee_across(context.system, context.obscured_state, actor, BY_WAY + way)
    except Refused:
        return ""
    if move.stopped:
        return ""
    name = "" if move.blind else _find_beyond(move, actor)[1]
    length = f"{move.meters:g} {context.system.space.unit}" if move.meters else ""
    return " · ".join(words for words in (length, name) if words)


def tell_deck_move(context: ViewerContext, actor: str, across: Point | str) -> dict[str, Any]:
    """A move to another deck as its card tells it: parts, sum, what it takes, and why it ends early.

    `across` is a spot there, "up" or "down" to the next deck, or a way; `goal` names it in the form.
    """
    system, state = context.system, context.obscured_state
    hexes = system.space.has_hexes(state)
    try:
        move = foresee_across(system, state, actor, across)
    except Refused as refused:
        message = mask_names(refused.message, context.secret_names)
        return {"refused": message, **_write_out(_find_cover(context, actor, refused), hexes)}
    unit = system.space.unit
    parts = [say_part(system, part) for part in move.parts]
    now, then = state[actor].budget, move.after[actor].budget
    pools = [(pool.label, now.get(pool.key, 0) - then.get(pool.key, 0)) for pool in system.turn.pools]
    spent = ", ".join(f"{label} {number}" for label, number in pools if number > 0)
    away = f"{move.meters:g} {unit} to it" if move.meters else "You stand beside it"
    whole = away if move.blind else f"In all {move.meters:g} {unit}"
    whole += f" ({spent})" if spent else ""
    notes = [mask_names(move.stopped, context.secret_names)] if move.stopped else []
    notes += [f"{_say(context, one)} Then choose the rest." for one in move.asked]
    notes += [reaction] if (reaction := say_plan_reaction(system, move)) else []
    notes += [UNSEEN_END] if move.blind else []
    notes += _say_beyond(context, move, actor) if not move.blind else []
    end = move.after[actor].at
    to = across if isinstance(across, Point) else end
    place = "" if move.blind else _say_place(context, f"{to.x:g},{to.y:g}")[0]
    return {
        "head": place or "Another deck",
        "parts": parts,
        "prices": [say_price(system, (part,)) for part in move.parts],
        "whole": whole,
        "notes": notes,
        "label": move.parts[-1].label if move.is_over or move.blind else f"Go there: {move.meters:g} {unit}",
        "to": [to.x, to.y],
        "goal": f"{across.x:g},{across.y:g}" if isinstance(across, Point) else across,
        "courses": [[[round(at.x, 2), round(at.y, 2)] for at in part.course] for part in move.parts],
        "refused": "",
    }
