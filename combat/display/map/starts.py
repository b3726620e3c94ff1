"""Where the sides begin, as soft shapes on the maps of the preparation and of the editor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from combat.play.campaigns.roster import find_side, list_sides
from combat.rules.core.basics.words import capitalized
from combat.rules.core.gm.spots import PREP
from combat.rules.core.map.starts import find_start, list_starts
from combat.rules.core.space import Spot, Zone
from combat.rules.core.state.state import State, present
from combat.sharing.viewer_context import ViewerContext

from ..combatants.tokens import find_tones
from ..plane.callouts import FONT, Body, box_of
from ..plane.crowd import TOKEN_METERS
from ..plane.names import Box, Named
from ..plane.plotting import outline_area, write_outline
from ..shapes.scene_shapes import SceneView
from .scene import NEAR_HALF
from .token_names import find_name_box, is_inside

# A map is as wide and as deep as so many font sizes of these names, or more: a wide map, and a narrow one
WIDE, NARROW = (64, 44), (31, 22)
# Of the font size: the width of a letter, the height of a line, what is left free around a name
LETTER, LINE, PAD = 0.62, 1.2, 0.4


SHARES = (0.5, 0, 1, 0.25, 0.75)  # of the room beside a name: in the middle, at an end, between them


@dataclass(frozen=True)
class StartName:
    """What an area is called on the map, and the middle of that.

    One that is `tight` has no room beside people and other names: it is shown only while areas are moved, and
    else in the corner of the map.
    """

    words: str = ""
    at: Spot = (0.0, 0.0)
    tight: bool = False


@dataclass(frozen=True)
class StartView:
    """The start of a side: its number, whose it is, its outline, its corner and its size, in meters.

    One that `leans` lies as hexes do.
    `names` are those for wide maps and for narrow ones, where people are larger.
    """

    number: int
    side: str
    tone: str
    outline: str
    x: float
    y: float
    corners: tuple[Spot, ...]
    width: float
    depth: float
    leans: bool
    names: tuple[StartName, StartName] = (StartName(), StartName())

    @property
    def grips(self) -> tuple[Spot, ...]:
        """The middle of each edge, in the order of the corners."""
        ends = zip(self.corners, (*self.corners[1:], self.corners[0]), strict=True)
        return tuple(((x + other_x) / 2, (y + other_y) / 2) for (x, y), (other_x, other_y) in ends)

    @property
    def forms(self) -> tuple[str, ...]:
        """What it may be called on the map, the longest first."""
        side = capitalized(self.side)
        return (f"{side} start", side) if side else (f"Start {self.number + 1}", str(self.number + 1))


class Ground(NamedTuple):
    """What a map shows: the font size of the names of areas, what names of zones cover, and people."""

    font: float
    names: list[Box]
    people: list[Box]


def view_starts(context: ViewerContext, scene: SceneView) -> tuple[StartView, ...]:
    """The start areas of a scene, with the places of their names; none where there is no ground."""
    system, state = context.system, context.known_state
    hexes = system.space.has_hexes(state)
    starts = list_starts(state, hexes) if state.phase == PREP else ()
    sides, tones = _find_sides(state, starts, hexes), find_tones(state)
    usual = find_side(state), list_sides(state)[0]
    found = []
    for number, start in enumerate(starts):
        leans = hexes and start.upright is not True
        area = outline_area(start.x, start.y, start.width, depth=start.depth, hexes=leans)
        side = sides.get(number) or (usual[number] if not sides and len(starts) == 2 else "")
        tone = tones.get(side) or ("is-ally" if side == usual[0] else "is-foe" if side else "")
        found.append(
            StartView(
                number,
                side,
                tone,
                outline=write_outline(area),
                x=start.x,
                y=start.y,
                corners=area,
                width=start.width,
                depth=start.depth,
                leans=leans,
            )
        )
    names = _place_names(found, scene, _find_wide(scene)), _place_names(found, scene, _find_narrow(scene))
    return tuple(replace(one, names=pair) for one, pair in zip(found, zip(*names, strict=True), strict=True))


def find_font(scene: SceneView, sizes: tuple[int, int]) -> float:
    """The font size of these names, in meters, on a wide or a narrow map."""
    return max(scene.box[2] / sizes[0], scene.box[3] / sizes[1])


def _find_wide(scene: SceneView) -> Ground:
    """What a wide map shows."""
    people = [Body(one.spot, TOKEN_METERS * one.scale / 2).box for one in scene.tokens]
    said = [find_name_box(one) for one in scene.tokens if one.label]
    names = [zone.names[0].box for zone in scene.zones if zone.names and zone.names[0].lines]
    return Ground(find_font(scene, WIDE), names, [*people, *said])


def _find_narrow(scene: SceneView) -> Ground:
    """What a narrow map shows."""
    people = [Body(one.spot, NEAR_HALF * one.scale).box for one in scene.tokens]
    near = ((one.near.scaled(one.near_scale), one) for one in scene.tokens if one.near)
    said = [box_of(at, one.spot, FONT * one.near_scale) for at, one in near]
    names = [zone.names[1].box for zone in scene.zones if zone.names[1:] and zone.names[1].lines]
    return Ground(find_font(scene, NARROW), names, [*people, *said])


def _place_names(starts: list[StartView], scene: SceneView, ground: Ground) -> Iterator[StartName]:
    """The names of the areas, each inside where there is room, else beside it, never outside the map."""
    left, top, width, height = scene.box
    (font, names, people), edge = ground, (left, top, left + width, top + height)
    taken = [*names, *people]
    for start in starts:
        places = [
            (name, at, _find_box(name, at, font))
            for is_inside in (True, False)
            for name in start.forms
            for at in _find_places(Named(name, start.corners), font, is_inside=is_inside)
        ]
        drawn = [each for each in places if is_inside(each[2], edge)]
        free = next((each for each in drawn if not _meets(each[2], taken)), None)
        name, at, box = free or next((each for each in drawn if not _meets(each[2], names)), places[-1])
        taken += [box] if free else []
        yield StartName(name, at, free is None)


def _find_places(area: Named, font: float, *, is_inside: bool) -> Iterator[Spot]:
    """The middles to try for a name: in its area from the top down, or else below, above and beside it."""
    pad, top = PAD * font, area.corners[0][1]
    across, down = len(area.name) * LETTER * font / 2 + pad, LINE * font / 2 + pad
    y, room = down, area.width - 2 * across
    if not is_inside:
        for y in (area.depth + down, -down):
            left = area.find_left(y) + across
            yield from ((round(left + room * share, 2), round(top + y, 2)) for share in SHARES)
        for y in (area.depth / 2, down, area.depth - down):
            left = area.find_left(y)
            yield from ((round(x, 2), round(top + y, 2)) for x in (left - across, left + area.width + across))
        return
    while room >= 0 and y + down <= area.depth:
        left = area.find_left(y) + across
        yield from ((round(left + room * share, 2), round(top + y, 2)) for share in SHARES)
        y += down / 2


def _find_box(name: str, at: Spot, font: float) -> Box:
    """What a name covers."""
    (x, y), across, down = at, len(name) * LETTER * font / 2, LINE * font / 2
    return x - across, y - down, x + across, y + down


def _meets(box: Box, others: list[Box]) -> bool:
    return any(box[0] < x and left < box[2] and box[1] < low and top < box[3] for left, top, x, low in others)


def _find_sides(state: State, starts: tuple[Zone, ...], hexes: bool) -> dict[int, str]:
    """The side that begins in each start, by its number."""
    found: dict[int, str] = {}
    for one in present(state):
        start = None if one.side in found.values() else find_start(state, state, one, hexes, ends=True)
        if start in starts:
            found.setdefault(starts.index(start), one.side)
    return found
