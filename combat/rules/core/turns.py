"""Turns, the action budget and durations, for any game with turns of single fighters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .basics.errors import Refused
from .basics.words import Label
from .commands.context import RuleContext, Then
from .spans import renew
from .state import events as e
from .state.state import Combatant, Condition, State, Until, replace
from .system import FIGHT, ConditionKind, Pool, make_condition

Cost = Mapping[str, int]
ACTION = " action"  # the end of a label of a pool that says what it is


def find_payment(
    budget: Mapping[str, int], cost: Cost, instead: Mapping[str, tuple[str, ...]]
) -> dict[str, int] | None:
    """Which pools pay a cost, each its own part first and then what `instead` allows, in that
    order; None if they cannot."""
    if not [pool for pool, n in cost.items() if n > budget.get(pool, 0)]:
        return {pool: n for pool, n in cost.items() if n > 0}
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


def spend(context: RuleContext, who: str, cost: Cost, on: str, rule: str, **instead: tuple[str, ...]) -> None:
    """Take a cost from the fighter's budget; Refused("no_budget") names what is missing."""
    fighter = context.state[who]
    paid = find_payment(fighter.budget, cost, instead if context.trades else {})
    if paid is None:
        raise no_budget(context.system.pools, context.system.conditions, fighter, cost, on)
    if paid:
        context.emit(e.BudgetSpent(who, paid), rule)


def no_budget(
    pools: Iterable[Pool], kinds: Mapping[str, ConditionKind], fighter: Combatant, cost: Cost, on: str
) -> Refused:
    """The refusal of an action that nothing is left for: the condition that took it, or what is missing.

    `pools` and `kinds` are what the game declares of a turn's budget and of conditions.
    """
    labels = {pool.key: name_pool(pool.label) for pool in pools}
    missing = [p for p, n in cost.items() if fighter.budget.get(p, 0) < n]
    for held in fighter.conditions:
        known = kinds.get(held.kind)
        taken = [labels[p] for p in known.takes if p in missing] if known else []
        if known and taken:
            return Refused("not_allowed", f"{known.label}: {name_missing(taken)} this turn.")
    short = [labels.get(p, p) for p in missing]
    needs = " and ".join(count_pool(labels.get(p, p), n) for p, n in cost.items())
    return Refused("no_budget", f"No {' or '.join(short)} left this turn; {on} needs {needs}.")


def name_pool(label: str) -> str:
    """A pool inside a sentence: "Standard" stays, "Minor action" is a common noun."""
    return label.lower() if label.endswith(ACTION) else label


def count_pool(name: str, n: int) -> str:
    """So many of a pool: "1 Standard", "2 minor actions"."""
    return f"{n} {name}{'s' if n > 1 and name.endswith(ACTION) else ''}"


def name_missing(names: list[str]) -> str:
    """That pools are empty: "no Standard Action", or "no minor action left" where a name says what it is."""
    told = " or ".join(names)
    return f"no {told} left" if told.endswith(ACTION) else f"no {told} Action"


def add_condition(context: RuleContext, who: str, kind: str, **more: Any) -> Condition:
    """Give a fighter a condition of the game, with its rule; returns it."""
    known = context.system.describe_condition(kind)
    condition = make_condition(context.state, known, **more)
    context.emit(e.ConditionGained(who, condition), condition.rule)
    return condition


def remove_condition(
    context: RuleContext, who: str, condition: Condition, why: Label = "", rule: str = ""
) -> None:
    """End one condition of a fighter."""
    told = e.ConditionEnded(who, condition.id, condition.label, why)
    context.emit(told, rule or condition.rule)


def remove_conditions(context: RuleContext, who: str, *kinds: str, why: Label = "", rule: str = "") -> int:
    """End all conditions of these kinds; returns how many there were."""
    conditions = context.state.combatants[who].conditions
    held = [c for c in conditions if c.kind in kinds] if conditions else ()
    for condition in held:
        remove_condition(context, who, condition, why, rule)
    return len(held)


def end_with_source(context: RuleContext, source: str, why: Label, *kinds: str) -> None:
    """End what others have from a fighter: conditions of these kinds, or all that are bound to it."""
    for who, fighter in tuple(context.state.combatants.items()):
        for held in fighter.conditions:
            bound = held.kind in kinds if kinds else context.system.describe_condition(held.kind).bound
            if bound and held.by == source:
                remove_condition(context, who, held, why)


def count_down_at(context: RuleContext, whose: str, edge: str) -> None:
    """Count down what is anchored to this edge of this fighter's turn, and end what is due."""
    for who, fighter in tuple(context.state.combatants.items()):
        for held in fighter.conditions:
            if held.until and held.until.who == whose and held.until.edge == edge:
                _count_down(context, who, held, held.until)


def _count_down(context: RuleContext, who: str, held: Condition, until: Until) -> None:
    if until.count <= 1:
        remove_condition(context, who, held, "why.expired")
        return
    later = replace(held, until=replace(until, count=until.count - 1))
    context.emit(e.ConditionChanged(who, later), held.rule, e.GM_ONLY)


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


def begin_fight(context: RuleContext) -> bool:
    """Begin a fight, whose rounds count from 1; whether there was one before.

    The last round of that one has taken its time, and what was used up of it is back.
    """
    again = context.state.round > 0
    context.emit(e.FightStarted(context.system.round_seconds if again else 0))
    if again:
        renew(context, FIGHT)
    return again


def open_round(context: RuleContext) -> None:
    """Start the next round; fighters who left and anchor nothing lose their place."""
    state = context.state
    kept = tuple(w for w in state.order if not state.combatants[w].gone or is_anchor(state, w))
    if kept != state.order:
        context.emit(e.OrderSet(kept), to=e.GM_ONLY)
    seconds = context.system.round_seconds if state.round else 0
    context.emit(e.RoundStarted(state.round + 1, seconds))


def skip_departed(context: RuleContext, who: str) -> None:
    """Let the turn of a fighter who left go by, so that what it anchors runs out."""
    count_down_at(context, who, "start")
    count_down_at(context, who, "end")
    context.emit(e.TurnEnded(who), to=e.GM_ONLY)


# ---------------------------------------------------------------- several who act at the same time

TOGETHER = "together"  # the mark that holds while several act at one count: what they do waits
DEFERRED = "deferred:"  # followed by who did it and a number


def share_count(context: RuleContext, people: Iterable[str]) -> None:
    """Say that these act at the same time: what they do takes effect together at the end of the count."""
    names = tuple(people)
    if len(names) > 1:
        context.emit(e.Marked("", TOGETHER, " ".join(sorted(names))), to=e.GM_ONLY)


def is_shared(state: State) -> bool:
    """Whether what is done now waits for the end of the count."""
    return TOGETHER in state.marks


def find_deferred(state: State) -> tuple[str, ...]:
    """The keys of what waits, in an order that does not depend on who acted first."""
    keys = [key for key in state.marks if key.startswith(DEFERRED)]
    if not keys:
        return ()
    ranks = {who: place for place, who in enumerate(state.combatants)}

    def rank(key: str) -> tuple[int, int]:
        _, who, number = key.split(":")
        return ranks.get(who, len(ranks)), int(number)

    return tuple(sorted(keys, key=rank))


def defer(context: RuleContext, who: str, *effects: str) -> Then | None:
    """Let what a fighter does take effect: now, or at the end of the count where several share it.

    An effect is a text that the game's `take_effect` reads. It waits as an ordinary mark, so that undo,
    replay and storage know nothing of it.
    """
    if not effects:
        return None
    if not is_shared(context.state):
        return _take(context, effects)
    number = sum(key.startswith(f"{DEFERRED}{who}:") for key in context.state.marks)
    for place, effect in enumerate(effects, number):
        context.emit(e.Marked("", f"{DEFERRED}{who}:{place}", effect), to=e.GM_ONLY)
    return None


def take_deferred(context: RuleContext, besides: tuple[str, ...] = ()) -> Then | None:
    """End a shared count: all that waits takes effect together, but what has one of the keys `besides`."""
    keys = tuple([key for key in find_deferred(context.state) if key not in besides])
    effects = tuple([str(context.state.marks[key]) for key in keys])
    for key in (*keys, *((TOGETHER,) if is_shared(context.state) else ())):
        context.emit(e.Marked("", key, None), to=e.GM_ONLY)
    return Then(_take, effects) if effects else None


def _take(context: RuleContext, effects: tuple[str, ...]) -> Then | None:
    assert context.system.take_effect is not None
    found: Then | None = context.system.take_effect(context, effects)
    return found
