"""A template of ours that reads what is not there fails its test, where Django would write nothing."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.template.base import FilterExpression, Variable, VariableDoesNotExist

OURS = str(Path(__file__).parents[2] / "templates")
OPTIONAL = {"default", "default_if_none", "yesno"}  # filters that say what to write for nothing
resolve = Variable.resolve


class NotThereError(AssertionError):
    """A template read a value that nobody gave it, or a field that an object does not have."""


def watch_templates() -> None:
    """Let all templates of this process be watched."""
    Variable.resolve = resolve_or_fail  # type: ignore[method-assign]


def resolve_or_fail(self: Variable, context: Any) -> Any:
    """The value of a variable, as Django finds it.

    `if` and `for` may ask for names that are not given, and all may with a default. Fields of nothing are
    nothing. Raises NotThereError for all else.
    """
    try:
        return resolve(self, context)
    except VariableDoesNotExist as problem:
        caller, missing = sys._getframe(1), problem
    if caller.f_code is FilterExpression.resolve.__code__:
        asks = caller.f_locals
        if not any(func.__name__ in OPTIONAL for func, _ in asks["self"].filters[:1]):
            check(self, context, is_optional=asks["ignore_failures"])
    raise missing


def check(variable: Variable, context: Any, is_optional: bool) -> None:
    """Raise NotThereError if a template of ours should not have read this."""
    template = context.render_context.template
    where = template.origin.name if template else ""
    owner = find_owner(str(variable.var).split("."), context)
    if not where.startswith(OURS) or owner is None or owner == "":
        return
    table = context.get("table")
    if isinstance(table, dict) and variable.var in table:  # `if` would take it for absent
        raise NotThereError(
            f"{where.removeprefix(OURS)[1:]} reads {variable.var}, which is table.{variable.var}"
        )
    if not (is_optional and isinstance(owner, Mapping | Sequence)):
        raise NotThereError(f"{where.removeprefix(OURS)[1:]} reads {variable.var}, which is not there")


def find_owner(path: list[str], context: Any) -> Any:
    """The last value on a path that is there; the context as a mapping if nothing is."""
    owner: Any = {}
    for number in range(1, len(path)):
        try:
            owner = resolve(Variable(".".join(path[:number])), context)
        except VariableDoesNotExist:
            break
    return owner
