"""A squad in a real browser: formed from a row's menu, split and taken back, at a desk and on a phone."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.turn.squads import list_squads
from tests.browser import is_press, skip_hints
from tests.combat.visit import SLUG, begun, state_of

pytestmark = pytest.mark.slow


def show_rows(visitor: Page) -> None:
    """On a phone, go to the part of the table with its rows."""
    tab = visitor.locator("label[for=tab-combatants]")
    if tab.is_visible():
        tab.click()


@pytest.mark.parametrize("width", [1440, 390])
def test_gm_forms_a_squad_hurts_one_splits_it_and_takes_it_back(
    live_server: LiveServer, visitor: Page, gm: User, complaints: list[str], width: int
) -> None:
    fight = begun(gm, SLUG)
    before = set(state_of(fight.pk).combatants)
    fields = {"block": "street_thug", "name": "Thug", "side": "enemies", "count": 4}
    submit(fight.pk, Submission("join", fields))
    thugs = [who for who in state_of(fight.pk).combatants if who not in before]
    visitor.set_viewport_size({"width": width, "height": 900})
    skip_hints(visitor.context)
    here = f"{live_server.url}/encounters/{fight.pk}/"
    visitor.goto(here)
    show_rows(visitor)
    visitor.locator(f"#menu-{thugs[1]} > summary").click()
    with visitor.expect_response(is_press):
        visitor.locator(f"#menu-{thugs[1]}").get_by_role("button", name="Form a squad of 4").click()
    row = visitor.locator(f"#row-{thugs[0]}")
    expect(row).to_contain_text("Thug squad A")
    expect(row).to_contain_text("4 of 4")
    expect(visitor.locator(".squad-band")).to_have_css("pointer-events", "none")
    expect(visitor.locator(f"#row-{thugs[1]}")).to_have_count(0)
    submit(fight.pk, Submission("give_condition", {"target": thugs[3], "kind": "dead"}))
    visitor.goto(here)
    show_rows(visitor)
    expect(row).to_contain_text("3 of 4")
    visitor.locator(f"#menu-{thugs[0]} > summary").click()
    with visitor.expect_response(is_press):
        visitor.get_by_role("button", name="Split Thug squad A").click()
    expect(visitor.locator(f"#row-{thugs[1]}")).to_be_visible()
    assert not list_squads(state_of(fight.pk))
    with visitor.expect_response(is_press):
        visitor.get_by_role("button", name="Undo").first.click()
    expect(visitor.locator(f"#row-{thugs[1]}")).to_have_count(0)
    assert list(list_squads(state_of(fight.pk)).values()) == [tuple(thugs)]
    assert complaints == []
