"""Handing out what is left after a fight: the GM gives, shares, shows and leaves; players ask."""

from __future__ import annotations

from collections.abc import Iterable

from ...basics.errors import Refused
from ...basics.naming import make_id
from ...basics.numbers import MAX_COMMAND_NUMBER
from ...commands.commands import Command
from ...commands.context import RuleContext
from ...declaration.system import system_of
from ...state import events as e
from ...state.state import Combatant, Item, State, find_item, present, replace
from ..decisions import GmCommand
from .holders import (
    ASKS,
    LEFT,
    MONEY,
    MONEY_UNIT,
    SCENE,
    SEARCHED,
    can_part,
    count_money,
    find_asks,
    find_holders,
    find_money,
    find_open,
    find_owner,
    find_takers,
    name_money,
)

GIVEN = frozenset({"log.gets_item", "log.gets_item_of", "log.gets_money", "log.gets_money_of"})  # to whom
EVERYONE = "all"  # shares a pile of the same items among all who usually get something
MAX_ASKS = 20
GONE = "That is not there to take: reload the page."


class HandOut(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Give `items` of one holder to a combatant, or share piles evenly among "all".

    The `seed` makes new ids (basics/fresh_ids.py).
    """

    items: tuple[str, ...]
    to: str
    holder: str = SCENE
    seed: str = ""


class LeaveItems(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Leave `items` of one holder where they are: they are no longer offered."""

    items: tuple[str, ...]
    holder: str = SCENE


class ShareMoney(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Share money of a holder evenly: `amount`, or without one all of it; the scene has any amount."""

    to: tuple[str, ...]
    amount: int | None = None
    holder: str = SCENE


class Search(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Show everyone what someone fallen carries."""

    target: str


class DeclineAsk(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    item: str
    target: str


class AskFor(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ask for an item that lies open, or without `want` take that back."""

    item: str
    want: bool = True


# ---------------------------------------------------------------- the GM


def hand_out(context: RuleContext, command: HandOut) -> None:
    """Give items to someone: their owner loses them, the new one carries them."""
    items = _find_items(context, command.holder, command.items)
    for item in items:
        takers = _find_takers(context, command, item)
        if len(takers) == 1:
            _give(context, command, item, takers[0])
        else:
            _share_pile(context, command, item, takers)
    _end_asks(context, [item.id for item in items])


def leave_items(context: RuleContext, command: LeaveItems) -> None:
    """Leave items behind. Players hear of those that they have seen."""
    items = _find_items(context, command.holder, command.items)
    fresh = [item for item in items if f"{LEFT}{item.id}" not in context.state.marks]
    if not fresh:
        raise Refused("not_allowed", "That is left behind already: hand it out to someone instead.")
    seen = {item.id for item in _find_all_open(context)}
    for item in fresh:
        to = e.EVERYONE if item.id in seen else e.GM_ONLY
        context.emit(e.Marked("", f"{LEFT}{item.id}", value=True), to=to)
        context.emit(e.Said("log.left_behind", args={"item": _name(item)}), to=to)
    _end_asks(context, [item.id for item in fresh])


def share_money(context: RuleContext, command: ShareMoney) -> None:
    """Share money evenly; what does not divide goes one by one to those named first."""
    system = system_of(context)
    if not name_money(system):
        raise Refused("not_allowed", f"{system.name} counts no money: add a note instead.")
    if not command.to:
        raise Refused("bad_target", "Choose who gets money.")
    people = [_find_taker(context, who) for who in dict.fromkeys(command.to)]
    total = _find_amount(context, command)
    if command.holder != SCENE:
        _add_money(context, context.state[command.holder], -total)
    share, rest = divmod(total, len(people))
    for place, one in enumerate(people):
        amount = share + (place < rest)
        if amount:
            _add_money(context, one, amount)
            key = "log.gets_money_of" if command.holder else "log.gets_money"
            said = e.Said(key, one.id, command.holder, {"amount": str(amount), "money": MONEY_UNIT})
            context.emit(said)


def search(context: RuleContext, command: Search) -> None:
    """Show everyone what someone fallen carries, and their money."""
    one = context.state[command.target]
    holder = next((h for h in find_holders(system_of(context), context.state) if h.id == one.id), None)
    if holder is None:
        raise Refused("not_allowed", f"{one.name} has nothing to find: choose one of the fallen.")
    if one.id in context.unknown:
        raise Refused("not_allowed", f"Not every player knows of {one.name}: reveal them first.")
    if holder.searched:
        raise Refused("not_allowed", f"{one.name} is searched already.")
    context.emit(e.Marked(one.id, SEARCHED, value=True))
    context.emit(e.Said("log.searched", one.id))


def decline_ask(context: RuleContext, command: DeclineAsk) -> None:
    """Refuse what a player asked for."""
    one = context.state[command.target]
    if f"{ASKS}{command.item}" not in one.marks:
        raise Refused("not_allowed", f"{one.name} no longer asks for that.")
    item = next((item for item in _find_all(context.state) if item.id == command.item), None)
    context.emit(e.Marked(one.id, f"{ASKS}{command.item}", None))
    if item:
        context.emit(e.Said("log.does_not_get", one.id, args={"item": _name(item)}))


# ---------------------------------------------------------------- players


def ask_for(context: RuleContext, command: AskFor) -> None:
    """Ask the GM for an item after a fight, or take that back."""
    one, key = context.state[command.actor], f"{ASKS}{command.item}"
    if not command.want:
        if key not in one.marks:
            raise Refused("not_allowed", f"{one.name} no longer asks for that.")
        context.emit(e.Marked(one.id, key, None))
        return
    item = _find_asked(context, command.item)
    if key in one.marks:
        raise Refused("not_allowed", f"{one.name} asks for {_name(item)} already.")
    if sum(mark.startswith(ASKS) for mark in one.marks) >= MAX_ASKS:
        raise Refused("not_allowed", f"{one.name} asks for {MAX_ASKS} things: take one back first.")
    context.emit(e.Marked(one.id, key, value=True))
    context.emit(e.Said("log.asks_for", one.id, args={"item": _name(item)}))


def _find_asked(context: RuleContext, item_id: str) -> Item:
    state = context.state
    if state.phase != "over":
        raise Refused("not_allowed", "The fight is not over: ask when it is.")
    found = next((item for item in _find_all_open(context) if item.id == item_id), None)
    if found:
        return found
    for one in find_takers(system_of(context), state):
        if one.id not in context.unknown and any(item.id == item_id for item in one.items):
            raise Refused("not_allowed", f"{one.name} has that now: ask them.")
    raise Refused("unknown", GONE)


# ---------------------------------------------------------------- helpers


def _find_all_open(context: RuleContext) -> list[Item]:
    """What every player sees of what is left."""
    open_now = find_open(system_of(context), context.state)
    return [item for items in open_now.values() for item in items]


def _find_all(state: State) -> list[Item]:
    return [*(item for one in present(state) for item in one.items), *state.ground]


def _find_items(context: RuleContext, holder: str, wanted: Iterable[str]) -> list[Item]:
    """The chosen items of a holder; Refused says who has one of them now."""
    state, system, found = context.state, system_of(context), list[Item]()
    for item_id in dict.fromkeys(wanted):
        if holder == SCENE:
            item = next((one for one in state.ground if one.id == item_id and one.at), None)
        else:
            item = next((one for one in state[holder].items if one.id == item_id), None)
        if item is None:
            raise _find_gone(state, item_id)
        if not can_part(system, item):
            raise Refused("not_allowed", f"{item.name} is a part of its owner: choose another item.")
        found.append(item)
    if not found:
        raise Refused("bad_value", "Select items first.")
    return found


def _find_gone(state: State, item_id: str) -> Refused:
    """Why an item is not where a page showed it."""
    owner = next((one for one in present(state) if any(i.id == item_id for i in one.items)), None)
    if owner is None:
        return Refused("unknown", GONE)
    return Refused("not_allowed", f"{owner.name} has {find_item(owner, item_id).name} now.")


def _find_takers(context: RuleContext, command: HandOut, item: Item) -> list[Combatant]:
    if command.to != EVERYONE:
        taker = _find_taker(context, command.to)
        if taker.id == command.holder:
            raise Refused("bad_target", f"{taker.name} has that already: choose someone else.")
        return [taker]
    people = [one for one in find_takers(system_of(context), context.state) if one.id != command.holder]
    people = [one for one in people if one.id not in context.unknown]
    if len(people) < 2:
        raise Refused("bad_target", "There is nobody to share with: choose one person.")
    if item.count < 2:
        raise Refused("not_allowed", f"There is one {item.name}: choose who gets it.")
    return [context.state[one.id] for one in people[: item.count]]


def _find_taker(context: RuleContext, who: str) -> Combatant:
    taker = context.state[who]
    if taker.id in context.unknown:
        raise Refused("not_allowed", f"Not every player knows of {taker.name}: reveal them first.")
    return taker


def _give(context: RuleContext, command: HandOut, item: Item, taker: Combatant) -> None:
    """One item changes hands. A new id tells nothing of an owner whom players do not know."""
    holder = command.holder
    owner = find_owner(item, context.state)
    is_secret = bool({holder, owner} & context.unknown)
    if is_secret and holder == SCENE:
        name = context.state.combatants[owner].name
        raise Refused("not_allowed", f"{_name(item)} is from {name}: reveal them first.")
    if holder:
        context.emit(e.ItemLost(holder, replace(item, place="taken")))
    fresh = _make_id(context, command, f"{taker.id}-g") if is_secret else item.id
    context.emit(e.ItemGained(taker.id, replace(item, id=fresh, place="carried", at=None)))
    _say_given(context, holder, item, taker)
    if f"{LEFT}{item.id}" in context.state.marks:
        context.emit(e.Marked("", f"{LEFT}{item.id}", None), to=e.GM_ONLY)


def _make_id(context: RuleContext, command: HandOut, kind: str) -> str:
    """The id of a thing; the number of things made is new with each."""
    return make_id(kind, command.seed, context.state.made + 1, ())


def _share_pile(context: RuleContext, command: HandOut, item: Item, takers: list[Combatant]) -> None:
    """A pile goes in even parts to several; the first get one more if it does not divide."""
    holder = command.holder
    share, rest = divmod(item.count, len(takers))
    for place, taker in enumerate(takers[1:], 1):
        part = replace(item, id=_make_id(context, command, f"{item.id}-"), count=share + (place < rest))
        item = replace(item, count=item.count - part.count)
        if holder:
            context.emit(e.ItemChanged(holder, item))
            context.emit(e.ItemGained(holder, part))
        else:
            context.emit(e.ItemLost("", part))
            context.emit(e.ItemLost("", item))
        _give(context, command, part, taker)
    _give(context, command, item, takers[0])


def _say_given(context: RuleContext, holder: str, item: Item, taker: Combatant) -> None:
    key = "log.gets_item_of" if holder and holder not in context.unknown else "log.gets_item"
    context.emit(e.Said(key, taker.id, holder if key.endswith("_of") else "", {"item": _name(item)}))


def _name(item: Item) -> str:
    return f"{item.name} × {item.count}" if item.count > 1 else item.name


def _end_asks(context: RuleContext, items: Iterable[str]) -> None:
    """End the requests for items that were decided."""
    decided = set(items)
    for one, item in list(find_asks(context.state)):
        if item in decided:
            context.emit(e.Marked(one.id, f"{ASKS}{item}", None))


def _find_amount(context: RuleContext, command: ShareMoney) -> int:
    """The amount to share; Refused if the holder has less, or if it is more than a command may say."""
    system, most = system_of(context), MAX_COMMAND_NUMBER
    if command.holder != SCENE:
        holder = context.state[command.holder]
        most = count_money(system, holder)
        if not most:
            raise Refused("not_allowed", f"{holder.name} has no {name_money(system)}.")
        most = most if command.amount is None else min(most, MAX_COMMAND_NUMBER)
    amount = most if command.amount is None and command.holder != SCENE else command.amount
    if amount is None or not 1 <= amount <= most:
        raise Refused("bad_value", f"Share 1 to {most:,} {name_money(system)}.")
    return amount


def _add_money(context: RuleContext, one: Combatant, change: int) -> None:
    system = system_of(context)
    money = find_money(system, one.sheet)
    if money is None:
        raise Refused("bad_target", f"{one.name} keeps no {name_money(system)}: choose someone else.")
    if count_money(system, one) + change > money.most:
        raise Refused("bad_value", f"{one.name} can have at most {money.most:,} {name_money(system)}.")
    old = int(context.state[one.id].marks.get(MONEY, 0))
    context.emit(e.Marked(one.id, MONEY, old + change or None))
