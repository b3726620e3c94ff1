"""The people of a load run: each keeps a page open, hears of changes, and reads them."""

from __future__ import annotations

import asyncio
import gzip
import random
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import urlencode

from tests.combat.markup import find_versions

VERSION = re.compile(r'data-version="(\w+)"')
SECRET = "a" * 32  # of the forms: a cookie and a header with the same value
PATIENCE = 30  # seconds to wait for an answer
AGAIN = 1  # seconds until a page retries
GONE = (OSError, EOFError, TimeoutError, ValueError, IndexError)


@dataclass(frozen=True)
class Answer:
    """An answer: its status, its headers in lower case, its text."""

    status: int
    headers: dict[str, str]
    text: str


async def ask(port: int, method: str, path: str, headers: dict[str, str], body: bytes = b"") -> Answer:
    """One request on a connection of its own."""
    async with asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            lines = [f"{method} {path} HTTP/1.0", "Host: localhost", f"Content-Length: {len(body)}"]
            lines += [f"{name}: {value}" for name, value in headers.items()]
            writer.write("\r\n".join([*lines, "", ""]).encode() + body)
            raw = await reader.read()
        finally:
            writer.close()
    return read_answer(raw)


def read_answer(raw: bytes) -> Answer:
    """The answer in these bytes."""
    head, _, body = raw.partition(b"\r\n\r\n")
    first, *rest = head.decode("latin-1").split("\r\n")
    pairs = (line.split(": ", 1) for line in rest)
    headers = {name.lower(): value for name, value in pairs}
    body = gzip.decompress(body) if headers.get("content-encoding") == "gzip" else body
    return Answer(int(first.split()[1]), headers, body.decode(errors="replace"))


@dataclass
class Times:
    """The measurements: seconds by kind, and the times of failures."""

    actions: list[float] = field(default_factory=list)
    told: list[float] = field(default_factory=list)
    read: list[float] = field(default_factory=list)
    failed: list[tuple[float, str]] = field(default_factory=list)

    def fail(self, what: str) -> None:
        """Note that a request got no answer, or one that asks to retry."""
        self.failed.append((time.monotonic(), what))


@dataclass
class Person:
    """A person with a page open at a table; `told` is the newest stamp from their stream."""

    port: int
    table: int
    kind: str
    session: str
    times: Times
    told: str = ""
    version: str = ""
    regions: str = ""
    tag: str = ""
    streams: int = 0
    waits_since: float = 0.0
    bell: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def path(self) -> str:
        """The address of the page."""
        return f"/encounters/{self.table}/"

    def headers(self, **more: str) -> dict[str, str]:
        """The headers of a request, with more of them, written with underscores."""
        cookies = f"sessionid={self.session}; csrftoken={SECRET}"
        plain = {"Cookie": cookies, "Accept-Encoding": "gzip", "X-CSRFToken": SECRET}
        return plain | {name.replace("_", "-"): value for name, value in more.items() if value}

    def note(self, answer: Answer) -> None:
        """Remember the page's fields for the next request."""
        if answer.status == 304:
            self.version = self.told
        if found := VERSION.findall(answer.text):
            self.version = found[-1]
        self.regions = find_versions(answer.text) or self.regions
        self.tag = answer.headers.get("etag", self.tag)

    async def open_page(self) -> None:
        """Read the whole page, with as many tries as it takes."""
        while True:
            with suppress(*GONE):
                answer = await ask(self.port, "GET", self.path, self.headers())
                if answer.status == 200:
                    self.note(answer)
                    return
            self.times.fail("page")
            await asyncio.sleep(AGAIN)

    async def act(self, **fields: str) -> int:
        """Send a form as the page does; return the status of the answer, 0 without one."""
        headers = self.headers(HX_Request="true", X_Regions=self.regions)
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        started = time.monotonic()
        try:
            answer = await ask(self.port, "POST", self.path, headers, urlencode(fields).encode())
        except GONE:
            self.times.fail("action")
            return 0
        if answer.status < 500:
            self.times.actions.append(time.monotonic() - started)
            self.note(answer)
        else:
            self.times.fail("action")
        return answer.status

    async def listen(self) -> None:
        """Listen to the stream; connect again whenever it breaks."""
        while True:
            with suppress(*GONE):
                await self._hear()
            await asyncio.sleep(AGAIN)

    async def _hear(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        head = f"GET /live/{self.table}/ HTTP/1.1\r\nHost: localhost\r\n"
        writer.write(f"{head}Cookie: sessionid={self.session}\r\n\r\n".encode())
        event = ""
        try:
            if b" 200 " not in await reader.readline():
                self.times.fail("stream")
                return
            self.streams += 1
            while line := await reader.readline():
                if line.startswith(b"event: "):
                    event = line[7:].decode().strip()
                elif line.startswith(b"data: ") and event == "changed":
                    self._hear_stamp(line[6:].decode().strip())
        finally:
            writer.close()

    def _hear_stamp(self, stamp: str) -> None:
        self.told = stamp
        if self.waits_since:
            self.times.told.append(time.monotonic() - self.waits_since)
            self.waits_since = 0.0
        self.bell.set()

    async def look(self) -> None:
        """Read the changed parts whenever the stream reports a change."""
        while True:
            await self.bell.wait()
            self.bell.clear()
            if self.told == self.version:
                continue
            started = time.monotonic()
            headers = self.headers(HX_Request="true", X_Regions=self.regions, If_None_Match=self.tag)
            try:
                answer = await ask(self.port, "GET", self.path, headers)
                if answer.status not in (200, 304):
                    raise ValueError(answer.status)
                self.times.read.append(time.monotonic() - started)
                self.note(answer)
            except GONE:
                self.times.fail("page")
                self.bell.set()
                await asyncio.sleep(AGAIN)


@dataclass
class Table:
    """A table: its people, and the marks of its GM's actions, `answered` or not."""

    people: list[Person]
    answered: set[str] = field(default_factory=set)
    unanswered: set[str] = field(default_factory=set)
    turns: int = 0
    lost_turns: int = 0
    refused: int = 0
    count: int = 0

    @property
    def gm(self) -> Person:
        """The person who acts."""
        return self.people[0]

    def choose(self) -> dict[str, str]:
        """The form of the next action: damage or healing, a note for all, the next turn."""
        self.count += 1
        if self.count % 3 == 0:
            return {"do": "next_turn", "dice": "app"}
        if self.count % 3 == 2:
            return {"do": "note", "text": self.mark, "secret": "false"}
        sign = "-" if self.count % 2 else "+"
        return {
            "do": "adjust",
            "target": "f1",
            "track": "hp",
            "points": "1",
            "sign": sign,
            "reason": self.mark,
        }

    @property
    def mark(self) -> str:
        """A word in the log for the action chosen last."""
        return f"load-{self.gm.table}-{self.count}"

    async def act(self) -> None:
        """Do the next action, and note its mark as answered or not."""
        fields = self.choose()
        status, mark = await self._do(fields), self.mark
        if fields["do"] == "next_turn":
            self.turns, self.lost_turns = self.turns + (status == 200), self.lost_turns + (not status)
        elif status == 200:
            self.answered.add(mark)
        elif status in (0, 500, 502, 503):
            self.unanswered.add(mark)

    async def _do(self, fields: dict[str, str]) -> int:
        started = time.monotonic()
        for person in self.people[1:]:
            person.waits_since = person.waits_since or started
        status = await self.gm.act(**fields)
        if status != 200:
            self.refused += status in range(400, 500)
            for person in self.people:
                person.waits_since = 0.0
        return status

    async def play(self, until: float, every: float, chance: random.Random) -> None:
        """Act about once in this many seconds until a moment; without a pause for 0."""
        await asyncio.sleep(chance.random() * every)
        while time.monotonic() < until:
            began = time.monotonic()
            await self.act()
            await asyncio.sleep(max(0.0, every - (time.monotonic() - began)))


def seat_people(
    made: list[dict[str, object]], kinds: tuple[str, ...], ports: tuple[int, ...], times: Times
) -> Iterator[Table]:
    """The tables of a setting with their people; each table asks one of the ports."""
    for one in made:
        sessions, table = one["sessions"], int(str(one["table"]))
        assert isinstance(sessions, list)
        people = [
            Person(ports[table % len(ports)], table, kind, key, times)
            for kind, key in zip(kinds, sessions, strict=True)
        ]
        yield Table(people)
