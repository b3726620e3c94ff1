"""Commands: wishes in the imperative, and how a system declares them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec

from .data import as_plain
from .errors import Refused
from .modifiers import Modifiers
from .requests import Choice
from .space import Reach
from .state import State
from .table import Table, Then


class Command(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A wish. `actor` is the fighter it is for; `typed` asks for dice rolled on a real table.

    `adjust` is the table's own modifier in points, `because` its reason.
    """

    actor: str = ""
    typed: bool = False
    adjust: int = 0
    because: str = ""


class Field(msgspec.Struct, frozen=True):
    """One input of an action's form.

    `kind`: target, choice, number, flag, text, place or faces. Options may be refused, with
    the reason. `value` is the prefilled one; `more` puts a field behind a fold.
    """

    name: str
    label: str
    kind: str = "choice"
    options: tuple[Choice, ...] = ()
    value: str = ""
    help: str = ""
    rule: str = ""
    low: int | None = None
    high: int | None = None
    required: bool = True
    more: bool = False


class Preview(msgspec.Struct, frozen=True):
    """The sums a command would use: terms of the roll and terms of the number to reach."""

    modifiers: Modifiers = ()
    against: Modifiers = ()
    against_label: str = ""
    dice: str = ""
    notes: tuple[str, ...] = ()


Check = Callable[[State, str], None]


def all_of(*checks: Check) -> Check:
    """Several obstacles as one: the first that stands in the way is the reason."""

    def find_obstacle(state: State, actor: str) -> None:
        for check in checks:
            check(state, actor)

    return find_obstacle


def no_obstacle(state: State, actor: str) -> None:
    """Nothing stands in the way."""


def no_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The action needs no further words."""
    return ()


class Action(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of command: its name, its words, its procedure and its form.

    `find_obstacle` raises Refused with the reason an action is greyed. `on_turn` actions need
    the actor's own turn; `who` is "seat" or "gm". `find_reach` says which squares of the map its
    field "to" may name now.
    """

    name: str
    label: str
    group: str
    type: type[Command]
    run: Callable[[Table, Any], Then | None]
    rule: str = ""
    cost: str = ""
    find_obstacle: Callable[[State, str], None] = no_obstacle
    find_fields: Callable[[State, str], tuple[Field, ...]] = no_fields
    preview: Callable[[State, Any], Preview] | None = None
    find_reach: Callable[[State, str], tuple[Reach, ...]] | None = None
    on_turn: bool = True
    who: str = "seat"
    text: str = ""


def find_refusal(action: Action, state: State, actor: str) -> Refused | None:
    """Why the action cannot be taken now, or None."""
    try:
        action.find_obstacle(state, actor)
    except Refused as refused:
        return refused
    return None


def read_command(action: Action, data: dict[str, Any]) -> Command:
    """Make the typed command from words of a form or a stored record; strict about fields."""
    try:
        return msgspec.convert(data, action.type, strict=False)
    except msgspec.ValidationError as wrong:
        raise Refused("bad_value", f"{action.label}: {describe_misfit(str(wrong))}.") from None


_KINDS = {"int": "a whole number", "float": "a number", "bool": "yes or no", "str": "text", "array": "a list"}


def describe_misfit(wrong: str) -> str:
    """What does not fit a command, for people: the field by its name, and what it should be."""
    text, _, place = wrong.partition(" - at `$.")
    field = place.rstrip("`")[:60]
    if found := re.fullmatch(r"Object (missing|contains).* field `(.*)`", text, re.DOTALL):
        return f"“{found[2][:60]}” is {'missing' if found[1] == 'missing' else 'no field of it'}"
    if found := re.match(r"Expected `(\w+)", text):
        return f"“{field}” must be {_KINDS.get(found[1], found[1])}"
    if text.startswith("Invalid enum value"):
        return f"“{field}” is not one of its choices"
    return f"“{field}”: {text[:1].lower()}{text[1:100]}" if field else text[:100]


def command_data(command: Command) -> dict[str, Any]:
    """The command as plain data, the same as it comes back from JSON, without what is left at its
    default."""
    fields = msgspec.structs.fields(command)
    said = {f.name: getattr(command, f.name) for f in fields}
    changed = {f.name: said[f.name] for f in fields if said[f.name] != f.default}
    return as_plain(changed)
