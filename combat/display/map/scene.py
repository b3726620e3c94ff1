"""The scene as a viewer sees it: zones with their combatants, and the same plane as a map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import ceil
from typing import NamedTuple
from urllib.parse import urlencode

from msgspec.structs import replace

from combat.audience.viewer import Viewer
from combat.rules.core.basics.words import say_number
from combat.rules.core.commands.commands import Action
from combat.rules.core.declaration.system import System
from combat.rules.core.map.bodies import meters_of
from combat.rules.core.space import (
    DARK,
    DIM,
    Deck,
    Point,
    Reach,
    Scene,
    Spot,
    Wall,
    Zone,
    find_zone,
    map_of,
    plot,
)
from combat.rules.core.space.battle_map import FREE
from combat.rules.core.state.state import Combatant, State

from ..plane.callouts import ENDLESS, FONT, Body, box_of, count_words, place_callouts
from ..plane.crowd import RIDE, RIDER, TOKEN_METERS, find_body, spread, take_seat
from ..plane.land import Marks, find_hazards, list_marks, view_land
from ..plane.names import HAIR, Box, Name, Named, clear_of, place_names
from ..plane.plan import find_spots, view_plan
from ..plane.plotting import (
    PATTERN,
    find_box,
    find_step,
    hold_tokens,
    make_room,
    outline_area,
    outline_cell,
    outline_pieces,
    write_line,
    write_outline,
)
from ..plane.ranks import list_ranks
from ..shapes.scene_shapes import CellView, Person, SceneView, Token, ZoneView
from ..shapes.table_shapes import CombatantView
from .decks import find_way_boxes
from .token_names import find_name_box, place_token_names

MAX_STEPS = 40  # grid lines across the map
USUAL_METERS = 30  # the width of a scene whose tokens are two meters wide
CROWDED_METERS = 48  # the width of a battle map on which tokens grow larger than their squares
MIN_SCALE = 0.4
LABEL = 0.62  # of the usual size: the names of zones on a battle map
LEAST = 0.64  # of it: the smallest readable names on wide maps
NARROW = 1.15  # of it: the smallest readable names on narrow maps
NEAR_HALF = 1.65  # meters: half of a token on a narrow map, at scale 1


def _find_dim(system: System) -> str:
    """The key of a game's light next to the darkest, which comes last; "" if it has only two."""
    lights = system.space.zone_lights
    return lights[-2][0] if len(lights) > 2 or not system.space.lights else ""


class _Drawn(NamedTuple):
    """What the names of zones find on a map: its box, the tokens, and the boxes of things."""

    box: tuple[int, int, int, int]
    tokens: tuple[Token, ...]
    things: tuple[Box, ...]


class _Laid(NamedTuple):
    """A scene as drawn, with nobody in its zones while nobody acts, and the zone of each token.

    `small` is where the tokens of usual size begin and end.
    """

    scene: SceneView
    places: tuple[Zone | None, ...]
    small: tuple[int, int]


def view_scene(
    system: System, state: State, combatants: dict[str, CombatantView], to_draw: bool = False, whose: str = ""
) -> SceneView:
    """The zones with their combatants, and the map of the same plane; `to_draw`: with margins to draw on.

    Distances to zones are from the combatant `whose` turn is shown, else from the active one.
    """
    hexes, walker = system.space.has_hexes(state), state.combatants.get(whose or state.active)
    tokens = tuple([_make_token(state.combatants[who], row, hexes) for who, row in combatants.items()])
    laid = _lay_scene(system, state, tokens, hexes=hexes, to_draw=to_draw)
    standing = list(zip(combatants.values(), laid.places, strict=True))
    zones = zip(state.scene.zones, laid.scene.zones, strict=True)
    drawn = tuple(
        [_fill_zone(system, state, zone, view=view, standing=standing, walker=walker) for zone, view in zones]
    )
    outside = tuple([_view_person(row) for row, place in standing if place is None and drawn])
    return replace(laid.scene, zones=drawn, tokens=_mark_active(laid, combatants), outside=outside)


def _lay_scene(system: System, state: State, tokens: tuple[Token, ...], hexes: bool, to_draw: bool) -> _Laid:
    """The scene with these tokens; whose turn it is makes no difference."""
    places = tuple(find_zone(state.scene, Point(one.x, one.y)) for one in tokens)
    built = map_of(state.scene)
    areas = _find_areas(state.scene, hexes)
    corners = [spot for area in areas for spot in area]
    box = find_box(corners + _find_edges(tokens) + find_spots(built))
    box = box if to_draw else hold_tokens(box, CROWDED_METERS if built else USUAL_METERS)
    ground = tuple(f"{i.name} ({say_number(i.at.x)}, {say_number(i.at.y)})" for i in state.ground if i.at)
    rows = [zone.y for zone in state.scene.zones]
    columns = max(map(rows.count, rows), default=1)
    scale = max(MIN_SCALE, box[2] / USUAL_METERS)
    cell = built.cell or (system.space.cell_meters if built or to_draw else 1)
    if built:  # people stand in squares
        scale = min(scale, max(cell / 2, box[2] / CROWDED_METERS))
    said = [*(zone.name for zone in state.scene.zones), *list_ranks(system.slug)]
    left, top, width, height = box
    edge = (left, top, left + width, top + height)
    tokens = lay_out(tokens, scale, built.walls, zones=said, edge=edge, decks=built.decks)
    tokens = place_near_names(tokens, find_near_scale(scale, box), box, said)
    outlines = tuple(map(_outline, state.scene.zones, areas))
    box = make_room(box, built.cell or system.space.cell_meters) if to_draw else box
    land = view_land(
        state.scene, outlines, system.kinds.ground, width=box[2], hexes=hexes, dim=_find_dim(system)
    )
    lying = [(one.x, one.y, one.x + one.width, one.y + one.depth) for one in built.obstacles]
    things = (*lying, *(sign.box for sign in land.signs), *find_way_boxes(built))
    named = _find_named(state.scene, system.kinds.ground, areas)
    names = _find_names(named, scale, _Drawn(box, tokens, things))
    drawn = tuple(
        _view_zone(system, zone, outline, name)
        for zone, outline, name in zip(state.scene.zones, outlines, names, strict=True)
    )
    step = find_step(box, cell, MAX_STEPS * 2 if to_draw else MAX_STEPS)
    scene = SceneView(
        state.scene.name,
        drawn,
        tokens,
        box=box,
        grid="" if built.grid == FREE else PATTERN if hexes else f"M{step:g} 0H0V{step:g}",
        ground=ground,
        columns=min(columns, 5),
        scale=scale,
        hexes=hexes,
        step=step,
        plan=view_plan(built, state.scene.zones),
        land=land,
        cell=1 if hexes else cell,
        unit=system.space.unit,
    )
    bulky = [one for one in tokens if not one.seated and (one.meters or one.look.is_vehicle)]
    small = len(bulky), len(tokens) - len([one for one in tokens if one.seated])
    return _Laid(scene, places, small)


def _mark_active(laid: _Laid, combatants: dict[str, CombatantView]) -> tuple[Token, ...]:
    """The tokens with marks on those who act, who are drawn over others of their size."""
    tokens, acting = laid.scene.tokens, {who: row.look for who, row in combatants.items() if row.active}
    if not acting:
        return tokens
    marked = [
        replace(o, active=True, look=replace(acting[o.id], badge=o.look.badge)) if o.id in acting else o
        for o in tokens
    ]
    first, last = laid.small
    return (*marked[:first], *sorted(marked[first:last], key=_find_layer), *marked[last:])


def _make_token(combatant: Combatant, row: CombatantView, hexes: bool) -> Token:
    """The token of a combatant where they stand, with no mark of whose turn it is."""
    x, y = combatant.at.x, combatant.at.y
    return Token(
        combatant.id,
        combatant.name,
        x,
        y=y,
        active=False,
        is_out=row.is_out,
        spot=plot(x, y, hexes),
        look=replace(row.look, active=False) if row.look.active else row.look,
        meters=meters_of(combatant),
        full_name=row.full_name,
        opens=row.opens,
        pc=combatant.pc,
        inside=combatant.inside,
    )


def _find_edges(tokens: tuple[Token, ...]) -> list[Spot]:
    """The corners of the areas that the tokens cover."""
    halves = ((token.spot, token.meters / 2) for token in tokens)
    return [(x + side * half, y + side * half) for (x, y), half in halves for side in (-1, 1)]


def lay_out(
    tokens: tuple[Token, ...],
    scale: float,
    walls: Iterable[Wall] = (),
    zones: Iterable[str] = (),
    edge: Box = ENDLESS,
    decks: Sequence[Deck] = (),
) -> tuple[Token, ...]:
    """The tokens as drawn, the lowest first.

    Vehicles and other large ones are to scale. The others are spread so that each is visible, the fallen
    first, the active last; those inside a vehicle are drawn on it. Names leave walls free if there is room;
    no word of one is taken for another one, nor for one of `zones`. None crosses the edge, or that of its
    deck.
    """
    rides = _park([one for one in tokens if one.look.is_vehicle], scale)
    seats = {one.id: one for one in rides}
    riders = _seat([one for one in tokens if one.inside in seats], seats)
    placed = {*seats, *(one.id for one in riders)}
    large = [
        replace(one, scale=max(scale, one.meters / TOKEN_METERS))
        for one in tokens
        if one.meters and one.id not in placed
    ]
    small = [one for one in tokens if not one.meters and one.id not in placed]
    places = spread([one.spot for one in small], scale)
    moved = [replace(one, spot=spot, scale=size) for one, (spot, size) in zip(small, places, strict=True)]
    drawn = [replace(one, thin=round(scale / one.scale, 3)) for one in (*rides, *large, *moved)]
    named = tuple(place_token_names(drawn, scale, walls, zones=zones, edge=edge, decks=decks))
    bulky = len(rides) + len(large)
    return (*named[:bulky], *sorted(named[bulky:], key=_find_layer), *riders)


def _find_layer(token: Token) -> tuple[bool, bool, bool]:
    """The fallen lowest, then those with a number, then others, such as a boss; those who act are on top."""
    return not token.is_out, token.active, not token.look.badge[-1:].isdigit()


def _park(rides: list[Token], scale: float) -> list[Token]:
    """Vehicles in true size, or larger than life where that would be too small to see; none over another."""
    least = RIDE * scale
    spots = zip(rides, spread([one.spot for one in rides], least, clear=1), strict=True)
    return [
        replace(one, scale=one.meters / TOKEN_METERS)
        if one.meters > least * TOKEN_METERS
        else replace(one, spot=spot, scale=size)
        for one, (spot, size) in spots
    ]


def _seat(riders: list[Token], rides: dict[str, Token]) -> list[Token]:
    """Those inside vehicles, in the seats, as small as these."""
    taken = Counter[str]()
    seated = []
    for one in riders:
        ride = rides[one.inside]
        spot = take_seat(ride.spot, ride.scale, ride.look.heading, taken[ride.id])
        taken[ride.id] += 1
        seated.append(replace(one, spot=spot, scale=round(RIDER * ride.scale, 3), seated=True))
    return seated


def place_near_names(
    tokens: tuple[Token, ...], scale: float, box: tuple[int, int, int, int], zones: Iterable[str] = ()
) -> tuple[Token, ...]:
    """The tokens with the names of player characters as narrow maps show them: where tokens are larger.

    `scale` is the size of the names, `zones` the names of zones. Their places do not
    depend on whose turn it is.
    """
    bodies = {one.id: Body(one.spot, _find_half(one)) for one in tokens if not one.seated}
    played = (one for one in tokens if one.pc and one.id in bodies)
    first = sorted(played, key=lambda one: (len(one.id), one.id))
    named = ((one.id, one.name, bodies[one.id]) for one in first)
    left, top, width, height = box
    edge = (left, top, left + width, top + height)
    around, said = list(bodies.values()), count_words((*(one.name for one in tokens), *zones))
    hidden = [body.box for body in around]
    found = place_callouts(named, hidden, FONT * scale, edge, said=said, bodies=around)
    return tuple(
        replace(one, near=found[one.id].scaled(1 / scale), near_scale=scale) if one.id in found else one
        for one in tokens
    )


def find_near_scale(scale: float, box: tuple[int, int, int, int]) -> float:
    """The size of the names of people on narrow maps."""
    return max(scale, NARROW * box[2] / USUAL_METERS)


def _find_half(one: Token) -> float:
    """Half of the width of a token on a narrow map, in meters."""
    return (TOKEN_METERS / 2 if one.look.is_vehicle else NEAR_HALF) * one.scale


def strip_scene(scene: SceneView) -> SceneView:
    """The ground of a scene: without anything that changes when someone moves or has the turn."""

    def strip(zone: ZoneView) -> ZoneView:
        stage = zone.stage and replace(zone.stage, marks=(), stands=(), ways=())
        return replace(
            zone, combatants=(), way="", here=False, refused="", refused_at="", note="", names=(), stage=stage
        )

    bare = replace(scene, zones=tuple(map(strip, scene.zones)), ground=(), fog=None, holes=())
    nobody = replace(bare, tokens=(), ghosts=(), outside=(), decks=(), elsewhere=(), road=None)
    return replace(nobody, no_way="", no_ways=(), ways=())


def mark_movable(scene: SceneView, viewer: Viewer) -> SceneView:
    """The scene, with marks on the tokens that its viewer can move."""
    is_gm = viewer.is_gm
    usual, seats = "place" if is_gm else "", viewer.seats
    tokens = [
        replace(one, moves="way" if one.active and (is_gm or one.id in seats) else usual)
        for one in scene.tokens
    ]
    return replace(scene, tokens=tuple(tokens))


def _find_areas(scene: Scene, hexes: bool) -> tuple[tuple[Spot, ...], ...]:
    """The corners of each zone."""
    return tuple(
        [
            outline_area(
                zone.x, zone.y, zone.width, depth=zone.depth, hexes=hexes and zone.upright is not True
            )
            for zone in scene.zones
        ]
    )


def _find_named(scene: Scene, marks: Marks, areas: tuple[tuple[Spot, ...], ...]) -> tuple[Named, ...]:
    """The zones, reduced to what their names need; without a name if the plate of a hazard says the same."""
    looks = dict(marks)
    said = ("" if zone.name.lower() in find_hazards(zone, looks) else zone.name for zone in scene.zones)
    return tuple(map(Named, said, map(_find_room, scene.zones, areas)))


def _find_names(zones: tuple[Named, ...], scale: float, view: _Drawn) -> tuple[tuple[Name, Name], ...]:
    """The name of each zone for wide maps, and for narrow ones, where tokens are larger."""
    _, _, width, depth = view.box
    usual, least = width / USUAL_METERS, LEAST * max(width, depth) / USUAL_METERS
    bodies = tuple(find_body(one.spot, one.scale) for one in view.tokens)
    hidden = (*bodies, *(find_name_box(one) for one in view.tokens if one.label))
    labels = ((one.near.scaled(one.near_scale), one) for one in view.tokens if one.near)
    line = FONT * find_near_scale(scale, view.box)
    narrowly = (*bodies, *(_pad(box_of(at, one.spot, FONT * one.near_scale)) for at, one in labels))
    below = tuple(_find_below(one, line) for one in view.tokens)
    wide = place_names(zones, max(scale, LABEL * usual, least), least, hidden=hidden, things=view.things)
    wide = tuple([clear_of(name, hidden) for name in wide])
    small = max(scale, NARROW * usual), NARROW * usual
    narrow = place_names(zones, *small, (*narrowly, *below), view.things, may_hide=True)
    return tuple(zip(wide, narrow, strict=True))


def _pad(box: Box) -> Box:
    """A box with the hair around it that names may cross."""
    left, top, right, low = box
    return left - HAIR, top - HAIR, right + HAIR, low + HAIR


def _find_below(one: Token, line: float) -> Box:
    """The line below a token on a narrow map: what stands there reads as its name."""
    (x, y), half = one.spot, _find_half(one)
    return x - half, y + half, x + half, y + half + line


def _find_room(zone: Zone, area: tuple[Spot, ...]) -> tuple[Spot, ...]:
    """The part of a zone with the most room for its name."""
    if not zone.parts:
        return area
    largest = max(zone.parts, key=lambda part: part.width * part.depth)
    return outline_area(largest.x, largest.y, largest.width, depth=largest.depth, hexes=False)


def _outline(zone: Zone, area: tuple[Spot, ...]) -> str:
    return outline_pieces(zone.parts) if zone.parts else write_outline(area)


def _view_zone(system: System, zone: Zone, outline: str, names: tuple[Name, Name]) -> ZoneView:
    """A zone with nobody in it."""
    return ZoneView(
        zone.id,
        zone.name,
        " · ".join(words for _, words in list_marks(system, zone)),
        x=zone.x,
        y=zone.y,
        width=zone.width,
        depth=zone.depth,
        light=DARK if zone.light == DARK else DIM if zone.light and zone.light == _find_dim(system) else "",
        cover=zone.cover,
        combatants=(),
        way="",
        here=False,
        upright=zone.upright is True,
        outline=outline,
        names=names,
    )


def _fill_zone(
    system: System,
    state: State,
    zone: Zone,
    view: ZoneView,
    standing: list[tuple[CombatantView, Zone | None]],
    walker: Combatant | None,
) -> ZoneView:
    """A zone with those who stand in it, and the way that the walker has to it."""
    inside = [row for row, place in standing if place is zone]
    here = walker is not None and walker.id in [row.id for row in inside]
    way = "" if here or walker is None else system.space.zones.describe_way(state, walker, zone)
    if not inside and not way:
        return view
    return replace(view, combatants=tuple([_view_person(row) for row in inside]), way=way, here=here)


def _view_person(row: CombatantView) -> Person:
    return Person(row.id, row.name, row.full_name, opens=row.opens, look=row.look, health=row.health)


def view_cells(
    system: System, state: State, action: Action, actor: str, to: str = ""
) -> tuple[CellView, ...]:
    """The squares or hexes an action can lead to now, each with its cost and the address that chooses it.

    `to` is the chosen one: its path is drawn.
    """
    if action.find_reach is None:
        return ()
    hexes, start = system.space.has_hexes(state), state[actor].at

    def view(reach: Reach) -> CellView:
        x, y = reach.at.x, reach.at.y
        place = f"{x:g},{y:g}"
        spots = tuple(plot(one.x, one.y, hexes) for one in (start, *reach.turns, reach.at))
        cell = CellView(
            x,
            y,
            reach.side,
            outline=write_outline(outline_cell(x, y, reach.side, hexes)),
            spot=spots[-1],
            cost=str(ceil(reach.meters - 0.01)),
            query=urlencode({"combatant": actor, "do": action.name, "to": place}),
        )
        return cell if place != to else _tell_choice(system, state, reach, cell=cell, way=write_line(spots))

    return tuple(map(view, action.find_reach(state, actor)))


def _tell_choice(system: System, state: State, reach: Reach, cell: CellView, way: str) -> CellView:
    """The chosen cell with its path, the name of its zone, its cost, and what matters there."""
    zone = find_zone(state.scene, reach.at)
    price = f"{round(reach.meters, 1):g} {system.space.unit}"
    marks = [words for _, words in list_marks(system, zone)] if zone else []
    told = ", ".join([f"{price} of {round(reach.meters + reach.left, 1):g}", *marks])
    return replace(cell, way=way, name=zone.name if zone else "", price=price, told=told)
