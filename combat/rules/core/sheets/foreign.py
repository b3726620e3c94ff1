"""Files and texts of other programs: what a game that reads some declares, and what it makes of them."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from ..basics.checking import Problem, join, tidy
from ..basics.numbers import read_whole
from .asking import Question

MAX_REMARKS, MAX_SHOWN, MAX_LENGTH = 100, 80, 20_000
TAG = re.compile(r"<[^<>]{0,2000}>")
BREAK = re.compile(r"<(?:br|/?p|/?div|/?li|/?tr|/?t[dh]|/?h\d)\b[^<>]{0,200}>", re.IGNORECASE)


class Foreign(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody as another program wrote them down, on a sheet of this game.

    `remarks` say what found no place or became something else, `problems` why nothing can be made of it,
    `questions` what the file leaves open.
    """

    name: str
    sheet: dict[str, Any]
    notes: str = ""
    remarks: tuple[Problem, ...] = ()
    problems: tuple[Problem, ...] = ()
    questions: tuple[Question, ...] = ()


class Reader(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of file or text that a game can read: `plain` text, or the values of a JSON document.

    `read` takes the file and the answers to its questions by key. It gives everybody in it, also those with
    problems, and raises nothing. `text` says to people what is read and where they find it; `stays` what of
    every such file is left behind.
    """

    key: str
    label: str
    text: str
    stays: str = ""
    plain: bool = False
    recognizes: Callable[[Any], bool]
    read: Callable[[Any, Mapping[str, str]], tuple[Foreign, ...]]


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
    questions: tuple[Question, ...] = ()


class ItemReader(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of JSON document with things that a game can read; `text` says to people which.

    `read` takes the document and the answers to its questions by key. It gives every thing in it, also those
    with problems, and raises nothing.
    """

    key: str
    label: str
    text: str
    recognizes: Callable[[Any], bool]
    read: Callable[[Any, Mapping[str, str]], tuple[ForeignItem, ...]]


class Source:
    """A table of a document while it is read: a `take` marks its value, and `list_rest` remarks the others.

    So nothing is dropped in silence: a value with content that is no bookkeeping ends in `remarks`, and so
    does one that a `take` finds to be of another kind than it needs.
    """

    def __init__(self, data: dict[str, Any], place: str = "") -> None:
        self.data, self.place = data, place
        self.taken: set[Path] = set()
        self.remarks: list[Problem] = []
        self.problems: list[Problem] = []

    def find(self, path: str) -> Any:
        """The value at a path of names with dots between them; None if there is none. It stays untaken."""
        value: Any = self.data
        for name in path.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        return value

    def pass_over(self, *paths: str) -> None:
        """Mark values as dealt with, and everything inside them."""
        self.taken.update(tuple(path.split(".")) for path in paths)

    def pass_over_all(self) -> None:
        """Mark everything as dealt with: a remark speaks of the whole."""
        self.taken.update((name,) for name in self.data)

    def take(self, path: str) -> Any:
        """The value at a path, marked; the caller uses it or remarks it."""
        self.pass_over(path)
        return self.find(path)

    def take_text(self, path: str) -> str:
        """A text without its HTML."""
        value = self.take(path)
        if isinstance(value, str) and len(value) > MAX_LENGTH:
            self.remark(path, f"is cut after {MAX_LENGTH:,} characters")
        if isinstance(value, str):
            return plain_text(value[:MAX_LENGTH])
        return say_value(value) if says_something(value) else ""

    def take_word(self, path: str) -> str:
        """A short word in small letters; a remark for a value of another kind."""
        value = self.take(path)
        if isinstance(value, str) and len(value) <= MAX_SHOWN:
            return tidy(value).casefold()
        self.leave(path, value)
        return ""

    def take_flag(self, path: str) -> bool:
        """Whether a switch is on; a remark for what is no switch."""
        value = self.take(path)
        if not isinstance(value, bool):
            self.leave(path, value)
        return value is True

    def take_whole(self, path: str, low: int, high: int, usual: int = 0) -> int:
        """A whole number within bounds; a remark and the usual one for anything else."""
        value = self.take(path)
        number = read_number(value)
        if number is not None and low <= number <= high:
            return number
        self.leave(path, value)
        return usual

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

    def leave(self, path: str, value: Any) -> None:
        """Say that a value is left out, if it says anything."""
        if says_something(value):
            self.remark(path, f"{say_value(value)}: not imported")

    def problem(self, path: str, message: str) -> None:
        """Say what is wrong."""
        self.problems.append(Problem(join(self.place, path), message))

    def list_rest(self, bookkeeping: Bookkeeping) -> None:
        """Remark what nobody took and what is no bookkeeping of the other program."""
        for path, value in _walk(self.data, ()):
            heads = [path[:length] for length in range(1, len(path) + 1)]
            if not says_something(value) or not self.taken.isdisjoint(heads):
                continue
            if not any(map(bookkeeping.has, heads)) and not bookkeeping.is_usual(path, value):
                self.remark(tidy(".".join(path))[:MAX_SHOWN], f"{say_value(value)}: not imported")


Path = tuple[str, ...]


class Bookkeeping:
    """Paths that mean nothing outside the other program, divided by blanks.

    `*` stands for any one name; behind `=` is the only value that means nothing.
    """

    def __init__(self, paths: str) -> None:
        words = [word.partition("=") for word in paths.split()]
        self.paths = frozenset(tuple(path.split(".")) for path, equal, _ in words if not equal)
        self.usual = frozenset((tuple(path.split(".")), value) for path, equal, value in words if equal)
        self.lengths = frozenset(len(path) for path in self.paths if "*" in path)

    def has(self, path: Path) -> bool:
        """Whether a path is one of them."""
        if path in self.paths:
            return True
        return len(path) in self.lengths and any(
            (*path[:n], "*", *path[n + 1 :]) in self.paths for n in range(len(path))
        )

    def is_usual(self, path: Path, value: Any) -> bool:
        """Whether a value is the one that every file has at this path."""
        return isinstance(value, str | int) and (path, str(value)) in self.usual


def _walk(data: dict[str, Any], place: Path) -> Iterator[tuple[Path, Any]]:
    for name, value in data.items():
        path = (*place, str(name))
        if isinstance(value, dict):
            yield from _walk(value, path)
        else:
            yield path, value


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


def limit_remarks(remarks: Iterable[Problem]) -> tuple[Problem, ...]:
    """So many remarks as can be read, and how many more there are."""
    remarks = tuple(remarks)
    more = len(remarks) - MAX_REMARKS
    last = (Problem("", f"{more} more entries found no place"),) if more > 0 else ()
    return (*remarks[:MAX_REMARKS], *last)
