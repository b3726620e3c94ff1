"""The declaration of a game's look on its pages."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from ..basics.words import Label
from ..state.state import Combatant, Condition, State
from .figures import Figure

SHAPES = ("car", "bike", "tracked", "flyer", "boat")  # drawings from above: static/img/tokens.svg


class Body(msgspec.Struct, frozen=True):
    """A vehicle from above: one of `SHAPES`, and its heading in degrees clockwise from the top of the map."""

    shape: str = "car"
    heading: float = 0


class Band(msgspec.Struct, frozen=True):
    """A range band of a chase: its name, and its distances in meters."""

    name: str
    from_m: float
    to_m: float


class Motion(msgspec.Struct, frozen=True):
    """How fast a vehicle is, how fast it can be, and the id of the one that it pursues."""

    speed: float = 0
    top: float = 0
    quarry: str = ""


class Chase(msgspec.Struct, frozen=True):
    """A fight along a road: the motion of each vehicle by id, the range bands, the nearest first.

    `unit` is that of speeds; `meters_a_turn` is what one of them covers in a round.
    """

    motions: dict[str, Motion]
    bands: tuple[Band, ...]
    unit: str = "km/h"
    meters_a_turn: float = 1


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """The look of a game, its combatants and its log on the pages."""

    # The hue of what is active: a name (teal, lime, rose, violet) or any hue, 0 to 350 degrees in tens.
    accent: str | int = "teal"
    # The sign of the game: an SVG path of lines in a square of 24 units.
    emblem: str = ""
    # What its fights are like, in a few words.
    gist: str = ""
    # What a combatant looks like to everyone, by its sheet: person, alien, animal, robot, drone or vehicle.
    appearance: Callable[[Combatant], str] = lambda combatant: "person"
    # A combatant drawn by parts, if harm has a location; None for a combatant without parts.
    figure: Callable[[State, Combatant], Figure | None] | None = None
    # A vehicle from above; None for anything else.
    vehicle: Callable[[Combatant], Body | None] | None = None
    # The fight as a chase along a road; None if it is none now.
    chase: Callable[[State], Chase | None] | None = None
    # What a condition is about, for a chip that shows it beside the name.
    about: Callable[[Condition], Label] = lambda held: ""
    # The rules whose changes of a condition another line of the log already tells.
    silent_rules: frozenset[str] = frozenset()
    # Keys: sentences that say no more than the lines beside them, and reasons of ends without a line.
    silent_lines: frozenset[str] = frozenset()
