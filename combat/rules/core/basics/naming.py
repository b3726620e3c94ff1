"""Names of copies."""

from __future__ import annotations

import re
from collections.abc import Container
from itertools import count

NUMBERED = re.compile(r"(?P<base>.*\S)\s+(?P<number>\d{1,4})")


def name_copy(name: str, taken: Container[str], most: int) -> str:
    """The name with the next free number, of at most `most` letters: “Bay” → “Bay 2” → “Bay 3”."""
    found = NUMBERED.fullmatch(name)
    base, number = (found["base"], int(found["number"])) if found else (name, 1)
    numbered = (f"{base[: most - 1 - len(str(n))]} {n}" for n in count(number + 1))
    return next(each for each in numbered if each not in taken)
