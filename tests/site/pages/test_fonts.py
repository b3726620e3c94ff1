"""Two open typefaces that we serve: small, with their licenses, and a plain font as an alternative."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

ROOT = Path(__file__).parents[3]
FONTS = ROOT / "static" / "fonts"
SHEET = (ROOT / "static/css/page/cosmos.css").read_text("utf-8")
FACES = ("oxanium", "atkinson-hyperlegible-next")
KIB = 1024


def test_fonts_weigh_little() -> None:
    files = list(FONTS.glob("*.woff2"))
    assert len(files) == 4
    assert sum(path.stat().st_size for path in files) <= 120 * KIB


def test_each_font_has_its_license_and_is_credited() -> None:
    notice = (ROOT / "NOTICE").read_text("utf-8")
    for face in FACES:
        text = (FONTS / f"{face}-LICENSE.txt").read_text("utf-8")
        assert "SIL OPEN FONT LICENSE Version 1.1" in text
        assert face.replace("-", " ").title() in " ".join(notice.split())


def test_the_sheet_uses_every_font_and_no_other() -> None:
    used = set(re.findall(r"url\(\.\./\.\./fonts/([\w.-]+)\)", SHEET))
    assert used == {path.name for path in FONTS.glob("*.woff2")}


def family(page: Page, element: str = "h1") -> str:
    """The font of an element as the browser computes it."""
    return str(page.locator(element).first.evaluate("e => getComputedStyle(e).fontFamily"))


def test_plain_font_is_kept(live_server: LiveServer, page: Page) -> None:
    page.goto(live_server.url)
    page.evaluate("document.fonts.ready")
    assert page.evaluate("document.fonts.check('600 20px Oxanium')")
    assert "Oxanium" in family(page)
    page.get_by_role("button", name="Plain font").click()
    assert family(page).startswith("system-ui")
    page.reload()
    assert family(page).startswith("system-ui")
    page.get_by_role("button", name="Table font").click()
    assert "Oxanium" in family(page)
    expect(page.get_by_role("button", name="Plain font")).to_be_visible()
