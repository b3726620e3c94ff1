"""Counters on the sheet page: written, printed, and refused at their fields."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from characters.display.counters import list_counters
from characters.models import Character
from combat.rules.core.sheets.sheets import SheetCounter
from tests.characters.conftest import text_of


def sheet_of(character: Character) -> dict[str, Any]:
    return dict(Character.objects.get(pk=character.pk).sheet)


def counter(number: int, name: str, most: str = "3", **more: str) -> dict[str, str]:
    """The fields of a row of counters."""
    fields = {"name": name, "most": most, "left": "", "refills": "hand", **more}
    return {f"counter{number}-{key}": value for key, value in fields.items()}


def test_counters_are_written_on_a_sheet_and_printed(send: Callable[..., Any], zara: Character) -> None:
    luck, charges = counter(0, " Luck ", left="2"), counter(1, "Charges", "4", refills="scene")
    answer = send("counters", **luck, **charges)
    assert list_counters(sheet_of(zara)) == [
        SheetCounter(name="Luck", left=2),
        SheetCounter(name="Charges", most=4, refills="scene"),
    ]
    assert "Luck 2 of 3 Charges each scene 4 of 4" in text_of(answer)
    paper = text_of(send(query="print/"))
    assert "Luck" in paper
    assert "Charges each scene" in paper
    assert "In a fight seen by" not in text_of(send(query="?edit=counters")), "a player hides nothing"
    send("counters", **counter(0, ""), **counter(1, ""), **counter(2, ""))
    assert "counters" not in sheet_of(zara)


@pytest.mark.parametrize(
    ("rows", "field", "words"),
    [
        ((counter(0, "Luck"), counter(1, "LUCK")), "counter1-name", "one of this name already"),
        ((counter(0, "Luck", left="4"), counter(1, "")), "counter0-left", "Must be at most 3."),
        ((counter(0, "Luck", "21"), counter(1, "")), "counter0-most", "Must be 1 to 20."),
        ((counter(0, "x" * 31), counter(1, "")), "counter0-name", "at most 30 characters"),
        ((counter(0, "Luck", refills="often"), counter(1, "")), "counter0-refills", "not one of"),
    ],
)
def test_wrong_counters_are_told_at_their_fields(
    send: Callable[..., Any], zara: Character, rows: tuple[dict[str, str], ...], field: str, words: str
) -> None:
    answer = send("counters", **rows[0], **rows[1])
    assert answer.status_code == 422
    error = re.search(rf'id="edit-{field}_error">(.*?)</ul>', answer.content.decode(), re.DOTALL)
    assert error
    assert words in error[1]
    assert "counters" not in sheet_of(zara)
