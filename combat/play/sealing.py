"""Sealed dice of an encounter: the secret it holds, what of it is published when, and the count of rolls.

The count is that of the row, which no undo touches: what has been rolled stays rolled, and the same dice
never come twice.
"""

from __future__ import annotations

from combat.models import Encounter
from combat.rules.core.basics.dice import make_secret
from combat.rules.core.basics.sealed import SealedDice, make_seal
from combat.rules.core.gm.dice_words import find_words
from combat.rules.core.state.events import FightEnded
from combat.rules.core.state.history import Step
from combat.rules.core.state.state import State, replace


def open_dice(encounter: Encounter, state: State) -> SealedDice:
    """The dice for a command that begins in this state."""
    return SealedDice(encounter.dice_secret, encounter.rolled, find_words(state))


def seal_step(encounter: Encounter, step: Step) -> Step:
    """A step with what it publishes: a new seal, and at the end of a fight the secret of the old one."""
    opened, secret = "", encounter.dice_secret
    if encounter.seals and any(isinstance(fact.event, FightEnded) for fact in step.facts):
        opened, secret = secret, make_secret()
        encounter.seals[-1]["opened"] = opened
    encounter.dice_secret, seal = secret, make_seal(secret)
    if encounter.seals and seal == encounter.seals[-1]["seal"]:
        return step
    encounter.seals.append({"step": step.number, "seal": seal, "opened": ""})
    return replace(step, seal=seal, opened=opened)
