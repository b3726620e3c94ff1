"""The work on machines: what is damaged, who repairs it, with what parts, how long and at what cost."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Field
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Condition, State, has_condition, present
from combat.rules.core.turn.turns import let_pass

from ..book.options import find_option
from ..book.tables import vehicles
from ..characters import machinery
from ..characters.values import find_skill, is_machine, is_out, is_person, is_robot
from ..world.economy import check_quiet
from ..world.order import mark
from .fields import choose, find_machines
from .figure import NAMES

SPARES = "spare_parts"  # mark on a machine: spare parts at hand for its repairs, in hits

SKILLS = {  # the default; the GM may choose another  [CE-REP-05]
    machinery.DRIVE: "mechanics",
    machinery.POWER: "engineering",
    machinery.SENSORS: "electronics",
    machinery.COMPUTER: "computer",
    machinery.WEAPON: "electronics",
    machinery.LIMB: "mechanics",
}
SYSTEM_SHARE, STRUCTURE_SHARE, PERCENT = 10, 20, 100  # percent of the price


def check_machine(state: State, target: str) -> Combatant:
    """Refuse to repair anything but machines that still exist."""
    machine = state[target]
    if not is_machine(machine):
        raise Refused("bad_target", f"{machine.name} is no machine: choose a vehicle or a robot.")
    if has_condition(machine, "destroyed"):
        raise Refused("bad_target", f"{machine.name} has exploded: nothing is left to repair.")
    if not find_option(state, "use_repairs"):
        raise Refused("not_allowed", "This table plays without repairs: the GM can switch them on.")
    return machine


def find_damaged(combatant: Combatant) -> tuple[Condition, ...]:
    """The damaged systems of a machine; Hull and Structure are separate numbers. [CE-REP-01]"""
    return tuple(held for held in combatant.conditions if held.marks.get("part"))


def begin_work(context: RuleContext, target: str) -> Combatant:
    """The machine to work on, outside of a fight; it stands still for that."""
    check_quiet(context.state)
    machine = check_machine(context.state, target)
    mark(context, machine.id, machinery.SPEED, value=None, rule="CE-REP-01")
    return machine


def check_part(machine: Combatant, part: str) -> Condition:
    """The damage to a part; Refused without any."""
    held = machinery.find_damage(machine, part)
    if held is None:
        raise Refused("bad_value", f"That part of {machine.name} is not damaged: choose one that is.")
    return held


def can_repair(combatant: Combatant) -> bool:
    """Whether someone can repair: people and robots, since the catalogue's repair robot has the skill.
    [CE-REP-05]"""
    return is_person(combatant) or is_robot(combatant)


def check_mechanic(state: State, who: str) -> None:
    """Refuse a mechanic who is not a person or a robot with limbs."""
    if not can_repair(state[who]):
        raise Refused("bad_target", f"{state[who].name} cannot repair anything: choose a person or a robot.")
    machinery.check_limbs(state, state[who])


def find_kind(held: Condition) -> str:
    """The kind of the damaged part."""
    return held.kind.removesuffix("_hit")


def find_price(machine: Combatant) -> int:
    """The price of a machine in Cr; 0 if it is not in the catalogue."""
    known = vehicles().get(str(machine.sheet.get("model", "")))
    return known.cost if known else 0


def use_parts(context: RuleContext, machine: Combatant, workshop: bool) -> None:
    """Use up a hit of spare parts; a workshop has its own. [CE-REP-07]"""
    if workshop:
        return
    left = count_spares(machine)
    if left < 1:
        raise Refused(
            "no_budget",
            "No spare parts: from a scrap dealer, a workshop, another vehicle, or another system of it.",
        )
    mark(context, machine.id, SPARES, value=left - 1 or None, rule="CE-REP-07")


def count_spares(machine: Combatant) -> int:
    """Spare parts at hand for a machine, in hits."""
    return int(machine.marks.get(SPARES, 0))


def take_time(context: RuleContext, by: str, unit: int, rule: str, why: str) -> None:
    """Let time pass: 1D6 times a number of seconds."""
    number = context.roll("1d6", by=by, rule=rule, why=why).total
    let_pass(context, number * unit, "why.repair", rule)


def tell_cost(context: RuleContext, who: str, cost: int, rule: str) -> None:
    """Log the cost of a repair; the GM and the players decide who pays."""
    if cost:
        context.emit(e.Said("log.repair_cost", who, args={"n": cost}), rule)


# ---------------------------------------------------------------- fields


def by_field(state: State) -> Field:
    """The field for who repairs: those who can, the most skilled first."""

    def check(state: State, who: str) -> None:
        check_mechanic(state, who)
        if is_out(state[who]):
            raise Refused("bad_target", f"{state[who].name} cannot act: choose someone else.")

    people = [f for f in present(state) if can_repair(f)]
    people.sort(key=lambda f: -max(find_skill(f, skill) for skill in SKILLS.values()))
    return choose(state, "by", "Repaired by", people=people, check=check)


def skill_field() -> Field:
    """The skill to repair with. [CE-REP-05]"""
    return Field(
        "skill",
        "Skill",
        "choice",
        options=_skills(),
        value="",
        help="left open: the one that fits",
        required=False,
    )


def workshop_field(state: State, rule: str) -> Field:
    """Whether there is a workshop; without one, the spare parts at hand."""
    stocks = [(f.name, count_spares(f)) for f in find_machines(state) if count_spares(f)]
    told = "; ".join(f"{name} has spare parts for {n}" for name, n in stocks) or "no spare parts at hand"
    return Field("workshop", "In a workshop", "flag", help=told, rule=rule, required=False)


def _skills() -> tuple[Choice, ...]:
    """The skills that repair machines. [CE-REP-05]"""
    names = ("mechanics", "electronics", "engineering", "gravitics", "computer")
    return (Choice("", "the one that fits"), *(Choice(name, name.capitalize()) for name in names))


def name_damaged(held: Condition, machine: Combatant) -> str:
    """The name of the damaged part."""
    key = str(held.marks["part"])
    item = next((item for item in machine.items if item.id == key), None)
    return item.name if item else name_key(key)


def name_key(key: str) -> str:
    """The name of a system or a limb."""
    return NAMES.get(key) or key.replace("_", " ").capitalize()
