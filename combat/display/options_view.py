"""House rules and settings of a table as fields of a form, and what a posted form changes of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import QueryDict

from combat.rules.core.options import TABLE_OPTIONS, TableOption
from combat.rules.core.state.state import State
from combat.rules.core.system import System


def view_options(system: System, state: State) -> list[dict[str, Any]]:
    """The settings that every table has, then the house rules of the game: each with its value now."""
    groups = (("table", "Table settings", TABLE_OPTIONS), ("rules", "House rules", system.options))
    return [_view_group(system, state, *group) for group in groups]


def _view_group(
    system: System, state: State, key: str, label: str, options: Iterable[TableOption]
) -> dict[str, Any]:
    rows = [_view_option(option, system.option(state, option.key)) for option in options]
    return {"key": key, "label": label, "options": rows, "changed": sum(row["is_changed"] for row in rows)}


def _view_option(option: TableOption, value: Any) -> dict[str, Any]:
    """One of them with its choices; what it is usually stands beside what was changed."""
    return {
        "key": option.key,
        "label": option.label,
        "choices": [(c, option.describe(c)) for c in dict.fromkeys((*option.choices, value))],
        "value": value,
        "usual": option.describe(option.default),
        "help": option.help if option in TABLE_OPTIONS else "",
        "ruling": option.ruling,
        "is_flag": isinstance(option.default, bool),
        "is_changed": value != option.default,
    }


def read_options(system: System, state: State, posted: QueryDict) -> list[tuple[str, Any]]:
    """The house rules that a posted form changes, with what they are to be."""
    changes: list[tuple[str, Any]] = []
    for option in system.all_options:
        now = system.option(state, option.key)
        wanted: Any = posted.get(f"option-{option.key}", now)
        if isinstance(option.default, bool):
            wanted = f"option-{option.key}" in posted
        if str(wanted) != str(now):
            changes.append((option.key, wanted))
    return changes
