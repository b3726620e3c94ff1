"""A real table for tests: `manage.py play` in its own process, with its own data."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 120  # seconds for immediate things, even on a busy machine
LINK = re.compile(r"https?://localhost:\d+(/sign-in/[\w-]+/)")


def soon(seconds: float) -> float:
    """This many seconds; more where the machine is overloaded."""
    return seconds * max(1.0, 2 * os.getloadavg()[0] / (os.cpu_count() or 1))


def make_environment(**more: str) -> dict[str, str]:
    """The environment of a person who has set no variable."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COSMOS_", "DJANGO_"))}
    for name in ("DATABASE_URL", "REDIS_URL"):
        kept.pop(name, None)
    return kept | {"PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"} | more


def manage(*words: str, before: Sequence[str] = (), **environment: str) -> subprocess.CompletedProcess[str]:
    """Run one management command to its end, through another program if one is named."""
    return subprocess.run(
        [*before, sys.executable, "manage.py", *words],
        cwd=ROOT,
        env=make_environment(**environment),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


@dataclass
class Table:
    """A running table."""

    process: subprocess.Popen[str]
    lines: list[str] = field(default_factory=list)

    @property
    def said(self) -> str:
        """All output so far."""
        return "".join(self.lines)

    @property
    def port(self) -> int:
        """The address it listens on."""
        found = re.search(r"https?://localhost:(\d+)/", self.said)
        assert found, self.said
        return int(found[1])

    @property
    def link(self) -> str:
        """The path of the printed sign-in link."""
        found = LINK.search(self.said)
        assert found, self.said
        return found[1]

    def listen(self) -> None:
        """Collect its output."""
        assert self.process.stdout
        self.lines.extend(self.process.stdout)

    def wait_until_open(self, seconds: float = PATIENCE) -> None:
        """Wait for the last line of the welcome."""
        deadline = time.monotonic() + seconds
        while "Stop with Ctrl-C" not in self.said:
            assert self.process.poll() is None, self.said
            assert time.monotonic() < deadline, self.said
            time.sleep(0.05)

    def interrupt(self) -> tuple[int, float]:
        """Press Ctrl-C; return the exit code and the seconds it took."""
        started = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(PATIENCE)
        return code, time.monotonic() - started

    def connect(self) -> socket.socket:
        """A plain connection."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)


@contextmanager
def open_table(
    folder: Path, *options: str, program: tuple[str, ...] = ("manage.py",), settings: str = ""
) -> Iterator[Table]:
    """Start a table with its data in `folder`, on a free port unless an option says otherwise."""
    environment = make_environment(**({"DJANGO_SETTINGS_MODULE": settings} if settings else {}))
    words = [sys.executable, *program, "play", "--data", str(folder), "--port", "0", *options]
    with watch_table(words, ROOT, environment) as table:
        yield table


@contextmanager
def watch_table(words: list[str], where: Path, environment: dict[str, str]) -> Iterator[Table]:
    """Start a table by a command, wait until it is open, and end it."""
    with subprocess.Popen(
        words, cwd=where, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        table = Table(process)
        listener = threading.Thread(target=table.listen)
        listener.start()
        try:
            table.wait_until_open()
            yield table
        finally:
            process.kill()
            process.wait()
            listener.join()
