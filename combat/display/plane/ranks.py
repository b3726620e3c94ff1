"""The words that a game's stat blocks are called by, such as pirate and captain: they name nobody."""

from __future__ import annotations

from functools import cache

from combat.rules import find_system


@cache
def list_ranks(slug: str) -> frozenset[str]:
    """The words of the names of a game's stat blocks, in small letters, but for those of persons.

    Where a game writes “Pirate captain”, capital letters name a person, such as Zara Chen.
    """
    names = [block.name.split() for block in find_system(slug).book.find_blocks().values()]
    marks_persons = any(more[-1][:1].islower() for _, *more in names if more)
    ranks = (
        (first, *more)
        for first, *more in names
        if not (marks_persons and more and all(word[:1].isupper() for word in more))
    )
    return frozenset(word.casefold() for words in ranks for word in words)
