"""Looks, background, bonds, what experience bought, and tags; several characters at once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from characters.exchange.documents import join_notes, split_notes
from characters.games import plan_of
from characters.models import Character
from characters.services import character_service
from characters.story import MAX_LINES, MAX_PART, clean_line, clean_story
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from cosmos_site.base.markdown import split_sections
from tests.browser import sign_in
from tests.characters.conftest import text_of
from tests.combat.visit import read

Make = Callable[..., Character]
STORY = {
    "looks": "Tall, grey coat.",
    "background": "Born on *Ceres*.",
    "bonds": "Owes Saro 500.",
    "bought": [
        {"what": "Pilot 4 to 5", "on": "2026-03-14", "points": -4},
        {"what": "A contact: Saro"},
        {"what": "The cargo deck (+3 experience)", "points": 9},
        {"what": "Ends like points (−2 experience)"},
    ],
}


@pytest.fixture
def told(zara: Character) -> Character:
    """Zara with notes, a story and tags."""
    return character_service.change(zara.pk, "Story", notes="Mine.", story=STORY, tags="crew,night shift")


def send(client: Client, character: Character, **fields: str) -> int:
    character.refresh_from_db()
    address = f"/characters/{character.pk}/"
    return client.post(address, {"version": character.version, **fields}).status_code


def test_sections_are_saved_and_undone(ana_client: Client, zara: Character) -> None:
    said = {"looks": "Tall.", "background": "", "bonds": "Saro", "tags": "Rain, crew,rain"}
    assert send(ana_client, zara, do="story", **said) == 302
    zara.refresh_from_db()
    assert (zara.story, zara.tags) == ({"looks": "Tall.", "bonds": "Saro"}, ",crew,rain,")
    assert zara.changes.all()[0].what == "Looks, Bonds, Tags"
    assert send(ana_client, zara, do="undo") == 302
    zara.refresh_from_db()
    assert (zara.story, zara.tags) == ({}, "")


def test_lines_of_experience_are_added_in_front_and_deleted(ana_client: Client, told: Character) -> None:
    assert send(ana_client, told, do="bought", what="A ship", on="2026-04-01") == 302
    told.refresh_from_db()
    assert told.story["bought"][0] == {"what": "A ship", "on": "2026-04-01"}
    before = told.story["bought"]
    assert send(ana_client, told, do="forget_bought", line="1") == 302
    told.refresh_from_db()
    assert told.story["bought"] == before[:1] + before[2:]
    assert [line["what"] for line in told.story["bought"]][:2] == ["A ship", "A contact: Saro"]
    assert send(ana_client, told, do="forget_bought", line="4") == 422


def test_experience_has_a_total_with_its_log(ana_client: Client, told: Character) -> None:
    assert send(ana_client, told, do="bought", what="Berth 7", on="2026-04-01", points="+3") == 302
    assert send(ana_client, told, do="bought", what="Resolve 3 to 4", points="−5") == 302
    told.refresh_from_db()
    assert told.changes.all()[0].what == "Experience −5: Resolve 3 to 4"
    words = text_of(ana_client.get(f"/characters/{told.pk}/"))
    assert "Experience 3 to spend of 12" in words
    assert "−5 Resolve 3 to 4 left: 3" in words
    assert "+3 Berth 7 2026-04-01 left: 8" in words
    for points in ("3.5", "many", "10000"):
        assert send(ana_client, told, do="bought", what="x", points=points) == 422
    with pytest.raises(Refused):
        clean_story({"bought": [{"what": "x", "points": 10_000}]})


def test_day_of_a_line_is_that_of_the_reader_and_then_as_typed(
    live_server: LiveServer, browser: Browser, told: Character, ana_client: Client
) -> None:
    page = browser.new_context(timezone_id="Asia/Tokyo").new_page()
    sign_in(page.context, live_server, ana_client)
    page.clock.set_fixed_time(datetime(2026, 11, 22, 23, 40, tzinfo=UTC))
    page.goto(f"{live_server.url}/characters/{told.pk}/")
    expect(page.locator("#bought-on")).to_have_value("2026-11-23")
    refused = ana_client.post(
        f"/characters/{told.pk}/", {"version": told.version, "do": "bought", "what": "", "on": "2026-04-01"}
    )
    assert 'value="2026-04-01"' in refused.content.decode()
    assert "data-today" not in refused.content.decode()
    page.context.close()


@pytest.mark.parametrize(
    ("what", "on"), [("", ""), ("x" * 201, ""), ("A ship", "14.3.2026"), ("A ship", "2026-13-01")]
)
def test_faulty_line_of_experience_is_refused(
    ana_client: Client, told: Character, what: str, on: str
) -> None:
    assert send(ana_client, told, do="bought", what=what, on=on) == 422
    with pytest.raises(Refused):
        clean_line(what, on)
    told.refresh_from_db()
    assert told.story == STORY


@pytest.mark.parametrize(
    "story",
    [
        {"looks": "x" * (MAX_PART + 1)},
        {"height": "tall"},
        {"looks": 3},
        {"bought": [{"what": "x"}] * (MAX_LINES + 1)},
    ],
)
def test_story_keeps_its_limits(story: dict[str, object]) -> None:
    with pytest.raises(Refused):
        clean_story(story)


def test_sheet_draws_notes_in_sections_without_html_of_theirs(ana_client: Client, told: Character) -> None:
    notes = "First.\n\n# One\n**bold** <b>raw</b>\n\n# Two\n```\n# no heading\n```"
    character_service.change(told.pk, "Notes", notes=notes)
    page = ana_client.get(f"/characters/{told.pk}/").content.decode()
    assert "<strong>bold</strong> &lt;b&gt;raw&lt;/b&gt;" in page
    assert "<h3>One</h3>" in page
    assert "<em>Ceres</em>" in page
    assert [title for title, _ in split_sections(notes)] == ["", "One", "Two"]
    assert split_sections("## a\nx\n# b") == [("", "## a\nx"), ("b", "")]


def test_link_and_gm_see_looks_alone(told: Character, client: Client) -> None:
    token = character_service.find_token(character_service.open_link(told))
    for address in (f"/v/{token}/", f"/v/{token}/print/"):
        page = client.get(address).content.decode()
        assert "Tall, grey coat." in page, address
        assert not any(
            secret in page for secret in ("Ceres", "Owes Saro", "Pilot 4 to 5", "night shift", "Mine.")
        )


@pytest.mark.parametrize("form", ["/", ".txt", ".csv"])
def test_files_carry_the_story(ana_client: Client, told: Character, form: str) -> None:
    raw = ana_client.get(f"/characters/{told.pk}/export{form}").content
    ana_client.post(
        "/characters/import/", {"text": raw.decode("utf-8-sig"), "confirm": "1", "twins": "again"}
    )
    again = Character.objects.exclude(pk=told.pk).get()
    assert (again.notes, again.story, again.tags) == ("Mine.", STORY, ",crew,night shift,")


def test_copy_carries_the_story(told: Character, ana: User) -> None:
    copy = character_service.duplicate(told, ana)
    assert (copy.story, copy.tags) == (STORY, ",crew,night shift,")


def test_sections_that_break_limits_stay_notes() -> None:
    long = f"# Looks\n{'x' * (MAX_PART + 1)}"
    assert split_notes(f"Hi\n\n{long}\n\n# Bonds\nSaro\n\n# Bonds\nagain") == (
        f"Hi\n\n# Bonds\nagain\n\n{long}",
        {"bonds": "Saro"},
        "",
    )
    assert split_notes(join_notes("", STORY, ",a,b,")) == ("", STORY, ",a,b,")


# ---------------------------------------------------------------- several at once


def test_selected_are_printed_exported_archived_deleted_if_sure(ana_client: Client, make: Make) -> None:
    one, two, rest = make("Ada"), make("Bo"), make("Cy")
    chosen = {"character": [one.pk, two.pk]}
    shown = ana_client.post("/characters/several/", {**chosen, "do": "print"}, follow=True)
    assert "2 sheets, each on one page" in text_of(shown)
    assert shown.content.count(b'<article class="paper') == 2
    raw = ana_client.post("/characters/several/", {**chosen, "do": "export"}, follow=True).json()
    assert [each["name"] for each in raw["characters"]] == ["Ada", "Bo"]
    asked = ana_client.post("/characters/several/", {**chosen, "do": "delete"})
    assert "Delete 2 characters?" in text_of(asked)
    assert Character.objects.filter(deleted_at=None).count() == 3
    ana_client.post("/characters/several/", {"character": [one.pk], "do": "archive"})
    ana_client.post("/characters/several/", {"character": [two.pk], "do": "sure"})
    states = Character.objects.order_by("name").values_list("archived", "deleted_at")
    assert [(archived, gone is None) for archived, gone in states] == [
        (True, True),
        (False, False),
        (False, True),
    ]
    assert rest.pk


@pytest.mark.parametrize("do", ["print", "export", "archive", "delete", "sure", ""])
def test_nobody_does_it_to_characters_of_others(bob_client: Client, zara: Character, do: str) -> None:
    answer = bob_client.post(
        "/characters/several/", {"character": [zara.pk, "x", "99"], "do": do}, follow=True
    )
    assert "Select the characters first" in text_of(answer)
    assert "Zara" not in text_of(answer)
    assert bob_client.get(f"/characters/several.json?character={zara.pk}").status_code == 302
    zara.refresh_from_db()
    assert (zara.archived, zara.deleted_at) == (False, None)


def test_list_shows_health_and_finds_by_tag(ana_client: Client, make: Make, told: Character) -> None:
    make("Bo")
    page = ana_client.get("/characters/?tag=night+shift")
    assert [row["character"].name for row in page.context["rows"]] == ["Zara"]
    assert "80 / 80" in text_of(page)
    assert len(ana_client.get("/characters/?tag=other").context["rows"]) == 2


def test_paper_has_untrained_totals_traits_and_condition_boxes(ana_client: Client, told: Character) -> None:
    said = text_of(ana_client.get(f"/characters/{told.pk}/print/"))
    for words in ("Untrained", "Stealth +", "Concealed: hide +2", "Conditions", "Stunned", "Owes Saro"):
        assert words in said, words


def test_paper_has_the_formatting_of_looks_background_and_bonds(ana_client: Client, told: Character) -> None:
    page = ana_client.get(f"/characters/{told.pk}/print/").content.decode()
    assert "Born on <em>Ceres</em>." in page


def test_spent_experience_raises_a_number_in_the_same_step(ana_client: Client, zara: Character) -> None:
    """Whatever sign stands before the points, they are spent; undo takes both back."""
    page = read(ana_client.get(f"/characters/{zara.pk}/"))
    offered = [one["value"] for one in page.all("option", page.one("select", name="raises"))]
    key = next(one for one in offered if one.startswith("skills."))
    plan = plan_of(find_system(zara.system))
    now = plan.read(zara.sheet).skills.get(key.removeprefix("skills."), 0)
    assert send(ana_client, zara, do="bought", what="Practice", points="4", raises=key) == 302
    zara.refresh_from_db()
    assert plan.read(zara.sheet).skills[key.removeprefix("skills.")] == now + 1
    assert zara.story["bought"][0]["points"] == -4
    assert f"{now} → {now + 1}" in zara.changes.all()[0].what
    assert send(ana_client, zara, do="undo") == 302
    zara.refresh_from_db()
    assert plan.read(zara.sheet).skills.get(key.removeprefix("skills."), 0) == now
    assert not zara.story.get("bought")
    assert send(ana_client, zara, do="bought", what="x", points="4", raises="skills.nothing") == 422


@pytest.mark.parametrize("section", ["skills", "attributes"])
def test_saved_numbers_spend_experience_in_the_same_step(
    ana_client: Client, zara: Character, section: str
) -> None:
    """*Edit* says what is left, and spends it with the change; undo gives both back."""
    address = f"/characters/{zara.pk}/?edit={section}"
    assert not read(ana_client.get(address)).all("input", name="spent")
    assert send(ana_client, zara, do="bought", what="Berth 7", points="3") == 302
    page = read(ana_client.get(address))
    typed = {
        field["name"]: field["value"]
        for field in page.all("input", class_="number")
        if field["name"][0] == "n"
    }
    assert "3 to spend" in text_of(ana_client.get(address))
    name, value = next((name, int(value)) for name, value in typed.items() if value == "3")
    zara.refresh_from_db()
    for wrong in (
        {"spent": "4", name: str(value + 1)},
        {"spent": "2"},
        {"spent": "-1", name: str(value + 1)},
    ):
        assert send(ana_client, zara, do=section, **{**typed, **wrong}) == 422, wrong
    assert send(ana_client, zara, do=section, **{**typed, name: str(value + 1), "spent": "2"}) == 302
    zara.refresh_from_db()
    line = zara.story["bought"][0]
    assert line["points"] == -2
    assert line["what"].endswith(f"{value} → {value + 1}")
    draft = plan_of(find_system(zara.system)).read(zara.sheet)
    assert value + 1 in getattr(draft, section).values()
    assert send(ana_client, zara, do="undo") == 302
    zara.refresh_from_db()
    assert [one["points"] for one in zara.story["bought"]] == [3]


def test_experience_is_typed_without_a_sign(ana_client: Client, told: Character) -> None:
    for choice, points in (("", 3), ("spent", -3)):
        assert send(ana_client, told, do="bought", what="A ship", points="3", raises=choice) == 302
        told.refresh_from_db()
        assert told.story["bought"][0]["points"] == points
