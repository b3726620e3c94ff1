"""The autopilot: a turn, a crowd, and the questions it leaves to people."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.models import Encounter
from combat.play import autopilot
from combat.play.autopilot import autoplay
from combat.play.demo import make_demo_fight
from combat.play.writing.encounter_service import Submission, read_history, read_state, submit, undo
from combat.play.writing.verification import read_step, verify
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import find_action
from combat.rules.core.odds.proposals import MAX_STEPS_PER_TURN
from combat.rules.core.state.state import replace

SLUG = find_system("cosmos").slug


@pytest.fixture
def fight(gm: User) -> Encounter:
    """The demo fight after initiative, rolled by the server."""
    encounter = make_demo_fight(gm, SLUG)
    submit(encounter.pk, Submission("start"))
    encounter.refresh_from_db()
    return encounter


def active_name(fight: Encounter) -> str:
    fight.refresh_from_db()
    state = read_state(fight)
    return state.combatants[state.active].name


def give_turn_to(fight: Encounter, name: str) -> None:
    """Pass turns until it is someone's turn."""
    for _ in range(6):
        if active_name(fight) == name:
            return
        submit(fight.pk, Submission("next_turn"))


def test_whole_turn_is_played_in_steps_that_can_be_undone(fight: Encounter) -> None:
    give_turn_to(fight, "Pirate")
    before, steps = read_state(fight), fight.steps
    autoplay(fight.pk, by="gm")
    assert active_name(fight) != "Pirate"
    made = fight.steps - steps
    assert made >= 2
    for _ in range(made):
        undo(fight.pk)
    fight.refresh_from_db()
    assert replace(read_state(fight), made=before.made) == before
    verify(fight)


def test_earlier_ruling_is_used_if_it_hurts_more_than_an_attack(fight: Encounter) -> None:
    """Only then, rolled and settled by one step of the log like any other, which undo takes back."""
    give_turn_to(fight, "Pirate")
    pirate = read_state(fight).active
    check = [["skill", "Athletics"], ["attribute", "COO"]]
    ruling = {"id": "r1", "name": "Drop the crane", "check": check, "cost": "standard"}
    for points, chosen in (("1", False), ("900", True)):
        harm = {"kind": "harm", "who": ["them"], "dice": points}
        submit(fight.pk, Submission("bring_rulings", {"rulings": {pirate: [{**ruling, "works": [harm]}]}}))
        fight.refresh_from_db()
        before = fight.steps
        autoplay(fight.pk, by="gm")
        fight.refresh_from_db()
        done = [step.name for step in read_history(fight).steps[before:]]
        assert ("use_ruling" in done) == chosen, (points, done)
        if chosen:
            assert "attack" not in done[: done.index("use_ruling")]
        verify(fight)
        for _ in range(fight.steps - before + 1):
            undo(fight.pk)
        fight.refresh_from_db()
        assert read_state(fight).active == pirate


def test_steps_that_change_nothing_are_left_out(fight: Encounter, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tactics that only look around, time and again: the turn ends, and the log says nothing else."""
    give_turn_to(fight, "Pirate")
    system, steps = find_system(SLUG), fight.steps
    look = find_action(system, "look")
    tactics = replace(system.tactics, suggest=lambda state, who: ("look", read_command(look, {"actor": who})))
    monkeypatch.setattr(autopilot, "find_system", lambda slug: replace(system, tactics=tactics))
    autoplay(fight.pk, by="gm")
    assert active_name(fight) != "Pirate"
    assert fight.steps == steps + 1


def test_turn_with_many_rolls_ends(fight: Encounter, monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps that cost nothing but dice are taken only so often in a turn."""
    give_turn_to(fight, "Pirate")
    system, steps = find_system(SLUG), fight.steps
    roll = find_action(system, "gm_roll")
    submission = "gm_roll", read_command(roll, {"term": "1d6"})
    tactics = replace(system.tactics, suggest=lambda state, who: submission)
    monkeypatch.setattr(autopilot, "find_system", lambda slug: replace(system, tactics=tactics))
    autoplay(fight.pk, by="gm")
    assert active_name(fight) != "Pirate"
    assert fight.steps == steps + MAX_STEPS_PER_TURN + 1


def test_crowd_is_played_up_to_a_player_character(fight: Encounter) -> None:
    give_turn_to(fight, "Pirate")
    autoplay(fight.pk, everybody=True, by="gm")
    assert active_name(fight) in ("Zara", "Marcus")


def test_a_run_says_why_it_stopped(fight: Encounter, monkeypatch: pytest.MonkeyPatch) -> None:
    """At a player's turn, where one side is left, where a person is asked; a turn alone needs no word."""
    give_turn_to(fight, "Pirate")
    assert autoplay(fight.pk, by="gm") == ""
    give_turn_to(fight, "Pirate")
    stopped = autoplay(fight.pk, everybody=True, by="gm")
    assert stopped == f"Auto-play stopped: it is {active_name(fight)}'s turn."
    give_turn_to(fight, "Pirate")
    foes = [one for one in read_state(fight).combatants.values() if one.name != "Pirate"]
    for one in foes:
        submit(fight.pk, Submission("adjust", {"target": one.id, "track": "hp", "to": 1}))
    monkeypatch.setattr(autopilot, "is_npc", lambda state, who: True)
    assert autoplay(fight.pk, everybody=True, by="gm").startswith("Auto-play stopped: ")


def test_a_long_run_stops_at_the_end_of_a_turn(fight: Encounter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autopilot, "is_npc", lambda state, who: True)
    for most in (1, 2, 3):
        monkeypatch.setattr(autopilot, "MAX_STEPS", most)
        fight.refresh_from_db()
        before = fight.steps
        assert "press it again" in autoplay(fight.pk, everybody=True, by="gm")
        fight.refresh_from_db()
        assert fight.steps >= before + most
        assert read_history(fight).steps[-1].name == find_system(SLUG).actions.advance


def test_page_says_that_it_plays_and_why_it_stopped(gm_client: Client, fight: Encounter) -> None:
    give_turn_to(fight, "Pirate")
    here = f"/encounters/{fight.pk}/"
    page = gm_client.get(here).content.decode()
    assert 'data-busy-bar="Auto-play is playing' in page
    answer = gm_client.post(here, {"do": "autoplay_all"}, headers={"HX-Request": "true"})
    assert f"Auto-play stopped: it is {active_name(fight)}" in answer.content.decode()


def test_nothing_is_played_without_a_turn(gm: User) -> None:
    waiting = make_demo_fight(gm, SLUG)
    with pytest.raises(Refused, match="No one has a turn now"):
        autoplay(waiting.pk)


def test_button_plays_the_turn_of_the_active_combatant(gm_client: Client, fight: Encounter) -> None:
    give_turn_to(fight, "Pirate")
    answer = gm_client.post(
        f"/encounters/{fight.pk}/",
        {"do": "autoplay", "version": fight.stamp(True)},
        headers={"HX-Request": "true"},
    )
    assert answer.status_code == 200
    assert active_name(fight) != "Pirate"


def test_who_can_do_nothing_ends_a_run_and_the_gm_is_told(
    fight: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    system, steps = find_system(SLUG), fight.steps
    idle = replace(system, tactics=replace(system.tactics, suggest=lambda state, who: None))
    monkeypatch.setattr(autopilot, "find_system", lambda slug: idle)
    monkeypatch.setattr(autopilot, "is_npc", lambda state, who: True)
    with pytest.raises(Refused, match="end the fight, or play on by hand"):
        autoplay(fight.pk, everybody=True, by="gm")
    fight.refresh_from_db()
    turns = len(read_state(fight).order)
    assert steps < fight.steps <= steps + 2 * (turns + 1), "it stops after a round"


def test_rolls_that_hurt_nobody_end_a_run(fight: Encounter) -> None:
    """The GM is told sooner where nobody rolls at all."""
    begun, lull = read_state(fight), autopilot.Lull(since=0, hurt=0)
    late = replace(begun, round=autopilot.VAIN_ROUNDS)
    rolls = [lull._replace(since=late.round), lull._replace(since=late.round, hurt=1)]
    assert [one.find_end(late) for one in (lull, *rolls)] == [autopilot.NOTHING_COMES, autopilot.IN_VAIN, ""]
    submit(fight.pk, Submission("adjust", {"target": begun.active, "track": "hp", "by": -1}))
    row = fight.log.order_by("number").last()
    assert row
    facts = read_step(row).facts
    assert lull.after(late, facts, is_idle=False, ended=True) == autopilot.Lull(0, late.round, late.round)
