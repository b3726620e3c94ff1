"""A new encounter from an old one: the same people, the same place, nothing has happened yet."""

from __future__ import annotations

import msgspec
from django.contrib.auth.models import User

from combat.models import Encounter
from combat.rules import find_system
from combat.rules.core.state.events import CombatantJoined
from combat.rules.core.state.state import Combatant, present
from combat.rules.core.system import System

from .encounter_service import Submission, alone, create_encounter, read_state, submit


def copy_encounter(encounter: Encounter, owner: User, name: str) -> Encounter:
    """The same roster, scene and options, everybody in place and unhurt, with no history."""
    system: System = find_system(encounter.system)
    state = read_state(encounter)
    with alone():
        copy = create_encounter(owner, system.slug, name)
        Encounter.objects.filter(pk=copy.pk).update(campaign=encounter.campaign)
        submit(copy.pk, Submission("set_scene", {"scene": msgspec.to_builtins(state.scene)}))
        for key, value in state.options.items():
            submit(copy.pk, Submission("set_option", {"key": key, "value": value}))
        for fighter in present(state):
            _join_copy(copy, fighter)
    return copy


def _join_copy(copy: Encounter, fighter: Combatant) -> None:
    fields = {
        "sheet": fighter.sheet,
        "name": fighter.name,
        "side": fighter.side,
        "hidden": fighter.hidden,
        "pc": fighter.pc,
    }
    done = submit(copy.pk, Submission("join", fields))
    events = (fact.event for fact in done.facts)
    joined = next(event.combatant for event in events if isinstance(event, CombatantJoined))
    spot = {"target": joined.id, "x": fighter.at.x, "y": fighter.at.y}
    submit(copy.pk, Submission("place", spot))
