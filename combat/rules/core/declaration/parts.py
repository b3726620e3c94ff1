"""The parts of a game's declaration: its actions, turns, space, look, kinds and tactics."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Literal

import msgspec
from msgspec import UNSET

from ..basics.data import DataError, read_record, read_toml
from ..basics.dice.requests import ChoiceRequest
from ..basics.words import Label, Phrase, say_number
from ..book.rulebook import find_folders
from ..commands.commands import Action, Command
from ..commands.context import RuleContext, Then
from ..map.moving import Mover
from ..sheets.catalogue import Catalogue
from ..space import DARK, DIM, FLOORS, HAZARDS, Scene, Zone, distance
from ..space.battle_map import THINGS
from ..space.plane import Point, Spot, plot
from ..space.rays.sight import Sighting
from ..state.state import Combatant, Condition, Item, State
from .book import StatBlock
from .improvising import Improvising

MOST = 30  # characters: two lines of a narrow tile
WEAPON, HELD = "weapon", "held"
ROUND, SQUARE, OCTAGON, HEXAGON = "round", "square", "octagon", "hexagon"
FINE, HURT, BAD, LOST, OUT = range(5)  # the levels of a part, like those of health
QUARTER = 25  # percent
# Drawings of vehicles from above: static/img/tokens.svg
SHAPES = (
    *("car", "bike", "tracked", "flyer", "boat"),
    *("copter", "plane", "jet", "hover", "ship", "warship", "sub", "raft", "floater"),
    *("rover", "carrier", "tank", "van", "coach", "skimmer"),
)
LOOKS_FILE = "looks.toml"
PERSON, MACHINE = "person", "machine"
FILE = "kinds.toml"
ACTION, CONDITION, DAMAGE = "action", "condition", "damage"
SECTIONS = (ACTION, CONDITION, DAMAGE)
GROUND = "ground"  # the terrains of a game by the floor, hazard or thing they look like on a map
PLAIN, HARM = "ruling", "harm"  # for keys that no game declares
DEFENDED = "outcome.defended"  # the outcome of a check that makes a successful attack fail


def find_brief(action: Action, state: State, combatant: Combatant) -> str:
    """The words on an action's tile, at most MOST characters; none if the name is enough."""
    words = action.brief if action.find_brief is None else action.find_brief(action.brief, state, combatant)
    return words if len(words) <= MOST else f"{words[: MOST - 1].rstrip()}\N{HORIZONTAL ELLIPSIS}"


def name_weapon(
    is_built_in: Callable[[str, Mapping[str, Any]], bool], words: str, state: State, combatant: Combatant
) -> str:
    """The weapon in hand with its remaining rounds; the usual words without one.

    `is_built_in` is that of the game's catalogue: no part of a body is named.
    """
    held = (item for item in _held(combatant) if not is_built_in(item.kind, item.data))
    return next(map(name_rounds, held), words)


def name_loaded(words: str, state: State, combatant: Combatant) -> str:
    """The first weapon in hand that takes rounds, with the remaining ones; the usual words without one."""
    return next((name_rounds(item) for item in _held(combatant) if item.loaded is not None), words)


def _held(combatant: Combatant) -> Iterator[Item]:
    return (item for item in combatant.items if item.place == HELD and item.kind == WEAPON)


def name_rounds(item: Item) -> str:
    """A weapon with its remaining rounds."""
    return item.name if item.loaded is None else f"{item.name}, {item.loaded} left"


class Aboard(msgspec.Struct, frozen=True, kw_only=True):
    """How combatants of a game are inside others, such as in vehicles, where the GM says so."""

    # For how many others a combatant has places; 0 if nobody can be inside it.
    count_places: Callable[[Combatant], int]
    # Puts someone inside, at the first place that is free; Refused without one.
    seat: Callable[[RuleContext, str, str], None]
    # Lets someone inside step out, to a free place.
    step_out: Callable[[RuleContext, str], None]
    # The most speed of a combatant.
    find_top_speed: Callable[[Combatant], int]
    # Lets one that carries others go at a speed, in the game's unit; Refused if it cannot.
    set_off: Callable[[RuleContext, str, int], None]
    # The unit of speeds, as notes write it.
    speed_unit: str = "km/h"


class AfterCare(msgspec.Struct, frozen=True):
    """First aid once a fight is over: the GM's action, its field for who gives it, and its other fields."""

    action: str
    helper: str
    fields: dict[str, str] = {}


class Actions(msgspec.Struct, frozen=True, kw_only=True):
    """The actions of a game. Every game calls the actions `start` and `advance` by these names.

    If several combatants act at once (`State.sharing`), the `advance` command takes a `target`, whose turn
    ends, or `whole` for all of them.
    """

    start: ClassVar[str] = "start"
    advance: ClassVar[str] = "next_turn"

    # The actions by name, in the order of the page.
    by_name: dict[str, Action]
    # The plain attack: the name of its action, and of its check (`check.` before it). Plans, the app's own
    # play, examples of what a rule changes and the report's hits ask for it; "" in games without.
    attack: str = "attack"
    # The actions that are not among the usual ones now, although they are the first of their group.
    find_unusual: Callable[[State, Combatant], frozenset[str]] = lambda state, combatant: frozenset()
    # The names of the actions that come first among the usual ones now, such as driving what moves.
    find_pressing: Callable[[State, Combatant], tuple[str, ...]] = lambda state, combatant: ()
    # The conditions of those who are out of the fight: a revival by the GM ends them.
    out: tuple[str, ...] = ()
    # The numbers with which someone who is out just comes back, by track.
    find_least: Callable[[Combatant], dict[str, int]] = lambda combatant: {}
    # What is left of a number, by its key, within the state that someone is in: of the points that the harm
    # leaves once their sheet is corrected, with them before and after. Nobody changes state by a correction.
    keep_state: Callable[[Combatant, Combatant, str, int], int] | None = None
    # What improvised acts are rolled on and what they cost; without it they are never rolled.
    improvising: Improvising | None = None
    # How combatants are inside others; None in games without.
    aboard: Aboard | None = None
    # First aid once a fight is over; None in games whose first aid is an action of rounds alone.
    after_care: AfterCare | None = None

    def carries(self, combatant: Combatant) -> bool:
        """Whether others can be inside a combatant."""
        return self.aboard is not None and self.aboard.count_places(combatant) > 0

    def has_odds(self, action: Action) -> bool:
        """Whether pages show odds for an action: not if it begins a fight or ends a turn."""
        return action.has_odds and action.name not in (self.start, self.advance)


# A game's turns: budgets, rounds, and the moments when the core calls the game.


class Pool(msgspec.Struct, frozen=True):
    """A part of the turn's budget: a number of actions of a kind; `main`: few end a turn with one unspent.

    `find_most` finds the most where house rules change it.
    """

    key: str
    label: str
    most: int
    rule: str = ""
    main: bool = False
    find_most: Callable[[State], int] | None = None

    def count_most(self, state: State) -> int:
        """The most of it in a turn, by the table's house rules."""
        return self.find_most(state) if self.find_most else self.most


class Seating(msgspec.Struct, frozen=True):
    """A seating order, in games whose turns go round the table.

    `find` returns the combatants with a seat, in order. The GM's action `move` seats its `target` after the
    seat `after`, or first. `find_way` is the direction of the current round, "" before the first.
    """

    label: str
    move: str
    find: Callable[[State], list[str]]
    find_way: Callable[[State], str]
    rule: str = ""


class Interlude(msgspec.Struct, frozen=True):
    """Time between two fights: its words, and the GM's action with its fields that lets it pass.

    `counts` is the field with the number of days, if one command lets several of them pass. `size` says for
    which of the usual rests it stands, `rule` what brings it.
    """

    key: str
    label: str
    action: str
    fields: dict[str, Any] = {}
    counts: str = ""
    size: Literal["", "short", "night", "week"] = ""
    rule: str = ""


class Passing(msgspec.Struct, frozen=True, kw_only=True):
    """What time that passes outside of turns begins and ends (core/turn/turns.py)."""

    # Applies what so many unplayed rounds end and begin, besides durations in turns.
    after_time: Callable[[RuleContext, int], None] | None = None
    # The next moment of the clock, later than now, when something ends or begins that has consequences of
    # its own; None if there is none. Time that passes stops there for `after_time`.
    find_due: Callable[[State], int | None] | None = None
    # The rests between two fights that the forecast of an evening offers, the shortest first.
    interludes: tuple[Interlude, ...] = ()


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """A game's turns: the budget of a turn, and what happens at the moments of a fight."""

    # The budget of a turn.
    pools: tuple[Pool, ...]
    # The length of a round in seconds.
    round_seconds: int
    # Adds a combatant, by id, to a running fight.
    enter: Callable[[RuleContext, str], None]
    # Adds what follows from a change of a combatant; the argument is the combatant before the change.
    after_change: Callable[[RuleContext, Combatant], None]
    # Ends what no longer reaches, such as holds, after a command that changed places or doors; the argument
    # is the state before it.
    after_moves: Callable[[RuleContext, State], None] | None = None
    # Applies all effects of one count together, if several combatants act at once (core/turn/turns.py).
    resolve_count: Callable[[RuleContext, tuple[str, ...]], Then | None] | None = None
    # What each way to move asks: every change of place goes through it.
    mover: Mover = Mover()
    # Ends what ends with a fight.
    end_fight: Callable[[RuleContext], None] | None = None
    # Reacts when the GM sets a score in a fight, with the reason: the game decides if the order follows.
    reseat: Callable[[RuleContext, str, str], None] = lambda context, who, why: None
    # What time outside of turns begins and ends.
    passing: Passing = Passing()
    # The conditions of combatants who act later in the round.
    keeps_turn: tuple[str, ...] = ()
    # The seating order, in games whose turns go round the table.
    seating: Seating | None = None


# Distances for the map: between places, and the ranges of weapons.


class Measured(msgspec.Struct, frozen=True):
    """The distance between two places, in words, and the points it is measured between."""

    words: str
    start: Point
    end: Point


class Ring(msgspec.Struct, frozen=True):
    """All places within some meters of someone, in words, for one weapon by id.

    `shape` is how the game counts: straight; diagonals as 1; every second diagonal as 2; in hexes.
    """

    item: str
    meters: float
    words: str
    shape: str = ROUND


def outline_ring(ring: Ring, cell: float) -> tuple[Spot, ...]:
    """The corners of a ring around the middle of the plane; none for a round one.

    A ring of cells includes the last cell, so it is half a cell wider.
    """
    far = ring.meters + cell / 2
    if ring.shape == SQUARE:
        return (-far, -far), (far, -far), (far, far), (-far, far)
    if ring.shape == OCTAGON:
        near = far * 2 / 3
        quarter = ((0.0, -far), (near, -near), (far, 0.0), (near, near))
        return (*quarter, *((-x, -y) for x, y in quarter))
    if ring.shape == HEXAGON:
        ends = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
        return tuple(plot(far * x, far * y, True) for x, y in ends)
    return ()


# A game's space: properties of places, distances and sight.


Words = tuple[tuple[str, str], ...]  # keys, each with its label


def describe_meters(state: State, combatant: Combatant, zone: Zone) -> str:
    """The distance from a combatant to the middle of a zone, in meters."""
    return f"{say_number(distance(combatant.at, zone.centre))} m"


def describe_straight(state: State, one: Combatant, other: Combatant) -> str:
    """The meters to someone along a straight line, in words."""
    return f"{say_number(distance(one.at, other.at))} m"


class Zones(msgspec.Struct, frozen=True, kw_only=True):
    """What a game says about zones, its named places."""

    # The usual side of a zone, in the unit of its scenes.
    side: int = 10
    # The distance of a zone from a combatant, in words.
    describe_way: Callable[[State, Combatant, Zone], str] = describe_meters
    # The distance to someone in words, as attacks count it.
    describe_far: Callable[[State, Combatant, Combatant], str] = describe_straight
    # Refuses the move to a place ("zone:ID") that the form starts with, once its guards have passed, wherever
    # the action `move` would. Without it pages have to try the move.
    check_way: Callable[[State, str, str], object] | None = None
    # Warnings for the GM about a scene that replaces the current one.
    find_warnings: Callable[[State, Scene], tuple[Label, ...]] = lambda state, scene: ()
    # The rule that makes steps between zones count, if the game has one.
    link_rule: str = ""
    # The rule that makes the GM's own properties of zones count, if the game has one.
    property_rule: str = ""
    # The settings with which a drawn scene of the library is played, where the GM has chosen none.
    drawn_settings: dict[str, str] = {}
    # The house rules of a kind of ground: it matters if one of them is on. Others always matter.
    terrain_options: Mapping[str, tuple[str, ...]] = {}
    # The kind of ground that has no gravity; empty where the game's text has none.
    weightless: str = ""


def measure_straight(state: State, a: Point, b: Point) -> Measured:
    """Meters along a straight line."""
    return Measured(f"{say_number(distance(a, b))} m", a, b)


class Space(msgspec.Struct, frozen=True, kw_only=True):
    """The space of fights: properties of places, and how distances and sight work."""

    # The things that give cover in a zone.
    covers: Words = ()
    # The partial cover that a wall or an obstacle can give.
    wall_covers: Words = ()
    # The levels of light.
    lights: Words = ()
    # The kinds of ground.
    terrains: Words = ()
    # Whether combatants use the map's doors, by one action with the field `door`; else only the GM does.
    doors: bool = False
    # The unit of scenes.
    unit: str = "m"
    # The side of a battle map's square, in that unit.
    cell_meters: float = 1.0
    # Whether places are hexes now: x along the row, y from row to row (axial).
    has_hexes: Callable[[State], bool] = lambda state: False
    # The distance between two places.
    measure: Callable[[State, Point, Point], Measured] = measure_straight
    # How the map affects one combatant's sight of another, and cover.
    sight: Callable[[State, Combatant, Combatant], Sighting] | None = None
    # The distances around a combatant that matter for its weapons, the usual weapon first.
    rings: Callable[[State, Combatant], tuple[Ring, ...]] = lambda state, combatant: ()
    # What a game says about zones.
    zones: Zones = Zones()

    @property
    def zone_lights(self) -> Words:
        """The light that a zone can have: the game's levels; without any, only how dark it looks."""
        return self.lights or tuple((look, look.capitalize()) for look in (DIM, DARK))


# A body or hull as pages draw it: parts with their points, state and actions.


Offer = tuple[str, dict[str, str]]  # the name of an action, and the first values of its form


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A part with its own damage: `now` of `most` points.

    `level` is 0 (fine) to 4 (beyond use) for color and hatching, `word` says the same. `armor` is the
    protection of the part, as text; `text` explains its state. `track` is the number of the combatant that
    holds its points, "" for none. `points` names its shape in that of the figure, by default its own key; a
    value that begins with "M" is an SVG path in a box of 100 by 200. `actions` are offered on a tap: names of
    actions with initial fields. If the field `target` is "", the acting combatant targets the owner of the
    part.
    """

    key: str
    label: str
    now: int
    most: int
    level: int = 0
    word: Label = ""
    armor: str = ""
    text: str = ""
    rule: str = ""
    points: str = ""
    actions: tuple[Offer, ...] = ()
    track: str = ""


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """All parts of a combatant. `shape` is "human", "vehicle", or "" for a row of boxes."""

    shape: str
    title: str
    parts: tuple[Part, ...]


def round_to_quarter(now: int, most: int) -> int:
    """The percentage left of a part, rounded up to a quarter: a bar shows others no more.

    It is never more than 100.
    """
    return min(100, -(-100 * max(0, now) // max(most, 1) // QUARTER) * QUARTER)


# The declaration of a game's look on its pages, and the looks of its stat blocks.


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


Keys = tuple[str, ...]  # of drawn faces and signs, the most fitting first


class LookRows(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A `looks.toml`: keys of faces and signs by the id of a stat block, or in the core by a word."""

    blocks: dict[str, Keys] = {}
    words: dict[str, Keys] = {}


def read_looks(folder: Path, blocks: Iterable[StatBlock]) -> dict[str, Keys]:
    """The looks of a game's stat blocks by their names, in small letters; a variant has those of its base."""
    rows: dict[str, Keys] = {}
    for part in find_folders(folder):
        rows |= _read_rows(part / LOOKS_FILE).blocks
    return {block.name.casefold(): rows[block.id] for block in blocks if block.id in rows}


def check_looks(folder: Path, blocks: Collection[str], drawn: Collection[str]) -> None:
    """Raise DataError unless the looks of a game are of the stat blocks it has, and are drawn."""
    for part in find_folders(folder):
        path = part / LOOKS_FILE
        for block, looks in _read_rows(path).blocks.items():
            if block not in blocks:
                raise DataError(f"{path}: blocks.{block}: {_say_unknown('stat block', block, blocks)}")
            for look in looks:
                if look not in drawn:
                    raise DataError(f"{path}: blocks.{block}: {_say_unknown('face or sign', look, drawn)}")
            if not looks:
                raise DataError(f"{path}: blocks.{block}: name at least one face or sign")


def _say_unknown(kind: str, key: str, known: Collection[str]) -> str:
    near = get_close_matches(key, known, n=1)
    return f"there is no {kind} {key!r}" + (f"; did you mean {near[0]!r}?" if near else "")


@cache
def load_look_words() -> dict[str, Keys]:
    """What words of a name say about a look, in every game."""
    return _read_rows(Path(__file__).parent / LOOKS_FILE).words


def _read_rows(path: Path) -> LookRows:
    return read_record(path, "looks", read_toml(path) if path.exists() else {}, LookRows)


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """The look of a game, its combatants and its log on the pages."""

    # The hue of what is active: a name (teal, lime, rose, violet) or any hue, 0 to 350 degrees in tens.
    accent: str | int = "teal"
    # The sign of the game: an SVG path of lines in a square of 24 units.
    emblem: str = ""
    # What its fights are like, in a few words.
    gist: str = ""
    # What a combatant looks like to everyone, by its sheet: person, alien, animal, robot, drone or vehicle.
    appearance: Callable[[Combatant], str] = lambda combatant: PERSON
    # Whether it is a "person" or a "machine": the conditions that are offered for them differ.
    find_nature: Callable[[Combatant], str] = lambda combatant: PERSON
    # A combatant drawn by parts, if harm has a location; None for a combatant without parts.
    figure: Callable[[State, Combatant], Figure | None] | None = None
    # A vehicle from above; None for anything else.
    vehicle: Callable[[Combatant], Body | None] | None = None
    # Where a vehicle heads on this map, as `Body.heading`; without one it is that of its body.
    heading: Callable[[State, Combatant], float] | None = None
    # The fight as a chase along a road; None if it is none now.
    chase: Callable[[State], Chase | None] | None = None
    # What a condition is about, for a chip that shows it beside the name.
    about: Callable[[Condition], Label] = lambda held: ""
    # The rules whose changes of a condition another line of the log already tells.
    silent_rules: frozenset[str] = frozenset()
    # Keys: sentences that say no more than the lines beside them, and reasons of ends without a line.
    silent_lines: frozenset[str] = frozenset()


# Kinds of actions, conditions and damage: each has one icon and one hue in every game.


CORE = Path(__file__).parent / FILE
_CORE = read_toml(CORE)


def load_kinds() -> dict[str, str]:
    """Every kind with the words for it, in the order of the legend."""
    return dict(_CORE["kinds"])


def list_marks() -> tuple[str, ...]:
    """The kinds of conditions that a token shows as marks, the most urgent first."""
    return tuple(_CORE["on_tokens"])


class Kinds(msgspec.Struct, frozen=True):
    """The kinds of one game's keys, section by section, and the damage of its weapons by name.

    `ground` are the terrains that are drawn on a map, each with the floor, hazard or thing it looks like.
    """

    sections: dict[str, dict[str, str]]
    weapons: dict[str, str] = {}
    ground: tuple[tuple[str, str], ...] = ()

    @property
    def legend(self) -> tuple[tuple[str, str], ...]:
        """The kinds a game has, each with its words."""
        used = {kind for kinds in self.sections.values() for kind in kinds.values()}
        return tuple((kind, words) for kind, words in load_kinds().items() if kind in used)

    def of_action(self, name: str) -> str:
        """The kind of an action."""
        return self.sections[ACTION].get(name, PLAIN)

    def of_condition(self, kind: str) -> str:
        """The kind of a condition; for one that the GM made up, that of a decision."""
        return self.sections[CONDITION].get(kind, PLAIN)

    def sign_of(self, held: Condition) -> str:
        """The kind of a condition that someone has: one of the GM's own names it."""
        return self.of_condition(held.kind) if held.own is UNSET else held.own.sign

    def of_damage(self, why: Label) -> str:
        """The kind of damage from a source: a cause by its key, a weapon by its name."""
        causes, words = self.sections[DAMAGE], _find_words(why)
        found = (self.weapons.get(word) or causes.get(word.rpartition(".")[2]) for word in words)
        return next(filter(None, found), HARM)


def _find_words(why: Label) -> Iterator[str]:
    """The key of a label and all its arguments."""
    if not isinstance(why, Phrase):
        yield why
        return
    yield why.key
    for filled in why.args.values():
        if isinstance(filled, str | Phrase):
            yield from _find_words(filled)


def read_kinds(folder: Path, catalogue: Catalogue | None) -> Kinds:
    """The kinds of a game: those of the core, of its base if it is a variant, and its own."""
    sections: dict[str, dict[str, str]] = {section: {} for section in (*SECTIONS, GROUND)}
    for path in (CORE, *(part / FILE for part in find_folders(folder))):
        for section, kinds in _read_sections(path):
            sections[section] |= {key: kind for kind, keys in kinds.items() for key in keys}
    ground = tuple(sections.pop(GROUND).items())
    return Kinds(sections, find_weapons(sections[DAMAGE], catalogue) if catalogue else {}, ground)


def _read_sections(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for section, kinds in (read_toml(path) if path.exists() else {}).items():
        if section in (*SECTIONS, GROUND):
            known = (*FLOORS, *HAZARDS, *THINGS) if section == GROUND else (*load_kinds(),)
            if unknown := kinds.keys() - {*known}:
                wrong, allowed = ", ".join(sorted(unknown)), ", ".join(known)
                raise DataError(f"{path}: [{section}]: {wrong}: no such kind; it is one of {allowed}")
            yield section, kinds


def find_weapons(damage: Mapping[str, str], catalogue: Catalogue) -> dict[str, str]:
    """The damage kind of each catalogue entry that deals damage, by name: the first matching word counts."""
    found = {}
    for entry in catalogue.find_entries():
        words = {entry.kind, *_find_texts(entry.record.values())}
        kind = next((kind for word, kind in damage.items() if word in words), "")
        if kind and ("damage" in entry.record or entry.kind in damage):
            found[entry.name] = kind
    return found


def _find_texts(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, list | tuple):
            yield from (each for each in value if isinstance(each, str))


# A game's tactics: automatic play, and what its odds tell.


class Candidate(msgspec.Struct, frozen=True):
    """A preparation to try first: an action with its fields, or the same command with other fields."""

    label: str
    name: str = ""
    fields: dict[str, Any] = {}
    rule: str = ""


class Handling(msgspec.Struct, frozen=True, kw_only=True):
    """The actions that mend what keeps someone from another action, by name; empty where a game has none."""

    # The field that names an item in these actions
    field: str = "item"
    draw: str = ""
    put_away: str = ""
    drop: str = ""
    reload: str = ""
    # One action that puts items away and draws others, by its fields "stow" and "draw"
    exchange: str = ""
    # How those in these conditions get up: the action with its fields
    stand: str = ""
    standing: Mapping[str, str] = {}
    low: tuple[str, ...] = ()


class Tactics(msgspec.Struct, frozen=True, kw_only=True):
    """How the app plays a combatant, and what the odds of an action tell."""

    # The next sensible action of a combatant with its command; None if its turn should end.
    suggest: Callable[[State, str], tuple[str, Command] | None]
    # What could raise the chance of an action with this command (core/odds/proposals.py).
    find_candidates: Callable[[State, str, Any], tuple[Candidate, ...]] | None = None
    # What mends what keeps someone from another action (core/odds/planner.py).
    handling: Handling | None = None
    # More that might mend an action with these fields, which its game alone has.
    find_mends: Callable[[State, str, Mapping[str, Any]], Iterable[Candidate]] | None = None
    # Whether someone who can fight could ever do anything to others, with all that they have or might take:
    # not a drone that nobody steers. A side without anyone who can is out.
    can_harm: Callable[[State, Combatant], bool] = lambda state, combatant: True
    # The sides that fight nobody and cannot win.
    neutral: tuple[str, ...] = ()
    # The app's answer to a question, by the rule that asks it, if it is not the default.
    policy: Mapping[str, str] = {}
    # The words of the odds for going down and, if that chance is shown too, for staying up.
    falls: tuple[str, str] = ("drops", "")
    # What happened to a combatant besides going down, from the states before and after: for the odds.
    other_outcomes: Callable[[Combatant, Combatant], tuple[Label, ...]] | None = None
    # Merges states whose differences no longer matter for the next step, given its arguments:
    # neither that step nor the odds look at them. Tracks and health stay.
    blur: Callable[[State, tuple[Any, ...]], State] | None = None

    def decide(self, request: ChoiceRequest) -> str:
        """The app's answer to a question."""
        return self.policy.get(request.rule, request.default)
