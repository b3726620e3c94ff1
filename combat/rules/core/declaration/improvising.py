"""What a game says about improvised acts: its check, grades of difficulty, costs, and the rolls of deeds.

A deed is a kind of act that every game knows, such as "athletics"; the frames that mean it are the core's
(`core/gm/acts/frames.toml`) and the game's own. The rest of a game's part stands in its `improvising.toml`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from ..basics.data import read_record, read_toml
from ..commands.commands import Action, Run
from ..commands.context import RuleContext, Then
from ..state.state import Combatant, State

Pay = Callable[[RuleContext, str], None]  # takes the cost from someone's turn; Refused if it cannot
Fields = Mapping[str, str]  # of a game's check, by name
Side = tuple[str, Fields]  # of opposed checks: who rolls, and by which fields


class Grade(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step of difficulty: the `value` of the check's field, as it is shown, and its word."""

    value: str
    shown: str
    word: str


class Cost(msgspec.Struct, frozen=True):
    """A part of a turn that an improvised act can cost; `key` is that of the pool it is taken from.

    `awaits` says for someone in their turn what has to come before they can pay, "" if nothing has.
    """

    key: str
    label: str
    pay: Pay
    awaits: Callable[[State, str], str] = lambda state, who: ""


class Size(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much a thing of a size hurts, and the grade of difficulty of an act with it."""

    harm: str
    grade: str


class Figures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The figures of a game for improvised acts, as its `improvising.toml` has them.

    `grade` is the field of its check that takes a grade, `usual` the grade to begin with; `asks` are the
    fields to choose besides. `deeds` are the values of those fields by deed, `fitting` others that fit it as
    well: the best of them is proposed. `changes` is what a bonus or a penalty on all rolls changes, by the
    words of a condition of the GM's own; `harm` is how a blow hurts, `sizes` how things of other sizes do.
    """

    grade: str
    usual: str
    asks: tuple[str, ...]
    changes: str
    harm: str
    grades: tuple[Grade, ...]
    deeds: dict[str, dict[str, str]]
    fitting: dict[str, tuple[dict[str, str], ...]] = {}
    sizes: dict[str, Size] = {}

    def find_harm(self, size: str) -> str:
        """The damage by a thing of a size; without one, that of a blow."""
        return self.sizes[size].harm if size in self.sizes else self.harm

    def find_grade(self, size: str) -> str:
        """The grade of difficulty of an act with a thing of a size; without one, the usual one."""
        return self.sizes[size].grade if size in self.sizes else self.usual


def go_on(context: RuleContext, who: str, fields: Fields, then: Then) -> Then | None:
    """Begin an act in a game where nothing follows from acting."""
    return then


def leave_as_is(state: State, one: Side, other: Side) -> bool | None:
    """A tie in a game where it changes nothing: the act does not work."""
    return False


class Acting(msgspec.Struct, frozen=True):
    """What a game's own actions ask and do, for acts that are none of them.

    `reaches` says whether one combatant reaches another by hand.

    `check` raises Refused for someone who may not act, or not with these fields of a check. `begin` does what
    follows from acting, such as the end of an aim, and goes on with a step. `watch` lets others answer a
    procedure, as they answer the game's actions. `settle` says whether the first of two opposed checks wins a
    tie; None if both roll again.
    """

    check: Callable[[State, str, Fields], None]
    reaches: Callable[[State, Combatant, Combatant], bool]
    begin: Callable[[RuleContext, str, Fields, Then], Then | None] = go_on
    watch: Callable[[Run], Run] = lambda run: run
    settle: Callable[[State, Side, Side], bool | None] = leave_as_is


class Improvising(msgspec.Struct, frozen=True):
    """Improvised acts in a game. `check` is its check from the sheet, which costs nothing by itself.

    The first of the `costs` that is left is the usual one. `frames` is the file of the game's own frames.
    """

    check: Action
    figures: Figures
    costs: tuple[Cost, ...]
    acting: Acting
    frames: Path | None = None


def load_improvising(folder: Path, check: Action, costs: tuple[Cost, ...], acting: Acting) -> Improvising:
    """What a game says about improvised acts, with the figures of its folder."""
    path = folder / "improvising.toml"
    figures = read_record(path, "improvising", read_toml(path), Figures)
    return Improvising(check, figures, costs, acting, folder / "frames.toml")
