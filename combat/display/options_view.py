"""House rules as fields of a form, and what a posted form changes of them."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict

from combat.rules.core.state.state import State
from combat.rules.core.system import System


def view_options(system: System, state: State) -> list[dict[str, Any]]:
    """Each house rule of a game with its choices and its value now."""
    return [
        {
            "key": o.key,
            "label": o.label,
            "choices": [(c, o.describe(c)) for c in dict.fromkeys((*o.choices, system.option(state, o.key)))],
            "value": system.option(state, o.key),
            "default": o.default,
            "ruling": o.ruling,
            "is_flag": isinstance(o.default, bool),
        }
        for o in system.all_options
    ]


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
