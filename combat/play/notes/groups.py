"""The parts of a line: someone, or something that those before it carry, are, or do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from .carrying import choose_item, read_item, read_skill
from .details import Detail
from .draft import NOTE, PROSE, Draft
from .parts import Mark, ParseIssue, Suggestion
from .people import is_boss, read_block, read_more, read_of_some, read_people, read_role
from .pieces import AGAINST, APIECE, AS, ENDS, LEADS, LINKS, WHOLLY, WITH, Piece, count_off
from .places import ask_place
from .sides import apply


def read_piece(draft: Draft, piece: Piece) -> None:
    """Read one part: details, something of those before it, or someone."""
    if piece.joint in ENDS and not _is_only_item(draft, piece):
        draft.end_sentence()
    if not piece.text.strip():
        return
    if _read_of_all(draft, piece) or read_of_some(draft, piece):
        return
    span = piece.span  # with what stands in brackets
    if link := LINKS.match(piece.text):
        piece = piece.cut(link.end() - 1)
    told, piece = draft.details.take_told(piece)
    for one in told:
        draft.say(one, f"“{one.words[:60]}” changes no number: left out.")
    whole = draft.details.read(piece) if draft.group or piece.joint == "" else []
    details, inside, bare = (whole, [], piece.cut(0, 0)) if whole else draft.details.take(piece)
    bare = _take_place(draft, bare)
    if not bare.text.strip(" .!?*-–—"):
        _read_only_details(draft, piece, details, inside)
    elif _read_of_group(draft, bare, details, inside):
        return
    elif not draft.is_too_much(bare):
        read_people(draft, bare, details, inside, span)
        _ask_against(draft, piece)


def _take_place(draft: Draft, piece: Piece) -> Piece:
    """A piece without a place that the scene has not, and without the words that lead on to someone."""
    if place := draft.details.find_place(piece):
        if worn := _find_worn(draft, piece.cut(*place)):  # “2 thugs in leather jackets”
            begin = place[0]
            return replace(piece, text=f"{piece.text[:begin]}w/{piece.text[begin + worn :]}")
        draft.issues.append(ask_place(piece.cut(*place), draft.glossary))
        draft.marks.append(Mark(draft.issues[-1].span, "issue"))
        piece = piece.blank(*place)
    link = LINKS.match(piece.text)  # “in the hall are 4 thugs”
    return piece.blank(0, link.end()) if link else piece


def _find_worn(draft: Draft, place: Piece) -> int:
    """How long “in” is before things to wear, in place of a place; 0 for any other words."""
    found = re.match(r"in(?=\s+(?:an?\s+)?(\S.*))", WITH.split(place.text)[0], re.IGNORECASE)
    return found.end() if found and choose_item(draft, draft.group, count_off(Piece(0, found[1]))) else 0


def _ask_against(draft: Draft, piece: Piece) -> None:
    """Ask for the side of those who fight against the ones before them: “4 thugs vs 2 marines”."""
    if piece.joint not in AGAINST or draft.group is None or draft.group.side or draft.group.issue:
        return
    end = draft.group.span[1]
    sides = ("allies", "third side")
    used = [Suggestion(f"{draft.group.title}: {one}", (end, end), f" ({one})") for one in sides]
    text = f"Whose side is {draft.group.title} on? Now all are on one side."
    draft.issues.append(ParseIssue(draft.group.span, piece.words, text, tuple(used), minor=True))


def _read_of_all(draft: Draft, piece: Piece) -> bool:
    """Whether a piece is of all before it, in this sentence or the last: “all with rifles”."""
    found, people = WHOLLY.match(piece.text), draft.run or draft.before
    people = [one for one in people if not one.issue]
    if not found or not people or draft.glossary.find_people(piece.words):
        return False
    draft.group, draft.run = people[-1], people
    draft.sharers = people[-2:-1] if "both" in found[0].casefold() else people[:-1]
    rest = replace(piece.cut(found.end()), joint=",")
    if details := draft.details.read(rest):
        apply(draft, draft.group, details)
        return True
    details, inside, bare = draft.details.take(rest)
    if not bare.text.strip():
        _read_only_details(draft, piece, details, inside)
    elif not _read_of_group(draft, bare, details, inside):
        is_note = len(rest.words.split()) >= PROSE
        text = NOTE if is_note else f"“{rest.words[:60]}” is not understood: left out."
        draft.say(piece if is_note else rest, text, minor=not is_note)
    return True


def _is_only_item(draft: Draft, piece: Piece) -> bool:
    """Whether a piece behind a semicolon is an item of those before it, and nobody: “4 thugs; blades”."""
    counted = count_off(piece)
    words = WITH.split(counted.piece.words)[0]
    return bool(draft.group and choose_item(draft, draft.group, counted)) and not draft.glossary.find_who(
        words
    )


def _read_only_details(
    draft: Draft, piece: Piece, details: Sequence[Detail], inside: Sequence[Piece]
) -> None:
    """What says no more than details, or only something in brackets."""
    if draft.group:
        apply(draft, draft.group, details)
        for one in inside:
            read_more(draft, draft.group, one)
    elif not inside and all(one.kind in ("side", "place") for one in details):  # “In the hall, 4 thugs”
        draft.said = [*draft.said, *details]
        draft.marks += [Mark(one.span, one.kind) for one in details]
    elif not draft.is_too_much(piece):
        draft.say(piece, NOTE, minor=False)


def _read_of_group(draft: Draft, piece: Piece, details: Sequence[Detail], inside: Sequence[Piece]) -> bool:
    """Whether a piece is something of the people before it: what they carry or are, a skill, a remark."""
    group = draft.group
    if group is None or piece.joint in LEADS:
        return False
    if found := APIECE.search(piece.text):
        piece = piece.cut(0, found.start())
    found = WITH.match(piece.text)
    if found:  # “each with cudgel”
        draft.with_items = True
        piece = replace(piece.cut(found.end()), joint=",")
    if is_boss(draft, group, piece):
        return True
    done = bool(AS.match(piece.text)) and read_block(draft, group, piece)
    done = done or read_role(draft, group, piece) or read_skill(draft, group, piece)
    done = done or read_item(draft, piece)
    if not done and (remark := draft.details.take_remark(piece)):
        done = not (draft.glossary.find_people(remark[1].words) or draft.glossary.find_end(remark[1].words))
        if done:
            apply(draft, group, [remark[0]])
            draft.say(remark[1], f"“{remark[1].words[:60]}” is not understood: left out.")
    if done:
        apply(draft, group, details)
        for one in inside:
            read_more(draft, group, one)
    return done
