"""The shapes a template gets: frozen, already filtered for one viewer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from .plotting import Spot
from .rules.core import events as e
from .rules.core.system import Derived
from .rules.core.wording import Line


@dataclass(frozen=True)
class Viewer:
    """Who looks: the GM, somebody at a seat with fighters of their own, or a watcher."""

    role: str = "watcher"
    seats: frozenset[str] = frozenset()

    @property
    def is_gm(self) -> bool:
        """Whether this viewer runs the table."""
        return self.role == "gm"

    @property
    def is_seated(self) -> bool:
        """Whether this viewer has a seat to play from."""
        return self.role == "seat"

    def may_see(self, audience: str) -> bool:
        """Whether a fact with this audience is for this viewer."""
        if self.is_gm or audience == e.EVERYONE:
            return True
        return audience.startswith("seat:") and audience[5:] in self.seats

    def select(self, facts: Iterable[e.Fact]) -> list[e.Fact]:
        """The facts for this viewer; for those that are not, their public twins."""
        seen = []
        for fact in facts:
            if self.may_see(fact.to):
                seen.append(fact)
            elif fact.twin is not None:
                seen.append(e.Fact(fact.twin, fact.rule))
        return seen

    def plays(self, who: str) -> bool:
        """Whether this viewer may act for a fighter."""
        return self.is_gm or who in self.seats


GM = Viewer("gm")


@dataclass(frozen=True)
class Pips:
    """A pool of the budget: how many are left of how many."""

    label: str
    left: int
    most: int

    @property
    def row(self) -> list[bool]:
        """True for each one left, False for each one spent."""
        return [n < self.left for n in range(self.most)]


@dataclass(frozen=True)
class Chip:
    """A condition: its label, what it does, what ends it, and its rule."""

    id: str
    label: str
    ends: str
    text: str
    rule: str
    tone: str = ""


@dataclass(frozen=True)
class HealthView:
    """Health as bar, word and number; the number is left out where it is secret."""

    word: str
    percent: int
    tone: str
    now: int | None = None
    most: int | None = None


@dataclass(frozen=True)
class FighterView:
    """A row of the fighters. `sheet` is the number of the character it came from, for the GM."""

    id: str
    name: str
    side: str
    tone: str
    letters: str
    initiative: int | None
    health: HealthView
    chips: tuple[Chip, ...]
    pips: tuple[Pips, ...]
    zone: str
    active: bool = False
    acted: bool = False
    hidden: bool = False
    out: bool = False
    pc: bool = False
    sheet: int | None = None


@dataclass(frozen=True)
class SeatView:
    """A seat at the table, and behind whom it goes when it moves `up` or `down`; None if it cannot."""

    fighter: FighterView
    up: str | None
    down: str | None


@dataclass(frozen=True)
class SeatingView:
    """Who sits where, the action that moves a seat, and which way the round under way goes."""

    label: str
    move: str
    rule: str
    way: str
    seats: tuple[SeatView, ...]


@dataclass(frozen=True)
class ActionView:
    """An action on offer, or greyed with the reason; `several` that are greyed for the same one."""

    name: str
    label: str
    small: str
    refused: str
    rule: str
    first: bool = False
    several: bool = False


@dataclass(frozen=True)
class Group:
    """Actions as the game groups them."""

    key: str
    label: str
    actions: tuple[ActionView, ...]


@dataclass(frozen=True)
class Order:
    """A standing order: what a fighter always answers to a rule's question."""

    rule: str
    value: str


@dataclass(frozen=True)
class TurnView:
    """The middle column: whose actions are shown, and which; `later` names those of its own turn."""

    fighter: FighterView
    place: str
    derived: tuple[Derived, ...]
    groups: tuple[Group, ...]
    items: tuple[str, ...]
    is_active: bool
    orders: tuple[Order, ...] = ()
    later: tuple[str, ...] = ()


@dataclass(frozen=True)
class Question:
    """Something an open command waits for."""

    ordinal: int
    kind: str
    who: str
    text: str
    rule: str
    sides: tuple[int, ...] = ()
    dice: str = ""
    options: tuple[Any, ...] = ()
    default: str = ""
    can_stand: bool = False
    key: str = ""


@dataclass(frozen=True)
class Prompt:
    """The open command: its name, what it waits for, and what has happened so far.

    `seconds` are left until an open choice takes its default; None if it waits for ever.
    """

    label: str
    questions: tuple[Question, ...]
    lines: tuple[Line, ...]
    seconds: int | None = None


@dataclass(frozen=True)
class ZoneView:
    """A zone of the scene and who is in it.

    On the map it is a path `outline`; its name stands in `lines`, of the size `scale`, from `spot` on.
    """

    id: str
    name: str
    note: str
    x: float
    y: float
    width: float
    depth: float
    dark: bool
    cover: str
    fighters: tuple[FighterView, ...]
    way: str = ""
    here: bool = False
    lines: tuple[str, ...] = ()
    scale: float = 1.0
    outline: str = ""
    spot: Spot = (0.0, 0.0)


@dataclass(frozen=True)
class Token:
    """A fighter on the map: its place in metres, and where that is drawn."""

    id: str
    name: str
    letters: str
    tone: str
    x: float
    y: float
    active: bool
    out: bool
    spot: Spot


@dataclass(frozen=True)
class CellView:
    """A square or hex of the map that can be chosen: its place, how it is drawn, its cost and address."""

    x: float
    y: float
    side: int
    outline: str
    spot: Spot
    cost: str
    query: str


@dataclass(frozen=True)
class SceneView:
    """The scene: zones with their fighters, and the same as a map.

    `box` is what the map shows in metres: left, top, width, height. `grid` are its squares, or a tile of
    hexes. `scale` is the size of names and tokens, so that they look the same in scenes of any width.
    """

    name: str
    zones: tuple[ZoneView, ...]
    tokens: tuple[Token, ...]
    box: tuple[int, int, int, int]
    grid: str
    ground: tuple[str, ...]
    columns: int
    scale: float = 1.0
    hexes: bool = False


@dataclass(frozen=True)
class LogStep:
    """A step of the log as lines; struck when undone."""

    number: int | str
    kind: str
    lines: tuple[Line, ...]
    struck: bool
    by: str
    label: str = ""
    round: int = 0


@dataclass(frozen=True)
class SettingView:
    """A scene condition: its value in words, and the values the GM can give it."""

    key: str
    label: str
    value: str
    words: str
    choices: tuple[tuple[str, str], ...]
    rule: str
    is_usual: bool


@dataclass(frozen=True)
class TableView:
    """Everything the table page shows one viewer.

    `together` are all who act now if several do; `desk` are the GM's own actions.
    """

    id: int
    name: str
    system: str
    slug: str
    version: str
    phase: str
    round: int
    elapsed: str
    settings: tuple[SettingView, ...]
    fighters: tuple[FighterView, ...]
    waiting_fighters: tuple[FighterView, ...]
    turn: TurnView | None
    acting: FighterView | None
    prompt: Prompt | None
    scene: SceneView
    log: tuple[LogStep, ...]
    can_undo: bool
    can_redo: bool
    can_end_turn: bool
    own: tuple[FighterView, ...]
    seating: SeatingView | None = None
    together: tuple[FighterView, ...] = ()
    desk: tuple[Group, ...] = ()
    viewer: Viewer = field(default=GM)
    announce: str = ""

    @property
    def unusual(self) -> tuple[SettingView, ...]:
        """The scene conditions that are not as usual."""
        return tuple(setting for setting in self.settings if not setting.is_usual)
