"""A gate before the server of browser tests: it finishes all requests before a test ends.

A request that writes after the database was emptied would put its rows into the next test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Condition, RLock
from typing import Any

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
PATIENCE = 60  # seconds


@dataclass
class Gate:
    """Lets requests in during a test, one at a time, so that the app's dice fall in the same order."""

    app: Application
    is_open: bool = False
    inside: int = 0
    changed: Condition = field(default_factory=Condition)
    turn: Any = field(default_factory=RLock)

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer a request, or turn it away."""
        if environ.get("PATH_INFO", "").startswith("/live/"):
            return answer_live(environ["PATH_INFO"], start_response)
        if not self._enter():
            start_response("503 Service Unavailable", [("Content-Length", "0")])
            return ()
        try:
            with self.turn:
                return Answer(self.app(environ, start_response), self._leave)
        except BaseException:
            self._leave()
            raise

    @contextmanager
    def open(self) -> Iterator[None]:
        """Let requests in; at the end let none in and wait until all are out."""
        self.is_open = True
        yield
        with self.changed:
            self.is_open = False
            assert self.changed.wait_for(lambda: not self.inside, PATIENCE), f"{self.inside} requests go on"

    def _enter(self) -> bool:
        with self.changed:
            self.inside += self.is_open
            return self.is_open

    def _leave(self) -> None:
        with self.changed:
            self.inside -= 1
            self.changed.notify_all()


def answer_live(path: str, start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Tell a page that nothing has happened: this server has no streams, and tests say when to look again."""
    status = "304 Not Modified" if path.endswith("/now/") else "404 Not Found"
    start_response(status, [] if path.endswith("/now/") else [("Content-Length", "0")])
    return ()


@dataclass
class Answer:
    """The body of an answer, and a callback for when it is sent."""

    parts: Iterable[bytes]
    done: Callable[[], None]

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.parts)

    def close(self) -> None:
        """Call back once, even if closing the body fails."""
        done, self.done = self.done, lambda: None
        try:
            getattr(self.parts, "close", lambda: None)()
        finally:
            done()
