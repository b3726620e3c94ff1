"""Disks that are full, small or read-only, and a damaged database: a sentence, and nothing changed."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.combat.backups.store import Store, make_store
from tests.site.hosting.table import ROOT, make_environment

pytestmark = pytest.mark.slow


@contextmanager
def mount(folder: Path, options: str) -> Iterator[Path]:
    """A disk of its own; skips where mounting is not allowed."""
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if subprocess.run(words, check=False, capture_output=True).returncode:
        pytest.skip("only root may mount a disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_full_disk_is_said_plainly_and_left_as_it_was(store: Store, tmp_path: Path) -> None:
    with mount(tmp_path / "small", "size=8k") as small:
        assert "could not be written" in store.refuse("backup", small)
        assert list(small.iterdir()) == []


def test_read_only_disk_is_said_plainly(store: Store, tmp_path: Path) -> None:
    with mount(tmp_path / "locked", "ro") as locked:
        assert "Read-only file system" in store.refuse("backup", locked / "file")
        assert "Read-only file system" in store.refuse("backup", locked)


def limited(store: Store, size: int, *words: str) -> str:
    """A refused command in a process whose files may not exceed this length."""
    before, files = store.read(), store.find_files()
    done = subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env=make_environment(**store.environment),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1, done.stdout
    assert "Traceback" not in done.stderr
    assert store.read() == before
    assert store.find_files() == files
    return done.stderr


def test_limit_of_the_size_of_files_is_said_plainly(store: Store, backup: Path, tmp_path: Path) -> None:
    half = backup.stat().st_size // 2
    assert "could not be written" in limited(store, half, "backup", str(tmp_path / "file"))
    assert not (tmp_path / "file").exists()
    assert "nothing was changed" in limited(store, half, "restore", str(backup))


def test_empty_table_on_a_full_disk_takes_no_half_backup(sqlite_backup: Path, tmp_path: Path) -> None:
    with mount(tmp_path / "data", "size=100k") as data, make_store("sqlite", data) as new:
        said = new.fail("restore", sqlite_backup)
        assert "could not be put back, and nothing was changed: No space left on device." in said
        assert not new.place.exists()
        assert not list(data.glob("*restoring*"))


def test_damaged_database_is_told_and_gives_way_to_a_backup(sqlite_backup: Path, tmp_path: Path) -> None:
    with make_store("sqlite", tmp_path / "data") as ill:
        ill.run("restore", sqlite_backup)
        whole = ill.place.read_bytes()
        damages = {
            "not a database": b"x" * 4096 + whole[4096:],
            "malformed": whole[:8192] + b"\xff" * (len(whole) - 8192),
        }
        for words, content in damages.items():
            ill.place.write_bytes(content)
            assert words in ill.fail("backup", tmp_path / "file")
            assert not (tmp_path / "file").exists()
            said = ill.fail("restore", sqlite_backup)
            assert "nothing was changed" in said
            assert f"move {ill.place} elsewhere, then restore" in said
            assert ill.place.read_bytes() == content
        ill.place.rename(tmp_path / "ill")
        ill.run("restore", sqlite_backup)
        assert "gm" in str(ill.read()["auth_user"])


def test_database_that_does_not_answer_is_said_plainly(tmp_path: Path) -> None:
    nobody = Store("postgresql", tmp_path, "postgres://nobody@127.0.0.1:1/nothing")
    (tmp_path / "file").write_bytes(b"x")
    assert "The table's data cannot be read" in nobody.fail_apart("backup", tmp_path / "other")
    assert not (tmp_path / "other").exists()
