"""A real table for tests: `manage.py play` in its own process, with its own data."""

import atexit
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from django.core.files import locks

from combat.rules.core.basics.release import RELEASE

ROOT = Path(__file__).resolve().parents[3]
ABSENT = Path(__file__).with_name("absent")  # packages of these checks that no table has
KEY = "x" * 60
PATIENCE = 120  # seconds for immediate things, even on a busy machine
LINK = re.compile(r"https?://localhost:\d+(/sign-in/[\w-]+/)")


WELL = {"release": RELEASE}
WELL |= dict.fromkeys(("database", "cache", "migrations", "tables", "live", "disk"), "ok")
ALL_IS_WELL = json.dumps(WELL)  # the answer of /healthz


def soon(seconds: float) -> float:
    """This many seconds; more where the machine is overloaded."""
    return seconds * max(1.0, 2 * os.getloadavg()[0] / (os.cpu_count() or 1))


def make_environment(**more: str) -> dict[str, str]:
    """The environment of a person who has set no variable and installed only what the program needs."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COSMOS_", "DJANGO_"))}
    for name in ("DATABASE_URL", "REDIS_URL"):
        kept.pop(name, None)
    return kept | {"PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8", "PYTHONPATH": str(ABSENT)} | more


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
        found = re.search(r"https?://localhost:(\d+)/", self.said)
        assert found, self.said
        return int(found[1])

    @property
    def link(self) -> str:
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


PREPARE = """
import sqlite3
from contextlib import closing
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from characters.accounts.users import find_or_make_gm
from characters.accounts.users import make_sign_in_link
from combat.play.demo import ensure_demo, make_demo_fight
from cosmos_site.bundles.finder import collect
call_command("migrate", verbosity=0)
collect()
gm = find_or_make_gm()
for name in ("--no-demo", "fight", "demo"):
    if name == "fight":
        make_demo_fight(gm, "cosmos")
        (settings.COSMOS_DATA / "link").write_text(f"/sign-in/{make_sign_in_link(gm)}/")
    if name == "demo":
        ensure_demo(gm)
    connection.cursor().execute("VACUUM INTO %s", [str(settings.COSMOS_DATA / name)])
    with closing(sqlite3.connect(settings.COSMOS_DATA / name)) as copy:
        copy.execute("PRAGMA journal_mode = WAL")
"""


SHARED = "TABLE_FOR_TESTS"  # the variable that names the directory below to all workers of a run


def share_data() -> None:
    """Let this process, and those that it starts from now on, prepare the data of a table once for all."""
    folder = os.environ[SHARED] = tempfile.mkdtemp(prefix="cosmos-table-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)


@cache
def prepare_data() -> Path:
    """A directory with the data of a table that was open before: key, static files, and three databases.

    They hold a GM and no fight; one demo fight and the sign-in link in `link`; all demo fights.
    """
    if SHARED not in os.environ:
        share_data()
    folder = Path(os.environ[SHARED])
    with (folder / "lock").open("w") as lock:
        locks.lock(lock, locks.LOCK_EX)
        if not (folder / "ready").exists():
            (folder / "secret-key").write_text(KEY)
            (folder / "secret-key").chmod(0o600)
            done = manage("shell", "--no-imports", "-c", PREPARE, COSMOS_DATA=str(folder))
            assert done.returncode == 0, done.stderr
            (folder / "ready").touch()
    return folder


# `play` with other habits, which are set before it starts
STRANGE = """
import sys
from cosmos_site.cli import run
from cosmos_site.launch import prepare_environment
prepare_environment(sys.argv)
import django
django.setup()
{}
run(sys.argv)
"""


def play_with(habits: str) -> tuple[str, str]:
    """The program of a table with other habits."""
    return "-c", STRANGE.format(habits)


def copy_data(folder: Path, kind: str = "--no-demo") -> Path:
    """Put the data of a table that was open before into a directory; return its database."""
    place, made = folder / "table.sqlite3", prepare_data()
    copy_static_files(folder)
    shutil.copy(made / "secret-key", folder)
    shutil.copy(made / kind, place)
    return place


def copy_static_files(folder: Path) -> None:
    """Put the static files of such a table there: they need not be collected again."""
    for name in ("static", "bundles"):
        shutil.copytree(prepare_data() / name, folder / name)


@contextmanager
def open_again(
    folder: Path, *options: str, program: tuple[str, ...] = ("manage.py",), kind: str = ""
) -> Iterator[Table]:
    """Start a table that was open before: a first start takes twice as long, and few tests are about it."""
    copy_data(folder, kind or ("--no-demo" if "--no-demo" in options else "demo"))
    with open_table(folder, *options, program=program) as table:
        yield table


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
