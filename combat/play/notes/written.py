"""People in the format of the game: in a line, among others in one, or in a block of several lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from combat.rules.core.basics.checking import tidy
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.markup import HEADING, take_off_heading
from combat.rules.core.gm.decisions import MAX_COPIES
from combat.rules.core.sheets.foreign import Lines

from .details import BRACKETS as INSIDE
from .draft import Draft
from .glossary import Glossary, Named, find_named, find_tail
from .groups import read_piece
from .parts import Group, ParseIssue
from .pieces import (
    BRACKETS,
    ENDS,
    Piece,
    count_off,
    count_off_written,
    list_parts,
    read_number,
    split_cells,
    take_label,
)
from .sides import apply
from .words import HEADS, SAID

ABOVE = 3  # lines before a profile that may have the name
SCORES = 6  # lines that one profile may stand on
SCORE = re.compile(r"\s*[^\W\d_]{3}\b[:\s]*(?:\d|[^\W\d_]{3}\b)")
JOINED = "joined"  # before a line that stands in another
SKIPPED = 2  # lines without a meaning between others of a block
NAME_WORDS = 5
MAX_TRIED, MAX_FAILED = 400, 60  # lines that are tried in all; a failure takes longer
COUNTED = re.compile(r"(?<=\w)\s+[x×]\s?(\d{1,3})(?=\s*:?\s)", re.IGNORECASE)


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
        if not _doubt_above(draft, lines, group, rest.words):
            group.issue = group.issue or ParseIssue(line.span, line.words, refused.message)
    else:
        name, _, others = written.name.partition(",")  # “Old Tam, starship engineer, 58”
        is_told = others and (draft.glossary.find_who(others.split(",")[0]) or others.strip().isdecimal())
        group.name, group.written = name if is_told else written.name, written.sheet


def _doubt_above(draft: Draft, lines: Lines, group: Group, words: str) -> bool:
    """Whether a profile without a name is of those above it, who are asked about with what is wrong."""
    above = draft.above
    if above is None or not words[:1].isdecimal():
        return False
    try:
        lines.read(f"{above.title} {words}")
    except Refused as refused:
        draft.groups.remove(group)
        draft.run.remove(group)
        draft.doubt(above, f"“{words[:60]}”: {refused.message}")
    return group not in draft.groups


def part_written(line: Piece, lines: Lines, people: Sequence[Named]) -> list[Piece]:
    """The parts of a line with at least one such person; `people` are known by their names."""
    judge = _Judge(lines, people)
    pieces = list_parts(line)
    if judge.is_written(line) and not judge.is_other(pieces[0]):
        return [line]
    parts: list[Piece] = []
    for piece in pieces:
        if parts and judge.belongs(parts[-1], piece, line):
            parts[-1] = _span(parts[-1], piece, line).after(parts[-1].joint)
        else:
            parts.append(piece)
    return parts


def _span(before: Piece, piece: Piece, line: Piece) -> Piece:
    return line.cut(before.start - line.start, piece.end - line.start)


@dataclass(frozen=True)
class _Judge:
    """Tells which parts of a line are one person."""

    lines: Lines
    people: Sequence[Named]

    def belongs(self, before: Piece, piece: Piece, line: Piece) -> bool:
        """Whether a piece is of the same person as the part before it."""
        is_one = self.is_written(_span(before, piece, line))
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
