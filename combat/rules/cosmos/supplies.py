"""What is used up: kits, patches and doses with so many uses, spare magazines, charges."""

from __future__ import annotations

from ..core import events as e
from ..core.state import Combatant, Item, replace
from ..core.table import Table

COUNTS = ("uses", "charges", "refills")  # the figures of a record that say how often it works


def count_most(item: Item) -> int:
    """How often a thing works in all; 0 where its record gives no number."""
    return next((int(item.data[key]) for key in COUNTS if item.data.get(key)), 0)


def count_uses(item: Item) -> int:
    """Uses that are left in one such thing."""
    return max(0, count_most(item) - int(item.marks.get("used", 0)))


def is_usable(item: Item) -> bool:
    """Whether a thing still works: always, where nothing counts its uses."""
    return not count_most(item) or count_uses(item) > 0


def take_use(table: Table, who: str, item: Item, how: str = "uses up", rule: str = "") -> None:
    """One use less. With its last one a thing is gone, or the next of its kind is opened."""
    left = count_uses(item) - 1
    if left < 0:
        return
    if not left:
        consume(table, who, item, how, rule)
        return
    used = {**item.marks, "used": int(item.marks.get("used", 0)) + 1}
    table.tell(e.ItemChanged(who, replace(item, marks=used), f"uses ({left} left)"), rule)


def consume(table: Table, who: str, item: Item, how: str, rule: str = "") -> None:
    """One thing less of its kind; with the last one nothing is left."""
    marks = {key: mark for key, mark in item.marks.items() if key != "used"}
    if item.count > 1:
        fewer = replace(item, count=item.count - 1, marks=marks)
        table.tell(e.ItemChanged(who, fewer, how), rule)
    else:
        table.tell(e.ItemLost(who, replace(item, place="spent", count=0), how), rule)


def find_supply(fighter: Combatant, key: str) -> Item | None:
    """The first thing of a fighter whose record has this figure and that still works."""
    return next((item for item in fighter.items if item.data.get(key) and is_usable(item)), None)
