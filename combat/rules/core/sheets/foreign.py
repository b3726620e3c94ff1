"""Files and texts of other programs: what a game that reads some declares, and what it makes of them."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from ..basics.checking import Problem, join, tidy
from ..basics.numbers import read_whole

MAX_REMARKS, MAX_SHOWN, MAX_LENGTH = 100, 80, 20_000
TAG = re.compile(r"<[^<>]{0,2000}>")
BREAK = re.compile(r"<(?:br|/?p|/?div|/?li|/?tr|/?t[dh]|/?h\d)\b[^<>]{0,200}>", re.IGNORECASE)


class Foreign(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody as another program wrote them down, on a sheet of this game.

    `remarks` say what found no place or became something else, `problems` why nothing can be made of it.
    """

    name: str
    sheet: dict[str, Any]
    notes: str = ""
    remarks: tuple[Problem, ...] = ()
    problems: tuple[Problem, ...] = ()


class Reader(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of file or text that a game can read: `plain` text, or the values of a JSON document.

    `read` gives everybody in it, also those with problems, and raises nothing. `text` says to people what
    is read and where they find it; `stays` what of every such file is left behind.
    """

    key: str
    label: str
    text: str
    stays: str = ""
    plain: bool = False
    recognizes: Callable[[Any], bool]
    read: Callable[[Any], tuple[Foreign, ...]]


class ForeignItem(msgspec.Struct, frozen=True, kw_only=True):
    """A thing as another program wrote it down, as a record of a kind of things of this game.

    `known` is the name under which the catalogue has the very same. One without a kind is left out, and
    `remarks` say why; `problems` are why the file cannot be read.
    """

    name: str
    kind: str = ""
    record: dict[str, Any] = {}
    known: str = ""
    remarks: tuple[Problem, ...] = ()
    problems: tuple[Problem, ...] = ()


class ItemReader(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of JSON document with things that a game can read; `text` says to people which.

    `read` gives every thing in it, also those with problems, and raises nothing.
    """

    key: str
    label: str
    text: str
    recognizes: Callable[[Any], bool]
    read: Callable[[Any], tuple[ForeignItem, ...]]


class Source:
    """A table of a document while it is read: who takes a value marks it, and what nobody took is listed.

    So nothing is dropped in silence: whatever has content and is no bookkeeping ends in `remarks`.
    """

    def __init__(self, data: dict[str, Any], place: str = "") -> None:
        self.data, self.place = data, place
        self.taken: set[str] = set()
        self.remarks: list[Problem] = []
        self.problems: list[Problem] = []

    def take(self, path: str) -> Any:
        """The value at a path of names with dots between them; None if there is none."""
        self.taken.add(path)
        value: Any = self.data
        for name in path.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        return value

    def take_text(self, path: str) -> str:
        """A text without its HTML."""
        value = self.take(path)
        if isinstance(value, str) and len(value) > MAX_LENGTH:
            self.remark(path, f"is cut after {MAX_LENGTH:,} characters")
        return plain_text(value[:MAX_LENGTH]) if isinstance(value, str) else say_value(value)

    def take_number(self, path: str, low: int, high: int, usual: int | None = None) -> int:
        """A whole number within bounds; a problem if there is none and nothing is usual."""
        value = self.take(path)
        if value in (None, "") and usual is not None:
            return usual
        number = read_number(value)
        if number is None or not low <= number <= high:
            said = say_value(value) or "nothing"
            self.problem(path, f"must be a whole number from {low} to {high}, not {said}")
            return usual or low
        return number

    def remark(self, path: str, message: str) -> None:
        """Say that something found no place, or another one."""
        self.remarks.append(Problem(join(self.place, path) if path else self.place, message))

    def problem(self, path: str, message: str) -> None:
        """Say what is wrong."""
        self.problems.append(Problem(join(self.place, path), message))

    def list_rest(self, bookkeeping: frozenset[str]) -> None:
        """Remark what nobody took; `bookkeeping` are paths, and names that mean nothing anywhere."""
        for path, value in _walk(self.data, ""):
            places = {path, *_heads(path)}
            if places & self.taken or (places | {path.rpartition(".")[2]}) & bookkeeping:
                continue
            if not says_something(value):
                continue
            self.remark(path, f"{say_value(value)}: not imported")


def _walk(data: dict[str, Any], place: str) -> Iterator[tuple[str, Any]]:
    for name, value in data.items():
        path = join(place, str(name))
        if isinstance(value, dict):
            yield from _walk(value, path)
        else:
            yield path, value


def _heads(path: str) -> Iterator[str]:
    """The paths of the tables that a path lies in."""
    while "." in path:
        path = path.rpartition(".")[0]
        yield path


def says_something(value: Any) -> bool:
    """Whether a value says more than an empty field."""
    return value not in (None, "", "0", 0, False, "none", "NONE", [], [""], {})


def say_value(value: Any) -> str:
    """A value in a few words."""
    if value is None:
        return ""
    text = tidy(plain_text(value[:MAX_LENGTH]) if isinstance(value, str) else json.dumps(value)[:500])
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…"


def plain_text(text: str) -> str:
    """The words of HTML, a line for each paragraph, without what no page can show."""
    words = html.unescape(TAG.sub("", BREAK.sub("\n", text)))
    lines = (tidy(line) for line in words.splitlines())
    return "\n".join(line for line in lines if line)


def read_number(value: Any) -> int | None:
    """A whole number as programs write it, with thousands in commas too; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if abs(value) < 10**15 and value == int(value) else None
    if isinstance(value, str):
        return read_whole(value.replace(",", "")) if len(value) <= MAX_SHOWN else None
    return value if isinstance(value, int) else None


def limit_remarks(remarks: list[Problem]) -> tuple[Problem, ...]:
    """So many remarks as can be read, and how many more there are."""
    more = len(remarks) - MAX_REMARKS
    last = (Problem("", f"{more} more entries found no place"),) if more > 0 else ()
    return (*remarks[:MAX_REMARKS], *last)
