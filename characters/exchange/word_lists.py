"""Words that list several values: “Pilot 2; Zero-G 0” as Skills, “Rifle, Blade” as Weapons."""

from __future__ import annotations

import re
from collections.abc import Iterator

from combat.rules.core.basics.checking import tidy
from combat.rules.core.basics.numbers import plain_signs, read_whole
from combat.rules.core.sheets.asking import LEFT_OUT
from combat.rules.core.sheets.sheets import SheetPlan, Stat

from .item_words import ITEMS
from .reading import Reading

LINES = "Lines"  # the label of unlabeled text in a block
LEVELED = ("skills", "attributes", "characteristics", "scores", LINES.casefold())
THINGS = {  # columns of items, and the place where the first of them is ready
    "weapons": "held",
    "weapon": "held",
    "armor": "worn",
    "armour": "worn",
    "gear": "",
    "equipment": "",
}
READY, CARRIED = "ready", "carried"
NAMED_LEVEL = re.compile(r"(?P<name>.*\S)(?:\s*[:=]\s*|\s+-\s+|\s+|(?<=\S)-)(?P<level>[+-]?\d{1,9})")
PLACED = re.compile(r"\((?:held|worn|carried|own)\)$")
ENDS = ";\n\r\v"  # of a part of a list: a spreadsheet's cell may have breaks in it
MAX_PART, MAX_PARTS = 100, 200


def open_lists(plan: SheetPlan, words: dict[str, str], reading: Reading) -> None:
    """Give every value of a list its own word; remark on parts that are not a name with a number."""
    known = _find_known(plan)
    labels = [label for label in words if label.casefold() in LEVELED and label.casefold() not in known]
    for label in labels:
        parts = list(_split_levels(words.pop(label), known))
        if len(parts) > MAX_PARTS:
            reading.fail(label, f"lists {len(parts):,} values: at most {MAX_PARTS} are read")
        for part in parts[:MAX_PARTS]:
            _open_part(words, label, part, reading)
    _name_skills(plan, words, known, reading)
    _gather_things(plan, words, reading)


def _find_known(plan: SheetPlan) -> frozenset[str]:
    """The attributes and skills of a game, in lower case."""
    stats = (*plan.attributes, *plan.skills)
    return frozenset(name.casefold() for stat in stats for name in (stat.label, stat.key, stat.short) if name)


def _open_part(words: dict[str, str], label: str, part: str, reading: Reading) -> None:
    name, level = _read_level(part)
    if not name:
        reading.say(label, f"“{part[:60]}” is no name with a number: left out")
    elif name in words:
        reading.say(label, f"{name[:40]} is there twice: {words[name][:20]} counts, not {level}")
    else:
        words[name] = level


def _read_level(part: str) -> tuple[str, str]:
    """A name and its number: “Zero-G 0”, “Zero-G-0”, “Zero-G: 0”; both empty for any other text."""
    found = NAMED_LEVEL.fullmatch(plain_signs(part)) if len(part) <= MAX_PART else None
    name = found["name"].rstrip(" -:=") if found else ""
    return (name, found["level"]) if found and name else ("", "")


def _split_levels(text: str, known: frozenset[str]) -> Iterator[str]:
    """The parts of a list of names with numbers; a name of the game may contain a comma."""
    for part in _split(text, ENDS):
        if _read_level(part)[0].casefold() in known:
            yield part
        else:
            yield from _split(part, ",")


def _split(text: str, signs: str) -> Iterator[str]:
    """The parts of a list between these separators, except in brackets."""
    depth, begin = 0, 0
    for at, sign in enumerate(text):
        depth = max(0, depth + (sign == "(") - (sign == ")"))
        if sign in signs and not depth:
            yield from filter(None, [tidy(text[begin:at])])
            begin = at + 1
    yield from filter(None, [tidy(text[begin:])])


# ---------------------------------------------------------------- skills of other books


def _name_skills(plan: SheetPlan, words: dict[str, str], known: frozenset[str], reading: Reading) -> None:
    """Put levels under this game's names; ask where a name may stand for several skills."""
    skills = {stat.key: stat for stat in plan.skills}
    for label in [label for label in words if label.casefold() not in known]:
        meant = [skills[key] for key in plan.find_skills(label) if key in skills]
        if not meant or read_whole(words[label]) is None:
            continue
        skill = meant[0] if len(meant) == 1 else _ask_skill(label, meant, reading)
        level = words.pop(label)
        if skill is None:
            continue
        if len(meant) == 1:
            reading.say(label[:40], f"is read as {skill.label}")
        if skill.label in words:
            reading.say(label[:40], f"{skill.label} is there twice: {words[skill.label][:20]} counts")
        words.setdefault(skill.label, level)


def _ask_skill(label: str, meant: list[Stat], reading: Reading) -> Stat | None:
    """The skill of a cascade, one answer for all lines; None to leave it out."""
    options = [*((stat.key, stat.label) for stat in meant), (LEFT_OUT, "None: leave it out")]
    name = label.casefold()[:MAX_PART]
    key = reading.asker.ask(f"skill.{name}", f"{label[:40]}: which skill?", options, place=reading.place)
    return next((stat for stat in meant if stat.key == key), None)


# ---------------------------------------------------------------- items


def _gather_things(plan: SheetPlan, words: dict[str, str], reading: Reading) -> None:
    """Put the columns of items into Items; ask once for all lines whether weapons and armor are ready.

    A value that begins with a digit is a number of the sheet, such as the points of its armor.
    """
    own = {thing.label.casefold() for thing in plan.selections}
    found = [words[ITEMS]] if words.get(ITEMS) else []
    columns = [label for label in words if label.casefold() in THINGS and label.casefold() not in own]
    for label in [label for label in columns if words[label][:1].isalpha()]:
        parts = list(_split(words.pop(label), f"{ENDS},"))
        place = THINGS[label.casefold()]
        bare = next((n for n, part in enumerate(parts) if not PLACED.search(part)), None)
        if place and bare is not None and _is_ready(reading):
            parts[bare] += f" ({place})"
        found += parts
    if found:
        words[ITEMS] = "; ".join(found)


def _is_ready(reading: Reading) -> bool:
    options = (
        (READY, "The first weapon in hand, the first armor worn"),
        (CARRIED, "Carried in the bag"),
    )
    text = "Weapons and armor without a place: where?"
    return reading.asker.ask("ready", text, options, READY, place=reading.place) == READY
