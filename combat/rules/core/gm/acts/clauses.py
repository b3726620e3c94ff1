"""The clauses of what someone types: whose act each is, whether it is negated, and its verbs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

import msgspec

from .lexicon import load_words, says
from .scenery import DOORWAY, FOE, FRIEND, OWN, PASSED, THEIRS, ZONE
from .sentence import Token

MAIN, TAIL, CONDITION = "main", "tail", "condition"
ME, MANY, OTHER = "me", "many", "other"
PLAIN, QUESTION, MAY, SENSE, ORDER = "plain", "question", "may", "sense", "order"
NEAR = 4  # words from "I tell" to whom
PEOPLE = (FOE, FRIEND)
NO_SUBJECT = (ZONE, DOORWAY, PASSED, OWN, THEIRS)  # names that begin no act of who speaks
ARTICLES = frozenset(("the", "a", "an", "my", "our", "your", "his", "her", "their"))
WISHES = frozenset(("i'd", "would", "we'd", "id"))  # before "like", which then begins no clause


class Clause(msgspec.Struct, frozen=True):
    """A part of the words from token `start` to `end`.

    `heads` are the places of its verbs, the main one first.
    """

    start: int
    end: int
    kind: str = MAIN
    subject: str = ME
    negated: bool = False
    heads: tuple[int, ...] = ()

    @property
    def is_act(self) -> bool:
        """Whether who speaks does something in it."""
        return self.kind == MAIN and self.subject in (ME, MANY) and not self.negated


# ---------------------------------------------------------------- the whole


def find_kind(tokens: Sequence[Token]) -> str:
    """What a sentence is: an act, whether that may be done, an order to a friend, or a question."""
    words = [one for one in tokens if not one.is_mark]
    if not words:
        return QUESTION
    if _calls_friend(tokens, words):
        return ORDER
    first = [one.text for one in words[:2]]
    if says("asks_for_sense", first):
        return SENSE
    if says("asks_for_act", first):
        return MAY
    if says("asks", first[:1]) and not words[0].slot and not (first[0] == "when" and tokens[-1].text != "?"):
        return QUESTION
    if tokens[-1].text == "?":
        return MAY if says("me", first) else QUESTION
    return PLAIN


def _calls_friend(tokens: Sequence[Token], words: Sequence[Token]) -> bool:
    """Whether it is said to a friend: "Juno, shoot!", "I tell Juno to shoot", "Shoot, Juno!"."""
    says_me = any(says("me", (one.text,)) for one in words[:2])
    if tokens[0].slot == FRIEND and not tokens[0].owner and len(tokens) > 1:
        if tokens[1].is_mark:
            return True
        if not says_me and not tokens[1].text.endswith("s"):
            return True
    is_behind_mark = any(one.is_mark and two is words[-1] for one, two in pairwise(tokens))
    if words[-1].slot == FRIEND and not says_me and is_behind_mark:
        return True
    calls = load_words("sentence")["calls"]
    for at, token in enumerate(words[: NEAR + 1]):
        if token.slot or calls.isdisjoint(token.stems):
            continue
        near = words[at + 1 : at + NEAR]
        if any(one.slot == FOE for one in near):
            return False
        told = next((n for n, one in enumerate(near, at + 1) if one.slot == FRIEND), None)
        if told is not None and not words[told].owner:
            return not _comforts([one.text for one in words[told + 1 :]])
    return False


def _comforts(after: list[str]) -> bool:
    """Whether what is said to a friend is to help them, and no order."""
    if after[:1] == ["to"]:
        return says("comfort", after[1:2])
    return not after or (says("assures", after[:1]) and not says("duties", after))  # "that she should go"


# ---------------------------------------------------------------- clauses


def split_clauses(tokens: Sequence[Token], verbs: Collection[str]) -> list[Clause]:
    """The clauses in their order. `verbs` are those that frames know."""
    found = list[Clause]()
    for start, end, kind in _cut(tokens, verbs):
        subject, negated, at = _find_subject(tokens, start, end)
        if not subject:  # "he grabs her and drags her off"
            subject = OTHER if found and all(one.subject == OTHER for one in found) else ME
        if kind == MAIN and subject == OTHER and found:
            kind = TAIL  # "and he goes down"
        if kind == CONDITION and found and _speaks(tokens, found[-1]):
            kind = TAIL  # "I promise them a share if they help"
        heads = _find_heads(tokens, at, end, verbs) if subject != OTHER else ()
        found.append(Clause(start, end, kind, subject, negated, tuple(heads)))
    return found


def _cut(tokens: Sequence[Token], verbs: Collection[str]) -> Iterator[tuple[int, int, str]]:
    """The ends of clauses, and the kind of each."""
    start, kind = 0, MAIN
    for at, token in enumerate(tokens):
        opens = _find_opening(tokens, at, verbs)
        if not opens and kind != MAIN and at > start + 1 and _says_me(tokens, at):
            opens = MAIN  # "when she comes I trip her"
        if not opens:
            continue
        if at > start:
            yield start, at, kind
        leads = token.is_mark or says("joins", (token.text,))
        start, kind = (at + 1 if leads else at), opens
    if start < len(tokens):
        yield start, len(tokens), kind


def _find_opening(tokens: Sequence[Token], at: int, verbs: Collection[str]) -> str:
    """The kind of clause that begins at a token or behind it; "" if none does."""
    token, words = tokens[at], load_words("sentence")
    if token.is_mark:
        return MAIN
    if token.slot:
        return ""
    if token.text in words["conditions"]:
        return CONDITION
    if token.text in words["instead"]:
        return TAIL
    is_wish = token.text == "like" and bool(at) and tokens[at - 1].text in WISHES
    if token.text in words["tails"] and not is_wish:
        return MAIN if token.text == "so" and _says_me(tokens, at + 1) else TAIL
    if token.text in words["joins"] and _begins_act(tokens, at + 1, verbs):
        return MAIN
    return ""


def _says_me(tokens: Sequence[Token], at: int) -> bool:
    return at < len(tokens) and says("subject", (tokens[at].text,))


def _begins_act(tokens: Sequence[Token], at: int, verbs: Collection[str]) -> bool:
    """Whether a verb or a subject stands here, behind adverbs."""
    while at < len(tokens) and _is_helper(tokens[at]):
        if _says_me(tokens, at):
            return True
        at += 1
    if at >= len(tokens) or tokens[at].is_mark:
        return False
    token = tokens[at]
    if says("never", (token.text,)):
        return True  # "and don't trip him"
    if token.slot:
        goes_on = at + 1 < len(tokens) and not tokens[at + 1].is_mark
        return token.slot in PEOPLE and goes_on and not token.owner
    return says("someone", (token.text,)) or is_verb(token, verbs)


def is_verb(token: Token, verbs: Collection[str]) -> bool:
    """Whether a token is a form of one of these verbs."""
    return not token.slot and any(stem in verbs for stem in token.stems)


def _is_helper(token: Token) -> bool:
    """Whether a token stands between a subject and its verb: "am going to", "quickly"."""
    if token.slot:
        return False
    is_adverb = token.text.endswith("ly") and not says("no_adverbs", (token.text,))
    return is_adverb or any(says(kind, (token.text,)) for kind in ("helpers", "me", "joins"))


def _find_subject(tokens: Sequence[Token], start: int, end: int) -> tuple[str, bool, int]:
    """Whose act a clause is, "" if it does not say, whether it is negated, and the place of its verb."""
    subject, negated = "", False
    for at in range(start, end):
        token = tokens[at]
        if says("never", (token.text,)) or says("instead", (token.text,)):
            negated = True
        elif says("asks_for_act", (token.text,)) or says("me", (token.text,)):
            is_many = says("many", (token.text,)) or token.text.endswith("-we")
            subject = MANY if is_many else subject or ME
        elif not subject and _is_other(token):
            return OTHER, negated, at
        elif token.slot or not (_is_helper(token) or token.text == "to"):
            return subject, negated, at
    return subject, negated, end


def _is_other(token: Token) -> bool:
    """Whether a clause that begins so is about someone or something else that does something."""
    if token.slot in PEOPLE:
        return not token.owner
    return token.slot in NO_SUBJECT or token.text in ARTICLES or says("someone", (token.text,))


def _find_heads(tokens: Sequence[Token], at: int, end: int, verbs: Collection[str]) -> Iterator[int]:
    """The places of the verbs of a clause: the main one, and what it is done for: "to distract him"."""
    if at >= end or tokens[at].slot:
        return
    yield at
    speaks, utters = (
        not load_words("sentence")[kind].isdisjoint(tokens[at].stems) for kind in ("speech", "utters")
    )
    for place in range(at + 1, end - 1):
        if speaks and (not utters or tokens[place].slot in PEOPLE):
            return  # it says what someone else is to do
        if tokens[place].text == "to" and is_verb(tokens[place + 1], verbs):
            yield place + 1


def _speaks(tokens: Sequence[Token], clause: Clause) -> bool:
    """Whether somebody says something in a clause."""
    speech = load_words("sentence")["speech"]
    return bool(clause.heads) and not speech.isdisjoint(tokens[clause.heads[0]].stems)
