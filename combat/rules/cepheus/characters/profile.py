"""A profile: six or seven characteristics as one word of pseudo-hexadecimal digits, such as 777A87."""

from __future__ import annotations

from collections.abc import Mapping

from combat.rules.core.basics.errors import Refused

from ..book.tables import DIGITS, HIGHEST_SCORE, PSIONIC, SCORES

LENGTHS = (len(SCORES), len(SCORES) + 1)


def read_digit(digit: str) -> int | None:
    """The score of a digit: 0 to 9, then letters without I and O; None for any other character."""
    place = DIGITS.find(digit.upper())
    return place if digit and place >= 0 else None


def is_profile(word: str) -> bool:
    """Whether a word can be read as a profile; Psionic Strength may stand behind a hyphen: 687B9C-4."""
    if word[len(SCORES) : -1] == "-":
        word = word.replace("-", "")
    return len(word) in LENGTHS and all(read_digit(digit) is not None for digit in word)


def read_profile(word: str) -> dict[str, int]:
    """The characteristics of a profile; Refused("bad_profile") names the wrong digit."""
    text = word.strip().replace("-", "")
    if len(text) not in LENGTHS:
        raise Refused(
            "bad_profile",
            f"“{word[:20]}” is no profile: it has 6 digits such as 777A87, or 7 with Psionic Strength.",
        )
    wrong = next((digit for digit in text if read_digit(digit) is None), "")
    if wrong:
        raise Refused(
            "bad_profile", f"“{wrong}” is no digit of a profile: 0 to 9, and letters without I and O."
        )
    return {key: int(read_digit(digit) or 0) for key, digit in zip((*SCORES, PSIONIC), text, strict=False)}


def write_profile(scores: Mapping[str, int]) -> str:
    """The profile of a set of characteristics; Psionic Strength only if there is any."""
    keys = (*SCORES, PSIONIC) if scores.get(PSIONIC) else SCORES
    return "".join(DIGITS[min(max(scores.get(key, 0), 0), HIGHEST_SCORE)] for key in keys)
