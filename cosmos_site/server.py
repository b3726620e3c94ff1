"""One uvicorn process for a table on somebody's own machine. A hosted site starts uvicorn itself."""

import asyncio
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from .asgi import application

SHUTDOWN_TIMEOUT = 2  # seconds for what is under way
HEAD_TIMEOUT = 10  # seconds for the head of a request
WRITE_TIMEOUT = 30  # seconds for what already waits to be sent


class TimedConnection(H11Protocol):
    """A connection that does not wait for ever: for a question, or for its answer to be taken."""

    head_timer: asyncio.TimerHandle | None = None
    write_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
        """Expect a question soon."""
        super().connection_made(transport)
        self.expect_head()

    def data_received(self, data: bytes) -> None:
        """Take in more of a question, or of a body."""
        super().data_received(data)
        self.expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Expect nothing more."""
        for timer in filter(None, (self.head_timer, self.write_timer)):
            timer.cancel()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """The other end takes no more for now: for how long is limited."""
        super().pause_writing()
        self.write_timer = self.loop.call_later(WRITE_TIMEOUT, self.transport.abort)

    def resume_writing(self) -> None:
        """The other end goes on."""
        if self.write_timer:
            self.write_timer.cancel()
        super().resume_writing()

    def expect_head(self) -> None:
        """Hang up on a head that is not complete some seconds after its first byte could have come."""
        if self.conn.their_state is not h11.IDLE:
            if self.head_timer:
                self.head_timer.cancel()
            self.head_timer = None
        elif not self.head_timer:
            self.head_timer = self.loop.call_later(HEAD_TIMEOUT, self.timeout_keep_alive_handler)


class Server(uvicorn.Server):
    """A server that leaves quietly, and does not wait for people who have stopped sending."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """They are captured already, since before anybody was told how to stop the table."""
        yield

    def handle_signals(self) -> None:
        """From now on stop on Ctrl-C or when told to: once, and at any moment, as nothing is interrupted."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.stop)

    def stop(self, *_signal: object) -> None:
        """Take no more requests and finish."""
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Finish what is under way."""
        application.stop_reading()
        await super().shutdown(sockets)


def make_server() -> Server:
    """A server that answers requests until it is told to stop; what is under way then has two seconds."""
    config = uvicorn.Config(
        application,
        http=TimedConnection,
        lifespan="on",
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT,
    )
    return Server(config)
