"""What a sensible fighter does about its surroundings before anything else, for the tactics."""

from __future__ import annotations

from collections.abc import Callable

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Command
from combat.rules.core.state.state import Combatant, Item, State, has_condition, replace

from ..hazards.exposure import find_exposures
from ..hazards.fire import check_burning
from ..hazards.protection import Wear, count_left
from ..hazards.vacuum import is_airless
from ..move.zerog import check_drifting

Submission = tuple[str, Command]


def cope(state: State, fighter: Combatant) -> Submission | None:
    """Put a suit on that is needed, flames out, or catch hold; None if nothing is urgent."""
    left, who = fighter.budget, fighter.id
    suit = find_needed_suit(state, fighter) if left["quick"] else None
    if suit:
        return ("suit", Wear(actor=who, item=suit.id))
    if left["standard"] and has_condition(fighter, "burning") and _allows(check_burning, state, who):
        return ("extinguish", Command(actor=who))
    if left["move"] and has_condition(fighter, "drifting") and _allows(check_drifting, state, who):
        return ("catch_hold", Command(actor=who))
    return None


def find_needed_suit(state: State, fighter: Combatant) -> Item | None:
    """A suit at hand that would keep out more of what reaches the fighter now."""
    if not is_airless(state, fighter) and not find_exposures(state, fighter):
        return None
    worst = _count_harms(state, fighter)
    for item in fighter.items:
        if item.kind == "suit" and item.place != "worn" and count_left(state, item) != 0:
            on = replace(item, place="worn", marks={**item.marks, "since": state.clock})
            items = tuple(on if held.id == item.id else held for held in fighter.items)
            if _count_harms(state, replace(fighter, items=items)) < worst:
                return item
    return None


def _count_harms(state: State, fighter: Combatant) -> int:
    return len(find_exposures(state, fighter)) + (1 if is_airless(state, fighter) else 0)


def _allows(check: Callable[[State, str], None], state: State, who: str) -> bool:
    try:
        check(state, who)
    except Refused:
        return False
    return True
