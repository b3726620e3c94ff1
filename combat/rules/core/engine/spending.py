"""Find what a command takes from the turn by running it up to its first roll or question."""

from __future__ import annotations

import msgspec

from ..basics.errors import Refused
from ..commands.commands import Action, Command
from ..declaration.system import System
from ..state import events as e
from ..state.state import State
from .engine import TryDriver, run


class Spending(msgspec.Struct, frozen=True):
    """The pools a command pays from, with the amounts; `traded` if another pool than its own must pay."""

    pools: dict[str, int] = {}
    traded: bool = False


def spending_of(system: System, state: State, action: Action, command: Command) -> Spending:
    """The actor's payment for a command; empty if the rules refuse it."""
    pools = _pay(system, state, action, command) if command.actor else None
    if not pools:
        return Spending()
    own = _pay(system, state, action, msgspec.structs.replace(command, untraded=True))
    return Spending(pools, traded=own is None)


def _pay(system: System, state: State, action: Action, command: Command) -> dict[str, int] | None:
    """The amounts spent before the first roll or answer; None for a refusal."""
    try:
        facts = run(system, state, action, command=command, driver=TryDriver()).facts
    except Refused:
        return None
    pools: dict[str, int] = {}
    for event in (fact.event for fact in facts):
        if isinstance(event, e.BudgetSpent) and event.who == command.actor:
            for pool, points in event.pools.items():
                pools[pool] = pools.get(pool, 0) + points
    return pools


def describe_spending(system: System, spending: Spending) -> str:
    """The payment in words for a button: "1 Move", "takes 1 Standard instead"; empty for none."""
    labels = {pool.key: pool.label for pool in system.turn.pools}
    paid = " + ".join(f"{points} {labels.get(pool, pool)}" for pool, points in spending.pools.items())
    return f"takes {paid} instead" if spending.traded else paid
