"""The wordings of notes, from their table: what means a side, an arrival, a place or a part of a line."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from combat.rules.core.basics.data import convert, read_toml

TABLE = read_toml(Path(__file__).with_name("words.toml"))
OWN, FOE, NOBODY = "ally", "enemy", "neutral"  # what a side is, for the glossary to name
DRIVE = "drive"
WITH = re.compile(
    r"\s(?:(?:(each|all|both)(?: of them)?)\s+)?"
    rf"(?:(?:{'|'.join(row['pattern'] for row in TABLE['having'])})(?=\s)|w/(?=\w)(?!o\b))"
    r"(?:\s+(?:an?|the|their)(?=\s))?",
    re.IGNORECASE,
)
FIRST = re.compile(
    r"(?:the |at )?(?:start|beginning|opening)|(?:the )?(?:first|1st|opening) wave|wave (?:1|one|i|a)|w1",
    re.IGNORECASE,
)
TIME = re.compile(
    r"\b(?:rounds?|turns?|rds?|rnds?|waves?|minutes?|mins?|secs?|hours?|phase|later|last(?:ly)?|then|next|finally)\b|\bt\s?\+|\d[:h]\d\d|\d\s?[ap]m\b",
    re.IGNORECASE,
)
ADJECTIVES: dict[str, str] = TABLE["words"]["sides"]
SIDES = {
    means: tuple(words) for means, words in TABLE["sides"].items()
}  # the words for each, the usual first
TITLES_OF: dict[str, str] = TABLE["words"]["titles"]


class Wording(msgspec.Struct, frozen=True):
    """A way to say something: an example, its pattern, and what it means."""

    example: str
    pattern: str
    kind: str = ""
    means: str = ""


def _list(name: str) -> tuple[str, ...]:
    """A list of words; a dash in one is a space."""
    return tuple(word.replace("-", " ") for word in TABLE["words"][name].split())


NUMBERS = _list("numbers")
COUNTS: dict[str, int] = {word: number for number, word in enumerate(NUMBERS, 1)} | TABLE["words"]["counts"]
WORDS = "|".join(sorted(COUNTS, key=len, reverse=True))


def fill(pattern: str) -> str:
    """A pattern with its parts in their places."""
    for name, part in reversed(TABLE["parts"].items()):  # one may have those above it
        pattern = pattern.replace(f"{{{name}}}", part)
    return pattern.replace("{count}", WORDS)


def _compile(name: str, prefix: str = "", suffix: str = "") -> re.Pattern[str]:
    return re.compile(f"{prefix}{fill(TABLE['pattern'][name])}{suffix}", re.IGNORECASE)


def _whole(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'-])(?:{fill(pattern)})(?![\w-])", re.IGNORECASE)


WORDINGS = tuple(convert(row, Wording) for row in TABLE["wording"])
SAID = {
    kind: tuple((_whole(row.pattern), row.means) for row in WORDINGS if row.kind == kind)
    for kind in dict.fromkeys(row.kind for row in WORDINGS)
}
SAID["inside"] = tuple(
    (re.compile(rf"(?<!\S)(?:{row.pattern})\s+(an?|the|their|his|her)\s+(.+)", re.IGNORECASE), row.means)
    for row in WORDINGS
    if row.kind == "inside"
)
JOINT = re.compile("|".join(fill(row["pattern"]) for row in TABLE["joint"]), re.IGNORECASE)
AS, CALLED = map(_compile, ("as", "called"))
LATER, IF, BOSS, SUM, PART, ELSEWHERE, SCENE = map(
    _compile, ("later", "if", "boss", "sum", "part", "elsewhere", "scene")
)
PARTLY, WHOLLY, APIECE, AROUND, LINKS = map(_compile, ("partly", "wholly", "apiece", "around", "links"))
STAYS, HOLDS, AT, PEOPLE, PARTS_OF, COMES = (
    fill(f"{{{name}}}") for name in ("stays", "holds", "at", "people", "parts_of", "arrives")
)
BONDS = re.compile(
    rf"(?:(?:[A-Z]\w*'s|his|her|their|my|our|the|an?|old) )*(?:{'|'.join(_list('bonds'))}) (?=[A-Z])"
)  # not “Boss Vinnie”
JOINS, HAVES, ISES = map(_list, ("joins", "haves", "ises"))  # words that are alike in a sentence
GATHERINGS, PLACES, LEADERS, REMARKS, STOPS, DOES, HEADS, RANKS, NONE, PARTICLES, TENSES, SMALL, DOUBTS = (
    frozenset(_list(name))
    for name in (
        *("gatherings", "places", "leaders", "remarks", "stops", "does", "heads", "ranks", "nobody"),
        *("particles", "tenses", "small", "doubts"),
    )
)
OF_THEM = {word: means for means in ("items", "number", "role", "detail") for word in _list(means)}


def is_leader(words: str) -> bool:
    """Whether words name the one who leads, and nobody: “The boss”, “Captain”."""
    return bool(BOSS.fullmatch(words)) or words.casefold().removeprefix("the ") in LEADERS


def read_round(found: re.Match[str], means: str) -> int:
    """The round in which they come: “after 2 rounds” is in the third."""
    said = found[1].casefold()
    number = int(said) if said.isdecimal() else COUNTS.get(said, 1)  # “next round”
    return number + (means == "after")


def name_language(text: str) -> str:
    """The language of a text in which no word is one of English; "" for English, and if nobody can tell."""
    letters = [letter for letter in text if letter.isalpha()]
    if letters and sum(letter > "\u024f" for letter in letters) * 2 > len(letters):
        return "another language"
    said = {word for word in re.findall(r"[^\W\d_]+", text) if word.islower()}
    found = {name: len(said.intersection(words.split())) for name, words in TABLE["languages"].items()}
    best = max(found, key=found.__getitem__)
    return best if best != "English" and found[best] and not found["English"] else ""
