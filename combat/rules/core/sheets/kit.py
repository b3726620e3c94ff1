"""What a sheet holds as its combatant has it, and back: items, conditions, and the problems in them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import count
from typing import Any, Protocol

import msgspec

from ..basics.checking import Problem
from ..basics.data import as_plain, convert
from ..state.state import Condition, Item, Scalar, replace
from .catalogue import OWN, Catalogue, check_conditions, check_things, find_record_problems
from .sheets import Carried, Lasting


class Ruled(Protocol):
    """Something with a rule, such as a kind of condition."""

    @property
    def rule(self) -> str: ...


def stock(kind: str, record: Any, place: str = "carried", **more: Any) -> Item:
    """A record of the tables as an item without an id."""
    return Item("", kind, record.name, data=as_plain(record), place=place, **more)


def number_items(who: str, items: Iterable[Item]) -> tuple[Item, ...]:
    """The items of a combatant, with their ids in order."""
    return tuple(replace(item, id=f"{who}-{n}") for n, item in enumerate(items, 1))


def hold_items(items: Iterable[Item], free: int, count_hands: Callable[[Item], int]) -> Iterator[Item]:
    """The items, each in hand while enough hands are free."""
    for item in items:
        if (hands := count_hands(item)) <= free:
            item, free = replace(item, place="held"), free - hands
        yield item


def make_conditions(who: str, held: Iterable[Lasting], kinds: Mapping[str, Ruled]) -> tuple[Condition, ...]:
    """The conditions that a combatant joins with."""
    return tuple(
        Condition(
            f"{who}-c{n}",
            one.kind,
            one.note or f"condition.{one.kind}",
            rule=kinds[one.kind].rule,
            level=one.level,
        )
        for n, one in enumerate(held, 1)
    )


class Kit(msgspec.Struct, frozen=True, kw_only=True):
    """What the sheets of a game may hold.

    `lasting` are the kinds of conditions; `lists` the fields that name records, each with the word for one
    and the known names; `tracks` the numbers that may be set, if any, and `between` the word between them.
    There are `hands` in all; `one_armor` refuses a second armor, unless it goes over other armor. `flags` are
    kinds of wear that an item has or has not; parts of a body are always in hand if `grown`.
    """

    catalogue: Catalogue
    lasting: tuple[str, ...]
    lists: tuple[tuple[str, str, Collection[str]], ...]
    tracks: tuple[str, ...] = ()
    between: str = ", "
    hands: int = 0
    count_hands: Callable[[Item], int] = lambda item: int(item.data.get("hands", 1))
    one_armor: str = ""
    flags: tuple[str, ...] = ()
    grown: bool = True

    def make_item(self, thing: Carried) -> Item:
        """The item of a thing on a valid sheet, with its record as of today."""
        entry = self.catalogue.look_up(thing)
        assert entry is not None, thing
        marks: dict[str, Scalar] = {
            key: bool(value) if key in self.flags else value for key, value in thing.wear.items() if value
        }
        held = self.grown and self.catalogue.is_built_in(thing.kind, entry.record)
        return Item(
            id="",
            kind=thing.kind,
            name=entry.name,
            data=entry.record,
            place="held" if held else thing.place,
            loaded=thing.loaded,
            spares=thing.spares,
            count=thing.count,
            marks=marks,
        )

    def find_problems(self, sheet: dict[str, Any], *found: Iterable[Problem]) -> tuple[Problem, ...]:
        """The problems that the type of a sheet cannot express; those `found` by the game come first."""
        return (
            *(problem for some in found for problem in some),
            *self._track_problems(sheet["tracks"]),
            *self._name_problems(sheet),
            *self._thing_problems(convert(sheet["items"], tuple[Carried, ...])),
            *check_conditions(sheet, self.lasting),
        )

    def _track_problems(self, tracks: Mapping[str, int]) -> Iterator[Problem]:
        for key, value in tracks.items() if self.tracks else ():
            if key not in self.tracks:
                yield Problem(f"tracks.{key}", f"there are only {self.between.join(self.tracks)}")
            elif value < 0:
                yield Problem(f"tracks.{key}", "must be at least 0")

    def _name_problems(self, sheet: Mapping[str, Any]) -> Iterator[Problem]:
        for field, what, known in self.lists:
            for number, name in enumerate(sheet[field]):
                if name not in known:
                    yield Problem(f"{field}[{number}]", f"there is no {what} “{name}”")

    def _thing_problems(self, things: tuple[Carried, ...]) -> Iterator[Problem]:
        problems, sound = check_things(self.catalogue, things)
        yield from problems
        items = [self.make_item(thing) for thing in sound]
        worn = (item for item in items if item.kind == "armor" and item.place == "worn")
        if self.one_armor and sum(not item.data.get("over_other") for item in worn) > 1:
            yield Problem("items", self.one_armor)
        hands = sum(self.count_hands(item) for item in items if item.place == "held")
        if self.hands and hands > self.hands:
            yield Problem("items", f"holds items for {hands} hands; there are {self.hands}")


# Turn items of a combatant, or those that a stat block names by id, into items on a sheet.


def furnish(
    catalogue: Catalogue,
    named: Mapping[str, Any],
    make: Callable[[dict[str, Any]], Iterable[Item]],
    sheet: dict[str, Any],
) -> dict[str, Any]:
    """The sheet of a stat block, with its named items as items that can be stowed or spent.

    `named` are the fields that name items, with their empty values; `make` returns the items of a sheet's
    combatant. What everyone has, such as bare hands, is no item. If a sheet already has items in hand or
    worn, the named ones are stowed. The sheet must be valid.
    """
    if not names_things(named, sheet):
        return dict(sheet)
    bare = {**sheet, **named, "items": []}
    given = {item.name for item in make(bare)}
    listed = list(sheet.get("items", ()))
    free = (word for n in count(1) if (word := f"i{n}") not in {thing["id"] for thing in listed})
    made = [
        _carry(catalogue, item, next(free), bool(listed))
        for item in make({**sheet, "items": []})
        if item.name not in given
    ]
    return {**bare, "items": listed + [msgspec.to_builtins(thing) for thing in made]}


def names_things(named: Mapping[str, Any], sheet: Mapping[str, Any]) -> bool:
    """Whether a sheet names items by id in one of these fields."""
    return any(sheet.get(key, empty) not in (empty, [], ()) for key, empty in named.items())


def _carry(catalogue: Catalogue, item: Item, thing_id: str, stowed: bool) -> Carried:
    """An item of a combatant as an item on a sheet."""
    entry = catalogue.find_entry(item.kind, item.data["id"])
    assert entry is not None, item
    return Carried(
        id=thing_id,
        kind=item.kind,
        entry=entry.id,
        place="carried" if stowed else item.place,
        loaded=item.loaded,
        spares=item.spares,
        count=item.count,
    )


def carry_home(catalogue: Catalogue, item: Item, thing_id: str) -> dict[str, Any] | None:
    """An item that a combatant got in a fight as an item of their sheet; None if no sheet can hold it."""
    kind = catalogue.find_kind(item.kind)
    if kind is None:
        return None
    entry = catalogue.find_entry(item.kind, str(item.data.get("id", "")))
    is_own = item.data.get("origin") == OWN or entry is None
    if is_own and find_record_problems(catalogue, item.kind, item.data):
        return None
    what: dict[str, Any] = {"record": item.data} if is_own or entry is None else {"entry": entry.id}
    wear = {one.key: int(item.marks.get(one.key) or 0) for one in kind.find_wear(item.data)}
    return {
        "id": thing_id,
        "kind": item.kind,
        **what,
        "place": "carried",
        "loaded": item.loaded,
        "spares": item.spares,
        "count": item.count,
        "wear": {key: points for key, points in wear.items() if points},
    }
