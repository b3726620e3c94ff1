"""How a frame fits a clause: its phrases in tokens, and the slots that it needs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import msgspec

from ...declaration.frames import Frame
from .clauses import CONDITION, TAIL, Clause
from .lexicon import says
from .scenery import DOORWAY, FOE, FRIEND, US, ZONE
from .sentence import Token

PARTICLE_WITHIN = 6  # words between a verb and its "off": "kick the door in"
NAMED = frozenset((FOE, FRIEND, US, "speech"))  # what is no word besides
MOST_BETWEEN, MOST_TO_NAMES = 7, 10  # words between two parts of a phrase, and before a name
MOST_ADJECTIVES = 3  # and before a thing that follows directly
BY_NAME = frozenset((FOE, FRIEND, US, "person", ZONE, DOORWAY))
SLOTS = re.compile(r"<([^>]+)>")


class Part(msgspec.Struct, frozen=True):
    """A part of a phrase: words, or slots and classes of things, each enough; if it `follows`, directly."""

    words: frozenset[str]
    kinds: frozenset[str]
    follows: bool = False

    def fits(self, token: Token) -> bool:
        """Whether a token is this part."""
        if token.slot not in NAMED and not self.words.isdisjoint(token.stems):
            return True
        return any(token.is_of(kind) for kind in self.kinds)


class Phrase(msgspec.Struct, frozen=True):
    """A phrase of a frame: its verbs, each with its particle or "", and the parts behind them."""

    verbs: tuple[tuple[str, str], ...]
    parts: tuple[Part, ...]


class Fit(msgspec.Struct, frozen=True):
    """A frame that fits a clause: how well, from its verb to what it reached, and the tokens of its slots."""

    frame: Frame
    score: int
    head: int
    clause: int
    end: int = 0
    used: tuple[Token, ...] = ()

    @property
    def rank(self) -> tuple[int, int]:
        """What fits better is greater."""
        return self.frame.weight, self.score


@cache
def read_phrase(say: str) -> Phrase:
    """A phrase of a frame as it is written."""
    verb, *parts = say.split()
    verbs = tuple((first, rest) for first, _, rest in (one.partition("+") for one in verb.split("|")))
    return Phrase(verbs, tuple(_read_part(part) for part in parts))


def _read_part(part: str) -> Part:
    follows, part = part.startswith("^"), part.removeprefix("^")
    kinds = frozenset(kind for group in SLOTS.findall(part) for kind in group.split("|"))
    words = frozenset(word for word in SLOTS.sub("", part).split("|") if word)
    return Part(words, kinds, follows)


def find_words(frame: Frame) -> Iterator[str]:
    """All words that a frame knows."""
    for say in frame.say:
        phrase = read_phrase(say)
        yield from (word for pair in phrase.verbs for word in pair if word)
        yield from (word for part in phrase.parts for word in part.words)


def find_verbs(frame: Frame) -> Iterator[str]:
    """The verbs that a frame knows."""
    yield from (verb for say in frame.say for verb, _ in read_phrase(say).verbs)


def find_fit(
    frames: Mapping[str, Sequence[Frame]], tokens: Sequence[Token], clauses: Sequence[Clause], which: int
) -> Fit | None:
    """The frame that fits an act best; None if none does. `frames` are those that know each verb."""
    start, end = clauses[which].start, find_end(clauses, which)
    before = [one for c in clauses if c.kind == CONDITION for one in tokens[c.start : c.end]]
    found = list[Fit]()
    for head in clauses[which].heads:
        known = {frame.id: frame for stem in tokens[head].stems for frame in frames.get(stem, ())}
        for frame in known.values():
            last = len(tokens) if frame.spans else end
            if fit := _fit(frame, tokens, head, last, which, (*tokens[start:last], *before)):
                found.append(fit)
    return max(found, key=lambda fit: fit.rank, default=None)


def find_end(clauses: Sequence[Clause], which: int) -> int:
    """The end of a clause with what it leads to: "so that they fall"."""
    end = clauses[which].end
    for clause in clauses[which + 1 :]:
        if clause.kind != TAIL:
            break
        end = clause.end
    return end


def _fit(
    frame: Frame, tokens: Sequence[Token], head: int, end: int, which: int, named: Sequence[Token]
) -> Fit | None:
    """How a frame fits from a verb on, by the best of its phrases; None if it does not.

    What it needs is one of those that are `named`, also in a condition.
    """
    phrases = (_fit_phrase(read_phrase(say), tokens, head, end) for say in frame.say)
    best = max(phrases, key=lambda found: found[0])
    if not best[0]:
        return None
    score, last, used = best
    needed = [one for kind in frame.needs if (one := find_slot(named, kind))]
    if len(needed) < len(frame.needs):
        return None
    more = [one for one in needed if one not in used]
    return Fit(frame, score, head, which, last, (*used, *more))


def find_slot(tokens: Sequence[Token], kind: str) -> Token | None:
    """The first token that fills a slot."""
    return next((one for one in tokens if one.is_of(kind)), None)


def _fit_phrase(
    phrase: Phrase, tokens: Sequence[Token], head: int, end: int
) -> tuple[int, int, tuple[Token, ...]]:
    """How well a phrase fits from a verb on, the place that it reached, and the tokens of its slots."""
    (score, at), used = _fit_verb(phrase, tokens, head, end), list[Token]()
    for part in phrase.parts if score else ():
        place = _find_place(part, tokens, at + 1, end)
        if place is None:
            return 0, head, ()
        if tokens[place].slot or part.kinds:
            used.append(tokens[place])
        score, at = score + 2, place
    return score, at, tuple(used)


def _find_place(part: Part, tokens: Sequence[Token], at: int, end: int) -> int | None:
    """The first place from `at` on where a part fits, if it is near enough."""
    if part.follows:
        most = MOST_ADJECTIVES if part.kinds else 0
        for place in range(at, min(at + 1 + most, end)):
            if part.fits(tokens[place]):
                return place
            if says("toward", (tokens[place].text,)) or says("aside", (tokens[place].text,)):
                return None
        return None
    most = MOST_TO_NAMES if part.kinds & BY_NAME else MOST_BETWEEN
    return next((n for n in range(at, min(at + 1 + most, end)) if part.fits(tokens[n])), None)


def _fit_verb(phrase: Phrase, tokens: Sequence[Token], head: int, end: int) -> tuple[int, int]:
    """How well the verb fits, and where it ends: better with its particle, which may stand later."""
    stems = tokens[head].stems
    known = [pair for pair in phrase.verbs if pair[0] in stems]
    texts = [one.text for one in tokens[head + 1 : min(head + 1 + PARTICLE_WITHIN, end)]] if known else []
    best = (0, head)
    for _, particle in known:
        if not particle or particle in texts:
            follows = bool(particle) and texts[0] == particle
            best = max(best, (4 if particle else 2, head + follows))
    return best
