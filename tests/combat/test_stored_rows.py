"""Rows of an older version: the migration brings them to the present shape, and all they say stays."""

from __future__ import annotations

import importlib
import json
import zlib
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection

from combat.audience.changes import read_pending
from combat.models import Encounter, OpenCommand, StoredStep
from combat.play.verification import read_step, verify
from combat.rules import find_system
from combat.rules.core.engine.document import Document, make_document, read_document, replay
from combat.rules.core.state.fold import fold_all
from combat.rules.core.state.history import VERSION, Step, Timeline, follow_step
from combat.rules.core.state.state import decode, encode
from combat.rules.core.wording import describe_facts

pytestmark = pytest.mark.django_db
FIGHTS = sorted((Path(__file__).parents[1] / "fights" / "v1").glob("*.json"))
migration = importlib.import_module("combat.migrations.0008_words_by_key")


def migrate() -> None:
    """What the migration does to the rows."""
    migration.upgrade_records(apps, connection.schema_editor())


def find_states(document: Document) -> list[bytes]:
    """The state after each step, as it is stored with it."""
    line, states = Timeline(), {0: document.start}
    for step in document.steps:
        before = states[step.number - 1]
        if step.kind == "undo":
            state = states[line.live[-2] if len(line.live) > 1 else 0]
        elif step.kind == "redo":
            state = fold_all(before, document.steps[step.target - 1].facts)
        else:
            state = fold_all(before, step.facts)
        line = follow_step(line, step)
        states[step.number] = state
        states |= {step.target: state} if step.kind == "redo" else {}
    return [encode(states[step.number]) for step in document.steps]


def store(path: Path, owner: User) -> Encounter:
    """A fight of the first version as rows of that version held it."""
    raw = json.loads(path.read_bytes())
    document = read_document(path.read_bytes())
    line = Timeline()
    for step in document.steps:
        line = follow_step(line, step)
    live = set(line.live)
    encounter = Encounter.objects.create(
        owner=owner,
        name=path.stem,
        system=document.system,
        start=encode(document.start),
        state=encode(document.final),
        steps=len(document.steps),
        undone=list(line.undone),
        phase=document.final.phase,
        round=document.final.round,
    )
    StoredStep.objects.bulk_create(
        StoredStep(
            encounter=encounter,
            number=step.number,
            kind=step.kind,
            name=step.name,
            record=json.dumps(plain, separators=(",", ":"), ensure_ascii=False).encode(),
            after=zlib.compress(after),
            struck=step.kind == "command" and step.number not in live,
            target=step.target,
        )
        for step, plain, after in zip(document.steps, raw["steps"], find_states(document), strict=True)
    )
    return encounter


@pytest.fixture
def owner() -> User:
    return User.objects.create_user("rhea")


@pytest.mark.parametrize("path", FIGHTS, ids=lambda path: path.stem)
def test_rows_of_the_first_version_are_upgraded_opened_and_verified(path: Path, owner: User) -> None:
    encounter = store(path, owner)
    assert all(b'"version"' not in bytes(row.record) for row in encounter.log.all())
    migrate()
    steps = tuple(read_step(row) for row in encounter.log.order_by("number"))
    assert {step.version for step in steps} == {1}
    encounter.refresh_from_db()
    verify(encounter)
    start, final = decode(bytes(encounter.start)), decode(bytes(encounter.state))
    verdict = replay(make_document(encounter.name, start, steps, final), find_system)
    assert verdict.ok, verdict.message


def test_sentences_of_the_first_version_are_read_as_they_were(owner: User) -> None:
    path = max(FIGHTS, key=lambda path: path.read_bytes().count(b'"Said"'))
    said = [
        fact["event"]["text"]
        for step in json.loads(path.read_bytes())["steps"]
        for fact in step.get("facts", ())
        if fact["event"]["type"] == "Said"
    ]
    encounter = store(path, owner)
    migrate()
    system, state = find_system(encounter.system), decode(bytes(encounter.state))
    names = {who: fighter.name for who, fighter in state.combatants.items()}
    facts = [fact for row in encounter.log.all() for fact in read_step(row).facts]
    lines = {line.text for line in describe_facts(system, facts, names)}
    assert said
    assert {text for text in said if "{" not in text} <= lines


def test_records_that_are_up_to_date_stay_to_the_byte(owner: User) -> None:
    encounter = store(FIGHTS[0], owner)
    migrate()
    first = [bytes(row.record) for row in encounter.log.all()]
    migrate()
    assert [bytes(row.record) for row in encounter.log.all()] == first
    row = encounter.log.get(number=1)
    row.record = json.dumps({"number": 1, "version": VERSION}, separators=(",", ":")).encode()
    row.save()
    migrate()
    row.refresh_from_db()
    assert read_step(row) == Step(1)


def test_many_rows_are_upgraded_batch_by_batch(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migration, "BATCH", 7)
    encounter = store(FIGHTS[1], owner)
    migrate()
    assert all(read_step(row).version == 1 for row in encounter.log.all())
    verify(encounter)


def test_command_that_waits_is_upgraded_too(owner: User) -> None:
    encounter = store(FIGHTS[0], owner)
    record: dict[str, Any] = {
        "command": {"actor": "f1"},
        "answers": [],
        "requests": [],
        "facts": [{"event": {"type": "Said", "text": "{who} waits.", "who": "f1"}}],
    }
    OpenCommand.objects.create(encounter=encounter, name="attack", record=json.dumps(record).encode())
    migrate()
    waiting = read_pending(Encounter.objects.get(pk=encounter.pk))
    assert waiting
    assert [fact.event.key for fact in waiting.facts] == ["{who} waits."]  # type: ignore[union-attr]
