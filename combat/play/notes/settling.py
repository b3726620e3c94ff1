"""The last step: everybody who was read is made once, and what a sheet cannot have is said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from characters.games import make_combatant
from combat.rules.core.basics.errors import Refused
from combat.rules.core.gm.decisions import MAX_COPIES
from combat.rules.core.state.state import Combatant

from .details import HEALTH
from .draft import Draft
from .parts import Group, Mark, ParseIssue, Reading, Span, Suggestion, in_order, say_one
from .pieces import EACH, Piece, count_off
from .riding import in_order_of_joining, settle_rides


def finish(draft: Draft) -> Reading:
    """Everything that was read; a group that cannot have its items becomes an issue."""
    understood = []
    for group in draft.groups:
        if not group.issue or not 1 <= group.count <= MAX_COPIES:
            _settle(draft, group)
    settle_rides(draft)
    for group in draft.groups:
        if group.issue:
            draft.issues.append(group.issue)
            draft.marks.append(Mark(group.name_span, "issue"))
        else:
            draft.marks.append(Mark(group.name_span, "people"))
            understood.append(group)
    lost = [group.span for group in draft.groups if group.issue]
    draft.marks = [one for one in draft.marks if one.kind == "issue" or not _is_in(one.span, lost)]
    issues = tuple(sorted(draft.issues, key=lambda one: one.span))
    people = tuple(in_order_of_joining(understood))
    return Reading(draft.text, people, issues, tuple(in_order(draft.marks)), tuple(draft.hints))


def _settle(draft: Draft, group: Group) -> None:
    """Check the number and the sheet of a group; say what is of no use to it."""
    if group.plural and not group.is_counted:
        text = f"How many {group.plural}? Write a number, such as 4."
        group.issue = _ask_count(draft, group, text, (2, 4, 1))
        return
    if group.plural and group.name == say_one(group.plural, 1):
        group.name = say_one(group.plural, group.count)  # the number stood behind it
    _check_health(draft, group)
    _check_parts(draft, group)
    if group.is_each:
        players = draft.glossary.players
        if not players:
            group.issue = _ask_players(draft, group)
            return
        group.count *= players
    if not 1 <= group.count <= MAX_COPIES:
        best = min(max(group.count, 1), MAX_COPIES)
        text = f"1 to {MAX_COPIES} of one kind can be added at a time."
        group.issue = _ask_count(draft, group, text, (best,))
        return
    try:
        sheet = group.make_sheet(draft.glossary)
    except Refused as refused:
        group.issue = ParseIssue(group.span, draft.words(group.span), refused.message)
        return
    made = make_combatant(draft.glossary.system, group.title, sheet)
    has = {item.name for item in made.items}
    for entry, piece in [(entry, piece) for one, entry, piece in draft.given if one is group]:
        if entry.name not in has:  # only one of its kind has room
            if Mark(piece.span, "item") in draft.marks:
                draft.marks.remove(Mark(piece.span, "item"))
            draft.say(piece, f"{group.title} has no room for {entry.name} beside the others. Left out.")
    _say_lacks(draft, group, made)


def _ask_count(draft: Draft, group: Group, text: str, numbers: Sequence[int] = (1, 2, 4)) -> ParseIssue:
    """The issue for a number: the text of a group with one of these in its place."""
    begin, end = group.name_span
    piece = Piece(begin, draft.plain[begin:end])
    span = count_off(piece).span
    span = span if span[1] else (begin, begin)
    gap = "" if span[1] > span[0] else " "
    used = tuple(Suggestion(f"{one} of them", span, f"{one}{gap}") for one in numbers)
    return ParseIssue(group.span, draft.words(group.span), text, used)


def _ask_players(draft: Draft, group: Group) -> ParseIssue:
    """The issue for people of whom one comes for each player while no player is there."""
    begin, words = group.span[0], draft.plain[slice(*group.span)]
    found = EACH.search(words)
    counted, end = count_off(Piece(begin, words)), found.end() if found else 0
    start = counted.span[0] if counted.count is not None else begin
    between = words[(counted.span[1] or begin) - begin : found.start() if found else 0].strip()
    used = [
        Suggestion(f"{one} of them", (start, begin + end), f"{group.count * one} {between}")
        for one in (2, 3, 4)
    ]
    text = "No player character is there yet: write a number, such as 4."
    return ParseIssue(group.span, draft.words(group.span), text, tuple(used))


def _say_lacks(draft: Draft, group: Group, made: Combatant) -> None:
    """Say which weapons that the notes give are useless, with the skill that mends it one tap away."""
    find = draft.glossary.system.book.imports.find_lacks
    if find is None or not (group.things or group.written):
        return
    span = group.name_span
    given = {entry.name for entry, _ in group.things}
    for lack in find(made):
        if given and lack.item not in given:
            continue  # the stat block has it
        used = (Suggestion(f"Add {lack.skill}", (group.span[1], group.span[1]), f", {lack.skill}"),)
        draft.hints.append(ParseIssue(span, draft.words(span), lack.text, used, minor=True))


def _check_parts(draft: Draft, group: Group) -> None:
    """Leave out things of a part of a group: “10 pirates (5 swords, 5 pistols)”."""
    given = [(entry, piece) for one, entry, piece in draft.given if one is group]
    numbers = [count_off(piece).count or 1 for _, piece in given]
    if len(given) < 2 or group.count < 2 or min(numbers) < 2 or sum(numbers) != group.count:
        return
    head = count_off(Piece(group.name_span[0], draft.plain[slice(*group.name_span)])).piece.words
    said = [
        f"{number} {head} with {count_off(piece).piece.words}"
        for number, (_, piece) in zip(numbers, given, strict=True)
    ]
    text = f"Each of the {group.count} would have all of these: left out."
    begin, end = given[0][1].span[0], given[-1][1].span[1]
    whole = group.span[0], max(group.span[1], end)
    used = (Suggestion(", ".join(said)[:60], whole, ", ".join(said)),)
    draft.issues.append(ParseIssue((begin, end), draft.words((begin, end)), text, used, minor=True))
    draft.marks = [one for one in draft.marks if one.kind != "item" or not _is_in(one.span, [(begin, end)])]
    draft.marks.append(Mark((begin, end), "issue"))
    draft.given = [one for one in draft.given if one[0] is not group]
    group.things = []


def _check_health(draft: Draft, group: Group) -> None:
    """Leave out HP that the game or the sheet cannot have, with an issue."""
    found = HEALTH.search(draft.plain, group.span[0]) if group.health else None
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
