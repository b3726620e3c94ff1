"""The table of a game's actions: `actions.toml` holds the words; code adds procedure, checks and form.

The file lists each action once, under its group: its label, its rule and its cost. Its sentence is under
`[text]`.
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
from .commands import Action, AllOf, Check, Command, Field, Preview, no_fields, no_obstacle
from .context import RuleContext, Then

Run = Callable[[RuleContext, Any], Then | None]


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The book's words for an action: its label, its rule and its cost."""

    label: str
    rule: str = ""
    cost: str = ""
    group: str = ""
    text: str = ""


class Form(TypedDict, total=False):
    """The optional fields of an action: see Action."""

    kind: type[Command]
    bar: Check
    fields: Callable[[State, str], tuple[Field, ...]]
    preview: Callable[[State, Any], Preview] | None
    reach: Callable[[State, str], tuple[Reach, ...]] | None
    caught: Callable[[State, Any], tuple[str, ...]] | None
    area: Callable[[State, Any], tuple[Shape, ...]] | None
    caught_rolls: bool
    on_turn: bool
    first: bool
    has_odds: bool
    in_fight: bool


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
        return self._make("seat", name, run, checks, {"bar": self.bar, **form})

    def gm(self, name: str, run: Run, *checks: Check, **form: Unpack[Form]) -> Action:
        """A GM's action of this name, possible in any phase."""
        return self._make("gm", name, run, checks, {"on_turn": False, **form})

    def _make(self, who: str, name: str, run: Run, checks: tuple[Check, ...], form: Form) -> Action:
        row = self.rows.get(name)
        if row is None:
            raise DataError(f"{self.path}: no action is called {name}: give it a row under [group.…]")
        return Action(
            name=name,
            label=row.label,
            group=row.group,
            type=form.get("kind") or find_command(run),
            run=run,
            rule=row.rule,
            cost=row.cost,
            check_actor=form.get("bar", no_obstacle),
            check_now=_join(checks),
            find_fields=form.get("fields", no_fields),
            preview=form.get("preview"),
            find_reach=form.get("reach"),
            find_caught=form.get("caught"),
            find_area=form.get("area"),
            caught_rolls=form.get("caught_rolls", True),
            on_turn=form.get("on_turn", True),
            who=who,
            text=row.text,
            first=form.get("first", False),
            has_odds=form.get("has_odds", True),
            in_fight=form.get("in_fight", True),
        )


def load_actions(path: Path, bar: Check = no_obstacle) -> ActionTable:
    """The rows of an `actions.toml`, with the check that bars players.

    DataError for a sentence without an action, or an entry that is not a row.
    """
    content = read_toml(path)
    texts = content.get("text", {})
    rows = {
        name: read_record(path, f"{group}: {name}", {**row, "group": group, "text": texts.get(name, "")}, Row)
        for group, found in content.get("group", {}).items()
        for name, row in found.items()
    }
    if left := texts.keys() - rows.keys():
        raise DataError(f"{path}: no action is called {', '.join(sorted(left))}")
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
