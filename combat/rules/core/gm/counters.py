"""Counters of combatants: named, of 1 to 20, for everyone or for the GM alone; some refill when time goes on.

The GM makes and counts all of them; players spend those of their own that everyone sees. An item whose record
names a counter it `spends` takes one with each use, and none can be used while that counter is empty.
"""

from __future__ import annotations

from msgspec import UNSET

from ..basics.data import find_fields
from ..basics.dice.requests import Choice
from ..basics.errors import Refused
from ..basics.names import make_id
from ..commands.commands import Action, Command, Field, first_open
from ..commands.context import RuleContext, Then
from ..declaration.system import system_of
from ..sheets.sheets import MAX_COUNTED, MAX_COUNTERS, MAX_NAME
from ..state import events as e
from ..state.state import Combatant, Counter, Item, State, replace
from .decisions import Target, clean_name

ALL, GM = "all", "gm"  # who sees a counter
SPENDS = "spends"  # the figure of an item's record that names a counter
HANDLING = frozenset(("item", "reload", "repair", "aim", "watch"))  # kinds of actions that use up nothing
REFILLS = {"hand": "by hand", "round": "each round", "turn": "each turn", "scene": "each scene"}


class NewCounter(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`left` of `most` are there now, all without it. `shown` is "all" or "gm".

    The `seed` makes its id (basics/names.py), so that none tells of a secret one.
    """

    name: str
    most: int = 3
    left: int | None = None
    refills: str = "hand"
    shown: str = ALL
    seed: str = ""


class ChangeCounter(NewCounter, frozen=True, kw_only=True, forbid_unknown_fields=True):
    counter: str


class TickCounter(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Give back `by`, or spend as many if it is negative."""

    counter: str
    by: int = -1


class RemoveCounter(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    counter: str


class SpendCounter(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Spend `by` of one's own counter, or take as many back if it is negative."""

    counter: str
    by: int = 1


def start_counter(context: RuleContext, command: NewCounter) -> None:
    """Give a combatant a counter."""
    combatant = context.state[command.target]
    known = combatant.all_counters
    if len(known) >= MAX_COUNTERS:
        raise Refused("not_allowed", f"A combatant has up to {MAX_COUNTERS} counters: remove one first.")
    fresh = make_id("n", command.seed, len(known) + 1, [one.id for one in known])
    _set(context, combatant, _make(combatant, command, fresh), None)


def change_counter(context: RuleContext, command: ChangeCounter) -> None:
    """Change everything about a counter."""
    combatant = context.state[command.target]
    old = find_counter(combatant, command.counter)
    new = _make(combatant, command, old.id)
    if new == old:
        raise Refused("not_allowed", f"{old.name} is like that already: change something.")
    if (old.to, old.name, old.most) == (new.to, new.name, new.most):
        _set(context, combatant, new, old.left)
    else:  # those who no longer see it learn that it is gone
        _drop(context, combatant, old)
        _set(context, combatant, new, None)


def tick_counter(context: RuleContext, command: TickCounter) -> None:
    """Count on a counter of anyone."""
    combatant = context.state[command.target]
    _count(context, combatant, find_counter(combatant, command.counter), command.by)


def counter_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of spending: one's own counters that everyone sees, and how many of it."""
    known = (one for one in state[actor].all_counters if one.to == e.EVERYONE)
    options = tuple(
        Choice(one.id, one.name, f"{one.left} of {one.most}", "" if one.left else f"{one.name} is empty.")
        for one in known
    )
    return (
        Field("counter", "Counter", options=options, value=first_open(options)),
        Field("by", "How many", "number", value="1", low=-MAX_COUNTED, high=MAX_COUNTED),
    )


def spend_counter(context: RuleContext, command: SpendCounter) -> None:
    """Count on one's own counter; for players those of the GM alone are not there."""
    combatant = context.state[command.actor]
    counter = find_counter(combatant, command.counter)
    if counter.to != e.EVERYONE:
        raise _gone()
    _count(context, combatant, counter, -command.by)


def remove_counter(context: RuleContext, command: RemoveCounter) -> None:
    """Take a counter away."""
    combatant = context.state[command.target]
    _drop(context, combatant, find_counter(combatant, command.counter))


def find_counter(combatant: Combatant, counter_id: str) -> Counter:
    """The counter with this id; Refused("unknown") if there is none."""
    found = next((one for one in combatant.all_counters if one.id == counter_id), None)
    if found is None:
        raise _gone()
    return found


def _gone() -> Refused:
    return Refused("unknown", "That counter is gone: reload the page.")


def _make(combatant: Combatant, command: NewCounter, counter_id: str) -> Counter:
    name, left = clean_name(command.name), command.most if command.left is None else command.left
    if len(name) > MAX_NAME:
        raise Refused("bad_value", f"The name of a counter has 1 to {MAX_NAME} characters.")
    if not 1 <= command.most <= MAX_COUNTED or not 0 <= left <= command.most:
        raise Refused("bad_value", f"A counter has 1 to {MAX_COUNTED}, and 0 to all of them are left.")
    if command.refills not in REFILLS:
        raise Refused("bad_value", f"A counter refills {', '.join(REFILLS.values())}: choose one.")
    to = {ALL: e.EVERYONE, GM: e.GM_ONLY}.get(command.shown)
    if to is None:
        raise Refused("bad_value", "Choose who sees the counter: everyone, or only the GM.")
    others = (one.name.casefold() for one in combatant.all_counters if one.id != counter_id)
    if name.casefold() in others:
        raise Refused("bad_value", f"{combatant.name} has a counter {name} already: choose another name.")
    return Counter(counter_id, name, command.most, left, refills=command.refills, to=to)


def _count(context: RuleContext, combatant: Combatant, counter: Counter, by: int) -> None:
    left = min(max(counter.left + by, 0), counter.most)
    if left == counter.left:
        raise Refused(
            "not_allowed", f"{counter.name} is {'full' if by > 0 else 'empty'}: count the other way."
        )
    _set(context, combatant, replace(counter, left=left), counter.left)


def _set(context: RuleContext, combatant: Combatant, counter: Counter, old: int | None) -> None:
    context.emit(e.CounterSet(combatant.id, counter, old), to=_audience(counter))


def _drop(context: RuleContext, combatant: Combatant, counter: Counter) -> None:
    context.emit(e.CounterRemoved(combatant.id, counter.id, counter.name), to=_audience(counter))


def _audience(counter: Counter) -> str:
    """Only the GM, or all who know of the combatant."""
    return e.GM_ONLY if counter.to == e.GM_ONLY else ""


# ---------------------------------------------------------------- what items spend


def begin(context: RuleContext, action: Action, command: Command) -> Then | None:
    """Run an action; the item it uses takes one of its counter first. Refused if that is empty."""
    combatant = context.state.combatants.get(command.actor)
    if combatant is not None and combatant.counters is not UNSET and action.who != "gm":
        kind = system_of(context).kinds.of_action(action.name)
        for item in () if kind in HANDLING else _find_used(combatant, command):
            _spend(context, combatant.id, item)
    return action.run(context, command)


def _find_used(combatant: Combatant, command: Command) -> list[Item]:
    """The items of a combatant that a command names."""
    named = {getattr(command, field.name) for field in find_fields(type(command)) if field.type is str}
    return [item for item in combatant.items if item.id in named and SPENDS in item.data]


def _find_spent(combatant: Combatant, item: Item) -> Counter | None:
    """The counter that an item spends, by its name; without such a counter nothing limits it."""
    name = str(item.data.get(SPENDS) or "").casefold()
    return next((one for one in combatant.all_counters if one.name.casefold() == name), None)


def _spend(context: RuleContext, who: str, item: Item) -> None:
    combatant = context.state.combatants[who]
    counter = _find_spent(combatant, item)
    if counter is None:
        return
    if not counter.left:
        secret = counter.to == e.GM_ONLY
        what = "can do no more for now" if secret else f"needs {counter.name}, which is empty"
        raise Refused("not_allowed", f"{item.name} {what}: use something else.")
    _set(context, combatant, replace(counter, left=counter.left - 1), counter.left)


def without_spent(state: State, who: str) -> State:
    """The state for tactics: without the items of a combatant whose counter is empty."""
    combatant = state.combatants.get(who)
    if combatant is None or combatant.counters is UNSET:
        return state
    spent = {item.id for item in combatant.items if (one := _find_spent(combatant, item)) and not one.left}
    items = tuple(item for item in combatant.items if item.id not in spent)
    kept = replace(combatant, items=items)
    return replace(state, combatants={**state.combatants, who: kept}) if spent else state
