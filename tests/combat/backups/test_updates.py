"""Updates lose nothing: a copy before each, the last five kept, and the way back from a failed one."""

from __future__ import annotations

import shutil
import sqlite3
from collections import namedtuple
from collections.abc import Iterator
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import connection, migrations
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

from combat import backups
from combat.backups import handover
from combat.backups.copies import Copy, find_copies, prune
from combat.backups.manifest import BEFORE_RESTORE, BEFORE_UPDATE
from combat.backups.schema import use_database
from combat.models import DataRelease
from combat.rules.core.basics.release import RELEASE
from cosmos_site.management.commands import play

Room = namedtuple("Room", "free")
GEAR = import_module("characters.gear.migrations.0001_initial").Migration
SESSIONS = import_module("django.contrib.sessions.migrations.0001_initial").Migration


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any) -> tuple[Path, list[Copy]]:
    """The database of a table that was opened once, without the gear's tables; the copies of that start."""
    folder = tmp_path_factory.mktemp("migrated")
    file = folder / "table.sqlite3"
    with django_db_blocker.unblock(), use_database(file), override_settings(COSMOS_DATA=folder):
        call_command("migrate", verbosity=0)
        copies = find_copies()
        call_command("migrate", "gear", "zero", verbosity=0)
    return file, copies


@pytest.fixture
def place(
    migrated: tuple[Path, list[Copy]], tmp_path: Path, settings: LazySettings, db: None
) -> Iterator[Path]:
    """That database, in use; its data directory has no copy yet."""
    settings.COSMOS_DATA = tmp_path
    file = tmp_path / "table.sqlite3"
    shutil.copy(migrated[0], file)
    with use_database(file):
        yield file


def dump(file: Path) -> list[str]:
    """All that a database holds."""
    with closing(sqlite3.connect(file)) as opened:
        return list(opened.iterdump())


def update() -> list[Copy]:
    """Bring the data up to date; return the copies."""
    call_command("migrate", verbosity=0)
    return find_copies()


def fail_to_update() -> str:
    """The sentence of an update that fails."""
    with pytest.raises(CommandError) as problem:
        call_command("migrate", verbosity=0)
    return str(problem.value)


def test_copy_before_an_update_names_both_releases(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (handover, backups):
        monkeypatch.setattr(module, "RELEASE", "9.1.0")
    (copy,) = update()
    assert copy.name.startswith(f"before-update-{RELEASE}-to-9.1.0-")
    assert copy.manifest
    assert (copy.manifest.release, copy.manifest.update, copy.reason) == (RELEASE, "9.1.0", BEFORE_UPDATE)
    assert copy.count("gear_ownitem") is None
    assert [one.release for one in DataRelease.objects.all()] == ["9.1.0", RELEASE]


def test_copy_before_an_update_opens_no_table(place: Path) -> None:
    """Its tables are those of before: a session that is there, too, is left out."""
    store = SessionStore()
    store["seats"] = {"1": "x"}
    store.create()
    (copy,) = update()
    assert copy.count("django_session") == 0
    assert (store.session_key or "?").encode() not in copy.file.read_bytes()
    assert Session.objects.filter(session_key=store.session_key).exists()


def test_start_applies_what_waits_else_only_notes_the_release(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play.update_data()
    assert "gear_ownitem" in connection.introspection.table_names()
    assert len(find_copies()) == 1
    monkeypatch.setattr(play, "call_command", lambda *_, **__: pytest.fail("nothing waits"))
    monkeypatch.setattr(backups, "RELEASE", "9.1.0")
    play.update_data()
    assert [one.release for one in DataRelease.objects.all()] == ["9.1.0", RELEASE]
    assert len(find_copies()) == 1


@pytest.mark.slow
def test_nothing_to_apply_or_to_lose_makes_no_copy(place: Path, migrated: tuple[Path, list[Copy]]) -> None:
    assert len(update()) == 1
    assert len(update()) == 1
    assert migrated[1] == []


def test_update_without_room_for_a_copy_touches_nothing(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = dump(place)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: Room(9_000_000))
    said = fail_to_update()
    assert "has not begun, nothing was changed" in said
    assert "9 MB left: make room, then start again" in said
    assert dump(place) == before
    assert find_copies() == []


def test_failed_update_leaves_the_data_alone_and_names_the_copy(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(apps: object, editor: object) -> None:
        raise ValueError("no such luck")

    before = dump(place)
    monkeypatch.setattr(GEAR, "operations", [*GEAR.operations, migrations.RunPython(fail)])
    said = fail_to_update()
    (copy,) = find_copies()
    assert "failed (no such luck). Nothing was lost: your data is as it was." in said
    assert f"Go on with cosmos-table {RELEASE}; if it misses anything, restore {copy.file} with it" in said
    assert "\n" not in said
    assert dump(place) == before
    assert connection.cursor().execute("PRAGMA foreign_keys").fetchone() == (1,)
    monkeypatch.undo()
    update()
    assert "gear_ownitem" in connection.introspection.table_names()


@pytest.mark.slow
def test_later_migration_that_fails_takes_back_those_before_it(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite does all migrations of an update, or none: those of the gear come before those of sessions."""
    call_command("migrate", "sessions", "zero", verbosity=0)
    before = dump(place)
    monkeypatch.setattr(SESSIONS, "operations", [migrations.RunSQL("DROP TABLE nowhere")])
    with CaptureQueriesContext(connection) as asked:
        assert "no such table: nowhere" in fail_to_update()
    assert [query for query in asked if "CREATE TABLE" in query["sql"] and "gear_ownitem" in query["sql"]]
    assert dump(place) == before


def test_five_automatic_copies_of_each_kind_stay_and_all_others(tmp_path: Path) -> None:
    updates_made = [f"before-update-1.0-to-1.{n}-2026-11-0{n}-120000.sqlite3" for n in range(1, 8)]
    others = [
        *(
            f"before-restore-2026-11-22-120000{more}.sqlite3"
            for more in ("", *(f"-{n}" for n in range(2, 12)))
        ),
        *(f"table-2020-11-0{n}-120000.sqlite3" for n in range(1, 8)),
        *(f"uploaded-2020-11-0{n}-120000.sqlite3" for n in range(1, 8)),
        "before-update-mine.sqlite3",
    ]
    for name in (*updates_made, *others):
        (tmp_path / name).touch()
    prune(BEFORE_UPDATE, tmp_path, spared=tmp_path / updates_made[0])
    assert {file.name for file in tmp_path.iterdir()} == {updates_made[0], *updates_made[2:], *others}
    prune(BEFORE_RESTORE, tmp_path)
    kept = sorted(file.name for file in tmp_path.glob("before-restore-*"))
    assert kept == sorted(f"before-restore-2026-11-22-120000-{n}.sqlite3" for n in range(7, 12))
