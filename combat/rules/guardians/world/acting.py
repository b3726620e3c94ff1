"""What actions share: the bar and the cost of those of combatants, and fields of their forms.

Each action stands with its form, checks and sums beside its procedure. There `act` or `gm` gives it the words
of its row in actions.toml, and actions/every_action.py lists it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Unpack

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.book.conditions import OF_EVERY_GAME
from combat.rules.core.commands import commands
from combat.rules.core.commands.commands import FREE, Action, Field, Form, Precondition, Run, load_actions
from combat.rules.core.state.state import Combatant, State, has_condition, present

from ..book.tables import ACTION
from ..characters.conditions import KINDS, OUT, STOPPED
from .reach import are_enemies, count_yards, describe_distance

REASON = Field("reason", "Reason", "text", required=False)  # of the GM

# ---------------------------------------------------------------- bars and costs


def check_free_to_act(state: State, actor: str) -> None:
    """Refuse any action of someone who cannot act at all. [CG-STUN-01] [CG-FAT-04] [CG-REF-03]"""
    combatant = state.combatants[actor]
    for kind in ("dead", *OUT, *STOPPED) if combatant.conditions else ():
        if has_condition(combatant, kind):
            label = (KINDS | OF_EVERY_GAME)[kind].label.lower()
            raise Refused(
                "not_allowed", f"{combatant.name} is {label}{'' if kind == 'dead' else ': no actions'}."
            )


TABLE = load_actions(Path(__file__).parents[1] / "actions.toml", check_free_to_act)
gm = TABLE.gm


def act(name: str, run: Run, *checks: Precondition, **form: Unpack[Form]) -> Action:
    """An action of a combatant; one that does not cost the round's action is free."""
    row = TABLE.rows[name]
    costs = () if row.cost == FREE else (_affords(row.label),)
    return TABLE.act(name, run, *checks, *costs, **form)


def _affords(label: str) -> Precondition:
    """A check whether the round's action is left; its refusal is the reason on a gray action. [CG-ACT-02]"""

    def check(state: State, actor: str) -> None:
        if state.combatants[actor].budget.get(ACTION, 0) < 1:
            raise Refused("no_budget", f"The action of this round is taken; {label} takes one.")

    return check


# ---------------------------------------------------------------- fields


def find_targets(state: State, actor: str, foes: bool = True, own: bool = False) -> tuple[Combatant, ...]:
    """The possible targets of an action, the likely ones first."""
    combatant = state[actor]

    def rank(other: Combatant) -> tuple[bool, bool, float]:
        standing = not has_condition(other, "dead", "unconscious")
        return (are_enemies(combatant, other) != foes, foes != standing, count_yards(combatant, other))

    return tuple(sorted((f for f in present(state) if own or f.id != actor), key=rank))


def target_field(
    state: State,
    actor: str,
    foes: bool = True,
    own: bool = False,
    check: Callable[[Combatant], object] | None = None,
    wanted: str = "",
) -> Field:
    """The field for the target of an action; refused targets are grayed out with the reason."""
    people = find_targets(state, actor, foes, own)
    describe = partial(describe_distance, state, state[actor])
    return commands.target_field(people, describe, partial(why_refused, check), wanted)


def name_keys(keys: tuple[str, ...]) -> tuple[Choice, ...]:
    """Choices among keys, which become words."""
    return tuple(Choice(key, key.replace("_", " ").capitalize()) for key in keys)


def part_field(places: tuple[str, ...], usual: str) -> Field:
    """The field for a part of the body."""
    return Field("place", "Part of the body", "choice", options=name_keys(places), value=usual)
