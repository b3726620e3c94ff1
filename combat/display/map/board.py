"""Zones as a board: each a small stage with the people in it, and the ways to the zones next to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product
from math import ceil, sqrt

from msgspec.structs import replace

from combat.rules.core.declaration.system import System
from combat.rules.core.space import SMOKE, Obstacle, Scene, Spot, Zone, distance, find_links
from combat.rules.core.space.battle_map import THINGS
from combat.rules.core.state.state import Combatant, State

from ..plane.callouts import count_words, find_forms
from ..plane.crowd import TOKEN_METERS
from ..plane.land import (
    CRATE,
    ICONS,
    PLATE,
    HazardView,
    LandView,
    ThingsView,
    find_floor,
    find_hazards,
    list_marks,
    list_ranks,
    view_things,
)
from ..plane.names import SHORT
from ..shapes.scene_shapes import FAR, IS_DOWN, RIGHT, Mark, SceneView, Stage, Stand, Way, ZoneView

KEY = "board"  # begins the ids of its patterns
WIDE, DEEP = 12.0, 9.0  # meters of a stage; its zone can have any size
EDGE = 0.5  # meters from the upper and the lower edge of a stage to that of a hazard
OUTLINE = f"M{-WIDE:g} {EDGE:g}h{3 * WIDE:g}v{DEEP - 2 * EDGE:g}h{-3 * WIDE:g}z"  # some stages are wider
PUFFS = ((2.0, 2.5), (6.0, 1.8), (10.0, 2.6), (3.0, 6.6), (7.4, 6.0), (10.2, 6.8))
BOXES = ((0.4, 7.0, 2.4, 1.5), (9.2, 0.5, 2.2, 1.6))  # of things: corner, width, depth
TOP, SIDE, LOW = 1.5, 1.5, 2.3  # what stays free at its edges: below is room for a name
LETTER = 0.58  # meters of a name's letter
MOST_COLUMNS = 5


def lay_cells(zones: Sequence[Zone]) -> dict[str, tuple[int, int]]:
    """The column and row of each zone on the board, as they lie on the plane; no two share a cell."""
    rows: list[list[Zone]] = []
    for zone in sorted(zones, key=lambda zone: (zone.y + zone.depth / 2, zone.x)):
        middle = zone.y + zone.depth / 2
        first = rows[-1][0] if rows else zone
        if rows and middle < first.y + first.depth and len(rows[-1]) < MOST_COLUMNS:
            rows[-1].append(zone)
        else:
            rows.append([zone])
    return {
        zone.id: (column, number)
        for number, row in enumerate(rows, 1)
        for zone, column in zip(*_find_columns(row, zones), strict=True)
    }


def _find_columns(row: list[Zone], zones: Sequence[Zone]) -> tuple[list[Zone], list[int]]:
    """A row from left to right, and the column of each zone: a short row keeps its place on the plane."""
    ordered = sorted(row, key=lambda zone: zone.x + zone.width / 2)
    left, right = min(zone.x for zone in zones), max(zone.x + zone.width for zone in zones)
    most = min(MOST_COLUMNS, max(len(row), round(sqrt(len(zones) * 1.5))))
    columns: list[int] = []
    for number, zone in enumerate(ordered):
        share = (zone.x + zone.width / 2 - left) / (right - left or 1)
        least, last = number + 1, most - len(ordered) + number + 1
        wanted = min(last, max(least, ceil(share * most)))
        columns.append(max(wanted, columns[-1] + 1 if columns else 1))
    return ordered, columns


def find_ways(
    system: System, state: State, people: Mapping[str, Sequence[Combatant]], walker: Combatant | None
) -> dict[str, tuple[Way, ...]]:
    """The ways from each zone; those to the next cell of the board are drawn once, from the first of both.

    They are as long as it is between the nearest of those in both zones: the walker speaks for their own.
    """
    zones, cells = {zone.id: zone for zone in state.scene.zones}, lay_cells(state.scene.zones)
    speakers = {each: [walker] if walker and walker in those else those for each, those in people.items()}

    def measure(here: str, there: str) -> str:
        if found := find_nearest(speakers[here], speakers[there]):
            return system.space.zones.describe_far(state, *found)
        for one, other in ((here, there), (there, here)):
            if walker and walker in people[one]:
                return system.space.zones.describe_way(state, walker, zones[other])
        return system.space.measure(state, zones[here].centre, zones[there].centre).words

    return {
        here: tuple(Way(zones[there].name, measure(here, there), _side(cells, here, there)) for there in near)
        for here, near in find_links(state.scene).items()
    }


def find_nearest(
    some: Iterable[Combatant], others: Iterable[Combatant]
) -> tuple[Combatant, Combatant] | None:
    """The two who are nearest to each other, one of some and one of others."""
    return min(product(some, others), key=lambda pair: distance(pair[0].at, pair[1].at), default=None)


def set_board(system: System, state: State, scene: SceneView, whose: str = "") -> SceneView:
    """The scene with a stage for each zone, if zones are all that is known of it.

    Distances are those of attacks, from the combatant `whose` turn is shown, else from the active one.
    """
    if not scene.is_board:
        return scene
    walker = state.combatants.get(whose or state.active)
    people = {view.id: [state.combatants[one.id] for one in view.combatants] for view in scene.zones}
    cells, ways = lay_cells(state.scene.zones), find_ways(system, state, people, walker)
    known, looks = {zone.id: zone for zone in state.scene.zones}, dict(system.kinds.ground)
    ranks = list_ranks(system.slug)

    def make_stage(view: ZoneView) -> Stage:
        zone = known[view.id]
        stands = lay_stands(zone, people[zone.id], ranks)
        return Stage(
            *cells[zone.id],
            floor=find_floor(zone, looks).look,
            marks=_find_marks(system, state.scene, zone),
            stands=stands,
            ways=ways[zone.id],
            land=view_ground((zone,), looks),
            things=view_cover(zone, looks),
        )

    def find_way(view: ZoneView) -> str:
        pair = find_nearest([walker], people[view.id]) if walker and view.way else None
        return system.space.zones.describe_far(state, *pair) if pair else view.way

    zones = tuple(replace(view, stage=make_stage(view), way=find_way(view)) for view in scene.zones)
    columns = max(column for column, _ in cells.values())
    return replace(scene, zones=zones, columns=columns, board=view_ground(state.scene.zones, looks))


def view_ground(zones: tuple[Zone, ...], looks: Mapping[str, str]) -> LandView:
    """The hazards of zones, each once; `looks` are a game's terrains, each with what it looks like."""
    kinds = dict.fromkeys(kind for zone in zones for kind in find_hazards(zone, looks))
    signs = tuple(_view_hazard(kind, number) for number, kind in enumerate(kinds))
    return LandView(
        KEY,
        hazards=tuple(one for one in signs if one.look != SMOKE),
        clouds=tuple(one for one in signs if one.look == SMOKE),
    )


def _view_hazard(kind: str, number: int) -> HazardView:
    spot = EDGE + PLATE + 2 * PLATE * number, EDGE + PLATE
    return HazardView(kind, OUTLINE, ICONS[kind], spot=spot, puffs=PUFFS if kind == SMOKE else ())


def view_cover(zone: Zone, looks: Mapping[str, str]) -> tuple[ThingsView, ...]:
    """Two of the things that a zone says give cover there: those of its ground, else crates."""
    kinds = [look for look in (looks.get(terrain, "") for terrain in zone.terrain) if look in THINGS]
    if zone.cover not in ("", "none"):
        kinds = kinds or [CRATE]
    pairs = zip((*kinds, *kinds), BOXES, strict=False)
    return view_things(tuple(Obstacle(kind, "", *box, kind=kind) for kind, box in pairs), ())


def _find_marks(system: System, scene: Scene, zone: Zone) -> tuple[Mark, ...]:
    """The properties of a zone, each with a kind for its icon."""
    marks = list_marks(system, scene, zone)
    return tuple(Mark(look, words[:1].upper() + words[1:]) for look, words in marks)


def _side(cells: dict[str, tuple[int, int]], here: str, there: str) -> str:
    """The side on which a way is drawn: to the right, down, or nowhere."""
    (column, row), (other_column, other_row) = cells[here], cells[there]
    step = other_column - column, other_row - row
    return {(1, 0): RIGHT, (0, 1): IS_DOWN}.get(step, "" if step in ((-1, 0), (0, -1)) else FAR)


def lay_stands(zone: Zone, people: Sequence[Combatant], ranks: Iterable[str] = ()) -> tuple[Stand, ...]:
    """Where the people of a zone stand on its stage: as on the plane, or in rows if they would overlap.

    All are named. `ranks` are words that name nobody.
    """
    spots = [_place(zone, zone.plot(one.at.x, one.at.y)) for one in people]
    scale, room = 1.0, WIDE / 2
    if _is_crowded(spots):
        spots, scale, room = _line_up(spots)
    names = [one.name for one in people]
    said, alone = count_words((*names, zone.name, *ranks)), count_words(names)
    return tuple(
        Stand(spot, scale, _fit_name(one.name, int(room / scale / LETTER), said, alone))
        for spot, one in zip(spots, people, strict=True)
    )


def _place(zone: Zone, spot: Spot) -> Spot:
    """A place on the stage of its zone, from one in the coordinates of the zone's sides."""
    across = min(1.0, max(0.0, (spot[0] - zone.x) / (zone.width or 1)))
    down = min(1.0, max(0.0, (spot[1] - zone.y) / (zone.depth or 1)))
    return round(SIDE + across * (WIDE - 2 * SIDE), 2), round(TOP + down * (DEEP - TOP - LOW), 2)


def _is_crowded(spots: Sequence[Spot]) -> bool:
    """Whether tokens at these places would overlap, or hide a name."""
    pairs = combinations(spots, 2)
    return any(
        abs(x - u) < TOKEN_METERS * 1.15 and abs(y - v) < TOKEN_METERS * 1.4 for (x, y), (u, v) in pairs
    )


def _line_up(spots: Sequence[Spot]) -> tuple[list[Spot], float, float]:
    """Places in rows, in the order of the real ones; the size of tokens, and the width of a place."""
    count = len(spots)

    def fit(across: int) -> tuple[float, float, float]:
        """The size of tokens in rows of so many, each with room for its name; width and depth of a place."""
        wide, deep = (WIDE - 1) / across, (DEEP - 0.6) / ceil(count / across)
        return min(1.0, wide / TOKEN_METERS / 1.08, deep / TOKEN_METERS / 1.64), wide, deep

    across = max(range(2, count + 1), key=lambda across: fit(across)[0])
    rows, (scale, wide, deep) = ceil(count / across), fit(across)
    order = sorted(range(count), key=lambda n: (spots[n][1], spots[n][0]))
    placed: dict[int, Spot] = {}
    for row in range(rows):
        those = sorted(order[row * across : (row + 1) * across], key=lambda n: spots[n])
        for number, one in enumerate(those):
            x = WIDE / 2 + (number - (len(those) - 1) / 2) * wide
            placed[one] = round(x, 2), round(0.3 + (row + 0.5) * deep - 0.5 * scale, 2)
    return [placed[n] for n in range(count)], round(scale, 2), wide


def _fit_name(name: str, most: int, said: Mapping[str, int], alone: Mapping[str, int]) -> str:
    """The longest form of a name that fits below a token: "Pirate captain", "Captain", at last "Capt…"."""
    forms, last = find_forms(name, said), name.split()[-1:]
    kind = tuple(word.capitalize() for word in last if word.isalpha() and alone[word.casefold()] < 2)
    fitting = (words for words in (*forms, *kind) if len(words) <= most)
    return next(fitting, (*forms, *kind)[-1][: most - 1].rstrip() + SHORT)
