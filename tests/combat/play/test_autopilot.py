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
from combat.play.writing.verification import verify
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


def test_what_was_ruled_once_is_done_where_it_hurts_more_than_an_attack(fight: Encounter) -> None:
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
