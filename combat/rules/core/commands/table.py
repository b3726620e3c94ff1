"""The table of a game's actions: `actions.toml` holds the words; code adds procedure, checks and form.

The file lists each action once, under its group, with all of its words.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import ismethod, unwrap
from pathlib import Path
from typing import Any, TypedDict, Unpack, get_type_hints

import msgspec

from ..basics.data import DataError, read_record, read_toml
from ..space import Reach
from ..space.rays.area_shapes import Shape
from ..state.state import State
from .commands import (
    Action,
    AllOf,
    Check,
    Command,
    Field,
    FindBrief,
    Preview,
    no_obstacle,
)
from .context import RuleContext, Then

Run = Callable[[RuleContext, Any], Then | None]


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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
    bar: Check
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


FIELDS = {  # of an action, where its form has a shorter name
    "kind": "type",
    "bar": "check_actor",
    "fields": "find_fields",
    "reach": "find_reach",
    "caught": "find_caught",
    "area": "find_area",
    "brief": "find_brief",
}


class ActionTable:
    """The rows of an `actions.toml` by name; makes them into actions.

    `bar` is the check that bars players from acting, unless an action has its own.
    """

    def __init__(self, path: Path, rows: dict[str, Row], bar: Check) -> None:
        self.path = path
        self.rows = rows
        self.bar = bar

    def act(self, name: str, run: Run, *checks: Check, **form: Unpack[Form]) -> Action:
        """A player's action of this name; the first of the `checks` that refuses greys it."""
        return self._make("seat", name, run, checks=checks, form={"bar": self.bar, **form})

    def gm(self, name: str, run: Run, *checks: Check, **form: Unpack[Form]) -> Action:
        """A GM's action of this name, possible in any phase."""
        return self._make("gm", name, run, checks=checks, form={"on_turn": False, **form})

    def collect(self, *groups: tuple[Action, ...]) -> dict[str, Action]:
        """These actions by name, in the order of the rows; DataError for a row that none of them is for."""
        made = {action.name: action for group in groups for action in group}
        missing = ", ".join(name for name in self.rows if name not in made)
        if missing:
            raise DataError(f"{self.path}: no code does {missing}: register it beside its procedure")
        return {name: made[name] for name in self.rows}

    def _make(self, who: str, name: str, run: Run, checks: tuple[Check, ...], form: Form) -> Action:
        row = self.rows.get(name)
        if row is None:
            raise DataError(f"{self.path}: no action is called {name}: give it a row under [group.…]")
        fields: dict[str, Any] = {FIELDS.get(key, key): value for key, value in form.items()}
        if "type" not in fields:
            fields["type"] = find_command(run)
        words = msgspec.structs.asdict(row)
        return Action(name=name, who=who, run=run, check_now=_join(checks), **words, **fields)


def load_actions(path: Path, bar: Check = no_obstacle) -> ActionTable:
    """The rows of an `actions.toml`, with the check that bars players.

    DataError for an entry that is not a row.
    """
    rows = {
        name: read_record(path, f"{group}: {name}", {**row, "group": group}, Row)
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


def _join(checks: tuple[Check, ...]) -> Check:
    if len(checks) == 1:
        return checks[0]
    return AllOf(checks) if checks else no_obstacle
