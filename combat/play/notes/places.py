"""Places in notes that the scene has not: “2 guards behind the crates” are guards all the same."""

from __future__ import annotations

from difflib import get_close_matches

from .draft import Draft
from .parts import Suggestion
from .pieces import Piece, count_off, name_of
from .words import AROUND, AS, CALLED, ELSEWHERE, TIME, WITH

CLOSE = 0.5  # how much alike a place and a zone are
WHEN = "When do they come? Write “round 2” or “later”."
NO_ZONE = "No zone is called that: they start with their side."
MAX_NEAR = 3  # zones that are offered instead


def find_place(draft: Draft, piece: Piece) -> tuple[int, int] | None:
    """Where a piece names such a place, if it names someone or an item without it."""
    if (found := AROUND.search(piece.text)) and draft.find_who(piece.cut(0, found.start())):
        return found.span()
    found = ELSEWHERE.search(piece.text)
    if found is None or _is_known(draft, count_off(piece).piece.words):
        return None
    before = piece.cut(0, found.start())
    is_other = AS.search(before.text) or CALLED.search(before.text) or draft.find_who(before)
    if not is_other and not _is_known(draft, name_of(before)):
        return None
    ends = (pattern.search(piece.text, found.start()) for pattern in (WITH, AS, CALLED))
    return found.start(), min((end.start() for end in ends if end), default=found.end())


def _is_known(draft: Draft, words: str) -> bool:
    return bool(draft.glossary.find_people(words) or draft.glossary.find_items(words))


def ask_place(draft: Draft, place: Piece) -> None:
    """Ask for such a place, with the zones of the scene if they are few, else with those like it."""
    if TIME.search(place.words):
        draft.say(place, WHEN)
        return
    zones = tuple(draft.glossary.zones)
    if len(zones) > MAX_NEAR:
        zones = tuple(get_close_matches(place.words.lower(), zones, MAX_NEAR, CLOSE))
    used = [Suggestion(f"in {zone}", place.span, f"in {zone}") for zone in zones]
    draft.say(place, NO_ZONE, used)
