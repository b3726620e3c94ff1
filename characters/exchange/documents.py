"""Characters as JSON documents, in and out.

A document is {"format": FORMAT, "version": VERSION, "characters": [...]}, each character with `system`,
`name`, `sheet` (fields of the game's sheet type), `notes`, `story` (looks, background, bonds and what
experience bought), `tags`, `face` (the key of a drawn face) and `portrait` (a picture in base64).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from combat.rules.core.basics.checking import Problem, find_shape_problems, find_text_problems, join
from combat.rules.core.basics.data import convert
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_whole
from combat.rules.core.basics.words import say_number
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.sheets import blank_draft
from cosmos_site.base.tags import MAX_TAG, MAX_TAGS, clean_tags, list_tags

from ..faces import check_face
from ..games import find_game, find_games, find_problems, plan_of
from ..models import Character
from ..services.character_service import MAX_NAME, MAX_NOTES, clean_name, clean_notes, find_portraits
from ..story import PARTS, Bought, Story, clean_story, read_story
from .reading import FORMAT as FORMAT
from .reading import ValidationFailed, read_text, read_values

VERSION = 1
MAX_AT_ONCE = 50
BOUGHT, TAGS = "Bought with experience", "Tags"
HEADS = {
    **{label.casefold(): key for key, label in PARTS.items()},
    BOUGHT.casefold(): "bought",
    "tags": "tags",
}
HEAD = re.compile(r"# (.+)")
LINE = re.compile(r"- (?:(\d{4}-\d\d-\d\d): )?(.+?)(?: \(([+−-]\d{1,4}) experience\))?")
POINTS = re.compile(r".* \([+−-]\d{1,4} experience\)")


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
    needed = {"attributes": sheet["attributes"]} if "attributes" in sheet else sheet
    someone = Exported(system.slug, "Someone", needed)
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


# A story and tags as sections of the notes, for files that have only text: rosters and text blocks.


def join_notes(notes: str, story: dict[str, Any], tags: str) -> str:
    """The notes, and below them a section for each part of the story."""
    told = read_story(story)
    sections = [notes, *(f"# {label}\n{text}" for label, text in told.parts)]
    if told.bought:
        sections.append("\n".join((f"# {BOUGHT}", *map(_tell_line, told.bought))))
    if tags:
        sections.append(f"# {TAGS}\n{', '.join(list_tags(tags))}")
    return "\n\n".join(filter(None, sections))


def _tell_line(line: Bought) -> str:
    """A line of the log of experience, with its points at the end; words like that have theirs too."""
    says = line.points or POINTS.fullmatch(line.what)
    points = f" ({say_number(line.points, signed=True)} experience)" if says else ""
    return f"- {line.on}: {line.what}{points}" if line.on else f"- {line.what}{points}"


def split_notes(text: str) -> tuple[str, dict[str, Any], str]:
    """Notes, story and tags of such a text; faulty sections stay in the notes."""
    parts: dict[str, list[str]] = {"notes": []}
    key = "notes"
    for line in text.splitlines():
        head = HEAD.fullmatch(line.strip())
        if head:
            key = HEADS.get(head[1].strip().casefold(), "notes")
            key = "notes" if key in parts else key
            parts.setdefault(key, [])
        if not head or key == "notes":
            parts[key].append(line)
    said = {key: "\n".join(lines).strip() for key, lines in parts.items()}
    notes, tags = said.pop("notes"), ""
    story: dict[str, str] = {}
    for key, words in said.items():
        try:
            if key == "tags":
                tags = clean_tags(words)
            else:
                story |= clean_story({key: _read_lines(words) if key == "bought" else words})
        except Refused:
            notes = f"{notes}\n\n# {key.capitalize()}\n{words}".strip()
    return notes, story, tags


def _read_lines(words: str) -> list[dict[str, Any]]:
    """The lines of a list, each with its day and its points."""
    found: list[dict[str, Any]] = []
    for line in filter(None, map(str.strip, words.splitlines())):
        match = LINE.fullmatch(line)
        points = {"points": read_whole(match[3])} if match and match[3] else {}
        found.append({"what": match[2], "on": match[1] or "", **points} if match else {"what": line})
    return found
