"""The state of a fight: immutable, made only by folding events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from ..basics.data import read_json
from ..basics.errors import Refused
from ..basics.words import Label
from ..space import Point, Scene
from .rulings import Ruling

T = TypeVar("T", bound=msgspec.Struct)
Scalar = bool | int | str
START, END = "start", "end"
SURRENDERED = "surrendered"  # the condition of those who gave up, in every game
FACE = "face"  # the mark of a combatant with a drawn face: its key
REVEALED = "revealed"  # the mark of a combatant who had an alias: the alias
PLAYS_ON = "plays_on"  # the mark of a decided fight that goes on: how many were out
CLOSED = "closed"  # the mark of a fight that is over and worked off: loot and sheets are done
PAUSED = "paused"  # the mark of a fight in which only the GM acts for now


class Until(msgspec.Struct, frozen=True):
    """The end of something: after `count` more starts or ends of the turns of `who`.

    The anchor is the combatant, so it survives delays and ties; a removed combatant keeps an empty place in
    the order until its anchors have run out.
    """

    who: str
    edge: str
    count: int = 1


# `gc=False`: events make new ones all the time, and what is frozen and plain is never part of a cycle


class OwnCondition(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A condition of the GM's own.

    `changes` are points by number and `effects` what else it does, both by the words of the game
    (`OwnRules`); `sign` is a kind of condition and its icon; 0 `turns` last until the GM ends it. Of a
    `secret` one only the GM knows: all others see what it changes, and not that it is there.
    """

    id: str
    name: str
    sign: str = "ruling"
    changes: dict[str, int] = {}
    effects: tuple[str, ...] = ()
    turns: int = 0
    note: str = ""
    secret: bool = False


class Condition(msgspec.Struct, frozen=True, gc=False):
    """A condition of a combatant until it ends.

    `label` and, if it differs from that of its kind, `ends` are drawn from the catalogue. One of the GM's
    `own` has its definition with it, as it was when it was given.
    """

    id: str
    kind: str
    label: Label
    rule: str = ""
    level: int = 1
    until: Until | None = None
    ends: Label = ""
    by: str = ""
    marks: dict[str, Scalar] = {}
    own: OwnCondition | UnsetType = UNSET

    @property
    def is_secret(self) -> bool:
        """Whether only the GM knows of it."""
        return self.own is not UNSET and self.own.secret


class Item(msgspec.Struct, frozen=True, gc=False):
    """An item of a combatant. `data` is the catalogue record from the start of the fight.

    `place` is held, worn, carried, or ground (then `at` is its position). `loaded` counts rounds.
    """

    id: str
    kind: str
    name: str
    data: dict[str, Any] = {}
    place: str = "carried"
    loaded: int | None = None
    spares: int = 0
    count: int = 1
    at: Point | None = None
    marks: dict[str, Scalar] = {}

    def __hash__(self) -> int:
        """The hash of what tells items apart: their plain data has none, and odds merge equal steps."""
        return hash((self.id, self.place, self.loaded))


class Berth(msgspec.Struct, frozen=True):
    """A place inside a carrier: the id of the carrier, and the key of the station."""

    inside: str
    station: str = ""


class Alias(msgspec.Struct, frozen=True):
    """The `name` that all but the GM know a combatant by, with the `real` name and drawn face behind it."""

    name: str
    real: str
    face: str = ""


class Counter(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A named counter of a combatant, `left` of `most`.

    It refills each "round" or "turn", each "scene", which is when a fight begins, or by "hand". `to` is its
    audience, as that of a fact: everyone or the GM.
    """

    id: str
    name: str
    most: int
    left: int
    refills: str = "hand"
    to: str = "all"


class Combatant(msgspec.Struct, frozen=True, gc=False):
    """A combatant: the sheet from joining, and everything that has changed since.

    `inside` is the combatant that carries this one, `station` the place held there: core/passengers.py. A
    combatant in the open has no berth, and stores nothing for it. `pc` is a hero by the rules, a player's own
    character; who plays a combatant now, `is_played` tells. With an `alias`, `name` and the face among
    the marks are those of the alias, so nothing tells the real ones by mistake; only the GM's pages show
    them (core/gm/aliases.py).
    """

    id: str
    name: str
    side: str
    sheet: dict[str, Any]
    tracks: dict[str, int] = {}
    budget: dict[str, int] = {}
    conditions: tuple[Condition, ...] = ()
    items: tuple[Item, ...] = ()
    at: Point = Point()
    initiative: int | None = None
    hidden: bool = False
    acted: bool = False
    gone: bool = False
    pc: bool = False
    marks: dict[str, Scalar] = {}
    berth: Berth | UnsetType = UNSET
    alias: Alias | UnsetType = UNSET
    counters: tuple[Counter, ...] | UnsetType = UNSET
    rulings: tuple[Ruling, ...] | UnsetType = UNSET

    @property
    def all_counters(self) -> tuple[Counter, ...]:
        """The counters, in the order they were made."""
        return () if self.counters is UNSET else self.counters

    @property
    def all_rulings(self) -> tuple[Ruling, ...]:
        """What the GM has ruled once and they can do again, the oldest first."""
        return () if self.rulings is UNSET else self.rulings

    @property
    def inside(self) -> str:
        """The id of the combatant that carries this one; empty in the open."""
        return "" if self.berth is UNSET else self.berth.inside

    @property
    def station(self) -> str:
        """The key of the station inside; empty for none."""
        return "" if self.berth is UNSET else self.berth.station


class Happening(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a clock does at its place in the order of turns, from round `first` on, each `every` rounds.

    Its place is the start of the round, `at` a score, or `after` a combatant's turn; at 0 `every` it acts
    once. Those in `zone`, or all without one, lose `harm` points of `track`, and get a `condition`. Players
    read the `note`, and the handout of this title. `done` is the round in which it acted last.
    """

    first: int = 1
    every: int = 1
    at: int | None = None
    after: str = ""
    note: str = ""
    handout: str = ""
    zone: str = ""
    track: str = ""
    harm: int = 0
    condition: str = ""
    done: int = 0


class Clock(msgspec.Struct, frozen=True, omit_defaults=True):
    """A named clock of 2 to 12 segments, filled by the GM; `each_round` segments fill with each round.

    `to` is its audience, as that of a fact. Of a `veiled` clock only the GM knows how full it is.
    """

    id: str
    name: str
    size: int
    filled: int = 0
    each_round: int = 0
    to: str = "all"
    veiled: bool = False
    acts: Happening | UnsetType = UNSET

    @property
    def is_full(self) -> bool:
        """Whether its last segment is filled."""
        return self.filled >= self.size


class Reserve(msgspec.Struct, frozen=True, omit_defaults=True):
    """Combatants who arrive later, together; until then `who` are hidden and gone.

    `when` they arrive: by hand, in a round (`at_round`), by a full clock or an open door (the id in `of`).
    Their place is a zone, an edge of the map or a point. `hidden` are those who also arrive hidden.
    """

    id: str
    who: tuple[str, ...]
    hidden: tuple[str, ...] = ()
    when: str = "hand"
    at_round: int = 0
    of: str = ""
    zone: str = ""
    edge: str = ""
    at: Point | None = None


class State(msgspec.Struct, frozen=True, gc=False):
    """The whole current state. `phase` is prep, fight or over; `clock` counts seconds.

    `active` has the turn; `sharing` are others whose turn runs at the same time, for a side that acts
    together. `rules` is the version of the rules in play (see core/book/rulebook.py). `played` are the
    combatants other than heroes whom people play from a seat: ask `is_played`.
    """

    system: str
    options: dict[str, Scalar] = {}
    scene: Scene = Scene()
    combatants: dict[str, Combatant] = {}
    order: tuple[str, ...] = ()
    round: int = 0
    active: str = ""
    phase: str = "prep"
    clock: int = 0
    ground: tuple[Item, ...] = ()
    marks: dict[str, Scalar] = {}
    made: int = 0
    sharing: tuple[str, ...] = ()
    rules: Annotated[int, msgspec.Meta(ge=1)] = 1
    clocks: tuple[Clock, ...] | UnsetType = UNSET
    reserves: tuple[Reserve, ...] | UnsetType = UNSET
    own_conditions: tuple[OwnCondition, ...] | UnsetType = UNSET
    played: tuple[str, ...] | UnsetType = UNSET

    @property
    def all_clocks(self) -> tuple[Clock, ...]:
        """The clocks, in the order they were made."""
        return () if self.clocks is UNSET else self.clocks

    @property
    def all_reserves(self) -> tuple[Reserve, ...]:
        """Those who arrive later, in the order they were held back."""
        return () if self.reserves is UNSET else self.reserves

    @property
    def all_own_conditions(self) -> tuple[OwnCondition, ...]:
        """The conditions of the GM's own, in the order they were made."""
        return () if self.own_conditions is UNSET else self.own_conditions

    @property
    def is_paused(self) -> bool:
        """Whether the GM has paused the fight."""
        return PAUSED in self.marks

    def __getitem__(self, who: str) -> Combatant:
        """The combatant with this id; Refused("unknown") if there is none."""
        try:
            found = self.combatants[who]
        except KeyError:
            raise Refused("unknown", "That combatant is not in this encounter.") from None
        if found.gone:
            raise Refused("unknown", "That combatant is not in this encounter.")
        return found


# A copy of a frozen struct with some fields changed
replace = msgspec.structs.replace


def with_key(mapping: Mapping[str, Any], key: str, value: Any) -> dict[str, Any]:
    """A copy of a mapping with one key set, or removed when the value is None."""
    copy = dict(mapping)
    if value is None:
        copy.pop(key, None)
    else:
        copy[key] = value
    return copy


def present(state: State) -> list[Combatant]:
    """The combatants who have not left, in the order they joined."""
    return [combatant for combatant in state.combatants.values() if not combatant.gone]


def is_played(state: State, combatant: Combatant) -> bool:
    """Whether a person plays a combatant now: a hero, or another one whom the GM gave to a seat.

    Everything that is left to people, or done for those without one, asks this. `pc` says who is a hero by
    the rules: a player's own character, also while nobody has a seat for it and the GM plays it.
    """
    return combatant.pc or (state.played is not UNSET and combatant.id in state.played)


def find_waiting(state: State) -> list[Combatant]:
    """The combatants who arrive later; they have not joined, or have left for now."""
    return [state.combatants[who] for reserve in state.all_reserves for who in reserve.who]


def is_acting(state: State, who: str) -> bool:
    """Whether it is this combatant's turn, alone or shared with others."""
    return bool(who) and (who == state.active or who in state.sharing)


def find_condition(combatant: Combatant, *kinds: str) -> Condition | None:
    """The first condition of one of the kinds a combatant has."""
    for held in combatant.conditions:
        if held.kind in kinds:
            return held
    return None


def has_condition(combatant: Combatant, *kinds: str) -> bool:
    """Whether a combatant has a condition of one of the kinds."""
    for held in combatant.conditions:  # noqa: SIM110 - it is asked most of all
        if held.kind in kinds:
            return True
    return False


def find_secret_conditions(state: State) -> frozenset[str]:
    """The names of the conditions that people have and only the GM knows of."""
    return frozenset(
        held.own.name
        for combatant in state.combatants.values()
        for held in combatant.conditions
        if held.own is not UNSET and held.own.secret
    )


def find_own_condition(state: State, own_id: str) -> OwnCondition | None:
    """The condition of the GM's own with this id, if it is in the list."""
    return next((one for one in state.all_own_conditions if one.id == own_id), None)


def find_holders(state: State, kind: str) -> list[Combatant]:
    """The combatants who have a condition of a kind, in the order they joined; some may have left."""
    return [who for who in state.combatants.values() if who.conditions and has_condition(who, kind)]


def count_levels(combatant: Combatant, kind: str) -> int:
    """The sum of the levels of all conditions of a kind."""
    return sum(held.level for held in combatant.conditions if held.kind == kind)


def find_item(combatant: Combatant, item_id: str) -> Item:
    """The combatant's item with this id; Refused("unknown") if it has none."""
    for item in combatant.items:
        if item.id == item_id:
            return item
    raise Refused("unknown", f"{combatant.name} does not have that item.")


def with_loaded(item: Item, rounds: int) -> Item:
    """An item with another number of rounds."""
    return replace(item, loaded=rounds)


def encode(state: State) -> bytes:
    """The state as canonical JSON bytes: equal states give equal bytes."""
    return msgspec.json.encode(state)


def decode(raw: bytes) -> State:
    """Read and validate what `encode` wrote."""
    return read_json(raw, State)
