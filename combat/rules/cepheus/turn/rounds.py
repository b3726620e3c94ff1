"""Rounds and turns: the start of a fight, the next combatant, the start and end of turns, delaying."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from combat.rules.core.basics.data import read_json
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import Label
from combat.rules.core.commands.commands import Command, Field, Next, folded_field, form_of_next
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.engine.engine import follow
from combat.rules.core.gm.decisions import GmCommand
from combat.rules.core.space import Point, plan_distance
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    Combatant,
    State,
    find_condition,
    find_holders,
    is_acting,
    present,
    replace,
)
from combat.rules.core.turn.turns import (
    add_condition,
    begin_fight,
    count_down_at,
    find_ending,
    find_next,
    open_round,
    remove_condition,
    remove_conditions,
    share_count,
    skip_departed,
    take_deferred,
)

from ..body.allocation import Aided, take_aid
from ..body.hits import Hit
from ..body.machines import end_stalls
from ..body.moving import EDGE
from ..body.states import bring_in_line
from ..book.options import check_used, find_option
from ..characters import machinery
from ..characters.conditions import KINDS, REACTION_SPAN, is_busy, is_lifeless, takes
from ..characters.machinery import CONTROLLED
from ..characters.values import is_conscious, is_vehicle
from ..fight.attacks.suppression import Pinned, take_pin
from ..fight.clouds import Raised, end_clouds, take_cloud
from ..fight.explosives.blasts import Stunned, take_stun
from ..fight.grapple import Gripped, take_grip
from ..fight.shots import take_hit
from ..time import UNPLAYED, pass_clock
from ..vehicles.collisions import Collided, collide, is_solid, take_collision
from ..vehicles.driving import (
    ANYTHING,
    MUST_WEAVE,
    end_pursuit,
    face_along,
    find_struck,
    move,
    move_ahead,
    stop_before,
)
from ..vehicles.stunts import SetUp, take_set_up
from ..world.acting import act, check_unoccupied, gm
from ..world.economy import INTERRUPTED, LOST, SIGNIFICANT, find_budget, find_interrupted, write_interrupted
from ..world.motion import MOVED_M, MOVED_ROUND, forget_moved
from ..world.order import (
    BASE,
    DELAYING,
    LATER,
    SPENT,
    TACTICS,
    end_of_round,
    find_tied,
    is_delaying,
    mark,
    renew_scores,
    sort_order,
    step_before,
    take_delayed,
)
from .initiative import (
    HASTEN_NEXT,
    HASTENED_ONCE,
    LOST_TACTICS,
    PLANNED,
    be_hasty,
    can_plan,
    check_hasten_now,
    cut_links,
    find_actors,
    hasten_declared,
    predict_initiative,
    restore_links,
    roll_or_share,
    roll_tactics,
)
from .tasks import count_round, find_done, finish_task

BEGUN = "begun"  # mark: the round whose turn has begun, so that its start happens once
Effect = Hit | Collided | Pinned | Gripped | Stunned | Raised | Aided | SetUp
_TAKERS: dict[type, Callable[..., Then | None]] = {
    Hit: take_hit,
    Pinned: take_pin,
    Gripped: take_grip,
    Stunned: take_stun,
    Raised: take_cloud,
    Collided: take_collision,
    Aided: take_aid,
    SetUp: take_set_up,
}
NEXT = "next"  # mark of a delay: the turn comes right after the current one, on its count
ASK_OPEN = "The round is over: go first in the next one?"
OPEN, WAIT = "first", "no"
TURN_MARKS = (
    *(LATER, SPENT, TACTICS, HASTEN_NEXT, HASTENED_ONCE, PLANNED),
    *(LOST, LOST_TACTICS, BEGUN, MOVED_M, MOVED_ROUND, CONTROLLED),
)


# ---------------------------------------------------------------- turns


def is_able(combatant: Combatant) -> bool:
    """Whether someone has usable turns."""
    return not combatant.gone and not KINDS.loses(combatant, "turns")


def next_turn(context: RuleContext, command: Next) -> Then | None:
    """End the current turn and begin the next usable one.  [CE-SEQ-05] [CE-ROUND-06]"""
    refusal = "No fight is running: roll Initiative first."
    for who in find_ending(context.state, command, refusal):
        end_turn(context, who)
    return None if context.state.active else Then(settle_count)


def end_turn(context: RuleContext, who: str) -> None:
    """End a usable turn; unused actions are lost.  [CE-ROUND-06]"""
    combatant = context.state.combatants[who]
    if combatant.gone:
        skip_departed(context, who)
        return
    if combatant.budget.get(SIGNIFICANT) == 0 and (combatant.conditions or LOST in combatant.marks):
        _pay_lost(context, who)
    close_turn(context, who)


def close_turn(context: RuleContext, who: str, to: str = "") -> None:
    """Apply the end of any turn, including one that was passed, used for a task or delayed.

    [CE-VEH-05] An uncontrolled vehicle goes straight on. [CE-OTHER-15] A delayed turn ended when the delay
    began: it does not end a second time.
    """
    if onward := end_turn_of_driver(context, who):
        follow(context, onward)
    if not context.state.combatants[who].acted:
        context.emit(e.TurnEnded(who), to=to)
    count_down_at(context, who, "end")
    cut_links(context)
    if find_option(context.state, "reaction_penalty_ends") == "end_of_next_turn":
        remove_conditions(context, who, *REACTION_SPAN, why="why.turn_over", rule="CE-REACT-03")


def _pay_lost(context: RuleContext, who: str) -> None:
    """End the loss of a significant action, now paid; a loss that is not due yet takes the next one."""
    waits = False
    for held in context.state.combatants[who].conditions:
        if not takes(held, SIGNIFICANT):
            continue
        if held.marks.get("due", True):
            remove_condition(context, who, held, "why.action_lost")
        else:
            waits = True
            later = replace(held, marks={**held.marks, "due": True})
            context.emit(e.ConditionChanged(who, later), held.rule, e.GM_ONLY)
    mark(context, who, LOST, waits or None)


def settle_count(context: RuleContext) -> Then:
    """Apply the actions of everyone who acted at the same moment.  [CE-ROUND-05] RULING R33

    Not while an interrupt keeps their turns waiting.
    """
    if not context.state.marks.get(INTERRUPTED) and (effects := take_deferred(context)):
        follow(context, effects)
    return Then(open_next, 0)


def open_next(context: RuleContext, passed: int) -> Then | None:
    """Begin the next turn: one that was interrupted, one that was delayed, or the next in order.

    [CE-ROUND-03] [CE-OTHER-12] [CE-SEQ-07] If no one can act, the fight waits: only the GM ends it.
    """
    state = context.state
    if passed > 2 * len(state.order) + 2:
        context.emit(e.Said("log.nobody"))
        return None
    if state.marks.get(INTERRUPTED):
        return resume(context, passed)
    if stepping := find_stepping_in(state):
        take_count(context, stepping)
        return None
    who = find_next(state)
    if who is None:
        count_round(context)
        return Then(finish_work, passed)
    if state.combatants[who].gone:
        skip_departed(context, who)
        return Then(open_next, passed + 1)
    return begin(context, find_tied(state, who), passed)


def resume(context: RuleContext, passed: int) -> Then | None:
    """Continue the interrupted turns with their remaining actions.  [CE-OTHER-12]"""
    *before, group = find_interrupted(context.state)
    mark(context, "", INTERRUPTED, value=write_interrupted(before), rule="CE-OTHER-12")
    going: list[str] = []
    for who in group:
        combatant = context.state.combatants[who]
        if combatant.gone:
            continue
        if is_able(combatant):
            kind = e.TurnShared if going else e.TurnStarted
            context.emit(kind(who, combatant.budget, again=combatant.acted), "CE-OTHER-12")
            going.append(who)
        else:
            end_turn(context, who)
    share_count(context, going)
    return None if going else Then(settle_count)


def begin(context: RuleContext, queue: tuple[str, ...], passed: int) -> Then | None:
    """Begin the turns of those who act now; skip those who cannot.

    [CE-ROUND-02] [CE-ROUND-05] Equal Initiative and Dexterity act at the same moment.
    """
    begun = tuple(who for who in queue if _begin_one(context, who))
    for place, who in enumerate(begun):
        kind = e.TurnShared if place else e.TurnStarted
        budget = find_budget(context.state, context.state.combatants[who])
        context.emit(kind(who, budget), "CE-ROUND-05" if place else "CE-ROUND-02")
    share_count(context, begun)
    return None if begun else Then(open_next, passed + 1)


def _begin_one(context: RuleContext, who: str) -> bool:
    """Begin a turn; returns whether its owner can use it."""
    start_turn(context, who)
    combatant = context.state.combatants[who]
    if is_able(combatant) and not is_busy(combatant):
        return True
    if is_able(combatant):
        context.emit(e.Said("log.works_on", who), "CE-OTHER-06")
    elif not is_lifeless(combatant):
        context.emit(e.Said("log.idle", who), "CE-SEQ-05")
    pass_turn(context, who)
    return False


def start_turn(context: RuleContext, who: str) -> None:
    """Apply the start of a turn: once a round, even if the turn is interrupted and resumed."""
    combatant = context.state.combatants[who]
    if combatant.marks.get(BEGUN) == context.state.round:
        return
    context.emit(e.Marked(who, BEGUN, context.state.round), to=e.GM_ONLY)
    count_down_at(context, who, "start")
    remove_conditions(context, who, "delaying", why="why.acts_now", rule="CE-OTHER-12")
    forget_moved(context, who)
    begin_turn(context, who)


def pass_turn(context: RuleContext, who: str) -> None:
    """Pass a turn without any action."""
    close_turn(context, who, e.GM_ONLY)


def reopen(context: RuleContext) -> Then:
    """Give the first turn to the new first combatant, if the order changes before anyone acts.

    [CE-ROUND-13] RULING R4. The turn already begun starts over when it comes.
    """
    follow(context, take_deferred(context))
    return Then(open_next, 0)


# ---------------------------------------------------------------- rounds


def begin_fighting(context: RuleContext, leaders: tuple[str, ...]) -> Then:
    """Begin round 1, after the commanders' checks.  [CE-INIT-06] [CE-SEQ-04]"""
    if leaders:
        roll_tactics(context, leaders[0])
        return Then(begin_fighting, leaders[1:])
    open_round(context)
    hasten_declared(context)
    return Then(open_next, 0)


def finish_work(context: RuleContext, passed: int) -> Then:
    """Roll for finished extended actions, one after the other; then end the round."""
    done = find_done(context.state)
    if done is None:
        return Then(end_round, passed)
    finish_task(context, done)
    return Then(finish_work, passed)


def end_round(context: RuleContext, passed: int) -> Then:
    """Begin the next round after all have acted, with the same Initiative.

    [CE-SEQ-01] [CE-SEQ-06] [CE-ROUND-01] [CE-ROUND-07] [CE-ROUND-08]
    """
    for vehicle in find_uncontrolled(context.state):
        follow(context, coast_on(context, vehicle))
    cut_links(context)
    for who in open_with_delayers(context):
        pass_turn(context, who)
    ended = context.state.round
    end_of_round(context, ended)
    end_clouds(context, ended)
    if ended == 1:
        for combatant in present(context.state):
            over = KINDS.ended_by("first round")
            remove_conditions(context, combatant.id, *over, why="why.round_over", rule="CE-REACT-07")
    open_round(context)
    end_stalls(context, ended)
    restore_links(context)
    if find_option(context.state, "initiative_each") == "fight":
        return Then(begin_round, passed)
    rolling = tuple(f.id for f in find_actors(context.state) if not is_lifeless(f))
    predict_initiative(context, rolling)
    return Then(roll_anew, rolling, passed)


def roll_anew(context: RuleContext, left: tuple[str, ...], passed: int) -> Then:
    """Roll again for each in turn, by house rule; plans and changes still count.  RULING R4"""
    if not left:
        return Then(begin_round, passed)
    roll_or_share(context, left[0])
    return Then(roll_anew, left[1:], passed)


def begin_round(context: RuleContext, passed: int) -> Then:
    """Sort the order of a new round, and begin it. [CE-ROUND-08] [CE-ROUND-11] [CE-ROUND-14]"""
    renew_scores(context)
    hasten_declared(context)
    pass_clock(context)
    return Then(open_next, passed + 1)


def resolve_count(context: RuleContext, effects: tuple[str, ...]) -> Then | None:
    """Apply the actions of tied combatants in turn, even those of combatants who are down by then: wounds,
    collisions, suppression, holds, stuns, smoke and help. [CE-ROUND-05]  RULING R33"""
    if not effects:
        return None
    effect: Any = read_json(effects[0], Effect)  # type: ignore[arg-type]  # a union is no `type`
    return _TAKERS[type(effect)](context, effect, (resolve_count, effects[1:]))


# ---------------------------------------------------------------- delaying


def check_delay(state: State, actor: str) -> None:
    """Refuse to delay once anything is done in the turn. [CE-OTHER-11]"""
    combatant = state[actor]
    if not find_option(state, "use_delay"):
        raise Refused("not_allowed", "This table plays without delaying: the GM can switch it on.")
    if combatant.budget != find_budget(state, combatant):
        raise Refused("not_allowed", "All actions come together: delay before doing anything.")


def delay(context: RuleContext, command: Command) -> Then | None:
    """Let the turn wait; the next one comes. [CE-OTHER-11]"""
    who = command.actor
    add_condition(context, who, "delaying")
    context.emit(e.TurnEnded(who), "CE-OTHER-11")
    return None if context.state.active else Then(settle_count)


def check_step_in(state: State, actor: str) -> None:
    """Refuse to act later without a delay. [CE-OTHER-12]"""
    combatant = state[actor]
    if not is_delaying(combatant):
        raise Refused("not_allowed", f"{combatant.name} is not delaying.")
    if is_acting(state, actor):
        raise Refused("not_allowed", f"{combatant.name} has the turn.")


def interrupt(context: RuleContext, command: Command) -> None:
    """Act now, before the rest of the current turn, on its count. [CE-OTHER-12] [CE-OTHER-13]"""
    step_before(context, command.actor)


def step_in(context: RuleContext, command: Command) -> None:
    """Act right after the current turn, on its count. [CE-OTHER-12]"""
    who = command.actor
    held = find_condition(context.state[who], "delaying")
    assert held is not None
    if NEXT in held.marks:
        raise Refused("not_allowed", f"{context.state[who].name} is next already.")
    active = context.state.combatants.get(context.state.active)
    count = (active.initiative if active else None) or 0
    waits = replace(held, marks={**held.marks, NEXT: count})
    context.emit(e.ConditionChanged(who, waits), "CE-OTHER-12")
    context.emit(e.Said("log.steps_in", who), "CE-OTHER-12")


def find_stepping_in(state: State) -> str:
    """The first in order whose delayed turn is to come next."""
    waiting = find_holders(state, DELAYING)
    due = {f.id for f in waiting if _is_due(f) and is_conscious(f)} if waiting else ()
    return next((who for who in state.order if who in due), "") if due else ""


def _is_due(combatant: Combatant) -> bool:
    held = find_condition(combatant, DELAYING)
    return held is not None and NEXT in held.marks


def take_count(context: RuleContext, who: str) -> None:
    """Begin a delayed turn on the count chosen for it. [CE-OTHER-13]"""
    held = find_condition(context.state[who], "delaying")
    assert held is not None
    take_delayed(context, who, int(held.marks.get(NEXT, 0)))


# ---------------------------------------------------------------- the end of the round


def open_with_delayers(context: RuleContext) -> tuple[str, ...]:
    """Let those who still delay open the next round; returns all who delayed: their turn of this round is
    over.

    [CE-OTHER-14] [CE-OTHER-15] [CE-OTHER-16] [CE-OTHER-17] RULING R7: all of them on one more than the
    highest Initiative, in the order of Dexterity.
    """
    waiting = tuple(f.id for f in find_holders(context.state, DELAYING) if not f.gone)
    if not waiting:
        return ()
    able = tuple(who for who in waiting if is_conscious(context.state[who]))
    options = (Choice(OPEN, "Go first next round"), Choice(WAIT, "Lose this turn, keep the Initiative"))
    chosen = context.ask_each(able, ASK_OPEN, options, rule="CE-OTHER-14", default=OPEN) if able else {}
    highest = max((_total_next_score(context.state, w) for w in context.state.order), default=0)
    for who in waiting:
        remove_conditions(context, who, "delaying", why="why.round_over", rule="CE-OTHER-15")
        if chosen.get(who) == OPEN:
            own = highest + 1 - int(context.state[who].marks.get(TACTICS, 0))
            mark(context, who, BASE, value=own, rule="CE-OTHER-16")
            context.emit(e.Said("log.opens_round", who, args={"n": highest + 1}), "CE-OTHER-16")
    return waiting


def _total_next_score(state: State, who: str) -> int:
    marks = state.combatants[who].marks
    return sum(int(marks.get(key, 0)) for key in (BASE, TACTICS, LATER))


next_fields = form_of_next("CE-ROUND-05")


def check_next_now(state: State, actor: str) -> None:
    """Refuse to end a turn when no fight is running."""
    if state.phase != "fight":
        raise Refused("not_allowed", "No fight is running: roll Initiative first.")


# The start of a fight: awareness, Initiative, plans; and haste before anyone has acted.


class Start(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`aware` are those who know that their opponents are there: if it is all or none, no one is surprised.
    With `tactics` the marked commanders roll for their units; `hasty` act hastily."""

    aware: tuple[str, ...] = ()
    tactics: bool = False
    hasty: tuple[str, ...] = ()


def start(context: RuleContext, command: Start) -> Then:
    """Roll Initiative once and begin round 1.

    [CE-SEQ-02] [CE-SEQ-03] [CE-SEQ-04] [CE-INIT-01] [CE-INIT-04] RULING R37: if all are aware, or none is,
    everyone rolls.
    """
    state, combatants = context.state, find_actors(context.state)
    if command.hasty:
        check_used(state, "use_hasten", "hastening")
    if command.tactics:
        check_used(state, "use_tactics", "Tactics")
    ready = {state[who].id for who in command.aware}
    ready = set() if ready >= {f.id for f in combatants} else ready
    hasty = tuple(state[who].id for who in dict.fromkeys(command.hasty))
    begin_fight(context)
    forget_last_fight(context)
    for combatant in present(context.state):
        bring_in_line(context, combatant.id)
        face_along(context, combatant.id)
    if ready:
        for combatant in combatants:
            if combatant.id not in ready:
                add_condition(context, combatant.id, "surprised")
    for who in hasty:
        mark(context, who, HASTEN_NEXT, value=True, rule="CE-ROUND-14")
    everyone = tuple(f.id for f in combatants)
    predict_initiative(context, tuple(who for who in everyone if who not in ready))
    return Then(roll_all, everyone, tuple(sorted(ready)), command.tactics)


def end_fight(context: RuleContext) -> None:
    """End delays, haste, reactions, surprise, plans, tasks and waiting with the fight."""
    follow(context, take_deferred(context))
    forget_last_fight(context, "why.fight_over")


def forget_last_fight(context: RuleContext, why: Label = "why.new_fight") -> None:
    """Remove the leftovers of turns from an earlier fight."""
    for key in (INTERRUPTED, UNPLAYED):
        mark(context, "", key, None)
    for combatant in present(context.state):
        for key in TURN_MARKS:
            if key in combatant.marks:
                mark(context, combatant.id, key, None)
        remove_conditions(context, combatant.id, *KINDS.ended_by("fight"), why=why)
        if any(combatant.budget.values()):
            context.emit(e.BudgetSet(combatant.id, {}), to=e.GM_ONLY)


def roll_all(context: RuleContext, left: tuple[str, ...], ready: tuple[str, ...], plans: bool) -> Then | None:
    """Roll for each in turn, or take the 12 of the ready; then the commanders roll, then round 1 begins."""
    if left:
        roll_or_share(context, left[0], ready)
        return Then(roll_all, left[1:], ready, plans)
    order = sort_order(context.state, (f.id for f in find_actors(context.state)))
    context.emit(e.OrderSet(order, "why.initiative"), "CE-INIT-02")
    leaders = tuple(f.id for f in find_actors(context.state) if can_plan(context.state, f)) if plans else ()
    return Then(begin_fighting, leaders)


def hasten(context: RuleContext, command: Command) -> Then | None:
    """Act earlier this round, at DM -1. [CE-ROUND-13] [CE-ROUND-14] [CE-ROUND-15]"""
    be_hasty(context, command.actor)
    first = context.state.order[0] if context.state.order else ""
    return None if is_acting(context.state, first) else Then(reopen)


class Avoid(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`aware` know of the others and are unseen."""

    aware: tuple[str, ...]


def avoid(context: RuleContext, command: Avoid) -> None:
    """Avoid the fight, for those who noticed the others unseen: it ends before its first round.

    [CE-INIT-05]
    """
    state = context.state
    ready = {state[who].id for who in command.aware}
    sides = {state[who].side for who in ready}
    others = [f for f in present(state) if f.side not in sides]
    if not ready or not others:
        raise Refused("bad_target", "One group must know of another that does not: choose who knows.")
    context.emit(e.Said("log.avoids", sorted(ready)[0]), "CE-INIT-05")
    context.emit(e.FightEnded("why.avoided"), "CE-INIT-05")


# ---------------------------------------------------------------- forms


def name_all(state: State) -> tuple[Choice, ...]:
    """Everyone who has turns, by name and side."""
    return tuple(Choice(f.id, f.name, f.side) for f in find_actors(state))


def start_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Who knows that their opponents are there, and who declares haste for round 1. [CE-SEQ-02]

    RULING R61: nothing about rules that the table does not use.
    """
    people = name_all(state)
    hint = "selected people need not roll: they count as 12"
    fields = [
        Field(
            "aware", "Aware of their opponents", "many", people, help=hint, rule="CE-SEQ-02", required=False
        )
    ]
    if find_option(state, "use_tactics"):
        fields.append(Field("tactics", "Commanders roll Tactics", "flag", rule="CE-INIT-06", required=False))
    if find_option(state, "use_hasten"):
        fields.append(folded_field("hasty", "Hasten in round 1", "many", people, rule="CE-ROUND-14"))
    return tuple(fields)


def avoid_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The combatants who have noticed the others. [CE-INIT-05]"""
    return (Field("aware", "Have noticed the others", "many", name_all(state), rule="CE-INIT-05"),)


def check_start_now(state: State, actor: str) -> None:
    """Refuse to start a running fight, or one with no combatants."""
    if state.phase == "fight":
        raise Refused("not_allowed", "The fight is under way: end it before another one begins.")
    if not find_actors(state):
        raise Refused("not_allowed", "There is no one to act: add combatants first.")


def check_avoid_now(state: State, actor: str) -> None:
    """Refuse during a fight, or with no one to avoid. [CE-INIT-05]"""
    if state.phase == "fight":
        raise Refused("not_allowed", "The fight is under way: it can only be ended.")
    if len({f.side for f in present(state)}) < 2:
        raise Refused("not_allowed", "There is no one to avoid: add the other group first.")


# The turn of a driver, and vehicles that nobody controls: they go straight on.


def begin_turn(context: RuleContext, who: str) -> None:
    """End the effect of the vehicle's last movement on shots at it, when its driver's turn begins."""
    vehicle = machinery.find_driven(context.state, who)
    if vehicle is not None:
        forget_moved(context, vehicle.id)


def end_turn_of_driver(context: RuleContext, who: str) -> Then | None:
    """Let a vehicle that was not controlled this round go straight on at its speed. [CE-VEH-05]

    RULING R46. RULING R90: a pursuer who did not match a weave loses the quarry.
    """
    vehicle = machinery.find_driven(context.state, who)
    if vehicle is None:
        return None
    if vehicle.marks.get(MUST_WEAVE):
        context.emit(e.Said("log.breaks_off", who), "CE-VACT-25")
        end_pursuit(context, vehicle.id)
    if vehicle.marks.get(machinery.CONTROLLED) == context.state.round:
        return None
    return coast(context, vehicle.id)


def find_uncontrolled(state: State) -> tuple[str, ...]:
    """The vehicles that have not moved this round: without a driver, or after a turn without driving."""
    return tuple(
        vehicle.id
        for vehicle in present(state)
        if is_vehicle(vehicle) and vehicle.marks.get(machinery.CONTROLLED) != state.round
    )


def coast_on(context: RuleContext, vehicle: str) -> Then | None:
    """Give a vehicle without a turn this round one at its end. [CE-VEH-05] Its earlier movement no longer
    affects shots at it. [CE-MOD-06]  RULING R46 R49"""
    forget_moved(context, vehicle)
    return coast(context, vehicle)


def coast(context: RuleContext, vehicle: str) -> Then | None:
    """Move straight on, out of control; evasive action is over. [CE-VEH-05] [CE-VACT-07]"""
    machine = context.state[vehicle]
    speed = machinery.find_speed(context.state, machine)
    mark(context, vehicle, machinery.CONTROLLED, value=context.state.round, rule="CE-VEH-05")
    remove_conditions(context, vehicle, *KINDS.ended_by("driver's action"), rule="CE-VACT-07")
    if speed <= 0:
        return None
    context.emit(e.Said("log.out_of_control", vehicle), "CE-VEH-05")
    return Then(roll_on, vehicle, move_ahead(machine, machinery.count_round_meters(speed)), ())


def roll_on(context: RuleContext, vehicle: str, goal: Point, passed: tuple[str, ...]) -> Then | None:
    """Move to the first thing in the way, and crash into it [CE-COLL-01]; over people it goes on.
    [CE-COLL-04]

    RULING R46. RULING R98: in an open hole it stands on the deck below.
    """
    state, machine = context.state, context.state[vehicle]
    speed = machinery.find_speed(state, machine)
    if speed <= 0:
        return None
    end = stop_before(state, machine, goal, ANYTHING, "coast")
    met = find_struck(state, machine, end, passed)
    move(context, vehicle, met[0] if met else end, "how.rolls_on", "coast")
    if met is None and plan_distance(context.state[vehicle].at, end) > EDGE:
        mark(context, vehicle, machinery.SPEED, value=None, rule="CE-VEH-04")
        return None
    if met is None:
        return Then(collide, vehicle, "", speed, True) if end != goal else None
    struck = met[1]
    if is_solid(machine, state[struck]):
        return Then(collide, vehicle, struck, speed, True)
    return Then(collide, vehicle, struck, speed, False, True, (roll_on, vehicle, goal, (*passed, struck)))


ACTIONS = (
    gm("next_turn", next_turn, check_next_now, fields=next_fields),
    act("delay", delay, check_delay, bar=check_unoccupied, has_odds=False),
    act("interrupt", interrupt, check_step_in, bar=check_unoccupied, on_turn=False, has_odds=False),
    act("step_in", step_in, check_step_in, bar=check_unoccupied, on_turn=False, has_odds=False),
    gm("start", start, check_start_now, fields=start_fields),
    gm("avoid", avoid, check_avoid_now, fields=avoid_fields),
    act(
        "hasten",
        hasten,
        check_hasten_now,
        bar=check_unoccupied,
        on_turn=False,
        has_odds=False,
        asks_others=True,
    ),
)
