"""A new encounter from an old one: the fight as it stood when it began.

A copy has the steps of the preparation, so it has whatever can be prepared: seats, speeds, who knows of whom.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec
from django.contrib.auth.models import User

from combat.models import Encounter, Participation
from combat.rules import find_system
from combat.rules.core.basics.naming import name_copy
from combat.rules.core.basics.typed import read_json
from combat.rules.core.state.history import COMMAND, COPY, Step
from combat.rules.core.state.state import decode, find_waiting, present

from ..campaigns.roster import PREFIX
from ..campaigns.table_notes import keep_notes, write_notes
from ..writing.encounter_service import create_encounter, read_state, renew_dice
from ..writing.locking import alone
from ..writing.verification import read_step
from ..writing.whole_logs import prepare_log, store_log, without

MAX_NAME = 100


def copy_encounter(encounter: Encounter, owner: User, name: str = "") -> Encounter:
    """A copy as it stood when the fight began, or stands now if it has not; with dice of its own."""
    mine = {f"{PREFIX}{pk}": pk for pk in owner.characters.values_list("pk", flat=True)}
    steps = [_make_own(step, mine) for step in _find_preparation(encounter)]
    log = prepare_log(decode(bytes(encounter.start)), steps)
    with alone():
        copy = create_encounter(owner, encounter.system, name or _name(encounter, owner))
        copy.campaign_id, copy.tags = encounter.campaign_id, encounter.tags
        store_log(copy, log)
        if steps:
            renew_dice(copy, COPY)
        state = read_state(copy)
        for who in (*present(state), *find_waiting(state)):
            if pk := mine.get(str(who.marks.get("source", ""))):
                Participation.objects.create(encounter=copy, character_id=pk, combatant=who.id)
        keep_notes(copy, write_notes(encounter))
    return copy


def _find_preparation(encounter: Encounter) -> list[Step]:
    """The steps before the fight began: all, if it has not."""
    rows, start = encounter.log.defer("after"), find_system(encounter.system).actions.start
    begun = rows.filter(kind=COMMAND, name=start, struck=False).order_by("number").first()
    return [read_step(row) for row in (rows.filter(number__lt=begun.number) if begun else rows)]


def _make_own(step: Step, mine: Collection[str]) -> Step:
    """A step without the sheets of others: they bring theirs themselves."""

    def is_dropped(key: str, value: Any) -> bool:
        return key == "source" and isinstance(value, str) and value.startswith(PREFIX) and value not in mine

    plain = without(msgspec.json.decode(msgspec.json.encode(step)), is_dropped)
    return read_json(msgspec.json.encode(plain), Step)


def _name(encounter: Encounter, owner: User) -> str:
    taken = set(Encounter.objects.filter(owner=owner).values_list("name", flat=True))
    return name_copy(encounter.name, taken, MAX_NAME)
