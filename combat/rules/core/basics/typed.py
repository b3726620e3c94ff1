"""Plain data as typed values, safely from several threads at once.

msgspec learns a type when it is first used, and marks it as known before it has learnt all of it: a second
thread that uses the type in that moment ends the whole process. So each type is learnt behind a lock, and
everything that reads into types does so through here.
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
    """Let msgspec learn a type, with all the types in it, before anybody uses it."""
    if kind in _LEARNT:
        return
    with _LOCK:
        msgspec.json.Decoder(kind)
        _LEARNT.add(kind)


def convert(data: object, kind: type[T], *, strict: bool = True, str_keys: bool = False) -> T:
    """Plain data as a value of a type; raises msgspec.ValidationError where it does not fit."""
    learn(kind)
    return msgspec.convert(data, kind, strict=strict, str_keys=str_keys)


def read_json(raw: bytes | str, kind: type[T]) -> T:
    """JSON as a value of a type; raises msgspec.ValidationError or DecodeError where it is none."""
    learn(kind)
    return msgspec.json.decode(raw, type=kind)


@cache
def find_fields(kind: type[msgspec.Struct]) -> tuple[FieldInfo, ...]:
    """The fields of a type, in their order; worked out once, as msgspec evaluates every annotation anew."""
    return msgspec.structs.fields(kind)
