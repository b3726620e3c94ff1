"""Backups and the way back, on SQLite and on PostgreSQL: by the command line, as a person does it."""

from __future__ import annotations

import gzip
import json
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
import time_machine

from combat.backups import back_up, postgres, sqlite
from combat.backups.shared import Unusable
from tests.combat.sharing.server import Site, set_up, sign_in
from tests.combat.sharing.services import make_database, needs_services
from tests.combat.sharing.test_live import TABLE, hurt
from tests.site.table import manage

KINDS = ["sqlite", pytest.param("postgresql", marks=needs_services)]
SUFFIX = {"sqlite": ".sqlite3", "postgresql": ".json.gz"}


@dataclass(frozen=True)
class Store:
    """A table's data, and its command line."""

    kind: str
    folder: Path
    database: str = ""

    @property
    def environment(self) -> dict[str, str]:
        """What tells the program where the data is."""
        found = {"COSMOS_DATA": str(self.folder), "COSMOS_SECRET_KEY": "x" * 60, "COSMOS_LOG_LEVEL": "ERROR"}
        return found | ({"DATABASE_URL": self.database} if self.database else {})

    @contextmanager
    def open(self, file: Path | None = None) -> Iterator[Any]:
        """The database itself, or another SQLite file."""
        if self.kind == "sqlite" or file:
            with closing(
                sqlite3.connect(file or self.folder / "table.sqlite3", isolation_level=None)
            ) as base:
                yield base
        else:
            with psycopg.connect(self.database, autocommit=True) as base:
                yield base

    def change(self, sql: str) -> None:
        """Do something to the database behind everybody's back."""
        with self.open() as base:
            base.execute(sql)

    def read(self) -> dict[str, list[str]]:
        """Every row of every table; of migrations only which."""
        with self.open() as base:
            names = [name for (name,) in base.execute(TABLES[self.kind]).fetchall()]
            return {name: read_table(base, name) for name in names}

    def run(self, *words: str | Path) -> str:
        """A command that works; returns what it says."""
        done = manage(*map(str, words), **self.environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def refuse(self, *words: str | Path) -> str:
        """A command that is refused in plain words and changes nothing; returns the words."""
        before = self.read()
        done = manage(*map(str, words), **self.environment)
        assert done.returncode == 1
        assert "Traceback" not in done.stderr
        assert self.read() == before
        return done.stderr


TABLES = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
    "postgresql": "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename",
}


def read_table(base: Any, name: str) -> list[str]:
    """The rows of a table; of the migrations not when they were applied."""
    columns = "app, name" if name == "django_migrations" else "*"
    return sorted(map(str, base.execute(f'SELECT {columns} FROM "{name}"').fetchall()))


PORTRAIT = """
from characters.keeping import create, keep_portrait
from characters.models import Character
from django.contrib.auth.models import User
from combat.models import Encounter
from combat.play import read_state
gm = User.objects.get(username="gm")
sheet = {"attributes": dict.fromkeys(("PRE", "RES", "INT", "MIG", "AWA", "COO"), 4)}
made = create(gm, "cosmos", "Zoë – \\u201cthe\\u201d one", sheet, notes="line\\nline\\t\\\\N")
keep_portrait(made.pk, "abc", bytes(range(256)), by="gm")
"""


@contextmanager
def make_store(kind: str, folder: Path) -> Iterator[Store]:
    """Data of a table with no database yet."""
    folder.mkdir(exist_ok=True)
    if kind == "sqlite":
        yield Store(kind, folder)
    else:
        with make_database() as address:
            yield Store(kind, folder, address)


@pytest.fixture(scope="module", params=KINDS)
def used(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Store, Site]]:
    """A table that has been used: a fight, a character with a picture."""
    with make_store(request.param, tmp_path_factory.mktemp("used")) as store:
        more = {"DATABASE_URL": store.database} if store.database else {}
        site = set_up(store.folder, **more)
        store.run("shell", "--no-imports", "-c", PORTRAIT)
        yield store, site


@pytest.fixture
def store(used: tuple[Store, Site]) -> Store:
    """The data of that table."""
    return used[0]


@pytest.fixture(scope="module")
def backup(used: tuple[Store, Site]) -> Path:
    """A backup of it."""
    file = used[0].folder / f"kept{SUFFIX[used[0].kind]}"
    used[0].run("backup", file)
    return file


def test_what_is_backed_up_comes_back_whole(store: Store, tmp_path: Path) -> None:
    before, backup = store.read(), tmp_path / "now"
    store.run("backup", backup)
    store.change("UPDATE characters_character SET name = 'Somebody else'")
    store.change("DELETE FROM characters_portrait")
    changed = store.read()
    said = store.run("restore", backup)
    assert store.read() == before
    kept = Path(said.split("is kept in ")[1].strip().rstrip("."))
    store.run("restore", kept)
    assert store.read() == changed
    store.run("restore", backup)


def test_new_rows_are_numbered_after_those_that_came_back(store: Store, backup: Path) -> None:
    store.run("restore", backup)
    store.run("shell", "--no-imports", "-c", PORTRAIT)
    with store.open() as base:
        assert base.execute("SELECT count(*) FROM characters_character").fetchone() == (2,)
    store.run("restore", backup)


def test_backup_goes_to_the_data_directory_and_only_its_owner_reads_it(store: Store) -> None:
    said = store.run("backup")
    (file,) = (store.folder / "backups").glob(f"table-*{SUFFIX[store.kind]}")
    assert str(file) in said
    assert file.stat().st_mode & 0o777 == 0o600
    file.unlink()


def test_backup_overwrites_nothing(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "mine"
    file.write_text("precious")
    assert "is there already: choose another name" in store.refuse("backup", file)
    assert file.read_text() == "precious"
    assert "cannot be written" in store.refuse("backup", tmp_path / "nowhere" / "file")
    assert str(tmp_path / "table-") in store.run("backup", tmp_path)


@pytest.mark.django_db(transaction=True)
def test_copies_of_one_second_are_numbered(tmp_path: Path) -> None:
    """Nobody waits a second: before a restore a copy is made without being asked for."""
    with time_machine.travel("2030-01-02T03:04:05Z", tick=False):
        names = [back_up(tmp_path, "aside").name.split(".")[0] for _ in range(3)]
    assert names == [f"aside-2030-01-02-030405{more}" for more in ("", "-2", "-3")]


def test_backup_made_while_the_table_runs_is_of_one_moment(used: tuple[Store, Site], tmp_path: Path) -> None:
    store, site = used
    file, stop = tmp_path / "live", threading.Event()
    before = store.read()
    with site.serve() as server:
        gm = sign_in(server.port, site.link)
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
        if store.kind == "sqlite":
            assert "The table is running: stop it first" in store.refuse("restore", file)
    last = store.read()["combat_storedstep"]
    store.run("restore", file)
    with store.open() as base:
        (steps,) = base.execute("SELECT steps FROM combat_encounter").fetchone()
        numbers = [
            n for (n,) in base.execute("SELECT number FROM combat_storedstep ORDER BY number").fetchall()
        ]
    assert numbers == list(range(1, steps + 1))
    assert len(before["combat_storedstep"]) < steps <= len(last)


def spoil_sqlite(whole: bytes, folder: Path) -> Iterator[tuple[bytes, str]]:
    """Files that are no backups of a table on SQLite, and what is said of each."""
    with closing(sqlite3.connect(folder / "recipes")) as base:
        base.execute("CREATE TABLE recipes (name)")
    yield whole[: len(whole) * 2 // 3], "is damaged"
    yield (folder / "recipes").read_bytes(), "no backup of a table"
    yield gzip.compress(b"{}"), "looks like a backup of a table on PostgreSQL"
    yield b"Dear diary", "is no backup of a table"


def spoil_postgres(whole: bytes, folder: Path) -> Iterator[tuple[bytes, str]]:
    """Files that are no backups of a table on PostgreSQL, and what is said of each."""
    lines = gzip.decompress(whole).decode().splitlines(keepends=True)
    yield whole[: len(whole) * 2 // 3], "is damaged"
    yield b"SQLite format 3", "is a backup of a table on SQLite"
    yield b"Dear diary", "is no backup of a table"
    for kept, words in (
        (lines[:-1], "is damaged"),
        ([*lines[:40], *lines[41:]], "is damaged"),
        ([], "is damaged"),
        (['{"Dear": "diary"}\n'], "is no backup of a table"),
        (["[]\n", *lines[1:]], "is no backup of a table"),
        ([lines[0].replace('"version":1', '"version":2'), *lines[1:]], "newer version"),
    ):
        yield gzip.compress("".join(kept).encode()), words


def test_what_is_no_backup_is_refused(store: Store, backup: Path, tmp_path: Path) -> None:
    keeper, spoil = {"sqlite": (sqlite, spoil_sqlite), "postgresql": (postgres, spoil_postgres)}[store.kind]
    assert ("combat", "0001_initial") in keeper.check(backup)
    for content, words in spoil(backup.read_bytes(), tmp_path):
        file = tmp_path / "file"
        file.write_bytes(content)
        with pytest.raises(Unusable, match=words):
            keeper.check(file)


def misfit(kind: str, whole: bytes) -> tuple[bytes, str]:
    """A file that is refused, on PostgreSQL only when its rows are put back."""
    if kind == "sqlite":
        return b"Dear diary", "is no backup of a table"
    text = gzip.decompress(whole).decode().replace('"summary"', '"subject"')
    return gzip.compress(text.encode()), "does not fit the tables"


def test_refused_restore_changes_nothing(store: Store, backup: Path, tmp_path: Path) -> None:
    content, words = misfit(store.kind, backup.read_bytes())
    (tmp_path / "file").write_bytes(content)
    aside = sorted((store.folder / "backups").glob("*"))
    assert words in store.refuse("restore", tmp_path / "file")
    assert "There is no file" in store.refuse("restore", tmp_path)
    assert sorted((store.folder / "backups").glob("*")) == aside


def make_newer(kind: str, backup: Path, file: Path) -> None:
    """The same backup with a migration that nobody knows yet."""
    shutil.copyfile(backup, file)
    if kind == "sqlite":
        with closing(sqlite3.connect(file, isolation_level=None)) as base:
            base.execute(
                "INSERT INTO django_migrations (app, name, applied) VALUES ('combat', '9999_x', '2030-1-1')"
            )
        return
    head, *rest = gzip.decompress(backup.read_bytes()).decode().splitlines(keepends=True)
    data = json.loads(head)
    data["migrations"].append(["combat", "9999_x"])
    file.write_bytes(gzip.compress("".join([json.dumps(data) + "\n", *rest]).encode()))


def test_backup_of_a_newer_version_is_refused(store: Store, backup: Path, tmp_path: Path) -> None:
    make_newer(store.kind, backup, tmp_path / "newer")
    said = store.refuse("restore", tmp_path / "newer")
    assert "made by a newer version" in said
    assert "combat 9999_x" in said


@pytest.mark.parametrize("kind", KINDS)
def test_backup_of_an_older_version_is_brought_up_to_date(kind: str, tmp_path: Path) -> None:
    with make_store(kind, tmp_path / "old") as old, make_store(kind, tmp_path / "new") as new:
        for app, number in (("auth", ""), ("characters", "0002"), ("combat", "0001")):
            old.run("migrate", "-v0", app, *([number] if number else []))
        old.run("shell", "--no-imports", "-c", "from characters.people import make_gm; make_gm('rhea')")
        old.run("backup", tmp_path / "file")
        said = new.run("restore", tmp_path / "file")
        assert "is kept in" not in said
        assert "rhea" in str(new.read()["auth_user"])
        new.run("migrate", "--check")
        assert "/sign-in/" in new.run("reset_access", "rhea")


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_to_back_up_is_said_plainly(kind: str, tmp_path: Path) -> None:
    with make_store(kind, tmp_path / "new") as new:
        assert "nothing to back up yet" in new.refuse("backup", tmp_path / "file")
        assert not (tmp_path / "file").exists()
