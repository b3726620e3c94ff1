"""Lists of people as JSON: each with a name, a profile (“upp”) and skills, perhaps money and things."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from combat.rules.core.basics.checking import Problem, tidy, without_unseen
from combat.rules.core.basics.errors import Refused
from combat.rules.core.sheets.foreign import (
    Asker,
    Bookkeeping,
    Foreign,
    Reader,
    Source,
    limit_remarks,
    read_number,
    say_value,
    says_something,
)

from ..one_line_npc import find_known, looks_like_profile, make_items, read_profile
from .pasted import MAX_COUNT, MAX_CREDITS, MAX_NAME, MAX_PEOPLE, match_counted, match_level
from .skills import SkillList

PEOPLE = ("characters", "people", "npcs", "crew")
PROFILES, MONEY, THINGS = (
    ("upp", "UPP", "profile"),
    ("credits", "cash", "money"),
    ("weapons", "weapon", "armor", "armour", "equipment", "gear", "items"),
)
COUNTS = ("quantity", "count", "qty", "amount", "number")  # of an item
TOLD = {"age": "Age", "species": "Species", "career": "Career", "notes": "", "description": ""}
MAX_TOLD = 6  # names of figures in a remark
NOTHING = Bookkeeping("id _id img")


def _list_people(data: Any) -> list[Any]:
    if isinstance(data, dict):
        inner = next((data[name] for name in PEOPLE if isinstance(data.get(name), list)), None)
        return [data] if inner is None else inner
    return data if isinstance(data, list) else []


def _find_profile(data: Any) -> str:
    """The profile of a person, as the table spells its field; empty if there is none."""
    words = (data.get(name) for name in PROFILES) if isinstance(data, dict) else ()
    plain = (without_unseen(word).strip() for word in words if isinstance(word, str))
    return next((word for word in plain if looks_like_profile(word)), "")


def recognizes(data: Any) -> bool:
    """Whether a document has people with a name and a profile."""
    return any(_find_profile(one) and "name" in one for one in _list_people(data)[:MAX_PEOPLE])


def read(data: Any, answers: Mapping[str, str]) -> tuple[Foreign, ...]:
    """The people of such a list, each with their problems."""
    people = _list_people(data)
    found = tuple(_read_one(one, n, Asker(answers, f"{n}.")) for n, one in enumerate(people[:MAX_PEOPLE], 1))
    if len(people) <= MAX_PEOPLE:
        return found
    text = f"has {len(people)} people; at most {MAX_PEOPLE} are read at once"
    return (*found, Foreign(name="", sheet={}, problems=(Problem("the document", text),)))


def _read_one(data: Any, number: int, asker: Asker) -> Foreign:
    place = f"person {number}"
    if not isinstance(data, dict):
        return Foreign(name="", sheet={}, problems=(Problem(place, "must be a table of named values"),))
    source = Source(data)
    source.pass_over(*PROFILES)
    name = tidy(source.take_text("name"))
    if not 1 <= len(name) <= MAX_NAME:
        source.problem("name", f"must have 1 to {MAX_NAME} characters")
    skills, entries = _read_skills(source), list(_read_things(source))
    sheet = {
        "name": name[:MAX_NAME],
        "kind": "person",
        "attributes": _read_scores(source, _find_profile(data)),
        "skills": skills.settle([entry for entry, _ in entries], asker),
        "items": make_items(entries),
        "credits": _read_money(source),
    }
    notes = [(label, source.take_text(field)) for field, label in TOLD.items()]
    source.list_rest(NOTHING)
    return Foreign(
        name=name[:MAX_NAME],
        sheet=sheet,
        notes="\n".join(f"{label}: {text}" if label else text for label, text in notes if text),
        remarks=limit_remarks([*source.remarks, *skills.remarks, *asker.remarks]),
        problems=tuple(Problem(f"{place}, {problem.place}", problem.message) for problem in source.problems),
        questions=asker.list_questions(),
    )


def _read_scores(source: Source, profile: str) -> dict[str, int]:
    try:
        return read_profile(profile)
    except Refused as refused:
        source.problem("upp", refused.message)
        return {}


def _read_money(source: Source) -> int:
    found = next((name for name in MONEY if name in source.data), "")
    return source.take_whole(found, 0, MAX_CREDITS) if found else 0


def _read_skills(source: Source) -> SkillList:
    """Skills as a table of levels, as a list of words or tables, or as one text with commas."""
    skills, value = SkillList(), source.take("skills")
    listed = value.split(",") if isinstance(value, str) else value
    if isinstance(listed, dict):
        listed = [{"name": name, "level": level} for name, level in listed.items()]
    for one in listed if isinstance(listed, list) else []:
        if isinstance(one, dict):
            words, level = tidy(str(one.get("name", ""))), read_number(one.get("level", one.get("value")))
        else:
            words, level = match_level(tidy(one)) or ("", None) if isinstance(one, str) else ("", None)
        if words and level is not None:
            skills.add(words, level, "skills")
        elif says_something(one):
            source.remark("skills", f"{say_value(one)}: no skill with a level")
    if not isinstance(listed, list):
        source.leave("skills", value)
    return skills


def _read_things(source: Source) -> Iterator[tuple[Any, int]]:
    """The items of the catalogue by name and number; a remark for all others."""
    for field in THINGS:
        value = source.take(field)
        listed = value.split(",") if isinstance(value, str) else [value] if isinstance(value, dict) else value
        if not isinstance(listed, list):
            source.leave(field, value)
            continue
        for one in listed:
            name, count = _read_thing(one)
            entry = find_known(name) if name else None
            if entry is not None and 1 <= count <= MAX_COUNT:
                _tell_figures(source, field, name, one)
                yield entry, count
            else:
                source.leave(field, one)


def _read_thing(one: Any) -> tuple[str, int]:
    """The name of an item and how many there are, from its words or its table; no name for anything else."""
    words = one.get("name", "") if isinstance(one, dict) else one
    name, count = match_counted(tidy(words)) if isinstance(words, str) else ("", 1)
    stated = next((one[key] for key in COUNTS if key in one), None) if isinstance(one, dict) else None
    if stated is None:
        return name, count
    number = read_number(stated)
    return (name, number) if number is not None else ("", 1)


def _tell_figures(source: Source, field: str, name: str, one: Any) -> None:
    """Tell which figures of an item stay behind, since it is the one of the catalogue."""
    known = {"name", *COUNTS, "id", "_id", "img"}
    rest = (
        [key for key, value in one.items() if key not in known and says_something(value)]
        if isinstance(one, dict)
        else []
    )
    if rest:
        listed = ", ".join(tidy(str(key))[:20] for key in rest[:MAX_TOLD])
        source.remark(field, f"{name[:40]}: as in the catalogue, without {listed}")


LISTED_JSON = Reader(
    key="listed-json",
    label="People with profiles (JSON)",
    text=(
        "A list of people, each with “name”, “upp” such as 777A87, and “skills” such as “Pilot-1” or a table "
        "of levels; also “credits”, “weapons”, “armor” and “equipment”."
    ),
    stays="Scores, skills, money and items of the catalogue are read. The rest is listed and left out.",
    recognizes=recognizes,
    read=read,
)
