"""Two people at once: one is faster, the other hears of it, nothing is lost."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import pytest
from django.contrib.auth.models import User
from django.db import connection

from combat.audience.rights import Grant
from combat.models import Encounter
from combat.play.demo import make_demo_fight
from combat.play.writing import encounter_service
from combat.play.writing.encounter_service import Submission, SubmissionResult, answer, submit
from combat.play.writing.verification import verify
from combat.rules.core.basics.errors import Refused
from tests.combat.visit import DEMO, PIRATE, PISTOL, SLUG, ZARA, answers_so_far, combatant, load, play

ATTACK = {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}


@pytest.fixture
def shared(transactional_db: None, gm: User) -> Encounter:
    """A started demo fight that other threads can see."""
    made = make_demo_fight(gm, SLUG)
    play(made.pk, DEMO.script[:1])
    return load(made.pk)


def at_once(*submissions: Callable[[], SubmissionResult]) -> list[SubmissionResult | Refused]:
    """Run all of these in threads of their own, starting together."""
    gate = threading.Barrier(len(submissions))
    results: dict[int, SubmissionResult | Refused] = {}

    def run(place: int, submission: Callable[[], SubmissionResult]) -> None:
        gate.wait()
        try:
            results[place] = submission()
        except Refused as refused:
            results[place] = refused
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(submissions)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return [results[place] for place in range(len(submissions))]


def test_of_two_people_at_once_one_wins_and_the_other_is_told(shared: Encounter) -> None:
    for _ in range(5):
        seen = load(shared.pk)
        turns = Submission("next_turn", version=seen.version)
        hurts = Submission("adjust", {"target": ZARA, "track": "hp", "by": -1}, version=seen.version)
        results = at_once(lambda: submit(shared.pk, turns), lambda: submit(shared.pk, hurts))  # noqa: B023
        (lost,) = [r for r in results if isinstance(r, Refused)]
        assert lost.code == "stale"
        now = load(shared.pk)
        assert (now.version, now.steps) == (seen.version + 1, seen.steps + 1)
        verify(now)


def test_without_a_version_nothing_of_many_at_once_is_lost(shared: Encounter) -> None:
    hurt = Submission("adjust", {"target": ZARA, "track": "hp", "by": -1})
    before = combatant(shared.pk, ZARA).tracks["hp"]
    results = at_once(*[lambda: submit(shared.pk, hurt)] * 8)
    assert not [r for r in results if isinstance(r, Refused)]
    assert combatant(shared.pk, ZARA).tracks["hp"] == before - 8
    now = load(shared.pk)
    assert now.steps == shared.steps + 8
    assert list(now.log.values_list("number", flat=True)) == list(range(1, now.steps + 1))
    verify(now)


def test_of_owners_tabs_at_once_nothing_is_lost(shared: Encounter) -> None:
    """An owner's read is not locked: if the data has changed when they write, they start over."""
    before = combatant(shared.pk, ZARA).tracks["hp"]

    hurt = Submission("adjust", {"target": ZARA, "track": "hp", "by": -1}, grant=Grant(owner=shared.owner_id))
    tabs = [replace(hurt, known=load(shared.pk)) for _ in range(8)]
    results = at_once(*[partial(submit, shared.pk, tab) for tab in tabs])
    assert not [r for r in results if isinstance(r, Refused)]
    assert combatant(shared.pk, ZARA).tracks["hp"] == before - 8
    now = load(shared.pk)
    assert (now.steps, now.version) == (shared.steps + 8, shared.version + 8)
    assert list(now.log.values_list("number", flat=True)) == list(range(1, now.steps + 1))
    verify(now)


def submit_as_owner(known: Encounter, name: str, version: int | None = None, **fields: str) -> None:
    grant = Grant(owner=known.owner_id)
    submit(known.pk, Submission(name, fields, version, grant=grant, known=known))


def test_refusal_of_an_owner_is_of_what_is_there_now(shared: Encounter) -> None:
    """Someone was faster, between an owner's read and write: what the owner wants is possible by now."""
    known = load(shared.pk)
    with pytest.raises(Refused, match="turn"):
        submit_as_owner(known, "fall_prone", actor=PIRATE)
    submit(shared.pk, Submission("next_turn"))
    submit_as_owner(known, "fall_prone", actor=PIRATE)
    assert load(shared.pk).version == shared.version + 2
    known = load(shared.pk)
    submit(shared.pk, Submission("adjust", {"target": ZARA, "track": "hp", "by": -1}))
    with pytest.raises(Refused) as refused:
        submit_as_owner(known, "fall_prone", known.version, actor=PIRATE)
    assert refused.value.code == "stale", "what the rules say is of an older state"


def test_question_that_was_answered_meanwhile_keeps_no_owner_busy(shared: Encounter) -> None:
    submit(shared.pk, Submission("attack", ATTACK, typed=True))
    known = Encounter.objects.select_related("open_command").get(pk=shared.pk)
    with pytest.raises(Refused) as refused:
        submit_as_owner(known, "next_turn")
    assert refused.value.code == "busy"
    encounter_service.cancel(shared.pk)
    submit_as_owner(known, "next_turn")
    verify(load(shared.pk))


def test_refusal_of_an_encounter_that_is_gone_says_so(shared: Encounter) -> None:
    known = load(shared.pk)
    Encounter.objects.filter(pk=shared.pk).delete()
    with pytest.raises(Refused, match="deleted"):
        submit_as_owner(known, "fall_prone", actor=PIRATE)


def test_of_questions_at_once_one_stays_open(shared: Encounter) -> None:
    """An owner does not lock the row, others do: they never wait for each other."""
    attack = Submission("attack", ATTACK, typed=True)
    for _ in range(5):
        known = load(shared.pk)
        before = known.version  # an owner who wins changes this object
        owners = replace(attack, grant=Grant(owner=known.owner_id), known=known)
        results = at_once(*[partial(submit, shared.pk, one) for one in (owners, attack, attack)])
        refused = [r.code for r in results if isinstance(r, Refused)]
        assert refused == ["busy", "busy"]
        assert load(shared.pk).version == before + 1
        encounter_service.cancel(shared.pk)


def test_of_two_answers_at_once_one_counts(shared: Encounter) -> None:
    submit(shared.pk, Submission("attack", ATTACK, typed=True))
    seen = load(shared.pk).version
    results = at_once(
        lambda: answer(shared.pk, 0, faces=(5, 5), version=seen),
        lambda: answer(shared.pk, 0, faces=(9, 9), version=seen),
    )
    (lost,) = [r for r in results if isinstance(r, Refused)]
    assert lost.code == "stale"
    (won,) = answers_so_far(shared.pk)
    assert won.faces == ((5, 5) if results[1] is lost else (9, 9))


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    """End every thread of a test with it."""
    before = set(threading.enumerate())
    yield
    left = [t for t in threading.enumerate() if t not in before and not t.daemon]
    assert not left
