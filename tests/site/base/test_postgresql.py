"""Connections to PostgreSQL: a quiet one is kept without a query, a lost one is noticed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from unittest.mock import patch

import dj_database_url
import psycopg
import pytest
from django.db.utils import ConnectionHandler

from cosmos_site.base.database.postgresql.base import DatabaseWrapper
from tests.combat.services import make_database, needs_services

pytestmark = [needs_services, pytest.mark.django_db]
PATIENCE = 10  # seconds until the end of a connection has reached this machine
ASK = "django.db.backends.postgresql.base.DatabaseWrapper.is_usable"  # by a query


@pytest.fixture
def connection() -> Iterator[DatabaseWrapper]:
    """A connection to a database of its own."""
    with make_database() as address:
        found = {**dj_database_url.parse(address), "ENGINE": "cosmos_site.base.database.postgresql"}
        made = ConnectionHandler({"default": found})["default"]
        assert isinstance(made, DatabaseWrapper)
        made.connect()
        yield made
        made.close()


def ask(connection: DatabaseWrapper, sql: str) -> int:
    """The number that a query finds."""
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return int(cursor.fetchone()[0])


def test_a_quiet_connection_is_kept_without_a_query(connection: DatabaseWrapper) -> None:
    assert ask(connection, "SELECT 1") == 1
    with patch(ASK, side_effect=AssertionError("a query")):
        assert connection.is_usable()


def test_a_word_of_the_server_is_looked_into(connection: DatabaseWrapper) -> None:
    with connection.cursor() as cursor:
        cursor.execute("LISTEN word")
    with psycopg.connect(connection.connection.info.dsn, autocommit=True) as other:
        other.execute("NOTIFY word")
    with patch(ASK, return_value=True) as asked:
        deadline = time.monotonic() + PATIENCE
        while not asked.called:
            assert time.monotonic() < deadline
            assert connection.is_usable()
    assert connection.is_usable(), "it was no last word"


def test_a_lost_connection_is_noticed(connection: DatabaseWrapper) -> None:
    number = ask(connection, "SELECT pg_backend_pid()")
    with psycopg.connect(connection.connection.info.dsn, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [number])
    deadline = time.monotonic() + PATIENCE
    while connection.is_usable():
        assert time.monotonic() < deadline
    connection.close()
    assert not connection.is_usable(), "there is none"
    assert ask(connection, "SELECT pg_backend_pid()") != number
