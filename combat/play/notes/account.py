"""The account of a text: people come without a question only from sentences of which every word is sure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from combat.rules.core.basics.folding import fold_letters

from . import words as lex
from .draft import MAX_ISSUES, Draft
from .glossary import find_stem, find_stems
from .parts import Group, Mark, ParseIssue, Span, Suggestion
from .pieces import Piece, find_lines, find_outside

END = re.compile(r"[()]|[.!?](?=\s+[^a-z\s])|;(?=\s)|$")
LEADS = ("boss", "leader", "villain", "chief", "big", "final", "main")
DIGITS = re.compile(r"\d{1,3}\b")
NUMBERED = re.compile(r"[A-Za-z]\W?\d{1,2}")  # “W1”
LABELED = re.compile(
    r"\([^()]*\w:\s[^()]*\)|\bbetween them\b|^\s*as\s|\b(?:vs|versus|against)\b.*\b(?:vs|versus|against)\b",
    re.IGNORECASE,
)  # “(backup: cutlass)”, “martians vs venusians vs PCs”
# “15 Thug B”, “18 Sniper”: rather when it is their turn than how many
TURN = re.compile(r"(?:\d+\s[^\d]* [A-Z]|\d\d\s[A-Z][^\d]*[^s\d])$")
COLON = re.compile(r"\s*\d+\s*:")  # “guard 2: rifle, guard 3: pistol”
BUNCH = re.compile(r"\w+ of\b")
TOKEN = re.compile(r"x(?=\d)|\d+(?=[x×])|[^\W_]+(?:['’][^\W_]+)*")
ODD_NAME = re.compile(r"[:=|{}@/]|^[A-Z]\d{1,2}$")
Check = Callable[[str, Sequence[Group]], bool]


def ask_unsure(draft: Draft, is_read: Check) -> None:
    """Ask about each sentence with people in which a word is not accounted for: nobody of it comes yet.

    `is_read` tells whether other words for the same people are read as these, without a question.
    """
    people = [one for one in draft.groups if not one.issue]
    for unit in _find_units(draft.plain):
        groups = [one for one in people if unit.start <= one.name_span[0] < unit.end]
        if groups and _is_odd(draft, unit, groups):
            text = "Not all of this is sure: write it in other words."
            used: tuple[Suggestion, ...] = ()
            for each in (groups, [replace(one, name="") for one in groups]):
                words = "; ".join(say_group(draft, one) for one in each)
                if used or len(draft.asked) >= MAX_ISSUES or not is_read(words, each):
                    continue
                if _is_whole(draft, unit, words, groups):
                    text, used = f"Read as {words}. Right?", (Suggestion("Yes", unit.span, words),)
                else:
                    text = f"Only {words} is sure: write the rest in other words."
            draft.marks.append(Mark(unit.span, "issue"))
            draft.asked.append(ParseIssue(unit.span, draft.words(unit.span), text, used))
            draft.groups = [one for one in draft.groups if not any(one is other for other in groups)]


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
    counts = [lex.COUNTS.get(one, int(one) if one.isdecimal() else 0) for one in TOKEN.findall(unit.words)]
    return is_named and {*counts} <= {*numbers, 0, 1, *(one.arrives for one in groups)}


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


def _find_units(text: str) -> Iterator[Piece]:
    """The sentences of all lines."""
    for line in find_lines(text):
        begin = 0
        for found in find_outside(END, line.text):
            if line.text[begin : found.start()].strip():
                yield line.cut(begin, found.start())
            begin = found.end()


def _is_odd(draft: Draft, unit: Piece, groups: Sequence[Group]) -> bool:
    """Whether a sentence has a word or a number that nothing accounts for, or a name that may be none."""
    if any(_is_odd_name(draft, one) or _is_odd_hand(one) for one in groups) or LABELED.search(unit.text):
        return True
    if any(COLON.match(draft.plain, one.name_span[1]) for one in groups if not one.plural):
        return True
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
    if group.written or not group.source or ODD_NAME.search(group.name):
        return not group.written
    stems, own = {*find_stems(group.name)}, {*find_stems(group.source.name)}
    return any({*one.stems} <= stems and not {*one.stems} <= own for one in draft.glossary.people)


def _is_odd_hand(group: Group) -> bool:
    """Whether each of several may not have all the weapons: “4 thugs: knife, knife, club, light pistol”."""
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
    return known
