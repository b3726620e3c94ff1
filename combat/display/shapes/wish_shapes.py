"""The shapes of wishes: what players want to do that no button has, what the GM offers, and the GM's form."""

from __future__ import annotations

from characters.display.shapes import Shape
from combat.rules.core.commands.commands import Field
from combat.rules.core.space import Spot

from ..combatants.tokens import Look

Pairs = tuple[tuple[str, str], ...]


class Part(Shape, frozen=True):
    """A part of someone's words; `what` it was understood as, "" if it was not."""

    text: str
    what: str = ""


class Grade(Shape, frozen=True):
    """A step of difficulty with its chance in percent, "" if there is too much to count."""

    value: str
    shown: str
    word: str
    chance: str
    chosen: bool


class CostChoice(Shape, frozen=True):
    """A part of a turn that an act can cost, and how many of it are `left`; free without a key."""

    key: str
    label: str
    left: int = 0

    @property
    def row(self) -> range:
        """One for each that is left."""
        return range(self.left)


class Ending(Shape, frozen=True):
    """How an act ends: its name, its chance in percent, "" if that is not counted, and what can follow."""

    key: str
    label: str
    chance: str
    effects: tuple[EffectView, ...]


class Following(Shape, frozen=True):
    """One thing that follows from an act, in words, with its sign."""

    sign: str
    text: str


class Person(Shape, frozen=True):
    """Someone to choose by their face; without a look by their name alone. `note` stands below their name."""

    id: str
    name: str
    look: Look | None = None
    note: str = ""


class ActView(Shape, frozen=True):
    """An act as it is ruled, in words. A secret number leaves `chance`, `number` and `bars` empty.

    `check` is what is rolled, `dice` the dice with what is added, `need` what they have to show. `bars` are
    the sums of the dice: the place and the height of each, and whether it is enough; `ends` are the lowest
    and the highest sum. `keep` is the name under which the actor can do it again.
    """

    check: str = ""
    number: str = ""
    dice: str = ""
    need: str = ""
    opposed: str = ""
    chance: str = ""
    cost: CostChoice | None = None
    secret: bool = False
    works: tuple[Following, ...] = ()
    fails: tuple[Following, ...] = ()
    bars: tuple[tuple[int, int, bool], ...] = ()
    ends: tuple[int, ...] = ()
    keep: str = ""


class ChoiceView(Shape, frozen=True):
    """One of the acts that the GM can choose for a wish: its `key` in the form, its name, and what it is."""

    key: int
    name: str
    act: ActView


class WishLine(Shape, frozen=True):
    """A line on the map from who wants something to whom it concerns, in meters; `plans`: it is a plan's."""

    start: Spot
    end: Spot
    plans: bool = False


class WishView(Shape, frozen=True):
    """A wish: whose it is, the words in parts, and what came of it.

    `about` is the name of whom it concerns, `whom` their id. `is_ready`: for the GM, `act` is what the words
    mean and can be offered at once; for the player, it is the offer. `hides`: the player does not see the
    endings. `most` characters of an answer fit. `note` says for the GM what it costs. `why` the GM is asked,
    and the `choices` there are, where the act cannot be offered at once; `kept` is the name of the tile that
    it stays as, `keeps` says whose.
    """

    number: int
    who: str
    name: str
    look: Look
    parts: tuple[Part, ...]
    status: str
    reply: str = ""
    about: str = ""
    in_turn: bool = False
    act: ActView | None = None
    whom: str = ""
    is_ready: bool = False
    hides: bool = False
    words: str = ""
    most: int = 0
    note: str = ""
    why: str = ""
    choices: tuple[ChoiceView, ...] = ()
    keeps: str = ""
    kept: str = ""


class EffectView(Shape, frozen=True):
    """A kind of thing that can follow: its sign and its fields, with what is usual until it is `used`."""

    kind: str
    label: str
    used: bool
    sign: str = ""
    who: tuple[str, ...] = ()
    key: str = ""
    n: str = ""
    turns: str = ""
    text: str = ""
    dice: str = ""
    to: str = ""


class RulingForm(Shape, frozen=True):
    """The GM's form of an act: whose words, what is rolled, what it costs, what follows.

    Without a number there is no wish: the GM rules of their own accord for `who`. `kept` is the name under
    which they can do it again if the GM lets them `keep` it; `earlier` are rulings of this fight. `faces` are
    those whom it may concern, `about` who it is; `most` characters of words fit. `overrides` says which rule
    the GM sets aside by it.
    """

    number: int
    who: str
    name: str
    look: Look | None
    words: str
    parts: tuple[Part, ...]
    mode: str
    fields: tuple[tuple[Field, str], ...]
    against: tuple[tuple[Field, str], ...]
    opposed: str
    about: str
    faces: tuple[Person, ...]
    most: int
    grade: str
    grades: tuple[Grade, ...]
    dice: str
    costs: tuple[CostChoice, ...]
    cost: str
    secret: bool
    hides: bool
    kept: str
    keep: bool
    earlier: Pairs
    overrides: str
    endings: tuple[Ending, ...]
    people: Pairs
    groups: Pairs
    conditions: Pairs
    places: Pairs
    items: Pairs
    doors: Pairs
    counts: Pairs
    sides: Pairs


class MyWish(Shape, frozen=True):
    """What a player has of wishes: the open one, and a form for each of their own whom they may be about.

    `doers` are their own who can want something, `people` those it may concern; `most` characters fit.
    """

    doers: Pairs
    people: tuple[Person, ...]
    wish: WishView | None = None
    most: int = 0


class RulingTile(Shape, frozen=True):
    """What someone can do again: what is rolled, its chance and its cost; `refused` says why not now.

    Where it has to be done to someone, `people` are those to choose from, `target` the usual one.
    """

    who: str
    id: str
    name: str
    said: str = ""
    chance: str = ""
    cost: str = ""
    refused: str = ""
    secret: bool = False
    people: tuple[Person, ...] = ()
    target: str = ""

    @property
    def field(self) -> str:
        """How the ids of its faces begin."""
        return f"ruled-{self.who}-{self.id}"
