"""What one types into, and what sends it, stay in sight above the keyboard of a small phone."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User
from playwright.sync_api import Page, ViewportSize
from pytest_django.live_server_helper import LiveServer
from zeal import zeal_ignore

from tests.combat.visit import PIRATE, SLUG
from tests.tools.layout.looking import SETTLED, enter
from tests.tools.layout.pages import World

PHONE: ViewportSize = {"width": 360, "height": 740}
ABOVE_KEYBOARD: ViewportSize = {"width": 360, "height": 360}
# The window gets low under the field that has the focus; the browser brings that field into sight, no more
BRING = "(field) => field.scrollIntoView({ block: 'nearest', behavior: 'instant' })"
# Whether an element lies whole in the window, and nothing over its upper and lower edge
IN_SIGHT = """(one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  const at = (y) => document.elementFromPoint((left + right) / 2, y);
  const isOver = (found) => one.contains(found) || found?.contains(one) || found?.closest("label, .marked");
  return top >= 0 && bottom <= innerHeight && isOver(at(top + 3)) && isOver(at(bottom - 3));
}"""


@dataclass(frozen=True)
class Row:
    """A page's main field: who opens it, what sends or answers what is typed, what they press and type."""

    who: str
    address: str
    field: str
    then: str = ""
    press: str = ""
    words: str = ""


def list_rows(world: World) -> list[Row]:
    new, here, asking = (f"/encounters/{one.pk}/" for one in (world.fresh, world.fight, world.asking))
    sheet, campaign = f"/characters/{world.sheet.pk}/", world.campaign.partition("#")[0]
    return [
        Row("gm", f"{new}prep/people/", "#people-notes", ".chosen [value=people]", words="2 pirates"),
        Row("gm", f"{new}prep/#people", "#people-notes", "#people-add", words="2 pirates"),
        Row("gm", f"/encounters/new/?game={SLUG}", "#start-notes", "#start-go .btn-primary"),
        Row("gm", sheet, "[id^=now-]", "[id^=less-]"),
        Row("gm", f"{here}?combatant={PIRATE}&row=damage", "#row-by", ".row-form .btn-primary"),
        Row("gm", f"{here}?combatant={PIRATE}&row=quick", "#quick-points", ".quick-points .btn"),
        Row("gm", here, "#note", "[value=note]", press=".tabs label[for=tab-log]"),
        Row("gm", here, "#dice-term", "#dice .btn", press="#dice > summary"),
        Row("gm", f"{here}notes/?about={PIRATE}", "[data-note] textarea", "[data-note] .btn-primary"),
        Row("player", here, "#wish-words", "[value=ask_wish]", press="[id^=something-else] > summary"),
        Row("player", f"{here}dice/", "[id^=word-]", "form:has([id^=word-]) .btn"),
        Row("gm", f"{here}fault/", "main textarea", "main form .btn-primary"),
        Row("asked", asking, "#prompt [data-die]", "[data-dice-submit]"),
        Row("nobody", "/join/", "#code", "main .btn-primary"),
        Row("player", "/", "#home-code", ".home-code .btn"),
        Row("nobody", world.link, "#name", "[data-join-button]"),
        Row("nobody", "/accounts/login/", "#id_password", "main form .btn-primary"),
        Row("gm", "/gear/own/new/", "#own-name", "[value=save]"),
        Row("gm", "/gear/", "#q"),
        Row("gm", "/campaigns/", "#new input[name=name]", "#new .btn"),
        Row("gm", f"{campaign}rules/{SLUG}/", "[data-sifts]", ".rules-foot .btn", words="death"),
        Row("gm", f"/rules/{SLUG}/", "#q", "form:has(#q) .btn"),
    ]


def find_hidden(page: Page, row: Row) -> list[str]:
    """What is out of sight once the keyboard has taken its half."""
    if row.press:
        page.locator(row.press).first.click()
    field = page.locator(row.field).locator("visible=true").first
    field.focus()
    page.set_viewport_size(ABOVE_KEYBOARD)
    field.evaluate(BRING)
    if row.words:
        field.press_sequentially(row.words)
        page.locator(row.then).first.wait_for()
        page.evaluate(SETTLED)
    names = filter(None, (row.field, row.then))
    seen = {name: page.locator(name).locator("visible=true").first for name in names}
    return [name for name, one in seen.items() if not one.evaluate(IN_SIGHT)]


def test_main_field_and_its_button_stay_above_the_keyboard(
    live_server: LiveServer, page: Page, transactional_db: None, gm: User
) -> None:
    found = []
    with zeal_ignore():
        world = World(gm)
        for row in list_rows(world):
            page.set_viewport_size(PHONE)
            page.goto(f"{live_server.url}/healthz")
            enter(page.context, live_server.url, world, row.who)
            page.goto(live_server.url + row.address)
            page.evaluate("document.getElementById('banner')?.remove()")  # these servers have no live stream
            page.evaluate(SETTLED)
            found += [f"{row.address}: {name}" for name in find_hidden(page, row)]
    assert found == []
