"""Which orders of people, things, places and joints are known: each is held by an example.

A sentence is told by the kinds of its parts, “N people with item and item”. People come without a question
only where any `ROW` kinds in it stand so in an example; else what was read is shown, and asked about. The
table of them is written from the examples of the tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from combat.rules.core.basics.data import read_toml

from . import words as lex
from .parts import Mark
from .pieces import Piece

ROW = 3
TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[^\w\s]")
ALIKE = {
    **dict.fromkeys(lex.JOINS, "and"),
    **dict.fromkeys(lex.HAVES, "with"),
    **dict.fromkeys(lex.ISES, "is"),
    **dict.fromkeys("–—->|;:/()@•●▪·", ","),
}
SILENT = frozenset(("the", "*", "#", '"', "!", "?", "'", "`", "x", "×"))  # what changes no order


def list_kinds(unit: Piece, marks: Sequence[Mark]) -> list[str]:
    """The kinds of the parts of a sentence in their order, from ^ to $; ? is a word of no part."""
    kinds, last = ["^"], None
    near = [one for one in marks if one.span[0] < unit.end and unit.start < one.span[1]]
    for found in TOKEN.finditer(unit.text):
        at, word = unit.start + found.start(), found[0].casefold()
        mark = next((one for one in near if one.span[0] <= at < one.span[1]), None)
        if word.isdecimal() or word in lex.COUNTS:
            kind, mark = "N", None
        elif mark:
            kind = mark.kind
        else:
            kind = ALIKE.get(word, word if word in lex.SMALL or not word.isalnum() else "?")
        is_same = (mark and mark is last) or (kind == kinds[-1] and kind in ("?", ","))
        if not is_same and word not in SILENT:
            kinds.append(kind)
        last = mark
    return [*(kinds[:-1] if kinds[-1] == "." else kinds), "$"]


def list_rows(kinds: Sequence[str]) -> Iterator[str]:
    """All that stand in a row, of so many kinds."""
    return (" ".join(kinds[at : at + ROW]) for at in range(max(1, len(kinds) - ROW + 1)))


def _read() -> frozenset[str]:
    """The rows that examples have, from the table: behind the first kinds the last ones."""
    table = read_toml(Path(__file__).with_name("frames.toml"))
    return frozenset(f"{first} {last}" for first, lasts in table.items() for last in lasts.split())


KNOWN = _read()


def is_known(kinds: Sequence[str]) -> bool:
    """Whether a sentence has no row that no example has. What is asked about by itself is passed over."""
    return KNOWN.issuperset(row for row in list_rows(kinds) if "issue" not in row.split())
