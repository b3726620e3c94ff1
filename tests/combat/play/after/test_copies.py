"""A copied encounter is the fight as it stood when it began, with all that preparation can set."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from combat.models import Encounter
from combat.play.after.imports import copy_encounter
from combat.play.demo import make_demo_fight
from combat.play.writing.encounter_service import Submission, read_history, read_state, redo, submit, undo
from combat.play.writing.verification import verify
from combat.rules import SYSTEMS, find_system
from combat.rules.core.engine.document import replay
from combat.rules.core.state.state import State, encode
from tests.combat.visit import MARCUS, PIRATE, load, play_step
from tests.thinning import thin_rows

DEMOS = [(slug, at) for slug in SYSTEMS for at in range(len(find_system(slug).demo.fights))]
START = encode(State("cosmos"))
EMPTY = {"system": "cosmos", "start": START, "state": START}


def is_sound(encounter: Encounter) -> bool:
    """Whether the log is as it is stored, and the same when played again."""
    verify(encounter)
    return replay(read_history(encounter), find_system).ok


def state_of(encounter: Encounter) -> State:
    return read_state(load(encounter.pk))


@pytest.mark.parametrize(("slug", "at"), thin_rows(DEMOS, DEMOS[0]))
def test_copy_of_every_demo_is_the_fight_as_it_began(gm: User, slug: str, at: int) -> None:
    demo, script = make_demo_fight(gm, slug, at), find_system(slug).demo.make_all()[at].script
    began = state_of(demo)
    assert encode(state_of(copy_encounter(load(demo.pk), gm))) == encode(began)  # not begun yet
    for step in script[:4]:
        play_step(demo.pk, step)
    copy = load(copy_encounter(load(demo.pk), gm).pk)
    assert encode(read_state(copy)) == encode(began)
    assert (copy.phase, copy.round, copy.combatants, copy.demo) == ("prep", 0, demo.combatants, False)
    assert is_sound(copy)
    for step in script[:4]:
        play_step(copy.pk, step)
    assert is_sound(load(copy.pk))


def test_copy_omits_later_steps_and_undone_ones_do_no_harm(prepared: Encounter, gm: User) -> None:
    submit(prepared.pk, Submission("rename", {"target": MARCUS, "name": "Marc"}))
    undo(prepared.pk)
    redo(prepared.pk)
    submit(prepared.pk, Submission("join", {"block": "street_thug", "name": "Extra"}))
    undo(prepared.pk)
    submit(prepared.pk, Submission("join", {"block": "street_thug", "name": "Late"}))
    began = state_of(prepared)
    submit(prepared.pk, Submission("start", {}))
    submit(prepared.pk, Submission("join", {"block": "street_thug", "name": "Reserve"}))
    submit(prepared.pk, Submission("remove", {"target": PIRATE}))
    copy = load(copy_encounter(load(prepared.pk), gm).pk)
    assert encode(read_state(copy)) == encode(began)
    assert is_sound(copy)


def test_dice_of_an_undone_fight_are_not_in_its_copy(prepared: Encounter, gm: User) -> None:
    submit(prepared.pk, Submission("start", {}))
    undo(prepared.pk)
    copy = load(copy_encounter(load(prepared.pk), gm).pk)
    assert (copy.phase, copy.rolled) == ("prep", load(prepared.pk).rolled)
    submit(copy.pk, Submission("start", {}))
    verdict = replay(read_history(load(copy.pk)), find_system)
    assert verdict.ok
    assert (verdict.dice.abandoned, verdict.dice.sealed) == (copy.rolled, load(copy.pk).rolled - copy.rolled)
    assert copy.rolled > 0


@pytest.mark.parametrize(
    ("names", "copied"),
    [
        (["Bay"], "Bay (copy)"),
        (["Raid on berth 3"], "Raid on berth 3 (copy)"),
        (["Bay 2", "Bay 3", "Bay"], "Bay (copy)"),
        (["Bay (copy)", "Bay"], "Bay (copy 2)"),
        (["Bay", "Bay (copy)"], "Bay (copy 2)"),
        (["Bay (copy)", "Bay (copy 2)"], "Bay (copy 3)"),
        (["Bay (copy 3)", "Bay (copy)"], "Bay (copy 2)"),
        (["Bay (copy)", "Bay 3"], "Bay 3 (copy)"),
        (["x" * 100], f"{'x' * 93} (copy)"),
        ([f"{'x' * 93} (copy)", "x" * 100], f"{'x' * 91} (copy 2)"),
        (["x" * 92 + " " + "y" * 7], f"{'x' * 92} (copy)"),
    ],
)
def test_copies_are_marked(gm: User, names: list[str], copied: str) -> None:
    made = [Encounter.objects.create(owner=gm, name=name, **EMPTY) for name in names]
    assert copy_encounter(made[-1], gm).name == copied
