"""Where someone can go now, for the pointer: every place with its cost, and what a path would provoke.

Everything comes from the game's own functions, run on what the viewer knows.
"""

from __future__ import annotations

from typing import Any

from combat.audience.secrecy import mask_names
from combat.display.combatants.namesakes import name_people
from combat.display.log_view import names_of
from combat.display.plane.land import list_marks
from combat.play.deck_moves import foresee_deck_move
from combat.rules.core.basics.dice.requests import ChoiceRequest, Request
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, find_refusal, read_command
from combat.rules.core.engine.engine import ReplayDriver, Waiting, run
from combat.rules.core.space import Point, find_zone, map_of, plot
from combat.rules.core.state import events as e
from combat.rules.core.wording import describe_facts
from combat.sharing.viewer_context import ViewerContext

MAX_PLACES = 3000
NOWHERE = "No place of the map is in reach: choose a zone beside it."
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
    refusals: list[str] = []
    turns = Turns(hexes)
    for action in system.actions.by_name.values():
        if not action.find_reach or not action.leads_there:
            continue
        if refused := find_refusal(action, state, actor):
            refusals.append(refused.message)
            continue
        reach = action.find_reach(state, actor)
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
    problem = "" if moves else (refusals or [nowhere])[0]
    return {
        "moves": moves,
        "places": list(places.values()),
        "turns": turns.told,
        "unit": system.space.unit,
        "refused": problem,
    }


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
        return {"words": [], "provokes": [], "refused": mask_names(refused.message, context.secret_names)}
    facts = context.viewer.select(done.facts)
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
        "refused": "",
    }


def _say_place(context: ViewerContext, to: str) -> tuple[str, str]:
    """The name of the zone at a place such as "4,7", and what matters there; both empty outside of zones."""
    try:
        x, y = map(float, to.split(","))
    except ValueError:
        return "", ""
    zone = find_zone(context.obscured_state.scene, Point(x, y))
    if zone is None:
        return "", ""
    return zone.name, ", ".join(words for _, words in list_marks(context.system, zone))


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


def tell_deck_move(context: ViewerContext, actor: str, goal: Point) -> dict[str, Any]:
    """A move to another deck as its card tells it: parts, sum, what it takes, and why it ends early."""
    system, state = context.system, context.obscured_state
    try:
        move = foresee_deck_move(system, state, actor, goal)
    except Refused as refused:
        return {"refused": mask_names(refused.message, context.secret_names)}
    unit = system.space.unit
    parts = [f"{leg.label} {leg.meters:g} {unit}" for leg in move.legs]
    now, then = state[actor].budget, move.after[actor].budget
    pools = [(pool.label, now.get(pool.key, 0) - then.get(pool.key, 0)) for pool in system.turn.pools]
    spent = ", ".join(f"{label} {number}" for label, number in pools if number > 0)
    whole = f"In all {move.meters:g} {unit}{f' ({spent})' if spent else ''}"
    notes = [mask_names(move.stopped, context.secret_names)] if move.stopped else []
    notes += [f"{_say(context, one)} Then choose the rest." for one in move.asked]
    return {
        "head": _say_place(context, f"{goal.x:g},{goal.y:g}")[0] or "Another deck",
        "parts": parts,
        "whole": whole,
        "notes": notes,
        "label": move.legs[-1].label if move.is_over else f"Go there: {move.meters:g} {unit}",
        "to": [goal.x, goal.y],
        "courses": [[[round(at.x, 2), round(at.y, 2)] for at in leg.course] for leg in move.legs],
        "refused": "",
    }
