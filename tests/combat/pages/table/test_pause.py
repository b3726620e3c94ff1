"""The pause: a word on every screen, and nobody but the GM acts until the fight goes on."""

from __future__ import annotations

import pytest

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit, undo
from tests.combat.cast import Cast
from tests.combat.visit import ZARA, load, read, state_of

PAUSED = "The GM has paused the fight: wait until it goes on."


def pause(started: Encounter) -> str:
    submit(started.pk, Submission("pause"))
    return f"/encounters/{started.pk}/"


@pytest.mark.slow
def test_every_screen_says_that_the_fight_is_paused(cast: Cast, started: Encounter) -> None:
    address = f"/encounters/{started.pk}/"
    assert not read(cast.watcher.get(address)).all("section", class_="paused")
    assert cast.co_gm.post(address, {"do": "pause"}).status_code == 303
    for role in ("gm", "co_gm", "player", "other", "watcher"):
        page = read(cast[role].get(address))
        (band,) = page.all("section", class_="paused")
        resume = [button for button in page.all("button", inside=band) if button["value"] == "resume"]
        assert len(resume) == ("gm" in role), role
    assert cast.gm.post(address, {"do": "resume"}).status_code == 303
    for role in ("gm", "player", "watcher"):
        assert not read(cast[role].get(address)).all("section", class_="paused"), role


def test_nobody_but_the_gm_acts_in_a_pause(cast: Cast, started: Encounter) -> None:
    address = pause(started)
    before = load(started.pk).version
    for form in (
        {"do": "next_turn"},
        {"do": "move", "combatant": ZARA, "to": "0,0"},
        {"do": "give_word", "combatant": ZARA, "word": "moon"},
        {"do": "resume"},
        {"do": "pause"},
    ):
        answer = cast.player.post(address, form)
        assert answer.status_code in (403, 409), form
        if answer.status_code == 409:
            assert PAUSED in answer.content.decode()
    assert load(started.pk).version == before
    page = read(cast.player.get(address))
    assert not [b for b in page.all("button") if b.attrs.get("value") == "next_turn"]
    assert not page.all("a", class_="action")
    assert cast.gm.post(address, {"do": "next_turn"}).status_code == 303
    assert state_of(started.pk).is_paused


def test_pause_is_undone_like_anything(cast: Cast, started: Encounter) -> None:
    pause(started)
    undo(started.pk)
    assert not state_of(started.pk).is_paused
    assert cast.player.post(f"/encounters/{started.pk}/", {"do": "next_turn"}).status_code == 303
