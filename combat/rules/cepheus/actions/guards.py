"""What keeps somebody from acting at all, and the fields that many forms share."""

from __future__ import annotations

from collections.abc import Callable

from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.basics.requests import Choice
from combat.rules.core.commands.commands import Field
from combat.rules.core.state.state import Combatant, State, has_condition, present

from ..fight.checks import check_free_hands
from ..people.conditions import KINDS, OUT
from ..people.values import is_person, is_vehicle

STOPS = (*OUT, "bound", "surrendered", "helpless", "slowed")


def check_free_to_act(state: State, actor: str) -> None:
    """[CE-GRAP-14] The guard of every action that a grapple rules out, which is all but its checks.

    RULING R21: waiting for one's turn, haste and a shout stay possible.
    """
    check_unoccupied(state, actor)
    check_free_hands(state[actor])


def check_unoccupied(state: State, actor: str) -> None:
    """[CE-OTHER-06] Refuse those who cannot act, and those who are on an extended action."""
    check_able(state, actor)
    if has_condition(state[actor], "extended_action"):
        name = state[actor].name
        raise Refused("not_allowed", f"{name} is on an extended action: give it up first, that is free.")


def check_able(state: State, actor: str) -> None:
    """[CE-DMG-12] Neither the unconscious and the dead act, nor the bound, the helpless and wrecks."""
    fighter = state[actor]
    if is_vehicle(fighter):
        raise Refused("not_allowed", f"{fighter.name} does nothing on its own: choose someone aboard.")
    if has_condition(fighter, *STOPS):
        kind = next(kind for kind in STOPS if has_condition(fighter, kind))
        raise Refused("not_allowed", f"{KINDS[kind].label}: {fighter.name} has no actions.")


def people_field(
    state: State,
    name: str,
    label: str,
    check: Callable[[State, str], object] | None = None,
    wanted: str = "",
    rule: str = "",
) -> Field:
    """A field for a person of the encounter, those refused greyed with the reason."""
    options = tuple(
        Choice(fighter.id, fighter.name, refused=find_reason(state, fighter, check))
        for fighter in present(state)
        if is_person(fighter)
    )
    open_ones = [option.value for option in options if not option.refused]
    value = wanted if wanted in open_ones else next(iter(open_ones), "")
    return Field(name, label, "choice", options, value, rule=rule)


def find_reason(state: State, fighter: Combatant, check: Callable[[State, str], object] | None) -> str:
    """Why a check refuses somebody; empty if it does not."""
    return why_refused(check, state, fighter.id)
