"""Whom someone who follows a link may bring: a character of their own, or a stat block that the GM opened."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.games import plan_of
from characters.models import Character
from characters.services import character_service
from combat.display.combatants.cards import Danger
from combat.models import Encounter, Seat, ShareLink
from combat.pages.prep import odds_view
from combat.play.writing.encounter_service import Submission, read_state, submit
from combat.rules import find_system
from combat.rules.core.state.state import Combatant, is_played
from combat.sharing.waiting_room import find_wanted
from tests.combat.cast import invite
from tests.combat.pages.map.test_tokens import SHEET
from tests.combat.visit import PIRATE, SLUG, ZARA, read, refusal
from tests.typed import Answer, sure


@pytest.fixture
def nia() -> User:
    """A player with an account."""
    return User.objects.create_user("nia")


@pytest.fixture
def signed(nia: User) -> Client:
    """The player's browser."""
    client = Client()
    client.force_login(nia)
    return client


def make(owner: User, name: str, **fields: Any) -> Character:
    made = character_service.create(owner, SLUG, name, SHEET)
    Character.objects.filter(pk=made.pk).update(**fields)
    return made


def offered(client: Client, address: str) -> dict[str, str]:
    page = read(client.get(address))
    return {
        page.one("input", inside=label)["value"]: label.text
        for label in page.all("label", class_="join-pick")
    }


def join(client: Client, address: str, combatant: str) -> Answer:
    return client.post(address, {"name": "Nia", "combatant": combatant, "face": ""})


def played_by(name: str) -> list[Combatant]:
    seat = Seat.objects.get(name=name, ended=None)
    state = read_state(seat.encounter)
    assert all(is_played(state, state.combatants[one]) for one in seat.combatants)
    return [state.combatants[one] for one in seat.combatants]


def open_blocks(encounter: Encounter) -> str:
    submit(encounter.pk, Submission("set_option", {"key": "open_blocks", "value": True}, by="gm"))
    return next(iter(find_system(SLUG).book.find_blocks()))


def test_own_characters_of_a_game_are_offered_last_played_first(
    started: Encounter, nia: User, signed: Client
) -> None:
    played, new = make(nia, "Brandt Okafor"), make(nia, "Ulla")
    for fields in (
        {"archived": True},
        {"npc": True},
        {"system": "guardians" if SLUG != "guardians" else "cosmos"},
    ):
        make(nia, "Not here", **fields)
    played.participations.create(encounter=started, combatant=PIRATE)
    found = offered(signed, invite(started))
    own = [value for value in found if value.startswith("own:")]
    assert own == [f"own:{played.pk}", f"own:{new.pk}"]
    assert f"Last played {started.created:%-d %B}: {started.name}" in found[own[0]]
    assert "Not yet played" in found[own[1]]
    page = read(signed.get(invite(started)))
    (chosen,) = [one for one in page.all("input", name="combatant") if "checked" in one.attrs]
    assert chosen["value"] == own[0]
    assert chosen["data-join-note"] == "changes go back to this sheet"


def test_own_character_joins_once_and_its_changes_go_back(
    started: Encounter, nia: User, signed: Client
) -> None:
    mine, address = make(nia, "Brandt Okafor"), invite(started)
    for _ in range(2):  # the form is sent twice
        assert join(signed, address, f"own:{mine.pk}").status_code == 302
    (one,) = played_by("nia")
    assert one.name == "Brandt Okafor"
    assert [found.combatant for found in mine.participations.all()] == [one.id]
    assert f"own:{mine.pk}" not in offered(signed, invite(started))


@pytest.mark.parametrize("word", ["own:0", "own:x", "own:", "own:{other}", "own:{npc}"])
def test_character_that_is_not_theirs_gives_no_seat(
    started: Encounter, gm: User, nia: User, signed: Client, word: str
) -> None:
    other, npc = make(gm, "Of the GM"), make(nia, "Foe", npc=True)
    found = join(signed, invite(started), word.format(other=other.pk, npc=npc.pk))
    assert 400 <= found.status_code < 500
    assert "Choose one of your own characters" in refusal(found)
    assert not Seat.objects.filter(name="nia").exists()


def test_nobody_without_an_account_sees_characters_of_others(
    started: Encounter, nia: User, guest: Client
) -> None:
    mine = make(nia, "Brandt Okafor")
    assert not [value for value in offered(guest, invite(started)) if value.startswith("own:")]
    assert 400 <= join(guest, invite(started), f"own:{mine.pk}").status_code < 500


def test_who_has_no_character_of_the_game_reads_so(started: Encounter, signed: Client) -> None:
    assert f"None for {find_system(SLUG).name} yet" in signed.get(invite(started)).content.decode()


def test_link_for_spectators_brings_nobody(started: Encounter, nia: User, signed: Client) -> None:
    mine = make(nia, "Brandt Okafor")
    assert join(signed, invite(started, ShareLink.WATCH), f"own:{mine.pk}").status_code == 302
    assert played_by("nia") == []
    assert not mine.participations.exists()


def test_stat_blocks_are_offered_once_the_gm_opens_them(started: Encounter, guest: Client) -> None:
    address = invite(started)
    assert not [value for value in offered(guest, address) if value.startswith("block:")]
    key = open_blocks(started)
    blocks = [value for value in offered(guest, address) if value.startswith("block:")]
    assert f"block:{key}" in blocks
    assert read(guest.get(address)).one("input", id="find-block")


def test_stat_block_joins_on_the_players_side_for_its_player(started: Encounter, guest: Client) -> None:
    key, address = open_blocks(started), invite(started)
    for _ in range(2):
        assert join(guest, address, f"block:{key}").status_code == 302
    (one,) = played_by("Nia")
    block = find_system(SLUG).book.find_blocks()[key]
    assert block.name in one.name
    assert one.side == read_state(started).combatants[ZARA].side
    assert not one.pc


def test_stat_block_that_is_not_open_gives_no_seat(started: Encounter, guest: Client) -> None:
    key = next(iter(find_system(SLUG).book.find_blocks()))
    for word in (f"block:{key}", "block:nobody"):
        found = join(guest, invite(started), word)
        assert 400 <= found.status_code < 500
        assert "The GM offers no such stat block" in refusal(found)
    assert not Seat.objects.filter(name="Nia").exists()


@pytest.mark.parametrize("kind", ["own", "ready", "block"])
def test_two_posts_at_once_bring_one_person(started: Encounter, nia: User, signed: Client, kind: str) -> None:
    """Each has read the seat before the other has brought anyone."""
    mine, key = make(nia, "Brandt Okafor"), open_blocks(started)
    archetype = plan_of(find_system(SLUG)).creation.archetypes[0]
    word = {"own": f"own:{mine.pk}", "ready": f"ready:{archetype.id}", "block": f"block:{key}"}[kind]
    assert join(signed, invite(started), "").status_code == 302
    started.refresh_from_db()
    seats = [Seat.objects.get(name="nia", ended=None) for _ in range(2)]
    brings = [sure(find_wanted(started, nia, word)) for _ in seats]
    for bring, seat in zip(brings, seats, strict=True):
        bring(seat)
    assert len(played_by("nia")) == 1
    assert Character.objects.filter(owner=nia).count() == 1 + (kind == "ready")


@pytest.mark.parametrize(("hides", "shown"), [(False, "deadly"), (True, "")])
def test_stat_block_tells_its_danger_once_the_gm_had_it_measured(
    started: Encounter, guest: Client, monkeypatch: pytest.MonkeyPatch, hides: bool, shown: str
) -> None:
    """Not while someone fights beside the heroes whom players do not know: the marks would count them."""
    key, address = open_blocks(started), invite(started)
    started.refresh_from_db()
    if hides:
        fields = {"block": "soldier", "name": "Vex", "side": "crew", "hidden": True}
        submit(started.pk, Submission("join", fields, by="gm"))
        started.refresh_from_db()
    danger = Danger(10, 100, people=2, running=False, level="deadly", tone="d-deadly", segments=4)
    monkeypatch.setattr(
        odds_view, "_read_of", lambda encounter, party, stamp, one: danger if one == key else None
    )
    page = read(guest.get(address))
    marks = {
        label.text: page.all("span", class_="danger", inside=label)
        for label in page.all("label", class_="join-pick")
    }
    assert [found[0].text for found in marks.values() if found] == ([shown] if shown else [])


def test_both_pages_use_the_same_words(started: Encounter, guest: Client, gm_client: Client) -> None:
    open_blocks(started)
    page = read(guest.get(invite(started)))
    words = {
        one.text for one in (*page.all("h2"), *page.all("label", class_="join-other"), *page.all("summary"))
    }
    shared = read(gm_client.get(f"/encounters/{started.pk}/share/"))
    for choice in shared.all("li", inside=shared.one("ul", class_="invite-choices")):
        small = " ".join(one.text for one in shared.all("small", inside=choice))
        name = choice.text.removesuffix(small).strip()
        if name != "Your characters":  # of someone who has signed in
            assert [word for word in words if word.startswith(name)], name
