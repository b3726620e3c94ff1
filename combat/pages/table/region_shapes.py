"""The regions of the table: what each shows, and the shapes that their templates get."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from characters.display.figures import FigureView
from combat.display.combatants.tokens import Look
from combat.display.map.scene import HandlesView, PensView, WayOut
from combat.display.regions import RegionShape
from combat.display.rules_view import RulesView
from combat.display.shapes.planned_shapes import AheadForm, PlannedView
from combat.display.shapes.result_shapes import (
    Decider,
    Ending,
    Finish,
    Moments,
    MyEnd,
    Prompt,
    ResultView,
    Rolled,
)
from combat.display.shapes.scene_shapes import SceneView
from combat.display.shapes.table_shapes import (
    ClocksView,
    ClockView,
    CombatantView,
    LeadView,
    LogStep,
    Missed,
    Offer,
    ReserveView,
    SeatingView,
    SettingView,
    Waiting,
    WaitingRoom,
    WordsView,
)
from combat.display.shapes.wish_shapes import MyWish, RulingForm, RulingTile, WishLine, WishView

from .folding import FoldView
from .start_view import StartPick

Turn = Mapping[str, Any]  # a turn, as far as a region shows it
Name = Mapping[str, Any]  # who else has the turn


# ---- The bar and what stands below it ----


class BarName(RegionShape, frozen=True):
    """The name of the fight."""

    name: str


class BarClock(RegionShape, frozen=True):
    """The round, the time, and whose turn it is."""

    round: int
    elapsed: str
    way: str
    together: tuple[Name, ...]
    turn_of: str
    timer: Mapping[str, int] | None


class BarSettings(RegionShape, frozen=True):
    """The scene conditions."""

    phase: str
    settings: tuple[SettingView, ...]
    unusual: tuple[SettingView, ...]
    usual_settings: tuple[SettingView, ...]
    prompt: bool
    again: str


class BarUndo(RegionShape, frozen=True):
    """The GM's Undo and Redo."""

    can_undo: bool
    can_redo: bool
    prompt: bool
    undoes: str


class BarActions(RegionShape, frozen=True):
    """The buttons of the page."""

    phase: str
    paused: bool
    prompt: bool
    can_redo: bool
    has_settings: bool
    door: str


class Handouts(RegionShape, frozen=True):
    """The handouts that the viewer was shown; `showing`: the newest is on the page already."""

    handouts: tuple[Mapping[str, Any], ...]
    showing: bool


class Clocks(RegionShape, frozen=True):
    """The clocks."""

    clocks: ClocksView
    prompt: bool


class Notices(RegionShape, frozen=True):
    """A pause, and why something was refused with what helps, or what is advised."""

    paused: bool
    refused: str
    way_out: WayOut | None
    advice: str


class RulesNote(RegionShape, frozen=True):
    """That the fight goes on by an older version of the rules."""

    rules: RulesView | None
    prompt: bool


# ---- The combatants ----


class CombatantsNote(RegionShape, frozen=True):
    """How the fight stands, for spectators."""

    verdict: str
    standing: str


class CombatantsMore(RegionShape, frozen=True):
    """What the GM does to several, the seating order, and those who arrive later."""

    has_combatants: bool
    seating: SeatingView | None
    reserves: tuple[ReserveView, ...]
    all_waiting: int
    prompt: bool


class Row(RegionShape, frozen=True):
    """A combatant's row around its figure and its menu.

    `is_shown`: the turn's column shows them. `is_chosen`: the small window is about them. `noted`: the GM has
    a note on them, which only their pages tell. `fold` is the number of the row that hides them; 0 for none.
    """

    combatant: CombatantView
    is_shown: bool
    has_figure: bool
    is_chosen: bool
    noted: bool
    fold: int


class FoldRow(RegionShape, frozen=True):
    """The row that namesakes fold into."""

    fold: FoldView


class ClockRow(RegionShape, frozen=True):
    """The row of a clock that acts in the order of turns."""

    clock: ClockView


class RowWindow(RegionShape, frozen=True):
    """The small window: what the GM can do to a combatant, in a `form` with what it offers; empty without."""

    combatant: CombatantView | None
    form: Mapping[str, Any] | None


class RowFigure(RegionShape, frozen=True):
    """The parts of a combatant, without any while the fold is closed. The one of the key `part` is open."""

    figure: FigureView
    whose: str
    part: str


class RowMenu(RegionShape, frozen=True):
    """The GM's menu of a combatant; `others` are the other sides."""

    combatant: Mapping[str, Any]
    others: tuple[str, ...]
    phase: str
    corrects: bool


# ---- The scene ----


class Scene(RegionShape, frozen=True):
    """The scene around its ground, its buttons and its doors, which are regions inside it.

    `grid`: what a board shows is drawn as a map too, which the page asks for. `wish_lines` lead from those
    who want something to those whom it concerns, for the GM.
    """

    scene: SceneView
    grid: bool
    turn: Turn | None
    prompt: bool
    handles: HandlesView | None
    open: Any
    wish_lines: tuple[WishLine, ...]


class MapGround(RegionShape, frozen=True):
    """The ground of the map."""

    terrain: SceneView


class BoardGround(RegionShape, frozen=True):
    """What lies on stages and beside a road."""

    terrain: SceneView
    is_chase: bool


class MapZoom(RegionShape, frozen=True):
    """The buttons that zoom the map."""

    is_drawn: bool


class MapSteps(RegionShape, frozen=True):
    """The buttons to move on the map, to measure and to point."""

    steps: Mapping[str, Any] | None
    pens: PensView | None


class MapDoors(RegionShape, frozen=True):
    """The doors, and what of the map players see."""

    gates: Mapping[str, Any] | None
    prompt: bool
    handles: HandlesView | None


class MapHands(RegionShape, frozen=True):
    """The forms to point, to measure and to lend pens."""

    places: tuple[tuple[str, str], ...]
    pens: PensView | None


# ---- The turn ----


class TurnHead(RegionShape, frozen=True):
    """Whose turn is shown, and the button that ends it. `mates` act next, as one squad with who acts."""

    turn: Turn | None
    acting: Name | None
    idle: str
    together: tuple[Name, ...]
    mates: tuple[str, ...]
    can_end_turn: bool
    prompt: bool
    waiting: Waiting | None
    goes_on: bool
    chooser: str
    unspent: str
    round: int
    latest: str
    part_of: str


class TurnCall(RegionShape, frozen=True):
    """The call to a player whose turn it is, and the turns until then; to the GM, who wants something."""

    turn: Turn | None
    your_turn: str
    prompt: bool
    together: tuple[Name, ...]
    waiting: Waiting | None
    since: tuple[str, ...]
    missed: Missed | None
    verdict: str
    wanting: tuple[str, ...]


class Wishes(RegionShape, frozen=True):
    """What players want, for the GM, and the form of an act that is open."""

    wishes: tuple[WishView, ...]
    ruling: RulingForm | None
    prompt: bool


class MyWishes(RegionShape, frozen=True):
    """What a player wants, what the GM offers for it, and the form for a new wish.

    They correct figures of their own where the table allows it.
    """

    mine: MyWish | None
    corrects: bool
    paused: bool
    prompt: bool


class MyPlans(RegionShape, frozen=True):
    """A player's plans for their next turns, and the form of one that is open.

    `plan_leads`: its button is the one to press. `unread`: what they missed waits to be read.
    """

    plans: tuple[PlannedView, ...]
    planning: AheadForm | None
    plan_leads: bool
    unread: bool
    paused: bool
    prompt: bool


class Rulings(RegionShape, frozen=True):
    """What the combatant of the shown turn can do again."""

    rulings: tuple[RulingTile, ...]
    paused: bool
    prompt: bool


class EndingAsk(RegionShape, frozen=True):
    """The question to the GM whether the fight is over, and how all stand; then to close it."""

    verdict: str
    losses: str
    prompt: bool
    finish: Finish | None
    loot: Any
    has_sheets: bool
    next_fight: Mapping[str, Any] | None


class TurnOpen(RegionShape, frozen=True):
    """What the turn waits for: questions, dice, or its first action; the turns that the GM may pass."""

    passing: Any
    own: tuple[CombatantView, ...]
    prompt: bool
    questions: Prompt | None
    paused: bool
    turn: Turn | None
    lead: LeadView | None
    plan_leads: bool
    open: Any
    advice: str
    ready: tuple[Mapping[str, Any], ...]
    refused: str


class TurnResult(RegionShape, frozen=True):
    """The cards of the last rolls."""

    prompt: bool
    results: tuple[ResultView, ...]
    last_line: ResultView | None
    open_name: str
    overruling: Any
    overruled_apart: bool


class TurnState(RegionShape, frozen=True):
    """The numbers, the conditions and the parts of the one whose turn is shown."""

    turn: Turn | None
    part: str
    part_of: str


class TurnOffer(RegionShape, frozen=True):
    """The actions on offer."""

    turn: Turn | None
    prompt: bool
    paused: bool
    verdict: str
    to_act: bool
    lead: LeadView | None
    has_ready: bool
    room: WaitingRoom | None
    open: Any
    advice: str
    refused: str


class TurnGm(RegionShape, frozen=True):
    """The GM's own actions."""

    gm_actions: Offer | None
    prompt: bool
    clocks: ClocksView
    open: Any
    refused: str


class FreeDice(RegionShape, frozen=True):
    """The form for dice that no rule asks for; `rollers` are the player's combatants by id and name."""

    rollers: tuple[tuple[str, str], ...]
    terms: tuple[str, ...]
    paused: bool


class Words(RegionShape, frozen=True):
    """The newest word to the viewer alone, and the form for theirs."""

    words: WordsView | None
    paused: bool


class TurnWaiting(RegionShape, frozen=True):
    """What stands there before a fight and after it."""

    phase: str
    round: int
    elapsed: str
    scene: SceneView
    prompt: bool
    questions: Prompt | None
    room: WaitingRoom | None
    own: tuple[CombatantView, ...]
    ready: tuple[Mapping[str, Any], ...]
    has_combatants: bool
    has_sheets: bool
    my_end: MyEnd | None
    finish: Finish | None
    title: str
    standing: str
    gave_up: tuple[str, ...]
    fallen: tuple[str, ...]
    loot: Any
    start_form: Any
    start_picks: tuple[StartPick, ...]
    lacks_side: bool
    empty_side: str
    gm_actions: Offer | None
    clocks: ClocksView
    sides: tuple[Any, ...]
    open: Any
    refused: str
    next_fight: Mapping[str, Any] | None
    door: str


# ---- For those who look on ----


class WatchResult(RegionShape, frozen=True):
    """The cards of the last rolls, and whose dice or answers an action waits for, with its dice so far."""

    results: tuple[ResultView, ...]
    awaited: tuple[Decider, ...]
    rolled: tuple[Rolled, ...]


class WatchMoment(RegionShape, frozen=True):
    """The moments to show large."""

    moments: Moments


class WatchJoin(RegionShape, frozen=True):
    """The code that lets others in."""

    joining: Any


class WatchEnding(RegionShape, frozen=True):
    """How the fight ended."""

    ending: Ending | None


# ---- The log ----


class Step(RegionShape, frozen=True):
    """A step of the log, with the token of who acted; None if the viewer did not see them."""

    step: LogStep
    look: Look | None

    OF_PAGE = RegionShape.OF_PAGE | {"slug"}


class NoLog(RegionShape, frozen=True):
    """That nothing is in the log."""
