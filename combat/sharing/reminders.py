"""Reminders: the GM calls the pages of one seat whose player has something to do."""

from __future__ import annotations

from collections.abc import Collection

from django.core.cache import cache
from django.utils import timezone

from combat.audience.changes import PendingCommand, read_pending
from combat.live import hub
from combat.models import Encounter, Seat, ShareLink
from combat.rules.core.basics.errors import Refused
from cosmos_site.base.errors import TOO_OFTEN

from .links import HERE

PAUSE_SECONDS = 20  # until the same seat may be reminded again
CHOOSE, ANSWER = "You have no character yet", "Answer the question on your page"


def find_asked(waiting: PendingCommand | None) -> frozenset[str]:
    """The combatants whom the open command asks."""
    return frozenset(who for one in waiting.requests for who in one.people) if waiting else frozenset()


def find_reason(seat: Seat, asked: Collection[str]) -> str:
    """What a seat's player is waited for, in words to them; empty if nothing."""
    if seat.kind != ShareLink.PLAY:
        return ""
    if not seat.combatants:
        return CHOOSE
    return ANSWER if not {*asked}.isdisjoint(seat.combatants) else ""


def is_here(seat: Seat) -> bool:
    """Whether a page of a seat was open a moment ago."""
    return timezone.now() - seat.seen < HERE


def remind(encounter: Encounter, seat: Seat) -> None:
    """Call the pages of a seat. Refused without a reason or an open page, and soon after the last time."""
    reason = find_reason(seat, find_asked(read_pending(encounter)))
    if not reason:
        raise Refused("stale", f"Nobody waits for {seat.name} now: the page is current again.")
    if not is_here(seat):
        raise Refused("not_allowed", f"{seat.name} has no page open now: call them at the table.")
    if not cache.add(f"reminded:{seat.pk}", 1, PAUSE_SECONDS):
        raise Refused(TOO_OFTEN, f"{seat.name} was reminded just now: wait {PAUSE_SECONDS} seconds.")
    hub.remind(encounter.pk, seat.pk, {"title": "The GM waits for you", "reason": reason})
