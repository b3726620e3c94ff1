"""Servers for live pages, each for the tests of one file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.combat.server import Ears, Server, Site, copy_site
from tests.combat.services import make_database


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A table of one process, on SQLite."""
    return copy_site(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def server(site: Site) -> Iterator[Server]:
    with site.serve() as running:
        yield running


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    """An empty database of PostgreSQL."""
    with make_database() as address:
        yield address


@pytest.fixture
def ears() -> Iterator[Ears]:
    with Ears() as listening:
        yield listening
