"""A sheet from named words, such as the cells of a roster: see `words_out.py`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

import msgspec

from combat.rules.core.basics.checking import tidy, without_unseen
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.folding import fold_text
from combat.rules.core.basics.numbers import plain_signs, read_amount, read_whole, say_no_number
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.foreign import LEFT_OUT, Asker, Foreign, limit_remarks
from combat.rules.core.sheets.sheets import (
    Draft,
    OwnStats,
    Selection,
    SheetPlan,
    Stat,
    blank_draft,
    find_meant,
    is_meant,
)

from ..games import check_sheet, find_game, find_games, find_problems, plan_of
from ..services.character_service import MAX_NAME, clean_name, clean_notes
from .documents import split_notes
from .item_words import ITEMS, MAX_HINTS, read_item_words, write_items
from .reading import Reading
from .words_out import (
    GAME,
    NAME,
    NOTES,
    OTHER,
    SUMMARY,
    list_named,
    make_sheet,
    write_attributes,
    write_chosen,
    write_numbers,
    write_skills,
)

PROFILE = ("profile", "upp")
MAX_WORDS = 400
MAX_COMPARED = 60  # characters of a label, for finding the nearest one
OWN_STAT = re.compile(r"(?P<name>.+?) \((?P<kind>[^()]+)\) (?P<value>\S+)")
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


@dataclass(frozen=True)
class ReadSheet:
    """A character read from words: its game and what was read."""

    system: str
    found: Foreign


def read_words(cells: Mapping[str, str], usual: str, place: str, answers: Mapping[str, str]) -> ReadSheet:
    """The character of named words; `usual` is the game if the words name none. Raises nothing."""
    reading = Reading(place, Asker(answers))
    seen = {tidy(fold_text(label)): without_unseen(value).strip() for label, value in cells.items()}
    words = {label: value for label, value in seen.items() if value}
    if len(words) > MAX_WORDS:
        reading.fail("", f"has {len(words):,} named values: at most {MAX_WORDS} are read")
        words = {label: words[label] for label in (NAME, GAME) if label in words}
    system = _read_game(words.pop(GAME, ""), usual, reading)
    name, notes = words.pop(NAME, ""), words.pop(NOTES, "")
    for label, clean, value in ((NAME, clean_name, name), (NOTES, clean_notes, split_notes(notes)[0])):
        try:
            clean(value)
        except Refused as refused:
            reading.fail(label, refused.message)
    sheet = _read_sheet(system, tidy(name)[:MAX_NAME] or "?", words, reading) if system else {}
    found = Foreign(
        name=tidy(name)[:MAX_NAME],
        sheet=sheet,
        notes=notes,
        remarks=limit_remarks([*reading.remarks, *reading.asker.remarks]),
        problems=tuple(reading.problems),
        questions=reading.asker.list_questions(),
    )
    return ReadSheet(system.slug if system else usual, found)


def _read_game(word: str, usual: str, reading: Reading) -> System | None:
    """The game with this short or full name."""
    for system in find_games():
        if word.casefold() in (system.slug, system.name.casefold()):
            return system
    if not word:
        return find_game(usual)
    names = ", ".join(system.name for system in find_games())
    reading.fail(GAME, f"there is no game “{word[:40]}”: {names}")
    return None


def _read_sheet(system: System, name: str, words: dict[str, str], reading: Reading) -> dict[str, Any]:
    plan = plan_of(system)
    other = _read_other(system, words.pop(OTHER, ""), reading)
    open_lists(plan, words, reading)
    typed = dict(words)
    words.pop(SUMMARY, "")
    draft = _read_draft(plan, words, reading)
    money = _read_money(plan, words, reading)
    made = _read_own(plan.own, make_sheet(plan, draft, money), words, reading)
    sheet = {**made, **other, "name": name}
    said = words.pop(ITEMS, "")
    sheet["items"] = _choose_items(system, said, other.get("items"), reading)
    problems = find_problems(system, sheet) if not reading.problems else ()
    for problem in problems:
        reading.fail(problem.place, problem.message)
    if not reading.problems:
        _compare(system, name, sheet, typed=typed if other else {}, left=words, reading=reading)
    return sheet


def _read_draft(plan: SheetPlan, words: dict[str, str], reading: Reading) -> Draft:
    """The decisions that the words hold; used words are removed from `words`."""
    blank = blank_draft(plan)
    chosen = _read_chosen(plan, words, blank.chosen, reading)
    attributes = {**blank.attributes, **_read_profile(plan, chosen, words, reading)}
    attributes |= _read_stats(plan.attributes, chosen, words, reading)
    skills = {**blank.skills, **_read_stats(plan.skills, chosen, words, reading)}
    return Draft(attributes=attributes, skills=skills, chosen=chosen)


def _read_chosen(
    plan: SheetPlan, words: dict[str, str], usual: Mapping[str, str], reading: Reading
) -> dict[str, str]:
    chosen = dict(usual)
    for selection in plan.selections:
        if selection.passing or not is_meant(selection, chosen):
            continue
        label, word = _take(words, selection.label, selection.key)
        if word:
            chosen[selection.key] = _read_option(selection, label, word, reading)
    return chosen


def _read_option(selection: Selection, label: str, word: str, reading: Reading) -> str:
    for option in selection.options:
        if word.casefold() in (option.key.casefold(), option.label.casefold()):
            return option.key
    names = [option.label for option in selection.options]
    reading.fail(label, f"“{word[:40]}” is none of: {', '.join(names[:20])}")
    return selection.usual


def _read_profile(
    plan: SheetPlan, chosen: Mapping[str, str], words: dict[str, str], reading: Reading
) -> dict[str, int]:
    profile = plan.profile
    if profile is None or not is_meant(profile, chosen):
        return {}
    label, word = _take(words, profile.label, *PROFILE)
    if not word:
        return {}
    try:
        return profile.read(word)
    except Refused as refused:
        reading.fail(label, refused.message)
        return {}


def _read_stats(
    stats: tuple[Stat, ...], chosen: Mapping[str, str], words: dict[str, str], reading: Reading
) -> dict[str, int]:
    found, there = {}, {label.casefold() for label in words}
    for stat in find_meant(stats, chosen):
        if there.isdisjoint(name.casefold() for name in (stat.label, stat.key, stat.short) if name):
            continue
        label, word = _take(words, stat.label, stat.key, stat.short)
        if not word:
            continue
        number = read_whole(word)
        if number is None:
            reading.fail(label, say_no_number(word).rstrip("."))
        elif not stat.low <= number <= stat.high or number in stat.gap:
            reading.fail(label, f"must be {stat.low} to {stat.high}, not {number}")
        else:
            found[stat.key] = number
    return found


def _read_money(plan: SheetPlan, words: dict[str, str], reading: Reading) -> int:
    if plan.money is None:
        return 0
    label, word = _take(words, plan.money.label, plan.money.key)
    number = read_amount(word) if word else 0
    if number is None:
        reading.fail(label, say_no_number(word).rstrip("."))
    elif not 0 <= number <= plan.money.most:
        reading.fail(label, f"must be 0 to {plan.money.most:,}, not “{word[:20]}”")
    else:
        return number
    return 0


def _read_own(
    own: OwnStats | None, sheet: dict[str, Any], words: dict[str, str], reading: Reading
) -> dict[str, Any]:
    """The sheet with the numbers that a table added."""
    if own is None:
        return sheet
    label, said = _take(words, own.label)
    kinds = {word.casefold(): kind for kind, word in own.kinds}
    for part in (part.strip() for part in said.split(";") if part.strip()):
        found = OWN_STAT.fullmatch(part[:200])
        kind = kinds.get(found["kind"].casefold()) if found else None
        value = read_whole(found["value"]) if found else None
        if found is None or kind is None or value is None or not 0 <= value <= own.high:
            example = f"{own.kinds[0][1]}) 12"
            reading.fail(label, f"“{part[:40]}” is not written as “Name ({example}”, with 0 to {own.high}")
        else:
            sheet = own.put(sheet, found["name"], kind, value)
    return sheet


def _take(words: dict[str, str], *labels: str) -> tuple[str, str]:
    """The first word under any of these labels, however spelled; it is removed."""
    wanted = [label.casefold() for label in labels if label]
    for label in list(words):
        if label.casefold() in wanted:
            return label, words.pop(label)
    return labels[0], ""


# ---------------------------------------------------------------- the rest


def _read_other(system: System, text: str, reading: Reading) -> dict[str, Any]:
    """Fields of the sheet as JSON."""
    if not text:
        return {}
    known = {field.name for field in msgspec.structs.fields(system.characters.sheet)} - {"name"}
    try:
        data = msgspec.json.decode(text.encode("utf-8", "surrogatepass"))
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError, RecursionError) as wrong:
        reading.fail(OTHER, f"is not JSON: {str(wrong)[:100]}")
        return {}
    if not isinstance(data, dict):
        reading.fail(OTHER, "must be a table of named values")
        return {}
    for name in data:
        if name not in known | {"name"}:
            reading.fail(OTHER, f"has the field “{name[:40]}”, which no sheet of {system.name} has")
    return {name: value for name, value in data.items() if name in known}


def _choose_items(system: System, said: str, other: Any, reading: Reading) -> Any:
    """The items of OTHER if the words agree with them, else those of the words."""
    if other is not None:
        try:
            if not said or said == write_items(system.book.catalogue, {"items": other}):
                return other
        except (AssertionError, msgspec.ValidationError, TypeError, ValueError):
            return other  # the sheet's own check reports what is wrong with them
        reading.say(ITEMS, f"differ from those in {OTHER}: these count, with nothing loaded off and no wear")
    return read_item_words(system.book.catalogue, said, reading)


def _compare(
    system: System,
    name: str,
    sheet: dict[str, Any],
    typed: Mapping[str, str],
    left: Mapping[str, str],
    reading: Reading,
) -> None:
    """Remark on where the words differ from the sheet: other numbers, and unknown words."""
    full = check_sheet(system, sheet)
    plan = plan_of(system)
    draft = plan.read(full)
    made = {**write_chosen(plan, draft), **write_attributes(plan, draft), **write_skills(plan, draft)}
    for label, value in made.items():
        if (
            label in typed
            and typed[label].casefold() != str(value).casefold()
            and read_whole(typed[label]) != value
        ):
            reading.fail(label, f"is {value} in {OTHER}: change it there too, or empty that cell")
    known = {**write_numbers(system, name, full), **made}
    named = tuple(thing.label for thing in list_named(plan))
    for label, word in left.items():
        if label not in known:
            hint = _suggest(label, named) if len(reading.remarks) < MAX_HINTS else ""
            reading.say(label, f"{word[:60]}: not imported{hint}")
        elif str(known[label]) != word and read_whole(word) != known[label]:
            reading.say(label, f"{word[:20]}: the sheet makes it {known[label]}")


def _suggest(label: str, named: tuple[str, ...]) -> str:
    near = _find_nearest(label[:MAX_COMPARED], named)
    return f"; perhaps {near} is meant" if near and near != label else ""


@lru_cache(maxsize=1024)  # a roster has the same columns in every line
def _find_nearest(label: str, known: tuple[str, ...]) -> str:
    return next(iter(get_close_matches(label, known, n=1)), "")


# Words that list several values: “Pilot 2; Zero-G 0” as Skills, “Rifle, Blade” as Weapons.


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


def knows(system: System, label: str) -> bool:
    """Whether a column of this name belongs to a sheet of the game."""
    plan = plan_of(system)
    names = {*_find_known(plan), *LEVELED, *THINGS}
    names |= {name for selection in plan.selections for name in (selection.label, selection.key)}
    names |= {plan.money.label, plan.money.key} if plan.money else set()
    names |= {plan.profile.label, *PROFILE} if plan.profile else set()
    names |= {plan.own.label} if plan.own else set()
    names |= write_numbers(system, "?", check_sheet(system, make_sheet(plan, blank_draft(plan), 0))).keys()
    return label.casefold() in {name.casefold() for name in names} or bool(plan.find_skills(label))


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
