"""The requests of a running command, and people's answers."""

from __future__ import annotations

import msgspec

from ..words import Label
from .dice import read_zeros
from .sealed import SealedDice
from .splits import Split, follow_order, make_order

GM = "gm"
KEPT = "kept"  # the source of dice that an overruled action keeps


class Choice(msgspec.Struct, frozen=True):
    """One possible answer; `refused` says why it is not available now."""

    value: str
    label: str
    detail: str = ""
    refused: str = ""


class RollRequest(msgspec.Struct, frozen=True, tag="roll"):
    """A request for a roll. `who` is the rolling combatant; `look` is "sum", "faces" or "set".

    `cuts` are the sums of faces where the result changes: odds count all sums between two cuts at once.
    `equal_states` are groups of sums with the same result, such as the rows of a table: odds count each group
    at once. `namesakes` are sums with the same result for equivalent things, such as one limb or another:
    only the panel, which cannot tell those apart, counts each group at once. `series` is the secret series
    that numbers the roll; a public roll has none.
    """

    rule: str
    who: str
    ordinal: int
    dice: str
    why: Label
    look: str = "sum"
    cuts: tuple[int, ...] = ()
    equal_states: tuple[tuple[int, ...], ...] = ()
    namesakes: tuple[tuple[int, ...], ...] = ()
    series: str = ""

    @property
    def people(self) -> tuple[str, ...]:
        """The combatants whose players can answer."""
        return (self.who,)


class ChoiceRequest(msgspec.Struct, frozen=True, tag="choice"):
    """A question to the person behind a combatant, or to the GM (`who` = "gm").

    `also` are other combatants whose players can answer: the first answer counts for all. A `split` has no
    options: the answer divides its points.
    """

    rule: str
    who: str
    ordinal: int
    question: str
    options: tuple[Choice, ...]
    default: str
    also: tuple[str, ...] = ()
    split: Split | None = None

    @property
    def people(self) -> tuple[str, ...]:
        """The combatants whose players can answer."""
        return (self.who, *self.also)


Request = RollRequest | ChoiceRequest


class NeedsAnswer(BaseException):
    """A running command needs a roll or a choice. Not an Exception, so no rule can swallow it.

    `averts`: they belong to a defense, which may still make the attack fail.
    """

    def __init__(self, requests: tuple[Request, ...]) -> None:
        super().__init__(f"{len(requests)} answers are missing")
        self.requests = requests
        self.averts = False


class Answer(msgspec.Struct, frozen=True):
    """A recorded answer, keyed by kind, rule, who and ordinal.

    `source`: app, table or kept for dice; seat, gm, order, default or policy for choices. `number`, `dice`,
    the secret `series` and the players' `words` are those of a sealed roll.
    """

    kind: str
    rule: str
    who: str
    ordinal: int
    faces: tuple[int, ...] = ()
    value: str = ""
    source: str = "app"
    number: int = 0
    dice: str = ""
    words: str = ""
    series: str = ""


def kind_of(request: Request) -> str:
    """The kind of a request: "roll" or "choice"."""
    return "roll" if isinstance(request, RollRequest) else "choice"


def key_of(asked: Request | Answer) -> tuple[str, str, str, int]:
    """The key that matches an answer with its question."""
    kind = asked.kind if isinstance(asked, Answer) else kind_of(asked)
    return (kind, asked.rule, asked.who, asked.ordinal)


def answer_roll(request: RollRequest, faces: tuple[int, ...], source: str) -> Answer:
    """The answer to a roll request."""
    faces = read_zeros(request.dice, faces) if source == "table" else faces
    return Answer(
        "roll", request.rule, request.who, ordinal=request.ordinal, faces=faces, value="", source=source
    )


def answer_sealed(request: RollRequest, dice: SealedDice) -> Answer:
    """The answer of the app to a roll request, from the next sealed handful."""
    drawn = dice.throw(request.dice, request.series)
    rolled = answer_roll(request, drawn.faces, "app")
    return msgspec.structs.replace(
        rolled, number=drawn.number, dice=request.dice, words=dice.words, series=drawn.series
    )


def answer_choice(request: ChoiceRequest, value: str, source: str) -> Answer:
    """The answer to a choice request."""
    return Answer(
        "choice", request.rule, request.who, ordinal=request.ordinal, faces=(), value=value, source=source
    )


def follow_standing(request: ChoiceRequest, order: str) -> str:
    """The answer of a standing order to this question; empty if the order is impossible now."""
    if not order:
        return ""
    if request.split is not None:
        return follow_order(request.split, order, request.default)
    is_open = any(option.value == order and not option.refused for option in request.options)
    return order if is_open else ""


def stand_for(request: ChoiceRequest, value: str) -> str:
    """The standing order for an answer: for a split, the order of its places."""
    return make_order(request.split, value, request.default) if request.split else value
