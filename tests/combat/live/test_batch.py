"""Questions that arrive while the database is busy go there together."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from combat.live import batch
from combat.live.batch import Batch
from combat.live.hub import StreamGrant
from combat.models import Encounter, ShareLink
from combat.sharing.access import read_stamps
from combat.sharing.links import make_link, revoke
from tests.combat.cast import Cast, seat_named


class Book:
    """Doubles numbers, and remembers which it got together."""

    def __init__(self, fails: int = 0) -> None:
        self.pages: list[list[int]] = []
        self.fails = fails

    async def answer(self, asked: Sequence[int]) -> dict[int, int]:
        """Take a moment for it."""
        self.pages.append(list(asked))
        await asyncio.sleep(0)
        if len(self.pages) <= self.fails:
            raise OSError("gone")
        return {number: 2 * number for number in asked}


def test_what_comes_meanwhile_is_asked_together() -> None:
    book = Book()

    async def story() -> list[int]:
        asking = Batch(book.answer)
        first = asyncio.ensure_future(asking.ask(1))
        while not book.pages:
            await asyncio.sleep(0)
        return await asyncio.gather(first, *(asking.ask(number) for number in (2, 3, 2)))

    assert asyncio.run(story()) == [2, 4, 6, 4]
    assert book.pages == [[1], [2, 3, 2]]


def test_no_more_than_so_many_are_asked_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "MAX_QUESTIONS", 2)
    book = Book()

    async def story() -> list[int]:
        asking = Batch(book.answer)
        return await asyncio.gather(*(asking.ask(number) for number in range(5)))

    assert asyncio.run(story()) == [0, 2, 4, 6, 8]
    assert [len(page) for page in book.pages] == [2, 2, 1]


def test_what_goes_wrong_is_told_to_those_who_asked_and_to_nobody_later() -> None:
    async def story() -> list[object]:
        asking = Batch(Book(fails=1).answer)
        failed = await asyncio.gather(asking.ask(1), asking.ask(2), return_exceptions=True)
        return [*map(type, failed), await asking.ask(3)]

    assert asyncio.run(story()) == [OSError, OSError, 6]


def test_who_has_left_is_not_answered() -> None:
    async def story() -> int:
        asking = Batch(Book().answer)
        gone = asyncio.ensure_future(asking.ask(1))
        await asyncio.sleep(0)
        gone.cancel()
        return await asking.ask(2)

    assert asyncio.run(story()) == 4


def test_stamps_of_many_take_as_many_queries_as_of_one(
    cast: Cast, started: Encounter, django_assert_num_queries: object
) -> None:
    """Each gets the answer for their kind; an ended seat or link gets none."""
    pia, rex = seat_named("Pia"), seat_named("Rex")
    link, _ = make_link(started, ShareLink.WATCH, "Overlay")
    ended, _ = make_link(started, ShareLink.WATCH, "Ended")
    revoke(ended)
    fight = started.pk
    wanted = {
        StreamGrant(fight, "gm"): started.stamp(is_gm=True),
        StreamGrant(fight, "seat", pia.pk, digest=pia.digest): started.stamp(is_gm=False, is_seated=True),
        StreamGrant(fight, "seat", pia.pk, digest="another device"): "",
        StreamGrant(fight, "seat", rex.pk, digest=rex.digest): "",
        StreamGrant(fight, "public", link=link.pk): started.stamp(is_gm=False),
        StreamGrant(fight, "public", link=ended.pk): "",
        StreamGrant(fight + 1000, "gm"): "",
    }
    assert callable(django_assert_num_queries)
    with django_assert_num_queries(3):
        assert read_stamps(list(wanted)) == wanted
