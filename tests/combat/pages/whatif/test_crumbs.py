"""The way to a branch, as a phone shows it above the page."""

from __future__ import annotations

from django.test import Client
from playwright.sync_api import Page as Browser

from combat.models import Encounter
from tests.combat.pages.whatif.test_branches import Maker

CRUMBS = """() => [...document.querySelectorAll(".crumbs li")].filter((e) => e.offsetWidth).map((item) => {
  const words = document.createRange();
  words.selectNodeContents(item);
  const end = item.getBoundingClientRect().right - parseFloat(getComputedStyle(item).paddingRight);
  return Math.round(end - words.getBoundingClientRect().right);
})"""


def test_steps_of_the_way_here_have_no_gaps(
    visitor: Browser, address: str, gm_client: Client, started: Encounter
) -> None:
    visitor.set_viewport_size({"width": 360, "height": 740})
    Encounter.objects.filter(pk=started.pk).update(name="Yard")
    Maker(gm_client, started.pk).begin()
    visitor.goto(f"{address}whatif/compare/?one=1&other=1")
    assert visitor.evaluate(CRUMBS) == [0, 0, 0]  # Yard / What if / Two branches
