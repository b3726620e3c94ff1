"""The next turn of someone as it would begin now, and what a plan for it comes to once it is there.

What is planned ahead is tried like everything else: an attack, or what comes before it, played without dice
on the state as its player knows it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

from ..basics.errors import Refused
from ..commands.commands import Action, find_refusal, read_command
from ..declaration.system import System
from ..engine.engine import Done, TryDriver, find_action, run
from ..state.state import State, is_acting, replace
from .planner import MOVE, Plan, find_plans, take

NO_STEP = "none"  # in place of a place, for a turn that begins without a move
MAX_PASSED = 40  # turns of others that are passed to see someone's next


def foresee_turn(system: System, state: State, who: str) -> State:
    """The state as someone's next turn begins if nobody else does anything until then.

    Where dice or a choice stand in the way, it is as now, with all that a turn has.
    """
    now: State | None = state
    for _ in range(min(2 * len(state.order) + 2, MAX_PASSED)):
        if now is None or is_acting(now, who):
            break
        now = _pass_turn(system, now)
    return now if now is not None and is_acting(now, who) else _give_turn(system, state, who)


def _pass_turn(system: System, state: State) -> State | None:
    """The state after those who act now have ended their turns; None if that asks for something."""
    action = find_action(system, system.actions.advance)
    fields = {"whole": True} if state.sharing else {}
    try:
        done = run(system, state, action, read_command(action, fields, state), TryDriver())
    except Refused:
        return None
    return done.state if isinstance(done, Done) else None


def _give_turn(system: System, state: State, who: str) -> State:
    full = replace(with_full_budget(system, state, who), active=who, sharing=())
    fresh = replace(full.combatants[who], acted=False)
    return replace(full, combatants={**full.combatants, who: fresh})


def with_full_budget(system: System, state: State, who: str) -> State:
    """The state with all that a turn of someone has."""
    full = {pool.key: pool.count_most(state) for pool in system.turn.pools}
    rested = replace(state.combatants[who], budget=full)
    return replace(state, combatants={**state.combatants, who: rested})


def find_led_plans(
    system: System, state: State, action: Action, fields: Mapping[str, Any], to: str = ""
) -> tuple[Plan, ...]:
    """The plans for an action with what comes before it: what a turn begins with, then a move to a place.

    The first has the least of what a turn begins with. None without such a beginning, or if it is refused.
    """
    who = str(fields.get("actor", ""))
    found: list[Plan] = []
    for begun in _find_beginnings(system, state, who, to):
        rest = find_plans(system, begun.after, action, fields) if begun.parts and not begun.is_over else ()
        found += [dataclasses.replace(plan, parts=(*begun.parts, *plan.parts)) for plan in rest]
        if any(not plan.stopped for plan in found):
            break
    return tuple(sorted(found, key=lambda plan: bool(plan.stopped)))


def _find_beginnings(system: System, state: State, who: str, to: str) -> Iterator[Plan]:
    """What a turn can begin with, then the move."""
    begun = list(find_leads(system, state, who)) or [Plan((), state)]
    if not to:
        yield from begun
        return
    for plan in begun:
        yield take(system, plan, MOVE, {"actor": who, "to": to})


def find_leads(system: System, state: State, who: str) -> Iterator[Plan]:
    """The plans of the one action that a turn has to begin with, with each of its values from the least."""
    if not is_acting(state, who):
        return
    firsts = (action for action in system.actions.by_name.values() if action.first)
    lead = next((one for one in firsts if find_refusal(one, state, who) is None), None)
    fields = lead.find_fields(state, who) if lead else ()
    if lead is None or len(fields) != 1 or fields[0].low is None or fields[0].high is None:
        return
    for value in range(max(1, fields[0].low), fields[0].high + 1):
        fields_of = {"actor": who, fields[0].name: value}
        yield take(system, Plan((), state), lead.name, fields_of, f"{lead.label}: {value}")


def find_led_refusal(system: System, state: State, action: Action, fields: Mapping[str, Any]) -> str:
    """Why an action is refused once a turn has begun as it has to; empty if nothing refuses it."""
    who = str(fields.get("actor", ""))
    begun = [plan.after for plan in find_leads(system, state, who) if not plan.is_over]
    try:
        for after in begun[:1]:
            run(system, after, action, read_command(action, dict(fields), after), TryDriver())
    except Refused as refused:
        return refused.message
    return ""
