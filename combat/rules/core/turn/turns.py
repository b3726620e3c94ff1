"""Turns, the action budget, durations, clocks and words said, where single combatants have turns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import UNSET

from ..basics.errors import Refused
from ..basics.words import Label, joined, possessive
from ..book.conditions import ConditionKind
from ..commands.commands import Next, Words
from ..commands.context import RuleContext, Then
from ..declaration.characters import DAY, DAY_SECONDS, FIGHT, SESSION, Track, Use, make_condition
from ..declaration.parts import Pool
from ..declaration.system import System, system_of
from ..state import events as e
from ..state.state import (
    END,
    START,
    Clock,
    Combatant,
    Condition,
    Happening,
    Scalar,
    State,
    Until,
    is_acting,
    is_played,
    present,
    replace,
)

Cost = Mapping[str, int]
ACTION = " action"  # label suffix of a pool that names itself an action
TOGETHER = "together"  # the mark while several act at one count: their effects wait
DEFERRED = "deferred:"  # followed by the combatant and a number
BEGUN = {FIGHT: "why.new_fight", DAY: "why.new_day", SESSION: "why.new_session"}
CLOCK = re.compile(r"@(-?\d+)")


def find_payment(
    budget: Mapping[str, int], cost: Cost, instead: Mapping[str, tuple[str, ...]]
) -> dict[str, int] | None:
    """The pools that pay a cost, each its own part first and then those in `instead`, in order.

    None if they cannot.
    """
    paid, missing = dict[str, int](), dict[str, int]()
    for pool, n in cost.items():
        paid[pool] = max(0, min(n, budget.get(pool, 0)))
        missing[pool] = n - paid[pool]
    for pool, wanted in missing.items():
        for source in instead.get(pool, ()):
            part = min(wanted, max(0, budget.get(source, 0) - paid.get(source, 0)))
            paid[source] = paid.get(source, 0) + part
            wanted -= part
        if wanted:
            return None
    return {pool: n for pool, n in paid.items() if n}


def spend(context: RuleContext, who: str, cost: Cost, on: str, rule: str, **instead: tuple[str, ...]) -> None:
    """Take a cost from the combatant's budget; Refused("no_budget") names what is missing."""
    combatant = context.state.combatants[who]
    paid = find_payment(combatant.budget, cost, instead if context.trades else {})
    if paid is None:
        system = system_of(context)
        raise no_budget(system.turn.pools, system.characters.describe_held, combatant, cost=cost, on=on)
    if paid:
        context.emit(e.BudgetSpent(who, paid), rule)


def no_budget(
    pools: Iterable[Pool],
    describe: Callable[[Condition], ConditionKind | None],
    combatant: Combatant,
    cost: Cost,
    on: str,
) -> Refused:
    """The refusal of an action without budget: the condition that took it, or the missing pools.

    `pools` is the game's declared budget; `describe` finds the row of a condition.
    """
    labels = {pool.key: name_pool(pool.label) for pool in pools}
    missing = [p for p, n in cost.items() if combatant.budget.get(p, 0) < n]
    for held in combatant.conditions:
        known = describe(held)
        taken = [labels[p] for p in known.takes if p in missing] if known else []
        if known and taken:
            return Refused("not_allowed", f"{known.label}: {name_missing(taken)} this turn.")
    short = [labels.get(p, p) for p in missing]
    needs = " and ".join(count_pool(labels.get(p, p), n) for p, n in cost.items())
    return Refused("no_budget", f"No {' or '.join(short)} left this turn; {on} needs {needs}.")


def name_pool(label: str) -> str:
    """A pool inside a sentence: "Standard" stays, "Minor action" becomes lower case."""
    return label.lower() if label.endswith(ACTION) else label


def count_pool(name: str, n: int) -> str:
    """A number of a pool: "1 Standard", "2 minor actions"."""
    return f"{n} {name}{'s' if n > 1 and name.endswith(ACTION) else ''}"


def name_missing(names: list[str]) -> str:
    """The empty pools: "no Standard Action", or "no minor action left" for a name with "action"."""
    told = " or ".join(names)
    return f"no {told} left" if told.endswith(ACTION) else f"no {told} Action"


def add_condition(context: RuleContext, who: str, kind: str, **more: Any) -> Condition:
    """Give a combatant a condition of the game, with its rule and duration; returns it."""
    known = system_of(context).characters.describe_condition(kind)
    if known.until and "until" not in more:
        more["until"] = _find_end(context.state, who, known.until)
    condition = make_condition(context.state, known, **more)
    until = condition.until
    several = until if until and until.edge == END and until.count > 1 else None
    in_turn = several is not None and is_acting(context.state, several.who)
    context.emit(e.ConditionGained(who, condition, in_turn), condition.rule)
    return condition


def _find_end(state: State, who: str, edge: str) -> Until:
    """The end of a duration; a turn under way is not the next one."""
    waits = edge == "next end" and is_acting(state, who)
    return Until(who, START if edge == START else END, 2 if waits else 1)


def remove_condition(
    context: RuleContext, who: str, condition: Condition, why: Label = "", rule: str = ""
) -> None:
    """End one condition of a combatant."""
    told = e.ConditionEnded(who, condition.id, condition.label, why)
    context.emit(told, rule or condition.rule)


def remove_conditions(context: RuleContext, who: str, *kinds: str, why: Label = "", rule: str = "") -> int:
    """End all conditions of these kinds; returns how many there were."""
    ended = [held for held in context.state.combatants[who].conditions if held.kind in kinds]
    for held in ended:
        remove_condition(context, who, held, why=why, rule=rule)
    return len(ended)


def forget(context: RuleContext, who: str, *keys: str) -> None:
    """Remove the marks of a combatant that are there."""
    marks = context.state.combatants[who].marks
    for key in keys if marks else ():
        if key in marks:
            context.emit(e.Marked(who, key, None), to=e.GM_ONLY)


def end_with_source(context: RuleContext, source: str, why: Label, *kinds: str) -> None:
    """End the conditions that others have from a combatant: of these kinds, or all that are bound to it."""
    describe = system_of(context).characters.describe_condition
    for who, combatant in tuple(context.state.combatants.items()):
        for held in combatant.conditions:
            bound = held.kind in kinds if kinds else describe(held.kind).bound
            if bound and held.by == source:
                remove_condition(context, who, held, why)


def count_down_at(context: RuleContext, whose: str, edge: str) -> list[tuple[str, Condition]]:
    """Count down the durations anchored to this edge of the combatant's turn, and end those that are due.

    Returns the conditions that ended, each with its combatant.
    """
    ended = []
    for who, combatant in context.state.combatants.items():
        for held in combatant.conditions:
            until = held.until
            if until is not None and until.who == whose and until.edge == edge:
                if _count_down(context, who, held, until):
                    ended.append((who, held))
    return ended


def _count_down(context: RuleContext, who: str, held: Condition, until: Until) -> bool:
    """Count down one duration; whether that ended it."""
    if until.count <= 1:
        remove_condition(context, who, held, "why.expired")
        return True
    later = replace(held, until=replace(until, count=until.count - 1))
    context.emit(e.ConditionChanged(who, later), held.rule, e.GM_ONLY)
    return False


def let_pass(
    context: RuleContext,
    seconds: int,
    why: Label = "",
    rule: str = "",
    meanwhile: Callable[[RuleContext, int], None] | None = None,
) -> None:
    """Let time pass outside of turns, with a stop at each moment when something comes due, so that all that
    follows from it counts from then. Durations end when the clock passes them.

    `meanwhile` applies what so many seconds of this time do to people besides, such as rest.
    """
    turn, start = system_of(context).turn, context.state.clock
    passing = turn.passing
    while (now := context.state.clock) < start + seconds:
        due = passing.find_due(context.state) if passing.find_due is not None else None
        goal = start + seconds if due is None else min(due, start + seconds)
        rounds = (goal - start) // turn.round_seconds - (now - start) // turn.round_seconds
        context.emit(e.TimePassed(goal - now, why), rule)
        _count_turns(context, rounds)
        if meanwhile is not None:
            meanwhile(context, goal - now)
        if passing.after_time is not None:
            passing.after_time(context, rounds)


def _count_turns(context: RuleContext, rounds: int) -> None:
    """Count turns that nobody played: conditions that last for so many end."""
    for who, combatant in context.state.combatants.items():
        for held in combatant.conditions:
            if held.until and held.until.count <= rounds:
                remove_condition(context, who, held, "why.expired")
            elif held.until and rounds:
                later = replace(held, until=replace(held.until, count=held.until.count - rounds))
                context.emit(e.ConditionChanged(who, later), held.rule, e.GM_ONLY)


def is_anchor(state: State, who: str) -> bool:
    """Whether a duration still waits for a turn of this combatant."""
    return any(
        held.until and held.until.who == who
        for combatant in state.combatants.values()
        if not combatant.gone
        for held in combatant.conditions
    )


def find_next(state: State) -> str | None:
    """The next combatant in the order this round; None if all have had their turn."""
    for who in state.order:
        if not state.combatants[who].acted:
            return who
    return None


def begin_fight(context: RuleContext) -> bool:
    """Begin a fight with rounds from 1; returns whether there was one before.

    The last round of that one has passed, and its limited uses return.
    """
    again = context.state.round > 0
    context.emit(e.FightStarted(system_of(context).turn.round_seconds if again else 0))
    if again:
        renew(context, FIGHT)
    return again


def open_round(context: RuleContext) -> None:
    """Start the next round; combatants who left and anchor nothing lose their place."""
    state = context.state
    kept = tuple(w for w in state.order if not state.combatants[w].gone or is_anchor(state, w))
    if kept != state.order:
        context.emit(e.OrderSet(kept), to=e.GM_ONLY)
    seconds = system_of(context).turn.round_seconds if state.round else 0
    context.emit(e.RoundStarted(state.round + 1, seconds))
    if state.round:
        tick_clocks(context)


def find_ending(state: State, command: Next, refusal: str) -> tuple[str, ...]:
    """Whose turns a command ends; Refused without a fight, or for someone whose turn it is not."""
    if state.phase != "fight":
        raise Refused("not_allowed", refusal)
    if command.target and not is_acting(state, command.target):
        raise Refused("not_your_turn", f"It is not {possessive(state[command.target].name)} turn.")
    ending = (state.active, *state.sharing) if command.whole else (command.target or state.active,)
    return tuple(who for who in ending if who)


def skip_departed(context: RuleContext, who: str) -> None:
    """Skip the turn of a combatant who left, and count down what it anchors."""
    count_down_at(context, who, "start")
    count_down_at(context, who, "end")
    context.emit(e.TurnEnded(who), to=e.GM_ONLY)


# ---------------------------------------------------------------- several combatants at the same time


def share_count(context: RuleContext, people: Iterable[str]) -> None:
    """Announce that these act at the same time: their effects apply together at the end of the count."""
    names = tuple(people)
    if len(names) > 1:
        context.emit(e.Marked("", TOGETHER, " ".join(sorted(names))), to=e.GM_ONLY)


def is_shared(state: State) -> bool:
    """Whether effects now wait for the end of the count."""
    return TOGETHER in state.marks


def find_deferred(state: State) -> tuple[str, ...]:
    """The keys of waiting effects, in an order that does not depend on who acted first."""
    keys = [key for key in state.marks if key.startswith(DEFERRED)]
    if not keys:
        return ()
    ranks = {who: place for place, who in enumerate(state.combatants)}

    def rank(key: str) -> tuple[int, int]:
        _, who, number = key.split(":")
        return ranks.get(who, len(ranks)), int(number)

    return tuple(sorted(keys, key=rank))


def defer(context: RuleContext, who: str, *effects: str) -> Then | None:
    """Apply the effects of a combatant: now, or at the end of the count if several share it.

    An effect is a text that the game's `turn.resolve_count` reads. It waits as an ordinary mark, so undo,
    replay and storage need no code for it.
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
    """End a shared count: all waiting effects apply together, except those with the keys `besides`."""
    keys = tuple(key for key in find_deferred(context.state) if key not in besides)
    effects = tuple(str(context.state.marks[key]) for key in keys)
    for key in (*keys, *((TOGETHER,) if is_shared(context.state) else ())):
        context.emit(e.Marked("", key, None), to=e.GM_ONLY)
    return Then(_take, effects) if effects else None


def _take(context: RuleContext, effects: tuple[str, ...]) -> Then | None:
    resolve_count = system_of(context).turn.resolve_count
    assert resolve_count is not None
    return resolve_count(context, effects)


def set_clock(context: RuleContext, clock: Clock, old: int | None) -> None:
    """Set a clock that had `old` segments filled; None for a new one.

    Of a veiled clock its audience learns only that it exists, and the GM the rest.
    """
    if not clock.veiled:
        plain = hide_act(clock, context.unknown)
        context.emit(e.ClockSet(plain, old), to=clock.to)
        if plain != clock:
            context.emit(e.ClockSet(clock, clock.filled), to=e.GM_ONLY)
    elif old is None:
        context.emit(e.ClockSet(hide_count(clock)), to=clock.to)
        if clock != hide_count(clock):
            context.emit(e.ClockSet(clock, clock.filled), to=e.GM_ONLY)
    else:
        context.emit(e.ClockSet(clock, old), to=e.GM_ONLY)


def hide_count(clock: Clock) -> Clock:
    """A clock as if nothing was filled, and nothing fills."""
    return replace(clock, filled=0, each_round=0, acts=UNSET)


def hide_act(clock: Clock, unknown: frozenset[str]) -> Clock:
    """A clock that tells only when it acts; nothing of that if it waits for someone `unknown`."""
    acts = clock.acts
    if acts is UNSET:
        return clock
    plain = Happening(acts.first, acts.every, at=acts.at, after=acts.after, done=acts.done)
    return replace(clock, acts=UNSET if acts.after in unknown else plain)


def tick_clocks(context: RuleContext) -> None:
    """Fill the clocks that fill with each round."""
    for clock in context.state.all_clocks:
        if clock.each_round and not clock.is_full:
            filled = min(clock.size, clock.filled + clock.each_round)
            set_clock(context, replace(clock, filled=filled), clock.filled)


def say_words(
    context: RuleContext, command: Words, plain: str, so: str, rule: str, key: str = "words", most: int = 200
) -> None:
    """Log an action: `plain`, or `so` with the words typed for it on one line."""
    tell(
        context, command.actor, " ".join(command.what.split())[:most], plain=plain, so=so, rule=rule, key=key
    )


def tell(
    context: RuleContext, who: str, words: str, plain: str, so: str, rule: str, key: str = "words"
) -> None:
    """Log an action: `plain`, or `so` with these words as the value `key`."""
    context.emit(e.Said(so, who, args={key: words}) if words else e.Said(plain, who), rule)


def find_group(state: State, combatant: Combatant) -> str:
    """The group that rolls together by house rule: numbered opponents of one kind and side; players alone."""
    if is_played(state, combatant):
        return combatant.id
    return f"{combatant.side}/{combatant.name.rstrip('0123456789 ')}"


# Limited uses per fight, day or session: what is spent, and its renewal.


def find_used(system: System, state: State, combatant: Combatant, *spans: str) -> list[Use]:
    """The spent uses of a combatant that have not returned yet."""
    uses = [use for use in system.characters.uses if use.span in spans]
    return [use for use in uses if _is_used(system, state, combatant, use)]


def _is_used(system: System, state: State, combatant: Combatant, use: Use) -> bool:
    if use.track:
        return combatant.tracks.get(use.key, 0) < find_full(system, combatant)[use.key]
    return _shift(use, combatant.marks.get(use.key), -state.clock) is not None


def find_full(system: System, combatant: Combatant) -> dict[str, int]:
    """A combatant's numbers at their maximum."""
    whole = {**combatant.sheet, "tracks": {}, "conditions": []}
    return system.characters.make_combatant(combatant.id, combatant.name, combatant.side, whole, {}).tracks


def find_most(system: System, state: State, combatant: Combatant, track: Track) -> int | None:
    """The maximum of a track; None for one that counts harm."""
    if track.rises:
        return None
    if track.most:
        return track.most(state, combatant)
    return find_full(system, combatant).get(track.key)


def _shift(use: Use, value: Scalar | None, by: int) -> Scalar | None:
    """A mark with its times shifted by some seconds; daily times that are over are dropped.

    A mark is the clock as a number, words that each end in `@clock`, or only says that it is used.
    """
    if use.span != DAY or value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value + by if value + by > -DAY_SECONDS else None
    words = [CLOCK.sub(lambda found: f"@{int(found[1]) + by}", word) for word in value.split()]
    found = [word for word in words if int(word.rpartition("@")[2]) > -DAY_SECONDS]
    return " ".join(found) or None


def renew(context: RuleContext, *spans: str, told: bool = False) -> bool:
    """Return everyone's uses of these spans; whether there were any. With `told`, each gets a log line."""
    found = False
    for combatant in present(context.state):
        used = find_used(system_of(context), context.state, combatant, *spans)
        for use in used:
            _give_back(context, combatant, use)
        if used and told:
            labels = joined(use.word for use in used)
            to = e.for_player_of(context.state, combatant)
            context.emit(e.Said("log.renewed", combatant.id, args={"what": labels}), used[0].rule, to)
        found = found or bool(used)
    return found


def _give_back(context: RuleContext, combatant: Combatant, use: Use) -> None:
    if use.track:
        now, full = combatant.tracks.get(use.key, 0), find_full(system_of(context), combatant)[use.key]
        context.emit(e.TrackChanged(combatant.id, use.key, now, new=full, why=BEGUN[use.span]), use.rule)
    else:
        context.emit(e.Marked(combatant.id, use.key, None), use.rule, e.GM_ONLY)


# ---------------------------------------------------------------- on a sheet


def write_uses(system: System, state: State, combatant: Combatant) -> dict[str, Scalar]:
    """The used marks for a combatant's sheet: days and sessions, times as seconds before now."""
    found: dict[str, Scalar] = {}
    for use in system.characters.uses:
        value = _shift(use, combatant.marks.get(use.key), -state.clock)
        if use.goes_home and value is not None:
            found[use.key] = value
    return found


def read_uses(system: System, state: State, sheet: dict[str, Any]) -> dict[str, Scalar]:
    """The marks of a joining combatant: the uses on its sheet, by the clock of the encounter."""
    kept = sheet.get("uses", {})
    known: Iterable[Use] = (use for use in system.characters.uses if use.goes_home and use.key in kept)
    marks = {use.key: _shift(use, kept[use.key], state.clock) for use in known}
    return {key: value for key, value in marks.items() if value is not None}
