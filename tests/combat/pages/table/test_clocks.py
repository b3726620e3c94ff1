"""Clocks on the page: ticked by the GM with one tap, seen by those they are for."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from combat.models import Encounter, HandoutShowing
from combat.play.campaigns.campaigns import create_campaign, move_encounter
from combat.play.campaigns.handouts import create_handout
from combat.play.writing.encounter_service import Submission, submit, undo
from tests.combat.audience.test_leaks import calm
from tests.combat.cast import Cast
from tests.combat.visit import PIRATE, read, state_of

EVERYBODY = ("gm", "co_gm", "player", "other", "watcher")


def find_clocks(client: Any, encounter: Encounter) -> list[str]:
    page = read(client.get(f"/encounters/{encounter.pk}/"))
    return [
        " ".join(one.text.split()) for one in page.all("span") if "dial-words" in one.attrs.get("class", "")
    ]


def start_clock(encounter: Encounter, name: str, **fields: Any) -> None:
    submit(encounter.pk, Submission("start_clock", {"name": name, **fields}))


def test_gm_makes_and_ticks_a_clock_that_everyone_sees(cast: Cast, started: Encounter) -> None:
    address = f"/encounters/{started.pk}/"
    form = {
        "do": "start_clock",
        "name": "Alarm",
        "size": "4",
        "filled": "0",
        "each_round": "0",
        "shown": "all",
    }
    assert cast.gm.post(address, form).status_code == 303
    assert cast.gm.post(address, {"do": "tick_clock", "clock": "c1"}).status_code == 303
    for role in EVERYBODY:
        (words,) = find_clocks(cast[role], started)
        assert words.removeprefix("Tick ") == "Alarm 1 of 4", role


def test_secret_clock_is_in_no_byte_for_others(cast: Cast, started: Encounter) -> None:
    start_clock(started, "Betrayal of the captain", shown="gm")
    start_clock(started, "Poison in the blood", shown="some", who=["f1"])
    for role in ("player", "other", "watcher"):
        page = cast[role].get(f"/encounters/{started.pk}/").content.decode()
        assert "Betrayal" not in page, role
        assert ("Poison" in page) == (role == "player"), role
    assert len(find_clocks(cast.gm, started)) == 2


def test_veiled_clock_shows_others_only_that_it_exists(cast: Cast, started: Encounter) -> None:
    start_clock(started, "Doom", size=8, filled=5, each_round=1, veiled=True)
    assert find_clocks(cast.player, started) == ["Doom of 8 segments"]
    assert find_clocks(cast.gm, started)[0].startswith("Tick Doom 5 of 8")
    page = cast.watcher.get(f"/encounters/{started.pk}/").content.decode()
    assert 'stroke-dasharray="5' not in page


@pytest.mark.slow
def test_gm_can_make_the_first_clock_before_and_in_a_fight(cast: Cast, started: Encounter) -> None:
    def offers(role: str, at: str = "first-clock") -> int:
        return len(read(cast[role].get(f"/encounters/{started.pk}/")).all("details", id=at))

    assert [offers(role) for role in EVERYBODY] == [1, 1, 0, 0, 0]
    undo(started.pk)
    assert state_of(started.pk).phase == "prep"
    assert [offers(role) for role in EVERYBODY] == [1, 1, 0, 0, 0]
    start_clock(started, "Alarm")
    assert [offers(role, "new-clock") for role in EVERYBODY] == [1, 1, 0, 0, 0]
    assert offers("gm") == 0


def test_clock_acts_in_the_turn_order_and_shows_its_handout(cast: Cast, started: Encounter, gm: User) -> None:
    campaign = create_campaign(gm, "Docks")
    move_encounter(started.pk, campaign)
    handout = create_handout(campaign, "The cellar", "A map of it.", None)
    address = f"/encounters/{started.pk}/"
    form = {"do": "start_clock", "name": "Flood", "acts": "after", "after": state_of(started.pk).active}
    wrong = cast.gm.post(address, {**form, "handout": "The attic"})
    assert wrong.status_code == 422
    assert "no handout of that title" in wrong.content.decode()
    form |= {"handout": "The cellar", "note": "Water comes in.", "shown": "gm", "harm": "2"}
    assert cast.gm.post(address, form).status_code == 303
    assert "acts after" in cast.gm.get(address).content.decode()
    for role in ("player", "other", "watcher"):
        page = cast[role].get(address).content.decode()
        assert "Flood" not in page, role
        assert "Water" not in page, role
    submit(started.pk, Submission("next_turn", {}))
    for role in EVERYBODY:
        page = cast[role].get(address).content.decode()
        assert ("Water comes in." in page) == (role in ("gm", "co_gm")), role
        assert "Flood" not in page or role in ("gm", "co_gm"), role
    shown = HandoutShowing.objects.get(encounter=started)
    assert (shown.handout, shown.seat) == (handout, None)
    assert "A map of it." in cast.watcher.get(f"{address}handouts/").content.decode()
    assert [one.acts and one.acts.done for one in state_of(started.pk).all_clocks] == [1]
    undo(started.pk)
    assert [one.acts and one.acts.done for one in state_of(started.pk).all_clocks] == [0]


# ---- A row in the order of turns ----


def find_order(client: Any, encounter: Encounter) -> list[str]:
    """The rows of the turn order: names of clocks with when they act, and ids of combatants."""
    page = read(client.get(f"/encounters/{encounter.pk}/"))
    rows = [row for row in page.all("li") if row["id"].startswith("row-")]
    return [" ".join(row.text.split()) if "row-clock" in row["class"] else row["id"] for row in rows]


def test_a_clock_that_acts_stands_in_the_turn_order(cast: Cast, started: Encounter) -> None:
    state = state_of(started.pk)
    rows = [f"row-{who}" for who in state.order]
    first, second, *_ = state.order
    score = state[second].initiative
    start_clock(started, "Tide", acts="start", first=2, every=1)
    start_clock(started, "Flood", acts="at", score=score, every=2)
    start_clock(started, "Alarm", acts="after", after=first, every=0, first=3)
    start_clock(started, "Doom")
    found = find_order(cast.player, started)
    assert found[0] == "Clock: Tide acts in round 2"
    assert found[1:5] == [
        rows[0],
        "Clock: Alarm acts in round 3",
        rows[1],
        f"{score} Clock: Flood acts this round",
    ]
    assert found[5:] == rows[2:]
    submit(started.pk, Submission("next_turn", {}))
    submit(started.pk, Submission("next_turn", {}))
    assert f"{score} Clock: Flood acts in round 3" in find_order(cast.gm, started)


def test_hidden_clocks_and_those_after_the_hidden_leave_no_byte(cast: Cast, started: Encounter) -> None:
    """Two worlds: with and without them, the pages of players are the same."""
    roles = ("player", "other", "watcher")

    def pages() -> list[str]:
        address = f"/encounters/{started.pk}/"
        return [calm(cast[role].get(address).content.decode()) for role in roles]

    submit(started.pk, Submission("hide", {"target": PIRATE}))
    before = pages()
    start_clock(started, "Betrayal", acts="at", score=1, shown="gm")
    assert pages() == before
    assert any("Betrayal" in row for row in find_order(cast.gm, started))
    start_clock(started, "Ambush", acts="after", after=PIRATE)
    assert any("Ambush" in row for row in find_order(cast.gm, started))
    for role in roles:
        assert not any("Ambush" in row for row in find_order(cast[role], started)), role
