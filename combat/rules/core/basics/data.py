"""Data as typed values: JSON, plain values, and TOML tables read once; each row is checked by its Struct."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

import msgspec
import tomli
from msgspec import inspect
from msgspec.structs import FieldInfo

S = TypeVar("S", bound=msgspec.Struct)
T = TypeVar("T")
_LOCK = threading.Lock()
_LEARNT: set[Any] = set()


class Record(Protocol):
    """A record of any table; its id is unique in that table."""

    @property
    def id(self) -> str: ...


R = TypeVar("R", bound=Record)


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


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file as plain data, not to be written to; DataError if it is missing or malformed."""
    try:
        return tomli.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise DataError(f"{path}: there is no such file") from None
    except (tomli.TOMLDecodeError, UnicodeDecodeError) as wrong:
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


# Convert plain data to typed values, safely from several threads. msgspec learns a type on first use, and
# marks it as known before it has learned all of it: a second thread that uses the type at that moment
# crashes the process. So each type is learned behind a lock, and all code that reads into types calls this
# module.


def learn(kind: Any) -> None:
    """Let msgspec learn a type and all types in it before anyone uses it."""
    if kind in _LEARNT:
        return
    with _LOCK:
        msgspec.json.Decoder(kind)
        _LEARNT.add(kind)


def convert(data: object, kind: type[T], *, strict: bool = True, str_keys: bool = False) -> T:
    """Plain data as a value of a type; raises msgspec.ValidationError if it does not fit."""
    if kind not in _LEARNT:
        learn(kind)
    return msgspec.convert(data, kind, strict=strict, str_keys=str_keys)


def read_json(raw: bytes | str, kind: type[T]) -> T:
    """JSON as a value of a type; raises msgspec.ValidationError or DecodeError if it does not fit."""
    if kind not in _LEARNT:
        learn(kind)
    return msgspec.json.decode(raw, type=kind)


@cache
def find_fields(kind: type[msgspec.Struct]) -> tuple[FieldInfo, ...]:
    """The fields of a type, in order; cached, because msgspec evaluates every annotation on each call."""
    return msgspec.structs.fields(kind)


def settle(value: T) -> T:
    """The value as it comes back from storage: whole numbers are floats where the type says so.

    Fields keep what a constructor is given, and 3 and 3.0 are equal but stored as different bytes.
    """
    return convert(msgspec.to_builtins(value), type(value))
