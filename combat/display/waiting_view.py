"""What somebody at a seat wants to know until their turn: who acts, how long yet, what happened to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from combat.models import StoredStep
from combat.play.verification import read_step
from combat.rules.core.state import events as e
from combat.rules.core.state.history import COMMAND
from combat.rules.core.state.state import State, has_condition, is_acting
from combat.rules.core.wording import describe, gather
from combat.sharing.viewer_context import ViewerContext

from .log_view import names_of
from .shapes import FighterView, Waiting

MAX_LINES = 6
CHANGES = (e.TrackChanged, e.ConditionGained, e.ConditionEnded, e.ItemLost)


def view_waiting(
    context: ViewerContext, rows: Iterable[StoredStep], fighters: Mapping[str, FighterView]
) -> Waiting | None:
    """For somebody at a seat in a fight while none of theirs acts; `rows` are the newest steps first."""
    state, seats = context.known_state, context.viewer.seats
    mine = [who for who in fighters if who in seats]
    if not context.viewer.is_seated or not mine or state.phase != "fight":
        return None
    if any(is_acting(state, who) for who in mine):
        return None
    acting = [fighter.name for fighter in fighters.values() if fighter.active]
    turns = [count for who in mine if (count := count_turns(state, who)) is not None]
    lines = list(find_since(context, rows, set(mine)))[:MAX_LINES]
    kept = any(has_condition(state.combatants[who], *context.system.keeps_turn) for who in mine)
    return Waiting(" and ".join(acting), min(turns, default=None), tuple(reversed(lines)), kept)


def count_turns(state: State, who: str) -> int | None:
    """How many turns are before that of a fighter, the present one included; None without an order."""
    order = [one for one in state.order if one in state.combatants and not state.combatants[one].gone]
    if who not in order or state.active not in order:
        return None
    return (order.index(who) - order.index(state.active)) % len(order)


def find_since(context: ViewerContext, rows: Iterable[StoredStep], mine: set[str]) -> Iterator[str]:
    """What changed these combatants since their last turn began, the newest first."""
    names = names_of(context.known_state)
    for row in rows:
        if row.kind != COMMAND or row.struck:
            continue
        for fact in reversed(list(gather(context.viewer.select(read_step(row).facts)))):
            event = fact.event
            if isinstance(event, e.TurnStarted | e.TurnShared) and event.who in mine:
                return
            if isinstance(event, CHANGES) and event.who in mine:
                line = describe(context.system, fact, names)
                if line:
                    yield line.text
