"""Two evenings of one campaign: who fought in the first comes back for the second, from their sheets."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.models import Character
from characters.services import character_service
from combat.models import Campaign, CampaignMember, Encounter, GuestSheet, Seat, ShareLink
from combat.play.campaigns.campaigns import (
    create_in_campaign,
    find_travellers,
    move_encounter,
    set_rules,
)
from combat.play.writing.encounter_service import Submission, read_state, submit
from combat.play.writing.locking import locked
from combat.rules import find_system
from combat.rules.core.state.state import Combatant, present
from combat.sharing.guests import delete_encounter
from combat.sharing.links import end_seat, let_in, make_link
from tests.combat.cast import come_by_account
from tests.combat.evenings import make_hero
from tests.combat.visit import SLUG, read

HTMX = {"HX-Request": "true"}
GAMES = pytest.mark.parametrize("slug", ["cosmos", "cepheus"])


def begin_evening(campaign: Campaign, slug: str) -> tuple[Encounter, str]:
    """The first fight, against one enemy, and the address of its link."""
    made = create_in_campaign(campaign, campaign.owner, slug, "Dock 7")
    block = next(iter(find_system(slug).book.find_blocks()))
    submit(made.pk, Submission("join", {"block": block, "count": 1}))
    made.refresh_from_db()
    return made, f"/join/{make_link(made, ShareLink.PLAY, '')[1]}/"


def join_as_guest(address: str, name: str = "Ana") -> Client:
    """A guest who plays the first ready character."""
    guest = Client()
    values = [one["value"] for one in read(guest.get(address)).all("input", name="combatant")]
    wanted = next(value for value in values if value.startswith("ready:"))
    assert guest.post(address, {"name": name, "combatant": wanted}).status_code == 302
    return guest


def find_heroes(fight: Encounter) -> list[Combatant]:
    fight.refresh_from_db()
    return [one for one in present(read_state(fight)) if one.pc]


def play(fight: Encounter) -> None:
    """Hurt everybody and end the fight; each gets 30 of the money, the first one the enemy's gear too."""
    submit(fight.pk, Submission("start"))
    heroes = find_heroes(fight)
    for one in heroes:
        submit(fight.pk, Submission("adjust", {"target": one.id, "track": next(iter(one.tracks)), "by": -3}))
    (foe,) = [one for one in present(read_state(fight)) if not one.pc]
    for track in [one for one, left in foe.tracks.items() if left]:
        submit(fight.pk, Submission("adjust", {"target": foe.id, "track": track, "by": -500}))
    submit(fight.pk, Submission("end_fight"))
    fight.refresh_from_db()
    items = [item.id for item in read_state(fight)[foe.id].items][:1]
    submit(fight.pk, Submission("hand_out", {"holder": foe.id, "items": items, "to": heroes[0].id}))
    for one in heroes:
        submit(fight.pk, Submission("share_money", {"amount": 30, "to": [one.id]}))


def find_money(slug: str) -> str:
    """The key of money on a sheet."""
    plan = find_system(slug).book.sheets
    assert plan
    assert plan.money
    return plan.money.key


def find_next(answer_location: str) -> Encounter:
    """The encounter that an answer leads to."""
    return Encounter.objects.get(pk=int(answer_location.split("/")[2]))


def numbers_of(one: Combatant) -> tuple[object, ...]:
    """What has to come back: health, gear with its rounds, money."""
    gear = sorted((item.name, item.loaded or 0) for item in one.items)
    return dict(one.tracks), gear


@pytest.mark.slow
@GAMES
def test_second_evening_begins_in_one_tap_with_all_of_the_first(
    gm: User, gm_client: Client, campaign: Campaign, slug: str
) -> None:
    fight, address = begin_evening(campaign, slug)
    guest = join_as_guest(address)
    ben = come_by_account(fight, ShareLink.PLAY, "ben")
    hero = make_hero(User.objects.get(username="ben"), "Zoe", slug)
    ben.post(f"/encounters/{fight.pk}/bring/", {"character": hero.pk})
    own = make_hero(gm, "Rook", slug)
    gm_client.post(f"/encounters/{fight.pk}/bring/", {"character": own.pk, "side": "allies"})
    assert len(find_heroes(fight)) == 3
    assert CampaignMember.objects.filter(campaign=campaign).count() == 3, "guests' characters too"
    play(fight)
    assert gm_client.post(f"/encounters/{fight.pk}/home/?close", headers=HTMX).status_code == 204
    after = {one.name: numbers_of(one) for one in find_heroes(fight)}

    answer = gm_client.post("/encounters/new/", {"after": fight.pk})
    second = find_next(answer["Location"])
    assert second.campaign == campaign
    assert {one.name: numbers_of(one) for one in find_heroes(second)} == after
    assert gm_client.post("/encounters/new/", {"after": fight.pk})["Location"] == answer["Location"], "once"
    by_name = {one.name: one.id for one in find_heroes(second)}
    for client in (guest, ben):
        assert client.get(f"/encounters/{second.pk}/").status_code == 403, "the GM still prepares it"
    let_in(second.pk)
    for client, name in ((guest, next(iter({*by_name} - {"Zoe", "Rook"}))), (ben, "Zoe")):
        assert client.get(f"/encounters/{second.pk}/").status_code == 200
        assert client.get(address)["Location"] == f"/encounters/{second.pk}/", "the first link leads on"
        held = [seat.combatants for seat in Seat.objects.filter(encounter=second)]
        assert held.count([by_name[name]]) == 1
    moneys = [one.sheet[find_money(slug)] for one in Character.objects.all()]
    assert min(moneys) >= 30
    mine = GuestSheet.objects.get().character
    assert guest.get(f"/characters/{mine.pk}/").status_code == 200
    assert Client().get(f"/encounters/{second.pk}/").status_code == 302, "nobody else comes in"


def update_home(client: Client, fight: Encounter) -> int:
    """Press what the end of the fight offers for sheets; the status."""
    page = read(client.get(f"/encounters/{fight.pk}/home/?end", headers=HTMX))
    fields: dict[str, list[str]] = {}
    for box in page.all("input"):
        if box["name"] != "csrfmiddlewaretoken" and "disabled" not in box.attrs:
            fields.setdefault(box["name"], []).append(box["value"])
    return client.post(f"/encounters/{fight.pk}/home/?end", fields, headers=HTMX).status_code


def find_left(fight: Encounter, client: Client) -> str:
    """What the end of the fight says of sheets to someone."""
    return client.get(f"/encounters/{fight.pk}/home/?end", headers=HTMX).content.decode()


def test_player_is_asked_on_their_own_page_if_the_table_says_so(
    gm_client: Client, campaign: Campaign
) -> None:
    set_rules(campaign, SLUG, [("sheets_after", "players")])
    fight, address = begin_evening(campaign, SLUG)
    guest = join_as_guest(address)
    play(fight)
    before = Character.objects.get().sheet
    assert "Their player is asked" in find_left(fight, gm_client)
    gm_client.post(f"/encounters/{fight.pk}/home/?close", headers=HTMX)
    who = Character.objects.get().pk
    taken = read(guest.get(f"/encounters/{fight.pk}/home/?end", headers=HTMX)).all("input")
    change = next(box["value"] for box in taken if box["name"] == f"change-{who}")
    forced = {"sheet": who, f"change-{who}": change}
    assert gm_client.post(f"/encounters/{fight.pk}/home/?end", forced, headers=HTMX).status_code == 403
    assert Character.objects.get().sheet == before
    assert f"/encounters/{fight.pk}/home/?end" in guest.get(f"/encounters/{fight.pk}/").content.decode()
    assert "Yes, update" in find_left(fight, guest)
    assert update_home(guest, fight) == 200
    assert Character.objects.get().sheet != before
    assert guest.post(f"/encounters/{fight.pk}/home/?end", forced, headers=HTMX).status_code == 409, "twice"


def test_sheets_are_updated_at_once_where_the_table_says_so(gm_client: Client, campaign: Campaign) -> None:
    set_rules(campaign, SLUG, [("sheets_after", "at_once")])
    fight, address = begin_evening(campaign, SLUG)
    join_as_guest(address)
    before = Character.objects.get().sheet
    submit(fight.pk, Submission("start"))
    (hero,) = find_heroes(fight)
    submit(fight.pk, Submission("adjust", {"target": hero.id, "track": "hp", "by": -3}))
    submit(fight.pk, Submission("end_fight"))
    one = Character.objects.get()
    assert one.sheet["tracks"]["hp"] == find_heroes(fight)[0].tracks["hp"]
    character_service.undo(one.pk, by="gm")
    assert Character.objects.get().sheet == before


def test_campaigns_party_and_guests_are_offered_and_nobody_elses(
    gm: User, gm_client: Client, campaign: Campaign
) -> None:
    fight, address = begin_evening(campaign, SLUG)
    guest = join_as_guest(address)
    ana = Character.objects.get()
    page = read(gm_client.get(f"/encounters/new/?system={SLUG}&campaign={campaign.pk}"))
    assert [box["value"] for box in page.all("input", name="who")] == [str(ana.pk)]
    assert not read(gm_client.get(f"/encounters/new/?system={SLUG}")).all("input", name="who")
    said = {"name": "Dock 8", "system": SLUG, "who": [str(ana.pk)], "campaign": str(campaign.pk)}
    assert gm_client.post("/encounters/new/", {**said, "campaign": ""}).status_code == 422
    second = find_next(gm_client.post("/encounters/new/", said)["Location"])
    assert [one.name for one in find_heroes(second)] == [ana.name]
    assert guest.get(f"/encounters/{second.pk}/").status_code == 403  # they have a seat, and wait
    with locked(fight.pk) as old:
        delete_encounter(old)
    ana.refresh_from_db()
    assert (ana.deleted_at, GuestSheet.objects.get().seat.encounter) == (None, second)


def test_removed_player_does_not_come_back(gm_client: Client, campaign: Campaign) -> None:
    fight, address = begin_evening(campaign, SLUG)
    guest = join_as_guest(address)
    end_seat(Seat.objects.get())
    second = find_next(gm_client.post("/encounters/new/", {"after": fight.pk})["Location"])
    assert len(find_heroes(second)) == 1
    assert not second.seats.exists()
    assert guest.get(f"/encounters/{second.pk}/").status_code == 302


def test_next_fight_is_never_a_copy_that_has_its_name(gm_client: Client, campaign: Campaign) -> None:
    """*Fight again* makes a copy with the old enemies and nobody of the party: it is not the next fight."""
    fight, address = begin_evening(campaign, SLUG)
    join_as_guest(address)
    copied = find_next(gm_client.post(f"/encounters/{fight.pk}/prep/", {"do": "copy"})["Location"])
    second = find_next(gm_client.post("/encounters/new/", {"after": fight.pk})["Location"])
    assert second != copied
    assert second.name != copied.name
    assert [one.pc for one in present(read_state(second))] == [True]
    for name in ("Other", fight.name, copied.name):
        Encounter.objects.filter(pk=second.pk).update(name=name)
        again = gm_client.post("/encounters/new/", {"after": fight.pk})["Location"]
        assert find_next(again) == second, "whatever it is called now"
    Encounter.objects.filter(pk=second.pk).update(archived=True)
    third = find_next(gm_client.post("/encounters/new/", {"after": fight.pk})["Location"])
    assert third not in (second, copied), "an archived one is put away"


@pytest.mark.parametrize(
    ("loser", "sides", "result"),
    [
        ("enemies", ("allies", "enemies"), "Won"),
        ("allies", ("allies", "enemies"), "Lost"),
        ("hostiles", ("enemies", "hostiles"), "The enemies won"),
        ("", ("allies", "enemies"), "Undecided"),
    ],
)
def test_fight_without_heroes_has_a_result(
    gm_client: Client, campaign: Campaign, loser: str, sides: tuple[str, str], result: str
) -> None:
    made = create_in_campaign(campaign, campaign.owner, SLUG, "Dock 7")
    block = next(iter(find_system(SLUG).book.find_blocks()))
    for side in sides:
        submit(made.pk, Submission("join", {"block": block, "count": 1, "side": side}))
    submit(made.pk, Submission("start"))
    made.refresh_from_db()
    for one in [one for one in present(read_state(made)) if one.side == loser]:
        submit(made.pk, Submission("adjust", {"target": one.id, "track": "hp", "by": -500}))
    submit(made.pk, Submission("end_fight"))
    chip = read(gm_client.get("/campaigns/")).one("span", class_="camp-result").text
    assert chip.startswith(f"{result},")
    assert f"</svg> {result}" in gm_client.get(f"/campaigns/{campaign.pk}/").content.decode()


def test_only_the_owner_begins_the_next_fight(gm_client: Client, gm: User, campaign: Campaign) -> None:
    fight, address = begin_evening(campaign, SLUG)
    join_as_guest(address)
    for client in (
        come_by_account(fight, ShareLink.CO_GM, "co"),
        come_by_account(fight, ShareLink.PLAY, "ben"),
    ):
        assert client.post("/encounters/new/", {"after": fight.pk}).status_code == 404
    move_encounter(fight.pk, None)
    assert gm_client.post("/encounters/new/", {"after": fight.pk})["Location"].endswith("/report/")
    assert gm_client.post("/encounters/new/", {"after": "x"}).status_code == 404
    assert Encounter.objects.count() == 1


def test_save_moves_an_encounter_with_its_people(gm_client: Client, gm: User, campaign: Campaign) -> None:
    fight, address = begin_evening(campaign, SLUG)
    move_encounter(fight.pk, None)
    CampaignMember.objects.all().delete()
    join_as_guest(address)
    assert not find_travellers(campaign.pk, gm.pk, SLUG)
    prep = f"/encounters/{fight.pk}/prep/"
    page = read(gm_client.get(prep))
    assert [chip["value"] for chip in page.all("input", name="campaign")] == ["", str(campaign.pk)]
    said = {"do": "name", "name": "Dock 9", "tags": ""}
    assert gm_client.post(prep, {**said, "campaign": campaign.pk}).status_code == 303
    fight.refresh_from_db()
    assert (fight.name, fight.campaign) == ("Dock 9", campaign)
    assert len(find_travellers(campaign.pk, gm.pk, SLUG)) == 1
    assert gm_client.post(prep, said).status_code == 303
    assert gm_client.post(prep, {**said, "name": "X", "campaign": "999"}).status_code == 422
    fight.refresh_from_db()
    assert (fight.name, fight.campaign) == ("Dock 9", campaign), "all of it or nothing"


def test_party_row_shows_what_lasts_and_who_plays_as_permitted(gm_client: Client, campaign: Campaign) -> None:
    fight, address = begin_evening(campaign, SLUG)
    join_as_guest(address)
    ana = Character.objects.get()
    sheet = {**ana.sheet, "conditions": [{"kind": "fatigued", "level": 1}]}
    character_service.change(ana.pk, "Tired", sheet=sheet)
    page = read(gm_client.get(f"/campaigns/{campaign.pk}/"))
    row = page.one(id=f"person-{ana.pk}").text
    assert "Ana plays" in row
    assert "Fatigued" in row
    assert re.search(r"\d+/\d+", row), "rounds"
    submit(fight.pk, Submission("remove", {"target": find_heroes(fight)[0].id}))
    left = read(gm_client.get(f"/campaigns/{campaign.pk}/")).one(id=f"person-{ana.pk}").text
    assert "Fatigued" not in left


def test_only_those_who_run_the_table_update_a_guests_sheet(gm_client: Client, campaign: Campaign) -> None:
    fight, address = begin_evening(campaign, SLUG)
    join_as_guest(address)
    co_gm = come_by_account(fight, ShareLink.CO_GM, "co")
    other = come_by_account(fight, ShareLink.PLAY, "ben")
    play(fight)
    before = Character.objects.get()
    fields = read(gm_client.get(f"/encounters/{fight.pk}/home/?end", headers=HTMX)).all("input")
    change = next(box["value"] for box in fields if box["name"] == f"change-{before.pk}")
    said = {"sheet": before.pk, f"change-{before.pk}": change}
    refused = other.post(f"/encounters/{fight.pk}/home/?end", said, headers=HTMX)
    assert (refused.status_code, Character.objects.get().sheet) == (422, before.sheet)
    assert other.post(f"/encounters/{fight.pk}/home/?close", headers=HTMX).status_code == 403
    assert Character.objects.get().sheet == before.sheet, "all of it or nothing"
    assert update_home(co_gm, fight) == 200
    after = Character.objects.get()
    assert after.sheet != before.sheet
    assert after.changes.all()[0].by == "co"
    assert gm_client.get(f"/characters/{after.pk}/edit/").status_code == 404, "the rest stays the guest's"
