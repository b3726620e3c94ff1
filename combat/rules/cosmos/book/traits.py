"""What the traits of an item do, by their rows in data/traits.toml. The rules ask here and name no trait."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import Any

from combat.rules.core.state.state import Item

from .tables import Tag, Trait, traits


def find_traits(record: Mapping[str, Any]) -> list[Trait]:
    """The rows of an item's traits, in its own order; a word that the book does not know does nothing."""
    return [*filter(None, map(traits().get, record.get("traits", ())))]


def has_tag(record: Mapping[str, Any], tag: Tag) -> bool:
    """Whether a trait of a record has a tag."""
    known = traits()
    for word in record.get("traits", ()):  # noqa: SIM110 - it is asked many times in each attack
        if word in known and tag in known[word].tags:
            return True
    return False


def find_area_row(weapon: Item) -> Trait:
    """The trait that makes a weapon hit an area, with the save for half. [COS-DMG-04]  RULING R37"""
    return next(row for row in find_traits(weapon.data) if "area" in row.tags)


def count_hands(record: Mapping[str, Any]) -> int:
    """The hands that a weapon takes, by its traits; a part of the body takes none.  RULING R59"""
    hands = [row.hands for row in find_traits(record)]
    return 0 if 0 in hands else max(hands, default=1)


def find_demands(record: Mapping[str, Any]) -> tuple[int, int]:
    """The Might that a weapon needs, and the most hands that one of its traits asks for."""
    might, hands = 0, 1
    for row in find_traits(record):
        might, hands = max(might, row.min_might), max(hands, row.hands)
    return might, hands


def find_afflicting(record: Mapping[str, Any]) -> list[Trait]:
    """The traits of a weapon that bring a condition with a hit."""
    return [row for row in find_traits(record) if row.condition]


def find_burst(rows: Iterable[Trait]) -> Trait | None:
    """The trait with which a weapon fires bursts. [COS-ATK-11]"""
    return next((row for row in rows if row.burst_rounds), None)


def count_spray(rows: Iterable[Trait]) -> tuple[int, int]:
    """The most attacks of an automatic weapon, and the rounds of more than the table allows."""
    found = [(row.max_attacks, row.spray_rounds) for row in rows]
    return max(found, default=(0, 0))


def count_rounds_between(rows: Iterable[Trait]) -> int:
    """In one of how many rounds a weapon attacks: 1 is every round."""
    most: int = max([1, *map(attrgetter("every_rounds"), rows)])
    return most


def find_suit(record: Mapping[str, Any]) -> str:
    """The suit like which armor protects: that of the first such trait in the book.  RULING R54"""
    own = record.get("traits", ())
    return next((row.suit for row in traits().values() if row.suit and row.id in own), "")
