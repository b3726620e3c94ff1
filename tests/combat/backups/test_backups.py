"""Backing up and restoring, on SQLite and on PostgreSQL, by the command line.

One test of each engine runs the commands in processes of their own, as a person does.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import time_machine
from django.apps import apps

from combat.backups import back_up, copies
from combat.backups.copies import LONGEST, read_copy, remove_left_over, take_name, write_aside
from combat.backups.manifest import BEFORE_RESTORE, BackupError
from combat.backups.schema import KEYS
from tests.combat.backups.conftest import Used
from tests.combat.backups.store import KINDS, PORTRAIT, SUFFIX, Store, make_store
from tests.combat.live.test_live import TABLE, hurt
from tests.combat.server import sign_in
from tests.combat.services import needs_services


@pytest.mark.slow
def test_every_table_has_a_row_to_be_backed_up(store: Store) -> None:
    """A new model needs a row in `store.py`, so that the test sees its rows restored.

    No copy has what opens a table by itself: test_access.py.
    """
    rows = store.read()
    ours = [model._meta.db_table for model in apps.get_models(include_auto_created=True)]
    assert len(ours) > 20
    assert not [table for table in ours if not rows[table] and table not in KEYS]


@pytest.mark.slow
def test_everything_comes_back_in_place_even_in_a_used_database(store: Store, tmp_path: Path) -> None:
    """Also what the restore itself replaced; new rows are numbered after those that came back."""
    wanted, backup = store.read_lasting(), tmp_path / "now"
    store.run_apart("backup", backup)
    store.change("UPDATE characters_character SET name = 'Someone else'")
    store.change("DELETE FROM characters_portrait")
    changed = store.read_lasting()
    said = store.run_apart("restore", backup)
    assert store.read_lasting() == wanted
    kept = Path(said.split("is kept in ")[1].strip().rstrip("."))
    store.run("restore", kept)
    assert store.read_lasting() == changed
    store.run("restore", backup)
    store.run("shell", "--no-imports", "-c", PORTRAIT)
    with store.open() as base:
        assert base.execute("SELECT count(*) FROM characters_character").fetchone() == (2,)
    assert store.read_lasting() != wanted
    assert "is kept in" in store.run("restore", backup)
    assert store.read_lasting() == wanted


@pytest.mark.slow
def test_restore_into_an_empty_database_keeps_all_except_dice(
    store: Store, backup: Path, tmp_path: Path
) -> None:
    """Neither the file nor a table restored from it reveals the future rolls of the original table."""
    secrets, raw = store.find_secrets() - {""}, backup.read_bytes()
    assert secrets
    if store.kind == "postgresql":
        raw = zlib.decompressobj(31).decompress(raw)
    assert not any(secret.encode() in raw for secret in secrets)
    wanted, found = store.read_lasting(), []
    for name in ("one", "two"):
        with make_store(store.kind, tmp_path / name) as second:
            said = second.run("restore", backup)
            assert "new dice" in said
            assert "is kept in" not in said
            assert second.read_lasting() == wanted
            found.append(second.find_secrets() - {""})
            if name == "one":
                second.run("migrate", "--check")
    assert all(found)
    assert not secrets & found[0]
    assert not found[0] & found[1]


@pytest.mark.slow
def test_backup_lies_in_the_data_directory_for_its_owner_alone(store: Store) -> None:
    said = store.run("backup")
    (file,) = (store.folder / "backups").glob(f"table-*{SUFFIX[store.kind]}")
    assert str(file) in said
    assert file.stat().st_mode & 0o777 == 0o600
    file.unlink()


@pytest.mark.slow
def test_backup_overwrites_nothing(used_sqlite: Used, tmp_path: Path) -> None:
    store, file = used_sqlite[0], tmp_path / "mine"
    file.write_text("precious")
    assert "is there already: choose another name" in store.refuse("backup", file)
    assert file.read_text() == "precious"
    assert "cannot be written" in store.refuse("backup", tmp_path / "nowhere" / "file")
    assert str(tmp_path / "table-") in store.run("backup", tmp_path)


@pytest.mark.django_db(transaction=True)
def test_copy_of_a_killed_writer_does_not_count_and_is_removed(tmp_path: Path) -> None:
    whole, killed, busy = (tmp_path / f"table-2026-11-27-07000{n}.sqlite3" for n in range(3))
    whole.write_bytes(b"whole")
    for file in (killed, busy):
        file.touch()
        for left in (".unfinished", ".unfinished-journal"):
            file.with_name(f"{file.name}{left}").write_bytes(b"half")
    assert [bool(read_copy(file)) for file in (whole, killed, busy)] == [True, False, False]
    new = tmp_path / "new.sqlite3"
    with hold_elsewhere(busy.with_name(f"{busy.name}.unfinished")), write_aside(new) as part:
        remove_left_over(tmp_path)  # as a start does, which takes no part from its writer
        part.write_bytes(b"new")
    assert {file.name for file in tmp_path.iterdir()} == {
        new.name,
        whole.name,
        busy.name,
        f"{busy.name}.unfinished",
        f"{busy.name}.unfinished-journal",
    }


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("has_name", [False, True])
def test_same_name_works_again_after_its_writer_was_killed(tmp_path: Path, has_name: bool) -> None:
    """As `backup FILE` twice; release 1.0.0 left an empty file of that name too."""
    file = tmp_path / "mine.sqlite3"
    part = file.with_name(f"{file.name}.unfinished")
    part.write_bytes(b"half")
    if has_name:
        file.touch()
    assert take_name([file]) == file
    assert part.read_bytes() == b""


@pytest.mark.django_db(transaction=True)
def test_name_in_use_by_another_process_is_refused_with_advice(tmp_path: Path) -> None:
    file = tmp_path / "mine.sqlite3"
    part = file.with_name(f"{file.name}.unfinished")
    part.write_bytes(b"half")
    with hold_elsewhere(part), pytest.raises(BackupError, match=f"written by another.*delete {part}"):
        take_name([file])
    assert part.read_bytes() == b"half"
    file.write_bytes(b"precious")
    with pytest.raises(BackupError, match="is there already"):
        take_name([file])
    assert file.read_bytes() == b"precious"


@contextmanager
def hold_elsewhere(part: Path) -> Iterator[None]:
    """Another process that is writing a copy."""
    script = (
        "import fcntl, sys\nheld = open(sys.argv[1])\n"
        "fcntl.flock(held, fcntl.LOCK_EX)\nprint(flush=True)\ninput()"
    )
    words = [sys.executable, "-c", script, str(part)]
    with subprocess.Popen(words, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout
        other.stdout.readline()
        yield
        other.communicate("\n")


@pytest.mark.django_db(transaction=True)
def test_where_no_lock_tells_old_parts_are_those_that_were_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies, "LOCKS", None)
    old, young = (tmp_path / f"table-{n}.sqlite3.unfinished" for n in range(2))
    old.touch()
    young.touch()
    long_ago = time.time() - 2 * LONGEST
    os.utime(old, (long_ago, long_ago))
    remove_left_over(tmp_path)
    assert list(tmp_path.iterdir()) == [young]


@pytest.mark.django_db(transaction=True)
def test_nothing_has_the_name_of_a_copy_before_it_is_whole(tmp_path: Path) -> None:
    """A kill then leaves no empty file of the name that one would restore."""
    new = tmp_path / "new.sqlite3"
    with write_aside(new) as part:
        assert [file.name for file in tmp_path.iterdir()] == [part.name]
        part.write_bytes(b"new")
    assert [file.name for file in tmp_path.iterdir()] == [new.name]
    with pytest.raises(BackupError, match="is there already"), write_aside(new):
        pass
    assert new.read_bytes() == b"new"


def test_copies_of_one_second_are_numbered(tmp_path: Path) -> None:
    """A restore makes a copy first, unasked; copies within a second get different names."""
    with time_machine.travel("2030-01-02T03:04:05Z", tick=False):
        names = [back_up(tmp_path, BEFORE_RESTORE).name.split(".")[0] for _ in range(3)]
    assert names == [f"before-restore-2030-01-02-030405{more}" for more in ("", "-2", "-3")]


@pytest.mark.slow
def test_backup_made_while_the_table_runs_is_of_one_moment(used: Used, tmp_path: Path) -> None:
    store, site, kept = used
    file, stop = tmp_path / "live", threading.Event()
    before = store.read()
    with site.serve() as server:
        gm = sign_in(server.port, store.make_way_in())
        assert gm.post(TABLE, do="start", dice="app") == 303

        def go_on() -> None:
            while not stop.is_set():
                hurt(gm)

        playing = threading.Thread(target=go_on)
        playing.start()
        try:
            store.run("backup", file)
        finally:
            stop.set()
            playing.join()
        assert "The table is running: stop it" in store.refuse("restore", file)
    last = store.read()["combat_storedstep"]
    store.run("restore", file)
    with store.open() as base:
        (steps,) = base.execute("SELECT steps FROM combat_encounter WHERE id = 1").fetchone()
        numbers = [
            n for (n,) in base.execute("SELECT number FROM combat_storedstep ORDER BY number").fetchall()
        ]
    assert numbers == list(range(1, steps + 1))
    assert len(before["combat_storedstep"]) < steps <= len(last)
    store.run("restore", kept)  # as other tests need it


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_to_back_up_is_said_plainly(kind: str, tmp_path: Path) -> None:
    with make_store(kind, tmp_path / "new") as new:
        assert "nothing to back up yet" in new.refuse("backup", tmp_path / "file")
        assert not (tmp_path / "file").exists()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("command", ["make_gm", "reset_access"])
def test_access_to_a_table_never_opened_is_refused_plainly(kind: str, command: str, tmp_path: Path) -> None:
    first = {"sqlite": f"Choose another directory than {tmp_path} with --data DIR", "postgresql": "migrate"}
    with make_store(kind, tmp_path) as new:
        said = new.fail(command, "rhea")
    assert said.startswith("This table has never been opened. ")
    assert first[kind] in said


@needs_services
@pytest.mark.slow
def test_hosted_page_copies_and_verifies_but_does_not_restore(
    used_postgresql: Used,
) -> None:
    store, site, kept = used_postgresql
    shutil.rmtree(store.folder / "backups", ignore_errors=True)
    with site.serve() as server:
        gm = sign_in(server.port, store.make_way_in())
        assert gm.post("/copies/") == 303
        (copy,) = (store.folder / "backups").iterdir()
        gm.get("/copies/")
        assert copy.name in gm.page
        assert "manage.py restore FILE" in gm.page
        assert 'type="file"' not in gm.page
        assert gm.post(f"/copies/{copy.name}/verify/", form="/copies/") == 303
        gm.get("/copies/")
        assert "is whole" in gm.page
        assert gm.get(f"/copies/{copy.name}/file/") == 200
        assert gm.post(f"/copies/{copy.name}/restore/", form="/copies/") == 409
    store.run("restore", kept)  # as other tests need it
