"""What an action does to the fight, written down, so that several who act at once take effect together.

Everything is rolled while somebody acts, against the state of before that count; an effect holds what
came of it.  [CG-INIT-05]  RULING R7
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

import msgspec

from combat.rules.core.basics.dice import Roll
from combat.rules.core.basics.modifiers import Modifiers
from combat.rules.core.basics.typed import read_json
from combat.rules.core.basics.words import Label
from combat.rules.core.space import Point

Kind = Literal[
    "move", "stand", "ready", "stow", "pick", "door", "guard", "stanch", "wake", "dose", "scare", "land",
    "wound", "strip", "weaken", "drop", "break", "prone", "stun", "sleep",
]  # fmt: skip
# One's own deeds come first, then what was done to others
PHASES: tuple[Kind, ...] = get_args(Kind)


class Effect(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing an action does. `who` did it, `target` suffers it.

    `points` are Mortality Points, yards, rounds or seconds as the kind says, of a door 1 for open; `ranks`
    are what a dose makes of the torso's; `severs` is of weapons that cut.
    What waits holds no dice, only what came of them: `thrown` is the label of their term.
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
    """An effect as a text that can wait."""
    return msgspec.json.encode(effect).decode()


def read_effects(texts: tuple[str, ...]) -> list[Effect]:
    """Effects in the order they take place: by kind, then as they are given."""
    return sort_effects(read_json(text, Effect) for text in texts)


def sort_effects(effects: Iterable[Effect]) -> list[Effect]:
    """Effects in the order they take place: by kind, then as they are given."""
    return sorted(effects, key=lambda effect: PHASES.index(effect.kind))
