"""Every page of a fight in a real browser: accessible, in both themes, wide and narrow."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

import pytest
from django.test import Client
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from combat.play.whatif import workers
from combat.play.writing.encounter_service import Submission, submit
from tests.browser import AXE, BY_THEME, TABS, check_looks, find_barriers, find_overflow, look, sign_in
from tests.combat.visit import DEMO, PIRATE, PISTOL, ZARA, load, play, state_of
from tests.thinning import thin

ATTACK = {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}


# ---- Pages in states that test_every_page.py does not come to ----


@pytest.mark.slow
def test_pages_before_the_fight_have_no_barriers(
    live_server: LiveServer, visitor: Page, prepared: Encounter, complaints: list[str]
) -> None:
    visitor.add_init_script(AXE)
    check_looks(visitor, f"{live_server.url}/encounters/{prepared.pk}/", is_measured=True)
    check_looks(visitor, f"{live_server.url}/encounters/{prepared.pk}/prep/?edit=crates", is_measured=True)
    folds = visitor.locator("main details > summary")
    for number in range(folds.count()):  # one after the other: a drawer that opens closes the one before
        check_fold(visitor, folds.nth(number))
    assert find_barriers(visitor, without=BY_THEME) == []
    assert find_overflow(visitor) == []
    assert complaints == []


def check_fold(page: Page, summary: Locator) -> None:
    """What it shows when it is open, also what it loads then."""
    panel = summary.evaluate("one => one.closest('[data-panel]')?.dataset.panel ?? ''")
    tab = page.locator(f"label[for='prep-tab-{panel}']")
    if tab.is_visible():  # on a phone
        tab.click()
    summary.focus()
    if summary.evaluate("one => !one.parentElement.open"):
        summary.press("Enter")
    expect(page.locator(".htmx-request")).to_have_count(0)
    assert summary.evaluate("one => one.parentElement.open"), summary.inner_text()
    assert find_barriers(page, "details[open]:has(> summary:focus)", without=BY_THEME) == [], (
        summary.inner_text()
    )
    assert find_overflow(page) == [], summary.inner_text()


def ask_for_dice(pk: int) -> None:
    submit(pk, Submission("attack", ATTACK, typed=True))


def ask_for_a_choice(pk: int) -> None:
    submit(pk, Submission("attack", ATTACK, faces=(10, 10)))


def make_it_lively(pk: int) -> None:
    """Conditions, a hidden combatant, someone down, things undone, a dark scene."""
    submit(pk, Submission("give_condition", {"target": ZARA, "kind": "bleeding", "level": 2, "turns": 3}))
    submit(pk, Submission("hide", {"target": PIRATE}))
    submit(pk, Submission("adjust", {"target": "f3", "track": "hp", "by": -90}))
    submit(pk, Submission("set_setting", {"key": "light", "value": "dim"}))
    submit(pk, Submission("note", {"text": "A remark " + "with-a-long-word" * 8}))


def take_the_map_away(pk: int) -> None:
    """The zones are a board then."""
    submit(pk, Submission("set_map", {"map": {}}, by="gm"))


MEASURED = ("attack", "dice")
Change = Callable[[int], None]
CONDITION = "?combatant=f2&row=condition"
LOOKS: dict[str, list[tuple[Change | None, str, tuple[str, ...]]]] = {  # what happens, the address, the tabs
    "attack": [(None, "?combatant=f1&do=attack", ())],
    "dice": [(ask_for_dice, "", ())],
    "choice": [(ask_for_a_choice, "", ())],
    "all": [
        (None, CONDITION, ("Combatants",)),
        (None, "?combatant=f2", ()),
        (make_it_lively, "", TABS),
        (take_the_map_away, "", ("Scene",)),
    ],
}


@pytest.mark.parametrize("name", thin(LOOKS, "attack"))
def test_table_in_a_fight(
    visitor: Page, address: str, started: Encounter, complaints: list[str], name: str
) -> None:
    visitor.add_init_script(AXE)
    for change, query, tabs in LOOKS[name]:
        if change:
            change(started.pk)
        check_looks(visitor, address + query, tabs, is_measured=name in MEASURED or change is None)
    assert complaints == []


@pytest.mark.slow
def test_table_after_the_fight(
    live_server: LiveServer, visitor: Page, over: Encounter, complaints: list[str]
) -> None:
    visitor.add_init_script(AXE)
    check_looks(visitor, f"{live_server.url}/encounters/{over.pk}/", ("Turn", "Log"), is_measured=True)
    check_looks(visitor, f"{live_server.url}/encounters/{over.pk}/log/?step=20", is_measured=True)
    check_looks(visitor, f"{live_server.url}/encounters/{over.pk}/log/", is_measured=True)
    for line in visitor.locator(".log-entry summary").all()[:5]:
        line.click()
    opened = ".log-entry:has(details[open])"
    expect(visitor.locator(opened)).to_have_count(5)
    assert find_barriers(visitor, within=opened) == []
    assert find_overflow(visitor) == []
    visitor.goto(f"{live_server.url}/encounters/{over.pk}/report/")
    for fold in ("Markdown", "Deeds", "Dice and seals", "Rules of this fight"):
        visitor.locator("summary", has_text=fold).click()
    assert find_barriers(visitor) == []
    assert find_overflow(visitor) == []
    assert complaints == []


@pytest.mark.slow
def test_page_of_programs(
    live_server: LiveServer, visitor: Page, started: Encounter, complaints: list[str]
) -> None:
    visitor.goto(f"{live_server.url}/encounters/{started.pk}/programs/")
    visitor.get_by_label("Program").fill("Bot")
    visitor.get_by_role("button", name="Create token").click()
    expect(visitor.get_by_role("button", name="End Bot")).to_be_visible()
    assert find_barriers(visitor) == []
    assert find_overflow(visitor) == []
    look(visitor, "narrow", "dark")
    assert find_overflow(visitor) == []
    assert complaints == []


# ---- Keys ----


def turn(page: Page) -> str:
    """The combatant whose turn the page shows."""
    return page.locator("#h-turn").inner_text()


def settle(page: Page) -> None:
    """Wait until the last answer is in the page."""
    expect(page.locator(".htmx-request, .htmx-settling, .htmx-added")).to_have_count(0)


def test_keys_drive_the_fight(table: Page, started: Encounter) -> None:
    check_refusal(table, started)
    check_keys_n_u_r_v(table)
    check_list_of_keys(table)
    check_keys_of_the_browser(table)
    check_keys_that_are_off(table)


def check_refusal(table: Page, started: Encounter) -> None:
    """It is read out, once."""
    submit(started.pk, Submission("note", {"text": "Meanwhile."}))
    table.get_by_role("button", name="Next turn").click()
    expect(table.get_by_role("alert").filter(has_text="Someone acted first")).to_be_visible()
    expect(table.locator("#live")).to_have_text("Meanwhile. Zara's turn.")
    assert find_barriers(table, within="#notice") == []
    settle(table)


def check_keys_n_u_r_v(table: Page) -> None:
    table.keyboard.press("v")
    expect(table.locator("#row-f1"), "v").to_contain_text("hidden from players")
    table.keyboard.press("v")
    expect(table.locator("#row-f1"), "v again").not_to_contain_text("hidden from players")
    for key, name in (("n", "Pirate"), ("u", "Zara"), ("r", "Pirate"), ("n", "Marcus"), ("u", "Pirate")):
        settle(table)
        table.keyboard.press(key)
        expect(table.locator("#h-turn"), key).to_have_text(name)
    settle(table)


def check_list_of_keys(table: Page) -> None:
    """The question mark shows them, Escape closes them, and nothing happens behind them."""
    before = turn(table)
    table.keyboard.press("?")
    expect(table.locator("#keys"), "?").to_be_visible()
    for key in "nurajk":
        table.keyboard.press(key)
    table.keyboard.press("Escape")
    expect(table.locator("#keys"), "Escape").not_to_be_visible()
    assert turn(table) == before, "behind the list of keys"


def check_keys_of_the_browser(table: Page) -> None:
    """With Control, Alt or Meta they belong to the browser."""
    before = turn(table)
    for chord in ("Control+u", "Alt+n", "Meta+r"):
        table.keyboard.press(chord)
    table.wait_for_timeout(200)
    assert turn(table) == before, "a key of the browser"


def check_keys_that_are_off(table: Page) -> None:
    """Switched off, they do nothing, also on the reopened page."""
    before = turn(table)
    table.keyboard.press("?")
    table.locator("#keys-on").uncheck()
    table.keyboard.press("Escape")
    table.keyboard.press("n")
    table.keyboard.press("?")
    table.wait_for_timeout(300)
    assert turn(table) == before, "a key that is off"
    assert not table.locator("#keys").is_visible()
    table.reload()
    table.keyboard.press("n")
    table.wait_for_timeout(300)
    assert turn(table) == before, "a key that is off, reopened"


def test_everything_is_reached_by_keys(table: Page, address: str, started: Encounter) -> None:
    check_order_of_tab(table)
    table.evaluate("document.activeElement.blur()")
    check_keys_of_forms(table)
    table.evaluate("document.activeElement.blur()")
    check_keys_of_rows(table)
    table.goto(f"{address}?combatant={ZARA}&do=attack")
    check_keys_in_fields(table, started)
    table.emulate_media(forced_colors="active")
    table.reload()
    expect(table.locator(".action-form")).to_be_visible()
    assert table.evaluate(BARE) == [], "forced colors leave edges"


NOTE_FOCUS = """() => {
  window.places = [];
  const all = [...document.querySelectorAll("*")];
  document.addEventListener("focusin", (event) => window.places.push(all.indexOf(event.target)));
}"""


def check_order_of_tab(table: Page) -> None:
    """From the first link on, Tab goes through the page without a trap, in the order of the page."""
    table.keyboard.press("Tab")
    assert table.evaluate("document.activeElement.className") == "skip"
    table.evaluate(NOTE_FOCUS)
    places = list[int]()
    for _ in range(10):
        for _ in range(25):
            table.keyboard.press("Tab")
        places = table.evaluate("window.places")
        if places != sorted(places):
            break
    turned = places.index(max(places)) + 1  # from there on it begins at the top again
    assert places[:turned] == sorted(set(places[:turned])), "the order of Tab"
    assert turned > 40, "Tab"


def check_keys_of_forms(table: Page) -> None:
    table.keyboard.press("t")  # without a chosen row, whose turn it is
    form = table.locator("#form-f1")
    expect(form.get_by_role("button", name="Damage Zara"), "t").to_be_visible()
    close(table, form)
    table.keyboard.press("a")
    expect(table.locator("a.action:focus"), "a").to_have_count(1)
    table.keyboard.press("Enter")
    form = table.locator("form.action-form")
    expect(form, "Enter").to_be_visible()
    close(table, form)


def check_keys_of_rows(table: Page) -> None:
    seen = []
    for key in "jjjjkk":
        table.keyboard.press(key)
        seen.append(table.evaluate("document.activeElement.closest('[data-row]')?.id"))
    assert seen == ["row-f1", "row-f2", "row-f3", "row-f1", "row-f3", "row-f2"], "j and k"
    for key, button in (
        ("t", "Damage Pirate"),
        ("h", "Heal Pirate"),
        ("g", "Give "),
        ("e", "Give "),
    ):
        table.locator("#row-f2 [data-row-main]").focus()
        table.keyboard.press(key)
        form = table.locator("#form-f2")
        if button == "Give ":  # it asks for turns once a condition is chosen
            expect(form).to_be_visible()
            form.get_by_role("radio").first.focus()
            table.keyboard.press("Space")
        expect(form.get_by_role("button", name=button), key).to_be_visible()
        close(table, form)
    table.locator("#row-f2 [data-row-main]").focus()
    table.keyboard.press("Enter")
    expect(table.locator("#h-turn"), "Enter").to_have_text("Pirate")


def check_keys_in_fields(table: Page, started: Encounter) -> None:
    """None works while one types."""
    before = load(started.pk).version
    table.get_by_role("button", name="Open", exact=True).click()  # the log, which is one line beside the map
    table.locator("#form-attack #fold > summary").click()
    for field in ("do-attacks", "house", "house-why", "note"):
        table.locator(f"#{field}").focus()
        table.keyboard.type("nurajkthgvs?")
        table.wait_for_timeout(200)
        assert turn(table) == "Zara", field
        assert load(started.pk).version == before, field
        assert not table.locator("#keys").is_visible(), field
        assert table.locator("form.row-form").count() == 0, field
        assert table.evaluate("document.activeElement.id") == field
    assert table.locator("#note").input_value() == "nurajkthgvs?"


# Drawn shapes without a border of their own
BARE = """() => [...document.querySelectorAll(".btn, .card, .action:not(.action-off), .action-form, .prompt")]
  .filter((one) => one.checkVisibility() && getComputedStyle(one).borderTopStyle !== "solid")
  .map((one) => one.outerHTML.slice(0, 100))"""


def close(table: Page, form: Locator) -> None:
    """Leave a form by its key, from outside its fields."""
    table.locator("#h-turn").click()
    table.keyboard.press("Escape")
    expect(form).to_have_count(0)


def test_numbers_and_focus_on_a_phone(visitor: Page, address: str) -> None:
    visitor.set_viewport_size({"width": 360, "height": 800})
    visitor.goto(address)
    check_parts_of_numbers(visitor)
    check_focus_of_a_row(visitor)


def check_parts_of_numbers(table: Page) -> None:
    """They make the page no wider."""
    table.locator(".vitals > summary").click()
    opened = table.locator(".numbers summary, .sums > li")
    for number in opened.all():
        number.click()
        assert table.evaluate("document.documentElement.scrollWidth") == 360, number.inner_text()
    assert opened.count() > 2


def check_focus_of_a_row(table: Page) -> None:
    """It stays where no turn is shown."""
    table.locator("label", has_text="Combatants").click()
    row = table.locator("#row-f2 [data-row-main]")
    row.focus()
    with table.expect_response(lambda answer: "combatant=f2" in answer.url):
        row.press("Enter")
    expect(table.locator("#h-turn")).to_have_text("Pirate")
    expect(row, "the row keeps the focus").to_be_focused()


def test_focus_goes_to_the_title_when_a_forecast_begins(
    visitor: Page, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "submit", lambda *job: Future())  # it goes on without an end
    visitor.goto(f"{address}forecast/")
    visitor.get_by_role("button", name="Cancel").click()
    expect(visitor.get_by_role("heading", level=1)).to_be_focused()
    visitor.get_by_role("button", name="Run again").press("Enter")
    expect(visitor.get_by_role("button", name="Cancel")).to_be_visible()
    expect(visitor.get_by_role("heading", level=1)).to_be_focused()


# ---- Without JavaScript ----


@pytest.mark.slow
def test_fight_without_javascript(
    live_server: LiveServer, browser: Browser, transactional_db: None, gm_client: Client, prepared: Encounter
) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=live_server.url)
    sign_in(context, live_server, gm_client)
    page = context.new_page()
    page.goto(f"/encounters/{prepared.pk}/")
    page.get_by_role("button", name="I rolled…").click()
    for name, face in (("Zara", 10), ("Pirate", 8), ("Marcus", 6)):
        page.get_by_label(f"{name}, die 1, d10").fill(str(face))
    page.get_by_role("button", name="Use these").click()
    expect(page.locator("#h-turn")).to_have_text("Zara")

    page.get_by_role("link", name="Attack", exact=False).first.click()
    form = page.locator("#form-attack")
    form.locator("summary", has_text="I rolled…").click()
    form.get_by_label("Die 1, d10").fill("5")
    form.get_by_label("Die 2, d10").fill("5")
    form.get_by_role("button", name="Use these").click()
    page.get_by_label("Die 1, d8").fill("9")
    page.get_by_role("button", name="Use this die").click()
    expect(page.locator(".errors").filter(has_text="A d8 shows 1 to 8, not 9.")).to_be_visible()
    page.get_by_label("Die 1, d8").fill("8")
    page.get_by_role("button", name="Use this die").click()
    expect(page.locator("#row-f2")).to_contain_text("72 / 80")

    page.get_by_role("button", name="Next turn").click()
    expect(page.locator("#h-turn")).to_have_text("Pirate")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#h-turn")).to_have_text("Zara")
    page.get_by_role("button", name="Redo").click()
    expect(page.locator("#h-turn")).to_have_text("Pirate")

    page.locator("#menu-f2 summary").click()
    page.locator("#menu-f2").get_by_role("link", name="Damage…").click()
    page.locator("#row-by").fill("5")
    page.get_by_role("button", name="Damage Pirate").click()
    expect(page.locator("#row-f2")).to_contain_text("67 / 80")
    context.close()
    assert state_of(prepared.pk).combatants[PIRATE].tracks["hp"] == 67


def test_tabs_work_without_javascript(
    live_server: LiveServer, browser: Browser, transactional_db: None, gm_client: Client, started: Encounter
) -> None:
    play(started.pk, DEMO.script[1:3])
    context = browser.new_context(
        java_script_enabled=False, base_url=live_server.url, viewport={"width": 360, "height": 740}
    )
    sign_in(context, live_server, gm_client)
    page = context.new_page()
    page.goto(f"/encounters/{started.pk}/")
    expect(page.locator("#turn")).to_be_visible()
    expect(page.locator("#log")).not_to_be_visible()
    page.locator("label", has_text="Log").first.click()
    expect(page.locator("#log")).to_be_visible()
    expect(page.locator("#turn")).not_to_be_visible()
    context.close()
