"""Files and texts of other programs: what a game can read, and what it makes of them."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from ..basics.checking import Problem, join, tidy
from ..basics.errors import Refused
from ..basics.numbers import read_amount

MAX_LINE, MAX_LINES = 400, 20  # characters of a line, lines of a text
MAX_REMARKS, MAX_SHOWN, MAX_LENGTH = 100, 80, 20_000
TAG = re.compile(r"<[^<>]{0,2000}>")
BREAK = re.compile(r"<(?:br|/?p|/?div|/?li|/?tr|/?t[dh]|/?h\d)\b[^<>]{0,200}>", re.IGNORECASE)
MEANT_AS_JSON = re.compile(r"""\s*(?:\{|\[\s*[\[{"])""")
LEFT_OUT = "left_out"  # the option that imports nothing


def is_json(text: str) -> bool:
    """Whether a text is JSON or begins like an export in it, unlike “[elite] 4 pirates”."""
    if MEANT_AS_JSON.match(text):
        return True
    try:
        return isinstance(msgspec.json.decode(text.encode("utf-8", "surrogatepass")), list)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False


class Foreign(msgspec.Struct, frozen=True, kw_only=True):
    """A character of another program, as a sheet of this game.

    `remarks` say what was left out or converted, `problems` why there is no sheet, `questions` what the file
    leaves open.
    """

    name: str
    sheet: dict[str, Any]
    notes: str = ""
    remarks: tuple[Problem, ...] = ()
    problems: tuple[Problem, ...] = ()
    questions: tuple[Question, ...] = ()


class Reader(msgspec.Struct, frozen=True, kw_only=True):
    """A format of file or text that a game can read: `plain` text, or the values of a JSON document.

    `read` takes the file and the answers to its questions by key. It returns everyone in the file, also those
    with problems, and raises nothing. `text` tells people what it reads and where to find such files; `stays`
    what it never imports.
    """

    key: str
    label: str
    text: str
    stays: str = ""
    plain: bool = False
    recognizes: Callable[[Any], bool]
    read: Callable[[Any, Mapping[str, str]], tuple[Foreign, ...]]


class ForeignItem(msgspec.Struct, frozen=True, kw_only=True):
    """An item of another program, as a record of this game.

    `known` is the name of an identical catalogue entry. An item without a kind is left out, and `remarks` say
    why; `problems` say why the file cannot be read.
    """

    name: str
    kind: str = ""
    record: dict[str, Any] = {}
    known: str = ""
    remarks: tuple[Problem, ...] = ()
    problems: tuple[Problem, ...] = ()
    questions: tuple[Question, ...] = ()


class ItemReader(msgspec.Struct, frozen=True, kw_only=True):
    """A format of JSON document with items that a game can read; `text` describes it.

    `read` takes the document and the answers to its questions by key. It returns every item in it, also those
    with problems, and raises nothing.
    """

    key: str
    label: str
    text: str
    recognizes: Callable[[Any], bool]
    read: Callable[[Any, Mapping[str, str]], tuple[ForeignItem, ...]]


class Source:
    """A table of a document being read: `take` marks a value as used, `list_rest` remarks on the others.

    So nothing is dropped silently: a value with content that is not bookkeeping gets a remark, and so does a
    value of the wrong type for its `take`.
    """

    def __init__(self, data: dict[str, Any], place: str = "") -> None:
        self.data, self.place = data, place
        self.taken: set[Path] = set()
        self.remarks: list[Problem] = []
        self.problems: list[Problem] = []

    def find(self, path: str) -> Any:
        """The value at a dotted path, without marking it; None if there is none."""
        value: Any = self.data
        for name in path.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        return value

    def pass_over(self, *paths: str) -> None:
        """Mark values as used, with everything inside them."""
        self.taken.update(tuple(path.split(".")) for path in paths)

    def pass_over_all(self) -> None:
        """Mark everything as used: a remark covers the whole."""
        self.taken.update((name,) for name in self.data)

    def take(self, path: str) -> Any:
        """The value at a path, marked; the caller uses it or remarks on it."""
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
        """A short word in lower case; a remark for a value of another type."""
        value = self.take(path)
        if isinstance(value, str) and len(value) <= MAX_SHOWN:
            return tidy(value).casefold()
        self.leave(path, value)
        return ""

    def take_flag(self, path: str) -> bool:
        """Whether a switch is on; a remark for a value of another type."""
        value = self.take(path)
        if not isinstance(value, bool):
            self.leave(path, value)
        return value is True

    def take_whole(self, path: str, low: int, high: int, usual: int = 0) -> int:
        """A whole number within bounds; otherwise a remark, and the usual number."""
        value = self.take(path)
        number = read_number(value)
        if number is not None and low <= number <= high:
            return number
        if number is None and says_something(value):
            self.remark(path, f"{say_value(value)} is no whole number: not imported")
        else:
            self.leave(path, value)
        return usual

    def take_number(self, path: str, low: int, high: int, usual: int | None = None) -> int:
        """A whole number within bounds; a problem if it is missing and has no usual value."""
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
        """Remark that a value was left out or converted."""
        self.remarks.append(Problem(join(self.place, path) if path else self.place, message))

    def leave(self, path: str, value: Any) -> None:
        """Remark that a value is left out, unless it is empty."""
        if says_something(value):
            self.remark(path, f"{say_value(value)}: not imported")

    def problem(self, path: str, message: str) -> None:
        """Add a problem."""
        self.problems.append(Problem(join(self.place, path), message))

    def list_rest(self, bookkeeping: Bookkeeping) -> None:
        """Remark on values that are neither used nor bookkeeping of the other program."""
        for path, value in _walk(self.data, ()):
            heads = [path[:length] for length in range(1, len(path) + 1)]
            if not says_something(value) or not self.taken.isdisjoint(heads):
                continue
            if not any(map(bookkeeping.has, heads)) and not bookkeeping.is_usual(path, value):
                self.remark(tidy(".".join(path))[:MAX_SHOWN], f"{say_value(value)}: not imported")


Path = tuple[str, ...]


class Bookkeeping:
    """Paths that mean nothing outside the other program, separated by blanks.

    `*` stands for any one name; after `=` is the only value that means nothing.
    """

    def __init__(self, paths: str) -> None:
        words = [word.partition("=") for word in paths.split()]
        self.paths = frozenset(tuple(path.split(".")) for path, equal, _ in words if not equal)
        self.usual = frozenset((tuple(path.split(".")), value) for path, equal, value in words if equal)
        self.lengths = frozenset(len(path) for path in self.paths if "*" in path)

    def has(self, path: Path) -> bool:
        """Whether the list contains a path."""
        if path in self.paths:
            return True
        return len(path) in self.lengths and any(
            (*path[:n], "*", *path[n + 1 :]) in self.paths for n in range(len(path))
        )

    def is_usual(self, path: Path, value: Any) -> bool:
        """Whether every file has this value at this path."""
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
    """The words of HTML, one line per paragraph, without characters that no page can show."""
    words = html.unescape(TAG.sub("", BREAK.sub("\n", text)))
    lines = (tidy(line) for line in words.splitlines())
    return "\n".join(line for line in lines if line)


def read_number(value: Any) -> int | None:
    """A whole number as programs write it, also with commas for thousands; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if abs(value) < 10**15 and value == int(value) else None
    if isinstance(value, str):
        return read_amount(value) if len(value) <= MAX_SHOWN else None
    return value if isinstance(value, int) else None


def limit_remarks(remarks: Iterable[Problem]) -> tuple[Problem, ...]:
    """As many remarks as people can read, and the number of the others."""
    remarks = tuple(remarks)
    more = len(remarks) - MAX_REMARKS
    last = (Problem("", f"{more} more entries found no place"),) if more > 0 else ()
    return (*remarks[:MAX_REMARKS], *last)


class Written(msgspec.Struct, frozen=True):
    """A combatant from a line: the name, and the sheet of the game."""

    name: str
    sheet: dict[str, Any]


class Lines(msgspec.Struct, frozen=True, kw_only=True):
    """How a game reads a combatant from one line. `read` raises Refused with the reason if it cannot.

    `is_meant` says whether a line was written as one, with or without faults.
    """

    read: Callable[[str], Written]
    is_meant: Callable[[str], bool]
    example: str
    help: str = ""

    def can_read(self, line: str) -> bool:
        """Whether a line is one combatant, with nothing wrong about it."""
        try:
            return bool(self.read(line))
        except Refused:
            return False


def split_lines(text: str) -> tuple[str, ...]:
    """The lines of a text that are not empty, cut to the longest possible length."""
    lines = (" ".join(line.split()) for line in text.splitlines())
    return tuple(line[:MAX_LINE] for line in lines if line)[:MAX_LINES]


# Questions about a file of another program, asked before anything is stored, each with its choices.


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A choice for the person who imports a file; `options` are keys with their labels.

    `chosen` is the answer; before there is one, the likely option or, if none is likelier, nothing. Questions
    of one file with the same key are the same question.
    """

    key: str
    text: str
    options: tuple[tuple[str, str], ...]
    chosen: str = ""


class Asker:
    """Asks what a reader is not sure of. `answers` are those so far, by the keys of questions."""

    def __init__(self, answers: Mapping[str, str], place: str = "") -> None:
        self.answers, self.place = answers, place
        self.questions: dict[str, Question] = {}
        self.remarks: list[Problem] = []

    def ask(
        self, name: str, text: str, options: Iterable[tuple[str, str]], likely: str = "", place: str = ""
    ) -> str:
        """The key of the chosen option; before an answer, the likely one, or nothing.

        `name` distinguishes questions of one file. An answer that is not an option counts as none.
        """
        choices = tuple(options)
        keys = [key for key, _ in choices]
        key = f"{self.place}{name}"
        given = self.answers.get(key, "")
        is_answered = given in keys
        chosen = given if is_answered else likely if likely in keys else ""
        if is_answered and key not in self.questions:
            self.remarks.append(Problem(place, f"{text} {dict(choices)[given]}"))
        self.questions[key] = Question(key=key, text=text, options=choices, chosen=chosen)
        return chosen

    def list_questions(self) -> tuple[Question, ...]:
        """All questions in the order they were asked."""
        return tuple(self.questions.values())
