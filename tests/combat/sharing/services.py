"""PostgreSQL and Redis for tests: a database of its own, made and dropped; skipped loudly without them."""

from __future__ import annotations

import secrets
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
    """The name of a user that may make databases; empty where there is no server."""
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
    """What is not there, in capitals."""
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
