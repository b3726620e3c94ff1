"""Rounds: initiative for all, the count from the highest down, shared counts, and held actions.

[CG-ROUND-01] [CG-ROUND-03] Each round has an Initiative Phase, then a Player Action Phase.
"""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import Label
from combat.rules.core.commands.commands import Command, Field, Next, form_of_next, name_everyone
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.engine.engine import follow
from combat.rules.core.state import events as e
from combat.rules.core.state.events import make_checked
from combat.rules.core.state.state import (
    Combatant,
    Condition,
    State,
    find_condition,
    find_holders,
    has_condition,
    is_acting,
    is_played,
    present,
    replace,
)
from combat.rules.core.turn.squads import level_scores
from combat.rules.core.turn.turns import (
    add_condition,
    begin_fight,
    count_down_at,
    find_ending,
    forget,
    is_shared,
    open_round,
    remove_conditions,
    share_count,
    skip_departed,
    spend,
    take_deferred,
)

from ..body.states import CAUSE, ENDS, POINTS, end_of_round
from ..book.options import find_option
from ..book.tables import ACTION, INITIATIVE_DIE, TURN_BUDGET
from ..characters.conditions import KINDS, OUT, STOPPED, find_stop
from ..characters.sheet import is_able
from ..characters.values import rank_terms
from ..dice import roll_under
from ..fight.attack import step_in
from ..time import end_round, expire
from ..world.acting import act, gm

RULE = "CG-INIT-01"
LAST = -1000  # below every initiative
CARRIED, READY = "carried", "ready"  # marks of a hold: kept into this round; used after this count
EARLY, AGAIN = "early", "again"  # marks of a combatant: acts before the count; still has a normal turn


class Start(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The start of a fight; the `surprised` roll against surprise. [CG-REF-03]  RULING R33"""

    surprised: tuple[str, ...] = ()


# ---------------------------------------------------------------- beginning


def start(context: RuleContext, command: Start) -> Then:
    """Begin round 1; those who may be surprised roll first. [CG-ROUND-01]"""
    if context.state.phase == "fight":
        raise Refused("not_allowed", "The fight has already started.")
    if not present(context.state):
        raise Refused("not_allowed", "There is no one to act: add combatants first.")
    likely = tuple(dict.fromkeys(context.state[who].id for who in command.surprised))
    if likely and find_option(context.state, "surprise") == "off":
        raise Refused("not_allowed", "House rule: no surprise rolls. Leave that field empty.")
    begin_fight(context)
    forget_last_fight(context)
    expire(context, context.state.clock)
    return Then(roll_surprise, likely) if likely else Then(begin_round)


def start_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The combatants who may be surprised. [CG-REF-03]"""
    people = name_everyone(state)
    label = "May be surprised (roll Perception)"
    return (Field("surprised", label, "many", people, rule="CG-REF-03", required=False),)


def forget_last_fight(context: RuleContext) -> None:
    """Clear what turns of an earlier fight left behind."""
    for combatant in present(context.state):
        remove_conditions(context, combatant.id, *KINDS.ended_by("new_fight"), why="why.new_fight")
        forget(context, combatant.id, EARLY, AGAIN)
        if any(combatant.budget.values()):
            context.emit(e.BudgetSet(combatant.id, {}), to=e.GM_ONLY)


def roll_surprise(context: RuleContext, left: tuple[str, ...]) -> Then:
    """Roll Perception; on a failure, no action or defense in round 1. [CG-REF-03]  RULING R33"""
    who, rest = left[0], left[1:]
    terms = rank_terms(context.state, context.state[who], "perception", "CG-REF-03")
    if not roll_under(context, who, terms, rule="CG-REF-03", what="check.surprise").good:
        ends = {ENDS: end_of_round(context.state)}
        add_condition(context, who, "surprised", rule="CG-REF-03", marks=ends)
    return Then(roll_surprise, rest) if rest else Then(begin_round)


# ---------------------------------------------------------------- the Initiative Phase


def begin_round(context: RuleContext) -> Then:
    """Begin a new round with initiative for everyone, or only once a fight. [CG-INIT-07]  RULING R6"""
    open_round(context)
    carry_holds(context)
    living = [f.id for f in present(context.state) if not has_condition(f, "dead")]
    rolling = leaders = tuple(living)
    if find_option(context.state, "initiative_each") == "encounter" and context.state.round > 1:
        people = context.state.combatants
        rolling = leaders = tuple(who for who in living if people[who].initiative is None)
    together = find_option(context.state, "npc_initiative") != "each"
    if together:
        leaders = tuple(who for who in rolling if find_leader(context.state, rolling, who) == who)
    context.predict_rolls(INITIATIVE_DIE, leaders, rule=RULE, why="check.initiative")
    return Then(roll_initiative, leaders, rolling if together else ())


def find_leader(state: State, rolling: tuple[str, ...], who: str) -> str:
    """The combatant whose die counts for someone: one for all opponents of a side, by option.  RULING R6"""
    combatant = state.combatants[who]
    if is_played(state, combatant) or find_option(state, "npc_initiative") == "each":
        return who
    mates = (f for f in map(state.combatants.get, rolling) if f and f.side == combatant.side)
    return next(mate.id for mate in mates if not is_played(state, mate))


def roll_initiative(context: RuleContext, left: tuple[str, ...], together: tuple[str, ...]) -> Then:
    """Roll 1d20 with Coordination and Traits, for everyone. [CG-INIT-01] [CG-INIT-02] [CG-INIT-04]

    `together` are all who roll, if a leader's die counts for others too; else it is empty.
    """
    if not left:
        level_scores(context)
        context.emit(e.OrderSet(find_order(context.state), "why.initiative"), "CG-INIT-03")
        return Then(open_next, 0)
    leader = left[0]
    roll = context.roll(INITIATIVE_DIE, by=leader, rule=RULE, why="check.initiative")
    for who in together or (leader,):
        if not together or find_leader(context.state, together, who) == leader:
            terms = initiative_terms(context.state, context.state.combatants[who])
            told = make_checked(who, "check.initiative", roll, terms)
            context.emit(told, RULE)
            context.emit(e.InitiativeSet(who, told.total), RULE, e.GM_ONLY)
    return Then(roll_initiative, left[1:], together)


def initiative_terms(state: State, combatant: Combatant) -> Modifiers:
    """Current Coordination, at least 0 [CG-INIT-01]; modifiers of Traits. [CG-INIT-02]  RULING R6 R44"""
    terms = rank_terms(state, combatant, "coordination", RULE)
    total = add_up(terms)
    if total < 0:
        terms = (*terms, Modifier("term.floor", -total, RULE))
    trait = int(combatant.sheet["initiative"])
    return (*terms, Modifier("term.traits", trait, "CG-INIT-02")) if trait else terms


def find_order(state: State) -> tuple[str, ...]:
    """The order from the highest number down; equal numbers stay together. [CG-INIT-03]"""
    scores = {  # the dead and this round's newcomers come last
        who: LAST if f.initiative is None else f.initiative
        for who, f in state.combatants.items()
        if not f.gone or who in state.order
    }
    return tuple(sorted(scores, key=scores.__getitem__, reverse=True))


def reseat(context: RuleContext, who: str, why: Label) -> None:
    """Change the order at once after the GM set someone's number. [CG-INIT-03]"""
    order = find_order(context.state)
    if order != context.state.order:
        context.emit(e.OrderSet(order, why), "CG-INIT-03")


def enter(context: RuleContext, who: str) -> None:
    """Let a newcomer wait for a number in the next round. [CG-ROUND-03]"""
    context.emit(e.OrderSet((*context.state.order, who), "why.joins"), "CG-INIT-03")
    context.emit(e.TurnEnded(who), to=e.GM_ONLY)


# ---------------------------------------------------------------- the Player Action Phase


def next_turn(context: RuleContext, command: Next) -> Then | None:
    """End the current turn; once all at this number have ended, the count goes on. [CG-INIT-03]"""
    refusal = "No fight is running: roll initiative first."
    for who in find_ending(context.state, command, refusal):
        end_turn(context, who)
    return go_on(context)


def go_on(context: RuleContext) -> Then | None:
    """Apply all effects of a shared count after its last turn, then go on. [CG-INIT-05]"""
    if context.state.active:
        return None
    follow(context, take_deferred(context))
    return Then(open_next, 0)


def hold(context: RuleContext, command: Command) -> Then | None:
    """Hold the action for later; the count goes on. [CG-ACT-06] [CG-INIT-06]"""
    begin_hold(context, command.actor)
    return go_on(context)


def end_turn(context: RuleContext, who: str) -> None:
    """End one turn. [CG-ACT-08] An early turn without an action leaves the normal one.  RULING R8"""
    combatant = context.state[who]
    if combatant.marks.get(EARLY):
        forget(context, who, EARLY)
        if combatant.budget.get(ACTION, 0):
            context.emit(e.Marked(who, AGAIN, True), "CG-ACT-07", e.GM_ONLY)
            context.emit(e.Said("log.hold_lost", who), "CG-ACT-07")
    context.emit(e.TurnEnded(who))
    count_down_at(context, who, "end")


def open_next(context: RuleContext, passed: int) -> Then | None:
    """Begin the next turns: held ones of the last round, those made ready, then the count."""
    state = context.state
    if passed > 2 * len(state.combatants) + 4:
        context.emit(e.Said("log.nobody"))
        return None
    if holders := find_holders(state, "holding"):
        if early := find_early(state, holders):
            return Then(begin, early, True, passed)
        if ready := find_ready(state, holders):
            return Then(begin, ready, False, passed)
    due = find_due(state)
    if due:
        return Then(begin, due, False, passed)
    if not any(map(can_ever_act, present(state))):
        context.emit(e.Said("log.nobody"))
        return None
    end_round(context)
    return Then(begin_round)


def can_ever_act(combatant: Combatant) -> bool:
    """Whether time alone may bring someone back into the fight."""
    if is_able(combatant):
        return True
    return all(map(_passes, (c for c in combatant.conditions if c.kind in (*OUT, *STOPPED))))


def _passes(bar: Condition) -> bool:
    """Whether a state ends with time alone: by its clock, a number of turns, or rest."""
    if bar.kind == "exhausted":
        return bool(bar.until) or bar.marks.get(CAUSE) == POINTS
    return ENDS in bar.marks or (bar.kind in STOPPED and bool(bar.until))


def find_due(state: State) -> tuple[str, ...]:
    """The next in the count: all at the highest number left. [CG-INIT-03] [CG-INIT-05]  RULING R7"""
    best, due = LAST, list[str]()
    for who in state.order:
        combatant = state.combatants[who]
        if combatant.acted and not combatant.marks.get(AGAIN):
            continue
        score = LAST if combatant.initiative is None else combatant.initiative
        if score > best or not due:
            best, due = score, [who]
        elif score == best:
            due.append(who)
    return tuple(due)


def begin(context: RuleContext, queue: tuple[str, ...], early: bool, passed: int) -> Then | None:
    """Begin the turns of a shared count, each with one action. [CG-ACT-01] [CG-ACT-02]"""
    able = []
    for who in queue:
        combatant = context.state.combatants[who]
        if combatant.gone:
            skip_departed(context, who)
            continue
        if AGAIN in combatant.marks:
            forget(context, who, AGAIN)
        count_down_at(context, who, "start")
        if is_able(context.state.combatants[who]):
            able.append(who)
        else:
            remove_conditions(context, who, "holding", why="why.expired", rule="CG-STUN-01")
            pass_over(context, who)
    for who in able:
        combatant = context.state.combatants[who]
        if early or has_condition(combatant, "holding"):
            lose_hold(context, who, early)
        kind = e.TurnShared if context.state.active else e.TurnStarted
        told = kind(who, dict(TURN_BUDGET), context.state.combatants[who].acted)
        context.emit(told, "CG-ACT-09" if early else "CG-ACT-01")
    share_count(context, able)
    return None if able else Then(open_next, passed + 1)


def pass_over(context: RuleContext, who: str) -> None:
    """Skip someone who cannot act [CG-STUN-01]; after an early turn there is nothing to skip. [CG-ACT-08]"""
    combatant = context.state.combatants[who]
    if not has_condition(combatant, "dead"):
        context.emit(e.Said("log.idle", who), find_stop(combatant))
    if combatant.acted:
        return
    context.emit(e.TurnEnded(who), "CG-STUN-01", e.GM_ONLY)
    count_down_at(context, who, "end")


# Held actions: for later in the round, or for the very start of the next. RULING R8


def begin_hold(context: RuleContext, who: str) -> None:
    """Hold the action for later; others at the same count go first. [CG-ACT-06] [CG-INIT-06]"""
    spend(context, who, {ACTION: 1}, on="holding", rule="CG-ACT-06")
    add_condition(context, who, "holding", rule="CG-ACT-06")
    context.emit(e.TurnEnded(who))
    count_down_at(context, who, "end")


def check_hold(state: State, actor: str) -> None:
    """Refuse to hold an action that is already taken, or one held since the last round. [CG-ACT-07]"""
    if state[actor].marks.get(EARLY):
        raise Refused("not_allowed", "An action held since the last round is taken now, or lost.")
    if state[actor].budget.get(ACTION, 0) < 1:
        raise Refused("no_budget", "The action of this round is taken: nothing is left to hold.")


def act_now(context: RuleContext, command: Command) -> None:
    """Take the held action now, or straight after those who share this count. [CG-ACT-06]"""
    who = command.actor
    held = find_condition(context.state[who], "holding")
    assert held is not None
    if is_shared(context.state):
        ready = replace(held, marks={**held.marks, READY: True})
        context.emit(e.ConditionChanged(who, ready), "CG-INIT-06")
        context.emit(e.Said("log.after_count", who), "CG-INIT-06")
        return
    step_in(context, who)
    context.emit(e.Said("log.acts_now", who), "CG-ACT-06")


def check_act_now(state: State, actor: str) -> None:
    """Refuse someone who holds no action, or is already due after this count."""
    held = find_condition(state[actor], "holding")
    if held is None:
        raise Refused("not_allowed", f"{state[actor].name} holds no action.")
    if held.marks.get(READY):
        raise Refused("not_allowed", f"{state[actor].name} acts straight after this count.")


# ---------------------------------------------------------------- into the next round


def carry_holds(context: RuleContext) -> None:
    """Keep holds into the round that begins. [CG-ACT-07]"""
    for combatant in find_holders(context.state, "holding"):
        held = find_condition(combatant, "holding")
        if held and not combatant.gone:
            kept = replace(held, marks={**held.marks, CARRIED: True, READY: False})
            context.emit(e.ConditionChanged(combatant.id, kept), "CG-ACT-07")


def find_early(state: State, holders: list[Combatant]) -> tuple[str, ...]:
    """Those who act before the count: the highest new initiative among carried holds. [CG-ACT-09]"""
    return _find_best(state, holders, CARRIED)


def find_ready(state: State, holders: list[Combatant]) -> tuple[str, ...]:
    """Those who act straight after the last shared count. [CG-INIT-06]"""
    return _find_best(state, holders, READY)


def _find_best(state: State, holders: list[Combatant], mark: str) -> tuple[str, ...]:
    found = [
        f
        for f in holders
        if (held := find_condition(f, "holding"))
        and held.marks.get(mark)
        and not (f.gone or is_acting(state, f.id))
    ]
    best = max((f.initiative or 0 for f in found), default=0)
    return tuple(f.id for f in found if (f.initiative or 0) == best)


def lose_hold(context: RuleContext, who: str, early: bool) -> None:
    """Turn a hold into a turn; before the count, it replaces this round's turn. [CG-ACT-08] [CG-ACT-09]"""
    remove_conditions(context, who, "holding", why="why.acts", rule="CG-ACT-09" if early else "CG-ACT-06")
    if early:
        context.emit(e.Marked(who, EARLY, True), "CG-ACT-09", e.GM_ONLY)


ACTIONS = (
    gm("start", start, fields=start_fields),
    gm("next_turn", next_turn, fields=form_of_next("CG-INIT-05")),
    act("hold", hold, check_hold, has_odds=False),
    act("act_now", act_now, check_act_now, on_turn=False),
)
