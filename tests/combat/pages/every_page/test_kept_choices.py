"""What someone has chosen in a form is still chosen after others changed the table."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, cancel, submit
from tests.browser import choose_tile, find_tile, sign_in
from tests.combat.cast import Cast
from tests.combat.visit import MARCUS, PIRATE, PISTOL, ZARA, state_of

LOOK = "htmx.trigger('[data-live]', 'again')"
FORM = "#form-attack"
CHANCE = "Roll · 1%"  # of two tens


@pytest.fixture
def chosen(table: Page) -> Page:
    """The GM's form of Zara's attack, with another target than the usual one, a modifier and its reason."""
    table.locator("#act-attack").click()
    choose_tile(table.locator(FORM), "target", MARCUS)
    choose_modifier(table)
    return table


def choose_modifier(page: Page) -> None:
    """Type it, behind its fold."""
    if not page.locator("#house").is_visible():
        page.locator(f"{FORM} #fold > summary").click()
    page.locator("#house").fill("−40")
    page.locator("#house-why").fill("smoke")
    expect(page.locator("#roll-app")).to_contain_text(CHANCE)


def check(page: Page) -> None:
    """All is as it was chosen, and in sight."""
    expect(find_tile(page, "target")).to_have_value(MARCUS)
    expect(page.locator("#house")).to_have_value("−40")
    expect(page.locator("#house")).to_be_visible()
    expect(page.locator("#house-why")).to_have_value("smoke")
    expect(page.locator("[data-gone]")).to_be_hidden()
    expect(page.locator("#roll-app")).to_contain_text(CHANCE)


def test_pause_and_resume_of_the_gm_keep_it(chosen: Page) -> None:
    for name in ("Pause", "Resume"):
        chosen.evaluate(f"""document.querySelector("[name=do][value={name.lower()}]").click()""")
        expect(chosen.locator("#notices [value=resume]")).to_have_count(1 if name == "Pause" else 0)
        check(chosen)


def test_pause_takes_a_players_form_away_and_brings_it_back(
    page: Page, address: str, cast: Cast, started: Encounter, live_server: object
) -> None:
    sign_in(page.context, live_server, cast.player)  # type: ignore[arg-type]
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{address}?do=attack&combatant={ZARA}&target={PIRATE}")
    choose_tile(page.locator(FORM), "target", MARCUS)
    choose_modifier(page)
    submit(started.pk, Submission("pause", {}))
    page.evaluate(LOOK)
    expect(page.locator(FORM)).to_have_count(0)
    submit(started.pk, Submission("adjust", {"target": MARCUS, "track": "hp", "by": -3}))
    page.evaluate(LOOK)
    submit(started.pk, Submission("resume", {}))
    page.evaluate(LOOK)
    check(page)


def test_question_in_between_keeps_it(chosen: Page, started: Encounter) -> None:
    attack = {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}
    submit(started.pk, Submission("attack", attack, typed=True))
    chosen.evaluate(LOOK)
    expect(chosen.locator("#prompt")).to_be_visible()
    expect(chosen.locator(FORM)).to_have_count(0)
    cancel(started.pk)
    chosen.evaluate(LOOK)
    check(chosen)


def test_reload_keeps_the_choices(chosen: Page) -> None:
    chosen.reload()
    check(chosen)


def test_choice_that_is_gone_is_named(chosen: Page, started: Encounter) -> None:
    submit(started.pk, Submission("remove", {"target": MARCUS}))
    assert state_of(started.pk).combatants[MARCUS].gone
    chosen.evaluate(LOOK)
    expect(find_tile(chosen, "target")).to_have_value(PIRATE)
    expect(chosen.locator("[data-gone]")).to_contain_text("Target")
    expect(chosen.locator("#house")).to_have_value("−40")


def test_form_that_is_opened_again_begins_with_what_is_usual(chosen: Page) -> None:
    chosen.get_by_role("link", name="Close").click()
    expect(chosen.locator(FORM)).to_have_count(0)
    chosen.locator("#act-attack").click()
    expect(find_tile(chosen, "target")).to_have_value(PIRATE)
    expect(chosen.locator("#house")).to_have_value("")
