"""Lists of combatants in JSON, such as encounters of Improved Initiative, as notes.

The notes say how many there are of each, their names, and who is hidden. Figures of other games mean nothing
here, so they stay behind.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import msgspec

from combat.rules.core.basics.checking import tidy
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.gm.decisions import MAX_COMBATANTS

MAX_LIST = 1_000_000  # characters
LISTS = ("Combatants", "Creatures", "combatants", "creatures", "enemies", "npcs", "units", "members")
NAMES = ("Name", "name", "callsign", "title")
BLOCKS = ("StatBlock", "Statblock", "statblock")
COUNTS = ("count", "Count", "quantity", "number", "amount")
HIDDEN = ("Hidden", "hidden", "isHidden")
BREAKS = re.compile(r"[(){}\[\],;:.|\"“”]+")  # what ends a name in notes
STAYS = "The figures of the other program stay behind"
UNKNOWN = "This JSON is no list of combatants: each needs a name, in a list or under “Combatants”."


def is_list(text: str) -> bool:
    """Whether a text is meant as JSON."""
    return text.lstrip()[:1] in ("{", "[")


def write_notes(text: str) -> str:
    """A list in JSON as notes, a line for each kind of combatant; Refused("bad_value") for anything else."""
    if len(text) > MAX_LIST:
        raise Refused("bad_value", f"A list has at most {MAX_LIST:,} characters: paste one encounter.")
    try:
        data = msgspec.json.decode(text.encode())
    except (msgspec.MsgspecError, RecursionError, UnicodeEncodeError):
        raise Refused("bad_value", "This JSON is broken: copy the whole text of the export again.") from None
    listed = _find_list(data)
    if len(listed) > MAX_COMBATANTS:
        text = f"The list has {len(listed):,} entries: up to {MAX_COMBATANTS} combatants are read at once."
        raise Refused("bad_value", text)
    kinds: Counter[str] = Counter()
    for one in listed:
        name = _name(one)
        if name:
            kinds[f"{name} (hidden)" if _find(one, HIDDEN) is True else name] += _count(one)
    if not kinds:
        raise Refused("bad_value", UNKNOWN)
    return "\n".join([*(f"{count} {name}" for name, count in kinds.items()), STAYS])


def _find_list(data: Any) -> list[Any]:
    """The list itself, or what a table calls its combatants; a table with a name is one of them."""
    if isinstance(data, dict):
        inner = _find(data, LISTS)
        return inner if isinstance(inner, list) else [data]
    return data if isinstance(data, list) else []


def _find(data: Any, names: tuple[str, ...]) -> Any:
    """The first of some fields that a table has; None without any."""
    return next((data[name] for name in names if name in data), None) if isinstance(data, dict) else None


def _name(data: Any) -> str:
    """The name of a combatant in notes: that of its stat block, after one of its own."""
    block = _clean(_find(_find(data, ("StatBlock", "Statblock", "statblock")), NAMES)) or _clean(
        _find(data, NAMES)
    )
    own = _clean(_find(data, ("Alias", "alias")))
    return f"{own} as {block}" if own and block and own != block else own or block


def _clean(value: Any) -> str:
    return tidy(BREAKS.sub(" ", value[:60])) if isinstance(value, str) else ""


def _count(data: Any) -> int:
    """How many there are: at least one."""
    value = _find(data, COUNTS)
    number = read_count(value) if isinstance(value, str) else value if isinstance(value, int) else 1
    return min(max(number or 1, 1), MAX_COMBATANTS + 1)
