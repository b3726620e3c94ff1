"""A story and tags as sections of the notes, for files that have only text: rosters and text blocks."""

from __future__ import annotations

import re
from typing import Any

from combat.rules.core.basics.errors import Refused
from cosmos_site.base.tags import clean_tags, list_tags

from ..story import PARTS, clean_story, read_story

BOUGHT, TAGS = "Bought with experience", "Tags"
HEADS = {
    **{label.casefold(): key for key, label in PARTS.items()},
    BOUGHT.casefold(): "bought",
    "tags": "tags",
}
HEAD = re.compile(r"# (.+)")
LINE = re.compile(r"- (?:(\d{4}-\d\d-\d\d): )?(.+)")


def join_notes(notes: str, story: dict[str, Any], tags: str) -> str:
    """The notes, and below them a section for each part of the story."""
    told = read_story(story)
    sections = [notes, *(f"# {label}\n{text}" for label, text in told.parts)]
    if told.bought:
        lines = (f"- {one.on}: {one.what}" if one.on else f"- {one.what}" for one in told.bought)
        sections.append("\n".join((f"# {BOUGHT}", *lines)))
    if tags:
        sections.append(f"# {TAGS}\n{', '.join(list_tags(tags))}")
    return "\n\n".join(filter(None, sections))


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


def _read_lines(words: str) -> list[dict[str, str]]:
    """The lines of a list, each with its day."""
    found = []
    for line in filter(None, map(str.strip, words.splitlines())):
        match = LINE.fullmatch(line)
        found.append({"what": match[2], "on": match[1] or ""} if match else {"what": line})
    return found
