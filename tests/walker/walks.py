"""Whole walks: a world, presses and sweeps by a seed, and what is told of a find."""

from __future__ import annotations

from collections import Counter
from functools import partial

from tests.conftest import CHANCE
from tests.walker.people import Found, taken_back
from tests.walker.shrinking import shrink, tell
from tests.walker.walking import Walk
from tests.walker.worlds import make_world


def walk(seed: str, slug: str, presses: int, pages: int) -> Counter[str]:
    """Walk through a world of this seed and take all back: what was done, counted.

    The filled buttons of so many `pages` of each person are swept in the middle. Raises Found, with the
    fewest presses that still fail.
    """
    make = partial(Walk, seed, slug, CHANCE.begin)
    with taken_back():
        one = make()
        try:
            make_world(one)
            for number in range(presses):
                if number == presses // 2:
                    one.sweep(pages)
                one.step()
        except Found as wrong:
            found = wrong
        else:
            return one.counts
    fewest = shrink(make, one.presses, found.kind)
    raise Found(found.kind, tell(seed, slug, found, fewest)) from found
