"""The shapes a template gets: frozen, already filtered for one viewer."""

from __future__ import annotations

from dataclasses import dataclass, field

from characters.display.figures import FigureView
from combat.audience.viewer import GM, HealthView, Viewer
from combat.rules.core.basics.modifiers import Derived
from combat.rules.core.wording import Line

from .leading_action import LeadView
from .maps.fog import FogView
from .maps.names import Name
from .maps.plan import NO_PLAN, PlanView
from .plotting import Piece, Spot, plot
from .question_shapes import Prompt
from .result_shapes import ResultView
from .rules_view import RulesView
from .tokens import Look
from .waiting_shapes import Waiting

WHO = "@"  # before the id of a combatant, where a place is meant


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
    """A condition: its label, what it does, what ends it, its rule, and its kind."""

    id: str
    label: str
    ends: str
    text: str
    rule: str
    look: str = ""


@dataclass(frozen=True)
class Rider:
    """Somebody inside a carrier, as its row lists them."""

    id: str
    name: str
    station: str


@dataclass(frozen=True)
class FighterView:
    """A row of the fighters. `sheet` is the number of the character it came from, for the GM and its owner.
    `opens` says whether its actions, or its menu, can be opened; `full_name` tells it apart from namesakes.

    `look` is what its token is drawn of. `figure` are its parts, where the game has such and the viewer may
    know of them.
    `aboard` are those inside, `inside` the name of who carries this one, `station` the place held there.
    `next` is true of the one who gets a turn after those who act now, for spectators.
    """

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
    opens: bool = False
    full_name: str = ""
    figure: FigureView | None = None
    look: Look = field(default_factory=lambda: Look("", "mask"))
    aboard: tuple[Rider, ...] = ()
    inside: str = ""
    station: str = ""
    next: bool = False


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
    """An action on offer, or greyed with the reason; `several` that are greyed for the same one.

    `brief` is what it comes to now, in a few words; `key` is the digit that opens it; `named` are the labels
    and rules of all it stands for, `look` its kind.
    """

    name: str
    label: str
    small: str
    refused: str
    rule: str
    first: bool = False
    several: bool = False
    key: str = ""
    named: tuple[tuple[str, str], ...] = ()
    look: str = ""
    pinned: bool = False
    brief: str = ""


@dataclass(frozen=True)
class Group:
    """Actions as the game groups them."""

    key: str
    label: str
    actions: tuple[ActionView, ...]


@dataclass(frozen=True)
class Offer:
    """What can be done: the usual ones, the others by group, and what cannot (`count` of them).

    `pins` are the names of those that the viewer has pinned.
    """

    usual: tuple[ActionView, ...]
    groups: tuple[Group, ...]
    not_now: tuple[ActionView, ...]
    count: int
    pins: tuple[str, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """The names of all that can be done."""
        views = (*self.usual, *(view for group in self.groups for view in group.actions))
        return frozenset(view.name for view in views)


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
    offer: Offer
    items: tuple[str, ...]
    is_active: bool
    orders: tuple[Order, ...] = ()
    later: tuple[str, ...] = ()
    lead: LeadView | None = None


@dataclass(frozen=True)
class ZoneView:
    """A zone of the scene and who is in it.

    `refused` is why the one who acts cannot move there now. On the map it is a path `outline`; `names` are
    how its name stands there, on a wide map and on a narrow one.
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
    refused: str = ""
    names: tuple[Name, ...] = ()
    outline: str = ""
    upright: bool = False
    parts: tuple[Piece, ...] = ()


@dataclass(frozen=True)
class Token:
    """A fighter on the map: its place in metres, and where that is drawn. `moves` is how its viewer moves it:
    by a "way" of the rules, or by the GM's "place". `scale` is its size: smaller where it would cover
    another one. One with `metres` is larger than a square and drawn to scale. `name_at` is how far below its
    middle the `label` stands, which is its name or the first word of it, in metres at scale 1: below 0 above
    it, 0 nowhere. `opens` as its row does."""

    id: str
    name: str
    x: float
    y: float
    active: bool
    out: bool
    spot: Spot
    look: Look
    moves: str = ""
    scale: float = 1.0
    metres: float = 0.0
    name_at: float = 0.0
    full_name: str = ""
    opens: bool = False
    pc: bool = False
    label: str = ""


@dataclass(frozen=True)
class CellView:
    """A square or hex of the map that can be chosen: its place, how it is drawn, its cost and address.

    Of the one that is chosen also the way there.
    """

    x: float
    y: float
    side: int
    outline: str
    spot: Spot
    cost: str
    query: str
    way: str = ""


@dataclass(frozen=True)
class SceneView:
    """The scene: zones with their fighters, and the same as a map.

    `box` is what the map shows in metres: left, top, width, height. `grid` is a tile of its squares, `step`
    metres wide, or of hexes. `plan` is what is built there. `no_way` is why nobody moves anywhere now.
    `scale` is the size of names and tokens, so that they look the same in scenes of any width. `cell` is the
    side of a square, counted in the game's `unit`.
    """

    name: str
    zones: tuple[ZoneView, ...]
    tokens: tuple[Token, ...]
    box: tuple[int, int, int, int]
    grid: str
    ground: tuple[str, ...]
    columns: int
    no_way: str = ""
    scale: float = 1.0
    hexes: bool = False
    step: float = 1
    plan: PlanView = NO_PLAN
    fog: FogView | None = None
    cell: float = 1
    unit: str = "m"

    @property
    def is_drawn(self) -> bool:
        """Whether there is anything to draw but tokens."""
        return bool(self.zones) or self.plan != NO_PLAN

    @property
    def around(self) -> tuple[int, int, int, int]:
        """A box as large again on each side, for what goes on beside the map."""
        left, top, width, height = self.box
        return left - width, top - height, 3 * width, 3 * height

    @property
    def layers(self) -> tuple[ZoneView, ...]:
        """The zones as they are drawn, the largest beneath, smoke above: so each is seen."""
        return tuple(sorted(self.zones, key=lambda zone: (bool(zone.parts), -zone.width * zone.depth)))

    @property
    def places(self) -> tuple[tuple[str, str], ...]:
        """All that has a name on the map, each behind where it is: combatants, zones, doors.

        A combatant is there by its id, so that nothing of this changes when somebody moves.
        """
        middles = (
            plot(z.x + z.width / 2, z.y + z.depth / 2, self.hexes and not z.upright) for z in self.zones
        )
        zones = zip(middles, (zone.name for zone in self.zones), strict=True)
        doors = ((door.spot, door.name) for door in self.plan.doors)
        still = ((f"{x:g},{y:g}", name) for (x, y), name in (*zones, *doors))
        return (*((f"{WHO}{token.id}", token.full_name or token.name) for token in self.tokens), *still)

    @property
    def shift(self) -> float:
        """Where the first line of squares is: places are the middles of squares, however many lie between
        two lines."""
        return self.cell / 2


@dataclass(frozen=True)
class LogStep:
    """A step of the log as lines; struck when undone. `look` is the kind of its action."""

    number: str
    kind: str
    lines: tuple[Line, ...]
    struck: bool
    by: str
    label: str = ""
    round: int = 0
    look: str = ""

    @property
    def is_undone(self) -> bool:
        """Whether it was taken back: undone, or cancelled before its end."""
        return self.struck or self.kind == "cancel"


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

    `together` are all who act now if several do; `gm_actions` are the GM's own actions; `verdict` says that
    only one side can still fight, `standing` and `fallen` who stood and who did not when the fight ended.
    `results` are the cards of the last rolls, oldest first. `announce` is what the live region says, and
    `latest` the same where no card shows it. `rules` says which version of them is played. `awaited` are
    those whose dice or answers spectators wait for.
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
    gm_actions: tuple[Group, ...] = ()
    viewer: Viewer = field(default=GM)
    announce: str = ""
    latest: str = ""
    verdict: str = ""
    standing: str = ""
    fallen: tuple[str, ...] = ()
    results: tuple[ResultView, ...] = ()
    waiting: Waiting | None = None
    rules: RulesView | None = None
    awaited: tuple[str, ...] = ()

    @property
    def your_turn(self) -> str:
        """The name of whoever acts of those that somebody at a seat plays; empty for others."""
        acting = (fighter.name for fighter in self.own if fighter.active)
        return next(acting, "") if self.viewer.is_seated and self.phase == "fight" else ""

    @property
    def has_sheets(self) -> bool:
        """Whether somebody here came from a character sheet that the viewer may open."""
        return any(one.sheet is not None for one in (*self.fighters, *self.waiting_fighters))

    @property
    def lead(self) -> LeadView | None:
        """What the turn that is shown waits for."""
        return self.turn.lead if self.turn else None

    @property
    def asked(self) -> str:
        """The name of whoever a seat has to answer for out of turn; empty if nobody is asked."""
        if not self.viewer.is_seated or self.your_turn or not self.prompt:
            return ""
        return next((question.who for question in self.prompt.questions), "")

    @property
    def unusual(self) -> tuple[SettingView, ...]:
        """The scene conditions that are not as usual."""
        return tuple(setting for setting in self.settings if not setting.is_usual)
