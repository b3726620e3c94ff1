"""Notes cut into pieces, each with its place in the text: lines, sentences, parts of lists, numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from combat.rules.core.basics.markup import BULLET

NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
COUNTS = {word: number for number, word in enumerate(NUMBERS, 1)} | {"a": 1, "an": 1, "another": 1}
COUNTS |= {"a couple of": 2, "a pair of": 2, "a dozen": 12, "half a dozen": 6, "dozen": 12, "single": 1}
WORDS = "|".join(sorted(COUNTS, key=len, reverse=True))
# Behind these a full stop ends nothing
TITLES = frozenset(
    "dr mr mrs ms prof st sgt lt capt cpt col maj gen cmdr jr sr rev hon".split()  # noqa: SIM905 - a list of words
)
BEFORE = re.compile(rf"\s*(?:(\d+)\s?[x×](?=\s)|(\d+)(?=\s)|({WORDS})(?=\s))\s+", re.IGNORECASE)
AFTER = re.compile(r"(?:(?<!\S)x|×)\s*(\d+)\s*$", re.IGNORECASE)
# What stands for a number and is none: “1d6”, “-3”, “½”, “1-3”; “to 3” or “dozen” behind a number
ODD = r"[-+−–—~≈<>≤≥]*[dw]?[\d¼½¾⅐-⅞][\d¼½¾⅐-⅞dwx×*/.,:%?+−–—-]*|dozen|hundred|thousand"
UNCLEAR = re.compile(
    rf"\s*(?:\[[^\[\]]*\]\s*)?(?:(?:to|or|[-–—−])\s+(?:{WORDS}|{ODD})|{ODD})(?=\s)", re.IGNORECASE
)
JOINT = re.compile(r"[(),;]|\.(?=\s|$)|\s(?:and|&|plus)(?=\s)", re.IGNORECASE)
MAX_DIGITS = 6
ENDS = (";", ".")  # joints that end the list of someone's items
WITH = re.compile(
    r"\s(?:armed with|equipped with|with|carrying|wearing|wielding)(?:\s+(?:an?|the|their))?(?=\s)", re.I
)
AS = re.compile(r"\s(?:as|=)\s", re.IGNORECASE)
CALLED = re.compile(r"\s(?:called|named)\s", re.IGNORECASE)


@dataclass(frozen=True)
class Piece:
    """A part of a text from `start` on, and the joint before it: "" for the first of a line."""

    start: int
    text: str
    joint: str = ""

    @property
    def end(self) -> int:
        """The place after it."""
        return self.start + len(self.text)

    @property
    def span(self) -> tuple[int, int]:
        """Its place in the text, without the spaces around it."""
        lead = len(self.text) - len(self.text.lstrip())
        return self.start + lead, self.start + len(self.text.rstrip())

    @property
    def words(self) -> str:
        """Its words, with single spaces."""
        return " ".join(self.text.split())

    def cut(self, begin: int, end: int | None = None) -> Piece:
        """A part of it."""
        return replace(self, start=self.start + begin, text=self.text[begin:end])

    def blank(self, begin: int, end: int) -> Piece:
        """The piece with spaces in place of a part."""
        return replace(self, text=self.text[:begin] + " " * (end - begin) + self.text[end:])


@dataclass(frozen=True)
class Counted:
    """A piece without its number: the number, None if it has none, and its place."""

    piece: Piece
    count: int | None = None
    span: tuple[int, int] = (0, 0)
    is_word: bool = False  # a number in words, or an article

    @property
    def is_article(self) -> bool:
        """Whether its number is only an article, as before any noun."""
        return self.is_word and self.count == 1


def split_cells(line: Piece) -> list[Piece]:
    """The cells of a row of a table that are filled; none if it is no row."""
    if line.text.count("|") < 2:
        return []
    bounds = [-1, *(found.start() for found in re.finditer(r"\|", line.text)), len(line.text)]
    cells = [line.cut(begin + 1, end) for begin, end in pairwise(bounds)]
    return [cell for cell in cells if cell.text.strip()]


def find_lines(text: str) -> Iterator[Piece]:
    """The lines without bullets, empty ones too."""
    start = 0
    for line in text.splitlines(keepends=True):
        bullet = BULLET.match(line)
        lead = bullet.end() if bullet else 0
        yield Piece(start + lead, line[lead:].rstrip("\r\n"))
        start += len(line)


def split(line: Piece) -> Iterator[Piece]:
    """The parts of a line between commas, semicolons, full stops and "and", not inside brackets."""
    depth, begin, joint = 0, 0, ""
    for found in JOINT.finditer(line.text):
        mark = found[0].strip().casefold()
        if mark in "()":
            depth = max(0, depth + (1 if mark == "(" else -1))
        elif not depth and not (mark == "." and _is_title(line.text[: found.start()])):
            yield replace(line.cut(begin, found.start()), joint=joint)
            begin, joint = found.end(), mark
    yield replace(line.cut(begin), joint=joint)


def _is_title(text: str) -> bool:
    """Whether a text ends in a title or an initial: the full stop of “Dr. Vance” ends nothing."""
    word = re.split(r"\W", text)[-1]
    return word.casefold() in TITLES or (len(word) == 1 and word.isupper())


def count_off(piece: Piece) -> Counted:
    """A piece without the number before or after its words: "4 x", "two", "a", or "x 4" at its end."""
    found = BEFORE.match(piece.text)
    if found:
        word = (found[3] or "").casefold()
        count = COUNTS[word] if word else read_count(found[1] or found[2])
        at = found.start(found.lastindex or 0)
        span = (piece.start + at, piece.start + found.end(found.lastindex or 0))
        return Counted(piece.cut(found.end()), count, span, bool(word))
    found = AFTER.search(piece.text)
    if found:
        span = (piece.start + found.start(1), piece.start + found.end(1))
        return Counted(piece.cut(0, found.start()), read_count(found[1]), span)
    return Counted(piece)


def read_count(digits: str) -> int:
    """A number; one with very many digits is cut to a number that is still too large."""
    return int(digits[:MAX_DIGITS])
