"""The state of a fight: immutable, made only by folding events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from ..basics.errors import Refused
from ..basics.typed import read_json
from ..basics.words import Label
from ..space import Point, Scene

T = TypeVar("T", bound=msgspec.Struct)
Scalar = bool | int | str
START, END = "start", "end"


class Until(msgspec.Struct, frozen=True):
    """When something ends: after `count` more starts or ends of the turns of `who`.

    The anchor is the fighter, so it survives delays and ties; a removed fighter keeps an
    empty place in the order until its anchors have run out.
    """

    who: str
    edge: str
    count: int = 1


class Condition(msgspec.Struct, frozen=True):
    """Something that holds for a combatant until it ends.

    `label` and, where it differs from what its kind says, `ends` are drawn from the catalogue.
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


class Item(msgspec.Struct, frozen=True):
    """A thing a fighter has. `data` is the catalogue record as it was when the fight began.

    `place` is held, worn, carried, or ground (then `at` says where). `loaded` counts rounds.
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


class Berth(msgspec.Struct, frozen=True):
    """Where somebody is inside another: the id of the carrier, and the key of the place held there."""

    inside: str
    station: str = ""


class Combatant(msgspec.Struct, frozen=True):
    """A fighter: the sheet as it was on joining, and all that has changed since.

    `inside` is the combatant that carries this one, `station` the place held there (see core/aboard.py);
    whoever is in the open has no berth, and nothing of it is stored.
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

    @property
    def inside(self) -> str:
        """The id of the combatant that carries this one; empty in the open."""
        return "" if self.berth is UNSET else self.berth.inside

    @property
    def station(self) -> str:
        """The key of the place held inside; empty for none."""
        return "" if self.berth is UNSET else self.berth.station


class State(msgspec.Struct, frozen=True):
    """Everything that holds now. `phase` is prep, fight or over; `clock` counts seconds.

    `active` has the turn; `sharing` are others whose turn runs at the same time, as of a side
    that acts together. `rules` is the version of the rules it is played by (see core/book/versions.py).
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

    def __getitem__(self, who: str) -> Combatant:
        """The fighter with this id; Refused("unknown") if there is none."""
        try:  # asked most often of all: without a failure a try costs nothing
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
    """The fighters who have not left, in the order they joined."""
    return [fighter for fighter in state.combatants.values() if not fighter.gone]


def is_acting(state: State, who: str) -> bool:
    """Whether it is this fighter's turn, alone or shared with others."""
    return bool(who) and (who == state.active or who in state.sharing)


def find_condition(fighter: Combatant, kind: str) -> Condition | None:
    """The first condition of a kind a fighter has."""
    for held in fighter.conditions:  # no generator: it takes twice as long, as below
        if held.kind == kind:
            return held
    return None


def has_condition(fighter: Combatant, *kinds: str) -> bool:
    """Whether a fighter has a condition of one of the kinds."""
    for held in fighter.conditions:  # noqa: SIM110 - asked most often of all: a generator takes twice as long
        if held.kind in kinds:
            return True
    return False


def find_holders(state: State, kind: str) -> list[Combatant]:
    """The fighters who have a condition of a kind, in the order they joined; some may have left."""
    found = []
    for fighter in state.combatants.values():
        for held in fighter.conditions:  # asked in every turn: no calls
            if held.kind == kind:
                found.append(fighter)
                break
    return found


def count_levels(fighter: Combatant, kind: str) -> int:
    """The levels of all conditions of a kind together."""
    return sum(held.level for held in fighter.conditions if held.kind == kind)


def find_item(fighter: Combatant, item_id: str) -> Item:
    """The fighter's item with this id; Refused("unknown") if it has none."""
    for item in fighter.items:
        if item.id == item_id:
            return item
    raise Refused("unknown", f"{fighter.name} does not have that item.")


def encode(state: State) -> bytes:
    """The state as canonical JSON bytes: the same state always gives the same bytes."""
    return msgspec.json.encode(state)


def decode(raw: bytes) -> State:
    """Read and validate what `encode` wrote."""
    return read_json(raw, State)
