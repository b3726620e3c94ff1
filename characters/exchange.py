"""Characters as documents: JSON in and out, and a roster as CSV.

A document is {"format": FORMAT, "version": VERSION, "characters": [...]}, each character with
`system`, `name`, `sheet` (fields of the game's sheet type) and `notes`. Pictures stay behind.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from io import StringIO
from typing import Annotated, Any

import msgspec
from django.contrib.auth.models import User
from msgspec import Meta

from combat.rules.core.basics.checking import Problem, find_shape_problems, find_text_problems, join
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.typed import convert
from combat.rules.core.sheets.sheets import blank_draft, find_meant
from combat.rules.core.system import System

from .display.sheet_view import view_numbers
from .games import find_game, find_games, find_problems, plan_of
from .models import Character
from .services.character_service import (
    MAX_NAME,
    MAX_NOTES,
    Wanted,
    clean_name,
    clean_notes,
    count_room,
    create_all,
)

FORMAT, VERSION = "cosmos-table-characters", 1
MAX_BYTES = 1_000_000
MAX_AT_ONCE = 50
MAX_PROBLEMS = 100
FORMULA = ("=", "+", "-", "@", "\t", "\r")


class Exported(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One character of a document."""

    system: Annotated[str, Meta(max_length=40)]
    name: Annotated[str, Meta(max_length=MAX_NAME)]
    sheet: dict[str, Any]
    notes: Annotated[str, Meta(max_length=MAX_NOTES)] = ""


class Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A document of characters."""

    format: str
    version: int
    characters: Annotated[tuple[Exported, ...], Meta(min_length=1, max_length=MAX_AT_ONCE)]


class ValidationFailed(Exception):
    """A document that cannot be imported: everything that is wrong with it, place by place."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(f"{len(problems)} problems")
        self.problems = problems[:MAX_PROBLEMS]
        self.left_out = len(problems) - len(self.problems)


# ---------------------------------------------------------------- out


def write_document(characters: Iterable[Character]) -> bytes:
    """Readable JSON of characters."""
    exported = tuple(Exported(c.system, c.name, c.sheet, c.notes) for c in characters)
    return msgspec.json.format(msgspec.json.encode(Document(FORMAT, VERSION, exported)), indent=1)


def write_example(system: System) -> str:
    """The smallest document of a game, to start from."""
    plan = plan_of(system)
    sheet = plan.write({}, blank_draft(plan))
    somebody = Exported(system.slug, "Somebody", {"attributes": sheet["attributes"]})
    example = Document(FORMAT, VERSION, (somebody,))
    return msgspec.json.format(msgspec.json.encode(example), indent=1).decode()


def write_schema(system: System) -> bytes:
    """The JSON schema of a game's sheet, for those who write documents with their own tools."""
    return msgspec.json.format(msgspec.json.encode(msgspec.json.schema(system.sheet)), indent=1)


def write_roster(characters: Iterable[Character]) -> str:
    """A line of CSV for each character; every game adds its own columns."""
    games = {system.slug: system for system in find_games()}
    rows = [_roster_row(games[c.system], c) for c in characters if c.system in games]
    columns = list(dict.fromkeys(name for row in rows for name in row)) or ["Name", "Game"]
    out = StringIO()
    writer = csv.DictWriter(out, columns, restval="")
    writer.writeheader()
    writer.writerows({name: _safe(value) for name, value in row.items()} for row in rows)
    return out.getvalue()


def _roster_row(system: System, character: Character) -> dict[str, Any]:
    plan = plan_of(system)
    row: dict[str, Any] = {"Name": character.name, "Game": system.name, "Summary": character.summary}
    if find_problems(system, character.sheet):
        return row
    draft = plan.read(character.sheet)
    row |= {stat.label: draft.attributes[stat.key] for stat in find_meant(plan.attributes, draft.chosen)}
    for group in view_numbers(system, character.name, character.sheet):
        for number in group.numbers:
            row[f"{group.label}: {number.label}" if group.label else number.label] = number.value
    row |= {
        stat.label: value
        for stat in find_meant(plan.skills, draft.chosen)
        if (value := draft.skills[stat.key]) != stat.usual
    }
    return row | {plan.money.label: character.sheet.get(plan.money.key, 0)} if plan.money else row


def _safe(value: Any) -> Any:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


# ---------------------------------------------------------------- in


def read_document(raw: bytes) -> tuple[Exported, ...]:
    """The characters of a document; raises ValidationFailed with all that is wrong with it."""
    if len(raw) > MAX_BYTES:
        raise ValidationFailed(Problem("", f"is larger than {MAX_BYTES // 1_000_000} MB"))
    try:
        data = msgspec.json.decode(raw)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError) as wrong:
        raise ValidationFailed(Problem("", f"is not JSON: {wrong}")) from None
    except RecursionError:
        raise ValidationFailed(Problem("", "is nested too deeply")) from None
    problems = _find_problems(data)
    if problems:
        raise ValidationFailed(*problems)
    return convert(data, Document).characters


def _find_problems(data: object) -> list[Problem]:
    problems = [*find_shape_problems(data, Document)]
    if not isinstance(data, dict):
        return problems
    if (data.get("format"), data.get("version")) != (FORMAT, VERSION):
        problems.insert(0, Problem("format", f"must be {FORMAT}, version {VERSION}"))
    characters = data.get("characters")
    for number, one in enumerate(characters if isinstance(characters, list) else []):
        if isinstance(one, dict) and number < MAX_AT_ONCE:
            problems += _character_problems(one, f"characters[{number}]")
    return problems


def _character_problems(data: dict[str, Any], place: str) -> list[Problem]:
    found: list[Problem] = []
    for field, clean in (("name", clean_name), ("notes", clean_notes)):
        value = data.get(field)
        if isinstance(value, str):
            found += find_text_problems(value, join(place, field)) or _told_by(
                clean, value, join(place, field)
            )
    system, sheet = data.get("system"), data.get("sheet")
    if not isinstance(system, str) or sheet is None:
        return found
    try:
        game = find_game(system)
    except Refused:
        known = ", ".join(game.slug for game in find_games())
        return [*found, Problem(join(place, "system"), f"must be one of: {known}")]
    inner = find_problems(game, sheet)
    return [*found, *(Problem(join(f"{place}.sheet", p.place).rstrip("."), p.message) for p in inner)]


def _told_by(clean: Any, value: str, place: str) -> list[Problem]:
    try:
        clean(value)
    except Refused as refused:
        return [Problem(place, refused.message)]
    return []


def import_document(owner: User, raw: bytes) -> list[Character]:
    """Make all the characters of a document, or none; raises ValidationFailed."""
    exported = read_document(raw)
    free = count_room(owner)
    if len(exported) > free:
        raise ValidationFailed(Problem("characters", f"has {len(exported)}; there is room for {free}"))
    return create_all(owner, [Wanted(e.system, e.name, e.sheet, e.notes) for e in exported], "Imported")
