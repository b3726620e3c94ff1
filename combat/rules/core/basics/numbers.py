"""Numbers as people write them: all forms read signs and digits the same way."""

from __future__ import annotations

import re

WHOLE = re.compile(r"[+-]?\d{1,30}", re.ASCII)
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+", re.ASCII)  # 1,500 may be either
DECIMAL = re.compile(r"[+-]?(?:\d{1,15}\.?\d{0,17}|\.\d{1,17})(?:e[+-]?\d{1,3})?", re.ASCII)
HYPHEN_FOR_MINUS = re.compile(r"(?:(?<![\w.-])|(?<=d\d)|(?<=d\d\d))-(?=\d)")
HYPHENS = "\N{HYPHEN}\N{NON-BREAKING HYPHEN}"  # of word processors
# Signs that keyboards insert automatically, and the wide digits of Chinese and Japanese input
SIGNS = "\N{MINUS SIGN}\N{EN DASH}\N{FULLWIDTH HYPHEN-MINUS}\N{SMALL HYPHEN-MINUS}" + HYPHENS
WIDE = {ord(wide): plain for wide, plain in zip("０１２３４５６７８９＋．，", "0123456789+.,", strict=True)}
PLAIN = {**WIDE, **dict.fromkeys(map(ord, SIGNS), "-")}
MAX_SHOWN = 20
MAX_COUNT = 10**9  # in a question, a page or a link
MAX_COMMAND_NUMBER = 1_000_000  # in a command, outside sheets: more than any table needs


def plain_signs(word: str) -> str:
    """The word with plain ASCII signs and digits."""
    return word.translate(PLAIN)


def read_whole(word: str) -> int | None:
    """A whole number of at most 30 digits: "3", "+3", "−3", " 3 "; None for anything else."""
    plain = plain_signs(word).strip()
    return int(plain) if WHOLE.fullmatch(plain) else None


def read_amount(word: str) -> int | None:
    """A whole number, perhaps with commas for thousands; None for anything else, such as 1.250,50."""
    plain = plain_signs(word).strip()
    return read_whole(plain.replace(",", "") if THOUSANDS.fullmatch(plain) else plain)


def read_decimal(word: str) -> float | None:
    """A number with a decimal point or comma; None for anything else, also for 1,500."""
    plain = plain_signs(word).strip()
    if "," in plain and not THOUSANDS.fullmatch(plain) and "." not in plain:
        plain = plain.replace(",", ".")
    return float(plain) if DECIMAL.fullmatch(plain) else None


def say_whole(number: int) -> str:
    """A whole number for people, with a true minus."""
    return str(number).replace("-", "\N{MINUS SIGN}")


def with_true_minus(text: object) -> str:
    """A text or number with true minus signs for hyphens that mean one: in "-2", "2d6-1", not in "1-3"."""
    return HYPHEN_FOR_MINUS.sub("\N{MINUS SIGN}", str(text))


def say_no_number(word: str, whole: bool = True) -> str:
    """Why a word is not a number and what would work: the end of a sentence."""
    shown = word.strip()
    shown = shown if len(shown) <= MAX_SHOWN else f"{shown[:MAX_SHOWN]}…"
    kind, example = ("whole number", "3, +3 or −3") if whole else ("number", "3.5 or −3.5")
    return f"must be a {kind}, not “{shown}”: type digits, such as {example}."


def read_count(word: str) -> int | None:
    """A whole number from 0 on, as a person or a page writes it; None for anything else."""
    number = read_whole(word)
    return number if number is not None and 0 <= number < MAX_COUNT else None
