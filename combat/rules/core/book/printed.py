"""Tables of a rulebook, built from the same data that the rules use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from ..commands.commands import Action
from ..sheets.catalogue import Catalogue, Column, Entry, say_words, value_of

Cell = str | int
NOTHING = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"
HOUSE = "house"  # the origin of this table's own records


class BookTable(msgspec.Struct, frozen=True, kw_only=True):
    """A printed table. It belongs to the section of its `rule`, or to `section` if set.

    Cells are words or whole numbers; units are in the headings. `rules` are the rules of the rows: one each,
    or none at all. `key` is unique among the tables of the game.
    """

    key: str
    title: str
    rule: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    rules: tuple[str, ...] = ()
    section: str = ""
    note: str = ""

    @property
    def numeric(self) -> tuple[bool, ...]:
        """Which columns hold only numbers."""
        return tuple(map(_is_numeric, zip(*self.rows, strict=True)))


def _is_numeric(cells: Iterable[Cell]) -> bool:
    said = [cell for cell in cells if cell != NOTHING]
    return bool(said) and all(re.fullmatch(rf"[+{MINUS}-]?\d+", str(cell)) for cell in said)


def signed(value: int) -> str:
    """A change as printed: +2, −2, or a dash for 0."""
    return f"{value:+d}".replace("-", MINUS) if value else NOTHING


def listed(words: Iterable[str]) -> str:
    """Words joined by commas, capitalized; a dash for none."""
    text = ", ".join(words)
    return text[:1].upper() + text[1:] if text else NOTHING


def make_table(
    key: str, title: str, rule: str, columns: str, rows: Iterable[tuple[Any, ...]], **more: Any
) -> BookTable:
    """A table with its headings in one line: `"Cover | Defense"`.

    Empty cells become dashes; booleans become yes and no.
    """
    heads = tuple(head.strip() for head in columns.split("|"))
    cells = tuple(tuple(map(_print, row)) for row in rows)
    return BookTable(key=key, title=title, rule=rule, columns=heads, rows=cells, **more)


def make_ruled_table(
    key: str, title: str, rule: str, columns: str, rows: Iterable[tuple[Any, ...]], **more: Any
) -> BookTable:
    """A table whose rows end with their own rule, which is no cell."""
    every = tuple(rows)
    cells, rules = (row[:-1] for row in every), tuple(row[-1] for row in every)
    return make_table(key, title, rule, columns=columns, rows=cells, rules=rules, **more)


def _print(value: Any) -> Cell:
    if isinstance(value, bool):
        return "yes" if value else NOTHING
    return value if isinstance(value, int) else str(value) or NOTHING


# ---------------------------------------------------------------- from a game's declarations


def table_of_conditions(kinds: Iterable[Any], rule: str, **more: Any) -> BookTable:
    """Every condition (ConditionKind): what it does and what ends it."""
    shown = tuple(kind for kind in kinds if kind.for_gm)
    rows = ((kind.label, kind.text, kind.ends, kind.rule) for kind in shown)
    heads = "Condition | What it does | What ends it"
    return make_ruled_table("conditions", "Conditions", rule, columns=heads, rows=rows, **more)


def table_of_actions(actions: Iterable[Action], rule: str, title: str = "Actions", **more: Any) -> BookTable:
    """The actions of a turn and what they cost."""
    shown = tuple(action for action in actions if action.cost)
    rows = ((action.label, action.cost, action.text, action.rule) for action in shown)
    heads = "Action | It takes | What it is"
    return make_ruled_table("actions", title, rule, columns=heads, rows=rows, **more)


def table_of_things(catalogue: Catalogue, kind_key: str, rule: str, **more: Any) -> BookTable:
    """All items of a kind in the catalogue; columns without values are left out.

    Raises LookupError for a kind that is not in the catalogue.
    """
    kind = catalogue.find_kind(kind_key)
    if kind is None:
        raise LookupError(f"the catalogue has no kind {kind_key!r}")
    entries = tuple(entry for entry in catalogue.find_entries() if entry.kind == kind_key)
    columns = tuple(column for column in kind.columns if any(_says(column, e.record) for e in entries))
    heads = " | ".join(("Name", *map(_head, columns)))
    rows = tuple((entry.name, *(_cell(column, entry.record) for column in columns)) for entry in entries)
    return make_table(
        f"things-{kind_key}",
        kind.plural,
        rule,
        columns=heads,
        rows=rows,
        note=_find_note(columns, entries),
        **more,
    )


def _says(column: Column, record: Mapping[str, Any]) -> bool:
    value = value_of(record, column.key)
    return value not in (None, "", [], column.plain)


def _head(column: Column) -> str:
    return f"{column.label}, {column.unit}" if column.unit else column.label


def _cell(column: Column, record: Mapping[str, Any]) -> Cell:
    value = value_of(record, column.key)
    if not _says(column, record):
        return NOTHING
    if column.options:
        words = say_words(column, value)
        return words if isinstance(words, str) else ", ".join(words)
    if column.kind == "number":
        return signed(value) if column.low < 0 else int(value)
    return _print(value)


def _find_note(columns: Iterable[Column], entries: Iterable[Entry]) -> str:
    """What a dash means if it does not mean nothing, and which items are this table's own."""
    notes = [
        f"A dash under “{c.label}” stands for {c.plain}." for c in columns if c.kind == "number" and c.plain
    ]
    own = [entry.name for entry in entries if entry.source == HOUSE]
    return " ".join([*notes, f"Not from the game, added by this table: {', '.join(own)}."] if own else notes)
