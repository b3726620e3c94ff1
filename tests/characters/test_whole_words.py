"""Words are whole: on narrow pages of characters, and on paper."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from characters.games import plan_of
from characters.services.character_service import create
from combat.rules import SYSTEMS, find_system
from combat.rules.core.sheets.sheets import blank_draft
from tests.browser import sign_in

PAPER = {"width": 718, "height": 1000}  # A4 within its margins
# Words of at most 20 letters on two lines, but where the browser hyphenates
CUT = """() => {
  const cut = [], range = document.createRange();
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode, e = node.parentElement;
    if (!e.checkVisibility({ visibilityProperty: true }) || e.closest(".vh, script")) continue;
    for (const { 0: word, index } of node.data.matchAll(/[\\p{L}\\d]{2,20}/gu)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const tops = [...range.getClientRects()].map((box) => Math.round(box.top));
      if (new Set(tops).size > 1) cut.push(word);
    }
  }
  return cut;
}"""


@pytest.mark.parametrize("slug", SYSTEMS)
def test_no_word_of_a_character_is_cut(
    live_server: LiveServer, page: Page, gm: User, gm_client: Client, transactional_db: None, slug: str
) -> None:
    sign_in(page.context, live_server, gm_client)
    plan = plan_of(find_system(slug))
    made = create(
        gm, slug, "Ana Sokolov", plan.write({"name": "Ana Sokolov", "items": []}, blank_draft(plan))
    )
    for width in (320, 360, 390):
        page.set_viewport_size({"width": width, "height": 844})
        for path in (f"new/?game={slug}", f"{made.pk}/"):
            page.goto(f"{live_server.url}/characters/{path}")
            assert page.evaluate(CUT) == [], f"{path}, {width}"
    page.set_viewport_size(PAPER)  # type: ignore[arg-type]
    page.emulate_media(media="print")
    page.goto(f"{live_server.url}/characters/{made.pk}/print/")
    assert page.evaluate(CUT) == [], "paper"
