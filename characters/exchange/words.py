"""A sheet as named words, such as the cells of a roster or the lines of a text block, and back again.

Every game has these: Name, Game, its selections, attributes, skills and money by their labels, Items, Notes.
Numbers that follow from others are written for people; on the way back they are compared. What no words can
say goes into OTHER as JSON, so that a roster loses nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

import msgspec

from combat.rules.core.basics.checking import Problem, tidy
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_whole, say_no_number
from combat.rules.core.sheets.catalogue import Catalogue, Entry, new_thing
from combat.rules.core.sheets.foreign import Foreign, limit_remarks
from combat.rules.core.sheets.sheets import (
    Carried,
    Draft,
    OwnStats,
    Selection,
    SheetPlan,
    Stat,
    blank_draft,
    find_meant,
    find_option,
    is_meant,
)
from combat.rules.core.system import System

from ..display.sheet_view import NumberGroup, read_items, view_numbers
from ..games import check_sheet, find_game, find_games, find_problems, plan_of
from ..services.character_service import MAX_NAME, clean_name, clean_notes

NAME, GAME, SUMMARY, ITEMS, NOTES, OTHER = "Name", "Game", "Summary", "Items", "Notes", "Other (JSON)"
PROFILE = ("profile", "upp")
COUNTED = "{} (counted)"  # a number that has the label of one that people set
OWN_THING = "own"
OWN_CHOICE = "{} (own)"  # what was chosen is none of the game's own
THING = re.compile(
    r"(?:(?P<count>\d{1,3})\s*[x×]\s+)?(?P<name>.+?)(?:\s+\((?P<place>held|worn|carried|own)\))?"
)
OWN_STAT = re.compile(r"(?P<name>.+?) \((?P<kind>[^()]+)\) (?P<value>\S+)")
MAX_COUNT = 999


# ---------------------------------------------------------------- out


def write_words(system: System, name: str, sheet: dict[str, Any], summary: str, notes: str) -> dict[str, Any]:
    """All of a sheet in words, those of most interest first; skills at their usual level are left out."""
    if find_problems(system, sheet):
        return {NAME: name, GAME: system.name, SUMMARY: summary, OTHER: _as_json(sheet), NOTES: notes}
    plan = plan_of(system)
    draft = plan.read(sheet)
    words = {NAME: name, GAME: system.name, SUMMARY: summary}
    words |= write_chosen(plan, draft) | write_attributes(plan, draft) | write_numbers(system, name, sheet)
    words |= write_skills(plan, draft)
    if plan.money:
        words[plan.money.label] = sheet.get(plan.money.key, 0)
    if plan.own:
        words[plan.own.label] = write_own(plan.own, sheet)
    words |= {ITEMS: _write_items(system.catalogue, sheet), OTHER: _write_other(system, sheet), NOTES: notes}
    return {key: value for key, value in words.items() if value != ""}


def write_chosen(plan: SheetPlan, draft: Draft) -> dict[str, Any]:
    """What is chosen of each selection, by its label."""
    found = {}
    for selection in find_meant(plan.selections, draft.chosen):
        key = draft.chosen.get(selection.key, "")
        label = next((option.label for option in selection.options if option.key == key), "")
        if label and not selection.passing:
            found[selection.label] = label
        elif key and not selection.passing:
            found[OWN_CHOICE.format(selection.label)] = key
    return found


def write_attributes(plan: SheetPlan, draft: Draft) -> dict[str, Any]:
    """The attributes by their labels."""
    return {stat.label: draft.attributes[stat.key] for stat in find_meant(plan.attributes, draft.chosen)}


def write_skills(plan: SheetPlan, draft: Draft) -> dict[str, Any]:
    """The skills that are trained, by their labels."""
    meant = find_meant(plan.skills, draft.chosen)
    return {s.label: draft.skills[s.key] for s in meant if draft.skills[s.key] != s.usual}


def write_own(own: OwnStats, sheet: dict[str, Any]) -> str:
    """The numbers that a table added, each with its kind."""
    kinds = dict(own.kinds)
    return "; ".join(f"{name} ({kinds[kind]}) {value}" for name, kind, value in own.find(sheet))


def write_numbers(system: System, name: str, sheet: dict[str, Any]) -> dict[str, Any]:
    """The numbers that follow from a sheet, by labels that nothing else has."""
    return _name_numbers(plan_of(system), view_numbers(system, name, sheet))


def _name_numbers(plan: SheetPlan, groups: Iterable[NumberGroup]) -> dict[str, Any]:
    taken = {word.casefold() for thing in _all_of(plan) for word in (thing.label, thing.key)}
    taken |= {stat.short.casefold() for stat in (*plan.attributes, *plan.skills)}
    found: dict[str, Any] = {}
    for group in groups:
        for number in group.numbers:
            label = f"{group.label}: {number.label}" if group.label else number.label
            found[COUNTED.format(label) if label.casefold() in taken else label] = number.value
    return found


def _write_items(catalogue: Catalogue | None, sheet: dict[str, Any]) -> str:
    if catalogue is None:
        return ""
    return "; ".join(_write_item(catalogue, item) for item in read_items(sheet))


def _write_item(catalogue: Catalogue, item: Carried) -> str:
    entry = catalogue.look_up(item)
    assert entry is not None, item
    return write_thing(entry.name, item.count, OWN_THING if item.record else item.place)


def write_thing(name: str, count: int, place: str) -> str:
    """A thing in words: how many, its name, and where it is unless it is stowed."""
    many = f"{count} x " if count != 1 else ""
    return f"{many}{name}" + (f" ({place})" if place != "carried" else "")


def _write_other(system: System, sheet: dict[str, Any]) -> str:
    """The fields of a sheet that its words do not say."""
    plain, full = _without_other(system, sheet), check_sheet(system, sheet)
    said = {*plan_of(system).write({}, blank_draft(plan_of(system)))}
    other = {
        key: value
        for key, value in full.items()
        if key != "name"
        and value != plain.get(key)
        and not (key in said and _are_same(value, plain.get(key)))
    }
    return _as_json(other) if other else ""


def _are_same(one: Any, other: Any) -> bool:
    """Whether two tables of numbers differ only in zeros that one of them leaves out."""
    if not (isinstance(one, dict) and isinstance(other, dict)):
        return False
    return {key: value for key, value in one.items() if value} == {k: v for k, v in other.items() if v}


def _without_other(system: System, sheet: dict[str, Any]) -> dict[str, Any]:
    """The sheet that comes of the words alone, with all fields."""
    plan = plan_of(system)
    draft = _find_said(plan, plan.read(sheet))
    made = _make_sheet(plan, draft, sheet.get(plan.money.key, 0) if plan.money else 0)
    for name, kind, value in plan.own.find(sheet) if plan.own else ():
        made = plan.own.put(made, name, kind, value) if plan.own else made
    made["items"] = _read_items(system.catalogue, _write_items(system.catalogue, sheet), Reading(""))
    problems = find_problems(system, made)
    return made if problems else check_sheet(system, made)


def _find_said(plan: SheetPlan, draft: Draft) -> Draft:
    """What words say of a draft: what a game knows, and what is for such a sheet."""
    blank = blank_draft(plan)
    unknown = {s.key: s.usual for s in plan.selections if find_option(plan, draft, s.key) is None}
    attributes = {s.key: draft.attributes[s.key] for s in find_meant(plan.attributes, draft.chosen)}
    skills = {s.key: draft.skills[s.key] for s in find_meant(plan.skills, draft.chosen)}
    return Draft(
        attributes={**blank.attributes, **attributes},
        skills={**blank.skills, **skills},
        chosen={**draft.chosen, **unknown},
    )


def _make_sheet(plan: SheetPlan, draft: Draft, money: int) -> dict[str, Any]:
    """The sheet of a draft: written twice, since what a model brings must not hide what was set."""
    first = plan.write({}, draft)
    brought = plan.read({"items": (), **first}).chosen
    chosen = {s.key: brought.get(s.key, "") for s in plan.selections if not is_meant(s, draft.chosen)}
    made = plan.write(first, msgspec.structs.replace(draft, chosen={**draft.chosen, **chosen}))
    return {**made, plan.money.key: money} if plan.money else made


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# ---------------------------------------------------------------- in


@dataclass
class Reading:
    """What is found while words are read: `place` is where they stand, such as line 3."""

    place: str
    remarks: list[Problem] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def say(self, label: str, message: str) -> None:
        """Remark something that found no place."""
        self.remarks.append(Problem(self._at(label), message))

    def fail(self, label: str, message: str) -> None:
        """Say what is wrong."""
        self.problems.append(Problem(self._at(label), message))

    def _at(self, label: str) -> str:
        return ", ".join(word for word in (self.place, label[:60]) if word)


@dataclass(frozen=True)
class Worded:
    """Somebody as words say: the game, and what was read."""

    system: str
    found: Foreign


def read_words(cells: Mapping[str, str], usual: str, place: str) -> Worded:
    """Somebody from named words; `usual` is the game where the words name none. Nothing is raised."""
    reading = Reading(place)
    words = {" ".join(label.split()): value.strip() for label, value in cells.items() if value.strip()}
    system = _read_game(words.pop(GAME, ""), usual, reading)
    name, notes = words.pop(NAME, ""), words.pop(NOTES, "")
    for label, clean, value in ((NAME, clean_name, name), (NOTES, clean_notes, notes)):
        try:
            clean(value)
        except Refused as refused:
            reading.fail(label, refused.message)
    sheet = _read_sheet(system, tidy(name)[:MAX_NAME] or "?", words, reading) if system else {}
    found = Foreign(
        name=tidy(name)[:MAX_NAME],
        sheet=sheet,
        notes=notes,
        remarks=limit_remarks(reading.remarks),
        problems=tuple(reading.problems),
    )
    return Worded(system.slug if system else usual, found)


def _read_game(word: str, usual: str, reading: Reading) -> System | None:
    """The game of this short or full name."""
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
    typed = dict(words)
    words.pop(SUMMARY, "")
    draft = _read_draft(plan, words, reading)
    money = _read_money(plan, words, reading)
    made = _read_own(plan.own, _make_sheet(plan, draft, money), words, reading)
    sheet = {**made, **other, "name": name}
    said = words.pop(ITEMS, "")
    sheet["items"] = _choose_items(system, said, other.get("items"), reading)
    problems = find_problems(system, sheet) if not reading.problems else ()
    for problem in problems:
        reading.fail(problem.place, problem.message)
    if not reading.problems:
        _compare(system, name, sheet, typed if other else {}, words, reading)
    return sheet


def _read_draft(plan: SheetPlan, words: dict[str, str], reading: Reading) -> Draft:
    """The decisions that the words hold; they are taken out of these."""
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
    found = {}
    for stat in find_meant(stats, chosen):
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
    number = read_whole(word.replace(",", "")) if word else 0
    if number is None or not 0 <= number <= plan.money.most:
        reading.fail(label, f"must be 0 to {plan.money.most:,}, not “{word[:20]}”")
        return 0
    return number


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
    """The first word under one of these labels, however they are written; it is taken out."""
    wanted = [label.casefold() for label in labels if label]
    for label in list(words):
        if label.casefold() in wanted:
            return label, words.pop(label)
    return labels[0], ""


# ---------------------------------------------------------------- items and the rest


def _read_other(system: System, text: str, reading: Reading) -> dict[str, Any]:
    """Fields of the sheet as JSON."""
    if not text:
        return {}
    known = {field.name for field in msgspec.structs.fields(system.sheet)} - {"name"}
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
    """The items of OTHER if the words say the same of them, else those of the words."""
    if other is not None:
        try:
            if not said or said == _write_items(system.catalogue, {"items": other}):
                return other
        except (AssertionError, msgspec.ValidationError, TypeError, ValueError):
            return other  # the sheet's own check says what is wrong with them
        reading.say(ITEMS, f"differ from those in {OTHER}: these count, with nothing loaded off and no wear")
    return _read_items(system.catalogue, said, reading)


def _read_items(catalogue: Catalogue | None, said: str, reading: Reading) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    if catalogue is None:
        return items
    names = {entry.name.casefold(): entry for entry in catalogue.find_entries()}
    for word in (part.strip() for part in said.split(";")):
        found = THING.fullmatch(tidy(word)) if len(word) < 200 else None
        if not word:
            continue
        entry = names.get(found["name"].casefold()) if found else None
        if found is None or entry is None or found["place"] == OWN_THING:
            reading.say(ITEMS, _say_unknown(word, names))
        else:
            items.append(_make_item(catalogue, entry, found, len(items), reading))
    return items


def _make_item(
    catalogue: Catalogue, entry: Entry, found: re.Match[str], number: int, reading: Reading
) -> dict[str, Any]:
    thing = new_thing(catalogue, entry, {f"i{n + 1}" for n in range(number)})
    kind = catalogue.find_kind(entry.kind)
    place = found["place"] or "carried"
    if kind is None or place not in ("carried", kind.ready):
        reading.say(ITEMS, f"{entry.name} cannot be {place}: stowed")
        place = "carried"
    count = int(found["count"] or 1)
    if not 1 <= count <= MAX_COUNT:
        reading.fail(ITEMS, f"{entry.name}: there can be 1 to {MAX_COUNT}")
        count = 1
    plain: dict[str, Any] = msgspec.to_builtins(msgspec.structs.replace(thing, place=place, count=count))
    return plain


def _say_unknown(word: str, names: Mapping[str, Entry]) -> str:
    near = get_close_matches(word[:60].casefold(), names, n=1)
    hint = f": perhaps {names[near[0]].name}" if near and not word.endswith(f"({OWN_THING})") else ""
    return f"“{word[:60]}” is not in the catalogue, left out{hint}"


def _compare(
    system: System,
    name: str,
    sheet: dict[str, Any],
    typed: Mapping[str, str],
    left: Mapping[str, str],
    reading: Reading,
) -> None:
    """Say what the words have that the sheet does not: other numbers, and words that nobody knows."""
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
    for label, word in left.items():
        if label not in known:
            reading.say(label, f"{word[:60]}: not imported{_suggest(label, plan)}")
        elif str(known[label]) != word and read_whole(word) != known[label]:
            reading.say(label, f"{word[:20]}: the sheet makes it {known[label]}")


def _suggest(label: str, plan: SheetPlan) -> str:
    known = [thing.label for thing in _all_of(plan)]
    near = get_close_matches(label, known, n=1)
    return f"; perhaps {near[0]} is meant" if near and near[0] != label else ""


def _all_of(plan: SheetPlan) -> Iterator[Stat | Selection]:
    yield from plan.selections
    yield from plan.attributes
    yield from plan.skills
