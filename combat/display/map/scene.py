"""The scene as a viewer sees it: zones with their combatants, and the same plane as a map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil, floor
from typing import Any, NamedTuple
from urllib.parse import urlencode

from msgspec.structs import replace

from characters.display.shapes import Shape
from combat.audience.changes import find_players
from combat.audience.map_fog import find_clip
from combat.audience.viewer import Viewer
from combat.display.combatants.tokens import name_fully
from combat.rules.core.basics.words import say_number
from combat.rules.core.commands.commands import Action, find_refusal
from combat.rules.core.declaration.parts import Ring, outline_ring
from combat.rules.core.declaration.system import System
from combat.rules.core.map.bodies import meters_of
from combat.rules.core.odds.planner import (
    Plan,
    find_goal,
    find_place_plans,
    find_stopping_door,
    find_usual_move,
    say_part,
    say_parts,
    say_price,
)
from combat.rules.core.space import (
    DARK,
    DIM,
    BattleMap,
    Deck,
    Passage,
    Picture,
    Point,
    Reach,
    Scene,
    Spot,
    Wall,
    Zone,
    find_zone,
    map_of,
    on_ground,
    plot,
    unplot,
)
from combat.rules.core.space.battle_map import DOOR as MAP_DOOR
from combat.rules.core.space.battle_map import FREE
from combat.rules.core.space.decks import GALLERY, UP, find_deck, find_ends, find_known_ends
from combat.rules.core.space.paths import describe_shut
from combat.rules.core.space.plane import Piece, overlap, piece_of
from combat.rules.core.space.rays.sight import is_open
from combat.rules.core.state.state import Combatant, State, is_acting, present
from combat.sharing.pens import find_ink, find_ink_of
from combat.sharing.viewer_context import ViewerContext

from ..plane.callouts import ENDLESS, FONT, Body, box_of, count_words, place_callouts
from ..plane.crowd import RIDE, RIDER, TOKEN_METERS, find_body, overlaps, spread, step_aside, take_seat
from ..plane.land import Marks, find_hazards, list_marks, list_ranks, view_land
from ..plane.names import HAIR, Box, Name, Named, clear_of, place_names
from ..plane.plan import find_spots, name_door, view_fog, view_plan
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
from ..shapes.scene_shapes import (
    CellView,
    DeckGhost,
    DeckView,
    HoleView,
    Person,
    SceneView,
    Token,
    WayEnd,
    ZoneView,
)
from ..shapes.table_shapes import CombatantView
from .token_names import find_name_box, place_token_names

MAX_STEPS = 40  # grid lines across the map
USUAL_METERS = 30  # the width of a scene whose tokens are two meters wide
CROWDED_METERS = 48  # the width of a battle map on which tokens grow larger than their squares
MIN_SCALE = 0.4
LABEL = 0.62  # of the usual size: the names of zones on a battle map
LEAST = 0.64  # of it: the smallest readable names on wide maps
NARROW = 1.15  # of it: the smallest readable names on narrow maps
NEAR_HALF = 1.65  # meters: half of a token on a narrow map, at scale 1
PEN_FOLD = "map-pens"  # the id of the fold with the list of who may draw
DOOR = "door"  # the field of a game's action that names a door of the map
LETTER, TALL = 0.27, 1.1  # meters: of a letter above a way, and from the way's middle to the top of its words
GHOSTS_M = 4.0  # meters around a hole within which it shows who is on the other deck
# Where the words of a ghost may stand: their middle and the line of the name, in meters from its own
PLACES = (
    *((0.0, 1.1), (0.0, -1.3), (1.0, 0.0), (-1.0, 0.0)),
    *((1.0, 1.1), (-1.0, 1.1), (1.0, -1.3), (-1.0, -1.3), (0.0, 1.9), (0.0, -2.1)),
)
GHOST_HALF, LINE = 0.6, 0.65  # meters: of a ghost, and of a line of its words at their largest
WIDEST = 0.37  # meters of a letter of them
CLEAR, UNSEEN = "Nothing in the way", "No line of sight"


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
    cell = built.cell or (system.space.cell_meters if built or to_draw else 1)
    scale = _find_scale(built, cell, box[2])
    said = [*(zone.name for zone in state.scene.zones), *list_ranks(system.slug)]
    left, top, width, height = box
    edge = (left, top, left + width, top + height)
    tokens = lay_out(
        tokens,
        scale,
        built.walls,
        zones=said,
        edge=edge,
        decks=built.decks,
        signs=find_way_boxes(built),
        zone_of=lambda spot: None if hexes else find_zone(state.scene, Point(*spot)),
    )
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
        _view_zone(system, state.scene, zone, outline=outline, names=name)
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


def _find_scale(built: BattleMap, cell: float, width: float) -> float:
    """The size of what stands on a map of a `width` in meters, where 1 is two meters."""
    corners = ([(one.x, one.y), (one.x + one.width, one.y)] for one in built.decks)
    wide = max((find_box(ends)[2] for ends in corners), default=width)  # a page shows one deck at a time
    scale = max(MIN_SCALE, wide / USUAL_METERS)
    return min(scale, max(cell / 2, wide / CROWDED_METERS)) if built else scale  # people stand in squares


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
        played=row.played,
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
    zone_of: Callable[[Spot], object] = lambda spot: None,
    signs: Sequence[Box] = (),
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
    # people stand beside what is larger than life
    larger = [one for one in rides if one.meters < one.scale * TOKEN_METERS - 0.01]
    bodies = [(one.spot, one.scale * TOKEN_METERS, one.look.heading) for one in larger]
    spots = [
        step_aside(one.spot, scale, bodies, partial(_is_same, zone_of, zone_of(one.spot))) for one in small
    ]
    places = spread(spots, scale)
    moved = [replace(one, spot=spot, scale=size) for one, (spot, size) in zip(small, places, strict=True)]
    drawn = [replace(one, thin=round(scale / one.scale, 3)) for one in (*rides, *large, *moved)]
    named = tuple(place_token_names(drawn, scale, walls, zones=zones, edge=edge, decks=decks, signs=signs))
    bulky = len(rides) + len(large)
    return (*named[:bulky], *sorted(named[bulky:], key=_find_layer), *riders)


def _is_same(zone_of: Callable[[Spot], object], home: object, spot: Spot) -> bool:
    return zone_of(spot) == home


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
    """The tokens with the names of those whom people play as narrow maps show them: where tokens are larger.

    `scale` is the size of the names, `zones` the names of zones. Their places do not
    depend on whose turn it is.
    """
    bodies = {one.id: Body(one.spot, _find_half(one)) for one in tokens if not one.seated}
    played = (one for one in tokens if one.played and one.id in bodies)
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
    nobody = replace(bare, tokens=(), ghosts=(), outside=(), decks=(), elsewhere=(), road=None, bands=())
    return replace(nobody, no_way="", no_ways=(), ways=())


def mark_movable(system: System, state: State, scene: SceneView, viewer: Viewer) -> SceneView:
    """The scene, with marks on the tokens that its viewer can move: those who act, and what they drive."""
    usual = "place" if viewer.is_gm else ""
    acting = [one.id for one in scene.tokens if one.active and (viewer.is_gm or one.id in viewer.seats)]
    drivers = {state[who].inside: who for who in acting if _drives(system, state, who)}
    tokens = [
        replace(
            one,
            moves="way" if one.id in acting or one.id in drivers else usual,
            mover=drivers.get(one.id, ""),
        )
        for one in scene.tokens
    ]
    return replace(scene, tokens=tuple(tokens))


def _drives(system: System, state: State, who: str) -> bool:
    """Whether a way to move is open to someone inside a carrier."""
    usual = find_usual_move(system, state, who) if state[who].inside else None
    return usual is not None and usual[1] is None


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
    looks, rooms = dict(marks), tuple(map(_find_room, scene.zones, areas))
    return tuple(
        Named(
            "" if zone.name.lower() in find_hazards(zone, looks) else zone.name,
            room,
            tuple(_find_over(room, zip(scene.zones[n:], areas[n:], strict=True))),
        )
        for n, (zone, room) in enumerate(zip(scene.zones, rooms, strict=True), 1)
    )


def _find_over(room: tuple[Spot, ...], later: Iterable[tuple[Zone, tuple[Spot, ...]]]) -> Iterator[Box]:
    """What later zones cover of the room of one; zones whose sides lean with the rows lie over none."""
    (left, top), (right, _), (_, low), (foot, _) = room
    own = Piece(left, top, right - left, low - top)
    for zone, area in later if left == foot else ():
        for piece in (zone.parts or (piece_of(zone),)) if area[0][0] == area[3][0] else ():
            if met := overlap(own, piece):
                yield met.x, met.y, met.x + met.width, met.y + met.depth


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


def _view_zone(system: System, scene: Scene, zone: Zone, outline: str, names: tuple[Name, Name]) -> ZoneView:
    """A zone with nobody in it."""
    return ZoneView(
        zone.id,
        zone.name,
        " · ".join(words for _, words in list_marks(system, scene, zone)),
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
    marks = [words for _, words in list_marks(system, state.scene, zone)] if zone else []
    told = ", ".join([f"{price} of {round(reach.meters + reach.left, 1):g}", *marks])
    return replace(cell, way=way, name=zone.name if zone else "", price=price, told=told)


# The parts of a scene that depend on its viewer: fog and the visible picture, doors in reach, pointers.


def view_present_scene(
    context: ViewerContext, people: dict[str, CombatantView], whose: str = ""
) -> SceneView:
    """The scene as it is now and as its viewer may see it; `whose` turn is shown, else the active one's."""
    scene = view_scene(context.system, context.known_state, people, whose=whose)
    return add_decks(context.known_state, uncover(scene, context.full_state, context.viewer))


def uncover(scene: SceneView, state: State, viewer: Viewer) -> SceneView:
    """The scene view of a state with all its secrets, with the viewer's fog and their part of the picture."""
    clip = find_clip(state, viewer)
    if clip:
        scene = replace(scene, box=widen(scene.box, clip.shown))
    plan = replace(scene.plan, picture=clip.shown if clip else None)
    return replace(scene, plan=plan, fog=view_fog(state, viewer))


def widen(box: tuple[int, int, int, int], picture: Picture) -> tuple[int, int, int, int]:
    """The shown part of the plane, extended to hold a picture: left, top, width, height in meters."""
    left, top = min(box[0], floor(picture.x) - 1), min(box[1], floor(picture.y) - 1)
    right = max(box[0] + box[2], ceil(picture.x + picture.width) + 1)
    low = max(box[1] + box[3], ceil(picture.y + picture.depth) + 1)
    return left, top, right - left, low - top


class Handle(Shape, frozen=True):
    """A door within reach: whether it would be opened, and why not now."""

    door: str
    opens: bool
    refused: str


class HandlesView(Shape, frozen=True):
    """The doors that someone can reach in their turn, with the action for them and its cost."""

    combatant: str
    name: str
    action: str
    cost: str
    doors: tuple[Handle, ...]


def view_handles(system: System, state: State, who: str) -> HandlesView | None:
    """The doors within reach of a combatant; None if it is not their turn or there are none."""
    if not is_acting(state, who):
        return None
    for action in system.actions.by_name.values():
        if action.who != "gm" and DOOR in action.type.__struct_fields__:
            doors = _find_handles(action, state, who)
            name = state.combatants[who].name
            return HandlesView(who, name, action.name, cost=action.cost, doors=doors) if doors else None
    return None


def _find_handles(action: Action, state: State, who: str) -> tuple[Handle, ...]:
    against = find_refusal(action, state, who)
    open_doors = {wall.id for wall in map_of(state.scene).walls if wall.open}
    return tuple(
        Handle(option.value, option.value not in open_doors, against.message if against else option.refused)
        for field in action.find_fields(state, who)
        if field.name == DOOR
        for option in field.options
    )


class PenSeat(Shape, frozen=True):
    """A seat that can get a pointer; `ink` is the colour of its pointer."""

    pk: int
    name: str
    ink: int | None


class PensView(Shape, frozen=True):
    """The colour in which a viewer may draw, None if they may not.

    `seats` are the players' for the GM whose list of them is open, else None.
    """

    ink: int | None
    seats: tuple[PenSeat, ...] | None = None


def view_pens(context: ViewerContext, folds: Collection[str]) -> PensView | None:
    """The pointers of a table, for a page with these folds open; None for spectators."""
    if context.viewer.is_spectator:
        return None
    if not context.viewer.is_gm or PEN_FOLD not in folds:
        return PensView(find_ink(context))
    seats = find_players(context.encounter.pk)
    return PensView(0, tuple(PenSeat(seat.pk, seat.name, find_ink_of(seat)) for seat in seats))


# The decks of a scene as drawn: who is on which, the ways between them, and people on other decks. Decks
# lie side by side on the plane, so all are on the map; a page goes from one to the other.


def add_decks(state: State, scene: SceneView) -> SceneView:
    """The scene with the decks that its viewer may know; a scene with one deck stays as it is."""
    built = map_of(state.scene)
    if not built.decks:
        return scene
    decks = sorted(built.decks, key=lambda deck: (deck.height, deck.id))
    on = {token.id: find_deck(decks, token.x, token.y) for token in scene.tokens}
    ends = [(way, *pair) for way in built.ways if (pair := find_ends(built.decks, way))]
    return replace(
        scene,
        decks=tuple(_view_deck(deck, n, scene, on) for n, deck in enumerate(decks, 1)),
        ways=tuple(end for way in built.ways for end in _view_ends(built, way)),
        holes=tuple(hole for way in built.ways for hole in _view_holes(built, way)),
        elsewhere=_place_words(
            dict.fromkeys(ghost for way in ends for ghost in _find_ghosts(*way, scene, on)), scene
        ),
    )


def _view_deck(deck: Deck, number: int, scene: SceneView, on: dict[str, Deck | None]) -> DeckView:
    people = [one for one in scene.tokens if on[one.id] is deck and not one.is_out]
    return DeckView(
        number,
        deck.name,
        (deck.x, deck.y, deck.width, deck.depth),
        people=tuple(one.full_name for one in people),
        acts=any(one.active for one in people),
    )


def _view_ends(built: BattleMap, way: Passage) -> Iterator[WayEnd]:
    """The known ends of a way that people walk; where a blind one leads stays open."""
    ends = find_ends(built.decks, way)
    if way.kind == GALLERY or not (ends or way.blind):
        return
    name, state = way.name or way.kind.capitalize(), "locked" if way.locked else "" if way.open else "shut"
    spots = find_known_ends(way)
    ups = (way.blind == UP,) if way.blind else (True, False)
    for spot, up in zip(spots, ups, strict=True):
        leads = "" if way.blind or not ends else ends[up].name
        yield WayEnd(way.id, way.kind, name, spot=spot, leads=leads, up=up, state=state)


def find_way_boxes(built: BattleMap) -> tuple[Box, ...]:
    """What the ends of ways cover on the map, with the words above them and the price below."""
    return tuple(_find_way_box(end) for way in built.ways for end in _view_ends(built, way))


def _find_way_box(end: WayEnd) -> Box:
    (x, y), half = end.spot, max(0.5, LETTER * len(end.words) / 2)
    return x - half, y - TALL, x + half, y + TALL


def _view_holes(built: BattleMap, way: Passage) -> Iterator[HoleView]:
    """The opening on the upper deck, and what lies under it on the lower one if that is known."""
    if way.hole and way.open:
        x, y, width, depth = way.hole
        yield HoleView(x, y, width, depth, upper=True)
        if ends := find_ends(built.decks, way):
            low, high = ends
            yield HoleView(round(x - high.shift + low.shift, 3), y, width, depth, upper=False)


def _find_ghosts(
    way: Passage, low: Deck, high: Deck, scene: SceneView, on: dict[str, Deck | None]
) -> Iterator[DeckGhost]:
    """Those on one deck, where they are above or below on the other, near an open hole between the two."""
    if not way.hole or not way.open:
        return
    x, y, width, depth = way.hole
    for one in scene.tokens:
        here = on[one.id]
        if here not in (low, high) or one.seated:
            continue
        there = high if here is low else low
        plan = one.x - here.shift + high.shift
        if x - GHOSTS_M <= plan <= x + width + GHOSTS_M and y - GHOSTS_M <= one.y <= y + depth + GHOSTS_M:
            yield _make_ghost(one, here, there)


def _make_ghost(one: Token, here: Deck, there: Deck) -> DeckGhost:
    spot = round(one.x - here.shift + there.shift, 3), one.y
    return DeckGhost(one.name, here.name, spot, up=here.height > there.height)


def _place_words(ghosts: Iterable[DeckGhost], scene: SceneView) -> tuple[DeckGhost, ...]:
    """The ghosts, with words where these cover nobody and no other words, else without."""
    found = list(ghosts)
    taken = [find_body(one.spot, one.scale) for one in scene.tokens]
    taken += [find_name_box(one) for one in scene.tokens]
    taken += [
        (x - GHOST_HALF, y - GHOST_HALF, x + GHOST_HALF, y + GHOST_HALF)
        for x, y in (one.spot for one in found)
    ]
    placed = []
    for ghost in found:
        half = max(len(ghost.name), len(ghost.deck)) * WIDEST / 2
        tried = [(aside * (GHOST_HALF + half) if aside else 0.0, down) for aside, down in PLACES]
        boxes = {at: _find_words_box(ghost.spot, at, half) for at in tried}
        free = next((at for at, box in boxes.items() if not any(overlaps(box, one) for one in taken)), None)
        if free:
            taken.append(boxes[free])
        placed.append(replace(ghost, words=free and (round(free[0], 2), free[1])))
    return tuple(placed)


def _find_words_box(spot: Spot, at: Spot, half: float) -> Box:
    """What two lines of words cover, the first of them at a place beside a spot."""
    x, y = spot[0] + at[0], spot[1] + at[1]
    return x - half, y - LINE, x + half, y + LINE


# Lines of sight in words, distances, and rings around the actor: all by the game's own functions.


@dataclass(frozen=True)
class LineView:
    """A line from one combatant to another: its length, and what the map does to it, in words."""

    id: str
    name: str
    far: str
    words: str
    seen: bool
    spot: Spot


def view_line(system: System, state: State, one: Combatant, other: Combatant) -> LineView:
    """The line of sight from one combatant to another."""
    spot = plot(other.at.x, other.at.y, system.space.has_hexes(state))
    far = "" if one.id == other.id else system.space.zones.describe_far(state, one, other)
    name = name_fully(state, other)
    if system.space.sight is None or is_open(state.scene) or one.id == other.id:
        return LineView(other.id, name, far, words="", seen=True, spot=spot)
    found = system.space.sight(state, one, other)
    words = system.draw(found.label) if found.label else CLEAR
    return LineView(other.id, name, far, words=words if found.seen else UNSEEN, seen=found.seen, spot=spot)


def say_lines(context: ViewerContext, form: Any, actor: str) -> None:
    """Add the line of sight to the label of each target in a form."""
    system, state, field = context.system, context.obscured_state, form.fields.get("target")
    if field is None or system.space.sight is None or is_open(state.scene) or actor not in state.combatants:
        return
    one = state.combatants[actor]
    lines = {
        who: view_line(system, state, one, state.combatants[who])
        for who, _ in field.choices
        if who in state.combatants
    }
    field.choices = [
        (who, ", ".join(filter(None, (label, _lower(lines[who].words)))) if who in lines else label)
        for who, label in field.choices
    ]


def _lower(words: str) -> str:
    return words[:1].lower() + words[1:]


def view_lines(context: ViewerContext, actor: str) -> dict[str, Any]:
    """The lines from one combatant to all others that a viewer knows of, and the rings of its weapons."""
    system, state = context.system, context.obscured_state
    one = state.combatants[actor]
    cell = system.find_eyes(state).grid.cell
    lines = [view_line(system, state, one, other) for other in present(state)]
    return {
        "from": plot(one.at.x, one.at.y, system.space.has_hexes(state)),
        "lines": [
            {"id": x.id, "at": x.spot, "seen": x.seen, "words": [w for w in (x.name, x.far, x.words) if w]}
            for x in lines
        ],
        "rings": [view_ring(ring, cell) for ring in system.space.rings(state, one)],
    }


def measure(context: ViewerContext, start: Spot, end: Spot) -> dict[str, Any]:
    """The distance between two spots of the map, and the points between which the game counts it."""
    system, state = context.system, context.known_state
    hexes = system.space.has_hexes(state)
    a, b = (on_ground(state.scene, Point(*(unplot(*spot) if hexes else spot))) for spot in (start, end))
    found = system.space.measure(state, a, b)
    ends = (plot(place.x, place.y, hexes) for place in (found.start, found.end))
    return {"words": found.words, "ends": [[round(number, 2) for number in spot] for spot in ends]}


def view_ring(ring: Ring, cell: float) -> dict[str, Any]:
    """A ring as drawn around the centre of the plane; one without a path is round."""
    corners = outline_ring(ring, cell)
    low = max((y for _, y in corners), default=ring.meters)
    path = write_outline(corners) if corners else ""
    return {"item": ring.item, "path": path, "metres": ring.meters, "low": round(low, 2), "words": ring.words}


# What stops a move, and the plan that gets past it.


Fields = tuple[tuple[str, str], ...]


class WayOut(Shape, frozen=True):
    """Why a move is stopped, and the plan that helps, as the fields that a form sends for it.

    `words` are empty if no door stops it; without a label nothing helps now. Each of the `parts` has its
    words and its price. `price` is what the plan takes from the turn, `note` why it ends early, `reaction`
    who may react to its last part, and `courses` are those of its parts that move.
    """

    words: str
    label: str = ""
    fields: Fields = ()
    parts: Fields = ()
    price: str = ""
    note: str = ""
    courses: tuple[tuple[Point, ...], ...] = ()
    reaction: str = ""

    @property
    def query(self) -> str:
        """The address of the form that offers the plan."""
        return urlencode([(name, value) for name, value in self.fields if name != "plan"])


def find_way_out(
    system: System, state: State, who: str, to: str, say: Callable[[System, Plan], str] | None = None
) -> WayOut | None:
    """What stops a move of someone, and what helps, as far as its reader may know; None for neither.

    `say` tells who may react to a plan.
    """
    goal = find_goal(system, state, state[who], to)
    door = find_stopping_door(system, state, state[who], goal) if goal else None
    words = ""
    if door:
        doors = [wall for wall in map_of(state.scene).walls if wall.kind == MAP_DOOR]
        words = describe_shut(name_door(door, doors.index(door) + 1), door.locked)
    plans = () if door and door.locked else find_place_plans(system, state, who, to)
    if plans:
        return offer_plan(system, plans[0], words, say(system, plans[0]) if say else "")
    return WayOut(words) if words else None


def offer_plan(system: System, plan: Plan, words: str = "", reaction: str = "") -> WayOut:
    """A plan as a card offers it: its wish is its last part, unless it ends early."""
    wish = plan.wish or {"do": plan.parts[-1].do, **plan.parts[-1].fields}
    fields = tuple(("combatant" if name == "actor" else name, str(value)) for name, value in wish.items())
    return WayOut(
        words,
        say_parts(system, plan),
        (*fields, ("plan", plan.key)),
        parts=tuple((say_part(system, part), say_price(system, (part,))) for part in plan.parts),
        price=say_price(system, plan.parts),
        note=plan.stopped,
        courses=tuple(part.course for part in plan.parts if part.course),
        reaction=reaction,
    )
