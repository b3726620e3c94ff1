"""How large a command may be, in bytes and in its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import MAX_COMMAND_NUMBER

MAX_COMMAND_BYTES = 100_000


def check_size(fields: Mapping[str, Any], most: int = MAX_COMMAND_BYTES) -> None:
    """Refuse a command of more than `most` bytes."""
    if len(msgspec.json.encode(fields)) > most:
        raise Refused("bad_value", "That is too much at once.")


def check_numbers(command: Mapping[str, Any]) -> None:
    """Refuse numbers larger than any table needs; a sheet has the bounds of its game."""
    _check_numbers([value for name, value in command.items() if name != "sheet"])


def _check_numbers(data: Any) -> None:
    if isinstance(data, dict | list):
        for value in data.values() if isinstance(data, dict) else data:
            _check_numbers(value)
    elif isinstance(data, int | float) and abs(data) > MAX_COMMAND_NUMBER:
        raise Refused("bad_value", f"Numbers here go up to {MAX_COMMAND_NUMBER:,}.")
