"""The lines of the log's own page: drawn once for all who read the same, and for nobody else."""

from __future__ import annotations

from playwright.sync_api import Page as Browser

from combat.models import Encounter
from combat.play.writing.undoing import undo
from tests.combat.cast import Cast
from tests.combat.markup import Page
from tests.combat.visit import DEMO, play, read


def find_offers(page: Page) -> int:
    """How many steps of a log offer a branch."""
    return len(page.all("a", class_="log-branch"))


def test_log_offers_a_branch_after_an_undone_step_to_gms_only(cast: Cast, started: Encounter) -> None:
    """Each reads the lines of the same steps, the GM first: what was drawn for them is not for others."""
    play(started.pk, DEMO.script[1:2])
    address = f"/encounters/{started.pk}/log/"
    before = {role: find_offers(read(cast[role].get(address))) for role in ("gm", "co_gm", "player")}
    undo(started.pk, by="gm")
    pages = {role: read(cast[role].get(address)) for role in ("gm", "co_gm", "player", "watcher")}
    after = {role: find_offers(page) for role, page in pages.items()}
    assert all("attacks Pirate" in page.one("div", id="log-body").text for page in pages.values())
    assert after["gm"] == after["co_gm"] == before["gm"] + 1 == before["co_gm"] + 1  # the undoing is a step
    assert after["player"] == before["player"] - 1 > 0
    assert after["watcher"] == 0


def test_log_fills_wide_paper(visitor: Browser, address: str, started: Encounter) -> None:
    visitor.set_viewport_size({"width": 1123, "height": 794})
    visitor.goto(f"{address}log/")
    visitor.emulate_media(media="print")
    assert visitor.locator(".log-main").evaluate("e => e.clientWidth") > 1000
