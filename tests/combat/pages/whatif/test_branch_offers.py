"""What a branch offers: the forms of the table that work there, and none that belongs to the fight."""

from __future__ import annotations

import pytest
from django.test import Client

from combat.models import Encounter
from combat.play.whatif.branches import read_steps
from combat.play.writing.encounter_service import Submission, submit
from tests.combat.cast import Cast
from tests.combat.pages.whatif.test_branches import SHOT, Maker
from tests.combat.visit import PIRATE, PISTOL, ZARA, read, state_of

pytestmark = pytest.mark.usefixtures("fives")


@pytest.mark.slow
def test_turns_are_passed_as_at_the_table(cast: Cast, started: Encounter) -> None:
    maker, player = Maker(cast.gm, started.pk).begin(), Maker(cast.player, started.pk)
    shown = maker.page(**{"pass": "1"}).one("form", id="form-pass")
    assert shown["action"] == maker.here
    maker.do("pass_turns", whose="side")
    assert {step.name for step in read_steps(maker.row)} == {"next_turn"}
    assert maker.state.active == PIRATE
    assert maker.post("pass_turns", whose="cake").status_code == 422
    assert player.begin().post("pass_turns", whose="side").status_code == 422


@pytest.mark.slow
def test_roll_of_a_branch_is_undone_and_not_overruled(maker: Maker) -> None:
    maker.do("attack", **SHOT, dice="app")
    assert maker.page().all("section", id="results")
    assert "overrule=" not in maker.client.get(maker.here).content.decode()
    submit(maker.pk, Submission("attack", {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}))
    assert "overrule=" in maker.client.get(f"/encounters/{maker.pk}/").content.decode()


@pytest.mark.slow
def test_form_of_a_row_opens_in_a_branch(maker: Maker) -> None:
    health = maker.state.combatants[PIRATE].tracks
    form = maker.page(combatant=PIRATE, row="damage").one("form", id=f"form-{PIRATE}")
    assert form["action"] == maker.here
    maker.do("adjust", target=PIRATE, track="hp", points="3", sign="-")
    assert maker.state.combatants[PIRATE].tracks != health


@pytest.mark.slow
def test_clocks_tick_in_a_branch_and_are_seen_as_in_the_fight(cast: Cast, started: Encounter) -> None:
    for name, to in (("Alarm", "all"), ("Ambush", "gm")):
        submit(started.pk, Submission("start_clock", {"name": name, "size": 4, "filled": 1, "shown": to}))
    maker, player = (Maker(client, started.pk).begin() for client in (cast.gm, cast.player))
    assert "Alarm 1 of 4" in player.page().one(id="clocks").text
    assert "Ambush" not in player.client.get(player.here).content.decode()
    assert "Ambush 1 of 4" in maker.page().one(id="clocks").text
    maker.do("tick_clock", clock="c1")
    assert "Alarm 2 of 4" in maker.page().one(id="clocks").text


@pytest.mark.slow
def test_pause_of_the_fight_does_not_reach_into_a_branch(cast: Cast, started: Encounter) -> None:
    submit(started.pk, Submission("pause"))
    player = Maker(cast.player, started.pk).begin()
    shown = player.client.get(player.here).content.decode()
    assert "paused the fight" not in shown
    assert "do=total_defense" in shown
    player.do("total_defense", combatant=ZARA)
    maker = Maker(cast.gm, started.pk).begin()
    maker.do("total_defense", combatant=ZARA)
    version = read(cast.gm.get(f"{maker.here}real/")).one("input", name="version")["value"]
    assert cast.gm.post(f"{maker.here}real/", {"version": version}).status_code == 303
    assert state_of(started.pk).is_paused


def test_branch_of_the_time_before_the_fight_says_so(gm_client: Client, started: Encounter) -> None:
    empty, early = (Maker(gm_client, started.pk).begin(step) for step in ("0", "1"))
    assert "From Before the first step" in empty.page().one("p", class_="branch-band").text
    assert "From Before the fight: " in early.page().one("p", class_="branch-band").text
    tree = empty.page().one(id="tree").text
    assert "Before the first step" in tree
    assert "Round 0" not in tree
    assert not empty.page().all("a", href=f"/encounters/{started.pk}/prep/#people"), "that is the fight's"


def test_branch_without_turns_says_from_which_step_to_begin(cast: Cast, started: Encounter) -> None:
    submit(started.pk, Submission("end_fight"))
    over = Maker(cast.player, started.pk).begin()
    assert "begin a branch from an earlier one" in over.client.get(over.here).content.decode()


@pytest.mark.slow
def test_branch_begun_in_an_unseen_turn_says_where_it_is(cast: Cast, started: Encounter) -> None:
    submit(started.pk, Submission("next_turn", {}))
    submit(started.pk, Submission("hide", {"target": PIRATE}))
    submit(started.pk, Submission("note", {"text": "Rain begins."}))
    maker = Maker(cast.player, started.pk).begin()
    assert maker.page().one("h2", id="h-turn").text == "Between two turns in your sight"
    maker.do("next_turn")
    assert maker.page().one("h2", id="h-turn").text == "Marcus' turn"
