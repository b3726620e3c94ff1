"""One uvicorn process for a table on somebody's own machine. A hosted site starts uvicorn itself."""

import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from cosmos_site.asgi import application

SECONDS_TO_FINISH = 2


class Server(uvicorn.Server):
    """A server that leaves quietly, and does not wait for people who have stopped sending."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on Ctrl-C or when told to, once; from then on further signals change nothing."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.stop)
        yield

    def stop(self, *_signal: object) -> None:
        """Take no more requests and finish."""
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Finish what is under way."""
        application.stop_reading()
        await super().shutdown(sockets)


def serve(listener: socket.socket) -> None:
    """Answer requests until interrupted; what is under way then has two seconds to finish."""
    config = uvicorn.Config(
        application,
        lifespan="on",
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=SECONDS_TO_FINISH,
    )
    Server(config).run(sockets=[listener])
