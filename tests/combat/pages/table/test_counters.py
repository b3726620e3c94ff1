"""Counters on the page: the GM makes and counts all, players spend their own, secret ones show nowhere."""

from __future__ import annotations

import re
from typing import Any

from combat.audience.viewer import Viewer
from combat.models import Encounter
from combat.pages.sharing.open_state import write_state
from combat.pages.table.shapes import view_table
from combat.play.writing.encounter_service import Submission, submit, undo
from combat.sharing.viewer_context import ViewerContext
from tests.combat.cast import Cast
from tests.combat.visit import PIRATE, ZARA, combatant, load, read

OTHERS = ("player", "other", "watcher")


def start_counter(encounter: Encounter, who: str, name: str, **fields: Any) -> str:
    """Give someone a counter; return its id."""
    submit(encounter.pk, Submission("start_counter", {"target": who, "name": name, **fields}))
    return combatant(encounter.pk, who).all_counters[-1].id


def left(encounter: Encounter, who: str = ZARA) -> list[int]:
    return [one.left for one in combatant(encounter.pk, who).all_counters]


def test_gm_makes_counts_and_undoes_in_the_small_window(cast: Cast, started: Encounter) -> None:
    window = f"/encounters/{started.pk}/?combatant={ZARA}&row=quick"
    form = {"do": "start_counter", "target": ZARA, "name": "Charges", "most": "2", "refills": "round"}
    assert cast.gm.post(window, {**form, "shown": "all", "row": "quick"}).status_code == 303
    page = read(cast.gm.get(window))
    counter = page.all("input", name="counter")[0].attrs["value"]
    assert "Charges" in page.one("ul", class_="counter-list").text
    count = {"do": "tick_counter", "target": ZARA, "counter": counter}
    assert cast.gm.post(window, {**count, "by": "-1"}).status_code == 303
    assert left(started) == [1]
    undo(started.pk)
    assert left(started) == [2]
    too_many = cast.gm.post(window, {**form, "name": "Wit", "most": "21", "row": "quick"})
    assert too_many.status_code == 422
    assert "A counter has 1 to 20" in too_many.content.decode()
    assert len(left(started)) == 1


def test_player_spends_their_own_alone(cast: Cast, started: Encounter) -> None:
    mine, theirs = start_counter(started, ZARA, "Luck"), start_counter(started, PIRATE, "Grit")
    address = f"/encounters/{started.pk}/"
    spend = {"do": "spend_counter", "combatant": ZARA, "counter": mine, "by": "1"}
    assert cast.player.post(address, spend).status_code == 303
    assert left(started) == [2]
    foreign = {**spend, "combatant": PIRATE, "counter": theirs}
    assert cast.player.post(address, foreign).status_code == 409
    assert cast.watcher.post(address, spend).status_code == 403
    tick = cast.player.post(address, {**spend, "do": "tick_counter", "target": ZARA})
    assert tick.status_code == 403
    assert left(started, PIRATE) == [3]
    for role in ("gm", *OTHERS):
        page = cast[role].get(address).content.decode()
        assert "Luck" in page, role
        assert "Grit" in page, role
        assert ('value="spend_counter"' in page) == (role == "player"), role


def tell(encounter: Encounter, viewer: Viewer) -> str:
    """What someone reads of a fight: the table's page shapes and its state for programs."""
    context = ViewerContext(load(encounter.pk), viewer)
    table = view_table(context)
    return re.sub(r"version='[^']*'", "", f"{table.everyone} {table.turn} {table.log} {write_state(context)}")


def test_secret_counters_make_no_difference_to_others(cast: Cast, started: Encounter) -> None:
    eyes = (Viewer(), Viewer("seat", frozenset((ZARA,))), Viewer("seat", frozenset((PIRATE,))))
    before = [tell(started, viewer) for viewer in eyes]
    stamps = load(started.pk).public, load(started.pk).seated
    for who in (ZARA, PIRATE):
        counter = start_counter(started, who, "Xylodoom", shown="gm", refills="round")
        submit(started.pk, Submission("tick_counter", {"target": who, "counter": counter}))
    assert [tell(started, viewer) for viewer in eyes] == before
    assert (load(started.pk).public, load(started.pk).seated) == stamps
    for role in OTHERS:
        for page in ("", "log/"):
            assert "Xylodoom" not in cast[role].get(f"/encounters/{started.pk}/{page}").content.decode()
    assert "Xylodoom" in cast.gm.get(f"/encounters/{started.pk}/").content.decode()
    taken = {"do": "spend_counter", "combatant": ZARA, "by": "1"}
    answers = [
        cast.player.post(f"/encounters/{started.pk}/", {**taken, "counter": one})
        for one in (combatant(started.pk, ZARA).all_counters[0].id, "n0")
    ]
    assert [one.status_code for one in answers] == [422, 422]
    assert all("That counter is gone" in one.content.decode() for one in answers)
