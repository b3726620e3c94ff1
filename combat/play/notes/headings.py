"""Headings and labels: what a line without people above people, or words before a colon, say of others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from combat.rules.core.basics.markup import HEADING
from combat.rules.core.gm.decisions import MAX_LENGTH as MAX_NAME

from . import words as lex
from .carrying import choose_item
from .details import Detail
from .draft import PROSE, Draft, Sum
from .glossary import find_stem, find_stems
from .groups import close, is_dead, read_piece
from .parts import Group, Suggestion
from .people import LETTERED, cut_plural, find_inside, find_names, name_each, read_counted
from .pieces import (
    AMONG,
    ENDS,
    Counted,
    Piece,
    count_off,
    is_titled,
    list_parts,
    name_of,
    split,
    split_cells,
    take_label,
)
from .sides import NO_ZONE, WHEN, find_place

MAX_WORDS, NAME_WORDS = 7, 4  # words of a heading without a sign, and of a name
ENDS_OF_HEADINGS = {form for one in (*lex.GATHERINGS, *lex.PLACES) for form in (one, find_stem(one))}
INSIDE = re.compile(r"\(([^()]*)\)")
LAST = re.compile(
    r"(?:[(\[]([^()\[\]]*)[)\]]|(?:[,:=]|\s[-–—])\s*((?:total )?\d{1,3}(?: [a-z ]+)?))\s*:?\s*$"
)
DASHED = re.compile(rf"\s*([^\W\d][^,;:()–—]{{0,40}}?)\s[-–—=](?=\s((?:\d+|{lex.WORDS})\s)?)", re.IGNORECASE)
AT_PLACE = re.compile(
    r"(?:(?:up|down|over|out|back)\s)?(?:in|on|at|behind|near|under|inside|outside|by)\s", re.IGNORECASE
)
CLOCK = re.compile(
    r"\s*(\d{1,2}(?:(?::\d\d|h\d{0,2})(?:\s?[ap]m)?|\s?[ap]m))(?:\s*[-–—:])?\s+(?=\S)", re.IGNORECASE
)
LEADING = re.compile(r"\s*\(([^()]+)\)\s+(?=\S)")
TITLE = re.compile(r"\s*([^.!?;()]{2,60})\.\s+(?=\S)")
NOW = re.compile(r"^\s*(?:now|currently)\s", re.IGNORECASE)
BARE = re.compile(
    rf"\s*(\d{{1,3}}|{lex.WORDS})(?=\s*(?:$|[(,;.–—-]|(?:with|w/|armed (?:with|in)|each|in|at|on)\b))",
    re.IGNORECASE,
)


def is_people(draft: Draft, words: Piece) -> bool:
    """Whether words are a number and people who are known."""
    counted = count_off(words)
    return counted.count is not None and bool(draft.glossary.find_people(counted.piece.words))


def is_gathering(words: str) -> bool:
    """Whether a heading names several people or a place, and nobody."""
    said = words.casefold().replace("-", " ").split()
    is_known = bool({*said[-1:], *map(find_stem, said[-1:])} & ENDS_OF_HEADINGS)
    return is_known or any(word.isdecimal() for word in said) or bool(lex.PART.fullmatch(words))


def take_sum(draft: Draft, line: Piece) -> tuple[Piece, int | None]:
    """A heading without the number of those below it, and that: “Gang (14)”, “Room 3 (2 guards)”."""
    found = LAST.search(line.text)
    if found is None:
        return line, None
    said = (found[1] or found[2] or "").strip()
    number, counted = lex.SUM.fullmatch(said), count_off(Piece(0, said))
    if number or (
        found[1] and counted.count and not counted.is_article and draft.glossary.find_who(counted.piece.words)
    ):
        return line.cut(0, found.start()), int(number[1]) if number else counted.count
    return line, None


def open_sum(draft: Draft, piece: Piece, number: int, of_label: bool = False) -> None:
    """Remember how many a heading says that stand below it, or behind it if it is a label."""
    close_sum(draft)
    draft.sum = Sum(piece, number, len(draft.groups), of_label)


def close_sum(draft: Draft, of_label: bool = False) -> None:
    """Say of a heading with a number if others stand below it."""
    said = draft.sum
    if said is None or (of_label and not said.of_label):
        return
    draft.sum = None
    below = sum(one.count for one in draft.groups[said.begin :])
    if below and below != said.number:
        name = said.piece.words[:60].rstrip(" :")
        draft.say(said.piece, f"“{name}” says {said.number}, and {below} are written: check it.")


def read_heading_line(draft: Draft, line: Piece) -> bool:
    """Whether a line is a heading: by its sign, as the name of a side or zone, or above people."""
    signed = HEADING.match(line.text)
    line = line.cut(signed.end()) if signed else line
    bare, total = take_sum(draft, line)
    bare = bare.cut(0, len(bare.text.rstrip(" :-–—=")))
    named = re.sub(r"^the ", "", bare.words.lower())
    is_named = named in draft.glossary.sides or named in draft.glossary.places
    if is_named and not draft.glossary.find_people(count_off(bare).piece.words):
        is_heading = True
    else:
        is_heading = not is_people(draft, line) if signed else _is_above_people(draft, line, bare, total)
    if is_heading:
        read_heading(draft, line)
    return is_heading


def take_title(draft: Draft, line: Piece) -> Piece:
    """A line without the title before its sentences: “Encounter 4: The Airlock. Four pirates wait”."""
    while found := TITLE.match(line.text):
        words = " ".join(found[1].split())
        is_short = words[:1].isupper() and len(words.split()) <= NAME_WORDS and ":" not in words
        is_place = is_short and is_gathering(words) and not lex.DOES & {*words.split()}
        is_place = is_place and not draft.glossary.find_people(words)
        if not (lex.PART.fullmatch(words) or is_place) or count_off(line.cut(*found.span(1))).count:
            break
        draft.said += draft.mark(draft.details.read(line.cut(*found.span(1))))
        line = line.cut(found.end())
    return line


def join_role(draft: Draft, line: Piece) -> Piece:
    """A line with commas for semicolons between a name, who that is, and things: “Zeb; pirate; revolver”."""
    parts = line.text.split(";")
    is_one = len(parts) > 1 and draft.glossary.is_own_name(parts[0].strip())
    if is_one and len(draft.glossary.find_people(parts[1])) == 1 and not parts[1].strip()[:1].isdecimal():
        return replace(line, text=line.text.replace(";", ","))
    return line


def read_heading(draft: Draft, line: Piece) -> None:
    """What a heading says of the next lines; any other heading only ends the last one."""
    bare, total = take_sum(draft, line)
    close_sum(draft)
    if total is not None:
        open_sum(draft, line, total)
    is_evening = bare.words.casefold().strip(" :") == "later"  # a part of the evening
    draft.held, rest = ([], bare) if is_evening else read_words(draft, bare)
    draft.held_from, draft.above = len(draft.groups), None
    named = rest.words or bare.words  # “Bystanders” are a side and people
    draft.headed = named if draft.glossary.find_who(named) else ""


def read_words(draft: Draft, words: Piece) -> tuple[list[Detail], Piece]:
    """The details that a heading or a label says, and its other words."""
    details, others, rest = draft.details.read(words), list[Piece](), words.cut(0, 0)
    if not details:
        details, others, rest = draft.details.take(words)
        rest = rest.cut(0, len(rest.text.rstrip(" :")))
    if is_dead(rest.words):  # “Dead: 2 thugs”
        details, rest = [*details, Detail(rest, "side", lambda group: close(draft, group))], rest.cut(0, 0)
    if more := _read_rest(draft, rest) if rest.words else []:
        details, rest = [*more, *details], rest.cut(0, 0)
    for other in others:
        draft.say(other, f"“{other.words[:60]}” is no side and no zone. Left out.")
    return draft.mark(details), rest


def _read_rest(draft: Draft, rest: Piece) -> list[Detail]:
    """What the words of a heading say as a whole, its first: “Friendly crew”, “Reinforcements, if …”."""
    if whole := draft.details.read(rest):
        return whole
    side = draft.details.take_remark(rest)
    if side and rest.words.split()[-1].casefold() in lex.GATHERINGS:
        return [side[0]]
    is_later = lex.LATER.match(f"{rest.words} ") or lex.IF.search(rest.words)
    return [draft.details.come_later(rest)] if is_later else []


def _is_above_people(draft: Draft, line: Piece, bare: Piece, total: int | None) -> bool:
    """Whether a line without people stands above people."""
    words, below, find = bare.words, draft.below, draft.glossary.find_who
    label, labeled = take_label(below), take_label(line)
    is_shout = words.endswith("!") and len(words.split()) < PROSE  # “Ambush!”
    if (
        not words
        or (words[-1] in ".!?;" and not is_shout)
        or len(words.split()) > MAX_WORDS
        or lex.WITH.search(bare.text)
    ):
        return False
    if (label and label[0].words.casefold() in lex.OF_THEM) or (
        labeled and labeled[1].text.strip() and (total is None or (find(words) and not is_gathering(words)))
    ):
        return False
    if split_cells(line) or CLOCK.match(line.text) or find_inside(draft, bare):
        return False
    if not count_off(bare.blank_brackets()).is_one or not is_of_people(draft, below):
        return False
    if is_listed(draft, line) and is_listed(draft, below) and draft.find_who(bare):
        return False  # “- Pirate captain Juro (laser pistol)”, and others
    parts = list_parts(bare)
    is_said = len(parts) > 1 and any(_is_known(draft, part) for part in parts)
    is_said |= any(pattern.search(words) for pattern, _ in lex.SAID["dead"])  # “Zealot C dead”
    if is_said or any(find(one) for inside in INSIDE.findall(line.text) for one in inside.split(",")):
        return False
    if lex.AS.match(below.text):  # “Yol / as pirate captain”
        return False
    is_place = is_gathering(words) and not draft.glossary.find_people(LETTERED.sub("", words))
    named = bare.blank_brackets().words
    if named != words and not named.casefold().endswith("s") and find(named):
        return False  # “Pirate (sword)”, and others
    if find(words) and not is_place:
        is_list = count_off(below).count is not None or (is_listed(draft, below) and total is None)
        is_plural = words.casefold().endswith(("s", "men")) and not words.casefold().endswith("ss")
        exact = any(one.stems == find_stems(words) for one in draft.glossary.people)  # “Police”, not “Sniper”
        return is_list and (is_plural or (not exact and len(words.split()) == 1))
    is_name = len(words.split()) <= NAME_WORDS and is_titled(words)
    first = next(split(below))  # “Squad leader, laser carbine”
    is_role = count_off(first).is_one and len(draft.glossary.find_people(name_of(first))) == 1
    return is_place or line.text.rstrip().endswith(":") or not (is_name and is_role)


def _is_known(draft: Draft, part: Piece) -> bool:
    who = draft.glossary.find_who(part.words) or draft.glossary.find_items(part.words)
    return bool(who or draft.details.read(part))


def is_listed(draft: Draft, line: Piece) -> bool:
    """Whether a line has a bullet before it."""
    return line.start > 0 and draft.plain[line.start - 1] not in "\r\n"


def is_of_people(draft: Draft, line: Piece) -> bool:
    """Whether a line names someone: a number, a stat block, a row, or a heading of its own."""
    if not line.text.strip():
        return False
    if split_cells(line) or HEADING.match(line.text):
        return True
    if (label := take_label(line)) and label[1].text.strip():
        line = label[1]
    counted, parts = count_off(line), [name_of(one) for one in list_parts(line)]
    known = map(draft.glossary.find_who, (*parts[:4], *INSIDE.findall(line.text)))
    return not counted.is_one or any(known) or bool(draft.glossary.find_start(counted.piece.words))


def read_clause(draft: Draft, clause: Piece) -> None:
    """Read what stands between semicolons, with a label of its own."""
    before, said = len(draft.groups), len(draft.issues)
    at = CLOCK.match(clause.text)
    clause = _take_dash(draft, clause.cut(at.end()) if at else clause)
    rest, name = _read_label(draft, clause)
    if not name and rest is not clause and (inner := take_label(rest)) and lex.is_leader(inner[0].words):
        before_that = draft.said  # “Round 5: the boss: Vox”
        rest, name = _read_label(draft, rest)
        draft.said = [*before_that, *draft.said]
    if at:  # “18:00 2 guards”
        draft.ask(when := Piece(clause.start - at.end(), at[0]), WHEN)
        draft.said = [*draft.said, draft.details.come_later(when)]
    told = draft.said
    if rest is not clause and rest.words.casefold().strip(" .") in lex.NONE:  # “Backup: none”
        return
    parts = _share_label(draft, name, list(split(rest)))
    parts = [one for one in _put_role_first(draft, parts) if one.text.strip() or one is parts[0]]
    parts[:1] = [replace(one, joint=one.joint or clause.joint) for one in parts[:1]]
    whole: Group | None = None
    while parts and not draft.is_full:
        names = find_names(draft, parts)
        whole = whole or _find_whole(draft, parts)
        if draft.group and names:
            name_each(draft, draft.group, names)
        elif whole:
            _read_of_whole(draft, whole, parts[0])
        else:
            read_piece(draft, parts[0])
        parts = parts[len(names) or 1 :]
    made = draft.groups[before:]
    is_lost = not made and draft.said and draft.group is None and len(draft.issues) == said
    if is_lost and not draft.is_full:
        draft.say(clause, f"“{clause.words[:60]}” is said of nobody: left out.", minor=False)
    if any(not one.issue for one in made):
        draft.mark([one for one in draft.said if one.told and one not in told])
    close_sum(draft, of_label=True)
    if name and any(not one.issue for one in made):
        _use_name(draft, clause, name, made[0])


def _find_whole(draft: Draft, parts: Sequence[Piece]) -> Group | None:
    """Those before some parts if others of these are among them: “4 soldiers: 1 medic, 1 sniper”."""
    whole, counts = draft.group, [count_off(one).count for one in parts if draft.find_who(one)]
    is_said = whole is not None and whole.is_counted and not whole.issue and parts[0].joint in AMONG
    if not is_said or whole is None or whole.base or not counts or None in counts:
        return None
    who, total = draft.find_who(parts[0]), sum(one or 0 for one in counts)
    is_other = who is not None and draft.glossary.sources[who.key] is not whole.source
    return whole if is_other and total <= whole.count else None


def _read_of_whole(draft: Draft, whole: Group, piece: Piece) -> None:
    """Read a part that is of some of those before it: others among them, or what as many as are left have."""
    before, counted = len(draft.groups), count_off(piece)
    if counted.count == whole.count and choose_item(draft, whole, counted):
        draft.group, piece = whole, counted.piece.after(piece.joint)
    read_piece(draft, piece if piece.joint not in AMONG else piece.after("and"))
    for one in draft.groups[before:]:
        whole.whole = whole.whole or whole.count
        whole.count -= 0 if one.issue or one.count > whole.count else one.count
    if len(draft.groups) > before:
        draft.hint(piece, f"Read as {piece.words[:60]} among the {whole.whole}.")
    if not whole.count:
        draft.groups.remove(whole)


def _use_name(draft: Draft, clause: Piece, name: str, first: Group) -> None:
    """Give the words of a label to the one behind it as their name, or say that they are a heading."""
    is_numbered = draft.words(first.name_span)[:1].isdecimal()
    is_several = find_stem(name) != name.casefold() and not draft.glossary.find_who(name)
    is_numbered |= is_several and draft.group is not first  # “Locals: Vex (thug), 2 dogs”
    if first.count == 1 and (lex.BOSS.fullmatch(name) or not is_numbered):
        is_common = bool(draft.glossary.find_people(first.name))  # “Vix: an assassin”
        first.name = name if is_common else first.name or name
        first.is_boss |= bool(lex.BOSS.fullmatch(name))
    else:
        place = clause.cut(0, clause.text.index(":"))
        if len(draft.glossary.find_items(name)) == 1:  # “Knives: 3 thugs”
            rest = clause.cut(clause.text.index(":") + 1).words.strip(" .")
            used = (Suggestion(f"with {name}"[:60], clause.span, f"{rest} with {name}"),)
            draft.ask(clause, f"Do they carry {name.lower()}, as an item each?", used, minor=True)
            return
        used = (Suggestion(f"side {name}"[:60], place.span, f"side {name}"),)
        draft.hint(replace(place, text=place.text), f"“{name}” is read as a heading.", used)


def _take_dash(draft: Draft, clause: Piece) -> Piece:
    """A clause with a colon for the dash behind a label: “Round 3 - 2 pirates”, “Boss - Slate, brute”."""
    found = DASHED.match(clause.text)
    if found is None:
        return clause
    label = clause.cut(*found.span(1))
    is_known = draft.is_label(label) or is_gathering(label.words)
    is_one = lex.is_leader(label.words)
    inner = take_label(clause.cut(found.end()))  # “Round 5 - the boss: Vox”
    is_behind = found[2] or (inner and lex.is_leader(inner[0].words)) or is_gathering(label.words)
    if is_one if not is_behind else is_known and not draft.glossary.find_who(label.words):
        return replace(clause, text=f"{clause.text[: found.end(1)]}: {clause.text[found.end(1) + 2 :]}")
    return clause


def _share_label(draft: Draft, name: str, parts: list[Piece]) -> list[Piece]:
    """The parts of a clause as people if they are names, and the label says who: “Pirates: Jax and Mo”."""
    named = parts
    if len(parts) > 1 and not name:  # “pirates Korr, Jess and Tam”
        name, first = cut_plural(draft, parts[0])
        named = [first, *parts[1:]]
    source = draft.glossary.find_who(name) if name and parts else None
    if source is None or not all(draft.glossary.is_own_name(piece.words.strip(" .")) for piece in named):
        return parts
    group = draft.begin(named[0].span, Counted(named[0], len(named)))
    group.source = draft.glossary.sources[source.key]
    name_each(draft, group, named)
    return []


def _put_role_first(draft: Draft, parts: list[Piece]) -> list[Piece]:
    """The parts of a clause, with who someone is behind the name: “Sable, ex-HIF, now bounty hunter”."""
    for at, (role, name) in enumerate(pairwise(parts)):  # “Their leader, Max Kroll (robber)”
        is_named = name.joint == "," and draft.glossary.is_own_name(name_of(name))
        if is_named and role.joint in ("", *ENDS) and lex.BOSS.fullmatch(role.words):
            parts = [*parts[:at], name.after(role.joint), role.after(","), *parts[at + 2 :]]
    if len(parts) < 3 or not parts[0].words[:1].isupper() or draft.find_who(parts[0]):
        return parts
    for at, piece in enumerate(parts[1:], 1):
        if piece.joint != "," or not count_off(piece).is_one:
            return parts
        if draft.find_who(replace(piece, text=NOW.sub("", piece.text))):
            return [parts[0], piece, *parts[1:at], *parts[at + 1 :]]
    return parts


def _read_label(draft: Draft, line: Piece) -> tuple[Piece, str]:
    """A line without its label, and the name in that: a label may say a side, a zone, a round, or who.

    A label of people stays, so that what follows belongs to them.
    """
    if (lead := LEADING.match(line.text)) and (details := draft.details.read(line.cut(*lead.span(1)))):
        draft.said = draft.mark(details)  # “(hidden) 2 guards, 1 sniper”
        return line.cut(lead.end()), ""
    if not (labeled := take_label(line)):
        return line, ""
    label, rest = labeled
    if not rest.text.strip() and is_people(draft, label):
        return line, ""
    is_part = lex.PART.fullmatch(label.words) and len(rest.words.split()) <= MAX_WORDS
    if not rest.text.strip() or (is_part and not is_of_people(draft, rest)):
        read_heading(draft, rest if rest.text.strip() else label)  # “Scene 3: the casino floor”
        return rest.cut(0, 0), ""
    bare, total = take_sum(draft, label)
    said = label.words.casefold()
    is_detail = draft.details.read(label) and not draft.find_who(label)  # not “Bystanders: 5”
    is_label = is_detail or said in lex.HEADS or lex.LATER.match(f"{said} ")
    if is_people(draft, label):
        if not count_off(label).is_article:  # “3 marines: the leader with a rifle”
            return line, ""
    elif total is None and (counted := BARE.match(rest.text)) and not is_label:  # “Marines: 6 (rifles)”
        read_counted(draft, label, rest.cut(*counted.span(1)), (label.span[0], rest.start + counted.end(1)))
        return rest.cut(counted.end()).after(","), ""
    if _is_of_people(draft, bare, rest):
        return line, ""
    if total is not None:
        open_sum(draft, label, total, of_label=True)
    draft.said, bare = read_words(draft, bare)
    return rest, _find_name(draft, label, bare)


def _find_name(draft: Draft, label: Piece, bare: Piece) -> str:
    """The name that the words of a label are; a time or a place that nobody knows is asked."""
    words = bare.words
    if not words or lex.FIRST.fullmatch(words) or lex.BOSS.fullmatch(words):
        draft.sure.append(label.span)
    if not words or lex.FIRST.fullmatch(words):
        return ""
    if draft.glossary.find_carrier(words):
        draft.ask(label, f"Who is inside? Write “in a {words.lower()}” behind them.")
    elif lex.TIME.search(words):
        draft.ask(label, WHEN)
        draft.said.append(draft.details.come_later(label))
    elif AT_PLACE.match(words) or find_place(draft, Piece(bare.start, f"x {bare.text}")):
        draft.say(label, NO_ZONE)
    elif not is_gathering(words):
        return words[:MAX_NAME]
    if lex.PART.fullmatch(words) or is_gathering(
        " ".join(one for one in words.split() if not one.isdecimal())
    ):
        draft.sure.append(label.span)
    return ""


def _is_of_people(draft: Draft, label: Piece, rest: Piece) -> bool:
    """Whether a label is people, and what follows is what they carry: “Marines (10): rifles”."""
    bare = draft.details.take(label)[2]
    counted, first = count_off(bare), next(split(rest))
    if counted.count is None and all(
        draft.glossary.is_own_name(one.words.strip(" .")) for one in split(rest)
    ):
        return False
    is_thing = bool(choose_item(draft, None, count_off(first)))
    if is_gathering(bare.words) and not is_thing and any(map(draft.find_who, split(rest))):
        return False  # “The gang: Big Yul, gang leader, 2 enforcers”
    if not draft.find_who(bare) or (lex.is_leader(counted.piece.words) and not is_thing):
        return False
    others = draft.glossary.find_people(name_of(first))
    is_exact = any(one.stems == find_stems(name_of(first)) for one in others)
    return not is_exact and (
        is_thing
        or not any(map(draft.find_who, (first, *(Piece(0, one) for one in INSIDE.findall(first.text)))))
    )
