"""What follows from an act, as effects: for whom, where to, which door or thing, and how much it hurts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from ...declaration.system import System
from ...state.rulings import ME, THEM, Effect
from ...state.state import State
from ..loot import can_part
from .lexicon import SIZES, find_size
from .sentence import Token

HINDERS, CHEERS, LASTS = -2, 2, 1  # the points of a hindrance and of help, and their turns
TAKEN = "It is theirs no more."  # a thing that is on no sheet


class Deed(msgspec.Struct, frozen=True):
    """What endings are about: who acts, whom it concerns, and what the words name.

    `them` are several if the words mean a group. `size` is how big the thing of the act is.
    """

    system: System
    state: State
    actor: str
    them: tuple[str, ...] = ()
    zone: str = ""
    door: str = ""
    items: tuple[str, ...] = ()
    takes_held: bool = True
    size: str = ""


def measure(tokens: Sequence[Token]) -> str:
    """How big the biggest thing is that the words name; "" if they name none."""
    sizes = {find_size(stem) for token in tokens if not token.ids for stem in token.stems}
    return next((size for size in reversed(SIZES) if size in sizes), "")


def make_endings(deed: Deed, endings: Sequence[str]) -> tuple[Effect, ...]:
    """The effects of endings, without those about people or things that nobody named."""
    return tuple(effect for ending in endings for effect in _make(deed, ending))


def _make(deed: Deed, ending: str) -> Iterator[Effect]:
    what, _, whom = ending.partition(" ")
    if what in ("open", "shut") and not whom:
        if deed.door:
            yield Effect(kind="door", key=deed.door, n=int(what == "open"))
        return
    if whom not in (ME, THEM):
        yield Effect(kind="words", text=ending)
        return
    who = ((deed.actor,) if deed.actor else ()) if whom == ME else deed.them
    if who and (effect := _make_about(deed, what, who)):
        yield effect


def _make_about(deed: Deed, what: str, who: tuple[str, ...]) -> Effect | None:
    rules = deed.system.actions.improvising
    if what == "prone":
        known = "prone" in deed.system.characters.conditions
        return Effect(kind="condition", who=who, key="prone") if known else None
    if what == "beside":
        return _bring(deed, who)
    if what in ("hinder", "cheer") and rules:
        return Effect(kind="points", who=who, n=HINDERS if what == "hinder" else CHEERS, turns=LASTS)
    if what == "harm" and rules:
        return Effect(kind="harm", who=who, dice=rules.figures.find_harm(deed.size))
    if what == "item":
        return _take(deed, who[0])
    if what == "side":
        return Effect(kind="side", who=who, key=deed.state[deed.actor].side) if deed.actor else None
    if what in ("leaves", "surrenders"):
        return Effect(kind="leaves", who=who, key=what if what == "surrenders" else "")
    return None


def _bring(deed: Deed, who: tuple[str, ...]) -> Effect | None:
    """Into the zone that was named, else beside whom it concerns, or for those beside who acts."""
    if deed.zone:
        return Effect(kind="place", who=who, key=deed.zone)
    near = deed.actor if who == deed.them else next(iter(deed.them), "")
    return Effect(kind="place", who=who, to=near) if near else None


def _take(deed: Deed, who: str) -> Effect | None:
    """What they lose: the thing that was named, or what they hold; words for what is on no sheet."""
    owner = deed.state.combatants.get(who)
    if owner is None or not deed.actor:
        return None
    own = [item for item in owner.items if can_part(deed.system, item)]
    named = [item for item in own if item.id in deed.items]
    held = [item for item in own if item.place == "held"] if deed.takes_held else []
    item = next(iter([*named, *held]), None)
    if item is None:
        return Effect(kind="words", text=TAKEN)
    return Effect(kind="item", who=(who,), key=item.id, to=deed.actor)
