"""What programs send and get: one declaration, for the answers and for the document that describes them."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from combat.rules.core.gm.decisions import MAX_LENGTH

from ..sharing.open_state import OpenLine, OpenState

Word = Annotated[str, Meta(max_length=100)]
Stamp = Annotated[str, Meta(min_length=1, max_length=100)]
Value = str | bool | int | float | tuple[str, ...]  # of a field: several for a list
Faces = Annotated[tuple[int, ...], Meta(max_length=100)]


class OpenPart(msgspec.Struct, frozen=True):
    """A place for some of the points that a question divides, with its limits and the suggested points."""

    key: str
    label: str
    least: int
    most: int
    suggested: int


class OpenChoice(msgspec.Struct, frozen=True):
    """A value to choose; with a reason in `refused` it is not possible now.

    `out`: it is a combatant who can no longer fight, as far as this person sees.
    """

    value: str
    label: str
    refused: str
    out: bool = False


class OpenQuestion(msgspec.Struct, frozen=True):
    """What an action waits for: `dice` to roll, one of the `choices`, or `total` points to divide.

    It is asked of `who`, which are the `combatants`; one answer is enough.
    """

    question: int
    kind: Literal["roll", "choice"]
    who: str
    combatants: tuple[str, ...]
    text: str
    rule: str
    dice: str
    choices: tuple[OpenChoice, ...]
    default: str
    total: int
    parts: tuple[OpenPart, ...]


class OpenMine(msgspec.Struct, frozen=True):
    """A combatant that this program may act for; `player` is the person at the seat, empty for the GM's."""

    id: str
    name: str
    player: str


class OpenAct(msgspec.Struct, frozen=True):
    """An improvised act as the GM rules it, in words; what is secret is empty. `chance` is in percent."""

    check: str
    number: str
    dice: str
    chance: str
    cost: str
    secret: bool
    works: tuple[str, ...]
    fails: tuple[str, ...]


class OpenWay(msgspec.Struct, frozen=True):
    """One way to take a wish whose words leave something open: `choice` is its number for `offer_wish`."""

    choice: int
    name: str
    act: OpenAct


class OpenWish(msgspec.Struct, frozen=True):
    """What a player wants to do that no action is for. `wish` is its number, for the actions about it.

    It is asked, offered or refused; `reply` is what was said to it last. `act` is what is offered, and for
    the GM before that what the words mean. If they leave something open, `why` asks the GM for it, and
    `ways` are what they may mean: send the `choice` of one to `offer_wish` or `rule_wish`.
    """

    wish: int
    combatant: str
    words: str
    status: Literal["asked", "offered", "refused"]
    reply: str
    act: OpenAct | None
    why: str = ""
    ways: tuple[OpenWay, ...] = ()


class OpenPlannedWay(msgspec.Struct, frozen=True):
    """What can be done now of a plan; `chance` is in percent, empty if it has none."""

    target: str
    words: str
    chance: str
    price: str


class OpenPlan(msgspec.Struct, frozen=True):
    """What a player means to do in the next turn of a combatant, step by step in words.

    In that turn `ways` are what can be done of it, the best first, and `why` says what has changed. The
    action `do_planned` does the first of them, or the one at its `target`.
    """

    combatant: str
    steps: tuple[str, ...]
    chance: str
    why: str = ""
    ways: tuple[OpenPlannedWay, ...] = ()


class Seen(msgspec.Struct, frozen=True):
    """What this program's person sees now.

    `combatants` are those they may act for, the GM all; `verdict` says that only one side can still fight;
    `awaited` are the names of others who are asked something. `wishes` are what players want to do that no
    action is for: their own, for the GM all. A player asks by `ask_wish` and does what is offered by
    `take_offer`. `plans` are those for next turns, made by `keep_plan`: their own, for the GM all.
    """

    stamp: str
    role: Literal["gm", "seat"]
    name: str
    combatants: tuple[OpenMine, ...]
    verdict: str
    questions: tuple[OpenQuestion, ...]
    awaited: tuple[str, ...]
    wishes: tuple[OpenWish, ...]
    state: OpenState
    plans: tuple[OpenPlan, ...] = ()


class OpenField(msgspec.Struct, frozen=True):
    """A field of an action, as on its form; `usual` is its first value. Numbers are from `low` to `high`."""

    name: str
    label: str
    kind: Literal["target", "choice", "many", "flag", "number", "text", "place", "faces"]
    required: bool
    choices: tuple[OpenChoice, ...]
    usual: str | tuple[str, ...]
    help: str
    rule: str
    low: int | None
    high: int | None


class OpenAction(msgspec.Struct, frozen=True):
    """An action and its form; with a reason in `refused` it is not possible now, and has no fields.

    `usual` are the fields that its form starts with, and `chance` (0 to 1) that of its success with them;
    null if there is none, or too much to count.
    """

    name: str
    label: str
    group: str
    rule: str
    text: str
    refused: str
    fields: tuple[OpenField, ...]
    usual: dict[str, str | tuple[str, ...]]
    chance: float | None


class Suggested(msgspec.Struct, frozen=True):
    """An action as it can be sent: the one that the game's tactics would do, or one that ends something."""

    action: str
    fields: dict[str, Value]


class Offered(msgspec.Struct, frozen=True):
    """What `combatant` can do; empty if none is theirs to play. `acts`: it is their turn.

    `gm` are the actions of the GM, then all decisions and corrections; the GM sends them without a combatant,
    as `ends_turn` and `ends_fight`.
    """

    stamp: str
    phase: str
    combatant: str
    acts: bool
    verdict: str
    questions: tuple[OpenQuestion, ...]
    actions: tuple[OpenAction, ...]
    gm: tuple[OpenAction, ...]
    suggested: Suggested | None
    ends_turn: Suggested | None
    ends_fight: Suggested | None


class Wanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An action with its fields, to see its odds. A GM's action has no combatant."""

    action: Word
    combatant: Word = ""
    fields: dict[str, Value] = {}


class Act(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An action to do, and the stamp of what was seen before: if anything has changed since, it is refused.

    The app rolls, unless `dice` is "table" or `faces` are given: then further dice become questions.
    """

    action: Word
    stamp: Stamp
    combatant: Word = ""
    fields: dict[str, Value] = {}
    dice: Literal["app", "table"] = "app"
    faces: Faces = ()


class Reply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to a question: a `value`, points by place, `faces`, or `roll` to let the app roll.

    With `always`, the choice becomes a standing order.
    """

    question: Annotated[int, Meta(ge=0, le=1000)]
    stamp: Stamp
    value: Word = ""
    parts: Annotated[dict[str, int], Meta(max_length=20)] = {}
    faces: Faces = ()
    roll: bool = False
    always: bool = False


class NewEncounter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new encounter: its name, and its game, which is that of this one if it is left out.

    One of the same game is in the campaign of this one, by its house rules.
    """

    name: Annotated[str, Meta(min_length=1, max_length=100)]
    game: Word = ""


class Created(msgspec.Struct, frozen=True):
    """The number of a new encounter, its page, and a token of its own for this program.

    The token is not told again. It ends apart from the one that asked for it, on the page “Programs” of the
    new encounter.
    """

    encounter: int
    page: str
    token: str


class OpenScene(msgspec.Struct, frozen=True):
    """A ready scene; `used`: it is the scene of this encounter."""

    scene: str
    group: str
    name: str
    about: str
    used: bool


class Scenes(msgspec.Struct, frozen=True):
    """The ready scenes."""

    stamp: str
    scenes: tuple[OpenScene, ...]


class UseScene(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ready scene to use in place of the present one; everyone goes to the start of their side."""

    scene: Word
    stamp: Stamp


class People(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """People to add, as a GM types them: “4 pirates, 1 officer; 2 guards (allies)”.

    `side`, `zone` (its id), `hidden` and `later` are for those of whom the notes say nothing.
    """

    notes: Annotated[str, Meta(max_length=20_000)]
    stamp: Stamp
    side: Annotated[str, Meta(max_length=MAX_LENGTH)] = ""
    zone: Word = ""
    hidden: bool = False
    later: bool = False


class Prepared(msgspec.Struct, frozen=True):
    """What was prepared: the names of those `added`, and the notes that were not understood.

    Nobody is added yet if an action waits for dice or a choice: they join as soon as it is done. `missing` is
    the first thing that the fight lacks before it can start.
    """

    stamp: str
    added: tuple[str, ...]
    not_understood: str
    missing: str


class OpenTerm(msgspec.Struct, frozen=True):
    """A term of a sum, and its rule."""

    label: str
    value: int
    rule: str


class OpenMeasure(msgspec.Struct, frozen=True):
    """An outcome and its chance in percent."""

    label: str
    percent: str


class OpenOdds(msgspec.Struct, frozen=True):
    """The sum and the odds of an action. `refused` says why it cannot be done, `limits` what was not counted.

    `chance` (0 to 1) is the success of its first check, `after` in percent that after others' reactions.
    """

    refused: str
    limits: str
    label: str
    chance: float | None
    after: str
    dice: str
    total: int
    terms: tuple[OpenTerm, ...]
    against: tuple[OpenTerm, ...]
    number: int | None
    measures: tuple[OpenMeasure, ...]
    notes: tuple[str, ...]
    price: str


class OpenStep(msgspec.Struct, frozen=True):
    """A step of the log: its name, who did it, and its lines. To players `by` is empty where a turn ends."""

    step: str
    by: str
    undone: bool
    lines: tuple[OpenLine, ...]


class OpenLog(msgspec.Struct, frozen=True):
    """Steps of the log, the oldest first; `more` if there are newer ones than fit."""

    stamp: str
    steps: tuple[OpenStep, ...]
    more: bool


class Done(msgspec.Struct, frozen=True):
    """What a deed led to: the questions it waits for, and the newest step of the log."""

    stamp: str
    questions: tuple[OpenQuestion, ...]
    newest: OpenStep | None
