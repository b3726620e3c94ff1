"""PostgreSQL and Redis for tests: a database of its own, made and dropped; skipped loudly without them."""

from __future__ import annotations

import secrets
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import psycopg
import pytest
import redis

HOST = "127.0.0.1"
REDIS_URL = f"redis://{HOST}:6379/9"


@cache
def find_postgres() -> str:
    """The name of a user that may create databases; empty without a server."""
    for user in ("postgres", "root"):
        try:
            with psycopg.connect(host=HOST, port=5432, user=user, dbname="test", connect_timeout=3):
                return user
        except psycopg.OperationalError:
            continue
    return ""


@cache
def has_redis() -> bool:
    """Whether a Redis answers."""
    try:
        with redis.Redis.from_url(REDIS_URL, socket_timeout=3) as connection:
            return bool(connection.ping())
    except redis.RedisError:
        return False


def describe_missing() -> str:
    """What is missing, in capitals."""
    found = {"POSTGRESQL": find_postgres(), "REDIS": has_redis()}
    missing = " AND NO ".join(name for name, is_there in found.items() if not is_there)
    return f"!!! NO {missing} AT {HOST}: TESTS OF HOSTED TABLES ARE SKIPPED !!!" if missing else ""


needs_services = pytest.mark.skipif(bool(describe_missing()), reason=describe_missing() or "all is there")


@contextmanager
def make_database() -> Iterator[str]:
    """The address of an empty database, dropped at the end."""
    user, name = find_postgres(), f"table_{secrets.token_hex(6)}"
    with psycopg.connect(host=HOST, user=user, dbname="test", autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        try:
            yield f"postgres://{user}@{HOST}:5432/{name}"
        finally:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


# ---- Services to cut off ----


needs_own_redis = pytest.mark.skipif(not shutil.which("redis-server"), reason="there is no redis-server")


class OwnRedis:
    """A Redis for one test, so that it may be stopped and started."""

    def __init__(self) -> None:
        with socket.create_server((HOST, 0)) as free:
            self.port = free.getsockname()[1]
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://{HOST}:{self.port}/0"

    def start(self) -> None:
        """Start it unless it runs, and wait until it answers."""
        if self.process:
            return
        words = ["redis-server", "--port", str(self.port), "--bind", HOST, "--save", "", "--appendonly", "no"]
        self.process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
        with redis.Redis.from_url(self.url) as connection:
            for _ in range(200):
                try:
                    connection.ping()
                except redis.ConnectionError:
                    time.sleep(0.05)
                else:
                    return
        raise AssertionError("Redis does not start")

    def stop(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None


@contextmanager
def run_redis() -> Iterator[OwnRedis]:
    """A running Redis, stopped at the end."""
    own = OwnRedis()
    own.start()
    try:
        yield own
    finally:
        own.stop()


def cut_off(database: str, *, away: bool) -> None:
    """End and refuse all connections to our database, as if its server were gone, or allow them again."""
    base, _, name = database.rpartition("/")
    with psycopg.connect(f"{base}/test", autocommit=True) as connection:
        connection.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS {str(not away).lower()}')
        if away:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name]
            )
