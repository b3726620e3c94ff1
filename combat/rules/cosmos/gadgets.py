"""Bandages, patches and doses that work at once, without a roll: put on in a fight as a Move Action."""

from __future__ import annotations

from ..core.commands import Field
from ..core.errors import Refused
from ..core.requests import Choice
from ..core.state import Combatant, Item, State, count_levels, find_item, has_condition
from ..core.table import Table, Then
from ..core.turns import gain, lift_kinds
from .damage import stabilize
from .healing import Care, patient_of
from .movement import pay_move
from .supplies import is_usable, take_use
from .treatment import check_dose_era, inject

RULES = {"presses": "COS-COND-03", "stabilizes": "COS-MED-03", "heals": "COS-MED-17"}


class Apply(Care, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Put a bandage, a patch or a dose to use on `target`."""

    item: str


def find_effect(item: Item) -> str:
    """What a thing does at once: presses, stabilizes or heals; empty for any other."""
    return next((key for key in RULES if item.data.get(key)), "") if is_usable(item) else ""


def check_apply(state: State, command: Apply) -> tuple[Combatant, Item]:
    """Refuse what does nothing at once, patients out of reach, and what the patient has no need of."""
    item = find_item(state[command.actor], command.item)
    effect = find_effect(item)
    if not effect:
        raise Refused("bad_value", f"{item.name} does nothing by itself.")
    patient = patient_of(state, command)
    if effect == "presses" and not has_condition(patient, "bleeding"):
        raise Refused("bad_target", f"{patient.name} does not bleed.")
    if effect == "stabilizes" and not has_condition(patient, "dying"):
        raise Refused("bad_target", f"{patient.name} is not dying.")
    if effect == "heals":
        check_dose_era(state, item)
    return patient, item


def apply(table: Table, command: Apply) -> Then:
    """[COS-COND-03] [COS-MED-03] [COS-MED-17] A Move Action and one use, no roll."""
    _, item = check_apply(table.state, command)
    effect = find_effect(item)
    pay_move(table, command.actor, item.name, RULES[effect])
    take_use(table, command.actor, item, rule=RULES[effect])
    return Then(_EFFECTS[effect], command.target)


def bandage(table: Table, who: str) -> None:
    """[COS-COND-03] Pressure that stays: the wounds there are do not bleed, new ones do."""
    lift_kinds(table, who, "pressed", why="bandaged")
    levels = count_levels(table.state[who], "bleeding")
    gain(table, who, "pressed", label="Bandaged", ends="first aid", marks={"holds": levels})


def patch_up(table: Table, who: str) -> None:
    """[COS-MED-03] The patch does what the roll would."""
    stabilize(table, who, "COS-MED-03")


def dose(table: Table, who: str) -> None:
    """[COS-MED-17] All HP at once."""
    inject(table, who)


_EFFECTS = {"presses": bandage, "stabilizes": patch_up, "heals": dose}


def check_has_gadget(state: State, actor: str) -> None:
    """The action is there for those who carry such a thing."""
    if not any(find_effect(item) for item in state[actor].items):
        raise Refused("not_allowed", f"{state[actor].name} carries no bandage, patch or dose.")


def gadget_fields(state: State, actor: str, target: Field) -> tuple[Field, ...]:
    """The form: what to use, on whom."""
    things = [item for item in state[actor].items if find_effect(item)]
    options = tuple(Choice(i.id, i.name, str(i.data.get("effect", ""))) for i in things)
    first = options[0].value if options else ""
    return (Field("item", "What", "choice", options, first, rule="COS-COND-03"), target)
