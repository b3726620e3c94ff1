"""Restoring a copy from its page while the table runs, as the host and the others see it."""

from __future__ import annotations

import socket
import sqlite3
import threading
import time
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import msgspec
import pytest

from combat.backups.handover import VARIABLE, Handover, Restarter, restarter
from cosmos_site.restarting import adopt_listeners, finish_restore
from tests.combat.server import SECRET, Guest, sign_in
from tests.site.hosting.table import PATIENCE, Table, manage, open_again, play_with

COPIES = "/copies/"


def send_file(someone: Guest, content: bytes) -> int:
    """Upload a file with the form of the page they have."""
    found, mark = SECRET.search(someone.page), uuid4().hex
    assert found
    head, end = f"--{mark}\r\nContent-Disposition: form-data; name=", f"\r\n--{mark}--\r\n"
    fields = f'{head}"csrfmiddlewaretoken"\r\n\r\n{found[1]}\r\n{head}"file"; filename="x"\r\n\r\n'
    body, kind = fields.encode() + content + end.encode(), f"multipart/form-data; boundary={mark}"
    return someone.ask("POST", f"{COPIES}upload/", body, 0, **{"Content-Type": kind})


def open_stream(someone: Guest) -> socket.socket:
    """The live stream of the first fight, with its head and first words read."""
    stream = socket.create_connection(("127.0.0.1", someone.port), timeout=PATIENCE)
    stream.sendall(f"GET /live/1/ HTTP/1.1\r\nHost: localhost\r\nCookie: {someone.cookie}\r\n\r\n".encode())
    assert b" 200 " in stream.recv(4096)
    return stream


def read_to_end(stream: socket.socket) -> bytes:
    """All that comes until the server hangs up."""
    said = b""
    with stream:
        while part := stream.recv(4096):
            said += part
    return said


def start_in_vain(folder: Path, copy: Path) -> str:
    """What a new process says that comes to restore, but another one has the data directory meanwhile."""
    task = msgspec.json.encode(Handover(str(copy))).decode()
    done = manage("play", "--data", str(folder), "--port", "0", **{VARIABLE: task})
    assert done.returncode == 1
    return done.stderr


def restore(gm: Guest, copy: Path) -> None:
    """Confirm a restore, and do as the page does: ask until the table is back."""
    assert gm.post(f"{COPIES}{copy.name}/restore/") == 202
    while is_restoring(gm):
        time.sleep(0.2)
    assert f"The table is as it was in {copy.name}" in gm.page


def is_restoring(gm: Guest) -> bool:
    """Whether the table is not back; a request may come while its process is replaced, as the page's may."""
    try:
        status = gm.get(COPIES)
    except ConnectionError:
        return True
    assert status != 202 or "Restoring" in gm.page
    return status == 202


@pytest.mark.slow
def test_restore_from_the_page_replaces_all_and_everyone_returns(tmp_path: Path) -> None:
    with open_again(tmp_path, "--no-demo", kind="fight") as running:
        check_restores(running, tmp_path)


def check_restores(running: Table, folder: Path) -> None:
    """There and back again, with uploads that are refused and a lock that is lost on the way."""
    gm = sign_in(running.port, running.link)
    assert gm.post(COPIES) == 303
    (copy,) = (folder / "backups").iterdir()
    assert gm.post("/campaigns/", name="To be lost") in (302, 303)
    before = sorted(folder.iterdir())

    # an upload larger than other pages take: the host's is read, a stranger's is not
    gm.get(COPIES)
    assert send_file(gm, b"x" * 17_000_000) == 422
    assert "is cut off, or no backup" in gm.page
    stranger = Guest(running.port)
    stranger.get("/accounts/login/")
    assert send_file(stranger, b"x" * 17_000_000) == 413
    with socket.create_connection(("127.0.0.1", running.port)) as half:  # and someone hangs up in the middle
        head = f"POST {COPIES}upload/ HTTP/1.1\r\nHost: localhost\r\nCookie: {gm.cookie}\r\n"
        half.sendall(f"{head}Content-Length: 5000000\r\n\r\n".encode() + b"x" * 1_000_000)
    assert sorted(folder.iterdir()) == before
    assert list((folder / "backups").iterdir()) == [copy]

    assert "A table runs with the data in" in start_in_vain(folder, copy)
    stream = open_stream(gm)
    restore(gm, copy)
    assert b"event: closing" in read_to_end(stream)
    assert gm.get("/campaigns/") == 200
    assert "To be lost" not in gm.page
    open_stream(gm).close()
    (aside,) = (folder / "backups").glob("before-restore-*")
    restore(gm, aside)  # and back again
    assert gm.get("/campaigns/") == 200
    assert "To be lost" in gm.page
    assert running.process.poll() is None
    code, _ = running.interrupt()
    assert code == 0
    assert running.said.count("Cosmos Table is open.") == 3


# The press waits before anything knows whose it is, as on a busy table
WAIT = """
import time
from cosmos_site import asgi
admit = asgi.admit_host
asgi.admit_host = lambda scope: (time.sleep(1), admit(scope))[1]
"""


class Write(NamedTuple):
    """A campaign added over HTTP: when the request began and ended is in monotonic seconds."""

    name: str
    begun: float
    ended: float
    status: int


def write_campaigns(gm: Guest, writes: list[Write], pressed: threading.Event) -> None:
    """Add campaigns until a second after the press."""
    someone = Guest(gm.port)
    someone.cookies.update(gm.cookies)
    someone.get("/campaigns/")
    end = 0.0
    for number in count():
        end = end or (pressed.is_set() and time.monotonic() + 1.5) or 0.0
        if end and time.monotonic() > end:
            return
        name, begun = f"Campaign {number}", time.monotonic()
        status = someone.ask("POST", "/campaigns/", someone.fill(name=name))
        writes.append(Write(name, begun, time.monotonic(), status))
        assert someone.get("/campaigns/") == 200


@pytest.mark.slow
def test_no_write_after_the_press_is_confirmed_and_lost(tmp_path: Path) -> None:
    with open_again(tmp_path, "--no-demo", kind="fight", program=play_with(WAIT)) as running:
        gm = sign_in(running.port, running.link)
        assert gm.post(COPIES) == 303
        (copy,) = (tmp_path / "backups").iterdir()
        writes: list[Write] = []
        pressed = threading.Event()
        writer = threading.Thread(target=write_campaigns, args=(gm, writes, pressed))
        writer.start()
        assert gm.get(f"{COPIES}{copy.name}/restore/") == 200
        body, at = gm.fill(), time.monotonic()
        pressed.set()
        assert gm.ask("POST", f"{COPIES}{copy.name}/restore/", body) == 202
        writer.join()
        while is_restoring(gm):
            time.sleep(0.2)
        with closing(sqlite3.connect(tmp_path / "table.sqlite3")) as opened:
            kept = {name for (name,) in opened.execute("SELECT name FROM combat_campaign")}
        # A write on its way at the moment of the press may come before it or after it.
        assert {write.status for write in writes if write.ended < at} == {303}
        later = [write for write in writes if write.begun > at]
        assert [write.name for write in later if write.status == 303 and write.name not in kept] == []
        assert {write.status for write in later} >= {503}


def test_press_that_restores_nothing_holds_nobody_up() -> None:
    restarter = Restarter()
    with restarter.hearing():
        waits = threading.Thread(target=restarter.wait_for_press)
        waits.start()
        waits.join(0.1)
        assert waits.is_alive()
    waits.join(PATIENCE)
    assert not waits.is_alive()


@pytest.mark.django_db
def test_restore_that_is_refused_leaves_a_sentence_for_the_page(tmp_path: Path) -> None:
    """Such as a copy that was deleted after it was chosen."""
    task = msgspec.json.encode(Handover(str(tmp_path / "gone.sqlite3"), "x" * 32)).decode()
    environment = {VARIABLE: task}
    try:
        outcome = finish_restore(environment)
        assert outcome is restarter.outcome
        assert outcome
        assert not outcome.done
        assert "There is no file" in outcome.sentence
    finally:
        restarter.outcome = None
    assert environment == {}
    assert finish_restore(environment) is None


def test_listeners_are_adopted_only_if_they_are_some() -> None:
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as other:
        inherited = [opened.dup().detach() for opened in (one, other)]
        environment = {"COSMOS_LISTENER": ",".join(map(str, inherited))}
        found = adopt_listeners(environment)
        assert [adopted.getsockname() for adopted in found] == [one.getsockname(), other.getsockname()]
        for adopted in found:
            assert not adopted.get_inheritable()
            adopted.close()
    assert environment == {}
    assert adopt_listeners(environment) == []
    assert adopt_listeners({"COSMOS_LISTENER": "cake"}) == []
