"""A line of notes with people in the format of the game, each with their skills and items, among others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from combat.rules.core.basics.errors import Refused
from combat.rules.core.sheets.foreign import Lines

from .names import Named, find_named, find_tail
from .pieces import ENDS, Piece, count_off, split

BRACKETS = re.compile(r"\([^()]*\)")


def part_written(line: Piece, lines: Lines, people: Sequence[Named]) -> list[Piece]:
    """The parts of a line with at least one such person; `people` are known by their names."""
    judge = _Judge(lines, people)
    pieces = [piece for piece in split(line) if piece.text.strip()]
    if judge.is_written(line) and not judge.is_other(pieces[0]):
        return [line]
    parts: list[Piece] = []
    for piece in pieces:
        before = parts[-1] if parts else None
        if before and judge.belongs(before, piece, line):
            parts[-1] = replace(_join(before, piece, line), joint=before.joint)
        else:
            parts.append(piece)
    return parts


def _join(before: Piece, piece: Piece, line: Piece) -> Piece:
    return line.cut(before.start - line.start, piece.end - line.start)


@dataclass(frozen=True)
class _Judge:
    """Tells which parts of a line are one person."""

    lines: Lines
    people: Sequence[Named]

    def belongs(self, before: Piece, piece: Piece, line: Piece) -> bool:
        """Whether a piece is of the same person as the part before it."""
        if self.is_other(before):
            return False
        if self.is_written(_join(before, piece, line)):
            return True
        if self.lines.is_meant(piece.text):  # a comma may stand in a name
            return piece.joint == "," and not self.lines.is_meant(before.text)
        return piece.joint not in ENDS and not self.is_other(piece)

    def is_other(self, piece: Piece) -> bool:
        """Whether a piece has no such person, but a number or the name of people who are known."""
        if self.lines.is_meant(piece.text):
            return False
        counted = count_off(piece)
        words = BRACKETS.sub(" ", counted.piece.words)
        known = find_named(words, self.people) or find_tail(words, self.people)
        return counted.count is not None or bool(known)

    def is_written(self, piece: Piece) -> bool:
        """Whether a piece is one such person, with nothing wrong about it."""
        try:
            return bool(self.lines.read(BRACKETS.sub(" ", count_off(piece).piece.words)))
        except Refused:
            return False
