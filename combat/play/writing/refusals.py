"""Refusals that several ways of writing share."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused


def stale() -> Refused:
    """The refusal of a submission from an outdated page."""
    text = "Someone acted first. The page is now current: check, then try again."
    return Refused("stale", text)


def busy() -> Refused:
    """The refusal of a step while an open command waits for its answers."""
    return Refused("busy", "An action needs dice or a choice: answer or cancel it first.")
