"""What people carry and can do, all of them or a part: “4 thugs, two with shotguns, the rest with clubs”."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from combat.rules.core.gm.decisions import MAX_COPIES
from combat.rules.core.sheets.catalogue import Entry

from . import words as lex
from .details import Detail
from .draft import PROSE, Draft
from .glossary import find_named, find_stem, find_stems
from .parts import Group, Mark, Suggestion
from .pieces import BOTH, ENDS, Counted, Piece, count_off
from .sides import apply, hint_only

DOING = re.compile(rf"\s(?:{'|'.join(lex.DOES)})\b.*")
NUMBERS = re.compile(r"(?<=[^\W\d])\s(?=\d{1,2}\s)")
SKILL = re.compile(r"\s*([^\W\d][^\d,]*?)[-–—\s]+(\d{1,2})\s*")
REST = re.compile(
    r"\s*((?:the )?(?:rest|other half|others?|remaining(?: \w+)?|last(?: one)?))(?=\s)", re.IGNORECASE
)
SOME = re.compile(
    rf"\s*(half|some|most|both|all|\d{{1,2}}|{lex.WORDS})(?: more)?(?: of (?:them|these|which|whom))?"
    r"(?: (?:is|are))?(?=\s)",
    re.IGNORECASE,
)
IS = re.compile(r"\s*(?:is|are|secretly|really|actually)\s", re.IGNORECASE)
ONE = re.compile(r"\s*one\s", re.IGNORECASE)  # in words, beside “a”
LEADER = re.compile(r"(?:(?:the|their) )?(?:leader|boss|chief)", re.IGNORECASE)
OF_WHO = re.compile(
    rf"\s*(\d{{1,2}}|{lex.WORDS}) of the ([^\W\d]+(?: [^\W\d]+){{0,2}}?)"
    r"(?=\s(?:is|are|has|have|carry|carries|with|w/|armed|carrying|wielding|hidden|unarmed|in|on|at)\b)",
    re.IGNORECASE,
)
WHO_ENDS = re.compile(r"\s+(?:with\s|\()")  # “1 armed guard (allies)” is somebody else
OF_THEM = re.compile(r"\bof\b", re.IGNORECASE)
ARTICLE = re.compile(r"\s*an?\s", re.IGNORECASE)
# “Round 3: 2 more”, “A third waits in the hall”
OTHERS = re.compile(
    rf"\s*((?:\d{{1,3}}|{lex.WORDS})(?= more\b)|an? (?:second|third|fourth|fifth)(?=\s))"
    r"(?: more)?(?: of them)?",
    re.IGNORECASE,
)
MORE = re.compile(r"\b(?:more|another)\b|^\s*an? (?:second|third|fourth|fifth)\b", re.IGNORECASE)
LISTED = re.compile(r"(?::|\s[-–—])\s*\d{1,2}")
LAST = re.compile(r"(?:the )?(?:last|first)(?: one)?", re.IGNORECASE)


def read_item(draft: Draft, piece: Piece) -> bool:
    """Give the group an item; False if the piece is someone else, or nothing known."""
    group, counted = draft.group, count_off(piece)
    assert group is not None
    words = counted.piece.words
    item = choose_item(draft, group, counted)
    remark = None if item else DOING.search(piece.text)
    if remark and (item := choose_item(draft, group, count_off(piece.cut(0, remark.start())))):
        say = piece.cut(remark.start())  # “snub pistols wait here”
        draft.hint(say, f"“{say.words[:60]}” changes no number: left out.")
        piece = piece.cut(0, remark.start())
    people = find_named(words.split(" with ")[0], draft.glossary.people)
    is_rather = any(one.stems == find_stems(words) for one in people)  # “1 sniper”, not a part of an item
    if item and (not is_rather or find_stems(item.name) == find_stems(words)):
        give(draft, group, item, piece)
        return True
    if people or lex.AS.search(piece.text) or lex.CALLED.search(piece.text) or draft.glossary.find_who(words):
        return False
    several = draft.glossary.find_items(words)
    is_other = counted.count is not None and not counted.is_word and not several
    is_name = not several and not draft.with_items and (words[:1].isupper() or piece.joint in BOTH)
    if is_other or is_name or lex.WITH.search(piece.text) or piece.joint in ("", "with"):
        return False
    if not several and not draft.with_items and (group.issue or len(words.split()) >= PROSE):
        return False
    say_no_item(draft, piece)
    return True


def give(draft: Draft, group: Group, entry: Entry, piece: Piece) -> None:
    """Give the group an item, as many as the piece says."""
    if piece.joint == "/" and group.count > 1 and any(one is group for one, _, _ in draft.given):
        _ask_which(draft, group, piece)
        return
    count = count_off(piece).count or 1
    for one in (group, *draft.sharers):
        one.things.append((entry, min(max(count, 1), MAX_COPIES)))
        draft.given.append((one, entry, piece))
    group.span = min(group.span[0], piece.span[0]), max(group.span[1], piece.span[1])
    draft.marks.append(Mark(piece.span, "item"))
    words = count_off(piece).piece.words
    is_part = len(words.split()) == 1 and find_stem(words) != find_stem(entry.name.split()[0])
    is_part = is_part and len(entry.name.split()) > 1 and not draft.with_items and entry.kind == "gear"
    if is_part or not draft.glossary.find_items(words):
        draft.say(piece, f"Read as “{entry.name}”.")
    joints = (*BOTH, ",") if piece.joint == "," else BOTH
    hint_only(draft, group, piece, f" with {piece.words}", joints=joints)


def _ask_which(draft: Draft, group: Group, piece: Piece) -> None:
    """Ask who has what of things between which a stroke stands: “2 guards: rifle / pistol”."""
    *_, (_, entry, before) = [one for one in draft.given if one[0] is group]
    head, whole = draft.head(group).piece.words, (group.span[0], piece.span[1])
    things = [count_off(one).piece.words for one in (before, piece)]
    used = [Suggestion("both each", whole, f"{group.count} {head} with {' and '.join(things)}")]
    if group.count % 2 == 0:
        half = group.count // 2
        text = ", ".join(f"{half} {head} with {thing}" for thing in things)
        used.insert(0, Suggestion(f"{half} with each", whole, text))
    draft.ask(draft.piece(whole), f"Who has {entry.name}, and who the other?", used)


def read_numbered(draft: Draft, piece: Piece) -> bool:
    """Whether a piece is things with their numbers, and no comma between: “3 sword 1 rifle”."""
    bounds = [0, *(found.start() for found in NUMBERS.finditer(piece.text)), len(piece.text)]
    parts = [piece.cut(begin, end).after(",") for begin, end in pairwise(bounds)]
    items = [choose_item(draft, draft.group, count_off(one)) for one in parts]
    if draft.group is None or len(parts) < 2 or not all(items):
        return False
    for one, item in zip(parts, items, strict=True):
        if item:
            give(draft, draft.group, item, one)
    return True


def read_skill(draft: Draft, group: Group, piece: Piece) -> bool:
    """Whether a piece is a skill with its level, such as “Slug Pistol 0”, in a game that can give it."""
    train = draft.glossary.system.book.imports.train
    found = SKILL.fullmatch(piece.text) if train and group.source else None
    if not found or not train or not group.source:
        return False
    words, level = found[1].strip().replace("/", " and "), int(found[2])
    if train(dict(group.source.sheet), words, level) is None:
        return False
    group.skills.append((words, level))
    group.span = group.span[0], max(group.span[1], piece.span[1])
    draft.marks.append(Mark(piece.span, "item"))
    return True


def choose_item(draft: Draft, group: Group | None, counted: Counted) -> Entry | None:
    """The item that words mean; of several, the one that the stat block has anyway."""
    found = draft.glossary.find_items(counted.piece.words)
    is_someone = not found and draft.glossary.repair(counted.piece.words)
    if (
        not found
        and not is_someone
        and (repaired := draft.glossary.repair(counted.piece.words, is_item=True))
    ):
        found = draft.glossary.find_items(repaired)
    if len(found) > 1 and group and group.source:
        has = {stem for word in [group.source.summary] for stem in find_stems(word)}
        own = tuple(one for one in found if has.issuperset(find_stems(one.name)))
        found = own or draft.glossary.find_items(counted.piece.words, usual=True)
    return found[0] if len(found) == 1 else None


def say_no_item(draft: Draft, piece: Piece) -> None:
    """An issue for words that are no item."""
    counted = count_off(piece)
    words = counted.piece.words
    several = draft.glossary.find_items(words)
    near = [one.name for one in several[:6]]
    if not near:
        near = [one.name for one in draft.find_near(words, draft.glossary.items)]
    used = tuple(Suggestion(name, counted.piece.span, name) for name in dict.fromkeys(near))
    text = f"“{words[:60]}” can be several items." if several else f"No item is called “{words[:60]}”."
    draft.say(piece, f"{text} Left out.", used)


def cut_with(piece: Piece) -> tuple[Piece, Piece | None]:
    """What stands before “with”, and behind it, if there is any."""
    found = lex.WITH.search(piece.text)
    return (piece.cut(0, found.start()), piece.cut(found.end()).after(",")) if found else (piece, None)


def read_of_some(draft: Draft, piece: Piece) -> bool:
    """Whether a piece is of some of those before it: they are parted off, or it is asked how."""
    group, named = draft.group or (draft.before[-1] if draft.before else None), OF_WHO.match(piece.text)
    others = OTHERS.match(piece.text) if not draft.group else None
    others = others if others and (draft.said or MORE.match(others[1])) else None
    group = group or (draft.above if others else None)
    who = draft.glossary.find_who(named[2]) if named else None
    if who:  # “one of the pirates has a rifle”
        source = draft.glossary.sources[who.key]
        group = next((one for one in reversed(draft.groups[draft.held_from :]) if one.source is source), None)
    found = named if who else lex.PARTLY.match(piece.text) or REST.match(piece.text)
    found = found or _match_details(draft, piece) or others
    if group is None or group.issue:
        return False
    if not found:
        return _read_state(draft, piece)
    base = group.base or group
    number = _count(found[1], base)
    is_list = _is_list(draft, base) and not OF_THEM.search(found[0])
    is_more = is_list or bool(MORE.search(found[0]))
    most = base.count + (number or 0) * is_more
    if most < 2 and (group is base or number != 1):
        return False
    _, states, rest = draft.details.take_told(_cut_verb(piece.cut(found.end()).after(",")))
    is_leader = bool(LEADER.fullmatch(found[1])) and piece.joint not in BOTH
    if not (is_leader or named) and draft.glossary.find_who(WHO_ENDS.split(count_off(piece).piece.words)[0]):
        return False  # “two armed guards”
    is_boss = number == 1 and bool(lex.BOSS.fullmatch(rest.words) or LEADER.fullmatch(found[1]))
    item, bare, details = _find_thing(draft, base, rest)
    who = (
        draft.glossary.find_who(rest.words)
        if not item
        and (OF_THEM.search(found[0]) or IS.match(piece.text, found.end()))
        and not lex.BOSS.fullmatch(rest.words)
        else None
    )
    if found[1].casefold() in lex.LEADERS and not item and not rest.words.startswith("un"):
        return False  # “2 thugs, boss in round 5”
    is_later = (
        others is not None and not rest.text.strip(" .") and len({one.title for one in draft.groups}) == 1
    )
    is_meant = bool(item or details or who or is_later or (is_boss and lex.BOSS.fullmatch(rest.words)))
    if number is None or not 0 < number <= most or not is_meant:
        draft.say(piece, f"“{piece.words[:60]}” is about a part of them: left out.", minor=False)
        return True
    said = Piece(piece.start, piece.text[: found.end(1)])
    is_elsewhere = (
        not item and any(one.kind == "place" for one in details) and " of " not in found[0].casefold()
    )
    _add(draft, base, number, piece, is_more=is_more, is_elsewhere=is_elsewhere and bool(base.zone))
    part = part_off(draft, base, number, said)
    part.source = draft.glossary.sources[who.key] if who else part.source
    draft.group, draft.sharers = part, []
    draft.with_items, part.is_boss = bool(item), is_boss
    if item:
        _arm(draft, part, piece, item, found[0], is_list=is_list)
        give(draft, part, item, bare)
    apply(draft, part, [*(draft.said if others else ()), *details])
    draft.hint_states(states)
    return True


def _is_list(draft: Draft, base: Group) -> bool:
    """Whether people have no number of their own, but parts that add up: “Thugs: 2 with clubs, 1 armed”."""
    if count_off(draft.piece(base.span)).count is not None:
        return False
    first = LISTED.match(draft.plain, base.name_span[1])  # of “Thugs: 4, 2 with clubs” the two are among them
    return bool(first and lex.WITH.match(draft.plain, first.end()))


def _add(draft: Draft, base: Group, number: int, piece: Piece, *, is_more: bool, is_elsewhere: bool) -> None:
    """Count some with those before them, if they are none of them: “3 guards at the Dock, 2 in the Hall”."""
    is_list = _is_list(draft, base)
    if is_list and not base.is_counted:
        base.count, base.is_counted = number, True
    elif is_more or (base.whole == 0 and is_elsewhere):
        base.count += number
        if not is_list:
            draft.hint(piece, f"Read as {number} more of them.")


def _find_thing(draft: Draft, base: Group, rest: Piece) -> tuple[Entry | None, Piece, list[Detail]]:
    """What some have, and the details of them: “2 with rifles at the dock”."""
    details, others, bare = draft.details.take(rest)
    item = None if others else choose_item(draft, base, count_off(bare))
    return item, bare, details if item else draft.details.read(rest)


def _arm(draft: Draft, part: Group, piece: Piece, item: Entry, said: str, *, is_list: bool) -> None:
    """Take from some what of its kind all have, for which they get another; say so where it may be others."""
    number, is_open = (
        said.split()[0],
        not is_list and piece.joint not in ENDS and not re.search(r"\b(?:of|more)\b", said),
    )
    if number.isdecimal() and is_open and any(one.kind == item.kind for one, _ in part.things):
        used = [Suggestion(f"{number} more", piece.span, piece.words.replace(number, f"{number} more", 1))]
        draft.say(piece, f"Read as {number} of those before them.", used)
    if not said.endswith("also"):
        part.things = [one for one in part.things if one[0].kind != item.kind]


def _read_state(draft: Draft, piece: Piece) -> bool:
    """Whether a part only says in what state some are: “one wounded”."""
    found = SOME.match(piece.text)
    words = piece.text[found.end() :].strip(" .") if found else ""
    is_state = any(pattern.fullmatch(words) for pattern, _ in lex.SAID["state"])
    if is_state:
        draft.hint_states([piece])
    return is_state


def _match_details(draft: Draft, piece: Piece) -> re.Match[str] | None:
    """A number before what only is a detail, or who they are: “2 smugglers, one neutral”."""
    found = SOME.match(piece.text)
    rest = piece.cut(found.end()) if found else piece
    is_thing = found and ARTICLE.match(rest.text) and choose_item(draft, draft.group, count_off(rest))
    is_someone = found and OF_THEM.search(found[0]) and draft.find_who(rest)
    details = draft.details.read(rest) if found else []
    return (
        found
        if is_someone or is_thing or any(one.kind in ("side", "place", "item") for one in details)
        else None
    )


def _count(word: str, base: Group) -> int | None:
    """How many of some people words mean; None if nobody can tell."""
    word = " ".join(word.casefold().split())
    if word == "half":
        whole = base.whole or base.count
        return whole // 2 if whole % 2 == 0 else None
    word = word.removeprefix("another ")
    if LAST.fullmatch(word) or LEADER.fullmatch(word) or MORE.match(word):
        return 1
    if REST.match(f"{word} "):
        return base.count
    return int(word) if word.isdecimal() and len(word) < 4 else lex.COUNTS.get(word)


def cut_having(piece: Piece) -> Piece:
    """What people have, without the words for that: “each with cudgel”."""
    found = lex.WITH.match(f" {piece.text.lstrip()}")
    return piece.cut(len(piece.text) - len(piece.text.lstrip()) + found.end() - 1) if found else piece


def _cut_verb(rest: Piece) -> Piece:
    """What some people have or are, without the words for that."""
    found = re.match(r"\s*(?:(?:is|are|secretly|really|actually)\s+)+", rest.text, re.IGNORECASE)
    return rest.cut(found.end()) if found else cut_having(rest)


def part_off(draft: Draft, base: Group, number: int, said: Piece) -> Group:
    """So many of a group as a group behind it; the group itself if they are all who are left of it."""
    if number == base.count:
        return base
    base.whole = base.whole or base.count
    base.count -= number
    part = replace(base, count=number, span=said.span, name_span=said.span, is_counted=True, base=base)
    part.things, part.skills, part.lacks = [*base.things], [*base.skills], {*base.lacks}
    draft.groups.insert(draft.groups.index(base) + 1, part)
    draft.run.append(part)
    draft.marks.append(Mark(said.span, "people"))
    return part


def part_by_numbers(draft: Draft, group: Group) -> None:
    """Part a group whose things have numbers that make up its own: “10 pirates (5 swords, 5 pistols)”."""
    given = [(entry, piece) for one, entry, piece in draft.given if one is group]
    parts: list[tuple[int, list[tuple[Entry, Piece]]]] = []
    for entry, piece in given:
        counted = count_off(piece)
        is_a = counted.is_article and not ONE.match(piece.text)
        number = 0 if counted.count is None or is_a else counted.count
        if not number and parts and piece.joint in BOTH:  # “3 shields and clubs”
            parts[-1][1].append((entry, piece))
        else:
            parts.append((number, [(entry, piece)]))
    numbers = [number for number, _ in parts]
    if len(parts) == 1 and 0 < numbers[0] < group.count and given[0][0].kind == "weapon":
        piece = given[0][1]
        used = [
            Suggestion(
                f"{numbers[0]} of them", piece.span, f"{numbers[0]} with {count_off(piece).piece.words}"
            )
        ]
        draft.say(piece, f"Each of the {group.count} has {numbers[0]} of these now.", used)
    base, own = group, list[tuple[Entry, Piece]]()
    if group.base and len(parts) > 1 and not numbers[0]:  # “two of them with rifles, one sword”
        base, own, parts, numbers = group.base, parts[0][1], parts[1:], numbers[1:]
    elif len(parts) < 2 or group.count < 2:
        return
    if not all(numbers) or sum(numbers) > base.count:
        return
    is_open = draft.plain[: given[0][1].span[0]].rstrip()[-1:] == "(" or any(
        ONE.match(piece.text) for _, piece in given
    )
    if sum(numbers) < base.count and not is_open:  # “4 thugs with 2 grenades and 1 knife”
        return
    group.things = [] if base is group else [(entry, 1) for entry, _ in own]
    draft.given = [one for one in draft.given if one[0] is not group]
    for number, things in parts:
        part = part_off(draft, base, number, things[0][1])
        part.things = [(entry, 1) for entry, _ in things]
        draft.given += [(part, entry, piece) for entry, piece in things]
    said = ", ".join(f"{number} with {things[0][0].name}" for number, things in parts)
    said += f", {group.count} as they are" if base is group and sum(numbers) < group.whole else ""
    draft.hint(draft.piece((given[0][1].span[0], given[-1][1].span[1])), f"Read as {said}.")
