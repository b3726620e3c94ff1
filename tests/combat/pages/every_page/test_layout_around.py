"""No page around a table has what `test_layout.py` looks for at the table."""

from __future__ import annotations

from django.contrib.auth.models import User
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests.tools.layout.pages import World
from tests.tools.layout.windows import check_windows


def test_pages_in_their_windows(
    live_server: LiveServer, page: Page, transactional_db: None, gm: User
) -> None:
    check_windows(page, live_server.url, gm, World.list_around)
