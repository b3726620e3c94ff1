"""Turns, the action budget and durations, for any game with turns of single fighters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import events as e
from .errors import Refused
from .state import Condition, State, Until, replace
from .system import make_condition
from .table import Table

Cost = Mapping[str, int]


def find_payment(
    budget: Mapping[str, int], cost: Cost, instead: Mapping[str, tuple[str, ...]]
) -> dict[str, int] | None:
    """Which pools pay a cost, each its own part first and then what `instead` allows, in that
    order; None if they cannot."""
    paid = {pool: max(0, min(n, budget.get(pool, 0))) for pool, n in cost.items()}
    missing = {pool: n - paid[pool] for pool, n in cost.items()}
    for pool, wanted in missing.items():
        for source in instead.get(pool, ()):
            part = min(wanted, max(0, budget.get(source, 0) - paid.get(source, 0)))
            paid[source] = paid.get(source, 0) + part
            wanted -= part
        if wanted:
            return None
    return {pool: n for pool, n in paid.items() if n}


def spend(table: Table, who: str, cost: Cost, on: str, rule: str, **instead: tuple[str, ...]) -> None:
    """Take a cost from the fighter's budget; Refused("no_budget") names what is missing."""
    fighter = table.state[who]
    paid = find_payment(fighter.budget, cost, instead)
    if paid is None:
        raise no_budget(table.system, fighter.budget, cost, on)
    if paid:
        table.tell(e.BudgetSpent(who, paid, on), rule)


def no_budget(system: Any, budget: Mapping[str, int], cost: Cost, on: str) -> Refused:
    """The refusal of an action that nothing is left for."""
    labels = {pool.key: pool.label for pool in system.pools}
    short = [labels.get(p, p) for p, n in cost.items() if budget.get(p, 0) < n]
    needs = " and ".join(f"{n} {labels.get(p, p)}" for p, n in cost.items())
    return Refused("no_budget", f"{on} needs {needs}; no {' or '.join(short)} is left this turn.")


def gain(table: Table, who: str, kind: str, **more: Any) -> Condition:
    """Give a fighter a condition of the game, with its rule; returns it."""
    known = table.system.describe_condition(kind)
    condition = make_condition(table.state, known, **more)
    table.tell(e.ConditionGained(who, condition), condition.rule)
    return condition


def lift(table: Table, who: str, condition: Condition, why: str = "", rule: str = "") -> None:
    """End one condition of a fighter."""
    told = e.ConditionEnded(who, condition.id, condition.label, why)
    table.tell(told, rule or condition.rule)


def lift_kinds(table: Table, who: str, *kinds: str, why: str = "", rule: str = "") -> int:
    """End all conditions of these kinds; returns how many there were."""
    held = [c for c in table.state.combatants[who].conditions if c.kind in kinds]
    for condition in held:
        lift(table, who, condition, why, rule)
    return len(held)


def end_with_source(table: Table, source: str, why: str, *kinds: str) -> None:
    """End what others have from a fighter: conditions of these kinds, or all that are bound to it."""
    for who, fighter in tuple(table.state.combatants.items()):
        for held in fighter.conditions:
            bound = held.kind in kinds if kinds else table.system.describe_condition(held.kind).bound
            if bound and held.by == source:
                lift(table, who, held, why)


def run_out(table: Table, whose: str, edge: str) -> None:
    """Count down what is anchored to this edge of this fighter's turn, and end what is due."""
    for who, fighter in tuple(table.state.combatants.items()):
        for held in fighter.conditions:
            if held.until and held.until.who == whose and held.until.edge == edge:
                _count_down(table, who, held, held.until)


def _count_down(table: Table, who: str, held: Condition, until: Until) -> None:
    if until.count <= 1:
        lift(table, who, held, "its time is over")
        return
    later = replace(held, until=replace(until, count=until.count - 1))
    table.tell(e.ConditionChanged(who, later), held.rule, e.GM_ONLY)


def is_anchor(state: State, who: str) -> bool:
    """Whether something still waits for a turn of this fighter."""
    return any(
        held.until and held.until.who == who
        for fighter in state.combatants.values()
        if not fighter.gone
        for held in fighter.conditions
    )


def find_next(state: State) -> str | None:
    """Who is next in the order this round; None when all have had their turn."""
    for who in state.order:
        if not state.combatants[who].acted:
            return who
    return None


def open_round(table: Table) -> None:
    """Start the next round; fighters who left and anchor nothing lose their place."""
    state = table.state
    kept = tuple(w for w in state.order if not state.combatants[w].gone or is_anchor(state, w))
    if kept != state.order:
        table.tell(e.OrderSet(kept), to=e.GM_ONLY)
    seconds = table.system.round_seconds if state.round else 0
    table.tell(e.RoundStarted(state.round + 1, seconds))


def pass_ghost(table: Table, who: str) -> None:
    """Let the turn of a fighter who left go by, so that what it anchors runs out."""
    run_out(table, who, "start")
    run_out(table, who, "end")
    table.tell(e.TurnEnded(who), to=e.GM_ONLY)
