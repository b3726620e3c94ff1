"""The action that a turn waits for: it leads the page, with a button for each of a few values."""

from __future__ import annotations

from characters.display.shapes import Shape
from combat.rules.core.commands.commands import Action, Field, find_refusal
from combat.rules.core.declaration.system import System
from combat.rules.core.state.state import Combatant, State, is_acting

MAX_BUTTONS = 8


class LeadView(Shape, frozen=True):
    """The action a turn waits for. Without `values` it has a form like any other action."""

    name: str
    label: str
    rule: str
    field: str = ""
    values: tuple[tuple[str, str], ...] = ()
    usual: str = ""
    help: str = ""


def find_lead(system: System, state: State, combatant: Combatant) -> Action | None:
    """The action that the turn of a combatant waits for, if there is one."""
    if not is_acting(state, combatant.id):
        return None
    firsts = (action for action in system.actions.by_name.values() if action.first)
    return next((action for action in firsts if find_refusal(action, state, combatant.id) is None), None)


def view_lead(action: Action, state: State, combatant: Combatant) -> LeadView:
    """The action that the turn waits for, as the page shows it."""
    fields = action.find_fields(state, combatant.id)
    values = list_values(fields[0]) if len(fields) == 1 else ()
    if not values:
        return LeadView(action.name, action.label, action.rule)
    field = fields[0]
    return LeadView(action.name, action.label, action.rule, field.name, values, field.value, field.help)


def list_values(field: Field) -> tuple[tuple[str, str], ...]:
    """The values of a field and their labels, if there are few enough for a button each."""
    found: list[tuple[str, str]] = []
    if field.kind == "number" and field.low is not None and field.high is not None:
        found = [(str(n), str(n)) for n in range(field.low, min(field.high, field.low + MAX_BUTTONS) + 1)]
    elif field.kind == "choice":
        found = [(option.value, option.label) for option in field.options if not option.refused]
    return tuple(found) if len(found) <= MAX_BUTTONS else ()
