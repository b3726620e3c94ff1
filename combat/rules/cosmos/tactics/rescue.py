"""What a sensible combatant does for the wounded before it attacks: first itself, then allies."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.commands.commands import Command, Targeted
from combat.rules.core.state.state import Combatant, State

from ..book.tables import CRITICAL
from ..care.healing import aid_target, aid_terms, count_open_wounds, find_dying
from ..people.sheet import health_state
from ..time.gadgets import Apply, check_apply, find_effect
from ..world.touch import is_within
from .appraisal import chance_of

Submission = tuple[str, Command]
MIN_CHANCE = 0.4  # below this, leave first aid to others


def find_rescue(state: State, combatant: Combatant) -> Submission | None:
    """A dose or a bandage for itself, a patch or first aid for a dying neighbor; None otherwise."""
    left = combatant.budget
    if left["move"]:
        if health_state(combatant) is CRITICAL and (
            submission := _apply(state, combatant, "heals", combatant)
        ):
            return submission
        if (
            combatant.conditions
            and count_open_wounds(state, combatant)
            and (submission := _apply(state, combatant, "presses", combatant))
        ):
            return submission
    for comrade in find_dying(state, combatant):
        if not is_within(state, combatant, comrade):
            continue
        if left["move"] and (submission := _apply(state, combatant, "stabilizes", comrade)):
            return submission
        if left["standard"] and _can_stabilize(state, Targeted(actor=combatant.id, target=comrade.id)):
            return ("first_aid", Targeted(actor=combatant.id, target=comrade.id))
    return None


def _apply(state: State, combatant: Combatant, effect: str, patient: Combatant) -> Submission | None:
    """Use an item with this effect, if one is carried and allowed."""
    for item in combatant.items:
        if find_effect(item) == effect:
            submission = Apply(actor=combatant.id, item=item.id, target=patient.id)
            try:
                check_apply(state, submission)
            except Refused:
                continue
            return ("apply", submission)
    return None


def _can_stabilize(state: State, submission: Targeted) -> bool:
    """Whether first aid has a fair chance to stabilize the patient. [COS-DEATH-07]"""
    return chance_of(add_up(aid_terms(state, submission)) - aid_target(state, submission)) >= MIN_CHANCE
