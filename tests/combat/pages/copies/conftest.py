"""The host's copies in a directory of their own, and a table that could restart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User

from combat.backups import back_up
from combat.backups.handover import restarter


@pytest.fixture
def folder(settings: LazySettings, tmp_path: Path) -> Path:
    """Where the copies are."""
    settings.COSMOS_DATA = settings.FILE_UPLOAD_TEMP_DIR = tmp_path
    return tmp_path / "backups"


@pytest.fixture
def copy(folder: Path, transactional_db: None, gm: User) -> Path:
    """A copy made by hand."""
    return back_up()


@pytest.fixture
def stops() -> Iterator[list[str]]:
    """A table that runs by `play`: it notes when it is stopped, and goes on."""
    noted: list[str] = []
    restarter.stop, restarter.wanted, restarter.outcome = lambda: noted.append("stop"), None, None
    yield noted
    restarter.stop = restarter.wanted = restarter.outcome = None
    restarter.closed = False
