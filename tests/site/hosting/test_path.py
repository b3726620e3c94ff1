"""A site under a path of its host, behind a proxy that passes on that path alone."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from html import unescape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from cosmos_site.base.data_lock import CannotStart
from cosmos_site.launch import read_path
from tests.combat.server import Guest, Server, Site, copy_site, invite
from tests.site.hosting.table import PATIENCE, manage

ROOT = "/table"
TABLE = f"{ROOT}/encounters/1/"
IN_PAGE, IN_STYLES, IN_JSON = (
    re.compile(pattern)
    for pattern in (r'(?<!data-key)="(/[^"]*)"', r'url\(["\']?(/[^)"\']*)', r'"(/[^" ]*)"')
)
FILES = (".css", ".js", ".svg", ".png", ".webp", ".woff2")
PARTS = f"{ROOT}/encounters/*/"  # of a page, which say 404 without a question
SIGNS_OUT = "/accounts/logout/"
START_OF_APP = [f"{ROOT}/manifest.webmanifest", f"{ROOT}/worker.js"]


@dataclass
class Proxy:
    """A host with other sites: it passes on what is below the path, and notes what is asked of the others."""

    behind: int
    strays: list[str] = field(default_factory=list)
    port: int = 0

    @contextmanager
    def run(self) -> Iterator[Proxy]:
        """Serve in a thread."""
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            """One request, with a connection of its own."""

            def pass_on(self) -> None:
                if not self.path.startswith(f"{ROOT}/"):
                    proxy.strays.append(self.path)
                    self.send_error(404, "Another site")
                    return
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                del self.headers["Connection"]
                head = f"{self.requestline}\r\n{str(self.headers).strip()}\r\nConnection: close\r\n\r\n"
                with (
                    socket.create_connection(("127.0.0.1", proxy.behind), PATIENCE) as way,
                    suppress(OSError),
                ):
                    way.sendall(head.replace("\r\n", "\n").replace("\n", "\r\n").encode("latin-1") + body)
                    while piece := way.recv(65_536):
                        self.wfile.write(piece)
                self.close_connection = True

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
                """Say nothing."""

        for method in ("GET", "HEAD", "POST"):
            setattr(Handler, f"do_{method}", Handler.pass_on)
        with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            self.port = server.server_address[1]
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            try:
                yield self
            finally:
                server.shutdown()
                thread.join()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A site with a demo fight, under a path."""
    return copy_site(tmp_path_factory.mktemp("path"), COSMOS_PATH=ROOT)


@pytest.fixture(scope="module")
def server(site: Site) -> Iterator[Server]:
    with site.serve() as running:
        yield running


@pytest.fixture(scope="module")
def proxy(server: Server) -> Iterator[Proxy]:
    """The host of the site."""
    with Proxy(server.port).run() as running:
        yield running


@pytest.fixture(scope="module")
def gm(site: Site, proxy: Proxy) -> Guest:
    """The GM, who has begun the fight."""
    gm = Guest(proxy.port)
    assert gm.post(f"{ROOT}{site.link}") == 302
    assert gm.leads.startswith(f"{ROOT}/accounts/")
    assert gm.post(TABLE, do="start", dice="app") == 303
    assert gm.leads.startswith(TABLE)
    return gm


def find_addresses(kind: str, page: str) -> set[str]:
    """Every address on this host that a page or stylesheet names, whatever for."""
    if kind.endswith((*FILES[1:], "openapi.json")) and kind not in START_OF_APP:
        return set()
    pattern = IN_STYLES if kind.endswith(".css") else IN_JSON if kind in START_OF_APP else IN_PAGE
    return {unescape(found).partition("#")[0] for found in pattern.findall(page)}


def find_kind(address: str) -> str:
    """What pages of a kind have in common: numbers and questions may differ."""
    path = urlsplit(address).path
    one_of_many = r"/\d+|/[\w-]{20,}|(?<=/item)/[\w-]+|(?<=/rules)/\w+(?:/[\w-]+)?"
    return path if path.endswith(FILES) else re.sub(one_of_many, "/*", path)


@pytest.mark.slow
def test_every_address_that_a_page_names_is_below_the_path(gm: Guest, proxy: Proxy) -> None:
    """One page of each kind is opened, from the home page on."""
    assert invite(gm, TABLE, "play").startswith(f"{ROOT}/join/")
    assert gm.post(f"{TABLE}share/", do="open") in (302, 303)
    assert gm.get(gm.leads.partition("#")[0]) == 200
    assert f":{proxy.port}{ROOT}</span><b>/j/" in gm.page
    seen, left = set[str](), [f"{ROOT}/", f"{TABLE}share/", *START_OF_APP]
    while left:
        address = left.pop()
        if (kind := find_kind(address)) in seen or SIGNS_OUT in kind or "/live/" in kind:
            continue
        seen.add(kind)
        status = gm.get(address)
        assert status < 500, address
        if not kind.startswith(PARTS):
            assert status != 404, address
        named = find_addresses(kind, gm.page) | {gm.leads} - {""}
        assert [one for one in named if not one.startswith(f"{ROOT}/")] == [], address
        left += sorted(named)
    for wanted in ("/encounters/*/log/", "/rules/*/", "/copies/", "/accounts/me/", "/api/openapi.json"):
        assert f"{ROOT}{wanted}" in seen
    assert proxy.strays == []


@pytest.mark.slow
def test_nothing_is_served_outside_the_path(server: Server) -> None:
    """A proxy that cuts the path off is told so."""
    stranger = Guest(server.port)
    for address in ("/", "/healthz", "/table2/", "/static/icon.svg", "/live/1/"):
        assert stranger.get(address) == 404
        assert stranger.page == f"This site is at {ROOT}/: its proxy has to pass on the whole path.\n"
    assert stranger.get(f"{ROOT}/healthz") == 200
    assert stranger.get(ROOT) == 200
    assert stranger.cookies.keys() <= {"cosmos-csrftoken"}


@pytest.mark.slow
def test_body_that_is_refused_leads_back_below_the_path(server: Server) -> None:
    stranger = Guest(server.port)
    sent = {"Content-Length": "99999999", "Accept": "text/html"}
    assert stranger.ask("POST", f"{ROOT}/gear/", b"x" * 17_000_000, Accept=sent["Accept"]) == 413
    assert f'href="{ROOT}/">Go back' in stranger.page


@pytest.mark.slow
def test_commands_print_whole_addresses(tmp_path: Path) -> None:
    """On data of its own: the command signs the GM out everywhere."""
    site = copy_site(tmp_path, COSMOS_PATH=ROOT)
    told = manage("reset_access", "gm", "--address", "https://home.example/table/", **site.environment)
    assert "https://home.example/table/sign-in/" in told.stdout, told.stderr


@pytest.mark.parametrize(
    ("typed", "path"), [("", ""), ("/", ""), ("/table", "/table"), ("/rpg/table-2/", "/rpg/table-2")]
)
def test_path_of_a_site(typed: str, path: str) -> None:
    assert read_path(typed) == path


@pytest.mark.parametrize(
    "typed", ["table", "//table", "/a b", "/a/../b", "https://home.example/table", "/a?b"]
)
def test_wrong_path_stops_the_start_with_a_sentence(typed: str) -> None:
    with pytest.raises(CannotStart, match="COSMOS_PATH is what follows the host name, such as /table"):
        read_path(typed)


def open_context(browser: Browser, proxy: Proxy) -> BrowserContext:
    """A device."""
    address = f"http://localhost:{proxy.port}"
    return browser.new_context(base_url=address, reduced_motion="reduce", service_workers="allow")


def join_as_player(context: BrowserContext, gm: Guest) -> Page:
    """The page of a player who follows a link."""
    page = context.new_page()
    page.goto(invite(gm, TABLE, "play"))
    page.get_by_label("Your name").fill("Pia")
    page.get_by_role("button", name="Join").click()
    expect(page.locator("#stream")).to_have_attribute("data-way", "get")
    return page


@pytest.mark.slow
def test_turn_is_played_and_heard_under_the_path(browser: Browser, proxy: Proxy, gm: Guest) -> None:
    """By two devices; the worker and the cookies keep to the path too."""
    own, other = open_context(browser, proxy), open_context(browser, proxy)
    address = f"http://localhost:{proxy.port}"
    own.add_cookies([{"name": name, "value": value, "url": address} for name, value in gm.cookies.items()])
    player, page = join_as_player(other, gm), own.new_page()
    page.goto(TABLE)
    before = player.locator("#table").get_attribute("data-version") or ""
    page.get_by_role("button", name="Next turn").click()
    expect(player.locator("#table")).not_to_have_attribute("data-version", before)
    assert urlsplit(player.url).path == TABLE

    scope = player.evaluate("navigator.serviceWorker.ready.then((worker) => worker.scope)")
    assert scope == f"{address}{ROOT}/"
    kept = player.evaluate("caches.keys()")
    assert [name.rpartition("-")[0] for name in kept] == [f"offline{ROOT}"]
    cookies = {cookie.get("name"): cookie.get("path") for cookie in other.cookies()}
    assert cookies.keys() >= {"cosmos-sessionid", "cosmos-csrftoken"}
    assert set(cookies.values()) == {ROOT}
    assert proxy.strays == []
    own.close()
    other.close()
