"""Clocks on the page: ticked by the GM with one tap, seen by those they are for."""

from __future__ import annotations

from typing import Any

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from combat.play.writing.undoing import undo
from tests.combat.cast import Cast
from tests.combat.visit import read, state_of

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
