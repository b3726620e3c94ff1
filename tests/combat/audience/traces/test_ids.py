"""Ids of combatants and clocks do not tell how many others there are."""

from __future__ import annotations

import re
from secrets import token_hex

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.models import ShareLink
from combat.play.demo import make_demo_fight
from combat.play.writing import encounter_service
from combat.play.writing.encounter_service import Submission, read_history, submit
from combat.rules import find_system
from combat.rules.core.basics.names import make_id
from combat.rules.core.engine.document import replay, write_document
from combat.sharing.links import make_link
from tests.combat.cast import come
from tests.combat.visit import MARCUS, PIRATE, SLUG, ZARA, load, state_of

FRESH = re.compile(r"[fc]\d{9}")


@pytest.fixture(autouse=True)
def drawn_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw seeds, as outside of tests."""
    monkeypatch.setattr(encounter_service, "draw_seed", lambda: token_hex(16))


def add(pk: int, name: str, **fields: object) -> None:
    guard = {"block": "pirate_example", "side": "enemies", "zone": "floor"}
    submit(pk, Submission("join", {**guard, "name": name, **fields}, by="gm"))


def test_nobody_learns_from_ids_how_many_are_hidden(gm: User) -> None:
    """Neither of those who join after the hidden, nor of a clock after a GM's, nor of copies."""
    pk = make_demo_fight(gm, SLUG).pk
    assert set(state_of(pk).combatants) == {ZARA, PIRATE, MARCUS}
    add(pk, "Lurker", hidden=True)
    add(pk, "Guard", count=3, group=True)
    guard = next(who for who in state_of(pk).combatants if who not in (ZARA, PIRATE, MARCUS))
    submit(pk, Submission("duplicate", {"target": guard}, by="gm"))
    for shown in ("gm", "all"):
        submit(pk, Submission("start_clock", {"name": "Alarm", "shown": shown}, by="gm"))
    state = state_of(pk)
    fresh = [*state.combatants, *(clock.id for clock in state.all_clocks)][3:]
    assert len(set(fresh)) == 7
    assert all(FRESH.fullmatch(one) for one in fresh)
    _, token = make_link(load(pk), ShareLink.WATCH, "overlay")
    player = come(load(pk), ShareLink.PLAY, "Pia", ZARA)
    pages = [player.get(f"/encounters/{pk}/").content.decode(), Client().get(f"/api/v1/{token}/").text]
    found = {one for page in pages for one in re.findall(r"\bf\d+\b|(?<=clock-)c\d+", page)}
    assert found >= {ZARA, PIRATE, MARCUS}
    assert all(FRESH.fullmatch(one) for one in found - {ZARA, PIRATE, MARCUS}), found
    log = read_history(load(pk))
    assert replay(log, find_system).ok, "a replay makes the same ids"
    assert write_document(log)


def test_things_of_the_hidden_get_ids_without_numbers(gm: User) -> None:
    pk = make_demo_fight(gm, SLUG).pk
    add(pk, "Lurker", hidden=True)
    (lurker,) = state_of(pk).combatants.keys() - {ZARA, PIRATE, MARCUS}
    sword = state_of(pk)[lurker].items[0].id
    submit(pk, Submission("hand_out", {"items": [sword], "holder": lurker, "to": ZARA}, by="gm"))
    assert re.fullmatch(rf"{ZARA}-g\d{{9}}", state_of(pk)[ZARA].items[-1].id)


def test_ids_of_one_command_do_not_lead_to_each_other() -> None:
    """Only who knows the seed can make the ids of the others."""
    ids = [make_id("f", "a seed", number, ()) for number in range(1, 21)]
    assert len(set(ids)) == 20
    assert make_id("f", "a seed", 1, (ids[0],)) == ids[1], "a taken id is passed over"
    assert make_id("f", "another", 1, ()) not in ids
    assert make_id("f", "", 4, ()) == "f4", "logs of before have numbers"
