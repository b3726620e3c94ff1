"""Find all errors of a document at once, each with its place, in words for people."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin

import msgspec

from .data import convert, find_fields
from .errors import Refused

MAX_LENGTH = 10_000
MAX_DEPTH = 12
MAX_ENTRIES = 10_000  # of a table with any names
MAX_LISTED = 1_000  # problems that are looked for
T = TypeVar("T")
TURNS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
BREAKS = "\u00ad\u200b\u2060\ufeff"  # soft hyphens and other places where a word may break, or not
UNSEEN = dict.fromkeys(map(ord, TURNS + BREAKS))
QUOTES = {
    **dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"), '"'),
}
JOINERS = "\u200c\u200d"  # they shape characters in several scripts and join emoji
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
NAMES = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "null": "nothing",
    "array": "a list",
    "object": "a table of named values",
}


class Problem(msgspec.Struct, frozen=True):
    """An error at a place of a document, such as attributes.MIG or items[2].loaded."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place or 'the document'}: {self.message}"


def read_checked(data: object, kind: type[T], find_problems: Callable[[Any], Sequence[Problem]]) -> T:
    """A document as a value of its type; raises msgspec.ValidationError that names the first place."""
    found = convert(data, kind)
    for problem in find_problems(msgspec.to_builtins(found)):
        raise msgspec.ValidationError(str(problem))
    return found


def find_shape_problems(data: object, kind: Any, place: str = "") -> tuple[Problem, ...]:
    """Every place where a document differs from a type: unknown or missing fields, values that do not fit.

    If there is none, `convert(data, kind)` succeeds. Of very many, the first are found.
    """
    return tuple(islice(_walk(data, kind, place), MAX_LISTED))


def find_text_problems(data: object, place: str = "", depth: int = 0) -> tuple[Problem, ...]:
    """Texts that are too long or have characters no page can show, and tables that are too deep."""
    if depth > MAX_DEPTH:
        return (Problem(place, "is nested too deeply"),)
    if isinstance(data, str):
        return _text_problems(data, place)
    pairs: Iterator[tuple[Any, Any]] = iter(())
    if isinstance(data, dict):
        pairs = ((join(place, str(key)), value) for key, value in data.items())
        strange = [str(key) for key in data if CONTROL.search(str(key)) or len(str(key)) > 200]
        if strange:
            return (Problem(place, "has a name with characters that cannot be shown"),)
    elif isinstance(data, list | tuple):
        pairs = ((f"{place}[{number}]", value) for number, value in enumerate(data))
    return tuple(p for where, value in pairs for p in find_text_problems(value, where, depth + 1))


def _text_problems(text: str, place: str) -> tuple[Problem, ...]:
    if CONTROL.search(text):
        return (Problem(place, "has characters that cannot be shown"),)
    if len(text) > MAX_LENGTH:
        return (Problem(place, f"has more than {MAX_LENGTH:,} characters"),)
    return ()


def is_shown(sign: str) -> bool:
    """Whether a page can show a character, or the character changes how others are shown."""
    return sign.isprintable() or sign in JOINERS


def without_unseen(words: str) -> str:
    """The words without soft hyphens and marks that turn the direction of writing, also of what follows."""
    return words if words.isascii() else words.translate(UNSEEN)


def plain_quotes(words: str) -> str:
    """The words with the quotes and apostrophes of keyboards, for comparisons: word processors bend them."""
    return words if words.isascii() else words.translate(QUOTES)


def tidy(words: str) -> str:
    """The words on one line with single spaces, without characters that no page can show."""
    shown = "".join(sign if is_shown(sign) else " " for sign in without_unseen(words))
    return " ".join(shown.split()).strip(f" {JOINERS}")


def clean_text(words: str, most: int, what: str) -> str:
    """A text of several lines with normalized line ends; Refused beyond so many characters."""
    clean = without_unseen(words).replace("\r\n", "\n").replace("\r", "\n").strip()
    if len(clean) > most:
        raise Refused("bad_value", f"{what} can have at most {most:,} characters.")
    if "\0" in clean:
        raise Refused("bad_value", f"In {what.lower()}, one character cannot be saved: delete it.")
    return clean


def join(place: str, name: str) -> str:
    """The place of a named value inside a place."""
    return f"{place}.{name}" if place else name


def _walk(data: object, kind: Any, place: str) -> Iterator[Problem]:
    bare = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    if isinstance(bare, type) and issubclass(bare, msgspec.Struct):
        yield from _walk_struct(data, bare, place)
    elif get_origin(bare) is dict and isinstance(data, dict):
        yield from _walk_table(data, bare, place)
    elif get_origin(bare) is tuple and isinstance(data, list | tuple):
        item = get_args(bare)[0]
        walked = (p for n, value in enumerate(data) for p in _walk(value, item, f"{place}[{n}]"))
        yield from list(islice(walked, MAX_LISTED)) or _check(data, kind, place)  # its length
    else:
        yield from _check(data, kind, place)


def _walk_struct(data: object, kind: type[msgspec.Struct], place: str) -> Iterator[Problem]:
    if not isinstance(data, dict):
        yield Problem(place, "must be a table of named values")
        return
    before = tuple(data)
    fields = {field.encode_name: field for field in find_fields(kind)}
    for name in before:
        if name not in fields:
            yield Problem(join(place, str(name)[:60]), f"is unknown here; known are {', '.join(fields)}")
    found = False
    for name, field in fields.items():
        if name in data:
            for problem in _walk(data[name], field.type, join(place, name)):
                found = True
                yield problem
        elif field.required:
            found = True
            yield Problem(join(place, name), "is missing")
    if not found:  # rules about several fields together
        yield from _check({k: v for k, v in data.items() if k in fields}, kind, place)


def _walk_table(data: dict[Any, Any], kind: Any, place: str) -> Iterator[Problem]:
    if len(data) > MAX_ENTRIES:
        yield Problem(place, f"must have at most {MAX_ENTRIES:,} entries")
        return
    key_kind, value_kind = get_args(kind)
    for key, value in data.items():
        problems = tuple(_check(key, key_kind, join(place, str(key)[:60])))
        yield from problems or _walk(value, value_kind, join(place, str(key)))


def _check(data: object, kind: Any, place: str) -> Iterator[Problem]:
    """The first problem of a plain value."""
    try:
        convert(data, kind)
    except msgspec.ValidationError as wrong:
        text, _, inner = str(wrong).partition(" - at `$")
        inner = inner.rstrip("`")
        yield Problem(place + inner if place else inner.lstrip("."), _in_words(text, kind))
    except (RecursionError, OverflowError):
        yield Problem(place, "is too large")


def _in_words(text: str, kind: Any) -> str:
    """The message of msgspec, in words for people."""
    choices = get_args(kind) if get_origin(kind) is Literal else ()
    if choices:
        return f"must be one of: {', '.join(str(choice) or 'nothing' for choice in choices)}"
    bound = re.fullmatch(r"Expected `int` (>=|<=|>|<) (-?\d+)", text)
    if bound:
        return f"must be {'at least' if '>' in bound[1] else 'at most'} {bound[2]}"
    length = re.fullmatch(r"Expected `(str|array)` of length (>=|<=) (\d+)", text)
    if length:
        size = f"{'at least' if '>' in length[2] else 'at most'} {length[3]}"
        return f"must have {size} {'characters' if length[1] == 'str' else 'entries'}"
    wrong = re.fullmatch(r"Expected `([^`]+)`, got `(\w+)`", text)
    if wrong:
        wanted = " or ".join(NAMES.get(word, word) for word in wrong[1].split(" | "))
        return f"must be {wanted}, not {NAMES.get(wrong[2], wrong[2])}"
    if "matching regex" in text:
        return "is not written as it must be"
    return text[:1].lower() + text[1:]
