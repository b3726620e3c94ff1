"""What comes due with time: deadlines of answers, and handouts of clocks."""

from __future__ import annotations

import math

from django.utils import timezone

from combat.audience.changes import PendingCommand, read_pending
from combat.models import Encounter
from combat.play.writing.encounter_service import answer
from combat.rules import find_system
from combat.rules.core.basics.dice.requests import ChoiceRequest
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.rules.core.state.state import State


def seconds_left(system: System, state: State, waiting: PendingCommand | None) -> int | None:
    """Seconds until the open choice takes its default; None if it waits for ever, or the fight is paused."""
    most = int(system.option(state, "answer_seconds"))
    if not most or state.is_paused or waiting is None:
        return None
    if not any(isinstance(request, ChoiceRequest) for request in waiting.requests):
        return None
    passed = (timezone.now() - waiting.asked).total_seconds()
    return min(most, max(0, math.ceil(most - passed)))  # also if the clock was set back


def answer_overdue(encounter: Encounter, state: State) -> bool:
    """Give overdue choices their defaults; return whether there was one.

    `state` is the present state, which has this table's time limit.
    """
    system, done, waiting = find_system(encounter.system), False, read_pending(encounter)
    while waiting and seconds_left(system, state, waiting) == 0:
        requests = enumerate(waiting.requests)
        number, value = next((n, r.default) for n, r in requests if isinstance(r, ChoiceRequest))
        try:
            answer(encounter.pk, number, value=value, version=encounter.version, source="default")
        except Refused:  # someone was quicker, or the default is refused
            return done
        encounter, done = Encounter.objects.get(pk=encounter.pk), True
        waiting = read_pending(encounter)
    return done
