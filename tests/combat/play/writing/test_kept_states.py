"""States that are kept by their bytes."""

from __future__ import annotations

import pytest
from msgspec import ValidationError

from combat.play.writing import kept_states
from combat.play.writing.encounter_service import read_state
from combat.play.writing.kept_states import find_state, keep_state
from combat.rules.core.state.state import decode, encode, replace
from tests.combat.visit import Visit, load


@pytest.fixture(autouse=True)
def nothing_kept(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty the memory of states, as in a new process, once the fight is made."""
    for name, value in (("_kept", type(kept_states._kept)()), ("_size", 0), ("_latest", {})):
        monkeypatch.setattr(kept_states, name, value)


def test_a_state_is_decoded_once_and_is_what_is_stored(visit: Visit) -> None:
    raw = bytes(load(visit.pk).state)
    assert find_state(raw) is find_state(raw)
    assert find_state(raw) == decode(raw)


def test_what_an_action_leaves_is_at_hand_for_the_next_one(visit: Visit) -> None:
    visit.post(do="next_turn")
    found = read_state(load(visit.pk))
    assert found is read_state(load(visit.pk))
    assert encode(found) == bytes(load(visit.pk).state)


def test_those_that_nobody_asks_for_make_room(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = bytes(load(visit.pk).state)
    state = decode(raw)
    monkeypatch.setattr(kept_states, "MAX_BYTES", 3 * len(raw) + 10)
    keys = [raw, raw + b" ", raw + b"  "]
    for key in keys:
        keep_state(key, state)
    find_state(raw)
    keep_state(raw + b"   ", state)
    assert [*kept_states._kept] == [keys[2], raw, raw + b"   "]
    assert kept_states._size == sum(map(len, kept_states._kept))


def test_one_too_large_is_not_kept_and_one_that_is_none_is_refused(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = bytes(load(visit.pk).state)
    monkeypatch.setattr(kept_states, "MAX_BYTES", len(raw) - 1)
    assert find_state(raw) == decode(raw)
    with pytest.raises(ValidationError):
        find_state(b"[]")
    assert not kept_states._kept


def test_a_state_of_another_process_shares_what_is_unchanged_with_the_last_known(visit: Visit) -> None:
    known = read_state(load(visit.pk))
    who = next(iter(known.combatants))
    hurt = replace(known[who], tracks={**known[who].tracks, "hp": 1})
    now = replace(known, combatants={**known.combatants, who: hurt})
    found = find_state(encode(now), visit.pk)
    assert encode(found) == encode(now)
    assert found.scene is known.scene
    assert found[who].sheet is known[who].sheet
    assert find_state(encode(replace(now, round=9)), visit.pk + 1).scene is not known.scene
