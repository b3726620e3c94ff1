"""Errors: a person's mistake, or rules that changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Refused(Exception):
    """The rules do not allow this now. `message` says what would make it legal.

    Codes: stale, not_your_turn, not_allowed, bad_target, out_of_range, no_budget, bad_dice, bad_value,
    unknown, busy.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def without_frames(refused: Refused) -> Refused:
    """A refusal to keep, without its traceback.

    A traceback holds the variables of all calls that led to it. The caller that keeps the refusal is one of
    them, so both would stay in memory until Python looks for garbage.
    """
    refused.__traceback__ = refused.__context__ = None
    return refused


class Drift(Exception):
    """The recorded answers do not fit the questions of today's rules."""


def why_refused(check: Callable[..., object] | None, *given: Any) -> str:
    """Why a check refuses these arguments; empty if it does not, or if there is no check."""
    try:
        if check:
            check(*given)
    except Refused as refused:
        return refused.message
    return ""


def allows(check: Callable[..., object], *given: Any) -> bool:
    """Whether a check accepts these arguments."""
    try:
        check(*given)
    except Refused:
        return False
    return True
