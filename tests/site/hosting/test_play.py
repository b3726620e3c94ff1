"""`manage.py play` as its user sees it: started, opened in a browser, stopped."""

import http.client
import re
import signal
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from cosmos_site.base.addresses import find_own_addresses
from tests.combat.server import Guest
from tests.site.hosting.table import (
    ALL_IS_WELL,
    PATIENCE,
    Table,
    manage,
    open_again,
    open_table,
    play_with,
    soon,
)
from tests.typed import sure


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    with open_table(tmp_path_factory.mktemp("table")) as running:
        yield running


@contextmanager
def visit(table: Table) -> Iterator[Guest]:
    """A browser that keeps its connection."""
    with closing(http.client.HTTPConnection("127.0.0.1", table.port, timeout=PATIENCE)) as way:
        yield Guest(table.port, way)


def is_signed_in(visitor: Guest) -> bool:
    visitor.get("/accounts/password/change/")
    return visitor.leads == "/accounts/password/set/"


@pytest.fixture
def visitor(table: Table) -> Iterator[Guest]:
    with visit(table) as someone:
        yield someone


def test_play_says_where_it_is_and_how_to_get_in(table: Table) -> None:
    assert f"http://localhost:{table.port}/" in table.said
    assert "Sign in as gm with this link" in table.said
    assert "Data: " in table.said


def test_play_names_the_address_for_the_phones_first(table: Table) -> None:
    addresses = [
        line.strip() for line in table.said.splitlines() if "http://" in line and "sign-in" not in line
    ]
    first = "In your network:" if find_own_addresses() else "On this machine:"
    assert addresses[0].startswith(first), table.said


def test_play_answers_pages_and_static_files(visitor: Guest) -> None:
    assert visitor.get("/accounts/login/") == 200
    style = sure(re.search(r'href="(/static/bundles/[^"]+)"', visitor.page))
    assert re.search(r"\.[0-9a-f]{12}\.css$", style[1])
    assert visitor.get(style[1]) == 200
    assert "immutable" in visitor.heads["Cache-Control"]


def test_play_is_healthy(visitor: Guest) -> None:
    assert visitor.get("/healthz") == 200
    assert visitor.page == ALL_IS_WELL


def test_link_signs_in_once(table: Table, visitor: Guest) -> None:
    assert visitor.get(table.link) == 200
    assert visitor.get(table.link) == 200  # looking does not burn it
    assert visitor.ask("POST", table.link, visitor.fill()) == 302
    assert visitor.leads == "/accounts/password/set/"
    assert is_signed_in(visitor)
    with visit(table) as second:
        assert second.get(table.link) == 410
        assert not is_signed_in(second)


@pytest.mark.slow
def test_too_much_is_refused_on_a_connection_that_lives_on(visitor: Guest) -> None:
    visitor.get("/accounts/login/")
    form = visitor.fill(login="x" * 5_000_000, password="x")
    assert visitor.ask("POST", "/accounts/login/", form) == 413
    assert "too large" in visitor.page
    assert visitor.way
    used = visitor.way.sock
    assert visitor.get("/healthz") == 200
    assert visitor.way.sock is used


@pytest.mark.parametrize(("host", "status"), [("elsewhere.example", 400), ("a b", 400), ("localhost", 200)])
def test_only_known_hosts_are_answered(visitor: Guest, host: str, status: int) -> None:
    assert visitor.get("/accounts/login/", Host=host) == status


def make_head(path: str, length: int, cookie: str) -> bytes:
    lines = [
        f"POST {path} HTTP/1.1",
        "Host: localhost",
        f"Cookie: csrftoken={cookie}",
        f"Content-Length: {length}",
    ]
    return "\r\n".join([*lines, "Content-Type: application/x-www-form-urlencoded", "", ""]).encode()


@pytest.mark.slow
def test_form_that_breaks_off_does_nothing(tmp_path: Path) -> None:
    with open_again(tmp_path, "--no-demo") as table, visit(table) as visitor:
        visitor.get(table.link)
        form = visitor.fill(rest="x" * 100)
        head = make_head(table.link, len(form), visitor.cookies["csrftoken"])
        with table.connect() as wire:
            wire.sendall(head + form[:-50])
            time.sleep(0.5)  # let the server read the first part
        time.sleep(0.5)
        assert visitor.get(table.link) == 200  # the link still works
        with table.connect() as wire:
            wire.sendall(head + form)
            assert b"302" in wire.recv(100)


def test_ctrl_c_stops_cleanly_within_seconds(tmp_path: Path) -> None:
    with open_again(tmp_path) as table, visit(table) as idle, table.connect() as wire:
        idle.get("/healthz")  # a browser that keeps its connection
        wire.sendall(
            make_head("/accounts/login/", 1000, "a" * 32) + b"login="
        )  # a phone in the middle of a form
        code, seconds = table.interrupt()
    assert code == 0
    assert seconds < soon(3)
    assert table.said.endswith("Stopped. Everything is saved.\n"), table.said
    assert "Traceback" not in table.said


@pytest.mark.slow
@pytest.mark.parametrize("pause", [0.0, 0.05, 0.2, 0.3])
def test_impatient_ctrl_c_changes_nothing(tmp_path: Path, pause: float) -> None:
    with open_again(tmp_path, "--no-demo") as table:
        table.process.send_signal(signal.SIGINT)
        time.sleep(pause)
        code, _seconds = table.interrupt()
    assert code == 0
    assert table.said.endswith("Stopped. Everything is saved.\n"), table.said


SLOW_PAGE = """
import time
from cosmos_site import health
health.CHECKS["slow"] = lambda: time.sleep(30)
"""


@pytest.mark.slow
def test_ctrl_c_does_not_wait_for_a_page_that_hangs(tmp_path: Path) -> None:
    with open_again(tmp_path, program=play_with(SLOW_PAGE)) as table, table.connect() as wire:
        wire.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        time.sleep(0.5)
        code, seconds = table.interrupt()
    assert code == 0
    assert seconds < soon(3)
    assert "Stopped. Everything is saved." in table.said


@pytest.mark.slow
def test_second_start_finds_everything_and_an_unknown_host_costs_one_line(tmp_path: Path) -> None:
    with open_again(tmp_path, "--no-demo") as first, visit(first) as visitor:
        before = len(first.lines)
        assert visitor.get("/accounts/login/", Host="elsewhere.example") == 400
        assert "is not called “elsewhere.example”" in visitor.page
        first.interrupt()
    said = first.lines[before:]
    assert [line for line in said if "elsewhere.example" in line][1:] == []
    assert len(said) <= 3, said  # and both of its end
    key = (tmp_path / "secret-key").read_text()
    tmp_path.chmod(0o755)
    (tmp_path / "table.sqlite3").chmod(0o644)
    with open_table(tmp_path, "--no-demo") as second, visit(second) as visitor:
        data = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.glob("table.sqlite3*")}
        assert set(data.values()) == {0o600}, data
        assert len(data) > 1, "the log that belongs to it, too"
        assert visitor.get(second.link) == 200
        assert visitor.get(first.link) == 410  # the newer link replaces the older
    assert (tmp_path / "secret-key").read_text() == key
    with closing(sqlite3.connect(tmp_path / "table.sqlite3")) as database:
        assert database.execute("SELECT username FROM auth_user").fetchall() == [("gm",)]
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@pytest.mark.slow
def test_taken_port_is_named_and_another_one_proposed(table: Table, tmp_path: Path) -> None:
    done = manage("play", "--data", str(tmp_path), "--port", str(table.port))
    assert done.returncode == 1
    assert f"Port {table.port} is already in use here" in done.stderr
    assert f"--port {table.port + 1}" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("options", [["--port", "70000"], ["--host", "not.an.address.invalid"]])
def test_impossible_address_is_named_and_data_made_for_its_owner_only(
    tmp_path: Path, options: list[str]
) -> None:
    folder = tmp_path / "new" / "data"
    done = manage("play", "--data", str(folder), *options)
    assert done.returncode == 1
    assert "Cannot listen on" in done.stderr
    assert "Traceback" not in done.stderr
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "secret-key").stat().st_mode) == 0o600


@pytest.mark.slow
def test_command_for_the_same_data_makes_another_gm(table: Table, visitor: Guest) -> None:
    folder = sure(re.search(r"Data: (.+)", table.said))
    done = manage("make_gm", "rhea", "--data", folder[1])
    assert visitor.get(done.stdout.split(f"localhost:{table.port}")[1].strip()) == 200
