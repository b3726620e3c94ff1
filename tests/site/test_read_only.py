"""A database that can only be read, or hangs, is no fault of ours, and no healthy site."""

from __future__ import annotations

import json
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from asgiref.sync import async_to_sync
from django.db import InterfaceError, InternalError, connection
from django.test import RequestFactory

from combat.backups.schema import use_database
from combat.rules.core.basics.release import RELEASE
from cosmos_site import health
from cosmos_site.asgi import application
from cosmos_site.base import errors
from cosmos_site.base.system_errors import is_outage
from cosmos_site.health import check_database, run_check
from tests.combat.server import set_up, sign_in
from tests.combat.services import make_database, needs_services


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="a file is SQLite's")
def test_health_says_when_sqlite_can_only_be_read(tmp_path: Path) -> None:
    file = tmp_path / "table.sqlite3"
    with use_database(file) as base:
        with base.cursor() as cursor:
            cursor.execute("CREATE TABLE one (id integer)")
        assert run_check("database", check_database)
        with base.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM one")
            assert cursor.fetchone() == (0,)
    with use_database(f"file:{file}?mode=ro") as base:
        base.settings_dict["OPTIONS"] = {"uri": True}
        assert not run_check("database", check_database)


def test_read_only_postgresql_is_an_outage() -> None:
    class ReadOnlyError(Exception):
        sqlstate = "25006"

    class OtherError(Exception):
        sqlstate = "25001"

    for cause, expected in ((ReadOnlyError(), True), (OtherError(), False)):
        problem = InternalError("cannot execute INSERT in a read-only transaction")
        problem.__cause__ = cause
        assert is_outage(problem) is expected


def test_connection_that_was_lost_in_a_transaction_is_an_outage() -> None:
    assert is_outage(InterfaceError("connection already closed"))
    assert not is_outage(InterfaceError("cursor already has a name"))


@pytest.mark.parametrize("path", ["/encounters/1/", "/api/v1/x/"])
def test_read_only_database_is_named_to_people_and_programs(path: str) -> None:
    cause = psycopg.errors.ReadOnlySqlTransaction("cannot execute INSERT in a read-only transaction")
    try:
        raise InternalError("cannot execute INSERT in a read-only transaction") from cause
    except InternalError:
        answer = errors.show_server_error(RequestFactory().post(path))
    assert answer.status_code == 503
    assert "The database can only be read now" in answer.content.decode()
    assert "try again in a moment" not in answer.content.decode().lower()
    assert answer["X-Why"] == errors.READ_ONLY  # what the banner of a page says


@needs_services
@pytest.mark.slow
def test_site_on_read_only_postgresql_says_so_and_shows_pages(tmp_path: Path) -> None:
    with make_database() as database:
        site = set_up(tmp_path, DATABASE_URL=database)
        with site.serve() as worker:
            gm = sign_in(worker.port, site.link)
            assert gm.get("/encounters/1/") == 200
            make_read_only(database)
            assert gm.get("/encounters/1/") == 200
            assert gm.post("/encounters/1/", do="start", dice="app") == 503
            assert "The database can only be read now" in gm.page
            assert gm.get("/healthz") == 503
            assert json.loads(gm.page)["database"] == "failing"


def make_read_only(database: str) -> None:
    """As a managed database whose disk is full does; connections begin again."""
    base, _, name = database.rpartition("/")
    with psycopg.connect(f"{base}/test", autocommit=True) as other:
        other.execute(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
        other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])


@pytest.mark.django_db
def test_health_check_answers_in_time_despite_a_hanging_database(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    goes_on, sent = threading.Event(), list[Any]()

    async def send(event: Any) -> None:
        sent.append(event)

    monkeypatch.setattr(health, "SECONDS", 0.2)
    monkeypatch.setitem(health.CHECKS, "database", goes_on.wait)
    scope: Any = {"type": "http", "method": "GET", "path": "/healthz", "query_string": b"", "headers": []}
    scope |= {
        "scheme": "http",
        "http_version": "1.1",
        "server": ("127.0.0.1", 8000),
        "client": ("127.0.0.1", 1),
    }
    try:
        async_to_sync(application)(scope, None, send)  # type: ignore[arg-type]  # nothing is received
    finally:
        goes_on.set()
    assert sent[0]["status"] == 503
    assert json.loads(sent[1]["body"]) == {"release": RELEASE, "database": "failing"}


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="a file is SQLite's")
def test_table_that_someone_writes_is_healthy_once_they_are_done(tmp_path: Path) -> None:
    """A lock that stays keeps all others from writing: then it is not."""
    with use_database(tmp_path / "table.sqlite3") as base, base.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 20000")
        with closing(sqlite3.connect(tmp_path / "table.sqlite3", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            assert not run_check("database", check_database)
            other.execute("ROLLBACK")
            assert run_check("database", check_database)
        cursor.execute("PRAGMA busy_timeout")
        assert cursor.fetchone() == (20000,)
