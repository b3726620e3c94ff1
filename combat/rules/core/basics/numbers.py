"""Numbers as people write them: one reading of signs and digits for every form."""

from __future__ import annotations

import re

WHOLE = re.compile(r"[+-]?\d{1,30}", re.ASCII)
DECIMAL = re.compile(r"[+-]?(?:\d{1,15}\.?\d{0,17}|\.\d{1,17})(?:e[+-]?\d{1,3})?", re.ASCII)
HYPHEN_FOR_MINUS = re.compile(r"(?:(?<![\w.-])|(?<=d\d)|(?<=d\d\d))-(?=\d)")
# What keyboards make of a sign by themselves, and the wide digits of those that write Chinese or Japanese
SIGNS = "\N{MINUS SIGN}\N{EN DASH}\N{FULLWIDTH HYPHEN-MINUS}\N{SMALL HYPHEN-MINUS}"
WIDE = {ord(wide): plain for wide, plain in zip("０１２３４５６７８９＋．", "0123456789+.", strict=True)}
PLAIN = {**WIDE, **dict.fromkeys(map(ord, SIGNS), "-")}
MAX_SHOWN = 20
MAX_COUNT = 10**9  # of a question, a page, a link


def plain_signs(word: str) -> str:
    """The same with signs and digits as computers write them."""
    return word.translate(PLAIN)


def read_whole(word: str) -> int | None:
    """A whole number of at most 30 digits: "3", "+3", "−3", " 3 "; None for anything else."""
    plain = plain_signs(word).strip()
    return int(plain) if WHOLE.fullmatch(plain) else None


def read_decimal(word: str) -> float | None:
    """A number, its fraction behind a point; None for anything else."""
    plain = plain_signs(word).strip()
    return float(plain) if DECIMAL.fullmatch(plain) else None


def say_whole(number: int) -> str:
    """A whole number as it is shown, with a true minus."""
    return str(number).replace("-", "\N{MINUS SIGN}")


def with_true_minus(text: object) -> str:
    """A text or number with a true minus where a hyphen stands for one: in "-2", "2d6-1", not in "1-3"."""
    return HYPHEN_FOR_MINUS.sub("\N{MINUS SIGN}", str(text))


def say_no_number(word: str, whole: bool = True) -> str:
    """What is wrong with a word that should be a number, and what works: the end of a sentence."""
    shown = word.strip()
    shown = shown if len(shown) <= MAX_SHOWN else f"{shown[:MAX_SHOWN]}…"
    kind, example = ("whole number", "3, +3 or −3") if whole else ("number", "3.5 or −3.5")
    return f"must be a {kind}, not “{shown}”: type digits, such as {example}."


def read_count(word: str) -> int | None:
    """A whole number from 0 on as a person or a page writes it; None for anything else."""
    number = read_whole(word)
    return number if number is not None and 0 <= number < MAX_COUNT else None
