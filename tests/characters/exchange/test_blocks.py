"""Text blocks: the lines of a sheet, which give the same lines when read again."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from characters.exchange.blocks import WIDTH, is_block, read_block, write_block
from characters.exchange.previews import preview
from characters.games import check_sheet, find_games, plan_of
from characters.models import Character
from combat.rules.core.sheets.sheets import find_meant
from tests.combat.rules.games import every_slug

Make = Callable[..., Character]
GAMES = {system.slug: system for system in find_games()}


def test_block_has_a_line_for_each_part(make: Make) -> None:
    block = write_block(GAMES["cosmos"], make("Zara", notes="Two\nlines."))
    assert block.splitlines()[:2] == ["Zara", "Game: Cosmos Engine"]
    for line in ("Species: Synaptic", "Career: Military", "Credits: 500", "Skills: Combat 3; Pilot 4"):
        assert line in block.splitlines()
    assert "Attacks: Pistol +9, 1d8, 30 m; " in block.replace("\n  ", " ")
    assert "Pistol (held); Knife; Kevlar" in block.replace("\n  ", " ")
    assert block.endswith("Notes:\nTwo\nlines.\n")
    assert max(map(len, block.splitlines())) <= WIDTH


def test_block_comes_back_with_all_its_words(make: Make) -> None:
    zara = make("Zara", notes="Two\nlines: of notes.")
    block = write_block(GAMES["cosmos"], zara)
    assert is_block(block)
    found = read_block(block, "starshock", {})
    assert found.system == "cosmos"
    assert (found.found.problems, found.found.remarks) == ((), ())
    assert (found.found.name, found.found.notes) == ("Zara", "Two\nlines: of notes.")
    sheet = check_sheet(GAMES["cosmos"], found.found.sheet)
    for field in ("attributes", "skills", "species", "career", "credits", "abilities", "size"):
        assert sheet[field] == zara.sheet[field], field
    assert [i["entry"] for i in sheet["items"]] == [i["entry"] for i in zara.sheet["items"]]


@pytest.mark.parametrize("name", ["[x](y)", "[Ace] Zara", "[", "[1]", "{Zara}", '["Ace"] Zara'])
def test_block_of_a_name_like_json_comes_back(make: Make, name: str) -> None:
    (entry,) = preview(write_block(GAMES["cosmos"], make(name)), "cosmos", {}).sound
    assert entry.found.name == name


def test_wounds_and_conditions_that_a_block_tells_are_remarked(make: Make) -> None:
    hurt = make("Zara", tracks={"hp": 78}, conditions=[{"kind": "bleeding"}])
    found = read_block(write_block(GAMES["cosmos"], hurt), "cosmos", {}).found
    assert [str(remark) for remark in found.remarks] == [
        "Health: 78 of 80 HP, Healthy: not imported",
        "Conditions: Bleeding: not imported",
    ]


def test_negative_numbers_have_a_real_minus_sign_and_come_back() -> None:
    system, negative = GAMES["cepheus"], 0
    for block in system.book.find_blocks().values():
        full = check_sheet(system, {**block.sheet, "name": "One"})
        text = write_block(system, Character(system="cepheus", name="One", sheet=full, notes="", summary=""))
        assert not re.search(r"(?<![A-Za-z\d])-\d", text), text
        negative += " −" in text.partition("Attacks:")[0]
        found = read_block(text, "cosmos", {}).found
        assert not found.problems, text
        assert not any("makes it" in str(one) for one in found.remarks), text
    assert negative


@every_slug
def test_decisions_of_every_stat_block_come_back(slug: str) -> None:
    system = GAMES[slug]
    plan = plan_of(system)
    for block in system.book.find_blocks().values():
        full = check_sheet(system, {**block.sheet, "name": block.name})
        character = Character(system=slug, name=block.name, sheet=full, notes="", summary="")
        found = read_block(write_block(system, character), "cosmos", {}).found
        assert not found.problems, (block.id, found.problems)
        before, after = plan.read(full), plan.read(check_sheet(system, found.sheet))
        assert after.attributes == before.attributes, block.id
        assert told(plan.skills, after.skills, before) == told(plan.skills, before.skills, before), block.id


def told(stats: Any, values: dict[str, int], draft: Any) -> dict[str, int]:
    """The skills that a sheet of this kind has."""
    return {stat.key: values[stat.key] for stat in find_meant(stats, draft.chosen)}


def test_profile_stands_for_the_scores_it_says() -> None:
    system = GAMES["cepheus"]
    block = next(iter(system.book.find_blocks().values()))
    full = check_sheet(system, {**block.sheet, "name": block.name})
    text = write_block(system, Character(system="cepheus", name=block.name, sheet=full, notes=""))
    assert "Profile: " in text
    assert "Strength 7" not in text


def test_what_a_block_cannot_say_again_is_told() -> None:
    found = read_block(
        "Ada\nGame: Cosmos Engine\nMood: bright\nItems: Moon rock\nSkills: Pilot 4; Cooking 2", "cosmos", {}
    ).found
    assert [str(remark) for remark in found.remarks] == [
        "Items: “Moon rock” is not in the catalogue, left out",
        "Mood: bright: not imported",
        "Cooking: 2: not imported",
    ]
