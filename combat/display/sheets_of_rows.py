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
    for who, sheet in kept.items():
        address = reverse("token", args=[context.encounter.pk, sheet.portrait]) if sheet.portrait else ""
        look = replace(found[who].look, portrait=address)
        opens = context.viewer.is_gm or _is_theirs(context, who, sheet)
        found[who] = replace(found[who], look=look, sheet=sheet.pk if opens else None)
    return found


def _is_theirs(context: ViewerContext, who: str, sheet: Character) -> bool:
    """Whether the one at a seat plays a combatant whose character is their own."""
    seat = context.seat
    if seat is None or not context.viewer.plays(who):
        return False
    if sheet.owner_id:
        return sheet.owner_id == seat.user_id
    return GuestSheet.objects.filter(seat=seat, character=sheet).exists()
