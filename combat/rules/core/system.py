"""What a game declares to the core: its actions, words, tables and stat blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from .basics.errors import Refused
from .basics.memory import remember
from .basics.modifiers import Derived
from .basics.numbers import say_whole
from .basics.requests import ChoiceRequest
from .basics.words import Label, MessageCatalogue, load_words
from .book.printed import BookTable, no_tables
from .book.rulebook import Rulebook, find_code_folder, find_folders, load_rulebook
from .book.versions import RuleVersions, load_versions
from .briefs import Brief
from .commands.commands import Action, Command, read_command
from .commands.context import RuleContext, Then
from .defaults import (
    describe_metres,
    keep_seat,
    lend_nothing,
    look_human,
    measure_straight,
    no_hexes,
    no_warnings,
    offer_all,
    own_all,
    stand_alone,
    stand_there,
    tell_nothing,
)
from .figures import Figure
from .kinds import Kinds, read_kinds
from .options import TABLE_OPTIONS, find_defaults
from .options import Setting as Setting
from .options import TableOption as TableOption
from .sheets.catalogue import Catalogue
from .sheets.foreign import ItemReader, Reader
from .sheets.lines import Lines
from .sheets.sheets import SheetPlan
from .space import Point, Scene, Wall, Zone, map_of
from .space.grid import make_grid
from .space.rings import Measured, Ring, no_rings
from .space.sight import Sighting
from .state.state import Combatant, Condition, Item, Scalar, State
from .vision import Eyes, find_player_sides, find_unknown, find_witnesses, knows_wall

CORE_WORDS = Path(__file__).parent / "words.toml"


class Pool(msgspec.Struct, frozen=True):
    """A part of the turn's budget: so many actions of a kind."""

    key: str
    label: str
    most: int
    rule: str = ""


FOR_GOOD = "nothing"  # what ends a condition that stays: a row of the table says it, a chip does not


class ConditionKind(msgspec.Struct, frozen=True):
    """A condition of the book: what it does and what ends it, for chips and cards.

    One that is `bound` ends with the fighter it comes from, such as a hold. `takes` are the pools of
    a turn that it leaves empty.
    """

    kind: str
    label: str
    text: str
    ends: str
    rule: str
    for_gm: bool = True
    bound: bool = False
    takes: tuple[str, ...] = ()


class Track(msgspec.Struct, frozen=True):
    """A number of a fighter that changes in play. One that `rises` counts harm up, not life down."""

    key: str
    label: str
    low: int | None = None
    rises: bool = False


class Toll(msgspec.Struct, frozen=True):
    """Points that several `tracks` share, in games that divide a wound among them.

    `harm` takes so many from a fighter as the rules and its player divide them, and `heal` gives them
    back; both are told why. Odds add the shared tracks up.
    """

    key: str
    label: str
    tracks: tuple[str, ...]
    harm: Callable[[RuleContext, str, int, Label], Then | None]
    heal: Callable[[RuleContext, str, int, Label], Then | None]


FIGHT, DAY, SESSION = "fight", "day", "session"
DAY_SECONDS = 86_400


class Use(msgspec.Struct, frozen=True):
    """Something a fighter has so often in a span: a fight, a day or a session.

    `key` is the mark that says what is used (see core/spans.py), or with `track` the number that is
    spent. What lasts longer than a fight goes home to the sheet; numbers do so anyway.
    """

    key: str
    label: str
    span: str
    rule: str = ""
    track: bool = False

    @property
    def word(self) -> str:
        """The key of its label."""
        return f"use.{self.key}"

    @property
    def goes_home(self) -> bool:
        """Whether a sheet keeps it as a mark."""
        return self.span != FIGHT and not self.track


# What stylesheets call each level of health
TONES = ("is-well", "is-hurt", "is-injured", "is-critical", "is-dying")


class Health(msgspec.Struct, frozen=True):
    """How a combatant is: now and most in points, the label of the book's word, and a share of 0 to 1.

    `level` is 0 (fine) to 4 (out) for colour and shape; `out` when it cannot act any more.
    Where harm is counted up (`rises`), `now` is the harm taken and `most` what can be borne.
    """

    now: int
    most: int
    word: Label
    share: float
    level: int
    out: bool
    dead: bool = False
    label: str = "HP"
    rises: bool = False

    @property
    def bar(self) -> int:
        """How much of its bar is full, in percent: what is left, or the harm where that is counted up."""
        return fill_bar(round(100 * self.share), self.rises)

    @property
    def number(self) -> str:
        """ "44 / 104", or "3 of 13 damage" where harm is counted up."""
        now, most = say_whole(self.now), say_whole(self.most)
        return f"{now} of {most} {self.label}" if self.rises else f"{now} / {most}"


def fill_bar(left: int, rises: bool) -> int:
    """How much of a bar is full, in percent, for so many percent that are left."""
    return 100 - left if rises else left


class StatBlock(msgspec.Struct, frozen=True):
    """A ready opponent of the library."""

    id: str
    name: str
    tier: str
    summary: str
    sheet: dict[str, Any]


class DemoStep(msgspec.Struct, frozen=True):
    """One step of a scripted fight: the command, the answers it will get, in order.

    A number list answers a roll (the faces), a word answers a choice.
    """

    name: str
    command: dict[str, Any] = {}
    answers: tuple[tuple[int, ...] | str, ...] = ()


class Demo(msgspec.Struct, frozen=True):
    """A ready fight: what sets it up, and the script of the printed example."""

    name: str
    intro: str
    setup: tuple[DemoStep, ...]
    script: tuple[DemoStep, ...]


class Seating(msgspec.Struct, frozen=True):
    """A game in which turns go round the table: who sits where, and which way a round goes.

    `find` names the fighters with a seat, in their order. The GM's action `move` puts its `target`
    behind the seat `after`, or first. `find_way` says how the round under way goes, "" before one.
    """

    label: str
    move: str
    find: Callable[[State], list[str]]
    find_way: Callable[[State], str]
    rule: str = ""


class System(msgspec.Struct, frozen=True, kw_only=True):
    """One game. Everything the core, the pages and the tests need to know of it.

    Where several act at once (`State.sharing`), the `advance` command takes a `target`, whose turn
    ends, or `whole` for all of them. `policy` is what the tactics answer to a question, by the rule that
    asks it, where that is not its default. `falls` are the words of the odds for going down and, if it
    wants that chance as well, for staying up. `warn_scene` says what a game finds odd about a
    scene that takes the place of the one there is, for the GM. `reseat` is told of a score that the GM sets
    in a fight, with the reason: the order follows when the game says. `arrive` is told which fighter the GM
    has put somewhere in a fight. `seating` is for games that go round the table.
    The first of the `tracks` is the one that health is told by; `toll` is for games where several share it.
    `describe_way` says in words how far a zone is from a fighter; `zone_metres` is the usual side of one.
    `measure` says how far it is from place to place of the map, `unit` is what its scenes are counted in.
    `cell_metres` is the side of a square of its battle maps, `wall_covers` what a wall or an obstacle on them
    can give besides no cover and full cover.
    `look` says what the map does to the sight of one combatant to another, and to cover. `rings` are the
    distances around a combatant that matter to their weapons, the usual weapon first.
    `has_hexes` says whether places are hexes now: x along the row, y from row to row (axial).
    `briefs` are what actions come to now, by their names, in a few words.
    `accent` is the hue of what is active on its pages: teal, lime, rose or violet; `emblem` its sign, an SVG
    path of lines in a square of 24.
    `likeness` is what a combatant looks like to anybody: person, alien, animal, robot, drone or vehicle.
    `link_rule` and `property_rule` are the rules that make steps between zones and the GM's own
    properties of them count, where a game has such.
    `demo` is the fight a table sees first; `more_demos` are others, each with a name of its own.
    `blur` gives a state without what neither the next step, of which it is given the arguments, nor the
    odds panel looks at: tracks and health stay as they are. States that look the same then count as one.
    `stations` are the places that somebody can hold inside a carrier, by key, and their words.
    `uses` are what somebody has so often in a fight, on a day or in a session.
    `about` says what a condition is about, where a chip tells that beside its name; `lent` are the things of
    others that somebody has in hand, such as the guns of a carrier. `told_otherwise` are the rules whose
    changes of a condition another line of the log tells. `keeps_turn` are the conditions of who takes up
    their turn later in the round.
    `defended` is the outcome of a check by which an attack that had succeeded comes to nothing.
    `stands` says of who is not out whether they can fight, such as a vehicle only by those aboard.
    `neutral` are sides that fight nobody, and have nothing to win.
    Where several act at one count, `take_effect` lets all they did take effect together (core/turns.py).
    `close_fight` ends what ends with a fight. `befalls` says, of a combatant before and after, what
    happened to it besides going down, for the odds.
    `owns_track` says whether a combatant has a track at all: all have them all, where a game does not say.
    `figure` draws a combatant by its parts, where harm has a place; None for one that has none.
    `tables` are those that its rulebook page shows, made when that is asked for.
    `lines` reads a combatant from one line of text, where a game has such a form. `readers` read the files
    and texts of other programs, `item_readers` their things by themselves.
    `offers_block` says whether this table's library shows a stat block.
    `sheets` and `catalogue` are what pages for characters and gear need; without them a game has none.
    """

    slug: str
    name: str
    folder: Path
    sheet: type
    actions: dict[str, Action]
    options: tuple[TableOption, ...]
    settings: tuple[Setting, ...]
    pools: tuple[Pool, ...]
    tracks: tuple[Track, ...]
    conditions: dict[str, ConditionKind]
    covers: tuple[tuple[str, str], ...]
    lights: tuple[tuple[str, str], ...]
    terrains: tuple[tuple[str, str], ...]
    round_seconds: int
    make_combatant: Callable[[str, str, str, dict[str, Any], dict[str, Scalar]], Combatant]
    find_blocks: Callable[[], dict[str, StatBlock]]
    health: Callable[[Combatant], Health]
    facts_of: Callable[[State, Combatant], tuple[Derived, ...]]
    settle: Callable[[RuleContext, Combatant], None]
    enter: Callable[[RuleContext, str], None]
    suggest: Callable[[State, str], tuple[str, Command] | None]
    demo: Callable[[], Demo]
    more_demos: tuple[Callable[[], Demo], ...] = ()
    start: str = "start"
    advance: str = "next_turn"
    policy: Mapping[str, str] = {}
    suggestions: Callable[[State, str, Any], tuple[Any, ...]] | None = None
    falls: tuple[str, str] = ("drops", "")
    reseat: Callable[[RuleContext, str, Any], None] = keep_seat
    arrive: Callable[[RuleContext, str], None] = stand_there
    warn_scene: Callable[[State, Scene], tuple[Label, ...]] = no_warnings
    describe_way: Callable[[State, Combatant, Zone], str] = describe_metres
    zone_metres: int = 10
    measure: Callable[[State, Point, Point], Measured] = measure_straight
    unit: str = "m"
    cell_metres: float = 1.0
    look: Callable[[State, Combatant, Combatant], Sighting] | None = None
    rings: Callable[[State, Combatant], tuple[Ring, ...]] = no_rings
    wall_covers: tuple[tuple[str, str], ...] = ()
    has_hexes: Callable[[State], bool] = no_hexes
    briefs: Mapping[str, Brief] = {}
    accent: str = "teal"
    emblem: str = ""
    likeness: Callable[[Combatant], str] = look_human
    link_rule: str = ""
    property_rule: str = ""
    seating: Seating | None = None
    uses: tuple[Use, ...] = ()
    neutral: tuple[str, ...] = ()
    take_effect: Callable[[RuleContext, tuple[str, ...]], Then | None] | None = None
    close_fight: Callable[[RuleContext], None] | None = None
    befalls: Callable[[Combatant, Combatant], tuple[Label, ...]] | None = None
    tables: Callable[[], tuple[BookTable, ...]] = no_tables
    toll: Toll | None = None
    sheets: SheetPlan | None = None
    catalogue: Catalogue | None = None
    lines: Lines | None = None
    readers: tuple[Reader, ...] = ()
    item_readers: tuple[ItemReader, ...] = ()
    offers_block: Callable[[State, StatBlock], bool] = offer_all
    figure: Callable[[State, Combatant], Figure | None] | None = None
    owns_track: Callable[[Combatant, str], bool] = own_all
    stations: tuple[tuple[str, str], ...] = ()
    blur: Callable[[State, tuple[Any, ...]], State] | None = None
    about: Callable[[Condition], Label] = tell_nothing
    lent: Callable[[State, Combatant], tuple[Item, ...]] = lend_nothing
    told_otherwise: frozenset[str] = frozenset()
    keeps_turn: tuple[str, ...] = ()
    stands: Callable[[State, Combatant], bool] = stand_alone
    defended: str = ""

    def __repr__(self) -> str:
        """Short: what a game declares is long, and tests that fail print it."""
        return f"System({self.slug!r})"

    def find_eyes(self, state: State) -> Eyes:
        """How combatants look at this encounter's map."""
        grid = make_grid(map_of(state.scene), self.cell_metres, self.has_hexes(state))
        return Eyes(grid, lambda fighter: self.health(fighter).out)

    def find_witnesses(self, state: State, people: Iterable[str]) -> frozenset[str] | None:
        """The combatants whose players may know of all these people; None where everybody may."""
        return find_witnesses(state, self.find_eyes(state), people)

    def find_unknown(self, state: State) -> frozenset[str]:
        """The combatants of whom not everybody may know, those who left included."""
        return find_unknown(state, self.find_eyes(state), find_player_sides(state))

    def knows_wall(self, state: State, wall: Wall) -> bool:
        """Whether every player knows of a wall or a door of the map."""
        return knows_wall(state, self.find_eyes(state), wall)

    def find_track(self, key: str) -> Track:
        """The track of this key, or that of points which several tracks share."""
        if self.toll is not None and key == self.toll.key:
            return Track(key, self.toll.label, 0)
        return next(track for track in self.tracks if track.key == key)

    def find_tracks(self, fighter: Combatant) -> tuple[Track, ...]:
        """The tracks that a combatant has."""
        return tuple(track for track in self.tracks if self.owns_track(fighter, track.key))

    def option(self, state: State, key: str) -> Any:
        """The value of a table option in this encounter."""
        options = state.options
        return options[key] if key in options else find_defaults(self.options)[key]

    @property
    def all_options(self) -> tuple[TableOption, ...]:
        """The game's table options and those every table has."""
        return (*TABLE_OPTIONS, *self.options)

    def setting(self, state: State, key: str) -> str:
        """The value of a scene condition in this encounter."""
        settings = state.scene.settings
        return settings[key] if key in settings else str(find_defaults(self.settings)[key])

    def action(self, name: str) -> Action:
        """The action of this name; Refused("unknown") if the game has none."""
        found = self.actions.get(name)
        if found is None:
            raise Refused("unknown", f"{self.name} has no action “{name}”.")
        return found

    def has_odds(self, action: Action) -> bool:
        """Whether the chances of an action are told: not of what begins a fight or ends a turn."""
        return action.has_odds and action.name not in (self.start, self.advance)

    def read(self, name: str, data: dict[str, Any]) -> tuple[Action, Command]:
        """Make a typed command of a stored or posted one."""
        action = self.action(name)
        return action, read_command(action, data)

    def find_block(self, key: str) -> StatBlock | None:
        """The stat block of this key."""
        return self.find_blocks().get(key)

    @property
    def demos(self) -> tuple[Demo, ...]:
        """All demo fights, the first one first."""
        return tuple(make() for make in (self.demo, *self.more_demos))

    @property
    def words(self) -> MessageCatalogue:
        """The game's words and the core's by key, loaded when first wanted."""
        return _load_words(self.folder, self)

    def draw(self, label: Label, names: Mapping[str, str] = {}) -> str:
        """The words of a label; `names` are those of the combatants somebody may know."""
        return self.words.draw(label, names)

    @property
    def rulebook(self) -> Rulebook:
        """The game's rulebook, loaded when first wanted."""
        return load_rulebook(self.folder)

    @property
    def versions(self) -> RuleVersions:
        """The versions of its rules, and what changed with each, loaded when first wanted.

        A variant is the same code as the game it stands on, so it has its versions.
        """
        return _find_versions(self)

    def begin(self) -> State:
        """An empty encounter, under the newest version of the rules."""
        return self.versions.begin(State(self.slug))

    @property
    def kinds(self) -> Kinds:
        """Of which kind its actions, conditions and damage are, read when first wanted."""
        if self.folder not in _KINDS:
            _KINDS[self.folder] = read_kinds(self.folder, self.catalogue)
        return _KINDS[self.folder]

    def decide(self, request: ChoiceRequest) -> str:
        """What the tactics answer to a question."""
        return self.policy.get(request.rule, request.default)

    def describe_condition(self, kind: str) -> ConditionKind:
        """The book's words on a condition; a plain one for what the GM made up."""
        known = self.conditions.get(kind)
        return known or ConditionKind(kind, kind.replace("_", " ").capitalize(), "", "", "")


def make_condition(state: State, kind: ConditionKind, **more: Any) -> Condition:
    """A new condition of a kind, with an id no other one has; its words are those of its kind."""
    fields = {"label": f"condition.{kind.kind}", "rule": kind.rule, **more}
    return Condition(id=f"k{state.made + 1}", kind=kind.kind, **fields)


@remember
def _find_versions(system: System) -> RuleVersions:
    """Once for each game, without a look at the disk: every command asks for them."""
    return load_versions(find_code_folder(system.folder))


_LOADED: dict[Path, MessageCatalogue] = {}
_KINDS: dict[Path, Kinds] = {}


def _load_words(folder: Path, system: System) -> MessageCatalogue:
    """The words of a folder over those of games it is a variant of, what is declared, and the core's."""
    if folder not in _LOADED:
        words = load_words(CORE_WORDS) | _find_declared(system)
        for part in find_folders(folder):
            words |= load_words(part / "words.toml") if (part / "words.toml").exists() else {}
        _LOADED[folder] = MessageCatalogue(words)
    return _LOADED[folder]


def _find_declared(system: System) -> dict[str, str]:
    """The words that a game's declarations hold: of its conditions, tracks, pools and actions."""
    words = {f"condition.{kind.kind}": kind.label for kind in system.conditions.values()}
    words |= {f"track.{track.key}": track.label for track in system.tracks}
    words |= {f"track.{system.toll.key}": system.toll.label} if system.toll else {}
    words |= {f"pool.{pool.key}": pool.label for pool in system.pools}
    words |= {use.word: use.label for use in system.uses}
    words |= {f"station.{key}": label for key, label in system.stations}
    return words | {f"action.{action.name}": action.label for action in system.actions.values()}
