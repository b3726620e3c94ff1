"""People in blocks of several lines, as they are pasted: a name, a profile, skills, equipment.

The game's own reader of lines says what belongs to someone; the order of the lines does not matter to it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from combat.rules.core.basics.checking import tidy
from combat.rules.core.basics.markup import HEADING, take_off_heading
from combat.rules.core.sheets.foreign import Lines

from .glossary import Glossary
from .pieces import Piece, count_off, count_off_written, split_cells
from .words import HEADS, SAID

ABOVE = 3  # lines before a profile that may have the name
SCORES = 6  # lines that one profile may stand on
SCORE = re.compile(r"\s*[^\W\d_]{3}\b[:\s]*(?:\d|[^\W\d_]{3}\b)")
JOINED = "joined"  # before a line that stands in another
SKIPPED = 2  # lines without a meaning between others of a block
NAME_WORDS = 5
BRACKETS = re.compile(r"\([^()]*\)")
MAX_TRIED, MAX_FAILED = 400, 60  # lines that are tried in all; a failure takes longer


@dataclass(frozen=True)
class Block:
    """One person in several lines: where, up to which line, the words in one line, what is left out."""

    piece: Piece
    end: int
    words: str
    left_out: tuple[Piece, ...] = ()


def fold(lines: Sequence[Piece], glossary: Glossary) -> dict[int, Block]:
    """The blocks of some lines by their first line."""
    known = glossary.system.book.imports.lines
    if known is None:
        return {}
    lines = join_scores(lines, known)
    folder, found, free = _Folder(lines, known, glossary), {}, 0
    for at, line in enumerate(lines):
        if at < free or not known.is_meant(line.text) or split_cells(line):
            continue
        block, begin = folder.read(at, free)
        if block is not None:
            found[begin], free = block, block.end
    return found


def join_scores(lines: Sequence[Piece], known: Lines) -> list[Piece]:
    """The lines, with a profile that stands on several of them in the first; the others are `JOINED`."""
    made = list(lines)
    for at, line in enumerate(lines):
        if not SCORE.match(line.text) or known.is_meant(line.text) or made[at].joint == JOINED:
            continue
        for end in range(at + 2, min(at + SCORES, len(lines)) + 1):
            text = _join(lines[at:end])
            if known.is_meant(text):
                made[at] = Piece(line.start, text)
                made[at + 1 : end] = [Piece(one.start, "", JOINED) for one in lines[at + 1 : end]]
                break
    return made


class _Folder:
    """Tries which lines are one person."""

    def __init__(self, lines: Sequence[Piece], known: Lines, glossary: Glossary) -> None:
        self.lines, self.known, self.glossary = lines, known, glossary
        self.tried = self.failed = 0

    def can_read(self, words: str) -> bool:
        """Whether words are someone, without a fault."""
        self.tried += 1
        if self.tried > MAX_TRIED or self.failed > MAX_FAILED:
            return False
        can = self.known.can_read(words)
        self.failed += not can
        return can

    def say(self, at: int) -> str:
        """The words of a line without the sign of a heading, and without what changes no number."""
        text = take_off_heading(self.lines[at].text)
        for pattern, _ in SAID["told"]:
            text = pattern.sub("", text)
        plain = re.sub(r"^(\w+) [=:] ", r"\1: ", tidy(text).strip("=~ "))
        first, _, rest = plain.partition(" ")
        is_label = rest and first.casefold() in HEADS and first[:1].isupper()  # “Skills Slug Pistol-1”
        return re.sub(r"(?:\s*,)+(?=,|$)", "", f"{first}: {rest}" if is_label else f"{first} {rest}").strip()

    def name(self, at: int) -> str:
        """The name that a line is, without a number, and without what stands in brackets."""
        return tidy(BRACKETS.sub(" ", count_off(Piece(0, self.say(at))).piece.text))

    def read(self, at: int, free: int) -> tuple[Block | None, int]:
        """The block around the profile in one line, and its first line; None if it is only that line."""
        counted = count_off_written(Piece(0, self.say(at))).piece.words
        words, begin = counted if self.known.is_meant(counted) else self.say(at), at  # “8 6 8 7 7 4”
        left: list[int] = []
        if not self.can_read(words):
            above = self._above(at, free)
            name = next((one for one in above if self.can_read(f"{self.name(one)} {words}")), None)
            if name is None:
                return None, at
            words, begin = f"{self.name(name)} {words}", name
            for one in filter(self.say, range(name + 1, at)):
                longer = f"{words}, {self.say(one)}"
                words, left = (longer, left) if self.can_read(longer) else (words, [*left, one])
        end = at + 1
        skipped: list[int] = []
        for one in range(at + 1, len(self.lines)):
            if self.lines[one].joint == JOINED:
                end = one + 1
                continue
            if not self.say(one) or self.is_other(one) or len(skipped) > SKIPPED:
                break
            longer = f"{words}, {self.say(one)}"
            if not self.can_read(longer):
                skipped.append(one)
                continue
            words, end, left, skipped = longer, one + 1, [*left, *skipped], []
        if (begin, end) == (at, at + 1):
            return None, at
        piece = Piece(self.lines[begin].start, _join(self.lines[begin:end]))
        return Block(piece, end, words, tuple(self.lines[one] for one in left)), begin

    def _above(self, at: int, free: int) -> list[int]:
        """The lines above a profile that may have the name, the nearest first, up to an empty one."""
        found: list[int] = []
        for one in range(at - 1, max(free, at - 1 - ABOVE) - 1, -1):
            if not self.say(one):
                if found or not (one > free and HEADING.match(self.lines[one - 1].text)):
                    break
                continue
            counted = count_off(self.lines[one])
            if self.known.is_meant(self.lines[one].text):
                break
            if counted.count is not None and not counted.is_word:  # “4x Security Guard”
                return [*found, one] if len(counted.piece.words.split()) <= NAME_WORDS else found
            found.append(one)
        names = [one for one in found[::-1] if _is_like_name(self.say(one))]
        return names or found[:1]

    def is_other(self, at: int) -> bool:
        """Whether a line is of others: a profile, a number, or people who are known, or their name."""
        line = self.lines[at]
        counted = count_off(line)
        if self.known.is_meant(line.text) or self.glossary.find_people(counted.piece.words):
            return True
        if HEADING.match(f" {line.text}") and at + 1 < len(self.lines):
            return not any(self.known.is_meant(one.text) for one in self.lines[at + 1 : at + 3])
        return counted.count is not None and not self.can_read(f"{self.known.example}, {line.text}")


def _is_like_name(words: str) -> bool:
    """Whether a line is like the name of someone: a few words with capitals, and no sentence."""
    said = words.split()
    is_short = 0 < len(said) <= NAME_WORDS and words[-1] not in ".!?:"
    return is_short and not any(one[0].islower() for one in said)


def _join(lines: Sequence[Piece]) -> str:
    """The text of lines from the first to the last, with blanks for what stands between."""
    text, start = "", lines[0].start
    for line in lines:
        text = text.ljust(line.start - start) + line.text
    return text
