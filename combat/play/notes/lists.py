"""Lists of combatants in JSON, such as encounters of Improved Initiative, as notes.

The notes say how many there are of each, their names, who is hidden, and their HP where the game has such a
number. Other figures of other games mean nothing here, so they stay behind.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from combat.rules.core.basics.checking import tidy
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.decisions import MAX_COMBATANTS
from combat.rules.core.sheets.foreign import is_json, read_number
from cosmos_site.base.file_kinds import DATA, find_document, find_kind

MAX_LIST = 1_000_000  # characters
# The fields of other programs, without capitals and lines below
LISTS = ("combatants", "creatures", "monsters", "enemies", "npcs", "units", "members", "tokens")
WITHIN = ("encounter", "combat", "fight", "scene", "data")
# The lists and the words of a side, and what the side is called in notes
SIDES = {
    "allies": (
        "allies",
        "ally",
        "allied",
        "friends",
        "friend",
        "friendlies",
        "friendly",
        "helpers",
        "goodguys",
    ),
    "enemies": (
        "enemies",
        "enemy",
        "foes",
        "foe",
        "hostiles",
        "hostile",
        "adversaries",
        "opponents",
        "opposition",
    ),
}
SIDE = ("side", "team", "allegiance", "faction", "disposition", "attitude")
DISPOSITIONS = {1: "allies", -1: "enemies"}  # of Foundry's tokens
NAMES = ("name", "callsign", "title")
BLOCKS = ("statblock",)
COUNT = re.compile(
    r"(?:creature|monster|combatant|token|unit|npc)?s?_?(?:count|quantity|quantities|qty|amount|copies|number|num)"
    r"|(?:num|number|no)_?of\w*|how_?many|instances|multiplier|times|total|n|x",
    re.IGNORECASE,
)
SAID = re.compile(
    r"\s*(?:(\d{1,4})\s*[:x×]?\s+(\S.*?)|(\S.*?)\s*(?:[x×]\s*(\d{1,4})|\((?:[x×]\s*)?(\d{1,4})\)))\s*"
)
FENCE = re.compile(
    r"^ {0,3}(?:`{3,}|~{3,})\w*[ \t]*\n(.*?)\n {0,3}(?:`{3,}|~{3,})[ \t]*$", re.DOTALL | re.MULTILINE
)
BRACED = re.compile(r"\s*(?:\[\[|[{\[][^\W\d_])")  # “{Street Thug}*4”, “[[Pirate]] ×4”
LISTED = re.compile(r"^\s*(?:\[\s*\{|\{\s*\")", re.MULTILINE)
HIDDEN = ("hidden", "ishidden")
STATS, CURRENT = ("stats",), ("currentstats",)
HEALTH = ("hp", "health", "hitpoints")
MOST = ("maxhp", "hpmax", "maxhealth")
NOW = ("currenthp", "currenthealth")
MAX_HEALTH = 9999
BREAKS = re.compile(r"[(){}\[\],;:.|\"“”]+")  # what ends a name in notes
STAYS = "The figures of the other program stay behind"
KEEPS = "All figures except HP stay behind"
FOLLOWS = "The HP of the list stay behind since health follows from the sheet in {}"
WANTED = "a list of combatants"
WORKS = "each needs a name, in a list or under “Combatants”."
UNKNOWN = f"This JSON is no list of combatants: {WORKS}"


def is_remark(words: str) -> bool:
    """Whether words are what a list leaves behind, as it is written below those who are in it."""
    return words in (STAYS, KEEPS) or words.startswith(FOLLOWS.partition("{")[0])


def open_notes(text: str, system: System) -> str:
    """Notes as they are pasted: lists of other programs as notes, an answer of a chat without its fence."""
    if is_json(text) and not BRACED.match(text):
        return write_notes(text, system)
    if fence := FENCE.search(text):
        inner = write_notes(fence[1], system) if is_json(fence[1]) else fence[1]
        return "\n".join(
            filter(None, (text[: fence.start()].strip(), inner.strip(), text[fence.end() :].strip()))
        )
    begin = LISTED.search(text)
    if begin and (found := _find_json(text[begin.start() :])):
        return f"{text[: begin.start()].strip()}\n{write_notes(found, system)}".strip()
    return text


def _find_json(text: str) -> str:
    """A list in JSON at the beginning of a text; "" if there is none that is whole."""
    end = max(text.rfind("]"), text.rfind("}")) + 1
    return text[:end] if end and not text[end:].strip() and is_json(text[:end]) else ""


def write_notes(text: str, system: System) -> str:
    """A list in JSON as notes, a line for each kind of combatant; Refused("bad_value") for anything else.

    The last line says what stays behind, such as HP in a game where health follows from the sheet.
    """
    if len(text) > MAX_LIST:
        raise Refused("bad_value", f"A list has at most {MAX_LIST:,} characters: paste one encounter.")
    try:
        data = msgspec.json.decode(text.encode())
    except (msgspec.MsgspecError, RecursionError, UnicodeEncodeError):
        broken = "This JSON is broken: copy the whole text of the export again."
        kind = find_kind(text.encode("utf-8", "surrogatepass"))
        raise Refused("bad_value", kind.refuse(WANTED, WORKS) if kind else broken) from None
    listed = list(_list_all(data))
    if len(listed) > MAX_COMBATANTS:
        text = f"The list has {len(listed):,} entries: up to {MAX_COMBATANTS} combatants are read at once."
        raise Refused("bad_value", text)
    kinds: Counter[str] = Counter()
    sides = {_side(one) for one in listed}
    keeps, has_health = system.book.imports.set_health is not None, False
    for one in listed:
        name, health = _name(one), _health(one)
        has_health |= bool(health)
        details = ["hidden"] * (_find(one, HIDDEN) is True) + [health] * (bool(health) and keeps)
        details = [side for side in (_side(one),) if side == "allies" or (side and len(sides) > 1)] + details
        if name:
            kinds[f"{name} ({', '.join(details)})" if details else name] += _count(one)
    kind = find_document(text.encode())
    if not kinds or (kind and kind.family == DATA):
        raise Refused("bad_value", kind.refuse(WANTED, WORKS) if kind and kind.family == DATA else UNKNOWN)
    stays = STAYS if not has_health else KEEPS if keeps else FOLLOWS.format(system.name)
    return "\n".join([*(f"{count} {name}" for name, count in kinds.items()), stays])


def _list_all(data: Any) -> Iterator[Any]:
    """All who are in a document: those of each list of a side, with it, else those of the one list."""
    within = data
    while isinstance(inner := _find(within, WITHIN), dict):
        within = inner
    named = {name.casefold().replace("_", ""): name for name in within} if isinstance(within, dict) else {}
    lists = {side: [named[one] for one in words if one in named] for side, words in SIDES.items()}
    lists = {side: names for side, names in lists.items() if any(_is_list(within[name]) for name in names)}
    if len(lists) < 2 and "allies" not in lists:
        yield from _find_list(data)
        return
    taken = {name for names in lists.values() for name in names}
    others = {name: value for name, value in within.items() if name not in taken}
    if _is_list(_find(others, LISTS)):
        yield from _find_list(others)
    for side, names in lists.items():
        for name in names:
            for one in _find_list({LISTS[0]: within[name]}):
                yield {**one, "side": side} if isinstance(one, dict) and not _side(one) else one


def _is_list(value: Any) -> bool:
    return isinstance(value, list) or (isinstance(value, dict) and bool(value))


def _side(data: Any) -> str:
    """The side of a combatant as notes call it; "" if the list does not say one that is known."""
    said = _find(data, SIDE)
    if isinstance(said, int) and not isinstance(said, bool):
        return DISPOSITIONS.get(said, "")
    word = said.casefold().strip() if isinstance(said, str) else ""
    return next((side for side, words in SIDES.items() if word in words), "")


def _find_list(data: Any) -> list[Any]:
    """The list itself, or what a table calls its combatants; a table with a name is one of them."""
    if not isinstance(data, dict):
        return _pair(data, None) if isinstance(data, list) else []
    if isinstance(within := _find(data, WITHIN), dict):
        return _find_list(within)
    inner = _find(data, LISTS)
    if isinstance(inner, list):
        return _pair(inner, next((value for name, value in data.items() if COUNT.fullmatch(name)), None))
    is_counted = isinstance(inner, dict) and inner and _find(inner, NAMES) is None
    if is_counted and all(map(read_number, inner.values())):
        return [{"name": name, "count": count} for name, count in inner.items()]
    return [data]


def _pair(listed: list[Any], counts: Any) -> list[Any]:
    """The entries of a list as tables, with their numbers from a list or a table of numbers beside it."""
    made: list[Any] = []
    for place, one in enumerate(listed):
        table = _read_words(one) if isinstance(one, str) else one
        beside = counts[place] if isinstance(counts, list) and place < len(counts) else None
        if isinstance(counts, dict) and isinstance(table, dict):
            beside = counts.get(str(_find(table, NAMES)))
        if isinstance(table, dict) and beside is not None and _find_count(table) is None:
            table = {**table, "count": beside}
        made.append(table)
    return made


def _read_words(words: str) -> dict[str, Any]:
    """An entry that is only words: “4: Pirate”, “Pirate x4”."""
    found = SAID.fullmatch(words[:100])
    if not found:
        return {"name": words}
    return {"name": found[2] or found[3], "count": int(found[1] or found[4] or found[5])}


def _find(data: Any, names: tuple[str, ...]) -> Any:
    """The first of some fields that a table has; None without any."""
    if not isinstance(data, dict):
        return None
    plain = {name.casefold().replace("_", ""): value for name, value in data.items()}
    return next((plain[name] for name in names if name in plain), None)


def _name(data: Any) -> str:
    """The name of a combatant in notes: that of its stat block, after one of its own."""
    block = _clean(_find(_find(data, BLOCKS), NAMES)) or _clean(_find(data, NAMES))
    own = _clean(_find(data, ("alias",)))
    return f"{own} as {block}" if own and block and own != block else own or block


def _clean(value: Any) -> str:
    return tidy(BREAKS.sub(" ", value[:60])) if isinstance(value, str) else ""


def _count(data: Any) -> int:
    """How many there are: at least one."""
    value = _find_count(data)
    number = read_count(value) if isinstance(value, str) else value if isinstance(value, int) else 1
    return min(max(number or 1, 1), MAX_COMBATANTS + 1)


def _find_count(data: Any) -> Any:
    """The number of a table, whatever its program calls it; None without any."""
    found = data.items() if isinstance(data, dict) else ()
    counts = (value for name, value in found if COUNT.fullmatch(name) and not isinstance(value, bool))
    return next(counts, None)


def _health(data: Any) -> str:
    """The HP of a combatant in notes, such as "9 HP" or "4/9 HP"; empty if the list does not say."""
    tables = (data, _find(data, BLOCKS), _find(data, STATS))
    value, most = _find_in(tables, HEALTH), read_number(_find_in(tables, MOST))
    if isinstance(value, dict):
        most = most or read_number(_find(value, ("max", "maximum")))
        value = _find(value, ("value", "current"))
    current = _find_in((*tables, {NOW[0]: _find(_find(data, CURRENT), HEALTH)}), NOW)
    now = read_number(value if current is None else current)
    most = most or read_number(value) or now
    if most is None or not 1 <= most <= MAX_HEALTH:
        return ""
    now = most if now is None else min(max(now, 0), most)
    return f"{most} HP" if now == most else f"{now}/{most} HP"


def _find_in(tables: tuple[Any, ...], names: tuple[str, ...]) -> Any:
    """The first of some fields that any of these tables has."""
    return next((value for one in tables if (value := _find(one, names)) is not None), None)
