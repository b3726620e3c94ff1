"""Fields that forms of many actions have: one behind the fold, a number, anyone in the fight."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..basics.dice.requests import Choice
from ..basics.memory import remember_latest
from ..state.state import State, present, replace
from .commands import Action, Field, first_open


def find_fields_once(action: Action, state: State, actor: str) -> tuple[Field, ...]:
    """The fields of an action's form, cached for the latest state."""
    return _find_once(state, action.find_fields, actor)


@remember_latest
def _find_once(
    state: State, find: Callable[[State, str], tuple[Field, ...]], actor: str
) -> tuple[Field, ...]:
    return find(state, actor)


def folded_field(*given: Any, **named: Any) -> Field:
    """A field behind the fold, which may stay empty; takes what `Field` takes."""
    return replace(Field(*given, **named), required=False, more=True)


def number_field(name: str, label: str, value: int, low: int, high: int, **more: Any) -> Field:
    """A field for a whole number, prefilled with `value`; takes besides what `Field` takes."""
    return Field(name, label, "number", value=str(value), low=low, high=high, **more)


def name_everyone(state: State) -> tuple[Choice, ...]:
    """Everyone in the fight, by name and side."""
    return tuple(Choice(f.id, f.name, f.side) for f in present(state))


def anybody(state: State, label: str = "Who", rule: str = "") -> Field:
    """A field for any combatant, the first one prefilled."""
    people = name_everyone(state)
    return Field("target", label, "target", people, first_open(people), rule=rule)
