"""Several people who act at the same moment."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from django.db import connection

from combat.rules.core.basics.errors import Refused

T = TypeVar("T")


def at_once(*calls: Callable[[], T]) -> list[T | Refused]:
    """What each of these calls gives, or how it is refused; they start together, in threads of their own."""
    gate = threading.Barrier(len(calls))
    results: dict[int, T | Refused] = {}

    def run(place: int, call: Callable[[], T]) -> None:
        gate.wait(60)
        try:
            results[place] = call()
        except Refused as refused:
            results[place] = refused
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return [results[place] for place in range(len(calls))]
