"""The end of a fight for a player: how it went, who cannot wait, what they dealt and took."""

from __future__ import annotations

import pytest
from django.test import Client

from combat.models import Encounter, Seat, ShareLink
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from tests.combat.cast import Cast, come
from tests.combat.visit import MARCUS, PIRATE, SLUG, ZARA, play, read

DYING = "dying"


@pytest.fixture
def nia(started: Encounter) -> Client:
    """The player of Zara."""
    client = come(started, ShareLink.PLAY, "Nia")
    Seat.objects.filter(name="Nia").update(combatants=[ZARA])
    return client


def end(encounter: Encounter, *out: str, kind: str = DYING) -> str:
    """End the fight with these out of it; the address of the table."""
    for who in out:
        submit(encounter.pk, Submission("give_condition", {"target": who, "kind": kind}))
    submit(encounter.pk, Submission("end_fight", {}))
    return f"/encounters/{encounter.pk}/"


def test_player_reads_how_it_went_for_them(started: Encounter, nia: Client) -> None:
    page = read(nia.get(end(started, PIRATE, kind="dead")))
    assert page.one("h2", id="h-turn").text == "You won"
    assert not page.all("section", class_="end-urgent")


def test_player_reads_of_defeat(started: Encounter, nia: Client) -> None:
    page = read(nia.get(end(started, ZARA, MARCUS, kind="dead")))
    assert page.one("h2", id="h-turn").text == "You lost"


def test_end_is_dark_to_the_bottom(started: Encounter, nia: Client) -> None:
    assert "always-dark" in read(nia.get(end(started, PIRATE))).one(id="turn-waiting")["class"]


def test_viewer_without_a_combatant_reads_the_headline_of_the_gm(started: Encounter, cast: Cast) -> None:
    Seat.objects.update(combatants=[])
    page = read(cast.player.get(end(started, PIRATE)))
    assert page.one("h2", id="h-turn").text == "Victory"


def test_dying_friend_comes_first(started: Encounter, nia: Client) -> None:
    page = read(nia.get(end(started, PIRATE, MARCUS)))
    urgent = page.one("section", class_="end-urgent")
    assert urgent.text.startswith("Marcus is dying 2.8 m from you")
    assert "Pirate" not in urgent.text


def test_own_numbers_are_for_who_plays(started: Encounter, cast: Cast) -> None:
    play(started.pk, find_system(SLUG).demo.make_first().script[1:])
    mine = f"/encounters/{started.pk}/mine/"
    numbers = read(cast.player.get(mine)).one("dl", class_="end-numbers")
    dealt = "damage dealt, before armor 49 damage taken"
    assert numbers.text.startswith(dealt), "what armor kept off stays secret"
    assert " damage taken " in numbers.text
    for client in (cast.gm, cast.watcher, cast.stranger):
        assert client.get(mine).status_code == 404


def test_numbers_come_only_after_the_fight(started: Encounter, nia: Client) -> None:
    assert nia.get(f"/encounters/{started.pk}/mine/").status_code == 404
