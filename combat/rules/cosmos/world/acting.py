"""What actions share: the bar and the cost of those of combatants, and fields of their forms.

Each action stands with its form, checks and sums beside its procedure. There `act` or `gm` gives it the words
of its row in actions.toml, and actions.py lists it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Unpack

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.commands.commands import (
    Action,
    Field,
    Form,
    Precondition,
    Run,
    first_open,
    load_actions,
)
from combat.rules.core.map.bodies import nearest
from combat.rules.core.state.state import Combatant, State, has_condition, present, replace
from combat.rules.core.turn.turns import find_payment, no_budget

from ..book.options import POOLS, find_option
from ..characters.conditions import KINDS
from .heights import span
from .sight_lines import describe_far

STANDARD, MOVE, QUICK, WHOLE = {"standard": 1}, {"move": 1}, {"quick": 1}, {"standard": 1, "move": 1}
COSTS = {"Standard": STANDARD, "Move": MOVE, "Quick": QUICK, "Whole turn": WHOLE}


def targets(state: State, actor: str, foes: bool = True, own: bool = False) -> tuple[Choice, ...]:
    """The possible targets of an action: enemies first when attacking, allies first when helping."""
    combatant = state[actor]
    others = [f for f in present(state) if own or f.id != actor]
    others.sort(
        key=lambda f: (
            (f.side == combatant.side) == foes,
            has_condition(f, "dying", "unconscious", "dead") == foes,
            f.id != actor,
            span(*nearest(combatant, f)),
        )
    )
    return tuple(Choice(f.id, f.name, describe_far(state, combatant, f), _dead(f)) for f in others)


def _dead(combatant: Combatant) -> str:
    return f"{combatant.name} is dead" if has_condition(combatant, "dead") else ""


def target_field(
    state: State,
    actor: str,
    foes: bool = True,
    own: bool = False,
    check: Callable[[Combatant], object] | None = None,
) -> Field:
    """The field for the target of an action; those that `check` refuses are grayed out with the reason."""
    options = tuple(
        replace(option, refused=option.refused or why_refused(check, state[option.value]))
        for option in targets(state, actor, foes, own)
    )
    return Field("target", "Target", "target", options=options, value=first_open(options))


def check_free_to_act(state: State, actor: str) -> None:
    """Refuse actions of the unconscious. [COS-COND-34]"""
    combatant = state.combatants[actor]
    if has_condition(combatant, "dead"):
        raise Refused("not_allowed", f"{combatant.name} is dead.")
    KINDS.check(combatant, "be_conscious")


def check_unpinned(state: State, actor: str) -> None:
    """Refuse actions of the pinned, except breaking free. [COS-MANV-05]"""
    KINDS.check(state.combatants[actor], "act")


TABLE = load_actions(Path(__file__).parents[1] / "actions.toml", check_free_to_act)
gm = TABLE.gm


def affords_cost(cost: dict[str, int], label: str) -> Precondition:
    """A check that the budget pays a cost, so that an action can be grayed out with the reason."""

    def check(state: State, actor: str) -> None:
        combatant = state.combatants[actor]
        trade = find_option(state, "trade_standard_for_move") and cost == MOVE
        instead = {"move": ("standard",)} if trade else {}
        if find_payment(combatant.budget, cost, instead) is None:
            raise no_budget(POOLS, KINDS.find_row, combatant, cost=cost, on=label)

    return check


def act(
    name: str, run: Run, *checks: Precondition, pinned: bool = False, pays: bool = True, **form: Unpack[Form]
) -> Action:
    """An action of a combatant, which costs what its row says.

    The pinned may take it only if it is `pinned`. Unless it `pays` here, its own checks look at the cost.
    """
    row = TABLE.rows[name]
    cost = COSTS.get(row.cost)
    first = () if pinned or not form.get("on_turn", True) else (check_unpinned,)
    affords = (affords_cost(cost, row.label),) if cost and pays else ()
    return TABLE.act(name, run, *first, *checks, *affords, **form)


def find_places(state: State) -> tuple[Choice, ...]:
    """The places of all who are here, for a form."""
    return tuple(Choice(f"near:{f.id}", f"at {f.name}") for f in present(state))
