"""An import costs work that grows with its length, and no faster, whatever strangers send."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pytest

from characters.exchange import previews
from characters.exchange.item_imports import preview_items
from characters.exchange.previews import MAX_LINES
from characters.exchange.reading import MAX_BYTES, MAX_DOCUMENT_BYTES, MAX_PLAIN, ValidationFailed, read_text
from combat.play.notes.glossary import make_glossary
from combat.play.notes.lists import MAX_LIST, write_notes
from combat.play.notes.notes import MAX_TEXT, read_notes
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from tests.combat.rules.cepheus.characters.foreign.test_mongoose import make_actor, thing, weapon
from tests.work import count_calls

LEAST, TIMES = 200, 8  # parts of the smaller text, and how much larger the other one is
SLACK = 1.5  # times that: quadratic growth would take eight times as much again
MOST_CALLS = 5_000_000  # for the largest file: about a second


def _document(**sheet: Any) -> str:
    one = {"system": "cepheus", "name": "Bob", "sheet": sheet}
    return json.dumps({"format": "cosmos-table-characters", "version": 1, "characters": [one]})


def _actor(**more: Any) -> str:
    return json.dumps({"name": "Bob", "type": "traveller", "system": {"characteristics": {}}, **more})


def _block(*lines: str) -> str:
    return "\n".join(["Bob", "Game: cepheus", *lines])


HEAD = "Bob (male) 868774 Age 42\nAdmin-1\n"
SHAPES: dict[str, Callable[[int], str]] = {
    "unknown labels": lambda n: _block(*(f"Strenght{i}: 7" for i in range(n))),
    "unknown skills": lambda n: _block("Skills: " + "; ".join(f"Pilott{i} 1" for i in range(n))),
    "unknown things": lambda n: _block("Items: " + "; ".join(f"Pistoll{i}" for i in range(n))),
    "known things": lambda n: _block("Items: " + "pistol; " * n),
    "lines going on": lambda n: _block("Notes: x", *["  a"] * n),
    "cells": lambda n: "Name,Game,Items\nBob,cepheus," + "foo; " * n,
    "rows": lambda n: "Name,Game\n" + "Bob,cepheus\n" * (n // 20),
    "words in a line": lambda n: "Guard 868774 " + "and " * n,
    "hyphens in a line": lambda n: "Guard 868774 a" + "- " * n,
    "things of one person": lambda n: HEAD + "Blade x 2\n" * n,
    "skills of one person": lambda n: HEAD + "Admin-1, Zero-G-0\n" * n,
    "people": lambda n: (HEAD + "\n") * n,
    "rows of a table": lambda n: "Bob permalink\n" + "7 (+0)\t" * 6 + "\nSkills\n" + "Admin-1\n" * n,
    "numbers": lambda n: json.dumps([1] * n),
    "wrong items": lambda n: _document(items=[1] * n),
    "items of one id": lambda n: _document(items=[{"id": "i", "name": "x"}] * n),
    "unknown fields": lambda n: _document(**{f"f{i}": i for i in range(n)}),
    "unknown skills of a document": lambda n: _document(skills={f"f{i}": 1 for i in range(n)}),
    "fields of an actor": lambda n: _actor(system={f"f{i}": {"a": {"b": i}} for i in range(n)}),
    "skills of an actor": lambda n: _actor(
        items=[{"name": f"Pilott{i}", "type": "skills", "system": {"value": 1}} for i in range(n)]
    ),
    "things of a traveller": lambda n: json.dumps(
        make_actor(items=[weapon(f"W{i}", "guncombat.slug", "3D6", 20) for i in range(n)])
    ),
    "skills of a traveller": lambda n: json.dumps(
        make_actor(system={"skills": {f"skill{i}": {"value": 1, "trained": True} for i in range(n)}})
    ),
    "travellers": lambda n: json.dumps([make_actor(name=f"Jane {i}") for i in range(n)]),
}
ITEM_SHAPES: dict[str, Callable[[int], str]] = {
    "items": lambda n: json.dumps([thing("armour", f"Suit {i}", armour={"protection": 3}) for i in range(n)]),
    "fields of an item": lambda n: json.dumps(thing("item", "Tea", **{f"f{i}": {"a": i} for i in range(n)})),
}
LIST_SHAPES: dict[str, Callable[[int], str]] = {
    "combatants": lambda n: json.dumps([{"name": f"Pirate {i}", "hp": i, "maxHP": n} for i in range(n)]),
    "fields of a combatant": lambda n: json.dumps([{"name": "Pirate", **{f"f{i}": i for i in range(n)}}]),
    "brackets": lambda n: "[" * n,
}
NOTES_SHAPES: dict[str, Callable[[int], str]] = {
    "with": lambda n: "2 pirates with " * n,
    "stops": lambda n: ". " * n,
    "cells of notes": lambda n: "a|" * n,
    "rows of notes": lambda n: "a\tb\tc\n" * n,
    "parts": lambda n: "4 thugs" + ", 1 with clubs" * n,
    "brackets of notes": lambda n: "2 pirates " + "(a" * n,
    "labels": lambda n: "a: " * n,
    "headings": lambda n: "Hall\n" * n,
}


def _read(text: str) -> None:
    with suppress(ValidationFailed):
        previews.preview(read_text(text.encode()), "cepheus", {})


def _read_items(text: str) -> None:
    with suppress(ValidationFailed):
        preview_items(read_text(text.encode()), "cepheus", {})


def _read_list(text: str) -> None:
    system = find_system("cosmos")
    with suppress(Refused):
        read_notes(write_notes(text, system), make_glossary(system, system.begin(), "allies"))


def _read_notes(text: str) -> None:
    system = find_system("cosmos")
    read_notes(text[:MAX_TEXT], make_glossary(system, system.begin(), "allies"))


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_work_for_a_text_grows_no_faster_than_its_length(shape: str) -> None:
    make = SHAPES[shape]
    _read(make(20))  # fill the caches first
    few, many = (count_calls(partial(_read, make(n))) for n in (LEAST, LEAST * TIMES))
    assert many <= TIMES * SLACK * few


def _fill(make: Callable[[int], str], most: int) -> str:
    """A text of a shape that has nearly so many characters."""
    each = (len(make(20_000)) - len(make(10_000))) / 10_000
    return make(int(0.9 * most / each))


LARGEST = {  # of the shapes those that cost most, each in the largest file that is read
    **{name: (_read, SHAPES[name], MAX_PLAIN) for name in ("wrong items", "unknown fields")},
    **{
        name: (_read, SHAPES[name], MAX_BYTES)
        for name in ("unknown skills", "words in a line", "fields of an actor", "skills of a traveller")
    },
    **{name: (_read_items, make, MAX_BYTES) for name, make in ITEM_SHAPES.items()},
    **{name: (_read_list, make, MAX_LIST) for name, make in LIST_SHAPES.items()},
    **{name: (_read_notes, make, 2 * MAX_TEXT) for name, make in NOTES_SHAPES.items()},
}


@pytest.mark.slow
@pytest.mark.parametrize("shape", LARGEST)
def test_largest_file_costs_bounded_work(shape: str) -> None:
    read, make, most = LARGEST[shape]
    text = _fill(make, most)
    read(make(20))  # fill the caches first
    assert count_calls(partial(read, text)) <= MOST_CALLS


@pytest.mark.parametrize(
    "shape", ["things of one person", "skills of one person", "people", "rows of a table"]
)
def test_longer_texts_are_refused_before_they_are_read(shape: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        previews.preview(SHAPES[shape](MAX_LINES + 1), "cepheus", {})
    assert refused.value.problems[0].message.endswith("lines; at most 5,000 are read at once")


@pytest.mark.slow
def test_larger_files_are_refused_unread() -> None:
    picture = "A" * (MAX_DOCUMENT_BYTES - 1000)
    with_picture = '{"format": "cosmos-table-characters", "portrait": "%s"}'
    assert read_text((with_picture % picture).encode())
    for text, said in (
        ("x" * (MAX_BYTES + 1), "is larger than 1 MB"),
        (with_picture % ("A" * MAX_DOCUMENT_BYTES), "is larger than 8 MB"),
        (_document(items=[1] * MAX_PLAIN), "is larger than 2 MB without its pictures"),
        (with_picture % ('", "portrait": "' * (MAX_PLAIN // 10)), "is larger than 2 MB without its pictures"),
    ):
        with pytest.raises(ValidationFailed) as refused:
            read_text(text.encode())
        assert refused.value.problems[0].message == said
