"""A game's rulebook as a page shows it: chapters of rules and tables, options, rulings; search and cards.

It is the same for everybody, so it is built once per game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import msgspec
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.text import slugify

from combat.rules import find_system
from combat.rules.core.basics.numbers import say_whole
from combat.rules.core.book.printed import BookTable, Cell
from combat.rules.core.book.rulebook import Ruling, mentions
from combat.rules.core.declaration.options import TableOption
from combat.rules.core.declaration.system import System

from .examples import find_cards

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


@dataclass(frozen=True)
class Entry:
    """A rule, a table or a ruling: its anchor, the words that a search looks through, its HTML."""

    id: str
    kind: str
    words: str
    html: SafeString
    automation: str = ""
    table: BookTable | None = None


@dataclass(frozen=True)
class Section:
    """A part of a chapter. The first one may have no title of its own."""

    title: str
    anchor: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Chapter:
    """A chapter and its sections in the order of the book."""

    title: str
    anchor: str
    sections: tuple[Section, ...]


@dataclass(frozen=True)
class Found:
    """The chapters that a search found, and how many entries of each kind."""

    chapters: tuple[Chapter, ...]
    rules: int = 0
    tables: int = 0
    rulings: int = 0


# ---------------------------------------------------------------- the whole book


@cache
def find_chapters(slug: str) -> tuple[Chapter, ...]:
    """Every chapter of a game's rulebook, with its tables, its table options and its rulings."""
    system = find_system(slug)
    sections: dict[str, list[Entry]] = {}
    for rule in system.rulebook.all_rules.values():
        sections.setdefault(rule.section, []).append(_rule_entry(slug, rule))
    for table in system.book.tables():
        path = table.section or system.rulebook.find(table.rule).section
        sections = _with_section(sections, path)
        sections[path].append(_table_entry(slug, _without_empty(table)))
    sections[OPTIONS] = [_table_entry(slug, _options_table(system))]
    if system.rulebook.rulings:
        sections[RULINGS] = [_ruling_entry(system, r) for r in system.rulebook.rulings.values()]
    return tuple(_gather(sections))


def _with_section(sections: dict[str, list[Entry]], path: str) -> dict[str, list[Entry]]:
    """The sections with one more: before its own subsections if it has any, else at the end."""
    if path in sections:
        return sections
    paths = list(sections)
    place = next((n for n, other in enumerate(paths) if other.startswith(path + STEP)), len(paths))
    paths.insert(place, path)
    return {name: sections.get(name, []) for name in paths}


def _gather(sections: dict[str, list[Entry]]) -> Iterator[Chapter]:
    chapters: dict[str, list[Section]] = {}
    for path, entries in sections.items():
        chapter, *rest = path.split(STEP)
        anchor = f"at-{slugify(path)}"
        chapters.setdefault(chapter, []).append(Section(": ".join(rest), anchor, tuple(entries)))
    for title, parts in chapters.items():
        yield Chapter(title, f"chapter-{slugify(title)}", tuple(parts))


def _render(name: str, slug: str, **context: Any) -> SafeString:
    return render_to_string(f"combat/book/book_{name}.html", {"slug": slug, **context})


def _rule_entry(slug: str, rule: Any) -> Entry:
    html = _render("rule", slug, rule=rule, cards=find_cards(slug, rule.id))
    return Entry(rule.id, "rule", "", html, rule.automation)


def _table_entry(slug: str, table: BookTable) -> Entry:
    words = f"{table.title} {table.rule} {' '.join(table.columns)}".casefold()
    looks = [_find_look(*column) for column in zip(table.numeric, zip(*table.rows, strict=True), strict=True)]
    cells = [tuple(zip(row, looks, strict=True)) for row in table.rows]
    rules = table.rules or [""] * len(cells)
    heads = tuple(zip(table.columns, looks, strict=True))
    html = _render("table", slug, table=table, heads=heads, rows=tuple(zip(cells, rules, strict=True)))
    return Entry(f"table-{table.key}", "table", words, html, table=table)


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


def _ruling_entry(system: System, ruling: Ruling) -> Entry:
    options = [option for option in system.book.options if option.ruling == ruling.id]
    rules = system.rulebook.rules_under(ruling.id)
    words = f"{ruling.id} {ruling.title} {ruling.text} {' '.join(o.label for o in options)}".casefold()
    context = {"ruling": ruling, "options": [_view_option(o) for o in options], "rules": rules}
    return Entry(ruling.id, "ruling", words, _render("ruling", system.slug, **context))


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


def search(slug: str, text: str, badge: str) -> Found:
    """The entries with every word of the text; with a badge, only rules that have it."""
    words = text.casefold().split()
    rules = {rule.id for rule in find_system(slug).rulebook.search(text)} if words else None
    chapters = tuple(
        kept
        for chapter in find_chapters(slug)
        if (kept := _keep(slug, chapter, words, rules, badge)).sections
    )
    kinds = [entry.kind for chapter in chapters for part in chapter.sections for entry in part.entries]
    return Found(chapters, *(kinds.count(kind) for kind in KINDS))


def _keep(slug: str, chapter: Chapter, words: list[str], rules: set[str] | None, badge: str) -> Chapter:
    parts = []
    for part in chapter.sections:
        entries = tuple(_filter(slug, part.entries, words, rules, badge))
        if entries:
            parts.append(replace(part, entries=entries))
    return replace(chapter, sections=tuple(parts))


def _filter(
    slug: str, entries: Iterable[Entry], words: list[str], rules: set[str] | None, badge: str
) -> Iterator[Entry]:
    for entry in entries:
        if badge and entry.automation != badge:
            continue
        if rules is None or entry.id in rules or (entry.words and mentions(entry.words, words)):
            yield entry
        elif entry.table and (rows := _find_rows(entry.table, words)):
            yield _table_entry(slug, _cut(entry.table, rows))


def _find_rows(table: BookTable, words: list[str]) -> list[int]:
    """The rows of a table that contain every word, counting the table's title."""
    texts = (f"{table.title} {' '.join(map(str, row))}".casefold() for row in table.rows)
    return [number for number, text in enumerate(texts) if mentions(text, words)]


def _cut(table: BookTable, rows: list[int]) -> BookTable:
    kept = tuple(table.rows[number] for number in rows)
    rules = tuple(table.rules[number] for number in rows) if table.rules else ()
    return msgspec.structs.replace(table, rows=kept, rules=rules)


def find_place(slug: str, entry_id: str) -> Found | None:
    """The section with a rule, or one ruling alone; None if the book has no such entry."""
    anchor = find_system(slug).rulebook.resolve(entry_id)
    for chapter in find_chapters(slug):
        for part in chapter.sections:
            if any(entry.id == anchor for entry in part.entries):
                alone = tuple(entry for entry in part.entries if entry.id == anchor)
                entries = alone if alone[0].kind == "ruling" else part.entries
                return Found((replace(chapter, sections=(replace(part, entries=entries),)),))
    return None


def find_chapter(slug: str, anchor: str) -> Found | None:
    """One chapter by its anchor; None if there is none."""
    found = tuple(chapter for chapter in find_chapters(slug) if chapter.anchor == anchor)
    return Found(found) if found else None


def put_titles_first(found: Found, text: str) -> Found:
    """What was found, section by section: those with a word of the search in their title come first."""
    words = text.casefold().split()
    parts = [(chapter, part) for chapter in found.chapters for part in chapter.sections]
    parts.sort(key=lambda one: not any(mentions(one[1].title.casefold(), [word]) for word in words))
    return replace(found, chapters=tuple(replace(chapter, sections=(part,)) for chapter, part in parts))


def shorten(found: Found, most: int) -> tuple[Found, int]:
    """The first entries of what was found, and how many more there are."""
    left, chapters = most, []
    for chapter in found.chapters:
        parts = []
        for part in chapter.sections[: left or 0]:
            if entries := part.entries[:left]:
                parts.append(replace(part, entries=entries))
                left -= len(entries)
        if parts:
            chapters.append(replace(chapter, sections=tuple(parts)))
    return replace(found, chapters=tuple(chapters)), max(0, found.rules + found.tables + found.rulings - most)


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
        for k in system.people.conditions.values()
        if k.for_gm and entry_id in (k.rule, book.resolve(k.rule))
    ]
    return _render("card", slug, rule=rule, ruling=ruling, rulings=rulings, kinds=kinds)
