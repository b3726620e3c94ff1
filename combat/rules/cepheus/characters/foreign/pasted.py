"""Text pasted from lists and generators, read as people with sheets.

Three forms: a numbered list (name, species, profile, age; careers and money; skills with commas; benefits;
events), the same without number and species and with `x n` behind benefits, and tables with tabs between
their cells. Lines without meaning for the rules go to the notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, pairwise
from typing import Any

from msgspec import structs

from combat.rules.core.basics.checking import Problem, tidy
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.markup import take_off_marks
from combat.rules.core.basics.numbers import plain_signs
from combat.rules.core.sheets.catalogue import Entry
from combat.rules.core.sheets.foreign import Asker, Foreign, Reader, limit_remarks

from ...book.tables import SCORES
from ..one_line_npc import (
    EXAMPLE,
    LABELLED,
    NO_PROFILE,
    find_known,
    has_profile,
    is_profile,
    looks_like_profile,
    make_items,
    read_line,
    read_profile,
)
from ..skill_names import find_skills
from .skills import SkillList

MAX_NAMED = 10  # lines in one problem
MAX_PEOPLE, MAX_NAME, MAX_CREDITS, MAX_COUNT, MAX_THINGS = 50, 60, 1_000_000_000, 99, 200
PIECE = re.compile(
    r".{1,2000}(?=\s|$)|.{1,2000}"
)  # of an overlong line: up to the last white space, if there is any
HEAD = re.compile(
    r"(?P<name>.+?)\s(?P<profile>[0-9A-Za-z]{6}(?:-?[0-9A-Za-z])?)\s+Age:?\s*(?P<age>\d{1,4})\b(?P<rest>.*)"
)
NUMBERED = re.compile(r"\d{1,5}[.)]\s+")
SPECIES = re.compile(r"\(([^()]*)\)\s*$")
MONEY = re.compile(r"\bCr\.?\s*(-?)\s*(\d[\d,]{0,14})")
LEVEL = re.compile(r"(?P<name>\S.*?)\s*(?:[-:]|\s)\s*(?P<level>\d{1,2})")
AFTER_LEVEL = re.compile(r"(?<=[-\s]\d)\s+(?=[^\W\d])(?!x\s)")
COUNTED = re.compile(r"(?:(?P<first>\d{1,3})\s*x?\s+)?(?P<name>\S.*?)(?:\s+x\s*(?P<last>\d{1,3}))?")
LOG = re.compile(r"(?:character )?event log\b", re.IGNORECASE)
# The beginning of a line about the person above, with or without a colon
OWN_LABEL = re.compile(
    rf"({LABELLED.pattern.rpartition(':')[0]})(?:\s*[:=]\s*|\s(?:[-–—]\s)?)", re.IGNORECASE
)
NAMED = ("name", "npc")  # labels that begin someone
LINK = "permalink"
STAT = re.compile(r"\s*(\d{1,2})\s*(?:\([^()]*\))?\s*")
HEADS = {
    "species", "age", "gender", "upp", "str", "dex", "end", "int", "edu", "soc", "psi", "strength",
    "dexterity", "endurance", "intelligence", "education", "social standing", "social",
}  # fmt: skip
TABLES = ("career", "education", "history", "term", "enmity", "name", "allies", "contacts")


class Person:
    """A person of a text while their lines are read."""

    def __init__(self, number: int, name: str) -> None:
        self.line = number
        self.name = tidy(take_off_marks(name))
        self.scores: dict[str, int] = {}
        self.skills = SkillList()
        self.entries: list[tuple[Entry, int]] = []
        self.money = 0
        self.notes: list[str] = []
        self.remarks: list[Problem] = []
        self.problems: list[Problem] = []

    def say(self, number: int, message: str) -> None:
        """Remark on a line."""
        self.remarks.append(Problem(f"line {number}", message))

    def fail(self, number: int, message: str) -> None:
        """Record a problem with a line."""
        self.problems.append(Problem(f"line {number}", message))

    def keep(self, line: str) -> None:
        """Put a line into the notes."""
        if tidy(line):
            self.notes.append(tidy(line))

    def make(self, asker: Asker) -> Foreign:
        """The sheet of the person."""
        if not 1 <= len(self.name) <= MAX_NAME:
            self.fail(self.line, f"a name of 1 to {MAX_NAME} characters comes first")
        if len(self.entries) > MAX_THINGS:
            self.fail(self.line, f"has {len(self.entries):,} things: at most {MAX_THINGS} are read")
            self.entries = []
        skills = self.skills.settle([entry for entry, _ in self.entries], asker)
        sheet: dict[str, Any] = {
            "name": self.name[:MAX_NAME],
            "kind": "person",
            "attributes": self.scores,
            "skills": skills,
            "items": make_items(self.entries),
            "credits": self.money,
        }
        return Foreign(
            name=self.name[:MAX_NAME],
            sheet=sheet,
            notes="\n".join(self.notes),
            remarks=limit_remarks([*self.remarks, *self.skills.remarks, *asker.remarks]),
            problems=tuple(self.problems),
            questions=asker.list_questions(),
        )


def _make_all(people: Iterable[Person], answers: Mapping[str, str]) -> list[Foreign]:
    return [person.make(Asker(answers, f"{number}.")) for number, person in enumerate(people, 1)]


def _number_lines(text: str) -> list[tuple[int, str]]:
    """The lines of a text; an overlong line continues, with a whole word, in one with the same number."""
    return [
        (n, piece) for n, line in enumerate(text.splitlines(), 1) for piece in PIECE.findall(line) or [""]
    ]


def _split_at(lines: list[tuple[int, str]], starts: Iterable[int]) -> Iterator[list[tuple[int, str]]]:
    """The lines of each person that is read, starting with their first line."""
    for begin, end in islice(pairwise([*starts, len(lines)]), MAX_PEOPLE):
        yield lines[begin:end]


# ---------------------------------------------------------------- a profile and an age


def _find_heads(lines: list[tuple[int, str]]) -> list[int]:
    return [n for n, (_, line) in enumerate(lines) if _read_head(line)]


def _read_head(line: str) -> re.Match[str] | None:
    """The first line of someone: a name, a profile, an age. “Facade” is not a profile, “AAAAAA” is."""
    found = HEAD.fullmatch(" ".join(line.split())) if "Age" in line else None
    word = found["profile"].replace("-", "") if found else ""
    return found if looks_like_profile(word) or (word.isupper() and is_profile(word)) else None


def recognizes_list(text: Any) -> bool:
    """Whether a text has a person by name, profile and age."""
    return isinstance(text, str) and bool(_find_heads(_number_lines(text)))


def read_list(text: str, answers: Mapping[str, str]) -> tuple[Foreign, ...]:
    """The people of such a text."""
    lines = _number_lines(text)
    starts = _find_heads(lines)
    found = [_read_block(block) for block in _split_at(lines, starts)]
    made = _tell_before(lines, starts, _make_all(found, answers))
    return (*made, *_find_too_many(len(starts)))


def _tell_before(lines: list[tuple[int, str]], starts: list[int], made: list[Foreign]) -> list[Foreign]:
    """The same people; the first of them gets a remark on the lines before them."""
    before = [
        Problem(f"line {n}", f"“{tidy(line)[:60]}” stands before the first person: left out")
        for n, line in lines[: starts[0] if starts else 0]
        if tidy(line)
    ]
    if not before or not made:
        return made
    return [structs.replace(made[0], remarks=limit_remarks([*before, *made[0].remarks])), *made[1:]]


def _find_too_many(count: int) -> tuple[Foreign, ...]:
    if count <= MAX_PEOPLE:
        return ()
    text = f"has {count} people; at most {MAX_PEOPLE} are read at once"
    return (Foreign(name="", sheet={}, problems=(Problem("the text", text),)),)


def _read_block(lines: list[tuple[int, str]]) -> Person:
    number, line = lines[0]
    head = _read_head(line)
    assert head is not None, line
    name = NUMBERED.sub("", head["name"], count=1) if NUMBERED.match(head["name"]) else head["name"]
    species = SPECIES.search(name)
    person = Person(number, name[: species.start()] if species else name)
    person.scores = read_profile(head["profile"])
    person.keep(f"Age: {head['age']}")
    person.keep(species[1] if species else "")
    person.keep(head["rest"])
    logged = False
    for at, text in lines[1:]:
        logged = logged or bool(LOG.match(tidy(text)))
        if logged:
            person.keep(text)
        else:
            _read_line(person, at, plain_signs(tidy(text)))
    if not person.skills.named:
        person.say(
            number, "no skills were found: they stand with commas between them, such as Admin-1, Pilot-0"
        )
    return person


def _read_line(person: Person, number: int, line: str) -> None:
    """One line between the head and the log: careers with money, skills, items, or words for the notes."""
    if not line:
        return
    money = MONEY.search(line)
    if money:
        _read_money(person, number, money)
        _read_line(person, number, line[: money.start()].rstrip(" ,;"))
        _read_line(person, number, line[money.end() :].lstrip(" ,;"))
    elif _looks_like_skills(line):
        for part in _parts_of(line):
            _read_skill(person, number, part)
    else:
        _read_benefits(person, number, line)


def _read_money(person: Person, number: int, money: re.Match[str]) -> None:
    amount = int(money[2].replace(",", ""))
    if money[1]:
        person.say(number, f"Cr-{amount:,} is a debt: sheets have none")
        person.keep(f"Debt: Cr{amount:,}")
    elif amount > MAX_CREDITS:
        person.fail(number, f"at most Cr{MAX_CREDITS:,}")
    else:
        person.money += amount


def _parts_of(line: str) -> list[str]:
    """The parts of a line: between commas, or where a level ends and a name begins."""
    between = line if "," in line else AFTER_LEVEL.sub(",", line)
    return [part.strip() for part in between.split(",") if part.strip()]


def _looks_like_skills(line: str) -> bool:
    """Whether most parts are a name with a level, at least one of them a skill."""
    found = [match_level(part) for part in _parts_of(line)]
    pairs = [pair for pair in found if pair]
    return 2 * len(pairs) > len(found) and any(find_skills(name) for name, _ in pairs)


def match_level(part: str) -> tuple[str, int] | None:
    """A skill and its level: the last hyphen counts, since names have some too."""
    found = LEVEL.fullmatch(plain_signs(part))
    if not found or found["name"].casefold().endswith(" x"):
        return None
    return found["name"].rstrip(" -:"), int(found["level"])


def _read_skill(person: Person, number: int, part: str) -> None:
    found = match_level(part)
    if found:
        person.skills.add(found[0], found[1], f"line {number}")
    else:
        person.say(number, f"“{part[:60]}” is no skill with a level: left out")


def match_counted(part: str) -> tuple[str, int]:
    """An item's name and its number: “2 Blade”, “Blade x 2”."""
    found = COUNTED.fullmatch(part)
    return (found["name"], int(found["last"] or found["first"] or 1)) if found else (part, 1)


def _read_benefits(person: Person, number: int, line: str) -> None:
    """Read items of the catalogue; the whole line stays in the notes as well."""
    person.keep(line)
    for part in _parts_of(line):
        name, count = match_counted(part)
        entry = find_known(name)
        if entry is None:
            continue
        if 1 <= count <= MAX_COUNT:
            person.entries.append((entry, count))
        else:
            person.say(number, f"“{part[:60]}”: of one item 1 to {MAX_COUNT}")


# ---------------------------------------------------------------- tables with tabs


def _find_links(lines: list[tuple[int, str]]) -> list[int]:
    return [n for n, (_, line) in enumerate(lines) if LINK in line.casefold()]


def recognizes_tables(text: Any) -> bool:
    """Whether a text begins with a name and a link, and has a row of scores."""
    if not isinstance(text, str):
        return False
    lines = _number_lines(text)
    return bool(_find_links(lines)) and any("\t" in line for _, line in lines)


def read_tables(text: str, answers: Mapping[str, str]) -> tuple[Foreign, ...]:
    """The people of such a text."""
    lines = _number_lines(text)
    starts = _find_links(lines)
    found = _make_all((_read_tables(block) for block in _split_at(lines, starts)), answers)
    made = _tell_before(lines, starts, found)
    return (*made, *_find_too_many(len(starts)))


def _read_tables(lines: list[tuple[int, str]]) -> Person:
    number, first = lines[0]
    place = first.casefold().index(LINK)
    person = Person(number, first[:place])
    person.keep(first[place + len(LINK) :])
    rest = [(n, line) for n, line in lines[1:] if tidy(line)]
    row = next((k for k, (_, line) in enumerate(rest) if _count_stats(line) >= len(SCORES)), None)
    if row is None:
        person.fail(
            number, "no row of six scores with tabs between them, such as 7 (+0), comes after the name"
        )
        return person
    for _, line in rest[:row]:
        person.keep(
            ", ".join(word for cell in line.split("\t") if (word := tidy(cell)).casefold() not in HEADS)
        )
    _read_scores(person, *rest[row])
    _read_sections(person, rest[row + 1 :])
    return person


def _count_stats(line: str) -> int:
    return sum("(" in cell and bool(STAT.fullmatch(plain_signs(cell))) for cell in line.split("\t"))


def _read_scores(person: Person, number: int, line: str) -> None:
    """The cells with a DM behind the number are scores, in the order of a profile; others get a remark."""
    scores, others = [], []
    for cell in line.split("\t"):
        found = STAT.fullmatch(plain_signs(cell)) if "(" in cell else None
        if found:
            scores.append(found)
        else:
            others.append(tidy(cell))
    for key, found in zip(SCORES, scores, strict=False):
        person.scores[key] = int(found[1])
    for found in scores[len(SCORES) :]:
        person.say(number, f"{tidy(found[0])} stands behind the six scores: left out")
    person.keep(", ".join(filter(None, others)))


def _read_sections(person: Person, lines: list[tuple[int, str]]) -> None:
    """Read the texts about them, the skills, and tables for the notes."""
    section = ""
    for number, line in lines:
        words = tidy(line)
        head = words.casefold().split(" ")[0]
        if words.casefold() == "skills" or head in TABLES:
            section = words.casefold().split(" ")[0]
            if section == "skills":
                continue
        if section == "skills":
            _read_skill(person, number, plain_signs(words))
        else:
            person.keep(" | ".join(tidy(cell) for cell in line.split("\t") if tidy(cell)))
    if not person.skills.named:
        person.say(person.line, "no skills were found: they stand in lines after the word Skills")


# ---------------------------------------------------------------- one line each


def recognizes_lines(text: Any) -> bool:
    """Whether a line of a text contains a profile."""
    return isinstance(text, str) and any(map(looks_like_profile, LABELLED.sub(" , ", text).split()))


def _join_labelled(lines: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The lines, with those that begin with a label, such as “Skills:”, behind the name right above them.

    Each has the number of its first line.
    """
    begin, last, joined = 0, 0, ""
    for number, line in lines:
        label = OWN_LABEL.match(line)
        if label and label[1].strip().casefold() not in NAMED and joined and number == last + 1:
            joined, last = f"{joined}, {label[1].strip()}: {line[label.end() :]}", number
            continue
        if joined:
            yield begin, joined
        begin, last, joined = number, number, line
    if joined:
        yield begin, joined


def read_lines(text: str, answers: Mapping[str, str]) -> tuple[Foreign, ...]:
    """Several people in one-line notation, as for a fight."""
    plain = take_off_marks(text).splitlines()
    lines = [*_join_labelled([(n, tidy(line)) for n, line in enumerate(plain, 1) if tidy(line)])]
    meant = [(at, line) for at, line in lines if has_profile(line)]
    found = (
        _read_one(at, line, Asker(answers, f"{number}."))
        for number, (at, line) in enumerate(meant[:MAX_PEOPLE], 1)
    )
    others = [at for at, line in lines if not has_profile(line)]
    return (*found, *_find_unmeant(others), *_find_too_many(len(meant)))


def _find_unmeant(lines: list[int]) -> tuple[Foreign, ...]:
    """One problem for all lines without a profile."""
    if not lines:
        return ()
    listed = ", ".join(map(str, lines[:MAX_NAMED])) + (
        f" and {more} more" if (more := len(lines) - MAX_NAMED) > 0 else ""
    )
    place = f"line{'s' if len(lines) > 1 else ''} {listed}"
    return (Foreign(name="", sheet={}, problems=(Problem(place, NO_PROFILE),)),)


def _read_one(number: int, line: str, asker: Asker) -> Foreign:
    try:
        written = read_line(line, asker)
    except Refused as refused:
        return Foreign(name="", sheet={}, problems=(Problem(f"line {number}", refused.message),))
    remarks, questions = limit_remarks(asker.remarks), asker.list_questions()
    return Foreign(name=written.name, sheet=written.sheet, remarks=remarks, questions=questions)


LINES = Reader(
    key="lines",
    label="Lines",
    text=f"One line for each, such as: {EXAMPLE}",
    plain=True,
    recognizes=recognizes_lines,
    read=read_lines,
)
LISTED = Reader(
    key="listed",
    label="A profile with an age (lists and generators)",
    text=(
        "Blocks as lists of ready people and generators print them: a first line with a name, perhaps gender "
        "and species in brackets, profile and “Age 42”; then careers with “Cr10,000”, skills such as "
        "“Admin-1, Zero-G-0”, benefits such as “Blade x 2”, and what happened."
    ),
    stays="Scores, skills, money and items of the catalogue are read. The rest goes to the notes as it is.",
    plain=True,
    recognizes=recognizes_list,
    read=read_list,
)
TABLED = Reader(
    key="tabled",
    label="Tables with tabs (a generator's page)",
    text=(
        "The text of a generator's page from the line with “permalink” on: a row with age and scores such as "
        "“7 (+0)”, the skills below the word Skills, then tables."
    ),
    stays=LISTED.stays,
    plain=True,
    recognizes=recognizes_tables,
    read=read_tables,
)
