"""Commands: what a person asks for, in the imperative; their forms; and how a game declares them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from inspect import ismethod, unwrap
from pathlib import Path
from typing import Any, TypedDict, TypeVar, Unpack, get_args, get_type_hints

import msgspec

from ..basics.checking import without_unseen
from ..basics.data import DataError, as_plain, convert, find_fields, read_record, read_toml
from ..basics.dice.requests import Choice
from ..basics.errors import Refused, why_refused, without_frames
from ..basics.modifiers import Modifier, Modifiers
from ..basics.numbers import read_decimal, read_whole, say_no_number
from ..basics.words import Label, possessive, say
from ..space import Point, Reach, Zone, map_of, zone_named
from ..space.rays.area_shapes import Shape
from ..state.state import SURRENDERED, Combatant, State, has_condition, is_acting, present, replace
from .context import Overruling, RuleContext, Then

C = TypeVar("C", bound="Command")
FREE = "Free"  # the cost of an action that takes nothing from the turn
_PEOPLE = (
    *("actor", "target", "targets", "who", "about", "opposed", "also", "by", "after", "holder", "group_of"),
    *("ambushers", "surprised", "aware", "hasty", "doctor", "operator", "vehicle", "struck", "donor"),
)
# Labels of fields that no action declares, where they are not the name
_LABELS = {
    "adjust": "Situational modifier",
    "at_round": "Round",
    "because": "Reason",
    "metres": "Size on the map",
    "size": "Segments",
    "x": "x",
    "y": "y",
}
_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "bool": "yes or no",
    "str": "text",
    "array": "a list",
    "object": "a table of named values",
}
FIELDS = {  # of an action, where its form has a shorter name
    "kind": "type",
    "bar": "check_actor",
    "fields": "find_fields",
    "reach": "find_reach",
    "caught": "find_caught",
    "area": "find_area",
    "brief": "find_brief",
}


class Command(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True, gc=False
):
    """What a person asks for. `actor` is the combatant that acts; `typed` asks for real dice.

    `adjust` is the GM's situational modifier in points, `because` its reason. An `untraded` command is
    refused if another part of the turn than its own would have to pay. `overruled` are rolls whose verdict
    the GM has changed.
    """

    actor: str = ""
    typed: bool = False
    adjust: int = 0
    because: str = ""
    untraded: bool = False
    overruled: tuple[Overruling, ...] = ()


class Handle(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of the combatant's items, or one on the ground."""

    item: str


class Targeted(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An action on one combatant."""

    target: str


class Give(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of the combatant's items, for someone; empty: for the combatant, or for no one."""

    item: str
    target: str = ""


class Words(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A few words for the log."""

    what: str = ""


class Next(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """End a turn: that of `target` among those who act at the same time, or those of all of them."""

    target: str = ""
    whole: bool = False


def as_command(kind: type[C], command: Command, **more: Any) -> C:
    """Another kind of command with the fields that both have, and `more`."""
    shared = {*kind.__struct_fields__} & {*command.__struct_fields__}
    return kind(**{**{name: getattr(command, name) for name in shared}, **more})


def adjusted(command: Command, terms: Modifiers, rule: str = "") -> Modifiers:
    """The terms with the situational modifier, if the command has one."""
    if not command.adjust:
        return terms
    why = command.because
    label = say("term.situational_why", why=why) if why else "term.situational"
    return (*terms, Modifier(label, command.adjust, rule))


class Field(msgspec.Struct, frozen=True):
    """One input of an action's form.

    `kind`: target, choice, many, number, flag, text, place or faces. Options can be refused, with a reason.
    `value` is the initial value; several are separated by commas. `more` puts a field behind a fold.
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
    """The initial value of a field as a command carries it: a list if it takes several."""
    return [value for value in field.value.split(",") if value] if field.kind == "many" else field.value


def first_open(options: Iterable[Choice]) -> str:
    """The first option that is not refused; empty if there is none."""
    return next((option.value for option in options if not option.refused), "")


class Preview(msgspec.Struct, frozen=True):
    """The sums of a command: terms of the roll and terms of the number to reach.

    `stopped` says what keeps a throw from the place it is aimed at; empty if nothing does.
    """

    modifiers: Modifiers = ()
    against: Modifiers = ()
    against_label: Label = ""
    dice: str = ""
    notes: tuple[Label, ...] = ()
    stopped: Label = ""


Precondition = Callable[[State, str], object]  # it raises Refused; its result is ignored

FindBrief = Callable[[str, State, Combatant], str]  # the words of a row, and what they are about now


class AllOf(msgspec.Struct, frozen=True):
    """Several checks as one: the first that refuses gives the reason."""

    checks: tuple[Precondition, ...]

    def __call__(self, state: State, actor: str) -> None:
        for check in self.checks:
            check(state, actor)


def no_obstacle(state: State, actor: str) -> None:
    """No obstacle."""


def no_fields(state: State, actor: str) -> tuple[Field, ...]:
    """No fields: the action has no form."""
    return ()


def has_everything(state: State) -> bool:
    """Every scene has what most actions need."""
    return True


class Action(msgspec.Struct, frozen=True, kw_only=True, cache_hash=True):
    """One kind of command: its name, words, procedure and form.

    `find_caught` returns the ids of all people that an area catches, enemies and allies, who then roll
    against it. Its odds count the enemies who fail and name allies first; unless `caught_rolls`, they count
    the actor's own roll, as for a throw into a group.

    `find_area` returns the shapes of the map that the action covers, so that pages can draw them and name the
    people inside before any roll; everyone it catches is in one of them.

    `check_actor` raises Refused if the actor cannot act at all, on any turn; `check_now` if this action is
    greyed, with the reason that is easiest to change last: an empty budget comes after all others. `on_turn`
    actions need the actor's own turn; `who` is "seat" or "gm". `find_reach` returns the squares that the
    field "to" can name now: with a `find_area` the actor aims at them, otherwise the actor moves there. The
    turn waits for a `first` action: while it is possible, it leads the page. Without `has_odds` its form has
    no odds: it prepares something, or passes too much time for odds to matter. A player's action needs a
    running fight, unless not `in_fight`. Lists leave an action out where nothing in the scene is for it, by
    `has_place`. With `asks_others`, `check_now` asks what others have done in this round: whom people play is
    not refused for the deeds of those that players do not know of.
    """

    name: str
    label: str
    group: str
    type: type[Command]
    run: Callable[[RuleContext, Any], Then | None]
    rule: str = ""
    cost: str = ""
    check_actor: Precondition = no_obstacle
    check_now: Precondition = no_obstacle
    find_fields: Callable[[State, str], tuple[Field, ...]] = no_fields
    preview: Callable[[State, Any], Preview] | None = None
    find_reach: Callable[[State, str], tuple[Reach, ...]] | None = None
    find_caught: Callable[[State, Any], tuple[str, ...]] | None = None
    find_area: Callable[[State, Any], tuple[Shape, ...]] | None = None
    caught_rolls: bool = True
    on_turn: bool = True
    who: str = "seat"
    text: str = ""
    brief: str = ""
    find_brief: FindBrief | None = None
    first: bool = False
    has_odds: bool = True
    in_fight: bool = True
    asks_others: bool = False
    has_place: Callable[[State], bool] = has_everything

    @property
    def is_free(self) -> bool:
        """Whether it takes nothing from the turn."""
        return self.cost == FREE

    @property
    def leads_there(self) -> bool:
        """Whether the actor moves to a square within reach, instead of aiming at it."""
        return self.find_reach is not None and self.find_area is None


Look = Callable[[State, str], object]  # it raises Refused for an id of nothing


def _look_up_zone(state: State, zone: str) -> None:
    if zone_named(state.scene, zone) is None:
        raise Refused("unknown", "That zone is not part of the scene: choose one that is.")


# Fields whose value, if there is one, is the id of someone or of a place, in every command that has them
NAMED: dict[str, Look] = {**dict.fromkeys(_PEOPLE, State.__getitem__), "zone": _look_up_zone}


def check_named(state: State, command: Command) -> None:
    """Refuse a command that names people or zones that are not there; this is the place that looks.

    Other ids are looked up where their thing is taken: items, doors, ways, clocks, counters, conditions.
    """
    for name, look, is_required in _find_named(type(command)):
        value = getattr(command, name)
        if type(value) is str:
            if (value or is_required) and value not in state.combatants:
                look(state, value)
        elif type(value) is tuple:  # in some commands a field of this name is a number
            for one in value:
                look(state, one)


@cache
def _find_named(kind: type[Command]) -> tuple[tuple[str, Look, bool], ...]:
    """The fields of a command that name someone or a place: what looks each up, and if it is required."""
    known = ((field, NAMED.get(field.name)) for field in find_fields(kind))
    return tuple((field.name, look, field.required) for field, look in known if look)


def check(state: State, action: Action, actor: str, command: Command | None = None) -> None:
    """Refuse an illegal command, by cause: what it names, the fight, the actor, the turn, the action.

    Pages grey actions for the same reasons. A `command` with fields gets the error of those fields, not that
    of the first option in the form.
    """
    if command is not None:
        check_named(state, command)
    if action.who != "gm":
        _check_actor(state, actor, action.in_fight, check_actor=action.check_actor, on_turn=action.on_turn)
    try:
        action.check_now(state, actor)
    except Refused as refused:
        reason = find_own_reason(state, action, command, refused) if command else ""
        if not reason:
            raise
        raise Refused(refused.code, reason) from None


def find_own_reason(state: State, action: Action, command: Command, told: Refused) -> str:
    """Why the form greys a command's own option, if `told` is the reason of another; else "".

    A refusal because nobody is in reach ("out_of_range") is the reason of all.
    """
    for field in action.find_fields(state, command.actor):
        refused = {option.value: option.refused for option in field.options}
        of_all = told.code == "out_of_range" and refused and all(refused.values())
        if of_all or told.message in refused.values():
            return refused.get(getattr(command, field.name, ""), "")
    return ""


def _check_actor(state: State, actor: str, in_fight: bool, check_actor: Precondition, on_turn: bool) -> None:
    """The guards that do not depend on the action."""
    combatant = state.combatants.get(actor)
    if combatant is None or combatant.gone:
        combatant = state[actor]  # refused with the reason
    if in_fight and state.phase != "fight":
        raise Refused("not_allowed", "No fight is running: start one first.")
    if in_fight and has_condition(combatant, SURRENDERED):
        raise Refused("not_allowed", f"{combatant.name} has surrendered: no actions.")
    check_actor(state, actor)
    if on_turn and actor != state.active and not is_acting(state, actor):
        raise Refused("not_your_turn", f"It is not {possessive(combatant.name)} turn.")


def find_refusal(action: Action, state: State, actor: str) -> Refused | None:
    """The refusal of an action, or None if it is possible now."""
    if action.who == "gm":
        return None if action.check_now is no_obstacle else _find_refused(action.check_now, state, actor)
    return _find_refused(check, state, action, actor)


def find_reasons(actions: tuple[Action, ...], state: State, actor: str) -> list[str]:
    """Why each of these actions is refused, or "" if it is possible; what several share is asked once.

    Only the words are kept: an error also holds, in its traceback, the state and all the other errors.
    """
    known: dict[Any, str] = {}

    def ask(key: Any, check: Precondition | Callable[..., None], *given: Any) -> str:
        if key not in known:
            known[key] = why_refused(check, state, actor, *given)
        return known[key]

    def find_reason(action: Action) -> str:
        bars = (action.in_fight, action.check_actor, action.on_turn)
        reason = ask(bars, _check_actor, *bars) if action.who != "gm" else ""
        check = action.check_now
        for one in check.checks if isinstance(check, AllOf) else (check,):
            if reason:
                break
            reason = ask(one, one)
        return reason

    return [find_reason(action) for action in actions]


def _find_refused(check: Callable[..., object], *given: Any) -> Refused | None:
    try:
        check(*given)
    except Refused as refused:
        return without_frames(refused)
    return None


def read_command(action: Action, data: dict[str, Any], state: State | None = None) -> Command:
    """The typed command from a form or a stored record; strict about fields.

    Errors name fields by the labels of the action's form in this state.
    """

    def find(name: str) -> str:
        return find_label(name, action.find_fields(state, data.get("actor", "")) if state else ())

    read = {name: without_unseen(value) if isinstance(value, str) else value for name, value in data.items()}
    for name, whole in _find_numbers(action.type).items():
        if isinstance(read.get(name), str):
            read[name] = _read_number(action, name, read[name], whole=whole, find=find)
    try:
        return convert(read, action.type, strict=False)
    except msgspec.ValidationError as wrong:
        misfit = describe_misfit(str(wrong), _find_choices(action.type), find)
        raise Refused("bad_value", f"{action.label}: {misfit}.") from None


def find_label(name: str, fields: Iterable[Field] = ()) -> str:
    """What forms call a field: its label among these fields, or the one it has in every game."""
    declared = next((field.label for field in fields if field.name == name), "")
    return declared or _LABELS.get(name) or name.replace("_", " ").capitalize()


def _find_choices(kind: type[Command]) -> dict[str, tuple[str, ...]]:
    """The fields of a command that take one of several words, each with its words except ""."""
    found = {field.name: get_args(field.type) for field in find_fields(kind)}
    return {
        name: tuple(word for word in words if word)
        for name, words in found.items()
        if words and all(isinstance(word, str) for word in words)
    }


def check_numbers(action: Action, fields: Collection[Field], data: dict[str, Any]) -> None:
    """Refuse a word in a number field; the error names the field by its label."""
    for name, whole in _find_numbers(action.type).items():
        if name in data:
            _read_number(action, name, data[name], whole=whole, find=lambda name: find_label(name, fields))


def _find_numbers(kind: type[Command]) -> dict[str, bool]:
    """The number fields of a command; True for whole numbers."""
    sizes = {int: True, float: False, int | None: True, float | None: False}
    return {field.name: sizes[field.type] for field in find_fields(kind) if field.type in sizes}


def _read_number(action: Action, name: str, value: Any, whole: bool, find: Callable[[str], str]) -> Any:
    """A field's word as a number; the schema judges other values. `find` gives the label of a field."""
    if not isinstance(value, str):
        return value
    number = read_whole(value) if whole else read_decimal(value)
    if number is None:
        raise Refused("bad_value", f"{action.label}: “{find(name)}” {say_no_number(value, whole)}")
    return number


def describe_misfit(
    wrong: str, choices: Mapping[str, tuple[str, ...]], find: Callable[[str], str] = str
) -> str:
    """The error of a command, for people: the field, and what it should be.

    `choices` are the words that fields take; `find` gives the label of a field, otherwise it is named.
    """
    text, _, place = wrong.partition(" - at `$.")
    if found := re.fullmatch(r"Object (missing|contains).* field `(.*)`", text, re.DOTALL):
        missing = found[1] == "missing"
        return f"“{find(found[2])}” is missing" if missing else f"“{found[2][:60]}” is no field of it"
    name = place.rstrip("`")[:60]
    field = find(name) if name.isidentifier() else name
    if found := re.match(r"Expected `(\w+)", text):
        return f"“{field}” must be {_KINDS.get(found[1], found[1])}"
    if text.startswith("Invalid enum value"):
        words = ", ".join(choices.get(name, ()))
        return f"“{field}” takes one of: {words}" if words else f"“{field}” is not one of its choices"
    return f"“{field}”: {text[:1].lower()}{text[1:100]}" if field else text[:100]


def command_data(command: Command) -> dict[str, Any]:
    """The command as plain data, exactly as it comes back from JSON, without default values."""
    said = {field.name: (getattr(command, field.name), field.default) for field in find_fields(type(command))}
    return as_plain({name: value for name, (value, usual) in said.items() if value != usual})


# The table of a game's actions: `actions.toml` holds the words; code adds procedure, checks and form. The
# file lists each action once, under its group, with all of its words.


Run = Callable[[RuleContext, Any], Then | None]


class ActionText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words for an action: its label, rule and cost, a sentence, and a few words for its tile."""

    label: str
    rule: str = ""
    cost: str = ""
    group: str = ""
    text: str = ""
    brief: str = ""


class Form(TypedDict, total=False):
    """The optional fields of an action: see Action, which has their defaults."""

    kind: type[Command]
    bar: Precondition
    fields: Callable[[State, str], tuple[Field, ...]]
    preview: Callable[[State, Any], Preview] | None
    reach: Callable[[State, str], tuple[Reach, ...]] | None
    caught: Callable[[State, Any], tuple[str, ...]] | None
    area: Callable[[State, Any], tuple[Shape, ...]] | None
    caught_rolls: bool
    brief: FindBrief | None
    on_turn: bool
    first: bool
    has_odds: bool
    in_fight: bool
    has_place: Callable[[State], bool]
    asks_others: bool


class ActionTable:
    """The rows of an `actions.toml` by name; makes them into actions.

    `bar` is the check that bars players from acting, unless an action has its own.
    """

    def __init__(self, path: Path, rows: dict[str, ActionText], bar: Precondition) -> None:
        self.path = path
        self.rows = rows
        self.bar = bar

    def act(self, name: str, run: Run, *checks: Precondition, **form: Unpack[Form]) -> Action:
        """A player's action of this name; the first of the `checks` that refuses greys it."""
        return self._make("seat", name, run, checks=checks, form={"bar": self.bar, **form})

    def gm(self, name: str, run: Run, *checks: Precondition, **form: Unpack[Form]) -> Action:
        """A GM's action of this name, possible in any phase."""
        return self._make("gm", name, run, checks=checks, form={"on_turn": False, **form})

    def collect(self, *groups: tuple[Action, ...]) -> dict[str, Action]:
        """These actions by name, in the order of the rows; DataError for a row that none of them is for."""
        made = {action.name: action for group in groups for action in group}
        missing = ", ".join(name for name in self.rows if name not in made)
        if missing:
            raise DataError(f"{self.path}: no code does {missing}: register it beside its procedure")
        return {name: made[name] for name in self.rows}

    def _make(self, who: str, name: str, run: Run, checks: tuple[Precondition, ...], form: Form) -> Action:
        row = self.rows.get(name)
        if row is None:
            raise DataError(f"{self.path}: no action is called {name}: give it a row under [group.…]")
        fields: dict[str, Any] = {FIELDS.get(key, key): value for key, value in form.items()}
        if "type" not in fields:
            fields["type"] = find_command(run)
        words = msgspec.structs.asdict(row)
        return Action(name=name, who=who, run=run, check_now=_join(checks), **words, **fields)


def load_actions(path: Path, bar: Precondition = no_obstacle) -> ActionTable:
    """The rows of an `actions.toml`, with the check that bars players.

    DataError for an entry that is not a row.
    """
    rows = {
        name: read_record(path, f"{group}: {name}", {**row, "group": group}, ActionText)
        for group, found in read_toml(path).get("group", {}).items()
        for name, row in found.items()
    }
    return ActionTable(path, rows, bar)


def find_command(run: Run) -> type[Command]:
    """The type of command that a procedure takes: that of its argument after the context."""
    inner: Any = unwrap(run)
    named = inner.__code__.co_varnames[2 if ismethod(inner) else 1]
    kind: type[Command] = get_type_hints(inner)[named]
    return kind


def _join(checks: tuple[Precondition, ...]) -> Precondition:
    if len(checks) == 1:
        return checks[0]
    return AllOf(checks) if checks else no_obstacle


# Fields that forms of many actions have: one behind the fold, a number, anyone in the fight.


FindFields = Callable[[State, str], tuple[Field, ...]]


def folded_field(*given: Any, **named: Any) -> Field:
    """A field behind the fold, which may stay empty; takes what `Field` takes."""
    return replace(Field(*given, **named), required=False, more=True)


def number_field(name: str, label: str, value: int, low: int, high: int, **more: Any) -> Field:
    """A field for a whole number, prefilled with `value`; takes besides what `Field` takes."""
    return Field(name, label, "number", value=str(value), low=low, high=high, **more)


def check_any(find_fields: FindFields, none: str) -> Precondition:
    """A check that the first field of a form has options, to gray out an action; else it says `none`.

    If all are refused, the form says why.
    """

    def check(state: State, actor: str) -> None:
        if not find_fields(state, actor)[0].options:
            raise Refused("not_allowed", none)

    return check


def name_everyone(state: State) -> tuple[Choice, ...]:
    """Everyone in the fight, by name and side."""
    return tuple(Choice(f.id, f.name, f.side) for f in present(state))


def anybody(state: State, label: str = "Who", rule: str = "") -> Field:
    """A field for any combatant, the first one prefilled."""
    people = name_everyone(state)
    return Field("target", label, "target", options=people, value=first_open(people), rule=rule)


def form_of(*fields: Field) -> FindFields:
    """A form whose fields are always the same."""
    return lambda state, actor: fields


def form_about(*fields: Field, rule: str = "") -> FindFields:
    """A form about any combatant, whose other fields are always the same."""
    return lambda state, actor: (anybody(state, rule=rule), *fields)


words_fields = form_of(Field("what", "What", "text", required=False))


def form_of_next(rule: str, whole: str = "All who act now") -> FindFields:
    """The form that ends a turn: which one, among those who act at the same time, or all of them."""

    def find_fields(state: State, actor: str) -> tuple[Field, ...]:
        acting = [who for who in (state.active, *state.sharing) if who in state.combatants]
        options = (Choice("", "the first"), *(Choice(who, state.combatants[who].name) for who in acting))
        return (
            Field(
                "target", "Whose turn ends", "choice", options=options, value="", rule=rule, required=False
            ),
            Field("whole", whole, "flag", rule=rule, required=False),
        )

    return find_fields


def seen_fields(state: State, rule: str) -> tuple[Field, ...]:
    """On a map with walls: a field to say that nothing is in the way."""
    label = "Nothing on the map is in the way"
    return (folded_field("seen", label, "flag", rule=rule),) if map_of(state.scene) else ()


def target_field(
    people: Iterable[Combatant],
    describe: Callable[[Combatant], str],
    refuse: Callable[[Combatant], str],
    wanted: str = "",
    rule: str = "",
) -> Field:
    """A field for the target, each with a few words; those refused are grayed out with the reason."""
    options = tuple(Choice(f.id, f.name, describe(f), refuse(f)) for f in people)
    return Field(
        "target", "Target", "target", options=options, value=wanted or first_open(options), rule=rule
    )


def name_places(
    state: State,
    others: Iterable[Combatant],
    describe: Callable[[Combatant], str],
    is_enemy: Callable[[Combatant], bool],
) -> tuple[Choice, ...]:
    """Named places to go to: next to others, the zones, and away from enemies."""
    people = tuple(others)
    near = (Choice(f"near:{f.id}", f"next to {f.name}", describe(f)) for f in people)
    zones = (Choice(f"zone:{zone.id}", zone.name) for zone in state.scene.zones)
    away = (Choice(f"away:{f.id}", f"away from {f.name}") for f in people if is_enemy(f))
    return (*near, *zones, *away)


def name_goals(
    state: State,
    combatant: Combatant,
    describe: Callable[[Point], str],
    find_middle: Callable[[Zone], Point] = lambda zone: zone.centre,
    describe_other: Callable[[Combatant], str] | None = None,
) -> tuple[Choice, ...]:
    """Named places to go to, with the distance of each: the zones, next to others, and away from enemies."""
    tell = describe_other or (lambda other: describe(other.at))
    others = [f for f in present(state) if f.id != combatant.id]
    zones = (Choice(f"zone:{zone.id}", zone.name, describe(find_middle(zone))) for zone in state.scene.zones)
    near = (Choice(f"near:{f.id}", f"next to {f.name}", tell(f)) for f in others)
    foes = (f for f in others if f.side != combatant.side)
    return (*zones, *near, *(Choice(f"away:{f.id}", f"away from {f.name}", tell(f)) for f in foes))
