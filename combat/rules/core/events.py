"""Events: facts in the past tense. Folding them in order gives the state.

A `Fact` is an event as it is stored: with the rule behind it, its audience and, where fewer
people may know all of it, a public twin that says less.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec

from .dice import Roll
from .modifiers import Modifiers
from .space import Point, Scene
from .state import Combatant, Condition, Item, Scalar, replace

T = TypeVar("T", bound=msgspec.Struct)
EVERYONE, GM_ONLY = "all", "gm"
SOMEBODY = "somebody"
# Fields that hold ids and the like, in which no name can stand
_NO_PROSE = frozenset(("type", "id", "who", "target", "by", "kind", "rule", "key", "track", "source", "dice"))


class SceneSet(msgspec.Struct, frozen=True, tag=True):
    scene: Scene


class OptionSet(msgspec.Struct, frozen=True, tag=True):
    key: str
    value: Scalar


class SettingSet(msgspec.Struct, frozen=True, tag=True):
    """A scene condition, such as the light, became something else."""

    key: str
    value: str
    label: str = ""


class CombatantJoined(msgspec.Struct, frozen=True, tag=True):
    combatant: Combatant


class CombatantLeft(msgspec.Struct, frozen=True, tag=True):
    who: str
    why: str = ""


class FightStarted(msgspec.Struct, frozen=True, tag=True):
    pass


class FightEnded(msgspec.Struct, frozen=True, tag=True):
    why: str = ""


class RoundStarted(msgspec.Struct, frozen=True, tag=True):
    """`seconds` is the time that has passed since the last round began."""

    round: int
    seconds: int


class TimePassed(msgspec.Struct, frozen=True, tag=True):
    """Time went by outside of rounds, in seconds."""

    seconds: int
    why: str = ""


class OrderSet(msgspec.Struct, frozen=True, tag=True):
    order: tuple[str, ...]
    why: str = ""


class InitiativeSet(msgspec.Struct, frozen=True, tag=True):
    who: str
    score: int | None


class TurnStarted(msgspec.Struct, frozen=True, tag=True):
    who: str
    budget: dict[str, int]


class TurnShared(msgspec.Struct, frozen=True, tag=True):
    """A fighter acts in the turn that has just started, together with the one who has it."""

    who: str
    budget: dict[str, int]


class TurnEnded(msgspec.Struct, frozen=True, tag=True):
    who: str


class BudgetSpent(msgspec.Struct, frozen=True, tag=True):
    who: str
    pools: dict[str, int]
    on: str = ""


class BudgetSet(msgspec.Struct, frozen=True, tag=True):
    who: str
    budget: dict[str, int]


class TrackChanged(msgspec.Struct, frozen=True, tag=True):
    """A number of a fighter went from `old` to `new`; `terms` explain the difference.

    In the public twin of one whose health is secret, `old` is 0 and `word` says how it is now.
    """

    who: str
    track: str
    old: int
    new: int
    why: str = ""
    terms: Modifiers = ()
    roll: Roll | None = None
    by: str = ""
    word: str = ""


class ConditionGained(msgspec.Struct, frozen=True, tag=True):
    who: str
    condition: Condition


class ConditionChanged(msgspec.Struct, frozen=True, tag=True):
    who: str
    condition: Condition


class ConditionEnded(msgspec.Struct, frozen=True, tag=True):
    who: str
    condition: str
    label: str
    why: str = ""


class Moved(msgspec.Struct, frozen=True, tag=True):
    """`metres` is the way gone, `cost` the movement it took, both in metres."""

    who: str
    path: tuple[Point, ...]
    metres: float
    cost: float
    how: str = "moves"
    zone: str = ""


class ItemChanged(msgspec.Struct, frozen=True, tag=True):
    who: str
    item: Item
    how: str = ""


class ItemGained(msgspec.Struct, frozen=True, tag=True):
    who: str
    item: Item
    how: str = ""


class ItemLost(msgspec.Struct, frozen=True, tag=True):
    """An item left its owner; `item.at` is where it lies now, if anywhere."""

    who: str
    item: Item
    how: str = ""


class Marked(msgspec.Struct, frozen=True, tag=True):
    """A system's own remark about a fighter, or about the fight if `who` is empty."""

    who: str
    key: str
    value: Scalar | None


class HiddenSet(msgspec.Struct, frozen=True, tag=True):
    who: str
    hidden: bool


class Renamed(msgspec.Struct, frozen=True, tag=True):
    who: str
    name: str
    side: str


class Checked(msgspec.Struct, frozen=True, tag=True):
    """A roll against a number: attack, save, check. `against` is None for rolls without one.

    `outcome` is the system's word: hit, miss, critical, success, failure…
    """

    who: str
    what: str
    roll: Roll
    modifiers: Modifiers
    total: int
    outcome: str
    against: int | None = None
    against_terms: Modifiers = ()
    against_label: str = ""
    target: str = ""
    good: bool = True


class Earned(msgspec.Struct, frozen=True, tag=True):
    """A roll earned so many of something to choose from afterwards, such as maneuvers.

    Told at most one time in a command.
    """

    who: str
    what: str
    count: int
    target: str = ""


class Said(msgspec.Struct, frozen=True, tag=True):
    """A sentence of the log; `{who}` and `{target}` stand for names."""

    text: str
    who: str = ""
    target: str = ""


class Overruled(msgspec.Struct, frozen=True, tag=True):
    """The GM changed something by decision; the facts that follow say what."""

    what: str
    reason: str = ""


Event = (
    SceneSet
    | OptionSet
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
    | ItemChanged
    | ItemGained
    | ItemLost
    | Marked
    | HiddenSet
    | Renamed
    | Checked
    | Earned
    | Said
    | Overruled
)


class Fact(msgspec.Struct, frozen=True):
    """An event with its rule id and its audience: "all", "gm" or "seat:<fighter>"."""

    event: Event
    rule: str = ""
    to: str = EVERYONE
    twin: Event | None = None


def subjects_of(event: Event) -> tuple[str, ...]:
    """The fighters an event speaks about."""
    if isinstance(event, CombatantJoined):
        return (event.combatant.id,)
    if isinstance(event, OrderSet):
        return event.order
    names = [getattr(event, field, "") for field in ("who", "target", "by")]
    if isinstance(event, ConditionGained | ConditionChanged):
        held = event.condition
        names += [held.by, held.until.who if held.until else "", *map(str, held.marks.values())]
    if isinstance(event, Marked):
        names.append(str(event.value))
    if isinstance(event, TrackChanged) and event.roll:
        names.append(event.roll.by)
    return tuple(name for name in names if name)


def without(event: Event, hidden: frozenset[str]) -> Event | None:
    """What everyone may know of an event that speaks about hidden fighters too; None for nothing."""
    if isinstance(event, OrderSet):
        return replace(event, order=tuple(who for who in event.order if who not in hidden))
    if isinstance(event, TrackChanged) and event.who not in hidden:
        return TrackChanged(event.who, event.track, event.old, event.new)
    if isinstance(event, ConditionGained | ConditionChanged) and event.who not in hidden:
        return replace(event, condition=replace(event.condition, by="", until=None, marks={}))
    return None


def for_seat(who: str) -> str:
    """The audience of the GM and whoever plays this fighter."""
    return f"seat:{who}"


class SecretNames:
    """Takes names out of texts where they stand as whole words, unless it is a known longer one."""

    def __init__(self, secret: Iterable[str], known: Iterable[str] = ()) -> None:
        names, shown = set(filter(None, secret)), set(filter(None, known))
        self.secret = names - shown
        words = "|".join(re.escape(name) for name in sorted(names | shown, key=len, reverse=True))
        self.pattern = re.compile(rf"(?<!\w)(?:{words})(?!\w)")

    def hush(self, text: str) -> str:
        """The text with "somebody" for each of the names."""
        if not self.secret:
            return text
        return self.pattern.sub(lambda found: SOMEBODY if found[0] in self.secret else found[0], text)


def without_names(thing: T, names: SecretNames) -> T:
    """The same with "somebody" in place of these names, wherever they stand in its texts."""
    plain = msgspec.to_builtins(thing)
    hushed = _hush(plain, names)
    return thing if hushed == plain else msgspec.convert(hushed, type(thing))


def _hush(value: Any, names: SecretNames) -> Any:
    if isinstance(value, str):
        return names.hush(value)
    if isinstance(value, dict):
        return {k: v if k in _NO_PROSE else _hush(v, names) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_hush(each, names) for each in value)
    return value
