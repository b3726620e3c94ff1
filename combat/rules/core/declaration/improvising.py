"""What a game says about improvised acts: its check, grades of difficulty, costs, and the rolls of deeds.

A deed is a kind of act that every game knows, such as "athletics"; the verbs that mean it are the core's
(`core/gm/verbs.toml`). The rest of a game's part stands in its `improvising.toml`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from ..basics.data import read_record, read_toml
from ..commands.commands import Action
from ..commands.context import RuleContext

Pay = Callable[[RuleContext, str], None]  # takes the cost from someone's turn; Refused if it cannot


class Grade(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step of difficulty: the `value` of the check's field, as it is shown, and its word."""

    value: str
    shown: str
    word: str


class Cost(msgspec.Struct, frozen=True):
    """A part of a turn that an improvised act can cost; `key` is that of the pool it is taken from."""

    key: str
    label: str
    pay: Pay


class Figures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The figures of a game for improvised acts, as its `improvising.toml` has them.

    `grade` is the field of its check that takes a grade, `usual` the grade to begin with; `asks` are the
    fields to choose besides. `deeds` are the values of those fields by deed. `changes` is what a bonus or a
    penalty on all rolls changes, by the words of a condition of the GM's own; `harm` is how a blow hurts.
    """

    grade: str
    usual: str
    asks: tuple[str, ...]
    changes: str
    harm: str
    grades: tuple[Grade, ...]
    deeds: dict[str, dict[str, str]]


class Improvising(msgspec.Struct, frozen=True):
    """Improvised acts in a game. `check` is its check from the sheet, which costs nothing by itself.

    The first of the `costs` that is left is the usual one.
    """

    check: Action
    figures: Figures
    costs: tuple[Cost, ...] = ()


def load_improvising(folder: Path, check: Action, costs: tuple[Cost, ...]) -> Improvising:
    """What a game says about improvised acts, with the figures of its folder."""
    path = folder / "improvising.toml"
    return Improvising(check, read_record(path, "improvising", read_toml(path), Figures), costs)
