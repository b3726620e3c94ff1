"""Data files: TOML tables, read once on first use; each record is checked against its Struct."""

from __future__ import annotations

import bz2
import json
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

import msgspec
from msgspec import inspect

from .typed import convert


class Record(Protocol):
    """A record of any table; its id is unique in that table."""

    @property
    def id(self) -> str: ...


R = TypeVar("R", bound=Record)
S = TypeVar("S", bound=msgspec.Struct)
T = TypeVar("T")
ROOT = Path(__file__).resolve().parents[3]
_PACK = ROOT / "data.json.bz2"  # in the wheel all data files are one (.ci/wheel.py)
_PACKED: dict[str, dict[str, Any]] = json.loads(bz2.decompress(_PACK.read_bytes())) if _PACK.exists() else {}


class DataError(Exception):
    """A data file is wrong: our mistake, never a player's. The message names file and id."""


def load_table(path: Path, record_type: type[R], table: str = "") -> dict[str, R]:
    """The records of one array of tables of a TOML file, by id, in the order of the file.

    `table` names the array; it can be left out if the file has only one. Raises DataError for a missing file
    or table, an unknown or missing field, a wrong value, a repeated id. The dict is read once and shared:
    never write to it.
    """
    return cast(dict[str, R], _load_table(path, record_type, table))


def load_record(path: Path, record_type: type[S], table: str) -> S:
    """One table of a TOML file as a record; raises DataError like load_table."""
    content = read_toml(path)
    if table not in content:
        raise DataError(f"{path}: there is no table [{table}]; it has {', '.join(content)}")
    return read_record(path, table, content[table], record_type)


def table_of(path: Path, record_type: type[R], table: str = "") -> Callable[[], dict[str, R]]:
    """A function that returns what `load_table` does, which it calls on first use."""
    return cache(lambda: load_table(path, record_type, table))


def record_of(path: Path, record_type: type[S], table: str) -> Callable[[], S]:
    """A function that returns what `load_record` does, which it calls on first use."""
    return cache(lambda: load_record(path, record_type, table))


def has_toml(path: Path) -> bool:
    """Whether there is such a TOML file, packed or not."""
    return path.exists() or _name(path) in _PACKED


def find_toml(folder: Path) -> Iterator[Path]:
    """All TOML files in a folder and its folders, packed or not."""
    yield from folder.rglob("*.toml")
    yield from (path for name in _PACKED if (path := ROOT / name).is_relative_to(folder.resolve()))


def _name(path: Path) -> str:
    """The name of a file in the pack."""
    place = path.resolve()
    return place.relative_to(ROOT).as_posix() if place.is_relative_to(ROOT) else ""


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file as plain data, not to be written to; DataError if it is missing or malformed."""
    try:
        return _PACKED.get(_name(path)) or tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise DataError(f"{path}: there is no such file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise DataError(f"{path}: {wrong}") from wrong


def read_records(path: Path, table: str, rows: Iterable[object], record_type: type[R]) -> dict[str, R]:
    """Check rows against their type and put them in a dict by id."""
    records: dict[str, R] = {}
    for row in rows:
        record = read_record(path, table, row, record_type)
        if record.id in records:
            raise DataError(f"{path}: {table} {record.id!r} occurs more than once")
        records[record.id] = record
    return records


def read_record(path: Path, table: str, row: object, record_type: type[T]) -> T:
    """Check one row against its type; the DataError names the file, the row's id and what may stand there."""
    try:
        return convert(row, record_type, str_keys=True)
    except msgspec.ValidationError as wrong:
        name = f" {row['id']!r}" if isinstance(row, dict) and "id" in row else ""
        raise DataError(f"{path}: {table}{name}: {wrong}{_list_allowed(wrong, record_type)}") from wrong


def _list_allowed(wrong: msgspec.ValidationError, record_type: type[Any]) -> str:
    """The values that a field of the record may have, if only these; nothing for a field further inside."""
    fields = getattr(inspect.type_info(record_type), "fields", ())
    kinds = {f"`$.{field.encode_name}`": field.type for field in fields}
    kind = kinds.get(str(wrong).rpartition(" - at ")[2])
    values = kind.values if isinstance(kind, inspect.LiteralType) else ()
    listed = ", ".join(str(value) for value in values if value != "")
    return f"; it is one of {listed}" if listed else ""


def as_plain(record: object) -> dict[str, Any]:
    """A record as plain data, exactly as it comes back from JSON: lists, never tuples."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(record))
    return plain


@cache
def _load_table(path: Path, record_type: type[Any], table: str) -> dict[str, Any]:
    content = read_toml(path)
    name = table or _only_table(path, content)
    rows = content.get(name)
    if not isinstance(rows, list):
        raise DataError(f"{path}: there is no list [[{name}]]; it has {', '.join(content)}")
    return read_records(path, name, rows, record_type)


def _only_table(path: Path, content: dict[str, Any]) -> str:
    names = [name for name, rows in content.items() if isinstance(rows, list)]
    if len(names) != 1:
        raise DataError(f"{path}: say which table; it has {', '.join(names) or 'none'}")
    return names[0]
