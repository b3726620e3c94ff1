"""Why no game can read a file, and what works instead: one sentence for each kind that people try."""

from __future__ import annotations

from itertools import islice
from typing import Any

import msgspec

from combat.rules.core.basics.checking import tidy
from cosmos_site.base.file_kinds import DATA, find_document

from ..games import find_games
from .documents import FORMAT as DOCUMENT_FORMAT
from .roster import DELIMITERS
from .words_out import GAME, NAME

PROGRAMS = {  # systems of Foundry VTT by the names in its files
    "mgt2": "Mongoose Traveller",
    "mgt2e": "Mongoose Traveller",
    "traveller": "Mongoose Traveller",
    "dnd5e": "D&D 5e",
    "pf2e": "Pathfinder",
}
SIGNS = (  # fields that only one program's actors have, and the program's name
    (("characteristics", "STR"), "mgt2e"),
    (("abilities", "str"), "dnd5e"),
)


def say_what_values(data: Any, usual: str) -> str:
    """Why no reader takes the values of a JSON document; empty if it may be one of this site."""
    first = next(iter(data), None) if isinstance(data, list) else data
    if not isinstance(first, dict):
        return f"is JSON without a character: {_say_readable()}"
    program = _find_program(first)
    if program:
        return f"is an actor of {program[:40]}, which no game here reads: {_say_line(usual)}"
    if _is_of_this_site(first):
        return ""
    kind = find_document(msgspec.json.encode(data))
    if kind:
        return f"is {kind.words}: {f'{kind.reader} reads it' if kind.reader else _say_readable()}"
    return f"is JSON of an unknown program: {_say_readable()}"


def say_what_items(data: Any) -> str:
    """Why no reader takes the items of a JSON document."""
    first = next(iter(data), None) if isinstance(data, list) else data
    program = _find_program(first) if isinstance(first, dict) else ""
    if program not in ("", "twodsix", PROGRAMS["mgt2e"]):
        return f"is an item of {program[:40]}, which no game here reads: create your own on this page"
    kind = find_document(msgspec.json.encode(data))
    if kind and kind.reader:
        return f"is {kind.words}: {kind.reader} reads it"
    if kind and kind.family == DATA:
        return f"is {kind.words}, not a file of items: see below what can be read"
    return "has no items that can be read here: see below what can be. Characters have a page of their own"


def _is_of_this_site(data: dict[str, Any]) -> bool:
    """Whether a document without its format has characters with sheets, as this site writes them."""
    characters = data.get("characters")
    return isinstance(characters, list) and any(
        isinstance(one, dict) and "sheet" in one for one in characters
    )


def _find_program(data: dict[str, Any]) -> str:
    """The name of the program that wrote an actor; empty if unknown."""
    system = data.get("system", data.get("data"))
    if not isinstance(system, dict):
        return ""
    stats = data.get("_stats")
    named = stats.get("systemId") if isinstance(stats, dict) else ""
    for (table, field), key in SIGNS:
        inner = system.get(table)
        named = named or (key if isinstance(inner, dict) and field in inner else "")
    if isinstance(named, str) and named:
        return PROGRAMS.get(named, tidy(named))
    return ""


def _say_readable() -> str:
    readers = {r.key: r.label for system in find_games() for r in system.book.imports.readers if not r.plain}
    return f"export with the format {DOCUMENT_FORMAT}, or {', '.join(readers.values())}"


def say_what_text(text: str, usual: str) -> str:
    """Why no reader takes a text."""
    if _has_columns(text):
        return f"has columns, but none is called {NAME}: call the column of names {NAME}"
    return f"has no character that can be read: {_say_line(usual)}"


def _has_columns(text: str) -> bool:
    """Whether the first two lines of a text have the same number of cells, more than one."""
    lines = islice((line for line in text.splitlines() if line.strip()), 2)
    first, second = [*lines, "", ""][:2]
    return any(first.count(sign) == second.count(sign) > 0 for sign in DELIMITERS)


def _say_line(usual: str) -> str:
    """How to write a character that the chosen game reads: in one line, else as a block of text."""
    game = next((system for system in find_games() if system.slug == usual), None)
    if game and not game.book.imports.lines:
        return f"write a name, then “{GAME}: {game.name}” in the next line"
    games = [game] if game else find_games()
    example = next((system.book.imports.lines.example for system in games if system.book.imports.lines), "")
    return f"write a line for each, such as {example}"
