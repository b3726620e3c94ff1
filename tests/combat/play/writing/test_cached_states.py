"""The newest states of encounters: decoded once, never another's or an older one."""

from __future__ import annotations

import pytest
from django.db import transaction
from msgspec import ValidationError

from combat.models import Encounter
from combat.play.writing import step_cache
from combat.play.writing.encounter_service import Submission, read_state, submit
from combat.play.writing.step_cache import cache_state, find_state
from combat.rules.core.state.state import decode, encode, replace
from tests.combat.visit import Visit, load


@pytest.fixture(autouse=True)
def nothing_kept(visit: Visit) -> None:
    """Empty the memory of states, as in a new process, once the fight is made."""
    step_cache.forget()


def test_a_state_is_decoded_once_and_is_what_is_stored(visit: Visit) -> None:
    raw = bytes(load(visit.pk).state)
    assert find_state(visit.pk, raw) is find_state(visit.pk, raw)
    assert find_state(visit.pk, raw) == decode(raw)


def test_what_an_action_leaves_is_at_hand_for_the_next_one(visit: Visit) -> None:
    visit.post(do="next_turn")
    found = read_state(load(visit.pk))
    assert found is read_state(load(visit.pk))
    assert encode(found) == bytes(load(visit.pk).state)


def test_a_turn_in_one_process_shares_what_it_leaves_as_it_is(visit: Visit) -> None:
    before = read_state(load(visit.pk))
    visit.post(do="next_turn")
    after = read_state(load(visit.pk))
    assert after is not before
    assert after.scene is before.scene
    assert all(after[who].sheet is one.sheet for who, one in before.combatants.items())


def test_what_was_rolled_back_or_restored_is_not_shown(visit: Visit) -> None:
    before = load(visit.pk)
    with transaction.atomic():
        submit(visit.pk, Submission("next_turn"))
        transaction.set_rollback(True)
    assert encode(read_state(load(visit.pk))) == bytes(before.state)
    submit(visit.pk, Submission("next_turn"))
    other = encode(replace(decode(bytes(before.state)), clock=77))
    Encounter.objects.filter(pk=visit.pk).update(state=other)  # the same version
    assert read_state(load(visit.pk)).clock == 77


def test_those_kept_longest_make_room(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = bytes(load(visit.pk).state)
    state = decode(raw)
    monkeypatch.setattr(step_cache, "MAX_BYTES", 3 * len(raw) + 10)
    for number in (1, 2, 3, 1, 4):
        cache_state(number, raw, state)
    assert [*step_cache._cached_states] == [3, 1, 4]


def test_state_too_large_is_not_kept_and_a_non_state_is_refused(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = bytes(load(visit.pk).state)
    monkeypatch.setattr(step_cache, "MAX_BYTES", len(raw) - 1)
    assert find_state(visit.pk, raw) == decode(raw)
    with pytest.raises(ValidationError):
        find_state(visit.pk, b"[]")
    assert not step_cache._cached_states
