"""No page has texts on each other, weak contrast, small text or targets, or parts beyond its window."""

from __future__ import annotations

import os
from pathlib import Path

from django.contrib.auth.models import User
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer
from zeal import zeal_ignore

from tests.tools.layout.looking import look_at
from tests.tools.layout.pages import WHOLE, Look, Place, World, take_turns


def choose(world: World, wanted: str) -> list[tuple[Place, list[Look]]]:
    """All windows for “all” pages or those named, with slashes between; one or two for each otherwise."""
    if not wanted:
        return take_turns(world.list_tables(), world.list_site())
    named = wanted.split("/")
    return [(place, WHOLE) for place in world.list_places() if wanted == "all" or place.name in named]


def test_every_page_in_its_windows(
    live_server: LiveServer, page: Page, transactional_db: None, gm: User
) -> None:
    """Each in one or two windows, in turn all of them; `python -m tests.tools.layout` takes all for each."""
    with zeal_ignore():
        world = World(gm)
        rows = choose(world, os.environ.get("LAYOUT_PAGES", ""))
        found = look_at(page, live_server.url, world, rows)
    if report := os.environ.get("LAYOUT_REPORT"):
        Path(report).write_text("".join(f"{finding}\t{finding.reason}\n" for finding in found), "utf-8")
    assert [str(finding) for finding in found if not finding.reason] == []
