"""Grenade launchers under rifles: fitted like sights, and fired as weapons of their own.  RULING R96"""

from __future__ import annotations

from typing import Any

from combat.rules.core.basics.data import as_plain
from combat.rules.core.state.state import Combatant, Item, replace

from ...book.tables import weapons

ON = "on"  # mark: the rifle that carries it
RIFLE_SKILLS = frozenset({"slug_rifle", "energy_rifle"})


def is_rifle(item: Item) -> bool:
    """Whether a gun uses the skill and the ranges of a rifle."""
    rows, skills = item.data.get("range_types", ()), item.data.get("skills", ())
    return item.kind == "weapon" and "rifle" in rows and not RIFLE_SKILLS.isdisjoint(skills)


def find_launchers(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """The launchers among someone's items, as weapons: each is in hand if its rifle is.

    Without a rifle there are none. A launcher with unstated contents is full.
    """
    fitted = [i for i in items if i.kind == "accessory" and i.place == "worn" and i.data.get("fired_like")]
    rifles = {item.id: item for item in items if is_rifle(item)} if fitted else {}
    first = next(iter(rifles), "")
    return tuple(_as_weapon(i, rifle) for i in fitted if (rifle := rifles.get(str(i.marks.get(ON, first)))))


def _as_weapon(item: Item, rifle: Item) -> Item:
    data = _make_record(item.data)
    loaded = data["magazine"] if item.loaded is None else item.loaded
    marks = {**item.marks, ON: rifle.id}
    return replace(item, kind="weapon", data=data, place=rifle.place, loaded=loaded, marks=marks)


def _make_record(data: dict[str, Any]) -> dict[str, Any]:
    """The record of the weapon like which it is fired; it holds n grenades, fires one at a time, and needs
    the hands on the rifle."""
    own: dict[str, Any] = {key: data[key] for key in ("id", "name", "reload_minor") if key in data}
    like: dict[str, Any] = as_plain(weapons()[data["fired_like"]])
    return {**like, **own, "magazine": data["grenades"], "rate_of_fire": (1,), "two_handed": False}


def as_weapon(combatant: Combatant, item: Item) -> Item:
    """An item as it is used: a fitted launcher as a weapon, anything else unchanged."""
    if item.kind != "accessory":
        return item
    return next((launcher for launcher in find_launchers(combatant.items) if launcher.id == item.id), item)


def find_held(combatant: Combatant, item: Item) -> Item:
    """The item to hold for using a weapon: a launcher's rifle, else the weapon."""
    rifle = item.marks.get(ON)
    return next((i for i in combatant.items if i.id == rifle), item) if rifle else item
