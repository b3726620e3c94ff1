"""Whoever comes while an action waits for dice or a choice joins by themselves once it is done."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.models import Character
from characters.services import character_service
from combat.models import Encounter, LateJoin, Participation, Seat
from combat.play.campaigns.roster import JOINS_LATE, bring_to_seat, join_or_wait
from combat.play.writing.encounter_service import Submission, answer, cancel, read_state, submit
from combat.rules.core.basics.errors import Refused
from combat.rules.core.state.state import present
from combat.sharing.links import Arrival, make_link, revoke, take_seat
from tests.combat.play.campaigns.test_roster import SHEET
from tests.combat.play.writing.test_play import ATTACK
from tests.combat.visit import load, questions
from tests.typed import sure


@pytest.fixture
def waiting(started: Encounter) -> Encounter:
    """A fight in which an attack waits for its dice."""
    submit(started.pk, Submission("attack", ATTACK, typed=True))
    return started


@pytest.fixture
def pim(db: None) -> Character:
    """A player's own character."""
    return character_service.create(User.objects.create_user("pia"), "cosmos", "Pim", SHEET)


def names(encounter: Encounter) -> set[str]:
    """Who is in the fight."""
    return {one.name for one in present(read_state(load(encounter.pk)))}


def sit(encounter: Encounter, player: User) -> Seat:
    seat, _ = take_seat(make_link(encounter, "play", "players")[0], Arrival(), player)
    return Seat.objects.get(pk=seat.pk)


def roll_all(pk: int) -> None:
    """Answer the open command's questions until it is done."""
    while questions(pk):
        answer(pk, 0, roll=True)


@pytest.mark.usefixtures("fives")  # a critical hit would ask more
@pytest.mark.parametrize("close", [cancel, roll_all])
def test_character_of_a_player_joins_when_the_action_is_over(
    waiting: Encounter, pim: Character, close: Callable[[int], object]
) -> None:
    player = sure(pim.owner)
    seat = sit(waiting, player)
    client = Client()
    client.force_login(player)
    said = client.post(f"/encounters/{waiting.pk}/bring/", {"character": pim.pk}, follow=True)
    assert JOINS_LATE in said.content.decode()
    assert "Pim" not in names(waiting)
    again = client.post(f"/encounters/{waiting.pk}/bring/", {"character": pim.pk}, follow=True)
    assert "Pim joins as soon as the open action is done." in again.content.decode()
    close(waiting.pk)
    seat.refresh_from_db()
    (mine,) = [one for one in present(read_state(load(waiting.pk))) if one.name == "Pim"]
    assert seat.combatants == [mine.id]
    assert Participation.objects.get(character=pim).combatant == mine.id
    assert not LateJoin.objects.exists()


def test_who_lost_the_seat_meanwhile_does_not_join(waiting: Encounter, pim: Character) -> None:
    seat = sit(waiting, sure(pim.owner))
    bring_to_seat(waiting, seat, sure(pim.owner), str(pim.pk))
    revoke(sure(seat.link))
    cancel(waiting.pk)
    assert "Pim" not in names(waiting)
    assert not LateJoin.objects.exists()


def test_gm_adds_while_an_action_is_open(gm_client: Client, waiting: Encounter) -> None:
    form = {"do": "join", "block": "street_thug", "name": "Late", "side": "gang", "zone": "", "count": "2"}
    said = gm_client.post(f"/encounters/{waiting.pk}/prep/", form, follow=True)
    assert JOINS_LATE in said.content.decode()
    cancel(waiting.pk)
    assert {"Late 1", "Late 2"} <= names(waiting)


def test_what_the_game_would_refuse_is_refused_at_once(waiting: Encounter) -> None:
    with pytest.raises(Refused):
        join_or_wait(waiting.pk, [Submission("join", {"block": "nobody", "name": "Late", "side": "gang"})])
    assert not LateJoin.objects.exists()
