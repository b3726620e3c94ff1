"""Any number of characters as files that the import takes one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ..models import Character
from . import documents, roster
from .previews import MAX_THINGS_AT_ONCE
from .reading import ValidationFailed, read_text


def write_documents(characters: Iterable[Character]) -> list[bytes]:
    """JSON documents; a single empty one without characters."""
    return _write(documents.write_document, list(characters), documents.MAX_AT_ONCE)


def write_rosters(characters: Iterable[Character]) -> list[bytes]:
    """Rosters in CSV, marked as UTF-8 for spreadsheets; one with only its head without characters."""
    return _write(
        lambda some: roster.write_roster(some).encode("utf-8-sig"), list(characters), roster.MAX_ROWS
    )


def _write(
    write: Callable[[Sequence[Character]], bytes], characters: Sequence[Character], most: int
) -> list[bytes]:
    """Files of at most so many characters each, and of fewer where they would be too large to import."""
    if len(characters) <= most:
        raw = write(characters)
        if len(characters) < 2 or _is_importable(raw, characters):
            return [raw]
        most = (len(characters) + 1) // 2
    return [*_write(write, characters[:most], most), *_write(write, characters[most:], most)]


def _is_importable(raw: bytes, characters: Iterable[Character]) -> bool:
    """Whether a file is within the limits of the import: its size, and how many items its people have."""
    try:
        read_text(raw)
    except ValidationFailed:
        return False
    return sum(len(one.sheet.get("items", ())) for one in characters) <= MAX_THINGS_AT_ONCE
