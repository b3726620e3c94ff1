"""Answers of a table leave at once."""

import asyncio
import socket

import pytest
from django.core.management.base import CommandError

from cosmos_site.management.commands.play import open_listener
from tests.site.hosting.table import PATIENCE


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
