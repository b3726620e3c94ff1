"""Standing orders: what a fighter's player always answers, kept in the fighter's marks."""

from __future__ import annotations

import re

from ..basics.errors import Refused
from ..commands.commands import Command
from ..commands.context import RuleContext
from ..state import events as e
from ..state.state import Combatant

STANDING = "standing:"  # followed by the rule that asks
MAX_ORDERS = 20
ANSWER = re.compile(r"[\w:.+>-]{0,80}")


class SetStanding(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """From now on a fighter answers what `rule_id` asks with `value`; without one it is asked again."""

    rule_id: str
    value: str = ""


def find_orders(fighter: Combatant) -> dict[str, str]:
    """The standing orders of a fighter: rule id -> answer."""
    marks = fighter.marks.items()
    return {key.removeprefix(STANDING): str(value) for key, value in marks if key.startswith(STANDING)}


def set_standing(context: RuleContext, command: SetStanding) -> None:
    """Keep a standing order or end one. Only the GM and the fighter's own player learn of it."""
    fighter, to = context.state[command.actor], e.for_seat(command.actor)
    orders = find_orders(fighter)
    if command.rule_id not in context.system.rulebook.ids:
        raise Refused("unknown", "No such rule asks anything: standing orders are for rules that do.")
    if not command.value and command.rule_id not in orders:
        raise Refused("not_allowed", f"{fighter.name} has no standing order for that.")
    if not ANSWER.fullmatch(command.value):
        raise Refused("bad_value", "That is not the answer to a question.")
    if command.rule_id not in orders and len(orders) >= MAX_ORDERS:
        raise Refused("not_allowed", f"{fighter.name} has {MAX_ORDERS} standing orders: end one first.")
    context.emit(e.Marked(fighter.id, STANDING + command.rule_id, command.value or None), to=to)
    key = "log.standing_order" if command.value else "log.no_standing_order"
    context.emit(e.Said(key, fighter.id, args={"value": command.value}), command.rule_id, to)
