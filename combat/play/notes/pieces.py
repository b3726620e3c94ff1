"""Notes cut into pieces, each with its place in the text: lines, sentences, parts of lists, numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from combat.rules.core.basics.markup import BULLET

from .words import COUNTS, JOINT, PARTICLES, RANKS, STOPS, WITH, WORDS

BEFORE = re.compile(
    rf"\s*\+?(?:(?:his|her|its|their)\s+(?=\d|(?:{WORDS})\s))?(?:(\d+)\s?[x×](?=\s)|[x×](\d{{1,3}})(?=\s)|(\d+)(?=\s)|({WORDS})(?=\s))\s+"
    r"(?:(?:of (?:the|his|her|its|their|these|those)|more|additional|extra)(?=\s)\s+)?",
    re.IGNORECASE,
)
AFTER = re.compile(r"(?:(?<!\S)x|×)\s*(\d+)\s*$", re.IGNORECASE)
# What stands for a number and is none: “1d6”, “-3”, “½”, “1-3”; “to 3” or “dozen” behind a number
ABOUT = (
    r"(?:about|around|roughly|circa|ca\.?|approx(?:imately|\.)?|up to|at (?:least|most)|over|nearly|almost"
    r"|some)\s+\d+|some|several|few|many|various|multiple|numerous"
)
ODD = r"[-+−–—~≈<>≤≥]*[dw]?[\d¼½¾⅐-⅞][\d¼½¾⅐-⅞dwx×*/.,:%?+−–—-]*|dozen|hundred|thousand"
UNCLEAR = re.compile(
    rf"\s*(?:\[[^\[\]]*\]\s*)?(?:(?:to|or|[-–—−])\s+(?:{WORDS}|{ODD})|{ODD}|{ABOUT})(?=\s)", re.IGNORECASE
)
LABEL = re.compile(r"((?:[^:(),;]|\([^()]*\)){1,80}):(?=\s|$)")
BRACKETS = re.compile(r"\([^()]*\)")
NAME = re.compile(r"\s*(?:name|npc)\s*:(?=\s)", re.IGNORECASE)
NUMBERED = re.compile(r"\s*\d{1,3}(:)\s")
CLAUSE = re.compile(
    r"[();]|\.(?=\s+[^\W\d](?:[^.:;(),]|\([^()]{1,30}\)){1,40}:\s)"
    r"|[,/|](?=\s+((?:[^.:;(),]|\([^()]{1,30}\)){1,40}?)(?::|\s[-–—])\s)"
    r"|\s[-–—](?=\s+((?:[^.:;(),]|\([^()]{1,30}\)){1,40}):\s)"
)
GAP = " {2,}"  # between the columns of plain text
MAX_DIGITS, MANY = 6, 1000
MAX_TITLE = 12  # characters of a title
ENDS = (";", ".")  # joints that end the list of someone's items
BOTH = (
    "and",
    "&",
    "+",
    "plus",
    "n",
    "'n'",
    *(f"and {word}" for word in ("her", "his", "its", "their")),
)  # joints of a pair
DASHED = re.compile(r"\s*[-–—*](?=[^\W\d]{2})")  # “-Korr, pirate captain”
ROLES = (",", "-", "–", "—", "->", "→", "/", ":", "(")  # joints between a name and who that is
LEADS = (
    "under the command of",
    "led by",
    "commanded by",
    "headed by",
    "captained by",
    "under",
)  # joints before the one who leads
LED = ("leads", "leading", "commands", "commanding")  # joints before those who are led
AMONG = ("including", "incl", "incl.", "among them", ":")  # joints before some of those before
AGAINST = ("vs", "vs.", "versus", "against")  # joints before those of another side
NUMERAL = re.compile(r"#?\d+(?:[-–]\d+)?")


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

    def blank_signs(self, signs: str) -> Piece:
        """The piece with spaces in place of some signs."""
        return replace(self, text="".join(" " if sign in signs else sign for sign in self.text))

    def blank_brackets(self) -> Piece:
        """The piece with spaces in place of what stands in brackets."""
        return replace(self, text=BRACKETS.sub(lambda found: " " * len(found[0]), self.text))

    def after(self, joint: str) -> Piece:
        """The piece with a joint before it."""
        return replace(self, joint=joint)


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

    @property
    def is_one(self) -> bool:
        """Whether nothing says that there are several: no number but an article."""
        return self.count is None or self.is_article


def split_cells(line: Piece, mark: str = "", *, with_empty: bool = False) -> list[Piece]:
    """The cells of a row of a table that are filled, or all; none if it is no row.

    `mark` stands between them where the head of the table has said so.
    """
    mark = mark or next((one for one in "|\t" if one in line.text.strip()), "")
    found = list(re.finditer(GAP if mark == GAP else re.escape(mark), line.text)) if mark else []
    if not found:
        return []
    bounds = [(0, 0), *(one.span() for one in found), (len(line.text),) * 2]
    cells = [line.cut(begin, end) for (_, begin), (end, _) in pairwise(bounds)]
    return [cell for cell in cells if with_empty or cell.text.strip()]


def find_lines(text: str) -> Iterator[Piece]:
    """The lines without bullets, “Name:” and the colon of “4: Pirate”, empty ones too."""
    start = 0
    for line in text.splitlines(keepends=True):
        bullet = BULLET.match(line) or DASHED.match(line)
        lead = bullet.end() if bullet else 0
        piece = Piece(start + lead, line[lead:].rstrip("\r\n"))
        if number := NUMBERED.match(piece.text):
            piece = piece.blank(*number.span(1))
        named = NAME.match(piece.text)
        yield piece.cut(named.end()) if named else piece
        start += len(line)


def split(line: Piece) -> Iterator[Piece]:
    """The parts of a line between its joints, not inside brackets; each knows the joint before it."""
    begin, joint = 0, ""
    for found in find_outside(JOINT, line.text):
        mark = " ".join(found[0].split()).casefold()
        piece = line.cut(begin, found.start()).after(joint)
        yield piece
        both = joint == "," and not piece.text.strip() and mark not in ROLES  # “, and”, “, including”
        begin, joint = found.end(), mark if piece.text.strip() or both or not joint else joint
    yield line.cut(begin).after(joint)


def find_outside(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """What a pattern finds outside of brackets, without full stops that end nothing."""
    depth = 0
    for found in pattern.finditer(text):
        if found[0] in ("(", ")"):
            depth = max(0, depth + (1 if found[0] == "(" else -1))
        elif not depth and not (found[0] == "." and _is_title(text[: found.start()])):
            yield found


def list_parts(line: Piece) -> list[Piece]:
    """The parts of a line that have words."""
    return [one for one in split(line) if one.text.strip()]


def take_label(line: Piece) -> tuple[Piece, Piece] | None:
    """A label and what stands behind it; None without one."""
    found = LABEL.match(line.text)
    return (line.cut(0, found.end() - 1), line.cut(found.end())) if found else None


def split_clauses(line: Piece, is_label: Callable[[Piece], bool]) -> Iterator[Piece]:
    """The parts of a line between semicolons, not inside brackets, and before labels behind a comma."""
    begin, joint = 0, ""
    for found in find_outside(CLAUSE, line.text):
        label = 1 if found[1] else 2 if found[2] else 0
        is_within = label and is_label(line.cut(begin, found.start()))  # “Round 5 - the boss: Vox”
        if not label or (is_label(line.cut(*found.span(label))) and not is_within):
            yield line.cut(begin, found.start()).after(joint)
            begin, joint = found.end(), ";"
    yield line.cut(begin).after(joint)


def _is_title(text: str) -> bool:
    """Whether a text ends in a title or an initial: the full stop of “Dr. Vance” ends nothing."""
    word = re.split(r"\W", text[-MAX_TITLE:])[-1]
    return word.casefold() in RANKS or (len(word) < 4 and word[:1].isupper() and word.isalpha())


def count_off(piece: Piece) -> Counted:
    """A piece without the number before or after its words: "4 x", "two", "a", or "x 4" at its end."""
    if found := BEFORE.match(piece.text):
        number = piece.cut(*found.span(found.lastindex or 0))
        return Counted(piece.cut(found.end()), read_number(number.words), number.span, bool(found[4]))
    if found := AFTER.search(piece.text):
        number = piece.cut(*found.span(1))
        return Counted(piece.cut(0, found.start()), read_number(number.words), number.span)
    return Counted(piece)


def name_of(piece: Piece) -> str:
    """The words for someone, without their number, what they are with, and brackets."""
    return " ".join(BRACKETS.sub(" ", WITH.split(count_off(piece).piece.words)[0]).split())


def count_off_written(piece: Piece) -> Counted:
    """The same for someone in the format of a game: a number with many digits is a profile."""
    counted = count_off(piece)
    return Counted(piece) if (counted.count or 0) >= MANY else counted


def read_number(words: str) -> int:
    """A number in digits or words, 0 for anything else; one with very many digits is cut."""
    return int(words[:MAX_DIGITS]) if words.isdecimal() else COUNTS.get(words.casefold(), 0)


def is_titled(words: str) -> bool:
    """Whether all words have capitals, as names and titles have: “Ulric von Hess”, but no sentence."""
    return all(one.strip("\"'")[:1].isupper() or one in PARTICLES for one in words.split())


def is_plain_name(words: list[str]) -> bool:
    """Whether words can stand before a stat block as a name: few, and no number or joint among them."""
    said = [one.casefold() for one in words]
    return len(said) <= 4 and not any(NUMERAL.fullmatch(one) or one in COUNTS or one in STOPS for one in said)
