"""Repairs of machines: rigs that hold for hours, parts, Hull, Structure, and their costs."""

from __future__ import annotations

from functools import partial

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, allows, why_refused
from combat.rules.core.commands.commands import Command, Field, Preview, adjusted, first_open
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.decisions import Target
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Condition, State, replace
from combat.rules.core.turn.turns import add_condition, remove_condition, remove_conditions

from ..book.hits import find_effect
from ..book.options import find_option
from ..book.tables import HOUR_SECONDS, MINUTE_SECONDS, ROUND_SECONDS
from ..characters import machinery
from ..dice.focus import lose_aim
from ..dice.rolls import DICE, modifiers_for_check, roll_check
from ..dice.tasks import DONE, NEED
from ..world.acting import act, gm
from ..world.economy import check_quiet, check_significant, pay_significant
from ..world.reach import check_within
from .fields import any_machine, choose, find_machines
from .workshop import (
    PERCENT,
    SKILLS,
    SYSTEM_SHARE,
    begin_work,
    by_field,
    check_machine,
    check_mechanic,
    check_part,
    find_damaged,
    find_kind,
    find_price,
    name_damaged,
    skill_field,
    take_time,
    tell_cost,
    use_parts,
    workshop_field,
)

RIGGED = "CE-REP-02"  # the log has the change of the damage with the hours that it holds
RIG_OF, RIG_PART = "rig_of", "rig_part"  # marks of a task: the machine and its part
LOST = "That part is destroyed: no rig holds it, repair it in a workshop."


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
)
