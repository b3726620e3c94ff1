"""Requests through a proxy or tunnel: what is believed of them, and of whom."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cosmos_site.base.outside import Outside
from cosmos_site.elsewhere import views
from cosmos_site.elsewhere.views import ProxiedRequests

TUNNEL = "abc-def.trycloudflare.com"
HERE, NEAR, FAR = "127.0.0.1", "192.168.7.20", "203.0.113.9"
THROUGH_TUNNEL = {"x-forwarded-proto": "https", "x-forwarded-for": FAR}


def pass_on(peer: str, host: str, scheme: str = "http", **headers: str) -> tuple[str, str]:
    """Send a request from a peer; return the scheme and the sender that the site sees."""
    seen: list[dict[str, Any]] = []

    async def site(scope: dict[str, Any], receive: Any, send: Any) -> None:
        seen.append(scope)

    async def nothing() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    sent = {"host": host, **headers}
    scope = {
        "type": "http",
        "scheme": scheme,
        "client": (peer, 50_000),
        "server": ("127.0.0.1", 8000),
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in sent.items()],
    }
    asyncio.run(ProxiedRequests(site)(scope, nothing, nothing))
    (found,) = seen
    return found["scheme"], found["client"][0]


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
def test_tunnel_on_this_machine_asks_and_changes_nothing(outside: Outside, peer: str) -> None:
    assert pass_on(peer, TUNNEL, **THROUGH_TUNNEL) == ("http", peer)
    assert outside.look().asked == (TUNNEL,)


@pytest.mark.parametrize("peer", [NEAR, FAR, "fe80::7", "::ffff:192.168.7.20"])
def test_forged_headers_from_elsewhere_change_nothing(outside: Outside, peer: str) -> None:
    forged = {**THROUGH_TUNNEL, "x-forwarded-for": HERE, "x-forwarded-host": TUNNEL}
    assert pass_on(peer, TUNNEL, **forged) == ("http", peer)
    assert pass_on(peer, "192.168.7.7", **forged) == ("http", peer)
    assert outside.look().asked == ()


@pytest.mark.parametrize("said", [{}, {"x-forwarded-proto": "http"}, {"forwarded": "proto=https"}])
def test_local_request_without_https_asks_nothing(outside: Outside, said: dict[str, str]) -> None:
    pass_on(HERE, TUNNEL, **said)
    assert outside.look().asked == ()


def test_headers_count_only_at_an_open_address(outside: Outside) -> None:
    outside.begin("table.example")
    assert pass_on(HERE, "table.example", **THROUGH_TUNNEL) == ("https", FAR)
    assert pass_on(HERE, "localhost:8000", **THROUGH_TUNNEL) == ("http", HERE)
    assert pass_on(HERE, "table.example:8000", **THROUGH_TUNNEL) == ("http", HERE)


def test_sender_is_believed_only_of_this_machine(outside: Outside) -> None:
    outside.begin("table.example")
    assert pass_on(NEAR, "table.example", **THROUGH_TUNNEL) == ("https", NEAR)
    assert pass_on(NEAR, "192.168.7.7:8000", **THROUGH_TUNNEL) == ("http", NEAR), "phones at home, by http"


def test_open_address_is_https_unless_the_proxy_denies_it(outside: Outside) -> None:
    outside.begin("table.example")
    assert pass_on(HERE, "table.example")[0] == "https"
    assert pass_on(HERE, "table.example", **{"x-forwarded-proto": "http"})[0] == "http"


@pytest.mark.parametrize(
    "said",
    [
        f"198.51.100.1, {FAR}",  # the sender wrote the first; the proxy added itself
        f"127.0.0.1, {FAR}",
        f"{FAR}, 127.0.0.1",  # a second proxy on this machine
        f"{FAR}:4711",
    ],
)
def test_sender_cannot_choose_another_address(outside: Outside, said: str) -> None:
    outside.begin("table.example")
    assert pass_on(HERE, "table.example", **{"x-forwarded-for": said}) == ("https", FAR)


def test_certificate_of_the_table_keeps_its_scheme(outside: Outside) -> None:
    assert pass_on(NEAR, "192.168.7.7", "https") == ("https", NEAR)


def test_start_and_stop_of_the_server_pass(outside: Outside) -> None:
    seen = []

    async def site(scope: dict[str, Any], receive: Any, send: Any) -> None:
        seen.append(scope["type"])

    asyncio.run(ProxiedRequests(site)({"type": "lifespan"}, None, None))
    assert seen == ["lifespan"]


@pytest.mark.parametrize("others", [0, 3])
def test_open_stream_ends_when_its_address_is_closed(
    outside: Outside, monkeypatch: pytest.MonkeyPatch, others: int
) -> None:
    monkeypatch.setattr(views, "CHECK_SECONDS", 0.01)
    outside.begin("table.example")

    async def listen() -> list[str]:
        events = [{"type": "http.request", "body": b"x", "more_body": True}] * others
        events += [{"type": "http.request", "body": b"", "more_body": False}]

        async def receive() -> Any:
            return events.pop(0) if events else await asyncio.Event().wait()

        place = outside.find("table.example")
        assert place
        patient = views.hang_up_when_closed(place, receive)
        heard = [(await patient())["type"] for _ in range(others + 1)]
        last = asyncio.ensure_future(patient())
        await asyncio.sleep(0.05)
        assert not last.done()
        outside.close("table.example")
        return [*heard, (await last)["type"]]

    assert asyncio.run(listen()) == ["http.request"] * (others + 1) + ["http.disconnect"]


def test_stream_at_an_open_address_hears_that_its_page_is_gone(outside: Outside) -> None:
    outside.begin("table.example")

    async def listen() -> list[str]:
        events = [{"type": "http.request", "more_body": False}, {"type": "http.disconnect"}]

        async def receive() -> Any:
            return events.pop(0)

        place = outside.find("table.example")
        assert place
        patient = views.hang_up_when_closed(place, receive)
        return [(await patient())["type"], (await patient())["type"]]

    assert asyncio.run(listen()) == ["http.request", "http.disconnect"]
