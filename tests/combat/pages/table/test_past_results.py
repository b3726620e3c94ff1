"""The last result and an open Why leave the actions of the next combatant in sight."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from tests.combat.visit import PIRATE, PISTOL, ZARA

pytestmark = pytest.mark.slow
LOWEST = 600  # px from the top of a window of 1440 × 900


def test_next_actions_are_in_sight_below_an_old_result(
    visitor: Page, address: str, started: Encounter
) -> None:
    visitor.set_viewport_size({"width": 1440, "height": 900})
    submit(started.pk, Submission("attack", {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}))
    visitor.goto(address)
    visitor.locator(".result-why > summary").first.click()
    expect(visitor.locator(".result-why[open]").first).to_be_visible()
    visitor.keyboard.press("n")
    expect(visitor.locator("#h-turn")).to_have_text("Pirate")
    line = visitor.locator(".last-line > summary")
    expect(line).to_be_visible()
    expect(visitor.locator("article.result")).not_to_be_visible()
    box = visitor.locator("#turn-offer .action").first.bounding_box()
    assert box
    assert box["y"] + box["height"] < LOWEST
    line.click()
    expect(visitor.locator("article.result")).to_be_visible()


def test_correction_of_a_result_stands_below_its_open_sum(
    visitor: Page, address: str, started: Encounter
) -> None:
    attack = {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}
    submit(started.pk, Submission("attack", attack, faces=(9, 9)))
    visitor.goto(address)
    why, correction = visitor.locator(".result-why"), visitor.locator(".result-overrule")
    expect(correction).to_be_visible()
    why.locator("summary").click()
    expect(why).to_have_attribute("open", "")
    above, below = why.bounding_box(), correction.bounding_box()
    assert above
    assert below
    assert below["y"] >= above["y"] + above["height"] - 1


def test_roll_of_an_earlier_turn_is_corrected_from_the_log(
    visitor: Page, address: str, started: Encounter
) -> None:
    """One tap at the line, one at the button; one undo takes it back."""
    visitor.set_viewport_size({"width": 1440, "height": 900})
    attack = {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}
    submit(started.pk, Submission("attack", attack, faces=(1, 2)))
    submit(started.pk, Submission("next_turn", {}))
    visitor.goto(address)
    visitor.locator("#log [data-drawer]").click()
    line = visitor.locator("#log-lines > li", has_text="Zara attacks Pirate").first
    line.locator("summary").click()
    line.get_by_role("link", name="Correct: Zara attacks Pirate").click()
    form = visitor.locator("#overrule")
    expect(form).to_contain_text("It hit after all?")
    expect(form.get_by_role("button", name="Overrule the roll")).to_be_in_viewport()
    form.get_by_role("button", name="Overrule the roll").click()
    expect(visitor.locator("#log-lines")).to_contain_text("The GM overrules Zara's roll (attack): hit.")
    expect(visitor.locator("#h-turn")).to_have_text("Pirate")
    visitor.keyboard.press("u")
    expect(visitor.locator("#log-lines li.is-undone", has_text="(attack): hit.")).to_be_visible()
    expect(visitor.locator("#h-turn")).to_have_text("Pirate")
