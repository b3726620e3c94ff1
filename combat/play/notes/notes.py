"""Notes such as “4 pirates with sword and pistol, 1 captain; 2 marines (allies)” as people who join.

Each part is either understood, as a group of equal combatants, or named as a riddle with suggestions. A
suggestion is another text for a part of the notes, so the notes stay the only thing that is kept.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.markup import HEADING, strip_markup
from combat.rules.core.gm.decisions import MAX_COMBATANTS, MAX_COPIES
from combat.rules.core.gm.decisions import MAX_LENGTH as MAX_NAME
from combat.rules.core.sheets.catalogue import Entry

from .examples import make_short_example
from .glossary import Glossary
from .names import Named, find_named, find_near, find_stems
from .parts import Group, Mark, Reading, Riddle, Span, Suggestion, in_order, say_one, suggest
from .pieces import (
    AS,
    CALLED,
    ENDS,
    UNCLEAR,
    WITH,
    Counted,
    Piece,
    count_off,
    find_lines,
    read_count,
    split,
    split_cells,
)
from .places import ask_place, find_elsewhere
from .written import part_written

MAX_TEXT, MAX_GROUPS, MAX_RIDDLES = 4000, 60, 12
NOTE = "Read as a note: it stays in the box."
PROSE = 4  # words: a part without a number that is this long is a sentence, not a name
BRACKETS = re.compile(r"\(([^()]*)\)")
ALSO = re.compile(r"\s*(?:,|(?:,\s*)?(?:and|&))\s+", re.IGNORECASE)
HIDDEN = re.compile(r"\b(?:hidden|in hiding|unseen)\b", re.IGNORECASE)
HEALTH = re.compile(r"\b(?:(\d{1,4})\s?(?:/|of)\s?)?(\d{1,4})\s?(?:HP|hit points)\b", re.IGNORECASE)
LABEL = re.compile(r"([^:()\d,;]{1,60}):(?=\s|$)")
NEW_SIDE = re.compile(r"side[: ]\s*(.+)|(.+) side", re.IGNORECASE)


def read_notes(text: str, glossary: Glossary) -> Reading:
    """Read notes; Refused("bad_value") if there are none, or too many."""
    if "\0" in text:
        raise Refused("bad_value", "The notes have a character that cannot be saved: type them again.")
    if len(text) > MAX_TEXT:
        raise Refused("bad_value", f"Notes have at most {MAX_TEXT:,} characters: paste a part of them.")
    if not text.strip():
        example = make_short_example(glossary.system)
        raise Refused("bad_value", f"Nothing to read: type who joins, such as “{example}”.")
    reader = _Reader(text, glossary)
    for line in find_lines(reader.plain):
        reader.read_line(line)
    return reader.finish()


class _Reader:
    """Reads notes line by line; `group` is the one that further items belong to."""

    def __init__(self, text: str, glossary: Glossary) -> None:
        self.text, self.plain, self.glossary = text, strip_markup(text), glossary
        self.groups: list[Group] = []
        self.riddles: list[Riddle] = []
        self.marks: list[Mark] = []
        self.group: Group | None = None
        self.with_items = False
        self.side = self.zone = ""
        self.prose: Group | None = None  # a sentence that names nobody
        self.compared = 0
        self.is_full = False
        names = sorted(map(re.escape, glossary.zones), key=len, reverse=True)
        self.places = (
            re.compile(rf"\s(?:in|at|on|inside|near|by|behind)\s+(?:the\s+)?({'|'.join(names)})(?!\w)", re.I)
            if names
            else None
        )

    def finish(self) -> Reading:
        """Everything that was read; a group that cannot have its items becomes a riddle."""
        understood = []
        for group in self.groups:
            if not group.riddle:
                self._check_health(group)
                try:
                    group.make_sheet(self.glossary)
                except Refused as refused:
                    group.riddle = Riddle(group.span, self._words(group.span), refused.message)
            if group.riddle:
                self.riddles.append(group.riddle)
                self.marks.append(Mark(group.name_span, "riddle"))
            else:
                self.marks.append(Mark(group.name_span, "people"))
                understood.append(group)
        riddles = tuple(sorted(self.riddles, key=lambda one: one.span))
        return Reading(self.text, tuple(understood), riddles, tuple(in_order(self.marks)))

    def _check_health(self, group: Group) -> None:
        """Leave out HP that the game or the sheet cannot have, with a riddle."""
        found = HEALTH.search(self.plain, group.span[0]) if group.health else None
        if found is None:
            return
        try:
            replace(group, things=[]).make_sheet(self.glossary)
        except Refused as refused:
            group.health = None
            self.riddles.append(Riddle(found.span(), found[0], f"{refused.message} Left out.", minor=True))
        self.marks.append(Mark(found.span(), "item" if group.health else "riddle"))

    def _words(self, span: Span) -> str:
        return " ".join(self.plain[slice(*span)].split())

    # ---- Lines

    def read_line(self, line: Piece) -> None:
        """Read one line: an NPC in the format of the game, or a list."""
        self.group = self.prose = None
        self.with_items = False
        if not line.text.strip():  # a label holds until the next empty line
            self.side = self.zone = ""
            return
        lines = self.glossary.system.book.imports.lines
        if lines and lines.is_meant(line.text):
            self._read_mixed(line)
            return
        if heading := HEADING.match(line.text):
            self._read_heading(line.cut(heading.end()))
            return
        if cells := split_cells(line):
            self._read_row(cells)
            return
        line, name = self._read_label(line)
        if not line.text.strip():
            return
        before = len(self.groups)
        for piece in split(line):
            if piece.text.strip() and not self.is_full:
                self._read_piece(piece)
        if name and len(self.groups) > before:
            self.groups[before].name = self.groups[before].name or name
        if name:
            self.side, self.zone = "", ""

    def _read_heading(self, words: Piece) -> None:
        """A side or a zone that holds for the next lines; any other heading only ends the last one."""
        self.side, self.zone = (
            self._find_side(words.words),
            self.glossary.zones.get(words.words.casefold(), ""),
        )
        if self.side or self.zone:
            self.marks.append(Mark(words.span, "side" if self.side else "place"))

    def _read_label(self, line: Piece) -> tuple[Piece, str]:
        """A line without its label: a side or a zone, also of the next lines, or a name."""
        found = LABEL.match(line.text)
        if not found:
            return line, ""
        words, rest = found[1].strip(), line.cut(found.end())
        if self._find_side(words) or words.casefold() in self.glossary.zones or not rest.text.strip():
            self._read_heading(line.cut(0, found.end() - 1))
            return rest, ""
        return rest, words[:MAX_NAME]

    def _read_mixed(self, line: Piece) -> None:
        """A line with an NPC in the format of the game, alone or among others."""
        lines = self.glossary.system.book.imports.lines
        assert lines is not None
        found = LABEL.match(line.text)
        if found and (
            self._find_side(found[1].strip()) or found[1].strip().casefold() in self.glossary.zones
        ):
            line, _ = self._read_label(line)
        for piece in part_written(line, lines, self.glossary.people):
            if self.is_full or not lines.is_meant(piece.text):
                self._read_piece(piece)
            elif not self._is_too_much(piece):
                self._read_written(piece)
                self.group, self.with_items = None, False

    def _read_written(self, line: Piece) -> None:
        """An NPC in one line; a number before and brackets behind it are read as usual."""
        lines = self.glossary.system.book.imports.lines
        assert lines is not None
        counted = count_off(line)
        group = self._begin(line.span, counted)
        rest = counted.piece
        for found in list(BRACKETS.finditer(rest.text)):
            if all(self._find_detail(group, word.strip()) for word in found[1].split(",")):
                rest = rest.blank(*found.span())
        group.name_span = line.span
        try:
            written = lines.read(rest.words)
        except Refused as refused:
            group.riddle = group.riddle or Riddle(line.span, line.words, refused.message)
        else:
            group.name, group.written = written.name, written.sheet

    # ---- Parts of a list

    def _begin(self, span: Span, counted: Counted) -> Group:
        """A new group with the number that was said."""
        count = 1 if counted.count is None else counted.count
        group = Group(span, span, count, side=self.side, zone=self.zone)
        self.groups.append(group)
        self.group = group
        if not 1 <= count <= MAX_COPIES:
            best = min(max(count, 1), MAX_COPIES)
            most = (Suggestion(f"{best} of them", counted.span, str(best)),)
            text = f"1 to {MAX_COPIES} of one kind can be added at a time."
            group.riddle = Riddle(span, self._words(span), text, most)
        return group

    def _read_row(self, cells: Sequence[Piece]) -> None:
        """A row of a table: who, how many, then sides, zones and items."""
        numbers = [cell for cell in cells if cell.words.isdecimal()]
        who, *others = [cell for cell in cells if cell not in numbers] or cells
        if self._is_too_much(who):
            return
        counted = count_off(who)
        if numbers and counted.count is None:
            counted = replace(counted, count=read_count(numbers[0].words), span=numbers[0].span)
        group = self._begin((cells[0].span[0], cells[-1].span[1]), counted)
        self._read_name(group, counted)
        group.name_span = who.span
        self.with_items = True
        for piece in (piece for cell in others for piece in split(cell) if piece.text.strip()):
            if kind := self._find_detail(group, piece.words):
                self._mark(piece, kind)
            elif not self._read_item(piece):
                self._say_no_item(piece)

    def _is_too_much(self, piece: Piece) -> bool:
        """Whether there is room for no more people; what follows is then one riddle."""
        crowd = sum(group.count for group in self.groups)
        if not self.is_full and (len(self.groups) >= MAX_GROUPS or crowd > MAX_COMBATANTS):
            self.is_full = True
            span = (piece.span[0], len(self.text.rstrip()))
            text = f"Too much at once: {MAX_GROUPS} kinds of people and {MAX_COMBATANTS} combatants are read."
            self.riddles.append(Riddle(span, self._words(span), text))
        return self.is_full

    def _read_piece(self, piece: Piece) -> None:
        if piece.joint in ENDS:
            self.group = self.prose = None
            self.with_items = False
        span = piece.span  # with what stands in brackets
        details, piece = self._take_details(piece)
        is_item = self.group and (self.with_items or piece.joint == "plus")
        if not piece.text.strip() or (is_item and self._read_item(piece)):
            self._apply(details)
        elif not self._is_too_much(piece):
            self._read_people(piece, details, span)

    def _take_details(self, piece: Piece) -> tuple[list[Piece], Piece]:
        """What stands in brackets, and the piece without it."""
        details = []
        for found in BRACKETS.finditer(piece.text):
            inside = piece.cut(found.start(1), found.end(1))
            details += [one for one in split(inside) if one.text.strip()]
            piece = piece.blank(*found.span())
        for pattern in (HIDDEN, HEALTH, self.places):
            hit = pattern.search(piece.text) if pattern else None
            if hit:
                details.append(piece.cut(*hit.span()))
                piece = piece.blank(*hit.span())
        if span := find_elsewhere(piece, self.glossary):
            self.riddles.append(ask_place(piece.cut(*span), self.glossary))
            self.marks.append(Mark(self.riddles[-1].span, "riddle"))
            piece = piece.blank(*span)
        return details, piece

    def _read_people(self, piece: Piece, details: Sequence[Piece], span: Span) -> None:
        """A group: its number, its name, what it is with, and what stands in brackets."""
        found = WITH.search(piece.text)
        counted = count_off(piece.cut(0, found.start()) if found else piece)
        group = self._begin(span, counted)
        self.with_items = bool(found)
        self._read_name(group, counted)
        if self._goes_on(group):
            return
        self._apply(details)
        if group.source and AS.search(piece.text):
            self._share(group)
        thing = piece.cut(found.end()) if found else piece.cut(0, 0)
        if thing.text.strip() and not self._read_item(thing):
            if len(self.glossary.find_people(count_off(thing).piece.words)) == 1:
                self._read_people(thing, details, thing.span)  # “a captain with 2 guards”
            else:
                self._say_no_item(thing)

    def _share(self, group: Group) -> None:
        """Make those whose names stand before it the same: “Kira and Jon as soldiers”."""
        begin = group.span[0]
        for other in reversed(self.groups[:-1]):
            name, between = self._words(other.span), self.plain[other.span[1] : begin]
            if not (other.riddle and name[:1].isupper() and ALSO.fullmatch(between)):
                return
            other.source, other.name, other.riddle = group.source, name[:MAX_NAME], None
            other.side, other.zone, other.hidden = group.side, group.zone, group.hidden
            other.things, begin = group.things, other.span[0]

    def _read_name(self, group: Group, counted: Counted) -> None:
        head, block = counted.piece, ""
        if found := CALLED.search(head.text):
            group.name = head.cut(found.end()).words[:MAX_NAME].strip("“”\"'")
            head = head.cut(0, found.start())
        if found := AS.search(head.text):
            block = head.cut(found.end()).words
            group.name = group.name or say_one(head.cut(0, found.start()).words, group.count)
        group.name_span = counted.span[0] if counted.count else head.span[0], head.span[1]
        words = block or head.words
        known = self.glossary.find_people(words)
        if len(known) == 1:
            group.source = self.glossary.sources[known[0].key]
            if not block and not {*find_stems(words)} <= {*known[0].stems}:  # by a common word
                group.name = group.name or say_one(words, group.count)
        elif not known and (tail := self.glossary.find_end(words)):
            group.source = self.glossary.sources[tail.key]
            group.name = group.name or say_one(words, group.count)
        elif not group.riddle:
            group.riddle = self._make_riddle(group, counted, head, words)
        unclear = UNCLEAR.match(head.text) if group.source and (block or not known) else None
        if unclear and not group.riddle:
            group.riddle = self._ask_number(group, counted, head.cut(0, unclear.end()))
        group.side = group.side or self.glossary.find_side_of(words)

    def _ask_number(self, group: Group, counted: Counted, unclear: Piece) -> Riddle:
        """A riddle for people of whom nobody knows how many: “1d6 pirates” or “12 dozen pirates”."""
        begin = unclear.span[0] if counted.count is None else min(counted.span[0], unclear.span[0])
        span = begin, unclear.end
        said, digits = self._words(span), re.search(r"\d+", unclear.text)
        first = counted.count or (read_count(digits[0]) if digits else 1)
        best = min(max(first, 1), MAX_COPIES)
        text = f"“{said[:60]}” cannot be counted: write a number, such as 4."
        used = (Suggestion(f"{best} of them", span, str(best)),)
        return Riddle(group.span, self._words(group.span), text, used)

    def _goes_on(self, group: Group) -> bool:
        """Whether a group that nobody understands only continues a sentence; it then is a part of that."""
        if group.riddle is None or (self.prose is None and group.riddle.message != NOTE):
            self.prose = None
            return False
        if self.prose is not None and self.prose.riddle is not None:
            self.groups.remove(group)
            span = self.prose.span[0], group.span[1]
            self.prose.riddle = Riddle(span, self._words(span), NOTE)
            self.prose.span = self.prose.name_span = span
            self.group = self.prose
        else:
            self.prose = group
        self.with_items = False
        return True

    def _make_riddle(self, group: Group, counted: Counted, head: Piece, words: str) -> Riddle:
        """Why nobody is meant by a name, and who could be."""
        people, several = self.glossary.people, find_named(words, self.glossary.people)
        is_counted = counted.count is not None and not counted.is_article
        is_people = bool(several) or len(words.split()) < (2 * PROSE if is_counted else PROSE)
        near = several[:6] or (self._find_near(words, people) if is_people else ())
        used = [suggest(one, head.span, head.words) for one in near]
        if not used and is_people and counted.count is not None:
            one = people[0].name
            used = [Suggestion(f"as {one}", head.span, f"{head.words} as {one}")]
        text = f"No stat block is called “{words[:60]}”."
        if several:
            text = f"“{words[:60]}” can be several stat blocks."
        elif not is_people:
            text = NOTE
        return Riddle(group.span, self._words(group.span), text, tuple(used))

    def _find_near(self, words: str, named: Sequence[Named]) -> tuple[Named, ...]:
        """The two nearest names; only for the first riddles, since comparing takes long."""
        self.compared += 1
        return find_near(words, named)[:2] if self.compared <= MAX_RIDDLES else ()

    # ---- Items

    def _read_item(self, piece: Piece) -> bool:
        """Give the group an item; False if the piece is someone else, or nothing known."""
        group, counted = self.group, count_off(piece)
        assert group is not None
        found = self._choose_item(group, counted)
        people = find_named(counted.piece.words.split(" with ")[0], self.glossary.people)
        if found and self._is_rather(people, found, counted.piece.words):
            return False
        if not found:
            is_other = bool(people) or (counted.count is not None and not counted.is_word)
            if is_other or WITH.search(piece.text) or piece.joint == "":
                return False
            self._say_no_item(piece)
            return True
        count = counted.count or 1
        group.things.append((found, min(max(count, 1), MAX_COPIES)))
        group.span = group.span[0], piece.span[1]
        self.marks.append(Mark(piece.span, "item"))
        return True

    def _is_rather(self, people: Sequence[Named], item: Entry, words: str) -> bool:
        """Whether words are the whole name of somebody and only a part of an item's: “1 sniper”."""
        said = find_stems(words)
        return find_stems(item.name) != said and any(one.stems == said for one in people)

    def _choose_item(self, group: Group, counted: Counted) -> Entry | None:
        """The item that words mean; of several, the one that the stat block has anyway."""
        found = self.glossary.find_items(counted.piece.words)
        if len(found) > 1 and group.source:
            has = {stem for word in [group.source.summary] for stem in find_stems(word)}
            own = tuple(one for one in found if has.issuperset(find_stems(one.name)))
            found = own or self.glossary.find_items(counted.piece.words, usual=True)
        return found[0] if len(found) == 1 else None

    def _say_no_item(self, piece: Piece) -> None:
        """A riddle for words that are no item."""
        counted = count_off(piece)
        words = counted.piece.words
        several = self.glossary.find_items(words)
        near = [one.name for one in several[:6]]
        if not near:
            near = [one.name for one in self._find_near(words, self.glossary.items)]
        used = tuple(Suggestion(name, counted.piece.span, name) for name in dict.fromkeys(near))
        text = f"“{words[:60]}” can be several items." if several else f"No item is called “{words[:60]}”."
        if self.group:
            self.group.span = self.group.span[0], piece.span[1]
        self.riddles.append(Riddle(piece.span, words, f"{text} Left out.", used, minor=True))
        self.marks.append(Mark(piece.span, "riddle"))

    # ---- Details: side, zone, hidden

    def _apply(self, details: Sequence[Piece]) -> None:
        """Give the group what stands in brackets."""
        for detail in details:
            words = detail.words
            kind = self._find_detail(self.group, words) if self.group else ""
            if kind:
                self._mark(detail, kind)
            elif not self._is_part_of_a_name(words):
                self._say_no_detail(detail)

    def _mark(self, piece: Piece, kind: str) -> None:
        """Mark a detail; HP are marked once it is known whether they fit."""
        if kind != "health":
            self.marks.append(Mark(piece.span, kind))

    def _find_detail(self, group: Group, words: str) -> str:
        """Set what some words mean for a group; return the kind of mark, "" if they mean nothing."""
        bare = re.sub(r"^(?:in|at|on|inside|near|by|behind)\s+", "", words.casefold()).removeprefix("the ")
        if HIDDEN.fullmatch(words):
            group.hidden = True
            return "side"
        if found := HEALTH.fullmatch(words):
            most = int(found[2])
            group.health = min(int(found[1] or most), most), most
            return "health"
        if bare in self.glossary.zones:
            group.zone = self.glossary.zones[bare]
            return "place"
        if side := self._find_side(words):
            group.side = side
            return "side"
        if called := CALLED.match(f" {words}"):
            group.name = words[called.end() - 1 :][:MAX_NAME]
            return "people"
        known = find_named(words.removeprefix("as "), self.glossary.people)
        if len(known) == 1 and (group.riddle is None or not group.riddle.suggestions or not group.source):
            group.name = group.name or self._name_of(group)
            group.source, group.riddle = self.glossary.sources[known[0].key], None
            return "people"
        return ""

    def _name_of(self, group: Group) -> str:
        """The name that stands before brackets with a stat block."""
        counted = count_off(Piece(group.name_span[0], self.plain[slice(*group.name_span)]))
        return say_one(counted.piece.words, group.count)

    def _find_side(self, words: str) -> str:
        """The side that words mean: a known one, or a new one such as “side Red Guild”."""
        bare = words.casefold().strip()
        known = self.glossary.sides.get(bare) or self.glossary.sides.get(bare.removeprefix("the "))
        new = NEW_SIDE.fullmatch(words.strip())
        return known or ((new[1] or new[2]).strip()[:MAX_NAME] if new else "")

    def _is_part_of_a_name(self, words: str) -> bool:
        """Whether a stat block or an item has these words in brackets, such as “(beast)”."""
        inside = f"({words.casefold()})"
        return any(inside in one.name.casefold() for one in (*self.glossary.people, *self.glossary.items))

    def _say_no_detail(self, detail: Piece) -> None:
        words = detail.words
        used = (Suggestion(f"new side {words[:30]}", detail.span, f"side {words}"),)
        text = f"“{words[:60]}” is no side, zone or stat block. Left out."
        self.riddles.append(Riddle(detail.span, words, text, used, minor=True))
        self.marks.append(Mark(detail.span, "riddle"))
