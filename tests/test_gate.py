"""The gate in front of the server of browser tests."""

from collections.abc import Callable, Iterable
from threading import Event, Thread
from typing import Any

import pytest

from tests.gate import Answer, Gate
from tests.typed import as_a


def nobody(status: str, headers: list[tuple[str, str]]) -> None:
    """A browser that never reads the response head."""


def test_nobody_comes_in_before_or_after() -> None:
    seen: list[str] = []
    gate = Gate(lambda environ, start: [b"in"])

    def start(status: str, headers: list[tuple[str, str]]) -> None:
        seen.append(status)

    assert list(gate({}, start)) == []
    with gate.open():
        answer = as_a(gate({}, start), Answer)
        assert list(answer) == [b"in"]
        answer.close()
    assert list(gate({}, start)) == []
    assert seen == ["503 Service Unavailable"] * 2


def test_end_waits_for_whoever_is_inside() -> None:
    came, go, order = Event(), Event(), list[str]()

    def dawdle(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        came.set()
        go.wait()
        order.append("answered")
        return []

    gate = Gate(dawdle)
    visit = Thread(target=lambda: as_a(gate({}, nobody), Answer).close())
    with gate.open():
        visit.start()
        came.wait()
        Thread(target=go.set).start()
    order.append("emptied")
    visit.join()
    assert order == ["answered", "emptied"]


def test_failure_is_out_too() -> None:
    def fail(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        raise ValueError("broken")

    gate = Gate(fail)
    with gate.open(), pytest.raises(ValueError, match="broken"):
        gate({}, nobody)
    assert gate.inside == 0


def test_pages_that_ask_are_told_that_nothing_has_happened() -> None:
    """So no page of a browser test says that its connection is lost."""
    seen: list[str] = []
    gate = Gate(lambda environ, start: [b"in"])
    for path in ("/live/1/", "/live/1/now/"):
        assert list(gate({"PATH_INFO": path}, lambda status, headers: seen.append(status))) == []
    assert seen == ["404 Not Found", "304 Not Modified"]
