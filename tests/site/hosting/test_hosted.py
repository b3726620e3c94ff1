"""What keeps a worker of a hosted site from starting is told in a sentence, and it is not started again."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from pytest_django import Settings

from combat.pages.table import stream
from cosmos_site.asgi import COPY_THREADS
from cosmos_site.hosted import STARTUP_FAILURE, check_variables
from cosmos_site.launch import tell_missing
from tests.combat.server import copy_site, set_up
from tests.combat.services import make_database, needs_services
from tests.site.hosting.table import KEY, PATIENCE, ROOT, copy_data, make_environment, manage, watch_table

HOSTED = {"COSMOS_HOSTS": "table.example", "COSMOS_SECRET_KEY": KEY}
POSTGRESQL_HAS = 97  # connections for everyone but its administrator


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ({}, "COSMOS_HOSTS:"),
        ({"COSMOS_DATA": "/data"}, "COSMOS_HOSTS:"),
        ({"COSMOS_HOSTS": "table.example"}, "DATABASE_URL, or COSMOS_DATA to keep its data in SQLite there:"),
        ({"COSMOS_HOSTS": "table.example", "COSMOS_DATA": "/data"}, ""),
        ({"COSMOS_HOSTS": "table.example", "DATABASE_URL": "postgres://u@h/x"}, ""),
    ],
)
def test_missing_variable_is_named(given: dict[str, str], missing: str) -> None:
    said = tell_missing(given)
    assert said.startswith(f"A hosted site needs the variable {missing}") if missing else not said


def test_check_for_hosts_says_how_many_workers_there_may_be(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in HOSTED.items():
        monkeypatch.setenv(name, value)
    settings.REDIS_URL = ""
    (found,) = check_variables()
    assert "This site can have one worker: a second one stops as it starts." in found.msg
    assert "REDIS_URL" in found.msg
    monkeypatch.delenv("COSMOS_HOSTS")
    assert [one.id for one in check_variables()] == ["cosmos_site.W001", "cosmos_site.I001"]


def test_seven_workers_fit_the_usual_postgresql(settings: Settings) -> None:
    """HOSTING.md has the sum; some are left for commands."""
    most = settings.COSMOS_THREADS + stream.THREADS + COPY_THREADS
    assert most * 7 < POSTGRESQL_HAS
    told = (ROOT / "cosmos_site" / "HOSTING.md").read_text("utf-8")
    assert f"at most {most}\nconnections" in told
    assert f"Seven workers take {most * 7} of the {POSTGRESQL_HAS}" in told


def serve(environment: dict[str, str], *options: str) -> str:
    """What uvicorn says when it cannot start; it must end by itself, at once."""
    words = [sys.executable, "-m", "uvicorn", "cosmos_site.asgi:application", "--port", "0", *options]
    done = subprocess.run(
        words,
        cwd=ROOT,
        env=make_environment(**environment),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    said = done.stdout + done.stderr
    assert done.returncode == (0 if "--workers" in options else STARTUP_FAILURE), said
    assert "Traceback" not in said
    return said


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_site_without_its_variables_neither_starts_nor_writes(tmp_path: Path, workers: str) -> None:
    home = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data")}
    options = ("--workers", workers) if workers != "1" else ()
    assert "A hosted site needs the variable COSMOS_HOSTS" in serve(home, *options)
    done = manage("migrate", **home, COSMOS_HOSTS="table.example")
    assert done.returncode == 1
    assert done.stderr.startswith("A hosted site needs the variable DATABASE_URL, or COSMOS_DATA")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_second_worker_on_sqlite_is_refused_however_started(tmp_path: Path) -> None:
    site = copy_site(tmp_path)
    refused = f"Another worker serves the data in {tmp_path.resolve()}"
    assert refused in serve(site.environment, "--workers", "2")
    with site.serve():
        assert refused in serve(site.environment)
        done = manage("restore", str(tmp_path / "table.sqlite3"), **site.environment)
        assert "The table is running: stop it first" in done.stderr


@pytest.mark.slow
def test_site_without_its_static_files_is_refused(tmp_path: Path) -> None:
    """Its pages would fail, and the health check would not see it."""
    site = copy_site(tmp_path)
    static = tmp_path / "static"
    said = serve(site.environment | {"COSMOS_STATIC_ROOT": str(static)})
    assert f"The static files in {static} are not those of this release" in said
    assert said.count("run collectstatic first") == 1


COUNT = """
import asyncio, sys
from django.template import base
from cosmos_site.asgi import application
made, make = [], base.Template.__init__
def note(self, *given, **more):
    made.append(1)
    make(self, *given, **more)
base.Template.__init__ = note
async def ask(path):
    sent = []
    async def send(event): sent.append(event)
    async def receive(): return {"type": "http.request", "body": b"", "more_body": False}
    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "scheme": "http"}
    scope |= {"headers": [(b"host", b"localhost")], "http_version": "1.1", "root_path": ""}
    scope |= {"server": ("127.0.0.1", 1), "client": ("127.0.0.1", 2)}
    await application(scope, receive, send)
    return sent[0]["status"]
async def main():
    opened, heard = asyncio.Event(), asyncio.Queue()
    heard.put_nowait({"type": "lifespan.startup"})
    async def send(event): opened.set()
    running = asyncio.ensure_future(application({"type": "lifespan"}, heard.get, send))
    await opened.wait()
    begun = len(made)
    for path in ("/healthz", "/"):
        known, templates = set(sys.modules), len(made)
        status = await ask(path)
        print(path, status, len(made) - templates, *sorted(set(sys.modules) - known))
    print("before", begun > 0)
    heard.put_nowait({"type": "lifespan.shutdown"})
    await running
asyncio.run(main())
"""


@pytest.mark.slow
def test_first_requests_of_a_worker_import_and_build_nothing(tmp_path: Path) -> None:
    """What they need is there before the worker says that it is healthy."""
    done = subprocess.run(
        [sys.executable, "-c", COUNT],
        cwd=ROOT,
        env=make_environment(**copy_site(tmp_path).environment),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.stdout.splitlines() == ["/healthz 200 0", "/ 200 0", "before True"], done.stdout + done.stderr


@needs_services
@pytest.mark.slow
def test_second_worker_without_redis_is_refused(tmp_path: Path) -> None:
    with make_database() as database:
        site = set_up(tmp_path, DATABASE_URL=database)
        with site.serve():
            assert "More of them need DATABASE_URL and REDIS_URL." in serve(site.environment)
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute("ALTER TABLE combat_handout RENAME COLUMN title TO hat")
        assert "The database has other tables" in serve(site.environment)


@pytest.mark.slow
def test_tables_of_another_version_are_refused_wherever_served(tmp_path: Path) -> None:
    site = copy_site(tmp_path)
    with closing(sqlite3.connect(tmp_path / "table.sqlite3")) as opened:
        opened.execute("ALTER TABLE combat_handout DROP COLUMN title")
    before = (tmp_path / "table.sqlite3").read_bytes()
    told = [serve(site.environment)]
    told += [manage("play", "--data", str(tmp_path), "--port", "0").stderr]
    told += [manage("migrate", **site.environment).stderr]
    for said in told:
        lines = [line for line in said.splitlines() if "has other tables" in line]
        assert len(lines) == 1, said
        assert "combat_handout has no column title. Nothing was changed." in lines[0]
        assert "Traceback" not in said
    with closing(sqlite3.connect(tmp_path / "table.sqlite3")) as opened:
        opened.execute("PRAGMA journal_mode = DELETE")
    assert len(before) == (tmp_path / "table.sqlite3").stat().st_size
    assert not (tmp_path / "backups").exists()


@pytest.mark.slow
def test_data_of_a_later_release_is_refused(tmp_path: Path) -> None:
    site = copy_site(tmp_path)
    with closing(sqlite3.connect(tmp_path / "table.sqlite3")) as opened:
        opened.execute("INSERT INTO django_migrations VALUES (9999, 'combat', '0099_hats', '2027-01-01')")
        opened.commit()
    assert "the migration combat 0099_hats is unknown here" in serve(site.environment)


@pytest.mark.slow
def test_terminal_that_knows_few_letters_gets_question_marks(tmp_path: Path) -> None:
    words = [sys.executable, "manage.py", "play", "--data", str(copy_data(tmp_path).parent), "--port", "0"]
    with watch_table(words, ROOT, make_environment(PYTHONIOENCODING="ascii:strict")) as table:
        assert "Preparing the table ?" in table.said
        assert table.interrupt()[0] == 0
    assert "Traceback" not in table.said
