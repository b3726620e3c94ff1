"""What a turn waits for: the action that leads the page, with a button for each of its few values."""

from __future__ import annotations

from dataclasses import dataclass

from combat.rules.core.commands.commands import Action, Field, find_refusal
from combat.rules.core.state.state import Combatant, State, is_acting
from combat.rules.core.system import System

MAX_BUTTONS = 8


@dataclass(frozen=True)
class LeadView:
    """The action a turn waits for. Without `values` it has a form like any other action."""

    name: str
    label: str
    rule: str
    field: str = ""
    values: tuple[tuple[str, str], ...] = ()
    usual: str = ""
    help: str = ""


def find_lead(system: System, state: State, fighter: Combatant) -> Action | None:
    """The action that the turn of a fighter waits for, if there is one."""
    if not is_acting(state, fighter.id):
        return None
    firsts = (action for action in system.actions.values() if action.first)
    return next((action for action in firsts if find_refusal(action, state, fighter.id) is None), None)


def view_lead(system: System, state: State, fighter: Combatant) -> LeadView | None:
    """That action as the page shows it."""
    action = find_lead(system, state, fighter)
    if action is None:
        return None
    fields = action.find_fields(state, fighter.id)
    values = list_values(fields[0]) if len(fields) == 1 else ()
    if not values:
        return LeadView(action.name, action.label, action.rule)
    field = fields[0]
    return LeadView(action.name, action.label, action.rule, field.name, values, field.value, field.help)


def list_values(field: Field) -> tuple[tuple[str, str], ...]:
    """The values of a field and their words, if they are few enough for a button each."""
    found: list[tuple[str, str]] = []
    if field.kind == "number" and field.low is not None and field.high is not None:
        found = [(str(n), str(n)) for n in range(field.low, min(field.high, field.low + MAX_BUTTONS) + 1)]
    elif field.kind == "choice":
        found = [(option.value, option.label) for option in field.options if not option.refused]
    return tuple(found) if len(found) <= MAX_BUTTONS else ()
