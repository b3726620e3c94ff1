"""Break things in the middle of a load run: only the run's own processes and connections."""

from __future__ import annotations

import os
import re
import signal
from contextlib import suppress
from pathlib import Path

import psycopg
import redis

from tests.combat.server import children_of

SOCKET = re.compile(r"socket:\[(\d+)\]")
TICKS = os.sysconf("SC_CLK_TCK")


def find_workers(pid: int) -> list[int]:
    """The workers of a uvicorn with this pid."""
    found = []
    for child in children_of(pid):
        with suppress(OSError):
            if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                found.append(child)
    return found


def kill_worker(pids: list[int]) -> str:
    """End the first of these workers at once, as the kernel does when memory is short."""
    os.kill(pids[0], signal.SIGKILL)
    return "one of two workers killed"


def cut_redis(url: str, pids: list[int]) -> str:
    """End every connection of these processes to Redis; connections of others stay."""
    ports = {port for pid in pids for port in _find_ports(pid)}
    with redis.Redis.from_url(url) as connection:
        clients = [one for one in connection.client_list() if int(one["addr"].rpartition(":")[2]) in ports]
        for client in clients:
            connection.client_kill_filter(_id=client["id"])
    return f"{len(clients)} connections to Redis ended"


def _find_ports(pid: int) -> set[int]:
    """The local ports of all TCP connections of a process."""
    sockets = set()
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):
            if found := SOCKET.match(str(link.readlink())):
                sockets.add(found[1])
    lines = [line.split() for line in Path(f"/proc/{pid}/net/tcp").read_text().splitlines()[1:]]
    return {int(fields[1].rpartition(":")[2], 16) for fields in lines if fields[9] in sockets}


def end_connections(database: str) -> str:
    """End every connection to our own database."""
    base, _, name = database.rpartition("/")
    with psycopg.connect(f"{base}/test", autocommit=True) as connection:
        ended = connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name]
        ).fetchall()
    return f"{len(ended)} connections to PostgreSQL ended"


def find_backends(database: str) -> list[int]:
    """The processes of PostgreSQL that answer our own database."""
    base, _, name = database.rpartition("/")
    with psycopg.connect(f"{base}/test", autocommit=True) as connection:
        rows = connection.execute("SELECT pid FROM pg_stat_activity WHERE datname = %s", [name]).fetchall()
    return [pid for (pid,) in rows]


def count_seconds(pids: list[int]) -> float:
    """The processor seconds used by these processes; ended processes count 0."""
    return sum(_read_seconds(f"/proc/{pid}/stat") for pid in pids)


def count_loop_seconds(pids: list[int]) -> float:
    """The processor seconds used by the first thread of these processes: connections and streams."""
    return sum(_read_seconds(f"/proc/{pid}/task/{pid}/stat") for pid in pids)


def _read_seconds(path: str) -> float:
    """The processor seconds that a file of the kernel states; 0 for an ended process."""
    with suppress(OSError):
        fields = Path(path).read_text().rpartition(") ")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS
    return 0.0


def count_megabytes(pids: list[int]) -> list[float]:
    """The memory of each process."""
    found = []
    for pid in pids:
        with suppress(OSError):
            status = Path(f"/proc/{pid}/status").read_text()
            if rss := re.search(r"VmRSS:\s+(\d+) kB", status):
                found.append(int(rss[1]) / 1024)
    return found
