"""Names of combatants can be read wherever rows are listed, whatever else their rows show."""

from __future__ import annotations

from itertools import product

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page as Browser
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from tests.browser import SIZES, look
from tests.combat.visit import begun, state_of

CHASE = 1  # of the demo fights of Cepheus
# Rows whose name is cut although there is room for eight letters, or whose conditions cannot be seen
CUT = """async () => (await document.fonts.ready,
  [...document.querySelectorAll(".row-body")]).flatMap((row) => {
  const name = row.querySelector(".row-main > span:not(.mark, .vh)");
  const [box, body] = [name.getBoundingClientRect(), row.getBoundingClientRect()];
  const chips = row.querySelector(":scope > :is(.chips, .row-chips) > .chip")?.getBoundingClientRect();
  const wrong = [];
  if (box.width < Math.min(name.scrollWidth, 64)) wrong.push(`${Math.round(box.width)} px wide`);
  if (box.height > 50) wrong.push(`${Math.round(box.height)} px high`);
  if (chips && chips.width < 20) wrong.push("no conditions");
  if (chips && chips.top < box.bottom - 4 && chips.left < box.right - 4) wrong.push("conditions over it");
  for (const note of row.querySelectorAll(":scope > [data-inside], :scope > [data-aboard]")) {
    const { top, width } = note.getBoundingClientRect();
    if (chips && width && top < chips.bottom - 4) wrong.push("conditions over a note");
  }
  return wrong.map((what) => `${name.textContent.trim()}: ${what}, of ${Math.round(body.width)}`);
})"""


CARS, PEOPLE = ("f1", "f4"), ("f2", "f6")
HITS = ("drive_hit", "weapon_hit", "sensors_hit", "power_hit")
TROUBLES = ("fatigued", "slowed", "suppressed", "surprised")


@pytest.fixture
def chase(gm: User) -> Encounter:
    """A chase in which both vehicles, a driver, and the one who acts have four conditions each."""
    fight = begun(gm, "cepheus", CHASE)
    for many, kinds in ((CARS, HITS), (PEOPLE, TROUBLES)):
        for who, kind in product(many, kinds):
            submit(fight.pk, Submission("give_condition", {"target": who, "kind": kind}, by="gm"))
    assert state_of(fight.pk).active in PEOPLE
    return fight


@pytest.mark.slow
def test_names_at_the_table_in_what_if_and_step_by_step(
    visitor: Browser, live_server: LiveServer, chase: Encounter
) -> None:
    here = f"{live_server.url}/encounters/{chase.pk}/"
    visitor.set_viewport_size(SIZES["wide"])
    visitor.goto(here)
    for arrangement in ("map", "numbers"):
        visitor.evaluate("name => localStorage.setItem('arrange', name)", arrangement)
        visitor.reload()
        assert visitor.evaluate(CUT) == [], arrangement
    visitor.goto(f"{here}whatif/")
    visitor.get_by_role("button", name="Begin branch").click()
    expect(visitor.get_by_role("note")).to_contain_text("nothing here happens in the fight")
    branch = visitor.url
    chase.refresh_from_db()
    for address in (branch, f"{here}log/?step={chase.steps}"):
        visitor.goto(address)
        for size, theme in product(SIZES, ("light", "dark")):
            look(visitor, size, theme)
            if (tab := visitor.locator("label[for=tab-combatants]")).is_visible():
                tab.click()
            assert visitor.evaluate(CUT) == [], f"{address}, {size}"
            assert visitor.locator(".row").count() == len(state_of(chase.pk).combatants)
