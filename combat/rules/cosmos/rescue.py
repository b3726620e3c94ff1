"""What a sensible fighter does for the wounded before it attacks, for the tactics: itself, then comrades."""

from __future__ import annotations

from ..core.commands import Command
from ..core.errors import Refused
from ..core.modifiers import add_up
from ..core.space import distance
from ..core.state import Combatant, State
from .appraisal import chance_of
from .gadgets import Apply, check_apply, find_effect
from .healing import CARE_REACH_M, Care, aid_target, aid_terms, count_open_wounds, find_dying
from .sheet import health_state
from .tables import CRITICAL

Wish = tuple[str, Command]
LEAST_CHANCE = 0.4  # below this, first aid is left to others


def find_rescue(state: State, fighter: Combatant) -> Wish | None:
    """A dose or a bandage for oneself, a patch or first aid for somebody dying beside; None otherwise."""
    left = fighter.budget
    if left["move"]:
        if health_state(fighter) is CRITICAL and (wish := _apply(state, fighter, "heals", fighter)):
            return wish
        if count_open_wounds(state, fighter) and (wish := _apply(state, fighter, "presses", fighter)):
            return wish
    near = [f for f in find_dying(state, fighter.id) if distance(f.at, fighter.at) <= CARE_REACH_M + 0.01]
    for comrade in near:
        if left["move"] and (wish := _apply(state, fighter, "stabilizes", comrade)):
            return wish
        if left["standard"] and _can_stabilize(state, Care(actor=fighter.id, target=comrade.id)):
            return ("first_aid", Care(actor=fighter.id, target=comrade.id))
    return None


def _apply(state: State, fighter: Combatant, effect: str, patient: Combatant) -> Wish | None:
    """Put a thing with this effect to use, if one is carried and allowed."""
    for item in fighter.items:
        if find_effect(item) == effect:
            wish = Apply(actor=fighter.id, item=item.id, target=patient.id)
            try:
                check_apply(state, wish)
            except Refused:
                continue
            return ("apply", wish)
    return None


def _can_stabilize(state: State, wish: Care) -> bool:
    """[COS-DEATH-07] Whether first aid has a fair chance to stop the dying."""
    return chance_of(add_up(aid_terms(state, wish)) - aid_target(state, wish)) >= LEAST_CHANCE
