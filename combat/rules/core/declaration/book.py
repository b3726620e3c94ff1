"""What a game's book offers a table: house rules, sheets, gear, opponents and reference tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from ..basics.data import read_record, read_toml
from ..book.printed import BookTable
from ..sheets.catalogue import Catalogue
from ..sheets.foreign import ItemReader, Lines, Reader
from ..sheets.sheets import SheetPlan
from .options import TABLE_OPTIONS, Setting, TableOption


class StatBlock(msgspec.Struct, frozen=True):
    """A ready opponent of the library. With an `option` it is offered only if the table plays that option."""

    id: str
    name: str
    tier: str
    summary: str
    sheet: dict[str, Any]
    option: str = ""


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
