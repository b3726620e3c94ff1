"""The form of an own NPC: every default is valid, faults say what would be right, a copy is saved."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.models import Character
from characters.services.character_service import create
from combat.play.campaigns.campaigns import create_campaign, create_in_campaign
from combat.play.writing.encounter_service import Submission, submit, undo
from combat.rules import find_system
from tests.combat.cast import Cast
from tests.combat.markup import Page
from tests.combat.rules.games import every_slug
from tests.combat.visit import SLUG, Visit, read, state_of

NEW = "/npcs/new/"


def fields_of(page: Page) -> dict[str, Any]:
    """What a browser would send of the untouched form."""
    fields = page.fields(page.one("form", id="npc-form"))
    return {name: value for name, value in fields.items() if name != "csrfmiddlewaretoken"}


def find_field(page: Page, label: str) -> str:
    """The name of the field with this label."""
    found = next(one for one in page.all("label") if one.text.strip() == label)
    return str(page.one("input", id=found["for"])["name"])


@every_slug
def test_untouched_form_needs_only_a_name(gm: User, gm_client: Client, slug: str) -> None:
    blocks = find_system(slug).book.find_blocks()
    kinds = {one.tier: key for key, one in blocks.items()}
    for key in ("", *kinds.values()):
        sent = {
            **fields_of(read(gm_client.get(NEW, {"game": slug, "from": key}))),
            "name": "Vox",
            "do": "save",
        }
        answer = gm_client.post(NEW, sent)
        assert answer.status_code == 303, (key, read(answer).one("main").text[:300])
    made = list(Character.objects.filter(owner=gm, npc=True))
    assert {one.name for one in made} == {"Vox"}
    assert {one.kind for one in made} == {"", *kinds}


def test_card_names_the_group_of_its_numbers_once(gm_client: Client) -> None:
    card = read(gm_client.get(NEW, {"game": SLUG, "from": "pirate"})).one("aside", id="own-live").text
    assert "Saves Presence 3; Resolve 3;" in card
    assert card.count("Saves") == 1


def test_card_follows_the_form_and_a_fault_says_what_is_right(gm_client: Client) -> None:
    page = read(gm_client.get(NEW, {"game": "cepheus", "from": "pirate_captain"}))
    strength = find_field(page, "Strength")
    sent = {**fields_of(page), "name": "Captain Vox"}
    live = gm_client.post(NEW, {**sent, strength: "9", "do": "show"}).content.decode()
    assert "Captain Vox" in live
    assert "was 7" in live
    wrong = gm_client.post(NEW, {**sent, strength: "9999", "do": "show"}).content.decode()
    assert f'value="{strength}=' in wrong
    assert "the card keeps the last good value" in wrong
    refused = gm_client.post(NEW, {**sent, strength: "9999", "do": "save"})
    assert refused.status_code == 422
    take = next(one for one in read(refused).all("button", name="take"))
    taken = read(gm_client.post(NEW, {**sent, strength: "9999", "take": take["value"]}))
    assert fields_of(taken)[strength] == take["value"].partition("=")[2]
    assert not Character.objects.filter(name="Captain Vox").exists()


def test_what_the_table_can_set_later_is_kept(gm: User, gm_client: Client) -> None:
    page = read(gm_client.get(NEW, {"game": SLUG}))
    sent = {**fields_of(page), "name": "Vox", "alias": "the captain", "flees": "alone", "health": "50"}
    assert "Players know them as" in gm_client.post(NEW, {**sent, "do": "show"}).content.decode()
    assert gm_client.post(NEW, {**sent, "do": "save"}).status_code == 303
    npc = Character.objects.get(name="Vox")
    assert (npc.sheet["alias"], npc.sheet["flees"], npc.sheet["abilities"]["hp"] < 0) == (
        "the captain",
        "alone",
        True,
    )
    again = fields_of(read(gm_client.get(f"/npcs/{npc.pk}/")))
    assert (again["alias"], again["flees"], again["health"]) == ("the captain", "alone", "50")


def test_skill_and_items_are_added_kept_and_dropped(gm: User, gm_client: Client) -> None:
    page = read(gm_client.get(NEW, {"game": "cepheus", "from": "pirate"}))
    sent = {**fields_of(page), "name": "Saro"}
    skill = page.all("option", inside=page.one("select", id="own-skill"))[0]
    more = read(gm_client.post(NEW, {**sent, "wanted_skill": skill["value"], "do": "skill"}))
    sent = fields_of(more)
    assert len([one for one in sent if one.startswith("s") and one[1:].isdecimal()]) == 1 + len(
        [one for one in fields_of(page) if one.startswith("s") and one[1:].isdecimal()]
    )
    kept = page.all("input", name="keep")
    armed = read(gm_client.post(NEW, {**sent, "wanted": "cepheus-weapon-laser_pistol", "do": "add"}))
    assert "Laser Pistol" in armed.one("aside", id="own-live").text
    sent = {**fields_of(armed), "keep": [one["value"] for one in kept[1:]], "do": "save"}
    assert gm_client.post(NEW, sent).status_code == 303
    items = Character.objects.get(owner=gm, name="Saro").sheet["items"]
    assert items[-1]["entry"] == "laser_pistol"
    assert kept[0]["value"] not in {one["id"] for one in items[:-1]}


def test_own_item_spends_the_counter_of_an_npc_in_a_fight(gm: User, gm_client: Client, room: Visit) -> None:
    """Made, given, shot, undone and refused, all through the pages."""
    make = f"/gear/own/new/?from={SLUG}-weapon-pistol"
    page = read(gm_client.get(make))
    form = next(one for one in page.all("form") if "own-form" in one["class"])
    item = {**page.fields(form), "name": "Arc gun", "spends": "Charges", "do": "save"}
    key = gm_client.post(make, item)["Location"].strip("/").rpartition("/")[2]
    sent = {**fields_of(read(gm_client.get(NEW, {"game": SLUG}))), "name": "Saro"}
    sent |= {"counter0-name": "Charges", "counter0-most": "1", "wanted": key}
    armed = fields_of(read(gm_client.post(NEW, {**sent, "do": "add"})))
    assert gm_client.post(NEW, {**armed, "do": "save"}).status_code == 303
    saro = Character.objects.get(owner=gm, name="Saro")
    assert [(one["name"], one["most"]) for one in saro.sheet["counters"]] == [("Charges", 1)]
    for block, side in ((f"npc:{saro.pk}", "enemies"), ("pirate", "allies")):
        fields = {"do": "join", "block": block, "count": "1", "side": side}
        assert gm_client.post(f"{room.here}prep/", fields).status_code == 303
    submit(room.pk, Submission("start", {}))
    if state_of(room.pk).active != "f1":
        room.do("next_turn")
    gun = next(one for one in state_of(room.pk)["f1"].items if one.name == "Arc gun")
    room.act("attack", "f1", target="f2", weapon=gun.id)
    assert state_of(room.pk)["f1"].all_counters[0].left == 0
    assert "Charges" in read(room.get("log/")).one("main").text
    room.do("next_turn")
    room.do("next_turn")
    again = room.page(do="attack", combatant="f1", weapon=gun.id).one("form", id="form-attack").text
    assert "Arc gun needs Charges, which is empty" in again, "instead of odds"
    for _ in range(3):
        undo(room.pk)
    assert state_of(room.pk)["f1"].all_counters[0].left == 1


def test_encounters_npc_joins_its_campaign_chosen_in_the_gallery(gm: User, gm_client: Client) -> None:
    campaign = create_campaign(gm, "The long haul")
    encounter = create_in_campaign(campaign, gm, SLUG, "Dock")
    gallery = read(gm_client.get(f"/encounters/{encounter.pk}/prep/people/?who=pirate"))
    copy = next(one for one in gallery.all("a") if one.text == "Copy and change")
    sent = {**fields_of(read(gm_client.get(copy["href"]))), "name": "Mother Saro", "do": "save"}
    answer = gm_client.post(NEW, sent)
    made = Character.objects.get(owner=gm, npc=True)
    assert answer["Location"] == f"/encounters/{encounter.pk}/prep/people/?who=npc%3A{made.pk}"
    assert campaign.members.filter(character=made).exists()
    assert read(gm_client.get(answer["Location"])).one("h2", id="h-chosen").text == "Mother Saro"


def test_change_is_one_step_of_the_history(gm: User, gm_client: Client) -> None:
    sheet = find_system(SLUG).book.find_blocks()["pirate"].sheet
    npc = create(gm, SLUG, "Saro", sheet, npc=True, notes="Owes Vox\nand more")
    address = f"/npcs/{npc.pk}/"
    sent = {**fields_of(read(gm_client.get(address))), "line": "Owes nobody", "face": "captain", "do": "save"}
    assert gm_client.post(address, sent).status_code == 303
    npc.refresh_from_db()
    assert (npc.notes, npc.face, npc.changes.count()) == ("Owes nobody\nand more", "captain", 2)
    assert gm_client.post(address, sent).status_code == 409, "the page is of an older version"


@pytest.mark.parametrize("address", [NEW, f"{NEW}?from=npc:999", f"{NEW}?from=nobody"])
def test_form_is_for_people_with_an_account(cast: Cast, address: str) -> None:
    assert Client().get(address).status_code == 302
    assert cast.gm.get(address).status_code == (200 if address == NEW else 404)


def test_npc_of_someone_else_is_not_found(gm_client: Client) -> None:
    sheet = find_system(SLUG).book.find_blocks()["pirate"].sheet
    theirs = create(User.objects.create(username="other"), SLUG, "Hidden Hand", sheet, npc=True)
    for address in (f"/npcs/{theirs.pk}/", f"{NEW}?game={SLUG}&from=npc:{theirs.pk}"):
        assert gm_client.get(address).status_code == 404


@pytest.mark.slow
@pytest.mark.parametrize(
    ("slug", "item", "skill"),
    [
        ("cepheus", "cepheus-weapon-laser_pistol", "Energy Pistol"),
        ("guardians", "guardians-weapon-long_sword", "Blades"),
        ("starshock", "starshock-weapon-ray_gun", "Energy Weapons"),
    ],
)
def test_skill_that_a_weapon_needs_is_one_tap(gm_client: Client, slug: str, item: str, skill: str) -> None:
    sent = fields_of(read(gm_client.get(NEW, {"game": slug}))) | {"name": "Vox"}
    armed = read(gm_client.post(NEW, {**sent, "wanted": item, "do": "add"}))
    need = armed.one("button", name="need")
    assert need.text == f"Add {skill}"
    sent = fields_of(armed)
    for odd in ("nothing", "<b>", ""):
        assert gm_client.post(NEW, {**sent, "need": odd}).status_code == 200
    trained = read(gm_client.post(NEW, {**sent, "need": need["value"]}))
    assert find_field(trained, skill)
    assert not trained.all("button", name="need")
    assert item in fields_of(trained).values()
