"""The last step: everybody who was read is made once, inside what they begin in; what cannot be is said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from characters.games import make_combatant
from combat.rules.core.basics.errors import Refused
from combat.rules.core.gm.decisions import MAX_COPIES
from combat.rules.core.state.state import Combatant

from .carrying import part_by_numbers
from .details import HEALTH
from .draft import Draft
from .glossary import Carrier, find_stems
from .parts import Group, Mark, ParseIssue, Reading, Ride, Span, Suggestion, in_order, say_one
from .pieces import count_off
from .words import SAID

NO_SPEED = "Only one that carries others goes at a speed: left out."
NEW = ("a", "an")  # articles of a vehicle that comes with them; behind all others it is one that is known


def settle(draft: Draft) -> None:
    """Make sheets and find carriers; a group that cannot have its items becomes an issue."""
    for group in [*draft.groups]:
        part_by_numbers(draft, group)
    for group in draft.groups:
        group.name = draft.restore(group.name)
        if not group.issue or not 1 <= group.count <= MAX_COPIES:
            _settle(draft, group)
    settle_rides(draft)


def make_reading(draft: Draft) -> Reading:
    """What was read, in the order of the text."""
    understood = [one for one in draft.groups if not one.issue]
    draft.issues += [*draft.asked, *(one.issue for one in draft.groups if one.issue)]
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
    used = [Suggestion(f"{one} of them", span, f"{one}{gap}") for one in numbers]
    draft.doubt(group, text, used, is_question=True)


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
    draft.sure.append(found.span())
    draft.marks.append(Mark(found.span(), "item" if group.health else "issue"))


def _is_in(span: Span, others: Sequence[Span]) -> bool:
    """Whether a place is inside one of others."""
    return any(begin <= span[0] and span[1] <= end for begin, end in others)


def settle_rides(draft: Draft) -> None:
    """Find the carrier of everyone who begins inside one; ask where there is none, or too few places."""
    made: dict[int, Group] = {}
    taken: dict[int | str, int] = {}
    for group in [*draft.groups]:
        if group.ride and not group.issue:
            _settle_ride(draft, group, group.ride, made, taken)
            if group.speed and (group.carrier or not group.ride):  # “2 thugs in a ground car at 40 km/h”
                if group.carrier:
                    group.carrier.speed = group.carrier.speed or group.speed
                group.speed = 0
    for group in draft.groups:
        _check_speed(draft, group)


def in_order_of_joining(groups: Sequence[Group], carrier: Group | None = None) -> list[Group]:
    """Those inside a carrier of the notes, or none: right behind each those who are inside it.

    Of those inside the same the ones who drive go first.
    """
    same = [one for one in groups if one.carrier is carrier]
    places = [one.inside or str(at) for at, one in enumerate(same)]
    drives = [bool(one.ride and one.ride.drives) for one in same]
    order = sorted(range(len(same)), key=lambda at: (places.index(places[at]), not drives[at]))
    return [one for at in order for one in (same[at], *in_order_of_joining(groups, same[at]))]


def _is_inside(one: Group | None, other: Group) -> bool:
    """Whether a group is another one, or inside it at any depth."""
    return one is not None and (one is other or _is_inside(one.carrier, other))


def _settle_ride(
    draft: Draft, group: Group, ride: Ride, made: dict[int, Group], taken: dict[int | str, int]
) -> None:
    group.ride = None
    if group.arrives or group.later:
        _leave_out(draft, ride, "Those who come later get in when they are here: left out.")
        return
    source, named = draft.glossary.find_carrier(ride.what), draft.glossary.is_named
    is_new = ride.article in NEW and source is not None
    known = made.get(id(ride)) or (None if is_new else _find_known(draft, group, ride))
    is_several = any(one.count > 1 and named(one.title, ride.what) for one in draft.groups)
    if isinstance(known, tuple):
        titles = dict.fromkeys(one.title for one in known)
        used = [Suggestion(title, ride.what_span, title) for title in titles] if len(titles) > 1 else []
        _leave_out(draft, ride, f"“{ride.what}” can be several: say its name. Left out.", used)
        return
    if known is None and is_several:
        _leave_out(draft, ride, f"“{ride.what}” can be several: write each with its people. Left out.")
        return
    if known is None and (source is None or ride.article == "the"):
        words = f"{_say_before(draft, ride)}a {ride.what}"
        used = [Suggestion(words[:60], ride.span, words)] if source else []
        _leave_out(draft, ride, f"No “{ride.what}” is here yet: left out.", used)
        return
    fresh = known or Group(ride.span, ride.what_span, source=source, side=group.side, zone=group.zone)
    key = fresh.id if isinstance(fresh, Carrier) else id(fresh)
    room = _count_places(draft, fresh) - taken.get(key, 0)
    if group.count > room:
        _ask_room(draft, group, ride, fresh, room)
        return
    if isinstance(fresh, Group):
        if known is None:
            _hint_at_others(draft, ride)
            fresh.hidden, made[id(ride)] = group.hidden, fresh
            draft.groups.insert(draft.groups.index(group), fresh)
        group.carrier = fresh
    group.ride, group.inside_name = ride, fresh.title
    group.inside = fresh.id if isinstance(fresh, Carrier) else fresh.title
    taken[key] = taken.get(key, 0) + group.count


def _say_before(draft: Draft, ride: Ride) -> str:
    """The words before the article of what they are in: “in ”, “driving ”."""
    return draft.words(ride.span).removesuffix(ride.what).rstrip().removesuffix(ride.article)


def _find_known(draft: Draft, group: Group, ride: Ride) -> Group | Carrier | tuple[Carrier, ...] | None:
    """The carrier that the notes or the table have; several if it can be each of them, None if it is new."""
    at = draft.groups.index(group)
    noted = [
        one
        for one in (*reversed(draft.groups[:at]), *draft.groups[at:])
        if one.count == 1 and _is_carrier(draft, one, ride) and not _is_inside(one, group)
    ]
    noted.sort(key=lambda one: one.side != group.side)
    if with_room := [one for one in noted if _count_places(draft, one)]:
        return with_room[0]
    there = draft.glossary.find_carriers(ride.what)
    there = tuple(one for one in there if one.side == group.side) or there
    exact = tuple(one for one in there if find_stems(one.title) == find_stems(ride.what))
    found = exact if len(exact) == 1 else there
    return found[0] if len(found) == 1 else found or None


def _is_carrier(draft: Draft, one: Group, ride: Ride) -> bool:
    return not one.issue and draft.glossary.is_named(one.title, ride.what)


def _hint_at_others(draft: Draft, ride: Ride) -> None:
    """Say that another carrier of the notes with this name has nobody inside, where theirs is a new one."""
    inside = [one.carrier for one in draft.groups]
    empty = [one for one in draft.groups if _is_carrier(draft, one, ride) and one not in inside]
    if empty and empty[0].count == 1:
        used = [Suggestion(f"the {ride.what}"[:60], ride.span, f"{_say_before(draft, ride)}the {ride.what}")]
        draft.hint(draft.piece(ride.span), f"One more {ride.what} comes with them.", used)


def _count_places(draft: Draft, carrier: Group | Carrier) -> int:
    if isinstance(carrier, Carrier):
        return carrier.room
    aboard = draft.glossary.system.actions.aboard
    sheet = carrier.make_sheet(draft.glossary)
    made = make_combatant(draft.glossary.system, carrier.title, sheet)
    return aboard.count_places(made) if aboard else 0


def _ask_room(draft: Draft, group: Group, ride: Ride, carrier: Group | Carrier, room: int) -> None:
    """Ask who stays outside of a carrier that has too few places; a tap parts them."""
    counted, rest, used = draft.head(group), group.count - room, []
    is_plain = not (group.things or group.lacks or group.skills or group.health)
    if room > 0 and counted.count == group.count and is_plain and group.name_span[1] <= ride.span[0]:
        one, many = say_one(counted.piece.words, group.count), counted.piece.words
        some, others = (f"{number} {many if number > 1 else one}" for number in (room, rest))
        whole = group.name_span[0], ride.span[1]
        text = f"{others}, {some} {draft.words(ride.span)}"
        used = [Suggestion(f"{room} in it, {rest} outside", whole, text)]
    free = f"{room} free place{'s' * (room != 1)}" if room > 0 else "no free place"
    _leave_out(draft, ride, f"{carrier.title} has {free} for {group.count}: they stand outside.", used)


def _leave_out(draft: Draft, ride: Ride, text: str, used: Sequence[Suggestion] = ()) -> None:
    """Say why nobody begins in it."""
    draft.marks = [one for one in draft.marks if one.span != ride.span]
    draft.say(draft.piece(ride.span), text, used)


def _check_speed(draft: Draft, group: Group) -> None:
    """Leave out a speed that someone cannot have."""
    aboard = draft.glossary.system.actions.aboard
    if not (group.speed and aboard) or group.issue:
        return
    made = make_combatant(draft.glossary.system, group.title, group.make_sheet(draft.glossary))
    most, unit = aboard.find_top_speed(made), aboard.speed_unit
    if group.inside:
        text = f"{group.inside_name} is here already: say its speed there. Left out."
    elif group.later or group.arrives:
        text = "Those who come later get their speed when they are here: left out."
    elif group.speed > most:
        text = f"{group.title} goes at most {most} {unit}: left out." if most else NO_SPEED
    else:
        return
    draft.issues.append(ParseIssue(group.span, f"{group.speed} {unit}", text, minor=True))
    group.speed = 0
