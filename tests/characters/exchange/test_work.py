"""An import costs work that grows with its length, and no faster, whatever strangers send."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from characters.exchange import previews
from characters.exchange.reading import ValidationFailed
from tests.work import count_calls

LEAST, TIMES = 200, 8  # parts of the smaller text, and how much larger the other one is
SLACK = 1.5  # times that: quadratic growth would take eight times as much again


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
}


def _count(text: str) -> int:
    def read() -> None:
        with suppress(ValidationFailed):
            previews.preview(text, "cepheus", {})

    return count_calls(read)


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_work_for_a_text_grows_no_faster_than_its_length(shape: str) -> None:
    make = SHAPES[shape]
    _count(make(20))  # fill the caches first
    few, many = _count(make(LEAST)), _count(make(LEAST * TIMES))
    assert many <= TIMES * SLACK * few
