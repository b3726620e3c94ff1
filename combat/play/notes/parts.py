"""What notes were read as: groups of equal combatants, issues with suggestions, marks over the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from combat.rules.core.basics.errors import Refused
from combat.rules.core.gm.decisions import MAX_LENGTH as MAX_NAME
from combat.rules.core.sheets.catalogue import Entry

from .arming import arm, give_health, train
from .glossary import Glossary, Named, Source, has_own_name
from .words import BONDS

QUOTES = "“”\"'"
Span = tuple[int, int]  # a place in a text: its begin and its end


@dataclass(frozen=True)
class Suggestion:
    """Another text for a place of the notes, and its words on a button."""

    label: str
    span: Span
    text: str


@dataclass(frozen=True)
class ParseIssue:
    """A part of the notes that is not understood: its place, why, and what could be meant.

    A `minor` one is a detail of people who are understood; one `is_question` if it asks what is meant: all
    else is not understood, or left out.
    """

    span: Span
    words: str
    message: str
    suggestions: tuple[Suggestion, ...] = ()
    minor: bool = False
    is_question: bool = False


@dataclass(frozen=True)
class Ride:
    """Inside what people begin, as the notes say it: the article, the vehicle, whether they drive it."""

    span: Span
    article: str
    what: str
    what_span: Span
    drives: bool


@dataclass
class Group:
    """Equal combatants, as they are read; `health` is their HP, present and most, if the notes say them.

    `lacks` are the kinds of things that the notes take away, `skills` what they give. `is_counted` if the
    number is written, `is_each` if it is for each player. They come in the round `arrives`, or are `later`
    brought in by hand. `joint` stands before them; `is_weak` if only a title says who they are,
    `plural` are words for several of whom no number is written. A part of others has these as its `base`,
    which were `whole` before; nothing that follows makes people of a group that `is_closed`. A `ride` is read
    first; then they begin `inside` someone, by id or name: one who is here, or a `carrier` of the notes.
    `speed` is what they go at. A name `is_said` if “as” stands behind it, and `is_named` if “called” stands
    before it.
    """

    span: Span
    name_span: Span = (0, 0)
    count: int = 1
    name: str = ""
    source: Source | None = None
    written: dict[str, Any] | None = None  # the sheet of a line
    things: list[tuple[Entry, int]] = field(default_factory=list)
    side: str = ""
    zone: str = ""
    hidden: bool = False
    health: tuple[int, int] | None = None
    issue: ParseIssue | None = None
    lacks: set[str] = field(default_factory=set)
    skills: list[tuple[str, int]] = field(default_factory=list)
    is_counted: bool = False
    is_each: bool = False
    arrives: int = 0
    later: bool = False
    joint: str = ""
    is_weak: bool = False
    is_closed: bool = False
    whole: int = 0
    base: Group | None = field(default=None, repr=False)
    plural: str = ""
    is_boss: bool = False
    is_hinted: bool = False
    is_said: bool = False
    is_named: bool = False
    ride: Ride | None = None
    carrier: Group | None = field(default=None, repr=False)
    inside: str = ""
    inside_name: str = ""
    speed: int = 0

    @property
    def title(self) -> str:
        """The name of one of them."""
        return (self.name or (self.source.name if self.source else ""))[:MAX_NAME]

    def make_sheet(self, glossary: Glossary) -> dict[str, Any]:
        """The sheet of each; Refused if the items or the health do not fit."""
        sheet = self.written or (dict(self.source.sheet) if self.source else {})
        armed = arm(glossary.system, self.title, sheet, self.things, self.lacks)
        armed = train(glossary.system, self.title, armed, self.skills)
        return give_health(glossary.system, self.title, armed, *self.health) if self.health else armed

    def make_join(self, glossary: Glossary, side: str, zone: str, hidden: bool) -> dict[str, Any]:
        """The fields of the command that adds them; `side`, `zone` and `hidden` where nothing is said."""
        made: dict[str, Any] = {"name": self.title, "side": self.side or side, "zone": self.zone or zone}
        made |= {"hidden": self.hidden or hidden, "count": self.count, "group": self.count > 1}
        said = {"inside": self.inside, "speed": self.speed, "at_round": self.arrives}
        said |= {"later": bool(self.arrives or self.later), "boss": self.is_boss and self.count == 1}
        made |= {name: value for name, value in said.items() if value}
        is_changed = self.things or self.lacks or self.skills or self.health
        if self.source and not is_changed and not self.source.mark:
            return {**made, "block": self.source.key}
        mark = {"source": self.source.mark} if self.source and self.source.mark else {}
        return {**made, "sheet": self.make_sheet(glossary), **mark}


@dataclass(frozen=True)
class Mark:
    """A stretch of the notes and what it was read as: people, item, place, side or issue."""

    span: Span
    kind: str


@dataclass(frozen=True)
class Reading:
    """What was understood of a text, and what was not; `marks` are in the order of the text.

    `hints` are about people who are understood, such as a weapon for which they have no skill.
    """

    text: str
    groups: tuple[Group, ...]
    issues: tuple[ParseIssue, ...]
    marks: tuple[Mark, ...]
    hints: tuple[ParseIssue, ...] = ()

    @property
    def offers(self) -> tuple[ParseIssue, ...]:
        """All that has suggestions: what was not understood, then what was and is of little use."""
        return (*self.issues, *self.hints)

    @property
    def count(self) -> int:
        """The number of combatants understood."""
        return sum(group.count for group in self.groups)

    @property
    def rest(self) -> str:
        """The parts that were not understood, a line each."""
        return "\n".join(self.text[slice(*one.span)].strip() for one in self.issues if not one.minor)

    def use(self, issue: int, suggestion: int) -> str:
        """The text with one suggestion in its place; Refused if there is none with these numbers."""
        offers = self.offers
        if not (0 <= issue < len(offers) and 0 <= suggestion < len(offers[issue].suggestions)):
            raise Refused("stale", "That suggestion is gone: read the notes again.")
        chosen = offers[issue].suggestions[suggestion]
        begin, end = chosen.span
        return self.text[:begin] + chosen.text + self.text[end:]


def suggest(one: Named, span: Span, words: str) -> Suggestion:
    """A stat block in place of words that name nobody; someone's own name in them stays."""
    if has_own_name(words, one):
        return Suggestion(f"as {one.name}", span, f"{words} as {one.name}")
    return Suggestion(one.name, span, one.name)


def say_one(words: str, count: int) -> str:
    """The name of one of several: “drunk pirates” is “Drunk pirate”."""
    if words[:1] in QUOTES and words[-1:] in QUOTES:
        words = words.strip(QUOTES)
    elif found := BONDS.match(words):  # “their leader Mags”
        words = words[found.end() :]
    if count > 1:
        for plural, single in (("men", "man"), ("ies", "y"), ("sses", "ss"), ("s", "")):
            if words.casefold().endswith(plural) and not (plural == "s" and words.casefold().endswith("ss")):
                words = words[: -len(plural)] + single
                break
    return (words[:1].upper() + words[1:])[:MAX_NAME]


def in_order(marks: Sequence[Mark]) -> Iterator[Mark]:
    """The marks in the order of the text, none over another."""
    end = 0
    for mark in sorted(marks, key=lambda one: (one.span[0], -one.span[1])):
        if mark.span[0] >= end and mark.span[1] > mark.span[0]:
            yield mark
            end = mark.span[1]
