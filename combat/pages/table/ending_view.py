"""The end of a fight: for spectators how it went and who stands, for a player how it went for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import urlencode

from django.db.models import Count, Max, Min, Q, QuerySet
from msgspec.structs import replace

from combat.display.forms.helping import find_dying, find_help
from combat.display.map.sight_lines import view_line
from combat.display.shapes.moment_shapes import Ending, Finish, MyEnd, Someone, Urgent
from combat.display.shapes.table_shapes import CombatantView
from combat.models import StoredStep
from combat.rules.core.declaration.system import System
from combat.rules.core.sides import count_sides, find_able, find_outcome
from combat.rules.core.state.history import COMMAND
from combat.rules.core.state.state import CLOSED, State, present
from combat.sharing.viewer_context import ViewerContext

MAX_STANDING, MAX_OUT = 6, 5


def find_title(system: System, state: State) -> str:
    """How a fight went for the player characters, as a viewer knows it; without a party, who won."""
    outcome = find_outcome(system, state, state.combatants)
    standing, beaten = set(outcome.standing), set(outcome.beaten)
    heroes = {one.side for one in present(state) if one.pc} & (standing | beaten)
    if heroes and not heroes & standing:
        return "Defeat"
    if heroes and heroes >= standing and (beaten - heroes or heroes == {outcome.winner}):
        return "Victory"
    return f"The {outcome.winner} won" if outcome.winner else "The fight is over"


def view_someone(one: CombatantView) -> Someone:
    """A combatant as a moment shows them."""
    look = replace(one.look, active=False, down=False)
    return Someone(one.full_name, look, one.health, chips=one.chips, pc=one.pc, given_up=one.given_up)


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


def view_finish(context: ViewerContext, combatants: Mapping[str, CombatantView]) -> Finish | None:
    """The end for the GM, with all who stand and who are out; None before it, for others and in downtime."""
    state = context.full_state
    if not context.viewer.is_gm or state.phase != "over" or context.encounter.downtime:
        return None
    able = {one.id for one in find_able(context.system, state)}
    people = sorted(combatants.values(), key=lambda one: not one.pc)
    standing = tuple(view_someone(one) for one in people if one.id in able)
    out = tuple(view_someone(one) for one in people if one.id not in able and (one.is_out or one.given_up))
    sides = tuple(count_sides(context.system, state))
    title, closed = find_title(context.system, state), CLOSED in state.marks
    return Finish(title, state.scene.name, standing, out, sides=sides, closed=closed)


def measure_table(steps: QuerySet[StoredStep]) -> tuple[int, int]:
    """The seconds from the first of these steps to the last, and how many of them have dice. One query."""
    times = {"first": Min("created"), "last": Max("created")}
    counted = steps.aggregate(rolls=Count("pk", filter=Q(dice=True)), **times)
    seconds = int((counted["last"] - counted["first"]).total_seconds()) if counted["first"] else 0
    return seconds, counted["rolls"]


def view_my_end(context: ViewerContext, combatants: Mapping[str, CombatantView]) -> MyEnd | None:
    """The end for someone at a seat; None before it, and for all others."""
    state, viewer = context.known_state, context.viewer
    mine = [who for who in combatants if who in viewer.seats]
    if state.phase != "over" or not viewer.is_seated or not mine or context.encounter.downtime:
        return None
    outcome, side = find_outcome(context.system, state, state.combatants), state[mine[0]].side
    lost = side in outcome.beaten and outcome.standing
    title = "You won" if outcome.winner == side else "You lost" if lost else ""
    urgent = tuple(_find_urgent(context, combatants, mine[0]))
    return MyEnd(title or "The fight is over", view_someone(combatants[mine[0]]), urgent)


def _find_urgent(
    context: ViewerContext, combatants: Mapping[str, CombatantView], me: str
) -> Iterator[Urgent]:
    """The dying friends of someone, those first whom they can help now."""
    system, state = context.system, context.known_state
    friends = [one for one in find_dying(system, state, me) if one.id in combatants]
    found = find_help(system, state, me) if friends else None
    for one in sorted(friends, key=lambda one: not found or found.friend.id != one.id):
        label = query = ""
        if found and found.friend.id == one.id:
            label = f"Help {combatants[one.id].name} · {found.chance}%"
            named = {"combatant": me, "do": found.action, "target": one.id, "to": found.to}
            query = urlencode({key: value for key, value in named.items() if value})
        far = view_line(system, state, state[me], one).far
        yield Urgent(view_someone(combatants[one.id]), far, label, query)
