"""A roster: characters of any games as CSV, one line each, in and out."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO
from itertools import zip_longest
from typing import Any

import msgspec

from combat.rules.core.basics.checking import Problem, plain_quotes, tidy
from combat.rules.core.basics.folding import fold_text
from combat.rules.core.basics.numbers import read_whole
from combat.rules.core.sheets.foreign import LEFT_OUT, Asker, limit_remarks

from ..games import find_game, find_games, plan_of
from ..models import Character
from ..services.character_service import MAX_NAME
from .documents import join_notes
from .item_words import ITEMS
from .reading import ValidationFailed, refuse_controls
from .words_in import ReadSheet, knows, read_words
from .words_out import GAME, NAME, NOTES, OTHER, SUMMARY, write_words

FORMULA = ("=", "+", "-", "@", "\t", "\r")
DELIMITERS = (",", ";", "\t")
BENT = re.compile("\\s*[“„«]")  # a word processor has bent the quotes around the cells
EXACT = re.compile('="(.*)"', re.DOTALL)  # so programs keep a spreadsheet from changing a cell
COUNT = "Count"  # how many characters a line stands for
COMMON = {word.casefold() for word in (NAME, GAME, SUMMARY, ITEMS, NOTES, OTHER, COUNT)}
LAST = (OTHER, NOTES)  # columns after all others
MAX_BEFORE = 10  # lines with content until the columns come
SUM = re.compile(r"(?:(?:grand |sub)?totals?|sums?|averages?|mean|avg|Σ)[ .:]*", re.IGNORECASE)
OTHER_GAMES = (  # columns of games that nobody plays here
    *("class", "level", "race", "species", "alignment", "cr", "ac", "hp", "speed", "save", "saves"),
    *("str", "dex", "con", "int", "wis", "cha"),
)
LINES, COLUMNS, IS_CHARACTER = "lines", "columns", "character"
MAX_LOOKED_AT, MAX_LISTED = 40, 6  # names of a table
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
    return tidy(plain_quotes(fold_text(_unescape_formula(cell.strip()))).strip(" \"'"))


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
    asker = Asker(answers)
    if not problems and _is_turned(columns, rows[1:]) and _ask_way(asker) == COLUMNS:
        rows = _turn(rows)
        columns = [_read_head(cell) for cell in rows[0][1]]
        problems = _find_head_problems(rows[0][0], columns)
    rows = [rows[0], *_leave_sums(rows[1:], columns, asker)]
    if len(rows) == 1:
        problems.append(Problem("", "has no line besides that of the columns"))
    if problems:
        raise ValidationFailed(*problems)
    _refuse_other_games(columns, rows[1:], usual)
    if GAME.casefold() not in [name.casefold() for name in columns]:
        _ask_who(columns, rows[1:], usual, asker)
    read = [_read_row(number, columns, cells, usual=usual, answers=answers) for number, cells in rows[1:]]
    if sum(count for _, count in read) > MAX_ROWS:
        raise ValidationFailed(Problem("", f"has more than {MAX_ROWS} characters; import fewer at once"))
    made = [one for worded, count in read for one in _repeat(worded, count)]
    return iter(_tell_of_all(text, made, asker))


def _is_turned(columns: list[str], rows: list[tuple[int, list[str]]]) -> bool:
    """Whether names run along the first line and what belongs to a sheet down the first column."""

    def is_known(label: str) -> bool:
        return label.casefold() in COMMON or any(knows(system, label) for system in find_games())

    down = [_read_head(cells[0]) for _, cells in rows[:MAX_LOOKED_AT]]
    across = [name for name in columns if name and name.casefold() != NAME.casefold()]
    across = across[:MAX_LOOKED_AT]
    return (
        columns[0].casefold() == NAME.casefold()
        and 2 * sum(map(is_known, down)) > len(down)
        and 2 * sum(map(is_known, across)) < len(across)  # somebody may be called Min
    )


def _ask_way(asker: Asker) -> str:
    options = ((COLUMNS, "In the columns: one character each"), (LINES, "In the lines: one character each"))
    return asker.ask("roster.way", "The table looks turned: where are the characters?", options, COLUMNS)


def _turn(rows: list[tuple[int, list[str]]]) -> list[tuple[int, list[str]]]:
    """The table with its columns as lines, numbered by the columns; those without a name are left out."""
    turned = zip_longest(*(cells for _, cells in rows), fillvalue="")
    return [(number, list(cells)) for number, cells in enumerate(turned, 1) if any(cells)]


def _leave_sums(
    rows: list[tuple[int, list[str]]], columns: list[str], asker: Asker
) -> Iterator[tuple[int, list[str]]]:
    """The lines of characters: one called Total below others is asked about, and likely none."""
    at = next((n for n, name in enumerate(columns) if name.casefold() == NAME.casefold()), 0)
    options = ((LEFT_OUT, "A sum of the others: leave it out"), (IS_CHARACTER, "A character"))
    for n, (number, cells) in enumerate(rows):
        name = cells[at] if at < len(cells) else ""
        if n and SUM.fullmatch(name[:MAX_NAME]):
            text = f"Line {number}, “{name}”: what is it?"
            if asker.ask(f"roster.sum.{number}", text, options, LEFT_OUT) == LEFT_OUT:
                continue
        yield number, cells


def _refuse_other_games(columns: list[str], rows: list[tuple[int, list[str]]], usual: str) -> None:
    """Raise ValidationFailed if the table is of a game that was not chosen, and does not name its own.

    Each of its people would be the same: all that the game fills in where a table says nothing.
    """
    system, asked = find_game(usual), _find_filled(columns, rows)
    unknown = [name for name in asked if not knows(system, name)]
    if GAME.casefold() in [name.casefold() for name in columns] or not unknown:
        return
    if len(unknown) < len(asked) and sum(name.casefold() in OTHER_GAMES for name in unknown) < 2:
        return
    games = [one.name for one in find_games() if one != system and all(knows(one, name) for name in asked)]
    works = (
        f"choose {' or '.join(games)}" if games else "choose its game, or delete them to import the others"
    )
    listed = ", ".join(name[:20] for name in unknown[:MAX_LISTED])
    raise ValidationFailed(Problem("", f"has columns that no sheet of {system.name} has ({listed}): {works}"))


def _find_filled(columns: list[str], rows: list[tuple[int, list[str]]]) -> list[str]:
    """The columns with content that say something of a sheet: not the name, notes and the like."""
    filled = [any(n < len(cells) and cells[n] for _, cells in rows) for n in range(len(columns))]
    return [
        name
        for name, has in zip(columns, filled, strict=True)
        if name and has and name.casefold() not in COMMON
    ]


def _ask_who(columns: list[str], rows: list[tuple[int, list[str]]], usual: str, asker: Asker) -> None:
    """Ask who the people of a table are of whom the game knows nothing but money: usual ones, or nobody.

    Raises ValidationFailed if the answer is nobody.
    """
    system = find_game(usual)
    money = plan_of(system).money
    known = {name.casefold() for name in _find_filled(columns, rows) if knows(system, name)}
    if money is None or not known or not known <= {money.label.casefold(), money.key.casefold()}:
        return
    options = ((IS_CHARACTER, f"Usual people of {system.name}"), (LEFT_OUT, "Nobody: do not import them"))
    if asker.ask("roster.who", "Only their money can be read: who are they?", options) == LEFT_OUT:
        raise ValidationFailed(Problem("", "has nobody to import: only money is said of them"))


def _tell_of_all(text: str, made: list[ReadSheet], asker: Asker) -> list[ReadSheet]:
    """The same characters; the first gets what is asked and remarked of the whole table.

    That includes each title above the columns.
    """
    begin, _ = _find_head(text) or (0, "")
    titles = [
        Problem(f"line {n}", f"“{words[:60]}” stands above the columns: left out")
        for n, line in enumerate(text[:begin].splitlines(), 1)
        if (words := tidy(line.strip(",;\t\r\n "))) and not words.casefold().startswith("sep=")
    ]
    if not made:
        return made
    found = made[0].found
    remarks = limit_remarks([*titles, *asker.remarks, *found.remarks])
    questions = (*asker.list_questions(), *found.questions)
    first = msgspec.structs.replace(found, remarks=remarks, questions=questions)
    return [ReadSheet(made[0].system, first), *made[1:]]


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
