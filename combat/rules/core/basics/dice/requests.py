"""The requests of a running command, and people's answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import msgspec

from ..errors import Refused
from ..words import Label
from .dice import SealedDice, read_zeros

GM = "gm"
KEPT = "kept"  # the source of dice that an overruled action keeps
BEST = "best"
_PART = re.compile(r"([a-z_]+)=(\d{1,4})", re.ASCII)


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


# Points that a person divides among places, such as a wound among characteristics. An answer is
# `end=3,str=4`: every place with points, in the order of the question. A standing order is an order of
# places, `end>str`, since the next sum will differ, or `best` for the game's suggestion.


class AllocationSlot(msgspec.Struct, frozen=True):
    """A place for points: at least `least`, at most `most`. `detail` is its present state in words."""

    key: str
    label: str
    most: int
    least: int = 0
    detail: str = ""


class Split(msgspec.Struct, frozen=True):
    """A number of points to divide among places; all of them must be placed."""

    total: int
    places: tuple[AllocationSlot, ...]


def make_split(total: int, places: Iterable[AllocationSlot]) -> Split:
    """A split of the points that fit: at most what the places hold, at least what they require."""
    known = tuple(places)
    least, most = sum(place.least for place in known), sum(place.most for place in known)
    return Split(max(least, min(total, most)), known)


def is_forced(split: Split) -> bool:
    """Whether there is only one way, so no question is needed."""
    free = [place for place in split.places if place.most > place.least]
    spare = split.total - sum(place.least for place in split.places)
    return len(free) < 2 or spare in (0, sum(place.most - place.least for place in free))


def fill(split: Split, order: Iterable[str] = ()) -> dict[str, int]:
    """The points of each place, filled in turn: first those of the `order`, then the rest."""
    parts = {place.key: place.least for place in split.places}
    rank = {key: number for number, key in enumerate(order)}
    left = split.total - sum(parts.values())
    for place in sorted(split.places, key=lambda place: rank.get(place.key, len(rank))):
        more = min(left, place.most - place.least)
        parts[place.key] += more
        left -= more
    return parts


def write_split(split: Split, parts: Mapping[str, int]) -> str:
    """The canonical answer: `end=3,str=4`."""
    return ",".join(f"{p.key}={parts[p.key]}" for p in split.places if parts.get(p.key))


def read_split(split: Split, text: str) -> dict[str, int]:
    """The points of each place in an answer; Refused in words for an invalid one."""
    parts = dict.fromkeys((place.key for place in split.places), 0)
    for word in filter(None, text.split(",")):
        found = _PART.fullmatch(word)
        if found is None or found[1] not in parts or parts[found[1]]:
            raise Refused("bad_value", "That is no way to divide points: give a number for each place.")
        parts[found[1]] = int(found[2])
    return check_split(split, parts)


def check_split(split: Split, parts: Mapping[str, int]) -> dict[str, int]:
    """The same points, if this division is allowed."""
    for place in split.places:
        n = parts.get(place.key, 0)
        if n > place.most:
            raise Refused("bad_value", f"{place.label} takes {place.most} at most: put the rest elsewhere.")
        if n < place.least:
            raise Refused("bad_value", f"{place.label} has to take {place.least} at least.")
    placed = sum(parts.values())
    if placed != split.total:
        rest = split.total - placed
        wrong = f"{rest} more to place" if rest > 0 else f"{-rest} too many"
        raise Refused("bad_value", f"Divide all {split.total} points: {wrong}.")
    return dict(parts)


# ---------------------------------------------------------------- standing orders


def make_order(split: Split, text: str, default: str) -> str:
    """The standing order for an answer: the place with most points first, or `best` for the default."""
    if text == BEST:
        return BEST
    parts = read_split(split, text)
    if parts == read_split(split, default):
        return BEST
    ranked = sorted(split.places, key=lambda place: -parts[place.key])
    return ">".join(place.key for place in ranked)


def follow_order(split: Split, order: str, default: str) -> str:
    """The answer of a standing order to this split; empty if the order is impossible."""
    keys = order.split(">")
    if order == BEST:
        return default
    if not {place.key for place in split.places}.issuperset(keys) or len(set(keys)) < len(keys):
        return ""
    return write_split(split, fill(split, keys))
