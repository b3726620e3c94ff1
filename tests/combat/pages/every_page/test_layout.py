"""No table has texts on each other, weak contrast, small text or targets, or parts beyond its window.

Nor beyond the window of a phone where letters are twice as large. Other pages have files of their own beside
this one, so that workers share them.
"""

from __future__ import annotations

from django.contrib.auth.models import User
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests.tools.layout.looking import measure
from tests.tools.layout.pages import Look, Place, World
from tests.tools.layout.windows import check_windows


def test_tables_in_their_windows(
    live_server: LiveServer, page: Page, transactional_db: None, gm: User
) -> None:
    check_windows(page, live_server.url, gm, World.list_tables)


ON_A_PICTURE = """<body style="background: #000; color: #fff"><div style="position: relative; height: 9rem">
    <svg width="400" height="144" style="position: absolute; inset: 0"><pattern id="p" width="12" height="12"
      patternUnits="userSpaceOnUse"><path d="M0 0H6V12H0z" fill="#555"/></pattern>
      <rect width="400" height="144" fill="url(#p)"/></svg>
    <p style="position: absolute; margin: 0; inset: 2rem auto auto 1rem; font: 16px sans-serif; {shade}">
      A hall of pillars</p>
  </div></body>"""


def test_words_on_a_picture_need_a_shade(page: Page) -> None:
    """White on dark stripes has contrast enough everywhere, but is restless to read."""
    place, look = Place("pillars", "nobody", ""), Look(1440, 900, "dark")
    page.set_content(ON_A_PICTURE.format(shade=""))
    assert [one.kind for one in measure(page, place, look)] == ["bare picture"]
    page.set_content(ON_A_PICTURE.format(shade="background: rgb(0 0 0 / 0.8)"))
    assert [str(one) for one in measure(page, place, look)] == []
