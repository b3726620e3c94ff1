"""Bandages, patches and doses that work at once, without a roll: a Move Action in a fight."""

from __future__ import annotations

from collections.abc import Callable

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Field, Targeted, first_open
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state.belongings import has_any
from combat.rules.core.state.state import Combatant, Item, State, count_levels, has_condition
from combat.rules.core.turn.turns import add_condition, remove_conditions

from ..body.damage import stabilize
from ..body.supplies import is_usable, take_use
from ..care.healing import friend_fields, patient_of
from ..move.cost import pay_move
from ..world.acting import act
from ..world.reach import find_thing
from .treatment import check_dose_era, inject

RULES = {"presses": "COS-COND-03", "stabilizes": "COS-MED-03", "heals": "COS-MED-17"}


class Apply(Targeted, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Use a bandage, a patch or a dose on `target`."""

    item: str


def find_effect(item: Item) -> str:
    """The instant effect of an item: presses, stabilizes or heals; empty if it has none."""
    return next((key for key in RULES if item.data.get(key)), "") if is_usable(item) else ""


def check_apply(state: State, command: Apply) -> tuple[Combatant, Item]:
    """Refuse items without an instant effect, and patients out of reach or without need of it."""
    item = find_thing(state, command.actor, command.item)
    effect = find_effect(item)
    if not effect:
        raise Refused("bad_value", f"{item.name} does nothing on its own.")
    patient = patient_of(state, command)
    if effect == "presses" and not has_condition(patient, "bleeding"):
        raise Refused("bad_target", f"{patient.name} does not bleed.")
    if effect == "stabilizes" and not has_condition(patient, "dying"):
        raise Refused("bad_target", f"{patient.name} is not dying.")
    if effect == "heals":
        check_dose_era(state, item)
    return patient, item


def apply(context: RuleContext, command: Apply) -> Then:
    """A Move Action and one use, no roll. [COS-COND-03] [COS-MED-03] [COS-MED-17]"""
    _, item = check_apply(context.state, command)
    effect = find_effect(item)
    pay_move(context, command.actor, item.name, RULES[effect])
    take_use(context, command.actor, item, rule=RULES[effect])
    return Then(_EFFECTS[effect], command.target)


def bandage(context: RuleContext, who: str) -> None:
    """Apply lasting pressure: present wounds stop bleeding, new ones do not. [COS-COND-03]"""
    remove_conditions(context, who, "pressed", why="why.bandaged")
    levels = count_levels(context.state[who], "bleeding")
    add_condition(
        context, who, "pressed", label="condition.bandaged", ends="ends.first_aid", marks={"holds": levels}
    )


_EFFECTS: dict[str, Callable[[RuleContext, str], None]] = {
    "presses": bandage,
    "stabilizes": lambda context, who: stabilize(context, who, "COS-MED-03"),
    "heals": lambda context, who: inject(context, who),
}


def check_has_gadget(state: State, actor: str) -> None:
    """Refuse the action to a combatant without such an item."""
    if not has_any(state[actor].items, find_effect):
        raise Refused("not_allowed", f"{state[actor].name} carries no bandage, patch or dose.")


def gadget_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The item to use and its target, allies and the actor first."""
    things = [item for item in state[actor].items if find_effect(item)]
    options = tuple(Choice(i.id, i.name, str(i.data.get("effect", ""))) for i in things)
    return (
        Field("item", "What", "choice", options=options, value=first_open(options), rule="COS-COND-03"),
        *friend_fields(state, actor),
    )


ACTIONS = (act("apply", apply, check_has_gadget, fields=gadget_fields),)
