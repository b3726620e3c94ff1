"""One change of a sheet after a fight: its words, and the sheet with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from ..state.state import Combatant

Path = tuple[str, ...]  # the path of a change: ("tracks", "hp"), ("items", "gun", "loaded")
CHOICE = "choice"  # begins the path of a choice: its value are all the fields that come with it


class Change(msgspec.Struct, frozen=True):
    """One thing the fight changed: what the sheet says `before` and would say `after`, in words.

    `value` is written at `path`; None removes the entry. An `is_usual` change is selected at first; the loss
    of an item that lies on the ground is not, since it may be picked up again. Neither is a condition that
    seldom outlasts a fight, nor a change that would undo a later one of the sheet (`is_late`), nor one that
    is a figure corrected in the fight (`is_figure`).
    """

    path: Path
    label: str
    before: str
    after: str
    value: Any = None
    is_usual: bool = True
    is_late: bool = False
    is_figure: bool = False

    @property
    def line(self) -> str:
        """The change in words."""
        return f"{self.label}: {self.before} → {self.after}"

    @property
    def token(self) -> str:
        """An id of the change that stays the same while both its values do."""
        return f"{'/'.join(self.path)}={self.before}>{self.after}"


def put_change(sheet: dict[str, Any], change: Change) -> dict[str, Any]:
    """The sheet with one change."""
    part: Any = sheet.get(change.path[0])
    value = change.value
    if change.path[0] == CHOICE:
        return {**sheet, **value}
    match change.path:
        case ("tracks" | "uses", key):
            part = _set(part, key, value)
        case (_, key) if isinstance(part, dict):
            part = _set(part, key, value)
        case ("conditions", kind):
            part = [*(held for held in part if held["kind"] != kind), *value]
        case (_,):
            part = value
        case ("items", thing, *rest):
            part = _put_item(part, thing, rest, value)
    return {**sheet, change.path[0]: part}


def _put_item(things: list[dict[str, Any]], thing: str, rest: list[str], value: Any) -> list[dict[str, Any]]:
    """The items of a sheet with one change of an item, or with or without it."""
    if not rest:
        return [*things, value] if value is not None else [one for one in things if one["id"] != thing]
    return [_change_item(one, rest, value) if one["id"] == thing else one for one in things]


def _change_item(thing: dict[str, Any], rest: list[str], value: Any) -> dict[str, Any]:
    match rest:
        case ["record"]:  # its own, instead of an entry of the catalogue
            return _set({**thing, "record": value}, "entry", None)
        case ["wear", key]:
            return _damage_item(thing, key, value)
    return _set(thing, rest[0], value)


def _set(part: Mapping[str, Any], key: str, value: Any) -> dict[str, Any]:
    rest = {name: old for name, old in part.items() if name != key}
    return rest if value is None else {**rest, key: value}


def _damage_item(thing: dict[str, Any], key: str, value: Any) -> dict[str, Any]:
    return {**thing, "wear": _set(thing.get("wear", {}), key, value)}


def say_figure(number: int | None) -> str:
    """A number in words, with a true minus."""
    return "none" if number is None else str(number).replace("-", "−")


def find_item_ids(combatant: Combatant) -> dict[str, str]:
    """The ids that the items of a sheet have on its combatant, by their ids on the sheet."""
    first = len(combatant.sheet.get("weapons", ())) + 1
    items = enumerate(combatant.sheet.get("items", ()), first)
    return {thing["id"]: f"{combatant.id}-{number}" for number, thing in items}
