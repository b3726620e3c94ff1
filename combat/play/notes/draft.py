"""What is known while notes are read: the groups so far, what is asked, and what the next words belong to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from combat.rules.core.basics.folding import fold_letters
from combat.rules.core.basics.markup import strip_markup
from combat.rules.core.gm.decisions import MAX_COMBATANTS
from combat.rules.core.sheets.catalogue import Entry

from .details import Detail, Details
from .glossary import Glossary, Named, find_near
from .parts import Group, Mark, ParseIssue, Span, Suggestion
from .pieces import Counted, Piece, count_off, name_of, take_label
from .words import SAID, is_leader

MAX_GROUPS, MAX_ISSUES, MAX_SAID = 60, 12, 60
NOTE = "Read as a note: it stays in the box."
PROSE = 4  # words: a part without a number that is this long is a sentence, not a name


WORD = re.compile(r"[^\W_]+")
QUOTES = str.maketrans("“”„‟«»″’‘‛", '"""""""\'\'\'')
UNBRACKETED = str.maketrans("()", "  ")
OPENING = re.compile(r"^(\s*(?:[-*•]\s+)?)[\[<]([^\[\]<>\n]{1,40})[\]>](?=\s)", re.MULTILINE)
# Brackets of any kind behind someone, and the blank before further words
BRACKET = re.compile(
    r"(?<=[\w\"][ \t])[(\[{<]([^()\[\]{}<>\n]*)[)\]}>]"
    r"(?:( )(?=\w)(?!(?:with|w/|armed|carrying|wearing|in|at|on|and|who|from|under|vs|led|lead(?:s|ing)"
    r"|command(?:s|ing|ed)|[x×]\s?\d+)\b))?"
)


# Brackets within others: “[HIF Beam Rifle (expert)]”
NESTED = re.compile(r"(?<=[\[(])[^\[\]()\n]*\([^\[\]()\n]*\)[^\[\]()\n]*(?=[\])])")
# What stands for a sign: “Combat Drone ..... 2”, “7 pirates of whom 2 have rifles”
SIGNS = (
    (re.compile(r"^\W*(?:in |a )?total(?:ly)? of (?=\d)", re.IGNORECASE | re.MULTILINE), ""),
    (re.compile(r"(?<=\b[Oo]ne)'s(?=\s)"), ""),  # “One's the captain”
    (
        re.compile(r"(?<=[a-z])\s#\d{1,2}(?=\s|$|[,;:(])", re.IGNORECASE),
        "",
    ),  # “pirate #2”: they are numbered anyway
    (re.compile(r"(?<=\d),(?=\d{3}\b)"), "."),
    (re.compile(r"\s?[.·…_]{3,}(?=\s*\d)|\s=(?=\s\d)"), ":"),
    (re.compile(r"\sof (?:whom|which)(?=\s(?:\d|(?:one|two|three|four|five)\b))"), ","),
)


def _round(found: re.Match[str], details: Details) -> str:
    """Round brackets for others; a comma behind those that say who: “Rhee [pirate captain] laser pistol”."""
    if found[2] and details.glossary.find_who(found[1]):
        return f"({found[1]}),"
    behind = found.string[found.end() : found.end() + 1]
    is_detail = found[1].isalpha() and details.read(Piece(0, found[1]))  # “Sniper [Hall] hidden”
    is_name = not is_detail and (bool(found[2]) or behind.isalnum())  # “3 [elite] pirates”
    return found[0] if is_name else f"({found[1]}){found[2] or ''}"


@dataclass(frozen=True)
class Sum:
    """How many a heading says that stand below it, from which group on."""

    piece: Piece
    number: int
    begin: int
    of_label: bool = False


class Draft:
    """Notes while they are read; `group` is the one that further items belong to."""

    def __init__(self, text: str, glossary: Glossary) -> None:
        self.text, self.glossary = text, glossary
        plain = strip_markup(fold_letters(text).translate(QUOTES))
        for pattern, sign in SIGNS:
            for found in pattern.finditer(plain):
                plain = plain[: found.start()] + sign.ljust(len(found[0])) + plain[found.end() :]
        plain = NESTED.sub(lambda found: found[0].translate(UNBRACKETED), plain)
        self.below = Piece(0, "")  # the next line that is not empty
        self.sum: Sum | None = None  # what a heading says that stands below it
        self.groups: list[Group] = []
        self.details = Details(glossary, self.groups)
        self.plain = BRACKET.sub(lambda found: _round(found, self.details), plain)
        self.plain = OPENING.sub(self._open, self.plain)
        self.issues: list[ParseIssue] = []
        self.hints: list[ParseIssue] = []
        self.sure: list[
            Span
        ] = []  # what is said to change nothing, and labels that only name a place or several
        self.asked: list[ParseIssue] = []  # about people whose words are not all sure
        self.marks: list[Mark] = []
        self.group: Group | None = None
        self.with_items = False
        self.states: list[Piece] = []  # in which those of a part are
        self.held: list[Detail] = []  # what a heading says of the next lines
        self.is_remark = False  # whether a heading says that only the GM reads what follows
        self.cells = ""  # what stands between the cells of a table, by its head
        self.columns: list[str] = []  # what those are
        self.headed = ""  # the people whom that heading names
        self.held_from = 0  # the number of groups before that heading
        self.line_from = 0  # and before this line
        self.said: list[Detail] = []  # what a label says of its own line
        self.once: list[Detail] = []  # those of them that hold for one sentence
        self.leads_with = ""  # the kind of detail that begins the line, before its people
        self.run: list[Group] = []  # the groups of a sentence
        self.above: Group | None = None  # the last one of the line before
        self.before: list[Group] = []  # those of the sentence before
        self.sharers: list[Group] = []  # the others who get what is read next
        self.prose: Group | None = None  # a sentence that names nobody
        self.given: list[tuple[Group, Entry, Piece]] = []
        self.compared = 0
        self.is_full = False

    def piece(self, span: Span) -> Piece:
        """The words at a place."""
        return Piece(span[0], self.plain[slice(*span)])

    def words(self, span: Span) -> str:
        """The words of a place, with single spaces."""
        return self.piece(span).words

    def head(self, group: Group) -> Counted:
        """The number and the name of a group as they are written."""
        return count_off(self.piece(group.name_span))

    def doubt(
        self, group: Group, text: str, used: Sequence[Suggestion] = (), *, is_question: bool = False
    ) -> None:
        """Say what is not understood of a group, or ask: nobody of it comes before that is answered."""
        words = self.words(group.span)
        group.issue = ParseIssue(group.span, words, text, tuple(used), is_question=is_question)

    def ask(self, piece: Piece, text: str, used: Sequence[Suggestion] = (), *, minor: bool = False) -> None:
        """A question about a part of the notes; if it is `minor`, who is understood comes all the same."""
        self.say(piece, text, used, minor, is_question=True)

    def leave_out(self, piece: Piece, why: str = "changes no number") -> None:
        """Say that something is left out of people who are understood."""
        self.say(piece, f"“{piece.words[:60]}” {why}: left out.")

    def is_label(self, words: Piece) -> bool:
        """Whether words before a colon say a side, a zone or a round: they begin anew behind a comma."""
        if is_leader(words.words):
            return True
        if any(pattern.fullmatch(words.words) for pattern, _ in SAID["new_side"][1:]):  # “third side: Guild”
            return False
        details, others, rest = self.details.take(words)
        if ":" in rest.text or (details and re.search(r"\d", rest.text)):  # “R2: 2 pirates / R3: 2 pirates”
            return False
        return not others and bool(details or self.details.read(rest)) and len(rest.words.split()) < PROSE

    def is_label_before(self, words: Piece) -> bool:
        """Whether words begin with such a label."""
        label = take_label(words)
        return label is not None and self.is_label(label[0])

    def _open(self, found: re.Match[str]) -> str:
        """Round brackets for others around a detail that begins a line: “[R3] 3 pirates”."""
        is_detail = self.details.read(Piece(0, found[2]))
        return f"{found[1]}({found[2]})" if is_detail and not found[2].strip().isdecimal() else found[0]

    def restore(self, name: str) -> str:
        """A name with the letters that the text has for the plain ones of the reader."""
        return " ".join(self._typed.get(word, word) for word in name.split(" ")) if self._typed else name

    @cached_property
    def _typed(self) -> dict[str, str]:
        words = ((self.plain[slice(*found.span())], found[0]) for found in WORD.finditer(self.text))
        return {plain: typed for plain, typed in words if plain != typed and not typed.isascii()}

    def say(
        self,
        piece: Piece,
        text: str,
        used: Sequence[Suggestion] = (),
        minor: bool = True,
        *,
        is_question: bool = False,
    ) -> None:
        """An issue with a part of the notes, or one for all the rest if there are too many."""
        if len(self.issues) >= MAX_SAID and self.is_too_much(piece):
            return
        self.issues.append(ParseIssue(piece.span, piece.words, text, tuple(used), minor, is_question))
        self.marks.append(Mark(piece.span, "issue"))

    def hint(self, piece: Piece, text: str, used: Sequence[Suggestion] = ()) -> None:
        """A sentence about people who are understood."""
        if len(self.hints) < MAX_SAID:
            self.hints.append(ParseIssue(piece.span, piece.words, text, tuple(used), minor=True))

    def mark(self, details: Sequence[Detail]) -> list[Detail]:
        """Details that are said of people who come, marked and told."""
        for one in details:
            self.marks.append(Mark(one.span, one.kind))
            if one.told:
                self.hint(one.piece, one.told)
        return [*details]

    def take_told(self, piece: Piece, is_whole: bool = False, besides: Sequence[Piece] = ()) -> Piece:
        """A piece without what no sheet has, which is said; states, too, if the `is_whole` person is written.

        Nothing is said of what is `besides` that.
        """
        told, states, bare = self.details.take_told(piece)
        self.states = [] if is_whole else states
        for one in (*told, *(states if is_whole else ())):
            self.sure.append(one.span)
            if not any(other.span[0] <= one.start < other.span[1] for other in besides):
                self.leave_out(one)
        return bare

    def hint_states(self, states: Sequence[Piece]) -> None:
        """A sentence about each state in which people are."""
        self.sure += [one.span for one in states]
        for one in states:
            self.hint(one, f"“{one.words[:60]}” is no part of a sheet: set it when they are here.")

    def begin(self, span: Span, counted: Counted, joint: str = "") -> Group:
        """A new group with the number that was said."""
        group = Group(span, span, 1 if counted.count is None else counted.count, joint=joint)
        group.is_counted = counted.count is not None
        for detail in (*self.held, *self.said):
            detail.give(group)
        self.groups.append(group)
        self.run.append(group)
        self.group, self.sharers = group, []
        return group

    def share(self) -> None:
        """Give what is read next to all of the sentence."""
        self.sharers = [one for one in self.run[:-1] if not one.issue]

    def is_too_much(self, piece: Piece) -> bool:
        """Whether there is room for no more people or questions; what follows is then one issue."""
        crowd = sum(group.count for group in self.groups)
        is_much = len(self.groups) >= MAX_GROUPS or crowd > MAX_COMBATANTS
        if not self.is_full and (is_much or len(self.issues) >= MAX_SAID):
            self.is_full = True
            span = (piece.span[0], len(self.text.rstrip()))
            text = f"Too much at once: {MAX_GROUPS} kinds of people and {MAX_COMBATANTS} combatants are read."
            self.issues.append(ParseIssue(span, self.words(span), text))
        return self.is_full

    def begin_line(self) -> None:
        """Forget what only the last line said."""
        if self.run or self.before:
            last, above = self.groups[-1], self.above
            is_of_above = above and not above.issue and last.issue and not last.is_counted
            if not is_of_above or self.glossary.is_own_name(self.words(last.name_span)):  # not “Strength 12”
                self.above = last
        self.end_sentence()
        self.line_from = len(self.groups)
        self.said, self.before, self.leads_with = [], [], ""

    def end_sentence(self) -> None:
        """Forget what only the last sentence said; its people can still be meant by “they”."""
        self.group = self.prose = None
        self.said = [one for one in self.said if one not in self.once]
        self.with_items = False
        people = [one for one in self.run if not one.issue or one.issue.message != NOTE]
        self.before = people or self.before
        self.run, self.sharers = [], []

    def find_who(self, piece: Piece) -> Named | None:
        """The one whom a piece means, whatever their number, and what they are with."""
        return self.glossary.find_who(name_of(piece))

    def find_near(self, words: str, named: Sequence[Named]) -> tuple[Named, ...]:
        """The two nearest names; only for the first issues, since comparing takes long."""
        self.compared += 1
        return find_near(words, named)[:2] if self.compared <= MAX_ISSUES else ()
