"""Events for other programs: a spectator's link alone gets them, about what spectators see.

The tests drive the stream in this process, as the server does; writes in between are committed at once.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from combat.live import hub
from combat.models import Encounter, ShareLink
from combat.pages.table import stream as streams
from combat.play.writing.encounter_service import Submission, submit
from combat.sharing.links import find_link, make_link, revoke
from tests.combat.cast import Cast
from tests.combat.visit import DEMO, PIRATE, ZARA, load, play
from tests.site.hosting.table import PATIENCE
from tests.typed import sure


class Server:
    """The loop of a server, run by the test: it asks the streams' database questions between runs."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.asked: list[tuple[Callable[[], Any], asyncio.Future[Any]]] = []
        self.programs: list[Program] = []

    def ask_later(self, ask: Callable[..., Any]) -> Callable[..., asyncio.Future[Any]]:
        """Run in this thread instead: a test's connection belongs to its thread."""

        def begin(*given: Any) -> asyncio.Future[Any]:
            answer = self.loop.create_future()
            self.asked.append((partial(ask, *given), answer))
            return answer

        return begin

    def turn(self) -> None:
        """Run everything that can."""
        self.loop.run_until_complete(asyncio.sleep(0))
        asked, self.asked = self.asked, []
        for ask, answer in asked:
            try:
                answer.set_result(ask())
            except OSError as problem:
                answer.set_exception(problem)

    def turn_until(self, what: Callable[[], object]) -> None:
        """Run until something is true."""
        deadline = time.monotonic() + PATIENCE
        while not what():
            assert time.monotonic() < deadline
            self.turn()

    def open(self, token: str, method: str = "GET", **headers: str) -> Program:
        """A program that connects."""
        path = f"/api/v1/{token}/events/"
        return self.connect(path, streams.stream_to_program, method, **headers)

    def open_page(self, encounter: int, client: Client) -> Program:
        """A page of the table in someone's browser, which hears what the program hears."""
        cookies = "; ".join(f"{name}={kept.value}" for name, kept in client.cookies.items())
        return self.connect(f"/live/{encounter}/", streams.stream, "GET", cookie=cookies)

    def connect(self, path: str, stream: Any, method: str, **headers: str) -> Program:
        """Connect with these headers and wait for the answer."""
        program = Program(self, path, stream, method, headers)
        self.programs.append(program)
        self.turn_until(lambda: program.status)
        return program

    def stop(self) -> None:
        for program in self.programs:
            program.leave()
        self.loop.close()


class Program:
    """A program at the other end of a stream: the events it received."""

    def __init__(self, server: Server, path: str, stream: Any, method: str, headers: dict[str, str]) -> None:
        named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        scope = {"type": "http", "method": method, "path": path, "headers": named}
        self.server, self.gone = server, server.loop.create_future()
        self.status, self.text = 0, ""
        self.headers: dict[bytes, bytes] = {}
        self.task = server.loop.create_task(stream(scope, self.receive, self.send))

    async def receive(self) -> dict[str, Any]:
        """Receive nothing, until it leaves."""
        await self.gone
        return {"type": "http.disconnect"}

    async def send(self, message: dict[str, Any]) -> None:
        """Take the next part."""
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], dict(message["headers"])
        self.text += message.get("body", b"").decode()

    @property
    def events(self) -> list[tuple[str, str, str]]:
        """Name, id and data of each event except the beats."""
        found = []
        for block in self.text.split("\n\n"):
            fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
            if fields.get("event", "beat") != "beat":
                found.append((fields["event"], fields.get("id", ""), fields["data"]))
        return found

    @property
    def stamps(self) -> list[str]:
        """The versions it heard."""
        return [data for name, _, data in self.events if name == "changed"]

    def hear(self, count: int) -> str:
        """Wait until it has heard of n changes; return the newest."""
        self.server.turn_until(lambda: len(self.stamps) >= count)
        return self.stamps[-1]

    def wait_for_end(self) -> None:
        """Wait until the server is done with it."""
        self.server.turn_until(self.task.done)

    def leave(self) -> None:
        if not self.gone.done():
            self.gone.set_result(None)
        self.wait_for_end()
        self.task.result()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server whose client no longer listens."""
    server = Server()
    monkeypatch.setattr(streams, "in_thread", server.ask_later)
    yield server
    server.stop()
    assert not hub._listeners


@pytest.fixture
def token(started: Encounter) -> str:
    """The token of a spectator link."""
    return make_link(started, ShareLink.WATCH, "Overlay")[1]


@pytest.fixture
def at_once(django_capture_on_commit_callbacks: Any) -> Any:
    """Commit and announce, at its end, what is written in the block."""
    return lambda: django_capture_on_commit_callbacks(execute=True)


def read_tag(token: str) -> str:
    """The version of the state that a program reads."""
    return Client().get(f"/api/v1/{token}/")["ETag"].strip('"')


def test_program_is_told_the_version_of_the_state_it_reads(
    server: Server, started: Encounter, token: str, at_once: Any
) -> None:
    program = server.open(token)
    assert program.hear(1) == read_tag(token)
    with at_once():
        play(started.pk, DEMO.script[1:2])
    assert program.hear(2) == read_tag(token)
    assert (program.status, program.headers[b"content-type"]) == (200, b"text/event-stream")
    assert program.headers[b"access-control-allow-origin"] == b"*"
    (name, _, data), *changes = program.events
    assert (name, json.loads(data)) == ("hello", {"format": "cosmos-table-events", "version": 1})
    assert [which for _, which, _ in changes] == program.stamps
    assert len(set(program.stamps)) == 2


def test_what_spectators_cannot_see_is_not_told_in_any_way(
    server: Server, started: Encounter, token: str, at_once: Any
) -> None:
    """Notes, hidden combatants' deeds and their number stay unheard; then something visible is heard."""
    program = server.open(token)
    program.hear(1)
    with at_once():
        submit(started.pk, Submission("hide", {"target": PIRATE}))
    program.hear(2)
    with at_once():
        submit(started.pk, Submission("note", {"text": "The airlock is mined."}))
        submit(started.pk, Submission("adjust", {"target": PIRATE, "track": "hp", "by": -5}))
        submit(started.pk, Submission("hazard_check", {"target": PIRATE, "approach": "detect"}))
    with at_once():
        submit(started.pk, Submission("adjust", {"target": ZARA, "track": "hp", "by": -5}))
    program.hear(3)
    fight = load(started.pk)
    assert len(program.stamps) == 3
    assert program.stamps[-1] == read_tag(token)
    assert not {fight.stamp(is_gm=True), fight.stamp(is_gm=False, is_seated=True)} & set(program.stamps)
    assert {"Zara", "Pirate", "mined", str(fight.version)}.isdisjoint(program.text.split())


def test_page_back_with_the_newest_version_is_told_only_the_news(
    server: Server, started: Encounter, token: str, at_once: Any
) -> None:
    before = read_tag(token)
    program = server.open(token, last_event_id=before)
    server.turn_until(lambda: "event: beat" in program.text)
    with at_once():
        play(started.pk, DEMO.script[1:2])
    assert program.hear(1) == read_tag(token)
    assert program.stamps != [before]


def test_revoking_the_link_ends_the_stream_at_once(server: Server, token: str, at_once: Any) -> None:
    program = server.open(token)
    program.hear(1)
    with at_once():
        revoke(sure(find_link(token)))
    program.wait_for_end()
    assert program.events[-1] == ("ended", "", "ended")
    assert server.open(token).status == 404


def test_revoking_another_link_ends_nothing(
    server: Server, token: str, started: Encounter, at_once: Any
) -> None:
    other, _ = make_link(started, ShareLink.WATCH, "Other")
    program = server.open(token)
    program.hear(1)
    with at_once():
        revoke(other)
        play(started.pk, DEMO.script[1:2])
    program.hear(2)
    assert "ended" not in [name for name, _, _ in program.events]


def test_link_revoked_unheard_ends_the_stream_at_its_next_look(
    server: Server, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "PING_SECONDS", 0)
    program = server.open(token)
    program.hear(1)
    ShareLink.objects.filter(pk=sure(find_link(token)).pk).update(revoked=timezone.now())
    program.wait_for_end()
    assert program.events[-1][0] == "ended"


def test_a_link_that_runs_out_ends_the_stream(server: Server, started: Encounter) -> None:
    link, token = make_link(started, ShareLink.WATCH, "Short", hours=1)
    program = server.open(token)
    program.hear(1)
    (listener,) = hub._listeners[started.pk]
    assert listener.who.until == sure(link.expires).timestamp()


def test_deleting_the_encounter_ends_the_stream(server: Server, token: str, started: Encounter) -> None:
    program = server.open(token)
    program.hear(1)
    hub.end_all(started.pk)
    program.wait_for_end()
    assert program.events[-1][0] == "ended"


@pytest.mark.parametrize("kind", [ShareLink.PLAY, ShareLink.CO_GM])
def test_links_of_players_and_gms_open_no_stream(server: Server, started: Encounter, kind: str) -> None:
    program = server.open(make_link(started, kind, "")[1])
    assert program.status == 404
    assert "spectators" in program.text


def test_cookies_open_nothing_and_are_not_looked_at(
    server: Server, started: Encounter, gm_client: Client
) -> None:
    cookie = f"sessionid={gm_client.cookies['sessionid'].value}"
    assert server.open("nothing", cookie=cookie).status == 404


@pytest.mark.parametrize(("path", "method", "status"), [("nothing", "GET", 404), ("", "POST", 405)])
def test_unknown_links_and_other_methods_are_refused(
    server: Server, token: str, path: str, method: str, status: int
) -> None:
    program = server.open(path or token, method)
    assert (program.status, program.headers[b"access-control-allow-origin"]) == (status, b"*")


def test_a_database_that_is_away_is_told(server: Server, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(token: str) -> None:
        raise OSError("gone")

    monkeypatch.setattr(streams, "admit_program", fail)
    assert server.open(token).status == 503


def test_one_link_has_so_many_streams_and_no_more(
    server: Server, token: str, started: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "MAX_PROGRAMS", 1)
    first = server.open(token)
    second = server.open(token)
    assert (second.status, "close one" in second.text) == (429, True)
    assert server.open(make_link(started, ShareLink.WATCH, "Other")[1]).status == 200
    first.leave()
    assert server.open(token).status == 200


def test_streams_of_a_seat_are_limited_and_leave_others_theirs(
    server: Server, token: str, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each stream holds a connection that no one else can have."""
    monkeypatch.setattr(streams, "MAX_PAGES", 1)
    pk = Encounter.objects.get().pk
    roles = ("gm", "co_gm", "player", "other", "watcher")
    first = {role: server.open_page(pk, cast[role]) for role in roles}
    assert {program.status for program in first.values()} == {200}
    assert server.open(token).status == 200
    for role in roles:
        more = server.open_page(pk, cast[role])
        assert (more.status, "close some pages" in more.text) == (429, True)
    first["watcher"].leave()
    assert server.open_page(pk, cast.watcher).status == 200


def test_the_site_leads_the_address_to_the_stream() -> None:
    assert hub.EVENTS_ADDRESS.fullmatch("/api/v1/abc-DEF_1/events/")
    for path in ("/api/v1/abc/", "/api/v1/a/b/events/", "/api/v1//events/", "/api/v2/abc/events/"):
        assert not hub.EVENTS_ADDRESS.fullmatch(path)


def test_page_explains_every_event_and_the_limit(client: Client, db: None) -> None:
    page = client.get("/api/").content.decode()
    names = ("hello", "changed", "beat", hub.ENDED, hub.CLOSING)
    assert all(f"<code>{name}</code>" in page for name in names)
    assert f"up to {streams.MAX_PROGRAMS} streams" in page
