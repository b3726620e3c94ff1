"""Clauses: what stands between semicolons, with a label that says a side, a zone, a round, or who."""

from __future__ import annotations

import re
from dataclasses import replace

from combat.rules.core.gm.decisions import MAX_LENGTH as MAX_NAME

from .carrying import choose_item
from .draft import Draft
from .glossary import find_stems
from .groups import close, is_dead, read_piece
from .headings import (
    MAX_WORDS,
    close_sum,
    is_gathering,
    is_of_people,
    is_people,
    open_sum,
    read_heading,
    read_words,
    take_sum,
)
from .parts import Suggestion
from .people import read_counted
from .pieces import Counted, Piece, count_off, name_of, split, take_label
from .places import NO_ZONE, WHEN, find_place
from .words import BOSS, FIRST, HEADS, LATER, LEADERS, NONE, PART, TIME, WORDS

DASHED = re.compile(rf"\s*([^\W\d][^,;:()–—]{{0,40}}?)\s[-–—](?=\s((?:\d+|{WORDS})\s)?)", re.IGNORECASE)
AT_PLACE = re.compile(
    r"(?:(?:up|down|over|out|back)\s)?(?:in|on|at|behind|near|under|inside|outside|by)\s", re.IGNORECASE
)
NOW = re.compile(r"^\s*(?:now|currently)\s", re.IGNORECASE)
BARE = re.compile(
    rf"\s*(\d{{1,3}}|{WORDS})(?=\s*(?:$|[(,;.–—-]|(?:with|w/|armed (?:with|in)|each|in|at|on)\b))",
    re.IGNORECASE,
)


def read_clause(draft: Draft, clause: Piece) -> None:
    """Read what stands between semicolons, with a label of its own."""
    before, said = len(draft.groups), len(draft.issues)
    clause = _take_dash(draft, clause)
    rest, name = _read_label(draft, clause)
    told = draft.said
    if rest is not clause and rest.words.casefold().strip(" .") in NONE:  # “Backup: none”
        return
    parts = _share_label(draft, name, list(split(rest)))
    for number, piece in enumerate(_put_role_first(draft, parts)):
        if not draft.is_full:
            read_piece(draft, piece if number else replace(piece, joint=piece.joint or clause.joint))
    made = draft.groups[before:]
    is_lost = not made and draft.said and draft.group is None and len(draft.issues) == said
    if is_lost and not draft.is_full:
        draft.say(clause, f"“{clause.words[:60]}” is said of nobody: left out.", minor=False)
    if is_dead(name):
        for group in made:
            close(draft, group)
        return
    if any(not one.issue for one in made):
        draft.mark([one for one in draft.said if one.told and one not in told])
    close_sum(draft, of_label=True)
    if name and made and made[0].count == 1:
        is_common = bool(draft.glossary.find_people(made[0].name))  # “Vix: an assassin”
        made[0].name = name if is_common else made[0].name or name
        made[0].is_boss |= bool(BOSS.fullmatch(name))
    elif name and any(not one.issue for one in made):
        place = clause.cut(0, clause.text.index(":"))
        used = (Suggestion(f"side {name}"[:60], place.span, f"side {name}"),)
        draft.hint(replace(place, text=place.text), f"“{name}” is read as a heading.", used)


def _take_dash(draft: Draft, clause: Piece) -> Piece:
    """A clause with a colon for the dash behind a label: “Round 3 - 2 pirates”, “Boss - Slate, brute”."""
    found = DASHED.match(clause.text)
    if found is None:
        return clause
    label = clause.cut(*found.span(1))
    is_known = draft.is_label(label) or is_gathering(label.words)
    is_one = label.words.casefold() in LEADERS
    if is_one if not found[2] else is_known and not draft.glossary.find_who(label.words):
        return replace(clause, text=f"{clause.text[: found.end(1)]}: {clause.text[found.end(1) + 2 :]}")
    return clause


def _share_label(draft: Draft, name: str, parts: list[Piece]) -> list[Piece]:
    """The parts of a clause as people if they are names, and the label says who: “Pirates: Jax and Mo”."""
    source = draft.glossary.find_who(name) if name and parts else None
    names = [piece.words.strip(" .") for piece in parts]
    if source is None or not all(map(draft.glossary.is_own_name, names)):
        return parts
    for piece, name in zip(parts, names, strict=True):
        group = draft.begin(piece.span, Counted(piece, 1))
        group.name_span, group.name = piece.span, name[:MAX_NAME]
        group.source = draft.glossary.sources[source.key]
    return []


def _put_role_first(draft: Draft, parts: list[Piece]) -> list[Piece]:
    """The parts of a clause, with who someone is behind the name: “Sable, ex-HIF, now bounty hunter”."""
    if len(parts) < 3 or not parts[0].words[:1].isupper() or draft.find_who(parts[0]):
        return parts
    for at, piece in enumerate(parts[1:], 1):
        if piece.joint != "," or not count_off(piece).is_one:
            return parts
        if draft.find_who(replace(piece, text=NOW.sub("", piece.text))):
            return [parts[0], piece, *parts[1:at], *parts[at + 1 :]]
    return parts


def _read_label(draft: Draft, line: Piece) -> tuple[Piece, str]:
    """A line without its label, and the name in that: a label may say a side, a zone, a round, or who.

    A label of people stays, so that what follows belongs to them.
    """
    if not (labeled := take_label(line)):
        return line, ""
    label, rest = labeled
    if not rest.text.strip() and is_people(draft, label):
        return line, ""
    is_part = PART.fullmatch(label.words) and len(rest.words.split()) <= MAX_WORDS
    if not rest.text.strip() or (is_part and not is_of_people(draft, rest)):
        read_heading(draft, rest if rest.text.strip() else label)  # “Scene 3: the casino floor”
        return rest.cut(0, 0), ""
    bare, total = take_sum(draft, label)
    said = label.words.casefold()
    is_label = draft.details.read(label) or said in HEADS or LATER.match(f"{said} ")
    if is_people(draft, label):
        if not count_off(label).is_article:  # “3 marines: the leader with a rifle”
            return line, ""
    elif total is None and (counted := BARE.match(rest.text)) and not is_label:  # “Marines: 6 (rifles)”
        read_counted(draft, label, rest.cut(*counted.span(1)), (label.span[0], rest.start + counted.end(1)))
        return rest.cut(counted.end()).after(","), ""
    if _is_of_people(draft, bare, rest):
        return line, ""
    if total is not None:
        open_sum(draft, label, total, of_label=True)
    draft.said, bare = read_words(draft, bare)
    return rest, _find_name(draft, label, bare)


def _find_name(draft: Draft, label: Piece, bare: Piece) -> str:
    """The name that the words of a label are; a time or a place that nobody knows is asked."""
    words = bare.words
    if not words or FIRST.fullmatch(words):
        return ""
    if TIME.search(words):
        draft.say(label, WHEN, minor=False)
    elif AT_PLACE.match(words) or find_place(draft, Piece(bare.start, f"x {bare.text}")):
        draft.say(label, NO_ZONE)
    elif not is_gathering(words):
        return words[:MAX_NAME]
    return ""


def _is_of_people(draft: Draft, label: Piece, rest: Piece) -> bool:
    """Whether a label is people, and what follows is what they carry: “Marines (10): rifles”."""
    details, _, bare = draft.details.take(label)
    if any(one.kind == "people" for one in (*draft.details.read(label), *details)):
        return True
    counted, first = count_off(bare), next(split(rest))
    if counted.count is None and all(
        draft.glossary.is_own_name(one.words.strip(" .")) for one in split(rest)
    ):
        return False
    is_thing = bool(choose_item(draft, None, count_off(first)))
    if not draft.find_who(bare) or (counted.piece.words.casefold() in LEADERS and not is_thing):
        return False
    others = draft.glossary.find_people(name_of(first))
    is_exact = any(one.stems == find_stems(name_of(first)) for one in others)
    return not is_exact and (is_thing or not draft.find_who(first))
