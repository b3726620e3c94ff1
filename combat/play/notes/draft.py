"""What is known while notes are read: the groups so far, what is asked, and what the next words belong to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from combat.rules.core.basics.markup import strip_markup
from combat.rules.core.gm.decisions import MAX_COMBATANTS
from combat.rules.core.sheets.catalogue import Entry

from .details import Detail, Details
from .glossary import Glossary, Named, find_near
from .parts import Group, Mark, ParseIssue, Span, Suggestion
from .pieces import Counted, Piece

MAX_GROUPS, MAX_ISSUES = 60, 12
NOTE = "Read as a note: it stays in the box."
PROSE = 4  # words: a part without a number that is this long is a sentence, not a name


SQUARE = re.compile(r"(?<=\w\s)[\[{]([^\[\]{}\n]*)[\]}](?=\s*(?:$|[,.;]))", re.MULTILINE)


def _round(text: str) -> str:
    """The text with round brackets for square ones behind someone: “2 guards [dock]”."""
    return SQUARE.sub(r"(\1)", text)


class Draft:
    """Notes while they are read; `group` is the one that further items belong to."""

    def __init__(self, text: str, glossary: Glossary) -> None:
        self.text, self.plain, self.glossary = text, _round(strip_markup(text)), glossary
        self.groups: list[Group] = []
        self.details = Details(glossary, self.groups)
        self.issues: list[ParseIssue] = []
        self.hints: list[ParseIssue] = []
        self.marks: list[Mark] = []
        self.group: Group | None = None
        self.with_items = False
        self.held: list[Detail] = []  # what a heading says of the next lines
        self.said: list[Detail] = []  # what a label says of its own line
        self.run: list[Group] = []  # the groups of a sentence
        self.above: Group | None = None  # the last one of the line before
        self.before: list[Group] = []  # those of the sentence before
        self.sharers: list[Group] = []  # the others who get what is read next
        self.prose: Group | None = None  # a sentence that names nobody
        self.given: list[tuple[Group, Entry, Piece]] = []
        self.compared = 0
        self.is_full = False

    def words(self, span: Span) -> str:
        """The words of a place, with single spaces."""
        return " ".join(self.plain[slice(*span)].split())

    def say(self, piece: Piece, text: str, used: Sequence[Suggestion] = (), minor: bool = True) -> None:
        """An issue with a part of the notes."""
        self.issues.append(ParseIssue(piece.span, piece.words, text, tuple(used), minor=minor))
        self.marks.append(Mark(piece.span, "issue"))

    def begin(self, span: Span, counted: Counted, joint: str = "") -> Group:
        """A new group with the number that was said."""
        count = 1 if counted.count is None else counted.count
        group = Group(span, span, count, joint=joint)
        group.is_counted = counted.count is not None
        for detail in (*self.held, *self.said):
            detail.give(group)
        self.groups.append(group)
        self.run.append(group)
        self.group, self.sharers = group, []
        return group

    def is_too_much(self, piece: Piece) -> bool:
        """Whether there is room for no more people; what follows is then one issue."""
        crowd = sum(group.count for group in self.groups)
        if not self.is_full and (len(self.groups) >= MAX_GROUPS or crowd > MAX_COMBATANTS):
            self.is_full = True
            span = (piece.span[0], len(self.text.rstrip()))
            text = f"Too much at once: {MAX_GROUPS} kinds of people and {MAX_COMBATANTS} combatants are read."
            self.issues.append(ParseIssue(span, self.words(span), text))
        return self.is_full

    def begin_line(self) -> None:
        """Forget what only the last line said."""
        self.above = self.groups[-1] if self.run or self.before else self.above
        self.end_sentence()
        self.said, self.before = [], []

    def end_sentence(self) -> None:
        """Forget what only the last sentence said; its people can still be meant by “they”."""
        self.group = self.prose = None
        self.with_items = False
        self.before = self.run or self.before
        self.run, self.sharers = [], []

    def find_near(self, words: str, named: Sequence[Named]) -> tuple[Named, ...]:
        """The two nearest names; only for the first issues, since comparing takes long."""
        self.compared += 1
        return find_near(words, named)[:2] if self.compared <= MAX_ISSUES else ()
