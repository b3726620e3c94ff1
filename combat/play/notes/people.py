"""Who is meant: a number, a name, a stat block, by any of the wordings for them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, takewhile

from combat.rules.core.gm.decisions import MAX_COPIES
from combat.rules.core.gm.decisions import MAX_LENGTH as MAX_NAME

from . import words as lex
from .carrying import (
    choose_item,
    cut_having,
    cut_with,
    give,
    part_off,
    read_item,
    read_of_some,
    read_skill,
    say_no_item,
)
from .details import Detail
from .draft import NOTE, PROSE, Draft
from .glossary import Named, find_named, find_stem, find_stems
from .parts import Group, Mark, Span, Suggestion, say_one, suggest
from .pieces import (
    ABOUT,
    BOTH,
    LEADS,
    ROLES,
    UNCLEAR,
    Counted,
    Piece,
    count_off,
    is_plain_name,
    is_titled,
    name_of,
    read_number,
)
from .sides import apply, is_part_of_a_name, say_no_detail

WORD = re.compile(r"\S+")
NAMES_BEHIND = (",", ":", "-", "–", "—", *BOTH)  # joints between several and their names
OWNERS = ("their", "his", "her", "its")  # “ten thugs and their boss, a brute”
ALSO = re.compile(r"\s*(?:,|(?:,\s*)?(?:and|&))\s+", re.IGNORECASE)
QUOTED = re.compile(r"(.+?)\s([\"“][^\"“”]+[\"”](?:\s[A-Z]\S*)*)\s*")
QUOTE_ONLY = re.compile(r"\"[^\"]+\"")
THE = re.compile(r"([^\W\d]\S*(?: [^\W\d]\S*){0,3}) the (.+)")
LETTERED = re.compile(r" [A-Z]$| #?\d{1,2}$")  # “Thug A”, “Thug #2”
BEHIND = re.compile(r"(x\s?)?(\d{1,3})(?=\s|$)", re.IGNORECASE)
QUOTE = '"'
MAX_KNOWN = 16  # words among which people are looked for
NAMED = re.compile(f"{lex.AS.pattern}|{lex.CALLED.pattern}|{QUOTE}", re.IGNORECASE)
MAX_INSIDE = 20  # numbers in a sentence that are tried
INSIDE = re.compile(rf"(?<!\S)(?:\d+|{lex.WORDS})\s(?=\S)", re.IGNORECASE)


def read_people(
    draft: Draft, piece: Piece, details: Sequence[Detail], inside: Sequence[Piece], span: Span
) -> None:
    """A group: its number, its name, what it is with, and what stands in brackets."""
    found = lex.WITH.search(piece.text)
    counted = count_off(piece.cut(0, found.start()) if found else piece)
    number = read_number(counted.piece.words)
    if draft.headed and number:  # “Marines / - 3 with rifles”
        counted = Counted(replace(counted.piece, text=draft.headed), number, counted.piece.span)
    thing = None
    if draft.headed and counted.count and choose_item(draft, None, counted):  # “Thugs / 2 knife”
        thing, counted = counted.piece, replace(counted, piece=replace(counted.piece, text=draft.headed))
    counted = _cut_remark(draft, counted, is_certain=bool(details))
    if found and _find_again(draft, counted):
        _read_things(draft, piece.cut(found.end()), details)
        return
    counted, behind = cut_known(draft, counted)
    group = draft.begin(span, counted, piece.joint)
    draft.with_items = bool(found)
    group.is_boss = piece.joint in LEADS and group.count == 1
    read_name(draft, group, counted)
    if found:
        _ask_part(draft, group, counted)
    if _goes_on(draft, group, inside):
        return
    apply(draft, group, [one for one in details if not _is_block(draft, group, one)])
    _read_inside(draft, group, inside)
    for part in _part_behind(draft, behind) if behind else ():
        read_more(draft, group, part.after(","))
    if group.source and lex.AS.search(piece.text):
        _make_alike(draft, group)
    if found or thing:
        _read_things(draft, thing or piece.cut(found.end() if found else 0), details)


def find_names(draft: Draft, pieces: Sequence[Piece]) -> list[Piece]:
    """The names with which some parts begin, one for each of those before: “3 pirates: Korr, Jess, Tam”."""
    base, named = draft.group, list[Piece]()
    if base is None or base.count < 2 or base.issue or (base.name and not base.is_named):
        return []
    for piece in pieces:
        _, inside, bare = draft.details.take(cut_with(piece)[0])
        words = bare.words.strip(" .")
        is_name = draft.glossary.is_own_name(words) and not draft.details.read(Piece(0, words))
        is_name = is_name and not any(draft.glossary.find_who(one.words) for one in inside)
        if not is_name or piece.joint not in NAMES_BEHIND:
            break
        named.append(piece)
    missing = base.count - base.is_named - len(named)
    return named if named and (not missing or (missing > 0 and len(named) == len(pieces) > 1)) else []


def cut_plural(draft: Draft, piece: Piece) -> tuple[str, Piece]:
    """The words for several before the name of the first, and that: “pirates Korr”; "" for anything else."""
    for found in list(WORD.finditer(piece.text))[1:]:
        who, name = piece.cut(0, found.start()).words, piece.cut(found.start())
        if len(draft.glossary.find_people(who)) == 1 and _is_plural(draft, who):
            return who, name
    return "", piece


def name_each(draft: Draft, base: Group, pieces: Sequence[Piece]) -> None:
    """Give each of some people a name, and what stands behind it: “Ada has a rifle, Bo has a knife”."""
    whole, named, before = base.count == len(pieces), list[Group](), list[Group]()
    for piece in reversed(pieces[whole:]):
        named.insert(0, part_off(draft, base, 1, cut_with(piece)[0]))
    for group, piece in zip([base] * whole + named, pieces, strict=True):
        who, having = cut_with(draft.take_told(piece))
        details, inside, bare = draft.details.take(who)
        group.name = bare.words.strip(" .")[:MAX_NAME]
        before = before if piece.joint in BOTH else []
        draft.group, draft.sharers = group, before
        apply(draft, group, details)
        for one in inside:
            read_more(draft, group, one.after(","))
        if having:
            _read_things(draft, having, ())
        before = [] if having or inside or details else [*before, group]


def _read_inside(draft: Draft, group: Group, inside: Sequence[Piece]) -> None:
    """What stands in the brackets behind some people: their names, then anything else."""
    if names := find_names(draft, [one.after(",") for one in inside]):
        name_each(draft, group, names)
        inside = inside[len(names) :]
    for one in inside:
        some = draft.group if draft.group and draft.group.base is group else group  # “(1 armed, hidden)”
        read_more(draft, some, one.after("(" if one is inside[0] else one.joint or ","))


def _is_block(draft: Draft, group: Group, detail: Detail) -> bool:
    """Whether a side says who people are of whom nobody knows it: “4 hostages (bystanders)”."""
    is_open = detail.kind == "side" and group.issue
    return bool(is_open and read_block(draft, group, detail.piece.after("(")))


def _find_again(draft: Draft, counted: Counted) -> bool:
    """Whether someone has this name already, who then is the one that is meant: “Brak has a shotgun”."""
    named = [one for one in draft.groups if one.name and one.name == counted.piece.words]
    if len(named) != 1 or named[0].count > 1 or named[0].issue:
        return False
    draft.group, draft.with_items = named[0], True
    return True


def _ask_part(draft: Draft, group: Group, counted: Counted) -> None:
    """Ask whether someone whom nobody knows is one of those before: “4 pirates. The tallest has a sword”."""
    words = counted.piece.words
    others = [one for one in draft.run[:-1] or draft.before if one.count > 1 and not one.issue]
    if group.issue and others and counted.count is None and "stat block" in group.issue.message:
        of = " or ".join(f"{one.count} × {one.title}" for one in others)
        span, called = counted.piece.span, [name_of(draft.piece(one.name_span)).lower() for one in others]
        used = [Suggestion(f"one of the {one}"[:60], span, f"one of the {one}") for one in called]
        used = [Suggestion("one of them", span, "one")] if len(others) == 1 else used
        text = f"Who is “{words[:60]}”: one of the {of}?"
        draft.doubt(group, text, (*group.issue.suggestions, *used), is_question=True)
    elif group.issue and not group.issue.suggestions and re.match(r"the\s", words, re.IGNORECASE):
        example = next(iter(draft.glossary.sources.values())).name
        text = f"Who is “{words[:60]}”? Write it such as “{words[:40]} as {example}”."
        draft.doubt(group, text, is_question=True)


def read_counted(draft: Draft, who: Piece, number: Piece | None, span: Span) -> Group:
    """Someone in a cell or a label, with the number that stands in another."""
    details, inside, who = draft.details.take(who)
    counted = count_off(who)
    if number and counted.count is None:
        counted = replace(counted, count=read_number(number.words), span=number.span)
    group = draft.begin(span, counted)
    apply(draft, group, details)
    read_name(draft, group, counted)
    group.name_span = who.span
    draft.with_items = True
    for one in inside:
        read_more(draft, group, one.after("("))
    return group


def _cut_remark(draft: Draft, counted: Counted, is_certain: bool) -> Counted:
    """People without what they do, which is told: “2 guards smoking behind the crane”.

    Without a number that is said only where something else is, too: “the sniper opens up” may be a story.
    """
    piece = counted.piece
    for found in reversed(list(WORD.finditer(piece.text))[1:]):
        verb = found[0]
        words = [one for one in WORD.findall(piece.text[found.start() :]) if len(one) > 2 or one == "or"]
        is_doing = verb.islower() and (verb in lex.DOES or verb.endswith("ing"))
        is_certain = is_certain or not counted.is_one or verb.endswith("ing")
        is_other = any(one in (*lex.NUMBERS, "or") or draft.glossary.find_people(one) for one in words)
        if not is_doing or not is_certain or is_other:
            continue
        lead = re.match(r"\s*(?:the\s+)?", piece.text, re.IGNORECASE)
        head = piece.cut(lead.end() if lead else 0, found.start())
        if draft.glossary.find_who(head.words):
            remark = piece.cut(found.start())
            draft.hint(remark, f"“{remark.words[:60]}” changes no number: left out.")
            return replace(counted, piece=head)
    return counted


def cut_known(draft: Draft, counted: Counted) -> tuple[Counted, Piece | None]:
    """People who are known at the beginning, and the words behind them: “4 thugs clubs”, “guards x3 hall”.

    What the other words are is asked, unless they are a place or a thing.
    """
    piece, find = counted.piece, draft.glossary
    is_known = find.find_who(piece.words) or find.find_items(piece.words) or find.repair(piece.words)
    words = list(WORD.finditer(piece.text))
    for found in words[1:]:  # “2 guards Dock”, but not “Captain Hall”
        head, rest = piece.cut(0, found.start()), piece.cut(found.start())
        is_plain = not counted.is_one or head.words.islower()
        if is_plain and rest.words.lower() in find.places and len(find.find_people(head.words)) == 1:
            return replace(counted, piece=head), rest
    if is_known or NAMED.search(piece.text) or len(words) > MAX_KNOWN:
        return counted, None
    for found in reversed(words[1:]):
        head, rest = piece.cut(0, found.start()), piece.cut(found.start())
        if not (len(find.find_people(head.words)) == 1 or find.repair(head.words)):
            continue
        if rest.words.isdecimal() and head.words.istitle() and not _is_plural(draft, head.words):
            break  # “Pirate 2”
        if (
            counted.count is None
            and (number := BEHIND.match(rest.text))
            and (number[1] or not head.words.istitle() or _is_plural(draft, head.words))
        ):
            counted = Counted(head, read_number(number[2]), rest.cut(*number.span(2)).span)
            rest = rest.cut(number.end())
        is_said = (
            not counted.is_one
            or (counted.count and (draft.said or draft.held))
            or draft.details.read(rest)
            or choose_item(draft, None, count_off(rest))
        )
        if (
            not is_said
            or not lex.TENSES.isdisjoint(rest.words.casefold().split())
            or rest.words.casefold().startswith("or ")
        ):
            break
        return replace(counted, piece=head), rest if rest.words else None
    return counted, None


def _part_behind(draft: Draft, behind: Piece) -> list[Piece]:
    """The thing and the place that words are: “needle guns dock”; none if they are something else."""
    for at in [0, *(found.start() for found in WORD.finditer(behind.text))][1:]:
        thing, place = behind.cut(0, at), behind.cut(at)
        is_thing = not thing.text.strip() or choose_item(draft, None, count_off(thing))
        if is_thing and draft.details.read(place):
            return [one for one in (thing, place) if one.text.strip()]
    return [behind] if choose_item(draft, None, count_off(behind)) else []


def _read_things(draft: Draft, thing: Piece, details: Sequence[Detail]) -> None:
    """What stands behind “with”: items, or others: “a captain with 2 guards”."""
    other = lex.WITH.search(thing.text)
    if other and not draft.find_who(thing):  # “in kevlar vests with knives”
        _read_things(draft, thing.cut(0, other.start()), details)
        thing = thing.cut(other.end())
    found = lex.AS.search(thing.text)  # “with a dagger as lookout”
    if (
        found
        and not draft.find_who(thing)
        and choose_item(draft, draft.group, count_off(thing.cut(0, found.start())))
    ):
        draft.leave_out(thing.cut(found.start()))
        thing = thing.cut(0, found.start())
    if not thing.text.strip() or read_item(draft, _cut_apiece(thing.after(","))):
        return
    if draft.find_who(thing):
        read_people(draft, thing.after("with"), details, (), thing.span)
    else:
        say_no_item(draft, thing)


def read_name(draft: Draft, group: Group, counted: Counted) -> None:
    """Who a group is, by its words: a name of their own, a stat block, both or neither."""
    head, block = counted.piece, ""
    if found := lex.CALLED.search(head.text):
        group.is_named = True
        group.name = _cut_name(head.cut(found.end()).words)[:MAX_NAME].strip("“”\"'")
        head = head.cut(0, found.start())
    if found := lex.AS.search(head.text):
        block, named = head.cut(found.end()).words, count_off(head.cut(0, found.start()))
        if named.count and counted.count is None:  # “Bouncers x2 = enforcers”
            group.count, group.is_counted = named.count, True
        group.name, group.is_said = group.name or say_one(named.piece.words, group.count), True
    is_before = counted.count is not None and counted.span[0] < head.span[0]
    group.name_span = counted.span[0] if is_before else head.span[0], head.span[1]
    found = QUOTED.fullmatch(head.text)
    if (
        found
        and not block
        and (draft.glossary.find_people if found[2][-1] != QUOTE else draft.glossary.find_who)(
            head.cut(0, found.end(1)).words
        )
    ):  # “sniper "Whisper"”
        group.name = (
            group.name
            or found[2].removesuffix(QUOTE).removeprefix(QUOTE if found[2].endswith(QUOTE) else "")[:MAX_NAME]
        )
        head = head.cut(0, found.end(1))
    words = block or _take_side(draft, group, head)
    called = THE.fullmatch(words)
    if (
        called
        and called[1][:1].isupper()
        and not block
        and is_plain_name(called[1].split())
        and draft.glossary.find_who(called[2])
    ):
        group.name, words = group.name or called[1], called[2]  # “Ilse Varga the medic”
    known = _find_block(draft, group, counted, head, words, is_as=bool(block))
    unclear = UNCLEAR.match(head.text) if block or not known else None
    if unclear and (group.source or draft.glossary.find_who(head.cut(unclear.end()).words)):
        _ask_number(draft, group, counted, head.cut(0, unclear.end()))
    elif group.source and not block and _is_plural(draft, words):
        group.is_counted = group.is_counted and not counted.is_article
        group.plural = words[:60]
    group.side = group.side or draft.glossary.find_side_of(words)


def _cut_name(words: str) -> str:
    """The words up to what someone does: “Vell” of “Vell argue”."""
    titled = list(takewhile(lambda word: not {word, word.removesuffix("s")} & lex.DOES, words.split()))
    return " ".join(titled) or words


def _find_block(
    draft: Draft, group: Group, counted: Counted, head: Piece, words: str, *, is_as: bool
) -> tuple[Named, ...]:
    """Give a group the stat block that its words mean, or an issue; those whom they may mean."""
    known = draft.glossary.find_people(re.sub(r" #?\d{1,2}$", "", words))
    if not known and (repaired := draft.glossary.repair(words)):
        known, words = draft.glossary.find_people(repaired), repaired
        draft.say(head, f"Read as “{known[0].name}”.")
    if len(known) == 1:
        group.source = draft.glossary.sources[known[0].key]
        is_own = not {*find_stems(words)} <= {*known[0].stems}  # by a common word
        if not is_as and (is_own or LETTERED.search(words)):
            group.name = group.name or say_one(words, group.count)
        group.is_weak = words in lex.LEADERS and draft.plain[: head.span[0]].rstrip().endswith(OWNERS)
    elif not known and (tail := draft.glossary.find_end(words)):
        group.source = draft.glossary.sources[tail.key]
        group.name = group.name or say_one(words, group.count)
        group.is_weak = counted.count is None and find_stem(words.split()[-1]) not in tail.stems
    elif not group.issue:
        _ask_who(draft, group, counted, head, words)
    return known


def _take_side(draft: Draft, group: Group, head: Piece) -> str:
    """The words of a name without a side before them: “2 allied marines”."""
    first, _, rest = head.words.partition(" ")
    means = lex.ADJECTIVES.get(first.casefold(), "")
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


def _ask_number(draft: Draft, group: Group, counted: Counted, unclear: Piece) -> None:
    """Ask for the number of people of whom nobody knows how many: “1d6 pirates” or “12 dozen pirates”."""
    begin = unclear.span[0] if counted.count is None else min(counted.span[0], unclear.span[0])
    span, digits = (begin, unclear.end), re.search(r"\d+", unclear.text)
    first = counted.count or (read_number(digits[0]) if digits else 1)
    is_open = not digits and re.fullmatch(ABOUT, unclear.words, re.IGNORECASE)  # “a few”
    best = [2, 3, 4] if is_open else [min(max(first, 1), MAX_COPIES)]
    text = f"“{draft.words(span)[:60]}” cannot be counted: write a number, such as 4."
    draft.doubt(group, text, [Suggestion(f"{one} of them", span, str(one)) for one in best], is_question=True)


def _goes_on(draft: Draft, group: Group, inside: Sequence[Piece]) -> bool:
    """Whether a group that nobody understands only continues a sentence; it then is a part of that."""
    known = draft.glossary.find_people(inside[0].words) if inside else ()
    if len(known) == 1 and draft.words(group.name_span)[:1].isupper():  # “Cult leader Ash (assassin)”
        return False
    is_told = draft.prose and not group.is_counted and group.name[:1] != draft.words(group.name_span)[:1]
    if is_told and not group.issue:  # “…, and left the captain in the airlock”
        draft.doubt(group, NOTE)
    is_asked = group.issue and (draft.prose or group.issue.message == NOTE)
    if not group.issue or not is_asked or (group.is_counted and group.issue.suggestions):
        draft.prose = None
        return False
    if draft.prose is not None and draft.prose.issue is not None:
        draft.groups.remove(group)
        draft.run.remove(group)
        draft.prose.span = draft.prose.name_span = draft.prose.span[0], group.span[1]
        used = (*draft.prose.issue.suggestions, *group.issue.suggestions)[:2]
        draft.doubt(draft.prose, NOTE, used)
    else:
        draft.prose = group
    draft.group, draft.with_items = None, False
    return True


def _ask_who(draft: Draft, group: Group, counted: Counted, head: Piece, words: str) -> None:
    """Say why nobody is meant by a name, and who could be."""
    people, several = draft.glossary.people, find_named(words, draft.glossary.people)
    most = PROSE if counted.is_one else 2 * PROSE
    is_name = len(words.split()) <= most + words.count('"') and is_titled(words)
    is_people = bool(words) and (bool(several) or is_name or len(words.split()) < most)
    near = several[:6] or (draft.find_near(words, people) if is_people else ())
    used = [suggest(one, head.span, head.words) for one in near]
    if group.joint == "," and words[:1].isupper() and len(draft.run) > 1 and counted.count is None:
        used += _suggest_of_last(draft.run[-2], head)
    if group.joint in LEADS and not used:  # “captained by Vexa”
        leaders = dict.fromkeys(filter(None, map(draft.glossary.find_who, sorted(lex.LEADERS))))
        used = [suggest(named, head.span, head.words) for named in leaders][:2]
    if inside := find_inside(draft, head):
        used.insert(0, Suggestion(inside.words, group.span, inside.words))
    text = f"“{words[:60]}” can be several stat blocks." if several else NOTE
    draft.doubt(group, text if several or not is_people else f"No stat block is called “{words[:60]}”.", used)


def _suggest_of_last(last: Group, words: Piece) -> list[Suggestion]:
    """What a name behind someone may be: their own, or that of the side of several."""
    if last.issue or last.name or last.side:
        return []
    side, name = f"side {words.words}", f" called {words.words}"
    if last.count > 1:
        return [Suggestion(side[:45], words.span, side)]
    return [Suggestion(f"{last.title}{name}"[:60], (last.span[1], words.span[1]), name)]


def find_inside(draft: Draft, head: Piece) -> Piece | None:
    """The number and the people in the middle of a sentence, to be read alone."""
    for found in islice(INSIDE.finditer(head.text), MAX_INSIDE):
        words = list(WORD.finditer(head.text, found.end()))[:3]
        for last in reversed(words):
            said = head.text[found.end() : last.end()].strip(".,!?")
            if len(draft.glossary.find_people(said)) == 1:
                return head.cut(found.start(), found.end() + len(said))
    return None


def _make_alike(draft: Draft, group: Group) -> None:
    """Make those whose names stand before it the same: “Kira and Jon as soldiers”."""
    begin = group.span[0]
    for other in reversed(draft.groups[:-1]):
        name, between = draft.words(other.span), draft.plain[other.span[1] : begin]
        if not (other.issue and name[:1].isupper() and ALSO.fullmatch(between)):
            return
        other.source, other.name, other.issue = group.source, name[:MAX_NAME], None
        other.side, other.zone, other.hidden = group.side, group.zone, group.hidden
        other.things, begin = group.things, other.span[0]


def read_open(draft: Draft, group: Group, piece: Piece) -> bool:
    """Whether a part of a list is of the people before it: who they are, a skill, an item."""
    piece = _cut_apiece(piece)
    if (having := cut_having(piece)) is not piece:
        draft.with_items, piece = True, having.after(",")
    is_who = is_boss(draft, group, piece) or (lex.AS.match(piece.text) and read_block(draft, group, piece))
    is_known = is_who or read_role(draft, group, piece) or read_skill(draft, group, piece)
    return bool(is_known or read_remark(draft, group, piece) or read_item(draft, piece))


def read_more(draft: Draft, group: Group, piece: Piece) -> None:
    """Something in brackets, in a cell or behind a role: a detail, who they are, a skill, an item."""
    draft.group, piece = group, cut_having(_cut_apiece(piece))
    if whole := lex.WHOLLY.match(piece.text):  # “(all hidden)”
        piece = piece.cut(whole.end())
        draft.share()
    if is_boss(draft, group, piece) or read_of_some(draft, piece):
        return
    if QUOTE_ONLY.fullmatch(piece.words) and group.count == 1 and not group.name:  # “beast ("Old Scar")”
        group.name = piece.words.strip(QUOTE)[:MAX_NAME]
        draft.marks.append(Mark(piece.span, "people"))
        return
    if details := draft.details.read(piece):
        apply(draft, group, details)
    elif (parts := cut_with(piece))[1] and read_block(draft, group, parts[0]):  # “(hunter with a gun)”
        read_more(draft, group, parts[1])
    elif any(read(draft, group, piece) for read in (_is_number_of, read_block, read_skill)):
        pass
    elif item := choose_item(draft, group, count_off(piece)):
        give(draft, group, item, piece)
    elif not read_remark(draft, group, piece) and not is_part_of_a_name(draft, piece.words):
        is_thing = draft.with_items or draft.glossary.find_items(piece.words)
        (say_no_item if is_thing else say_no_detail)(draft, piece)


def _cut_apiece(piece: Piece) -> Piece:
    """A piece without “each” at its end."""
    found = lex.APIECE.search(piece.text)
    return piece.cut(0, found.start()) if found else piece


def _is_number_of(draft: Draft, group: Group, piece: Piece) -> bool:
    """Whether a piece only says how many those before it are: “police (4 officers)”."""
    counted = count_off(piece)
    who = draft.glossary.find_who(counted.piece.words) if counted.count and not group.is_counted else None
    if not who or draft.glossary.sources[who.key] is not group.source or counted.is_article:
        return False
    group.count, group.is_counted = counted.count or 1, True
    return True


def read_remark(draft: Draft, group: Group, piece: Piece) -> bool:
    """Whether a piece is a side with a remark behind it: “neutral until shot at”."""
    remark = draft.details.take_remark(piece)
    if remark is None or draft.glossary.find_who(remark[1].words):
        return False
    apply(draft, group, [remark[0]])
    draft.leave_out(remark[1], "is not understood")
    return True


def is_boss(draft: Draft, group: Group, piece: Piece) -> bool:
    """Whether a piece says that someone leads the others, such as “(boss)”: who that is may still be said."""
    is_one = group.count == 1 and (not group.is_counted or piece.joint == "(")
    is_other = piece.joint == "," and find_named(
        piece.words, draft.glossary.people
    )  # “enforcer, gang leader”
    if not is_one or is_other or not lex.BOSS.fullmatch(piece.words) or piece.joint not in ROLES:
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
    words = re.sub(r" stats$", "", lex.AS.sub("", piece.words))
    who = draft.glossary.find_who(words)
    if (
        who is None
        or group.is_closed
        or (draft.glossary.find_items(words) and find_stems(words) != who.stems)
    ):
        return False
    if piece.joint == "(" and group.source is draft.glossary.sources[who.key] and not group.name:
        words = draft.head(group).piece.words
        is_name = words[-1:].isalpha() and words.split()[-1][0].isupper() and find_stems(words) != who.stems
        group.name = words[:MAX_NAME] if is_name and group.count == 1 else ""  # “the Broker (broker)”
        draft.marks.append(Mark(piece.span, "people"))
        return True
    is_said = piece.joint == "(" and group.source and group.source.name != group.title  # by a common word
    if group.source and not group.is_weak and not group.issue and not is_said:
        return False
    if group.issue and "cannot be counted" in group.issue.message:
        return False
    _give_block(draft, group, who, piece)
    return True


def read_role(draft: Draft, group: Group, piece: Piece) -> bool:
    """Whether a piece says who someone is whose name stands before it: “Jorn Blick, bounty hunter”."""
    counted = count_off(piece)
    is_open = group.is_weak or (bool(group.issue) and not group.source and not group.is_counted)
    is_open = is_open and not group.is_closed
    if piece.joint not in ROLES or not counted.is_one or lex.AS.search(piece.text):
        return False
    words, rest = cut_with(counted.piece)
    source = draft.glossary.find_who(words.words)
    if source and piece.joint != "," and draft.glossary.sources[source.key] is group.source:
        return True  # “his dog - chaser beast”
    if not source or not is_open or group.things or (group.issue and group.issue.message == NOTE):
        return False
    _give_block(draft, group, source, words)
    group.span = group.span[0], piece.span[1]
    if draft.glossary.find_people(words.words) and _is_plural(draft, words.words):
        _make_alike(draft, group)
    if rest is not None:
        draft.with_items = True
        read_more(draft, group, rest)
    return True


def _give_block(draft: Draft, group: Group, who: Named, piece: Piece) -> None:
    """Make people who have only a name those that a piece says."""
    group.name = group.name or say_one(draft.head(group).piece.words, group.count)
    group.source, group.issue, group.is_weak = draft.glossary.sources[who.key], None, False
    draft.marks.append(Mark(piece.span, "people"))
