"""Events: facts in the past tense. Folding them in order gives the state.

A `Fact` is an event in storage: with its rule, its audience and, if some readers may not know all of it, a
redacted event that tells less.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from ..basics.dice.dice import Roll
from ..basics.modifiers import Modifier, Modifiers, add_up
from ..basics.words import Arg, Label, Phrase, find_people, say
from ..space import Area, BattleMap, Deck, Light, Look, Obstacle, Passage, Point, Scene, Wall
from .rulings import Ruling
from .state import (
    Alias,
    Clock,
    Combatant,
    Condition,
    Counter,
    Item,
    OwnCondition,
    Reserve,
    Scalar,
    State,
    is_played,
    replace,
)

EVERYONE, GM_ONLY, SEATS = "all", "gm", "seat:"
UNTOLD_MARK = "untold:"  # prefix of marks of a combatant that only the GM sees
ARRIVES, NEVER = "arrives", "never"  # the ends of a wait
UNTOLD = "health.untold"  # for a changed number whose redacted event tells only the change
UNKNOWN_NUMBER = "words.unknown_number"  # the label of a number to reach that only the GM knows
WOULD_HIT = "outcome.would_hit"  # of an attack that a defense can still ward off, or has warded off


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
    decks: tuple[Deck, ...] = ()
    ways: tuple[Passage, ...] = ()


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


class CombatantJoined(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """A combatant joins. Another sentence tells of one who `arrives` after they were held back."""

    combatant: Combatant
    arrives: bool = False


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

    Where a health change is redacted, `old` is 0, `new` is 1 for more, -1 for less or 0, `word` is
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

    @property
    def dealt_terms(self) -> Modifiers:
        """The roll and all its additions as one term; none without both."""
        if not (self.roll and self.terms):
            return ()
        rule, added = self.terms[0].rule, self.dealt - self.roll.total
        rolled = Modifier(say("term.rolled", dice=self.roll.dice), self.roll.total, rule)
        return (rolled, Modifier("term.bonuses", added, rule)) if added else (rolled,)


class ConditionGained(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """A condition begins. `in_turn`: it lasts for several turns, and the first of them is under way."""

    who: str
    condition: Condition
    in_turn: bool = False


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


class AliasSet(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """All but the GM know a combatant by another name than `was`: the real one without an `alias`."""

    who: str
    name: str
    was: str
    face: str = ""
    alias: Alias | None = None


class ClockSet(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """A clock is new (`old` is missing) or changed; `old` is the number of segments filled before."""

    clock: Clock
    old: int | None = None


class ClockRemoved(msgspec.Struct, frozen=True, tag=True):
    clock: str
    name: str


class CounterSet(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """A counter is new (`old` is missing) or changed; `old` is how many were left before."""

    who: str
    counter: Counter
    old: int | None = None


class CounterRemoved(msgspec.Struct, frozen=True, tag=True):
    who: str
    counter: str
    name: str


class RulingSet(msgspec.Struct, frozen=True, tag=True):
    """A combatant can do again what the GM ruled once, in place of a ruling of the same id."""

    who: str
    ruling: Ruling


class RulingRemoved(msgspec.Struct, frozen=True, tag=True):
    who: str
    ruling: str
    name: str


class SheetSet(msgspec.Struct, frozen=True, tag=True):
    """The sheet of a combatant is another one, for this fight."""

    who: str
    sheet: dict[str, Any]


class ReserveSet(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """Combatants are held back, to arrive in this way; at its `end` they arrive now, or never will."""

    reserve: Reserve
    end: str = ""


class OwnConditionSet(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """A condition of the GM's own is new, changed, or gone from the list; who has it keeps it as it was."""

    condition: OwnCondition
    gone: bool = False


class PlayersSet(msgspec.Struct, frozen=True, tag=True):
    """These combatants, besides the heroes, are played from seats now; no others."""

    people: tuple[str, ...]


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

    @property
    def kind(self) -> str:
        """What was rolled, as words are kept for it: "attack", "block", "initiative"."""
        return (self.what.key if isinstance(self.what, Phrase) else self.what).removeprefix("check.")


class DiceRolled(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """Free dice that no rule asked for; the GM's have no `who`.

    A `term` such as 3d6kh2 has a `total` of its own, and one of several handfuls has `more` rolls.
    """

    who: str
    roll: Roll
    secret: bool = False
    term: str = ""
    total: int = 0
    more: tuple[Roll, ...] = ()


class Earned(msgspec.Struct, frozen=True, tag=True):
    """A roll earned later choices, such as maneuvers, once per command; the words of `what` get `{n}`."""

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
    | AliasSet
    | ClockSet
    | ClockRemoved
    | CounterSet
    | CounterRemoved
    | RulingSet
    | RulingRemoved
    | SheetSet
    | ReserveSet
    | OwnConditionSet
    | PlayersSet
    | Checked
    | DiceRolled
    | Earned
    | Said
    | Overruled
)


class Fact(msgspec.Struct, frozen=True, gc=False):
    """An event with its rule id and its audience: "all", "gm" or "seat:<combatant>,<combatant>".

    The `redacted` is what others may know of it: those of `redacted_to`, or everyone.
    """

    event: Event
    rule: str = ""
    to: str = EVERYONE
    redacted: Event | None = msgspec.field(default=None, name="twin")
    redacted_to: str | UnsetType = msgspec.field(default=UNSET, name="twin_to")

    @property
    def is_public(self) -> bool:
        """Whether everyone may know something of it."""
        return self.to == EVERYONE or (self.redacted is not None and not self.redacted_to)

    @property
    def seats(self) -> frozenset[str]:
        """The combatants whose players may know more of it than everybody."""
        return seats_of(self.to) | seats_of(self.redacted_to or EVERYONE)


def say_so(label: Label) -> Said:
    """A label as a sentence of the log."""
    return Said(label) if isinstance(label, str) else Said(label.key, args=label.args)


def subjects_of(event: Event) -> tuple[str, ...]:
    """The combatants in an event."""
    if isinstance(event, CombatantJoined):
        return (event.combatant.id,)
    if isinstance(event, OrderSet):
        return event.order
    if isinstance(event, PlayersSet):
        return event.people
    names = [getattr(event, field, "") for field in ("who", "target", "by", "inside")]
    if isinstance(event, ConditionGained | ConditionChanged):
        held = event.condition
        names += [held.by, held.until.who if held.until else "", *map(str, held.marks.values())]
    if isinstance(event, Marked):
        names.append(str(event.value))
    if isinstance(event, Said | Overruled):
        names += find_people(event.args if isinstance(event, Said) else event.what)
    if isinstance(event, TrackChanged) and event.roll:
        names.append(event.roll.by)
    return tuple(name for name in names if name)


def without(event: Event, hidden: frozenset[str]) -> Event | None:
    """The public part of an event with hidden combatants; None if nothing is left."""
    if isinstance(event, OrderSet):
        return replace(event, order=tuple(who for who in event.order if who not in hidden))
    if isinstance(event, TrackChanged) and event.who not in hidden:
        return TrackChanged(event.who, event.track, event.old, event.new)
    if isinstance(event, ConditionGained | ConditionChanged) and event.who not in hidden:
        return type(event)(event.who, replace(event.condition, by="", until=None, marks={}))
    return None


def for_seat(who: str) -> str:
    """The audience of the GM and the player of this combatant."""
    return for_seats((who,))


def for_player_of(state: State, combatant: Combatant) -> str:
    """The audience of what a combatant has: everyone for a hero; else the GM, and its player if any."""
    if combatant.pc:
        return EVERYONE
    return for_seat(combatant.id) if is_played(state, combatant) else GM_ONLY


def for_own_player(state: State, combatant: Combatant) -> str:
    """The audience of what concerns a combatant alone: the GM, and its player if any."""
    return for_seat(combatant.id) if is_played(state, combatant) else GM_ONLY


def for_seats(people: Iterable[str]) -> str:
    """The audience of the GM and the players of these combatants."""
    return f"{SEATS}{','.join(people)}"


def seats_of(audience: str) -> frozenset[str]:
    """The combatants whose players are an audience; none for the GM or everyone."""
    return frozenset(audience.removeprefix(SEATS).split(",")) if audience.startswith(SEATS) else frozenset()


# The maker of `Checked`: a roll with its terms, against a number; and its words until a defense is known.


def make_checked(
    who: str,
    what: Label,
    roll: Roll,
    terms: Modifiers = (),
    *,
    against: int | None = None,
    against_terms: Modifiers = (),
    against_label: Label = "",
    target: str = "",
    good: bool | None = None,
    words: tuple[str, str] | None = None,
    outcome: str = "",
) -> Checked:
    """A roll with the terms added, against a number: as much is good, unless `good` says otherwise.

    `words` are the keys of the outcomes of a good and of a bad roll. Without them or an `outcome` it is the
    total.
    """
    total = roll.total
    for term in terms:  # a call fewer in each check
        total += term.value
    if good is None:
        good = against is None or total >= against
    return Checked(
        who=who,
        what=what,
        roll=roll,
        modifiers=terms,
        total=total,
        outcome=outcome or (words[not good] if words else str(total)),
        against=against,
        against_terms=against_terms,
        against_label=against_label,
        target=target,
        good=good,
    )


def leave_open(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """The facts with the last attack that succeeded as one that a defense can still ward off."""
    for place in range(len(facts) - 1, -1, -1):
        event = facts[place].event
        if isinstance(event, Checked) and event.good:
            return (*facts[:place], tell_averted(facts[place]), *facts[place + 1 :])
    return tuple(facts)


def tell_averted(fact: Fact) -> Fact:
    """A successful attack as it is told while a defense can still change it, or once one did."""

    def tell(event: Event | None) -> Event | None:
        return replace(event, outcome=WOULD_HIT) if isinstance(event, Checked) else event

    return replace(fact, event=tell(fact.event), redacted=tell(fact.redacted))
