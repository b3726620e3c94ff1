"""Who is meant: a number, a name, a stat block, by any of the wordings for them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from combat.rules.core.gm.decisions import MAX_COPIES
from combat.rules.core.gm.decisions import MAX_LENGTH as MAX_NAME

from .carrying import choose_item, cut_with, give, read_item, read_skill, say_no_item
from .details import Detail
from .draft import NOTE, PROSE, Draft
from .glossary import Named, find_named, find_stem, find_stems
from .parts import Group, Mark, ParseIssue, Span, Suggestion, say_one, suggest
from .pieces import (
    ADJECTIVES,
    AS,
    BOSS,
    CALLED,
    COUNTS,
    LEADERS,
    LEADS,
    PARTLY,
    ROLES,
    UNCLEAR,
    WHOLLY,
    WITH,
    WORDS,
    Counted,
    Piece,
    count_off,
    is_plain_name,
    read_count,
)
from .sides import apply, is_part_of_a_name, say_no_detail


def read_people(
    draft: Draft, piece: Piece, details: Sequence[Detail], inside: Sequence[Piece], span: Span
) -> None:
    """A group: its number, its name, what it is with, and what stands in brackets."""
    found = WITH.search(piece.text)
    counted = count_off(piece.cut(0, found.start()) if found else piece)
    group = draft.begin(span, counted, piece.joint)
    for detail in details:
        if detail.kind == "people":  # their number
            detail.give(group)
    draft.with_items = bool(found)
    group.is_boss = piece.joint in LEADS and group.count == 1
    if found and found[1] and found[1].casefold() != "each":  # “4 thugs and 2 pirates all with rifles”
        draft.sharers = [one for one in draft.run[:-1] if not one.issue]
    read_name(draft, group, counted)
    if _goes_on(draft, group):
        return
    apply(draft, group, details)
    for one in inside:
        read_more(draft, group, replace(one, joint="(" if one is inside[0] else one.joint or ","))
    if group.source and AS.search(piece.text):
        _share(draft, group)
    if found:
        _read_things(draft, group, piece.cut(found.end()), details)


def _read_things(draft: Draft, group: Group, thing: Piece, details: Sequence[Detail]) -> None:
    """What stands behind “with”: items, or others: “a captain with 2 guards”."""
    other = WITH.search(thing.text)
    if other and not _finds_who(draft, thing.cut(0, other.start())):  # “in kevlar vests with knives”
        _read_things(draft, group, thing.cut(0, other.start()), details)
        thing = thing.cut(other.end())
    if not thing.text.strip() or read_item(draft, replace(thing, joint=",")):
        return
    if _finds_who(draft, thing.cut(0, other.start()) if other else thing):
        read_people(draft, replace(thing, joint="with"), details, (), thing.span)
    else:
        say_no_item(draft, thing)


def _finds_who(draft: Draft, piece: Piece) -> bool:
    return draft.glossary.find_who(count_off(piece).piece.words) is not None


def read_name(draft: Draft, group: Group, counted: Counted) -> None:
    """Who a group is, by its words: a name of their own, a stat block, both or neither."""
    head, block = counted.piece, ""
    if found := CALLED.search(head.text):
        group.name = head.cut(found.end()).words[:MAX_NAME].strip("“”\"'")
        head = head.cut(0, found.start())
    if found := AS.search(head.text):
        block = head.cut(found.end()).words
        group.name = group.name or say_one(head.cut(0, found.start()).words, group.count)
    group.name_span = counted.span[0] if counted.count is not None else head.span[0], head.span[1]
    found = QUOTED.fullmatch(head.text)
    if found and not block and draft.glossary.find_who(head.cut(0, found.end(1)).words):  # “sniper "Whisper"”
        group.name = group.name or found[2].strip()[:MAX_NAME]
        head = head.cut(0, found.end(1))
    words = block or _take_side(draft, group, head)
    if not block and (called := THE.fullmatch(words)) and _is_the(draft, called):
        group.name, words = group.name or called[1], called[2]  # “Ilse Varga the medic”
    known = _find_block(draft, group, counted, head, words, is_as=bool(block))
    unclear = UNCLEAR.match(head.text) if block or not known else None
    if unclear and (group.source or draft.glossary.find_who(head.cut(unclear.end()).words)):
        group.issue = _ask_number(draft, group, counted, head.cut(0, unclear.end()))
    elif group.source and not block and _is_plural(draft, words):
        group.is_counted = group.is_counted and not counted.is_article
        group.plural = words[:60]
    group.side = group.side or draft.glossary.find_side_of(words)


def _is_the(draft: Draft, called: re.Match[str]) -> bool:
    """Whether a name and a stat block stand around “the”, unlike “Knight of the Order”."""
    return is_plain_name(called[1].split()) and draft.glossary.find_who(called[2]) is not None


def _find_block(
    draft: Draft, group: Group, counted: Counted, head: Piece, words: str, *, is_as: bool
) -> tuple[Named, ...]:
    """Give a group the stat block that its words mean, or an issue; those whom they may mean."""
    known = draft.glossary.find_people(words)
    if len(known) == 1:
        group.source = draft.glossary.sources[known[0].key]
        is_own = not {*find_stems(words)} <= {*known[0].stems}  # by a common word
        if not is_as and (is_own or LETTERED.search(words)):
            group.name = group.name or say_one(words, group.count)
    elif not known and (tail := draft.glossary.find_end(words)):
        group.source = draft.glossary.sources[tail.key]
        group.name = group.name or say_one(words, group.count)
        group.is_weak = counted.count is None and find_stem(words.split()[-1]) not in tail.stems
    elif not group.issue:
        group.issue = _make_issue(draft, group, counted, head, words)
    return known


def _take_side(draft: Draft, group: Group, head: Piece) -> str:
    """The words of a name without a side before them: “2 allied marines”."""
    first, _, rest = head.words.partition(" ")
    means = ADJECTIVES.get(first.casefold(), "")
    if not means or draft.glossary.find_people(head.words) or not draft.glossary.find_who(rest):
        return head.words
    group.side = draft.glossary.name_side(means)
    return rest


def _is_plural(draft: Draft, words: str) -> bool:
    """Whether the last word is a plural: “pirates”, but not “Boris” or “press”."""
    last = words.split()[-1].casefold()
    names = {word.casefold() for one in draft.glossary.people for word in one.name.split()}
    known = {*names, *draft.glossary.system.book.imports.people_names}
    ends = last.endswith(("s", "men")) and not last.endswith("ss")
    return ends and last not in known and find_stem(last) in {find_stem(one) for one in known}


def _ask_number(draft: Draft, group: Group, counted: Counted, unclear: Piece) -> ParseIssue:
    """An issue for people of whom nobody knows how many: “1d6 pirates” or “12 dozen pirates”."""
    begin = unclear.span[0] if counted.count is None else min(counted.span[0], unclear.span[0])
    span = begin, unclear.end
    said, digits = draft.words(span), re.search(r"\d+", unclear.text)
    first = counted.count or (read_count(digits[0]) if digits else 1)
    best = min(max(first, 1), MAX_COPIES)
    text = f"“{said[:60]}” cannot be counted: write a number, such as 4."
    used = (Suggestion(f"{best} of them", span, str(best)),)
    return ParseIssue(group.span, draft.words(group.span), text, used)


def _goes_on(draft: Draft, group: Group) -> bool:
    """Whether a group that nobody understands only continues a sentence; it then is a part of that."""
    if group.issue is None or (draft.prose is None and group.issue.message != NOTE):
        draft.prose = None
        return False
    if group.is_counted and group.issue.suggestions:
        draft.prose = None
        return False
    if draft.prose is not None and draft.prose.issue is not None:
        draft.groups.remove(group)
        draft.run.remove(group)
        span = draft.prose.span[0], group.span[1]
        used = (*draft.prose.issue.suggestions, *group.issue.suggestions)[:2]
        draft.prose.issue = ParseIssue(span, draft.words(span), NOTE, used)
        draft.prose.span = draft.prose.name_span = span
    else:
        draft.prose = group
    draft.group = None
    draft.with_items = False
    return True


def _make_issue(draft: Draft, group: Group, counted: Counted, head: Piece, words: str) -> ParseIssue:
    """Why nobody is meant by a name, and who could be."""
    people, several = draft.glossary.people, find_named(words, draft.glossary.people)
    is_counted = counted.count is not None and not counted.is_article
    is_people = bool(several) or len(words.split()) < (2 * PROSE if is_counted else PROSE)
    near = several[:6] or (draft.find_near(words, people) if is_people else ())
    used = [suggest(one, head.span, head.words) for one in near]
    if group.joint == "," and words[:1].isupper() and len(draft.run) > 1 and counted.count is None:
        used += _suggest_of_last(draft.run[-2], head)
    if group.joint in LEADS and not used:  # “captained by Vexa”
        leaders = [named for word in sorted(LEADERS) if (named := draft.glossary.find_who(word))]
        used = [suggest(named, head.span, head.words) for named in dict.fromkeys(leaders)][:2]
    if inside := _find_inside(draft, head):
        used.insert(0, Suggestion(inside, group.span, inside))
    if not used and is_people and counted.count is not None:
        one = people[0].name
        used = [Suggestion(f"as {one}", head.span, f"{head.words} as {one}")]
    text = f"No stat block is called “{words[:60]}”."
    if several:
        text = f"“{words[:60]}” can be several stat blocks."
    elif not is_people:
        text = NOTE
    return ParseIssue(group.span, draft.words(group.span), text, tuple(used))


def _suggest_of_last(last: Group, words: Piece) -> list[Suggestion]:
    """What a name behind someone may be: their own, or that of the side of several."""
    if last.issue or last.name or last.side:
        return []
    if last.count > 1:
        return [Suggestion(f"side {words.words[:40]}", words.span, f"side {words.words}")]
    name = f" called {words.words}"
    return [Suggestion(f"{last.title}{name}"[:60], (last.span[1], words.span[1]), name)]


def _find_inside(draft: Draft, head: Piece) -> str:
    """The number and the people in the middle of a sentence, to be read alone."""
    for found in islice(INSIDE.finditer(head.text), MAX_INSIDE):
        rest = head.text[found.end() :].split()
        for length in range(min(len(rest), 3), 0, -1):
            words = " ".join(rest[:length]).strip(".,!?")
            if len(draft.glossary.find_people(words)) == 1:
                return f"{found[0].strip()} {words}"
    return ""


def _share(draft: Draft, group: Group) -> None:
    """Make those whose names stand before it the same: “Kira and Jon as soldiers”."""
    begin = group.span[0]
    for other in reversed(draft.groups[:-1]):
        name, between = draft.words(other.span), draft.plain[other.span[1] : begin]
        if not (other.issue and name[:1].isupper() and ALSO.fullmatch(between)):
            return
        other.source, other.name, other.issue = group.source, name[:MAX_NAME], None
        other.side, other.zone, other.hidden = group.side, group.zone, group.hidden
        other.things, begin = group.things, other.span[0]


def read_more(draft: Draft, group: Group, piece: Piece) -> None:
    """Something in brackets, in a cell or behind a role: a detail, who they are, a skill, an item."""
    draft.group = group
    if whole := WHOLLY.match(piece.text):  # “(all hidden)”
        piece = piece.cut(whole.end())
        draft.sharers = [one for one in draft.run[:-1] if not one.issue]
    if is_boss(draft, group, piece) or read_of_some(draft, piece):
        return
    if details := draft.details.read(piece):
        apply(draft, group, details)
    elif read_block(draft, group, piece) or read_skill(draft, group, piece):
        return
    elif found := choose_item(draft, group, count_off(piece)):
        give(draft, group, found, piece)
    elif remark := draft.details.take_remark(piece):
        apply(draft, group, [remark[0]])
        draft.say(remark[1], f"“{remark[1].words[:60]}” is not understood: left out.")
    elif not is_part_of_a_name(draft, piece.words):
        several = draft.glossary.find_items(piece.words)
        if several or draft.with_items:
            say_no_item(draft, piece)
        else:
            say_no_detail(draft, piece)


def read_of_some(draft: Draft, piece: Piece) -> bool:
    """Whether a piece is of some of those before it: “two with shotguns”. A tap parts them."""
    found = PARTLY.match(piece.text)
    group = draft.group or (draft.before[-1] if draft.before else None)
    if not found or group is None or group.issue or group.count < 2:
        return False
    if draft.glossary.find_who(count_off(piece).piece.words.split(" with ")[0]):
        return False  # “two armed guards”
    used = part_off(draft, group, piece, found)
    text = f"“{piece.words[:60]}” is about a part of them{': left out' if used else ''}."
    draft.say(piece, text, used, minor=bool(used))
    return True


def part_off(draft: Draft, group: Group, piece: Piece, found: re.Match[str]) -> list[Suggestion]:
    """The notes with some of a group as a group of their own."""
    word = found[1].casefold()
    number = int(word) if word.isdecimal() else COUNTS.get(word, 0)
    number = group.count // 2 if word == "half" else number
    begin, end, plain = group.span[0], piece.span[1], draft.plain
    before = plain[begin : piece.start].rstrip(" ,.;")
    if before.endswith("(") and plain[end : end + 1] == ")":
        before, end = before[:-1], end + 1
    counted = count_off(Piece(begin, before))
    head = count_off(Piece(group.name_span[0], plain[slice(*group.name_span)])).piece.words
    is_whole = counted.span[0] == begin and before.count("(") == before.count(")")
    if not 0 < number < group.count or counted.count != group.count or not is_whole:
        return []
    rest = " ".join(plain[piece.start + found.end() : piece.span[1]].split())
    has = WITH.match(f" {rest}")
    said = f"with {f' {rest}'[has.end() :].strip()}" if has else f"({re.sub('^(?:is|are) ', '', rest)})"
    text = f"{group.count - number} {counted.piece.words}, {number} {head} {said}"
    return [Suggestion(f"{group.count - number} and {number} {said}"[:60], (begin, end), text)]


def is_boss(draft: Draft, group: Group, piece: Piece) -> bool:
    """Whether a piece says that someone leads the others, such as “(boss)”: who that is may still be said."""
    is_one = group.count == 1 and (not group.is_counted or piece.joint == "(")
    if not is_one or not BOSS.fullmatch(piece.words) or piece.joint not in ROLES:
        return False
    if not group.source:
        if not read_block(draft, group, piece):
            return False
        group.is_weak = True
    group.is_boss = True
    draft.marks.append(Mark(piece.span, "people"))
    return True


def read_block(draft: Draft, group: Group, piece: Piece) -> bool:
    """Whether a piece in brackets is the stat block of a group, such as “2 bouncers (street thug)”."""
    words = re.sub(r" stats$", "", AS.sub("", piece.words))
    who = draft.glossary.find_who(words)
    if who is None or draft.glossary.find_items(words):
        return False
    is_said = piece.joint == "(" and group.source and group.source.name != group.title  # by a common word
    if group.source and not group.is_weak and not group.issue and not is_said:
        return False
    if group.issue and "cannot be counted" in group.issue.message:
        return False
    counted = count_off(Piece(group.name_span[0], draft.plain[slice(*group.name_span)]))
    group.name = group.name or say_one(counted.piece.words, group.count)
    group.source, group.issue, group.is_weak = draft.glossary.sources[who.key], None, False
    draft.marks.append(Mark(piece.span, "people"))
    return True


def read_role(draft: Draft, group: Group, piece: Piece) -> bool:
    """Whether a piece says who someone is whose name stands before it: “Jorn Blick, bounty hunter”."""
    counted = count_off(piece)
    words = counted.piece.words
    if piece.joint not in ROLES or not (counted.count is None or counted.is_article):
        return False
    is_open = bool(group.issue) and not group.source and not group.is_counted
    if not (is_open or group.is_weak) or group.things or AS.search(piece.text):
        return False
    words, rest = cut_with(draft, counted.piece)
    source = draft.glossary.find_who(words)
    if not source or (group.issue and group.issue.message == NOTE):
        return False
    group.name = group.name or say_one(draft.words(group.name_span), 1)
    group.source, group.issue, group.is_weak = draft.glossary.sources[source.key], None, False
    group.span = group.span[0], piece.span[1]
    draft.marks.append(Mark((counted.piece.span[0], counted.piece.span[0] + len(words)), "people"))
    if rest is not None:
        draft.with_items = True
        read_more(draft, group, rest)
    return True


ALSO = re.compile(r"\s*(?:,|(?:,\s*)?(?:and|&))\s+", re.IGNORECASE)
QUOTED = re.compile(r"(.+?)\s[\"“]([^\"“”]+)[\"”]\s*")
THE = re.compile(r"([^\W\d]\S*(?: [^\W\d]\S*){0,3}) the (.+)")
LETTERED = re.compile(r" [A-Z]$")  # “Thug A”
MAX_INSIDE = 20  # numbers in a sentence that are tried
INSIDE = re.compile(rf"(?<!\S)(?:\d+|{WORDS})\s(?=\S)", re.IGNORECASE)
