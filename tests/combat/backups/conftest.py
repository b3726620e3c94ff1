"""A used table, and a backup of it, on each engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from pytest_django import DjangoDbBlocker

from combat.backups import postgres, schema
from tests.combat.backups.store import KINDS, PORTRAIT, SUFFIX, THE_REST, Store, make_store
from tests.combat.server import Site, set_up
from tests.combat.services import describe_missing

Used = tuple[Store, Site, Path]


@contextmanager
def use(kind: str, folder: Path) -> Iterator[Used]:
    """A table with a row in every database table, where people have followed links, and a backup of it."""
    with make_store(kind, folder) as store:
        more = {"DATABASE_URL": store.database} if store.database else {}
        file = store.folder / f"kept{SUFFIX[kind]}"
        site = set_up(store.folder, PORTRAIT + THE_REST + f'call_command("backup", {str(file)!r})', **more)
        yield store, site, file


@pytest.fixture(autouse=True)
def unblocked(django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The commands of a store run in this process, on its own database."""
    with django_db_blocker.unblock():
        yield


def later_is_known() -> bool:
    """Whether a test plays a later release, with migrations of its own."""
    return bool(settings.MIGRATION_MODULES)


@pytest.fixture(scope="session", autouse=True)
def built_again() -> Iterator[None]:
    """Note what migrations do when a PostgreSQL is restored, and repeat it for others with the same ones.

    Restores in processes of their own migrate.
    """
    build, noted = schema.build, dict[frozenset[Any], list[tuple[str, Any]]]()

    def build_again(migrations: Any = None) -> None:
        if migrations is None or later_is_known():
            build(migrations)
        elif known := noted.get(frozenset(map(tuple, migrations))):
            with connection.cursor() as cursor:
                for sql, given in known:
                    cursor.execute(sql, given)
        else:
            done = list[tuple[str, Any]]()

            def note(execute: Callable[..., Any], sql: str, given: Any, many: bool, context: Any) -> Any:
                done.append((sql, given))
                return execute(sql, given, many, context)

            with connection.execute_wrapper(note):
                build(migrations)
            noted[frozenset(map(tuple, migrations))] = done

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(postgres, "build", build_again)
        yield


@pytest.fixture(scope="session")
def used_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Used]:
    with use("sqlite", tmp_path_factory.mktemp("used")) as used:
        yield used


@pytest.fixture(scope="session")
def used_postgresql(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Used]:
    if describe_missing():
        pytest.skip(describe_missing())
    with use("postgresql", tmp_path_factory.mktemp("used")) as used:
        yield used


@pytest.fixture(params=KINDS)
def used(request: pytest.FixtureRequest) -> Used:
    """The used table, on either engine."""
    found: Used = request.getfixturevalue(f"used_{request.param}")
    return found


@pytest.fixture
def store(used: Used) -> Store:
    """The data of that table."""
    return used[0]


@pytest.fixture
def backup(used: Used) -> Path:
    """A backup of it."""
    return used[2]


@pytest.fixture
def sqlite_backup(used_sqlite: Used) -> Path:
    """A backup of the table on SQLite."""
    return used_sqlite[2]


@pytest.fixture
def postgres_store(used_postgresql: Used) -> Store:
    """The data of the table on PostgreSQL."""
    return used_postgresql[0]


@pytest.fixture
def postgres_backup(used_postgresql: Used) -> Path:
    """A backup of it."""
    return used_postgresql[2]
