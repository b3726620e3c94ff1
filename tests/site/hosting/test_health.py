"""`/healthz` tells the truth."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.db import OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from pytest_django import Settings

from cosmos_site import health
from tests.site.hosting.table import WELL

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh_look() -> None:
    health.check_migrations.cache_clear()


def test_all_is_well(client: Client) -> None:
    answer = client.get("/healthz")
    assert answer.status_code == 200
    assert answer.json() == WELL


def test_missing_migration_is_reported_until_it_is_there(client: Client) -> None:
    recorder = MigrationRecorder(connection)
    (last,) = MigrationLoader(connection).graph.leaf_nodes("characters")
    recorder.record_unapplied(*last)
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json() == {**WELL, "migrations": "failing"}
    recorder.record_applied(*last)
    assert client.get("/healthz").status_code == 200


def test_table_of_another_version_is_reported(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    connection.cursor().execute("ALTER TABLE combat_handout ADD COLUMN hat text")
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json() == {**WELL, "tables": "failing"}
    assert "combat_handout has a column hat too much" in caplog.text


def test_probe_at_the_own_port_needs_no_host_name(client: Client, settings: Settings) -> None:
    """Nothing else is open to a wrong name."""
    settings.ALLOWED_HOSTS, settings.SECURE_SSL_REDIRECT = ["table.example"], True
    for host in ("10.0.0.7:8000", "127.0.0.1", "a b"):
        assert client.get("/healthz", HTTP_HOST=host).status_code == 200
        assert client.get("/healthz/", HTTP_HOST=host, secure=True).status_code == 400
        assert client.get("/", HTTP_HOST=host, secure=True).status_code == 400


def fail() -> None:
    raise ConnectionError("postgres://user:password@host")


@pytest.mark.parametrize(
    ("part", "spoil"),
    [
        ("cache", lambda patch: patch.setattr(cache, "get", lambda key: None, raising=False)),  # forgetful
        ("disk", lambda patch: patch.setattr(health, "MIN_FREE", 10**18)),  # before a write fails
        ("database", lambda patch: patch.setitem(health.CHECKS, "database", fail)),
    ],
)
def test_what_fails_is_named_and_its_cause_stays_in_the_log(
    client: Client, monkeypatch: pytest.MonkeyPatch, part: str, spoil: Callable[[pytest.MonkeyPatch], None]
) -> None:
    spoil(monkeypatch)
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert {name for name, said in answer.json().items() if said == "failing"} == {part}
    assert b"password" not in answer.content


def test_signed_in_person_hears_it_without_the_database(
    client: Client, django_user_model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(django_user_model.objects.create_user("ana"))

    def lose(*args: object, **kwargs: object) -> None:
        raise OperationalError("the database is away")

    client.raise_request_exception = False
    monkeypatch.setattr(connection, "cursor", lose)
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["database"] == "failing"


def test_only_looking_is_allowed(client: Client) -> None:
    assert client.post("/healthz").status_code == 405
