"""Which addresses are open to the internet: asked for, allowed, ignored, stopped."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.http.request import validate_host
from django.utils import timezone

from combat.rules.core.basics.errors import Refused
from cosmos_site.base.outside import MAX_ASKED, MAX_CLOSED, Outside, is_host_name, read_host

TUNNEL = "abc-def.trycloudflare.com"
PORT = 8000  # of the table


@pytest.mark.parametrize("name", ["table.example", "a.b-c.example", "laptop", "xn--mnchen-3ya.example"])
def test_host_name_is_known(name: str) -> None:
    assert is_host_name(name)


NO_NAMES = [
    "",
    ".",
    "a..b",
    "-a.example",
    "a-.example",
    "A.example",
    "a b",
    "a_b.example",
    "192.168.7.7",
    "[::1]",
]
NO_NAMES += ["a.example:80", "<b>.example", "a.example\n", f"{'a' * 64}.example", f"{'a.' * 127}example"]


@pytest.mark.parametrize("name", NO_NAMES)
def test_other_text_is_no_host_name(name: str) -> None:
    assert not is_host_name(name)


def test_host_header_is_read_with_its_port() -> None:
    assert read_host("Table.Example") == "table.example"
    assert read_host("table.example:443") == "table.example"
    assert read_host("table.example.:8443") == "table.example:8443"
    assert read_host("table.example:80") == "table.example:80"
    assert read_host('table.example"><script>') == ""


def test_name_that_asks_is_not_trusted_until_it_is_allowed(outside: Outside, settings: Any) -> None:
    outside.ask(TUNNEL, PORT)
    assert outside.look().asked == (TUNNEL,)
    assert not validate_host(TUNNEL, settings.ALLOWED_HOSTS)
    outside.allow(TUNNEL)
    notice = outside.look()
    assert (notice.asked, [one.address for one in notice.opened]) == ((), [f"https://{TUNNEL}"])
    assert validate_host(TUNNEL, settings.ALLOWED_HOSTS)
    assert not validate_host(f"x.{TUNNEL}", settings.ALLOWED_HOSTS)


@pytest.mark.parametrize(
    "header",
    [
        "localhost",  # known already
        "192.168.7.7:9000",
        f"evil.example:{PORT}",  # a browser that came straight to the table: rebinding
        "evil",
        "203.0.113.7",
        "a b",
        "",
    ],
)
def test_name_that_no_tunnel_has_is_not_asked_about(outside: Outside, header: str) -> None:
    outside.ask(header, PORT)
    assert outside.look().asked == ()


def test_table_at_port_80_is_not_asked_for_names_without_a_port(outside: Outside) -> None:
    outside.ask("evil.example", 80)
    assert outside.look().asked == ()
    outside.ask("evil.example", PORT)
    assert outside.look().asked == ("evil.example",)


def test_only_the_newest_names_are_kept(outside: Outside) -> None:
    for number in range(50):
        outside.ask(f"n{number}.example", PORT)
    assert outside.look().asked == ("n47.example", "n48.example", "n49.example")
    for number in range(50):
        outside.ask(f"m{number}.example", PORT)
        outside.close(f"m{number}.example")
    notice = outside.look()
    assert (len(notice.asked), len(notice.closed)) == (MAX_ASKED - 1, MAX_CLOSED)


def test_ignored_and_stopped_names_do_not_ask_again(outside: Outside, settings: Any) -> None:
    outside.ask("not-mine.example", PORT)
    outside.close("not-mine.example")
    outside.ask(TUNNEL, PORT)
    outside.allow(TUNNEL)
    outside.close(TUNNEL)
    for name in ("not-mine.example", TUNNEL):
        outside.ask(name, PORT)
        assert not validate_host(name, settings.ALLOWED_HOSTS)
    assert outside.look().asked == ()
    assert outside.look().closed == ("not-mine.example", TUNNEL)
    outside.allow(TUNNEL)
    assert [one.host for one in outside.look().opened] == [TUNNEL]


def test_decisions_made_twice_are_made_once(outside: Outside, settings: Any) -> None:
    before = list(settings.ALLOWED_HOSTS)
    outside.ask(TUNNEL, PORT)
    outside.allow(TUNNEL)
    outside.allow(TUNNEL)
    outside.close(TUNNEL)
    outside.close(TUNNEL)
    assert before == settings.ALLOWED_HOSTS


def test_name_that_never_asked_cannot_be_allowed(outside: Outside, settings: Any) -> None:
    with pytest.raises(Refused):
        outside.allow("never.example")
    outside.close("never.example")
    assert outside.look().closed == ()
    assert not validate_host("never.example", settings.ALLOWED_HOSTS)


def test_address_named_at_the_start_is_open_until_it_is_stopped(outside: Outside, settings: Any) -> None:
    outside.begin("table.example:8443")
    assert outside.addresses == ["https://table.example:8443"]
    assert outside.find("TABLE.example:8443")
    assert not outside.find("table.example"), "exactly that address"
    outside.close("table.example:8443")
    assert outside.addresses == []
    assert not validate_host("table.example", settings.ALLOWED_HOSTS)


def test_time_is_told_with_its_day_only_later(outside: Outside) -> None:
    with time_machine.travel("2026-11-22 19:40", tick=False):
        outside.begin("table.example")
        (one,) = outside.look().opened
        assert one.since_form == "H:i"
    with time_machine.travel(timezone.now() + timedelta(days=400)):
        assert one.since_form == "j F, H:i"
