"""People who send slowly, fall silent, or do not read their answers hold up no one else."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path

import pytest

from cosmos_site import server
from tests.site.hosting.table import PATIENCE, Table, open_again, play_with, soon

pytestmark = pytest.mark.slow

POST = (
    b"POST /accounts/login/ HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n"
    b"Cookie: csrftoken=0123456789abcdef0123456789abcdef\r\n"  # so the server reads the body
)
SILENT = {
    "nothing": b"",
    "half a head": POST[:30],
    "most of a head": POST + b"Content-Length: 1000\r\n",
    "a head": POST + b"Content-Length: 1000\r\n\r\n",
    "half a body": POST + b"Content-Length: 1000\r\n\r\nlogin=gm&passw",
    "a large part of a body": POST + b"Content-Length: 1000000\r\n\r\n" + b"x" * 200_000,
    "half a chunk": POST + b"Transfer-Encoding: chunked\r\n\r\n3e8\r\nlogin=gm&passw",
    "a chunk": POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\nlogin\r\n",
}
SOON = 0.1  # seconds, on an idle machine
ASKED = 60  # for a file of 170 kB
HASTY = """
from django.conf import settings
settings.COSMOS_BODY_SECONDS, settings.COSMOS_BODY_BYTES = 1, 300_000
from cosmos_site import server
server.HEAD_TIMEOUT = server.WRITE_TIMEOUT = 1
"""
NARROW = """
from django.conf import settings
settings.COSMOS_BODIES_AT_ONCE, settings.COSMOS_BODY_BYTES_AT_ONCE = 3, 300_000
"""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    with open_again(tmp_path_factory.mktemp("table"), "--no-demo") as running:
        yield running


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A table that waits only a second and accepts little."""
    yield from open_strange_table(tmp_path_factory.mktemp("hasty"), HASTY)


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A table that accepts three bodies at once."""
    yield from open_strange_table(tmp_path_factory.mktemp("narrow"), NARROW)


def open_strange_table(folder: Path, habits: str) -> Iterator[Table]:
    with open_again(folder, "--no-demo", program=play_with(habits)) as table:
        yield table
    assert "Traceback" not in table.said, table.said


def time_page(table: Table, path: str = "/accounts/login/") -> float:
    """Seconds until a newcomer gets a page: the best of as many tries as a busy machine may need."""
    best = _time_page(table, path)
    for _ in range(20):
        if best < soon(SOON):
            break
        best = min(best, _time_page(table, path))
    return best


def _time_page(table: Table, path: str) -> float:
    started = time.perf_counter()
    with closing(HTTPConnection("127.0.0.1", table.port, timeout=PATIENCE)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200
    return time.perf_counter() - started


def hear(wire: socket.socket) -> str:
    """All bytes until the other end hangs up."""
    found = b""
    while piece := wire.recv(65536):
        found += piece
    return found.decode()


def ask_much(table: Table) -> socket.socket:
    """A connection that gets far more bytes than any buffer holds, with no one reading."""
    wire = socket.socket()
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    wire.settimeout(PATIENCE)
    wire.connect(("127.0.0.1", table.port))
    wire.sendall(b"GET /static/django_htmx/htmx-2.js HTTP/1.1\r\nHost: localhost\r\n\r\n" * ASKED)
    return wire


def test_page_comes_at_once_beside_200_silent_senders(table: Table) -> None:
    time_page(table)  # warm the caches
    with ExitStack() as held:
        for number in range(200):
            wire = held.enter_context(table.connect())
            wire.sendall(list(SILENT.values())[number % len(SILENT)])
        assert time_page(table) < soon(SOON)
        connection = HTTPConnection("127.0.0.1", table.port, timeout=PATIENCE)
        connection.request("POST", "/accounts/login/", "login=gm")
        assert (
            connection.getresponse().status == 403
        )  # refused, as it lacks the form's secret; but read and answered
        connection.close()


def test_page_comes_at_once_beside_20_who_do_not_take_answers(table: Table) -> None:
    with ExitStack() as held:
        for _ in range(20):
            held.enter_context(ask_much(table))
        time.sleep(2)  # until the sockets take no more bytes
        assert time_page(table) < soon(SOON)


def test_missing_body_is_refused_in_words_missing_head_silently(hasty: Table) -> None:
    """All who are silent wait side by side."""
    with ExitStack() as held:
        wires = {kind: held.enter_context(hasty.connect()) for kind in SILENT}
        for kind, wire in wires.items():
            wire.sendall(SILENT[kind])
        for kind, wire in wires.items():
            answer = hear(wire)
            if kind in ("nothing", "half a head", "most of a head"):
                assert answer == "", kind
            else:
                assert answer.startswith("HTTP/1.1 408 "), kind
                assert "The upload took too long. Nothing was changed" in answer, kind


def test_body_that_trickles_is_refused_in_the_same_time(hasty: Table) -> None:
    with hasty.connect() as wire:
        wire.sendall(SILENT["half a body"])
        wire.settimeout(0.1)
        answer = b""
        for _ in range(30):
            try:
                answer = wire.recv(65536)
                break
            except TimeoutError:
                wire.sendall(b"x")
    assert answer.startswith(b"HTTP/1.1 408 ")


@pytest.mark.parametrize("announced", [True, False])
def test_too_much_is_refused_in_a_sentence(hasty: Table, announced: bool) -> None:
    body = b"x" * 400_000
    with closing(HTTPConnection("127.0.0.1", hasty.port, timeout=PATIENCE)) as connection:
        for _ in range(2):  # the connection stays open
            connection.request("POST", "/accounts/login/", body if announced else iter([body[:9], body[9:]]))
            answer = connection.getresponse()
            assert answer.status == 413
            assert answer.read().decode().startswith("Too large: send at most 0.3 MB")


def test_too_much_that_never_ends_is_refused_too(hasty: Table) -> None:
    with hasty.connect() as wire:
        wire.sendall(SILENT["a large part of a body"] + b"x" * 200_000)
        assert hear(wire).startswith("HTTP/1.1 413 ")


@pytest.mark.parametrize(("kind", "most"), [("half a body", 3), ("a large part of a body", 1)])
def test_of_too_many_bodies_the_longest_silent_are_given_up(narrow: Table, kind: str, most: int) -> None:
    with ExitStack() as held:
        wires = [held.enter_context(narrow.connect()) for _ in range(6)]
        for number, wire in enumerate(wires):
            wire.sendall(SILENT[kind])
            if number >= most:  # the next comes once this is settled
                assert hear(wires[number - most]).startswith("HTTP/1.1 408 ")
            time.sleep(0.2)
        wires[-1].settimeout(0.3)
        with pytest.raises(TimeoutError):
            wires[-1].recv(1)
        assert time_page(narrow) < soon(SOON)


def test_second_head_that_does_not_come_ends_the_connection(hasty: Table) -> None:
    with hasty.connect() as wire:
        wire.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert wire.recv(65536).startswith(b"HTTP/1.1 200 ")
        time.sleep(0.2)  # until the whole answer is here
        wire.sendall(SILENT["half a head"])
        assert "HTTP/1.1" not in hear(wire)


def test_answer_that_nobody_takes_ends_the_connection(hasty: Table) -> None:
    with ask_much(hasty) as wire:
        time.sleep(3)
        assert hear(wire).count("HTTP/1.1 200 ") < ASKED


def test_ordinary_limits_let_a_slow_phone_finish() -> None:
    assert server.HEAD_TIMEOUT >= 5
    assert server.WRITE_TIMEOUT >= 20
