"""A database that hangs, is locked, or lies on a disk that fails: each answer comes soon, and is true."""

from __future__ import annotations

import json
import socket
import sqlite3
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import psycopg
import pytest

from cosmos_site.base.errors import READ_ONLY
from tests.combat.server import Guest, Server, copy_site, invite, set_up, sign_in
from tests.combat.services import make_database, needs_services
from tests.site.hosting.table import soon

pytestmark = pytest.mark.slow

TABLE = "/encounters/1/"
FEW = 20  # seconds: the waits of an answer together, and much less than it took to notice before


class Way:
    """A way to a server, which may fall silent: it still accepts, and passes on nothing."""

    def __init__(self, port: int) -> None:
        self.target, self.goes_on, self.open = port, threading.Event(), list[socket.socket]()
        self.goes_on.set()
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                one = self.server.accept()[0]
                self.open.append(one)
                threading.Thread(target=self._pass_on, args=[one], daemon=True).start()

    def _pass_on(self, one: socket.socket) -> None:
        self.goes_on.wait()
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.target)) as other:
            back = threading.Thread(target=self._copy, args=[other, one], daemon=True)
            back.start()
            self._copy(one, other)

    def _copy(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                self.goes_on.wait()
                other.sendall(data)
            other.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        self.goes_on.set()
        for one in (self.server, *self.open):
            one.close()


def ask_in_time(guest: Guest, path: str, **fields: str) -> int:
    """The status of a page, or of a form if it has fields; it comes within a few seconds."""
    began = time.monotonic()
    status = guest.ask("POST", path, guest.fill(**fields)) if fields else guest.get(path)
    assert time.monotonic() - began < soon(FEW)
    return status


def check_health(server: Server, status: int) -> None:
    probe = Guest(server.port)
    assert ask_in_time(probe, "/healthz") == status
    assert json.loads(probe.page)["database"] == ("ok" if status == 200 else "failing")


@contextmanager
def way_to(database: str) -> Iterator[tuple[Way, str]]:
    """A way to a database, and the address of that way."""
    way = Way(5432)
    try:
        yield way, database.replace(":5432/", f":{way.port}/")
    finally:
        way.close()


@needs_services
def test_pages_behind_a_silent_postgresql_say_so_and_come_back(tmp_path: Path) -> None:
    with make_database() as database, way_to(database) as (way, address):
        site = set_up(tmp_path, DATABASE_URL=address)
        with site.serve() as worker:
            gm = sign_in(worker.port, site.link)
            assert gm.get(TABLE) == 200
            way.goes_on.clear()
            with ThreadPoolExecutor(12) as people:
                found = [people.submit(ask_in_time, gm, TABLE) for _ in range(12)]
                assert {one.result() for one in found} == {503}
            assert ask_in_time(gm, TABLE) == 503
            assert "The database is not available" in gm.page
            assert gm.heads["Retry-After"]
            check_health(worker, 503)
            program = Guest(worker.port, Authorization=f"Bearer {'x' * 43}")
            assert ask_in_time(program, "/api/table/state/") == 503
            assert json.loads(program.page)["code"] == "busy"
            way.goes_on.set()
            assert gm.get(TABLE) == 200
            check_health(worker, 200)


@needs_services
def test_site_starts_behind_a_postgresql_that_never_answers(tmp_path: Path) -> None:
    with make_database() as database, way_to(database) as (way, address):
        site = set_up(tmp_path, DATABASE_URL=address)
        way.goes_on.clear()
        with site.serve() as worker:
            guest = Guest(worker.port)
            assert ask_in_time(guest, TABLE) == 503
            check_health(worker, 503)


@needs_services
def test_postgresql_lock_held_by_another_ends_the_wait_for_both(tmp_path: Path) -> None:
    with make_database() as database:
        site = set_up(tmp_path, DATABASE_URL=database)
        with site.serve() as worker, psycopg.connect(database) as other:
            gm = sign_in(worker.port, site.link)
            assert gm.get(TABLE) == 200
            other.execute("SELECT 1 FROM combat_encounter FOR UPDATE")
            assert ask_in_time(gm, TABLE, do="start", dice="app") == 503
            row = other.execute("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
            assert row.fetchone() == (0,), "the server does not go on waiting for nobody"
            other.rollback()
            assert gm.post(TABLE, do="start", dice="app") == 303


def test_locked_sqlite_refuses_soon_and_is_read_meanwhile(tmp_path: Path) -> None:
    site = copy_site(tmp_path)
    file = tmp_path / "table.sqlite3"
    with site.serve() as worker, closing(sqlite3.connect(file, isolation_level=None)) as other:
        gm = sign_in(worker.port, site.link)
        assert gm.get(TABLE) == 200
        other.execute("BEGIN IMMEDIATE")
        with ThreadPoolExecutor(6) as people:
            found = [people.submit(write, gm) for _ in range(6)]
            assert {one.result() for one in found} == {503}
        assert ask_in_time(gm, TABLE) == 200
        check_health(worker, 503)
        other.execute("ROLLBACK")
        check_health(worker, 200)
        assert write(gm) == 303


def write(gm: Guest) -> int:
    gm.get(TABLE)
    return ask_in_time(gm, TABLE, do="note", text="Hm.")


@contextmanager
def disk_that_fails(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk of its own; skips where none can be made."""
    image, folder = tmp_path / "disk", tmp_path / "data"
    image.write_bytes(b"")
    with image.open("r+b") as opened:
        opened.truncate(300_000_000)
    folder.mkdir()
    words = (["mkfs.ext4", "-q", str(image)], ["mount", "-o", "loop", str(image), str(folder)])
    for one in words:
        try:
            if subprocess.run(one, check=False, capture_output=True).returncode:
                pytest.skip("only root may mount a disk")
        except FileNotFoundError:
            pytest.skip("there is no mkfs.ext4")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_read_only_disk_is_told_by_health_and_every_answer(tmp_path: Path) -> None:
    """As after an error of the disk: the system still lets one read, and fails what is written."""
    with disk_that_fails(tmp_path) as folder:
        site = copy_site(folder)
        with site.serve() as worker:
            gm = sign_in(worker.port, site.link)
            pia = Guest(worker.port)
            assert pia.post(invite(gm, TABLE, "play"), name="Pia") == 302
            check_health(worker, 200)
            with closing(sqlite3.connect(folder / "table.sqlite3", isolation_level=None)) as other:
                other.execute("UPDATE combat_seat SET seen = '2026-01-01'")  # to be noted
            subprocess.run(["mount", "-o", "remount,abort", str(folder)], check=True)
            check_health(worker, 503)
            for guest in (gm, pia):
                assert guest.get(TABLE) == 200, "everything can still be read"
            for _ in range(8):  # each thread has a connection of its own, old or new
                assert write(gm) == 503
                assert "The database can only be read now" in gm.page
                assert gm.heads["X-Why"] == READ_ONLY
            probe = Guest(worker.port)
            probe.get("/accounts/login/")
            assert probe.ask("POST", "/accounts/login/", probe.fill(login="gm", password="x")) in (200, 503)
