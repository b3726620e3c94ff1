"""Whose side people are on, where they are and when they come: a detail may hold for several."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from .details import Detail
from .draft import PROSE, Draft
from .parts import Group, Mark, ParseIssue, Suggestion
from .pieces import BOTH, UNCLEAR, Piece, count_off, name_of
from .words import AROUND, AS, CALLED, ELSEWHERE, TIME, WITH

WHO = re.compile(r"\s(?:who|that|which)\s", re.IGNORECASE)
CLOSE = 0.5  # how much alike a place and a zone are
WHEN = "When do they come? Write “round 2” or “later”."
NO_ZONE = "No zone is called that: they start with their side."
MAX_NEAR = 3  # zones that are offered instead


def apply(draft: Draft, group: Group, details: Sequence[Detail]) -> None:
    """Give the group its details; a side may be that of those before it, too."""
    behind = [one for one in details if one.span[0] >= group.name_span[1]]
    for detail in details:
        side, ride, zone, when = group.side, group.ride, group.zone, (group.arrives, group.later)
        for one in (group, *draft.sharers):
            detail.give(one)
        if detail.kind == "health":  # marked once it is known whether they fit
            draft.sure.append(detail.span)
        else:
            draft.marks.append(Mark(detail.span, detail.kind))
        if detail.told:
            draft.hint(detail.piece, detail.told)
        if group.ride is not ride:
            _share(draft, group, "ride")
        elif (group.arrives, group.later) != when and not draft.sharers:
            _share_time(draft, group, detail)
        elif group.zone != zone and _share_zone(draft, group, detail):
            pass
        elif detail.kind == "side" and group.side != side and group in draft.run and not draft.sharers:
            _ask_side(draft, group, detail)
        elif detail.kind in ("side", "place") and group.side == side:
            said = (
                draft.piece((min(behind[0].span[0], detail.span[0]), detail.span[1]))
                if behind
                else detail.piece
            )
            hint_only(draft, group, said, f" ({said.words})", least=1 if group.zone else 2)


def _share(draft: Draft, group: Group, *names: str) -> tuple[Group, str] | None:
    """Give what is said of someone to those before them whom “and” joins: “a driver and 2 thugs in a car”.

    The first who has nothing of it, and does not get it, and what stands behind them.
    """
    joint = group.joint
    for other in reversed(draft.run[: draft.run.index(group)] if group in draft.run else []):
        is_placed = other.zone and names != ("side",)
        if is_placed or other.issue or any(getattr(other, name) for name in names):
            return None
        if joint not in BOTH:
            return other, joint
        for name in names:
            setattr(other, name, getattr(group, name))
        joint = other.joint
    return None


def _share_time(draft: Draft, group: Group, detail: Detail) -> None:
    """Let those whom “and” joins come together, if that is said behind them all; say so of brackets."""
    if detail.span[0] < group.name_span[1]:  # “2 guards and from round 3 on a medic”
        return
    if not draft.text[: detail.span[0]].endswith("("):
        _share(draft, group, "arrives", "later")
    elif not any(one.arrives or one.later for one in draft.run[:-1]):
        hint_only(draft, group, detail.piece, f" ({detail.piece.words})", least=1)


def _share_zone(draft: Draft, group: Group, detail: Detail) -> bool:
    """Whether those whom “and” joins are at one place, if that is said behind them all: it is told."""
    is_behind = detail.span[0] >= group.name_span[1] and not draft.plain[: detail.span[0]].endswith("(")
    at = draft.run.index(group) if group in draft.run else 0
    if not (is_behind and at) or draft.sharers or group.hidden:
        return False
    other, before = draft.run[at - 1], draft.run[at - 1].zone
    _share(draft, group, "zone")
    if before or other.zone != group.zone:
        return False
    between = (other.span[1], group.span[0])
    is_plain = draft.words(between).casefold() in BOTH
    used = [Suggestion(f"{group.title} only", between, "; ")] if is_plain else []
    draft.hint(detail.piece, f"“{detail.piece.words[:60]}” counts for {other.title}, too.", used)
    return True


def hint_only(
    draft: Draft, group: Group, piece: Piece, addition: str, least: int = 2, joints: Sequence[str] = BOTH
) -> None:
    """Say that something counts only for the last of several whom “and” joins: the others are a tap away."""
    at = draft.run.index(group) if group in draft.run else 0
    is_one = group.count < 2 and not (group.zone or group.arrives)
    if not at or group.joint not in joints or is_one or draft.sharers or group.is_hinted or group.ride:
        return
    other = draft.run[at - 1]
    has_own = any((other.things, other.zone, other.hidden, other.lacks, other.name, other.issue))
    is_alike = other.side == group.side and other.arrives in (0, group.arrives)
    if is_alike and not has_own and other.count >= least:
        group.is_hinted = True
        draft.hint(piece, *_say_only(group, other, piece, addition))


def _say_only(group: Group, other: Group, piece: Piece, addition: str) -> tuple[str, list[Suggestion]]:
    """That something counts for one group only, and the tap that gives it to another, too."""
    used = [Suggestion(f"{other.title} too", (other.span[1],) * 2, addition)]
    return f"“{piece.words[:60]}” counts for {group.title} only.", used


def _ask_side(draft: Draft, group: Group, detail: Detail) -> None:
    """Give a side to those before it that “and” joins; ask about those before a comma."""
    if WHO.search(draft.plain, group.name_span[0], detail.span[1]):  # “2 guards and 1 who helps the party”
        return
    left = _share(draft, group, "side")
    if left and left[1] == ",":
        piece = draft.piece(detail.span)
        text, used = _say_only(group, left[0], piece, f" ({detail.piece.words})")
        draft.issues.append(ParseIssue(piece.span, piece.words, text, tuple(used), minor=True))


def say_no_detail(draft: Draft, detail: Piece) -> None:
    """An issue for words in brackets that are no detail."""
    words = detail.words
    if (odd := UNCLEAR.match(f"{words} ")) and odd.end() == len(words):
        text = f"“{words[:60]}” cannot be counted: write a number, such as 4."
        draft.say(detail, text, [Suggestion("4 of them", detail.span, "4")])
        return
    near = draft.find_near(words, draft.glossary.items)[:1] if words.islower() else ()
    used = [Suggestion(one.name, detail.span, one.name) for one in near]
    if words[:1].isupper() and words.replace(" ", "").isalpha() and len(words.split()) < PROSE:
        used.append(Suggestion(f"new side {words[:30]}", detail.span, f"side {words}"))
    draft.say(detail, f"“{words[:60]}” is no side, zone or stat block. Left out.", used)


def is_part_of_a_name(draft: Draft, words: str) -> bool:
    """Whether a stat block or an item has these words in brackets, such as “(beast)”."""
    inside = f"({words.casefold()})"
    return any(inside in one.name.casefold() for one in (*draft.glossary.people, *draft.glossary.items))


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
        draft.ask(place, WHEN, minor=True)
        return
    zones = tuple(draft.glossary.zones)
    if len(zones) > MAX_NEAR:
        zones = tuple(get_close_matches(place.words.lower(), zones, MAX_NEAR, CLOSE))
    used = [Suggestion(f"in {zone}", place.span, f"in {zone}") for zone in zones]
    is_each = re.search(r"\b(?:each|both|every)\b", place.text)
    if is_each:
        draft.ask(place, f"{NO_ZONE} How many are there in all?", used, minor=True)
    else:
        draft.say(place, NO_ZONE, used)
