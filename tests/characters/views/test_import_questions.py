"""Questions of the import preview: nothing is stored until each has one of its options as its answer."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from characters.exchange.reading import MAX_QUESTIONS
from characters.models import Character
from tests.characters.conftest import text_of
from tests.combat.rules.cepheus.characters.foreign.actors import LOOKOUT, actor, armor, being, skill, weapon

IMPORT, GEAR = "/characters/import/", "/gear/own/import/"
GUN_COMBAT = "ask-1.skill0"
JANE = "Jane 789A77 Gun Combat 2"
TABLE = 'Name,Game,Skills,Weapons,Armor\nJo,cepheus,"Pilot 2, Zero-G 0, Drive 1",Rifle; Blade,Cloth\n'


def send(client: Client, text: Any, **more: str) -> Any:
    raw = text if isinstance(text, str) else json.dumps(text)
    return client.post(IMPORT, {"text": raw, "game": "cepheus", **more})


def selects(answer: Any) -> dict[str, dict[str, Any]]:
    """The choices of a page by name: the options, and the selected one."""
    page = answer.content.decode()
    found = {}
    for name, inner in re.findall(r'<select name="(ask-[^"]*)"[^>]*>(.*?)</select>', page, re.S):
        options = re.findall(r'<option value="([^"]*)"( selected)?>', inner)
        found[unescape(name)] = {
            "options": [key for key, _ in options],
            "chosen": next((key for key, is_chosen in options if is_chosen), ""),
        }
    return found


def test_preview_asks_with_a_choice_for_each_question(ana_client: Client) -> None:
    shown = send(ana_client, JANE)
    assert shown.status_code == 200
    (choice,) = selects(shown).values()
    assert choice["chosen"] == ""
    assert choice["options"][:2] == ["", "archery"]
    assert "Gun Combat 2: which skill?" in text_of(shown)
    assert "The file leaves 1 thing open" in text_of(shown)


def test_answer_decides_what_is_stored(ana_client: Client) -> None:
    send(ana_client, JANE, confirm="1", **{GUN_COMBAT: "shotgun"})
    made = Character.objects.get()
    assert made.sheet["skills"] == {"shotgun": 2}
    assert "Gun Combat 2: which skill? Shotgun" in made.notes


@pytest.mark.parametrize(
    "answers", [{}, {GUN_COMBAT: ""}, {GUN_COMBAT: "magic"}, {"ask-2.skill0": "shotgun"}, {"ask-": "shotgun"}]
)
def test_nothing_is_stored_without_an_answer_that_is_an_option(
    ana_client: Client, answers: dict[str, str]
) -> None:
    refused = send(ana_client, JANE, confirm="1", **answers)
    assert refused.status_code == 422
    assert "Nothing was imported." in text_of(refused)
    assert 'aria-invalid="true"' in refused.content.decode()
    assert not Character.objects.exists()


def test_one_open_question_keeps_all_of_a_file_out(ana_client: Client) -> None:
    text = f"Ann 777777 Admin-1\n{JANE}"
    assert send(ana_client, text, confirm="1").status_code == 422
    assert not Character.objects.exists()
    send(ana_client, text, confirm="1", **{"ask-2.skill0": "left_out"})
    assert sorted(made.name for made in Character.objects.all()) == ["Ann", "Jane"]


def test_preview_is_shown_again_with_the_choices_made(ana_client: Client) -> None:
    shown = send(ana_client, JANE, confirm="1", again="1", **{GUN_COMBAT: "shotgun"})
    assert shown.status_code == 200
    assert selects(shown)[GUN_COMBAT]["chosen"] == "shotgun"
    assert "Shotgun 2" in text_of(shown)
    assert not Character.objects.exists()


def test_answers_do_not_open_what_was_not_asked(ana_client: Client) -> None:
    send(ana_client, "Ann 777777 Admin-1", confirm="1", **{GUN_COMBAT: "shotgun", "ask-walk": "0"})
    assert Character.objects.get().sheet["skills"] == {"admin": 1}


def test_words_of_a_file_cannot_break_the_questions(ana_client: Client) -> None:
    bad = weapon('"><script>x</script>', "3d6", rangeBand="none", range="<b>far</b>")
    page = send(ana_client, {**LOOKOUT, "items": [bad]}).content.decode()
    assert "<script>x" not in page
    assert "<b>far" not in page


def test_more_questions_than_a_person_answers_are_refused(ana_client: Client) -> None:
    guns = [weapon(f"Gun {n}", "3d6", rangeBand="none", range="5") for n in range(MAX_QUESTIONS + 1)]
    people = [actor("traveller", "Ann", being(), *guns[:100]) for _ in range(3)]
    refused = send(ana_client, people)
    assert refused.status_code == 422
    assert f"at most {MAX_QUESTIONS}: import fewer at once" in text_of(refused)


def test_items_ask_as_people_do(ana_client: Client) -> None:
    text = json.dumps(weapon("Needler", "3d6", rangeBand="none", range="20/100"))
    shown = ana_client.post(GEAR, {"text": text})
    assert selects(shown) == {
        "ask-.range": {"options": selects(shown)["ask-.range"]["options"], "chosen": "pistol"}
    }
    assert ana_client.post(GEAR, {"text": text, "confirm": "1"}).status_code == 422
    assert ana_client.post(GEAR, {"text": text, "confirm": "1", "ask-.range": "rifle"}).status_code == 302


# ---------------------------------------------------------------- rosters and blocks


def test_columns_of_skills_weapons_and_armor_are_read(ana_client: Client) -> None:
    shown = send(ana_client, TABLE)
    assert {name: one["chosen"] for name, one in selects(shown).items()} == {
        "ask-skill.drive": "",
        "ask-ready": "ready",
    }
    send(ana_client, TABLE, confirm="1", **{"ask-skill.drive": "mole", "ask-ready": "ready"})
    sheet = Character.objects.get().sheet
    assert sheet["skills"] == {"piloting": 2, "zero_g": 0, "mole": 1}
    places = {one["entry"]: one.get("place", "carried") for one in sheet["items"]}
    assert places == {"rifle": "held", "blade": "carried", "cloth": "worn"}


def test_question_of_all_lines_is_asked_once(ana_client: Client) -> None:
    shown = send(ana_client, TABLE + "Bo,cepheus,Drive 2,Rifle,Cloth\n")
    assert list(selects(shown)) == ["ask-skill.drive", "ask-ready"]


def test_scores_and_skills_without_labels_are_read_from_a_block(ana_client: Client) -> None:
    text = "Jane\nGame: Cepheus\nSTR 8, DEX 10, END 7\nSkills: Zero-G 0, Admin-1\nTall and quiet"
    shown = send(ana_client, text)
    said = text_of(shown)
    assert "8A7777" in said
    assert "Zero-G 0" in said
    assert "“Tall and quiet” is no name with a number" in said


@pytest.mark.parametrize("said", ["Zero-G 0", "Zero-G-0", "Zero-G: 0", "Zero‑G 0", "zero-g 0", "Zero-G - 0"])
def test_hyphen_in_the_name_of_a_skill_is_kept(ana_client: Client, said: str) -> None:
    send(ana_client, f'Name,Game,Skills\nJo,cepheus,"{said}, Admin 1"\n', confirm="1")
    assert Character.objects.get().sheet["skills"] == {"zero_g": 0, "admin": 1}


# ---------------------------------------------------------------- unread texts

MONGOOSE = {
    "name": "Jane",
    "type": "traveller",
    "system": {"characteristics": {"STR": {"value": 7}}, "skills": {"pilot": {"value": 1}}},
    "items": [],
    "_stats": {"systemId": "traveller"},
}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (MONGOOSE, "is an actor of Mongoose Traveller, which no game here reads: write a line for each"),
        ({"name": "Bo", "type": "character", "system": {"abilities": {"str": {}}}}, "is an actor of D&D 5e"),
        ({"type": "npc", "system": {}, "_stats": {"systemId": "swade"}}, "is an actor of swade"),
        ({"hero": 3}, "is JSON of an unknown program: export with the format cosmos-table-characters"),
        ({"version": 2, "hero": 3}, "is JSON of an unknown program"),
        (
            {"format": "dd2vtt", "characters": [{"hero": n} for n in range(50)]},
            "is JSON of an unknown program",
        ),
        ([1, 2], "is JSON without a character"),
        ("Jane is tall.\nShe likes tea.", "has no character that can be read: write a line for each"),
        ("Who,Strength\nJane,7\n", "has columns, but none is called Name: call the column of names Name"),
        ("Who;Strength;Dex\nJane;7;8\n", "has columns, but none is called Name"),
    ],
)
def test_what_nobody_reads_gets_one_sentence(ana_client: Client, text: Any, sentence: str) -> None:
    answer = send(ana_client, text)
    assert answer.status_code == 422
    assert len(answer.context["problems"]) == 1
    assert sentence in text_of(answer)


def test_lookout_with_everything_on_the_ship_keeps_it_there(ana_client: Client) -> None:
    data = actor("traveller", "Ann", being(), skill("Admin", 1), armor("Cloth", 9, equipped="ship"))
    send(ana_client, data, confirm="1", **{"ask-1.place-ship": "left_out"})
    made = Character.objects.get()
    assert made.sheet["items"] == []
    assert "Left on the ship: Cloth" in made.notes
