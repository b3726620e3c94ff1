"""Additions to rows from their characters and players: the portrait or face, and the link to the sheet."""

from __future__ import annotations

from collections.abc import Mapping

from django.urls import reverse
from msgspec.structs import replace

from characters.models import Character
from combat.models import GuestSheet, Seat
from combat.play.people.roster import find_kept
from combat.rules.core.state.state import present
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.database.rows import Rows

from ..combatants.tokens import has_face
from ..shapes.table_shapes import CombatantView

FACED = Rows(Seat, only=("id", "combatants", "face"))
# As SQL, since every page asks it, and to write it from a queryset takes ten times as long as to answer it
SEATS_WITH_FACES = f"""
    SELECT {FACED.name_columns("s")} FROM combat_seat s
    WHERE encounter_id = %s AND ended IS NULL AND face <> '' ORDER BY created
"""  # noqa: S608 - the names of our own columns


def add_sheets(context: ViewerContext, combatants: Mapping[str, CombatantView]) -> dict[str, CombatantView]:
    """The rows with the portraits of their characters, and links to the sheets that the viewer may open."""
    kept, found = find_kept(context.encounter, present(context.known_state)), dict(combatants)
    theirs = set(kept) if context.viewer.is_gm else _find_theirs(context, kept)
    for who, sheet in kept.items():
        address = reverse("token", args=[context.encounter.pk, sheet.portrait]) if sheet.portrait else ""
        look = replace(found[who].look, portrait=address)
        if sheet.face and has_face(context.system, context.known_state[who]):
            look = replace(look, face=sheet.face)
        found[who] = replace(found[who], look=look, sheet=sheet.pk if who in theirs else None)
    for who, face in find_faces(context).items():
        found[who] = replace(found[who], look=replace(found[who].look, face=face))
    return found


def find_faces(context: ViewerContext) -> dict[str, str]:
    """The faces that players chose, by the character each of them plays: the first that a face fits."""
    people, found = context.known_state.combatants, dict[str, str]()
    for seat in FACED.find(SEATS_WITH_FACES, [context.encounter.pk]):
        known = [people[who] for who in seat.combatants if who in people and not people[who].gone]
        who = next((one.id for one in known if one.pc and has_face(context.system, one)), "")
        found |= {who: seat.face} if who else {}
    return found


def _find_theirs(context: ViewerContext, kept: Mapping[str, Character]) -> set[str]:
    """The combatants that the viewer plays from a seat and whose characters are their own."""
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
