"""Tags: words that people sort their own things by."""

from __future__ import annotations

from combat.rules.core.basics.checking import tidy
from combat.rules.core.basics.errors import Refused

MAX_TAGS, MAX_TAG = 8, 24


def clean_tags(words: str) -> str:
    """Tags as they are stored, ",city,rain,": small letters, each once, in order."""
    tags = sorted({tidy(tag).casefold() for tag in words.split(",")} - {""})
    if len(tags) > MAX_TAGS or any(len(tag) > MAX_TAG for tag in tags):
        raise Refused("bad_value", f"Up to {MAX_TAGS} tags of {MAX_TAG} characters: shorten them.")
    return f",{','.join(tags)}," if tags else ""


def list_tags(stored: str) -> list[str]:
    """The tags of what is stored."""
    return stored.strip(",").split(",") if stored else []
