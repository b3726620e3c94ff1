"""The import page: previewed before it is stored, all or nothing, and a clear refusal of every odd file."""

from __future__ import annotations

import codecs
import copy
import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from characters.models import Character
from characters.services import character_service
from combat.rules import find_system
from tests.characters.conftest import hidden, text_of
from tests.combat.rules.cepheus.characters.foreign.actors import BEAST, FAULTY, LOOKOUT
from tests.combat.rules.games import every_slug
from tests.combat.visit import read

IMPORT = "/characters/import/"
ROSTER = "Name,Game,Pilot\nAda,cosmos,4\nBo,cosmos,2\n"


def send(client: Client, data: Any, **more: str) -> Any:
    text = data if isinstance(data, str) else json.dumps(data)
    return client.post(IMPORT, {"text": text, **more})


def upload(client: Client, raw: bytes, name: str = "it.csv", **more: str) -> Any:
    return client.post(IMPORT, {"file": SimpleUploadedFile(name, raw), **more})


def answers(shown: Any, **other: str) -> dict[str, str]:
    """An answer for each question of a preview: the selected one, or else the first."""
    return {
        f"ask-{question.key}": other.get(question.key, question.chosen or question.options[0][0])
        for question in shown.context["shown"].questions
    }


def test_actor_is_shown_then_stored(ana_client: Client) -> None:
    shown = upload(ana_client, json.dumps(LOOKOUT).encode(), "fvtt-Actor-lookout.json", game="cepheus")
    assert shown.status_code == 200
    assert not Character.objects.exists()
    said = text_of(shown)
    assert "Lookout" in said
    assert "868774" in said
    assert "Investigate 1: there is no such skill here" in said
    assert "Credits 1,250" in said
    form = hidden(shown)
    form.pop("csrfmiddlewaretoken", None)
    stored = ana_client.post(IMPORT, form | answers(shown), follow=True)
    made = Character.objects.get()
    assert (made.name, made.system, made.npc, made.sheet["credits"]) == ("Lookout", "cepheus", False, 1250)
    assert "Changed or left out on import:" in made.notes
    assert "- items[4]: Investigate 1: there is no such skill here" in made.notes
    assert "Changed or left out: " in text_of(stored)


def test_preview_tells_the_health_of_the_hurt_alone(ana_client: Client) -> None:
    hurt = copy.deepcopy(LOOKOUT)
    hurt["system"]["characteristics"]["endurance"]["damage"] = 3
    whole = copy.deepcopy(LOOKOUT)
    for score in whole["system"]["characteristics"].values():
        score["damage"] = 0
    assert "Health" in text_of(send(ana_client, hurt))
    assert "Health" not in text_of(send(ana_client, whole))


def test_import_of_npcs_leads_back_to_them(ana_client: Client) -> None:
    page = send(ana_client, BEAST, **{"as": "npc"}).content.decode()
    assert 'href="/characters/import/?as=npc">Cancel' in page
    for shown in (page, ana_client.get(f"{IMPORT}?as=npc").content.decode()):
        assert '<a href="/characters/npcs/">NPCs</a>' in shown


def test_actors_become_npcs_if_wanted(ana_client: Client) -> None:
    wanted = {"game": "cepheus_quick", "as": "npc"}
    shown = send(ana_client, [LOOKOUT, BEAST], **wanted)
    answer = send(ana_client, [LOOKOUT, BEAST], confirm="1", **wanted, **answers(shown))
    assert answer["Location"] == "/characters/npcs/"
    assert {(npc.system, npc.npc) for npc in Character.objects.all()} == {("cepheus_quick", True)}


def test_actor_is_read_whatever_game_is_chosen(ana_client: Client) -> None:
    assert send(ana_client, BEAST, game="cosmos").context["shown"].entries[0].system == "cepheus"


def test_faulty_actor_is_listed_and_the_sound_ones_are_made(ana_client: Client) -> None:
    shown = send(ana_client, [LOOKOUT, FAULTY])
    assert shown.status_code == 200
    for words in (
        "Left out: 1 that cannot be read",
        "actor 2, system.characteristics.strength.value",
        "Import 1 character",
    ):
        assert words in text_of(shown)
    answer = send(ana_client, [LOOKOUT, FAULTY], confirm="1", **answers(shown))
    assert [made.name for made in Character.objects.all()] == ["Lookout"]
    assert "Left out, since they cannot be read: 1 of the file." in text_of(
        ana_client.get(answer["Location"])
    )


def test_file_of_faulty_actors_alone_is_refused(ana_client: Client) -> None:
    answer = send(ana_client, [FAULTY], confirm="1")
    assert answer.status_code == 422
    assert "strength.value" in answer.content.decode()
    assert not Character.objects.exists()


def test_database_with_one_actor_a_line_is_read(ana_client: Client) -> None:
    shown = send(ana_client, f"{json.dumps(LOOKOUT)}\n{json.dumps(BEAST)}\n")
    assert [entry.found.name for entry in shown.context["shown"].entries] == ["Lookout", "Ridge Cat"]


def test_roster_is_shown_then_stored(ana_client: Client, ana: User) -> None:
    shown = send(ana_client, ROSTER)
    assert [entry.found.name for entry in shown.context["shown"].entries] == ["Ada", "Bo"]
    assert not Character.objects.exists()
    send(ana_client, hidden(shown)["text"], confirm="1")
    assert [(c.name, c.owner, c.sheet["skills"]) for c in Character.objects.order_by("name")] == [
        ("Ada", ana, {"Pilot": 4}),
        ("Bo", ana, {"Pilot": 2}),
    ]


def test_roster_with_one_bad_line_is_back_to_be_corrected(ana_client: Client) -> None:
    answer = upload(ana_client, b"Name,Game,Pilot\nAda,cosmos,4\nBo,cosmos,x\n", confirm="1")
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "<code>line 3, Pilot</code>" in page
    assert "Bo,cosmos,x" in page
    assert not Character.objects.exists()


def test_pasted_text_and_lines_are_read(ana_client: Client) -> None:
    block = "Sir Tobin Reyes 5678A9 Age 38\nRogue (3) Cr9000\nStreetwise-2"
    assert "Cr" not in send(ana_client, block).context["shown"].entries[0].found.name
    line = send(ana_client, "Guard 868774 Gun Combat-1 rifle", game="cepheus", confirm="1")
    assert line.status_code == 302
    assert Character.objects.get().name == "Guard"


@pytest.mark.parametrize(
    ("text", "is_what", "saved"),
    [
        ("{\\rtf1\\ansi Vera Kolt}", "is a rich text document (RTF)", "save it as plain text in UTF-8"),
        ("%PDF-1.7\nVera Kolt", "is a PDF", ""),
        ("<!DOCTYPE html><html><body>Vera Kolt</body></html>", "is a web page", ""),
    ],
)
def test_advice_never_says_what_the_person_has_just_done(
    ana_client: Client, text: str, is_what: str, saved: str
) -> None:
    pasted = text_of(send(ana_client, text))
    assert f"{is_what}" in pasted
    assert "open it, and paste the words that you see" in pasted
    assert "save it as" not in pasted, "nothing that is pasted can be saved in another way"
    filed = text_of(upload(ana_client, text.encode()))
    assert saved in filed
    assert is_what in filed


def test_nothing_pasted_is_answered_with_both_ways_in(ana_client: Client) -> None:
    assert "Choose a file, or paste the document." in text_of(send(ana_client, "  "))


def test_preview_that_was_tampered_with_is_checked_again(ana_client: Client) -> None:
    answer = send(ana_client, ROSTER.replace("4", "400"), confirm="1", game="nonsense")
    assert answer.status_code == 422
    assert not Character.objects.exists()


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"\xff\xfe\x00", "in UTF-8"),
        ("Name,Notes\nAda,é".encode("cp1252"), "save it as “UTF-8”"),
        (b'{"type": "traveller", "type": "animal", "system": {}}', "has the field “type” twice"),
        (b'{"type": "traveller", "system": {"a": NaN}}', "is not JSON"),
        (b'{"type": "traveller", "system": {"a": 1e999}}', "is not JSON"),
        (b'{"type": "traveller", "system": ' + b'{"a":' * 30_000, "nested too deeply"),
        (b"[" * 5_000 + b"]" * 5_000, "nested too deeply"),
        (b"PK\x03\x04\x14\x00" + b"x" * 1_000_001, "is an archive (zip): unpack it"),
        (b"x" * 1_000_001, "is larger than 1 MB"),
        (b"Dear Ann,\nnothing to read.", "has no character that can be read: write a name, then “Game: "),
        (b"a\x00b", "cannot be shown"),
        (b"[]", "is JSON without a character"),
    ],
)
def test_odd_files_are_refused_in_words(ana_client: Client, raw: bytes, words: str) -> None:
    answer = upload(ana_client, raw)
    assert answer.status_code == 422
    assert words in text_of(answer)
    assert not Character.objects.exists()


def test_deeply_nested_actor_is_refused(ana_client: Client) -> None:
    deep: Any = 1
    for _ in range(400):
        deep = {"a": deep}
    bad = copy.deepcopy(LOOKOUT)
    bad["system"]["odd"] = deep
    answer = send(ana_client, bad)
    assert answer.status_code == 422
    assert "is nested too deeply" in text_of(answer)
    assert not Character.objects.exists()


@pytest.mark.parametrize("coding", ["utf-8-sig", "utf-16"])
def test_marks_of_spreadsheets_are_read(ana_client: Client, coding: str) -> None:
    raw = ROSTER.encode(coding)
    assert raw.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16))
    assert upload(ana_client, raw).status_code == 200


def test_remarks_cannot_break_the_page(ana_client: Client) -> None:
    bad = copy.deepcopy(LOOKOUT)
    bad["name"] = "<script>alert(1)</script>"
    bad["items"].append({"type": "skills", "name": "<img src=x>", "system": {"value": 1}})
    page = send(ana_client, bad).content.decode()
    assert "<script>alert" not in page
    assert "<img src=x" not in page


def test_page_says_what_each_game_reads(ana_client: Client) -> None:
    said = text_of(ana_client.get(f"{IMPORT}?game=cepheus&as=npc"))
    for words in ("twodsix", "A roster (CSV) any game", "A text block any game", "permalink"):
        assert words in said


@pytest.mark.parametrize("form", ["txt", "csv"])
def test_exported_sheet_is_read_again(ana_client: Client, make: Any, form: str) -> None:
    zara = make("Zara", notes="secret")
    answer = ana_client.get(f"/characters/{zara.pk}/export.{form}")
    assert answer["Content-Disposition"] == f'attachment; filename="zara.{form}"'
    upload(ana_client, answer.content, f"zara.{form}", confirm="1", twins="again")
    again = Character.objects.exclude(pk=zara.pk).get()
    assert (again.name, again.notes, again.sheet["species"]) == ("Zara", "secret", "synaptic")
    assert again.sheet["skills"] == {"Combat": 3, "Pilot": 4}


@every_slug
def test_what_the_page_proposes_is_read_by_the_chosen_game(ana_client: Client, slug: str) -> None:
    system = find_system(slug)
    for text in ("Dear Ann,\nnothing to read.", json.dumps({"system": {"abilities": {"str": 1}}})):
        said = text_of(send(ana_client, text, game=slug))
        lines = system.book.imports.lines
        example = lines.example if lines else f"Ada\nGame: {system.name}"
        assert (example if lines else f"“Game: {system.name}” in the next line") in said
        answer = send(ana_client, example, game=slug)
        assert (answer.status_code, answer.context["shown"].problems) == (200, ())


@pytest.mark.parametrize(
    "line", ["- {}", "• {}", "1. {}", "**{}**", "| {} |", "| Who |\n|---|\n| {} |", "## {}", "> {}"]
)
def test_lines_may_have_the_marks_of_lists_and_markdown(ana_client: Client, line: str) -> None:
    answer = send(ana_client, line.format("Guard 868774 Gun Combat-1 rifle"), game="cepheus")
    (entry,) = answer.context["shown"].entries
    assert (entry.found.name, answer.status_code) == ("Guard", 200)
    if "|" not in line:
        answer = send(ana_client, line.format("Tobin Reyes 5678A9 Age 38\nRogue (3) Cr9000"), game="cepheus")
        assert answer.context["shown"].entries[0].found.name == "Tobin Reyes"


def test_names_that_are_there_already_are_named(ana_client: Client, make: Any) -> None:
    """In the check before they are stored; files of this site, which have none, are asked about."""
    zara = make("Zara")
    twin = "You have a character of this name already."
    assert twin in text_of(upload(ana_client, ana_client.get(f"/characters/{zara.pk}/export.csv").content))
    assert twin not in text_of(send(ana_client, ROSTER))
    raw = ana_client.get(f"/characters/{zara.pk}/export/").content
    answer = ana_client.post(IMPORT, {"file": SimpleUploadedFile("zara.json", raw)})
    assert answer.status_code == 422
    assert "You have these already: Zara. Choose below what to do with them." in text_of(answer)
    answer = ana_client.post(IMPORT, {"file": SimpleUploadedFile("z.json", raw), "as": "npc"}, follow=True)
    assert "already" not in text_of(answer)


def test_export_of_all_read_again_doubles_nobody_unasked(ana: User, ana_client: Client, make: Any) -> None:
    for name in ("Zara", "Bo"):
        make(name)
    raw = ana_client.get("/characters/all.json").content
    Character.objects.get(name="Bo").delete()

    def names() -> list[str]:
        return sorted(Character.objects.filter(owner=ana).values_list("name", flat=True))

    asked = upload(ana_client, raw)
    page = read(asked)
    assert (asked.status_code, names()) == (422, ["Zara"])
    assert [one["value"] for one in page.all("option", page.one("select", name="twins"))] == [
        "",
        "replace",
        "skip",
        "again",
    ]
    text = page.one("textarea", name="text").text
    assert ana_client.post(IMPORT, {"text": text, "twins": ""}).status_code == 422
    answer = ana_client.post(IMPORT, {"text": text, "twins": "skip"}, follow=True)
    assert "Left out, as you have them already: Zara." in text_of(answer)
    assert names() == ["Bo", "Zara"]
    answer = ana_client.post(IMPORT, {"text": text, "twins": "skip"})
    assert (answer.status_code, names()) == (422, ["Bo", "Zara"])
    assert "You have all of these already" in text_of(answer)
    assert ana_client.post(IMPORT, {"text": text, "twins": "again"}).status_code == 302
    assert names() == ["Bo", "Bo", "Zara", "Zara"]


@pytest.mark.parametrize("form", ["", ".txt", ".csv"])
def test_second_import_of_a_file_asks_and_replaces(ana_client: Client, make: Any, form: str) -> None:
    zara = make("Zara", notes="first")
    raw = ana_client.get(f"/characters/{zara.pk}/export{form or '/'}").content
    character_service.change(zara.pk, "Notes", notes="later", tags="crew")
    asked = upload(ana_client, raw, confirm="1")
    assert asked.status_code == 422
    assert "replace mine with those of the file" in text_of(asked)
    stored = upload(ana_client, raw, confirm="1", twins="replace")
    assert stored["Location"] == f"/characters/{zara.pk}/"
    zara.refresh_from_db()
    assert (zara.notes, zara.tags, zara.version) == ("first", "", 3)
    character_service.undo(zara.pk)
    assert Character.objects.get().notes == "later"
