"""Handing over in a fight: what can pass from one to another, to whom, and how. The game takes the price.

What passes arrives put away, as what the GM hands out after a fight does (gm/loot.py).
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from ..basics.dice.requests import Choice
from ..basics.errors import Refused, why_refused
from ..basics.names import make_id
from ..commands.commands import Command, Field, first_open, target_field
from ..commands.context import RuleContext
from ..sheets.catalogue import Catalogue
from ..state import events as e
from ..state.state import Combatant, Item, State, find_item, present, replace
from .loot import MAX_CARRIED, MONEY, MONEY_UNIT, ONE_OF_IT, add_money, name_pile

SPARE = "+spare"  # after the id of a weapon: one of its spare magazines
COINS = "coins"  # in place of an item's id
MOST_COINS = 1_000_000


class HandOver(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Give someone `count` of an item, of a weapon's spare magazines, or of the money.

    The `seed` makes the id of a part of a pile (basics/names.py).
    """

    item: str
    target: str
    count: int = 1
    seed: str = ""


class Handing(msgspec.Struct, frozen=True):
    """How a game hands things over: its catalogue, the reach of a hand, who can take something.

    `check_item` refuses what stays where it is; `coins` is the field of a sheet for money, if it has one.
    """

    catalogue: Catalogue
    check_within: Callable[[State, Combatant, Combatant], object]
    is_able: Callable[[Combatant], bool]
    describe: Callable[[State, Combatant, Combatant], str]
    check_item: Callable[[Item], object] | None = None
    coins: str = ""

    def find_fields(self, state: State, actor: str) -> tuple[Field, ...]:
        """What, to whom, and how many if anything is more than one."""
        giver = state[actor]
        things = tuple(self._find_things(state, giver))
        people = sorted(self._find_people(state, giver), key=lambda one: not self._can_get(state, giver, one))
        most = max((self._count(giver, one.value) for one in things), default=1)
        count = Field("count", "How many", "number", value="1", low=1, high=most, required=False)
        return (
            Field("item", "What", "choice", options=things, value=first_open(things)),
            target_field(
                people,
                lambda one: self.describe(state, giver, one),
                lambda one: why_refused(self.check_taker, state, giver, one),
            ),
            *((count,) if most > 1 else ()),
        )

    def check_now(self, state: State, actor: str) -> None:
        """Refuse without anything to hand over, or without anyone in reach who can take it."""
        giver = state[actor]
        things, people = [*self._find_things(state, giver)], self._find_people(state, giver)
        if not things:
            raise Refused("not_allowed", f"{giver.name} carries nothing to hand over.")
        if not people:
            raise Refused("not_allowed", "Nobody of your side is here.")
        reasons = [why_refused(self.check_taker, state, giver, one) for one in people]
        if all(reasons):
            raise Refused("out_of_range", reasons[0])
        if all(one.refused for one in things):
            raise Refused("not_allowed", things[0].refused)

    def check(self, state: State, command: HandOver) -> None:
        """Refuse what cannot pass, and who cannot take it."""
        giver, taker = state[command.actor], state[command.target]
        self.check_taker(state, giver, taker)
        if command.item != COINS:
            item = find_item(giver, command.item.removesuffix(SPARE))
            self._check_part(item, command.item)
            if command.item.endswith(SPARE) and find_alike(taker, item) is None:
                text = f"{taker.name} has no {item.name} to load: choose someone who has."
                raise Refused("bad_target", text)
        most = self._count(giver, command.item)
        if not 1 <= command.count <= most:
            few = "There is one: hand that over." if most == 1 else f"Hand over 1 to {most:,}."
            raise Refused("bad_value", few if most else "There is none left of that.")

    def check_taker(self, state: State, giver: Combatant, taker: Combatant) -> None:
        """Refuse oneself, the other side, those who cannot take anything, and those out of reach."""
        if taker.id == giver.id:
            raise Refused("bad_target", f"{giver.name} has that already: choose someone else.")
        if taker.side != giver.side:
            raise Refused("bad_target", f"{taker.name} is not on your side: choose someone who is.")
        if not self.is_able(taker):
            raise Refused("bad_target", f"{taker.name} can take nothing now: choose someone else.")
        if len(taker.items) >= MAX_CARRIED:
            raise Refused("bad_target", f"{taker.name} carries {MAX_CARRIED} items: choose someone else.")
        self.check_within(state, giver, taker)

    def _check_part(self, item: Item, value: str) -> None:
        kind = self.catalogue.find_kind(item.kind)
        if kind is None or self.catalogue.is_built_in(item.kind, item.data):
            raise Refused("not_allowed", f"{item.name} is a part of its owner: choose another item.")
        if value.endswith(SPARE):
            return
        if item.place == "worn":
            raise Refused("not_allowed", f"{item.name} is worn: it does not come off in a fight.")
        if self.check_item:
            self.check_item(item)

    def _find_things(self, state: State, giver: Combatant) -> list[Choice]:
        """What someone could hand over, last what is in hand; what cannot pass now has its reason."""
        found = list[Choice]()
        people = self._find_people(state, giver)
        for item in sorted(giver.items, key=lambda one: one.place == "held"):
            kind = self.catalogue.find_kind(item.kind)
            if kind is None or self.catalogue.is_built_in(item.kind, item.data):
                continue
            note = "in hand" if item.place == "held" else item.place if item.count < 2 else f"{item.count}"
            found.append(Choice(item.id, item.name, note, why_refused(self._check_part, item, item.id)))
            if item.spares:
                alike = any(find_alike(one, item) for one in people)
                reason = "" if alike else f"Nobody else here loads {item.name}."
                label = f"{item.name}: spare magazine"
                found.append(Choice(item.id + SPARE, label, f"{item.spares}", reason))
        if coins := self._count(giver, COINS):
            found.append(Choice(COINS, "Money", f"{coins:,}"))
        return found

    def _find_people(self, state: State, giver: Combatant) -> list[Combatant]:
        return [one for one in present(state) if one.id != giver.id and one.side == giver.side]

    def _can_get(self, state: State, giver: Combatant, taker: Combatant) -> bool:
        return not why_refused(self.check_taker, state, giver, taker)

    def _count(self, giver: Combatant, value: str) -> int:
        """How many of something there are to hand over."""
        if value == COINS:
            if self.coins not in giver.sheet:
                return 0
            have = int(giver.sheet[self.coins]) + int(giver.marks.get(MONEY, 0))
            return max(0, min(have, MOST_COINS))
        item = next((one for one in giver.items if one.id == value.removesuffix(SPARE)), None)
        if item is None:
            return 0
        return item.spares if value.endswith(SPARE) else item.count


def find_alike(taker: Combatant, weapon: Item) -> Item | None:
    """The weapon of someone that takes the same magazines: one of the same make."""
    return next((one for one in taker.items if (one.kind, one.name) == (weapon.kind, weapon.name)), None)


def pass_on(context: RuleContext, command: HandOver, rule: str) -> None:
    """Let something pass from one to another, as `Handing.check` allows: undo takes back both sides of it."""
    if command.item == COINS:
        _pass_money(context, command, rule)
        return
    item = find_item(context.state[command.actor], command.item.removesuffix(SPARE))
    if command.item.endswith(SPARE):
        _pass_magazines(context, command, item, rule)
        return
    part = replace(item, count=command.count, place="carried", at=None)
    if command.count == item.count:
        context.emit(e.ItemLost(command.actor, replace(item, place="taken")), rule)
    else:
        part = replace(part, id=make_id(f"{item.id}-", command.seed, context.state.made + 1, ()))
        context.emit(e.ItemChanged(command.actor, replace(item, count=item.count - command.count)), rule)
    context.emit(e.ItemGained(command.target, part), rule)
    _say(context, command, name_pile(part), rule)


def _pass_magazines(context: RuleContext, command: HandOver, item: Item, rule: str) -> None:
    other = find_alike(context.state[command.target], item)
    assert other is not None, "Handing.check has seen to that"
    context.emit(e.ItemChanged(command.actor, replace(item, spares=item.spares - command.count)), rule)
    context.emit(e.ItemChanged(command.target, replace(other, spares=other.spares + command.count)), rule)
    name = f"{item.name} magazine"
    _say(context, command, f"{name} × {command.count}" if command.count > 1 else name, rule)


def _pass_money(context: RuleContext, command: HandOver, rule: str) -> None:
    add_money(context, context.state[command.actor], -command.count, rule)
    add_money(context, context.state[command.target], command.count, rule)
    unit = ONE_OF_IT if command.count == 1 else MONEY_UNIT
    told = e.Said(
        "log.hands_money", command.actor, command.target, {"amount": str(command.count), "money": unit}
    )
    context.emit(told, rule)


def _say(context: RuleContext, command: HandOver, name: str, rule: str) -> None:
    context.emit(e.Said("log.hands_over", command.actor, command.target, {"item": name}), rule)
