"""The shapes of a result card: dice, what was rolled, whom it changed."""

from __future__ import annotations

from collections.abc import Iterable

from characters.display.shapes import Shape
from combat.audience.viewer import HealthView
from combat.rules.core.basics.dice.requests import AllocationSlot
from combat.rules.core.basics.words import possessive, say_number
from combat.rules.core.wording import Line

from ..combatants.tokens import Look
from .chips import Chip
from .odds_shapes import DistributionView, SumView

MOST_TOLD = 2  # sentences about one person on the card of a low phone
MAX_IN_FULL = 3  # with more people, a card only says how each is now
OVER, DEATH, DOWN, CRITICAL, ACT = "over", "death", "down", "critical", "act"
WEIGHTS = {ACT: 1, CRITICAL: 1, DOWN: 2, DEATH: 3, OVER: 4}


class Face(Shape, frozen=True):
    """A die as it lies: its shape, its number, and whether that is its highest."""

    shape: str
    value: int
    best: bool

    @property
    def wide(self) -> bool:
        """Whether its number has two digits or more."""
        return self.value > 9


class Rolled(Shape, frozen=True):
    """One roll: who rolled what against whom, the faces, the sum, the number to reach, and the outcome.

    Dice of damage and free dice have neither a number to reach nor an outcome; of a number that its player
    may not know there is only the label.
    `added` is what modifiers and the number of the dice add to the faces; None if the viewer does not know
    them. `summed`: the faces add up.
    `deed` says what is done: "Zara attacks Pirate". `words` add the sum: "Zara attacks Pirate (14 vs
    Defense 10)".
    `is_defended`: it succeeded, but a defense made it fail; then `verdict` says which.
    `number` counts the checks of its step from 0. `overrule` is what the GM may say of it instead.
    """

    what: str
    faces: tuple[Face, ...]
    total: int | None
    source: str
    who: str = ""
    target: str = ""
    against: int | None = None
    against_label: str = ""
    verdict: str = ""
    tone: str = "is-plain"
    added: int | None = None
    summed: bool = False
    number: int = -1
    overrule: str = ""
    deed: str = ""
    words: str = ""
    is_defended: bool = False

    @property
    def addition(self) -> str:
        """What is added to the faces, as in a sum: "+ 8"; empty if nothing or if unknown."""
        return f"{'−' if self.added < 0 else '+'} {abs(self.added)}" if self.added else ""

    @property
    def sum(self) -> str:
        """The total in digits; "" if unknown."""
        return "" if self.total is None else say_number(self.total)

    @property
    def adds_up(self) -> bool:
        """Whether the dice and what is added, as shown, make the total."""
        return self.summed and self.added is not None and (len(self.faces) > 1 or self.added != 0)

    @property
    def margin(self) -> int:
        """By how much the total is over or under the number to reach; 0 if unknown or of no effect."""
        if self.total is None or self.against is None or self.is_defended:
            return 0
        return abs(self.total - self.against)

    @property
    def result(self) -> str:
        """The outcome of the roll; its number first, if there was no number to reach."""
        is_open = self.against is None and not self.against_label
        if self.verdict and is_open and (self.total or 0) > 0:
            return f"{self.sum} {self.verdict}"
        return self.verdict or self.sum


class Change(Shape, frozen=True):
    """What a roll did to someone: sentences, each with its kind, and their health now."""

    name: str
    look: Look
    told: tuple[tuple[str, str], ...]
    health: HealthView | None

    @property
    def words(self) -> tuple[str, ...]:
        """The sentences without their kinds."""
        return tuple(words for _, words in self.told)

    @property
    def brief(self) -> str:
        """Their health in a word; what happened to them, if health is not shown."""
        shown = self.health is not None and self.health.shown and self.health.word
        return self.health.word if self.health and shown else " ".join(self.words)


class ResultView(Shape, frozen=True):
    """A result card. `key` names its step, `look` the kind of its action; `why` are lines that explain it.

    `waits` says for whom its deferred effects wait, if others act at the same time. `item` is what was used.
    `is_free`: dice that no rule asked for, beside the last result. `is_past`: a turn has passed
    since, or it began the fight. `is_own`: someone of the viewer's own acted. `said` are the words in which
    someone wanted to do what the GM then ruled.
    """

    key: str
    main: Rolled
    others: tuple[Rolled, ...]
    changes: tuple[Change, ...]
    why: tuple[Line, ...]
    look: str = ""
    waits: str = ""
    item: str = ""
    is_free: bool = False
    is_past: bool = False
    is_own: bool = False
    said: str = ""

    @property
    def is_crowded(self) -> bool:
        """Whether too many were changed: then the card only says how each is now."""
        return len(self.changes) > MAX_IN_FULL

    @property
    def folds(self) -> int:
        """How many sentences a low phone leaves to Why: all but the first about each, if there are many."""
        told = [0] if self.is_crowded else [len(change.told) for change in self.changes]
        return sum(told) - len(told) if max(told, default=0) > MOST_TOLD else 0


# The shapes of what is left after a fight.


class LootPerson(Shape, frozen=True):
    """Someone who can get something; `load` is what they carry, in words for the GM."""

    id: str
    name: str
    look: Look | None = None
    load: str = ""


class LootItem(Shape, frozen=True):
    """A thing that can be taken. `note` says where it is, and to the GM whether players see it.

    `asked` are those of the viewer's own who ask for it, `rivals` the names of all others who do. For the GM
    `askers` are the ids of all who ask, `to` is the id of whom it is set out for, empty if it stays, and
    `picture` the icon of what it is. `better` are words for each who asks for a weapon that does more damage
    than what they hold.
    A row of `count` equal things has all their ids, with commas.
    """

    id: str
    name: str
    note: str
    left: bool = False
    asked: tuple[LootPerson, ...] = ()
    open_to: tuple[LootPerson, ...] = ()
    rivals: tuple[str, ...] = ()
    askers: tuple[str, ...] = ()
    to: str = ""
    picture: str = ""
    count: int = 1
    better: tuple[str, ...] = ()

    @property
    def first(self) -> str:
        """The id of the first of a row's things."""
        return self.id.partition(",")[0]


class LootAsk(Shape, frozen=True):
    """Someone who asks for a thing of a holder, as the GM reads it; `better`: how it beats what they hold."""

    who: LootPerson
    item: str
    name: str
    holder: str
    of: str
    better: str = ""


class HolderView(Shape, frozen=True):
    """Someone fallen, or the scene without an id, with what can be taken.

    `money` is what they have, in words; `is_secret`: the GM can show everyone what they carry;
    `is_hidden`: not every player knows of them. `is_ally`: what they have is theirs, and no loot.
    `rows` are the things as they are set out, equal ones in one row.
    """

    id: str
    name: str
    look: Look | None
    items: tuple[LootItem, ...]
    money: str = ""
    is_secret: bool = False
    has_pile: bool = False
    is_hidden: bool = False
    is_ally: bool = False
    rows: tuple[LootItem, ...] = ()

    @property
    def count(self) -> int:
        """The number of things that are not left behind."""
        return sum(not item.left for item in self.items)


class LootView(Shape, frozen=True):
    """What is left after a fight, as one viewer may see it.

    `takers` are those whom the GM can give things to, `asks` what players ask for. `money` is the game's
    money, empty if it has none; so many `coins` are to be handed out. `given` is what a player's own were
    given, as sentences.
    """

    holders: tuple[HolderView, ...]
    takers: tuple[LootPerson, ...] = ()
    asks: tuple[LootAsk, ...] = ()
    money: str = ""
    given: tuple[str, ...] = ()
    coins: int = 0

    @property
    def kinds(self) -> int:
        """The number of rows to set out."""
        return sum(len(holder.rows) for holder in self.holders)

    @property
    def is_open(self) -> bool:
        """Whether something is still to be handed out."""
        return bool(self.coins) or any(row.to for holder in self.holders for row in holder.rows)

    @property
    def each(self) -> str:
        """What each of the takers gets of the money at least."""
        return f"{self.coins // len(self.takers):,}" if self.takers else ""

    @property
    def all_coins(self) -> str:
        """The money to hand out."""
        return f"{self.coins:,}"

    @property
    def rich(self) -> tuple[HolderView, ...]:
        """The holders with money."""
        return tuple(holder for holder in self.holders if holder.money)


# The shapes of a projector's moments, and of the end of a fight.


class Standing(Shape, frozen=True):
    """How many of several namesakes are in a state of health, as a word."""

    word: str
    tone: str
    count: int


class Someone(Shape, frozen=True):
    """A combatant in a moment: name, token, health and conditions, as far as spectators know them.

    `id` is for the GM's end, where the report puts in how they fought. One who stands for `count` namesakes
    has how many of them are in which state, and the `members`.
    """

    name: str
    look: Look
    health: HealthView
    chips: tuple[Chip, ...] = ()
    played: bool = False
    given_up: bool = False
    id: str = ""
    count: int = 1
    states: tuple[Standing, ...] = ()
    members: tuple[Someone, ...] = ()


class Moment(Shape, frozen=True):
    """Something of a step that a projector shows large for a few seconds.

    `key` names the step, `kind` is one of `WEIGHTS`. `who` it happened to and `by` whom may be unknown;
    `what` did it, or is what was done with a critical result; `faces` are the dice. `words` are the large
    words. `helper` is a sentence on who can help, `quote` the words of an improvised act.
    """

    key: str
    kind: str
    words: str
    who: Someone | None = None
    by: Someone | None = None
    what: str = ""
    faces: tuple[Face, ...] = ()
    helper: str = ""
    quote: str = ""

    @property
    def cause(self) -> str:
        """Whose weapon or deed it was, as far as known: "Pirate's Pistol"."""
        if self.by and self.what:
            return f"{possessive(self.by.name)} {self.what}"
        return self.by.name if self.by else self.what

    @property
    def weight(self) -> float:
        """What it weighs against others of the same time: those whom people play a little more."""
        return WEIGHTS[self.kind] + (0.5 if self.who and self.who.played else 0)

    @property
    def said(self) -> str:
        """The moment as a sentence."""
        name = self.who.name if self.who else ""
        if self.kind == ACT:
            return (
                f"{self.by.name if self.by else 'The GM'}: “{self.quote}” {self.words}. {self.helper}".strip()
            )
        if self.kind == CRITICAL:
            return f"{self.words} on {name}." if name else f"{self.words}."
        because = f": {self.cause}" if self.cause else ""
        return f"{name} {self.words}{because}. {self.helper}".strip()


class Moments(Shape, frozen=True):
    """The moments of the newest steps: the `keys` of all, and those to `show` unless someone is asked."""

    keys: tuple[str, ...] = ()
    show: tuple[Moment, ...] = ()


class Ending(Shape, frozen=True):
    """The end of the fight `name`: how it went in a word, who stands, who is out, and numbers with labels."""

    title: str
    standing: tuple[Someone, ...]
    out: tuple[Someone, ...]
    numbers: tuple[tuple[str, str], ...]
    name: str = ""


class Urgent(Shape, frozen=True):
    """A dying friend, how far they are, and the words and the address of the help that is possible."""

    who: Someone
    far: str
    label: str = ""
    query: str = ""


class Finish(Shape, frozen=True):
    """The end of the fight `name` for the GM: a headline, who stands and who is out, each with how many.

    `sides` are the sides, each with how many stand and how many it has. `urgent` are those hurt on the
    players' side whom first aid can help now. `closed`: nothing is left to do. `keeps`: closing can keep a
    recap or prisoners.
    """

    title: str
    name: str
    standing: tuple[Someone, ...]
    out: tuple[Someone, ...]
    able: int
    fallen: int
    sides: tuple[tuple[str, int, int], ...]
    urgent: tuple[Urgent, ...] = ()
    closed: bool = False
    keeps: bool = False


class MyEnd(Shape, frozen=True):
    """How a fight went for a player: in two words, with their own combatant, and who cannot wait."""

    title: str
    me: Someone
    urgent: tuple[Urgent, ...] = ()


# The shapes of questions to people: dice to type in, choices, points to divide.


class Die(Shape, frozen=True):
    """A field for one die: its sides, and what was typed there."""

    side: int
    word: str = ""


class AnswerView(Shape, frozen=True):
    """An answer to choose, with its price in `detail`, and what it leads to as far as that can be counted.

    `figure` is the chance of a hit in percent, or the average loss in points, as `told` says; `was` the
    chance without this answer, where it helps. `losses` are all losses, with their average.
    """

    value: str
    label: str
    detail: str = ""
    refused: str = ""
    was: str = ""
    figure: str = ""
    told: str = ""
    losses: DistributionView | None = None


class Threat(Shape, frozen=True):
    """What someone is asked to react to: who acts on them, how, and with which item, as far as known."""

    name: str
    look: Look
    what: str
    item: str = ""


class Question(Shape, frozen=True):
    """Something an open command waits for; `problem` is what is wrong with its typed dice.

    With `parts` it is `total` points to divide: places, each with the suggested number. `look` is the token
    of who decides, `sums` what their opponent adds up, before any dice have fallen.
    """

    ordinal: int
    kind: str
    who: str
    text: str
    rule: str
    dice: str = ""
    fields: tuple[Die, ...] = ()
    problem: str = ""
    options: tuple[AnswerView, ...] = ()
    threat: Threat | None = None
    sums: SumView | None = None
    default: str = ""
    can_stand: bool = False
    key: str = ""
    total: int = 0
    parts: tuple[tuple[AllocationSlot, int], ...] = ()
    look: Look | None = None

    @property
    def is_counted(self) -> bool:
        """Whether it is known what each answer leads to."""
        return any(option.told for option in self.options)


class Decider(Shape, frozen=True):
    """Someone who is asked elsewhere: their name, their token, and whether they roll or choose.

    `by_gm`: nobody plays them from a seat.
    """

    name: str
    looks: tuple[Look, ...]
    rolls: bool
    by_gm: bool = False


class Prompt(Shape, frozen=True):
    """The open command: its name, its questions, and what has happened so far.

    `deed` says who does that and to whom, `item` with what, `looks` are the tokens of these people.
    `deciders` are the people asked elsewhere, as far as the viewer knows them; `rolled` are the dice so far.
    `seconds` are left until an open choice takes its default; None if it waits for ever. To those who act,
    `chance` is that of success in percent while nothing has been rolled yet. `obstacle` says why no answer
    takes it further; then it asks nothing.
    """

    label: str
    questions: tuple[Question, ...]
    lines: tuple[Line, ...]
    seconds: int | None = None
    chance: str = ""
    deed: str = ""
    item: str = ""
    looks: tuple[Look, ...] = ()
    deciders: tuple[Decider, ...] = ()
    rolled: tuple[Rolled, ...] = ()
    obstacle: str = ""

    @property
    def missing(self) -> tuple[str, ...]:
        """The names of the people asked elsewhere, each once."""
        return tuple(dict.fromkeys(one.name for one in self.deciders))

    @property
    def focus(self) -> str:
        """The key of the roll to focus: the first with a problem, else the first."""
        wrong = (question.key for question in self.rolls if question.problem)
        return next(wrong, self.rolls[0].key if self.rolls else "")

    @property
    def dice(self) -> tuple[Die, ...]:
        """The fields for dice, of all questions."""
        return tuple(die for question in self.rolls for die in question.fields)

    @property
    def rolls(self) -> tuple[Question, ...]:
        """The questions for dice."""
        return tuple(question for question in self.questions if question.kind == "roll")

    @property
    def only_roll(self) -> Question | None:
        """The roll, if it is all that is asked."""
        return self.rolls[0] if len(self.questions) == len(self.rolls) == 1 else None

    @property
    def about(self) -> str:
        """What the only roll does not say: the action, who does it to whom, and the item."""
        roll = self.only_roll
        if roll is None:
            return " · ".join(filter(None, (self.deed, self.item)))
        names_all = _names_all(f"{roll.who}: {roll.text}", self.deed.split(" → "))
        label = "" if roll.text.casefold().startswith(self.label.casefold()) else self.label
        return " · ".join(filter(None, (label, "" if names_all else self.deed, self.item)))

    @property
    def choices(self) -> tuple[Question, ...]:
        """The questions for choices."""
        return tuple(question for question in self.questions if question.kind != "roll")


def _names_all(told: str, names: Iterable[str]) -> bool:
    """Whether words name each of these people; “Pirate 2” does not name “Pirate”."""
    for name in sorted(names, key=len, reverse=True):
        if name not in told:
            return False
        told = told.replace(name, "", 1)
    return True
