"""The waiting room: before a fight, and in a fight for a player who has no part in it yet."""

from __future__ import annotations

from collections.abc import Mapping

from combat.audience.fetching import find_players
from combat.display.shapes.room_shapes import Person, Showing, WaitingRoom
from combat.display.shapes.table_shapes import CombatantView
from combat.models import Handout, Seat
from combat.sharing.viewer_context import ViewerContext

MAX_PEOPLE = 24


def view_room(context: ViewerContext, combatants: Mapping[str, CombatantView]) -> WaitingRoom | None:
    """The people at the table, while a viewer waits with them; None for spectators and for those who play."""
    if not _waits(context, combatants):
        return None
    mine = context.seat.pk if context.seat else 0
    seats = find_players(context.encounter.pk)
    people = [_view_person(context, seat, combatants, seat.pk == mine) for seat in seats]
    people.sort(key=lambda person: not person.is_you)
    return WaitingRoom(
        gm=context.encounter.owner.get_username(),
        people=tuple(people[:MAX_PEOPLE]),
        others=len(people[MAX_PEOPLE:]),
        ready=sum(person.ready for person in people),
        total=len(people),
        asks=context.known_state.phase == "prep",
        you=next((person for person in people if person.is_you), None),
    )


def _waits(context: ViewerContext, combatants: Mapping[str, CombatantView]) -> bool:
    viewer, phase = context.viewer, context.known_state.phase
    if viewer.is_spectator or context.encounter.downtime:
        return False
    if phase == "prep":
        return True
    return viewer.is_seated and phase == "fight" and not any(who in viewer.seats for who in combatants)


def _view_person(
    context: ViewerContext, seat: Seat, combatants: Mapping[str, CombatantView], is_you: bool
) -> Person:
    """A player with the first player character of theirs that the viewer knows.

    Who plays one of the GM's combatants is told to the GM alone.
    """
    known = [combatants[who] for who in seat.combatants if who in combatants]
    played = next((one for one in known if one.pc), known[0] if known and context.viewer.is_gm else None)
    name, look = (played.full_name, played.look) if played else ("", None)
    return Person(seat.name, name, look, face=seat.face, ready=seat.ready, is_you=is_you)


def view_showing(handout: Handout) -> Showing:
    """A handout as the waiting room shows it."""
    return Showing(
        handout.pk,
        handout.title,
        handout.text,
        digest=handout.digest,
        width=handout.width,
        height=handout.height,
    )
