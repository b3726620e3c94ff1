"""The end of a fight: for spectators how it went and who stands, for a player how it went for them.

The GM reads who stands, who does not, and whom first aid can still help.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import urlencode

from django.db.models import Count, Max, Min, Q, QuerySet
from msgspec.structs import replace

from combat.audience.things import NOTE, NPC
from combat.display.forms.helping import find_dying, find_help, find_help_after
from combat.display.map.scene import view_line
from combat.display.shapes.kin import gather
from combat.display.shapes.result_shapes import Ending, Finish, MyEnd, Someone, Urgent
from combat.display.shapes.table_shapes import CombatantView
from combat.models import StoredStep
from combat.play.campaigns.prisoners import find_prisoners
from combat.rules.core.declaration.system import System
from combat.rules.core.sides import count_sides, find_able, find_outcome
from combat.rules.core.state import events as e
from combat.rules.core.state.history import COMMAND
from combat.rules.core.state.state import CLOSED, State, is_played, present
from combat.sharing.viewer_context import ViewerContext

MAX_STANDING, MAX_OUT = 6, 5  # of a projector, one by one
MAX_LISTED = 12  # of the GM, one by one


def find_title(system: System, state: State) -> str:
    """How a fight went for the heroes, else for those whom people play, as a viewer knows it; or who won."""
    outcome = find_outcome(system, state, state.combatants)
    standing, beaten = set(outcome.standing), set(outcome.beaten)
    played = [one for one in present(state) if is_played(state, one)]
    heroes = {one.side for one in played if one.pc} or {one.side for one in played}
    heroes &= standing | beaten
    if heroes and not heroes & standing:
        return "Defeat"
    if heroes and heroes >= standing and (beaten - heroes or heroes == {outcome.winner}):
        return "Victory"
    return f"The {outcome.winner} won" if outcome.winner else "The fight is over"


def view_someone(one: CombatantView) -> Someone:
    """A combatant as a moment shows them."""
    look = replace(one.look, active=False, down=False)
    return Someone(one.full_name, look, one.health, chips=one.chips, played=one.played, given_up=one.given_up)


def view_ending(context: ViewerContext, combatants: Iterable[CombatantView], elapsed: str) -> Ending | None:
    """The end of a fight for spectators, None before it; `elapsed` is the time in the game. One query."""
    state = context.known_state
    if not context.viewer.is_spectator or state.phase != "over":
        return None
    able = {one.id for one in find_able(context.system, state)}
    people = sorted(combatants, key=lambda one: not one.played)
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
    kept = _gather(standing, MAX_STANDING), _gather(out, MAX_OUT)
    return Ending(title, *kept, numbers, context.encounter.name)


def _gather(people: list[Someone], most: int) -> tuple[Someone, ...]:
    """These people one by one if they are few, else their namesakes as one."""
    return gather(people) if len(people) > most else tuple(people)


def view_finish(context: ViewerContext, combatants: Mapping[str, CombatantView]) -> Finish | None:
    """The end for the GM, with all who stand and who are out; None before it, for others and in downtime."""
    state = context.full_state
    if not context.viewer.is_gm or state.phase != "over" or context.encounter.downtime:
        return None
    standing, out = (
        [replace(view_someone(one), id=one.id) for one in people]
        for people in find_ended(context, combatants.values())
    )
    most = 0 if len(standing) + len(out) > MAX_LISTED else MAX_LISTED
    sides = tuple(count_sides(context.system, state))
    title, closed = find_title(context.system, state), CLOSED in state.marks
    urgent = () if closed else tuple(_find_hurt(context, combatants))
    keeps = not closed and _can_keep(context)
    return Finish(
        title,
        context.encounter.name,
        _gather(standing, most),
        _gather(out, most),
        able=len(standing),
        fallen=len(out),
        sides=sides,
        urgent=urgent,
        closed=closed,
        keeps=keeps,
    )


def _can_keep(context: ViewerContext) -> bool:
    """Whether closing can keep something besides sheets: a recap in a campaign's notes, or prisoners."""
    has_notes = context.find_campaign_id(NOTE) is not None
    return has_notes or (context.may_name(NPC) and bool(find_prisoners(context.full_state)))


def find_ended(
    context: ViewerContext, combatants: Iterable[CombatantView]
) -> tuple[list[CombatantView], list[CombatantView]]:
    """Who stands at the end of a fight, and who is out, as the GM knows it; those whom people play first."""
    able = {one.id for one in find_able(context.system, context.full_state)}
    people = sorted(combatants, key=lambda one: not one.played)
    out = [one for one in people if one.id not in able and (one.is_out or one.given_up)]
    return [one for one in people if one.id in able], out


def _find_hurt(context: ViewerContext, combatants: Mapping[str, CombatantView]) -> Iterator[Urgent]:
    """Those hurt on the players' side whom first aid can help, each with its best helper and chance."""
    for one in find_help_after(context.system, context.full_state):
        if one.friend.id in combatants:
            label = f"First aid by {one.helper.name} · {one.chance}%"
            query = urlencode({"do": one.action, **one.fields})
            yield Urgent(view_someone(combatants[one.friend.id]), "", label, query)


def find_doer(facts: Iterable[e.Event], who: str) -> str:
    """Who did something to someone, as far as these facts say."""
    for event in facts:
        if isinstance(event, e.Checked) and event.target == who:
            return event.who
        if isinstance(event, e.TrackChanged) and event.who == who and event.by:
            return event.by
    return ""


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
