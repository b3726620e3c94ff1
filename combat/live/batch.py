"""Questions to the database in batches: those that arrive during one query share the next."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import Generic, TypeVar

Q = TypeVar("Q", bound=Hashable)
A = TypeVar("A")
MAX_QUESTIONS = 500  # questions at a time


class Batch(Generic[Q, A]):
    """Answers questions of one kind, all waiting ones in one query; for one event loop at a time."""

    def __init__(self, answer_all: Callable[[Sequence[Q]], Awaitable[dict[Q, A]]]) -> None:
        self.answer_all = answer_all
        self.asked: list[tuple[Q, asyncio.Future[A]]] = []
        self.task: asyncio.Task[None] | None = None

    async def ask(self, question: Q) -> A:
        """The answer; raises what went wrong for the whole batch."""
        answer: asyncio.Future[A] = asyncio.get_running_loop().create_future()
        self.asked.append((question, answer))
        if self.task is None or self.task.done():
            self.task = asyncio.ensure_future(self._run())
        return await answer

    async def _run(self) -> None:
        while self.asked:
            asked, self.asked = self.asked[:MAX_QUESTIONS], self.asked[MAX_QUESTIONS:]
            waiting = [(question, answer) for question, answer in asked if not answer.done()]
            try:
                found = await self.answer_all([question for question, _ in waiting])
            except Exception as problem:  # noqa: BLE001 - every asker gets it
                self._fail(waiting, problem)
            else:
                for question, answer in waiting:
                    if not answer.done():
                        answer.set_result(found[question])

    def _fail(self, waiting: list[tuple[Q, asyncio.Future[A]]], problem: Exception) -> None:
        for _, answer in waiting:
            if not answer.done():
                answer.set_exception(problem)
