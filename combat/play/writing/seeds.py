"""Seeds of commands that add something: the ids made from them do not tell how many others there are."""

from __future__ import annotations

import secrets
from typing import Any

from combat.rules.core.basics.typed import find_fields
from combat.rules.core.commands.commands import Action

SEED = "seed"  # the field of a command that adds combatants or a clock


def add_seed(action: Action, fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of a command with a new seed, if it takes one."""
    takes = any(field.name == SEED for field in find_fields(action.type))
    return {**fields, SEED: draw_seed()} if takes else fields


def draw_seed() -> str:
    """A seed that nobody can find out from the ids made from it."""
    return secrets.token_hex(16)
