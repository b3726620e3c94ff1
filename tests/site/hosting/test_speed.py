"""How fast a page of a real table is answered, on a new connection and on a kept one.

The times are off by default: pytest --benchmark-enable -n 0.
"""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from typing import Any

import pytest
from django.core.management.base import CommandError

from cosmos_site.management.commands.play import open_listener
from tests.site.hosting.table import PATIENCE, Table, open_again, play_cold

in_time = pytest.mark.benchmark(group="one page of a real table", min_rounds=30)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    with open_again(tmp_path_factory.mktemp("table"), "--no-demo", program=play_cold()) as running:
        yield running


def open_page(connection: HTTPConnection) -> int:
    connection.request("GET", "/accounts/login/")
    with connection.getresponse() as answer:
        answer.read()
        return answer.status


async def accept_one(host: str) -> int:
    """TCP_NODELAY of a connection that a server accepts from `play`'s listener."""
    found: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def look(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        wire = writer.get_extra_info("socket")
        found.set_result(wire.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    listener = open_listener(host, 0)
    async with await asyncio.start_server(look, sock=listener):
        _reader, writer = await asyncio.open_connection(host, listener.getsockname()[1])
        try:
            return await asyncio.wait_for(found, PATIENCE)
        finally:
            writer.close()


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_answers_of_play_leave_at_once(host: str) -> None:
    try:
        answer = asyncio.run(accept_one(host))
    except CommandError as problem:
        assert host == "::1"
        pytest.skip(str(problem))
    assert answer != 0


@in_time
def test_page_on_a_new_connection(benchmark: Any, table: Table) -> None:
    def visit() -> int:
        with closing(HTTPConnection("127.0.0.1", table.port, timeout=PATIENCE)) as connection:
            return open_page(connection)

    assert benchmark(visit) == 200


@pytest.mark.slow
@in_time
def test_page_on_a_kept_connection(benchmark: Any, table: Table) -> None:
    with closing(HTTPConnection("127.0.0.1", table.port, timeout=PATIENCE)) as connection:
        assert open_page(connection) == 200
        assert benchmark(lambda: open_page(connection)) == 200
