"""The end of a fight for spectators: how it went, who stands, who is out, and five numbers."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Count, Max, Min, Q, QuerySet
from msgspec.structs import replace

from combat.display.shapes.moment_shapes import Ending, Someone
from combat.display.shapes.table_shapes import CombatantView
from combat.models import StoredStep
from combat.rules.core.declaration.system import System
from combat.rules.core.people import find_able
from combat.rules.core.state.history import COMMAND
from combat.rules.core.state.state import State, present
from combat.sharing.viewer_context import ViewerContext

MAX_STANDING, MAX_OUT = 6, 5


def find_title(system: System, state: State) -> str:
    """How a fight went for the player characters, from what a viewer knows of it."""
    standing = {one.side for one in find_able(system, state)}
    heroes = {one.side for one in present(state) if one.pc}
    if standing and standing <= heroes:
        return "Victory"
    return "Defeat" if heroes and not standing & heroes else "The fight is over"


def view_someone(one: CombatantView) -> Someone:
    """A combatant as a moment shows them."""
    look = replace(one.look, active=False, down=False)
    return Someone(one.full_name, look, one.health, one.chips, one.pc, one.given_up)


def view_ending(context: ViewerContext, combatants: Iterable[CombatantView], elapsed: str) -> Ending | None:
    """The end of a fight for spectators, None before it; `elapsed` is the time in the game. One query."""
    state = context.known_state
    if not context.viewer.is_spectator or state.phase != "over":
        return None
    able = {one.id for one in find_able(context.system, state)}
    people = sorted(combatants, key=lambda one: not one.pc)
    standing = [view_someone(one) for one in people if one.id in able]
    out = [view_someone(one) for one in people if one.is_out or one.given_up]
    steps = context.encounter.log.filter(kind=COMMAND, struck=False, public=True, round__gt=0)
    seconds, rolls = measure_table(steps)
    numbers = (
        (str(state.round), "round" if state.round == 1 else "rounds"),
        (elapsed, "in the game"),
        (f"{max(1, round(seconds / 60))} min", "at the table"),
        (str(rolls), "roll" if rolls == 1 else "rolls"),
        (str(len(out)), "out"),
    )
    title = find_title(context.system, state)
    more, more_out = len(standing[MAX_STANDING:]), len(out[MAX_OUT:])
    kept = tuple(standing[:MAX_STANDING]), tuple(out[:MAX_OUT])
    return Ending(title, *kept, numbers, more, more_out, context.encounter.name)


def measure_table(steps: QuerySet[StoredStep]) -> tuple[int, int]:
    """The seconds from the first of these steps to the last, and how many of them have dice. One query."""
    times = {"first": Min("created"), "last": Max("created")}
    counted = steps.aggregate(rolls=Count("pk", filter=Q(dice=True)), **times)
    seconds = int((counted["last"] - counted["first"]).total_seconds()) if counted["first"] else 0
    return seconds, counted["rolls"]
