"""What words can name at this table: people, zones, doors, and the things that people have."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ...declaration.system import System
from ...space import map_of
from ...space.battle_map import DOOR
from ...state.state import Item, State
from ..loot import can_part

FOE, FRIEND, US = "foe", "friend", "us"
ZONE, DOORWAY, PASSED = "zone", "door", "passed"  # passed: a zone that nobody goes to
OWN, THEIRS = "own", "theirs"


class Scenery(msgspec.Struct, frozen=True):
    """The names of a table for who acts there. `people` are all others whom the reader may know."""

    actor: str
    people: Mapping[str, str]
    friends: frozenset[str]
    zones: Mapping[str, str]
    doors: Mapping[str, str]
    own: Mapping[str, str]
    theirs: Mapping[str, str]

    def find_part(self, who: str) -> str:
        """Whether someone is a friend or a foe of who acts."""
        return FRIEND if who in self.friends else FOE

    @property
    def foes(self) -> tuple[str, ...]:
        """All foes, in their order at the table."""
        return tuple(one for one in self.people if one not in self.friends)


def view_scenery(system: System, state: State, actor: str, names: Mapping[str, str]) -> Scenery:
    """What the words of an actor may name; `names` are those of the people that their reader knows."""
    others = {one: name for one, name in names.items() if one != actor}
    me = state.combatants.get(actor)
    side = me.side if me else ""
    here = state.combatants
    friends = frozenset(one for one in others if one in here and here[one].side == side)
    goods = {one: here[one].items for one in others if one in here}
    return Scenery(
        actor=actor,
        people=others,
        friends=friends if side else frozenset(),
        zones={zone.id: zone.name for zone in state.scene.zones},
        doors={wall.id: wall.name for wall in map_of(state.scene).walls if wall.kind == DOOR and wall.name},
        own=_name_goods(system, me.items if me else ()),
        theirs=_name_goods(system, tuple(item for items in goods.values() for item in items)),
    )


def _name_goods(system: System, items: tuple[Item, ...]) -> dict[str, str]:
    return {item.id: item.name for item in items if can_part(system, item)}
