"""A large fight on a laptop: the acting combatant is visible in the list."""

from __future__ import annotations

import itertools
from functools import partial

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page as Browser
from playwright.sync_api import Response, Route, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from combat.play.demo import make_demo_fight
from combat.play.writing.encounter_service import Submission, submit
from tests.browser import sign_in
from tests.combat.cast import gather
from tests.combat.visit import MARCUS, PIRATE, ZARA, state_of
from tests.typed import sure

pytestmark = pytest.mark.slow


@pytest.fixture
def laptop(visitor: Browser, address: str, started: Encounter) -> Browser:
    """The table of a large fight, on a screen of 1440 by 900."""
    submit(started.pk, Submission("join", {"block": "pirate", "count": 12}))
    visitor.set_viewport_size({"width": 1440, "height": 900})
    visitor.goto(address)
    return visitor


def test_who_acts_is_in_sight_in_a_long_list(laptop: Browser, started: Encounter) -> None:
    """At the head of the list, in its middle, at its end, and at its head again."""
    acting = laptop.locator('[data-row][aria-current="true"]')
    seen = set()

    def go_on(times: int) -> None:
        for _ in range(times):
            before = acting.get_attribute("id")
            laptop.get_by_role("button", name="Next turn").click()
            expect(acting).not_to_have_attribute("id", str(before))
            expect(acting).to_be_in_viewport(ratio=1)
            seen.add(acting.get_attribute("id"))

    go_on(1)
    for here in (7, 12):
        while acting_place(started.pk) < here:
            submit(started.pk, Submission("next_turn", {}, by="gm"))
        laptop.reload()
        expect(acting).to_be_in_viewport(ratio=1)
        go_on(3)
    assert len(seen) == 7


def acting_place(pk: int) -> int:
    """The place in the order of turns of the combatant that acts."""
    state = state_of(pk)
    return state.order.index(state.active)


def test_page_of_a_large_fight(laptop: Browser, started: Encounter) -> None:
    check_damage_by_keys(laptop)
    check_long_names(laptop, started)
    check_crowded_row(laptop, started)
    check_place_of_the_list(laptop)
    check_typed_dice(laptop)
    check_full_bar(laptop)
    check_bar(laptop)


FILL_BAR = """() => {
  document.querySelector("#bar-undo .bar-word").dataset.what = "Guard 2 attacks the second line soldier";
  const more = Object.assign(document.createElement("span"), { textContent: "counterclockwise and on" });
  document.getElementById("bar-clock").append(more);
}"""


def check_full_bar(laptop: Browser) -> None:
    """A clock of many words takes the room of the undo's words, not that of the menu."""
    laptop.evaluate(FILL_BAR)
    menu = laptop.get_by_role("button", name="Menu", exact=True)
    boxes = [sure(one.bounding_box()) for one in (*map(laptop.locator, ("#bar-undo", "#bar-actions")), menu)]
    assert all(one["x"] + one["width"] <= other["x"] + 1 for one, other in itertools.pairwise(boxes))
    laptop.reload()


def check_damage_by_keys(laptop: Browser) -> None:
    """By keys alone it is what was typed."""
    laptop.locator("#row-f2 [data-row-main]").focus()
    laptop.keyboard.press("t")
    expect(laptop.locator("#row-by")).to_be_focused()
    laptop.keyboard.type("7")
    laptop.keyboard.press("Enter")
    expect(laptop.locator("#log"), "damage by keys").to_contain_text("Pirate loses 7 HP")


def check_place_of_the_list(laptop: Browser) -> None:
    """The list stays where it was put during a turn."""
    panel = laptop.locator("#combatants")
    panel.locator(".row-fold label").first.click()
    panel.evaluate("panel => { panel.scrollTop = panel.scrollHeight; }")
    place = panel.evaluate("panel => panel.scrollTop")
    assert place > 100, "the list is long"
    laptop.locator("#act-attack").click()
    expect(laptop.locator("#form-attack")).to_be_visible()
    assert panel.evaluate("panel => panel.scrollTop") == place, "the list has moved"


def check_typed_dice(laptop: Browser) -> None:
    """Zero on a die of ten sides is a face and leads to the next."""
    laptop.locator("#form-attack summary", has_text="I rolled…").click()
    first, second = laptop.get_by_label("Die 1, d10"), laptop.get_by_label("Die 2, d10")
    first.press_sequentially("0")
    expect(second, "after a zero").to_be_focused()
    assert first.evaluate("(field) => field.validity.valid"), "zero is a face"
    second.press_sequentially("11")
    assert not second.evaluate("(field) => field.validity.valid"), "eleven is none"
    second.fill("0")
    laptop.locator("#form-attack").get_by_role("button", name="Use these").last.click()
    expect(laptop.locator("#prompt, .result").first).to_contain_text("attacks")


def check_bar(laptop: Browser) -> None:
    """One bar leads to the other pages."""
    bar = sure(laptop.locator("#table-bar").bounding_box())
    assert (bar["y"], bar["x"]) == (0, 0), "the bar"
    gear = laptop.get_by_role("link", name="Gear", exact=True)
    expect(gear).to_be_hidden()
    menu = laptop.get_by_role("button", name="Menu")
    box, last = menu.bounding_box(), laptop.locator("#bar-actions").bounding_box()
    assert box
    assert last
    assert last["x"] + last["width"] <= box["x"] + 1, "nothing lies below it"
    menu.click()
    expect(gear, "in the menu").to_be_visible()


OUTSIDE = """() => {
  const edge = document.getElementById("combatants").getBoundingClientRect().right;
  return [...document.querySelectorAll(".row .num, .row .menu > summary")]
    .filter((e) => e.getBoundingClientRect().right > edge).length;
}"""


def check_long_names(laptop: Browser, started: Encounter) -> None:
    """Neither the numbers of a row nor the page exceed the window, and the bar stands in one line."""
    name = "Grand admiral of the seven outer belts and their dockyards"
    submit(started.pk, Submission("join", {"block": "pirate", "name": name, "count": 2}))
    Encounter.objects.filter(pk=started.pk).update(name="The very long haul through the outer docks of Ceres")
    laptop.reload()
    assert laptop.evaluate(OUTSIDE) == 0, "outside of their rows"
    assert laptop.evaluate("document.documentElement.scrollHeight") == 900, "the page"
    bar = sure(laptop.locator("#table-bar").bounding_box())
    assert bar["height"] < 60, "the bar of a long name"


CROWDED = """(row) => {
  const edge = document.getElementById("combatants").getBoundingClientRect().right;
  const chips = [...row.querySelectorAll(".row-chips > .chip")].filter((chip) => chip.checkVisibility());
  const most = Math.min(edge, row.querySelector(".row-chips").getBoundingClientRect().right + .5);
  const cut = chips.filter((chip) => chip.getBoundingClientRect().right > most).length;
  const find = (name) => row.querySelector(name).getBoundingClientRect();
  const [dots, points] = [find(".menu > summary svg"), find(".num")];
  return [chips.length, cut, dots.bottom <= points.top + 1];
}"""


def check_crowded_row(laptop: Browser, started: Encounter) -> None:
    """Many conditions and points below zero: nothing is cut off, and the dots stand above the points."""
    submit(started.pk, Submission("adjust", {"target": PIRATE, "track": "hp", "by": -100}))
    for kind in ("blinded", "bleeding", "frightened", "stunned", "prone"):
        submit(started.pk, Submission("give_condition", {"target": PIRATE, "kind": kind, "turns": 3}))
    laptop.reload()
    chips, cut, is_above = laptop.locator(f"#row-{PIRATE}").evaluate(CROWDED)
    assert (chips, cut, is_above) == (5, 0, True)
    for kind in ("fatigued", "slowed", "burning", "deafened"):  # several with one sign: they have letters
        submit(started.pk, Submission("give_condition", {"target": PIRATE, "kind": kind, "turns": 3}))
    for arrangement in ("map", "numbers"):
        laptop.evaluate("name => localStorage.setItem('arrange', name)", arrangement)
        laptop.reload()
        chips, cut, _ = laptop.locator(f"#row-{PIRATE}").evaluate(CROWDED)
        assert chips >= 4, arrangement
        assert cut == 0, arrangement


def is_of(method: str, response: Response) -> bool:
    return response.request.method == method


def test_look_that_crosses_an_action_loses_nothing(laptop: Browser) -> None:
    """Whether it is answered first or last, and with the parts that changed or the whole page."""
    for is_in_parts, is_look_first in itertools.product((False, True), (True, False)):
        cross(laptop, is_in_parts, is_look_first)
        laptop.unroute_all()


def cross(laptop: Browser, is_in_parts: bool, is_look_first: bool) -> None:
    """Send a look and the next turn, and let their answers come in this order."""
    table, title, held = laptop.locator("#table"), laptop.locator("#turn h2"), dict[str, Route]()
    before, acting = sure(table.get_attribute("data-version")), title.inner_text()
    if not is_in_parts:
        table.evaluate("table => { table.removeAttribute('data-v'); table.removeAttribute('data-tag'); }")
    has_parts = table.get_attribute("data-v") is not None
    assert has_parts == is_in_parts

    def hold(route: Route) -> None:
        """Keep the first request of each method back; let all later ones pass."""
        if held.setdefault(route.request.method, route) is not route:
            route.continue_()

    laptop.route("**/encounters/*/*", hold)
    laptop.evaluate("htmx.trigger(document.querySelector('#stream [data-live]'), 'again')")
    laptop.get_by_role("button", name="Next turn").click()
    for _ in range(100):
        if len(held) == 2:
            break
        laptop.wait_for_timeout(50)
    for method in ("GET", "POST") if is_look_first else ("POST", "GET"):
        with laptop.expect_response(partial(is_of, method)):
            held[method].continue_()
    case = f"in parts: {is_in_parts}, look first: {is_look_first}"
    expect(table, case).not_to_have_attribute("data-version", before)
    expect(title, case).not_to_have_text(acting)


TEXTS = """() => [...document.querySelectorAll("#log li :is(.plain, summary)")].map((line) => {
  const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) if (texts.currentNode.data.trim()) found.push(texts.currentNode);
  return [found[0], found.at(-1)].map((text) => {
    const range = document.createRange();
    range.setStart(text, text.data.search(/\\S/));
    range.setEnd(text, text.data.trimEnd().length);
    const { left, bottom } = range.getBoundingClientRect();
    return [Math.round(left), bottom];
  });
})"""


def test_words_of_the_log_begin_in_line_with_marks_beside_them(
    live_server: LiveServer, page: Browser, transactional_db: None, address: str, started: Encounter
) -> None:
    """Also those of a roll whose step has no icon for a spectator: initiative of someone who joins."""
    cast = gather(started, ZARA, MARCUS)
    submit(started.pk, Submission("join", {"block": "pirate"}))
    submit(started.pk, Submission("note", {"text": "Remember the door."}, by="gm"))
    page.set_viewport_size({"width": 1440, "height": 900})
    for role in ("watcher", "gm"):
        sign_in(page.context, live_server, cast[role])
        page.goto(address)
        page.evaluate("localStorage.setItem('arrange', 'numbers')")  # the map first leaves the log one line
        page.reload()
        lines = page.evaluate(TEXTS)
        begins = [first[0] for first, _ in lines]
        assert max(begins) - min(begins) <= 2, role
        assert [last for first, last in lines if 3 < first[1] - last[1] < 12] == [], role


def test_body_opens_in_its_row_and_its_parts_can_be_pressed(
    visitor: Browser, live_server: LiveServer, gm: User
) -> None:
    fight = make_demo_fight(gm, "guardians")
    submit(fight.pk, Submission("start"))
    visitor.set_viewport_size({"width": 1440, "height": 900})
    visitor.goto(f"{live_server.url}/encounters/{fight.pk}/")
    whose = visitor.locator("details.row-figure").nth(1).get_attribute("id")
    fold = visitor.locator(f"#{whose}")
    parts = fold.locator("a.figure-part")

    def pass_turn() -> None:
        submit(fight.pk, Submission("next_turn"))
        with visitor.expect_response("**/encounters/*/*"):
            visitor.evaluate("htmx.trigger(document.querySelector('#stream [data-live]'), 'again')")

    fold.locator("> summary").press("Enter")
    expect(parts).to_have_count(6)
    expect(fold.locator("> summary")).to_be_focused()
    expect(visitor.locator(".row.changed")).to_have_count(0)
    pass_turn()
    expect(parts).to_have_count(6)
    fold.locator("> summary").click()
    pass_turn()
    expect(parts).to_have_count(0)
    fold.locator("> summary").click()
    parts.first.click()
    expect(fold.locator(".figure-list details[open]")).to_have_count(1)


def test_question_whether_the_fight_is_over_stays_in_sight(laptop: Browser, started: Encounter) -> None:
    """Below the columns of a laptop, and above the tabs of a phone behind each of them; it hides nothing."""
    for who, one in state_of(started.pk).combatants.items():
        if not one.pc:
            submit(started.pk, Submission("give_condition", {"target": who, "kind": "unconscious"}, by="gm"))
    laptop.reload()
    asked = laptop.locator(".ending-ask h2")
    expect(asked).to_be_in_viewport(ratio=1)
    laptop.locator("#turn").evaluate("turn => turn.scrollTo(0, turn.scrollHeight)")
    expect(asked).to_be_in_viewport(ratio=1)
    low = laptop.locator("#turn").evaluate("turn => turn.getBoundingClientRect().bottom")
    assert low <= laptop.locator(".ending-ask").evaluate("one => one.getBoundingClientRect().top") + 1
    for width, height, tabs in ((1024, 768, "Scene Log Combatants"), (390, 844, "Combatants Log Turn")):
        laptop.set_viewport_size({"width": width, "height": height})
        for tab in tabs.split():
            laptop.locator(".tabs label", has_text=tab).first.click()
            expect(asked).to_be_in_viewport(ratio=1)
            asked.click(timeout=5_000)  # refused if anything lies over it
