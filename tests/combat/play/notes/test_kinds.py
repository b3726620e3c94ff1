"""What a line of notes is: for each kind some texts, who they are, and what is asked or told."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from combat.play.notes.parts import Group
from combat.play.notes.words import WORDINGS, fill
from tests.combat.play.notes.test_lines import ZONES, read

TEXTS = tomllib.loads(Path(__file__).with_name("kinds.toml").read_text())["texts"]
PLACES = {zone.id: zone.name for zone in ZONES}


def say(group: Group) -> str:
    """A group in a line: “2 Hostage = Bystander [Club] allies @Hall hidden r3”."""
    block = group.source.name if group.source else "written"
    things = ", ".join(entry.name for entry, _ in group.things)
    parts = [
        str(group.count),
        group.title if group.title == block else f"{group.title} = {block}",
        f"[{things}]" * bool(things),
        group.side,
        f"@{PLACES[group.zone]}" if group.zone else "",
        "hidden" * group.hidden,
        f"r{group.arrives}" if group.arrives else "later" * group.later,
        "boss" * group.is_boss,
    ]
    return " ".join(filter(None, parts))


@pytest.mark.parametrize("row", TEXTS, ids=lambda row: row["text"][:60])
def test_a_line_is_what_it_says(row: dict[str, Any]) -> None:
    reading = read(row["text"], row["game"])
    assert [say(group) for group in reading.groups] == row.get("people", [])
    assert [one.words for one in reading.issues if not one.minor] == row.get("asked", [])
    hints = [one for one in reading.hints if not any(x.label.startswith("Add ") for x in one.suggestions)]
    told = [one.words for one in (*reading.issues, *hints) if one.minor]
    assert told == row.get("told", [])


def test_there_are_three_texts_or_more_of_each_kind() -> None:
    kinds = [row["kind"] for row in TEXTS]
    assert not {kind for kind in kinds if kinds.count(kind) < 3}


@pytest.mark.parametrize("row", TEXTS, ids=lambda row: row["text"][:60])
def test_every_suggestion_is_one_that_is_read(row: dict[str, Any]) -> None:
    """A tap answers its question: the same words with the same message are not asked again."""
    reading = read(row["text"], row["game"])
    for number, issue in enumerate(reading.offers):
        for place in range(len(issue.suggestions)):
            again = read(reading.use(number, place), row["game"])
            asked = [(one.words, one.message) for one in reading.offers].count((issue.words, issue.message))
            now = [(one.words, one.message) for one in again.offers].count((issue.words, issue.message))
            assert now < asked, issue.suggestions[place].label


@pytest.mark.parametrize("wording", WORDINGS, ids=lambda one: f"{one.kind}: {one.example}")
def test_each_wording_is_found_in_its_example(wording: Any) -> None:

    assert re.search(fill(wording.pattern), wording.example, re.IGNORECASE)
