"""Prisoners of a fight: enemies who gave up or lie there alive become the GM's NPCs, as it left them."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.auth.models import User
from django.db import transaction

from characters.games import furnish_sheet
from characters.models import Character, CharacterChange
from characters.services import character_service
from characters.services.character_service import Wanted
from combat.models import Encounter
from combat.rules import find_system
from combat.rules.core.aftermath import write_as_left
from combat.rules.core.basics.errors import Refused
from combat.rules.core.gm.aliases import real_face, real_name
from combat.rules.core.state.state import SURRENDERED, Combatant, State, has_condition, is_played, present

from .campaigns import add_members
from .roster import find_sheet_id, find_side

KIND = "Prisoner"


def find_prisoners(state: State) -> list[Combatant]:
    """The enemies of the players who gave up or are out, and live.

    Nobody whom a person plays, and nobody who has a sheet of their own already.
    """
    system, own = find_system(state.system), find_side(state)
    if system.book.sheets is None:
        return []
    foes = [one for one in present(state) if one.side not in (own, *system.tactics.neutral)]
    loose = [one for one in foes if one.sheet and not find_sheet_id(one) and not is_played(state, one)]
    return [one for one in loose if _is_taken(state, one)]


def _is_taken(state: State, one: Combatant) -> bool:
    health = find_system(state.system).characters.health(one)
    return not health.dead and (health.is_out or has_condition(one, SURRENDERED))


def find_open_prisoners(encounter: Encounter, state: State) -> list[Combatant]:
    """The prisoners of an encounter who are no NPCs yet. One query."""
    found = find_prisoners(state)
    kept = CharacterChange.objects.filter(
        source__in=[_name(encounter, one) for one in found], character__deleted_at=None
    )
    known = set(kept.values_list("source", flat=True)) if found else set()
    return [one for one in found if _name(encounter, one) not in known]


def keep_prisoners(
    encounter: Encounter, owner: User, state: State, chosen: Collection[str]
) -> list[Character]:
    """Make NPCs of these prisoners, with their wounds and what they still carry.

    They join the campaign, if there is one. All or none: Refused for someone who is no prisoner now.
    """
    ready = {one.id: one for one in find_open_prisoners(encounter, state)}
    if not ready.keys() >= set(chosen):
        raise Refused("stale", "Someone you selected is no prisoner now: reload the page.")
    system, wanted = find_system(encounter.system), list[Wanted]()
    for one in (ready[who] for who in chosen):
        sheet = write_as_left(system, one, furnish_sheet(system, one.sheet), state)
        notes = f"Prisoner since “{encounter.name}”."
        source, face = _name(encounter, one), real_face(one)
        wanted.append(
            Wanted(
                system.slug,
                real_name(one),
                sheet,
                notes=notes,
                npc=True,
                kind=KIND,
                face=face,
                source=source,
            )
        )
    with transaction.atomic():
        made = character_service.create_all(owner, wanted, f"Taken prisoner: {encounter.name}")
        if encounter.campaign and made:
            add_members(encounter.campaign, [one.pk for one in made], npc=True)
    return made


def _name(encounter: Encounter, one: Combatant) -> str:
    """The name of someone taken in a fight, in the history of their sheet."""
    return f"taken:{encounter.pk}:{one.id}"
