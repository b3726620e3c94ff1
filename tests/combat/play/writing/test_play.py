"""The single place that writes: the demo fight through it, undo, open commands, answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from django.test import Client

from combat.models import Encounter
from combat.play.writing import encounter_service, step_cache
from combat.play.writing.encounter_service import (
    Submission,
    SubmissionResult,
    answer,
    cancel,
    redo,
    submit,
    undo,
)
from combat.play.writing.verification import read_step
from combat.rules import find_system
from combat.rules.core.basics.dice.requests import ChoiceRequest, RollRequest
from combat.rules.core.basics.errors import Refused
from combat.rules.core.engine.document import replay
from combat.rules.core.state.history import CANCEL
from combat.rules.core.state.state import encode
from combat.rules.core.state.state import replace as changed
from tests.combat.rules.stage import Stage
from tests.combat.visit import (
    DEMO,
    PIRATE,
    PISTOL,
    SLUG,
    ZARA,
    answers_so_far,
    combatant,
    find_open,
    load,
    play,
    questions,
    read,
    state_of,
    stored,
)
from tests.typed import sure

ATTACK = {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}
NOTE = Submission("note", {"text": "A remark."})


def golden(count: int = 1000) -> Stage:
    """The script through the engine alone."""
    stage = Stage(SLUG)
    for step in (*DEMO.setup, *DEMO.script[:count]):
        stage.do(step.name, dice=step.answers, **step.command)
    return stage


def refuse(code: str, submission: Callable[[], Any], pk: int) -> str:
    """Expect a refusal that changes nothing; return its message."""
    before = stored(pk)
    with pytest.raises(Refused) as caught:
        submission()
    assert caught.value.code == code, caught.value.message
    assert stored(pk) == before
    return caught.value.message


# ---- The demo fight ----


def test_demo_through_the_door_ends_as_the_engine_alone_says(over: Encounter) -> None:
    assert state_of(over.pk) == golden().state
    assert (over.phase, over.round, over.combatants) == ("over", 6, 3)
    assert over.steps == len(DEMO.setup) + len(DEMO.script)


def test_state_after_every_step_is_the_engines(over: Encounter) -> None:
    for count in range(len(DEMO.script) + 1):
        assert step_cache.state_at(over, len(DEMO.setup) + count) == golden(count).state
    assert encode(step_cache.state_at(over, 0)) == bytes(over.start)


def test_dice_prompts_come_together_and_record_where_they_fell(prepared: Encounter) -> None:
    submitted = submit(prepared.pk, Submission("start", typed=True))
    for number, face in enumerate((10, 8, 6), 1):
        assert submitted.waiting
        asked = questions(prepared.pk)
        assert all(isinstance(request, RollRequest) for request in asked)
        assert [request.who for request in asked] == [f"f{n}" for n in range(number, 4)]
        submitted = answer(prepared.pk, 0, faces=(face,), by="gm")
    assert not submitted.waiting
    assert not find_open().exists()
    step = read_step(sure(prepared.log.last()))
    assert [(a.faces, a.source) for a in step.answers] == [((10,), "table"), ((8,), "table"), ((6,), "table")]


def test_choices_are_asked_of_a_person_even_where_the_app_rolls(started: Encounter) -> None:
    submitted = submit(started.pk, Submission("attack", ATTACK, faces=(10, 10)))
    assert submitted.waiting
    (request,) = questions(started.pk)
    assert isinstance(request, ChoiceRequest)
    submitted = answer(started.pk, 0, value="maximum")
    assert not submitted.waiting
    stage = golden(1)
    stage.do("attack", dice=((10, 10), "maximum"), **ATTACK)
    assert state_of(started.pk) == stage.state


def test_app_rolls_what_the_app_is_asked_to_roll(started: Encounter) -> None:
    submit(started.pk, Submission("attack", ATTACK, typed=True))
    before = stored(started.pk)
    submitted = answer(started.pk, 0, roll=True)
    assert stored(started.pk) != before
    rolled = (*answers_so_far(started.pk), *read_step(sure(started.log.last())).answers)
    assert rolled[0].source == "app"
    assert all(1 <= face <= 10 for face in rolled[0].faces)
    assert isinstance(submitted, SubmissionResult)


# ---- Undo and redo ----


def unnumbered(encounter: Encounter) -> bytes:
    """The state without its counters for new ids: an undo never frees a number."""
    return encode(changed(encounter_service.read_state(encounter), made=0))


@pytest.mark.slow
def test_undo_to_the_start_and_redo_to_the_end_are_byte_equal(over: Encounter) -> None:
    end, steps = unnumbered(over), over.steps
    for _ in range(steps):
        undo(over.pk)
    over.refresh_from_db()
    assert unnumbered(over) == bytes(over.start)
    assert (over.phase, over.round, over.combatants) == ("prep", 0, 0)
    refuse("not_allowed", lambda: undo(over.pk), over.pk)
    for _ in range(steps):
        redo(over.pk)
    over.refresh_from_db()
    assert unnumbered(over) == end
    assert (over.phase, over.round, over.combatants) == ("over", 6, 3)
    refuse("not_allowed", lambda: redo(over.pk), over.pk)
    assert replay(encounter_service.read_history(over), find_system).ok


def test_undone_steps_stay_in_the_log_struck_through(started: Encounter) -> None:
    play(started.pk, DEMO.script[1:2])
    undo(started.pk, by="gm")
    attack, undone = list(started.log.all())[-2:]
    assert (attack.name, attack.struck) == ("attack", True)
    assert (undone.kind, undone.target, undone.by) == ("undo", attack.number, "gm")
    redo(started.pk)
    attack.refresh_from_db()
    assert not attack.struck


def test_repeated_undo_goes_back_along_the_living_steps(started: Encounter) -> None:
    first = bytes(started.state)
    play(started.pk, DEMO.script[1:2])
    undo(started.pk)
    submit(started.pk, NOTE)
    submit(started.pk, NOTE)
    undo(started.pk)
    undo(started.pk)
    assert bytes(load(started.pk).state) == first


# ---- Versions and open commands ----


@pytest.mark.parametrize(
    "submission",
    [
        lambda pk, v: submit(pk, Submission("next_turn", version=v)),
        lambda pk, v: undo(pk, version=v),
        lambda pk, v: redo(pk, version=v),
        lambda pk, v: cancel(pk, version=v),
        lambda pk, v: answer(pk, 0, faces=(1,), version=v),
    ],
)
def test_old_page_is_refused(started: Encounter, submission: Callable[[int, Any], SubmissionResult]) -> None:
    seen = started.version
    submit(started.pk, NOTE)
    assert "Someone acted first" in refuse("stale", lambda: submission(started.pk, seen), started.pk)


def test_every_change_gives_a_new_version(started: Encounter) -> None:
    versions = [load(started.pk).version]
    changes: tuple[Callable[[], SubmissionResult | Encounter], ...] = (
        lambda: submit(started.pk, Submission("attack", ATTACK, typed=True)),
        lambda: answer(started.pk, 0, faces=(5, 5)),
        lambda: cancel(started.pk),
        lambda: submit(started.pk, NOTE),
        lambda: undo(started.pk),
        lambda: redo(started.pk),
    )
    for change in changes:
        assert change().version == load(started.pk).version
        versions.append(load(started.pk).version)
    assert versions == sorted(set(versions))


def test_note_may_be_taken_while_a_command_is_open(started: Encounter) -> None:
    submit(started.pk, Submission("attack", ATTACK, typed=True))
    submit(started.pk, NOTE)
    answer(started.pk, 0, faces=(5, 5))
    answer(started.pk, 0, faces=(8,))
    assert combatant(started.pk, PIRATE).tracks["hp"] == 72
    assert [row.name for row in started.log.order_by("-number")[:2]] == ["attack", "note"]


def test_nothing_of_an_open_command_holds_yet(started: Encounter) -> None:
    before = bytes(started.state)
    submit(started.pk, Submission("attack", ATTACK, typed=True))
    answer(started.pk, 0, faces=(5, 5))
    assert bytes(load(started.pk).state) == before
    assert started.log.count() == started.steps


def test_cancel_keeps_the_dice_in_the_log(started: Encounter) -> None:
    before = bytes(started.state)
    submit(started.pk, Submission("attack", ATTACK, typed=True, by="gm"))
    answer(started.pk, 0, faces=(5, 5))
    cancel(started.pk, by="gm")
    row = sure(started.log.last())
    step = read_step(row)
    assert (row.kind, row.name, row.by) == (CANCEL, "attack", "gm")
    assert [a.faces for a in step.answers] == [(5, 5)]
    assert step.facts
    assert bytes(load(started.pk).state) == before
    assert not find_open().exists()
    assert replay(encounter_service.read_history(load(started.pk)), find_system).ok
    assert "Nothing to cancel" in refuse("stale", lambda: cancel(started.pk), started.pk)


def test_cancel_leaves_the_chance_to_redo(started: Encounter) -> None:
    play(started.pk, DEMO.script[1:2])
    end = bytes(load(started.pk).state)
    undo(started.pk)
    submit(started.pk, Submission("attack", ATTACK, typed=True))
    cancel(started.pk)
    redo(started.pk)
    assert bytes(load(started.pk).state) == end


# ---- Answers ----


def test_answer_without_dice_is_refused(started: Encounter) -> None:
    """A page with empty fields lets the app roll."""
    submit(started.pk, Submission("attack", ATTACK, typed=True))
    words = refuse("bad_dice", lambda: answer(started.pk, 0, faces=()), started.pk)
    assert words == "2d10 needs 2 dice, 0 were given."


@pytest.mark.parametrize("early", [True, False])
def test_zero_on_a_real_die_of_ten_sides_is_the_ten(started: Encounter, early: bool) -> None:
    submit(started.pk, Submission("attack", ATTACK, typed=True, faces=(0, 5) if early else ()))
    if not early:
        answer(started.pk, 0, faces=(0, 5))
    assert [given.faces for given in answers_so_far(started.pk)] == [(10, 5)]


def test_question_that_is_not_there_is_refused(started: Encounter) -> None:
    def say(ordinal: int) -> str:
        return refuse("stale", lambda: answer(started.pk, ordinal, faces=(5, 5)), started.pk)

    assert say(0) == "Nothing needs an answer now: reload the page."
    submit(started.pk, Submission("attack", ATTACK, typed=True))
    assert {say(ordinal) for ordinal in (1, 7, -1)} == {"That question is already answered."}


def test_question_of_rules_that_changed_asks_nothing_and_says_so(
    started: Encounter, gm_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = "The rules have changed since this action began: cancel it and try again."
    submit(started.pk, Submission("attack", ATTACK, typed=True))
    answer(started.pk, 0, faces=(5, 5))  # a hit: the damage dice are due
    action = find_system(SLUG).action("attack")
    changed = msgspec.structs.replace(action, run=lambda table, command: None)
    monkeypatch.setitem(find_system(SLUG).actions.by_name, "attack", changed)
    page = read(gm_client.get(f"/encounters/{started.pk}/"))
    assert [
        one["value"] for one in page.all("button", name="do") if one["value"] in ("answer", "cancel")
    ] == ["cancel"]
    assert not page.all("input", value="answer")
    assert words in page.one("section", id="prompt").text
    assert words == refuse("stale", lambda: answer(started.pk, 0, faces=(8,)), started.pk)
    cancel(started.pk)
    assert sure(started.log.last()).kind == CANCEL


# ---- Limits ----


@pytest.mark.parametrize("number", [1_000_001, -1_000_001, 10**30, "9" * 30])
def test_enormous_number_is_refused(started: Encounter, number: int | str) -> None:
    submission = Submission("attack", {**ATTACK, "adjust": number})
    assert "up to 1,000,000" in refuse("bad_value", lambda: submit(started.pk, submission), started.pk)


def test_removed_encounter_is_refused(started: Encounter) -> None:
    pk = started.pk
    started.delete()
    assert "was deleted" in refuse("stale", lambda: submit(pk, NOTE), pk)


def test_several_commands_are_done_together_or_not_at_all(started: Encounter) -> None:
    rest = Submission("set_option", {"key": "fumbles", "value": True})
    wrong = Submission("set_option", {"key": "no such option", "value": True})
    refuse("unknown", lambda: encounter_service.submit_all(started.pk, [rest, NOTE, wrong]), started.pk)
    encounter_service.submit_all(started.pk, [rest, NOTE])
    assert state_of(started.pk).options == {"fumbles": True}
