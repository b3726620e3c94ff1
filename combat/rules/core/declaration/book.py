"""What a game's book offers a table: house rules, sheets, gear, opponents, tables, ready and demo fights."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from ..basics.data import DataError, read_record, read_toml
from ..basics.numbers import with_true_minus
from ..book.printed import BookTable
from ..sheets.catalogue import Catalogue
from ..sheets.foreign import ItemReader, Lines, Reader
from ..sheets.sheets import SheetPlan
from ..space.blueprint import read_map
from ..state.state import Combatant, Scalar, State

REST = "rest"
# What house rules are about: key, label and icon, in the order of a page
TOPICS = (
    ("turns", "Turns", "wait"),
    ("attacks", "Attacks and range", "attack"),
    ("damage", "Damage and care", "harm"),
    (REST, "Everything else", "item"),
)
# Who says when a fight goes onto the sheets of players: the GM for all, each player, or nobody
SHEETS_AFTER = "sheets_after"
OPEN_BLOCKS = "open_blocks"
CORRECT_OWN = "players_correct"  # the house rule by which players correct figures of their own
BY_GM, BY_PLAYERS, AT_ONCE = "gm", "players", "at_once"


class StatBlock(msgspec.Struct, frozen=True):
    """A ready opponent of the library. With an `option` it is offered only if the table plays that option."""

    id: str
    name: str
    tier: str
    summary: str
    sheet: dict[str, Any]
    option: str = ""


class Lack(msgspec.Struct, frozen=True):
    """Why an item is of little use to someone: its name, a sentence, and the skill in words that mends it."""

    item: str
    text: str
    skill: str


class Imports(msgspec.Struct, frozen=True, kw_only=True):
    """What a game can import besides its own sheets."""

    # Reads a combatant from one line of text, if the game has such a form.
    lines: Lines | None = None
    # Read characters from files and texts of other programs.
    readers: tuple[Reader, ...] = ()
    # Read single items from files of other programs.
    items: tuple[ItemReader, ...] = ()
    # The names of items that people write instead of those of the catalogue, each with the right one.
    item_names: dict[str, str] = {}
    # What common words such as "guard" mean in notes: the key of a stat block each.
    people_names: dict[str, str] = {}
    # A sheet with this maximum of HP, which the first track shows; None if health follows from other numbers.
    set_health: Callable[[dict[str, Any], int], dict[str, Any]] | None = None
    # A sheet with a skill, by the words that people write, at this level; None for a word that is no skill.
    train: Callable[[dict[str, Any], str, int], dict[str, Any] | None] | None = None
    # Notes that pages print as an example: all of it is understood, “4 pirates with club, 1 sniper; 2 guards
    # (allies)”.
    example: str = ""
    # What makes the weapons of a combatant useless: each with a sentence and the skill that mends it, such
    # as “Slug Pistol 0”.
    find_lacks: Callable[[Combatant], tuple[Lack, ...]] | None = None

    @property
    def short_example(self) -> str:
        """The first people of the example, without their things."""
        return re.sub(r" with [^,;]+", "", self.example.partition(";")[0])


def load_people_names(folder: Path) -> dict[str, str]:
    """The common words of a game, from `common.toml` in its folder; DataError if a row is wrong."""
    path = folder / "common.toml"
    return read_record(path, "common", {"words": read_toml(path)}, CommonWords).words


class CommonWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A `common.toml`: the key of a stat block by word."""

    words: dict[str, str]


class ReadyFight(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fight to begin a new encounter with: notes that name who fights, and a scene of the library."""

    label: str
    name: str
    scene: str
    notes: str


class ReadyFights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A `fights.toml`."""

    fights: tuple[ReadyFight, ...]


def load_ready_fights(folder: Path) -> tuple[ReadyFight, ...]:
    """The ready fights of a game, from `fights.toml` in its folder; DataError if a row is wrong."""
    path = folder / "fights.toml"
    return read_record(path, "fights", read_toml(path), ReadyFights).fights


class Book(msgspec.Struct, frozen=True, kw_only=True):
    """What a game's book offers a table, besides its rules."""

    # The house rules a table can choose.
    options: tuple[TableOption, ...] = ()
    # The properties a scene can have, such as its gravity.
    settings: tuple[Setting, ...] = ()
    # The tables of its rulebook page, made on demand.
    tables: Callable[[], tuple[BookTable, ...]] = lambda: ()
    # The library of opponents by key.
    find_blocks: Callable[[], dict[str, StatBlock]] = dict
    # What pages for characters need; None for a game without them.
    sheets: SheetPlan | None = None
    # What pages for gear need; None for a game without them.
    catalogue: Catalogue | None = None
    # What can be imported besides its own sheets.
    imports: Imports = Imports()
    # Fights to begin a new encounter with.
    fights: tuple[ReadyFight, ...] = ()

    @property
    def all_options(self) -> tuple[TableOption, ...]:
        """The game's table options and those of every table."""
        return (*TABLE_OPTIONS, *self.options)

    def find_block(self, key: str) -> StatBlock | None:
        """The stat block of this key."""
        return self.find_blocks().get(key)


# A table's choices: house rules and scene conditions, with their defaults.


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
        SHEETS_AFTER,
        "After a fight, sheets of players and guests are updated",
        BY_GM,
        (BY_GM, BY_PLAYERS, AT_ONCE),
        help="Health, ammunition, money and loot as the fight left them. A sheet's history undoes it.",
        labels=("by the GM, with one tap for all", "by each player, who is asked", "at once, when it ends"),
    ),
    TableOption(
        CORRECT_OWN,
        "Players may correct the figures of their own in a fight",
        False,
        help="Attributes, skills, weapons and armor. Each correction is in the log, and can be undone.",
    ),
    TableOption(
        OPEN_BLOCKS,
        "Who joins may play anyone from the stat blocks",
        False,
        help="The page of the players' link shows all of them. They play one for this fight only.",
    ),
    TableOption(
        "luck_points",
        "Points of luck of each player's character in a fight",
        0,
        (0, 1, 2, 3),
        help="A point is spent after a failed roll, before it takes effect: the player is asked.",
        labels=("none", "1", "2", "3"),
    ),
    TableOption(
        "luck_does",
        "A point of luck",
        "again",
        ("again", "better", "either"),
        help="Better by 2, or by a tenth of the highest roll where that is more: 10 on a d100.",
        labels=("rolls again", "makes the roll better", "does either, as its player likes"),
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


def read_option(state: State, declared: tuple[TableOption, ...], key: str) -> Any:
    """The value of a house rule in this encounter, or its default, where a rule has no context to ask."""
    return state.options[key] if key in state.options else find_defaults(declared)[key]


# The declaration of a game's demo fights.


class DemoStep(msgspec.Struct, frozen=True):
    """One step of a scripted fight: the command and the answers it will get, in order.

    A list of numbers answers a roll (the faces), a word answers a choice.
    """

    name: str
    command: dict[str, Any] = {}
    answers: tuple[tuple[int, ...] | str, ...] = ()


def step(name: str, /, *answers: tuple[int, ...] | str, **command: Any) -> DemoStep:
    """One step of a script: the command and the answers it will get, in order."""
    return DemoStep(name, command, answers)


def zone(key: str, name: str, x: int, y: int, width: int, depth: int, **more: Any) -> dict[str, Any]:
    """A zone of a demo's scene, in the units of its game."""
    return {"id": key, "name": name, "x": x, "y": y, "width": width, "depth": depth, **more}


def drawn(**rows: Any) -> dict[str, Any]:
    """The battle map of a demo's scene, from the rows of a blueprint (see space/blueprint.py)."""
    made: dict[str, Any] = msgspec.to_builtins(read_map({"zones": (), **rows}))
    return made


class Demo(msgspec.Struct, frozen=True):
    """A ready fight: its setup, and the script of the printed example."""

    name: str
    setup: tuple[DemoStep, ...]
    script: tuple[DemoStep, ...]


class Demos(msgspec.Struct, frozen=True):
    """The demo fights of a game."""

    # Makes each fight, at least one. A table sees the first; all names differ.
    fights: tuple[Callable[[], Demo], ...]

    def make_first(self) -> Demo:
        """The demo fight that a table sees first."""
        return self.fights[0]()

    def make_all(self) -> tuple[Demo, ...]:
        """All demo fights, the first one first."""
        return tuple(make() for make in self.fights)
