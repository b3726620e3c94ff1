"""A game's rulebook as pages show it: chapters of rules and tables, options, rulings; search and cards.

It is the same for everybody, so it is built once per game; each entry is drawn when it is first shown.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from typing import Any

import msgspec
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.text import slugify

from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.numbers import say_whole
from combat.rules.core.book.printed import BookTable, Cell
from combat.rules.core.book.rulebook import Rule, Ruling, mentions
from combat.rules.core.declaration.book import TableOption
from combat.rules.core.declaration.system import System

from .examples import Card, find_cards, find_hit, find_terms

OPTIONS, RULINGS = "House rules", "Rulings"
BADGES = (
    ("automated", "Automated", "applied automatically"),
    ("assisted", "Assisted", "offered at the right moment, people decide"),
    ("reference", "Reference", "for reading"),
)
NOTHING = {"", "\N{EN DASH}"}  # cells that say nothing
LONG = 24  # characters of a cell that needs a wide column
STEP = " > "  # between the parts of a section's path
KINDS = ("rule", "table", "ruling")
MOST = 35  # entries of a chapter on one page; a longer one has a page for each of its parts
ATTACK = "attack"
QUESTIONS = {  # the keys of `answers` in the rulebooks
    "order": "Who acts first?",
    ATTACK: "How does an attack hit?",
    "range": "What does distance change?",
    "cover": "What does cover do?",
    "damage": "What does a hit take?",
    "out": "When is someone out of action?",
}


@dataclass(frozen=True)
class Entry:
    """A rule, a table or a ruling: its anchor, the words that a search looks through, how it is drawn.

    `told` says it in a line; `sketch` draws it as a search lists it, if that is shorter.
    """

    id: str
    kind: str
    told: str
    words: str
    draw: Callable[[], SafeString]
    sketch: Callable[[], SafeString] | None = None
    automation: str = ""
    table: BookTable | None = None

    @cached_property
    def html(self) -> SafeString:
        """Its HTML in its chapter."""
        return self.draw()

    @cached_property
    def short(self) -> SafeString:
        """Its HTML in a list of what was found."""
        return self.sketch() if self.sketch else self.html


@dataclass(frozen=True)
class Section:
    """A part of a page. The first one may have no title of its own."""

    title: str
    anchor: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class BookPage:
    """A page of the book, by its name in addresses: a chapter, or a part of a long one, in its sections."""

    name: str
    chapter: str
    title: str
    sections: tuple[Section, ...]

    @property
    def rules(self) -> int:
        """How many rules it has."""
        return sum(entry.kind == "rule" for part in self.sections for entry in part.entries)


@dataclass(frozen=True)
class SearchResults:
    """The pages with what a search found, and how many entries of each kind."""

    pages: tuple[BookPage, ...]
    rules: int = 0
    tables: int = 0
    rulings: int = 0


# ---------------------------------------------------------------- the whole book


@cache
def find_pages(slug: str) -> tuple[BookPage, ...]:
    """Every page of a game's rulebook in order, with its tables, its table options and its rulings."""
    system = find_system(slug)
    sections: dict[str, list[Rule | BookTable | Ruling]] = {}
    for rule in system.rulebook.all_rules.values():
        sections.setdefault(rule.section, []).append(rule)
    for table in system.book.tables():
        path = table.section or system.rulebook.find(table.rule).section
        sections = _with_section(sections, path)
        sections[path].append(_without_empty(table))
    sections[OPTIONS] = [_options_table(system)]
    if system.rulebook.rulings:
        sections[RULINGS] = [*system.rulebook.rulings.values()]
    return tuple(_make_pages(system, sections))


def _with_section(sections: dict[str, list[Any]], path: str) -> dict[str, list[Any]]:
    """The sections with one more: before its own subsections if it has any, else at the end."""
    if path in sections:
        return sections
    paths = list(sections)
    place = next((n for n, other in enumerate(paths) if other.startswith(path + STEP)), len(paths))
    paths.insert(place, path)
    return {name: sections.get(name, []) for name in paths}


def _make_pages(system: System, sections: dict[str, list[Any]]) -> Iterator[BookPage]:
    counts = Counter[str]()
    for path, things in sections.items():
        counts[path.split(STEP)[0]] += len(things)
    parts: dict[tuple[str, ...], list[str]] = {}
    for path in sections:
        chapter, *rest = path.split(STEP)
        parts.setdefault((chapter, *rest[: counts[chapter] > MOST]), []).append(path)
    names = set[str]()
    for at, paths in parts.items():
        name = slugify(at[-1]) if slugify(at[-1]) not in names else slugify(" ".join(at))
        names.add(name)
        made = (_make_section(system, name, path, things=sections[path], depth=len(at)) for path in paths)
        yield BookPage(name, at[0], at[-1], tuple(made))


def _make_section(system: System, page: str, path: str, things: list[Any], depth: int) -> Section:
    rules = tuple(thing.id for thing in things if isinstance(thing, Rule))
    entries = tuple(_make_entry(system, page, thing, rules) for thing in things)
    return Section(": ".join(path.split(STEP)[depth:]), f"at-{slugify(path)}", entries)


def _make_entry(
    system: System, page: str, thing: Rule | BookTable | Ruling, beside: tuple[str, ...]
) -> Entry:
    if isinstance(thing, Rule):
        draw = partial(_draw_rule, system, page, thing)
        sketch = partial(_draw_rule, system, page, thing, is_whole=False)
        return Entry(thing.id, "rule", thing.text, "", draw=draw, sketch=sketch, automation=thing.automation)
    if isinstance(thing, BookTable):
        return _table_entry(system.slug, page, thing, beside)
    options = [option.label for option in system.book.options if option.ruling == thing.id]
    words = f"{thing.id} {thing.title} {thing.text} {' '.join(options)}".casefold()
    return Entry(thing.id, "ruling", thing.title, words, draw=partial(_draw_ruling, system, page, thing))


def _render(name: str, slug: str, **context: Any) -> SafeString:
    return render_to_string(f"combat/book/book_{name}.html", {"slug": slug, **context})


def _draw_rule(system: System, page: str, rule: Rule, *, is_whole: bool = True) -> SafeString:
    if not is_whole:
        return _render("rule", system.slug, page=page, rule=rule)
    rulings = [system.rulebook.rulings[name] for name in rule.rulings]
    first = [one for one in rulings if system.rulebook.rules_under(one.id)[0].id == rule.id]
    notes = [_view_note(system, one) for one in first]  # each stands beside one rule
    cards = find_cards(system.slug, rule.id)
    return _render("rule", system.slug, page=page, rule=rule, cards=cards, notes=notes)


def _table_entry(slug: str, page: str, table: BookTable, beside: tuple[str, ...] = ()) -> Entry:
    words = f"{table.title} {table.rule} {' '.join(table.columns)}".casefold()
    draw = partial(_draw_table, slug, page, table, beside)
    return Entry(f"table-{table.key}", "table", f"{table.title}: table", words, draw=draw, table=table)


def _draw_table(slug: str, page: str, table: BookTable, beside: tuple[str, ...]) -> SafeString:
    """A table; rows that an example of the rules beside it uses are tinted."""
    looks = [_find_look(*column) for column in zip(table.numeric, zip(*table.rows, strict=True), strict=True)]
    cells = [tuple(zip(row, looks, strict=True)) for row in table.rows]
    rules = table.rules or [""] * len(cells)
    heads = tuple(zip(table.columns, looks, strict=True))
    terms = find_terms(slug, beside)
    used = [_find_use(table.title, row, terms) for row in table.rows]
    rows = tuple(zip(cells, rules, used, strict=True))
    uses = dict.fromkeys(filter(None, used))
    return _render("table", slug, page=page, table=table, heads=heads, rows=rows, uses=uses)


def _find_use(title: str, row: tuple[Cell, ...], terms: dict[tuple[str, str], str]) -> str:
    """The rule whose example adds a term with the name of a row and a number in it; none without one.

    A term may say the table's title too: "Light cover" is the row "Light" of "Cover".
    """
    names = str(row[0]).casefold(), f"{row[0]} {title.split()[-1]}".casefold()
    numbers = {number for cell in row[1:] for number in re.findall(r"\d+", str(cell))}
    return next((rule for (name, number), rule in terms.items() if name in names and number in numbers), "")


def _without_empty(table: BookTable) -> BookTable:
    """The table without columns in which the game has nothing."""
    used = [n for n, column in enumerate(zip(*table.rows, strict=True)) if not {*map(str, column)} <= NOTHING]
    if len(used) == len(table.columns) or not table.rows:
        return table
    return msgspec.structs.replace(
        table,
        columns=tuple(table.columns[n] for n in used),
        rows=tuple(tuple(row[n] for n in used) for row in table.rows),
    )


def _find_look(is_numeric: bool, cells: tuple[Cell, ...]) -> str:
    """The CSS class of a column: numbers on the right, room for long words."""
    if is_numeric:
        return "num"
    return "long" if any(len(str(cell)) > LONG for cell in cells) else ""


def _view_note(system: System, ruling: Ruling) -> dict[str, Any]:
    """A ruling as a note beside its rule: how it is played, and what a table may choose instead."""
    options = [_view_option(option) for option in system.book.options if option.ruling == ruling.id]
    return {"id": ruling.id, "title": ruling.title, "default": ruling.default, "options": options}


def _draw_ruling(system: System, page: str, ruling: Ruling) -> SafeString:
    options = [_view_option(option) for option in system.book.options if option.ruling == ruling.id]
    rules = system.rulebook.rules_under(ruling.id)
    return _render("ruling", system.slug, page=page, ruling=ruling, options=options, rules=rules)


# ---------------------------------------------------------------- table options


def _options_table(system: System) -> BookTable:
    """Every table option, its default and the reason for the default."""
    rows, rules = [], []
    for option in system.book.all_options:
        ruling = system.rulebook.rulings.get(option.ruling)
        shown = _view_option(option)
        why = ruling.why if ruling else option.help
        rows.append((option.label, shown["default"], shown["others"] or "\N{EN DASH}", why or "\N{EN DASH}"))
        rules.append(option.ruling)
    return BookTable(
        key="options",
        title=OPTIONS,
        rule="",
        columns=("Option", "Default", "Or", "Why"),
        rows=tuple(rows),
        rules=tuple(rules),
        note="The GM sets them for each encounter, in its preparation under House rules.",
    )


def _view_option(option: TableOption) -> dict[str, str]:
    """A table option in words: its label, its default, and its other values."""
    choices = (False, True) if isinstance(option.default, bool) else option.choices
    others = [option.describe(choice) for choice in choices if choice != option.default]
    if option.number:
        others.append(f"any number from {say_whole(option.number[0])} to {say_whole(option.number[1])}")
    return {"label": option.label, "default": option.describe(option.default), "others": ", ".join(others)}


# ---------------------------------------------------------------- searching


def search(slug: str, text: str, badge: str) -> SearchResults:
    """The entries with every word of the text, those under a title with a word of it first.

    With a badge, only rules that have it.
    """
    words = text.casefold().split()
    rules = {rule.id for rule in find_system(slug).rulebook.search(text)} if words else None
    pages = (_keep(slug, page, words, rules=rules, badge=badge) for page in find_pages(slug))
    parts = [replace(page, sections=(part,)) for page in pages for part in page.sections]
    parts.sort(key=lambda page: not any(mentions(_find_title(page), [word]) for word in words))
    kinds = [entry.kind for page in parts for part in page.sections for entry in part.entries]
    return SearchResults(tuple(parts), *(kinds.count(kind) for kind in KINDS))


def _find_title(page: BookPage) -> str:
    return f"{page.title} {page.sections[0].title}".casefold()


def _keep(slug: str, page: BookPage, words: list[str], rules: set[str] | None, badge: str) -> BookPage:
    parts = []
    for part in page.sections:
        entries = tuple(_filter(slug, page.name, part.entries, words=words, rules=rules, badge=badge))
        if entries:
            parts.append(replace(part, entries=entries))
    return replace(page, sections=tuple(parts))


def _filter(
    slug: str, page: str, entries: Iterable[Entry], *, words: list[str], rules: set[str] | None, badge: str
) -> Iterator[Entry]:
    for entry in entries:
        if badge and entry.automation != badge:
            continue
        if rules is None or entry.id in rules or (entry.words and mentions(entry.words, words)):
            yield entry
        elif entry.table and (rows := _find_rows(entry.table, words)):
            yield _table_entry(slug, page, _cut(entry.table, rows))


def _find_rows(table: BookTable, words: list[str]) -> list[int]:
    """The rows of a table that contain every word, counting the table's title."""
    texts = (f"{table.title} {' '.join(map(str, row))}".casefold() for row in table.rows)
    return [number for number, text in enumerate(texts) if mentions(text, words)]


def _cut(table: BookTable, rows: list[int]) -> BookTable:
    kept = tuple(table.rows[number] for number in rows)
    rules = tuple(table.rules[number] for number in rows) if table.rules else ()
    return msgspec.structs.replace(table, rows=kept, rules=rules)


def shorten(found: SearchResults, most: int) -> tuple[SearchResults, int]:
    """The first entries of what was found, and how many more there are."""
    left, pages = most, []
    for page in found.pages:
        parts = []
        for part in page.sections[: left or 0]:
            if entries := part.entries[:left]:
                parts.append(replace(part, entries=entries))
                left -= len(entries)
        if parts:
            pages.append(replace(page, sections=tuple(parts)))
    return replace(found, pages=tuple(pages)), max(0, found.rules + found.tables + found.rulings - most)


# ---------------------------------------------------------------- places


@dataclass(frozen=True)
class Place:
    """Where an entry stands: its page, and the section with it, or a ruling alone."""

    page: BookPage
    here: str
    section: Section


def find_page(slug: str, name: str) -> BookPage | None:
    """The page of this name; None if there is none."""
    return next((page for page in find_pages(slug) if page.name == name), None)


def find_neighbours(slug: str, page: BookPage) -> tuple[BookPage | None, BookPage | None]:
    """The pages before and after one; None at either end."""
    around = (None, *find_pages(slug), None)
    at = around.index(page)
    return around[at - 1], around[at + 1]


def find_place(slug: str, entry_id: str) -> Place | None:
    """The place of a rule, a table or a ruling; None if the book has no such entry."""
    anchor = find_system(slug).rulebook.resolve(entry_id)
    for page in find_pages(slug):
        for part in page.sections:
            alone = tuple(entry for entry in part.entries if entry.id == anchor)
            if alone:
                is_ruling = alone[0].kind == "ruling"
                return Place(page, anchor, replace(part, entries=alone) if is_ruling else part)
    return None


def count_badges(slug: str) -> list[dict[str, Any]]:
    """The number of rules with each badge, and what the badge means."""
    counts = Counter(str(rule.automation) for rule in find_system(slug).rulebook.all_rules.values())
    return [
        {"key": key, "label": label, "means": means, "count": counts[key]} for key, label, means in BADGES
    ]


# ---------------------------------------------------------------- cards


def find_card(slug: str, entry_id: str) -> SafeString | None:
    """A rule or ruling as a small card, with the conditions it is about; None if there is none."""
    system = find_system(slug)
    book = system.rulebook
    rule, ruling = book.all_rules.get(book.resolve(entry_id)), book.rulings.get(entry_id)
    if rule is None and ruling is None:
        return None
    rulings = [book.rulings[name] for name in rule.rulings] if rule else []
    kinds = [
        k
        for k in system.characters.conditions.values()
        if k.for_gm and entry_id in (k.rule, book.resolve(k.rule))
    ]
    return _render("card", slug, rule=rule, ruling=ruling, rulings=rulings, kinds=kinds)


# What every game says to the same questions, side by side, in the words of its rulebook.


@dataclass(frozen=True)
class Answer:
    """What a game says to a question: its rules, none if it says nothing, and one of their examples."""

    system: System
    rules: tuple[Rule, ...]
    card: Card | None


def compare_games() -> tuple[tuple[str, str, tuple[Answer, ...]], ...]:
    """The questions, by key and words, each with the answer of every game whose book names such rules."""
    systems = [system for slug in SYSTEMS if (system := find_system(slug)).rulebook.book.answers]
    return tuple(
        (key, words, tuple(_find_answer(system, key) for system in systems))
        for key, words in QUESTIONS.items()
    )


def _find_answer(system: System, key: str) -> Answer:
    book = system.rulebook
    rules = tuple(book.all_rules[rule_id] for rule_id in book.book.answers.get(key, ()))
    if key == ATTACK:
        return Answer(system, rules, find_hit(system.slug))
    cards = [card for rule in rules for card in find_cards(system.slug, rule.id).first]
    return Answer(system, rules, next((card for card in cards if card.steps and card.steps[-1].checks), None))
