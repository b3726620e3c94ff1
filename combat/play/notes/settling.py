"""The last step: everybody who was read is made once, and what a sheet cannot have is said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from characters.games import make_combatant
from combat.rules.core.basics.errors import Refused
from combat.rules.core.gm.decisions import MAX_COPIES
from combat.rules.core.state.state import Combatant

from .details import HEALTH
from .dividing import part_by_numbers
from .draft import Draft
from .parts import Group, Mark, ParseIssue, Reading, Span, Suggestion, in_order, say_one
from .pieces import count_off
from .riding import in_order_of_joining, settle_rides
from .words import SAID


def finish(draft: Draft) -> Reading:
    """Everything that was read; a group that cannot have its items becomes an issue."""
    for group in [*draft.groups]:
        part_by_numbers(draft, group)
    for group in draft.groups:
        group.name = draft.restore(group.name)
        if not group.issue or not 1 <= group.count <= MAX_COPIES:
            _settle(draft, group)
    settle_rides(draft)
    understood = [one for one in draft.groups if not one.issue]
    draft.issues += [one.issue for one in draft.groups if one.issue]
    draft.marks += [Mark(one.name_span, "issue" if one.issue else "people") for one in draft.groups]
    lost = [group.span for group in draft.groups if group.issue]
    draft.marks = [one for one in draft.marks if one.kind == "issue" or not _is_in(one.span, lost)]
    issues = tuple(sorted(draft.issues, key=lambda one: one.span))
    people = tuple(in_order_of_joining(understood))
    return Reading(draft.text, people, issues, tuple(in_order(draft.marks)), tuple(draft.hints))


def _settle(draft: Draft, group: Group) -> None:
    """Check the number and the sheet of a group; say what is of no use to it."""
    if group.plural and not group.is_counted:
        text = f"How many {group.plural}? Write a number, such as 4."
        _ask_count(draft, group, text, (2, 4, 1))
        return
    if group.plural and group.name == say_one(group.plural, 1):
        group.name = say_one(group.plural, group.count)  # the number stood behind it
    _check_health(draft, group)
    if group.is_each:
        if not draft.glossary.players:
            _ask_players(draft, group)
            return
        group.count *= draft.glossary.players
    if not 1 <= group.count <= MAX_COPIES:
        text = f"1 to {MAX_COPIES} of one kind can be added at a time."
        _ask_count(draft, group, text, (min(max(group.count, 1), MAX_COPIES),))
        return
    try:
        sheet = group.make_sheet(draft.glossary)
    except Refused as refused:
        draft.doubt(group, refused.message)
        return
    made = make_combatant(draft.glossary.system, group.title, sheet)
    has = {item.name for item in made.items}
    for one, entry, piece in draft.given:
        if one is group and entry.name not in has:  # only one of its kind has room
            draft.marks = [mark for mark in draft.marks if mark != Mark(piece.span, "item")]
            draft.say(piece, f"{group.title} has no room for {entry.name} beside the others. Left out.")
    _say_lacks(draft, group, made)


def _ask_count(draft: Draft, group: Group, text: str, numbers: Sequence[int] = (1, 2, 4)) -> None:
    """Ask for a number: the text of a group with one of these in its place."""
    span = draft.head(group).span
    span = span if span[1] else (group.name_span[0],) * 2
    gap = "" if span[1] > span[0] else " "
    draft.doubt(group, text, [Suggestion(f"{one} of them", span, f"{one}{gap}") for one in numbers])


def _ask_players(draft: Draft, group: Group) -> None:
    """Ask for the number of people of whom one comes for each player while no player is there."""
    piece = draft.piece(group.span)
    counted, found = count_off(piece), SAID["each"][0][0].search(piece.text)
    start, end = counted.span if counted.count is not None else (piece.start, piece.start)
    until = piece.start + (found.end() if found else 0)
    between = draft.plain[end : piece.start + (found.start() if found else 0)].strip()
    used = [Suggestion(f"{n} of them", (start, until), f"{group.count * n} {between}") for n in (2, 3, 4)]
    draft.doubt(group, "No player character is there yet: write a number, such as 4.", used)


def _say_lacks(draft: Draft, group: Group, made: Combatant) -> None:
    """Say which weapons that the notes give are useless, with the skill that mends it one tap away."""
    find = draft.glossary.system.book.imports.find_lacks
    if find is None or not (group.things or group.written):
        return
    given = {entry.name for entry, _ in group.things}
    for lack in find(made):
        if not given or lack.item in given:  # else the stat block has it
            skill = lack.skill.replace(" and ", "/")  # “and” would part it
            used = [Suggestion(f"Add {lack.skill}", (group.span[1],) * 2, f", {skill}")]
            draft.hint(draft.piece(group.name_span), lack.text, used)


def _check_health(draft: Draft, group: Group) -> None:
    """Leave out HP that the game or the sheet cannot have, with an issue."""
    found = re.compile(HEALTH, re.IGNORECASE).search(draft.plain, group.span[0]) if group.health else None
    if found is None:
        return
    try:
        replace(group, things=[], lacks=set(), skills=[]).make_sheet(draft.glossary)
    except Refused as refused:
        group.health = None
        draft.issues.append(ParseIssue(found.span(), found[0], f"{refused.message} Left out.", minor=True))
    draft.marks.append(Mark(found.span(), "item" if group.health else "issue"))


def _is_in(span: Span, others: Sequence[Span]) -> bool:
    """Whether a place is inside one of others."""
    return any(begin <= span[0] and span[1] <= end for begin, end in others)
