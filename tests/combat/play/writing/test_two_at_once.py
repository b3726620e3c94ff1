"""Two people at once: one is faster, the other hears of it, nothing is lost."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pytest
from django.contrib.auth.models import User

from combat.audience.rights import Grant
from combat.models import Encounter, ShareLink
from combat.play.demo import make_demo_fight
from combat.play.writing import encounter_service
from combat.play.writing.encounter_service import Submission, answer, submit
from combat.play.writing.verification import verify
from combat.rules.core.basics.errors import Refused
from combat.sharing.pens import lend_pens, take_pens
from tests.combat.cast import come
from tests.combat.together import at_once
from tests.combat.visit import DEMO, PIRATE, PISTOL, SLUG, ZARA, answers_so_far, combatant, load, play

ATTACK = {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}


@pytest.fixture
def shared(transactional_db: None, gm: User) -> Encounter:
    """A started demo fight that other threads can see."""
    made = make_demo_fight(gm, SLUG)
    play(made.pk, DEMO.script[:1])
    return load(made.pk)


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


@pytest.mark.parametrize("by_owner", [False, True])
def test_without_a_version_nothing_of_many_at_once_is_lost(shared: Encounter, by_owner: bool) -> None:
    """Nor of several tabs of the owner."""
    hurt = Submission("adjust", {"target": ZARA, "track": "hp", "by": -1})
    hurt = replace(hurt, grant=Grant(owner=shared.owner_id)) if by_owner else hurt
    before = combatant(shared.pk, ZARA).tracks["hp"]
    results = at_once(*[lambda: submit(shared.pk, hurt)] * 8)
    assert not [r for r in results if isinstance(r, Refused)]
    assert combatant(shared.pk, ZARA).tracks["hp"] == before - 8
    now = load(shared.pk)
    assert (now.steps, now.version) == (shared.steps + 8, shared.version + 8)
    assert list(now.log.values_list("number", flat=True)) == list(range(1, now.steps + 1))
    verify(now)


def test_of_questions_at_once_one_stays_open(shared: Encounter) -> None:
    attack = Submission("attack", ATTACK, typed=True)
    owners = replace(attack, grant=Grant(owner=shared.owner_id))
    for _ in range(5):
        before = load(shared.pk).version
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


def test_two_gms_who_lend_pointers_at_once_give_two_colors(shared: Encounter) -> None:
    for place in range(2):
        come(shared, ShareLink.PLAY, f"Player {place}")
    seats = list(shared.seats.values_list("pk", flat=True))
    for _ in range(20):
        at_once(*[partial(lend_pens, shared.pk, [seat]) for seat in seats])
        assert set(shared.seats.values_list("pen", flat=True)) == {1, 2}
        take_pens(shared.pk)


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    """End every thread of a test with it."""
    before = set(threading.enumerate())
    yield
    left = [t for t in threading.enumerate() if t not in before and not t.daemon]
    assert not left
