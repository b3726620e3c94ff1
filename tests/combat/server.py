"""Real servers for tests, guests with a minimal browser, and listeners for many live streams at once."""

from __future__ import annotations

import asyncio
import http.client
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from cosmos_site.base.outside import LOCAL_HOSTS
from tests.site.hosting.table import KEY, PATIENCE, ROOT, make_environment, manage, prepare_data, soon

PORT = re.compile(r"running on http://127\.0\.0\.1:(\d+)")
SECRET = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')
VERSION = re.compile(r'data-version="(\w+)"')


# ---- Servers ----


@dataclass
class Server:
    """A running uvicorn."""

    process: subprocess.Popen[str]
    lines: list[str] = field(default_factory=list)
    port: int = 0

    def listen(self) -> None:
        """Collect what it prints."""
        assert self.process.stdout
        self.lines.extend(self.process.stdout)

    def wait_until_open(self, seconds: float = PATIENCE) -> None:
        deadline = time.monotonic() + seconds
        while not (found := PORT.search("".join(self.lines))):
            assert self.process.poll() is None, "".join(self.lines)
            assert time.monotonic() < deadline, "".join(self.lines)
            time.sleep(0.05)
        self.port = int(found[1])

    def stop(self, number: int = signal.SIGTERM) -> float:
        """Stop it; return the seconds that took."""
        started = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(PATIENCE)
        return time.monotonic() - started

    def measure(self) -> tuple[float, int]:
        """Its memory in MB and its number of threads."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        memory = re.search(r"VmRSS:\s+(\d+) kB", status)
        threads = re.search(r"Threads:\s+(\d+)", status)
        assert memory
        assert threads
        return int(memory[1]) / 1024, int(threads[1])


@dataclass(frozen=True)
class Site:
    """A table that is set up: its environment, and its GM's sign-in link."""

    environment: dict[str, str]
    link: str

    def beside(self, folder: Path) -> Site:
        """The same table on SQLite for a second worker, which finds it by an address: hosts have one."""
        file = Path(self.environment["COSMOS_DATA"]) / "table.sqlite3"
        own = {"COSMOS_DATA": str(folder), "DATABASE_URL": f"sqlite:///{file}"}
        return Site({**self.environment, **own}, self.link)

    @contextmanager
    def serve(self, port: int = 0, habits: str = "") -> Iterator[Server]:
        """Start one more worker for it, on this port or on one of its own, with other options."""
        words = [
            "-c",
            f"{habits}\nimport uvicorn; uvicorn.main()",
            "cosmos_site.asgi:application",
            "--port",
            str(port),
            "--lifespan",
            "on",
            "--ws",
            "none",
        ]
        words += ["--timeout-graceful-shutdown", "2", "--no-access-log"]
        with self.start(words, _end) as server:
            yield server

    @contextmanager
    def start(self, words: list[str], end: Callable[[subprocess.Popen[str]], None]) -> Iterator[Server]:
        """Start Python with these arguments to serve it; call `end` when the process has ended."""
        with subprocess.Popen(
            [sys.executable, *words],
            cwd=ROOT,
            env=make_environment(**self.environment),
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        ) as process:
            server = Server(process)
            reader = threading.Thread(target=server.listen)
            reader.start()
            try:
                server.wait_until_open()
                yield server
            finally:
                end(process)
                reader.join()


def _end(process: subprocess.Popen[str]) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    process.wait()


SET_UP = """
from django.contrib.auth.models import User
from django.core.management import call_command
from characters.accounts.users import make_gm, make_sign_in_link
from combat.play.demo import make_demo_fight
call_command("migrate", verbosity=0)
gm = make_gm("gm")
make_demo_fight(gm, "cosmos")
way_in = make_sign_in_link(gm)
"""
SAY_LINK = """
print("/sign-in/" + way_in + "/")
"""


HOSTS = ",".join(LOCAL_HOSTS)


def set_up(folder: Path, then: str = "", **environment: str) -> Site:
    """Migrate, make a GM, a demo fight and what a script makes, in one process; share the static files."""
    environment |= {"COSMOS_DATA": str(folder), "COSMOS_SECRET_KEY": KEY, "COSMOS_LOG_LEVEL": "ERROR"}
    environment |= {"COSMOS_STATIC_ROOT": str(prepare_data() / "static")}
    environment = {"COSMOS_HOSTS": HOSTS, **environment}
    done = manage("shell", "--no-imports", "-c", SET_UP + then + SAY_LINK, **environment)
    assert done.returncode == 0, done.stderr
    return Site(environment, done.stdout.split()[-1])


def copy_site(folder: Path, **environment: str) -> Site:
    """The same on SQLite, without a script: a copy of what was made once in this process."""
    made = prepare_data()
    shutil.copy(made / "fight", folder / "table.sqlite3")
    environment |= {"COSMOS_DATA": str(folder), "COSMOS_SECRET_KEY": KEY, "COSMOS_LOG_LEVEL": "ERROR"}
    environment = {"COSMOS_HOSTS": HOSTS, "COSMOS_STATIC_ROOT": str(made / "static"), **environment}
    return Site(environment, (made / "link").read_text())


# ---- Guests ----


class Guest:
    """A minimal browser: cookies and forms. It may talk to any worker, or by one way that stays open."""

    def __init__(self, port: int, way: http.client.HTTPConnection | None = None, **headers: str) -> None:
        self.port, self.way, self.headers = port, way, headers
        self.cookies: dict[str, str] = {}
        self.secure: set[bool] = set()  # whether the cookies so far were for https alone
        self.pages = threading.local()  # several threads may act for one guest

    @property
    def page(self) -> str:
        """The last page that this thread got."""
        return getattr(self.pages, "last", "")

    @property
    def heads(self) -> http.client.HTTPMessage:
        """The headers of the last answer that this thread got."""
        return getattr(self.pages, "heads", http.client.HTTPMessage())

    @property
    def leads(self) -> str:
        """The redirect of that answer."""
        return self.heads.get("Location", "")

    @property
    def cookie(self) -> str:
        """The header with the cookies."""
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def ask(self, method: str, path: str, body: bytes | None = None, port: int = 0, **headers: str) -> int:
        """Send a request; keep its page."""
        way = self.way or http.client.HTTPConnection("127.0.0.1", port or self.port, timeout=PATIENCE)
        form = {} if body is None else {"Content-Type": "application/x-www-form-urlencoded"}
        headers = {**self.headers, **form, **headers, "Cookie": self.cookie}
        try:
            way.request(method, path, body, headers)
            answer = way.getresponse()
            for cookie in answer.headers.get_all("Set-Cookie", []):
                name, _, value = cookie.partition(";")[0].partition("=")
                self.cookies[name] = value
                self.secure.add("secure" in cookie.lower())
            self.pages.last = answer.read().decode(errors="replace")
            self.pages.heads = answer.headers
            return answer.status
        finally:
            if not self.way:
                way.close()

    def get(self, path: str, port: int = 0, **headers: str) -> int:
        """Open a page."""
        return self.ask("GET", path, None, port, **headers)

    def fill(self, **fields: str) -> bytes:
        """A form of the page they have, filled in."""
        secret = SECRET.search(self.page)
        assert secret, self.page[:3000]
        return urlencode({"csrfmiddlewaretoken": secret[1], **fields}).encode()

    def post(self, path: str, form: str = "", port: int = 0, **fields: str) -> int:
        """Send a form of a page: the one at `form`, or at the same address."""
        self.get(form or path, port)
        return self.ask("POST", path, self.fill(**fields), port)

    def version(self, table: str, port: int = 0) -> str:
        """The version that the table states."""
        assert self.get(table, port) == 200
        found = VERSION.search(self.page)
        assert found
        return found[1]


def sign_in(port: int, link: str) -> Guest:
    """The game master."""
    gm = Guest(port)
    assert gm.post(link) == 302
    return gm


def invite(gm: Guest, table: str, kind: str, **limits: str) -> str:
    """The address of a fresh link."""
    assert gm.post(f"{table}share/", port=0, do="make", kind=kind, name=kind, **limits) == 302
    assert gm.get(gm.leads.partition("#")[0]) == 200
    found = re.search(r'value="https?://[^/]+((?:/\w+)?/join/[\w-]+/)"', gm.page)
    assert found, gm.page
    return found[1]


def come(gm: Guest, table: str, kind: str, name: str, combatant: str = "") -> Guest:
    """A guest who has followed a fresh link."""
    guest = type(gm)(gm.port)
    assert guest.post(invite(gm, table, kind), name=name, combatant=combatant) == 302, guest.page
    return guest


# ---- Ears ----


@dataclass
class Ear:
    """An open stream: its events with their times, and its status."""

    port: int
    path: str
    cookie: str
    status: int = 0
    heard: list[tuple[str, str, float]] = field(default_factory=list)
    open: bool = False
    connects: int = 0

    @property
    def stamps(self) -> list[str]:
        """The received stamps, in order."""
        return [data for event, data, _ in self.heard if event == "changed"]

    @property
    def last(self) -> str:
        """The newest."""
        return self.stamps[-1] if self.stamps else ""

    async def listen(self, ports: list[int] | None = None) -> None:
        """Read events; with `ports`, connect to the next of them whenever the stream breaks."""
        others = list(ports or [])
        while True:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                await self._hear()
            self.open = False
            if not others:
                return
            self.port = others.pop(0)

    async def _hear(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        head = f"GET {self.path} HTTP/1.1\r\nHost: localhost\r\nCookie: {self.cookie}\r\n\r\n"
        writer.write(head.encode())
        try:
            self.status = int((await reader.readline()).split()[1])
            self.connects += 1
            self.open, event = self.status == 200, ""
            while line := await reader.readline():
                word, _, value = line.decode().strip().partition(": ")
                if word == "0":  # the last, empty chunk
                    return
                if word == "event":
                    event = value
                elif word == "data" and event != "beat":
                    self.heard.append((event, value, time.monotonic()))
        finally:
            self.open = False
            writer.close()


class Ears:
    """Many listeners in one thread."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.ears: list[Ear] = []
        self.listening: list[Future[None]] = []  # keep a reference: a loop holds its tasks weakly

    def __enter__(self) -> Ears:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        async def stop() -> None:
            tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(stop(), self.loop).result(PATIENCE)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    def add(self, guest: Guest, path: str, port: int = 0, ports: list[int] | None = None) -> Ear:
        """Open a stream as a guest; return once it has its first event, or was refused."""
        ear = Ear(port or guest.port, path, guest.cookie)
        self.ears.append(ear)
        self.listening.append(asyncio.run_coroutine_threadsafe(ear.listen(ports), self.loop))
        return ear


def wait_for(what: object, seconds: float = 15) -> float:
    """Wait until something is true, longer on a busy machine; return the seconds it took.

    It looks less often the longer it takes: to look may cost a page.
    """
    started = time.monotonic()
    assert callable(what)
    while not what():
        waited = time.monotonic() - started
        assert waited < soon(seconds), f"still not so after {soon(seconds):.0f} s"
        time.sleep(min(0.01 + waited / 10, 0.2))
    return time.monotonic() - started


def children_of(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in found]
