"""Nothing is dropped silently: each value of a made-up file is imported, listed, or asked about."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from combat.rules.cepheus.characters.foreign import READERS
from combat.rules.cepheus.characters.foreign.items import ITEMS
from combat.rules.core.sheets.foreign import Bookkeeping, Foreign, ForeignItem, Source, says_something
from tests.combat.rules.cepheus.characters.foreign.actors import (
    BEAST,
    LOOKOUT,
    RIG,
    SENTRY,
    armor,
    item,
    weapon,
)

READER, _, TABLED, LISTED, LINES, _ = READERS
NONCE = "qzx"  # is in no name, so a search finds where it went
ACTORS = [LOOKOUT, BEAST, SENTRY, RIG]
THINGS = [weapon("Old Musket", "3d6", equipped="equipped"), armor("Plate", 3), item("equipment", "Thermos")]
NAMES = st.from_regex(rf"{NONCE}[a-z]{{1,6}}(\.[a-z]{{1,3}})?", fullmatch=True)
WORDS = st.from_regex(rf"{NONCE}[a-z]{{2,8}}", fullmatch=True)
VALUES = (
    WORDS | st.lists(WORDS, min_size=1, max_size=2) | st.dictionaries(NAMES, WORDS, min_size=1, max_size=2)
)


def said(found: Foreign | ForeignItem) -> str:
    """All results for an actor, in one text."""
    return json.dumps(msgspec.to_builtins(found), ensure_ascii=False).casefold()


def tables_of(data: Any) -> Iterator[dict[str, Any]]:
    """The tables of an actor in which a program may have more fields."""
    yield data
    yield from (value for value in data["system"].values() if isinstance(value, dict))
    yield data["system"]
    for one in data["items"]:
        yield one
        yield one["system"]


def words_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (word for inner in value.values() for word in words_in(inner))
    elif isinstance(value, list):
        yield from (word for inner in value for word in words_in(inner))


@given(st.sampled_from(ACTORS), st.integers(0, 40), NAMES, VALUES)
def test_field_that_nobody_knows_is_listed(sound: dict[str, Any], place: int, name: str, value: Any) -> None:
    data = copy.deepcopy(sound)
    tables = list(tables_of(data))
    table = tables[place % len(tables)]
    names = [one["name"] for one in data["items"] if table is one["system"]]
    is_left_out = names[:1] in (["Night owl"], ["Unarmed"], ["Crew Cabin"])  # listed as a whole
    assume(not is_left_out and name not in table)
    table[name] = value
    (found,) = READER.read(data, {})
    for word in words_in(value):
        assert word in said(found), (word, found.remarks)


def leaves(data: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The paths of the plain fields of a table."""
    for name, value in data.items():
        if isinstance(value, dict):
            yield from leaves(value, (*path, name))
        else:
            yield (*path, name)


def put(data: Any, path: tuple[str, ...], value: Any) -> None:
    for name in path[:-1]:
        data = data[name]
    data[path[-1]] = value


KNOWN = [(sound, path) for sound in ACTORS for path in leaves(sound["system"])]
IGNORED = {  # fields that the program counts or keeps for itself: the preview names them for every such file
    "name", "docReference", "untrainedSkill", "key", "label", "shortLabel", "min", "lastDelta", "rangeUnits",
}  # fmt: skip


@given(st.sampled_from(KNOWN), WORDS)
def test_known_field_with_a_strange_value_is_listed(
    known: tuple[dict[str, Any], tuple[str, ...]], word: str
) -> None:
    sound, path = known
    counted = path[0] in ("encumbrance",) or path[-2:-1] in (("stamina",), ("lifeblood",))
    assume(path[-1] not in IGNORED and not counted)
    data = copy.deepcopy(sound)
    put(data["system"], path, word)
    (found,) = READER.read(data, {})
    worn = path in (("primaryArmor", "value"), ("secondaryArmor", "value"))  # counted from worn items
    assert word in said(found) or worn, (path, found.remarks, found.problems)


FIELDS = [(thing, path) for thing in THINGS for path in leaves(thing["system"])]


@pytest.mark.parametrize(("thing", "path"), FIELDS, ids=lambda value: str(value)[:30])
def test_field_of_an_item_with_a_strange_value_is_listed(thing: Any, path: tuple[str, ...]) -> None:
    if path[-1] in ("name", "type", "docReference"):
        return
    data = copy.deepcopy(thing)
    put(data["system"], path, NONCE)
    (alone,) = ITEMS.read(data, {})
    assert NONCE in said(alone) or path == ("equipped",), (path, alone)
    (worn,) = READER.read({**LOOKOUT, "items": [data]}, {})
    assert NONCE in said(worn), (path, worn.remarks)


# ---------------------------------------------------------------- sources

TABLES = st.recursive(
    st.text(max_size=4) | st.integers(0, 3) | st.booleans() | st.none(),
    lambda inner: st.dictionaries(st.text(max_size=4), inner, max_size=3) | st.lists(inner, max_size=2),
    max_leaves=8,
)


def count_leaves(data: dict[str, Any]) -> int:
    inner = (count_leaves(v) if isinstance(v, dict) else int(says_something(v)) for v in data.values())
    return sum(inner)


@given(st.dictionaries(st.text(max_size=4), TABLES, max_size=4), st.sampled_from(["a", "a.b", "b"]))
def test_source_lists_exactly_what_was_not_taken(data: dict[str, Any], path: str) -> None:
    source = Source(data)
    value = source.take(path)
    taken = count_leaves({"": value})
    source.list_rest(Bookkeeping(""))
    assert len(source.remarks) == count_leaves(data) - taken


@pytest.mark.parametrize(
    ("path", "value", "listed"),
    [
        ("a.key", "x", False),
        ("b.key", "x", True),
        ("a.b.key", "x", True),
        ("c", "7", False),
        ("c", "8", True),
        ("d.deep.inside", "x", False),
    ],
)
def test_bookkeeping_is_of_exact_places(path: str, value: str, listed: bool) -> None:
    data: dict[str, Any] = {}
    *heads, last = path.split(".")
    inner = data
    for head in heads:
        inner = inner.setdefault(head, {})
    inner[last] = value
    source = Source(data)
    source.list_rest(Bookkeeping("a.* c=7 d" if path != "a.b.key" else "a.*.other c=7 d"))
    assert bool(source.remarks) is listed


# ---------------------------------------------------------------- texts

LIST = [
    "Jane 789A77 Age 30",
    "Navy (2) Cr1,000",
    "Pilot-2, Zero-G 0",
    "Blade, Binoculars x 2",
    "Born on a ship",
]
TABLE = [
    "Jane permalink",
    "Age\tStr\tDex\tEnd\tInt\tEdu\tSoc",
    "30\t" + "\t".join(["7 (+0)"] * 6),
    "Skills",
    "Pilot 2",
    "History",
    "1\t22\tLong trip",
]
INSERTED = WORDS | WORDS.map(lambda word: f"{word} 2") | WORDS.map(lambda word: f"{word}-1, Admin-0")
LONG = st.integers(0, 5000).map(lambda count: "x " * count)


@given(st.sampled_from([(LISTED, LIST), (TABLED, TABLE)]), st.integers(0, 7), INSERTED, LONG, st.booleans())
@example((LISTED, LIST), 1, f"{NONCE}guard captain", "x " * 999, True)  # the cut is at the last white space
@example((TABLED, TABLE), 3, f"{NONCE}guard captain", "x " * 999, True)
def test_line_of_a_text_is_read_or_listed(
    form: tuple[Any, list[str]], place: int, text: str, before: str, alone: bool
) -> None:
    reader, lines = form
    lines = list(lines)
    at = place % len(lines)
    if alone:
        lines.insert(at, before + text)
    else:
        sign = "\t" if "\t" in lines[at] else " " if reader is LISTED else "\t"
        lines[at] += f"{sign}{text}"
    found = reader.read("\n".join(lines), {})
    (number,) = [number for number, line in enumerate(lines, 1) if NONCE in line]
    (word,) = [word for word in text.replace(",", " ").replace("-", " ").split() if word.startswith(NONCE)]
    told = " ".join(map(said, found))
    assert word in told or (before and f"line {number}" in told), found


@given(st.lists(st.sampled_from(["Pilot-2", "rifle", "Cr500", "Zero-G 0"]), max_size=3), WORDS, st.booleans())
def test_word_of_a_line_is_read_or_refused(parts: list[str], word: str, is_level: bool) -> None:
    line = f"Jane 789A77 {', '.join([*parts, f'{word}-1' if is_level else word])}"
    (found,) = LINES.read(line, {})
    assert word in said(found)
