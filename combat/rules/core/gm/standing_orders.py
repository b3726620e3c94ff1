"""Standing orders: a player's fixed answers, kept in the combatant's marks."""

from __future__ import annotations

import re

from ..basics.errors import Refused
from ..commands.commands import Command
from ..commands.context import RuleContext
from ..declaration.system import system_of
from ..state import events as e
from ..state.state import Combatant

STANDING = "standing:"  # followed by the id of the asking rule
MAX_ORDERS = 20
ANSWER = re.compile(r"[\w:.+>-]{0,80}")


class SetStanding(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Always answer the question of `rule_id` with `value`; without a value, ask again."""

    rule_id: str
    value: str = ""


def find_orders(combatant: Combatant) -> dict[str, str]:
    """The standing orders of a combatant: rule id -> answer."""
    marks = combatant.marks.items()
    return {key.removeprefix(STANDING): str(value) for key, value in marks if key.startswith(STANDING)}


def set_standing(context: RuleContext, command: SetStanding) -> None:
    """Store or end a standing order. Only the GM and the combatant's own player learn of it."""
    combatant, to = context.state[command.actor], e.for_seat(command.actor)
    orders = find_orders(combatant)
    if command.rule_id not in system_of(context).rulebook.ids:
        raise Refused("unknown", "No such rule asks anything: standing orders are for rules that do.")
    if not command.value and command.rule_id not in orders:
        raise Refused("not_allowed", f"{combatant.name} has no standing order for that.")
    if not ANSWER.fullmatch(command.value):
        raise Refused("bad_value", "That is not the answer to a question.")
    if command.rule_id not in orders and len(orders) >= MAX_ORDERS:
        raise Refused("not_allowed", f"{combatant.name} has {MAX_ORDERS} standing orders: end one first.")
    context.emit(e.Marked(combatant.id, STANDING + command.rule_id, command.value or None), to=to)
    key = "log.standing_order" if command.value else "log.no_standing_order"
    context.emit(e.Said(key, combatant.id, args={"value": command.value}), command.rule_id, to)
