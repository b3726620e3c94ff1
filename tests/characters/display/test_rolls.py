"""Checks rolled on the sheet: the sum, the chance, typed dice and digital ones, and the result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from django import forms
from django.http import QueryDict
from django.test import Client

from characters.display.rolls import HEIGHT, STEP, RollForm, open_form
from characters.games import make_state, plan_of
from characters.models import Character, CharacterRoll
from combat.rules import find_system
from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.commands.commands import Preview
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.sheets import ME
from tests.characters.conftest import text_of
from tests.combat.markup import Page
from tests.combat.rules.games import every_game


def test_check_form_shows_the_sum_and_the_chance(send: Callable[..., Any]) -> None:
    words = text_of(send(query="?roll=check&skill=Pilot&attribute=COO&at=s-pilot"))
    assert "Coordination ACT-03 +7 Half Pilot ACT-03 +2 2d10 vs TN 14 +9" in words
    assert "94 % to succeed" in words
    assert "2d10 +7 Coordination +2 Half Pilot TN 14 Why" in words, "the sum is a line"


def test_bars_of_a_check_show_all_sums_and_those_that_succeed(zara: Character) -> None:
    asked = QueryDict("attribute=COO&skill=Pilot&tn=14")
    form = open_form(find_system("cosmos"), zara, "check", asked)
    assert [bar.total for bar in form.bars] == list(range(2 + 9, 20 + 9 + 1))
    reached = sum(bar.height for bar in form.bars if bar.reaches) / sum(bar.height for bar in form.bars)
    assert f"{100 * reached:.0f}" == form.chance == "94"
    assert form.say_bars == "Sums from 11 to 29; 14 or more succeeds"
    assert max(bar.height for bar in form.bars) == form.bars[9].height == HEIGHT


def test_check_without_a_number_shows_modifiers_and_all_its_sums(ana_client: Client, zara: Character) -> None:
    form = open_form(find_system("cosmos"), zara, "initiative", QueryDict())
    assert (form.chance, form.number) == ("", None)
    assert all(bar.reaches for bar in form.bars)
    words = text_of(ana_client.get(f"/characters/{zara.pk}/odds/", {"roll": "initiative"}))
    assert f"+{form.total} and {form.preview.dice}" in words


def test_odds_follow_the_form(ana_client: Client, zara: Character) -> None:
    address = f"/characters/{zara.pk}/odds/"
    words = text_of(ana_client.get(address, {"roll": "save", "attribute": "MIG", "tn": "17"}))
    assert "28 % to succeed" in words
    assert "2d10 +3 Might TN 17 Why Might R4 +3 2d10 vs TN 17 +3" in words
    adjusted = text_of(
        ana_client.get(
            address, {"roll": "save", "attribute": "MIG", "tn": "17", "adjust": "2", "because": "help"}
        )
    )
    assert "Situational: help R4 +2" in adjusted
    refused = text_of(ana_client.get(address, {"roll": "save", "attribute": "LUCK"}))
    assert "Choose one of PRE" in refused


def test_typed_dice_are_told_on_the_sheet(send: Callable[..., Any]) -> None:
    fields = {"roll": "check", "attribute": "COO", "skill": "Pilot", "tn": "17", "dice": "table"}
    words = text_of(send("roll", **fields, **{"face-1": "3", "face-2": "5", "why": "the canyon"}))
    assert "Zara rolls for “the canyon” (Pilot 17 vs TN 17): success." in words
    assert "2d10 3 5 rolled at the table" in words
    assert "Pilot (the canyon)" in words


def test_words_of_a_roll_are_kept_without_what_no_database_takes(send: Callable[..., Any]) -> None:
    more = {"why": "a\x00b\nc", "adjust": "\N{MINUS SIGN}1", "because": "d\x00e"}
    assert (
        send("roll", roll="check", attribute="MIG", skill="", tn="14", dice="app", **more).status_code == 200
    )
    kept = str(CharacterRoll.objects.get().lines)
    assert "a b c" in kept
    assert "Situational: d e" in kept
    assert "\\x00" not in kept


def test_digital_dice_are_rolled_by_the_server(send: Callable[..., Any], zara: Character) -> None:
    answer = send("roll", roll="save", attribute="MIG", tn="14", dice="app")
    (line,) = CharacterRoll.objects.get().lines
    assert (line["roll"]["source"], len(line["roll"]["faces"])) == ("app", 2)
    assert line["text"] in text_of(answer)
    assert f'data-announce="{line["text"]}"' in answer.content.decode()
    assert Character.objects.get().version == zara.version  # a roll changes nothing


def test_result_is_told_where_the_check_was_opened(send: Callable[..., Any], zara: Character) -> None:
    fields = {"roll": "save", "attribute": "MIG", "tn": "14", "dice": "table", "face-1": "3", "face-2": "5"}
    page = send("roll", at="a-mig", **fields).content.decode()
    told = page[page.index('id="told-roll"') : page.index('id="gear"')]
    assert "11 vs TN 14" in told
    assert page.index('id="attributes"') < page.index('id="told-roll"')
    assert 'id="told-roll"' not in send().content.decode()
    assert send("roll", htmx=False, **fields)["Location"] == f"/characters/{zara.pk}/?part=skills#rolls"


def test_initiative_is_rolled(send: Callable[..., Any]) -> None:
    words = text_of(send("roll", roll="initiative", dice="table", **{"face-1": "7"}))
    assert "Zara rolls initiative (15)." in words


def test_wounds_count_in_checks(send: Callable[..., Any]) -> None:
    send("track", track="hp", how="set", points="50")
    words = text_of(
        send(
            "roll",
            roll="check",
            attribute="COO",
            skill="",
            tn="14",
            dice="table",
            **{"face-1": "5", "face-2": "5"},
        )
    )
    assert "Zara rolls Coordination (16 vs TN 14): success." in words
    assert "Wounded STATE-07 −1" in words


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"roll": "check", "attribute": "LUCK"}, "Choose one of PRE"),
        ({"roll": "check", "attribute": "MIG", "skill": "Magic"}, "There is no skill “Magic”"),
        ({"roll": "save", "attribute": "MIG", "tn": "999"}, "A target number is 2 to 60"),
        ({"roll": "save", "attribute": "MIG", "tn": "x"}, "must be a whole number"),
        ({"roll": "save", "attribute": "MIG", "adjust": "lots"}, "must be a whole number"),
        ({"roll": "teleport"}, "no such check"),
        (
            {"roll": "save", "attribute": "MIG", "dice": "table", "face-1": "11", "face-2": "1"},
            "A d10 shows 1 to 10",
        ),
        (
            {"roll": "save", "attribute": "MIG", "dice": "table", "face-1": "5"},
            "2d10 needs 2 dice, 1 was given",
        ),
        ({"roll": "save", "attribute": "MIG", "dice": "table"}, "Enter each die"),
        (
            {"roll": "save", "attribute": "MIG", "dice": "table", "face-1": "5", "face-2": "?"},
            "Enter each die",
        ),
    ],
)
def test_rolls_that_cannot_be_are_refused_in_words(
    send: Callable[..., Any], fields: dict[str, str], message: str
) -> None:
    answer = send("roll", **fields)
    assert answer.status_code == 422
    assert message in text_of(answer)
    assert not CharacterRoll.objects.exists()


@every_game
def test_form_of_a_check_asks_for_words_only_where_it_needs_them(system: System) -> None:
    block = next(iter(system.book.find_blocks().values()))
    state = make_state(system, "Ada", block.sheet)
    for action in plan_of(system).checks.values():
        needed = {field.name for field in msgspec.structs.fields(action.type) if field.required}
        words = {
            field.name: field.required for field in action.find_fields(state, ME) if field.kind == "text"
        }
        assert all(name in needed for name, required in words.items() if required), action.name


def test_last_twenty_rolls_have_their_luck_and_can_be_made_again(
    send: Callable[..., Any], ana_client: Client, zara: Character
) -> None:
    fields = {
        "roll": "check",
        "attribute": "COO",
        "skill": "Pilot",
        "tn": "17",
        "dice": "table",
        "at": "s-pilot",
    }
    for first in range(1, 11):
        send("roll", **fields, **{"face-1": str(first), "face-2": "10"})
    page = Page(send().content.decode())
    luck = page.one("p", class_="my-luck")
    assert luck.text == "+4.5 a roll: 15.5 on average with 2d10, 11 expected (10)"
    again = [one for one in page.all("a", class_="btn") if one.text.startswith("Again")]
    assert len(again) == 10
    form = Page(ana_client.get(f"/characters/{zara.pk}/{again[0]['href']}").content.decode())
    assert form.one("input", name="tn")["value"] == "17"
    assert "Pilot" in form.one("form", id="roll-form").text


def test_an_old_roll_has_no_way_to_make_it_again(send: Callable[..., Any]) -> None:
    send("roll", roll="save", attribute="MIG", tn="14", dice="app")
    kept = CharacterRoll.objects.get()
    kept.lines[0].pop("again")
    kept.save()
    assert not [one for one in Page(send().content.decode()).all("a") if one.text.startswith("Again")]


def test_bars_show_how_likely_each_sum_is() -> None:
    """Two dice of six sides and +2: from 4 in one of 36 to 9 in six, and the most likely is full."""
    action = next(iter(plan_of(find_system("cosmos")).checks.values()))
    preview = Preview(modifiers=(Modifier("Skill", 2),), against=(Modifier("Number", 8),), dice="2d6")

    def make(**changes: Any) -> RollForm:
        return RollForm(action, forms.Form(), msgspec.structs.replace(preview, **changes))

    form = make()
    parts = [one / 6 for one in (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)]
    assert [(one.total, one.x, one.y, one.height, one.reaches) for one in form.bars] == [
        (4 + n, STEP * n + 1, round(HEIGHT * (1 - part), 2), round(HEIGHT * part, 2), 4 + n >= 8)
        for n, part in enumerate(parts)
    ]
    assert (form.width, form.sides) == (11 * STEP, (6, 6))
    assert form.say_bars == "Sums from 4 to 14; 8 or more succeeds"
    free = make(against=())
    assert all(one.reaches for one in free.bars)
    assert free.say_bars == "Sums from 4 to 14"
    for none in (make(modifiers=()), make(dice=""), make(dice="20d6")):
        assert (none.bars, none.width, none.say_bars) == ((), 0, "")
