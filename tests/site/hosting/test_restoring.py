"""Restoring a copy from its page while the table runs, as the host and the others see it."""

from __future__ import annotations

import socket
import time
from pathlib import Path
from uuid import uuid4

import msgspec
import pytest

from combat.backups.handover import VARIABLE, Handover, restarter
from cosmos_site.restarting import adopt_listener, finish_restore
from tests.combat.server import SECRET, Guest, sign_in
from tests.site.hosting.table import PATIENCE, Table, manage, open_again

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
def test_restore_from_the_page_replaces_everything_and_everyone_comes_back(tmp_path: Path) -> None:
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


def test_listener_is_adopted_only_if_it_is_one() -> None:
    with socket.create_server(("127.0.0.1", 0)) as opened:
        inherited = opened.dup()
        environment = {"COSMOS_LISTENER": str(inherited.detach())}
        found = adopt_listener(environment)
        assert found
        with found:
            assert found.getsockname() == opened.getsockname()
            assert not found.get_inheritable()
    assert environment == {}
    assert adopt_listener(environment) is None
    assert adopt_listener({"COSMOS_LISTENER": "cake"}) is None
