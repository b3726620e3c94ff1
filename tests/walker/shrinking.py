"""From presses that fail to the fewest that still fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.walker.people import Found, taken_back
from tests.walker.walking import Press, Walk

MOST_TRIES = 60
Presses = Sequence[Press]


def replay(make: Callable[[], Walk], presses: Presses) -> Found | None:
    """What is found when these presses are done again in a fresh world, the last one with all checks."""
    found: Found | None = None
    with taken_back():
        walk = make()
        try:
            for number, press in enumerate(presses, 1):
                walk.careful = number == len(presses)
                if walk.careful:
                    walk.is_replay = True
                    walk.open_all()
                walk.perform(press)
        except Found as wrong:
            found = wrong
    return found


def shrink(make: Callable[[], Walk], presses: Presses, kind: str) -> list[Press]:
    """The fewest of these presses that were tried and still fail in this way; all if that needs more."""

    def fails(tried: Presses) -> bool:
        found = replay(make, tried)
        return found is not None and found.kind == kind

    left = list(presses)
    if not fails(left):
        return left
    size, tries = max(1, len(left) // 2), 1
    while tries < MOST_TRIES:
        begin, shorter = len(left) - 1 - size, False
        while begin > -size and tries < MOST_TRIES:
            at = max(begin, 0)
            tried = [*left[:at], *left[begin + size :]]
            tries += 1
            if fails(tried):
                left, shorter = tried, True
            begin -= size
        if size == 1 and not shorter:
            break
        size = max(1, size // 2)
    return left


def tell(seed: str, slug: str, found: Found, presses: Presses) -> str:
    """A find with its seed and its presses, ready to be replayed by a test."""
    lines = "\n".join(f"    {press!r}," for press in presses)
    return f"{found}\nSeed {seed}, {slug}; the shortest presses that still fail:\nPRESSES = [\n{lines}\n]"
