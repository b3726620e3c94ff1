"""Events: facts in the past tense. Folding them in order gives the state.

A `Fact` is an event in storage: with its rule, its audience and, if some readers may not know all of it, a
public twin that tells less.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import takewhile
from typing import Any, TypeVar

import msgspec

from ..basics.dice.dice import Roll
from ..basics.modifiers import Modifiers, add_up
from ..basics.typed import convert
from ..basics.words import KEY, PEOPLE, SOMEONE, Arg, Label, Phrase
from ..space import Area, BattleMap, Light, Look, Obstacle, Point, Scene, Wall
from .state import Clock, Combatant, Condition, Item, Scalar, replace

T = TypeVar("T", bound=msgspec.Struct)
EVERYONE, GM_ONLY, SEATS = "all", "gm", "seat:"
UNTOLD_MARK = "untold:"  # prefix of marks of a combatant that only the GM sees
UNTOLD = "health.untold"  # for a changed number whose twin tells only the change
# Fields of ids and keys, which never contain a name
_NO_PROSE = frozenset(
    ("type", "id", "who", "target", "by", "kind", "rule", "key", "track", "source", "dice", "inside")
)


class SceneSet(msgspec.Struct, frozen=True, tag=True):
    scene: Scene


class MapSet(msgspec.Struct, frozen=True, tag=True):
    """The scene has another battle map, or none if it is empty."""

    map: BattleMap


class MapChanged(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """Parts of the battle map are new or changed, or removed (`drop`); `look` is the rest, if changed."""

    walls: tuple[Wall, ...] = ()
    obstacles: tuple[Obstacle, ...] = ()
    lights: tuple[Light, ...] = ()
    hidden: tuple[Area, ...] = ()
    drop: tuple[str, ...] = ()
    look: Look | None = None


class DoorSet(msgspec.Struct, frozen=True, tag=True):
    """A door is now open or shut, locked or not."""

    door: str
    open: bool
    locked: bool


class Explored(msgspec.Struct, frozen=True, tag=True):
    """A side sees cells of the map for the first time."""

    side: str
    cells: str


class OptionSet(msgspec.Struct, frozen=True, tag=True):
    key: str
    value: Scalar


class RulesMoved(msgspec.Struct, frozen=True, tag=True):
    """The fight now follows another version of its rules."""

    old: int
    new: int


class SettingSet(msgspec.Struct, frozen=True, tag=True):
    """A scene condition, such as the light, changed."""

    key: str
    value: str


class CombatantJoined(msgspec.Struct, frozen=True, tag=True):
    combatant: Combatant


class CombatantLeft(msgspec.Struct, frozen=True, tag=True):
    who: str
    why: Label = ""


class FightStarted(msgspec.Struct, frozen=True, tag=True):
    """Rounds count from 1. `seconds` is the length of the previous fight's last round."""

    seconds: int = 0


class FightEnded(msgspec.Struct, frozen=True, tag=True):
    why: Label = ""


class RoundStarted(msgspec.Struct, frozen=True, tag=True):
    """`seconds` is the time that has passed since the last round began."""

    round: int
    seconds: int


class TimePassed(msgspec.Struct, frozen=True, tag=True):
    """Time passed outside rounds, in seconds."""

    seconds: int
    why: Label = ""


class OrderSet(msgspec.Struct, frozen=True, tag=True):
    order: tuple[str, ...]
    why: Label = ""


class InitiativeSet(msgspec.Struct, frozen=True, tag=True):
    who: str
    score: int | None


class TurnStarted(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """A turn begins, or continues `again` after it was held."""

    who: str
    budget: dict[str, int]
    again: bool = False


class TurnShared(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """A combatant acts in the turn that just started, together with its owner."""

    who: str
    budget: dict[str, int]
    again: bool = False


class TurnEnded(msgspec.Struct, frozen=True, tag=True):
    who: str


class BudgetSpent(msgspec.Struct, frozen=True, tag=True):
    who: str
    pools: dict[str, int]


class BudgetSet(msgspec.Struct, frozen=True, tag=True):
    who: str
    budget: dict[str, int]


class TrackChanged(msgspec.Struct, frozen=True, tag=True):
    """A number of a combatant went from `old` to `new`; `terms` explain the difference.

    In the public twin of a secret health change, `old` is 0, `new` is 1 for more, -1 for less or 0, `word` is
    the label of the new health, and `terms` tell only what was `dealt`.
    """

    who: str
    track: str
    old: int
    new: int
    why: Label = ""
    terms: Modifiers = ()
    roll: Roll | None = None
    by: str = ""
    word: Label = ""

    @property
    def dealt(self) -> int:
        """The roll with its additions, in points, before armor or other reductions."""
        added = tuple(takewhile(lambda term: term.value >= 0, self.terms))
        return add_up(added) if added else self.roll.total if self.roll else 0


class ConditionGained(msgspec.Struct, frozen=True, tag=True):
    who: str
    condition: Condition


class ConditionChanged(msgspec.Struct, frozen=True, tag=True):
    who: str
    condition: Condition


class ConditionEnded(msgspec.Struct, frozen=True, tag=True):
    who: str
    condition: str
    label: Label
    why: Label = ""


class Moved(msgspec.Struct, frozen=True, tag=True):
    """`metres` is the length of the path, `cost` the movement spent, both in meters."""

    who: str
    path: tuple[Point, ...]
    metres: float
    cost: float
    how: Label = "how.moves"
    zone: str = ""


class Boarded(msgspec.Struct, frozen=True, tag=True):
    """Someone is now inside a carrier, at a station there; in the open if `inside` is empty."""

    who: str
    inside: str
    station: str = ""


class ItemChanged(msgspec.Struct, frozen=True, tag=True):
    who: str
    item: Item
    how: Label = ""


class ItemGained(msgspec.Struct, frozen=True, tag=True):
    who: str
    item: Item
    how: Label = ""


class ItemLost(msgspec.Struct, frozen=True, tag=True):
    """An item left its owner; `item.at` is its place now, if any."""

    who: str
    item: Item
    how: Label = ""


class Marked(msgspec.Struct, frozen=True, tag=True):
    """A system's own mark on a combatant, or on the fight if `who` is empty."""

    who: str
    key: str
    value: Scalar | None


class HiddenSet(msgspec.Struct, frozen=True, tag=True):
    who: str
    hidden: bool


class Renamed(msgspec.Struct, frozen=True, tag=True):
    """Another name or side. `only_side`: the name is the same."""

    who: str
    name: str
    side: str
    only_side: bool = False


class ClockSet(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """A clock is new (`old` is missing) or changed; `old` is the number of segments filled before."""

    clock: Clock
    old: int | None = None


class ClockRemoved(msgspec.Struct, frozen=True, tag=True):
    clock: str
    name: str


class Checked(msgspec.Struct, frozen=True, tag=True):
    """A roll against a number: attack, save, check. `against` is None for rolls without one.

    `outcome` is the key of the result's words: hit, miss, critical, success, failure…
    """

    who: str
    what: Label
    roll: Roll
    modifiers: Modifiers
    total: int
    outcome: str
    against: int | None = None
    against_terms: Modifiers = ()
    against_label: Label = ""
    target: str = ""
    good: bool = True


class Earned(msgspec.Struct, frozen=True, tag=True):
    """A roll earned a number of later choices, such as maneuvers.

    At most once per command. The words of `what` get the count as `{n}`.
    """

    who: str
    what: str
    count: int
    target: str = ""


class Said(msgspec.Struct, frozen=True, tag=True):
    """A sentence of the log by its key; `{who}` and `{target}` are names, `args` fill the rest."""

    key: str
    who: str = ""
    target: str = ""
    args: dict[str, Arg | Phrase] = {}


class Overruled(msgspec.Struct, frozen=True, tag=True):
    """The GM changed something by decision; the next facts say what."""

    what: Label
    reason: str = ""


Event = (
    SceneSet
    | MapSet
    | MapChanged
    | DoorSet
    | Explored
    | OptionSet
    | RulesMoved
    | SettingSet
    | CombatantJoined
    | CombatantLeft
    | FightStarted
    | FightEnded
    | RoundStarted
    | TimePassed
    | OrderSet
    | InitiativeSet
    | TurnStarted
    | TurnShared
    | TurnEnded
    | BudgetSpent
    | BudgetSet
    | TrackChanged
    | ConditionGained
    | ConditionChanged
    | ConditionEnded
    | Moved
    | Boarded
    | ItemChanged
    | ItemGained
    | ItemLost
    | Marked
    | HiddenSet
    | Renamed
    | ClockSet
    | ClockRemoved
    | Checked
    | Earned
    | Said
    | Overruled
)


class Fact(msgspec.Struct, frozen=True, gc=False):
    """An event with its rule id and its audience: "all", "gm" or "seat:<combatant>,<combatant>"."""

    event: Event
    rule: str = ""
    to: str = EVERYONE
    twin: Event | None = None


def say_so(label: Label) -> Said:
    """A label as a sentence of the log."""
    return Said(label) if isinstance(label, str) else Said(label.key, args=label.args)


def subjects_of(event: Event) -> tuple[str, ...]:
    """The combatants in an event."""
    if isinstance(event, CombatantJoined):
        return (event.combatant.id,)
    if isinstance(event, OrderSet):
        return event.order
    names = [getattr(event, field, "") for field in ("who", "target", "by", "inside")]
    if isinstance(event, ConditionGained | ConditionChanged):
        held = event.condition
        names += [held.by, held.until.who if held.until else "", *map(str, held.marks.values())]
    if isinstance(event, Marked):
        names.append(str(event.value))
    if isinstance(event, Said | Overruled):
        names += _find_people(event.args if isinstance(event, Said) else event.what)
    if isinstance(event, TrackChanged) and event.roll:
        names.append(event.roll.by)
    return tuple(name for name in names if name)


def _find_people(label: Any) -> list[str]:
    """The ids of combatants in a label, or in the arguments of a sentence."""
    if isinstance(label, Phrase):
        return _find_people(label.args)
    if not isinstance(label, dict):
        return []
    inner = [who for value in label.values() for who in _find_people(value)]
    return [str(label[place]) for place in PEOPLE if place in label] + inner


def without(event: Event, hidden: frozenset[str]) -> Event | None:
    """The public part of an event with hidden combatants; None if nothing is left."""
    if isinstance(event, OrderSet):
        return replace(event, order=tuple(who for who in event.order if who not in hidden))
    if isinstance(event, TrackChanged) and event.who not in hidden:
        return TrackChanged(event.who, event.track, event.old, event.new)
    if isinstance(event, ConditionGained | ConditionChanged) and event.who not in hidden:
        return replace(event, condition=replace(event.condition, by="", until=None, marks={}))
    return None


def for_seat(who: str) -> str:
    """The audience of the GM and the player of this combatant."""
    return for_seats((who,))


def for_seats(people: Iterable[str]) -> str:
    """The audience of the GM and the players of these combatants."""
    return f"{SEATS}{','.join(people)}"


def seats_of(audience: str) -> frozenset[str]:
    """The combatants whose players are an audience; none for the GM or everyone."""
    return frozenset(audience.removeprefix(SEATS).split(",")) if audience.startswith(SEATS) else frozenset()


class SecretNames:
    """Masks names in texts where they are whole words, unless part of a longer known name.

    `ids` are those of the combatants: labels with one of them are drawn with "someone" instead.
    """

    def __init__(
        self, secret: Iterable[str], known: Iterable[str] = (), ids: Iterable[str] = frozenset()
    ) -> None:
        names, shown = set(filter(None, secret)), set(filter(None, known))
        self.secret = names - shown
        self.ids = frozenset(ids)
        words = "|".join(re.escape(name) for name in sorted(names | shown, key=len, reverse=True))
        self.pattern = re.compile(rf"(?<!\w)(?:{words})(?!\w)")

    def mask_names(self, text: str) -> str:
        """The text with "someone" for each of the names."""
        if not self.secret:
            return text
        return self.pattern.sub(lambda found: SOMEONE if found[0] in self.secret else found[0], text)


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
