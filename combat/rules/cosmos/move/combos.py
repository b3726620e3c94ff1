"""Action combinations: charge, fighting retreat, Total Defense, Reactive Defense, quick aim."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Command, Field, Preview
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.map.bodies import find_beside, is_concealed_from, meters_of, nearest
from combat.rules.core.space import Point, distance, map_of, on_ground, path_length
from combat.rules.core.space.paths import is_open
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, present, replace
from combat.rules.core.turn.turns import add_condition, spend

from ..book.options import find_option
from ..characters.conditions import KINDS
from ..characters.sheet import find_speed, half_speed, is_able
from ..dice import DICE
from ..fight.aim import (
    Charge,
    Strike,
    check_strike,
    find_sums,
    find_weapon,
    prepare,
    situation_fields,
    using_field,
    weapon_field,
)
from ..fight.attack import can_go_on, swing
from ..fight.overwatch import PAID, face_watchers
from ..fight.weapons import check_attacks, check_weapon
from ..hazards.drift import floats_on, with_recoil
from ..world.acting import act, target_field
from ..world.scene import find_arms, find_reach, is_melee
from ..world.sight_lines import find_grid, in_meters, is_within
from .cost import check_whole_turn, is_difficult, movement_cost, pay_move, pay_whole_turn
from .moving import MOVER, Steps, check_free
from .paths import FAR, check_may_move, check_walk, find_path, place_field, walk

CHARGE_MIN_M = 4  # COS-COMBO-02


class Retreat(Strike, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An attack, then up to half Speed away; `to` and `far` as in a move."""

    to: str = ""
    far: bool = False


class Guard(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Total Defense, with up to half Speed of movement if `to` is set."""

    to: str = ""
    far: bool = False


def charge_path(state: State, command: Charge) -> tuple[Point, Point]:
    """The straight path of the charger to the point where its weapon reaches the target."""
    combatant, target = state[command.actor], state[command.target]
    reach = find_reach(combatant, find_weapon(state, command))
    goal = on_ground(state.scene, find_beside(combatant, target, float(reach)))
    return (combatant.at, goal)


def check_charge(state: State, command: Charge) -> None:
    """Refuse a charge too short, too long, or through rough ground.

    [COS-COMBO-01] [COS-COMBO-02] [COS-COMBO-03]  RULING R25.
    """
    combatant, weapon = state[command.actor], find_weapon(state, command)
    if not is_melee(weapon):
        raise Refused("not_allowed", "A charge ends with a melee attack.")
    check_weapon(state, combatant, weapon)
    path = charge_path(state, command)
    if not is_open(map_of(state.scene), find_grid(state), *path, meters_of(combatant)):
        raise Refused("not_allowed", "Something is in the way: a charge follows one straight line.")
    MOVER.check(state, Steps(command.actor, path, "charge"))
    meters, most = path_length(path), 2 * find_speed(state, combatant)
    if floats_on(state, combatant, path):
        raise Refused("not_allowed", "No charge without gravity: push off instead.")
    if meters < CHARGE_MIN_M - 0.01:
        text = f"A charge covers at least {CHARGE_MIN_M} m; this one would cover {in_meters(meters)}."
        raise Refused("out_of_range", text)
    if is_difficult(state.scene, path):
        raise Refused("not_allowed", "No charge through difficult terrain.")
    cost = max(meters, movement_cost(state, combatant.id, path))
    if cost > most + 0.01:
        raise Refused("out_of_range", f"A charge covers up to {most} m; this is {in_meters(cost)}.")
    there = _after_charge(state, command)
    check_strike(there, command, prepare(there, command))


def _after_charge(state: State, command: Charge) -> State:
    """The state when the charger strikes, for the sums of the form."""
    combatant = replace(state[command.actor], at=charge_path(state, command)[1])
    return replace(state, combatants={**state.combatants, combatant.id: combatant})


def charge(context: RuleContext, command: Charge) -> Then | None:
    """Run straight at the target for one attack. [COS-COMBO-01]

    +2 damage [COS-COMBO-04] and, until the next turn, -2 Defense [COS-COMBO-05].
    """
    who = command.actor
    check_charge(context.state, command)
    path = charge_path(context.state, command)
    pay_whole_turn(context, who, "Charge", "COS-COMBO-01")
    allowed = 2 * find_speed(context.state, context.state[who])
    add_condition(context, who, "charging")
    walk(context, who, path, allowed, how="how.charges", rule="COS-COMBO-03", way="charge")
    if not _arrives(context.state, command):
        return None
    return Then(face_watchers, who, PAID, swing, command, 1)


def _arrives(state: State, command: Charge) -> bool:
    """Whether the charger reached its goal: a shot on the way may have stopped it."""
    combatant, target = state[command.actor], state[command.target]
    if not is_able(combatant) or not can_go_on(state, command):
        return False
    return is_within(state, combatant, target, find_reach(combatant, find_weapon(state, command)))


def preview_charge(state: State, command: Charge) -> Preview:
    """The sums of a charge's attack, with the charger in front of its target."""
    check_charge(state, command)
    there = _after_charge(state, command)
    note = say("note.charge", metres=path_length(charge_path(state, command)))
    sums = find_sums(there, command, prepare(there, command))
    return Preview(sums.terms, sums.against, "against.defense", dice=DICE, notes=(note,))


def retreat(context: RuleContext, command: Retreat) -> Then:
    """Attack, then move away. [COS-COMBO-06]"""
    check_retreat(context.state, command)
    who = command.actor
    spend(context, who, {"standard": 1, "move": 1}, on="Fighting retreat", rule="COS-COMBO-06")
    add_condition(context, who, "retreating")
    add_condition(context, who, "no_sprint")
    return Then(_strike_and_leave, command)


def check_retreat(state: State, command: Retreat) -> None:
    """Refuse a bad attack or path away before anything is rolled."""
    check_strike(state, command, prepare(state, command))
    if command.to:
        _check_back(state, command)


def preview_retreat(state: State, command: Retreat) -> Preview:
    """The sums of the attack, and the limit of the movement away."""
    check_retreat(state, command)
    note = say("note.retreat", metres=half_speed(state, state[command.actor]))
    sums = find_sums(state, command, prepare(state, command))
    return Preview(sums.terms, sums.against, "against.defense", dice=DICE, notes=(note,))


def _check_back(state: State, command: Retreat | Guard) -> tuple[Point, ...]:
    """The path of at most half Speed.  [COS-COMBO-07] [COS-COMBO-12]"""
    who = command.actor
    check_free(state, state[who])
    allowed = half_speed(state, state[who])
    path = find_path(state, who, command.to, allowed=allowed, far=command.far, pace=half_speed)
    check_walk(state, who, path, allowed, pace=half_speed)
    if isinstance(command, Retreat):
        check_away(state, state[who], path[-1])
    return path


def check_away(state: State, combatant: Combatant, goal: Point) -> None:
    """Refuse a retreat that does not end farther from each enemy adjacent at its start. [COS-COMBO-06]

    RULING R26
    """
    there = replace(combatant, at=goal)
    for enemy in present(state):
        if not is_able(enemy) or enemy.side == combatant.side or is_concealed_from(state, combatant, enemy):
            continue
        if distance(*nearest(there, enemy)) >= distance(*nearest(combatant, enemy)) + 0.01:
            continue
        if is_within(state, enemy, combatant, find_arms(enemy)):
            raise Refused("not_allowed", f"A retreat ends farther from {enemy.name}: choose another place.")


def _strike_and_leave(context: RuleContext, command: Retreat) -> Then | None:
    """Strike, then move at most half Speed. [COS-COMBO-07]  RULING R26."""
    step: Then | None = Then(swing, command, 1)
    while step is not None:
        step = step.step(context, *step.args)
    return Then(_go_back, command, "how.falls_back", "COS-COMBO-07")


def _go_back(context: RuleContext, command: Retreat | Guard, how: str, rule: str) -> None:
    """Move along the path of a combination; stay if shots or the attack have closed it."""
    who = command.actor
    if not command.to:
        return
    try:
        path = _check_back(context.state, command)
    except Refused:
        context.emit(e.Said("log.stays", who), rule)
        return
    walk(
        context, who, path, half_speed(context.state, context.state[who]), how=how, rule=rule, pace=half_speed
    )


def total_defense(context: RuleContext, command: Guard) -> Then:
    """The whole turn [COS-COMBO-10]; +4 Defense [COS-COMBO-11], no attacks. [COS-COMBO-13]"""
    who = command.actor
    if command.to:
        _check_back(context.state, command)
    spend(context, who, {"standard": 1, "move": 1}, on="Total Defense", rule="COS-COMBO-10")
    return Then(_back_off, command)


def _back_off(context: RuleContext, command: Guard) -> None:
    """Guard, then move at most half Speed. [COS-COMBO-12]"""
    add_condition(context, command.actor, "total_defense")
    _go_back(context, command, "how.backs_off", "COS-COMBO-12")


def check_guard(state: State, actor: str) -> None:
    """Refuse to combine Total and Reactive Defense.  RULING R26."""
    KINDS.check(state[actor], "guard")


def reactive_defense(context: RuleContext, command: Command) -> None:
    """A Move Action adds half Combat again [COS-DEF-08]; until the next turn. [COS-DEF-10]"""
    who = command.actor
    pay_move(context, who, "Reactive Defense", "COS-DEF-08")
    add_condition(context, who, "reactive_defense")


def check_reactive(state: State, actor: str) -> None:
    """Refuse while flat-footed or stunned.  RULING R31."""
    KINDS.check(state[actor], "reactive_defense")
    check_guard(state, actor)


def quick_aim(context: RuleContext, command: Command) -> None:
    """One Quick Action: +1 on the next ranged attack of this turn. [COS-EX-07]  RULING R29."""
    who = command.actor
    spend(context, who, {"quick": 1}, on="Quick aim", rule="COS-EX-07")
    add_condition(context, who, "quick_aim")
    add_condition(context, who, "quick_aimed")


def check_quick_aim(state: State, actor: str) -> None:
    """Refuse a second quick aim in a turn, or any without the table option."""
    if not find_option(state, "quick_aim"):
        raise Refused("not_allowed", "This table plays without the quick aim.")
    KINDS.check(state.combatants[actor], "quick_aim")


def charge_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a charge."""
    return (
        target_field(state, actor),
        weapon_field(state, actor, melee=True),
        *using_field(state, actor),
        *situation_fields(state, actor),
    )


def retreat_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a fighting retreat."""
    back = place_field(state, actor, "up to half Speed, away from enemies beside you", required=False)
    front = (target_field(state, actor), weapon_field(state, actor), *using_field(state, actor))
    return (*front, back, FAR, *situation_fields(state, actor))


def guard_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of Total Defense."""
    return (place_field(state, actor, "up to half Speed, if any", required=False), FAR)


ACTIONS = (
    act("reactive_defense", reactive_defense, check_reactive),
    act(
        "retreat",
        with_recoil(retreat),
        check_may_move,
        check_attacks,
        fields=retreat_fields,
        preview=preview_retreat,
    ),
    act("total_defense", total_defense, check_guard, fields=guard_fields),
    act("quick_aim", quick_aim, check_quick_aim),
)
ALONG_PATHS = (
    act(
        "charge",
        charge,
        check_may_move,
        check_attacks,
        check_whole_turn,
        fields=charge_fields,
        preview=preview_charge,
    ),
)
