"""The table by keys and eyes: where the focus goes, what Escape closes, what stays in the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page as Browser
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from combat.backups import back_up
from combat.models import Encounter, ShareLink
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import SYSTEMS, find_system
from tests.browser import SIZES, put_numbers_first, sign_in
from tests.combat.cast import come
from tests.combat.pages.copies.conftest import folder as folder
from tests.combat.pages.copies.conftest import stops as stops
from tests.combat.visit import PIRATE, SLUG, ZARA, demo_fight, state_of

CROWD = 60
# The tiles under a tip, and “cut” if it leaves the window
COVERED = """(tip) => {
  const over = tip.getBoundingClientRect();
  const isUnder = ({ left, right, top, bottom }) =>
    Math.min(right, over.right) - Math.max(left, over.left) > 1 &&
    Math.min(bottom, over.bottom) - Math.max(top, over.top) > 1;
  const tiles = [...document.querySelectorAll("#turn :is(a.action, .others a)")]
    .filter((one) => one.checkVisibility());
  const isCut = over.left < 0 || over.right > innerWidth || over.top < 0 || over.bottom > innerHeight;
  return [
    ...tiles.filter((one) => isUnder(one.getBoundingClientRect())).map((one) => one.textContent.trim()),
    ...(isCut ? [`cut: ${JSON.stringify(over)}`] : []),
  ];
}"""
SAFE = 450  # milliseconds after which a button that others changed can be pressed


@pytest.fixture
def table(table: Browser) -> Browser:
    """The table with its numbers first, where the log is beside the turn."""
    put_numbers_first(table)
    table.reload()
    return table


def test_table_by_keys_and_eyes(table: Browser, started: Encounter) -> None:
    check_escape_in_a_field(table)
    check_head_of_the_log(table)
    check_sent_note(table)
    for who in (ZARA, PIRATE):
        submit(started.pk, Submission("give_condition", {"target": who, "kind": "prone"}, by="gm"))
    submit(started.pk, Submission("join", {"block": "pirate", "count": 3}, by="gm"))
    table.reload()
    check_tab_after_conditions(table)
    check_tip_of_the_filled_action(table)


def check_tab_after_conditions(table: Browser) -> None:
    """It goes on to the row's menu, and into the words if they are open."""
    for who in (ZARA, PIRATE):
        table.locator(f"#conditions-{who}").focus()
        table.keyboard.press("Tab")
        expect(table.locator(f"#row-{who} summary.icon-btn")).to_be_focused()
    table.locator(f"#conditions-{ZARA}").focus()
    table.keyboard.press("Enter")
    expect(table.locator(f"#chips-{ZARA}")).to_be_visible()
    table.keyboard.press("Tab")
    expect(table.locator(f"#chips-{ZARA} a")).to_be_focused()
    table.keyboard.press("Escape")
    expect(table.locator(f"#chips-{ZARA}")).to_be_hidden()


def check_tip_of_the_filled_action(table: Browser) -> None:
    """No tip of an action covers a tile or another target, and none is cut off by the edge of the window."""
    for arrangement in ("numbers", "map"):
        table.evaluate("(word) => { document.documentElement.dataset.arrange = word; }", arrangement)
        shown = 0
        for action in table.locator("#turn a.action:visible").all():
            action.hover()
            tip = action.locator("small:not(.brief)")
            if tip.is_visible():
                shown += 1
                assert tip.evaluate(COVERED) == [], f"{arrangement}: {action.inner_text()}"
        assert shown > 3, arrangement


def check_escape_in_a_field(table: Browser) -> None:
    """It closes the form."""
    table.locator("#act-attack").click()
    table.locator("#form-attack [name=adjust]").focus()
    table.keyboard.press("Escape")
    expect(table.locator("#form-attack")).to_have_count(0)
    expect(table.locator("#act-attack")).to_be_focused()
    table.locator("#filter").focus()
    table.keyboard.press("Escape")
    expect(table.locator("#filter")).not_to_be_focused()


def check_sent_note(table: Browser) -> None:
    """It is not typed again into the reloaded page."""
    table.locator("#note").fill("The crate ticks.")
    table.get_by_role("button", name="Add note").click()
    expect(table.locator("#log-lines")).to_contain_text("The crate ticks.")
    expect(table.locator("#note")).to_have_value("")
    table.reload()
    expect(table.locator("#note")).to_have_value("")


def check_head_of_the_log(table: Browser) -> None:
    """It is never cut."""
    log, head = table.locator("#log"), table.locator("#log .panel-head")
    for top in (0, 13, 400):
        log.evaluate("(log, top) => { log.scrollTop = top; }", top)
        assert head.evaluate("head => head.getBoundingClientRect().top") == log.evaluate(
            "log => log.getBoundingClientRect().top"
        )
    summary = table.locator("#log-lines summary").first
    summary.focus()
    below = head.evaluate("head => head.getBoundingClientRect().bottom")
    assert summary.evaluate("line => line.getBoundingClientRect().top") >= below


def test_initiative_of_sixty_is_rolled_without_scrolling(
    visitor: Browser, live_server: LiveServer, gm: User
) -> None:
    """In the other games of twenty: their forms differ, but not the list."""
    visitor.set_viewport_size(SIZES["wide"])
    for slug in SYSTEMS:
        fight = demo_fight(gm, slug)
        block = next(iter(find_system(slug).book.find_blocks()), "")
        for _ in range(CROWD // 20 if slug == SLUG else 1 if block else 0):
            submit(fight.pk, Submission("join", {"block": block, "count": 20}, by="gm"))
        visitor.goto(f"{live_server.url}/encounters/{fight.pk}/")
        expect(visitor.locator("[data-key=n]"), slug).to_be_in_viewport(ratio=1)


def test_typed_words_survive_a_reload_and_a_closed_form_says_so(table: Browser, started: Encounter) -> None:
    table.locator("#act-attack").click()
    table.locator("#form-attack #fold > summary").click()
    table.locator("#form-attack [name=adjust]").fill("+3")
    table.locator("#form-attack [name=because]").fill("from above")
    expect(table.locator("#odds-panel")).to_contain_text("from above")
    table.reload()
    expect(table.locator("#form-attack [name=adjust]")).to_have_value("+3")
    expect(table.locator("#form-attack [name=because]")).to_have_value("from above")
    expect(table.locator("#odds-panel")).to_contain_text("from above")
    submit(started.pk, Submission("next_turn", {}, by="gm"))
    table.evaluate("htmx.trigger('[data-live]', 'again')")
    expect(table.locator("#form-attack")).to_have_count(0)
    expect(table.locator("#notice")).to_have_text("Attack is closed: it is not Zara's turn now.")
    table.wait_for_timeout(SAFE)
    table.get_by_role("button", name="Next turn").click()
    expect(table.locator("#notice")).to_have_count(0)


def test_typed_words_survive_signing_in_again(
    table: Browser, address: str, live_server: LiveServer, gm_client: Client, started: Encounter
) -> None:
    """The session ends while someone types: what they sent is there again, once they are signed in.

    Nobody else who uses the same device finds it.
    """
    table.locator("#note").fill("The reactor leaks.")
    table.context.clear_cookies(name="sessionid")
    table.get_by_role("button", name="Add note").click()
    expect(table.get_by_role("heading", level=1)).to_have_text("Sign in")
    for client, words in ((come(started, ShareLink.CO_GM, "Rhea"), ""), (gm_client, "The reactor leaks.")):
        sign_in(table.context, live_server, client)
        table.goto(address)
        expect(table.locator("#note")).to_have_value(words)
    table.get_by_role("button", name="Add note").click()
    expect(table.locator("#log-lines")).to_contain_text("The reactor leaks.")
    expect(table.locator("#note")).to_have_value("")


PRESS_AFTER = """(wait) => new Promise((done) => {
  const press = () => {
    document.querySelector("#turn-head button[value=next_turn]").click();
    done();
  };
  document.addEventListener("htmx:afterSwap", () => setTimeout(press, wait), { once: true });
  htmx.trigger("[data-live]", "again");
})"""


def test_button_that_another_gm_changed_is_safe_for_a_moment(table: Browser, started: Encounter) -> None:
    """Two GMs press Next turn 0.1 s apart: the second ends nobody else's turn."""
    head = table.locator("#h-turn")
    expect(head).to_have_text("Zara")
    submit(started.pk, Submission("next_turn", {}, by="gm"))
    table.evaluate(PRESS_AFTER, 100)
    expect(head).to_have_text("Pirate")
    table.wait_for_timeout(500)
    assert state_of(started.pk).active == PIRATE
    submit(started.pk, Submission("next_turn", {}, by="gm"))
    table.evaluate(PRESS_AFTER, SAFE)
    expect(head).to_have_text("Zara")
    assert state_of(started.pk).active == ZARA


def test_buttons_of_a_copy_have_one_line(
    folder: Path, stops: list[str], visitor: Browser, live_server: LiveServer
) -> None:
    back_up()
    for width in (360, 820, 1024, 1440):
        visitor.set_viewport_size({"width": width, "height": 900})
        visitor.goto(f"{live_server.url}/copies/")
        acts = visitor.locator(".copy-acts :is(.btn, summary):visible")
        expect(acts).to_have_count(4)
        for height in acts.evaluate_all("all => all.map((one) => one.getBoundingClientRect().height)"):
            assert height < 50, width  # two lines are more than 60
        assert visitor.evaluate("document.documentElement.scrollWidth") == width
