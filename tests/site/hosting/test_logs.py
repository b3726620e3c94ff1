"""Logs tell what happened, without secrets."""

import json
import logging
import re
import sys
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote

import pytest
from allauth.core.internal import ratelimit
from django.db import DEFAULT_DB_ALIAS, OperationalError, connections
from django.test import Client, RequestFactory
from django.urls import URLResolver, get_resolver
from structlog.stdlib import ProcessorFormatter

from cosmos_site.logs import configure_logs, make_formatter, mask_tokens

TOKEN = "q8jX0pVd2mZr5tLwK1sYbA"


def format_line(record: logging.LogRecord, as_json: bool) -> str:
    settings = configure_logs(level="INFO", as_json=as_json)["formatters"]["lines"]
    return make_formatter(settings["before"], as_json).format(record)


def write(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The lines of the log."""
    console = next(h for h in logging.getLogger().handlers if isinstance(h.formatter, ProcessorFormatter))
    return [line for record in caplog.records for line in console.format(record).splitlines()]


@pytest.mark.parametrize("as_json", [True, False])
@pytest.mark.parametrize(
    "address",
    [
        "/sign-in/{}/",
        "/join/{}/",
        "/join/{}?next=/",
        "/j/{}/",
        "GET /sign-in/{}",
        "/api/v1/{}/",
        "/api/v1/{}/events/",
        "/accounts/login/?next=%2Fjoin%2F{}%2F",
        "/accounts/login/?next=%2fapi%2fv1%2f{}%2f",
    ],
)
def test_tokens_of_links_are_blotted_out(as_json: bool, address: str) -> None:
    words = ("Not found: %s", (address.format(TOKEN),))
    line = format_line(logging.LogRecord("django", logging.INFO, "", 0, *words, None), as_json)
    assert TOKEN not in line
    assert "Not found" in line


SECRETS = {"token", "code", "key"}  # the names of such parts of an address
PLAIN = "/gear/"  # where a key is that of an item


def find_secret_addresses(patterns: Iterable[Any] | None = None, before: str = "/") -> Iterator[str]:
    """Every address of the site with a token, a code or a key, with TOKEN in its place."""
    for found in get_resolver().url_patterns if patterns is None else patterns:
        part = found.pattern
        here = f"{before}{getattr(part, '_route', part.regex.pattern)}"
        if isinstance(found, URLResolver):
            yield from find_secret_addresses(found.url_patterns, here)
        elif SECRETS & (part.regex.groupindex.keys() | part.converters.keys()) and not here.startswith(PLAIN):
            yield fill(here)


def fill(route: str) -> str:
    """The address of a route: TOKEN for its secret, a letter for anything else."""
    plain = re.sub(r"\(\?P<(\w+)>[^)]*\)", r"<\1>", route).replace("^", "").replace("$", "")
    return re.sub(r"<(?:\w+:)?(\w+)>", lambda part: TOKEN if part[1] in SECRETS else "x", plain)


def test_no_address_with_a_token_or_a_code_is_logged() -> None:
    """Whatever the site has: plain, as the page to come back to, and quoted once or twice."""
    addresses = list(find_secret_addresses())
    assert {f"/{room}/{TOKEN}/" for room in ("sign-in", "join", "j", "v", "api/v1")} <= set(addresses)
    for address in addresses:
        once, twice = quote(address, safe=""), quote(quote(address, safe=""))
        for text in (address, f"/accounts/login/?next={address}", f"/?next={once}", f"/?a={twice}&b"):
            assert TOKEN not in mask_tokens(f"GET {text} from 10.0.0.1"), text
    assert mask_tokens("GET /encounters/7/log/?page=2") == "GET /encounters/7/log/?page=2"


def test_hosted_lines_are_json_with_the_cause_of_a_fault() -> None:
    try:
        raise RuntimeError(f"while opening /join/{TOKEN}/")
    except RuntimeError:
        record = logging.LogRecord("django", logging.ERROR, "", 0, "failed", None, sys.exc_info())
    line = json.loads(format_line(record, as_json=True))
    assert line["event"] == "failed"
    assert line["level"] == "error"
    assert "RuntimeError: while opening /join/…/" in line["exception"]


@pytest.mark.django_db
def test_request_log_holds_no_token(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "django_structlog")
    client.get(f"/sign-in/{TOKEN}/")
    client.get(f"/api/v1/{TOKEN}/")
    written = "\n".join(write(caplog))
    assert "GET /sign-in/…/" in written
    assert "GET /api/v1/…/" in written
    assert TOKEN not in written


@pytest.mark.django_db
def test_log_and_limits_take_the_address_from_the_connection(
    client: Client, caplog: pytest.LogCaptureFixture, rf: RequestFactory
) -> None:
    """Anyone can send the headers of a proxy: only what the server has accepted of them counts."""
    caplog.set_level("INFO", "django_structlog")
    forged: dict[str, Any] = {
        "HTTP_X_FORWARDED_FOR": "203.0.113.9",
        "HTTP_X_REAL_IP": "203.0.113.9",
        "HTTP_FORWARDED": "for=203.0.113.9",
    }
    client.get("/help/", REMOTE_ADDR="192.168.7.20", **forged)
    written = "\n".join(write(caplog))
    assert "192.168.7.20" in written
    assert "203.0.113.9" not in written
    request = rf.get("/help/", REMOTE_ADDR="192.168.7.20", **forged)
    assert ratelimit.get_ip(request) == "192.168.7.20"


def lose(client: Client, monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    """Make every query of the database fail with this message."""

    def refuse(*args: object, **kwargs: object) -> None:
        raise OperationalError(words)

    client.raise_request_exception = False
    monkeypatch.setattr(connections[DEFAULT_DB_ALIAS], "execute_wrappers", [refuse])


@pytest.mark.django_db
@pytest.mark.parametrize("signed_in", [True, False])
def test_database_that_is_away_takes_one_line_for_each_request(
    client: Client,
    django_user_model: Any,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    signed_in: bool,
) -> None:
    if signed_in:
        client.force_login(django_user_model.objects.create_user("ana"))
    lose(client, monkeypatch, "the connection is lost\nIs the server running?")
    for address in ("/encounters/1/", f"/join/{TOKEN}/"):
        caplog.clear()
        assert client.get(address).status_code == 503
        (line,) = write(caplog)
        assert "database_away" in line
        assert "the connection is lost" in line
        assert f"GET {address.replace(TOKEN, '…')}" in line


@pytest.mark.django_db
def test_fault_in_a_query_keeps_its_traceback(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    lose(client, monkeypatch, "no such column: combat_seat.hat")
    assert client.get("/encounters/1/").status_code == 500
    (record,) = caplog.records
    assert isinstance(record.msg, dict)
    assert (record.msg["event"], record.msg["exc_info"]) == ("request_failed", True)
