"""People in the format of the game: in a line, among others in one, or in a block of several lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from combat.rules.core.basics.errors import Refused
from combat.rules.core.gm.decisions import MAX_COPIES
from combat.rules.core.sheets.foreign import Lines

from .blocks import Block
from .details import BRACKETS as INSIDE
from .draft import Draft
from .glossary import Named, find_named, find_tail
from .groups import read_piece
from .parts import ParseIssue
from .pieces import BRACKETS, ENDS, Piece, count_off_written, list_parts, read_number, split_cells, take_label
from .sides import apply

COUNTED = re.compile(r"(?<=\w)\s+[x×]\s?(\d{1,3})(?=\s*:?\s)", re.IGNORECASE)


def read_format(draft: Draft, line: Piece) -> bool:
    """Whether a line has someone in the format of the game, alone or among others."""
    lines = draft.glossary.system.book.imports.lines
    if lines is None or not lines.is_meant(line.text):
        return False
    if split_cells(line):
        line = replace(line, text=line.text.replace("|", ","))
    labeled = take_label(line)
    if labeled and (details := draft.details.read(labeled[0])):
        draft.said, line = draft.mark(details), labeled[1]
    line = draft.take_told(line, is_whole=True)
    for piece in part_written(line, lines, draft.glossary.people):
        if draft.is_full or not lines.is_meant(piece.text):
            read_piece(draft, piece)
        elif not draft.is_too_much(piece):
            _read_written(draft, lines, piece)
            draft.group, draft.with_items = None, False
    return True


def read_block_of(draft: Draft, block: Block) -> None:
    """Someone in several lines, and what is left out of them."""
    lines = draft.glossary.system.book.imports.lines
    draft.take_told(block.piece, is_whole=True, besides=block.left_out)
    if lines and not draft.is_too_much(block.piece):
        _read_written(draft, lines, block.piece, block.words)
        for line in block.left_out:
            draft.say(line, f"“{line.words[:60]}” is nothing that a sheet has. Left out.")


def _read_written(draft: Draft, lines: Lines, line: Piece, words: str = "") -> None:
    """An NPC in the format of the game, as it stands in a line or as a block has it in `words`."""
    counted = count_off_written(line)
    group = draft.begin(line.span, counted)
    rest = counted.piece
    for found in list(INSIDE.finditer(rest.text)):
        details = [draft.details.read(one) for one in list_parts(rest.cut(*found.span(1)))]
        is_behind = lines.is_meant(rest.text[: found.start()]) and found[1].strip().isdecimal()  # “Cloth (8)”
        if all(details) and not is_behind:
            apply(draft, group, [one for each in details for one in each])
            rest = rest.blank(*found.span())
    group.name_span = line.span
    if counted.count is None and (several := COUNTED.search(rest.text)):  # “Port Watch x6: 877776”
        group.count, group.is_counted = min(read_number(several[1]), MAX_COPIES + 1), True
        rest = rest.blank(*several.span())
    try:
        written = lines.read(words or rest.words)
    except Refused as refused:
        group.issue = group.issue or ParseIssue(line.span, line.words, refused.message)
    else:
        group.name, group.written = written.name, written.sheet


def part_written(line: Piece, lines: Lines, people: Sequence[Named]) -> list[Piece]:
    """The parts of a line with at least one such person; `people` are known by their names."""
    judge = _Judge(lines, people)
    pieces = list_parts(line)
    if judge.is_written(line) and not judge.is_other(pieces[0]):
        return [line]
    parts: list[Piece] = []
    for piece in pieces:
        if parts and judge.belongs(parts[-1], piece, line):
            parts[-1] = replace(_join(parts[-1], piece, line), joint=parts[-1].joint)
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
        is_one = self.is_written(_join(before, piece, line))
        if not self.lines.is_meant(piece.text):
            is_more = piece.joint not in ENDS and not self.is_other(piece)
            return (is_one or is_more) and not self.is_other(before)
        if self.lines.is_meant(before.text):
            return False
        if is_one and piece.joint not in ENDS and not self.is_written(piece):
            return True  # “6x Port Watch - 877776”
        return (is_one or piece.joint == ",") and not self.is_other(before)  # a comma may stand in a name

    def is_other(self, piece: Piece) -> bool:
        """Whether a piece has no such person, but a number or the name of people who are known."""
        if self.lines.is_meant(piece.text):
            return False
        counted = count_off_written(piece)
        words = BRACKETS.sub(" ", counted.piece.words)
        return counted.count is not None or bool(
            find_named(words, self.people) or find_tail(words, self.people)
        )

    def is_written(self, piece: Piece) -> bool:
        """Whether a piece is one such person, with nothing wrong about it."""
        return self.lines.can_read(BRACKETS.sub(" ", count_off_written(piece).piece.words))
