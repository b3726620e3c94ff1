"""What notes were read as: groups of equal combatants, riddles with suggestions, marks over the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from combat.rules.core.basics.errors import Refused
from combat.rules.core.gm.decisions import MAX_LENGTH as MAX_NAME
from combat.rules.core.sheets.catalogue import Entry

from .arming import arm, give_health
from .glossary import Glossary, Source
from .names import Named, has_own_name

Span = tuple[int, int]  # a place in a text: its begin and its end


@dataclass(frozen=True)
class Suggestion:
    """Another text for a place of the notes, and its words on a button."""

    label: str
    span: Span
    text: str


@dataclass(frozen=True)
class Riddle:
    """A part of the notes that is not understood: its place, why, and what could be meant.

    A `minor` one is a detail of people who are understood.
    """

    span: Span
    words: str
    message: str
    suggestions: tuple[Suggestion, ...] = ()
    minor: bool = False


@dataclass
class Group:
    """Equal combatants, as they are read; `health` is their HP, present and most, if the notes say them."""

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
    riddle: Riddle | None = None

    @property
    def title(self) -> str:
        """The name of one of them."""
        return (self.name or (self.source.name if self.source else ""))[:MAX_NAME]

    def make_sheet(self, glossary: Glossary) -> dict[str, Any]:
        """The sheet of each; Refused if the items or the health do not fit."""
        sheet = self.written or (dict(self.source.sheet) if self.source else {})
        armed = arm(glossary.system, self.title, sheet, self.things)
        return give_health(glossary.system, self.title, armed, *self.health) if self.health else armed

    def make_join(self, glossary: Glossary, side: str, zone: str, hidden: bool) -> dict[str, Any]:
        """The fields of the command that adds them; `side`, `zone` and `hidden` where nothing is said."""
        made: dict[str, Any] = {"name": self.title, "side": self.side or side, "zone": self.zone or zone}
        made |= {"hidden": self.hidden or hidden, "count": self.count, "group": self.count > 1}
        if self.source and not self.things and not self.health and not self.source.mark:
            return {**made, "block": self.source.key}
        mark = {"source": self.source.mark} if self.source and self.source.mark else {}
        return {**made, "sheet": self.make_sheet(glossary), **mark}


@dataclass(frozen=True)
class Mark:
    """A stretch of the notes and what it was read as: people, item, place, side or riddle."""

    span: Span
    kind: str


@dataclass(frozen=True)
class Reading:
    """What was understood of a text, and what was not; `marks` are in the order of the text."""

    text: str
    groups: tuple[Group, ...]
    riddles: tuple[Riddle, ...]
    marks: tuple[Mark, ...]

    @property
    def count(self) -> int:
        """The number of combatants understood."""
        return sum(group.count for group in self.groups)

    @property
    def rest(self) -> str:
        """The parts that were not understood, a line each."""
        return "\n".join(self.text[slice(*one.span)].strip() for one in self.riddles if not one.minor)

    def use(self, riddle: int, suggestion: int) -> str:
        """The text with one suggestion in its place; Refused if there is none with these numbers."""
        if not (0 <= riddle < len(self.riddles) and 0 <= suggestion < len(self.riddles[riddle].suggestions)):
            raise Refused("stale", "That suggestion is gone: read the notes again.")
        chosen = self.riddles[riddle].suggestions[suggestion]
        begin, end = chosen.span
        return self.text[:begin] + chosen.text + self.text[end:]


def suggest(one: Named, span: Span, words: str) -> Suggestion:
    """A stat block in place of words that name nobody; someone's own name in them stays."""
    if has_own_name(words, one):
        return Suggestion(f"as {one.name}", span, f"{words} as {one.name}")
    return Suggestion(one.name, span, one.name)


def say_one(words: str, count: int) -> str:
    """The name of one of several: “drunk pirates” is “Drunk pirate”."""
    words = words.strip("“”\"'")
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
