"""The one place to add people: notes are shown as they are understood, and only then added."""

from __future__ import annotations

import json
import re
from concurrent.futures import Future
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from characters.exchange.reading import MAX_BYTES
from characters.services.character_service import create
from combat.play.notes.glossary import make_glossary
from combat.play.notes.lists import write_notes
from combat.play.notes.notes import read_notes
from combat.play.whatif import workers
from combat.play.writing.encounter_service import create_encounter
from combat.rules import SYSTEMS, find_system
from combat.rules.core.gm.decisions import GROUP
from combat.rules.core.state.state import decode, present
from tests.combat.markup import Page
from tests.combat.play.notes.test_lists import ENCOUNTER
from tests.combat.visit import SLUG, Visit, load, read, state_of, stored
from tests.typed import Answer, sure

NOTES = "4 pirates with sword and pistol, 1 captain; 2 security drones (allies)"


def send(visit: Visit, do: str, notes: str, *, htmx: bool = False, **fields: Any) -> Answer:
    """Send the notes to be read, changed or added."""
    headers = {"HX-Request": "true"} if htmx else {}
    return visit.client.post(f"{visit.here}prep/", {"do": do, "notes": notes, **fields}, headers=headers)


def add(visit: Visit, notes: str, **fields: Any) -> Answer:
    """Read the notes, then press the button on the page that shows them."""
    (seen,) = read(send(visit, "read", notes, **fields)).all("input", name="seen")
    return send(visit, "people", notes, seen=seen["value"], **fields)


def words(page: Page, selector: str) -> list[str]:
    return [" ".join(one.text.split()) for one in page.all("li", inside=page.one("ul", class_=selector))]


@pytest.mark.parametrize("htmx", [True, False])
def test_another_programs_pasted_encounter_becomes_notes_to_add(room: Visit, htmx: bool) -> None:
    before, pasted = stored(room.pk), json.dumps(ENCOUNTER)
    answer = send(room, "read", pasted, htmx=htmx)
    assert (answer.status_code, stored(room.pk)) == (200, before)
    page = read(answer)
    notes = write_notes(pasted, find_system(SLUG))
    assert page.one("textarea", name="notes").text.split() == notes.split()
    assert "Add 4" in page.one("button", id="people-add").text
    if htmx:
        assert answer["HX-Retarget"] == "#people", "the whole box, with other notes in it"
    add(room, notes)
    joined = [one for one in present(state_of(room.pk)) if one.name.startswith(("Pirate", "Old Tom"))]
    assert sum(one.hidden for one in joined) == 1
    assert [one.name for one in joined].count("Old Tom") == 1
    assert {find_system(SLUG).find_health(state_of(room.pk), one).number for one in joined} == {"4 / 9"}


def test_broken_foreign_list_is_refused_and_stays_in_the_box(room: Visit) -> None:
    answer = send(room, "read", '{"Combatants": [', htmx=True)
    assert answer.status_code == 422
    assert "This JSON is broken" in answer.content.decode()
    assert not answer.has_header("HX-Retarget")


LIST = json.dumps(ENCOUNTER)


@pytest.mark.parametrize("htmx", [True, False])
@pytest.mark.parametrize(
    ("raw", "added"),
    [
        (b"\n4 pirates\r\n1 captain\n", "4 pirates\n1 captain"),
        ("\ufeff4 pirates".encode(), "4 pirates"),
        ("4 pirates".encode("utf-16"), "4 pirates"),
        (LIST.encode(), write_notes(LIST, find_system(SLUG))),
    ],
    ids=["text", "mark", "utf-16", "list"],
)
def test_file_is_added_below_the_notes_and_read(room: Visit, htmx: bool, raw: bytes, added: str) -> None:
    before = stored(room.pk)
    answer = send(room, "read", "2 veterans", htmx=htmx, file=SimpleUploadedFile("list.txt", raw))
    assert (answer.status_code, stored(room.pk)) == (200, before)
    page = read(answer)
    assert page.one("textarea", name="notes").text.split() == ["2", "veterans", *added.split()]
    assert words(page, "block-list")[0].startswith("2 Veteran soldier × 2")
    assert len(words(page, "block-list")) > 1
    if htmx:
        assert answer["HX-Retarget"] == "#people", "the whole box, with other notes in it"


def test_file_alone_is_read_as_notes_with_a_pasted_list_above_it(room: Visit) -> None:
    sent = SimpleUploadedFile("list.md", b"# Ambush\n- 4 pirates")
    assert "Add 4" in read(send(room, "read", " ", file=sent)).one("button", id="people-add").text
    sent.seek(0)
    page = read(send(room, "read", LIST, file=sent))
    notes = write_notes(LIST, find_system(SLUG))
    assert page.one("textarea", name="notes").text.split() == f"{notes} # Ambush - 4 pirates".split()


@pytest.mark.slow
@pytest.mark.parametrize("htmx", [True, False])
@pytest.mark.parametrize(
    ("raw", "refusal"),
    [
        (b"", "The file is empty: choose another."),
        (" \n".encode("utf-16"), "The file is empty: choose another."),
        (b"\x89PNG\r\n\x1a\n" + bytes(20), "The file is a picture (PNG): type the words that it shows."),
        (b"{\\rtf1 4 pirates}", "The file is a rich text document (RTF): save it as plain text in UTF-8."),
        ("4 pirates".encode("utf-16-le"), "The file is not JSON, CSV or text in UTF-8: save it as “UTF-8”"),
        (b"4 pi\0rates", "The file is not text in UTF-8: save it as “UTF-8”."),
        ("4 Söldner".encode("latin-1"), "The file is not JSON, CSV or text in UTF-8: save it as “UTF-8”"),
        (b"x" * (MAX_BYTES + 1), "The file is larger than 1 MB."),
        (b'{"Combatants": [', "This JSON is broken"),
    ],
    ids=["empty", "blank", "picture", "rich", "no mark", "a zero", "latin", "large", "broken"],
)
def test_unreadable_file_is_refused_and_the_notes_stay(
    room: Visit, htmx: bool, raw: bytes, refusal: str
) -> None:
    answer = send(room, "read", "2 veterans", htmx=htmx, file=SimpleUploadedFile("list.txt", raw))
    assert answer.status_code == 422
    page = read(answer)
    assert page.one(id="understood").text.strip().startswith(f"Understood {refusal}")
    assert page.one("textarea", name="notes").text.strip() == "2 veterans"
    if htmx:
        assert answer["HX-Retarget"] == "#people", "the whole box, without the file"


def test_long_text_of_a_file_stays_in_the_box_to_be_cut(room: Visit) -> None:
    answer = send(room, "read", "", file=SimpleUploadedFile("list.txt", b"4 pirates\n" * 1100))
    assert answer.status_code == 422
    assert "Notes have at most 10,000 characters" in read(answer).one(id="understood").text
    assert "4 pirates" in read(answer).one("textarea", name="notes").text


@pytest.mark.parametrize("htmx", [True, False])
def test_notes_are_shown_before_anyone_joins(room: Visit, htmx: bool) -> None:
    before = stored(room.pk)
    answer = send(room, "read", NOTES, htmx=htmx)
    assert answer.status_code == 200
    page = read(answer)
    first, captain, drones = words(page, "block-list")
    assert first.startswith("4 Pirate × 4")
    assert "Sword, Pistol" in first
    assert "Pirate captain" in captain
    assert drones.endswith("Allies")
    assert page.one("button", id="people-add").text == "Add 5 enemies, 2 allies"
    assert [mark.text for mark in page.all("mark", class_="read-item")] == ["sword", "pistol"]
    assert (b"<html" in answer.content) is not htmx
    assert stored(room.pk) == before


QUOTED = re.compile(r"“(\d [^”]+)”")


@pytest.mark.parametrize("address", ["/", "/help/gm/"])
def test_examples_of_home_and_help_are_read_in_their_named_game(gm_client: Client, address: str) -> None:
    said = read(gm_client.get(address)).one("main").text
    (example,) = QUOTED.findall(said)
    game = find_system(next(iter(SYSTEMS)))
    assert f"in {game.name}" in said
    reading = read_notes(example, make_glossary(game, game.begin(), "allies"))
    assert reading.groups
    assert not reading.issues


@pytest.mark.slow
def test_examples_of_page_and_refusal_are_of_the_fights_game(gm: User, gm_client: Client) -> None:
    for slug in SYSTEMS:
        visit = Visit(gm_client, create_encounter(gm, slug, "Here").pk)
        page = read(gm_client.get(f"{visit.here}prep/"))
        assert find_system(slug).book.imports.example in page.one(id="people-notes_helptext").text
        refused = send(visit, "read", " ", htmx=True).content.decode()
        assert find_system(slug).book.imports.short_example in refused


@pytest.mark.slow
def test_page_returns_to_those_who_were_added_or_to_what_is_left(room: Visit) -> None:
    assert add(room, NOTES)["Location"].endswith("#roster")
    assert add(room, f"{NOTES}\n3 qzxw")["Location"].endswith("#people")
    page = read(send(room, "read", NOTES))
    assert "show:#roster:top" in page.one("button", id="people-add")["hx-swap"]


def test_one_tap_adds_all_of_them(room: Visit) -> None:
    assert add(room, NOTES, side="raiders").status_code == 303
    made = present(state_of(room.pk))
    assert [one.name for one in made] == [
        *(f"Pirate {n}" for n in range(1, 5)),
        "Pirate captain",
        "Security drone 1",
        "Security drone 2",
    ]
    assert [one.side for one in made] == ["raiders"] * 5 + ["allies"] * 2
    assert {one.name for one in made[0].items} >= {"Sword", "Pistol"}
    assert load(room.pk).steps == 3
    assert len({one.marks.get(GROUP) for one in made[:4]}) == 1


def test_twenty_armed_npcs_in_a_few_steps(room: Visit) -> None:
    add(room, "12 street thugs with knife\n6 pirates with rapier and laser pistol\n2 veterans (allies)")
    made = present(state_of(room.pk))
    assert len(made) == 20
    assert all("Knife" in {item.name for item in one.items} for one in made[:12])
    assert len({(one.at.x, one.at.y) for one in made}) == 20


def test_text_not_understood_stays_in_the_box_with_suggestions(room: Visit) -> None:
    said = "3 troopers, 2 pirates\nThe lights go out and nobody knows why."
    page = read(send(room, "read", said))
    buttons = [one for one in page.all("button") if one["value"].startswith("use:")]
    assert [" ".join(one.text.split()) for one in buttons] == [
        "Riot trooper instead of 3 troopers",
        "Powered-armor trooper instead of 3 troopers",
    ]
    chosen = read(send(room, buttons[0]["value"], said, htmx=True))
    assert chosen.one("textarea", id="people-notes").text.startswith("3 Riot trooper, 2 pirates")
    answer = add(room, said)
    assert len(present(state_of(room.pk))) == 2
    left = read(room.client.get(answer["Location"])).one("textarea", id="people-notes").text
    assert left == "3 troopers The lights go out and nobody knows why"


def test_nothing_is_headed_understood_where_nothing_is(room: Visit) -> None:
    page = read(send(room, "read", "4 blorks"))
    heads = page.all("h3", inside=page.one("div", id="understood"))
    assert [head.text for head in heads] == ["Not understood"]


def test_own_npc_is_named_and_keeps_its_mark(room: Visit, gm: User) -> None:
    block = sure(find_system(SLUG).book.find_block("pirate"))
    npc = create(gm, SLUG, "Docker", block.sheet, npc=True, kind="Crew")
    add(room, "2 dockers with knife")
    made = present(state_of(room.pk))
    assert [one.marks["source"] for one in made] == [f"npc:{npc.pk}"] * 2
    assert "Knife" in {item.name for item in made[0].items}


NONSENSE = [
    ("read", "", 422, "Nothing to read"),
    ("read", "x" * 10_001, 422, "at most 10,000 characters"),
    ("read", "pirates\0", 422, "cannot be saved"),
    ("use:7:0", "4 pirates", 409, "suggestion is gone"),
    ("use:x:-1", "4 pirates", 409, "suggestion is gone"),
    ("people", "4 pirates", 409, "notes have changed"),
]


@pytest.mark.slow
def test_nonsense_is_answered_with_a_sentence(room: Visit) -> None:
    before = stored(room.pk)
    for do, notes, status, said in NONSENSE:
        for htmx in (True, False):
            answer = send(room, do, notes, htmx=htmx)
            assert answer.status_code == status, (do, said)
            assert said in answer.content.decode(), (do, said)
        assert stored(room.pk) == before, (do, said)


@pytest.mark.slow
def test_nobody_or_too_many_are_refused_and_nothing_changes(room: Visit) -> None:
    nobody = read(send(room, "read", "qzxw")).one("input", name="seen")["value"]
    assert send(room, "people", "qzxw", seen=nobody).status_code == 422
    before = stored(room.pk)
    assert add(room, "4 pirates", side="a\0b").status_code == 422
    assert stored(room.pk) == before
    add(room, "; ".join(["20 pirates"] * 5))
    before = stored(room.pk)
    refused = add(room, "1 pirate")
    assert refused.status_code == 422
    assert "at most 100" in refused.content.decode()
    assert stored(room.pk) == before


def test_blocks_are_filtered_by_their_tier(room: Visit) -> None:
    tiers = {one.tier for one in find_system(SLUG).book.find_blocks().values()}
    page = read(room.client.get(f"{room.here}prep/"))
    assert {one["value"] for one in page.all("button", name="find")} == {"", *tiers}
    filtered = read(room.client.get(f"{room.here}prep/?find=Boss"))
    names = {
        one.text.partition(" (")[0] for one in filtered.all("option", inside=filtered.one(id="join-block"))
    }
    assert names == {one.name for one in find_system(SLUG).book.find_blocks().values() if one.tier == "Boss"}
    (chosen,) = (one for one in filtered.all("button", name="find") if "aria-current" in one.attrs)
    assert chosen["value"] == "Boss"


def test_block_is_shown_before_it_is_taken(room: Visit, gm: User) -> None:
    page = read(room.client.get(f"{room.here}prep/?find=drone"))
    links = [one for one in page.all("a") if "block=" in one["href"]]
    assert "Security drone" in [one.text for one in links]
    shown = page.one("div", id="block-preview").text
    assert "Security drone" in shown
    assert "Laser rifle" in shown
    block = sure(find_system(SLUG).book.find_block("sniper"))
    npc = create(gm, SLUG, "Silent Kay", block.sheet, npc=True)
    own = read(room.client.get(f"{room.here}prep/?block=npc:{npc.pk}"))
    assert "Silent Kay" in own.one("div", id="block-preview").text
    assert room.client.get(f"{room.here}prep/?block=npc:999").status_code == 200


@pytest.mark.slow
def test_forecast_follows_the_roster(room: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "submit", lambda *job: Future())  # no fight is ever played
    address, htmx = f"{room.here}prep/odds/", {"HX-Request": "true"}
    assert "needs two sides" in room.client.get(address, headers=htmx).content.decode()
    add(room, "2 pirates; 1 pirate (allies)")
    page = room.client.get(f"{room.here}prep/").content.decode()
    assert 'hx-post="/encounters/' in page.split('id="prep-odds"')[1][:300]
    begun = room.client.post(address, headers=htmx).content.decode()
    assert "hx-post" not in begun
    add(room, "1 pirate (allies)")
    assert "hx-post" in room.client.get(address, headers=htmx).content.decode()
    assert room.client.get(address)["Location"] == f"{room.here}prep/"


@pytest.mark.slow
def test_forecast_with_a_stat_block_adds_nobody(room: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[tuple[Any, ...]] = []

    def submit(*job: Any) -> Future[Any]:
        begun.append(job)
        return Future()

    monkeypatch.setattr(workers, "submit", submit)
    add(room, "2 pirates; 1 pirate (allies)")
    before = stored(room.pk)
    asked = {"do": "with", "block": read_block(room), "count": "2", "side": "enemies", "zone": ""}
    answer = room.client.post(f"{room.here}prep/", asked, headers={"HX-Request": "true"})
    part = answer.content.decode()
    assert "Playing the fight with" in part
    assert "hx-get" in part
    assert "<progress" in part
    assert "<h1" not in part
    assert len(present(decode(begun[-1][2]))) == 5
    assert stored(room.pk) == before
    assert "Playing the fight with" in room.client.get(f"{room.here}prep/").content.decode()
    assert room.client.post(f"{room.here}prep/", {**asked, "count": "1"}).status_code == 303
    assert len(present(decode(begun[-1][2]))) == 4, "the newest question counts"
    add(room, "1 pirate (allies)")
    assert "Playing the fight with" not in room.client.get(f"{room.here}prep/").content.decode()
    refused = room.client.post(f"{room.here}prep/", {**asked, "count": "0"})
    assert refused.status_code == 422


def read_block(room: Visit) -> str:
    """The first stat block that the page offers."""
    page = room.client.get(f"{room.here}prep/").content.decode()
    found = sure(re.search(r'<select name="block".*?<option value="([^"]+)"', page, re.DOTALL))
    return found[1]


def test_those_of_a_later_round_are_shown_and_wait_for_it(room: Visit) -> None:
    page = read(send(room, "read", "2 pirates; backup after 2 rounds: 1 captain"))
    assert "comes in round 3" in page.one("ul", class_="block-list").text
    add(room, "Backup after 2 rounds: 2 pirates\n1 captain")
    (reserve,) = state_of(room.pk).all_reserves
    assert (len(reserve.who), reserve.when, reserve.at_round) == (2, "round", 3)
    page = read(send(room, "read", "Reinforcements: 2 pirates"))
    assert "comes later" in page.one(id="understood").text


def test_useless_weapon_is_said_with_one_tap(gm: User, gm_client: Client) -> None:
    visit = Visit(gm_client, create_encounter(gm, "cepheus", "Here").pk)
    notes = "4 thugs, each with cudgel and auto pistol"
    page = read(send(visit, "read", notes))
    hint = page.one("ul", class_="is-hint")
    assert "Auto Pistol: \N{MINUS SIGN}3, no skill." in hint.text
    button = page.one("button", inside=hint, value="use:0:0")
    assert button.text.split()[:4] == ["Add", "Slug", "Pistol", "0"]
    solved = read(send(visit, "use:0:0", notes))
    assert solved.one("textarea", name="notes").text.strip() == f"{notes}, Slug Pistol 0"
    assert not solved.all("ul", class_="is-hint")
