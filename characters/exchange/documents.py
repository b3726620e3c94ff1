"""Characters as JSON documents, in and out.

A document is {"format": FORMAT, "version": VERSION, "characters": [...]}, each character with `system`,
`name`, `sheet` (fields of the game's sheet type), `notes`, `story` (looks, background, bonds and what
experience bought), `tags`, `face` (the key of a drawn face) and `portrait` (a picture in base64).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from combat.rules.core.basics.checking import Problem, find_shape_problems, find_text_problems, join
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.typed import convert
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.sheets import blank_draft
from cosmos_site.base.tags import MAX_TAG, MAX_TAGS

from ..faces import check_face
from ..games import find_game, find_games, find_problems, plan_of
from ..models import Character
from ..services.character_service import (
    MAX_NAME,
    MAX_NOTES,
    clean_name,
    clean_notes,
    find_portraits,
)
from ..story import Story, clean_story, read_story
from .reading import FORMAT as FORMAT
from .reading import ValidationFailed, read_text, read_values

VERSION = 1
MAX_AT_ONCE = 50


class Exported(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One character of a document."""

    system: Annotated[str, Meta(max_length=40)]
    name: Annotated[str, Meta(max_length=MAX_NAME)]
    sheet: dict[str, Any]
    notes: Annotated[str, Meta(max_length=MAX_NOTES)] = ""
    story: Story = Story()
    tags: Annotated[tuple[Annotated[str, Meta(max_length=MAX_TAG)], ...], Meta(max_length=MAX_TAGS)] = ()
    face: Annotated[str, Meta(max_length=20)] = ""
    # JPEG, PNG or WebP, at most 512 pixels wide and high
    portrait: bytes = b""


class Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A document of characters; an empty one can be exported, but not imported."""

    format: str
    version: int
    characters: Annotated[tuple[Exported, ...], Meta(max_length=MAX_AT_ONCE)]


# ---------------------------------------------------------------- out


def write_document(characters: Iterable[Character]) -> bytes:
    """Readable JSON of characters, with their pictures."""
    there = list(characters)
    pictures = find_portraits(there)
    exported = tuple(
        Exported(
            c.system,
            c.name,
            c.sheet,
            notes=c.notes,
            story=read_story(c.story),
            tags=tuple(c.tag_list),
            face=c.face,
            portrait=pictures.get(c.pk, ("", b""))[1],
        )
        for c in there
    )
    return msgspec.json.format(msgspec.json.encode(Document(FORMAT, VERSION, exported)), indent=1)


def write_example(system: System) -> str:
    """The smallest document of a game, to start from."""
    plan = plan_of(system)
    sheet = plan.write({}, blank_draft(plan))
    someone = Exported(system.slug, "Someone", {"attributes": sheet["attributes"]})
    example = Document(FORMAT, VERSION, (someone,))
    return msgspec.json.format(msgspec.json.encode(example), indent=1).decode()


def write_schema(system: System) -> bytes:
    """The JSON schema of a game's sheet, for people who write documents with their own tools."""
    return msgspec.json.format(msgspec.json.encode(msgspec.json.schema(system.characters.sheet)), indent=1)


# ---------------------------------------------------------------- in


def read_document(raw: bytes) -> tuple[Exported, ...]:
    """The characters of a document; raises ValidationFailed with every fault in it."""
    data = read_values(read_text(raw))
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
    if characters == []:
        problems.append(Problem("characters", "must have at least 1 entries"))
    for number, one in enumerate(characters if isinstance(characters, list) else []):
        if isinstance(one, dict) and number < MAX_AT_ONCE:
            problems += _character_problems(one, f"characters[{number}]")
    return problems


def _character_problems(data: dict[str, Any], place: str) -> list[Problem]:
    found: list[Problem] = []
    for field, clean in (("name", clean_name), ("notes", clean_notes), ("face", check_face)):
        value = data.get(field)
        if isinstance(value, str):
            found += find_text_problems(value, join(place, field)) or _told_by(
                clean, value, join(place, field)
            )
    story = data.get("story")
    if isinstance(story, dict) and not find_shape_problems(story, Story):
        found += find_text_problems(story, join(place, "story")) or _told_by(
            clean_story, story, join(place, "story")
        )
    for number, tag in enumerate(data["tags"] if isinstance(data.get("tags"), list) else ()):
        found += find_text_problems(tag, f"{place}.tags[{number}]")
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


def _told_by(clean: Any, value: object, place: str) -> list[Problem]:
    try:
        clean(value)
    except Refused as refused:
        return [Problem(place, refused.message)]
    return []
