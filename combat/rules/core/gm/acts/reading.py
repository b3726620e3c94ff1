"""What the words of an act are: an act to offer at once, one to ask the GM about, or only words.

Nothing is guessed: only one act of who speaks, neither negated nor conditional, with all that it needs, is
offered. What is left open, or what several acts have in common, the GM chooses. Orders to friends, questions,
and talk stay words.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

import msgspec
from msgspec.structs import replace

from ...declaration.frames import ASK, OFFER, WORDS, Answer, Frame, load_frames
from .clauses import CONDITION, MANY, MAY, ORDER, QUESTION, SENSE, Clause, find_kind, split_clauses
from .lexicon import FOLDER, load_words
from .matching import Fit, find_end, find_fit, find_verbs, find_words
from .scenery import DOORWAY, FOE, FRIEND, ZONE, Scenery
from .sentence import Token, read_tokens

WAY = "athletics"  # the deed of ways
SEARCH = "search"  # the frame of "Do I see anyone?"
PRESENT = frozenset(("need", "shed", "speed", "feed", "bleed", "wed", "shred", "embed"))
SURE = 4  # the score of a verb and something besides

MAY_THEY = "They ask whether it can be done."
DEPENDS = "It depends on what has not happened yet."
TOGETHER = "It is for several to do."
AT_ONCE = "It concerns several at once."
WHICH = "Several are called that: choose whom they mean."
SEVERAL = "These are several acts: choose one."
OPEN = "What follows is yours to choose."
IN_PART = "Only a part of it was understood."
HAS_BEEN = "It sounds like something that has happened."


class Reading(msgspec.Struct, frozen=True):
    """What the words are: the answer, why the GM is asked, and the acts, the leading one first."""

    answer: Answer
    why: str = ""
    fits: tuple[Fit, ...] = ()
    tokens: tuple[Token, ...] = ()
    clauses: tuple[Clause, ...] = ()

    def list_near(self, fit: Fit) -> tuple[Token, ...]:
        """The tokens of an act, from its verb on, with what it leads to."""
        return self.tokens[fit.head : find_end(self.clauses, fit.clause)]


class Vocabulary(msgspec.Struct, frozen=True):
    """The frames of a game, those that know each verb, and all the longer words that they know."""

    frames: tuple[Frame, ...]
    by_verb: Mapping[str, tuple[Frame, ...]]
    words: frozenset[str]

    @property
    def verbs(self) -> Collection[str]:
        """The verbs that frames know."""
        return self.by_verb.keys()


@cache
def load_vocabulary(own: Path | None) -> Vocabulary:
    """The core's frames and a game's own, which take the place of those of the same id."""
    mine = load_frames(own)
    taken = {frame.id for frame in mine}
    frames = (*mine, *(one for one in load_frames(FOLDER / "frames.toml") if one.id not in taken))
    by_verb = dict[str, tuple[Frame, ...]]()
    for frame in frames:
        for verb in dict.fromkeys(find_verbs(frame)):
            by_verb[verb] = (*by_verb.get(verb, ()), frame)
    return Vocabulary(
        frames,
        by_verb,
        words=frozenset(word for frame in frames for word in find_words(frame) if len(word) > 3),
    )


def read(own: Path | None, scenery: Scenery, words: str, about: str = "") -> Reading:
    """What words mean by the core's frames and a game's `own`; `about` is whom they concern, if told."""
    vocabulary = load_vocabulary(own)
    tokens = read_tokens(words, scenery, vocabulary.words, vocabulary.verbs)
    if not tokens or _is_of_the_table(tokens):
        return Reading(WORDS, tokens=tokens)
    kind = find_kind(tokens)
    if about:
        tokens = _concern(tokens, scenery, about)
    clauses = tuple(split_clauses(tokens, vocabulary.verbs))
    if kind in (ORDER, QUESTION):
        return Reading(WORDS, tokens=tokens, clauses=clauses)
    if kind == SENSE:
        search = next(frame for frame in vocabulary.frames if frame.id == SEARCH)
        return Reading(ASK, MAY_THEY, (Fit(search, SURE, 0, 0),), tokens, clauses)
    return _settle(vocabulary, tokens, clauses, kind)


def _concern(tokens: tuple[Token, ...], scenery: Scenery, about: str) -> tuple[Token, ...]:
    """The tokens with whom they concern: in the place of who was unclear, else behind them all."""
    if any(one.ids == (about,) for one in tokens):
        return tokens
    told = Token("", slot=scenery.find_part(about), ids=(about,))
    clear = tuple(
        replace(one, slot=told.slot, ids=told.ids, unclear=False) if about in one.ids else one
        for one in tokens
    )
    return clear if clear != tokens else (*tokens, told)


def _is_of_the_table(tokens: Sequence[Token]) -> bool:
    """Whether the talk is of dice, rules and snacks."""
    firm = load_words("sentence")["firmly"]
    return any(not firm.isdisjoint(token.stems) for token in tokens if not token.slot)


def _settle(
    vocabulary: Vocabulary, tokens: tuple[Token, ...], clauses: tuple[Clause, ...], kind: str
) -> Reading:
    """The acts of the clauses, and whether the leading one can be offered."""
    fits, lost = list[Fit](), False
    for which, clause in enumerate(clauses):
        if not clause.is_act or any(fit.end >= clause.start for fit in fits if fit.frame.spans):
            continue
        if fit := find_fit(vocabulary.by_verb, tokens, clauses, which):
            fits.append(fit)
        else:
            lost |= any(one.slot and one.slot != "speech" for one in tokens[clause.start : clause.end])
    acts = _without_leads(fits)
    real = [fit for fit in acts if fit.frame.answer != WORDS]
    if not real:
        return Reading(WORDS, fits=tuple(acts[:1]), tokens=tokens, clauses=clauses)
    real.sort(key=_lead, reverse=True)
    each = tuple({fit.frame.id: fit for fit in reversed(real)}.values())[::-1]
    is_one = len(each) == 1 and len(real) == len(acts) and not lost
    doubts = (
        *_doubt_people(real[0]),
        (kind == MAY, MAY_THEY),
        (any(clause.kind == CONDITION for clause in clauses), DEPENDS),
        (not is_one, SEVERAL if len(each) > 1 else IN_PART),
        (clauses[real[0].clause].subject == MANY, TOGETHER),
        (_has_been(tokens[real[0].head].text), HAS_BEEN),
        (not _is_enough(tokens, real[0]), IN_PART),
        (real[0].frame.answer == ASK, OPEN),
    )
    why = next((why for is_so, why in doubts if is_so), "")
    return Reading(ASK if why else OFFER, why, each, tokens, clauses)


def _without_leads(fits: list[Fit]) -> list[Fit]:
    """The acts without those that only lead to another: what prepares it, and ways that go on."""
    acts = [fit for fit in fits if not fit.frame.prepares] or fits
    goes_on = [_leads_to(one, after) for one, after in pairwise(acts)]
    return [fit for fit, leads in zip(acts, [*goes_on, False], strict=False) if not leads]


def _leads_to(one: Fit, after: Fit) -> bool:
    """Whether an act only leads to the next: both are ways, or that is done with the thing of this one."""
    if one.frame.deed == after.frame.deed == WAY:
        return True
    return not any(token.ids for token in one.used) and any(token.text == "it" for token in after.used)


def _lead(fit: Fit) -> tuple[bool, int, int]:
    """Of several acts, the one that leads: about somebody or something of the scene, then the last."""
    is_about = any(one.slot in (FOE, FRIEND, DOORWAY, ZONE) for one in fit.used)
    return is_about, fit.frame.weight, fit.clause


def _doubt_people(fit: Fit) -> tuple[tuple[bool, str], ...]:
    """Doubts of whom an act concerns."""
    return (
        (any(one.unclear for one in fit.used), WHICH),
        (any(one.group for one in fit.used), AT_ONCE),
    )


def _has_been(verb: str) -> bool:
    """Whether a verb tells of what has happened."""
    return verb.endswith("ed") and verb not in PRESENT


def _is_enough(tokens: Sequence[Token], fit: Fit) -> bool:
    """Whether more than a verb was understood, and nothing of the table itself besides."""
    if any(one.slot in (FOE, FRIEND, DOORWAY, ZONE) for one in fit.used):
        return True
    soft = load_words("sentence")["table"]
    others = [one for one in tokens if not one.slot and one is not tokens[fit.head]]
    return fit.score >= SURE and not any(one.text in soft for one in others)
