"""Words by key: facts hold keys and their arguments; pages make the sentences.

A label is a key of the catalogue (`"why.expired"`), a `Phrase` if the key has arguments, or a text that is no
key, such as a name or typed text; that is drawn unchanged. So a reworded sentence changes no stored fact, and
a fact of a removed rule can still be read.
"""

from __future__ import annotations

import math
import re
import string
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any
from unicodedata import bidirectional

import msgspec

from .data import DataError, read_toml

MINUS = "\N{MINUS SIGN}"
SOMEONE = "someone"
UNSEEN = "something unseen"  # in place of a condition that only the GM knows of
SELF, THEMSELVES = "self", "themselves"  # the target of those who act on themselves, and its word
PEOPLE = ("who", "target", "by", "other")  # the values of these places are ids of combatants
MAX_TYPED = 100  # characters of a purpose that someone types
KEY = re.compile(r"[a-z][a-z0-9_]*(?:\.[A-Za-z0-9_-]+)+")

Arg = bool | int | float | str


class Phrase(msgspec.Struct, frozen=True, omit_defaults=True):
    """A key of the catalogue and its arguments: numbers, ids, names, or other labels."""

    key: str
    args: dict[str, Arg | Phrase] = {}

    def __hash__(self) -> int:
        return hash((self.key, tuple(self.args.items())))


Label = str | Phrase
Args = dict[str, Arg | Phrase]


def say(key: str, /, **args: Arg | Phrase) -> Phrase:
    """A label with arguments: `say("why.range", meters=12.5)`."""
    return Phrase(key, args)


class MessageCatalogue(string.Formatter):
    """The words of one game and of the core, by key.

    A place is written `{name}`. Numbers get a real minus sign and at most one decimal. `{n:+}` always shows
    the sign, `{n:# shot|# shots}` chooses by number, `{x:first}` begins with a capital, `{x:lower}` is lower
    case, `{who:own}` is the possessive, `{x:a}` has its article. A place without an argument stays empty.
    """

    def __init__(self, words: Mapping[str, str]) -> None:
        self.words = dict(words)

    def __contains__(self, key: object) -> bool:
        return key in self.words

    def draw(self, label: Label, names: Mapping[str, str] = {}) -> str:
        """The words of a label; `names` are those of the combatants the reader may know."""
        key, args = (label, {}) if isinstance(label, str) else (label.key, label.args)
        text = self.words.get(key)
        if text is None:
            return key
        if "{" not in text and "}" not in text:  # most words have no places
            return text
        return self.vformat(text, (), _Places(self, args, names))

    def format_field(self, value: Any, spec: str) -> str:
        """The value of one place, in the form its specification asks for."""
        if "|" in spec:
            one, _, many = spec.partition("|")
            return (one if value == 1 else many).replace("#", say_number(value))
        if spec == "+":
            return say_number(value, signed=True)
        text = say_number(value) if isinstance(value, int | float) else str(value)
        return SPELLINGS.get(spec, str)(text)


class _Places(dict[str, Any]):
    """The arguments for the places of a text; nested labels are drawn first."""

    def __init__(self, words: MessageCatalogue, args: Mapping[str, Any], names: Mapping[str, str]) -> None:
        super().__init__(args)
        self.words = words
        self.names = names

    def __getitem__(self, key: str) -> Any:
        value = self.get(key, "")
        if key in PEOPLE:
            return THEMSELVES if value == SELF else isolated(self.names.get(value, SOMEONE))
        if isinstance(value, bool):
            return "yes" if value else "no"
        return value if isinstance(value, int | float) else self.words.draw(value, self.names)


def say_typed(words: str, key: str = "typed") -> Label:
    """The purpose of a roll as someone typed it, in one line; empty without words.

    `key` is "typed" for what the roll is for, "typed_against" for what it is against.
    """
    line = " ".join(words.split())[:MAX_TYPED]
    return say(f"roll.{key}", words=line) if line else ""


def name_task(what: Label, words: str) -> Label:
    """A check with what it is for, as someone typed it: "Recon for “find the hatch”"."""
    typed = say_typed(words)
    return say("words.what_for", what=what, words=typed) if typed else what


def say_number(value: float, *, signed: bool = False) -> str:
    """A number for people: a real minus sign, at most one decimal."""
    text = (
        f"{round(value, 1):{'+' if signed else ''}g}"
        if abs(value) < 1e5
        else f"{value:{'+' if signed else ''},}"
    )
    return text.replace("-", MINUS)


def say_needed(value: float) -> str:
    """A number that is more than there is, rounded up to one decimal, so that it reads as more."""
    return say_number(math.ceil(10 * value - 1e-6) / 10)


def isolated(name: str) -> str:
    """A name with letters written from right to left, between marks that keep what follows in its place."""
    is_turned = not name.isascii() and any(bidirectional(sign) in ("R", "AL") for sign in name)
    return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}" if is_turned else name


def possessive(name: str) -> str:
    """The possessive of a name: "Ana's", "Knuckles'"."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def capitalized(text: str) -> str:
    """The text with its first letter as a capital."""
    return text[:1].upper() + text[1:]


def with_article(noun: str) -> str:
    """The noun with its indefinite article: "an Awareness save", "a Might save"."""
    return f"an {noun}" if noun[:1].lower() in "aeiou" else f"a {noun}"


SPELLINGS: dict[str, Callable[[str], str]] = {
    "first": capitalized,
    "lower": str.lower,
    "own": possessive,
    "a": with_article,
}


def load_words(path: Path) -> dict[str, str]:
    """The texts of a words.toml, `section.key` -> text; DataError for an entry that is not a text."""
    found: dict[str, str] = {}
    for section, texts in read_toml(path).items():
        if not isinstance(texts, dict):
            raise DataError(f"{path}: {section} stands outside of all sections")
        found |= {f"{section}.{key}": _check_text(path, key, text) for key, text in texts.items()}
    return found


def _check_text(path: Path, key: str, text: Any) -> str:
    if not isinstance(text, str) or not text.strip():
        raise DataError(f"{path}: {key} is no text")
    return text


def find_places(text: str) -> set[str]:
    """The names of the places in a text."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def joined(labels: Iterable[Label], last: str = "words.and", between: str = "words.comma") -> Label:
    """Several labels as one: "a", "a and b", "a, b and c"; at least one."""
    first, *rest = tuple(labels)
    for number, each in enumerate(rest, 1):
        first = say(last if number == len(rest) else between, first=first, then=each)
    return first


def say_people(who: Iterable[str]) -> Label:
    """The names of combatants, by their ids: "Ada, Bo and Kim"; at least one."""
    return joined(say("words.person", who=one) for one in who)


def find_people(label: Any) -> list[str]:
    """The ids of combatants in a label, or in the arguments of a sentence."""
    if isinstance(label, Phrase):
        return find_people(label.args)
    if not isinstance(label, dict):
        return []
    inner = [who for value in label.values() for who in find_people(value)]
    return [str(label[place]) for place in PEOPLE if place in label] + inner
