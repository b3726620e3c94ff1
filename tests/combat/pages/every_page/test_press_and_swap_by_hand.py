"""What is pressed as it goes down is done, in every region, also if an answer replaces it meanwhile."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter, Seat
from tests.browser import is_press, sign_in, skip_hints
from tests.combat.cast import Cast, gather, invite
from tests.combat.visit import MARCUS, ZARA, Visit, load
from tests.typed import sure

pytestmark = pytest.mark.slow

LOOK = "() => htmx.trigger(document.querySelector('#stream [data-live]'), 'again')"
# Puts another element in the place of each region of the table, as an answer does
REPLACE = """() => {
  for (const region of document.querySelectorAll("#table [data-v]")) {
    if (!region.parentElement?.closest("#table") || !region.isConnected) continue;
    const fresh = region.cloneNode(true);
    region.replaceWith(fresh);
    htmx.process(fresh);
  }
}"""
# Tells of what is clicked, and keeps it from being done
WATCH = """() => {
  window.heard = [];
  for (const kind of ["submit", "htmx:beforeRequest"])
    addEventListener(kind, (event) => { event.preventDefault(); event.stopImmediatePropagation(); }, true);
  const read = (event) => event.target.closest("button")?.textContent.replace(/\\s+/g, " ").trim();
  let words = "";
  window.addEventListener("click", (event) => { words = read(event); }, true);
  document.addEventListener("click", (event) => {
    if (words && !event.defaultPrevented) window.heard.push(words);
    event.preventDefault();
  });
}"""


def press(page: Page, button: Locator) -> None:
    """Put the finger on a button."""
    button.scroll_into_view_if_needed()
    place = sure(button.bounding_box())
    page.mouse.move(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    page.mouse.down()


def look(page: Page) -> None:
    """Let the page take what has changed, as its stream does."""
    with page.expect_response(lambda answer: answer.request.method == "GET" and "/encounters/" in answer.url):
        page.evaluate(LOOK)
    expect(page.locator(".htmx-request, .htmx-swapping, .htmx-settling")).to_have_count(0)


def test_i_am_ready_is_heard_while_another_gets_ready(
    live_server: LiveServer, browser: Browser, waiting_cast: Cast, prepared: Encounter
) -> None:
    Seat.objects.filter(name="Pia").delete()
    context = browser.new_context(viewport={"width": 390, "height": 844})
    skip_hints(context)
    phone = context.new_page()
    phone.goto(live_server.url + invite(prepared))
    phone.get_by_label("Your name", exact=True).fill("Ana")
    phone.get_by_role("button", name="Join").click()
    button = phone.get_by_role("button", name="I am ready")
    expect(button).to_be_visible()
    press(phone, button)
    Visit(waiting_cast.other, prepared.pk).do("say_ready", ready="1")
    old = button.element_handle()
    look(phone)
    assert not old.evaluate("one => one.isConnected"), "the region has come anew"
    with phone.expect_response(is_press):
        phone.mouse.up()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert Seat.objects.get(name="Ana").ready
    context.close()


@pytest.fixture
def waiting_cast(prepared: Encounter) -> Cast:
    return gather(prepared, ZARA, MARCUS)


def test_roll_initiative_is_heard_while_others_get_ready(
    live_server: LiveServer, waiting_cast: Cast, visitor: Page, prepared: Encounter
) -> None:
    sign_in(visitor.context, live_server, waiting_cast.gm)
    visitor.goto(f"{live_server.url}/encounters/{prepared.pk}/")
    button = visitor.locator("button[data-busy-word^=rolling]").first
    for cast in (waiting_cast.player, waiting_cast.other):
        press(visitor, button)
        Visit(cast, prepared.pk).do("say_ready", ready="1")
        look(visitor)
        if cast is waiting_cast.player:
            visitor.mouse.move(1, 1)
            visitor.mouse.up()  # lifted elsewhere, it is no press
            assert load(prepared.pk).phase == "prep"
    with visitor.expect_response(is_press):
        visitor.mouse.up()
    expect(visitor.locator("#h-turn")).to_be_visible()
    assert load(prepared.pk).phase == "fight"


def test_every_button_of_the_table_is_heard_over_a_swap(table: Page) -> None:
    """Each is replaced under the finger; what is clicked is what was pressed, once."""
    table.evaluate(WATCH)
    buttons = table.locator("#table [data-v] button:visible:not([disabled])")
    names = [" ".join(one.split()) for one in buttons.all_inner_texts()]
    assert len(names) > 8
    for number in range(len(names)):
        button = buttons.nth(number)
        if not button.is_visible() or not str(button.text_content()).strip():
            continue
        table.evaluate("window.heard = []")
        said = " ".join(str(button.text_content()).split())
        button.scroll_into_view_if_needed()
        if not button.evaluate(
            """one => { const { left, right, top, bottom } = one.getBoundingClientRect();
            return one.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)); }"""
        ):
            continue
        press(table, button)
        table.evaluate(REPLACE)
        table.mouse.up()
        assert table.evaluate("window.heard") == [said], said


def test_a_button_that_is_gone_says_what_became_of_it(
    live_server: LiveServer, waiting_cast: Cast, visitor: Page, prepared: Encounter
) -> None:
    """The co-GM was quicker: the press is sent, and its refusal is read."""
    sign_in(visitor.context, live_server, waiting_cast.gm)
    visitor.goto(f"{live_server.url}/encounters/{prepared.pk}/")
    press(visitor, visitor.locator("button[data-busy-word^=rolling]").first)
    Visit(waiting_cast.co_gm, prepared.pk).do("start", dice="app")
    look(visitor)
    expect(visitor.locator("button[data-busy-word^=rolling]").first).to_have_count(0)
    with visitor.expect_response(is_press) as sent:
        visitor.mouse.up()
    assert sent.value.status == 409
    expect(visitor.locator("#notice")).to_be_visible()


def test_space_pressed_before_a_swap_acts_once_on_release(table: Page) -> None:
    """Once, also if it is held so long that it repeats, and only of the key that went down."""
    table.evaluate(WATCH)
    button = table.locator("#turn-head button:visible:not([disabled])").first
    said = " ".join(str(button.text_content()).split())
    for swaps, keys, heard in ((True, " ", [said]), (False, " ", [said]), (True, "x", [])):
        table.evaluate("window.heard = []")
        button.focus()
        table.keyboard.down(keys)
        table.keyboard.down(keys)
        if swaps:
            table.evaluate(REPLACE)
        table.keyboard.up("x" if keys == " " else " ")
        assert table.evaluate("window.heard") == [], "another key came up"
        table.keyboard.up(keys)
        assert table.evaluate("window.heard") == heard, (swaps, keys)


def test_what_holds_a_file_is_sent_again_by_its_own_form_alone(table: Page) -> None:
    """If the form was drawn again, its file is gone: the page reloads and sends no half of a request."""
    again = """([fresh, file]) => {
      const elt = document.querySelector("#turn-head form");
      elt.id = "sent";
      const parameters = new FormData(elt);
      if (file) parameters.set("picture", new File(["x"], "x.png"));
      if (fresh) elt.replaceWith(elt.cloneNode(true));
      window.sent = [];
      window.htmx.ajax = (verb, path, { source }) => {
        window.sent.push(source.isConnected);
        return Promise.resolve();
      };
      const requestConfig = { elt, headers: {}, parameters, path: "/", triggeringEvent: null, verb: "post" };
      cosmosLive.sendAgain({ target: document.getElementById("table"), requestConfig, etc: {} });
    }"""
    for fresh, file in ((False, True), (True, False), (False, False)):
        table.evaluate(again, [fresh, file])
        assert table.evaluate("window.sent") == [True], (fresh, file)
    with table.expect_navigation():
        table.evaluate(again, [True, True])
    assert table.evaluate("window.sent") is None
