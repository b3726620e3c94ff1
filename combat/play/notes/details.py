"""What notes say of people beside who they are and what they carry: side, place, number, arrival."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from combat.rules.core.gm.decisions import MAX_LENGTH as MAX_NAME

from . import words as lex
from .glossary import Glossary
from .parts import Group, Ride, Span
from .pieces import Piece, list_parts

BRACKETS = re.compile(r"\(([^()]*)\)")
SUM_HP = r"\d{1,4}(?:\+\d{1,4}){0,5}"  # “7+4+2”
HEALTH = (
    rf"\b(?:({SUM_HP})\s?(?:/|of)\s?)?({SUM_HP})\s?(?:HP|hit points)\b(?: (?:left|remaining))?"
    rf"|\b(?:HP|hit points)\s?[:=]?\s?({SUM_HP})(?:\s?(?:/|of)\s?({SUM_HP}))?(?![\w/+])"
)
NEVER = r"(?!)"
IN = re.compile(r"^(?:in|at|on|inside|near|by|behind|from)\s+", re.IGNORECASE)
NUMBER = re.compile(rf"(?:[x×]\s*)?(\d{{1,3}})(?:\s*[x×])?(?: {lex.PEOPLE})?")
# The details that are written among other words, as they are looked for, and how each is marked
MARKS = {
    "hidden": "side",
    "health": "health",
    "zone": "place",
    "each": "people",
    "arrival": "place",
    "later": "place",
    "side": "side",
    "absent": "item",
    "speed": "place",
}
COMES_LATER = "They come later: bring them in when it is time."


@dataclass(frozen=True)
class Detail:
    """A detail in its place: the kind of its mark, what it does to a group, and what is told of it."""

    piece: Piece
    kind: str
    give: Callable[[Group], None]
    told: str = ""

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
    def _patterns(self) -> list[tuple[str, re.Pattern[str], str]]:
        """The patterns of all details, by their kinds, with what they mean."""
        names = "|".join(sorted(map(re.escape, self.glossary.places), key=len, reverse=True))
        part = (
            r"(?:(?:(?!top|roof|outside|front)\w+\s){1,2}(?:of|to)\s+(?:the\s+)?)?"  # “the door of the Hall”
        )
        before = rf"(?:(?:{lex.STAYS})\s+)?(?:{lex.AT}\s+|@)(?:the\s+)?{part}|{lex.HOLDS}\s+(?:the\s+)?"
        zone = rf"(?:(?<!\S)(?:{before})|(?<=\w)@)({names})(?:(?:'s)? {lex.PARTS_OF})?(?!\w)"
        aboard = self.glossary.system.actions.aboard
        unit = re.escape(aboard.speed_unit) if aboard else NEVER
        speed = rf"(?<!\S)(?:(?:going|doing|at)\s+){{0,2}}(\d{{1,6}})\s?{unit}(?!\w)"
        own = {"health": HEALTH, "zone": zone if names else NEVER, "speed": speed}
        rows = lex.SAID | {kind: [(re.compile(one, re.IGNORECASE), "")] for kind, one in own.items()}
        return [(kind, pattern, means) for kind in MARKS for pattern, means in rows[kind]]

    def take(self, piece: Piece) -> tuple[list[Detail], list[Piece], Piece]:
        """The details of a piece, what else stands in its brackets, and the piece without both.

        What is no detail is left in the piece, or is among the second.
        """
        found: list[Detail] = []
        others: list[Piece] = []
        for bracket in list(BRACKETS.finditer(piece.text)):
            inside = piece.cut(bracket.start(1), bracket.end(1))
            whole = lex.WHOLLY.match(inside.text)
            inside = inside.cut(whole.end()) if whole and self.read(inside.cut(whole.end())) else inside
            for one in list_parts(inside):
                is_of_some = others and lex.PARTLY.match(others[-1].text)  # “(1 with a rifle, hidden)”
                details = [] if is_of_some else self.read(one)
                found += details
                others += [] if details else [one]
            piece = piece.blank(*bracket.span())
        more, piece = self._take_inside(piece)
        return [*more, *found], others, piece

    def _take_inside(self, piece: Piece) -> tuple[list[Detail], Piece]:
        """The details that are written among the words of a piece."""
        found: list[Detail] = []
        for kind, pattern, means in self._patterns:
            hit = pattern.search(piece.text)
            give = self._give(kind, hit, means) if hit else None
            if hit and give:
                found.append(Detail(piece.cut(*hit.span()), MARKS[kind], give, COMES_LATER * (means == "if")))
                piece = piece.blank(*hit.span())
        more, piece = self._take_ride(piece)
        return [*found, *more], piece

    def _give(self, kind: str, hit: re.Match[str], means: str) -> Callable[[Group], None] | None:
        """What a wording does to a group; None where the game has no such things."""
        match kind:
            case "hidden" | "later" | "each":
                return _set(**{"is_each" if kind == "each" else kind: True})
            case "arrival":
                return _set(arrives=lex.read_round(hit, means))
            case "side":
                return _set(side=self.glossary.name_side(means))
            case "zone":
                return _set(zone=self.glossary.places[hit[1].lower()])
            case "speed":
                return _set(speed=int(hit[1]))
            case "absent":
                return (lambda group: group.lacks.add(means)) if self.glossary.has_kind(means) else None
        most = _add_up(hit[2] or hit[4] or hit[3])
        now = hit[1] or (hit[3] if hit[4] else "")
        return _set(health=(min(_add_up(now), most) if now else most, most))

    def _take_ride(self, piece: Piece) -> tuple[list[Detail], Piece]:
        """Inside what people begin, in a game where anyone can be inside others."""
        for pattern, means in lex.SAID["inside"] if self.glossary.system.actions.aboard else ():
            if (found := pattern.search(piece.text)) is None:
                continue
            ends = (end.search(piece.text, found.start(2)) for end in (lex.WITH, lex.AS, lex.CALLED))
            what = piece.cut(found.start(2), min((one.start() for one in ends if one), default=None))
            if self._is_carrier(what.words):
                said = piece.cut(found.start(), what.span[1] - piece.start)
                ride = Ride(said.span, found[1].casefold(), what.words, what.span, drives=means == lex.DRIVE)
                blank = piece.blank(found.start(), found.start() + len(said.text))
                return [Detail(said, "place", _set(ride=ride))], blank
        return [], piece

    def _is_carrier(self, words: str) -> bool:
        """Whether words mean someone whom others can be inside: of the table, the notes or the book."""
        noted = any(self.glossary.is_named(one.title, words) for one in self.groups)
        return noted or bool(self.glossary.find_carriers(words) or self.glossary.find_carrier(words))

    def read(self, piece: Piece) -> list[Detail]:
        """The details that a piece is as a whole, none if it is not: “hidden in the Hall” has two."""
        details, rest = self._take_inside(piece)
        if details and not rest.text.strip():
            return details
        one = self._read_whole(piece)
        return [one] if one else []

    def _read_whole(self, piece: Piece) -> Detail | None:
        words = piece.words
        bare, number = IN.sub("", words.lower()).removeprefix("the "), NUMBER.fullmatch(words)
        count = int(number[1]) if number else lex.COUNTS.get(words.casefold(), 0)
        if bare in self.glossary.places:
            return Detail(piece, "place", _set(zone=self.glossary.places[bare]))
        if side := self.find_side(words):
            return Detail(piece, "side", _set(side=side))
        if called := lex.CALLED.match(f" {words}"):
            return Detail(piece, "people", _set(name=words[called.end() - 1 :][:MAX_NAME]))
        if number or count > 1:
            return Detail(piece, "people", _set(count=count, is_counted=True))
        if lex.LATER.fullmatch(words):
            return Detail(piece, "place", _set(later=True))
        return self.read_if(piece)

    def read_if(self, piece: Piece) -> Detail | None:
        """When something happens, as a whole: “if the alarm goes off”; they come later, which is told."""
        return self.come_later(piece) if lex.IF.fullmatch(piece.words) else None

    def come_later(self, piece: Piece) -> Detail:
        """That people come later by the GM's hand, which is told."""
        return Detail(piece, "place", _set(later=True), COMES_LATER)

    def find_side(self, words: str) -> str:
        """The side that words mean as a whole: a known one, or a new one such as “side Red Guild”."""
        bare = re.sub(r"^the | side$", "", words.casefold())
        if known := self.glossary.sides.get(words.casefold()) or self.glossary.sides.get(bare):
            return known
        if means := next((means for pattern, means in lex.SAID["side"] if pattern.fullmatch(words)), ""):
            return self.glossary.name_side(means)
        new = next(
            (found for pattern, _ in lex.SAID["new_side"] if (found := pattern.fullmatch(words))), None
        )
        return (new.groupdict().get("name") or "third side").strip()[:MAX_NAME] if new else ""

    def take_remark(self, piece: Piece) -> tuple[Detail, Piece] | None:
        """A side with a remark behind it, “neutral until shot at”: the side, and the remark."""
        first = re.match(r"\s*([^\W\d]+)\s+(?=\S)", piece.text)
        word = first[1].casefold() if first else ""
        side = self.glossary.sides.get(word, "") or self.glossary.name_side(lex.ADJECTIVES.get(word, ""))
        if not first or not side:
            return None
        return Detail(piece.cut(0, first.end()), "side", _set(side=side)), piece.cut(first.end())

    def take_told(self, piece: Piece) -> tuple[list[Piece], list[Piece], Piece]:
        """What no sheet has a place for, states to set by hand, and the piece without them.

        A state before people stays in their name.
        """
        told: dict[str, list[Piece]] = {"told": [], "state": []}
        for kind, pieces in told.items():
            for pattern, _ in lex.SAID[kind]:
                if found := pattern.search(piece.text):
                    found = (
                        re.search(
                            rf"(?:(?<=[(,])\s?(?:\d+|{lex.WORDS})\s+)?{re.escape(found[0])}", piece.text
                        )
                        or found
                    )
                    pieces.append(piece.cut(*found.span()))
                    behind = piece.text[found.end() :].strip(" .!?")
                    is_name = kind == "state" and behind and behind[0] not in ",;():" and not IN.match(behind)
                    piece = piece if is_name else piece.blank(*found.span())
        return told["told"], told["state"], piece


def _add_up(words: str) -> int:
    return sum(map(int, words.split("+")))


def _set(**values: object) -> Callable[[Group], None]:
    def give(group: Group) -> None:
        for name, value in values.items():
            setattr(group, name, value)

    return give
