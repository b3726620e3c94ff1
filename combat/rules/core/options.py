"""What a table may choose: house rules and the conditions of a scene, with what holds unless it is said."""

from __future__ import annotations

from typing import Any

import msgspec

from .basics.memory import remember
from .basics.numbers import with_true_minus
from .state.state import Scalar


class TableOption(msgspec.Struct, frozen=True):
    """A house rule the GM may set: its default, the reason for it and its ruling.

    `number`, if given, is a range: any whole number in it will do as well. `labels` are the words of its
    choices, in their order.
    """

    key: str
    label: str
    default: Scalar
    choices: tuple[Scalar, ...] = ()
    ruling: str = ""
    help: str = ""
    number: tuple[int, int] | None = None
    labels: tuple[str, ...] = ()

    def describe(self, value: Scalar) -> str:
        """A value in words: its label, yes or no, or its key without underscores."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        return dict(zip(self.choices, self.labels, strict=False)).get(
            value, with_true_minus(str(value).replace("_", " "))
        )


# Options of the table itself, the same in every game
TABLE_OPTIONS = (
    TableOption(
        "typed_dice",
        "Dice are rolled at the table",
        False,
        help="The app is quicker; any single roll can be typed all the same. It asks for all of them.",
    ),
    TableOption(
        "foe_health",
        "Players see the health of others as",
        "word",
        ("number", "word", "bar", "nothing"),
        help="A word says what the characters can see; only the GM sees the number.",
    ),
    TableOption(
        "answer_seconds",
        "Seconds until an open question takes the default answer (0: waits)",
        0,
        (0, 15, 30, 60),
        help="Nobody is hurried unless you want it.",
    ),
    TableOption(
        "turn_seconds",
        "Seconds for a turn, shown to all (0: no timer)",
        0,
        (0, 30, 60, 90, 120, 180, 300),
        number=(0, 3600),
        help="When they are over, the timer says so; nobody's turn is ended.",
    ),
    TableOption(
        "gm_keeps_tracks",
        "The GM may change health, ammunition and conditions on the sheets of seated characters",
        False,
        help="A sheet belongs to its player.",
    ),
)


class Setting(msgspec.Struct, frozen=True):
    """A scene condition, such as light or gravity, with its possible values."""

    key: str
    label: str
    choices: tuple[tuple[str, str], ...]
    default: str
    rule: str = ""


@remember
def find_defaults(declared: tuple[TableOption | Setting, ...]) -> dict[str, Any]:
    """What holds where the encounter says nothing, by key."""
    return {each.key: each.default for each in (*TABLE_OPTIONS, *declared)}
