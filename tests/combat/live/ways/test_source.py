"""How a page chooses its way: by a clock of its own, and answers that the test gives."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Error, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter

pytestmark = pytest.mark.slow

STEP = 250  # milliseconds of the page's clock
CHANGED = "event: changed\ndata: {}\n\n"
EVENT = "event: beat\ndata: 1\n\n"
WATCH = """
window.losses = 0;
window.open = 0;  // asks, and streams that break off
window.breaks ??= [];
window.told = [];
document.addEventListener("sse:changed", (event) => window.told.push(event.detail.data), true);
document.addEventListener("htmx:sseError", () => { window.losses += 1; });
const usual = window.fetch;
const watch = (answer, end) => {
    if (answer.body) {
        const body = answer.body.pipeThrough(new TransformStream({ flush: end }));
        return new Response(body, { status: answer.status, headers: answer.headers });
    }
    end();
    return answer;
};
window.fetch = (address, options) => {
    if (!address.endsWith("/now/") && !window.breaks.includes(options.method)) return usual(address, options);
    window.open += 1;
    let end = () => {
        window.open -= 1;
        end = () => {};
    };
    options.signal.addEventListener("abort", () => end());
    const fail = (error) => { end(); throw error; };
    return usual(address, options).then((answer) => watch(answer, () => end()), fail);
};
"""


@dataclass
class Network:
    """What lies between a page and the table: it answers asks, and hangs or breaks off streams."""

    page: Page
    answers: bool = True
    breaks: tuple[str, ...] = ()  # the methods whose streams break off
    streams: list[str] = field(default_factory=list)
    asks: int = 0

    def break_off(self, *methods: str) -> None:
        """From now on let the streams of these methods end after one event, and no others."""
        self.breaks = methods
        script = f"window.breaks = {[*methods]}"
        self.page.add_init_script(script)
        self.page.evaluate(script)

    def listen(self, route: Route) -> None:
        """Answer a stream: never, or with one event and an end."""
        method = route.request.method
        self.streams.append(method)
        if method in self.breaks:
            route.fulfill(status=200, content_type="text/event-stream", body=EVENT)

    def ask(self, route: Route) -> None:
        """Answer an ask."""
        self.asks += 1
        if self.answers:
            route.fulfill(status=200, content_type="text/event-stream", body=EVENT, headers={"ETag": '"a.1"'})
        else:
            route.abort()

    def run(self, seconds: float) -> None:
        """Let the page's clock run; asks are answered, and streams break off, at once by that clock."""
        for _ in range(round(1000 * seconds / STEP)):
            self.page.clock.run_for(STEP)
            while self.page.evaluate("window.open"):
                self.page.wait_for_timeout(1)

    def run_until(self, what: Callable[[], bool]) -> None:
        """Let the page's clock run until something is so: at most a minute, as then it tries again."""
        for _ in range(60_000 // STEP):
            if what():
                return
            self.run(STEP / 1000)
        raise AssertionError(f"not within a minute: {self}")

    @property
    def losses(self) -> int:
        """How often the page has said that its connection is lost."""
        return int(self.page.evaluate("window.losses"))


@pytest.fixture
def network(live_server: LiveServer, visitor: Page, started: Encounter) -> Network:
    """The GM's table behind it, before its first second."""
    found = Network(visitor)
    visitor.route("**/live/*/", found.listen)
    visitor.route("**/live/*/now/", found.ask)
    visitor.add_init_script(WATCH)
    visitor.clock.install(time=0)
    visitor.clock.pause_at(1)
    with visitor.expect_request("**/live/*/"):  # or the first stream would count as one of a later page
        visitor.goto(f"{live_server.url}/encounters/{started.pk}/")
    while not found.streams:
        visitor.wait_for_timeout(1)
    return found


def test_page_with_silent_streams_asks_and_says_nothing_about_it(network: Network) -> None:
    network.run(4.5)
    assert (network.streams, network.asks) == (["GET"], 2), "it asks before it gives up"
    network.run(1)
    assert network.streams == ["GET", "POST"]
    network.run(6)
    expect(network.page.locator("#stream")).to_have_attribute("data-way", "ask")
    before = network.asks
    network.run(10)
    assert network.asks - before == 4
    network.run(56)
    assert network.streams == ["GET", "POST", "GET", "POST"], "now and then it tries again"
    assert network.losses == 0
    expect(network.page.locator("#banner")).to_be_hidden()


def test_stream_that_keeps_breaking_off_gives_way_to_the_next(network: Network) -> None:
    network.break_off("GET", "POST")
    network.streams.clear()
    network.page.reload()
    stream = network.page.locator("#stream")
    network.run_until(lambda: stream.get_attribute("data-way") == "ask")
    assert network.streams == ["GET"] * 3 + ["POST"] * 3
    assert network.losses == 0


def test_page_that_nothing_answers_says_so_until_something_does(network: Network) -> None:
    network.answers = False
    network.break_off("GET")
    network.streams.clear()
    network.page.reload()
    network.run(10)
    assert network.streams == ["GET"], "the network is to blame, not the way"
    assert network.losses == 1
    banner = network.page.locator("#banner")
    expect(banner).to_contain_text("Connection lost.")
    network.answers = True
    network.break_off()
    network.run_until(banner.is_hidden)
    network.run(1)
    assert network.streams == ["GET", "GET"]


def test_answer_that_a_stream_overtakes_tells_nothing(network: Network) -> None:
    """Else the page believes itself old, and reads the table again for nothing."""
    page, streams, asks = network.page, list[Route](), list[Route]()
    page.route("**/live/*/", lambda route: streams.append(route))
    page.route("**/live/*/now/", lambda route: asks.append(route))
    page.reload()

    def tell(route: Route, stamp: str) -> None:
        route.fulfill(content_type="text/event-stream", body=CHANGED.format(stamp))

    def wait_until(is_so: Callable[[], bool]) -> None:
        for _ in range(60_000 // STEP):
            if is_so():
                return
            page.wait_for_timeout(1)
            page.clock.run_for(STEP)
        raise AssertionError(page.evaluate("window.told"))

    wait_until(lambda: bool(streams and asks))
    tell(streams[0], "new")
    page.wait_for_function("() => window.told.length")
    with suppress(Error):  # the page no longer waits for it
        tell(asks[0], "old")
    wait_until(lambda: len(asks) > 1)
    tell(asks[1], "newer")
    page.wait_for_function("() => window.told.includes('newer')")
    assert page.evaluate("window.told") == ["new", "newer"]
