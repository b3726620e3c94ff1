"""One uvicorn process for a table on the GM's own machine. A hosted site starts uvicorn itself."""

import asyncio
import signal
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from .asgi import application
from .elsewhere.views import ProxiedRequests

SHUTDOWN_TIMEOUT = 2  # seconds to finish open requests
HEAD_TIMEOUT = 10  # seconds for the head of a request
WRITE_TIMEOUT = 30  # seconds to send what already waits


class TimedConnection(H11Protocol):
    """A connection with time limits: for a request to arrive, and for its answer to be read."""

    head_timer: asyncio.TimerHandle | None = None
    write_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
        """Expect a request soon."""
        super().connection_made(transport)
        self.expect_head()

    def data_received(self, data: bytes) -> None:
        """Take in more of a request or body."""
        super().data_received(data)
        self.expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Expect nothing more."""
        for timer in filter(None, (self.head_timer, self.write_timer)):
            timer.cancel()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Limit how long the client may stop reading."""
        super().pause_writing()
        self.write_timer = self.loop.call_later(WRITE_TIMEOUT, self.transport.abort)

    def resume_writing(self) -> None:
        """End that limit: the client reads again."""
        if self.write_timer:
            self.write_timer.cancel()
        super().resume_writing()

    def expect_head(self) -> None:
        """Hang up if the head of a request is not complete in HEAD_TIMEOUT seconds."""
        if self.conn.their_state is not h11.IDLE:
            if self.head_timer:
                self.head_timer.cancel()
            self.head_timer = None
        elif not self.head_timer:
            self.head_timer = self.loop.call_later(HEAD_TIMEOUT, self.timeout_keep_alive_handler)


class Server(uvicorn.Server):
    """A server that stops quietly, and does not wait for clients that stopped sending."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Do nothing: the signals are captured before anyone reads how to stop the table."""
        yield

    def handle_signals(self) -> None:
        """Stop on Ctrl-C or a signal from now on: once, and at any moment, as it interrupts nothing."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.stop)

    def stop(self, *_signal: object) -> None:
        """Take no more requests, and finish."""
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Finish the open requests."""
        application.stop_reading()
        await super().shutdown(sockets)


def make_server(encryption: ssl.SSLContext | None = None) -> Server:
    """A server that runs until it is stopped; open requests then have two seconds. By https if encrypted."""
    application.holds_data = True
    config = uvicorn.Config(
        ProxiedRequests(application),
        http=TimedConnection,
        loop="asyncio",  # the same on every system, and whether a hosted table's packages are there or not
        lifespan="on",
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT,
        ssl_context_factory=(lambda *_: encryption) if encryption else None,
    )
    return Server(config)
