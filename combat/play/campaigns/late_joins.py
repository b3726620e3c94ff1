"""People who come while an action waits for dice or a choice: they join as soon as it is done."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from django.dispatch import receiver

from characters.models import Character
from combat.audience.rights import check_word, find_viewer
from combat.models import Encounter, LateJoin, Participation, Seat
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import LiveDriver, find_action, run
from combat.rules.core.state.events import CombatantJoined
from combat.rules.core.state.state import Combatant, State

from ..writing.encounter_service import Submission, SubmissionResult, command_closed, read_state, submit
from ..writing.locking import locked

JOINS_LATE = "An action is open: they join as soon as it is done."


def join_or_wait(
    encounter_id: int,
    submissions: Iterable[Submission],
    character: Character | None = None,
    seat: Seat | None = None,
) -> list[Combatant]:
    """Add combatants: all of them, or none if one is refused. Nobody, if they wait for the open command.

    `character` is the sheet they come from, `seat` the one that gets them. They wait only if they could
    join now, as far as can be known.
    """
    with locked(encounter_id) as encounter:
        if not encounter.open_command:
            done = [submit(encounter_id, submission) for submission in submissions]
            return [one for result in done for one in _settle(encounter, result, character, seat)]
        state = read_state(encounter)
        for one in submissions:
            check_word(find_viewer(encounter, one.grant), one.grant, one.name)
            _try(encounter, state, one.fields)
            encounter.late_joins.create(fields=one.fields, by=one.by, character=character, seat=seat)
        return []


def _try(encounter: Encounter, state: State, fields: dict[str, Any]) -> None:
    """Refused for a join that the game would refuse now."""
    system = find_system(encounter.system)
    action = find_action(system, "join")
    run(system, state, action, command=read_command(action, fields), driver=LiveDriver())


def _settle(
    encounter: Encounter, done: SubmissionResult, character: Character | None, seat: Seat | None
) -> list[Combatant]:
    """Note whose sheet the new combatants come from, and give them to the seat; returns them."""
    joined = [fact.event.combatant for fact in done.facts if isinstance(fact.event, CombatantJoined)]
    if character:
        for one in joined:
            Participation.objects.update_or_create(
                encounter=encounter, combatant=one.id, defaults={"character": character}
            )
    if seat and joined:
        seat.refresh_from_db()
        seat.combatants = [*seat.combatants, *(one.id for one in joined)]
        seat.save(update_fields=["combatants"])
    return joined


@receiver(command_closed, dispatch_uid="combat.join_late")
def join_late(encounter_id: int, **_: Any) -> None:
    """Let those join who have waited for the open command; whose seat has ended meanwhile stays away."""
    waiting = LateJoin.objects.filter(encounter=encounter_id)
    for late in waiting.select_related("encounter", "character", "seat"):
        late.delete()
        if late.seat and late.seat.ended:
            continue
        wanted = Submission("join", late.fields, by=late.by)
        with suppress(Refused):  # the encounter is full now: others were faster
            _settle(late.encounter, submit(encounter_id, wanted), late.character, late.seat)
