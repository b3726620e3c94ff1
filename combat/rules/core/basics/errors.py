"""What can go wrong: a person's mistake, a missing answer, or rules that changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .requests import Request


class Refused(Exception):
    """A wish the rules do not allow now. `message` says what would make it legal.

    Codes: stale, not_your_turn, not_allowed, bad_target, out_of_range, no_budget, bad_dice,
    bad_value, unknown, busy.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class NeedsAnswer(BaseException):
    """A running command needs a roll or a choice. Not an Exception, so no rule can swallow it."""

    def __init__(self, requests: tuple[Request, ...]) -> None:
        super().__init__(f"{len(requests)} answers are missing")
        self.requests = requests


class Drift(Exception):
    """The recorded answers do not fit the questions of today's rules."""
