"""Look at pages in their windows, and fail if anything is found."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from django.contrib.auth.models import User
from playwright.sync_api import Page
from zeal import zeal_ignore

from tests.tools.layout.looking import look_at, look_at_wide
from tests.tools.layout.pages import WHOLE, Look, Place, World, take_turns


def check_windows(page: Page, address: str, gm: User, list_places: Callable[[World], list[Place]]) -> None:
    """Look at each page in one or two windows, in turn all of them.

    `python -m tests.tools.layout` takes all windows for each page that it names.
    """
    with zeal_ignore():
        world = World(gm)
        rows = choose(world, list_places(world), os.environ.get("LAYOUT_PAGES", ""))
        found = look_at(page, address, world, rows)
        if list_places is World.list_site:
            found += look_at_wide(page, address, world)
    if report := os.environ.get("LAYOUT_REPORT"):
        with Path(report).open("a", encoding="utf-8") as file:
            file.writelines(f"{finding}\t{finding.reason}\n" for finding in found)
    assert [str(finding) for finding in found if not finding.reason] == []


def choose(world: World, among: list[Place], wanted: str) -> list[tuple[Place, list[Look]]]:
    """Pages with their windows: all for those named, with slashes between, or for “all”; else one or two."""
    if not wanted:
        return [row for row in take_turns(world.list_fights(), world.list_site()) if row[0] in among]
    named = wanted.split("/")
    return [(place, WHOLE) for place in among if wanted == "all" or place.name in named]
