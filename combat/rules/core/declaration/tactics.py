"""A game's tactics: automatic play, and what its odds tell."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from ..basics.dice.requests import ChoiceRequest
from ..basics.words import Label
from ..commands.commands import Command
from ..state.state import Combatant, State

DEFENDED = "outcome.defended"  # the outcome of a check that makes a successful attack fail


class Candidate(msgspec.Struct, frozen=True):
    """A preparation to try first: an action with its fields, or the same command with other fields."""

    label: str
    name: str = ""
    fields: dict[str, Any] = {}
    rule: str = ""


class Tactics(msgspec.Struct, frozen=True, kw_only=True):
    """How the app plays a combatant, and what the odds of an action tell."""

    # The next sensible action of a combatant with its command; None if its turn should end.
    suggest: Callable[[State, str], tuple[str, Command] | None]
    # What could raise the chance of an action with this command (core/odds/suggestions.py).
    find_candidates: Callable[[State, str, Any], tuple[Candidate, ...]] | None = None
    # The sides that fight nobody and cannot win.
    neutral: tuple[str, ...] = ()
    # The app's answer to a question, by the rule that asks it, if it is not the default.
    policy: Mapping[str, str] = {}
    # The words of the odds for going down and, if that chance is shown too, for staying up.
    falls: tuple[str, str] = ("drops", "")
    # What happened to a combatant besides going down, from the states before and after: for the odds.
    other_outcomes: Callable[[Combatant, Combatant], tuple[Label, ...]] | None = None
    # Merges states whose differences no longer matter for the next step, given its arguments:
    # neither that step nor the odds look at them. Tracks and health stay.
    blur: Callable[[State, tuple[Any, ...]], State] | None = None

    def decide(self, request: ChoiceRequest) -> str:
        """The app's answer to a question."""
        return self.policy.get(request.rule, request.default)
