"""Campaigns: a GM's folders, with people, encounters, NPCs, notes, house rules; no one else's."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from django.utils.dateformat import format as format_date

from characters.models import Character
from characters.services.character_service import Wanted, create, create_all
from combat.models import Campaign, Encounter, Participation, Seat
from combat.play.campaigns import campaigns
from combat.play.campaigns.campaigns import add_members, create_campaign, create_in_campaign, move_encounter
from combat.play.campaigns.handouts import create_handout
from combat.play.campaigns.roster import bring
from combat.play.demo import make_demo_fight
from combat.play.writing.encounter_service import Submission, create_encounter, read_state, submit, submit_all
from combat.rules import SYSTEMS, find_system
from combat.rules.core.state.state import present
from combat.sharing.links import let_in
from tests.combat.cast import Cast
from tests.combat.markup import Page
from tests.combat.rules.games import every_slug
from tests.combat.visit import SLUG, load, read, refusal, state_of
from tests.typed import Answer

SYSTEM = find_system(SLUG)
SHEET = next(iter(SYSTEM.book.find_blocks().values())).sheet


@pytest.fixture
def player(db: None) -> User:
    return User.objects.create_user("pia")


@pytest.fixture
def vega(player: User) -> Character:
    """A character of a player's."""
    return create(player, SLUG, "Vega", SHEET)


def send(client: Client, campaign: Campaign, do: str, **fields: Any) -> Answer:
    return client.post(f"/campaigns/{campaign.pk}/", {"do": do, **fields})


def look(client: Client, campaign: Campaign) -> str:
    return client.get(f"/campaigns/{campaign.pk}/").content.decode()


def sit(encounter: Encounter, owner: User, character: Character) -> None:
    """Add a character to an encounter."""
    bring(encounter, owner, str(character.pk), side="allies", zone="", by="x")


# ---- The folder ----


def test_campaign_is_made_named_and_put_away(gm_client: Client, gm: User) -> None:
    made = gm_client.post("/campaigns/", {"name": "  The   long haul "})
    campaign = Campaign.objects.get(owner=gm)
    assert (made.status_code, made["Location"], campaign.name) == (
        303,
        f"/campaigns/{campaign.pk}/",
        "The long haul",
    )
    send(gm_client, campaign, "name", name="Short haul")
    assert "Short haul" in gm_client.get("/campaigns/").content.decode()
    assert send(gm_client, campaign, "archive")["Location"] == "/campaigns/"
    gm_client.get("/campaigns/")  # which says so
    assert "Short haul" not in gm_client.get("/campaigns/").content.decode()
    assert "Short haul" in gm_client.get("/campaigns/?show=archived").content.decode()


def test_campaign_cards_show_their_party_last_changed_first(gm_client: Client, gm: User) -> None:
    long, short = create_campaign(gm, "The long haul"), create_campaign(gm, "Short haul")
    add_members(long, [create(gm, SLUG, "Vega", SHEET).pk])
    create_in_campaign(short, gm, SLUG, "Berth 7")
    short.save()
    for address, tag, name in (("/", "a", "camp"), ("/campaigns/", "article", "camp-card")):
        first, second = read(gm_client.get(address)).all(tag, class_=name)
        assert "Short haul" in first.text
        assert f"{SYSTEM.name} · 1 encounter" in first.text
        assert "The long haul" in second.text
        assert "1 person" in second.text
        assert "person" not in first.text


def test_a_card_has_the_last_scene_and_the_next_day(gm_client: Client, gm: User, campaign: Campaign) -> None:
    """Empty ones have neither; a day that is over is not the next one; it takes one line to make another."""
    empty = read(gm_client.get("/campaigns/")).one("article", class_="camp-card")
    assert "The first fight" in empty.text
    assert "Plan it" in empty.text
    first = make_demo_fight(gm, SLUG)
    move_encounter(first.pk, campaign)
    later = create_in_campaign(campaign, gm, SLUG, "Ambush")
    day = timezone.localdate()
    for pk, planned in ((first.pk, day - timedelta(days=1)), (later.pk, day + timedelta(days=400))):
        Encounter.objects.filter(pk=pk).update(planned=planned)
    Encounter.objects.filter(pk=first.pk).update(changed=timezone.now() + timedelta(hours=1), phase="prep")
    page = read(gm_client.get("/campaigns/"))
    card = page.one("article", class_="camp-card")
    assert page.all("svg", inside=page.one(class_="camp-scene"))
    assert format_date(day + timedelta(days=400), "l j F") in card.text
    prepare = page.one("a", inside=card, class_="btn-primary")
    assert prepare["href"] == f"/encounters/{later.pk}/prep/"
    assert page.one("form", class_="new-line")
    assert not read(gm_client.get("/")).all(class_="camp-scene")


def test_next_campaign_is_first_and_cards_tell_of_the_last_fight(gm_client: Client, gm: User) -> None:
    soon, late, newest = (create_campaign(gm, name) for name in ("Soon", "Late", "Newest"))
    day = timezone.localdate()
    for campaign, days in ((late, 9), (soon, 2)):
        made = create_in_campaign(campaign, gm, SLUG, f"Fight of {campaign.name}")
        Encounter.objects.filter(pk=made.pk).update(planned=day + timedelta(days=days))
    over = create_in_campaign(newest, gm, SLUG, "Dock 12")
    submit(over.pk, Submission("join", {"block": "pirate", "side": "foes"}))
    submit(over.pk, Submission("join", {"block": "pirate", "side": "crew", "pc": True}))
    submit(over.pk, Submission("start", {}))
    submit(over.pk, Submission("adjust", {"target": "f1", "track": "hp", "by": -400}))
    submit(over.pk, Submission("end_fight", {}))
    cards = read(gm_client.get("/campaigns/")).all("article", class_="camp-card")
    assert "Soon" in cards[0].text
    assert "is-first" in cards[0]["class"]
    dock = next(one for one in cards if "Dock 12" in one.text)
    assert "Won, " in dock.text
    assert "No fight to come" in dock.text


def test_campaign_without_a_fit_name_is_refused(gm_client: Client) -> None:
    for name in ["", " ", "x" * 101]:
        refused = gm_client.post("/campaigns/", {"name": name})
        assert refused.status_code == 422, name
        assert "A name has 1 to 100 characters." in refused.content.decode(), name
        assert not Campaign.objects.exists(), name


def test_deleting_needs_the_name_and_leaves_the_encounters(
    gm_client: Client, gm: User, campaign: Campaign
) -> None:
    made = create_in_campaign(campaign, gm, SLUG, "Ambush")
    refused = send(gm_client, campaign, "delete", confirm="The long")
    assert (refused.status_code, Campaign.objects.count()) == (422, 1)
    assert send(gm_client, campaign, "delete", confirm="The long haul").status_code == 303
    assert not Campaign.objects.exists()
    assert load(made.pk).campaign_id is None


def test_notes_are_kept_and_too_long_ones_stay_in_the_form(gm_client: Client, campaign: Campaign) -> None:
    send(gm_client, campaign, "notes", notes="Line\r\nLine <b>")
    campaign.refresh_from_db()
    assert campaign.notes == "Line\nLine <b>"
    assert "Line &lt;b&gt;" in look(gm_client, campaign)
    refused = send(gm_client, campaign, "notes", notes="y" * 20_001)
    assert (refused.status_code, "y" * 20_001 in refused.content.decode()) == (422, True)


def test_notes_can_be_emptied(gm_client: Client, campaign: Campaign) -> None:
    send(gm_client, campaign, "notes", notes="The Broker knows.")
    page = read(gm_client.get(f"/campaigns/{campaign.pk}/"))
    assert "required" not in page.one("textarea", name="notes").attrs
    seen = page.one("input", name="seen_text")["value"]
    assert send(gm_client, campaign, "notes", notes="", seen_text=seen).status_code == 303
    campaign.refresh_from_db()
    assert campaign.notes == ""


def test_notes_saved_from_an_old_page_replace_nothing_unread(gm_client: Client, campaign: Campaign) -> None:
    seen = read(gm_client.get(f"/campaigns/{campaign.pk}/")).one("input", name="seen_text")["value"]
    assert send(gm_client, campaign, "notes", notes="Rook <lives>", seen_text=seen).status_code == 303
    late = send(gm_client, campaign, "notes", notes="Rook is dead", seen_text=seen)
    page = read(late)
    assert (late.status_code, page.one("textarea", name="notes").text.strip()) == (409, "Rook is dead")
    assert "The notes changed meanwhile." in late.content.decode()
    assert page.one(class_="note-other").text == "What stands there now Rook <lives>"
    campaign.refresh_from_db()
    assert campaign.notes == "Rook <lives>"
    seen = page.one("input", name="seen_text")["value"]
    assert send(gm_client, campaign, "notes", notes="Rook is dead", seen_text=seen).status_code == 303
    campaign.refresh_from_db()
    assert campaign.notes == "Rook is dead"


def test_notes_are_saved_while_they_are_written(gm_client: Client, campaign: Campaign) -> None:
    """The owner's, as those of a fight: over nothing that another window wrote."""
    here = f"/campaigns/{campaign.pk}/"
    first = read(gm_client.get(here)).one("input", name="seen_text")["value"]

    def write(notes: str, seen: str) -> tuple[int, Page]:
        sent = {"do": "notes", "notes": notes, "seen_text": seen, "typing": "1"}
        answer = gm_client.post(here, sent, headers={"HX-Request": "true"})
        campaign.refresh_from_db()
        return answer.status_code, read(answer)

    status, page = write("Rook <lives>", first)
    assert (status, page.one("span", class_="note-said").text) == (200, "Saved.")
    assert not page.all("textarea")
    status, late = write("Rook is dead", first)
    assert (status, campaign.notes) == (409, "Rook <lives>")
    assert late.one(class_="note-other").text == "What stands there now Rook <lives>"
    assert "data-saves" not in late.one(class_="note-state").attrs
    seen = page.one("input", name="seen_text")["value"]
    status, long = write("y" * 20_001, seen)
    assert (status, campaign.notes) == (422, "Rook <lives>")
    assert long.one("input", name="seen_text")["value"] == seen
    assert write("Rook left", seen)[0] == 200
    assert campaign.notes == "Rook left"


def test_campaigns_are_their_owners_alone(campaign: Campaign, cast: Cast, gm: User) -> None:
    made = create_in_campaign(campaign, gm, SLUG, "Secret ambush")
    for role in ("co_gm", "player", "watcher", "stranger", "nobody"):
        client = cast[role]
        assert "The long haul" not in client.get("/campaigns/", follow=True).content.decode(), role
        for address in (f"/campaigns/{campaign.pk}/", f"/campaigns/{campaign.pk}/rules/{SLUG}/"):
            assert client.get(address).status_code in (302, 404, 410), role
            assert client.post(address, {"do": "notes", "notes": "mine"}).status_code in (302, 404, 410), role
    form = {"do": "campaign", "campaign": str(campaign.pk)}
    assert cast.co_gm.post(f"/encounters/{made.pk}/prep/", form).status_code in (302, 404, 410)
    campaign.refresh_from_db()
    assert campaign.notes == ""


def test_campaign_of_someone_else_takes_no_encounter(campaign: Campaign, db: None) -> None:
    other = User.objects.create_user("other")
    client = Client()
    client.force_login(other)
    own = create_in_campaign(create_campaign(other, "Mine"), other, SLUG, "Here")
    refused = client.post(f"/encounters/{own.pk}/prep/", {"do": "campaign", "campaign": str(campaign.pk)})
    assert refused.status_code == 422
    assert not campaign.encounters.exists()


# ---- Encounters and house rules ----


@pytest.mark.slow
def test_encounter_moves_in_and_out(gm_client: Client, prepared: Encounter, campaign: Campaign) -> None:
    address = f"/encounters/{prepared.pk}/prep/"
    gm_client.post(address, {"do": "campaign", "campaign": str(campaign.pk)})
    assert load(prepared.pk).campaign_id == campaign.pk
    assert prepared.name in look(gm_client, campaign)
    assert f'href="/campaigns/{campaign.pk}/"' in gm_client.get(address).content.decode()
    gm_client.post(address, {"do": "campaign", "campaign": ""})
    assert load(prepared.pk).campaign_id is None


def test_copy_of_an_encounter_stays_in_the_campaign(gm_client: Client, gm: User, campaign: Campaign) -> None:
    made = create_in_campaign(campaign, gm, SLUG, "Ambush")
    gm_client.post(f"/encounters/{made.pk}/prep/", {"do": "copy"})
    assert campaign.encounters.count() == 2


@every_slug
def test_new_encounters_start_with_the_house_rules(
    gm_client: Client, gm: User, campaign: Campaign, slug: str
) -> None:
    address = f"/campaigns/{campaign.pk}/rules/{slug}/"
    page = read(gm_client.get(address))
    posted = page.fields(
        next(f for f in page.all("form") if page.all("input", inside=f, name="option-typed_dice"))
    )
    posted = {**posted, "option-typed_dice": "on", "option-foe_health": "bar"}
    assert gm_client.post(address, posted).status_code == 303
    campaign.refresh_from_db()
    assert campaign.options == {slug: {"typed_dice": True, "foe_health": "bar"}}
    send(gm_client, campaign, "encounter", name="Ambush", system=slug)
    made = campaign.encounters.get()
    assert (made.name, dict(read_state(made).options)) == (
        "Ambush",
        {"typed_dice": True, "foe_health": "bar"},
    )
    gm_client.post(address, {"option-foe_health": "word"})
    campaign.refresh_from_db()
    changed = {o.key for o in find_system(slug).book.all_options if o.default is True}
    assert set(campaign.options[slug]) == changed  # cleared boxes mean no


def test_house_rule_that_is_none_is_refused(gm_client: Client, campaign: Campaign) -> None:
    refused = gm_client.post(f"/campaigns/{campaign.pk}/rules/{SLUG}/", {"option-foe_health": "smell"})
    assert (refused.status_code, "choose number, word, bar, nothing" in refusal(refused)) == (422, True)
    campaign.refresh_from_db()
    assert campaign.options == {}
    assert gm_client.get(f"/campaigns/{campaign.pk}/rules/nogame/").status_code == 404


# ---- People ----


@pytest.mark.slow
def test_own_characters_and_npcs_are_added_and_removed(
    gm_client: Client, gm: User, campaign: Campaign
) -> None:
    hero, docker = create(gm, SLUG, "Hero", SHEET), create(gm, SLUG, "Docker", SHEET, npc=True)
    send(gm_client, campaign, "add_people", who=[hero.pk])
    send(gm_client, campaign, "add_npcs", who=[docker.pk])
    assert list(campaigns.find_people(campaign)) == [hero]
    assert list(campaigns.find_people(campaign, npc=True)) == [docker]
    assert send(gm_client, campaign, "add_people", who=[docker.pk]).status_code == 422
    page = read(gm_client.get(f"/campaigns/{campaign.pk}/"))
    assert len(page.all("button", value="remove")) == 2, (
        "one for the party and one for NPCs, none beside each"
    )
    send(gm_client, campaign, "remove", who=hero.pk)
    assert not campaigns.find_people(campaign)
    assert send(gm_client, campaign, "remove", who=hero.pk).status_code == 409
    assert send(gm_client, campaign, "add_people").status_code == 422


def test_campaign_npcs_stand_first_where_combatants_are_added(
    gm_client: Client, gm: User, campaign: Campaign
) -> None:
    first, _ = create(gm, SLUG, "Zed", SHEET, npc=True), create(gm, SLUG, "Abe", SHEET, npc=True)
    add_members(campaign, [first.pk], npc=True)
    made = create_in_campaign(campaign, gm, SLUG, "Ambush")
    page = read(gm_client.get(f"/encounters/{made.pk}/prep/"))
    assert [group["label"] for group in page.all("optgroup")][:2] == ["NPCs of this campaign", "Your NPCs"]


def test_strangers_character_cannot_be_added(gm_client: Client, campaign: Campaign, vega: Character) -> None:
    assert "Vega" not in look(gm_client, campaign)
    assert send(gm_client, campaign, "add_people", who=[vega.pk]).status_code == 422


@pytest.mark.parametrize("who", ["9" * 25, "-1", "x", "²", "0"])
def test_what_is_no_number_of_a_character_is_refused(gm_client: Client, campaign: Campaign, who: str) -> None:
    for do in ("add_people", "add_npcs"):
        refused = gm_client.post(f"/campaigns/{campaign.pk}/", {"do": do, "who": who})
        assert refused.status_code == 422
        assert "Choose from the list: some are no longer there." in refused.content.decode()


@pytest.mark.slow
def test_party_joins_the_next_encounter_and_players_find_seats(
    gm_client: Client, gm: User, player: User, campaign: Campaign, vega: Character
) -> None:
    first = create_in_campaign(campaign, gm, SLUG, "First")
    seat = Seat.objects.create(encounter=first, user=player, name="pia", kind="play", digest="d" * 64)
    their = Client()
    their.force_login(player)
    let_in(first.pk)
    their.post(f"/encounters/{first.pk}/bring/", {"character": vega.pk})
    assert Participation.objects.filter(encounter=first, character=vega).exists(), seat
    send(gm_client, campaign, "add_people", who=[vega.pk])
    second = create_in_campaign(campaign, gm, SLUG, "Second")
    answer = gm_client.post(f"/encounters/{second.pk}/prep/", {"do": "party"})
    assert answer.status_code == 303
    (joined,) = present(state_of(second.pk))
    assert (joined.name, joined.pc) == ("Vega", True)
    assert Seat.objects.get(encounter=second, user=player).combatants == [joined.id]
    assert their.get(f"/encounters/{second.pk}/").status_code == 403, "the GM still prepares it"
    let_in(second.pk)
    assert their.get(f"/encounters/{second.pk}/").status_code == 200
    assert "Second" in their.get("/").content.decode()
    again = gm_client.post(f"/encounters/{second.pk}/prep/", {"do": "party"})
    assert (again.status_code, len(present(state_of(second.pk)))) == (409, 1)


def test_character_that_left_every_table_is_not_taken_along(
    gm_client: Client, gm: User, player: User, campaign: Campaign, vega: Character
) -> None:
    first = create_in_campaign(campaign, gm, SLUG, "First")
    sit(first, player, vega)
    add_members(campaign, [vega.pk])
    Encounter.objects.filter(pk=first.pk).update(archived=True)
    second = create_in_campaign(campaign, gm, SLUG, "Second")
    assert "Add the party" not in gm_client.get(f"/encounters/{second.pk}/prep/").content.decode()
    assert gm_client.post(f"/encounters/{second.pk}/prep/", {"do": "party"}).status_code == 409


def test_deleted_account_takes_its_campaigns_and_characters(
    gm: User, campaign: Campaign, player: User, vega: Character
) -> None:
    first = create_in_campaign(campaign, gm, SLUG, "First")
    sit(first, player, vega)
    add_members(campaign, [vega.pk])
    player.delete()
    assert not campaign.members.exists()
    gm.delete()
    assert not Campaign.objects.exists()


def test_pages_of_an_encounter_lead_back_to_its_campaign(
    gm_client: Client, gm: User, campaign: Campaign
) -> None:
    made = create_in_campaign(campaign, gm, SLUG, "First")
    for leaf in ["prep", "scene", "log", "report", "dice", "share", "forecast", "whatif", "handouts"]:
        page = read(gm_client.get(f"/encounters/{made.pk}/{leaf}/"))
        way = page.one("nav", class_="crumbs")
        assert page.one("a", inside=way, href=f"/campaigns/{campaign.pk}/").text == campaign.name, leaf


# ---- New NPCs and characters ----


def test_npcs_and_characters_made_for_a_campaign_belong_to_it(
    gm_client: Client, gm: User, campaign: Campaign
) -> None:
    page = read(gm_client.get(f"/campaigns/{campaign.pk}/"))
    links = {link["href"] for link in page.all("a") if link["href"].endswith(f"?campaign={campaign.pk}")}
    wanted_links = [f"/characters/{one}/?campaign={campaign.pk}" for one in ("new", "npcs/new")]
    assert {*wanted_links} <= links
    form = read(gm_client.get(wanted_links[1]))
    block = next(iter(SYSTEM.book.find_blocks()))
    button = form.one("button", name="block", value=block)
    sent = next(one for one in form.all("form") if button.is_in(one))
    gm_client.post(wanted_links[1].partition("?")[0], {**form.fields(sent), "block": block})
    (npc,) = campaigns.find_people(campaign, npc=True)
    assert npc.system == SLUG
    sheet = read(gm_client.get(f"{wanted_links[0]}&way=free"))
    wanted = {**sheet.fields(sheet.one("form", id="maker")), "name": "Vega", "create": "anyway"}
    gm_client.post("/characters/new/", wanted)
    assert [one.name for one in campaigns.find_people(campaign)] == ["Vega"]


def test_nobody_is_made_for_anothers_or_a_full_campaign(
    gm_client: Client, client: Client, player: User, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = {"game": SLUG, "block": next(iter(SYSTEM.book.find_blocks())), "campaign": campaign.pk}
    client.force_login(player)
    for odd in (campaign.pk, "x", "", 10**20):
        assert client.post("/characters/npcs/new/", {**wanted, "campaign": odd}).status_code == 404
    monkeypatch.setattr(campaigns, "MAX_MEMBERS", 0)
    assert "at most 0 people" in refusal(gm_client.post("/characters/npcs/new/", wanted))
    assert not Character.objects.exists()


def test_forms_begin_with_the_game_that_was_played_last(
    gm_client: Client, gm: User, campaign: Campaign
) -> None:
    def chosen(path: str, where: str) -> str:
        page = read(gm_client.get(path))
        return next(
            o["value"] for o in page.all("option", inside=page.one(id=where)) if "selected" in o.attrs
        )

    here, elsewhere = list(SYSTEMS)[1:3]
    create_in_campaign(campaign, gm, here, "First")
    create_encounter(gm, elsewhere, "Second")
    assert chosen(f"/campaigns/{campaign.pk}/", "encounter-system") == here
    new = read(gm_client.get("/encounters/new/"))
    assert new.one("input", name="system")["value"] == elsewhere
    made_for = read(gm_client.get(f"/characters/npcs/new/?campaign={campaign.pk}"))
    assert made_for.one("a", aria_current="true").text == find_system(here).name


def test_lists_name_an_encounters_campaign_and_link_its_report(
    gm_client: Client, gm: User, campaign: Campaign
) -> None:
    made = create_in_campaign(campaign, gm, SLUG, "First")
    for address, told in (("/encounters/", campaign.name), (f"/campaigns/{campaign.pk}/", SYSTEM.name)):
        Encounter.objects.filter(pk=made.pk).update(phase="prep")
        page = read(gm_client.get(address))
        assert told in page.one("main").text
        assert not page.all("a", href=f"/encounters/{made.pk}/report/")
        Encounter.objects.filter(pk=made.pk).update(phase="over")
        page = read(gm_client.get(address))
        assert page.one("a", href=f"/encounters/{made.pk}/report/").text == "Report of First"


def test_long_lists_of_a_campaign_are_folded(gm: User, gm_client: Client, campaign: Campaign) -> None:
    guards = create_all(gm, [Wanted(SLUG, f"Guard {number:02}", SHEET, npc=True) for number in range(23)])
    add_members(campaign, [one.pk for one in guards], npc=True)
    for number in range(21):
        create_handout(campaign, f"Letter {number:02}", "Text", None)
    page = read(gm_client.get(f"/campaigns/{campaign.pk}/"))
    found = {}
    for title, part in (("More NPCs", "npcs"), ("More handouts", "handouts")):
        box = page.one("section", id=part)
        (fold,) = [one for one in page.all("details", inside=box) if one.text.startswith(title)]
        found[part] = [name.text for name in page.all("b", inside=fold)]
        assert len(page.all("b", inside=box)) - len(found[part]) == 20
    assert found == {"npcs": ["Guard 20", "Guard 21", "Guard 22"], "handouts": ["Letter 00"]}


def test_campaign_shows_party_health_and_invites_while_empty(
    gm_client: Client, gm: User, campaign: Campaign
) -> None:
    address = f"/campaigns/{campaign.pk}/"
    empty = read(gm_client.get(address))
    assert len(empty.all("li", inside=empty.one("ol", class_="camp-steps"))) == 3
    sheet = SYSTEM.book.find_blocks()["soldier"].sheet
    campaigns.add_members(campaign, [create(gm, SLUG, "Rook", sheet).pk])
    create_in_campaign(campaign, gm, SLUG, "First")
    page = read(gm_client.get(address))
    assert "Rook no player yet" in page.one("section", id="people").text
    assert " / " in page.one("section", id="people").text
    assert "Next First" in page.one("header", class_="camp-cover").text
    assert not page.all("ol", class_="camp-steps")


def test_date_of_a_fight_is_kept_and_taken_away(gm_client: Client, gm: User, campaign: Campaign) -> None:
    first, second = (create_in_campaign(campaign, gm, SLUG, name) for name in ("First", "Second"))
    elsewhere = create_encounter(gm, SLUG, "Elsewhere")
    assert send(gm_client, campaign, "plan", encounter=first.pk, planned="2026-11-28").status_code == 303
    page = read(gm_client.get(f"/campaigns/{campaign.pk}/"))
    assert "Next, Saturday 28 November First" in page.one("header", class_="camp-cover").text
    for encounter, planned, status in ((second, "someday", 422), (elsewhere, "2026-11-28", 409)):
        assert (
            send(gm_client, campaign, "plan", encounter=encounter.pk, planned=planned).status_code == status
        )
        encounter.refresh_from_db()
        assert encounter.planned is None
    send(gm_client, campaign, "plan", encounter=first.pk, planned="")
    first.refresh_from_db()
    assert first.planned is None


def test_past_fight_shows_result_strength_and_who_fell(
    gm_client: Client, gm: User, campaign: Campaign, player: User, vega: Character
) -> None:
    coming, over = (create_in_campaign(campaign, gm, SLUG, name) for name in ("Coming", "Over"))
    campaigns.add_members(campaign, [create(gm, SLUG, "Rook", SHEET).pk])
    for encounter in (coming, over):
        sit(encounter, gm, Character.objects.get(name="Rook"))
        sit(encounter, player, vega)
    campaigns.add_members(campaign, [vega.pk])
    Seat.objects.create(encounter=coming, name="Ida", kind="play", digest="x", combatants=["f1"])
    guard = {"sheet": SHEET, "name": "Guard", "side": "enemies"}
    submit_all(over.pk, [Submission("join", guard), Submission("start", {})])
    submit_all(over.pk, [Submission("surrender", {"target": "f3"}), Submission("end_fight", {})])
    page = read(gm_client.get(f"/campaigns/{campaign.pk}/"))
    [row] = page.all("li", inside=page.one("ul", class_="fight-rows"))
    assert "Won 100% strength left" in row.text
    party = page.one("section", id="people").text
    assert "Rook Ida plays" in party
    assert "Vega pia plays" in party
