"""`manage.py play` as its user sees it: started, opened in a browser, stopped."""

import errno
import http.client
import re
import signal
import socket
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from django.core.management.base import CommandError

from cosmos_site.base.outside import find_own_addresses, find_source_address
from cosmos_site.management.commands import play
from cosmos_site.management.commands.play import find_network_hosts, listen, open_listener
from tests.combat.server import Guest
from tests.site.hosting.table import (
    ALL_IS_WELL,
    PATIENCE,
    Table,
    copy_data,
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


@pytest.mark.slow
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


@pytest.mark.slow
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
def test_second_start_finds_all_and_an_unknown_host_is_one_line(tmp_path: Path) -> None:
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
    folder = tmp_path / "new" / "data"
    done = manage("play", "--data", str(folder), "--port", str(table.port))
    assert done.returncode == 1
    assert list(tmp_path.iterdir()) == []
    assert f"Port {table.port} is already in use here" in done.stderr
    assert f"--port {table.port + 1}" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("problem", "works"),
    [
        (OverflowError("bind(): port must be 0-65535."), "a port is 0 to 65535"),
        (OSError(errno.EADDRNOTAVAIL, "Cannot assign requested address"), "no address of this machine"),
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), "no address of this machine"),
        (OSError(socket.EAI_AGAIN, "Temporary failure in name resolution"), "no address of this machine"),
        (OSError(errno.EAFNOSUPPORT, "Address family not supported"), "no address of this machine"),
        (PermissionError(errno.EACCES, "Permission denied"), "Choose one from 1024"),
    ],
    ids=["port", "address", "name", "look-up", "family", "rights"],
)
def test_address_that_cannot_be_opened_is_told_with_what_works(
    monkeypatch: pytest.MonkeyPatch, problem: Exception, works: str
) -> None:
    def fail(*_: object, **__: object) -> socket.socket:
        raise problem

    monkeypatch.setattr(socket, "create_server", fail)
    with pytest.raises(CommandError) as failed:
        open_listener("192.0.2.1", 80)
    assert works in str(failed.value)


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [["--port", "70000"], ["--host", "not.an.address.invalid"], ["--cert", "nowhere"]]
)
def test_start_that_is_refused_leaves_nothing(tmp_path: Path, options: list[str]) -> None:
    done = manage("play", "--data", str(tmp_path / "new" / "data"), *options)
    assert done.returncode == 1
    assert any(words in done.stderr for words in ("Cannot listen on", "belong together"))
    assert "Traceback" not in done.stderr
    assert "Errno" not in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_start_that_is_refused_keeps_what_was_there(tmp_path: Path) -> None:
    copy_data(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    assert manage("play", "--data", str(tmp_path), "--port", "70000").returncode == 1
    assert {*before} <= {*tmp_path.rglob("*")} <= {*before, tmp_path / "in-use"}


HAS_IPV6 = bool(find_source_address("::1", socket.AF_INET6))


@pytest.mark.skipif(not HAS_IPV6, reason="this machine has no IPv6")
def test_both_families_are_asked_for_by_one_address() -> None:
    with listen("::", 0) as listeners:
        port = listeners[0].getsockname()[1]
        assert [one.getsockname()[:2] for one in listeners] == [("::", port), ("0.0.0.0", port)]
        for address in ("127.0.0.1", "::1"):
            with socket.create_connection((address, port), timeout=PATIENCE):
                pass
        told = find_network_hosts(listeners)
    assert told == [*find_own_addresses(), *find_own_addresses(socket.AF_INET6)]


def test_what_is_told_follows_from_the_sockets_that_listen(monkeypatch: pytest.MonkeyPatch) -> None:
    own = {socket.AF_INET: ["192.168.7.7"], socket.AF_INET6: ["fd00::7"]}
    monkeypatch.setattr(play, "find_own_addresses", lambda family: own[family])
    for bound, told in (
        (["0.0.0.0"], ["192.168.7.7"]),
        (["::", "0.0.0.0"], ["192.168.7.7", "fd00::7"]),
        (["127.0.0.1"], []),
        (["::1"], []),
        (["192.168.7.8"], ["192.168.7.8"]),
        (["fd00::8"], ["fd00::8"]),
    ):
        assert find_network_hosts([Bound(address) for address in bound]) == told, bound


class Bound(socket.socket):
    """A socket that says where it listens."""

    def __init__(self, address: str) -> None:
        super().__init__(socket.AF_INET6 if ":" in address else socket.AF_INET)
        self.address = address

    def getsockname(self) -> tuple[str, int]:
        self.close()
        return self.address, 8000


@pytest.mark.slow
def test_command_for_the_same_data_makes_another_gm(table: Table, visitor: Guest) -> None:
    folder = sure(re.search(r"Data: (.+)", table.said))
    done = manage("make_gm", "rhea", "--data", folder[1])
    assert visitor.get(done.stdout.split(f"localhost:{table.port}")[1].strip()) == 200
