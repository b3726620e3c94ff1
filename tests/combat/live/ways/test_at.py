"""A table that `play --at` opens behind a proxy: https pages, secure cookies, forms and streams."""

from __future__ import annotations

import http.client
import re
import ssl
from collections.abc import Mapping
from contextlib import closing
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.combat.live.ways.proxies import make_certificate, needs_proxies, run_proxy
from tests.site.hosting.table import PATIENCE, open_table

pytestmark = [needs_proxies, pytest.mark.slow]
NAME = "table.example"
SECRET = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


class Visitor:
    """Someone from the internet who asks a proxy for a name, as a browser does."""

    def __init__(self, port: int) -> None:
        self.port, self.cookies = port, SimpleCookie()

    def ask(
        self, method: str, path: str, fields: Mapping[str, str] | None = None, most: int | None = None
    ) -> tuple[int, str]:
        """The status and the text of an answer, of a stream its first bytes."""
        trusting = ssl._create_unverified_context()
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=PATIENCE, context=trusting)
        headers = {"Host": NAME, "Cookie": "; ".join(f"{k}={v.value}" for k, v in self.cookies.items())}
        if fields is not None:
            kind = "application/x-www-form-urlencoded"
            headers |= {"Origin": f"https://{NAME}", "Referer": f"https://{NAME}{path}", "Content-Type": kind}
        body = None if fields is None else urlencode(fields)
        with closing(connection):
            connection.request(method, path, body, headers)
            with connection.getresponse() as answer:
                for cookie in answer.headers.get_all("Set-Cookie", []):
                    assert "secure" in cookie.lower(), cookie
                    self.cookies.load(cookie)
                return answer.status, answer.read(most).decode()


@pytest.mark.parametrize("proxy", ["nginx", "haproxy"])
def test_gm_signs_in_and_hears_the_table_behind_a_proxy(proxy: str, tmp_path: Path) -> None:
    options = ("--at", f"https://{NAME}")
    folder = tmp_path / "proxy"
    folder.mkdir()
    certificate = make_certificate(folder)
    with (
        open_table(tmp_path / "data", *options) as table,
        run_proxy(proxy, folder, certificate, table.port) as port,
    ):
        assert f"https://{NAME}/" in table.said
        gm = Visitor(port)
        status, page = gm.ask("GET", table.link)
        found = SECRET.search(page)
        assert found, status
        assert gm.ask("POST", table.link, {"csrfmiddlewaretoken": found[1]})[0] == 302
        assert gm.ask("GET", "/encounters/1/")[0] == 200
        status, first = gm.ask("GET", "/live/1/", most=1)
        assert (status, len(first)) == (200, 1), "the first beat passes at once"
        assert Visitor(port).ask("GET", "/encounters/1/")[0] == 302, "strangers sign in first"
