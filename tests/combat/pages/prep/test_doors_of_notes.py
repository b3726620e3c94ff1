"""Every page that takes notes reads them alike: the same text gives the same people by every door."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client, RequestFactory

from characters.services.character_service import create
from combat.models import Encounter
from combat.pages.prep import people_view
from combat.pages.prep.people_view import PeopleBox, add_read, make_line_reader
from combat.play.writing.encounter_service import create_encounter
from combat.rules import find_system
from combat.rules.core.state.state import find_waiting, present
from combat.sharing.access import find_gm_context
from tests.combat.play.notes.test_lists import ENCOUNTER
from tests.combat.visit import SLUG, read, state_of

LIST = json.dumps([{"name": "Pirate", "count": 3}, {"name": "Sniper", "hidden": True}])
TEXTS = {
    "parts": "6 pirates, two with shotguns, the rest with swords; 2 soldiers (allies)",
    "headings": "Crew (4):\n- 3 pirates\n- 1 captain\n\nThe docks\nKorr (pirate captain)",
    "labels": "Allies: 2 soldiers, enemies: 3 pirates",
    "later": "R3: 2 pirates\nReserve: 1 sniper\nIf the alarm goes off: 2 guards",
    "own NPC": "2 dockers, 1 pirate",
    "table": "Name,Count\nPirate,4\nSniper,1",
    "odd letters": "s\u0131x p\u0130rate\u017f",
    "asked": "4 zorblats, 2 pirates; 3 dead pirates",
    "language": "3 Piraten mit Schwertern",
    "list": LIST,
    "tracker": json.dumps(ENCOUNTER),
    "wrapped list": json.dumps({"version": 2, "encounter": "Ambush", "combatants": json.loads(LIST)}),
    "fenced list": f"Here is your encounter:\n\n```json\n{LIST}\n```\nHave fun!",
    "fenced notes": "Sure!\n```\n2 pirates\n1 sniper (hidden)\n```",
    "list behind words": f"The ambush:\n{LIST}",
}
Told = list[tuple[Any, ...]]


@pytest.fixture
def empty(gm: User) -> Encounter:
    """An encounter without anybody; its GM has an NPC called Docker."""
    sheet = find_system(SLUG).book.find_blocks()["street_thug"].sheet
    create(gm, SLUG, "Docker", sheet, npc=True)
    return create_encounter(gm, SLUG, "Here")


@pytest.fixture
def boxes(monkeypatch: pytest.MonkeyPatch) -> list[PeopleBox]:
    """What the pages show of notes, in the order in which they were asked."""
    shown: list[PeopleBox] = []
    view = people_view.view_reading

    def remember(*given: Any) -> PeopleBox:
        shown.append(view(*given))
        return shown[-1]

    monkeypatch.setattr(people_view, "view_reading", remember)
    return shown


def tell(groups: Any) -> Told:
    return [(one.count, one.title, one.about, one.side, one.hidden, one.comes) for one in groups]


@pytest.mark.slow
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_same_text_gives_the_same_people_by_every_door(
    gm: User, gm_client: Client, empty: Encounter, rf: RequestFactory, boxes: list[PeopleBox], text: str
) -> None:
    gm_client.post("/encounters/new/", {"system": SLUG, "do": "read", "notes": text, "name": "x"})
    gm_client.post(f"/encounters/{empty.pk}/prep/", {"do": "read", "notes": text})
    gm_client.post(f"/encounters/{empty.pk}/prep/people/", {"notes": text}, headers={"HX-Request": "true"})
    assert len(boxes) == 3
    first, *others = [(tell(one.groups), one.issues, one.hints, one.text) for one in boxes]
    assert all(one == first for one in others)
    request = rf.get("/")
    request.user, request.session = gm, gm_client.session
    context = find_gm_context(request, empty.pk)
    shown, _ = make_line_reader(request, context).read(text)
    assert tell(shown) == first[0], "Who comes?"
    if first[0]:
        add_read(gm, context, PeopleBox(text=text, side="enemies"))  # also what programs send
        gm_client.post("/encounters/new/", {"system": SLUG, "name": "New", "notes": text})
        made = Encounter.objects.latest("pk")
        assert made.name == "New"
        assert count(made.pk) == count(empty.pk) == sum(one[0] for one in first[0])


def count(pk: int) -> int:
    return len(present(state_of(pk))) + len(find_waiting(state_of(pk)))


def test_another_programs_list_becomes_notes_of_a_new_encounter(gm_client: Client) -> None:
    headers = {"HX-Request": "true"}
    asked = {"system": SLUG, "do": "read", "notes": LIST, "name": "x"}
    answer = gm_client.post("/encounters/new/", asked, headers=headers)
    shown = read(answer).one("textarea", name="notes").text
    assert shown.startswith("3 Pirate 1 Sniper (hidden)")
    assert (answer["HX-Retarget"], answer["HX-Reselect"]) == ("#start", "#start")


@pytest.mark.parametrize(
    ("notes", "says"),
    [
        ("3 soldiers (allies); 9 pirates; R3: 2 guards", "3 allies against 9, 2 later"),
        ("3 pirates, 4 zorblats", "3 people; 1 line not understood"),
        (LIST, "4 people"),  # what a list leaves behind is no line of theirs
        ("Reserve: 2 guards", "2 later"),
        ("4 zorblats", "encounter; 1 line not understood"),
        ("2 guards; 3 pirates minus one", "2 people; 1 question"),
    ],
)
def test_button_says_its_result_and_is_filled_if_nothing_asks(
    gm_client: Client, empty: Encounter, notes: str, says: str
) -> None:
    asked = {"system": SLUG, "do": "read", "notes": notes, "name": "x"}
    button = read(gm_client.post("/encounters/new/", asked)).one("button", class_="btn-large")
    assert says in button.text
    assert ("btn-primary" in button["class"]) == ("; 1 " not in says)
    prepared = read(gm_client.post(f"/encounters/{empty.pk}/prep/", {"do": "read", "notes": notes}))
    for add in prepared.all("button", id="people-add"):
        assert ("; 1 " in add.text) == ("; 1 " in says)
        assert ("btn-primary" in add["class"]) == ("; 1 " not in says)


def test_unsure_sentence_is_asked_and_yes_takes_its_reading(gm_client: Client, empty: Encounter) -> None:
    """Nobody of it comes before that: it stays in the box, with the others in."""
    page, notes = f"/encounters/{empty.pk}/prep/", "2 guards\n3 pirates minus one"
    asked = read(gm_client.post(page, {"do": "read", "notes": notes}))
    (button,) = [one for one in asked.all("button") if one["value"].startswith("use:")]
    assert "Yes" in button.text
    assert any("Read as 3 × Pirate. Right?" in one.text for one in asked.all("small"))
    answered = read(gm_client.post(page, {"do": button["value"], "notes": notes}))
    assert answered.one("textarea", name="notes").text == "2 guards 3 × Pirate"
    assert "btn-primary" in answered.one("button", id="people-add")["class"]
    seen = asked.one("input", name="seen")["value"]
    gm_client.post(page, {"do": "people", "notes": notes, "seen": seen})
    left = read(gm_client.get(page))
    assert left.one("textarea", name="notes").text.strip() == "3 pirates minus one"
