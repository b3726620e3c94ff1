"""A person from one line: `Guard 868774 Gun Combat-1 Melee-0 rifle, cloth`.

A name, a profile, skills each with its level, then items: weapons, armor, grenades, gear, `2 frag grenades`,
`Cr500`, separated by commas, or without them if the names are clear. A cascade stands for its skill that the
first weapon needs. If none needs any, the reader asks, or refuses if no one can be asked.  RULING R55
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

import msgspec

from combat.rules.core.basics.checking import Problem, plain_quotes
from combat.rules.core.basics.errors import Refused
from combat.rules.core.sheets.catalogue import Entry, new_thing
from combat.rules.core.sheets.foreign import LEFT_OUT, MAX_LINE, Asker, Lines, Written

from ..book.tables import DIGITS, HIGHEST_SCORE, PSIONIC, SCORES
from .goods import CATALOGUE, HANDS, SPARES
from .skill_names import (
    MAX_LEVEL,
    NamedSkill,
    find_meant,
    find_needed,
    find_skills,
    label_skills,
    list_names,
    name_of,
)

EXAMPLE = "Guard 868774 Gun Combat-1 Melee-0 rifle, cloth"
NO_PROFILE = f"No profile: after the name come six digits, as in “{EXAMPLE}”."
DASHES = str.maketrans(
    dict.fromkeys("\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{EN DASH}\N{EM DASH}\N{MINUS SIGN}", "-")
)
QUOTES, AROUND_NAMES = "\"“”'", ":,;- "  # what may stand around a name
LABELLED = re.compile(
    r"\b(?:name|npc|upp|ucp|profile|stats|characteristics|skills?|equipment|gear|weapons?|armou?r|items|possessions|carries)\s*:",
    re.IGNORECASE,
)
MODIFIER = r"(?:\s*\([-+]?\d\))?[,;\s/]*"
SPELLED = re.compile(
    MODIFIER.join(rf"{score}[:\s]*(\d{{1,2}})" for score in (r"\bstr", "dex", "end", "int", "edu", "soc"))
    + r"\b(?:\s*\([-+]?\d\))?",
    re.IGNORECASE,
)
# The scores below or beside their names, or only the six of them: “8 6 8 7 7 4”
LISTED_SCORES = re.compile(
    r"(?:\bstr\W+dex\W+end\W+int\W+edu\W+soc\W+)?(?<![\w.])(\d{1,2})[ ,/]+(\d{1,2})[ ,/]+(\d{1,2})[ ,/]+"
    r"(\d{1,2})[ ,/]+(\d{1,2})[ ,/]+(\d{1,2})(?![\w.])",
    re.IGNORECASE,
)
BETWEEN = re.compile(r"\s[-/|]\s(?!\d{1,2}\b)")  # between the parts of a line
SKILL = re.compile(r"\s*([^\W\d][^\d,]*?)[-\s]+(\d+)(?=[\s,]|$)")
LISTED = re.compile(r"\(([^()]*[^\W\d][^()]*[-\s]\d+)\)")  # skills in brackets
PLACED = re.compile(r"\s*\((?:held|worn|carried|stowed|[^()]*\d[^()]*)\)$", re.IGNORECASE)  # or “(3D6)”
COUNT = re.compile(r"(\d{1,3})\s*[x\N{MULTIPLICATION SIGN}]?\s+(.+)")
CREDITS = re.compile(r"cr\.?\s*(\d[\d,]*)", re.IGNORECASE)
FEW_FIGURES = 4  # a word with this many digits was meant as a profile
MAX_NAME, MAX_CREDITS, MAX_COUNT = 60, 1_000_000_000, 99
MAX_COMPARED = 60  # letters of a word that are compared with names
OTHER_NAMES = {
    "smg": "submachinegun",
    "acr": "advanced combat rifle",
    "grenade": "frag grenade",
    "club": "cudgel",
    "knife": "dagger",
    "machine pistol": "submachinegun",
    "pistol": "auto pistol",
    "medikit": "medical kit",
    "medkit": "medical kit",
}
JOINTS = ("and", "with", "&", "+", "plus")  # words between items
LENGTHS = (len(SCORES), len(SCORES) + 1)


def read_line(line: str, asker: Asker | None = None) -> Written:
    """The person of a line; Refused("bad_line") names the unreadable part and what would be readable.

    With an `asker`, a cascade that no weapon decides becomes a question, and an unknown name a remark.
    """
    if len(line) > MAX_LINE:
        raise Refused("bad_line", f"A line has at most {MAX_LINE} characters.")
    words = _tidy(line).split()
    place = _find_profile(words)
    if place is None:
        raise Refused("bad_line", NO_PROFILE)
    is_labelled = place > 0 and words[place - 1].strip(":").upper() in ("UPP", "UCP")
    before = words[: place - 1] if is_labelled else words[:place]
    name = " ".join(before).strip(AROUND_NAMES).replace(" ,", ",")
    if name[:1] in QUOTES and name[-1:] in QUOTES:
        name = name.strip(QUOTES)
    check_name(name)
    scores = read_profile(words[place].strip(",;:[]()"))
    named, things = _read_rest(" ".join(words[place + 1 :]), asker)
    entries, money = _read_things(things, asker)
    sheet = {
        "name": name,
        "kind": "person",
        "attributes": scores,
        "skills": _settle(named, find_needed(entry for entry, _ in entries), asker),
        "items": make_items(entries),
        "credits": money,
    }
    return Written(name, sheet)


def _tidy(line: str) -> str:
    """The line with plain hyphens, commas for the labels of its parts, and spelled scores as a profile."""

    def write(found: re.Match[str]) -> str:
        scores = dict(zip(SCORES, map(int, found.groups()), strict=True))
        return write_profile(scores) if max(scores.values()) <= HIGHEST_SCORE else found[0]

    plain = LISTED_SCORES.sub(write, SPELLED.sub(write, line.translate(DASHES)))
    return LABELLED.sub(" , ", BETWEEN.sub(" , ", plain))


def check_name(name: str) -> None:
    """Refuse an empty name, or one that ends in a skill with its level."""
    if not 1 <= len(name) <= MAX_NAME:
        raise Refused("bad_line", f"A name of 1 to {MAX_NAME} characters comes first, as in “{EXAMPLE}”.")
    words = name.split()
    tails = (SKILL.fullmatch(" ".join(words[n:])) for n in range(1, len(words)))
    for found in filter(None, tails):
        if find_skills(found[1]):
            raise Refused("bad_line", f"“{found[0]}” comes after the profile, as in “{EXAMPLE}”.")


def has_profile(line: str) -> bool:
    """Whether a line has a profile, or a word that was meant as one."""
    return _find_profile(_tidy(line).split()) is not None


def _find_profile(words: list[str]) -> int | None:
    """The position of the profile, else of the word meant as one, so that the refusal can name its fault."""
    meant = (n for n, word in enumerate(words) if len(re.findall(r"\d", word)) >= FEW_FIGURES)
    return next((n for n, word in enumerate(words) if looks_like_profile(word)), next(meant, None))


def looks_like_profile(word: str) -> bool:
    """Whether a word is of pseudo-hexadecimal digits with a figure among them: “Facade” is a name."""
    bare = word.strip(",;:[]()")
    return is_profile(bare) and any(digit.isdigit() for digit in bare)


# ---------------------------------------------------------------- skills


def _read_rest(text: str, asker: Asker | None) -> tuple[list[NamedSkill], list[str]]:
    """Read the skills with their levels, and the words for items."""
    named: list[NamedSkill] = []
    things = []
    for part in re.split("[,;]", re.sub(r"(?<=\d),(?=\d{3}\b)", "", LISTED.sub(r", \1, ", text))):
        rest = part
        while (found := SKILL.match(rest)) and not CREDITS.fullmatch(rest.strip()):
            words, level = found[1].strip(), int(found[2])
            rest = rest[found.end() :]
            with _or_remark(asker, f"{words} {level}"):
                named.append(NamedSkill(words, level, _find_skills(words)))
            if level > MAX_LEVEL:
                raise Refused("bad_line", f"{words} {level}: a level is 0 to {MAX_LEVEL}.")
        things += [rest.strip()] if rest.strip() else []
    return named, things


@contextmanager
def _or_remark(asker: Asker | None, words: str) -> Iterator[None]:
    """Leave out what is refused here with a remark, if someone can read that."""
    try:
        yield
    except Refused as refused:
        if asker is None:
            raise
        asker.remarks.append(Problem(words[:MAX_COMPARED], f"left out. {refused.message}"))


def _find_skills(words: str) -> tuple[str, ...]:
    """The skills that a name may stand for; Refused with the nearest names."""
    found = find_skills(words)
    if not found:
        raise Refused("bad_line", f"There is no skill “{words}”{suggest(words, list_names())}.")
    return found


def _settle(named: Iterable[NamedSkill], needed: tuple[str, ...], asker: Asker | None) -> dict[str, int]:
    """The levels, skill by skill; a skill under its own name has priority over a cascade."""
    levels: dict[str, int] = {}
    ordered = sorted(named, key=lambda one: not one.is_exact)
    for number, one in enumerate(ordered):
        for skill in find_meant(one, needed) or _ask(number, one, asker):
            if one.is_exact or skill not in levels:
                levels[skill] = one.level
    return levels


def _ask(number: int, named: NamedSkill, asker: Asker | None) -> tuple[str, ...]:
    """The skill that a cascade stands for; Refused if no one can be asked."""
    said = f"{named.words} {named.level}"
    if asker is None:
        first, *_, last = (f"{name_of(skill)}-{named.level}" for skill in named.skills)
        raise Refused("bad_line", f"{said}: which skill? Write one of them, such as {first} or {last}.")
    options = (*label_skills(named.skills), (LEFT_OUT, "None: leave it out"))
    chosen = asker.ask(f"skill{number}", f"{said}: which skill?", options)
    return () if chosen in ("", LEFT_OUT) else (chosen,)


def _hint_at_level(words: str) -> str:
    """The correct notation, if words begin with a skill whose level cannot be read."""
    said = re.findall(r"[^\W\d_]+", words)[: _most_words()]
    names = (" ".join(said[:n]) for n in range(len(said), 0, -1))
    meant = next((name for name in names if find_skills(name)), "")
    return f" If the skill is meant, write its level after it: {meant}-1." if meant else ""


def suggest(words: str, names: Mapping[str, str]) -> str:
    """The nearest names, as the end of a sentence."""
    near = get_close_matches(words.strip().casefold()[:MAX_COMPARED], names, n=3)
    return f": perhaps {' or '.join(names[name] for name in near)}" if near else ""


# ---------------------------------------------------------------- items


def _read_things(words: Iterable[str], asker: Asker | None) -> tuple[list[tuple[Entry, int]], int]:
    """Read the items by entry and number, and the money."""
    found, money = [], 0
    for word in (thing for one in words for thing in _part_things(one)):
        paid = CREDITS.fullmatch(word)
        if paid:
            money += int(paid[1].replace(",", ""))
            continue
        counted = COUNT.fullmatch(word)
        number, name = (int(counted[1]), counted[2]) if counted else (1, word)
        if not 1 <= number <= MAX_COUNT:
            raise Refused("bad_line", f"{word}: of one item 1 to {MAX_COUNT}.")
        with _or_remark(asker, word):
            found.append((find_thing(name), number))
    if money > MAX_CREDITS:
        raise Refused("bad_line", f"At most Cr{MAX_CREDITS:,}.")
    return found, money


def _part_things(words: str) -> list[str]:
    """Items without commas, split by their longest names; all words together if one is unknown."""
    words = PLACED.sub("", words.strip().rstrip("."))
    if _is_thing(words):
        return [words]
    found, rest = [], words.split()
    while rest:
        most = min(len(rest), _most_words())
        length = next((n for n in range(most, 0, -1) if _is_thing(" ".join(rest[:n]))), 0)
        if length:
            found.append(" ".join(rest[:length]))
        elif rest[0].casefold() not in JOINTS:
            return [words]
        rest = rest[max(length, 1) :]
    return found


def _is_thing(words: str) -> bool:
    """Whether words are money, or an item of the catalogue with or without a number."""
    counted = COUNT.fullmatch(words)
    return bool(CREDITS.fullmatch(words)) or find_known(counted[2] if counted else words) is not None


def _names() -> dict[str, Entry]:
    """The items of the catalogue by name; of two with one name the first counts."""
    known: dict[str, Entry] = {}
    for entry in CATALOGUE.find_entries():
        if entry.kind not in ("mount", "ammo"):
            known.setdefault(plain_quotes(entry.name).casefold().replace("-", " "), entry)
    return known


def _most_words() -> int:
    """The number of words in the longest name, with a number, an “x” and a word such as “armor”."""
    return max(len(name.split()) for name in (*_names(), *list_names())) + 3


def find_known(words: str) -> Entry | None:
    """The entry of an item as people write it, if the catalogue has it."""
    said = " ".join(plain_quotes(words).casefold().replace("-", " ").replace("armour", "armor").split())
    said = OTHER_NAMES.get(said, said)
    forms = (said, said.removesuffix("s"), said.removesuffix(" armor"), said.removesuffix(" suit"))
    names = _names()
    return next((names[form] for form in forms if form in names), None)


def find_thing(words: str) -> Entry:
    """The entry of an item as people write it; Refused with the nearest names."""
    found = find_known(words)
    if found is None:
        names = {name: entry.name for name, entry in _names().items()}
        known = f"There is no “{words}” in the catalogue{suggest(words, names)}."
        raise Refused("bad_line", f"{known}{_hint_at_level(words)}")
    return found


def make_items(
    entries: Iterable[tuple[Entry, int]], carried: Iterable[tuple[Entry, int]] = ()
) -> list[dict[str, Any]]:
    """The items of a sheet: weapons in hand while hands are free, armor and sights on.

    Merely `carried` ones come last.
    """
    items: list[dict[str, Any]] = []
    free, dressed = HANDS, False
    for entry, number in entries:
        place, record = "carried", entry.record
        if entry.kind == "weapon" and (hands := 2 if record.get("two_handed") else 1) <= free:
            place, free = "held", free - hands
        elif entry.kind == "mount":
            place = "held"
        elif entry.kind == "accessory":
            place = "worn"
        elif entry.kind == "armor" and (record.get("over_other") or not dressed):
            place, dressed = "worn", dressed or not record.get("over_other")
        items.append(_make_item(entry, number, place, items))
    for entry, number in carried:
        items.append(_make_item(entry, number, "carried", items))
    return items


def _make_item(entry: Entry, number: int, place: str, others: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    thing = new_thing(CATALOGUE, entry, {item["id"] for item in others})
    spares = SPARES if thing.loaded else 0
    made = msgspec.structs.replace(thing, place=place, spares=spares, count=number)
    plain: dict[str, Any] = msgspec.to_builtins(made)
    return plain


def is_line(line: str) -> bool:
    """Whether a line has a profile."""
    words = _tidy(line).split()
    return any(looks_like_profile(word) and not CREDITS.fullmatch(word.strip(",;")) for word in words)


LINES = Lines(
    read=read_line,
    is_meant=is_line,
    example=EXAMPLE,
    help="A name, a profile, skills with levels, then weapons, armor and gear with commas between them.",
)

# A profile: six or seven characteristics as one word of pseudo-hexadecimal digits, such as 777A87.


def read_digit(digit: str) -> int | None:
    """The score of a digit: 0 to 9, then letters without I and O; None for any other character."""
    place = DIGITS.find(digit.upper())
    return place if digit and place >= 0 else None


def is_profile(word: str) -> bool:
    """Whether a word can be read as a profile; Psionic Strength may stand behind a hyphen: 687B9C-4."""
    if word[len(SCORES) : -1] == "-":
        word = word.replace("-", "")
    return len(word) in LENGTHS and all(read_digit(digit) is not None for digit in word)


def read_profile(word: str) -> dict[str, int]:
    """The characteristics of a profile; Refused("bad_profile") names the wrong digit."""
    text = word.strip().replace("-", "")
    if len(text) not in LENGTHS:
        raise Refused(
            "bad_profile",
            f"“{word[:20]}” is no profile: it has 6 digits such as 777A87, or 7 with Psionic Strength.",
        )
    wrong = next((digit for digit in text if read_digit(digit) is None), "")
    if wrong:
        raise Refused(
            "bad_profile", f"“{wrong}” is no digit of a profile: 0 to 9, and letters without I and O."
        )
    return {key: int(read_digit(digit) or 0) for key, digit in zip((*SCORES, PSIONIC), text, strict=False)}


def write_profile(scores: Mapping[str, int]) -> str:
    """The profile of a set of characteristics; Psionic Strength only if there is any."""
    keys = (*SCORES, PSIONIC) if scores.get(PSIONIC) else SCORES
    return "".join(DIGITS[min(max(scores.get(key, 0), 0), HIGHEST_SCORE)] for key in keys)
