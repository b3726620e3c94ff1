"""`/healthz` tells the truth."""

from typing import Any

import pytest
from django.core.cache import cache
from django.db import OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from cosmos_site import health

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh_look() -> None:
    health.check_migrations.cache_clear()


def test_all_is_well(client: Client) -> None:
    answer = client.get("/healthz")
    assert answer.status_code == 200
    assert answer.json() == {"database": "ok", "cache": "ok", "migrations": "ok", "live": "ok", "disk": "ok"}


def test_missing_migration_is_reported_until_it_is_there(client: Client) -> None:
    recorder = MigrationRecorder(connection)
    (last,) = MigrationLoader(connection).graph.leaf_nodes("characters")
    recorder.record_unapplied(*last)
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json() == {
        "database": "ok",
        "cache": "ok",
        "migrations": "failing",
        "live": "ok",
        "disk": "ok",
    }
    recorder.record_applied(*last)
    assert client.get("/healthz").status_code == 200


def test_forgetful_cache_is_reported(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "get", lambda key: None, raising=False)
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["cache"] == "failing"


def test_full_disk_is_reported_before_a_write_fails(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "MIN_FREE", 10**18)
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["disk"] == "failing"


def test_causes_stay_in_the_log(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise ConnectionError("postgres://user:password@host")

    monkeypatch.setitem(health.CHECKS, "database", fail)
    answer = client.get("/healthz")
    assert answer.json()["database"] == "failing"
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
