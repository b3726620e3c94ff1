"""What a sensible combatant does first about its surroundings, for the tactics."""

from __future__ import annotations

from combat.rules.core.basics.errors import allows
from combat.rules.core.commands.commands import Command, Handle
from combat.rules.core.state.state import Combatant, Item, State, has_condition, replace

from ..hazards.exposure.exposure import find_exposures, is_mild
from ..hazards.exposure.vacuum import is_airless
from ..hazards.fire import check_burning
from ..hazards.protection import count_left
from ..move.zerog import check_drifting

Submission = tuple[str, Command]


def seek_protection(state: State, combatant: Combatant) -> Submission | None:
    """Put on a needed suit, put out flames, or catch hold; None if nothing is urgent."""
    left, who = combatant.budget, combatant.id
    suit = None
    if left["quick"] and not is_mild(state.scene, combatant.at):
        suit = find_needed_suit(state, combatant)
    if suit:
        return ("suit", Handle(actor=who, item=suit.id))
    if not combatant.conditions:
        return None
    if left["standard"] and has_condition(combatant, "burning") and allows(check_burning, state, who):
        return ("extinguish", Command(actor=who))
    if left["move"] and has_condition(combatant, "drifting") and allows(check_drifting, state, who):
        return ("catch_hold", Command(actor=who))
    return None


def find_needed_suit(state: State, combatant: Combatant) -> Item | None:
    """A suit at hand that would keep out more of the combatant's exposures."""
    if not is_airless(state, combatant) and not find_exposures(state, combatant):
        return None
    worst = _count_harms(state, combatant)
    for item in combatant.items:
        if item.kind == "suit" and item.place != "worn" and count_left(state, item) != 0:
            on = replace(item, place="worn", marks={**item.marks, "since": state.clock})
            items = tuple(on if held.id == item.id else held for held in combatant.items)
            if _count_harms(state, replace(combatant, items=items)) < worst:
                return item
    return None


def _count_harms(state: State, combatant: Combatant) -> int:
    return len(find_exposures(state, combatant)) + (1 if is_airless(state, combatant) else 0)
