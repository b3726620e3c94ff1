"""The end of a fight for a player: how it went for them, and who cannot wait."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import urlencode

from combat.display.forms.helping import find_dying, find_help
from combat.display.map.sight_lines import view_line
from combat.display.shapes.moment_shapes import MyEnd, Urgent
from combat.display.shapes.table_shapes import CombatantView
from combat.rules.core.people import find_able
from combat.sharing.viewer_context import ViewerContext

from .ending_view import view_someone


def view_my_end(context: ViewerContext, combatants: Mapping[str, CombatantView]) -> MyEnd | None:
    """The end for someone at a seat; None before it, and for all others."""
    state, viewer = context.known_state, context.viewer
    mine = [who for who in combatants if who in viewer.seats]
    if state.phase != "over" or not viewer.is_seated or not mine or context.encounter.downtime:
        return None
    standing, side = {one.side for one in find_able(context.system, state)}, state[mine[0]].side
    title = "You won" if standing == {side} else "You lost" if standing - {side} == standing != set() else ""
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
