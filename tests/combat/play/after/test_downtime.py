"""Days between fights: characters rest and get treatment, and their sheets are updated."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.models import Character
from characters.services import character_service
from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, create_encounter, read_state, submit
from tests.combat.markup import Page
from tests.combat.visit import read
from tests.typed import Answer

SLUG = "cosmos"
SHEET = {
    "name": "Ada",
    "attributes": {"PRE": 3, "RES": 4, "INT": 3, "MIG": 5, "AWA": 3, "COO": 4},
    "skills": {"Medicine": 4},
    "tracks": {"hp": 40},
}

STARSHOCK = {"name": "Zed", "attributes": {"str": 1, "dex": 1, "int": 0, "prs": 1}}


@pytest.fixture
def party(gm: User) -> list[Character]:
    """Two wounded characters of the GM's own."""
    return [character_service.create(gm, SLUG, name, {**SHEET, "name": name}) for name in ("Ada", "Bo")]


@pytest.fixture
def downtime(gm_client: Client, party: list[Character]) -> Encounter:
    """Both of them in downtime."""
    gm_client.post("/downtime/", {"who": [str(one.pk) for one in party]})
    return Encounter.objects.get()


def hp_of(encounter: Encounter) -> dict[str, int]:
    encounter.refresh_from_db()
    return {f.name: f.tracks["hp"] for f in read_state(encounter).combatants.values()}


def post(client: Client, encounter: Encounter, **fields: object) -> Answer:
    """Post a form of the table's page."""
    version = Page(client.get(f"/encounters/{encounter.pk}/").content.decode()).one(id="table").attrs
    data = {"version": version["data-version"], "combatant": "", **fields}
    return client.post(f"/encounters/{encounter.pk}/", data)


def test_sheet_leads_to_downtime_with_its_character_ticked(gm_client: Client, party: list[Character]) -> None:
    sheet = gm_client.get(f"/characters/{party[0].pk}/").content.decode()
    assert f"/downtime/?who={party[0].pk}" in sheet
    for one in party:
        boxes = Page(gm_client.get(f"/downtime/?who={one.pk}").content.decode()).all("input", name="who")
        assert [box["value"] for box in boxes if "checked" in box.attrs] == [str(one.pk)]
        assert boxes[0]["value"] == str(one.pk)


def test_game_of_whom_one_comes_for_stands_first(gm: User, gm_client: Client, party: list[Character]) -> None:
    zed = character_service.create(gm, "starshock", "Zed", STARSHOCK)
    for who, names in ((zed, ["Zed"]), (party[0], ["Ada", "Bo"]), (party[1], ["Bo", "Ada"])):
        page = read(gm_client.get(f"/downtime/?who={who.pk}"))
        boxes = [box["id"] for box in page.all("input", name="who")]
        assert [label.text.split()[0] for label in page.all("label") if label["for"] in boxes] == names


def test_characters_join_as_they_are_and_are_listed_as_under_way(
    gm_client: Client, downtime: Encounter
) -> None:
    assert (downtime.downtime, downtime.name) == (True, "Downtime: Bo and Ada")
    assert hp_of(downtime) == {"Bo": 40, "Ada": 40}
    assert downtime.name in gm_client.get("/downtime/").content.decode()
    ada = next(f for f in read_state(downtime).combatants.values() if f.name == "Ada")
    gm_client.post("/downtime/", {"who": [str(ada.marks["source"]).removeprefix("character:")]})
    assert Encounter.objects.latest("pk").name == "Downtime: Ada"


def test_table_between_fights_offers_rest_and_no_initiative(gm_client: Client, downtime: Encounter) -> None:
    page = gm_client.get(f"/encounters/{downtime.pk}/").content.decode()
    assert "Roll initiative" not in page
    assert "?do=rest" in page
    assert "Update character sheets" in page


def test_form_of_a_rest_says_what_it_gives_before_it_is_done(gm_client: Client, downtime: Encounter) -> None:
    page = gm_client.get(f"/encounters/{downtime.pk}/?do=rest").content.decode()
    text = Page(page).one(id="odds-panel").text
    assert "Ada gains HP2" in text
    odds = {"do": "rest", "combatant": "", "kind": "medical", "days": "4"}
    answer = gm_client.get(f"/encounters/{downtime.pk}/odds/", odds).content.decode()
    assert "Ada gains HP12" in Page(answer).one(id="odds-panel").text


@pytest.mark.parametrize(
    ("kind", "gained"), [("night", 0), ("light", 3), ("full", 6), ("medical", 9), ("advanced", 15)]
)
def test_days_of_each_care_heal_the_whole_party(
    gm_client: Client, downtime: Encounter, kind: str, gained: int
) -> None:
    assert post(gm_client, downtime, do="rest", kind=kind, days="3").status_code == 303
    assert hp_of(downtime) == {"Bo": 40 + gained, "Ada": 40 + gained}


@pytest.mark.parametrize(("length", "days"), [("night", 0), ("1", 1), ("3", 3), ("14", 14)])
def test_rest_in_one_tap_gives_what_the_page_foretold(
    gm_client: Client, party: list[Character], length: str, days: int
) -> None:
    asked = {"who": [str(one.pk) for one in party], "length": length, "game": SLUG, "seen": "1"}
    told = read(gm_client.get("/downtime/", asked, headers={"HX-Request": "true"}))
    lines = [one.text for name in ("rest-after", "rest-same") for one in told.all(class_=name)]
    assert lines == [f"40 → {40 + 2 * days} HP" if days else "no change"] * 2
    sent = gm_client.post("/downtime/", {**asked, "do": "rest"})
    made = Encounter.objects.get()
    assert sent["Location"] == f"/encounters/{made.pk}/home/"
    assert set(hp_of(made).values()) == {40 + 2 * days}


def test_page_tells_of_each_day_what_begins_and_ends(gm: User, gm_client: Client) -> None:
    hurt = {**SHEET, "tracks": {"hp": 70}, "conditions": [{"kind": "fatigued"}]}
    one = character_service.create(gm, SLUG, "Ada", hurt)
    page = read(gm_client.get(f"/downtime/?who={one.pk}"))
    told = [line.text for line in page.all("li", inside=page.one(class_="rest-brings"))]
    assert told == ["Day 1 Ada: Healthy", "Day 1 Ada: no longer Fatigued"]
    assert "1 rests" in page.one(class_="return-asks").text


def test_dice_of_a_rest_show_their_range(gm: User, gm_client: Client) -> None:
    sheet = {"attributes": {"str": 7, "dex": 7, "end": 9, "int": 7, "edu": 7, "soc": 7}, "tracks": {"end": 2}}
    one = character_service.create(gm, "cepheus", "Mo", sheet)
    page = read(gm_client.get(f"/downtime/?who={one.pk}&length=1"))
    assert page.one(class_="rest-after").text == "16 → 15–20 body"
    assert "from the lowest to the highest" in page.one(class_="rest-brings").text


def test_refused_rest_makes_no_downtime(gm: User, gm_client: Client) -> None:
    """Who bleeds needs aid first: the page says so and begins at the table, a tap changes nothing."""
    one = character_service.create(gm, SLUG, "Ada", {**SHEET, "conditions": [{"kind": "bleeding"}]})
    page = read(gm_client.get(f"/downtime/?who={one.pk}"))
    assert "Ada is bleeding" in page.one(class_="rest-brings").text
    assert [button["value"] for button in page.all("button", name="do")] == ["table"]
    assert gm_client.post("/downtime/", {"who": str(one.pk), "do": "rest"}).status_code == 409
    assert not Encounter.objects.exists()


def test_only_the_ticked_rest(gm_client: Client, downtime: Encounter) -> None:
    post(gm_client, downtime, do="rest", kind="full", days="2", who=["f2"])
    assert sorted(hp_of(downtime).values()) == [40, 44]


def test_refused_rest_keeps_what_was_ticked(gm_client: Client, downtime: Encounter) -> None:
    answer = post(gm_client, downtime, do="rest", kind="full", days="900", who=["f2"])
    assert answer.status_code == 422
    boxes = Page(answer.content.decode()).all("input", name="who")
    assert [box["value"] for box in boxes if "checked" in box.attrs] == ["f2"]
    assert set(hp_of(downtime).values()) == {40}


def test_what_came_of_it_goes_home_to_the_sheets(
    gm_client: Client, downtime: Encounter, party: list[Character]
) -> None:
    post(gm_client, downtime, do="rest", kind="full", days="5")
    home = f"/encounters/{downtime.pk}/home/"
    page = read(gm_client.get(home))
    assert "HP: 40 → 50" in page.one("main").text
    assert "what it would be after the downtime" in page.one("main").text
    boxes = page.all("input", type="checkbox")
    gm_client.post(
        home, {box["name"]: box["value"] for box in boxes if box["name"] == f"change-{party[0].pk}"}
    )
    party[0].refresh_from_db()
    assert party[0].sheet["tracks"]["hp"] == 50


def test_rest_can_be_undone(gm_client: Client, downtime: Encounter) -> None:
    post(gm_client, downtime, do="rest", kind="full", days="5")
    post(gm_client, downtime, do="undo")
    assert set(hp_of(downtime).values()) == {40}


@pytest.mark.slow
def test_party_of_a_fight_rests_when_it_is_over(gm: User, gm_client: Client) -> None:
    fight = create_encounter(gm, SLUG, "The alley")
    submit(fight.pk, Submission("join", {"block": "street_thug", "count": 2}))
    submit(fight.pk, Submission("start", {}))
    refused = post(gm_client, fight, do="rest", kind="full", days="1")
    assert refused.status_code == 409
    assert "End the fight before anyone rests." in refused.content.decode()
    submit(fight.pk, Submission("end_fight", {}))
    assert "?do=rest" in gm_client.get(f"/encounters/{fight.pk}/").content.decode()
    assert post(gm_client, fight, do="rest", kind="night", days="1").status_code == 303


@pytest.mark.parametrize("who", [[], ["x"], ["999999"], ["²"], ["own", "theirs"]])
def test_downtime_of_nobody_or_anothers_character_is_refused(
    gm_client: Client, party: list[Character], who: list[str]
) -> None:
    theirs = character_service.create(User.objects.create_user("other"), SLUG, "Theirs", SHEET)
    known = {"own": party[0].pk, "theirs": theirs.pk}
    answer = gm_client.post("/downtime/", {"who": [str(known.get(one, one)) for one in who]})
    assert answer.status_code == 422
    assert "Choose one or more of your own characters." in answer.content.decode()
    assert not Encounter.objects.exists()


def test_characters_of_two_games_do_not_rest_together(
    gm: User, gm_client: Client, party: list[Character]
) -> None:
    other = character_service.create(gm, "starshock", "Zed", STARSHOCK)
    answer = gm_client.post("/downtime/", {"who": [str(party[0].pk), str(other.pk)]})
    assert answer.status_code == 409
    assert "of the same game" in answer.content.decode()


def test_page_without_characters_says_what_to_do(gm_client: Client) -> None:
    assert "Create character" in gm_client.get("/downtime/").content.decode()


@pytest.mark.slow
def test_treatment_takes_typed_dice_and_one_a_day(gm: User, gm_client: Client) -> None:
    """Field medicine: the kit, the check, and a wait until the next day. [COS-MED-06] [COS-MED-08]"""
    kit = {"id": "kit", "kind": "medical", "entry": "medical_kit", "place": "carried"}
    medic = character_service.create(gm, SLUG, "Mae", {**SHEET, "name": "Mae", "tracks": {}, "items": [kit]})
    hurt = character_service.create(gm, SLUG, "Bo", {**SHEET, "name": "Bo"})
    gm_client.post("/downtime/", {"who": [str(medic.pk), str(hurt.pk)]})
    downtime = Encounter.objects.get()
    ids = {f.name: f.id for f in read_state(downtime).combatants.values()}
    treat = {"do": "treat", "by": ids["Mae"], "target": ids["Bo"], "method": "field", "dice": "table"}
    page = gm_client.get(f"/encounters/{downtime.pk}/", {k: v for k, v in treat.items() if k != "dice"})
    assert "to succeed" in Page(page.content.decode()).one(id="odds-panel").text
    assert post(gm_client, downtime, **treat, **{"face-1": "11", "face-2": "1"}).status_code == 422
    assert hp_of(downtime)["Bo"] == 40
    post(gm_client, downtime, **treat, **{"face-1": "9", "face-2": "9"})
    asked = Page(gm_client.get(f"/encounters/{downtime.pk}/").content.decode())
    dice = {e["name"]: "4" for e in asked.all("input", data_die="6")}
    post(gm_client, downtime, do="answer_all", dice="table", **dice)
    healed = hp_of(downtime)["Bo"]
    assert healed == 40 + 4 * len(dice)
    assert post(gm_client, downtime, **treat, **{"face-1": "9", "face-2": "9"}).status_code == 409
    assert hp_of(downtime)["Bo"] == healed
