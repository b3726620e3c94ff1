"""Where people come in who are added: the zones of the scene, as names and as spots on its picture."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from string import ascii_uppercase

from django.utils.safestring import SafeString

from combat.display.forms.fields import list_zones
from combat.display.map.scene import view_scene
from combat.rules.core.space import Spot, find_zone, zone_named
from combat.rules.core.state.state import present
from combat.sharing.viewer_context import ViewerContext

from ..home.pictures import draw_picture
from ..table.rows import view_known

KEY = "come-in-"  # before the ids of the picture's patterns
PART = 0.055  # of the picture's width: the radius of a spot
MAX_SPOTS = len(ascii_uppercase)


@dataclass(frozen=True)
class Entry:
    """A zone to come in by: its value, its name, and how many stand there; its letter and spot in meters.

    The first has no letter: it is where people come in otherwise.
    """

    value: str
    name: str
    is_chosen: bool
    people: int = 0
    letter: str = ""
    at: Spot = (0.0, 0.0)


@dataclass(frozen=True)
class Entries:
    """The zones to come in by, and the picture with them; its box and the radius of a spot are in meters."""

    rows: tuple[Entry, ...]
    picture: SafeString
    box: tuple[int, int, int, int]
    radius: float

    @property
    def chosen(self) -> Entry:
        """The chosen one."""
        return next(row for row in self.rows if row.is_chosen)


def view_entries(context: ViewerContext, zone: str) -> Entries:
    """Where people can come in, with this zone chosen; open ground has no zones and is alone."""
    system, state = context.system, context.known_state
    names = list_zones(state)
    chosen = zone if zone_named(state.scene, zone) else ""
    there = Counter(found.id for one in present(state) if (found := find_zone(state.scene, one.at)))
    (_, usual), *zones = names
    people = view_known(context)
    scene = view_scene(system, state, people)
    spots = {one.id: (one.x + one.width / 2, one.y + one.depth / 2) for one in scene.zones}
    rows = [Entry("", usual, is_chosen=not chosen)]
    letters = [*ascii_uppercase, *[""] * len(zones)]
    rows += [
        Entry(key, name, key == chosen, people=there[key], letter=letter, at=spots.get(key, (0.0, 0.0)))
        for (key, name), letter in zip(zones, letters, strict=False)
    ]
    picture = draw_picture(system, state, people, context.encounter.pk, key=KEY, whole=True)
    return Entries(tuple(rows), picture, scene.box, radius=round(scene.box[2] * PART, 2))
