"""Where somebody can go now, for the pointer: every place with its cost, and what a way would provoke.

All of it is what the game's own functions say of what its viewer knows.
"""

from __future__ import annotations

from typing import Any

from combat.audience.secrecy import mask_names
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.requests import ChoiceRequest, Request
from combat.rules.core.commands.commands import Action, find_refusal, read_command
from combat.rules.core.engine.engine import ReplayDriver, Waiting, run
from combat.rules.core.wording import describe_facts
from combat.sharing.viewer_context import ViewerContext

from .log_view import names_of
from .plotting import plot

MAX_PLACES = 3000


def find_ways(context: ViewerContext, actor: str) -> dict[str, Any]:
    """The places that somebody can go to, each by the first action that leads there.

    Each is its x and y, where it is drawn, its cost in metres and the number of its action.
    """
    system, state = context.system, context.obscured_state
    hexes = system.has_hexes(state)
    moves: list[dict[str, Any]] = []
    places: dict[tuple[float, float], list[Any]] = {}
    refusals: list[str] = []
    for action in system.actions.values():
        if action.find_reach is None:
            continue
        if refused := find_refusal(action, state, actor):
            refusals.append(refused.message)
            continue
        reach = action.find_reach(state, actor)
        most = max((one.metres for one in reach), default=0.0)
        moves.append({"do": action.name, "label": action.label, "most": round(most, 1)})
        for one in reach[:MAX_PLACES]:
            key = (one.at.x, one.at.y)
            drawn = [round(number, 2) for number in plot(*key, hexes)]
            places.setdefault(key, [*key, *drawn, round(one.metres, 1), len(moves) - 1, one.side])
    problem = "" if moves else (refusals or ["Nobody moves on this map now."])[0]
    return {"moves": moves, "places": list(places.values()), "refused": problem}


def find_consequences(context: ViewerContext, action: Action, fields: dict[str, Any]) -> dict[str, Any]:
    """What a way would do, in words, and whom it provokes; or why it is not open."""
    system, state = context.system, context.obscured_state
    try:
        command = read_command(action, fields)
        done = run(system, state, action, command, ReplayDriver())
    except Refused as refused:
        return {"words": [], "provokes": [], "refused": mask_names(refused.message, context.secret_names)}
    lines = describe_facts(system, context.viewer.select(done.facts), names_of(state))
    asked = done.requests if isinstance(done, Waiting) else ()
    provoked = [_say(context, one) for one in asked]
    return {"words": [line.text for line in lines], "provokes": provoked, "refused": ""}


def _say(context: ViewerContext, request: Request) -> str:
    """A question or a roll that a way leads to, with whoever is asked."""
    known = context.known_state.combatants
    who = " or ".join(known[one].name for one in request.people if one in known) or "The GM"
    if isinstance(request, ChoiceRequest):
        return f"{who}: {mask_names(request.question, context.secret_names)}"
    words = context.system.draw(request.why, names_of(context.known_state))
    return f"{who} rolls: {mask_names(words, context.secret_names)}"
