"""Repair outside of rounds: worn-down armor, and damage by critical hits."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Command, Field, Preview
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Item, State, present, replace

from ..body.damage import armor_points
from ..characters.sheet import is_able
from ..dice import DICE, check_terms, did_succeed, roll_check, table_terms
from ..fight.weapons import equipment_bonus
from ..world.acting import gm

REPAIR_TN = 14  # RULING R51
RULE = "COS-ARMOR-11"


class Repair(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A repair of `item`, anyone's damaged item, by the combatant `by`."""

    by: str
    item: str


def find_worn_down(state: State) -> list[tuple[Combatant, Item]]:
    """Every damaged item with its owner."""
    things = [(f, item) for f in present(state) for item in f.items]
    return [(f, item) for f, item in things if item.marks.get("damaged") or item.marks.get("taken")]


def check_repair(state: State, actor: str) -> None:
    """Refuse an hour's work in rounds, or if nothing is damaged.  RULING R51."""
    if state.phase == "fight":
        raise Refused("not_allowed", "A repair takes an hour: end the fight first.")
    if not find_worn_down(state):
        raise Refused("not_allowed", "Nobody has anything that needs repair.")


def find_job(state: State, command: Repair) -> tuple[Combatant, Item]:
    """The owner and the item; Refused if the worker cannot do it, or the item is not damaged."""
    worker = state[command.by]
    if not is_able(worker):
        raise Refused("bad_target", f"{worker.name} is in no state to repair anything.")
    found = next((pair for pair in find_worn_down(state) if pair[1].id == command.item), None)
    if found is None:
        raise Refused("bad_value", "Choose a piece that is damaged.")
    return found


def repair_terms(state: State, command: Repair) -> Modifiers:
    """Intellect, half Tech, the best tool kit carried and penalties. [COS-ARMOR-11]  RULING R5."""
    worker = state[command.by]
    terms = check_terms(state, worker, "INT", skill_name="Tech", rule=RULE)
    tools = max(worker.items, key=lambda item: int(item.data.get("tech_repair", 0)), default=None)
    bonus = int(tools.data.get("tech_repair", 0)) if tools else 0
    if tools and bonus:
        terms = (*terms, Modifier(tools.name, bonus, RULE))
    return (*terms, *table_terms(command, RULE))


def preview_repair(state: State, command: Repair) -> Preview:
    """The sums of a repair."""
    owner, item = find_job(state, command)
    target = (Modifier(say("term.item_of", item=item.name, target=owner.id), REPAIR_TN, RULE),)
    return Preview(
        repair_terms(state, command), target, "against.tn", dice=DICE, notes=("note.hour_of_work",)
    )


def repair(context: RuleContext, command: Repair) -> None:
    """A Tech check restores all points an item has lost. [COS-ARMOR-11]  RULING R51 R35.

    Several may work in the same hour, so only the GM's "time passes" moves the clock.
    """
    owner, item = find_job(context.state, command)
    terms = repair_terms(context.state, command)
    roll_check(
        context,
        command.by,
        terms,
        target=REPAIR_TN,
        rule=RULE,
        what="Tech",
        why=say("roll.repair", item=item.name),
    )
    if did_succeed(context):
        marks = {key: mark for key, mark in item.marks.items() if key not in ("damaged", "taken")}
        context.emit(e.ItemChanged(owner.id, replace(item, marks=marks), "item_is.repaired"), RULE)


def repair_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a repair: worker and item, the best worker first."""
    able = sorted(filter(is_able, present(state)), key=lambda f: -_skill(f))
    workers = tuple(Choice(f.id, f.name, f"Tech {f.sheet['skills'].get('Tech', 0)}") for f in able)
    things = tuple(
        Choice(item.id, f"{item.name} of {owner.name}", _describe(state, item))
        for owner, item in find_worn_down(state)
    )
    return (
        Field("by", "Who repairs", "target", options=workers, value=workers[0].value if workers else ""),
        Field(
            "item",
            "What",
            "choice",
            options=things,
            value=things[0].value if things else "",
            help="one hour",
            rule=RULE,
        ),
    )


def _skill(combatant: Combatant) -> int:
    return int(combatant.sheet["attributes"]["INT"]) + int(combatant.sheet["skills"].get("Tech", 0)) // 2


def _describe(state: State, item: Item) -> str:
    if item.kind == "armor":
        return f"protection {armor_points(state, item)} of {item.data['protection']}"
    return f"bonus {equipment_bonus(item)} of {item.data['equipment']}"


ACTIONS = (gm("repair", repair, check_repair, fields=repair_fields, preview=preview_repair),)
