"""Consumables: kits, patches and doses with their uses, spare magazines, charges."""

from __future__ import annotations

from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Item, replace

COUNTS = ("uses", "charges", "refills")  # the fields of a record that give its number of uses


def count_most(item: Item) -> int:
    """The number of uses of a new item; 0 if its record gives none."""
    return next((int(item.data[key]) for key in COUNTS if item.data.get(key)), 0)


def count_uses(item: Item) -> int:
    """The uses left in one item."""
    return max(0, count_most(item) - int(item.marks.get("used", 0)))


def is_usable(item: Item) -> bool:
    """Whether an item still works: always, if its uses are not counted."""
    return not count_most(item) or count_uses(item) > 0


def take_use(context: RuleContext, who: str, item: Item, how: Label = "how.uses_up", rule: str = "") -> None:
    """Use an item once. After its last use it is gone, or the next of its kind is opened."""
    left = count_uses(item) - 1
    if left < 0:
        return
    if not left:
        consume(context, who, item, how=how, rule=rule)
        return
    used = {**item.marks, "used": int(item.marks.get("used", 0)) + 1}
    context.emit(e.ItemChanged(who, replace(item, marks=used), say("item_is.uses_left", n=left)), rule)


def consume(context: RuleContext, who: str, item: Item, how: Label, rule: str = "") -> None:
    """Remove one item of a stack; the last one is lost."""
    marks = {key: mark for key, mark in item.marks.items() if key != "used"}
    if item.count > 1:
        fewer = replace(item, count=item.count - 1, marks=marks)
        context.emit(e.ItemChanged(who, fewer, how), rule)
    else:
        context.emit(e.ItemLost(who, replace(item, place="spent", count=0), how), rule)


def find_supply(combatant: Combatant, key: str) -> Item | None:
    """The first working item of a combatant whose record has this field."""
    return next((item for item in combatant.items if item.data.get(key) and is_usable(item)), None)
