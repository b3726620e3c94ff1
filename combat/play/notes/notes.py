"""Notes such as “4 pirates with sword and pistol, 1 captain; 2 marines (allies)” as people who join.

The grammar has steps, each with its table of wordings (pieces.py, common.toml of a game):

    lines      bullets, headings, labels, rows, blocks of several lines    here, blocks.py
    groups     the parts of a line between its joints                     groups.py, pieces.py
    people     how many, who, called what                                 people.py, glossary.py
    carrying   what they carry and can do                                 carrying.py
    sides      whose side, where, when                                    sides.py, details.py
    riding     inside what they begin, such as a vehicle                  riding.py
    settling   each is made once; what no sheet can have is said          settling.py

What is known meanwhile is a `Draft`. Each part is either understood, as a group of equal combatants, or
named as an issue with suggestions: what is not understood never becomes a person. A suggestion is another
text for a part of the notes, so the notes stay the only thing that is kept.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.markup import HEADING
from combat.rules.core.gm.decisions import MAX_COPIES
from combat.rules.core.gm.decisions import MAX_LENGTH as MAX_NAME

from .blocks import fold
from .carrying import choose_item
from .details import BRACKETS, Detail
from .draft import NOTE, Draft
from .examples import make_short_example
from .glossary import Glossary, find_stem
from .groups import read_piece
from .parts import Group, Mark, ParseIssue, Reading, Suggestion, part_written
from .people import read_more, read_name, read_role
from .pieces import (
    BOSS,
    GATHERINGS,
    HEADS,
    LATER,
    LEADERS,
    OF_THEM,
    REMARKS,
    WITH,
    Piece,
    count_off,
    count_off_written,
    find_lines,
    read_count,
    split,
    split_cells,
    split_clauses,
)
from .settling import finish
from .sides import apply


def read_lines(draft: Draft) -> None:
    """Read all lines; blocks of several lines that are one person are read as one."""
    lines, at = list(find_lines(draft.plain)), 0
    blocks = fold(lines, draft.glossary)
    while at < len(lines):
        block = blocks.get(at)
        if block is None:
            read_line(draft, lines[at])
            at += 1
            continue
        draft.begin_line()
        left = [line.span for line in block.left_out]
        for one in draft.details.take_told(block.piece)[0]:
            if not any(begin <= one.start < end for begin, end in left):
                draft.say(one, f"“{one.words[:60]}” changes no number: left out.")
        if not draft.is_too_much(block.piece):
            _read_written(draft, block.piece, block.words)
            for line in block.left_out:
                draft.say(line, f"“{line.words[:60]}” is nothing that a sheet has. Left out.")
        at = block.end


def read_line(draft: Draft, line: Piece) -> None:
    """Read one line: an NPC in the format of the game, or a list."""
    draft.begin_line()
    if not line.text.strip():  # a heading holds until the next empty line
        draft.held, draft.above = [], None
        return
    if _read_of_above(draft, line):
        return
    line = _take_off_label(line)
    lines = draft.glossary.system.book.imports.lines
    cells = split_cells(line)
    if lines and lines.is_meant(line.text):
        _read_mixed(draft, replace(line, text=line.text.replace("|", ",")) if cells else line)
        return
    heading = HEADING.match(line.text)
    if heading and not _is_people(draft, line.cut(heading.end())):
        _read_heading(draft, line.cut(heading.end()))
        return
    if cells:
        if not all(HEADS.issuperset(cell.words.casefold().strip(".").split()) for cell in cells):
            _read_row(draft, cells)
        return
    bare = re.sub(r"^the ", "", line.words.casefold())
    if (bare in draft.glossary.sides or bare in draft.glossary.zones) and not _find_one(draft, line):
        _read_heading(draft, line)
        return
    for clause in split_clauses(line.cut(heading.end()) if heading else line):
        _read_clause(draft, clause)


def _take_off_label(line: Piece) -> Piece:
    """A line without “Name:”, or without the colon of “4: Pirate”."""
    if number := NUMBERED.match(line.text):
        return line.blank(*number.span(1))
    named = NAME.match(line.text)
    return line.cut(named.end()) if named else line


def _find_one(draft: Draft, words: Piece) -> bool:
    return bool(draft.glossary.find_people(count_off(words).piece.words))


def _read_of_above(draft: Draft, line: Piece) -> bool:
    """Whether a line is about those of the line before it: what they carry, how many, who they are."""
    found, group = LABEL.match(line.text), draft.above
    label = line.cut(0, found.end() - 1).words.casefold() if found else ""
    rest = line.cut(found.end()) if found else line
    if label in REMARKS:
        draft.say(line, NOTE, minor=False)
        return True
    if group is None or (label and label not in OF_THEM):
        return False
    pieces = [one for one in split(rest) if one.text.strip()]
    if label in OF_THEM:
        means = OF_THEM[label]
    elif group.issue and not group.is_counted and len(draft.groups) == 1 + draft.groups.index(group):
        means = "role"
    else:
        means = "items"
    if not label and means == "items" and not all(_is_thing(draft, group, one) for one in pieces):
        return False
    if means == "role" and not (pieces and read_role(draft, group, replace(pieces.pop(0), joint=","))):
        return False
    draft.group, draft.run, draft.with_items = group, [group], True
    if means == "number" and (count := read_count(rest.words) if rest.words.isdecimal() else 0):
        group.count, group.is_counted = count, True
        draft.marks.append(Mark(rest.span, "people"))
        return True
    for one in [line] if means == "detail" and draft.details.read(line) else pieces:
        read_more(draft, group, replace(one, joint=","))
    return True


def _is_thing(draft: Draft, group: Group, piece: Piece) -> bool:
    """Whether a piece is an item, HP or the like, and nobody."""
    if any(one.kind == "health" for one in draft.details.read(piece)):
        return True
    counted = count_off(piece)
    return bool(choose_item(draft, group, counted)) and not draft.glossary.find_who(counted.piece.words)


def _read_clause(draft: Draft, clause: Piece) -> None:
    """Read what stands between semicolons, with a label of its own."""
    rest, name = _read_label(draft, clause)
    before = len(draft.groups)
    for number, piece in enumerate(split(rest)):
        if not draft.is_full:
            read_piece(draft, piece if number else replace(piece, joint=clause.joint))
    made = draft.groups[before:]
    if name and made and made[0].count == 1:
        made[0].name = made[0].name or name
        made[0].is_boss |= bool(BOSS.fullmatch(name))
    elif name and any(not one.issue for one in made):
        place = clause.cut(0, clause.text.index(":"))
        used = (Suggestion(f"side {name}", place.span, f"side {name}"),)
        if name.casefold().startswith(("if ", "when ", "once ")):
            used = (Suggestion("they come later", place.span, f"Backup ({name})"),)
        draft.hints.append(ParseIssue(place.span, name, f"“{name}” is read as a heading.", used, minor=True))


def _is_people(draft: Draft, words: Piece) -> bool:
    """Whether words are a number and people who are known."""
    counted = count_off(words)
    return counted.count is not None and bool(draft.glossary.find_people(counted.piece.words))


def _read_heading(draft: Draft, words: Piece) -> None:
    """What a heading says of the next lines; any other heading only ends the last one."""
    found, others, rest = draft.details.take(words)
    is_more = rest.text.strip() and rest.words.casefold() != "later"  # a part of the evening
    draft.held = [*found, *draft.details.read(rest)] if is_more else found
    for detail in draft.held:
        draft.marks.append(Mark(detail.span, detail.kind))
    for other in others:
        draft.say(other, f"“{other.words[:60]}” is no side and no zone. Left out.")


def _read_label(draft: Draft, line: Piece) -> tuple[Piece, str]:
    """A line without its label, and the name in that: a label may say a side, a zone, a round, or who.

    A label of people stays, so that what follows belongs to them.
    """
    found = LABEL.match(line.text)
    if not found:
        return line, ""
    label, rest = line.cut(0, found.end() - 1), line.cut(found.end())
    if not rest.text.strip():
        if _is_people(draft, label):
            return line, ""
        _read_heading(draft, label)
        return rest, ""
    if _is_people(draft, label) and not count_off(label).is_article:  # “3 marines: the leader with a rifle”
        return line, ""
    whole = draft.details.read(label)
    details, others, bare = (
        (whole, [], label.blank(0, len(label.text))) if whole else draft.details.take(label)
    )
    words = bare.words
    if _is_of_people(draft, bare, rest, details) or any(one.kind == "people" for one in details):
        return line, ""
    if LATER.fullmatch(words):
        details += draft.details.read(bare)
    for other in others:
        draft.say(other, f"“{other.words[:60]}” is no side and no zone. Left out.")
    draft.said = details
    for detail in details:
        draft.marks.append(Mark(detail.span, detail.kind))
    is_name = words and not _is_gathering(words) and not LATER.fullmatch(words)
    return rest, words[:MAX_NAME] if is_name else ""


def _is_of_people(draft: Draft, label: Piece, rest: Piece, details: Sequence[Detail]) -> bool:
    """Whether a label is people, and what follows is what they carry: “Marines (10): rifles”."""
    counted = count_off(label)
    words = counted.piece.words
    if words.casefold() in LEADERS and not choose_item(draft, None, count_off(next(split(rest)))):
        return False
    is_known = len(draft.glossary.find_people(words)) == 1 or bool(draft.glossary.find_end(words))
    first = count_off(next(split(rest)))
    said = WITH.split(first.piece.words)[0]
    is_other = draft.glossary.find_people(said) or draft.glossary.find_end(said)
    return is_known and not (is_other and not choose_item(draft, None, first))


def _read_mixed(draft: Draft, line: Piece) -> None:
    """A line with an NPC in the format of the game, alone or among others."""
    lines = draft.glossary.system.book.imports.lines
    assert lines is not None
    found = LABEL.match(line.text)
    if found and draft.details.read(line.cut(0, found.end() - 1)):
        line, _ = _read_label(draft, line)
    told, line = draft.details.take_told(line)
    for one in told:
        draft.say(one, f"“{one.words[:60]}” changes no number: left out.")
    for piece in part_written(line, lines, draft.glossary.people):
        if draft.is_full or not lines.is_meant(piece.text):
            read_piece(draft, piece)
        elif not draft.is_too_much(piece):
            _read_written(draft, piece)
            draft.group, draft.with_items = None, False


def _read_written(draft: Draft, line: Piece, words: str = "") -> None:
    """An NPC in the format of the game, as it stands in a line or as a block has it in `words`."""
    lines = draft.glossary.system.book.imports.lines
    assert lines is not None
    counted = count_off_written(line)
    group = draft.begin(line.span, counted)
    rest = counted.piece
    for found in list(BRACKETS.finditer(rest.text)):
        pieces = [one for one in split(rest.cut(found.start(1), found.end(1))) if one.text.strip()]
        details = [draft.details.read(one) for one in pieces]
        is_behind = lines.is_meant(rest.text[: found.start()]) and found[1].strip().isdecimal()  # “Cloth (8)”
        if all(details) and not is_behind:
            apply(draft, group, [one for each in details for one in each])
            rest = rest.blank(*found.span())
    group.name_span = line.span
    if counted.count is None and (several := COUNTED.search(rest.text)):  # “Port Watch x6: 877776”
        group.count, group.is_counted = min(read_count(several[1]), MAX_COPIES + 1), True
        rest = rest.blank(*several.span())
    try:
        written = lines.read(words or rest.words)
    except Refused as refused:
        group.issue = group.issue or ParseIssue(line.span, line.words, refused.message)
    else:
        group.name, group.written = written.name, written.sheet


def _read_row(draft: Draft, cells: Sequence[Piece]) -> None:
    """A row of a table: who, how many, then sides, zones and items."""
    numbers = [cell for cell in cells if cell.words.isdecimal()]
    who, *others = [cell for cell in cells if cell not in numbers] or cells
    if draft.is_too_much(who):
        return
    details, inside, who = draft.details.take(who)
    counted = count_off(who)
    if numbers and counted.count is None:
        counted = replace(counted, count=read_count(numbers[0].words), span=numbers[0].span)
    group = draft.begin((cells[0].span[0], cells[-1].span[1]), counted)
    apply(draft, group, details)
    read_name(draft, group, counted)
    group.name_span = who.span
    draft.with_items = True
    rest = [piece for cell in others for piece in split(cell) if piece.text.strip()]
    for piece in [*inside, *rest]:
        read_more(draft, group, replace(piece, joint=","))


MAX_TEXT = 10_000
LABEL = re.compile(r"((?:[^:(),;]|\([^()]*\)){1,80}):(?=\s|$)")
NAME = re.compile(r"\s*(?:name|npc)\s*:(?=\s)", re.IGNORECASE)
COUNTED = re.compile(r"(?<=\w)\s+[x×]\s?(\d{1,3})(?=\s*:?\s)", re.IGNORECASE)
NUMBERED = re.compile(r"\s*\d{1,3}(:)\s")


def read_notes(text: str, glossary: Glossary) -> Reading:
    """Read notes; Refused("bad_value") if there are none, or too many."""
    if "\0" in text:
        raise Refused("bad_value", "The notes have a character that cannot be saved: type them again.")
    if len(text) > MAX_TEXT:
        raise Refused("bad_value", f"Notes have at most {MAX_TEXT:,} characters: paste a part of them.")
    if not text.strip():
        example = make_short_example(glossary.system)
        raise Refused("bad_value", f"Nothing to read: type who joins, such as “{example}”.")
    draft = Draft(text, glossary)
    read_lines(draft)
    return finish(draft)


def _is_gathering(words: str) -> bool:
    """Whether a heading names several people or a place, and nobody."""
    said = [find_stem(word) for word in words.replace("-", " ").split()]
    return any(word.isdecimal() for word in said) or bool(
        {find_stem(one) for one in GATHERINGS} & {*said[-1:]}
    )
