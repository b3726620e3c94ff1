"""The record of a fight: verification, export, copies."""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User
from django.db.models import QuerySet
from pytest_django import Settings

from combat.models import Encounter, StoredStep
from combat.play.after import imports
from combat.play.demo import ensure_demo
from combat.play.writing import encounter_service
from combat.play.writing.encounter_service import Submission, redo, submit, undo
from combat.play.writing.verification import verify
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.engine.document import read_document, replay, write_document
from combat.rules.core.state.history import COMMAND, find_timeline
from combat.rules.core.state.state import decode, encode
from tests.combat.play.writing.test_play import golden
from tests.combat.visit import DEMO, PIRATE, SLUG, ZARA, load, play, state_of, stored
from tests.thinning import thin
from tests.typed import sure

NOTE = Submission("note", {"text": "A remark."})


# ---- Verification ----


def tamper(row: StoredStep, path: tuple[str | int, ...], value: Any) -> None:
    """Change one value in the record of a step."""
    record = json.loads(bytes(row.record))
    inner = record
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    row.record = json.dumps(record).encode()
    row.save()


def damage_of(row: StoredStep) -> int:
    """The position of the damage among a step's facts."""
    facts = json.loads(bytes(row.record))["facts"]
    return next(i for i, fact in enumerate(facts) if fact["event"]["type"] == "TrackChanged")


def test_verify_finds_a_tampered_step(over: Encounter) -> None:
    row = over.log.get(number=len(DEMO.setup) + 2)
    tamper(row, ("facts", damage_of(row), "event", "new"), 1)
    with pytest.raises(RuntimeError, match=f"step {row.number} differs from its history"):
        verify(over)
    verdict = replay(encounter_service.read_history(over), find_system)
    assert (verdict.ok, verdict.failed) == (False, row.number)


@pytest.mark.parametrize("spoil", [lambda row: row.update(struck=True), lambda row: row.delete()])
def test_verify_finds_a_missing_step_or_one_struck_without_undo(
    over: Encounter, spoil: Callable[[QuerySet[StoredStep]], object]
) -> None:
    spoil(over.log.filter(number=over.steps))
    with pytest.raises(RuntimeError, match="differs from its history"):
        verify(over)


def test_verify_finds_a_tampered_state(over: Encounter) -> None:
    over.state = encode(msgspec.structs.replace(encounter_service.read_state(over), round=99))
    with pytest.raises(RuntimeError, match=f"encounter {over.pk}"):
        verify(over)


def test_verify_finds_each_change_in_a_log_that_it_knows(over: Encounter) -> None:
    """What is as it was verified is not replayed again."""
    verify(over)
    row, other, same = (over.log.get(number=len(DEMO.setup) + place) for place in (2, 3, 2))
    tamper(row, ("facts", damage_of(row), "event", "new"), 1)
    for change in ({"record": row.record}, {"after": other.after}, {"struck": True}):
        over.log.filter(pk=row.pk).update(**change)
        with pytest.raises(RuntimeError, match="differs from its history"):
            verify(over)
        over.log.filter(pk=row.pk).update(record=same.record, after=same.after, struck=same.struck)
        verify(over)
    over.start = encode(msgspec.structs.replace(decode(bytes(over.start)), round=99))
    with pytest.raises(RuntimeError, match="differs from its history"):
        verify(over)


def test_tampered_state_copy_is_found_when_undo_restores_it(started: Encounter) -> None:
    play(started.pk, DEMO.script[1:3])
    row = started.log.filter(kind=COMMAND).order_by("-number")[1]
    state = msgspec.structs.replace(state_of(started.pk), round=99)
    row.after = zlib.compress(encode(state))
    row.save()
    before = stored(started.pk)
    with pytest.raises(RuntimeError, match="differs from its history"):
        undo(started.pk)
    assert stored(started.pk) == before


def test_live_state_is_compared_with_history_only_if_wanted(started: Encounter, settings: Settings) -> None:
    row = sure(started.log.last())
    tamper(row, ("facts",), [])
    with pytest.raises(RuntimeError):
        submit(started.pk, NOTE)
    settings.COSMOS_VERIFY = False
    submit(started.pk, NOTE)


def test_export_is_replayed(over: Encounter) -> None:
    undo(over.pk)
    redo(over.pk)
    raw = write_document(encounter_service.read_history(load(over.pk)))
    document = read_document(raw)
    verdict = replay(document, find_system)
    assert verdict.ok, verdict.message
    assert verdict.steps == over.steps + 2
    assert verdict.state == golden().state
    assert write_document(document) == raw


def stand(value: str) -> Submission:
    """A standing order of Zara's."""
    return Submission("set_standing", {"actor": ZARA, "rule_id": "COS-ATK-01", "value": value})


def test_remarks_and_orders_after_an_undo_keep_redo_possible(started: Encounter) -> None:
    hurt = Submission("adjust", {"target": PIRATE, "track": "hp", "by": -5})
    submit(started.pk, hurt)
    hit = state_of(started.pk)
    undo(started.pk)
    submit(started.pk, NOTE)
    submit(started.pk, stand("hold"))
    redo(started.pk)
    again = state_of(started.pk)
    assert again.combatants[PIRATE] == hit.combatants[PIRATE]
    assert "hold" in again.combatants[ZARA].marks.values()  # the steps between stay
    undo(started.pk)
    assert state_of(started.pk).combatants[PIRATE].tracks["hp"] == hit.combatants[PIRATE].tracks["hp"] + 5
    assert "hold" in state_of(started.pk).combatants[ZARA].marks.values()
    redo(started.pk)
    assert state_of(started.pk) == again
    submit(started.pk, hurt)
    with pytest.raises(Refused, match="Nothing to redo"):
        redo(started.pk)
    verdict = replay(encounter_service.read_history(load(started.pk)), find_system)
    assert verdict.ok, verdict.message


def test_verify_finds_a_redone_step_that_kept_its_former_state(
    started: Encounter, settings: Settings
) -> None:
    submit(started.pk, Submission("adjust", {"target": PIRATE, "track": "hp", "by": -5}))
    hurt = sure(started.log.last())
    undo(started.pk)
    settings.COSMOS_VERIFY = False
    submit(started.pk, stand("hold"))
    redo(started.pk)
    started.log.filter(pk=hurt.pk).update(after=hurt.after)
    with pytest.raises(RuntimeError, match=f"step {hurt.number} differs from its history"):
        verify(load(started.pk))


@pytest.mark.parametrize("seed", thin(range(6), 0))
def test_any_mix_of_undo_redo_and_remarks_verifies_and_replays(started: Encounter, seed: int) -> None:
    """Each change is compared at once with a fresh fold of the whole history."""
    chance = random.Random(seed)
    hurt = Submission("adjust", {"target": PIRATE, "track": "hp", "by": -1})
    ways: list[Callable[[], object]] = [
        *[lambda: submit(started.pk, hurt)] * 2,
        lambda: submit(started.pk, NOTE),
        lambda: submit(started.pk, stand(f"a{chance.randrange(99)}")),
        *[lambda: undo(started.pk)] * 3,
        *[lambda: redo(started.pk)] * 3,
    ]
    for _ in range(40):
        with suppress(Refused):
            chance.choice(ways)()
    encounter = load(started.pk)
    verdict = replay(encounter_service.read_history(encounter), find_system)
    assert verdict.ok, verdict.message
    line = find_timeline(encounter_service.read_history(encounter).steps)
    assert list(line.undone) == encounter.undone


# ---- Making and copying ----


def test_name_of_a_new_encounter_is_tidied(gm: User) -> None:
    assert encounter_service.create_encounter(gm, SLUG, "  two \n words ").name == "two words"
    assert encounter_service.create_encounter(gm, SLUG, " ").name == "New encounter"
    assert len(encounter_service.create_encounter(gm, SLUG, "x" * 300).name) == 100


def test_encounter_of_an_unknown_game_is_refused(gm: User) -> None:
    with pytest.raises(Refused, match="no game"):
        encounter_service.create_encounter(gm, "chess", "x")


def test_demo_is_made_once_for_each_game(gm: User) -> None:
    made = ensure_demo(gm)
    assert [encounter.system for encounter in made] == list(SYSTEMS)
    assert all(encounter.demo for encounter in made)
    assert ensure_demo(gm) == []


def test_copy_that_cannot_be_finished_leaves_nothing(over: Encounter, gm: User) -> None:
    count = Encounter.objects.count()
    row = over.log.earliest("number")
    over.log.filter(pk=row.pk).update(record=bytes(row.record).replace(b'"scene"', b'"unseen"'))
    with pytest.raises((Refused, msgspec.ValidationError)):
        imports.copy_encounter(load(over.pk), gm, "Half")
    assert Encounter.objects.count() == count
