"""Handing over in peace, and the party's chest: in one place only, by right, and back exactly."""

from __future__ import annotations

import re
from types import ModuleType
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.test import Client
from django.utils import timezone
from zeal import zeal_ignore

from characters.models import Character
from characters.services import character_service
from combat.models import Campaign, CampaignMember, Chest, Participation, Seat, ShareLink, Transfer
from combat.pages.campaigns import chest_view
from combat.play.campaigns import chest
from combat.play.campaigns.campaigns import create_in_campaign
from combat.play.campaigns.chest import Wish
from combat.play.campaigns.roster import bring
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.gm.loot import find_money
from combat.rules.core.sheets.sheets import MAX_ALIKE, blank_draft
from combat.rules.core.state.state import present
from tests.combat.cast import come_by_account
from tests.combat.together import at_once
from tests.combat.visit import read, state_of

PILES = {
    "cosmos": ("drug", "adrenaline"),
    "starshock": ("consumable", "spray_on_skin"),
    "guardians": ("item", "painkillers"),
    "cepheus": ("gear", "stim_drugs"),
    "cepheus_quick": ("gear", "stim_drugs"),
}
PILE = {"id": "i1", "kind": "drug", "entry": "adrenaline", "count": 3}
GUN = {"id": "i2", "kind": "weapon", "entry": "pistol", "place": "held", "loaded": 4, "spares": 2}


def make_person(campaign: Campaign, user: User, name: str, slug: str = "cosmos", **more: Any) -> Character:
    """A character of the party, with money and nothing else."""
    plan = find_system(slug).book.sheets
    assert plan
    sheet = {**plan.write({}, blank_draft(plan)), "name": name, "items": [], **more}
    if plan.money:
        sheet[plan.money.key] = 100
    made = character_service.create(user, slug, name, sheet)
    CampaignMember.objects.create(campaign=campaign, character=made)
    return made


@pytest.fixture
def nia(db: None) -> User:
    return User.objects.create_user("nia")


@pytest.fixture
def kim(db: None) -> User:
    return User.objects.create_user("kim")


@pytest.fixture
def zara(campaign: Campaign, nia: User) -> Character:
    return make_person(campaign, nia, "Zara", items=[PILE, GUN])


@pytest.fixture
def ben(campaign: Campaign, kim: User) -> Character:
    return make_person(campaign, kim, "Ben")


def keep_shown(monkeypatch: pytest.MonkeyPatch, view: ModuleType) -> dict[str, Any]:
    """What the page that was opened last has to show."""
    found: dict[str, Any] = {}

    def keep(request: HttpRequest, page: str, shown: dict[str, Any], status: int = 200) -> HttpResponse:
        found.clear()
        found.update(shown)
        return render(request, page, shown, status=status)

    monkeypatch.setattr(view, "render", keep)
    return found


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    return keep_shown(monkeypatch, chest_view)


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def things_of(one: Character) -> list[dict[str, Any]]:
    one.refresh_from_db()
    items: list[dict[str, Any]] = one.sheet["items"]
    return items


def count_all(campaign: Campaign, *people: Character) -> tuple[int, int, int]:
    """All doses, pistols (ten each) with their magazines, and money, wherever they are."""
    lying = [one for found in Chest.objects.filter(campaign=campaign) for one in found.things]
    carried = [item for one in people for item in things_of(one)]
    doses = sum(one.get("count", 1) for one in (*lying, *carried) if one["entry"] == "adrenaline")
    pistols = [one for one in (*lying, *carried) if one["entry"] == "pistol"]
    loads = sum(one.get("spares", 0) + one.get("magazines", 0) for one in pistols)
    money = sum(one.sheet["credits"] for one in people)
    money += sum(found.money for found in Chest.objects.filter(campaign=campaign))
    guns = sum("magazines" not in one for one in pistols)
    return doses, 10 * guns + loads, money


def offer(zara: Character, ben: Character, nia: User, **wish: Any) -> Transfer:
    campaign = Campaign.objects.get()
    return chest.offer(nia, campaign, zara, ben, Wish(**wish))


# ---------------------------------------------------------------- from sheet to sheet


def test_an_offer_passes_with_a_yes_and_comes_back(
    campaign: Campaign, zara: Character, ben: Character, nia: User, kim: User
) -> None:
    before = things_of(zara), count_all(campaign, zara, ben)
    act = offer(zara, ben, nia, item="i1", count=2)
    assert things_of(zara) == before[0]  # it is theirs until it is taken
    chest.answer(kim, act.pk, takes=True)
    assert [one.get("count") for one in things_of(ben)] == [2]
    assert count_all(campaign, zara, ben) == before[1]
    with pytest.raises(Refused, match="That offer is over"):
        chest.answer(kim, act.pk, takes=True)
    chest.give_back(kim, act.pk)
    assert (things_of(zara), things_of(ben)) == (before[0], [])


def test_a_whole_weapon_comes_back_in_hand_with_its_rounds(
    zara: Character, ben: Character, nia: User, kim: User
) -> None:
    before = things_of(zara)
    act = offer(zara, ben, nia, item="i2")
    chest.answer(kim, act.pk, takes=True)
    (gun,) = things_of(ben)
    assert (gun["entry"], gun["loaded"], gun["spares"], gun.get("place", "carried")) == (
        "pistol",
        4,
        2,
        "carried",
    )
    chest.give_back(kim, act.pk)
    assert sorted(things_of(zara), key=lambda one: one["id"]) == before


def test_magazines_need_the_same_weapon(
    campaign: Campaign, zara: Character, ben: Character, nia: User, kim: User
) -> None:
    act = offer(zara, ben, nia, item="i2+spare", count=2)
    with pytest.raises(Refused, match="Only who has a Pistol loads that"):
        chest.answer(kim, act.pk, takes=True)
    character_service.change(ben.pk, "Armed", sheet={**ben.sheet, "items": [{**GUN, "spares": 0}]})
    before = count_all(campaign, zara, ben)
    chest.answer(kim, act.pk, takes=True)
    assert things_of(ben)[0]["spares"] == 2
    assert count_all(campaign, zara, ben) == before
    chest.give_back(kim, act.pk)
    assert things_of(zara)[1]["spares"] == 2


def test_money_passes_and_nobody_gives_more_than_they_have(
    zara: Character, ben: Character, nia: User, kim: User
) -> None:
    with pytest.raises(Refused, match="There are 100 Credits"):
        offer(zara, ben, nia, money=101)
    chest.answer(kim, offer(zara, ben, nia, money=40).pk, takes=True)
    zara.refresh_from_db()
    ben.refresh_from_db()
    assert (zara.sheet["credits"], ben.sheet["credits"]) == (60, 140)


def test_the_sheets_undo_brings_nothing_back_alone(
    zara: Character, ben: Character, nia: User, kim: User
) -> None:
    chest.answer(kim, offer(zara, ben, nia, item="i1", count=3).pk, takes=True)
    for one in (zara, ben):
        assert character_service.find_undoable(one) is None
        with pytest.raises(Refused, match="undo that in the party"):
            character_service.undo(one.pk)
    assert [one["entry"] for one in things_of(zara)] == ["pistol"]


def test_what_was_used_up_does_not_come_back(zara: Character, ben: Character, nia: User, kim: User) -> None:
    act = offer(zara, ben, nia, item="i1", count=3)
    chest.answer(kim, act.pk, takes=True)
    ben.refresh_from_db()
    character_service.change(ben.pk, "Used", sheet={**ben.sheet, "items": []})
    with pytest.raises(Refused, match="Ben has no Adrenaline × 3 as it was"):
        chest.give_back(kim, act.pk)
    assert [one["entry"] for one in things_of(zara)] == ["pistol"]


def test_who_may_answer_an_offer(zara: Character, ben: Character, nia: User, kim: User, gm: User) -> None:
    act = offer(zara, ben, nia, item="i1")
    with pytest.raises(Refused, match="That offer is over"):
        chest.answer(nia, act.pk, takes=True)  # who offers cannot take it for them
    with pytest.raises(Refused, match="That offer is over"):
        chest.answer(gm, act.pk, takes=True)
    chest.answer(nia, act.pk, takes=False)
    with pytest.raises(Refused, match="That offer is over"):
        chest.answer(kim, act.pk, takes=True)
    with pytest.raises(Refused, match="Offer what is yours"):
        offer(zara, ben, kim, item="i1")


def test_who_left_the_party_gets_nothing(
    campaign: Campaign, zara: Character, ben: Character, nia: User, kim: User
) -> None:
    act = offer(zara, ben, nia, item="i1")
    CampaignMember.objects.filter(character=ben).delete()
    with pytest.raises(Refused, match="That offer is over"):
        chest.answer(kim, act.pk, takes=True)
    assert not chest.may_use(kim, campaign)
    assert things_of(zara)[0]["count"] == 3


def test_in_a_fight_nothing_leaves_a_sheet(
    campaign: Campaign, zara: Character, ben: Character, nia: User, kim: User, gm: User
) -> None:
    act = offer(zara, ben, nia, item="i1")
    fight = create_in_campaign(campaign, gm, "cosmos", "Yard")
    Character.objects.filter(pk=zara.pk).update(owner=gm)
    bring(fight, gm, str(zara.pk), side="heroes", zone="", by="gm")
    Character.objects.filter(pk=zara.pk).update(owner=nia)
    submit(fight.pk, Submission("join", {"block": "pirate", "side": "foes"}))
    chest.check_free(zara)  # nobody fights yet
    submit(fight.pk, Submission("start", {}))
    zara.refresh_from_db()
    with pytest.raises(Refused, match="Zara is in a fight"):
        chest.answer(kim, act.pk, takes=True)
    with pytest.raises(Refused, match="Zara is in a fight"):
        chest.pass_now(nia, campaign, zara, None, Wish(item="i1"))
    chest.check_free(ben)
    brought = Participation.objects.get(character=zara)
    pirate = next(one.id for one in present(state_of(fight.pk)) if not one.pc)
    for combatant in (pirate, "f99"):  # another has that place, or nobody
        Participation.objects.filter(pk=brought.pk).update(combatant=combatant)
        chest.check_free(zara)
    brought.save()
    submit(fight.pk, Submission("remove", {"target": brought.combatant}))
    chest.check_free(zara)  # they have left


# ---------------------------------------------------------------- the chest


def test_in_and_out_of_the_chest_and_undone(
    campaign: Campaign, zara: Character, ben: Character, nia: User, kim: User
) -> None:
    before = things_of(zara), count_all(campaign, zara, ben)
    put = chest.pass_now(nia, campaign, zara, None, Wish(item="i1", count=2))
    ((key, name, count),) = chest.list_things(chest.find_chest(campaign, "cosmos"))
    assert (name, count) == ("Adrenaline", 2)
    took = chest.pass_now(kim, campaign, None, ben, Wish(item=key, count=2))
    assert [chest.say_act(one) for one in chest.find_log(campaign, "cosmos")] == [
        "took Adrenaline × 2 for Ben",
        "added Adrenaline × 2 from Zara",
    ]
    assert count_all(campaign, zara, ben) == before[1]
    with pytest.raises(Refused, match="kim was faster: Adrenaline × 2 is gone"):
        chest.pass_now(nia, campaign, None, zara, Wish(item=key))
    with pytest.raises(Refused, match="Someone acted after that"):
        chest.undo(nia, campaign, "cosmos", put.pk)
    with pytest.raises(Refused, match="kim did that"):
        chest.undo(nia, campaign, "cosmos", took.pk)
    chest.undo(kim, campaign, "cosmos", took.pk)
    assert things_of(ben) == []
    chest.undo(nia, campaign, "cosmos", put.pk)
    assert things_of(zara) == before[0]
    assert count_all(campaign, zara, ben) == before[1]
    assert chest.find_last(campaign, "cosmos") is None


def test_money_and_what_the_gm_adds(campaign: Campaign, zara: Character, nia: User, gm: User) -> None:
    chest.pass_now(nia, campaign, zara, None, Wish(money=30))
    chest.add_new(gm, campaign, "cosmos", "", Wish(money=900))
    chest.add_new(gm, campaign, "cosmos", "adrenaline", Wish(count=2))
    with pytest.raises(Refused, match="Only the GM adds"):
        chest.add_new(nia, campaign, "cosmos", "adrenaline", Wish())
    with pytest.raises(Refused, match="no item of that name"):
        chest.add_new(gm, campaign, "cosmos", "Fist", Wish())
    with pytest.raises(Refused, match="There are 930 in the chest"):
        chest.pass_now(nia, campaign, None, zara, Wish(money=931))
    chest.pass_now(nia, campaign, None, zara, Wish(money=930))
    assert chest.find_chest(campaign, "cosmos").money == 0
    zara.refresh_from_db()
    assert zara.sheet["credits"] == 1000


@pytest.mark.parametrize("slug", [slug for slug in SYSTEMS if slug in PILES])
def test_every_game_has_a_chest(campaign: Campaign, nia: User, kim: User, slug: str) -> None:
    kind, entry = PILES[slug]
    one = make_person(
        campaign, nia, "Ida", slug, items=[{"id": "i1", "kind": kind, "entry": entry, "count": 3}]
    )
    other = make_person(campaign, kim, "Otto", slug)
    before = things_of(one)
    chest.answer(kim, chest.offer(nia, campaign, one, other, Wish(item="i1")).pk, takes=True)
    put = chest.pass_now(nia, campaign, one, None, Wish(item="i1", count=2))
    ((key, _, count),) = chest.list_things(chest.find_chest(campaign, slug))
    assert count == 2
    chest.pass_now(kim, campaign, None, other, Wish(item=key, count=1))
    assert sum(item.get("count", 1) for item in things_of(other)) == 2
    chest.undo(kim, campaign, slug, chest.find_log(campaign, slug)[0].pk)
    chest.undo(nia, campaign, slug, put.pk)
    chest.give_back(kim, Transfer.objects.filter(giver=one, taker=other).get().pk)
    assert things_of(one) == before


def test_the_same_form_twice_is_done_once(campaign: Campaign, zara: Character, nia: User) -> None:
    chest.pass_now(nia, campaign, zara, None, Wish(item="i1", once="one"))
    with pytest.raises(Refused, match="That is done already"):
        chest.pass_now(nia, campaign, zara, None, Wish(item="i1", once="one"))
    assert things_of(zara)[0]["count"] == 2


@pytest.mark.django_db(transaction=True)
def test_two_taps_at_once_give_one_thing_to_one(campaign: Campaign, nia: User, kim: User) -> None:
    zara = make_person(campaign, nia, "Zara", items=[{**PILE, "count": 1}])
    ben = make_person(campaign, kim, "Ben")
    chest.pass_now(nia, campaign, zara, None, Wish(item="i1"))
    ((key, _, _),) = chest.list_things(chest.find_chest(campaign, "cosmos"))
    results = at_once(
        lambda: chest.pass_now(nia, campaign, None, zara, Wish(item=key)),
        lambda: chest.pass_now(kim, campaign, None, ben, Wish(item=key)),
    )
    (refused,) = [one for one in results if isinstance(one, Refused)]
    assert re.fullmatch(r"(nia|kim) was faster: Adrenaline is gone\.", refused.message)
    assert len(things_of(zara) + things_of(ben)) == 1
    act = chest.find_last(campaign, "cosmos")
    assert act
    who = nia if act.taker_id == zara.pk else kim
    undone = at_once(*[lambda: chest.undo(who, campaign, "cosmos", act.pk)] * 2)
    assert sum(isinstance(one, Refused) for one in undone) == 1
    assert things_of(zara) + things_of(ben) == []
    assert len(chest.list_things(chest.find_chest(campaign, "cosmos"))) == 1


# ---------------------------------------------------------------- pages


def test_pages_offer_take_and_undo(
    campaign: Campaign, zara: Character, ben: Character, nia: User, kim: User
) -> None:
    giver, taker = client_of(nia), client_of(kim)
    page = read(giver.get(f"/hand/{zara.pk}/", {"item": "i1", "to": str(ben.pk), "count": "2"}))
    assert page.one("button", name="do", value="offer").text == "Offer 2 to Ben"
    once = page.one("input", name="once")["value"]
    sent = {"do": "offer", "item": "i1", "to": ben.pk, "count": "2", "once": once}
    assert giver.post(f"/hand/{zara.pk}/", sent).status_code == 303
    sheet = read(taker.get(f"/characters/{ben.pk}/"))
    assert "Zara offers you Adrenaline × 2" in sheet.one("main").text
    number = Transfer.objects.get().pk
    taker.post(f"/hand/{ben.pk}/", {"do": "take", "number": number})
    assert [one.get("count") for one in things_of(ben)] == [2]
    taker.post(f"/hand/{ben.pk}/", {"do": "offer", "item": "i1", "to": "chest", "count": "1", "once": "x"})
    here = read(giver.get(f"/campaigns/{campaign.pk}/chest/"))
    assert "added Adrenaline from Ben" in here.one("main").text
    assert not here.all("button", value="undo")  # it was Kim's act
    undo = read(taker.get(f"/campaigns/{campaign.pk}/chest/")).one("button", value="undo")
    assert undo.text == "Undo: kim added Adrenaline from Ben"


@pytest.mark.parametrize(
    "wrong", [{"count": "no"}, {"count": "-1"}, {"item": "i9"}, {"to": "999"}, {"count": "4"}]
)
def test_wrong_input_changes_nothing(
    zara: Character, ben: Character, nia: User, wrong: dict[str, str]
) -> None:
    sent = {"do": "offer", "item": "i1", "to": str(ben.pk), "count": "1", **wrong}
    assert 400 <= client_of(nia).post(f"/hand/{zara.pk}/", sent).status_code < 500
    assert not Transfer.objects.exists()


def test_magazines_are_shut_for_who_cannot_load_them(zara: Character, ben: Character, nia: User) -> None:
    page = read(client_of(nia).get(f"/hand/{zara.pk}/", {"item": "i2+spare", "to": str(ben.pk)}))
    assert page.one("input", id=f"to-{ben.pk}").attrs.keys() >= {"disabled"}
    assert page.one("button", name="do", value="offer").text == "Put 1 in chest"


def test_only_the_party_and_its_gm_see_the_chest(
    campaign: Campaign, zara: Character, nia: User, gm_client: Client
) -> None:
    address = f"/campaigns/{campaign.pk}/chest/"
    stranger = client_of(User.objects.create_user("stranger"))
    found = {
        "gm": gm_client.get(address).status_code,
        "player": client_of(nia).get(address).status_code,
        "stranger": stranger.get(address).status_code,
        "nobody": Client().get(address).status_code,
    }
    assert found == {"gm": 200, "player": 200, "stranger": 404, "nobody": 302}
    assert stranger.post(address, {"do": "take", "item": "money", "count": "1"}).status_code == 404
    assert stranger.get(f"/hand/{zara.pk}/").status_code == 404
    assert gm_client.get(f"/hand/{zara.pk}/").status_code == 404


def test_names_stay_in_the_log_when_a_sheet_goes(
    campaign: Campaign, zara: Character, nia: User, gm_client: Client
) -> None:
    chest.pass_now(nia, campaign, zara, None, Wish(money=30))
    nia.delete()
    page = read(gm_client.get(f"/campaigns/{campaign.pk}/chest/"))
    assert "added 30 credits from Zara" in page.one("main").text
    act = chest.find_last(campaign, "cosmos")
    answer = gm_client.post(
        f"/campaigns/{campaign.pk}/chest/", {"do": "undo", "number": act.pk if act else 0}
    )
    assert answer.status_code in (403, 409, 422)
    assert chest.find_chest(campaign, "cosmos").money == 30


def test_the_page_shows_all_that_lies_there_and_what_each_may_do(
    campaign: Campaign,
    zara: Character,
    ben: Character,
    nia: User,
    kim: User,
    gm: User,
    shown: dict[str, Any],
) -> None:
    make_person(campaign, nia, "Yak")
    chest.pass_now(nia, campaign, zara, None, Wish(item="i1", count=2))
    chest.pass_now(nia, campaign, zara, None, Wish(money=30))
    chest.undo(gm, campaign, "cosmos", chest.pass_now(kim, campaign, ben, None, Wish(money=5)).pk)
    address = f"/campaigns/{campaign.pk}/chest/"
    for user, asked, mine, me, undo in (
        (gm, "", [], "", "added 30 credits from Zara"),
        (nia, "", ["Yak", "Zara"], "Yak", "added 30 credits from Zara"),
        (nia, str(zara.pk), ["Yak", "Zara"], "Zara", "added 30 credits from Zara"),
        (kim, "", ["Ben"], "Ben", ""),
    ):
        assert client_of(user).get(address, {"who": asked}).status_code == 200
        assert [(one.name, one.count) for one in shown["things"]] == [("Adrenaline", 2)]
        assert [(one.words, one.undone_by) for one in shown["log"]] == [
            ("added 5 credits from Ben", gm.username),
            ("added 30 credits from Zara", ""),
            ("added Adrenaline × 2 from Zara", ""),
        ]
        assert [one.name for one, _ in shown["mine"]] == mine
        assert (shown["me"].name if shown["me"] else "", shown["amount"]) == (me, 30)
        assert (shown["undo"].words if shown["undo"] else "") == undo
        assert (shown["is_gm"], bool(shown["new"])) == (user == gm, user == gm)


def test_the_page_says_what_was_done(
    campaign: Campaign, zara: Character, ben: Character, nia: User, kim: User, gm: User
) -> None:
    address = f"/campaigns/{campaign.pk}/chest/"

    def do(user: User, **sent: Any) -> tuple[int, str]:
        client = client_of(user)
        answer = client.post(address, sent)
        page = client.get(answer["Location"]) if answer.status_code == 303 else answer
        return answer.status_code, read(page).one(id="messages").text.strip()

    yak = make_person(campaign, nia, "Yak")
    me = {"who": zara.pk, "item": "i1"}
    assert do(nia, do="put", **me, count="3") == (303, "Adrenaline × 3: now in the chest.")
    Transfer.objects.update(id=1)
    for sent, told in (
        ({"do": "put", "item": "i1"}, "Choose for which of your characters."),
        ({"do": "put", **me, "who": ben.pk}, "Choose for which of your characters."),
        ({"do": "put", **me, "count": "0"}, "How many? Type a number of 1 or more."),
        ({"do": "give", **me}, "The chest has no such action: take, add or undo."),
        ({"do": "undo", "number": "x"}, "Someone acted after that: the page is now current."),
    ):
        status, words = do(nia, **sent)
        assert (400 <= status < 500, told in words) == (True, True), words
    assert do(kim, do="put", item="money", count="5") == (303, "5 credits: now in the chest.")
    ((key, _, count),) = chest.list_things(chest.find_chest(campaign, "cosmos"))
    assert count == 3
    assert do(nia, do="take", who=yak.pk, item=key, count="1,")[0] == 303
    assert [one.get("count", 1) for one in things_of(yak)] == [1]
    assert do(gm, do="new", name="", item="money", count="1,000") == (
        303,
        "1,000 credits added to the chest.",
    )
    assert do(gm, do="new", name="", item="money", count=str(chest.MAX_MONEY + 1))[0] == 422
    last = chest.find_log(campaign, "cosmos")[0]
    assert last.by == gm.username
    assert do(gm, do="undo", number=last.pk) == (303, f"Undone: {gm} added 1,000 credits.")


@pytest.mark.parametrize(
    ("asked", "thing", "count", "to", "keeps", "is_mine"),
    [
        ({}, "i1", 1, "Ben", 2, False),
        ({"item": "i1", "count": "2", "to": "Yak"}, "i1", 2, "Yak", 1, True),
        ({"item": "i1", "count": "3", "to": "Chest"}, "i1", 3, "Chest", 0, False),
        ({"item": "i1", "count": "9", "to": "nobody"}, "i1", 3, "Ben", 0, False),
        ({"item": "i1", "count": "x"}, "i1", 1, "Ben", 2, False),
        ({"item": "i2", "to": "Yak"}, "i2", 1, "Yak", 0, True),
        ({"item": "money", "count": "1,0"}, "money", 10, "Ben", 90, False),
        ({"item": "i2+spare", "count": "2", "to": "Ben"}, "i2+spare", 2, "Chest", 0, False),
        ({"item": "gone", "count": "0"}, "i1", 1, "Ben", 2, False),
    ],
)
def test_the_form_shows_what_is_asked_as_far_as_it_can(
    campaign: Campaign,
    zara: Character,
    ben: Character,
    nia: User,
    asked: dict[str, str],
    thing: str,
    count: int,
    to: str,
    keeps: int,
    is_mine: bool,
    shown: dict[str, Any],
) -> None:
    keys = {"Ben": str(ben.pk), "Yak": str(make_person(campaign, nia, "Yak").pk), "Chest": "chest"}
    named = {**asked, "to": keys.get(asked["to"], "0")} if "to" in asked else asked
    assert client_of(nia).get(f"/hand/{zara.pk}/", named).status_code == 200
    assert [(one.key, one.count) for one in shown["things"]] == [
        ("i1", 3),
        ("i2", 1),
        ("i2+spare", 2),
        ("money", 100),
    ]
    assert [one.name for one in shown["whom"]] == ["Ben", "Yak", "Chest"]
    assert (shown["thing"].key, shown["count"], shown["to_one"].name, shown["keeps"], shown["is_mine"]) == (
        thing,
        count,
        to,
        keeps,
        is_mine,
    )
    assert shown["to"] == shown["to_one"].key
    assert (shown["problem"], shown["campaign"]) == ("", campaign)
    shut = ["Ben", "Yak"] if thing == "i2+spare" else []
    assert [one.name for one in shown["whom"] if one.refused] == shut


def test_a_form_of_nothing_hands_nothing_over(
    campaign: Campaign, zara: Character, ben: Character, nia: User, shown: dict[str, Any]
) -> None:
    Character.objects.filter(pk=zara.pk).update(sheet={**zara.sheet, "items": [], "credits": 0})
    page = client_of(nia).get(f"/hand/{zara.pk}/", {"count": "5"})
    assert "Zara has nothing to hand over." in page.content.decode()
    names = ("things", "thing", "whom", "to", "to_one", "count", "keeps")
    assert [shown[name] for name in names] == [[], None, [], "", None, 1, 0]
    CampaignMember.objects.filter(character=zara).delete()
    Character.objects.filter(pk=zara.pk).update(sheet=zara.sheet)
    page = client_of(nia).get(f"/hand/{zara.pk}/")
    assert "Zara is in no campaign" in page.content.decode()
    assert (shown["campaign"], shown["whom"], len(shown["things"])) == (None, [], 4)
    answer = client_of(nia).post(f"/hand/{zara.pk}/", {"do": "offer", "item": "i1", "to": "chest"})
    assert "Zara is in no campaign: nobody is there to hand it to." in answer.content.decode()


def test_what_a_sheet_can_just_hold_may_come(
    campaign: Campaign, zara: Character, ben: Character, nia: User, shown: dict[str, Any]
) -> None:
    money = find_money(find_system("cosmos"), ben.sheet)
    assert money
    for have, refused in ((money.most - 1, ["", ""]), (money.most, ["holds at most", ""])):
        Character.objects.filter(pk=ben.pk).update(sheet={**ben.sheet, money.key: have})
        client_of(nia).get(f"/hand/{zara.pk}/", {"item": "money"})
        assert [words in one.refused for one, words in zip(shown["whom"], refused, strict=True)] == [
            True,
            True,
        ]
        assert bool(shown["whom"][0].refused) == bool(refused[0])


def test_each_answer_to_an_offer_says_what_it_came_to(
    campaign: Campaign, zara: Character, ben: Character, nia: User, kim: User
) -> None:
    def do(one: Character, user: User, **sent: Any) -> str:
        client = client_of(user)
        answer = client.post(f"/hand/{one.pk}/", sent)
        page = client.get(answer["Location"]) if answer.status_code == 303 else answer
        return read(page).one(id="messages").text.strip()

    yak = make_person(campaign, nia, "Yak")
    money = {"do": "offer", "item": "money"}
    assert do(zara, nia, **money, to=ben.pk, count="5") == ("5 credits offered to Ben: they take it, or not.")
    Transfer.objects.update(id=1)
    number = 1
    for do_this in ("take", "decline", "back"):
        for wrong in ("", "x", "0", str(number + 1)):
            assert do(ben, kim, do=do_this, number=wrong) == chest.OVER
    assert do(ben, kim, do="take", number=number) == "5 credits from Zara: now with Ben."
    assert do(ben, kim, do="back", number=number) == "5 credits: back with Zara."
    do(zara, nia, **money, to=ben.pk, count="6")
    number = Transfer.objects.latest("pk").pk
    assert do(ben, kim, do="decline", number=number) == "6 credits: Zara keeps that."
    with zeal_ignore():  # an offer, and its answer
        told = do(zara, nia, **money, to=yak.pk, count="7")
    assert told == "7 credits: now with Yak."
    assert do(zara, nia, **money, to="chest", count="8") == "8 credits: now in the chest."
    assert do(zara, nia, **money, to="", count="8") == "Choose to whom: one of the party, or the chest."
    assert do(zara, nia, do="cake") == "This page has no such action: offer, take or decline."


def test_each_campaign_and_each_game_has_its_own(
    campaign: Campaign, zara: Character, nia: User, gm: User, shown: dict[str, Any]
) -> None:
    """Of two campaigns and two games, what is asked for opens; else one's own, and of the GM the newest."""
    other = Campaign.objects.create(owner=gm, name="Other")
    CampaignMember.objects.create(campaign=other, character=zara)
    for asked, found in (("", other), (str(campaign.pk), campaign), (str(other.pk), other), ("x", other)):
        client_of(nia).get(f"/hand/{zara.pk}/", {"campaign": asked})
        assert (shown["campaign"], {*shown["campaigns"]}) == (found, {campaign, other})
    make_person(campaign, gm, "Ida", "cepheus")
    create_in_campaign(campaign, gm, "cepheus", "Dock")
    address = f"/campaigns/{campaign.pk}/chest/"
    for user, asked, slug in (
        (gm, "", "cepheus"),
        (gm, "cosmos", "cosmos"),
        (gm, "guardians", "cepheus"),
        (nia, "", "cosmos"),
        (nia, "cepheus", "cepheus"),
    ):
        client_of(user).get(address, {"game": asked})
        assert (shown["system"].slug, [one.slug for one in shown["games"]]) == (slug, ["cepheus", "cosmos"])
    client_of(nia).post(address + "?game=cosmos&who=0", {"game": "cepheus", "who": zara.pk, "do": "x"})
    assert (shown["system"].slug, shown["me"]) == ("cepheus", None)
    yak = make_person(campaign, nia, "Yak")
    client_of(nia).post(address, {"game": "cosmos", "who": zara.pk, "do": "x"})
    assert (shown["me"], [one for one, _ in shown["mine"]]) == (zara, [yak, zara])
    Character.objects.filter(pk=yak.pk).update(sheet={**yak.sheet, "items": "many"})
    client_of(nia).get(address)
    assert ([one for one, _ in shown["mine"]], shown["new"]) == ([zara], ())
    client_of(gm).get(address, {"game": "cosmos"})
    assert {"Adrenaline", "Pistol"} <= {*shown["new"]}
    assert "Fist" not in shown["new"]
    assert shown["new"] == sorted({*shown["new"]})


# ---------------------------------------------------------------- with two of each


def lies(campaign: Campaign) -> list[tuple[str, int]]:
    """What lies in the chest: the names, and how many of each."""
    return [(name, count) for _, name, count in chest.list_things(chest.find_chest(campaign, "cosmos"))]


def test_a_sheet_tells_what_came_from_whom_and_went_where(
    campaign: Campaign, zara: Character, ben: Character, nia: User, kim: User
) -> None:
    given = offer(zara, ben, nia, item="i1", count=2)
    chest.answer(kim, given.pk, takes=True)
    chest.give_back(kim, given.pk)
    put = chest.pass_now(nia, campaign, zara, None, Wish(item="i1"))
    ((key, _, _),) = chest.list_things(chest.find_chest(campaign, "cosmos"))
    took = chest.pass_now(kim, campaign, None, ben, Wish(item=key))
    chest.undo(kim, campaign, "cosmos", took.pk)
    chest.undo(nia, campaign, "cosmos", put.pk)
    assert [(one.what, one.by) for one in zara.changes.order_by("number")][-4:] == [
        ("Gave Adrenaline × 2 to Ben", "nia"),
        ("Got back Adrenaline × 2", "kim"),
        ("Gave Adrenaline to the chest", "nia"),
        ("Got back Adrenaline", "nia"),
    ]
    assert [one.what for one in ben.changes.order_by("number")][-4:] == [
        "Got Adrenaline × 2 from Zara",
        "Gave back Adrenaline × 2",
        "Got Adrenaline from the chest",
        "Gave back Adrenaline",
    ]


def test_a_pile_grows_between_others_and_each_leaves_alone(
    campaign: Campaign, zara: Character, nia: User, gm: User
) -> None:
    for item in ("i2+spare", "i1", "i2"):
        chest.pass_now(nia, campaign, zara, None, Wish(item=item))
    assert lies(campaign) == [("Pistol magazine", 1), ("Adrenaline", 1), ("Pistol", 1)]
    grown = chest.pass_now(nia, campaign, zara, None, Wish(item="i1", count=2))
    assert lies(campaign) == [("Pistol magazine", 1), ("Adrenaline", 3), ("Pistol", 1)]
    chest.undo(nia, campaign, "cosmos", grown.pk)
    assert lies(campaign) == [("Pistol magazine", 1), ("Adrenaline", 1), ("Pistol", 1)]
    chest.add_new(gm, campaign, "cosmos", "Pistol", Wish())
    assert lies(campaign) == [("Pistol magazine", 1), ("Adrenaline", 1), ("Pistol", 1), ("Pistol", 1)]
    magazine, doses, first, second = [
        key for key, _, _ in chest.list_things(chest.find_chest(campaign, "cosmos"))
    ]
    chest.pass_now(nia, campaign, None, zara, Wish(item=second))
    chest.pass_now(nia, campaign, None, zara, Wish(item=magazine))
    assert lies(campaign) == [("Adrenaline", 1), ("Pistol", 1)]
    chest.pass_now(nia, campaign, None, zara, Wish(item=first))
    chest.pass_now(nia, campaign, None, zara, Wish(item=doses))
    assert lies(campaign) == []


def test_who_was_faster_is_said_only_if_someone_was(
    campaign: Campaign, zara: Character, ben: Character, nia: User, kim: User
) -> None:
    put = chest.pass_now(nia, campaign, zara, None, Wish(item="i1", count=3))
    ((key, _, _),) = chest.list_things(chest.find_chest(campaign, "cosmos"))
    no_longer = "That is no longer in the chest: the page is now current."
    for wish, words in (
        (Wish(item="gone"), no_longer),
        (Wish(item=key, count=4), no_longer),
        (Wish(item=key, count=0), "Take 1 to 3."),
    ):
        with pytest.raises(Refused) as refused:
            chest.pass_now(kim, campaign, None, ben, wish)
        assert refused.value.message == words
    chest.pass_now(kim, campaign, None, ben, Wish(item=key, count=2))
    with pytest.raises(Refused, match="kim was faster: fewer are left"):
        chest.pass_now(nia, campaign, None, zara, Wish(item=key, count=2))
    chest.pass_now(nia, campaign, None, zara, Wish(item=key, count=1))
    with pytest.raises(Refused, match="Someone acted after that"):
        chest.undo(nia, campaign, "cosmos", put.pk)


def test_the_gm_adds_as_many_as_one_line_holds(campaign: Campaign, zara: Character, gm: User) -> None:
    for name, count, words in (
        ("adrenaline", 0, f"Add 1 to {MAX_ALIKE} at a time."),
        ("adrenaline", MAX_ALIKE + 1, f"Add 1 to {MAX_ALIKE} at a time."),
        ("pistol", 2, "Add one at a time."),
        ("pistol", 0, "Add one at a time."),
    ):
        with pytest.raises(Refused) as refused:
            chest.add_new(gm, campaign, "cosmos", name, Wish(count=count))
        assert refused.value.message == words
    for name, count in (("Adrenaline", 1), (" pistol ", 1), ("adrenaline", MAX_ALIKE - 1)):
        chest.add_new(gm, campaign, "cosmos", name, Wish(count=count))
    assert lies(campaign) == [("Adrenaline", MAX_ALIKE), ("Pistol", 1)]
    chest.add_new(gm, campaign, "cosmos", "adrenaline", Wish(count=MAX_ALIKE))


def test_what_is_not_there_any_more_does_not_go_back(campaign: Campaign, zara: Character, nia: User) -> None:
    """Whatever became of the chest meanwhile."""
    put = chest.pass_now(nia, campaign, zara, None, Wish(money=30))
    Chest.objects.update(money=29)
    with pytest.raises(Refused, match="That money is spent: it cannot go back"):
        chest.undo(nia, campaign, "cosmos", put.pk)
    Chest.objects.update(money=30)
    chest.undo(nia, campaign, "cosmos", put.pk)
    assert chest.find_chest(campaign, "cosmos").money == 0
    assert [chest.say_act(chest.pass_now(nia, campaign, zara, None, Wish(money=n))) for n in (1, 2)] == [
        "added 1 credit from Zara",
        "added 2 credits from Zara",
    ]
    put = chest.pass_now(nia, campaign, zara, None, Wish(item="i1", count=2))
    lying = Chest.objects.get().things
    for things in ([], [{**lying[0], "count": 1}]):
        Chest.objects.update(things=things)
        with pytest.raises(Refused, match="Adrenaline × 2 is no longer in the chest: it cannot go back"):
            chest.undo(nia, campaign, "cosmos", put.pk)


def test_a_sheet_shows_what_passes_to_it_and_from_it(
    campaign: Campaign, zara: Character, ben: Character, nia: User, kim: User
) -> None:
    def show(one: Character) -> tuple[list[Transfer], list[Transfer], Transfer | None]:
        found = chest.find_passing(one)
        assert found.campaigns == (campaign,)
        return [*found.offers], [*found.offered], found.got

    assert show(zara) == show(ben) == ([], [], None)
    first, second = offer(zara, ben, nia, money=1), offer(zara, ben, nia, money=2)
    other = chest.offer(kim, campaign, ben, zara, Wish(money=3))
    assert show(zara) == ([other], [second, first], None)
    assert show(ben) == ([second, first], [other], None)
    assert [*chest.find_offers(ben)] == [*chest.find_offered(zara)] == [first, second]
    chest.answer(kim, first.pk, takes=True)
    chest.answer(kim, second.pk, takes=False)
    chest.pass_now(kim, campaign, ben, None, Wish(money=4))
    assert show(zara) == ([other], [], None)
    assert show(ben) == ([], [other], first)
    chest.give_back(kim, first.pk)
    assert show(ben) == ([], [other], None)
    CampaignMember.objects.filter(character=ben).delete()
    assert chest.find_passing(ben) == chest.Passing(())


def test_only_what_one_got_oneself_is_given_back(
    campaign: Campaign, zara: Character, ben: Character, nia: User, kim: User
) -> None:
    given = offer(zara, ben, nia, money=5)
    put = chest.pass_now(nia, campaign, zara, None, Wish(money=5))
    took = chest.pass_now(nia, campaign, None, zara, Wish(money=5))
    chest.answer(kim, given.pk, takes=True)
    for user, number in ((nia, put.pk), (nia, took.pk), (nia, given.pk), (kim, 0), (kim, took.pk + 9)):
        with pytest.raises(Refused, match="That offer is over"):
            chest.give_back(user, number)
    assert chest.give_back(kim, given.pk).state == Transfer.UNDONE
    for giver, taker in ((None, None), (zara, ben), (ben, None), (None, ben), (zara, zara)):
        with pytest.raises(Refused, match="Only what is yours goes into the chest"):
            chest.pass_now(nia, campaign, giver, taker, Wish(money=1))


def test_whom_the_gm_removed_from_the_table_uses_no_chest(
    campaign: Campaign, zara: Character, nia: User, gm: User
) -> None:
    assert (chest.may_use(nia, campaign), chest.may_use(gm, campaign)) == (True, True)
    table = create_in_campaign(campaign, gm, "cosmos", "Yard")
    assert chest.may_use(nia, campaign)
    come_by_account(table, ShareLink.PLAY, "nia")
    Seat.objects.filter(encounter=table, user=nia).update(removed=True, ended=timezone.now())
    assert (chest.may_use(nia, campaign), chest.may_use(gm, campaign)) == (False, True)
