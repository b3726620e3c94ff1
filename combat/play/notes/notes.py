"""Notes such as “4 pirates with sword and pistol, 1 captain; 2 marines (allies)” as people who join.

Lines, then clauses, then parts are read in one pass; each has a table of kinds, in the order in which they
are tried (`KINDS` here and in groups.py). The words for all are in words.toml and in each game's data:

    lines      empty, of those above, in a game's format, heading, row, list   here, headings.py, written.py
    clauses    what stands between semicolons, with a label of its own         labels.py
    parts      a condition, the dead, some of others, things, someone          groups.py, people.py
    details    sides, places, arrivals, states                                 details.py, places.py
    settling   each is made once; what no sheet can have is said               settling.py, riding.py

What is known meanwhile is a `Draft`. Each part is either understood, as a group of equal combatants, or
named as an issue with suggestions: what is not understood never becomes a person. A suggestion is another
text for a part of the notes, so the notes stay the only thing that is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.folding import clean_signs
from combat.rules.core.basics.markup import take_off_heading

from .carrying import choose_item
from .draft import NOTE, Draft
from .glossary import Glossary
from .headings import close_sum, is_listed, read_clause, read_heading, read_heading_line
from .lists import open_notes
from .parts import Group, Mark, ParseIssue, Reading
from .people import read_counted, read_more, read_role
from .pieces import (
    Piece,
    count_off,
    find_lines,
    list_parts,
    split_cells,
    split_clauses,
    take_label,
)
from .settling import finish
from .words import HEADS, OF_THEM, REMARKS, name_language
from .written import fold, read_block_of, read_format

MAX_TEXT = 10_000


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
    reading = finish(draft)
    language = name_language(text)
    if not language or (reading.groups and all(one.minor for one in reading.issues)):
        return reading
    span, example = (0, len(text.rstrip())), glossary.system.book.imports.short_example
    said = f"This looks like {language}: notes are read in English, such as “{example}”."
    return Reading(text, (), (ParseIssue(span, draft.words(span), said),), (Mark(span, "issue"),))


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
        if not any(read(draft, line) for read in KINDS):
            for clause in split_clauses(line, draft.is_label):
                read_clause(draft, clause)
    close_sum(draft)


def _read_empty(draft: Draft, line: Piece) -> bool:
    """An empty line ends what a heading says, once people stand below that."""
    if line.text.strip():
        return False
    if len(draft.groups) > draft.held_from:
        draft.held, draft.headed = [], ""
    draft.above, draft.cells, draft.columns, draft.is_remark = None, "", [], False
    return True


def _read_remark(draft: Draft, line: Piece) -> bool:
    """A line that only the GM reads, by its label or by the heading above it."""
    labeled = take_label(line)
    label = labeled[0].words if labeled else take_off_heading(line.text).strip(" :")
    is_remark = label.casefold() in REMARKS
    if is_remark or draft.is_remark:
        draft.is_remark |= line.text.rstrip(" :").endswith(label)
        draft.say(line, NOTE, minor=False)
    return is_remark or draft.is_remark


def _read_of_above(draft: Draft, line: Piece) -> bool:
    """Whether a line is about those of the line before it: what they carry, how many, who they are."""
    label, rest = take_label(line) or (None, line)
    means, group = OF_THEM.get(label.words.casefold(), "") if label else "", draft.above
    if group is None and means == "detail" and draft.details.read(rest):
        read_heading(draft, rest)  # “Location: Hall” above people
        return True
    if group is None or (label and not means):
        return False
    parts = list_parts(rest)
    if not means:
        is_list = is_listed(draft, line) and is_listed(draft, draft.piece(group.span))
        is_open = draft.groups[-1] is group and not group.is_counted and not is_list
        means = "role" if is_open and (group.issue or _is_same(draft, group, parts)) else "items"
        bare = line.words.lower().removeprefix("the ")
        is_named = bare in draft.glossary.places or bare in draft.glossary.sides
        is_detail = is_listed(draft, line) and not is_named and draft.details.read(line)  # “- hidden”
        if means == "items" and not (is_detail or _are_things(draft, group, parts)):
            return False
    if means == "role" and not (parts and read_role(draft, group, parts.pop(0).after(","))):
        return False
    draft.group, draft.run, draft.with_items = group, [group], True
    for one in [line] if means == "detail" and draft.details.read(line) else parts:
        read_more(draft, group, one.after(","))
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


def _find_head(line: Piece) -> str:
    """What stands between the cells of the head of a table; "" for another line."""
    for mark in "|\t;,":
        cells = [cell.casefold().strip(" .").split() for cell in line.text.strip(" |\t").split(mark)]
        if len(cells) > 1 and all(cell and HEADS.issuperset(cell) for cell in cells):
            return mark
    return ""


def _read_row(draft: Draft, line: Piece) -> bool:
    """A row of a table: who, how many, then sides, zones and items."""
    if mark := _find_head(line):
        draft.cells, draft.columns = mark, [cell.words.casefold() for cell in split_cells(line, mark)]
        return True
    cells = split_cells(line, draft.cells)
    if not cells:
        return False
    if len(cells) == len(draft.columns) and "hp" in draft.columns:
        at = draft.columns.index("hp")
        cells[at] = replace(cells[at], text=f"{cells[at].text} HP")
    numbers = [cell for cell in cells if cell.words.isdecimal()]
    who, *others = [cell for cell in cells if cell not in numbers] or cells
    if draft.is_too_much(who):
        return True
    group = read_counted(draft, who, numbers[0] if numbers else None, (cells[0].span[0], cells[-1].span[1]))
    for piece in [piece for cell in others for piece in list_parts(cell)]:
        if not draft.is_full:
            read_more(draft, group, piece.after(","))
    return True


KINDS = (_read_empty, _read_remark, _read_of_above, read_format, _read_row, read_heading_line)
