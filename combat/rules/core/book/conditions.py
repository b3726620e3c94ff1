"""The conditions of a game: `conditions.toml` says what each does and what ends it."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from ..basics.data import DataError, read_record, read_toml
from ..state.state import SURRENDERED

# The start or the end of the next turn to come, or the end of the one after the turn under way
Edge = Literal["", "start", "end", "next end"]


class ConditionKind(msgspec.Struct, frozen=True):
    """A condition of the book: what it does and what ends it, for chips and cards.

    A `bound` condition, such as a hold, ends when the combatant it comes from leaves. `takes` are the pools
    of a turn that it empties. `until` is the edge of a turn at which it ends, "" for one without such an end.
    A `silent` one is told by the line of its action, when it begins and when it is used up.
    """

    kind: str
    label: str
    text: str
    ends: str
    rule: str
    for_gm: bool = True
    bound: bool = False
    takes: tuple[str, ...] = ()
    until: Edge = ""
    silent: bool = False


# What the GM may give in every game; a game with a rule of its own for it has its own row
OF_EVERY_GAME = {
    SURRENDERED: ConditionKind(
        SURRENDERED, "Surrendered", "No turns and no actions: does not fight on.", "the GM ends it", ""
    )
}


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name of a condition, what ends it, the edge of a turn at which it ends, and its rule."""

    label: str
    ends: str
    rule: str
    until: Edge = ""


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file: a row and a sentence for each condition, by kind.

    `bound` conditions end when the combatant they come from leaves; `quiet` ones have no chip; `takes` lists
    the pools of a turn that a condition empties; `silent` ones are told by the line of their action.
    """

    condition: dict[str, Row]
    text: dict[str, str]
    bound: tuple[str, ...] = ()
    quiet: tuple[str, ...] = ()
    takes: dict[str, tuple[str, ...]] = {}
    silent: tuple[str, ...] = ()


def load_conditions(path: Path) -> dict[str, ConditionKind]:
    """The conditions of a `conditions.toml` by kind; DataError for a row or sentence without the other."""
    table = read_record(path, "conditions", read_toml(path), Table)
    rows, named = table.condition, {*table.bound, *table.quiet, *table.takes, *table.silent}
    if odd := (rows.keys() ^ table.text.keys()) | (named - rows.keys()):
        wrong = ", ".join(sorted(odd))
        raise DataError(f"{path}: {wrong}: a condition has a row in [condition] and a sentence in [text]")
    return {kind: _make_kind(table, kind, row) for kind, row in rows.items()}


def _make_kind(table: Table, kind: str, row: Row) -> ConditionKind:
    return ConditionKind(
        kind,
        row.label,
        table.text[kind],
        row.ends,
        row.rule,
        for_gm=kind not in table.quiet,
        bound=kind in table.bound,
        takes=table.takes.get(kind, ()),
        until=row.until,
        silent=kind in table.silent,
    )
