"""A page in a real browser: signing in, and checking what the page shows."""

from __future__ import annotations

import re

from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from playwright.sync_api import BrowserContext, Locator, Page, Response, ViewportSize
from pytest_django.live_server_helper import LiveServer

from combat.sharing.viewer_context import COOKIE, KEYS

SIZES: dict[str, ViewportSize] = {
    "wide": {"width": 1440, "height": 900},
    "narrow": {"width": 360, "height": 740},
}
# Addresses to which pages post by themselves
BY_ITSELF = re.compile(r"/(live|odds|hints)/|/prep/who/")
BY_THEME = ("color-contrast", "link-in-text-block")  # the rules that check colors
AXE = Axe().axe_script
# skip rules whose violations are never serious, but for landmarks: two of one name are a maze
FIND_SERIOUS = """async ([within, only, without]) => {
    const isSerious = ({ id, impact }) => id === "landmark-unique" || !["minor", "moderate"].includes(impact);
    const left = axe._audit.rules.filter((rule) => !isSerious(rule) || without.includes(rule.id));
    const rules = Object.fromEntries(left.map((rule) => [rule.id, { enabled: false }]));
    const asked = only.length ? { runOnly: only } : { rules };
    const told = { resultTypes: ["violations"], selectors: false };
    const { violations } = await axe.run(within || document, { ...asked, ...told });
    return violations
        .filter(isSerious)
        .map(({ id, help, nodes }) =>
            ({ id, help, where: nodes.slice(0, 3).map((node) => node.html.slice(0, 150)) }));
}"""
SKIP_AHEAD = "(seconds) => { const now = Date.now; Date.now = () => now() + 1000 * seconds; }"
# Words of these elements that are cut into pieces
CUT = """async (names) => (await document.fonts.ready,
  [...document.querySelectorAll(names)]).flatMap((one) => {
  if (!one.checkVisibility()) return [];
  const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
  const range = document.createRange(), cut = [];
  while (walker.nextNode()) for (const { index, 0: word } of walker.currentNode.data.matchAll(/\\S+/g)) {
    range.setStart(walker.currentNode, index);
    range.setEnd(walker.currentNode, index + word.length);
    if (range.getClientRects().length > 1) cut.push(word);
  }
  return cut;
})"""
# Ends once the map has its size, its words fit it and it no longer moves
AT_REST = """async () => {
  const paint = () => new Promise(requestAnimationFrame);
  let before = null;
  for (let looks = 0; looks < 1000; looks += 1) {
    const { a, e, f } = document.querySelector("[data-map] > .map").getScreenCTM();
    const now = [a, e, f].join();
    if (now === before && !document.querySelector("[data-map] .map-scale")?.hidden) return;
    before = now;
    await paint();
    await paint();
  }
  throw new Error("The map does not come to rest");
}"""
# Where a spot of the map is in the window, and whether it is on the map
SPOT = """([x, y]) => {
  const map = document.querySelector("[data-map] > .map");
  const at = new DOMPoint(x, y).matrixTransform(map.getScreenCTM());
  const { left, top, right, bottom } = map.getBoundingClientRect();
  return [at.x, at.y, at.x >= left && at.x <= right && at.y >= top && at.y <= bottom];
}"""
TABS = ("Turn", "Combatants", "Scene", "Log")


def skip_hints(context: BrowserContext) -> None:
    """Let a browser's tables show no hints: they are for first fights."""
    seen = ".".join(sorted(KEYS))
    for host in ("localhost", "127.0.0.1"):
        context.add_cookies([{"name": COOKIE, "value": seen, "path": "/", "domain": host}])


def choose_tile(page: Page | Locator, name: str, value: str) -> None:
    """Tap a face or a tile of an open form."""
    page.locator(f'.tile-one:has([name="{name}"][value="{value}"])').click()


def find_tile(page: Page, name: str) -> Locator:
    """The chosen one among the faces or tiles of an open form."""
    return page.locator(f'[data-tile][name="{name}"]:checked')


def put_numbers_first(page: Page) -> None:
    """The arrangement of the table without the map first, kept in this browser."""
    page.context.add_init_script("localStorage.setItem('arrange', 'numbers')")


def wait_for_map(page: Page) -> None:
    """Wait until the map has its size, which the browser tells after the load, and its words fit it."""
    page.evaluate(AT_REST)


def find_on_map(page: Page, x: float, y: float) -> tuple[float, float]:
    """The position of a place of the map, in meters, in the window, in pixels.

    A place outside brings the whole map.
    """
    wait_for_map(page)
    across, down, is_shown = page.evaluate(SPOT, [x, y])
    if not is_shown:
        page.evaluate("document.querySelector('[data-map-view=whole]').click()")
        wait_for_map(page)
        across, down, _ = page.evaluate(SPOT, [x, y])
    return across, down


def sign_in(context: BrowserContext, live_server: LiveServer, client: Client) -> None:
    """Give a browser the session of a test client."""
    cookie = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])


def is_press(answer: Response) -> bool:
    """Whether this answers a press: pages post by themselves, too, for news and odds."""
    return answer.request.method == "POST" and not BY_ITSELF.search(answer.url)


def find_barriers(
    page: Page, within: str = "", only: tuple[str, ...] = (), without: tuple[str, ...] = ()
) -> list[str]:
    """Serious violations and where they are, on a page or a part of it, by these rules or by all but some."""
    page.wait_for_load_state()
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE)
    violations = page.evaluate(FIND_SERIOUS, [within, only, without])
    return [f"{v['id']}: {v['help']}: {v['where']}" for v in violations]


def sleep_device(page: Page, seconds: float) -> None:
    """Let a page find at its next tick that so much time has passed, as after a sleep of the device."""
    page.evaluate(SKIP_AHEAD, seconds)


def find_overflow(page: Page) -> list[str]:
    """What makes a page wider than its window."""
    found: list[str] = page.evaluate(
        """async () => {
            await document.fonts.ready;
            const wide = document.documentElement.clientWidth;
            if (document.documentElement.scrollWidth <= wide) return [];
            return [...document.querySelectorAll("body *")]
                .filter((e) => e.getBoundingClientRect().right > wide + 1)
                .slice(0, 5)
                .map((e) => e.outerHTML.slice(0, 120))
                .concat(`${document.documentElement.scrollWidth} of ${wide} px`);
        }"""
    )
    return found


def look(page: Page, size: str, theme: str) -> None:
    """Give a page a size and a theme."""
    page.set_viewport_size(SIZES[size])
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")


def check_looks(page: Page, address: str, tabs: tuple[str, ...] = (), *, is_measured: bool = False) -> None:
    """Check a page on a bright laptop, and on a dark phone, there behind every tab.

    Colors come from the tokens of a theme, whose contrast is computed for both.

    Args:
        is_measured: Whether test_layout.py measures its colors.
    """
    look(page, "wide", "light")
    page.goto(address)
    found = find_barriers(page, without=BY_THEME if is_measured else ())
    assert not found, f"wide {found}"
    assert find_overflow(page) == [], "wide"
    look(page, "narrow", "dark")
    for tab in tabs:
        page.locator("label", has_text=tab).first.click()
        assert find_barriers(page, without=BY_THEME) == [], f"narrow {tab}"
        assert find_overflow(page) == [], f"narrow {tab}"
    assert find_overflow(page) == [], "narrow"
