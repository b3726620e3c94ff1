"""The processor time of a request on one of two workers, without network, streams and clients.

`python -m tests.site.load.alone` makes the tables of the load run, and two workers that answer one request at
a time. In each round every table's GM acts once, and the other five read what changed, each from either
worker. It prints the workers' processor time for each kind of request, or their Python calls, which do not
depend on the machine. `--profile FILE` keeps the calls of one worker for pstats.
"""

from __future__ import annotations

import argparse
import cProfile
import io
import os
import pstats
import random
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import redis

from tests.combat.server import set_up
from tests.combat.services import REDIS_URL, describe_missing, make_database
from tests.site.load.people import Answer, Person, Table, Times, read_answer, seat_people
from tests.site.load.setting import KINDS, make_tables

WORKERS, PROFILE = 2, "profile-"


def serve(pipe: Connection, environment: dict[str, str]) -> None:
    """Answer requests from a pipe until it closes, each with its processor seconds; then keep the profile."""
    os.environ |= environment
    import django

    django.setup()
    from django.core.wsgi import get_wsgi_application

    application, profiler = get_wsgi_application(), cProfile.Profile(builtins=False)
    while asked := pipe.recv():
        given, is_counted = asked
        began = time.process_time()
        raw = profiler.runcall(run, application, given) if is_counted else run(application, given)
        pipe.send((raw, time.process_time() - began))
    profiler.dump_stats(f"{environment['COSMOS_DATA']}/{PROFILE}{os.getpid()}")
    pipe.close()


def run(application: Any, environ: dict[str, Any]) -> bytes:
    """The whole answer of a WSGI application, as the network would carry it."""
    head: list[str] = []

    def start(status: str, headers: list[tuple[str, str]], *_: object) -> Callable[[bytes], object]:
        head[:] = [f"HTTP/1.0 {status}", *(f"{name}: {value}" for name, value in headers)]
        return lambda _body: None

    answer = application(
        {**environ, "wsgi.input": io.BytesIO(environ["body"]), "wsgi.errors": sys.stderr}, start
    )
    body = b"".join(answer)
    answer.close()
    return "\r\n".join([*head, "", ""]).encode("latin-1") + body


@dataclass
class Site:
    """The workers, and what their requests cost."""

    pipes: list[Connection]
    is_counted: bool = False
    by_table: bool = False
    costs: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    chance: random.Random = field(default_factory=lambda: random.Random(1))

    def ask(self, kind: str, person: Person, fields: dict[str, str] | None = None) -> Answer:
        """One request of a person to either worker, or to that of the table; they remember the answer."""
        headers = (
            person.headers(HX_Request="true", X_Parts=person.parts) if person.parts else person.headers()
        )
        body = urlencode(fields).encode() if fields else b""
        environ: dict[str, Any] = {
            "REQUEST_METHOD": "POST" if fields else "GET",
            "PATH_INFO": person.path,
            "QUERY_STRING": "",
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "CONTENT_TYPE": "application/x-www-form-urlencoded",
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.url_scheme": "http",
            "body": body,
        }
        environ |= {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
        pipe = self.pipes[person.table % len(self.pipes)] if self.by_table else self.chance.choice(self.pipes)
        pipe.send((environ, self.is_counted))
        raw, seconds = pipe.recv()
        self.costs[kind].append(seconds)
        answer = read_answer(raw)
        assert answer.status in (200, 304), (answer.status, kind, answer.text[:1000])
        person.note(answer)
        return answer

    def play_round(self, tables: list[Table]) -> None:
        """Every GM acts once; after each, the others at the table read."""
        for table in tables:
            fields = table.choose()
            self.ask(f"action {fields['do']}", table.gm, fields)
            for person in table.people[1:]:
                self.ask(f"read {person.kind}", person)

    def describe(self) -> Iterator[str]:
        """The number and the mean of each kind of request, and of all."""
        everything = [each for costs in self.costs.values() for each in costs]
        for kind, costs in {**self.costs, "all": everything}.items():
            yield f"{kind:18} {len(costs):6} requests, {1000 * sum(costs) / len(costs):6.2f} ms each"


@contextmanager
def start_workers(environment: dict[str, str]) -> Iterator[list[Connection]]:
    """Processes that answer requests from pipes."""
    context, pipes, processes = get_context("spawn"), [], []
    for _ in range(WORKERS):
        mine, theirs = context.Pipe()
        processes.append(context.Process(target=serve, args=(theirs, environment)))
        processes[-1].start()
        pipes.append(mine)
    yield pipes
    for pipe, process in zip(pipes, processes, strict=True):
        pipe.send(None)
        process.join(20)


def main() -> int:
    """Run it once and print the costs."""
    asked = argparse.ArgumentParser(prog="python -m tests.site.load.alone", description=__doc__)
    asked.add_argument("--tables", type=int, default=100)
    asked.add_argument("--rounds", type=int, default=6)
    asked.add_argument("--warm", type=int, default=3, help="rounds before, which do not count")
    asked.add_argument("--by-table", action="store_true", help="each table asks the same worker each time")
    asked.add_argument(
        "--calls", action="store_true", help="count Python calls too; the times are then longer"
    )
    asked.add_argument("--most", type=int, default=0, help="with --calls: list the functions that take most")
    options = asked.parse_args()
    if missing := describe_missing():
        sys.stdout.write(f"{missing}\n")
        return 2
    with redis.Redis.from_url(REDIS_URL) as connection:
        connection.flushdb()
    with tempfile.TemporaryDirectory() as name, make_database() as database:
        measure(Path(name), database, options)
    return 0


def measure(folder: Path, database: str, options: argparse.Namespace) -> None:
    """Make the tables, play, and print what it took."""
    made = set_up(folder, DATABASE_URL=database, REDIS_URL=REDIS_URL)
    tables = list(seat_people(make_tables(made, options.tables, folder), KINDS, (0,), Times()))
    environment = {**made.environment, "DJANGO_SETTINGS_MODULE": "cosmos_site.settings"}
    with start_workers(environment) as pipes:
        site = Site(pipes, by_table=options.by_table)
        for table in tables:
            for person in table.people:
                site.ask(f"page {person.kind}", person)
        for _ in range(options.warm):
            site.play_round(tables)
        site.costs.clear()
        site.is_counted = options.calls
        for _ in range(options.rounds):
            site.play_round(tables)
    sys.stdout.write("".join(f"{line}\n" for line in site.describe()))
    if options.calls:
        stats = pstats.Stats(*(str(file) for file in folder.glob(f"{PROFILE}*")))
        calls: int = stats.total_calls  # type: ignore[attr-defined]
        sys.stdout.write(f"{calls / options.rounds / len(tables) / len(KINDS):.0f} Python calls each\n")
        for order in ("tottime", "cumtime") if options.most else ():
            stats.sort_stats(order).print_stats(options.most)


if __name__ == "__main__":
    sys.exit(main())
