"""A page in a real browser: signing in, and checking what the page shows."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from playwright.sync_api import BrowserContext, Page, ViewportSize
from pytest_django.live_server_helper import LiveServer

from combat.sharing.hints import COOKIE, KEYS

SIZES: dict[str, ViewportSize] = {
    "wide": {"width": 1440, "height": 900},
    "narrow": {"width": 360, "height": 740},
}
BY_THEME = ("color-contrast", "link-in-text-block")  # the rules that check colors
AXE = Axe().axe_script
# skip rules whose violations are never serious
FIND_SERIOUS = """async ([within, only]) => {
    const mild = axe._audit.rules.filter((rule) => ["minor", "moderate"].includes(rule.impact));
    const rules = Object.fromEntries(mild.map((rule) => [rule.id, { enabled: false }]));
    const asked = only.length ? { runOnly: only } : { rules };
    const { violations } = await axe.run(within || document, { ...asked, resultTypes: ["violations"] });
    return violations
        .filter((found) => ["serious", "critical"].includes(found.impact))
        .map(({ id, help, nodes }) =>
            ({ id, help, where: nodes.slice(0, 3).map((node) => node.html.slice(0, 150)) }));
}"""
TABS = ("Turn", "Combatants", "Scene", "Log")


def skip_hints(context: BrowserContext) -> None:
    """Let a browser's tables show no hints: they are for first fights."""
    seen = ".".join(sorted(KEYS))
    for host in ("localhost", "127.0.0.1"):
        context.add_cookies([{"name": COOKIE, "value": seen, "path": "/", "domain": host}])


def sign_in(context: BrowserContext, live_server: LiveServer, client: Client) -> None:
    """Give a browser the session of a test client."""
    cookie = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])


def find_barriers(page: Page, within: str = "", only: tuple[str, ...] = ()) -> list[str]:
    """Serious violations and where they are, on a page or a part of it, by these rules or by all."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE)
    violations = page.evaluate(FIND_SERIOUS, [within, only])
    return [f"{v['id']}: {v['help']}: {v['where']}" for v in violations]


def find_overflow(page: Page) -> list[str]:
    """What makes a page wider than its window."""
    found: list[str] = page.evaluate(
        """() => {
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


def check_looks(page: Page, address: str, tabs: tuple[str, ...] = ()) -> None:
    """Check a page in both widths; in the narrow one, behind every tab.

    One theme gets every check, the other only those that depend on the theme.
    """
    for size, themes in (("wide", ("dark", "light")), ("narrow", ("light", "dark"))):
        page.set_viewport_size({"width": SIZES[size]["width"], "height": SIZES[size]["height"]})
        page.goto(address)
        for tab in tabs if size == "narrow" else ("",):
            if tab:
                page.locator("label", has_text=tab).first.click()
            for theme in themes:
                page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
                only = () if theme == themes[0] else BY_THEME
                assert find_barriers(page, only=only) == [], f"{theme}, {size} {tab}"
            assert find_overflow(page) == [], f"{size} {tab}"
