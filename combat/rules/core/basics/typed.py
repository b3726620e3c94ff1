"""Convert plain data to typed values, safely from several threads.

msgspec learns a type on first use, and marks it as known before it has learned all of it: a second thread
that uses the type at that moment crashes the process. So each type is learned behind a lock, and all code
that reads into types calls this module.
"""

from __future__ import annotations

import threading
from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec.structs import FieldInfo

T = TypeVar("T")
_LOCK = threading.Lock()
_LEARNT: set[Any] = set()


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
