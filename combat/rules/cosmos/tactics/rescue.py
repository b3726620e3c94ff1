"""What a sensible fighter does for the wounded before it attacks, for the tactics: itself, then comrades."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.commands.commands import Command
from combat.rules.core.state.state import Combatant, State

from ..book.tables import CRITICAL
from ..care.healing import Care, aid_target, aid_terms, count_open_wounds, find_dying
from ..people.sheet import health_state
from ..time.gadgets import Apply, check_apply, find_effect
from ..world.touch import is_within
from .appraisal import chance_of

Submission = tuple[str, Command]
MIN_CHANCE = 0.4  # below this, first aid is left to others


def find_rescue(state: State, fighter: Combatant) -> Submission | None:
    """A dose or a bandage for oneself, a patch or first aid for somebody dying beside; None otherwise."""
    left = fighter.budget
    if left["move"]:
        if health_state(fighter) is CRITICAL and (submission := _apply(state, fighter, "heals", fighter)):
            return submission
        if count_open_wounds(state, fighter) and (submission := _apply(state, fighter, "presses", fighter)):
            return submission
    near = [other for other in find_dying(state, fighter.id) if is_within(state, fighter, other)]
    for comrade in near:
        if left["move"] and (submission := _apply(state, fighter, "stabilizes", comrade)):
            return submission
        if left["standard"] and _can_stabilize(state, Care(actor=fighter.id, target=comrade.id)):
            return ("first_aid", Care(actor=fighter.id, target=comrade.id))
    return None


def _apply(state: State, fighter: Combatant, effect: str, patient: Combatant) -> Submission | None:
    """Put a thing with this effect to use, if one is carried and allowed."""
    for item in fighter.items:
        if find_effect(item) == effect:
            submission = Apply(actor=fighter.id, item=item.id, target=patient.id)
            try:
                check_apply(state, submission)
            except Refused:
                continue
            return ("apply", submission)
    return None


def _can_stabilize(state: State, submission: Care) -> bool:
    """[COS-DEATH-07] Whether first aid has a fair chance to stop the dying."""
    return chance_of(add_up(aid_terms(state, submission)) - aid_target(state, submission)) >= MIN_CHANCE
