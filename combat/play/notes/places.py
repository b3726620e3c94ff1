"""Places in notes that the scene has not: “2 guards behind the crates” are guards all the same."""

from __future__ import annotations

import re

from .glossary import Glossary
from .parts import ParseIssue, Suggestion
from .pieces import AS, CALLED, HOLDS, STAYS, WITH, Piece, count_off

MAX_NEAR = 3  # zones that are offered instead
PLACE = re.compile(
    rf"(?<=\s)(?:{STAYS}\s)?(?:(?:high up|up|down|out|over|back)\s)?"
    r"(?:next to|in front of|in|at|on|inside|near|by|behind|beside|under|around|opposite|"
    r"above|below|outside)\s.+"
    rf"|(?<=\s){HOLDS}\s.+",
    re.IGNORECASE,
)


def find_elsewhere(piece: Piece, glossary: Glossary) -> tuple[int, int] | None:
    """The words for such a place, if what stands before them names someone or an item without them."""
    found = PLACE.search(piece.text)
    if found is None or _is_known(count_off(piece).piece.words, glossary):
        return None
    before = piece.text[: found.start()]
    who = WITH.split(count_off(piece.cut(0, found.start())).piece.words)[0]
    if not (_is_known(who, glossary) or glossary.find_end(who) or AS.search(before) or CALLED.search(before)):
        return None
    ends = (pattern.search(piece.text, found.start()) for pattern in (WITH, AS, CALLED))
    return found.start(), min((end.start() for end in ends if end), default=found.end())


def _is_known(words: str, glossary: Glossary) -> bool:
    return bool(glossary.find_people(words) or glossary.find_items(words))


def ask_place(place: Piece, glossary: Glossary) -> ParseIssue:
    """The issue for such a place, with zones of the scene."""
    zones = tuple(glossary.zones)[:MAX_NEAR]
    used = tuple(Suggestion(f"in {zone}", place.span, f"in {zone}") for zone in zones)
    text = "No zone is called that: they start with their side."
    return ParseIssue(place.span, place.words, text, used, minor=True)
