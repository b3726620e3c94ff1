"""The seal of an encounter's dice, and its renewal.

The counts are in the encounter's row, which no undo touches: a roll stays counted, and the same dice never
come twice. An imported or restored encounter has no secret: it seals a new one before it goes on.
"""

from __future__ import annotations

from collections.abc import Iterable

from combat.audience.rights import WORD_ACTION
from combat.models import Encounter
from combat.rules.core.basics.dice.dice import SealedDice, make_seal, make_secret
from combat.rules.core.basics.errors import Refused
from combat.rules.core.gm.player_dice import find_words
from combat.rules.core.state.events import FightEnded
from combat.rules.core.state.history import SEAL, Step
from combat.rules.core.state.state import State, replace

LOST = "The dice were restored or imported: cancel this action and begin it again."


def has_lost_dice(encounter: Encounter) -> bool:
    """Whether the secret behind the last seal is missing."""
    return bool(encounter.seals) and not encounter.dice_secret


def open_dice(encounter: Encounter, state: State) -> SealedDice:
    """The dice for a command that begins in this state; Refused("stale") while they are lost."""
    if has_lost_dice(encounter):
        raise Refused("stale", LOST)
    encounter.dice_secret = encounter.dice_secret or make_secret()  # restored before its first step: none
    return SealedDice(encounter.dice_secret, encounter.rolled, find_words(state), encounter.secret_rolls)


def count_rolls(encounter: Encounter, dice: SealedDice) -> None:
    """Store the counts of the series."""
    encounter.rolled, encounter.secret_rolls = dice.rolled, dice.secret_rolls


def seal_step(encounter: Encounter, step: Step) -> Step:
    """The step with what it publishes: a new seal, and at the end of a fight the old secret."""
    if step.kind == SEAL or has_lost_dice(encounter):
        return step
    opened, secret = "", encounter.dice_secret or make_secret()
    if encounter.seals and any(isinstance(fact.event, FightEnded) for fact in step.facts):
        opened, secret = secret, make_secret()
    encounter.dice_secret, seal = secret, make_seal(secret)
    if encounter.seals and seal == encounter.seals[-1]["seal"]:
        return step
    told = replace(step, seal=seal, opened=opened)
    encounter.seals = list_seals((told,), encounter.seals)
    return told


def list_seals(steps: Iterable[Step], before: Iterable[dict[str, object]] = ()) -> list[dict[str, object]]:
    """The seals of an encounter for its row, with those of these steps: step, seal, opened secret."""
    seals = [*before]
    for step in steps:
        if step.opened and seals:
            seals[-1] = {**seals[-1], "opened": step.opened}
        if step.seal:
            seals.append({"step": step.number, "seal": step.seal, "opened": ""})
    return seals


def has_dice(step: Step) -> bool:
    """Whether dice fell in a step, or a word for them: such a step stays visible when undone."""
    return step.name == WORD_ACTION or any(answer.kind == "roll" for answer in step.answers)
