"""The account of a text: people come without a question only from sentences of which every word is sure."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from combat.rules.core.basics.folding import fold_letters

from . import words as lex
from .draft import MAX_ISSUES, Draft
from .frames import is_known, list_kinds
from .glossary import find_stem, find_stems
from .parts import Group, Mark, ParseIssue, Reading, Span, Suggestion
from .pieces import Piece, count_off, find_lines, find_outside, is_titled

END = re.compile(r"[()]|[.!?](?=\s+[^a-z\s])|;(?=\s)|$")
LEADS = ("boss", "leader", "villain", "chief", "big", "final", "main")
DIGITS = re.compile(r"\d{1,3}\b")
NUMBERED = re.compile(r"[A-Za-z]\W?\d{1,2}")  # “W1”
LABELED = re.compile(
    r"\([^()]*\w:\s[^()]*\)|\bbetween them\b|^\s*as\s(?!(?:the|your?|they)\s)"
    r"|\b(?:vs|versus|against)\b.*\b(?:vs|versus|against)\b",
    re.IGNORECASE,
)  # “(backup: cutlass)”, “martians vs venusians vs PCs”
# “15 Thug B”, “18 Sniper”: rather when it is their turn than how many
TURN = re.compile(r"(?:\d+\s[^\d]* [A-Z]|\d\d\s[A-Z][^\d]*[^s\d])$")
COLON = re.compile(r"\s*\d+\s*:")  # “guard 2: rifle, guard 3: pistol”
BUNCH = re.compile(r"\w+ of\b")
# A number before words, no “her”, and not that of all those behind a colon: “4 soldiers: 1 medic, 3 snipers”
COUNTED = re.compile(
    rf"(?<!\S)(?!h[ie][sr]\b|their\b)(?:\d{{1,3}}|{lex.WORDS})\s+(?=[^\W\d])(?![^,;:.]*:)", re.IGNORECASE
)
TOKEN = re.compile(r"x(?=\d)|\d+(?=[x×])|[^\W_]+(?:['’][^\W_]+)*")
ODD_NAME = re.compile(r"[:=|{}@/]|^[A-Z]\d{1,2}$")
# What no name has: words of a sentence, such as “Sull guard the door”, or its end
SENTENCE = re.compile(r"[A-Z]\w* (?!of\b|the\b)[a-z]\w*(?: [a-z]\w*)+")
STOPPED = re.compile(r"([^\W\d]{3,})\.\s")
Check = Callable[[str, Sequence[Group]], bool]


def ask_unsure(draft: Draft, is_read: Check) -> None:
    """Ask about each sentence with people in which a word is not accounted for: nobody of it comes yet.

    `is_read` tells whether other words for the same people are read as these, without a question.
    """
    people = [one for one in draft.groups if not one.issue]
    for unit in [*_find_units(draft, people)]:
        groups = [one for one in people if unit.start <= one.name_span[0] < unit.end]
        is_odd = bool(groups) and _is_odd(draft, unit, groups)
        if is_odd or (groups and _has_odd_words(draft, unit, groups)):
            text = "Not all of this is sure: write it in other words."
            used: tuple[Suggestion, ...] = ()
            is_minor = False
            for each in (groups, _cut_names(groups), [replace(one, name="") for one in groups]):
                words = "; ".join(say_group(draft, one) for one in each)
                if len(draft.asked) >= MAX_ISSUES or not is_read(words, each):
                    continue
                if _is_whole(draft, unit, words, groups):
                    text, used = f"Read as {words}. Right?", (Suggestion("Yes", unit.span, words),)
                    is_minor = each is groups and not is_odd and not _may_be_story(unit, groups)
                    break
                text = f"Only {words} is sure: write the rest in other words."
            draft.asked.append(
                ParseIssue(unit.span, draft.words(unit.span), text, used, is_minor, bool(used))
            )
            if is_minor:  # they come, and the question stays
                continue
            draft.marks.append(Mark(unit.span, "issue"))
            draft.groups = [one for one in draft.groups if not any(one is other for other in groups)]


def _cut_names(groups: Sequence[Group]) -> list[Group]:
    """The people with their names up to the first word without a capital: “Sull” of “Sull guard the door”."""
    return [replace(one, name=" ".join(takewhile(is_titled, one.name.split())).strip(".")) for one in groups]


def find_frames(draft: Draft, reading: Reading) -> Iterator[tuple[Piece, list[Group], list[str]]]:
    """The sentences with people who come, and their kinds; none that the reader itself would write."""
    for unit in _find_units(draft, reading.groups):
        groups = [one for one in reading.groups if unit.start <= one.name_span[0] < unit.end]
        is_own = groups and unit.words == "; ".join(say_group(draft, one) for one in groups)
        if groups and not is_own and not all(one.written for one in groups):
            yield unit, groups, list_kinds(unit, reading.marks)


def ask_frames(draft: Draft, reading: Reading, is_read: Check) -> Reading:
    """The reading, with a question about each sentence in an order of parts that no example has."""
    asked: list[ParseIssue] = []
    for unit, groups, kinds in find_frames(draft, reading):
        is_sure = is_known(kinds) and not any(len(one.side) == 1 for one in groups)  # “side B”
        is_sure = is_sure and not _find_lost_zones(draft, unit, reading)
        waits = any(
            (not one.minor or one in draft.asked) and unit.start <= one.span[0] < unit.end
            for one in reading.issues
        )
        if is_sure or waits or len(asked) >= MAX_ISSUES:
            continue
        words = "; ".join(say_group(draft, one) for one in groups)
        can_say = is_read(words, groups) and _is_whole(draft, unit, words, groups)
        used = (Suggestion("Yes", unit.span, words),) if can_say else ()
        asked.append(ParseIssue(unit.span, unit.words, f"Read as {words}. Right?", used, True, True))
    issues = tuple(sorted((*reading.issues, *asked), key=lambda one: one.span))
    return replace(reading, issues=issues)


def _find_lost_zones(draft: Draft, unit: Piece, reading: Reading) -> list[str]:
    """The zones that a sentence names and where nobody of the notes is: “from the Dock to the Hall”."""
    there = {one.zone for one in reading.groups}
    if there.issuperset(draft.glossary.zones.values()):
        return []
    said = f" {' '.join(find_stems(unit.words))} "
    names = {name: f" {' '.join(find_stems(name))} " for name in draft.glossary.zones}
    told = f" {' '.join(one.words.casefold() for one in reading.offers)} "
    lost = [name for name, zone in draft.glossary.zones.items() if zone not in there and names[name] in said]
    return [name for name in lost if name not in told]


def _is_whole(draft: Draft, unit: Piece, words: str, groups: Sequence[Group]) -> bool:
    """Whether words name everyone, every thing, place and number that a sentence names."""
    asked = [one for one in draft.issues if not one.minor]
    asked += [one.issue for one in draft.groups if one.issue]
    if any(unit.start <= one.span[0] < unit.end for one in asked):
        return False
    glossary, numbers = draft.glossary, _count(groups, draft.groups)
    said, read = (f" {' '.join(find_stems(one))} " for one in (unit.words, words))
    names = [*(one.stems for one in (*glossary.people, *glossary.items)), *map(find_stems, glossary.zones)]
    is_named = all(f" {' '.join(one)} " in read for one in names if one and f" {' '.join(one)} " in said)
    is_named = is_named and not any(
        _is_else(draft, unit, found.end(), groups) for found in COUNTED.finditer(unit.text)
    )
    counts = [lex.COUNTS.get(one, int(one) if one.isdecimal() else 0) for one in TOKEN.findall(unit.words)]
    return is_named and {*counts} <= {*numbers, 0, 1, *(one.arrives for one in groups)}


def _is_else(draft: Draft, unit: Piece, at: int, groups: Sequence[Group]) -> bool:
    """Whether somebody stands behind a number who is none of these: “2 brutes 1 knight”."""
    words = unit.cut(at).words.split()[:3]
    tried = [draft.glossary.find_who(" ".join(words[:length])) for length in range(len(words), 0, -1)]
    found = [draft.glossary.sources[one.key] for one in tried if one]
    people = [*groups, *(one.base for one in groups if one.base)]
    return bool(found) and not any(one.source in found for one in people)


def say_group(draft: Draft, group: Group) -> str:
    """A group in the words that are sure: “Vex as Pirate Captain with Cutlass (allies, round 3)”."""
    block = group.source.name if group.source else ""
    number = f"{group.count} × " if group.count > 1 else "" if group.name else "1 "
    who = f"{number}{group.name} as {block}" if group.name and block else f"{number}{block or group.name}"
    things = [f"{count} {entry.name}" if count > 1 else entry.name for entry, count in group.things]
    lacks = {"weapon": "unarmed", "armor": "no armor"}
    zones = [name for name, zone in draft.glossary.zones.items() if zone == group.zone]
    sides = [word for word, side in draft.glossary.sides.items() if side == group.side]
    details = [
        *(lacks[kind] for kind in group.lacks),
        *(f"{words} {level}" for words, level in group.skills),
        *([f"{group.health[0]}/{group.health[1]} HP"] if group.health else []),
        *([group.side if group.side in sides else f"side {group.side}"] if group.side else []),
        *(f"in {zone}" for zone in zones[:1]),
        *(["hidden"] if group.hidden else []),
        *([f"round {group.arrives}"] if group.arrives else ["later"] if group.later else []),
        *(["boss"] if group.is_boss else []),
    ]
    having = f" with {' and '.join(things)}" if things else ""
    return f"{who}{having} ({', '.join(details)})" if details else f"{who}{having}"


def _find_units(draft: Draft, groups: Sequence[Group]) -> Iterator[Piece]:
    """The sentences of all lines; one that parts the people of another is one with that."""
    units, at = [*_split_units(draft.plain)], 0
    starts = [unit.start for unit in units]
    parted = sorted((one.name_span[0], one.base.name_span[0]) for one in groups if one.base)
    while at < len(units):
        end = at
        for place, base in parted:
            if units[at].start <= base < units[end].end:
                end = max(end, bisect_right(starts, place) - 1)
        begin, until = units[at].start, units[end].end
        yield Piece(begin, draft.plain[begin:until])
        at = end + 1


def _split_units(text: str) -> Iterator[Piece]:
    """The sentences of all lines."""
    for line in find_lines(text):
        begin = 0
        for found in find_outside(END, line.text):
            if line.text[begin : found.start()].strip():
                yield line.cut(begin, found.start())
            begin = found.end()


def _is_odd(draft: Draft, unit: Piece, groups: Sequence[Group]) -> bool:
    """Whether a sentence has a form that may mean something else, or a name that may be none."""
    if any(_is_odd_name(draft, one) or _is_odd_hand(draft, one) for one in groups) or LABELED.search(
        unit.text
    ):
        return True
    return any(COLON.match(draft.plain, one.name_span[1]) for one in groups if not one.plural)


def _may_be_story(unit: Piece, groups: Sequence[Group]) -> bool:
    """Whether a sentence has a word that makes it unsure, or says nothing of people but who they are."""
    words = {found[0].casefold() for found in TOKEN.finditer(unit.text)}
    is_said = any(one.count > 1 or one.things or one.side or one.arrives for one in groups)
    return not is_said or bool((lex.DOUBTS | lex.TENSES) & words or lex.name_language(unit.text))


def _has_odd_words(draft: Draft, unit: Piece, groups: Sequence[Group]) -> bool:
    """Whether a sentence has a word or a number that nothing accounts for."""
    known, numbers = _know(draft, groups), _count(groups, draft.groups)
    names = [one.name_span for one in groups if not one.written]
    sure = [one.span for one in groups if one.written]
    sure += [
        one.span
        for one in draft.marks
        if one.kind not in ("issue", "people")
        or (one.kind == "people" and one.span not in names and not draft.words(one.span).isdecimal())
    ]
    sure += draft.sure
    sure += [one.span for one in draft.issues if not one.minor]
    sure += [one.span for one in draft.groups if one.issue]
    told = [one.span for one in (*draft.issues, *draft.hints) if not NUMBERED.fullmatch(one.words)]
    for found in TOKEN.finditer(unit.text):
        word, at = found[0].casefold(), unit.start + found.start()
        number = int(word[:6]) if word.isdecimal() else lex.COUNTS.get(word, 0)
        is_sure = word in lex.SMALL or (number > 0 and number in numbers)
        is_sure |= word in lex.ADJECTIVES and any(one.side for one in groups)
        is_sure |= not word.isdecimal() and find_stem(word) in known and word not in lex.DOUBTS
        is_sure |= word in lex.GATHERINGS and bool(BUNCH.match(unit.text, found.start()))
        is_told = number < 2 and _is_in(at, told) and not _is_doubtful(draft, word)
        if not (is_sure or is_told or _is_in(at, sure)):
            return True
    return False


def _is_doubtful(draft: Draft, word: str) -> bool:
    """Whether a word changes what is said, or is someone, also where it is only told."""
    glossary = draft.glossary
    is_someone = word not in lex.DOES and glossary.has_word(word) and not glossary.find_carrier(word)
    return word in lex.DOUBTS or is_someone


def _is_odd_name(draft: Draft, group: Group) -> bool:
    """Whether a name may be no name: signs in it, or several people of whom no number is written."""
    head = draft.head(group).piece.words
    if not group.is_counted and head[:1].islower() and (" as " in head or head.casefold() in lex.GATHERINGS):
        return True  # “poses as a bystander”, “crew”
    if group.count > 1 and not group.written and TURN.match(draft.words(group.name_span)):
        return True
    is_sentence = group.name in draft.plain and bool(SENTENCE.search(group.name))  # not “Wounded pirate”
    if is_sentence or any(one.casefold() not in lex.RANKS for one in STOPPED.findall(group.name)):
        return True
    if group.written or not group.source or ODD_NAME.search(group.name):
        return not group.written
    said = head.casefold().split()
    if head.islower() and len(said) > len({*said}):  # “thug thug boss”
        return True
    stems, own = {*find_stems(group.name)}, {*find_stems(group.source.name)}
    return any({*one.stems} <= stems and not {*one.stems} <= own for one in draft.glossary.people)


def _is_odd_hand(draft: Draft, group: Group) -> bool:
    """Whether each may not have all the weapons: “4 thugs: knife, knife, club, light pistol”, “4 cutlass”."""
    for one, entry, piece in draft.given:
        is_many = one is group and entry.kind == "weapon" and (entry, 1) not in group.things
        is_plural = piece.words.endswith("s") and not piece.words.endswith("ss")
        if is_many and not is_plural and (entry, count_off(piece).count) in group.things:
            return True
    weapons = [entry.name for entry, count in group.things if entry.kind == "weapon" and count == 1]
    return len(weapons) > 2 and (len({*weapons}) < len(weapons) or len(weapons) == group.count)


def _is_in(at: int, spans: Sequence[Span]) -> bool:
    return any(begin <= at < end for begin, end in spans)


def _count(groups: Sequence[Group], others: Sequence[Group]) -> set[int]:
    """The numbers that say how many come: of each group, of the parts of one, of all."""
    numbers = {one.count for one in groups} | {one.whole for one in groups}
    numbers |= {count for one in groups for _, count in one.things if count > 1}
    kinds = [one.source for one in others]
    sure = [one for one in groups if kinds.count(one.source) > 1 or one.is_said]
    named = [found for one in sure for found in DIGITS.findall(one.name)]
    numbers |= {int(found) for found in named} | {one for each in groups for one in each.health or ()}
    return numbers | {sum(one.count for one in groups)}


def _know(draft: Draft, groups: Sequence[Group]) -> set[str]:
    """The stems of all words that say who people are."""
    known: set[str] = set()
    common = draft.glossary.system.book.imports.people_names
    for one in groups:
        if one.source:
            known |= {*find_stems(one.source.name)}
            known |= {find_stem(word) for word, key in common.items() if key == one.source.key}
        known |= {find_stem(word) for word in TOKEN.findall(fold_letters(one.name))}
        known |= {*LEADS} if one.is_boss else set()
        bond = lex.BONDS.match(draft.words(one.name_span))
        known |= {find_stem(word) for word in TOKEN.findall(fold_letters(bond[0]))} if bond else set()
    return known
