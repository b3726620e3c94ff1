"""House rules and settings of a table as fields of a form, and the changes in a posted form."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import QueryDict

from combat.rules.core.declaration.options import TABLE_OPTIONS, TableOption
from combat.rules.core.declaration.system import System
from combat.rules.core.state.state import State


def view_options(system: System, state: State) -> list[dict[str, Any]]:
    """The settings of every table, then the house rules of the game; in each group the changed ones first."""
    groups = (("table", "Table settings", TABLE_OPTIONS), ("rules", "House rules", system.book.options))
    return [_view_group(system, state, *group) for group in groups]


def _view_group(
    system: System, state: State, key: str, label: str, options: Iterable[TableOption]
) -> dict[str, Any]:
    rows = [_view_option(option, system.option(state, option.key)) for option in options]
    rows.sort(key=lambda row: not row["is_changed"])  # what differs from the standard goes first
    return {"key": key, "label": label, "options": rows, "changed": sum(row["is_changed"] for row in rows)}


def _view_option(option: TableOption, value: Any) -> dict[str, Any]:
    """An option with its choices; a changed one also shows its default."""
    return {
        "key": option.key,
        "label": option.label,
        "choices": [(c, option.describe(c)) for c in dict.fromkeys((*option.choices, value))],
        "value": value,
        "usual": option.describe(option.default),
        "now": option.describe(value),
        "help": option.help if option in TABLE_OPTIONS else "",
        "ruling": option.ruling,
        "is_flag": isinstance(option.default, bool),
        "is_changed": value != option.default,
    }


def read_options(system: System, state: State, posted: QueryDict) -> list[tuple[str, Any]]:
    """The house rules that a posted form changes, with their new values."""
    changes: list[tuple[str, Any]] = []
    for option in system.book.all_options:
        now = system.option(state, option.key)
        wanted: Any = posted.get(f"option-{option.key}", now)
        if isinstance(option.default, bool):
            wanted = f"option-{option.key}" in posted
        if str(wanted) != str(now):
            changes.append((option.key, wanted))
    return changes
