"""Finding anything: what each person may find, that it opens, and that nobody finds a secret."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from zeal import zeal_ignore

from characters.gear.item_service import save_own
from characters.models import Character
from combat.audience.changes import find_players
from combat.models import Campaign, Encounter, GuestSheet, Note
from combat.pages.find.at_table import MOST
from combat.play.campaigns import handouts, table_notes
from combat.play.campaigns.campaigns import create_campaign, move_encounter
from combat.play.writing.encounter_service import Submission, create_encounter, submit
from combat.rules import find_system
from tests.combat.cast import Cast, come, invite, seat_named
from tests.combat.markup import Page
from tests.combat.visit import PIRATE, SLUG, read
from tests.thinning import thin

LETTERS = ("a", "s")


def find(client: Client, words: str, at: Encounter | None = None) -> dict[str, dict[str, str]]:
    """What someone finds: addresses by name, by kind."""
    page = ask(client, words, at)
    return {
        head.text: {link.text: link["href"] for link in page.all("a", inside=group)}
        for head, group in zip(page.all("h3"), page.all("ul"), strict=True)
    }


def ask(client: Client, words: str, at: Encounter | None = None) -> Page:
    """What a script gets."""
    address = f"/encounters/{at.pk}/find/" if at else "/find/"
    answer = client.get(address, {"q": words}, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert b"<html" not in answer.content
    return read(answer)


@pytest.fixture
def campaign(gm: User, started: Encounter) -> Campaign:
    """The campaign that the fight belongs to."""
    made = create_campaign(gm, "The long haul")
    move_encounter(started.pk, made)
    return made


def test_the_gm_finds_people_actions_places_and_settings(cast: Cast, started: Encounter) -> None:
    here = f"/encounters/{started.pk}/"
    assert find(cast.gm, "zara", started)["People"] == {"Zara crew": f"{here}?combatant=f1"}
    assert find(cast.gm, "atta", started)["Actions"] == {"Attack Zara": f"{here}?combatant=f1&do=attack"}
    assert find(cast.gm, "mar dam", started)["Actions"] == {
        "Damage: Marcus": f"{here}?combatant=f3&row=damage"
    }
    assert find(cast.gm, "ramp", started)["Places"] == {"Loading ramp Zara, Marcus": f"{here}#scene"}
    assert find(cast.gm, "light", started)["Settings"]["Light environment"] == f"{here}prep/#options"
    assert find(cast.gm, "share", started)["At this table"] == {
        "Share links, codes and seats": f"{here}share/"
    }


def test_a_player_finds_what_they_may_do_and_only_in_their_turn(cast: Cast, started: Encounter) -> None:
    assert "Attack Zara" in find(cast.player, "attack", started)["Actions"]
    assert find(cast.player, "pirate", started)["People"] == {
        "Pirate pirates": f"/encounters/{started.pk}/#row-f2"
    }
    assert "Attack Marcus" not in find(cast.other, "attack", started).get("Actions", {})
    assert "Actions" not in find(cast.watcher, "a", started)
    assert "Settings" not in find(cast.player, "light", started)


def test_nothing_is_possible_while_a_question_is_open(cast: Cast, started: Encounter) -> None:
    attack = {"actor": "f1", "target": PIRATE, "weapon": "f1-1"}
    submit(started.pk, Submission("attack", attack, typed=True))
    assert "Actions" not in find(cast.gm, "attack", started)


@pytest.mark.parametrize("role", thin(["gm", "co_gm", "player", "watcher"], "player"))
def test_all_that_someone_finds_opens(cast: Cast, started: Encounter, campaign: Campaign, role: str) -> None:
    poster = handouts.create_handout(campaign, "Wanted poster", "Rook, alive", None)
    handouts.show(started.pk, poster.pk, [handouts.EVERYBODY])
    kinds = [kind for letter in LETTERS for kind in find(cast[role], letter, started).values()]
    found = {re.split("[?#]", address)[0] for kind in kinds for address in kind.values()}
    assert len(found) > 15
    with zeal_ignore():
        answers = {one: cast[role].get(one) for one in sorted(found)}
    closed = [one for one, answer in answers.items() if answer.status_code != 200]
    assert [one for one in closed if not answers[one].get("Location", "").startswith("/rules/")] == []


def test_who_is_hidden_is_found_by_the_gm_alone(cast: Cast, started: Encounter) -> None:
    submit(started.pk, Submission("hide", {"target": PIRATE}))
    assert "Pirate pirates" in find(cast.gm, "pirate", started)["People"]
    for role in ("player", "other", "watcher"):
        kinds = find(cast[role], "pirate", started)
        assert set(kinds) <= {"Rules", "Help"}, role


def test_a_handout_is_found_by_those_who_see_it(cast: Cast, started: Encounter, campaign: Campaign) -> None:
    poster = handouts.create_handout(campaign, "Wanted poster", "Rook, alive", None)
    own = f"/campaigns/{campaign.pk}/handouts/{poster.pk}/"
    assert find(cast.gm, "wanted", started)["Handouts"] == {"Wanted poster of The long haul": own}
    assert "Handouts" not in find(cast.player, "wanted", started)
    handouts.show(started.pk, poster.pk, [handouts.EVERYBODY])
    shown = f"/encounters/{started.pk}/handouts/{poster.pk}/"
    assert find(cast.player, "wanted", started)["Handouts"] == {"Wanted poster shown here": shown}


def test_a_pistol_is_found_as_gear_and_by_who_holds_one(cast: Cast, started: Encounter) -> None:
    """At a table its own game; the GM may add a stat block to the fight, others copy it or do not see it."""
    found = find(cast.gm, "pistol", started)
    gear, blocks = found["Gear"], found["Stat blocks"]
    assert next(iter(gear.values())) == "/gear/item/cosmos-weapon-pistol/"
    assert all(one.startswith("/gear/item/cosmos-") for one in gear.values())
    assert all(one.startswith(f"/encounters/{started.pk}/prep/people/?who=") for one in blocks.values())
    assert "Gear" in find(cast.player, "pistol", started)
    for role in ("player", "other", "watcher", "stranger"):
        at = None if role == "stranger" else started
        reached = find(cast[role], "pistol", at).get("Stat blocks", {}).values()
        assert all(one.startswith("/characters/npcs/new/") for one in reached), role
    assert not find(cast.watcher, "pistol", started).keys() & {"Gear", "Stat blocks"}
    assert ask(cast.gm, "pistol", started).all("svg", class_="mark")


def test_own_items_are_found_by_their_owner_alone(cast: Cast, gm: User) -> None:
    system = find_system(SLUG)
    pistol = system.book.catalogue and system.book.catalogue.find_entry("weapon", "pistol")
    assert pistol
    save_own(gm, system, "weapon", {**pistol.record, "name": "Zapper of Ord"})
    assert list(find(cast.gm, "zapper ord")["Gear"])
    assert "Gear" not in find(cast.stranger, "zapper ord")


def test_notes_are_found_by_those_who_read_them(cast: Cast, started: Encounter, campaign: Campaign) -> None:
    """The GM's by the GM, a player's by that player, the shared one at the table; with the words around."""
    table_notes.save_note(started.pk, PIRATE, "He sells a **zeppelin**", 0)
    own = Note(seat=find_players(started.pk)[0], about="own", text="My zeppelin", revision=1)
    own.save()
    here = f"/encounters/{started.pk}/notes/#notes-"
    assert find(cast.gm, "zeppelin", started)["Notes"] == {
        "Pirate note: He sells a zeppelin": f"{here}{PIRATE}"
    }
    assert find(cast.gm, "zeppelin")["Notes"] == {
        f"{started.name} your note: He sells a zeppelin": f"{here}{PIRATE}"
    }
    assert find(cast.player, "zeppelin", started)["Notes"] == {"My notes note: My zeppelin": f"{here}own"}
    for role in ("other", "watcher", "stranger"):
        assert "Notes" not in find(cast[role], "zeppelin", None if role == "stranger" else started), role
    table_notes.save_shared(campaign.pk, "A zeppelin waits", 0)
    for role, sees in (("player", True), ("other", True), ("watcher", False)):
        notes = find(cast[role], "zeppelin waits", started).get("Notes", {})
        assert bool(notes) == sees, role
    assert "Notes" not in find(cast.stranger, "zeppelin")


def test_help_answers_questions(cast: Cast, started: Encounter) -> None:
    found = find(cast.gm, "how do I draw a map", started)["Help"]
    assert "/help/maps/#draw" in found.values()


def test_one_kind_can_be_chosen_and_shows_more(cast: Cast, started: Encounter) -> None:
    whole = ask(cast.gm, "armor", started)
    chips = {link["href"]: link.text for link in whole.all("a", class_="find-kind")}
    gear = f"/encounters/{started.pk}/find/?q=armor&kind=Gear"
    assert set(chips) >= {gear, gear.partition("&")[0]}
    page = read(cast.gm.get(gear, headers={"HX-Request": "true"}))
    assert [head.text for head in page.all("h3")] == ["Gear"]
    assert len(page.all("li")) > MOST == max(len(whole.all("li", inside=one)) for one in whole.all("ul"))
    assert page.one("a", class_="find-kind", aria_current="true").text.startswith("Gear")
    assert read(cast.gm.get(f"{gear}x", headers={"HX-Request": "true"})).all("h3")


def test_words_that_nothing_has_together_are_counted_alone(cast: Cast, started: Encounter) -> None:
    page = ask(cast.gm, "pistol zzzz", started)
    assert page.one("h2").text == "Nothing has all of these words"
    assert "With one of them: pistol finds" in page.one("p").text
    assert page.one("a", data_word="pistol")["href"] == f"/encounters/{started.pk}/find/?q=pistol"


def test_before_a_word_it_leads_back_to_own_things(cast: Cast, gm: User, started: Encounter) -> None:
    assert f"/encounters/{started.pk}/" in find(cast.gm, "")["Back to"].values()
    assert find(cast.player, "", started) == find(cast.stranger, "") == {}


def test_own_things_are_found_by_their_owner_alone(gm: User, cast: Cast, campaign: Campaign) -> None:
    Character.objects.create(owner=gm, system=SLUG, name="Quill", sheet={}, summary="pilot")
    assert find(cast.gm, "quill")["Characters"]
    assert find(cast.gm, "haul")["Campaigns"] == {"The long haul": f"/campaigns/{campaign.pk}/"}
    assert find(cast.gm, "docking")["Encounters"]
    for words in ("quill", "haul", "docking"):
        assert not find(cast.stranger, words).keys() & {"Characters", "Campaigns", "Encounters"}, words


def test_a_person_with_a_seat_finds_the_table(client: Client, started: Encounter) -> None:
    client.force_login(User.objects.create_user("pia"))
    assert "Encounters" not in find(client, "docking")
    client.post(invite(started), {"name": "Pia"})
    assert find(client, "docking")["Encounters"]


def test_rule_is_found_in_the_tables_game_or_elsewhere_in_any(cast: Cast, started: Encounter) -> None:
    (address,) = find(cast.gm, "COS-COVER-01", started)["Rules"].values()
    assert address == "/rules/cosmos/COS-COVER-01/"
    assert all(one.startswith("/rules/cosmos/") for one in find(cast.gm, "cover", started)["Rules"].values())
    assert len({one.split("/")[2] for one in find(cast.gm, "reaction")["Rules"].values()}) > 1


def test_nothing_found_says_what_to_do(cast: Cast, started: Encounter) -> None:
    nothing = ask(cast.gm, "zzzz", started)
    assert nothing.one("h2").text == "Nothing has all of these words"
    assert nothing.one("a", href="/help/?q=zzzz")
    assert nothing.one("a", href="/rules/?q=zzzz")
    assert "Type a few words" in ask(cast.gm, "", started).one("p").text


def test_without_scripts_it_is_a_page(cast: Cast, started: Encounter) -> None:
    page = read(cast.player.get(f"/encounters/{started.pk}/find/", {"q": "pirate"}))
    assert page.one("input", id="find-q")["value"] == "pirate"
    assert page.one("form", role="search")["action"] == f"/encounters/{started.pk}/find/"
    assert page.all("a", href=f"/encounters/{started.pk}/#row-f2")
    assert not page.all("dialog", id="finder")


@pytest.mark.slow
def test_find_button_is_on_all_account_pages_and_at_the_table(cast: Cast, started: Encounter) -> None:
    table = f"/encounters/{started.pk}/"
    for role, page, there in (
        ("gm", "/", "/find/"), ("gm", table, f"{table}find/"), ("gm", "/rules/cosmos/", "/find/"),
        ("player", table, f"{table}find/"), ("nobody", "/", ""), ("player", "/rules/", ""),
    ):  # fmt: skip
        buttons = [
            link["href"] for link in read(cast[role].get(page)).all("a") if link["data-dialog"] == "finder"
        ]
        assert buttons == ([there] if there else []), (role, page)


def test_the_number_of_queries_is_the_same_for_more_things(gm: User, cast: Cast, started: Encounter) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as found:
            find(cast.gm, "a", started)
        return len(found)

    few = count()
    for number in range(20):
        Character.objects.create(owner=gm, system=SLUG, name=f"Ada {number}", sheet={})
        handouts.create_handout(create_campaign(gm, f"Saga {number}"), "Map", "A map", None)
        create_encounter(gm, SLUG, f"Ambush {number}")
    assert count() == few <= 12


def test_a_search_is_cut_and_its_words_are_text(cast: Cast, started: Encounter) -> None:
    assert ask(cast.gm, "x" * 5000, started).one("div")["data-q"] == "x" * 100
    assert b"<script>" not in cast.gm.get("/find/", {"q": '"><script>'}).content


def test_a_guest_finds_the_characters_of_their_seat(started: Encounter) -> None:
    guest, other = (come(started, "play", name) for name in ("Pia", "Otto"))
    made = Character.objects.create(owner=None, system=SLUG, name="Quill", sheet={})
    GuestSheet.objects.create(seat=seat_named("Pia"), character=made)
    assert find(guest, "quill", started)["Characters"] == {"Quill Cosmos Engine": f"/characters/{made.pk}/"}
    assert "Characters" not in find(other, "quill", started)


def test_at_a_paused_table_players_find_no_action(cast: Cast, started: Encounter) -> None:
    submit(started.pk, Submission("pause"))
    assert "Actions" not in find(cast.player, "attack", started)


def test_what_is_found_shows_what_it_is(cast: Cast, gm: User, started: Encounter) -> None:
    """Combatants have their mark, characters their face and game, encounters and rules their game."""
    Character.objects.create(
        owner=gm, system=SLUG, name="Quill", sheet={}, npc=True, face="pilot", summary="Terran"
    )
    (pirate,) = ask(cast.gm, "pirate pirates", started).all("svg", class_="mark")
    assert "is-foe" in pirate["class"]
    found = ask(cast.gm, "quill")
    assert found.one("svg", class_="person-face")
    assert list(find(cast.gm, "quill")["Characters"]) == ["Quill Cosmos Engine NPC, Terran"]
    for words, kind in (("docking bay", "Encounters"), ("cover cosmos engine", "Rules")):
        assert all("Cosmos Engine" in name for name in find(cast.gm, words)[kind]), kind
        assert ask(cast.gm, words).all("svg", class_="emblem"), kind
