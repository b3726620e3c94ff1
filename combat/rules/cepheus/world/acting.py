"""What actions share: the bar of those of combatants, and fields of their forms.

Each action stands with its form, checks and sums beside its procedure. There `act` or `gm` gives it the words
of its row in actions.toml, and actions.py lists its module.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.commands.commands import Field, load_actions
from combat.rules.core.state.state import Combatant, State, present

from ..characters.conditions import KINDS
from ..characters.values import is_person, is_vehicle


def check_free_hands(combatant: Combatant) -> None:
    """Refuse all but opposed checks in a grapple. [CE-GRAP-14]"""
    KINDS.check(combatant, "hands")


def check_free_to_act(state: State, actor: str) -> None:
    """The guard of every action that a grapple rules out: all but its checks. [CE-GRAP-14]

    RULING R21: waiting, haste and a shout stay possible.
    """
    check_unoccupied(state, actor)
    check_free_hands(state[actor])


def check_unoccupied(state: State, actor: str) -> None:
    """Refuse combatants who cannot act or are busy with an extended action. [CE-OTHER-06]"""
    check_able(state, actor)
    KINDS.check(state[actor], "act")


def check_able(state: State, actor: str) -> None:
    """Refuse the unconscious, the dead, the bound, the helpless, and wrecks. [CE-DMG-12]"""
    combatant = state[actor]
    if is_vehicle(combatant):
        raise Refused("not_allowed", f"{combatant.name} does nothing on its own: choose someone aboard.")
    for _, row in KINDS.find_each(combatant):
        if "actions" in row.loses:
            raise Refused("not_allowed", f"{row.label}: {combatant.name} has no actions.")


def people_field(
    state: State, actor: str, label: str, check: Callable[[State, str], object] | None, rule: str = ""
) -> Field:
    """A field for a person of the encounter, first the actor; the refused are grayed out with the reason."""
    options = tuple(
        Choice(combatant.id, combatant.name, refused=find_reason(state, combatant, check))
        for combatant in present(state)
        if is_person(combatant)
    )
    open_ones = [option.value for option in options if not option.refused]
    value = actor if actor in open_ones else next(iter(open_ones), "")
    return Field("target", label, "choice", options=options, value=value, rule=rule)


def find_reason(state: State, combatant: Combatant, check: Callable[[State, str], object] | None) -> str:
    """The reason why a check refuses someone; empty if it does not."""
    return why_refused(check, state, combatant.id)


# A grapple bars its combatants from every action unless the action says otherwise
TABLE = load_actions(Path(__file__).parents[1] / "actions.toml", check_free_to_act)
act, gm = TABLE.act, TABLE.gm
