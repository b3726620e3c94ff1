"""Measure what a press costs the page itself until the next paint: `python -m tests.site.speed.work`.

The same presses as `tests.site.speed.hand`, but in time of the page's main thread, which other work on the
machine changes little, and at full speed: a phone slowed four times needs four times as long. Beside it stand
the elements whose style the browser worked out for that paint.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Locator, Page

from tests.site.speed.hand import Hand, measure

KINDS = ["devtools.timeline", "disabled-by-default-devtools.timeline"]
PRESS = ("pointerdown", "pointerup", "click")


@dataclass(frozen=True)
class Work:
    """What one press cost: milliseconds of the main thread, and styles of elements."""

    milliseconds: float
    styles: int


class Worker(Hand):
    """Someone who presses things while the browser writes down what it does."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.works: dict[str, list[Work]] = {}

    def press(self, name: str, target: Locator, waits: bool = True) -> bool:
        """Press something and note its work."""
        browser = self.page.context.browser
        assert browser
        browser.start_tracing(page=self.page, categories=KINDS)
        is_pressed = super().press(name, target, waits)
        traced = json.loads(browser.stop_tracing())["traceEvents"]
        if is_pressed and (work := find_work(traced)):
            self.works.setdefault(name, []).append(work)
        return is_pressed

    def say(self) -> str:
        """A line for each press."""
        return "\n".join(f"  {name:24} {describe(works)}" for name, works in self.works.items())


def describe(works: list[Work]) -> str:
    """The first, the least and the median; and the styles of the median."""
    spent = [one.milliseconds for one in works]
    middle = statistics.median(spent)
    styles = statistics.median(one.styles for one in works)
    times = f"{spent[0]:5.1f} first {min(spent):5.1f} least {middle:5.1f} median ms"
    return f"{times}; {styles:4.0f} styles ({len(works)})"


def find_work(traced: list[dict[str, Any]]) -> Work | None:
    """The work of the thread that heard the press, until it handed over the next frame."""
    heard = [one for one in traced if one["name"] == "EventDispatch" and one["ph"] == "X"]
    downs = [one for one in heard if one["args"]["data"]["type"] == PRESS[0]]
    if not downs:
        return None
    thread, began = find_thread(downs[-1]), downs[-1]["ts"]
    ours = [one for one in traced if one["ph"] == "X" and find_thread(one) == thread and one["ts"] >= began]
    told = [one for one in ours if one["name"] == "EventDispatch" and one["args"]["data"]["type"] in PRESS]
    last = max(map(end_of, told))
    frames = [end_of(one) for one in ours if one["name"] == "Commit" and one["ts"] > last]
    if not frames:
        return None
    until = [one for one in ours if end_of(one) <= min(frames)]
    styles = sum(one["args"].get("elementCount", 0) for one in until if one["name"] == "UpdateLayoutTree")
    return Work(sum(one.get("tdur", 0) for one in outermost(until)) / 1000, styles)


def find_thread(event: dict[str, Any]) -> tuple[int, int]:
    """The process and the thread of an event."""
    return event["pid"], event["tid"]


def end_of(event: dict[str, Any]) -> int:
    """When it ended, in microseconds."""
    begun, took = event["ts"], event.get("dur", 0)
    return int(begun + took)


def outermost(events: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The events that lie in no other: those that hold the time of all."""
    end = 0
    for one in sorted(events, key=lambda one: (one["ts"], -one.get("dur", 0))):
        if one["ts"] >= end:
            yield one
            end = end_of(one)


def main() -> None:
    """Measure the games asked for."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--game", default="", help="part of a game's short name")
    asked.add_argument("--rounds", type=int, default=5)
    options = asked.parse_args()
    measure(options.game, options.rounds, Worker)


if __name__ == "__main__":
    main()
