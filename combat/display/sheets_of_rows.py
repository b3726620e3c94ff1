"""What rows have of the characters that combatants came from: the portrait, and the way to the sheet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from django.urls import reverse

from characters.models import Character
from combat.models import GuestSheet
from combat.play.roster import find_kept
from combat.rules.core.state.state import present
from combat.sharing.viewer_context import ViewerContext

from .shapes import FighterView


def add_sheets(context: ViewerContext, fighters: Mapping[str, FighterView]) -> dict[str, FighterView]:
    """The rows with the portraits of their characters, and the way to the sheets that the viewer may open."""
    kept, found = find_kept(context.encounter, present(context.known_state)), dict(fighters)
    theirs = set(kept) if context.viewer.is_gm else _find_theirs(context, kept)
    for who, sheet in kept.items():
        address = reverse("token", args=[context.encounter.pk, sheet.portrait]) if sheet.portrait else ""
        look = replace(found[who].look, portrait=address)
        found[who] = replace(found[who], look=look, sheet=sheet.pk if who in theirs else None)
    return found


def _find_theirs(context: ViewerContext, kept: Mapping[str, Character]) -> set[str]:
    """The combatants that the one at a seat plays and whose characters are their own."""
    seat = context.seat
    if seat is None:
        return set()
    played = {who: sheet for who, sheet in kept.items() if context.viewer.plays(who)}
    without_owner = [sheet.pk for sheet in played.values() if not sheet.owner_id]
    made: set[int] = set()
    if without_owner:
        sheets = GuestSheet.objects.filter(seat=seat, character__in=without_owner)
        made = set(sheets.values_list("character", flat=True))
    return {
        who
        for who, sheet in played.items()
        if (sheet.owner_id == seat.user_id if sheet.owner_id else sheet.pk in made)
    }
