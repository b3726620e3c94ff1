"""Whose turn it is, at the GM's table: a player's begins with their name, and nothing there is filled."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.test import Client

from combat.models import ShareLink
from tests.combat.cast import come
from tests.combat.visit import MARCUS, SLUG, ZARA, begun, read, state_of


def test_a_player_who_is_here_is_choosing(gm: User, gm_client: Client) -> None:
    fight = begun(gm, SLUG)
    assert state_of(fight.pk).active == ZARA
    here = f"/encounters/{fight.pk}/"
    before = read(gm_client.get(here))
    assert before.all("a", class_="action-first")
    assert "is choosing" not in before.one(id="turn-head").text
    come(fight, ShareLink.PLAY, "Pia", ZARA).get(here)
    page = read(gm_client.get(here))
    assert "Pia is choosing" in page.one(id="turn-head").text
    assert not page.all("a", class_="action-first")
    assert "btn-primary" not in page.one("button", class_="btn-next")["class"]


def test_a_chosen_row_fills_no_end_of_anothers_turn(gm: User, gm_client: Client) -> None:
    fight = begun(gm, SLUG)
    page = read(gm_client.get(f"/encounters/{fight.pk}/?combatant={MARCUS}"))
    head = page.one(id="turn-head")
    assert "Marcus" in head.text
    assert "btn-primary" not in page.one("button", class_="btn-next", inside=head)["class"]
