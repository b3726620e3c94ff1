"""The effects of actions, stored so that those of a shared count happen together.

Every roll is made during the action, on the state before that count; an effect holds the results.
[CG-INIT-05]  RULING R7
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

import msgspec

from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.modifiers import Modifiers
from combat.rules.core.basics.typed import read_json
from combat.rules.core.basics.words import Label
from combat.rules.core.space import Point

Kind = Literal[
    "move", "stand", "ready", "stow", "pick", "door", "guard", "stanch", "wake", "dose", "scare", "land",
    "wound", "strip", "weaken", "drop", "break", "prone", "stun", "sleep",
]  # fmt: skip
# Own deeds come first, then harm to others
PHASES: tuple[Kind, ...] = get_args(Kind)


class Effect(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One effect of an action. `who` did it, `target` suffers it.

    `points` are Mortality Points, yards, rounds or seconds, depending on the kind; for a door, 1 means open.
    `ranks` are the torso's ranks after a dose; `severs` marks weapons that cut. A waiting effect holds no
    dice, only their results: `thrown` is the label of their term.
    """

    kind: Kind
    who: str
    rule: str
    target: str = ""
    place: str = ""
    points: int = 0
    ranks: int = 0
    severs: bool = False
    item: str = ""
    at: Point | None = None
    cost: float = 0.0
    how: Label = ""
    why: Label = ""
    terms: Modifiers = ()
    roll: Roll | None = None
    thrown: Label = ""


def write_effect(effect: Effect) -> str:
    """An effect as text, to be stored until the end of the count."""
    return msgspec.json.encode(effect).decode()


def read_effects(texts: tuple[str, ...]) -> list[Effect]:
    """The effects in the order they happen: by kind, then as given."""
    return sort_effects(read_json(text, Effect) for text in texts)


def sort_effects(effects: Iterable[Effect]) -> list[Effect]:
    """The effects in the order they happen: by kind, then as given."""
    return sorted(effects, key=lambda effect: PHASES.index(effect.kind))
