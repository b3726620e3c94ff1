"""A new encounter from an old one: the same people and place, nothing has happened yet."""

from __future__ import annotations

import msgspec
from django.contrib.auth.models import User

from combat.models import Encounter, Participation
from combat.rules import find_system
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.decisions import GROUP
from combat.rules.core.state.events import CombatantJoined
from combat.rules.core.state.state import Combatant, present

from ..people.roster import NPC_PREFIX
from ..writing.encounter_service import Submission, create_encounter, read_state, submit
from ..writing.locking import alone


def copy_encounter(encounter: Encounter, owner: User, name: str) -> Encounter:
    """A copy with the same roster, scene and options: everybody in place and unhurt, no history."""
    system: System = find_system(encounter.system)
    state = read_state(encounter)
    with alone():
        copy = create_encounter(owner, system.slug, name)
        Encounter.objects.filter(pk=copy.pk).update(campaign=encounter.campaign)
        submit(copy.pk, Submission("set_scene", {"scene": msgspec.to_builtins(state.scene)}))
        for key, value in state.options.items():
            submit(copy.pk, Submission("set_option", {"key": key, "value": value}))
        brought = _find_brought(encounter, owner)
        joined: dict[str, str] = {}
        for combatant in present(state):
            character = brought.get(combatant.id)
            source = str(combatant.marks.get("source", ""))
            is_kept = character or source.startswith(NPC_PREFIX)
            who = _join_copy(copy, combatant, joined, source if is_kept else "")
            if character:
                Participation.objects.create(encounter=copy, character_id=character, combatant=who)
    return copy


def _find_brought(encounter: Encounter, owner: User) -> dict[str, int]:
    """The owner's own characters, by their combatants. Other players bring theirs themselves."""
    rows = Participation.objects.filter(encounter=encounter, character__owner=owner)
    return dict(rows.values_list("combatant", "character"))


def _join_copy(copy: Encounter, combatant: Combatant, joined: dict[str, str], source: str) -> str:
    """Add a copy of a combatant and return its id; note it in `joined` by its group, or its own id."""
    group = str(combatant.marks.get(GROUP, combatant.id))
    fields = {
        "sheet": combatant.sheet,
        "name": combatant.name,
        "side": combatant.side,
        "hidden": combatant.hidden,
        "pc": combatant.pc,
        "group_of": joined.get(group, ""),
        "source": source,
    }
    done = submit(copy.pk, Submission("join", fields))
    events = (fact.event for fact in done.facts)
    who = next(event.combatant.id for event in events if isinstance(event, CombatantJoined))
    joined.setdefault(group, who)
    submit(copy.pk, Submission("place", {"target": who, "x": combatant.at.x, "y": combatant.at.y}))
    return who
