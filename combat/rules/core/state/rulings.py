"""What a GM has ruled on an act that no button has: what follows from it, and how it is done again."""

from __future__ import annotations

from typing import Literal

import msgspec

from ..basics.modifiers import Modifier, Modifiers
from ..basics.words import Phrase

RULING, NEXT_ROLL = "ruling", "next_roll"  # kinds of conditions that a ruling gives
HELP = "Next roll"  # the name of a bonus on the next roll, and of its term in a sum
ME, THEM = "me", "them"  # who acts, and whom it is done to
CheckFields = tuple[tuple[str, str], ...]  # the fields of the game's check, by name
Kind = Literal[
    "harm", "condition", "points", "place", "item", "door", "clock", "counter", "side", "leaves", "words"
]


def is_help(term: Modifier) -> bool:
    """Whether a term of a sum is the bonus on the next roll."""
    return isinstance(term.label, Phrase) and term.label.args.get("name") == HELP


def without_help(terms: Modifiers) -> Modifiers:
    """The terms of a later roll of the same action: the bonus on the next roll has counted."""
    return tuple(term for term in terms if not is_help(term))


class Effect(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One thing that follows from an act, for `who`.

    harm: they lose `dice`. condition: they get the condition `key` for `n` of their turns, 0 until it is
    removed. points: `n` on all their rolls for `turns` turns. place: they stand in the zone `key`, or beside
    `to`. item: their item `key` goes to `to`, or falls. door: the door `key` opens or, at 0, is shut. clock
    and counter: that of the id `key` moves by `n`. side: they join the side `key`. leaves: they are gone, or
    with the `key` "surrenders" give up. words: the `text` stands in the log.
    """

    kind: Kind
    who: tuple[str, ...] = ()
    key: str = ""
    to: str = ""
    dice: str = ""
    n: int = 0
    turns: int = 0
    text: str = ""


class Ruling(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """An act as the GM ruled it once: its combatant does it again without asking.

    "me" stands for who acts, "them" for whom it is done to: then `about`. The `grade` is the step of
    difficulty of the `check`. Players know neither a `secret` one nor endings that the GM `hides`.
    """

    id: str
    name: str
    words: str = ""
    about: str = ""
    check: CheckFields
    grade: str = ""
    opposed: str = ""
    counter: CheckFields = ()
    cost: str = ""
    works: tuple[Effect, ...] = ()
    fails: tuple[Effect, ...] = ()
    secret: bool = False
    hides: bool = False
