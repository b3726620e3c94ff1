"""What notes say of people beside who they are and what they carry: side, place, number, arrival."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from combat.rules.core.gm.decisions import MAX_LENGTH as MAX_NAME

from .glossary import Glossary
from .parts import Group, Ride, Span
from .pieces import (
    ADJECTIVES,
    AROUND,
    AS,
    CALLED,
    COUNTS,
    DRIVE,
    EACH,
    HOLDS,
    LATER,
    SAID_ABSENT,
    SAID_ARRIVALS,
    SAID_INSIDE,
    SAID_NEW,
    SAID_SIDES,
    SAID_TOLD,
    STAYS,
    WITH,
    Piece,
    count_off,
    find_all,
    read_round,
    split,
)
from .places import find_elsewhere

BRACKETS = re.compile(r"\(([^()]*)\)")
HIDDEN = re.compile(
    r"\b(?:hidden|in hiding|unseen|in ambush|(?<=\S\s)(?:(?:who|that) )?(?:hid(?:es?|ing)))\b", re.IGNORECASE
)
SUM = r"\d{1,4}(?:\+\d{1,4}){0,5}"  # “7+4+2”
HEALTH = re.compile(
    rf"\b(?:({SUM})\s?(?:/|of)\s?)?({SUM})\s?(?:HP|hit points)\b"
    rf"|\b(?:HP|hit points)\s?[:=]?\s?({SUM})(?:\s?(?:/|of)\s?({SUM}))?(?![\w/+])",
    re.IGNORECASE,
)
IN = re.compile(r"^(?:in|at|on|inside|near|by|behind)\s+", re.IGNORECASE)
NUMBER = re.compile(r"(?:[x×]\s*)?(\d{1,3})(?:\s*[x×])?")
NAMED_SIDE = re.compile(r"(.+) side", re.IGNORECASE)


@dataclass(frozen=True)
class Detail:
    """A detail in its place: the kind of its mark, and what it does to a group."""

    piece: Piece
    kind: str
    give: Callable[[Group], None]

    @property
    def span(self) -> Span:
        """Its place in the text."""
        return self.piece.span


@dataclass(frozen=True)
class Details:
    """Finds details in pieces, by the names of a table."""

    glossary: Glossary
    groups: list[Group] = field(default_factory=list)  # those who are read so far

    @cached_property
    def _zones(self) -> re.Pattern[str] | None:
        names = "|".join(sorted(map(re.escape, self.glossary.zones), key=len, reverse=True))
        at = rf"(?:{STAYS}\s+)?(?:in|at|on|inside|near|by|behind|@)|{HOLDS}"
        found = rf"(?<!\S)(?:{at})\s+(?:the\s+)?({names})(?!\w)"
        return re.compile(found, re.IGNORECASE) if names else None

    def take(self, piece: Piece) -> tuple[list[Detail], list[Piece], Piece]:
        """The details of a piece, what else stands in its brackets, and the piece without both.

        What is no detail is left in the piece, or is among the second.
        """
        found: list[Detail] = []
        others: list[Piece] = []
        for bracket in list(BRACKETS.finditer(piece.text)):
            inside = piece.cut(bracket.start(1), bracket.end(1))
            for one in split(inside):
                if one.text.strip():
                    details = self.read(one)
                    found += details
                    others += [] if details else [one]
            piece = piece.blank(*bracket.span())
        more, piece = self._take_inside(piece)
        return [*more, *found], others, piece

    def _take_inside(self, piece: Piece) -> tuple[list[Detail], Piece]:
        """The details that are written among the words of a piece."""
        found: list[Detail] = []

        def take(span: Span, kind: str, give: Callable[[Group], None]) -> None:
            nonlocal piece
            found.append(Detail(piece.cut(*span), kind, give))
            piece = piece.blank(*span)

        for pattern, kind in ((HIDDEN, "side"), (HEALTH, "health"), (self._zones, "place"), (EACH, "people")):
            if hit := pattern.search(piece.text) if pattern else None:
                take(hit.span(), kind, self._give(hit, kind))
        for table in (SAID_ARRIVALS, SAID_SIDES, SAID_ABSENT):
            for hit, means in find_all(piece, table):
                if table is SAID_ARRIVALS:
                    take(hit.span(), "place", _set(arrives=read_round(hit, means)))
                elif table is SAID_SIDES:
                    take(hit.span(), "side", _set(side=self.glossary.name_side(means)))
                elif self.glossary.has_kind(means):
                    take(hit.span(), "item", _lack(means))
        more, piece = self._take_ride(piece)
        return [*found, *more], piece

    def _take_ride(self, piece: Piece) -> tuple[list[Detail], Piece]:
        """Inside what they begin, and how fast it goes, in a game where anyone can be inside others."""
        found: list[Detail] = []
        if self.glossary.system.actions.aboard is None:
            return found, piece
        if speed := self._speeds.search(piece.text):
            found.append(Detail(piece.cut(*speed.span()), "place", _set(speed=int(speed[1]))))
            piece = piece.blank(*speed.span())
        if ride := self._find_ride(piece):
            span = ride.span[0] - piece.start, ride.span[1] - piece.start
            found.append(Detail(piece.cut(*span), "place", _set(ride=ride)))
            piece = piece.blank(*span)
        return found, piece

    @cached_property
    def _speeds(self) -> re.Pattern[str]:
        aboard = self.glossary.system.actions.aboard
        unit = re.escape(aboard.speed_unit) if aboard else ""
        return re.compile(
            rf"(?<!\S)(?:(?:going|doing|at)\s+){{0,2}}(\d{{1,6}})\s?{unit}(?!\w)", re.IGNORECASE
        )

    def _find_ride(self, piece: Piece) -> Ride | None:
        """Inside what people begin, as a piece says it."""
        for found, means in find_all(piece, SAID_INSIDE):
            ends = (pattern.search(piece.text, found.start(2)) for pattern in (WITH, AS, CALLED))
            what = piece.cut(found.start(2), min((one.start() for one in ends if one), default=None))
            if self._is_carrier(what.words):
                span = piece.start + found.start(), what.span[1]
                return Ride(span, found[1].casefold(), what.words, what.span, drives=means == DRIVE)
        return None

    def _is_carrier(self, words: str) -> bool:
        """Whether words mean someone whom others can be inside: of the table, the notes or the book."""
        noted = any(self.glossary.is_named(one.title, words) for one in self.groups)
        return noted or bool(self.glossary.find_carriers(words) or self.glossary.find_carrier(words))

    def _give(self, hit: re.Match[str], kind: str) -> Callable[[Group], None]:
        if kind == "side":
            return _set(hidden=True)
        if kind == "health":
            most = _add_up(hit[2] or hit[4] or hit[3])
            now = hit[1] or (hit[3] if hit[4] else "")
            return _set(health=(min(_add_up(now) if now else most, most), most))
        if kind == "place":
            return _set(zone=self.glossary.zones[hit[1].casefold()])
        return _each

    def read(self, piece: Piece) -> list[Detail]:
        """The details that a piece is as a whole, none if it is not: “hidden in the Hall” has two."""
        details, rest = self._take_inside(piece)
        if details and not rest.text.strip():
            return details
        one = self._read_whole(piece)
        return [one] if one else []

    def _read_whole(self, piece: Piece) -> Detail | None:
        words = piece.words
        bare = IN.sub("", words.casefold()).removeprefix("the ")
        if bare in self.glossary.zones:
            return Detail(piece, "place", _set(zone=self.glossary.zones[bare]))
        if side := self.find_side(words):
            return Detail(piece, "side", _set(side=side))
        if called := CALLED.match(f" {words}"):
            return Detail(piece, "people", _set(name=words[called.end() - 1 :][:MAX_NAME]))
        if number := NUMBER.fullmatch(words):
            return Detail(piece, "people", _count(int(number[1])))
        if words.casefold() in COUNTS and COUNTS[words.casefold()] > 1:
            return Detail(piece, "people", _count(COUNTS[words.casefold()]))
        if LATER.fullmatch(words) or words.casefold() == "later":
            return Detail(piece, "place", _set(later=True))
        return None

    def find_side(self, words: str) -> str:
        """The side that words mean as a whole: a known one, or a new one such as “side Red Guild”."""
        bare = words.casefold().strip()
        known = self.glossary.sides.get(bare) or self.glossary.sides.get(bare.removeprefix("the "))
        whole = NAMED_SIDE.fullmatch(bare)
        known = known or (self.glossary.sides.get(whole[1].removeprefix("the ").strip()) if whole else "")
        if known:
            return known
        for pattern, means in SAID_SIDES:
            if pattern.fullmatch(words.strip()):
                return self.glossary.name_side(means)
        for pattern, _ in SAID_NEW:
            if found := pattern.fullmatch(words.strip()):
                return (found.groupdict().get("name") or "third side").strip()[:MAX_NAME]
        return ""

    def take_remark(self, piece: Piece) -> tuple[Detail, Piece] | None:
        """A side with a remark behind it, “neutral until shot at”: the side, and the remark."""
        first = re.match(r"\s*([^\W\d]+)\s+(?=\S)", piece.text)
        side = self.glossary.sides.get(first[1].casefold(), "") if first else ""
        side = side or self.glossary.name_side(ADJECTIVES.get(first[1].casefold(), "")) if first else ""
        if not first or not side:
            return None
        return Detail(piece.cut(0, first.end()), "side", _set(side=side)), piece.cut(first.end())

    def take_told(self, piece: Piece) -> tuple[list[Piece], Piece]:
        """What no sheet has a place for, and the piece without it."""
        told = []
        for found, _ in find_all(piece, SAID_TOLD):
            told.append(piece.cut(*found.span()))
            piece = piece.blank(*found.span())
        return told, piece

    def find_place(self, piece: Piece) -> Span | None:
        """Where a piece names a place that the scene has not, if it names someone without it."""
        if found := AROUND.search(piece.text):
            who = count_off(piece.cut(0, found.start())).piece.words
            if self.glossary.find_people(who) or self.glossary.find_end(who):
                return found.span()
        return find_elsewhere(piece, self.glossary)


def _add_up(words: str) -> int:
    return sum(map(int, words.split("+")))


def _set(**values: object) -> Callable[[Group], None]:
    def give(group: Group) -> None:
        for name, value in values.items():
            setattr(group, name, value)

    return give


def _lack(kind: str) -> Callable[[Group], None]:
    return lambda group: group.lacks.add(kind)


def _count(number: int) -> Callable[[Group], None]:
    def give(group: Group) -> None:
        group.count, group.is_counted = number, True

    return give


def _each(group: Group) -> None:
    group.is_each = True
