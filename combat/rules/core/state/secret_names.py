"""Names that a reader does not know, masked in the words of facts and states; and what they depend on."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec

from ..basics.data import convert
from ..basics.words import KEY, PEOPLE, SOMEONE, UNSEEN, possessive
from ..space import map_of
from . import events as e
from .state import Combatant, State

T = TypeVar("T", bound=msgspec.Struct)
# Fields of ids and keys, which never contain a name
_NO_PROSE = frozenset(
    ("type", "id", "who", "target", "by", "kind", "rule", "key", "track", "source", "dice", "inside")
)


class SecretNames:
    """Masks names in texts where they are whole words, unless part of a longer known name.

    `ids` are those of the combatants: labels with one of them are drawn with "someone" instead. `things` are
    names of conditions, drawn with "something unseen".
    """

    def __init__(
        self,
        secret: Iterable[str],
        known: Iterable[str] = (),
        ids: Iterable[str] = frozenset(),
        things: frozenset[str] = frozenset(),
    ) -> None:
        names, shown = set(filter(None, secret)) | things, set(filter(None, known))
        self.things = things
        self.secret = names - shown
        self.ids = frozenset(ids)
        words = "|".join(re.escape(name) for name in sorted(names | shown, key=len, reverse=True))
        # An apostrophe alone is the possessive of a name that ends in s
        self.pattern = re.compile(rf"(?<!\w)({words})(?!\w)('(?!\w))?")

    def mask_names(self, text: str) -> str:
        """The text with "someone" for each of the names."""
        if not self.secret:
            return text
        return self.pattern.sub(self._mask, text)

    def _mask(self, found: re.Match[str]) -> str:
        if found[1] not in self.secret:
            return found[0]
        if found[1] in self.things:
            return f"{UNSEEN}{found[2] or ''}"
        return possessive(SOMEONE) if found[2] else SOMEONE


def without_names(thing: T, names: SecretNames) -> T:
    """The thing with "someone" for these names and ids, in all of its words."""
    plain = msgspec.to_builtins(thing)
    masked = _mask_names(plain, names)
    return thing if masked == plain else convert(masked, type(thing))


def _mask_names(value: Any, names: SecretNames) -> Any:
    if isinstance(value, str):
        return names.mask_names(value)
    if isinstance(value, dict):
        free = value.get("type") == "Said" or value.keys() <= {"key", "args"}
        return {field: _mask_field(field, each, names, free) for field, each in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_mask_names(each, names) for each in value)
    return value


def _mask_field(field: str, value: Any, names: SecretNames, is_label: bool) -> Any:
    """One field without the names; a label may hold ids of people and, as its key, old prose."""
    if field == "args" and is_label:
        return {place: _mask_arg(place, each, names) for place, each in value.items()}
    if field in _NO_PROSE and not (field == "key" and is_label and not KEY.fullmatch(value)):
        return value
    return _mask_names(value, names)


def _mask_arg(place: str, value: Any, names: SecretNames) -> Any:
    """One argument of a label; an empty id is drawn as "someone"."""
    if place in PEOPLE:
        return "" if value in names.ids else value
    return _mask_names(value, names)


def is_secret(state: State, event: e.Event) -> bool:
    """Whether an event is about a condition that only the GM knows of."""
    if isinstance(event, e.ConditionGained | e.ConditionChanged):
        return event.condition.is_secret
    if not isinstance(event, e.ConditionEnded) or event.who not in state.combatants:
        return False
    held = state.combatants[event.who].conditions
    return any(one.id == event.condition and one.is_secret for one in held)


def is_seen_alike(one: State, other: State) -> bool:
    """Whether two states share what decides which combatants are unknown."""
    if one.scene is not other.scene or one.options is not other.options or one.played != other.played:
        return False
    if one.combatants is other.combatants:
        return True
    if one.combatants.keys() != other.combatants.keys():
        return False
    looks = _look_in_fog if map_of(one.scene).fog else _look
    for a, b in zip(one.combatants.values(), other.combatants.values(), strict=True):
        if a is not b and looks(a) != looks(b):
            return False
    return True


def _look(combatant: Combatant) -> tuple[object, ...]:
    return combatant.id, combatant.at, combatant.hidden


def _look_in_fog(combatant: Combatant) -> tuple[object, ...]:
    """The place of a combatant and, for sight in fog, the side and whether they can still look."""
    body = (
        combatant.gone,
        combatant.side,
        combatant.tracks,
        combatant.conditions,
        combatant.marks,
    )
    return (*_look(combatant), *body)
