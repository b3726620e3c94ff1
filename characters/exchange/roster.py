"""A roster: characters of any games as CSV, one line each, in and out."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO
from typing import Any

import msgspec

from combat.rules.core.basics.checking import Problem, plain_quotes, tidy
from combat.rules.core.basics.numbers import read_whole
from combat.rules.core.sheets.foreign import limit_remarks

from ..games import find_games
from ..models import Character
from ..services.character_service import MAX_NAME
from .documents import join_notes
from .item_words import ITEMS
from .reading import ValidationFailed, refuse_controls
from .words_in import ReadSheet, read_words
from .words_out import GAME, NAME, NOTES, OTHER, SUMMARY, write_words

FORMULA = ("=", "+", "-", "@", "\t", "\r")
DELIMITERS = (",", ";", "\t")
BENT = re.compile("\\s*[“„«]")  # a word processor has bent the quotes around the cells
EXACT = re.compile('="(.*)"', re.DOTALL)  # so programs keep a spreadsheet from changing a cell
COUNT = "Count"  # how many characters a line stands for
LAST = (OTHER, NOTES)  # columns after all others
MAX_BEFORE = 10  # lines with content until the columns come
MAX_ROWS, MAX_COLUMNS, MAX_CELL, MAX_COPIES = 200, 400, 100_000, 20


# ---------------------------------------------------------------- out


def write_roster(characters: Iterable[Character]) -> str:
    """A line of CSV for each character; every game adds its own columns."""
    games = {system.slug: system for system in find_games()}
    rows = [
        write_words(
            games[c.system], c.name, c.sheet, summary=c.summary, notes=join_notes(c.notes, c.story, c.tags)
        )
        for c in characters
        if c.system in games
    ]
    columns = list(dict.fromkeys(name for row in rows for name in row)) or [NAME, GAME]
    columns = [name for name in columns if name not in LAST] + [name for name in LAST if name in columns]
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(columns)
    writer.writerows([escape_formula(row.get(name, "")) for name in columns] for row in rows)
    return out.getvalue()


def escape_formula(value: Any) -> Any:
    """The cell in a form that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith((*FORMULA, "'")) else value


def _unescape_formula(cell: str) -> str:
    if exact := EXACT.fullmatch(cell):
        return exact[1].replace('""', '"')
    return cell[1:] if cell.startswith("'") and cell[1:].startswith((*FORMULA, "'")) else cell


# ---------------------------------------------------------------- in


def is_roster(text: str) -> bool:
    """Whether a text has a line of columns, one of them a name, first or below a spreadsheet's own lines."""
    return _find_head(text) is not None


def _find_head(text: str) -> tuple[int, str] | None:
    """Where the line of columns begins, in characters, and what separates them; None without one.

    Only lines with fewer words than there are columns, and one that names the delimiter, may stand before it.
    """
    begin, lines, most = 0, 0, 0
    for line in text[: MAX_BEFORE * MAX_CELL].splitlines(keepends=True):
        for sign in DELIMITERS:
            if columns := _count_columns(text, begin, sign):
                return (begin, sign) if columns > most else None
        lines += bool(line.strip())
        if lines == MAX_BEFORE:
            return None
        most = max(most, _count_words(line))
        begin += len(line)
    return None


def _count_columns(text: str, begin: int, delimiter: str) -> int:
    """How many columns have a name where one of them is the Name, and one another; else 0.

    A cell may have breaks in it.
    """
    try:
        cells = next(
            csv.reader(StringIO(text[begin : begin + MAX_CELL], newline=""), delimiter=delimiter), []
        )
    except csv.Error:
        return 0
    heads = [_read_head(cell).casefold() for cell in cells]
    return sum(map(bool, heads)) if len(heads) > 1 and NAME.casefold() in heads else 0


def _read_head(cell: str) -> str:
    """The name of a column, without quotes of any kind around it."""
    return tidy(plain_quotes(_unescape_formula(cell.strip())).strip(" \"'"))


def _count_words(line: str) -> int:
    """How many cells of a line have content; none where it names the delimiter: “sep=;”."""
    cells = re.split("[,;\t]", line)
    return 0 if line.casefold().startswith("sep=") else sum(map(bool, map(str.strip, cells)))


def read_roster(text: str, usual: str, answers: Mapping[str, str]) -> Iterator[ReadSheet]:
    """The characters of a roster, line by line; `usual` is the game of lines that name none.

    Raises ValidationFailed if the table itself is broken; a fault in one line goes with that line's
    character.
    """
    refuse_controls(text)
    rows = list(_read_rows(text))
    if not rows:
        raise ValidationFailed(Problem("", "has no line besides that of the columns"))
    if len(rows) - 1 > MAX_ROWS:
        raise ValidationFailed(Problem("", f"has {len(rows) - 1} lines; at most {MAX_ROWS} are read at once"))
    columns = [_read_head(cell) for cell in rows[0][1]]
    problems = _find_head_problems(rows[0][0], columns)
    if len(rows) == 1:
        problems.append(Problem("", "has no line besides that of the columns"))
    if problems:
        raise ValidationFailed(*problems)
    read = [_read_row(number, columns, cells, usual=usual, answers=answers) for number, cells in rows[1:]]
    if sum(count for _, count in read) > MAX_ROWS:
        raise ValidationFailed(Problem("", f"has more than {MAX_ROWS} characters; import fewer at once"))
    made = [one for worded, count in read for one in _repeat(worded, count)]
    return iter(_tell_before(text, made))


def _tell_before(text: str, made: list[ReadSheet]) -> list[ReadSheet]:
    """The same characters; the first of them gets a remark on each title above the columns."""
    begin, _ = _find_head(text) or (0, "")
    titles = [
        Problem(f"line {n}", f"“{words[:60]}” stands above the columns: left out")
        for n, line in enumerate(text[:begin].splitlines(), 1)
        if (words := tidy(line.strip(",;\t\r\n "))) and not words.casefold().startswith("sep=")
    ]
    if not titles or not made:
        return made
    found = made[0].found
    remarks = limit_remarks([*titles, *found.remarks])
    return [ReadSheet(made[0].system, msgspec.structs.replace(found, remarks=remarks)), *made[1:]]


def _read_rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """The lines with content from the columns on, each with its number; a quoted cell may span several."""
    begin, delimiter = _find_head(text) or (0, ",")
    body = text[begin:]
    body = plain_quotes(body) if BENT.match(body) else body
    reader = csv.reader(StringIO(body, newline=""), delimiter=delimiter, strict=True)
    before = len(text[:begin].splitlines())
    number = before + 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield number, [_unescape_formula(cell.strip()) for cell in cells]
            number = before + reader.line_num + 1
    except csv.Error as wrong:
        is_long = "field limit" in str(wrong)
        said = "a cell is too long" if is_long else "a quotation mark does not close, or closes within a cell"
        raise ValidationFailed(Problem(f"line {number}", said)) from None


def _find_head_problems(number: int, columns: list[str]) -> list[Problem]:
    problems, place = [], f"line {number}"
    if len(columns) > MAX_COLUMNS:
        problems.append(Problem(place, f"has {len(columns)} columns; at most {MAX_COLUMNS} are read"))
    seen: set[str] = set()
    for name in columns:
        key = " ".join(name.split()).casefold()
        if key in seen and key:
            problems.append(Problem(place, f"has the column “{name[:40]}” twice"))
        seen.add(key)
    return problems


def _read_row(
    number: int, columns: list[str], cells: list[str], usual: str, answers: Mapping[str, str]
) -> tuple[ReadSheet, int]:
    """The character of a line, and how many of them it wants."""
    known = {name.casefold(): name for name in (NAME, GAME, SUMMARY, ITEMS, NOTES, OTHER, COUNT)}
    named = {known.get(c.casefold(), c): value for c, value in zip(columns, cells, strict=False) if c}
    extra = [value for value in cells[len(columns) :] if value]
    nameless = [value for c, value in zip(columns, cells, strict=False) if not c and value]
    counted = named.pop(COUNT, "")
    worded = read_words(named, usual, f"line {number}", answers)
    count = read_whole(counted) if counted else 1
    if count is None or not 1 <= count <= MAX_COPIES:
        problem = Problem(f"line {number}, {COUNT}", f"“{counted[:40]}” is no number from 1 to {MAX_COPIES}")
        worded, count = _add_problem(worded, problem), 1
    if extra:
        text = f"has more cells than there are columns: “{extra[0][:40]}”"
        worded = _add_problem(worded, Problem(f"line {number}", text))
    if nameless:
        text = f"“{nameless[0][:40]}” stands in a column without a name: give it one, or delete it"
        worded = _add_problem(worded, Problem(f"line {number}", text))
    return worded, count


def _repeat(worded: ReadSheet, count: int) -> Iterator[ReadSheet]:
    """The character as often as its line wants, with numbers behind the name if that is more than once."""
    if count == 1:
        yield worded
        return
    found = worded.found
    for number in range(1, count + 1):
        name = f"{found.name[: MAX_NAME - 1 - len(str(number))]} {number}"
        sheet = {**found.sheet, "name": name} if "name" in found.sheet else found.sheet
        yield ReadSheet(worded.system, msgspec.structs.replace(found, name=name, sheet=sheet))


def _add_problem(worded: ReadSheet, problem: Problem) -> ReadSheet:
    found = worded.found
    return ReadSheet(worded.system, msgspec.structs.replace(found, problems=(*found.problems, problem)))
