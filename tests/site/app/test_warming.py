"""Getting ready in the background: it gives way to requests, stops at once, and only reads the database."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator

import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext
from structlog.testing import capture_logs

from combat.display.drawings import MAX_KEPT, Drawings
from combat.display.table import parts
from combat.rules import SYSTEMS
from cosmos_site.management.warming import find_pieces, run_pieces, warm_up


@pytest.fixture(autouse=True)
def connections_stay_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests have one connection, which must stay."""
    monkeypatch.setattr(connections, "close_all", lambda: None)


def count_to(most: int, done: list[int]) -> Iterator[None]:
    """Pieces that note their numbers."""
    for number in range(most):
        done.append(number)
        yield


@pytest.mark.slow
@pytest.mark.django_db
def test_all_pieces_are_work_that_requests_do_and_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    drawings = Drawings(MAX_KEPT)
    monkeypatch.setattr(parts, "DRAWINGS", drawings)
    with CaptureQueriesContext(connection) as queries:
        pieces = sum(1 for _ in find_pieces())
    assert pieces > 20 * len(SYSTEMS)
    assert {query["sql"].split()[0] for query in queries.captured_queries} <= {"SELECT"}
    assert set(SYSTEMS.values()) <= sys.modules.keys()
    assert drawings.drawn


def test_every_piece_is_done_in_order() -> None:
    done: list[int] = []
    run_pieces(count_to(4, done), lambda: False, threading.Event())
    assert done == [0, 1, 2, 3]


def test_nothing_is_done_while_a_request_is_answered() -> None:
    done: list[int] = []
    busy = iter([False, True, True, False, False, False, False])
    asked: list[int] = []

    def is_busy() -> bool:
        asked.append(len(done))
        return next(busy)

    run_pieces(count_to(4, done), is_busy, threading.Event())
    assert asked == [0, 1, 1, 1, 2, 3, 4], "before the second piece it waited for two looks"


def test_it_stops_with_the_table_even_while_it_waits() -> None:
    done: list[int] = []
    with warm_up(count_to(4, done), lambda: True) as thread:
        assert thread.is_alive()
    assert not thread.is_alive()
    assert done == []


def test_failure_ends_it_and_is_logged() -> None:
    def fail() -> Iterator[None]:
        yield
        raise ValueError("broken")

    with capture_logs() as logs:
        run_pieces(fail(), lambda: False, threading.Event())
    assert [log["event"] for log in logs] == ["warming failed"]
