"""What is left after a fight: what the fallen and the scene hold, and how much of it lies open.

The GM gives, shares, shows and leaves it; players ask.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from ..basics.checking import tidy
from ..basics.errors import Refused
from ..basics.names import make_id
from ..basics.numbers import MAX_COMMAND_NUMBER
from ..commands.commands import Command
from ..commands.context import RuleContext
from ..declaration.system import System, system_of
from ..map.vision import find_known, find_player_sides, keeps_secrets
from ..sheets.catalogue import Catalogue, Entry, find_record_problems
from ..sheets.sheets import MAX_ALIKE, Money, is_meant
from ..sides import has_turns
from ..space import map_of
from ..space.battle_map import is_hidden_at
from ..space.rays.fog import holds
from ..state import events as e
from ..state.state import Combatant, Item, State, find_item, is_played, present, replace
from .decisions import GmCommand, Target

SCENE = ""  # the id of the scene as a holder
MONEY_UNIT, ONE_OF_IT = "money.unit", "money.one"
MONEY = "money"  # the mark of a combatant for what it gained or lost since it joined
SEARCHED = "searched"  # the mark of a combatant whose pockets everyone has seen
ASKS, LEFT = "asks:", "left:"  # before an item's id: marks of who asks for it, and of the fight
IN_SIGHT = ("held", "worn")  # the places of items that everyone sees
GIVEN = frozenset({"log.gets_item", "log.gets_item_of", "log.gets_money", "log.gets_money_of"})  # to whom
EVERYONE = "all"  # shares a pile of the same items among all who usually get something
MAX_ASKS = 20
GONE = "That is not there to take: reload the page."
MAX_CARRIED = 200  # items of one combatant


class Holder(msgspec.Struct, frozen=True):
    """Someone fallen with their items and money, or the scene with what lies on the ground.

    Of one who is not `searched`, players see what is held and worn.
    """

    id: str
    items: tuple[Item, ...]
    money: int = 0
    searched: bool = False


def find_holders(system: System, state: State) -> tuple[Holder, ...]:
    """The fallen with what can be taken from them, in the order they joined, then the scene."""
    found = [
        Holder(
            one.id,
            tuple(item for item in one.items if can_part(system, item)),
            count_money(system, one),
            bool(one.marks.get(SEARCHED)),
        )
        for one in present(state)
        if is_fallen(system, state, one)
    ]
    ground = tuple(item for item in state.ground if item.at and can_part(system, item))
    return tuple(one for one in (*found, Holder(SCENE, ground, searched=True)) if one.items or one.money)


def is_fallen(system: System, state: State, combatant: Combatant) -> bool:
    """Whether others can take what someone has: a player character's only once they are dead."""
    if combatant.pc:
        return system.characters.health(combatant).dead
    return not has_turns(system, state, combatant)


def can_part(system: System, item: Item) -> bool:
    """Whether an item can change hands: no fist, no claw, no mounted gun."""
    catalogue = system.book.catalogue
    if catalogue is None:
        return True
    return catalogue.find_kind(item.kind) is not None and not catalogue.is_built_in(item.kind, item.data)


def find_load(system: System, combatant: Combatant) -> tuple[int, float | None]:
    """How many items someone has that can change hands, and their kg where the game says weights."""
    items = [item for item in combatant.items if can_part(system, item)]
    weigh = system.book.catalogue.weigh if system.book.catalogue else None
    return (
        sum(item.count for item in items),
        sum(weigh(item.data) * item.count for item in items) if weigh else None,
    )


def find_open(system: System, state: State) -> dict[str, tuple[Item, ...]]:
    """The items of each holder, by id, that every player sees and that nobody has left behind."""
    unknown = system.find_unknown(state)
    return {
        holder.id: tuple(item for item in items if _is_open(state, holder, item, unknown))
        for holder in find_holders(system, state)
        if holder.id not in unknown
        for items in [_find_seen(system, state) if holder.id == SCENE else holder.items]
    }


def _is_open(state: State, holder: Holder, item: Item, unknown: frozenset[str]) -> bool:
    if item not in holder.items or f"{LEFT}{item.id}" in state.marks:
        return False
    return (holder.searched or item.place in IN_SIGHT) and find_owner(item, state) not in unknown


def _find_seen(system: System, state: State) -> tuple[Item, ...]:
    """The items on the ground that all players see."""
    battle_map = map_of(state.scene)
    lying = [(item, item.at) for item in state.ground if item.at]
    seen = [(item, at) for item, at in lying if not is_hidden_at(battle_map.hidden, at.x, at.y)]
    if not keeps_secrets(state.scene):
        return tuple(item for item, _ in seen)
    eyes = system.find_eyes(state)
    known = find_known(state, eyes, find_player_sides(state))
    cells = ((item, known.window.find_cell(eyes.grid.plot(at))) for item, at in seen)
    return tuple(item for item, cell in cells if holds(known.window, known.seen, cell))


def find_takers(system: System, state: State) -> tuple[Combatant, ...]:
    """Those whom the table usually gives things to: those whom people play, or else all who stand."""
    here = [one for one in present(state) if not system.characters.health(one).dead]
    people = [one for one in here if is_played(state, one)]
    return tuple(people or (one for one in here if has_turns(system, state, one)))


def find_owner(item: Item, state: State) -> str:
    """The first owner of an item on the ground, whose id its own begins with."""
    return next((who for who in state.combatants if item.id.startswith(f"{who}-")), "")


# ---- Money ----


def find_money(system: System, sheet: Mapping[str, Any]) -> Money | None:
    """The money that a sheet of this game counts; None if it counts none."""
    plan = system.book.sheets
    if plan is None or plan.money is None or plan.money.key not in sheet:
        return None
    return plan.money if is_meant(plan.money, plan.read(dict(sheet)).chosen) else None


def count_money(system: System, combatant: Combatant) -> int:
    """The money that a combatant has now."""
    money = find_money(system, combatant.sheet)
    if money is None:
        return 0
    return int(combatant.sheet[money.key]) + int(combatant.marks.get(MONEY, 0))


def name_money(system: System) -> str:
    """The game's money inside a sentence; empty if it has none."""
    plan = system.book.sheets
    return system.draw(MONEY_UNIT) if plan and plan.money else ""


# ---- What players ask for ----


def find_asks(state: State) -> Iterator[tuple[Combatant, str]]:
    """Those who ask for something, each with the id of an item."""
    for one in present(state):
        for key in one.marks:
            if key.startswith(ASKS):
                yield one, key.removeprefix(ASKS)


# ---------------------------------------------------------------- handing


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
        context.emit(e.Said("log.left_behind", args={"item": name_pile(item)}), to=to)
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
        add_money(context, context.state[command.holder], -total)
    share, rest = divmod(total, len(people))
    for place, one in enumerate(people):
        amount = share + (place < rest)
        if amount:
            add_money(context, one, amount)
            key = "log.gets_money_of" if command.holder else "log.gets_money"
            unit = ONE_OF_IT if amount == 1 else MONEY_UNIT
            context.emit(e.Said(key, one.id, command.holder, {"amount": str(amount), "money": unit}))


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
        context.emit(e.Said("log.does_not_get", one.id, args={"item": name_pile(item)}))


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
        raise Refused("not_allowed", f"{one.name} asks for {name_pile(item)} already.")
    if sum(mark.startswith(ASKS) for mark in one.marks) >= MAX_ASKS:
        raise Refused("not_allowed", f"{one.name} asks for {MAX_ASKS} items: take one back first.")
    context.emit(e.Marked(one.id, key, value=True))
    context.emit(e.Said("log.asks_for", one.id, args={"item": name_pile(item)}))


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
        raise Refused("not_allowed", f"{name_pile(item)} is from {name}: reveal them first.")
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
    context.emit(e.Said(key, taker.id, holder if key.endswith("_of") else "", {"item": name_pile(item)}))


def name_pile(item: Item) -> str:
    """The name of an item, with its number if there are several."""
    return f"{item.name} × {item.count}" if item.count > 1 else item.name


def _end_asks(context: RuleContext, items: Iterable[str]) -> None:
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


def add_money(context: RuleContext, one: Combatant, change: int, rule: str = "") -> None:
    """Add to what someone has, or take off it; Refused if they keep no money, or cannot have so much."""
    system = system_of(context)
    money = find_money(system, one.sheet)
    if money is None:
        raise Refused("bad_target", f"{one.name} keeps no {name_money(system)}: choose someone else.")
    if count_money(system, one) + change > money.most:
        raise Refused("bad_value", f"{one.name} can have at most {money.most:,} {name_money(system)}.")
    old = int(context.state[one.id].marks.get(MONEY, 0))
    context.emit(e.Marked(one.id, MONEY, old + change or None), rule)


# The GM gives a combatant something new: an item of the catalogue, or one of their own.


class GiveItem(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Give a new item to a combatant, put away: `entry` is its kind and its id, such as weapon/club.

    An own item has a `record` in place of the id. The `seed` makes its id (basics/fresh_ids.py).
    """

    entry: str
    record: dict[str, Any] = {}
    count: int = 1
    seed: str = ""


def give_item(context: RuleContext, command: GiveItem) -> None:
    """Give someone a new item. What an NPC gets, only the GM and the NPC's player learn."""
    one, catalogue = context.state[command.target], system_of(context).book.catalogue
    if catalogue is None:
        raise Refused("not_allowed", f"{system_of(context).name} has no items to give.")
    if not 1 <= command.count <= MAX_ALIKE:
        raise Refused("bad_value", f"Give 1 to {MAX_ALIKE} at a time.")
    if len(one.items) >= MAX_CARRIED:
        raise Refused("not_allowed", f"{one.name} carries {MAX_CARRIED} items: take some away first.")
    found = _find_entry(catalogue, command)
    fresh = make_id(f"{one.id}-n", command.seed, context.state.made + 1, {item.id for item in one.items})
    loaded = catalogue.capacity(found.kind, found.record)
    item = Item(fresh, found.kind, found.name, found.record, loaded=loaded, count=command.count)
    name = f"{found.name} × {command.count}" if command.count > 1 else found.name
    to = e.EVERYONE if one.pc else e.for_seat(one.id)
    context.emit(e.ItemGained(one.id, item), to=to)
    context.emit(e.Said("log.gets_item", one.id, args={"item": name}), to=to)


def _find_entry(catalogue: Catalogue, command: GiveItem) -> Entry:
    kind, _, key = tidy(command.entry).partition("/")
    if not command.record:
        entry = catalogue.find_entry(kind, key)
        if entry is None or catalogue.is_built_in(kind, entry.record):
            raise Refused("unknown", "That item is not in the catalogue: choose one from the list.")
        return entry
    problems = find_record_problems(catalogue, kind, command.record)
    if problems:
        raise Refused("bad_value", f"That item does not fit the rules: {problems[0]}.")
    return catalogue.describe(kind, command.record)
