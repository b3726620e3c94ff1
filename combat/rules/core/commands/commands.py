"""Commands: what somebody asks for, in the imperative, and how a game declares them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, get_args

import msgspec

from ..basics.data import as_plain
from ..basics.errors import Refused
from ..basics.modifiers import Modifier, Modifiers
from ..basics.numbers import read_decimal, read_whole, say_no_number
from ..basics.requests import Choice
from ..basics.typed import convert
from ..basics.words import Label, possessive, say
from ..space import Reach
from ..space.areas import Shape
from ..state.state import State, is_acting
from .context import RuleContext, Then


class Command(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What somebody asks for. `actor` is the fighter it is for; `typed` asks for dice rolled on a real table.

    `adjust` is the table's own modifier in points, `because` its reason. One that is `untraded` is
    refused where another part of the turn than its own would have to pay.
    """

    actor: str = ""
    typed: bool = False
    adjust: int = 0
    because: str = ""
    untraded: bool = False


def adjusted(command: Command, terms: Modifiers, rule: str = "") -> Modifiers:
    """The terms with the table's own modifier, if the command has one."""
    if not command.adjust:
        return terms
    why = command.because
    label = say("term.situational_why", why=why) if why else "term.situational"
    return (*terms, Modifier(label, command.adjust, rule))


class Field(msgspec.Struct, frozen=True):
    """One input of an action's form.

    `kind`: target, choice, many, number, flag, text, place or faces. Options may be refused, with
    the reason. `value` is the prefilled one, of several by commas; `more` puts a field behind a fold.
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


def find_first_value(field: Field) -> str | list[str]:
    """The prefilled value of a field as a command carries it: a list where several may be chosen."""
    return [value for value in field.value.split(",") if value] if field.kind == "many" else field.value


def first_open(options: Iterable[Choice]) -> str:
    """The first option that may be taken; empty for none."""
    return next((option.value for option in options if not option.refused), "")


class Preview(msgspec.Struct, frozen=True):
    """The sums a command would use: terms of the roll and terms of the number to reach."""

    modifiers: Modifiers = ()
    against: Modifiers = ()
    against_label: Label = ""
    dice: str = ""
    notes: tuple[Label, ...] = ()


Check = Callable[[State, str], object]  # it raises Refused; what it returns counts for nothing


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

    `find_caught` is for what catches people, friend or foe: the ids of all of them, who then roll
    against it. Its odds are about the enemies who fail, and name friends first; unless `caught_rolls`
    they are about who does it, as of something thrown among them.

    `find_area` says which shapes of the map it reaches over, so that they can be drawn and their people named
    before anything is rolled; whoever it catches stands in one of them.

    `find_bar` raises Refused with what keeps the actor from acting at all, whoever's turn it is;
    `find_obstacle` with the reason this action is greyed, the cheapest to mend last: an empty budget
    comes after all that would be in the way anyhow. `on_turn` actions need the actor's own turn;
    `who` is "seat" or "gm". `find_reach` says which squares of the map its field "to" may name now: with a
    `find_area` they are aimed at, otherwise the actor goes there.
    The turn waits for a `first` action: while it can be taken, it leads the page.
    Without `has_odds` nothing is counted for its form: it sets something up, or lets so much time
    pass that nobody asks for the chances of it all. One of a seat needs a fight, unless not `in_fight`.
    """

    name: str
    label: str
    group: str
    type: type[Command]
    run: Callable[[RuleContext, Any], Then | None]
    rule: str = ""
    cost: str = ""
    find_bar: Check = no_obstacle
    find_obstacle: Check = no_obstacle
    find_fields: Callable[[State, str], tuple[Field, ...]] = no_fields
    preview: Callable[[State, Any], Preview] | None = None
    find_reach: Callable[[State, str], tuple[Reach, ...]] | None = None
    find_caught: Callable[[State, Any], tuple[str, ...]] | None = None
    find_area: Callable[[State, Any], tuple[Shape, ...]] | None = None
    caught_rolls: bool = True
    on_turn: bool = True
    who: str = "seat"
    text: str = ""
    first: bool = False
    has_odds: bool = True
    in_fight: bool = True

    @property
    def leads_there(self) -> bool:
        """Whether its actor goes to a square within its reach, instead of aiming at it."""
        return self.find_reach is not None and self.find_area is None


def check(state: State, action: Action, actor: str, command: Command | None = None) -> None:
    """The guards every command passes first, by cause: the fight, the actor, the turn, the action.

    What greys an action on the page is the same. A `command` that names something hears what is wrong with
    that, not with whatever the form lists first.
    """
    if action.who != "gm":
        _check_actor(state, actor, action.in_fight, action.find_bar, action.on_turn)
    try:
        action.find_obstacle(state, actor)
    except Refused as refused:
        reason = find_own_reason(state, action, command, refused.message) if command else ""
        if not reason:
            raise
        raise Refused(refused.code, reason) from None


def find_own_reason(state: State, action: Action, command: Command, told: str) -> str:
    """Why the form greys what a command names, where another one of its options was `told` of; else ""."""
    for field in action.find_fields(state, command.actor):
        refused = {option.value: option.refused for option in field.options}
        if told in refused.values():
            return refused.get(getattr(command, field.name, ""), "")
    return ""


def _check_actor(state: State, actor: str, in_fight: bool, find_bar: Check, on_turn: bool) -> None:
    """The guards that have nothing to do with what is done."""
    fighter = state[actor]
    if in_fight and state.phase != "fight":
        raise Refused("not_allowed", "No fight is running: start one first.")
    find_bar(state, actor)
    if on_turn and not is_acting(state, actor):
        raise Refused("not_your_turn", f"It is not {possessive(fighter.name)} turn.")


def find_refusal(action: Action, state: State, actor: str) -> Refused | None:
    """Why the action cannot be taken now, or None."""
    return _find_refused(check, state, action, actor)


def find_refusals(actions: Iterable[Action], state: State, actor: str) -> Iterator[Refused | None]:
    """The same of each of these actions of somebody's; the guards they have in common are asked once."""
    known: dict[tuple[Any, ...], Refused | None] = {}
    for action in actions:
        guards = (action.in_fight, action.find_bar, action.on_turn)
        if guards not in known:
            known[guards] = _find_refused(_check_actor, state, actor, *guards)
        yield known[guards] or _find_refused(action.find_obstacle, state, actor)


def _find_refused(check: Callable[..., object], *given: Any) -> Refused | None:
    try:
        check(*given)
    except Refused as refused:
        return refused
    return None


def read_command(action: Action, data: dict[str, Any]) -> Command:
    """Make the typed command from words of a form or a stored record; strict about fields."""
    numbers = {name: whole for name, whole in _find_numbers(action.type).items() if name in data}
    read = {name: _read_number(action, name, data[name], whole) for name, whole in numbers.items()}
    try:
        return convert({**data, **read}, action.type, strict=False)
    except msgspec.ValidationError as wrong:
        misfit = describe_misfit(str(wrong), _find_choices(action.type))
        raise Refused("bad_value", f"{action.label}: {misfit}.") from None


@cache
def _find_choices(kind: type[Command]) -> dict[str, tuple[str, ...]]:
    """The fields of a command that take one of several words, each with these; nothing is no word."""
    found = {field.name: get_args(field.type) for field in msgspec.structs.fields(kind)}
    return {
        name: tuple(word for word in words if word)
        for name, words in found.items()
        if words and all(isinstance(word, str) for word in words)
    }


def check_numbers(action: Action, labels: Mapping[str, str], data: dict[str, Any]) -> None:
    """Refuse a word where a form asks for a number; a person knows the field by its label."""
    for name, whole in _find_numbers(action.type).items():
        if name in labels and name in data:
            _read_number(action, labels[name], data[name], whole)


@cache
def _find_numbers(kind: type[Command]) -> dict[str, bool]:
    """The fields of a command that are numbers; True for whole ones."""
    sizes = {int: True, float: False, int | None: True, float | None: False}
    return {field.name: sizes[field.type] for field in msgspec.structs.fields(kind) if field.type in sizes}


def _read_number(action: Action, name: str, value: Any, whole: bool) -> Any:
    """A number out of a word; what is no word stays for the schema to judge."""
    if not isinstance(value, str):
        return value
    number = read_whole(value) if whole else read_decimal(value)
    if number is None:
        raise Refused("bad_value", f"{action.label}: “{name}” {say_no_number(value, whole)}")
    return number


_KINDS = {"int": "a whole number", "float": "a number", "bool": "yes or no", "str": "text", "array": "a list"}


def describe_misfit(wrong: str, choices: Mapping[str, tuple[str, ...]]) -> str:
    """What does not fit a command, for people: the field by its name, and what it should be; `choices` are
    the words that fields take."""
    text, _, place = wrong.partition(" - at `$.")
    field = place.rstrip("`")[:60]
    if found := re.fullmatch(r"Object (missing|contains).* field `(.*)`", text, re.DOTALL):
        return f"“{found[2][:60]}” is {'missing' if found[1] == 'missing' else 'no field of it'}"
    if found := re.match(r"Expected `(\w+)", text):
        return f"“{field}” must be {_KINDS.get(found[1], found[1])}"
    if text.startswith("Invalid enum value"):
        words = ", ".join(choices.get(field, ()))
        return f"“{field}” takes one of: {words}" if words else f"“{field}” is not one of its choices"
    return f"“{field}”: {text[:1].lower()}{text[1:100]}" if field else text[:100]


def command_data(command: Command) -> dict[str, Any]:
    """The command as plain data, the same as it comes back from JSON, without what is left at its
    default."""
    said = {name: (getattr(command, name), usual) for name, usual in _find_usual(type(command))}
    return as_plain({name: value for name, (value, usual) in said.items() if value != usual})


@cache
def _find_usual(kind: type[Command]) -> tuple[tuple[str, Any], ...]:
    """The fields of a command, each with its default."""
    return tuple((field.name, field.default) for field in msgspec.structs.fields(kind))
