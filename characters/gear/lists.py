"""The list of the catalogue: its rail of kinds and games, and the figures of the game as columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import QueryDict

from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.catalogue import Column, say_words, value_of

from .catalogue import (
    CatalogueItem,
    Filters,
    compare,
    draw_kinds,
    find_first_key,
    list_kinds,
    search,
)

SHOWN = ("dice", "number", "choice")  # the kinds of figures that a narrow column can hold
MOST_COLUMNS, RARE = 5, 0.2  # a figure that fewer items have is left to the card
MOST_EXAMPLES = 6
UNSAID = ("", 0, None, False)
UNKEPT = ("page", "pick", "shown", "listed")  # of an address: what belongs to one page of the list


@dataclass(frozen=True)
class Link:
    """A kind or a game to choose: its icon or emblem, and how many items it has."""

    label: str
    picture: str
    link: str
    count: int
    is_chosen: bool


@dataclass(frozen=True)
class Row:
    """An item with its figures in the columns of the list; whether it is compared."""

    item: CatalogueItem
    figures: tuple[tuple[Column, Any], ...] = ()
    is_picked: bool = False


def _keep(data: QueryDict, *dropped: str) -> QueryDict:
    kept = data.copy()
    for name in (*UNKEPT, *dropped):
        kept.pop(name, None)
    return kept


def link_kinds(
    data: QueryDict, games: list[System], filters: Filters, items: Iterable[CatalogueItem]
) -> list[Link]:
    """The kinds of the chosen game or of all with how many are found, after the way back to all kinds."""
    shown, kept = [game for game in games if filters.game in ("", game.slug)], _keep(data, "kind")
    found = search(items, replace(filters, kind=""))
    counts, pictures = Counter(find_first_key(item.kind.plural) for item in found), draw_kinds(shown)
    links = []
    for key, label in {"": "All gear", **list_kinds(shown)}.items():
        kept["kind"] = key
        count = counts[key] if key else len(found)
        links.append(
            Link(label, pictures.get(key, "item"), f"?{kept.urlencode()}", count, key == filters.kind)
        )
    return links


def find_examples(items: Iterable[CatalogueItem]) -> list[CatalogueItem]:
    """The first item of each of the first kinds, to begin an own one with."""
    first: dict[str, CatalogueItem] = {}
    for item in items:
        first.setdefault(find_first_key(item.kind.plural), item)
    return list(first.values())[:MOST_EXAMPLES]


def link_games(data: QueryDict, games: list[System], filters: Filters) -> list[Link]:
    """All games and each of them; another game begins with all its kinds."""
    kept, links = _keep(data, "kind", "age", "trait", "game", "hands"), []
    for slug, label, emblem in (("", "All games", ""), *((g.slug, g.name, g.look.emblem) for g in games)):
        kept["game"] = slug
        links.append(Link(label, emblem, f"?{kept.urlencode()}", 0, slug == filters.game))
    return links


def find_columns(items: Sequence[CatalogueItem]) -> list[Column]:
    """The figures that most of these items have, in the order of the book; none for several kinds."""
    if not items or any(item.kind is not items[0].kind for item in items):
        return []
    age = items[0].catalogue.age_label
    columns = [one for one in items[0].kind.columns if one.kind in SHOWN and one.label not in (age, "Price")]
    having = {
        one.key: sum(value_of(item.entry.record, one.key) not in (*UNSAID, one.plain) for item in items)
        for one in columns
    }
    usual = [one for one in columns if having[one.key] >= max(1, RARE * len(items))]
    best = sorted(usual, key=lambda one: -having[one.key])[:MOST_COLUMNS]
    return [one for one in usual if one in best]


def view_rows(
    items: Sequence[CatalogueItem], columns: Sequence[Column], picked: Collection[str] = ()
) -> list[Row]:
    """The items of a page with their figures; the `picked` ones, by key, are compared."""
    return [
        Row(
            item,
            tuple((one, say_words(one, value_of(item.entry.record, one.key))) for one in columns),
            item.key in picked,
        )
        for item in items
    ]


def compare_two(items: list[CatalogueItem]) -> list[tuple[str, list[Any], bool, str]]:
    """The figures of two items line by line, with the average of dice: label, values, differs, unit."""
    rows: list[tuple[str, list[Any], bool, str]] = []
    for column, values, differs in compare(items):
        rows.append((column.label, values, differs, column.unit))
        if column.kind == "dice":
            means = [find_mean(value_of(item.entry.record, column.key)) for item in items]
            if any(means):
                rows.append(("on average", means, means[0] != means[-1], ""))
    return rows


def find_mean(notation: Any) -> str:
    """The average of dice in points, such as 4.5; empty for what are no dice."""
    try:
        dice = parse_dice(str(notation))
    except ValueError:
        return ""
    return say_average(find_average(notation)) if dice.count else ""


def find_average(notation: object) -> float:
    """The exact average of dice in points; 0 for none."""
    if not isinstance(notation, str) or not notation:
        return 0
    dice = parse_dice(notation)
    return dice.count * (dice.sides + 1) / 2 + dice.plus


def say_average(points: float) -> str:
    """An average as it is written: 4.5, and 5 for a whole number."""
    return f"{points:.1f}".removesuffix(".0")
