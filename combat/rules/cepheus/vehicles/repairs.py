"""Repairs of machines: rigs that hold for hours, parts, Hull, Structure, donors, and their costs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, allows, why_refused
from combat.rules.core.commands.commands import (
    Command,
    Field,
    Preview,
    adjusted,
    check_any,
    first_open,
    number_field,
)
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.decisions import Target
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    Combatant,
    Condition,
    Item,
    State,
    find_item,
    has_condition,
    present,
    replace,
)
from combat.rules.core.turn.turns import add_condition, let_pass, remove_condition, remove_conditions

from ..body.machines import name_part
from ..book.options import find_option
from ..book.tables import HOUR_SECONDS, MINUTE_SECONDS, ROUND_SECONDS, count_most, find_effect, vehicles
from ..characters import machinery
from ..characters.values import find_full, find_score, find_skill, is_machine, is_out, is_person, is_robot
from ..dice import DICE, DONE, NEED, lose_aim, modifiers_for_check, roll_check
from ..world.acting import act, find_reason, gm
from ..world.economy import check_quiet, check_significant, pay_significant
from ..world.order import mark
from ..world.sight_lines import check_within
from .fields import any_machine, choose, find_machines
from .figure import NAMES

RIGGED = "CE-REP-02"  # the log has the change of the damage with the hours that it holds
RIG_OF, RIG_PART = "rig_of", "rig_part"  # marks of a task: the machine and its part
LOST = "That part is destroyed: no rig holds it, repair it in a workshop."
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
NOT_DONORS = ("cockpit", "passengers")


class Repair(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Someone (`by`) repairs a part of a machine with a skill; `workshop` means that one is available."""

    by: str
    part: str
    skill: str = ""
    workshop: bool = False


class RigNow(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rig a part of a machine during a fight."""

    target: str
    part: str
    skill: str = ""


# ---------------------------------------------------------------- systems


def rig(context: RuleContext, command: Repair) -> None:
    """Jury-rig a part: an Average check, 1D6 minutes; it works as with a hit less. [CE-REP-02]

    The rig fails after 1D6 hours. [CE-REP-03]  RULING R50
    """
    machine, held = _begin(context, command)
    state_now = machinery.find_state_of(context.state, machine, command.part)
    if state_now.lost:
        raise Refused("not_allowed", LOST)
    take_time(context, command.by, MINUTE_SECONDS, rule="CE-REP-02", why="roll.rig_time")
    if _check(context, command, held, "CE-REP-02") >= 0:
        hold_rig(context, command.by, machine.id, held)


def hold_rig(context: RuleContext, by: str, target: str, held: Condition) -> None:
    """Rig a hit for 1D6 hours. [CE-REP-03]"""
    machine = context.state[target]
    hours = context.roll("1d6", by=by, rule="CE-REP-03", why="roll.rig_lasts").total
    lasts = context.state.clock + hours * HOUR_SECONDS
    rigged = held.level - machinery.count_hits(context.state, machine, str(held.marks["part"]))
    told = replace(held, marks={**held.marks, "rigged": min(held.level, rigged + 1), "rig_until": lasts})
    context.emit(e.ConditionChanged(machine.id, told), RIGGED)
    context.emit(e.Said("log.rigged", machine.id, args={"part": held.label, "n": hours}), "CE-REP-03")


def check_rig_now(state: State, command: RigNow) -> Condition:
    """Refuse a rig away from the machine, or at a destroyed part."""
    machine, combatant = check_machine(state, command.target), state[command.actor]
    check_mechanic(state, command.actor)
    held = check_part(machine, command.part)
    if not find_option(state, "use_extended_actions"):
        raise Refused("not_allowed", "This table plays without extended actions: the GM can switch them on.")
    if machinery.is_lost(state, machine, command.part):
        raise Refused("not_allowed", LOST)
    check_at(state, combatant, machine)
    return held


def check_at(state: State, combatant: Combatant, machine: Combatant) -> None:
    """Refuse work on a machine that someone is neither in nor next to."""
    if combatant.inside != machine.id:
        check_within(state, combatant, machine)


def rig_now(context: RuleContext, command: RigNow) -> None:
    """Rig during a fight: 1D6 minutes as an extended action, then the check. [CE-REP-02]

    RULING R50
    """
    held = check_rig_now(context.state, command)
    who = command.actor
    pay_significant(context, who, "Rigging a part", "CE-REP-02")
    lose_aim(context, who, "why.does_something_else")
    minutes = context.roll("1d6", by=who, rule="CE-REP-02", why="roll.rig_time").total
    rounds = minutes * MINUTE_SECONDS // ROUND_SECONDS
    marks = {
        "skill": command.skill or SKILLS.get(find_kind(held), "mechanics"),
        "characteristic": "edu",
        "difficulty": "average",
        "adjust": command.adjust,
        "because": command.because,
        NEED: rounds,
        DONE: 0,
        RIG_OF: command.target,
        RIG_PART: command.part,
    }
    add_condition(context, who, "extended_action", marks=marks)
    context.emit(e.Said("log.rigs", who, command.target, {"part": held.label, "n": rounds}), "CE-REP-02")


def finish_rig(context: RuleContext, who: str, task: Condition, effect: int) -> None:
    """Apply a rig after its time and check, if there is still damage to rig, and it has not been driven away.
    [CE-REP-02]"""
    machine = context.state.combatants.get(str(task.marks.get(RIG_OF, "")))
    held = machinery.find_damage(machine, str(task.marks[RIG_PART])) if machine else None
    if effect < 0 or machine is None or held is None:
        return
    if not allows(check_at, context.state, context.state[who], machine):
        context.emit(e.Said("log.rig_away", machine.id, who), "CE-REP-02")
        return
    if machinery.is_past_rigging(context.state, held):
        context.emit(e.Said("log.part_lost", machine.id, args={"part": held.label}), "CE-REP-13")
        return
    hold_rig(context, who, machine.id, held)


def repair(context: RuleContext, command: Repair) -> None:
    """Repair one hit: an Average check [CE-REP-04], 1D6 hours [CE-REP-06], and a hit of spare parts or a
    workshop. [CE-REP-07] A destroyed part takes a workshop and money instead of parts. [CE-REP-12]
    [CE-REP-13]"""
    machine, held = _begin(context, command)
    kind, flat = find_kind(held), machinery.is_flat(context.state)
    if find_effect(kind, held.level, flat).lost:
        _replace(context, command, machine, held)
        return
    use_parts(context, machine, command.workshop)
    take_time(context, command.by, HOUR_SECONDS, rule="CE-REP-06", why="roll.repair_time")
    if _check(context, command, held, "CE-REP-04") >= 0:
        lower(context, machine.id, held, "CE-REP-04")


def _begin(context: RuleContext, command: Repair) -> tuple[Combatant, Condition]:
    machine = begin_work(context, command.target)
    check_mechanic(context.state, command.by)
    return machine, check_part(machine, command.part)


def _check(context: RuleContext, command: Repair, held: Condition, rule: str) -> int:
    """Roll with the fitting skill, or the one the GM chooses; returns the Effect. [CE-REP-05]"""
    skill = command.skill or SKILLS.get(find_kind(held), "mechanics")
    return roll_check(
        context,
        command.by,
        what="check.repair",
        skill=skill,
        characteristic="edu",
        terms=adjusted(command, ()),
        rule=rule,
        matters="none",
    )


def preview_repair(state: State, command: Repair | RigNow) -> Preview:
    """The sums of the check; none if a workshop replaces a destroyed part."""
    machine, who = check_machine(state, command.target), getattr(command, "by", command.actor)
    held = check_part(machine, command.part)
    if machinery.is_lost(state, machine, command.part):
        return Preview()
    own = modifiers_for_check(state, who, command.skill or SKILLS.get(find_kind(held), "mechanics"), "edu")
    return Preview(adjusted(command, own), (), "against.eight", DICE)


def _replace(context: RuleContext, command: Repair, machine: Combatant, held: Condition) -> None:
    """Replace a destroyed system for 2D6 times 10% of its price, which is a tenth of the vehicle's.
    [CE-REP-12]

    This takes a workshop. [CE-REP-13]  RULING R50
    """
    if not command.workshop:
        raise Refused(
            "not_allowed", "That part is destroyed: it takes a full workshop, so select “In a workshop”."
        )
    roll = context.roll("2d6", by=command.by, rule="CE-REP-12", why="roll.repair_cost")
    cost = find_price(machine) * SYSTEM_SHARE // PERCENT * roll.total * 10 // PERCENT
    take_time(context, command.by, HOUR_SECONDS, rule="CE-REP-06", why="roll.repair_time")
    remove_condition(context, machine.id, held, why="why.repaired", rule="CE-REP-12")
    wake_machine(context, machine.id, "CE-REP-12")
    tell_cost(context, machine.id, cost, "CE-REP-12")


def lower(context: RuleContext, who: str, held: Condition, rule: str) -> None:
    """Take one hit off a part."""
    if held.level <= 1:
        remove_condition(context, who, held, why="why.repaired", rule=rule)
    else:
        context.emit(e.ConditionChanged(who, replace(held, level=held.level - 1)), rule)
        context.emit(e.Said("log.part_better", who, args={"part": held.label}), rule)
    wake_machine(context, who, rule)


def wake_machine(context: RuleContext, who: str, rule: str) -> None:
    """Restart a machine that was disabled by a part that works again."""
    machine = context.state[who]
    parts = (machinery.POWER, machinery.COMPUTER)
    if not any(machinery.is_lost(context.state, machine, part) for part in parts):
        remove_conditions(context, who, "disabled", why="why.repaired", rule=rule)


# ---------------------------------------------------------------- forms


def any_damage(state: State, actor: str) -> None:
    """For the GM: refuse if no machine has a damaged part, or during a fight."""
    check_quiet(state)
    any_machine(state, actor)
    if not any(find_damaged(machine) for machine in find_machines(state)):
        raise Refused("not_allowed", "No part of a machine is damaged.")


def _parts_field(state: State) -> Field:
    """The damaged parts of all machines; those that need a workshop come last."""
    found: dict[str, Choice] = {}
    for is_lost in (False, True):
        for machine in find_machines(state):
            for held in find_damaged(machine):
                key = str(held.marks["part"])
                if machinery.is_lost(state, machine, key) == is_lost:
                    found.setdefault(key, Choice(key, name_damaged(held, machine)))
    options = tuple(found.values())
    return Field("part", "Part", "choice", options=options, value=first_open(options), rule="CE-REP-01")


def repair_fields(state: State, actor: str, is_rig: bool = False) -> tuple[Field, ...]:
    """The machine and the part, who repairs it, and the skill."""
    return (
        choose(state, "target", "Machine", (f for f in find_machines(state) if find_damaged(f))),
        _parts_field(state),
        by_field(state),
        skill_field(),
        *([] if is_rig else [workshop_field(state, "CE-REP-13")]),
    )


def find_rig_parts(state: State, actor: str) -> dict[str, tuple[Combatant, str]]:
    """The parts someone could rig from where they are: part -> the machine and the name of the part."""
    found: dict[str, tuple[Combatant, str]] = {}
    for machine in find_machines(state):
        for held in find_damaged(machine):
            part = str(held.marks["part"])
            command = RigNow(actor=actor, target=machine.id, part=part)
            if not why_refused(check_rig_now, state, command):
                found.setdefault(part, (machine, name_damaged(held, machine)))
    return found


def may_rig(state: State, actor: str) -> None:
    """Refuse a rig without a damaged part within reach or without a significant action left."""
    if not find_rig_parts(state, actor):
        raise Refused("not_allowed", "No damaged part of a machine is within reach that a rig could hold.")
    check_significant(state, actor, "rigging a part")


def rig_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The machine, the part, and the skill."""
    found = find_rig_parts(state, actor)
    machines = {machine.id: machine for machine, _ in found.values()}
    options = tuple(Choice(part, name) for part, (_, name) in found.items())
    return (
        choose(state, "target", "Machine", machines.values()),
        Field("part", "Part", "choice", options=options, value=first_open(options), rule="CE-REP-02"),
        skill_field(),
    )


# The work on machines: what is damaged, who repairs it, with what parts, how long and at what cost.


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


# Repairs of Hull and Structure, spare parts and their donors, and cargo that was hit.


class RepairHull(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Someone repairs a point of Hull."""

    by: str
    workshop: bool = False


class RepairStructure(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A workshop repairs points of Structure."""

    points: int = 1
    workshop: bool = False


class Cannibalise(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Take parts out of a system of a machine (`donor`) to repair another machine, or itself."""

    donor: str
    part: str


class Stock(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The number of spare parts, bought or found, as the GM says."""

    parts: int


class RuleCargo(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether a piece of cargo that was hit is destroyed, as the GM says."""

    item: str
    destroyed: bool = True


def stock(context: RuleContext, command: Stock) -> None:
    """Set the parts from a dealer, a workshop or another vehicle. [CE-REP-08]"""
    machine = check_machine(context.state, command.target)
    if not 0 <= command.parts <= 99:
        raise Refused("bad_value", "Spare parts: 0 to 99.")
    mark(context, machine.id, SPARES, value=command.parts or None, rule="CE-REP-08")
    context.emit(e.Said("log.spares", machine.id, args={"n": command.parts}), "CE-REP-08")


def check_donor(state: State, command: Cannibalise) -> Combatant:
    """Refuse people and seats as parts, and a destroyed part. [CE-REP-10]"""
    check_machine(state, command.target)
    donor = state[command.donor]
    if not is_machine(donor):
        raise Refused("bad_target", f"{donor.name} is no machine: choose a vehicle or a robot.")
    if command.part in NOT_DONORS or command.part not in find_donor_parts(donor):
        raise Refused("bad_value", "That gives no parts: choose a system, a weapon or a limb.")
    held = machinery.find_damage(donor, command.part)
    kind, flat = find_part_kind(donor, command.part), machinery.is_flat(state)
    if held and held.level >= count_most(kind, flat):
        raise Refused("not_allowed", "Nothing of that part is left to take.")
    return donor


def find_donor_parts(donor: Combatant) -> tuple[str, ...]:
    """The parts of a machine that can be taken for others."""
    weapons = tuple(item.id for item in machinery.find_mounts(donor))
    return (*machinery.find_systems(donor), *weapons, *machinery.find_limbs(donor))


def find_part_kind(machine: Combatant, key: str) -> str:
    """The kind of a part, by its key."""
    if key in machinery.SYSTEMS:
        return key
    return machinery.LIMB if key in machinery.find_limbs(machine) else machinery.WEAPON


def cannibalise(context: RuleContext, command: Cannibalise) -> None:
    """Take parts for one check by a hit on a system of the donor. [CE-REP-09]"""
    donor = check_donor(context.state, command)
    kind = find_part_kind(donor, command.part)
    held = machinery.find_damage(donor, command.part)
    effect = find_effect(kind, held.level + 1 if held else 1, machinery.is_flat(context.state))
    if held:
        context.emit(e.ConditionChanged(donor.id, replace(held, level=held.level + 1)), effect.rule)
    else:
        label, marks = name_part(donor, kind, command.part), {"part": command.part}
        add_condition(context, donor.id, f"{kind}_hit", rule=effect.rule, marks=marks, label=label)
    spares = count_spares(context.state[command.target]) + 1
    mark(context, command.target, SPARES, value=spares, rule="CE-REP-09")
    context.emit(e.Said("log.spares", command.target, args={"n": spares}), "CE-REP-09")


def repair_hull(context: RuleContext, command: RepairHull) -> None:
    """Repair one point of Hull: a Mechanics check, 1D6 hours and a hit of spare parts. [CE-REP-14]"""
    machine = begin_work(context, command.target)
    check_mechanic(context.state, command.by)
    check_short(machine, "hull")
    use_parts(context, machine, command.workshop)
    take_time(context, command.by, HOUR_SECONDS, rule="CE-REP-14", why="roll.repair_time")
    effect = roll_check(
        context,
        command.by,
        what="check.repair",
        skill="mechanics",
        characteristic="edu",
        terms=adjusted(command, ()),
        rule="CE-REP-14",
        matters="none",
    )
    if effect >= 0:
        _raise(context, machine.id, "hull", points=1, rule="CE-REP-14")


def preview_hull(state: State, command: RepairHull) -> Preview:
    """The sums of the check for a point of Hull. [CE-REP-14]"""
    check_machine(state, command.target)
    own = modifiers_for_check(state, command.by, "mechanics", "edu")
    return Preview(adjusted(command, own), (), "against.eight", DICE)


def check_short(machine: Combatant, track: str) -> int:
    """The missing points; Refused if there are none."""
    missing = find_full(machine, track) - find_score(machine, track)
    if missing < 1:
        raise Refused("not_allowed", f"The {track} of {machine.name} is whole.")
    return missing


def _raise(context: RuleContext, who: str, track: str, points: int, rule: str) -> None:
    now = find_score(context.state[who], track)
    context.emit(e.TrackChanged(who, track, now, new=now + points, why="why.repair"), rule)


def repair_structure(context: RuleContext, command: RepairStructure) -> None:
    """Repair Structure: only in a workshop, 1D6 times 10 hours a point [CE-REP-15]; each costs 20% of the
    price of the vehicle [CE-REP-16], without a check. [CE-REP-17]  RULING R50"""
    machine = begin_work(context, command.target)
    missing = check_short(machine, "structure")
    if not command.workshop:
        raise Refused("not_allowed", "Structure is repaired in a workshop only.")
    if not 1 <= command.points <= missing:
        most = (
            "1 point of Structure: choose 1"
            if missing == 1
            else f"{missing} points of Structure: choose 1 to {missing}"
        )
        raise Refused("bad_value", f"{machine.name} lacks {most}.")
    for _ in range(command.points):
        take_time(context, machine.id, 10 * HOUR_SECONDS, rule="CE-REP-15", why="roll.repair_time")
    _raise(context, machine.id, "structure", points=command.points, rule="CE-REP-15")
    if find_score(context.state[machine.id], "structure") > 0:
        remove_conditions(context, machine.id, "wreck", why="why.repaired", rule="CE-REP-15")
    tell_cost(
        context, machine.id, find_price(machine) * STRUCTURE_SHARE // PERCENT * command.points, "CE-REP-16"
    )


def rule_cargo(context: RuleContext, command: RuleCargo) -> None:
    """Set whether cargo that was hit is destroyed. [CE-VLOC-45]"""
    item: Item = find_item(context.state[command.target], command.item)
    if not item.marks.get("hit"):
        raise Refused("bad_value", f"{item.name} has not been hit.")
    if command.destroyed:
        context.emit(e.ItemLost(command.target, replace(item, place="gone"), "how.loses_cargo"), "CE-VLOC-45")
        return
    marks = {key: value for key, value in item.marks.items() if key != "hit"}
    context.emit(e.ItemChanged(command.target, replace(item, marks=marks), "item_is.intact"), "CE-VLOC-45")


# ---------------------------------------------------------------- forms


def any_loss(track: str) -> Callable[[State, str], None]:
    """A check for the GM: refuse if no machine lacks points of the track."""

    def check(state: State, actor: str) -> None:
        check_quiet(state)
        any_machine(state, actor)
        if all(
            find_reason(state, f, lambda s, who: check_short(s[who], track)) for f in find_machines(state)
        ):
            raise Refused("not_allowed", f"The {track} of every machine here is whole.")

    return check


def hull_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The machine, and who repairs it."""
    return (
        choose(
            state,
            "target",
            "Machine",
            people=find_machines(state),
            check=lambda s, w: check_short(s[w], "hull"),
        ),
        by_field(state),
        workshop_field(state, "CE-REP-08"),
    )


def structure_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The machine, and the number of points."""
    machines = find_machines(state)
    return (
        choose(state, "target", "Machine", people=machines, check=_lacks_structure),
        number_field("points", "Points", 1, low=1, high=999, help=_say_price(state), rule="CE-REP-15"),
        Field("workshop", "In a workshop", "flag", value="true", rule="CE-REP-15", required=False),
    )


def _say_price(state: State) -> str:
    """The price of a point, in Cr if the price of the machine is known. [CE-REP-16]"""
    short = [f for f in find_machines(state) if not find_reason(state, f, _lacks_structure)]
    told = [
        f"{f.name}: Cr {find_price(f) * STRUCTURE_SHARE // PERCENT:,} each" for f in short if find_price(f)
    ]
    return "; ".join(told) or f"each costs {STRUCTURE_SHARE}% of the price of the machine"


def _lacks_structure(state: State, who: str) -> None:
    check_short(state[who], "structure")


def donor_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The machine that needs the part, the machine that gives it, and the part."""
    machines = find_machines(state)
    keys = {key: None for machine in machines for key in find_donor_parts(machine)}
    names = {item.id: item.name for machine in machines for item in machine.items}
    options = tuple(Choice(key, names.get(key) or name_key(key)) for key in keys)
    return (
        choose(state, "target", "For", machines),
        choose(state, "donor", "Out of", machines),
        Field("part", "Part", "choice", options=options, value=first_open(options), rule="CE-REP-09"),
    )


def spares_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The machine, and the number of parts."""
    return (
        choose(state, "target", "For", find_machines(state)),
        number_field("parts", "Parts for so many repairs", 1, low=0, high=99, rule="CE-REP-08"),
    )


def find_hit_cargo(state: State) -> dict[str, tuple[str, str]]:
    """Cargo that was hit: item -> its owner and its name."""
    return {
        item.id: (machine.id, item.name)
        for machine in find_machines(state)
        for item in machinery.find_cargo(machine)
        if item.marks.get("hit")
    }


def cargo_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The piece of cargo, and whether it is destroyed."""
    found = find_hit_cargo(state)
    owners = [f for f in find_machines(state) if any(owner == f.id for owner, _ in found.values())]
    options = tuple(Choice(key, name) for key, (_, name) in found.items())
    return (
        choose(state, "target", "Vehicle", owners),
        Field("item", "Cargo", "choice", options=options, value=first_open(options), rule="CE-VLOC-45"),
        Field("destroyed", "Destroyed", "flag", value="true", required=False),
    )


ACTIONS = (
    act("rig_now", rig_now, may_rig, fields=rig_fields, preview=preview_repair, has_odds=False),
    gm(
        "rig",
        rig,
        any_damage,
        fields=partial(repair_fields, is_rig=True),
        preview=preview_repair,
        has_odds=False,
    ),
    gm("repair", repair, any_damage, fields=repair_fields, preview=preview_repair, has_odds=False),
    gm(
        "repair_hull", repair_hull, any_loss("hull"), fields=hull_fields, preview=preview_hull, has_odds=False
    ),
    gm("repair_structure", repair_structure, any_loss("structure"), fields=structure_fields, has_odds=False),
    gm("cannibalise", cannibalise, any_machine, fields=donor_fields, has_odds=False),
    gm("spare_parts", stock, any_machine, fields=spares_fields, has_odds=False),
    gm("cargo", rule_cargo, check_any(cargo_fields, "No cargo has been hit."), fields=cargo_fields),
)
