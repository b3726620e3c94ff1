"""Items in hand: drawn, put away, dropped and picked up. The game checks and takes the cost before."""

from __future__ import annotations

from ..basics.errors import Refused
from ..basics.words import Label
from ..commands.context import RuleContext
from ..space import Point
from ..state import events as e
from ..state.state import Item, State, replace


def draw(context: RuleContext, who: str, item: Item, rule: str) -> None:
    """Take a carried item in hand."""
    context.emit(e.ItemChanged(who, replace(item, place="held"), "how.draws"), rule)


def put_away(context: RuleContext, who: str, item: Item, rule: str) -> None:
    """Stow an item in hand."""
    context.emit(e.ItemChanged(who, replace(item, place="carried"), "how.puts_away"), rule)


def drop(
    context: RuleContext, who: str, item: Item, rule: str, how: Label = "how.drops", at: Point | None = None
) -> None:
    """Drop a held item where its owner stands, or at another place."""
    fallen = replace(item, place="ground", at=at or context.state[who].at)
    context.emit(e.ItemLost(who, fallen, how), rule)


def pick_up(context: RuleContext, who: str, item: Item, rule: str) -> None:
    """Take an item from the ground in hand."""
    context.emit(e.ItemGained(who, replace(item, place="held", at=None), "how.picks_up"), rule)


def use_one(
    context: RuleContext,
    who: str,
    item: Item,
    rule: str,
    how: Label = "",
    last: Label | None = None,
    gone: str = "used",
) -> None:
    """Use up one of a stack; the last one is gone."""
    if item.count > 1:
        context.emit(e.ItemChanged(who, replace(item, count=item.count - 1), how), rule)
    else:
        context.emit(e.ItemLost(who, replace(item, place=gone), how if last is None else last), rule)


def find_lying(state: State, item_id: str, refusal: str) -> tuple[Item, Point]:
    """An item on the ground and its place; Refused("unknown") if it is not there."""
    for item in state.ground:
        if item.id == item_id and item.at is not None:
            return item, item.at
    raise Refused("unknown", refusal)
