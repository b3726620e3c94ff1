"""What a click in the middle of each button and link of the table meets: that button or link."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from combat.models import Encounter
from combat.play.writing.encounter_service import submit
from tests.browser import SIZES, TABS, wait_for_map
from tests.combat.pages.table.test_overruling import MISS
from tests.combat.visit import PIRATE

# Buttons and links in whose middle lies something else, though one can scroll to them
COVERED = """async () => {
  const found = [];
  for (const one of document.querySelectorAll("a[href], button:enabled, summary, label[for]")) {
    const isShown = one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    if (one.matches(".vh, .skip, .skip *") || !isShown) continue;
    one.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const boxes = [...one.getClientRects()].filter((box) => box.width > 1 && box.height > 1);
    if (!boxes.length) continue;
    const box = boxes[0];
    const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const isHit = hit && (one.contains(hit) || hit.id && hit.id === one.htmlFor);
    const isWindow = hit?.closest(".row-card") && !one.closest(".row-card");  // it may lie over anything
    if (!isHit && !isWindow) found.push([one, hit].map((it) => it?.outerHTML.slice(0, 90)).join(" under "));
  }
  return found;
}"""


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_click_in_the_middle_of_every_table_button_meets_it(
    table: Page, address: str, started: Encounter, size: str
) -> None:
    submit(started.pk, MISS)
    table.set_viewport_size(SIZES[size])
    for query in ("", f"?combatant={PIRATE}&row=quick"):
        table.goto(address + query)
        expect(table.get_by_text("It hit after all")).to_have_count(1)
        for tab in TABS if size == "narrow" and not query else TABS[:1] * (size == "narrow"):
            table.locator(".tabs label, label.tab, label", has_text=tab).first.click()
            if tab == "Scene":
                wait_for_map(table)
            assert table.evaluate(COVERED) == [], (query, tab)
        if size == "wide":
            wait_for_map(table)
            assert table.evaluate(COVERED) == [], query
