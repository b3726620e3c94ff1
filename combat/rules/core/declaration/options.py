"""A table's choices: house rules and scene conditions, with their defaults."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from ..basics.data import DataError, read_record, read_toml
from ..basics.numbers import with_true_minus
from ..state.state import Scalar

REST = "rest"
# What house rules are about: key, label and icon, in the order of a page
TOPICS = (
    ("turns", "Turns", "wait"),
    ("attacks", "Attacks and range", "attack"),
    ("damage", "Damage and care", "harm"),
    (REST, "Everything else", "item"),
)


class TableOption(msgspec.Struct, frozen=True):
    """A house rule the GM can set: its default, the reason for it and its ruling.

    `number` is a range: any whole number in it is also allowed. `labels` are the words of its choices, in
    order. `topic` is what it is about, a key of TOPICS.
    """

    key: str
    label: str
    default: Scalar
    choices: tuple[Scalar, ...] = ()
    ruling: str = ""
    help: str = ""
    number: tuple[int, int] | None = None
    labels: tuple[str, ...] = ()
    topic: str = REST

    def describe(self, value: Scalar) -> str:
        """A value in words: its label, yes or no, or its key with blanks for underscores."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        return dict(zip(self.choices, self.labels, strict=False)).get(
            value, with_true_minus(str(value).replace("_", " "))
        )


# Options of the table, the same in every game
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
    TableOption(
        "screen_code",
        "Spectators see the code to join before the fight",
        False,
        help="For a projector in the room. Those who watch can then also join as players.",
    ),
)


class Setting(msgspec.Struct, frozen=True):
    """A scene condition, such as light or gravity, with its possible values.

    With `options` it matters only at a table that plays one of these house rules.
    """

    key: str
    label: str
    choices: tuple[tuple[str, str], ...]
    default: str
    rule: str = ""
    options: tuple[str, ...] = ()


class OptionRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name of an option, and its ruling; without a `default`, the first choice is the default."""

    label: str
    ruling: str
    default: Scalar | None = None
    number: tuple[int, int] | None = None


class OptionFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An `options.toml`: a row for each option by key, its choices, with or without words, and its reason.

    `topic` lists the options of a topic; those of none are of the rest.
    """

    option: dict[str, dict[str, Any]]
    choices: dict[str, tuple[Scalar, ...] | dict[str, str]] = {}
    help: dict[str, str] = {}
    topic: dict[str, tuple[str, ...]] = {}


def load_options(path: Path) -> tuple[TableOption, ...]:
    """The house rules of an `options.toml`, in order.

    DataError for a wrong row, one without choices or a default, and for choices, help or topics that name no
    option.
    """
    table = read_record(path, "options", read_toml(path), OptionFile)
    sorted_in = [key for keys in table.topic.values() for key in keys]
    if odd := (table.choices.keys() | table.help.keys() | {*sorted_in}) - table.option.keys():
        raise DataError(f"{path}: no option is called {', '.join(sorted(odd))}")
    if len(sorted_in) > len({*sorted_in}) or table.topic.keys() - {key for key, *_ in TOPICS}:
        raise DataError(f"{path}: topic: unknown, or with an option that has another topic")
    rows = {key: read_record(path, f"option.{key}", row, OptionRow) for key, row in table.option.items()}
    if bare := [key for key, row in rows.items() if row.default is None and not table.choices.get(key)]:
        raise DataError(f"{path}: option.{bare[0]}: it has neither choices nor a default")
    return tuple(_make_option(table, key, row) for key, row in rows.items())


def _make_option(table: OptionFile, key: str, row: OptionRow) -> TableOption:
    usual = () if row.default is None or row.number is None else (row.default,)
    found = table.choices.get(key, usual)
    words = tuple(found.values()) if isinstance(found, dict) else ()
    choices = tuple(map(_read_choice, found)) if isinstance(found, dict) else found
    default = choices[0] if row.default is None else row.default
    return TableOption(
        key,
        row.label,
        default,
        choices=choices,
        ruling=row.ruling,
        help=table.help.get(key, ""),
        number=row.number,
        labels=words,
        topic=next((topic for topic, keys in table.topic.items() if key in keys), REST),
    )


def _read_choice(key: str) -> Scalar:
    """A choice by its key in the file: digits become a whole number."""
    return int(key) if key.removeprefix("-").isdecimal() else key


def find_defaults(declared: tuple[TableOption | Setting, ...]) -> dict[str, Any]:
    """The values that hold if the encounter sets none, by key."""
    return {each.key: each.default for each in (*TABLE_OPTIONS, *declared)}
