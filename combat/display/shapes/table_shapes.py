"""The shapes that templates get: frozen, already filtered for one viewer."""

from __future__ import annotations

import msgspec

from characters.display.figures import FigureView
from characters.display.shapes import Shape
from combat.audience.viewer import GM, HealthView, Viewer
from combat.play.writing.locking import say_busy
from combat.rules.core.basics.modifiers import Derived
from combat.rules.core.commands.commands import Action, Field, find_refusal
from combat.rules.core.declaration.book import Setting
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.battle_map import name_door
from combat.rules.core.gm.reserves import CLOCK, DOOR_OPENS, ROUND
from combat.rules.core.space import map_of, zone_named
from combat.rules.core.state.history import COMMAND
from combat.rules.core.state.state import Combatant, Reserve, State, is_acting
from combat.rules.core.wording import Line

from ..combatants.tokens import Look
from ..rules_view import RulesView
from .chips import Chip, CounterView, OtherTarget, Pips
from .planned_shapes import PlannedView
from .result_shapes import Decider, Ending, Finish, LootView, Moments, MyEnd, Prompt, ResultView, Rolled
from .scene_shapes import SceneView
from .wish_shapes import MyWish, RulingTile, WishView

# The shapes of clocks for templates.

MAX_BUTTONS = 8
PIP, GAP = 20, 2  # the width of a member in the drawing of a squad's health, and what is between two


class ActView(Shape, frozen=True):
    """When a clock acts, in words; what it then does, and the fields of its form, only the GM knows.

    `turn` says in which round it acts next; empty if it never does again, or not while a fight runs. Its row
    stands at the score `at`, behind the row of `after`, or first.
    """

    when: str
    does: str = ""
    fields: dict[str, str | int] = {}
    turn: str = ""
    at: int | None = None
    after: str = ""


class ClockView(Shape, frozen=True):
    """A clock: `filled` of `size` segments; `lines` end the lines between them on the dial.

    `audience` says to the GM who sees it, if not everyone. Only the GM knows how full a `veiled` one is.
    """

    id: str
    name: str
    size: int
    filled: int
    each_round: int
    veiled: bool
    shown: str
    who: frozenset[str]
    audience: str
    lines: tuple[tuple[float, float], ...]
    acts: ActView | None = None

    @property
    def is_full(self) -> bool:
        """Whether all segments are filled."""
        return self.filled >= self.size


class ClockChoices(Shape, frozen=True):
    """What the forms of a clock that acts offer: values and labels, and whether it can show a handout."""

    everyone: tuple[tuple[str, str], ...]
    zones: tuple[tuple[str, str], ...]
    tracks: tuple[tuple[str, str], ...]
    conditions: tuple[tuple[str, str], ...]
    handouts: bool = True


class ClocksView(Shape, frozen=True):
    """All clocks that a viewer sees, and what the GM's forms offer.

    `people` are the combatants whose players a clock can be for: ids and names.
    """

    clocks: tuple[ClockView, ...] = ()
    people: tuple[tuple[str, str], ...] = ()
    can_add: bool = False
    choices: ClockChoices | None = None


class Rider(Shape, frozen=True):
    """Someone inside a carrier, as its row lists them."""

    id: str
    name: str
    station: str
    look: Look


class SquadMember(Shape, frozen=True):
    """One of a squad, with the place of its piece in the drawing; `left` is how much of it is full."""

    name: str
    is_out: bool
    x: int
    left: float
    words: str


class SquadView(Shape, frozen=True):
    """A squad as one row: its name, and a piece for each who is in it; `width` is that of the drawing."""

    name: str
    members: tuple[SquadMember, ...]
    standing: int
    width: int
    ids: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many are in it."""
        return len(self.members)

    @property
    def said(self) -> str:
        """How many of it stand, in words."""
        return f"{self.standing} of {self.count} stand"


class CombatantView(Shape, frozen=True):
    """A row of the combatants. `sheet` is the number of its character, for the GM and its owner.

    `opens`: its actions, or its menu, can be opened. `full_name` tells it from namesakes. `look` is its
    token. `figure` are its parts, if the game has them and the viewer may know them. `aboard` are those
    inside, `inside` is the name of its carrier, `station` its place there. `next` is for spectators: it gets
    the next turn. `given_up`: it has surrendered. `alias` is what players call it instead of its name, for
    the GM, `plans` what its player means to do next, and `player` who plays it; `player_look` is their face,
    if this is not their own hero; `is_player_here`: they are at the table now. `bar` are its usual actions,
    if its sheet is the viewer's, `luck` its points of luck where the table plays with them.
    `squad` are those it acts as one with, `kin` to the GM those it could.
    """

    id: str
    name: str
    side: str
    tone: str
    initiative: int | None
    health: HealthView
    chips: tuple[Chip, ...]
    pips: tuple[Pips, ...]
    zone: str
    full_name: str
    active: bool = False
    acted: bool = False
    hidden: bool = False
    is_out: bool = False
    pc: bool = False
    played: bool = False
    sheet: int | None = None
    opens: bool = False
    figure: FigureView | None = None
    look: Look = msgspec.field(default_factory=lambda: Look("", face="stranger"))
    aboard: tuple[Rider, ...] = ()
    inside: str = ""
    station: str = ""
    next: bool = False
    given_up: bool = False
    alias: str = ""
    counters: tuple[CounterView, ...] = ()
    wants: bool = False
    player: str = ""
    player_look: Look | None = None
    is_player_here: bool = False
    plans: str = ""
    bar: tuple[str, ...] | None = None
    luck: tuple[CounterView, ...] = ()
    squad: SquadView | None = None
    kin: tuple[str, ...] = ()


class SeatView(Shape, frozen=True):
    """A place in an order of turns or seats; `up` and `down`: after whom it goes there, None if it cannot."""

    combatant: CombatantView
    up: str | None
    down: str | None


class SeatingView(Shape, frozen=True):
    """The seating order, the action that moves a seat, and the direction of this round."""

    label: str
    move: str
    rule: str
    way: str
    seats: tuple[SeatView, ...]


class ActionView(Shape, frozen=True):
    """An action on offer, or disabled with the reason; `several`: all with the same reason in one.

    `brief` is its present effect in a few words; `key` the digit that opens it; `named` the labels and rules
    of all it stands for; `look` its kind. `chance` is that to hit or help its first `target`, in percent;
    `others` are further targets, and `aim` the id of the target if the form would start with another. `to` is
    where a move leads that helps someone.
    `foe` is the id of an attack's first target, and `foe_look` their token. It `leads` to a place of the map.
    A refused one may `mend`: its form looks for a plan.
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
    target: str = ""
    chance: str = ""
    others: tuple[OtherTarget, ...] = ()
    aim: str = ""
    to: str = ""
    foe: str = ""
    foe_look: Look | None = None
    leads: bool = False
    mends: bool = False

    @property
    def query(self) -> str:
        """The query of its form's address."""
        named = {"do": self.name, "target": self.aim, "to": self.to}
        return "&".join([f"{key}={value}" for key, value in named.items() if value])


class Group(Shape, frozen=True):
    """Actions as the game groups them."""

    key: str
    label: str
    actions: tuple[ActionView, ...]


class Offer(Shape, frozen=True):
    """The possible actions: the usual ones, then the others by group; and the `count` impossible ones.

    `pins` are the names of the actions that the viewer has pinned, `mine` those of a row of their own, with
    their labels.
    """

    usual: tuple[ActionView, ...]
    groups: tuple[Group, ...]
    not_now: tuple[ActionView, ...]
    count: int
    pins: tuple[str, ...] = ()
    mine: tuple[tuple[str, str], ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """The names of all possible actions."""
        return frozenset([view.name for view in self._views if not view.refused])

    @property
    def has_first(self) -> bool:
        """Whether one of them is the thing to do next."""
        return any(view.first for view in self._views)

    @property
    def _views(self) -> tuple[ActionView, ...]:
        return (*self.usual, *[view for group in self.groups for view in group.actions])


class Order(Shape, frozen=True):
    """A standing order: a combatant's fixed answer to a rule's question."""

    rule: str
    value: str


class TurnView(Shape, frozen=True):
    """The middle column: whose actions are shown, and which; `later` names those of its own turn.

    `is_done`: nothing is left to do but to go on.
    """

    combatant: CombatantView
    place: str
    derived: tuple[Derived, ...]
    offer: Offer
    items: tuple[str, ...]
    is_active: bool
    orders: tuple[Order, ...] = ()
    later: tuple[str, ...] = ()
    lead: LeadView | None = None
    is_done: bool = False


class LogStep(Shape, frozen=True):
    """A step of the log as lines; struck when undone. `look` is the kind of its action, `actor` did it.

    `marks` are what it came to, as on the track of a replay. All three are empty if the viewer saw nothing.
    `is_told_below`: an undo or redo of lines that are shown too. `quotes`: it begins with someone's words.
    `is_again`: it was done again after an overruled roll.
    """

    number: str
    kind: str
    lines: tuple[Line, ...]
    struck: bool
    by: str
    label: str = ""
    round: int = 0
    look: str = ""
    actor: str = ""
    marks: tuple[str, ...] = ()
    is_told_below: bool = False
    quotes: bool = False
    is_again: bool = False

    @property
    def is_undone(self) -> bool:
        """Whether it does not count: undone, or cancelled before its end."""
        return self.struck or self.kind == "cancel"

    @property
    def faced(self) -> Line | None:
        """The line with a face: that with which someone's turn begins, else the first."""
        first = self.lines[0] if self.lines else None
        return next((line for line in self.lines if line.kind == "turn" and line.who), first)

    @property
    def whose(self) -> str:
        """Whose face it is: theirs whose turn begins, else theirs who acted; empty if nobody's."""
        return self.faced.who if self.faced and self.faced.kind == "turn" else self.actor

    @property
    def brief(self) -> str:
        """The step in one sentence: its roll, else what came first and how much more; empty without lines.

        A defense that made the roll fail is told with it.
        Rolls of several people lead only where one of them acted: not those with which a fight begins.
        """
        rolled = [line for line in self.lines if line.total is not None]
        if self.quotes and self.lines:
            return self.lines[0].text
        if not self.actor and len({line.who for line in rolled}) > 1:
            rolled = []
        told = [line for line in rolled if line.who == rolled[0].who] or self.lines
        text, more = told[0].text if told else "", len(told) - 1
        if len(rolled) > 1 and rolled[1].averts:
            text = f"{text} {rolled[1].text}"
        return f"{text} (and {more} more)" if more > 0 else text


class SceneEffect(Shape, frozen=True):
    """What a scene condition changes: in words, as it would usually be, and as it is now."""

    words: str
    was: str
    now: str


class SettingView(Shape, frozen=True):
    """A scene condition with its value, and the values the GM can set.

    `effects` are what it changes for who acts; None where nobody asked or nobody acts.
    """

    setting: Setting
    value: str
    effects: tuple[SceneEffect, ...] | None = None

    @property
    def words(self) -> str:
        """Its value in words."""
        return dict(self.setting.choices)[self.value]


class TableView(Shape, frozen=True):
    """Everything the table page shows one viewer.

    `together` are all who act now, if several do; `mates` are those of the acting squad who come next, for
    the GM; `gm_actions` are the GM's own actions; `verdict` says that
    only one side can still fight, `losses` to the GM what became of the others. `title`, `standing`,
    `gave_up` and `fallen` say how all came out of it.
    `results` are the cards of the last rolls, oldest first. `announce` is the text of the live region, and
    `latest` the same if no card shows it. `rules` is the version of the rules. `awaited` are those whose dice
    or answers spectators wait for, `rolled` the dice that have fallen before. `loot` is what can be handed
    out after a fight. `since` is what happened to a player's own between their last turn and this one.
    `moments` and `ending` are for projectors, `my_end` is the end for a player, `finish` for the GM.
    `reserves` arrive later: only the GM sees them. `idle` is said while the viewer may see nobody act.
    `wishes` are what players want, for the GM; `mine` is what a player wants. `rulings`
    are what the combatant of the shown turn can do again. `plans` are a player's for their next turns,
    `aims` who means to attack whom by the plans that the viewer may read.
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
    combatants: tuple[CombatantView, ...]
    waiting_combatants: tuple[CombatantView, ...]
    turn: TurnView | None
    acting: CombatantView | None
    prompt: Prompt | None
    scene: SceneView
    log: tuple[LogStep, ...]
    can_undo: bool
    can_redo: bool
    can_end_turn: bool
    own: tuple[CombatantView, ...]
    seating: SeatingView | None = None
    together: tuple[CombatantView, ...] = ()
    mates: tuple[str, ...] = ()
    gm_actions: Offer | None = None
    viewer: Viewer = GM
    announce: str = ""
    latest: str = ""
    verdict: str = ""
    losses: str = ""
    title: str = ""
    standing: str = ""
    gave_up: tuple[str, ...] = ()
    fallen: tuple[str, ...] = ()
    results: tuple[ResultView, ...] = ()
    idle: str = ""
    waiting: Waiting | None = None
    since: tuple[str, ...] = ()
    moments: Moments = Moments()
    ending: Ending | None = None
    my_end: MyEnd | None = None
    finish: Finish | None = None
    rules: RulesView | None = None
    awaited: tuple[Decider, ...] = ()
    rolled: tuple[Rolled, ...] = ()
    clocks: ClocksView = ClocksView()
    loot: LootView | None = None
    paused: bool = False
    reserves: tuple[ReserveView, ...] = ()
    wishes: tuple[WishView, ...] = ()
    mine: MyWish | None = None
    rulings: tuple[RulingTile, ...] = ()
    words: WordsView | None = None
    plans: tuple[PlannedView, ...] = ()
    aims: tuple[tuple[str, str], ...] = ()

    @property
    def everyone(self) -> tuple[CombatantView, ...]:
        """All rows: those in the order of turns, then the others."""
        return (*self.combatants, *self.waiting_combatants)

    @property
    def wanting(self) -> tuple[str, ...]:
        """The names of those whose wishes wait for the GM."""
        return tuple([wish.name for wish in self.wishes if wish.status == "asked"])

    @property
    def looks(self) -> dict[str, Look]:
        """What everyone looks like, by their ids, whatever has become of them."""
        return {one.id: one.look.plain for one in self.everyone}

    @property
    def undoes(self) -> str:
        """What the GM's Undo takes back: the newest step that counts, in brief.

        With an overruled roll go the steps that were done again after it.
        """
        counts = (step for step in self.log if step.kind == COMMAND and not step.struck and not step.is_again)
        step = next(counts, None) if self.can_undo else None
        return step.brief if step else ""

    @property
    def goes_on(self) -> bool:
        """Whether the button to press is the one that ends the turn: nothing else is left to do."""
        ends = self.viewer.is_gm and bool(self.verdict)
        turn = self.turn
        return not self.prompt and not ends and (turn is None or (turn.is_active and turn.is_done))

    @property
    def chooser(self) -> str:
        """The player at the table whose turn the GM watches; empty if the GM, or nobody here, chooses."""
        turn = self.turn if self.viewer.is_gm and self.turn and self.turn.is_active else None
        return turn.combatant.player if turn and turn.combatant.is_player_here else ""

    @property
    def why_waits(self) -> str:
        """Why nothing can begin while an action waits for answers; empty if none does."""
        return say_busy(self.viewer.is_gm) if self.prompt else ""

    @property
    def unspent(self) -> str:
        """The main actions that the one whose turn it is has left; empty for none."""
        pips = self.turn.combatant.pips if self.turn and self.turn.is_active else ()
        return ", ".join(one.label for one in pips if one.main and one.left)

    @property
    def to_act(self) -> bool:
        """Whether the button to press is the first action of those who act."""
        waits = self.prompt or self.verdict or self.goes_on or self.chooser or self.plan_leads
        return not waits and bool(self.turn and self.turn.is_active)

    @property
    def plan_leads(self) -> bool:
        """Whether the button to press is that of a plan which the player made for this turn."""
        waits = self.prompt or self.goes_on or self.paused
        return not waits and any(one.acts and one.is_ready for one in self.plans)

    @property
    def your_turn(self) -> str:
        """The name of the active combatant that the viewer plays from a seat; empty for others."""
        acting = (combatant.name for combatant in self.own if combatant.active)
        may = self.viewer.is_seated and self.phase == "fight" and not self.paused
        return next(acting, "") if may else ""

    @property
    def next_up(self) -> str:
        """The name of the combatant of a seat that gets the next turn; empty for others."""
        waiting = self.waiting
        if self.paused or waiting is None or waiting.turns != 1 or waiting.kept or self.together:
            return ""
        return next((one.name for one in self.own if not one.is_out), "")

    @property
    def has_sheets(self) -> bool:
        """Whether any combatant has a character sheet that the viewer may open."""
        return any(one.sheet is not None for one in self.everyone)

    @property
    def lead(self) -> LeadView | None:
        """The action that the shown turn waits for."""
        return self.turn.lead if self.turn else None

    @property
    def asked(self) -> str:
        """The name of the combatant that a seat must answer for out of turn; empty if there is none."""
        if not self.viewer.is_seated or self.paused or self.your_turn or not self.prompt:
            return ""
        return next((question.who for question in self.prompt.questions), "")

    @property
    def unusual(self) -> tuple[SettingView, ...]:
        """The scene conditions that differ from their defaults."""
        return tuple(one for one in self.settings if one.value != one.setting.default)

    @property
    def usual_settings(self) -> tuple[SettingView, ...]:
        """The scene conditions that are as usual."""
        return tuple(one for one in self.settings if one.value == one.setting.default)


class LeadView(Shape, frozen=True):
    """The action a turn waits for. Without `values` it has a form like any other action."""

    name: str
    label: str
    rule: str
    field: str = ""
    values: tuple[tuple[str, str], ...] = ()
    usual: str = ""
    help: str = ""


def find_lead(system: System, state: State, combatant: Combatant) -> Action | None:
    """The action that the turn of a combatant waits for, if there is one."""
    if not is_acting(state, combatant.id):
        return None
    firsts = (action for action in system.actions.by_name.values() if action.first)
    return next((action for action in firsts if find_refusal(action, state, combatant.id) is None), None)


def view_lead(action: Action, state: State, combatant: Combatant) -> LeadView:
    """The action that the turn waits for, as the page shows it."""
    fields = action.find_fields(state, combatant.id)
    values = list_values(fields[0]) if len(fields) == 1 else ()
    if not values:
        return LeadView(action.name, action.label, action.rule)
    field = fields[0]
    return LeadView(
        action.name,
        action.label,
        action.rule,
        field=field.name,
        values=values,
        usual=field.value,
        help=field.help,
    )


def list_values(field: Field) -> tuple[tuple[str, str], ...]:
    """The values of a field and their labels, if there are few enough for a button each."""
    found: list[tuple[str, str]] = []
    if field.kind == "number" and field.low is not None and field.high is not None:
        found = [(str(n), str(n)) for n in range(field.low, min(field.high, field.low + MAX_BUTTONS) + 1)]
    elif field.kind == "choice":
        found = [(option.value, option.label) for option in field.options if not option.refused]
    return tuple(found) if len(found) <= MAX_BUTTONS else ()


# What the waiting room shows: the people at a table, and what the GM shows them.


class Person(Shape, frozen=True):
    """A player: their name, the character they play as far as the viewer knows it, and their face."""

    name: str
    character: str
    look: Look | None
    face: str
    ready: bool
    is_you: bool


class Showing(Shape, frozen=True):
    """The handout that the GM showed last."""

    pk: int
    title: str
    text: str
    digest: str
    width: int
    height: int


class WaitingRoom(Shape, frozen=True):
    """The players at a table, the viewer first; `others` more are not listed.

    `ready` of `total` are ready. In a fight nobody is asked: `asks` is false.
    """

    gm: str
    people: tuple[Person, ...]
    others: int
    ready: int
    total: int
    asks: bool
    you: Person | None = None
    showing: Showing | None = None

    @property
    def all_ready(self) -> bool:
        """Whether nobody is missing."""
        return bool(self.total) and self.ready == self.total


# What a seat sees until its turn.


class InLine(Shape, frozen=True):
    """Someone in the turn order: their token, and their name, or "now" or "you"."""

    label: str
    look: Look
    is_own: bool


class Helper(Shape, frozen=True):
    """An ally who can help: with which actions, from how far, in how many turns (0: now).

    `look` is their token, `obstacle` is what they must do first.
    """

    name: str
    look: Look
    actions: tuple[str, ...]
    distance: str
    turns: int | None
    obstacle: str


class Down(Shape, frozen=True):
    """A viewer's own combatant who is out of the fight: their health and conditions, and who can help.

    `sheet` is the number of their character sheet, if there is one.
    """

    id: str
    name: str
    look: Look
    health: HealthView
    helpers: tuple[Helper, ...]
    dead: bool = False
    chips: tuple[Chip, ...] = ()
    sheet: int | None = None


class Waiting(Shape, frozen=True):
    """The time until the viewer's next turn: who acts, how many turns are left, what happened since the last.

    `kept`: the viewer has a delayed turn of this round, to take at any time. `line` begins with the active
    combatant. The viewer's own who are `down` get no turn.
    """

    acts: str
    turns: int | None
    since: tuple[str, ...]
    kept: bool = False
    line: tuple[InLine, ...] = ()
    down: tuple[Down, ...] = ()


class MissedLine(Shape, frozen=True):
    """A sentence about someone, with its kind, and who did it; `by` is empty if nobody else did."""

    by: str
    look: str
    words: str


class MissedPerson(Shape, frozen=True):
    """What happened to one of the viewer's own: by how much which numbers changed, and the sentences.

    `earlier` counts those before that are in the log alone.
    """

    name: str
    look: Look
    health: HealthView
    changes: tuple[tuple[str, str], ...]
    told: tuple[MissedLine, ...]
    earlier: int = 0


class Missed(Shape, frozen=True):
    """What happened to a player's own while they did not look, in how many minutes and turns.

    `is_read`: they have read it. `goes_back`: it began before the oldest step that a page shows.
    """

    people: tuple[MissedPerson, ...]
    minutes: int
    turns: int
    is_read: bool = False
    goes_back: bool = False

    @property
    def brief(self) -> str:
        """The changes of the first of them who has any, in one line."""
        changes = next((one.changes for one in self.people if one.changes), ())
        return ", ".join(f"{label} {change}" for label, change in changes)


class Hearer(Shape, frozen=True):
    """Someone whom a word can be for: everyone, a side, the GM or the player of a combatant."""

    to: str
    name: str
    who: str = ""
    look: Look | None = None


class Slip(Shape, frozen=True):
    """A word that is for its reader alone: who wrote it, and to whom an answer goes."""

    name: str
    words: str
    to: str


class WordsView(Shape, frozen=True):
    """Whom the viewer can write to, for which of their combatants (`writers`), and the word they got.

    `mark` is the step of the newest word to them or by them: after it the form is a fresh one.
    """

    hearers: tuple[Hearer, ...]
    writers: tuple[tuple[str, str], ...] = ()
    slip: Slip | None = None
    mark: str = ""

    @property
    def chosen(self) -> str:
        """Whom the form is for at first."""
        known = [one.to for one in self.hearers]
        return self.slip.to if self.slip and self.slip.to in known else known[-1] if len(known) == 1 else "gm"


# Those who arrive later, as the GM sees them: others never get any.


def view_reserves(state: State) -> tuple[ReserveView, ...]:
    """All who wait, in the order they were held back."""
    return tuple(_view_reserve(state, one) for one in state.all_reserves)


def _view_reserve(state: State, one: Reserve) -> ReserveView:
    names = ", ".join(state.combatants[who].name for who in one.who)
    return ReserveView(one.id, names, len(one.who), when=say_when(state, one), where=_say_where(state, one))


def say_when(state: State, one: Reserve) -> str:
    """When they arrive, in a few words."""
    if one.when == ROUND:
        return f"round {one.at_round}"
    if one.when == CLOCK:
        name = next((clock.name for clock in state.all_clocks if clock.id == one.of), "")
        return f"when {name} is full" if name else "by hand: their clock is gone"
    if one.when == DOOR_OPENS:
        door = next((wall for wall in map_of(state.scene).walls if wall.id == one.of), None)
        return f"when {name_door(door)} opens" if door else "by hand: their door is gone"
    return "by hand"


def _say_where(state: State, one: Reserve) -> str:
    if one.at is not None:
        return f"at {one.at.x:g}, {one.at.y:g}"
    if one.edge:
        return f"at the {one.edge} edge"
    if zone := zone_named(state.scene, one.zone):
        return f"at {zone.name}"
    return "through the door" if one.when == DOOR_OPENS else "where their side is"


class ReserveView(Shape, frozen=True):
    """Combatants who arrive together: their names in one line, how many, when, and where."""

    id: str
    names: str
    count: int
    when: str
    where: str
