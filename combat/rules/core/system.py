"""What a game declares to the core: its actions, words, tables and stat blocks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from .commands import Action, Command, read_command
from .errors import Refused
from .modifiers import Modifiers
from .printed import BookTable, no_tables
from .rulebook import Rulebook, load_rulebook
from .sheets import SheetPlan
from .shelf import Catalogue
from .space import Scene, Zone, distance
from .state import Combatant, Condition, Scalar, State
from .table import Table


class TableOption(msgspec.Struct, frozen=True):
    """A house rule the GM may set: its default, the reason for it and its ruling.

    `number`, if given, is a range: any whole number in it will do as well.
    """

    key: str
    label: str
    default: Scalar
    choices: tuple[Scalar, ...] = ()
    ruling: str = ""
    help: str = ""
    number: tuple[int, int] | None = None


# Options of the table itself, the same in every game
TABLE_OPTIONS = (
    TableOption(
        "typed_dice",
        "Dice are rolled at the table",
        False,
        help="The app is quicker; any single roll can be typed all the same. It asks for all of them.",
    ),
    TableOption(
        "foe_health",
        "Players see the health of others as",
        "word",
        ("number", "word", "bar", "nothing"),
        help="A word says what the characters can see and leaves the figure to the game master.",
    ),
    TableOption(
        "answer_seconds",
        "Seconds until an open question takes its usual answer (0: it waits)",
        0,
        (0, 15, 30, 60),
        help="Nobody is hurried unless the table wants it.",
    ),
    TableOption(
        "gm_keeps_tracks",
        "The GM may change health, ammunition and conditions on the sheets of characters who sit here",
        False,
        help="A sheet belongs to its player.",
    ),
)


class Setting(msgspec.Struct, frozen=True):
    """A scene condition, such as light or gravity, with its possible values."""

    key: str
    label: str
    choices: tuple[tuple[str, str], ...]
    default: str
    rule: str = ""


class Pool(msgspec.Struct, frozen=True):
    """A part of the turn's budget: so many actions of a kind."""

    key: str
    label: str
    most: int
    rule: str = ""


class ConditionKind(msgspec.Struct, frozen=True):
    """A condition of the book: what it does and what ends it, for chips and cards.

    One that is `bound` ends with the fighter it comes from, such as a hold.
    """

    kind: str
    label: str
    text: str
    ends: str
    rule: str
    for_gm: bool = True
    bound: bool = False


class Track(msgspec.Struct, frozen=True):
    """A number of a fighter that changes in play. One that `rises` counts harm up, not life down."""

    key: str
    label: str
    low: int | None = None
    rises: bool = False


class Health(msgspec.Struct, frozen=True):
    """How a fighter is: now and most in points, the book's word, and a share of 0 to 1.

    `level` is 0 (fine) to 4 (out) for colour and shape; `out` when it cannot act any more.
    Where harm is counted up (`rises`), `now` is the harm taken and `most` what can be borne.
    """

    now: int
    most: int
    word: str
    share: float
    level: int
    out: bool
    dead: bool = False
    label: str = "HP"
    rises: bool = False


class StatBlock(msgspec.Struct, frozen=True):
    """A ready opponent of the library."""

    id: str
    name: str
    tier: str
    summary: str
    sheet: dict[str, Any]


class Measure(msgspec.Struct, frozen=True):
    """A number of the odds panel, exact: chance 0 to 1."""

    label: str
    chance: float
    rule: str = ""
    who: str = ""
    kind: str = ""


class Derived(msgspec.Struct, frozen=True):
    """A number that follows from others: its terms, its rule and its unit."""

    label: str
    value: int
    terms: Modifiers = ()
    rule: str = ""
    unit: str = ""


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


def no_warnings(scene: Scene) -> tuple[str, ...]:
    """Nothing is odd about the scene."""
    return ()


def keep_seat(table: Table, who: str, why: str) -> None:
    """The order does not follow a score."""


def describe_metres(state: State, fighter: Combatant, zone: Zone) -> str:
    """How far the middle of a zone is from a fighter, in metres."""
    return f"{distance(fighter.at, zone.centre):.0f} m"


def no_hexes(state: State) -> bool:
    """The plane is measured as it is."""
    return False


class System(msgspec.Struct, frozen=True, kw_only=True):
    """One game. Everything the core, the pages and the tests need to know of it.

    Where several act at once (`State.sharing`), the `advance` command takes a `target`, whose turn
    ends, or `whole` for all of them. `falls` are the words of the odds for going down and, if it
    wants that chance as well, for staying up. `warn_scene` says what a game finds odd about a
    scene, for the GM. `reseat` is told of a score that the GM sets in a fight, with the reason: the
    order follows when the game says. `seating` is for games that go round the table.
    The first of the `tracks` is the one that health is told by.
    `describe_way` says in words how far a zone is from a fighter; `zone_metres` is the usual side of one.
    `has_hexes` says whether places are hexes now: x along the row, y from row to row (axial).
    `link_rule` and `property_rule` are the rules that make steps between zones and the GM's own
    properties of them count, where a game has such.
    `tables` are those that its rulebook page shows, made when that is asked for.
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
    settle: Callable[[Table, Combatant], None]
    enter: Callable[[Table, str], None]
    policy: Callable[[State, Any], str]
    suggest: Callable[[State, str], tuple[str, Command] | None]
    demo: Callable[[], Demo]
    start: str = "start"
    advance: str = "next_turn"
    helps: Callable[[State, str, Any], tuple[Any, ...]] | None = None
    falls: tuple[str, str] = ("drops", "")
    reseat: Callable[[Table, str, str], None] = keep_seat
    warn_scene: Callable[[Scene], tuple[str, ...]] = no_warnings
    describe_way: Callable[[State, Combatant, Zone], str] = describe_metres
    zone_metres: int = 10
    has_hexes: Callable[[State], bool] = no_hexes
    link_rule: str = ""
    property_rule: str = ""
    seating: Seating | None = None
    tables: Callable[[], tuple[BookTable, ...]] = no_tables
    sheets: SheetPlan | None = None
    catalogue: Catalogue | None = None

    def option(self, state: State, key: str) -> Any:
        """The value of a table option in this encounter."""
        if key in state.options:
            return state.options[key]
        return next(option.default for option in self.all_options if option.key == key)

    @property
    def all_options(self) -> tuple[TableOption, ...]:
        """The game's table options and those every table has."""
        return (*TABLE_OPTIONS, *self.options)

    def setting(self, state: State, key: str) -> str:
        """The value of a scene condition in this encounter."""
        if key in state.scene.settings:
            return state.scene.settings[key]
        return next(setting.default for setting in self.settings if setting.key == key)

    def action(self, name: str) -> Action:
        """The action of this name; Refused("unknown") if the game has none."""
        found = self.actions.get(name)
        if found is None:
            raise Refused("unknown", f"{self.name} has no action “{name}”.")
        return found

    def read(self, name: str, data: dict[str, Any]) -> tuple[Action, Command]:
        """Make a typed command of a stored or posted one."""
        action = self.action(name)
        return action, read_command(action, data)

    @property
    def rulebook(self) -> Rulebook:
        """The game's rulebook, loaded when first wanted."""
        return load_rulebook(self.folder)

    def describe_condition(self, kind: str) -> ConditionKind:
        """The book's words on a condition; a plain one for what the GM made up."""
        known = self.conditions.get(kind)
        return known or ConditionKind(kind, kind.replace("_", " ").capitalize(), "", "", "")


def make_condition(state: State, kind: ConditionKind, **more: Any) -> Condition:
    """A new condition of a kind, with an id no other one has."""
    fields = {"label": kind.label, "rule": kind.rule, "ends": kind.ends, **more}
    return Condition(id=f"k{state.made + 1}", kind=kind.kind, **fields)
