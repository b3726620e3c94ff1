"""Headings and how many stand below them: a line without people above people, “Gang (14)”, “## Lock”."""

from __future__ import annotations

import re

from combat.rules.core.basics.markup import HEADING

from .details import Detail
from .draft import Draft, Sum
from .glossary import find_stem, find_stems
from .pieces import Piece, count_off, is_titled, list_parts, name_of, split, split_cells, take_label
from .words import GATHERINGS, IF, LATER, OF_THEM, PART, PLACES, SUM, WITH

MAX_WORDS, MAX_NAME = 7, 4  # words of a heading without a sign, and of a name
ENDS_OF_HEADINGS = {form for one in (*GATHERINGS, *PLACES) for form in (one, find_stem(one))}
INSIDE = re.compile(r"\(([^()]*)\)")
LAST = re.compile(
    r"(?:[(\[]([^()\[\]]*)[)\]]|(?:[,:=]|\s[-–—])\s*((?:total )?\d{1,3}(?: [a-z ]+)?))\s*:?\s*$"
)


def is_people(draft: Draft, words: Piece) -> bool:
    """Whether words are a number and people who are known."""
    counted = count_off(words)
    return counted.count is not None and bool(draft.glossary.find_people(counted.piece.words))


def is_gathering(words: str) -> bool:
    """Whether a heading names several people or a place, and nobody."""
    said = words.casefold().replace("-", " ").split()
    is_known = bool({*said[-1:], *map(find_stem, said[-1:])} & ENDS_OF_HEADINGS)
    return is_known or any(word.isdecimal() for word in said) or bool(PART.fullmatch(words))


def take_sum(draft: Draft, line: Piece) -> tuple[Piece, int | None]:
    """A heading without the number of those below it, and that: “Gang (14)”, “Room 3 (2 guards)”."""
    found = LAST.search(line.text)
    if found is None:
        return line, None
    said = (found[1] or found[2]).strip()
    number, counted = SUM.fullmatch(said), count_off(Piece(0, said))
    if number or (
        found[1] and counted.count and not counted.is_article and draft.glossary.find_who(counted.piece.words)
    ):
        return line.cut(0, found.start()), int(number[1]) if number else counted.count
    return line, None


def open_sum(draft: Draft, piece: Piece, number: int, of_label: bool = False) -> None:
    """Remember how many a heading says that stand below it, or behind it if it is a label."""
    close_sum(draft)
    draft.sum = Sum(piece, number, len(draft.groups), of_label)


def close_sum(draft: Draft, of_label: bool = False) -> None:
    """Say of a heading with a number if others stand below it."""
    said = draft.sum
    if said is None or (of_label and not said.of_label):
        return
    draft.sum = None
    below = sum(one.count for one in draft.groups[said.begin :])
    if below and below != said.number:
        name = said.piece.words[:60].rstrip(" :")
        draft.say(said.piece, f"“{name}” says {said.number}, and {below} are written: check it.")


def read_heading_line(draft: Draft, line: Piece) -> bool:
    """Whether a line is a heading: by its sign, as the name of a side or zone, or above people."""
    signed = HEADING.match(line.text)
    line = line.cut(signed.end()) if signed else line
    bare, total = take_sum(draft, line)
    bare = bare.cut(0, len(bare.text.rstrip(" :-–—=")))
    named = re.sub(r"^the ", "", bare.words.lower())
    is_named = named in draft.glossary.sides or named in draft.glossary.places
    if is_named and not draft.glossary.find_people(count_off(bare).piece.words):
        is_heading = True
    else:
        is_heading = not is_people(draft, line) if signed else _is_above_people(draft, line, bare, total)
    if is_heading:
        read_heading(draft, line)
    return is_heading


def read_heading(draft: Draft, line: Piece) -> None:
    """What a heading says of the next lines; any other heading only ends the last one."""
    bare, total = take_sum(draft, line)
    close_sum(draft)
    if total is not None:
        open_sum(draft, line, total)
    is_evening = bare.words.casefold().strip(" :") == "later"  # a part of the evening
    draft.held, rest = ([], bare) if is_evening else read_words(draft, bare)
    draft.held_from = len(draft.groups)
    draft.headed = rest.words if draft.glossary.find_who(rest.words) else ""


def read_words(draft: Draft, words: Piece) -> tuple[list[Detail], Piece]:
    """The details that a heading or a label says, and its other words."""
    details, others, rest = draft.details.read(words), list[Piece](), words.cut(0, 0)
    if not details:
        details, others, rest = draft.details.take(words)
        rest = rest.cut(0, len(rest.text.rstrip(" :")))
    if more := _read_rest(draft, rest) if rest.words else []:
        details, rest = [*details, *more], rest.cut(0, 0)
    for other in others:
        draft.say(other, f"“{other.words[:60]}” is no side and no zone. Left out.")
    return draft.mark(details), rest


def _read_rest(draft: Draft, rest: Piece) -> list[Detail]:
    """What the words of a heading say as a whole, its first: “Friendly crew”, “Reinforcements, if …”."""
    if whole := draft.details.read(rest):
        return whole
    side = draft.details.take_remark(rest)
    if side and rest.words.split()[-1].casefold() in GATHERINGS:
        return [side[0]]
    is_later = LATER.match(f"{rest.words} ") or IF.search(rest.words)
    return [draft.details.come_later(rest)] if is_later else []


def _is_above_people(draft: Draft, line: Piece, bare: Piece, total: int | None) -> bool:
    """Whether a line without people stands above people."""
    words, below, find = bare.words, draft.below, draft.glossary.find_who
    label, labeled = take_label(below), take_label(line)
    if not words or words[-1] in ".!?;" or len(words.split()) > MAX_WORDS or WITH.search(bare.text):
        return False
    if (label and label[0].words.casefold() in OF_THEM) or (
        labeled and labeled[1].text.strip() and (total is None or (find(words) and not is_gathering(words)))
    ):
        return False
    if split_cells(line) or not count_off(bare).is_one or not is_of_people(draft, below):
        return False
    parts = list_parts(bare)
    is_said = len(parts) > 1 and any(_is_known(draft, part) for part in parts)
    if is_said or any(find(one) for inside in INSIDE.findall(line.text) for one in inside.split(",")):
        return False
    is_place = is_gathering(words) and not draft.glossary.find_people(words)
    if find(words) and not is_place:
        is_list = count_off(below).count is not None or (is_listed(draft, below) and total is None)
        is_plural = words.casefold().endswith(("s", "men")) and not words.casefold().endswith("ss")
        exact = any(one.stems == find_stems(words) for one in draft.glossary.people)  # “Police”, not “Sniper”
        return is_list and (is_plural or (not exact and len(words.split()) == 1))
    is_name = len(words.split()) <= MAX_NAME and is_titled(words)
    first = next(split(below))  # “Squad leader, laser carbine”
    is_role = count_off(first).is_one and len(draft.glossary.find_people(name_of(first))) == 1
    return is_place or line.text.rstrip().endswith(":") or not (is_name and is_role)


def _is_known(draft: Draft, part: Piece) -> bool:
    who = draft.glossary.find_who(part.words) or draft.glossary.find_items(part.words)
    return bool(who or draft.details.read(part))


def is_listed(draft: Draft, line: Piece) -> bool:
    """Whether a line has a bullet before it."""
    return line.start > 0 and draft.plain[line.start - 1] not in "\r\n"


def is_of_people(draft: Draft, line: Piece) -> bool:
    """Whether a line names someone: a number, a stat block, a row, or a heading of its own."""
    if not line.text.strip():
        return False
    if split_cells(line) or HEADING.match(line.text):
        return True
    if (label := take_label(line)) and label[1].text.strip():
        line = label[1]
    counted, parts = count_off(line), [name_of(one) for one in list_parts(line)]
    known = map(draft.glossary.find_who, (*parts[:4], *INSIDE.findall(line.text)))
    return not counted.is_one or any(known) or bool(draft.glossary.find_start(counted.piece.words))
