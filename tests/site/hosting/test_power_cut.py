"""A power cut takes nothing that was answered: what is on the disk at that moment is all there is."""

from __future__ import annotations

import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from django.db import connection

from combat.backups.manifest import read_manifest
from cosmos_site.launch import is_secret_key
from tests.combat.server import Guest, sign_in
from tests.site.hosting.table import open_table

MEGABYTES = 200
FULL = 2


@contextmanager
def mount(image: Path, folder: Path) -> Iterator[Path]:
    """The file system in an image; skips where mounting is not allowed."""
    folder.mkdir()
    words = ["mount", "-o", "loop", str(image), str(folder)]
    tried = subprocess.run(words, check=False, capture_output=True, text=True)
    if tried.returncode:
        pytest.skip(f"no power cut was tried, since only root may mount a disk: {tried.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """A disk as one file; skips where none can be made."""
    made = tmp_path / "disk"
    with made.open("wb") as opened:
        opened.truncate(MEGABYTES * 1_000_000)
    try:
        subprocess.run(["mkfs.ext4", "-q", "-F", str(made)], check=True)
    except FileNotFoundError:
        pytest.skip("no power cut was tried: there is no mkfs.ext4 here")
    return made


@contextmanager
def cut(image: Path) -> Iterator[Path]:
    """What a power cut at this moment leaves: the disk without what the system keeps in memory."""
    left = image.with_name("left")
    subprocess.run(["cp", "--sparse=always", str(image), str(left)], check=True)
    with mount(left, image.with_name("after")) as found:
        yield found / "data"
    image.with_name("after").rmdir()
    left.unlink()


def read(data: Path, sql: str) -> list[tuple[str, ...]]:
    """Rows of the database in a data directory."""
    with closing(sqlite3.connect(data / "table.sqlite3")) as opened:
        return opened.execute(sql).fetchall()


def check_first_start(data: Path) -> None:
    """The key, all tables, the GM and the sign-in link that was printed."""
    assert is_secret_key(data / "secret-key")
    assert read(data, "PRAGMA integrity_check") == [("ok",)]
    assert read(data, "SELECT username FROM auth_user") == [("gm",)]
    assert len(read(data, "SELECT id FROM characters_signinlink")) == 1


def check_writes(gm: Guest, image: Path) -> None:
    """Each write is there after a cut at its answer, and so is a backup."""
    wanted = []
    for number in range(4):
        assert gm.post("/campaigns/", name=f"Campaign {number}") == 303
        wanted.append((f"Campaign {number}",))
        with cut(image) as data:
            assert read(data, "SELECT name FROM combat_campaign ORDER BY id") == wanted
    assert gm.post("/copies/") == 303
    with cut(image) as data:
        (copy,) = (data / "backups").iterdir()
        assert read_manifest(copy)[0].tables["combat_campaign"].rows == len(wanted)


@pytest.mark.slow
def test_power_cut_takes_nothing_that_was_answered(image: Path, tmp_path: Path) -> None:
    with mount(image, tmp_path / "before") as disk, open_table(disk / "data", "--no-demo") as table:
        with cut(image) as data:
            check_first_start(data)
        check_writes(sign_in(table.port, table.link), image)


@pytest.mark.django_db
def test_every_connection_syncs_each_commit() -> None:
    """Also where no disk can be mounted."""
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL syncs each commit unless its administrator turns that off")
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA synchronous").fetchone() == (FULL,)
