"""Notes such as “4 pirates with sword and pistol, 1 captain; 2 marines (allies)” as people who join.

Lines, then clauses, then parts are read in one pass; each has a table of kinds, in the order in which they
are tried (`KINDS` here and in groups.py). The words for all are in words.toml and in each game's data:

    lines      empty, of those above, in a game's format, heading, row, list   here, headings.py, written.py
    clauses    what stands between semicolons, with a label of its own         headings.py
    parts      a condition, the dead, some of others, things, someone          groups.py, people.py
    details    sides, places, arrivals, states                                 details.py, sides.py
    settling   each is made once; what no sheet can have is said               settling.py
    account    a sentence with a word that none of them took is asked about    account.py
    frames     so is one in an order of parts that no example has              frames.py

What is known meanwhile is a `Draft`. Each part is either understood, as a group of equal combatants, or
named as an issue with suggestions: what is not understood never becomes a person. A suggestion is another
text for a part of the notes, so the notes stay the only thing that is kept.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.folding import clean_signs
from combat.rules.core.basics.markup import take_off_heading

from . import words as lex
from .account import ask_frames, ask_unsure
from .carrying import choose_item
from .draft import NOTE, Draft
from .glossary import Glossary
from .headings import (
    close_sum,
    is_listed,
    join_role,
    read_clause,
    read_heading,
    read_heading_line,
    take_title,
)
from .lists import open_notes
from .parts import Group, Mark, ParseIssue, Reading
from .people import read_block, read_counted, read_more, read_role
from .pieces import (
    GAP,
    Piece,
    count_off,
    find_lines,
    list_parts,
    split_cells,
    split_clauses,
    take_label,
)
from .settling import make_reading, settle
from .sides import apply
from .written import fold, read_block_of, read_format

MAX_TEXT = 10_000
PAIR = re.compile(r"\s*([^\W\d][^:]{0,20}?)\s*[:=]\s+(?=\S)")
BETWEEN = re.compile(r"\s*(?:[|\t;]|\s/\s|,(?=\s[^\W\d][^:,/|;]{0,20}:))\s*")
NUMBERED = re.compile(r"[^;]*[^\W\d];\s*\d{1,3}\s*(?:;|$)")  # “Pirate;4”
QUOTED = re.compile(r"\s*\"[^\"]*\"\s*([,;])\s*\"")  # “"Pirate","4"”
BRACKETED = re.compile(r"([^()]+?)\s*\(([^()]+)\)\s*")
SAYS = {"hp": "{} HP", "round": "round {}", "arrives": "round {}", "when": "round {}", "wave": "wave {}"}
COUNTS = ("number", "count", "qty", "quantity", "amount", "how many", "#", "no", "n", "x")
FIGURES = ("ac", "init", "initiative")  # of other games, and of other programs
WHO = ("", "who", "name", "npc", "type")
SUMS = ("total", "totals", "sum", "in all", "all")  # in the last row
TOTAL = re.compile(
    r"\W*(?:(?:grand )?totals?|sum|in all|altogether)\b\s*[:=\-–]?\s*(\d{1,3})\W*", re.IGNORECASE
)
YES, NO = ("yes", "y", "x", "true"), ("no", "n", "-", "–", "false", "none")


def read_notes(text: str, glossary: Glossary) -> Reading:
    """Read notes; Refused("bad_value") if there are none, or too many.

    A list of another program is read as notes; those are the text of the answer.
    """
    if "\0" in text:
        raise Refused("bad_value", "The notes have a character that cannot be saved: type them again.")
    text = clean_signs(open_notes(text, glossary.system))
    if len(text) > MAX_TEXT:
        raise Refused("bad_value", f"Notes have at most {MAX_TEXT:,} characters: paste a part of them.")
    if not text.strip():
        example = glossary.system.book.imports.short_example
        raise Refused("bad_value", f"Nothing to read: type who joins, such as “{example}”.")
    draft = Draft(text, glossary)
    read_lines(draft)
    settle(draft)
    ask_unsure(draft, lambda words, groups: _is_read(glossary, words, groups))
    reading = ask_frames(draft, make_reading(draft), lambda words, groups: _is_read(glossary, words, groups))
    language = lex.name_language(text)
    if not language or (reading.groups and all(one.minor for one in reading.issues)):
        return reading
    span, example = (0, len(text.rstrip())), glossary.system.book.imports.short_example
    said = f"This looks like {language}: notes are read in English, such as “{example}”."
    return Reading(text, (), (ParseIssue(span, draft.words(span), said),), (Mark(span, "issue"),))


def _is_read(glossary: Glossary, words: str, groups: Sequence[Group]) -> bool:
    """Whether words are read as just these people, without a question."""
    draft = Draft(words, glossary)
    read_lines(draft)
    settle(draft)
    ask_unsure(draft, lambda _words, _groups: False)
    joins = [
        [one.make_join(glossary, "", "", hidden=False) for one in each] for each in (draft.groups, groups)
    ]
    is_asked = any(not one.minor for one in draft.issues) or any(one.issue for one in draft.groups)
    return joins[0] == joins[1] and not draft.asked and not is_asked


def read_lines(draft: Draft) -> None:
    """Read all lines; blocks of several lines that are one person are read as one."""
    lines, at = list(find_lines(draft.plain)), 0
    blocks = fold(lines, draft.glossary)
    while at < len(lines) and not draft.is_full:
        draft.begin_line()
        if block := blocks.get(at):
            read_block_of(draft, block)
            at = block.end
            continue
        line, at = lines[at], at + 1
        draft.below = next((one for one in lines[at:] if one.text.strip()), Piece(0, ""))
        line = join_role(draft, take_title(draft, line))
        if not any(read(draft, line) for read in KINDS):
            for clause in split_clauses(line, draft.is_label):
                read_clause(draft, clause)
    close_sum(draft)


def _read_empty(draft: Draft, line: Piece) -> bool:
    """An empty line ends what a heading says, once people stand below that."""
    if line.text.strip():
        return False
    if "|" in (
        typed := draft.text[line.start : line.end]
    ):  # the head of a table in Markdown, or the line below
        if any(letter.isalpha() for letter in typed):
            cells = split_cells(Piece(0, typed), "|", with_empty=True)
            draft.cells, draft.columns = "|", [cell.words.casefold() for cell in cells]
        return True
    if len(draft.groups) > draft.held_from:
        draft.held, draft.headed = [], ""
    draft.above, draft.cells, draft.columns, draft.is_remark = None, "", [], False
    return True


def _read_remark(draft: Draft, line: Piece) -> bool:
    """A line that only the GM reads, by its label or by the heading above it."""
    labeled = take_label(line)
    label = labeled[0].words if labeled else take_off_heading(line.text).strip(" :")
    is_remark = label.casefold() in lex.REMARKS
    if is_remark or draft.is_remark:
        draft.is_remark |= line.text.rstrip(" :").endswith(label)
        draft.say(line, NOTE, minor=False)
    return is_remark or draft.is_remark


def _read_total(draft: Draft, line: Piece) -> bool:
    """Whether a line is the sum of all above it: “Total: 9”. One that does not agree is told."""
    found = TOTAL.fullmatch(line.text)
    above = sum(one.count for one in draft.groups)
    if not found or not above:
        return False
    draft.sure.append(line.span)
    if int(found[1]) != above:
        draft.say(line, f"“{line.words}”: {above} are written above it. Check it.")
    return True


def _read_of_above(draft: Draft, line: Piece) -> bool:
    """Whether a line is about those of the line before it: what they carry, how many, who they are."""
    label, rest = take_label(line) or (None, line)
    means, group = lex.OF_THEM.get(label.words.casefold(), "") if label else "", draft.above
    if group is None and means == "detail" and draft.details.read(rest):
        read_heading(draft, rest)  # “Location: Hall” above people
        return True
    if group is None or (label and not means) or (draft.headed and count_off(line).count):
        return False
    parts = list_parts(rest)
    means = means or _find_means(draft, group, line, parts)
    if means == "as" and not read_block(draft, group, parts.pop(0).after("(")):
        return False
    if not means or (means == "role" and not (parts and read_role(draft, group, parts.pop(0).after(",")))):
        return False
    draft.group, draft.run, draft.with_items = group, [group], True
    for one in [line] if means == "detail" and draft.details.read(line) else parts:
        read_more(draft, group, one.after(","))
    return True


def _find_means(draft: Draft, group: Group, line: Piece, parts: Sequence[Piece]) -> str:
    """What a line without a label says of those above it: who they are, what they have; "" for others."""
    if parts and lex.AS.match(parts[0].text):  # “as pirate, laser pistol”
        return "as"
    is_list = is_listed(draft, line) and is_listed(draft, draft.piece(group.span))
    is_open = draft.groups[-1] is group and not group.is_counted and not is_list
    if is_open and (group.issue or _is_same(draft, group, parts)):
        return "role"
    bare = line.words.lower().removeprefix("the ")
    is_named = bare in draft.glossary.places or bare in draft.glossary.sides
    details = draft.details.read(line) if is_listed(draft, line) and not is_named else []  # “- hidden”
    is_detail = details and not (group.is_counted and any(one.kind == "people" for one in details))
    return "items" if is_detail or _are_things(draft, group, parts) else ""


def _read_cells_of_above(draft: Draft, line: Piece) -> bool:
    """Whether a line is several such lines in one: “Armor: mesh | Attack: blade”."""
    cells = split_cells(line, "|") if draft.above else []
    labels = [label[0].words.casefold() for one in cells if (label := take_label(one))]
    if len(cells) < 2 or lex.OF_THEM.keys().isdisjoint(labels) or draft.find_who(cells[0]):
        return False
    for one in cells:
        if not _read_of_above(draft, one):
            draft.say(one, NOTE, minor=False)
    return True


def _is_same(draft: Draft, group: Group, parts: Sequence[Piece]) -> bool:
    """Whether a line says again who someone with a title is: “Captain Vex / Pirate captain, pistol”."""
    who = draft.find_who(parts[0]) if parts and group.is_weak else None
    return who is not None and draft.glossary.sources[who.key] is group.source


def _are_things(draft: Draft, group: Group, parts: Sequence[Piece]) -> bool:
    """Whether parts are items, HP or the like, and nobody."""
    return all(
        any(detail.kind == "health" for detail in draft.details.read(one))
        or (
            choose_item(draft, group, count_off(one))
            and not draft.glossary.find_who(count_off(one).piece.words)
        )
        for one in parts
    )


def _find_head(line: Piece, below: Piece) -> str:
    """What stands between the cells of the head of a table; "" for another line.

    A column of another program may have a name that nobody knows, if a row of as many cells stands below.
    """
    for mark in ("|", "\t", ";", ",", GAP):
        cells = [cell.words.casefold().strip(" .").split() for cell in split_cells(line, mark)]
        known = [bool(cell) and lex.HEADS.issuperset(cell) for cell in cells]
        is_row = len(split_cells(below, mark)) == len(cells) > 2 and re.search(r"\d", below.text)
        if len(cells) > 1 and (all(known) or (known[0] and is_row and sum(known) * 2 > len(cells))):
            return mark
    return ""


def _read_row(draft: Draft, line: Piece) -> bool:
    """A row of a table, or its pairs “Who: Pirate / Count: 6”: who, how many, then sides, zones and items."""
    if mark := _find_head(line, draft.below):
        draft.cells = mark
        draft.columns = [
            cell.words.casefold().strip(" .") for cell in split_cells(line, mark, with_empty=True)
        ]
        return True
    columns, cells = _find_pairs(line)
    ends = [line.start, *(one.end for one in cells)]
    draft.sure += [(end, cell.start) for end, cell in zip(ends, cells, strict=False)]  # the keys
    if not cells and all(map(draft.is_label_before, split_cells(line) or [line])):
        return False  # “Enemy: 3 pirates | Ally: 1 sniper”
    if not cells:
        quoted = QUOTED.match(line.text)
        mark = draft.cells or (quoted[1] if quoted else ";" if NUMBERED.match(line.text) else "")
        columns, cells = draft.columns, split_cells(line, mark, with_empty=True)
        cells = [cell.blank_signs('"') for cell in cells] if quoted else cells
    if not cells:
        return False
    columns = columns if len(cells) == len(columns) else [""] * len(cells)
    rows = [(key, cell) for key, cell in zip(columns, cells, strict=True) if cell.words]
    counts = [cell for key, cell in rows if cell.words.isdecimal() and (key in COUNTS or key in WHO)]
    span = (rows[0][1].span[0], rows[-1][1].span[1]) if rows else line.span
    rows.sort(key=lambda row: row[0] not in ("who", "name", "npc"))
    others = [(key, cell) for key, cell in rows if cell not in counts and cell.words.casefold() not in NO]
    if others and others[0][1].words.casefold().strip(":") in SUMS:
        draft.sure.append(line.span)
        return True
    if not others or draft.is_too_much(others[0][1]):
        return True
    group = read_counted(draft, others[0][1], counts[0] if counts else None, span)
    for key, cell in others[1:]:
        _read_cell(draft, group, key, cell)
    return True


def _read_cell(draft: Draft, group: Group, key: str, cell: Piece) -> None:
    """What a cell says of those of its row, with what its column says of it: a round, HP, where they are."""
    is_number = cell.words.isdecimal()
    said = "hidden" if key == "hidden" and cell.words.casefold() in YES else ""
    said = SAYS[key].format(cell.words) if key in SAYS and is_number else said
    if said:
        apply(draft, group, [replace(one, piece=cell) for one in draft.details.read(Piece(0, said))])
    elif is_number and key in FIGURES:
        draft.sure.append(cell.span)
    elif is_number and key and not lex.HEADS.issuperset(key.split()):
        draft.say(cell, f"The column “{key}” is not understood: left out.")
    else:
        for piece in _split_cell(draft, cell):
            if not draft.is_full and piece.words.casefold() not in NO:
                read_more(draft, group, piece.after(","))


def _split_cell(draft: Draft, cell: Piece) -> list[Piece]:
    """The parts of a cell; what stands in brackets behind a place or the like is one: “Hall (hidden)”."""
    found = BRACKETED.fullmatch(cell.text)
    parts = [cell.cut(*found.span(number)) for number in (1, 2)] if found else []
    return parts if parts and draft.details.read(parts[0]) else list_parts(cell)


def _find_pairs(line: Piece) -> tuple[list[str], list[Piece]]:
    """The keys and the values of “Who: Pirate / Count: 6”, if all keys are heads of tables."""
    bounds = [(found.start(), found.end()) for found in BETWEEN.finditer(line.text)]
    parts = [
        line.cut(begin, end) for (_, begin), (end, _) in pairwise([(0, 0), *bounds, (len(line.text),) * 2])
    ]
    keys = [PAIR.match(part.text) for part in parts]
    said = [key[1].casefold() for key in keys if key]
    if len(said) < 2 or not lex.HEADS.issuperset(said) or not all(keys[1:]):
        return [], []
    cells = [part.cut(key.end()) if key else part for part, key in zip(parts, keys, strict=True)]
    return ["name" if key is None else key[1].casefold() for key in keys], cells


def _read_pairs(draft: Draft, line: Piece) -> bool:
    """A row whose cells say what they are, also below others."""
    known = draft.glossary.system.book.imports.lines
    is_written = known is not None and known.is_meant(line.text)
    return not is_written and bool(_find_pairs(line)[1]) and _read_row(draft, line)


KINDS = (
    *(_read_empty, _read_remark, _read_total, _read_pairs, _read_cells_of_above, _read_of_above),
    *(read_format, _read_row, read_heading_line),
)
