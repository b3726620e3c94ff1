"""Rounds: initiative for all, the count from the highest down, and those who share a number.

[CG-ROUND-01] [CG-ROUND-03] Each round has an Initiative Phase, then a Player Action Phase.
"""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import Label, possessive
from combat.rules.core.commands.commands import Command
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.engine.engine import follow
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Condition, State, has_condition, is_acting, present
from combat.rules.core.turns import (
    add_condition,
    begin_fight,
    count_down_at,
    open_round,
    remove_conditions,
    share_count,
    skip_departed,
    take_deferred,
)

from ..body.states import CAUSE, ENDS, POINTS, find_round_end
from ..book.options import find_option
from ..book.tables import ACTION, INITIATIVE_DIE, TURN_BUDGET
from ..dice.rolls import roll_under
from ..people.conditions import OUT, STOPPED
from ..people.sheet import is_able
from ..people.values import rank_terms
from ..time.clock import end_round, expire, forget
from .holding import AGAIN, EARLY, begin_hold, carry_holds, find_early, find_ready, lose_hold

RULE = "CG-INIT-01"


class Start(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[CG-REF-03] `surprised` are those who may be surprised and roll against it.  RULING R33"""

    surprised: tuple[str, ...] = ()


class Next(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """End one turn: that of `target` among those who share a count, or of all of them."""

    target: str = ""
    whole: bool = False


# ---------------------------------------------------------------- beginning


def start(context: RuleContext, command: Start) -> Then:
    """[CG-ROUND-01] Round 1 begins; those who may be surprised roll first."""
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


def forget_last_fight(context: RuleContext) -> None:
    """What turns of an earlier fight left behind is over."""
    for fighter in present(context.state):
        remove_conditions(context, fighter.id, "holding", "extra_defense", why="why.new_fight")
        forget(context, fighter.id, EARLY, AGAIN)
        if any(fighter.budget.values()):
            context.emit(e.BudgetSet(fighter.id, {}), to=e.GM_ONLY)


def roll_surprise(context: RuleContext, left: tuple[str, ...]) -> Then:
    """[CG-REF-03] Perception; who fails neither acts nor defends in round 1.  RULING R33"""
    who, rest = left[0], left[1:]
    terms = rank_terms(context.state, context.state[who], "perception", "CG-REF-03")
    if not roll_under(context, who, terms, rule="CG-REF-03", what="check.surprise").good:
        ends = {ENDS: find_round_end(context.state)}
        add_condition(context, who, "surprised", rule="CG-REF-03", marks=ends)
    return Then(roll_surprise, rest) if rest else Then(begin_round)


# ---------------------------------------------------------------- the Initiative Phase


def begin_round(context: RuleContext) -> Then:
    """[CG-INIT-07] A new round, and initiative for everyone in it.  RULING R6"""
    open_round(context)
    carry_holds(context)
    living = tuple(f.id for f in present(context.state) if not has_condition(f, "dead"))
    rolling = tuple(who for who in living if _rolls(context.state, who))
    leaders = tuple(who for who in rolling if find_leader(context.state, rolling, who) == who)
    context.foresee(INITIATIVE_DIE, leaders, rule=RULE, why="check.initiative")
    return Then(roll_initiative, leaders, rolling)


def _rolls(state: State, who: str) -> bool:
    """Whether somebody rolls in this round: always, or only once a fight.  RULING R6"""
    once = find_option(state, "initiative_each") == "encounter" and state.round > 1
    return not once or state.combatants[who].initiative is None


def find_leader(state: State, rolling: tuple[str, ...], who: str) -> str:
    """Whose die counts for somebody: one for all opponents of a side, if the table wants it.  RULING R6"""
    fighter = state.combatants[who]
    if fighter.pc or find_option(state, "npc_initiative") == "each":
        return who
    mates = (f for f in map(state.combatants.get, rolling) if f and f.side == fighter.side and not f.pc)
    return next(mate.id for mate in mates)


def roll_initiative(context: RuleContext, left: tuple[str, ...], rolling: tuple[str, ...]) -> Then:
    """[CG-INIT-01] [CG-INIT-02] [CG-INIT-04] 1d20, Coordination and Traits, for everyone alike."""
    if not left:
        context.emit(e.OrderSet(find_order(context.state), "why.initiative"), "CG-INIT-03")
        return Then(open_next, 0)
    leader = left[0]
    roll = context.roll(INITIATIVE_DIE, by=leader, rule=RULE, why="check.initiative")
    for who in rolling:
        if find_leader(context.state, rolling, who) == leader:
            terms = initiative_terms(context.state, context.state[who])
            score = roll.total + add_up(terms)
            told = e.Checked(who, "check.initiative", roll, terms, score, str(score))
            context.emit(told, RULE)
            context.emit(e.InitiativeSet(who, score), RULE, e.GM_ONLY)
    return Then(roll_initiative, left[1:], rolling)


def initiative_terms(state: State, fighter: Combatant) -> Modifiers:
    """[CG-INIT-01] Coordination as it is now, at least 0; [CG-INIT-02] modifiers of Traits.  RULING R6 R44"""
    terms = rank_terms(state, fighter, "coordination", RULE)
    if add_up(terms) < 0:
        terms = (*terms, Modifier("term.floor", -add_up(terms), RULE))
    trait = int(fighter.sheet["initiative"])
    return (*terms, Modifier("term.traits", trait, "CG-INIT-02")) if trait else terms


def find_order(state: State) -> tuple[str, ...]:
    """[CG-INIT-03] From the highest number down; equal ones stay together."""
    here = [who for who, f in state.combatants.items() if not f.gone or who in state.order]
    return tuple(sorted(here, key=lambda who: -find_score(state, who)))


def find_score(state: State, who: str) -> int:
    """Somebody's initiative; the dead and the newcomers of this round come last."""
    score = state.combatants[who].initiative
    return -1000 if score is None else score


def reseat(context: RuleContext, who: str, why: Label) -> None:
    """[CG-INIT-03] A number that the GM sets counts at once."""
    order = find_order(context.state)
    if order != context.state.order:
        context.emit(e.OrderSet(order, why), "CG-INIT-03")


def enter(context: RuleContext, who: str) -> None:
    """[CG-ROUND-03] Who joins a running fight gets a number in the next round."""
    context.emit(e.OrderSet((*context.state.order, who), "why.joins"), "CG-INIT-03")
    context.emit(e.TurnEnded(who), to=e.GM_ONLY)


# ---------------------------------------------------------------- the Player Action Phase


def next_turn(context: RuleContext, command: Next) -> Then | None:
    """[CG-INIT-03] End the turn under way; when all at this number have ended, the count goes on."""
    if context.state.phase != "fight":
        raise Refused("not_allowed", "No fight is running: roll initiative first.")
    if command.target and not is_acting(context.state, command.target):
        raise Refused("not_your_turn", f"It is not {possessive(context.state[command.target].name)} turn.")
    ending: tuple[str, ...] = (command.target or context.state.active,)
    if command.whole:
        ending = (context.state.active, *context.state.sharing)
    for who in ending:
        if who:
            end_turn(context, who)
    return go_on(context)


def go_on(context: RuleContext) -> Then | None:
    """[CG-INIT-05] After the last of those who share a number, all they did takes effect."""
    if context.state.active:
        return None
    follow(context, take_deferred(context))
    return Then(open_next, 0)


def hold(context: RuleContext, command: Command) -> Then | None:
    """[CG-ACT-06] [CG-INIT-06] Keep the action for later; the count goes on."""
    begin_hold(context, command.actor)
    return go_on(context)


def end_turn(context: RuleContext, who: str) -> None:
    """The end of one turn. [CG-ACT-08] Who came early and did nothing has a usual turn later.  RULING R8"""
    fighter = context.state[who]
    if fighter.marks.get(EARLY):
        forget(context, who, EARLY)
        if fighter.budget.get(ACTION, 0):
            context.emit(e.Marked(who, AGAIN, True), "CG-ACT-07", e.GM_ONLY)
            context.emit(e.Said("log.hold_lost", who), "CG-ACT-07")
    context.emit(e.TurnEnded(who))
    count_down_at(context, who, "end")


def open_next(context: RuleContext, passed: int) -> Then | None:
    """Begin the next turn or turns: held ones of the last round, those made ready, then the count."""
    state = context.state
    if passed > 2 * len(state.combatants) + 4:
        context.emit(e.Said("log.nobody"))
        return None
    early = find_early(state)
    if early:
        return Then(begin, early, True, passed)
    ready = find_ready(state)
    if ready:
        return Then(begin, ready, False, passed)
    due = find_due(state)
    if due:
        return Then(begin, due, False, passed)
    if not any(map(can_ever_act, present(state))):
        context.emit(e.Said("log.nobody"))
        return None
    end_round(context)
    return Then(begin_round)


def can_ever_act(fighter: Combatant) -> bool:
    """Whether time alone may bring somebody back into the fight."""
    if is_able(fighter):
        return True
    return all(map(_passes, (c for c in fighter.conditions if c.kind in (*OUT, *STOPPED))))


def _passes(bar: Condition) -> bool:
    """Whether a state ends with time alone: by its clock, a number of turns, or rest."""
    if bar.kind == "exhausted":
        return bool(bar.until) or bar.marks.get(CAUSE) == POINTS
    return ENDS in bar.marks or (bar.kind in STOPPED and bool(bar.until))


def find_due(state: State) -> tuple[str, ...]:
    """[CG-INIT-03] [CG-INIT-05] Who comes next in the count: all at the highest number left.  RULING R7"""
    left = [who for who in state.order if _is_due(state.combatants[who])]
    if not left:
        return ()
    best = max(find_score(state, who) for who in left)
    return tuple(who for who in left if find_score(state, who) == best)


def _is_due(fighter: Combatant) -> bool:
    return not fighter.acted or bool(fighter.marks.get(AGAIN))


def begin(context: RuleContext, queue: tuple[str, ...], early: bool, passed: int) -> Then | None:
    """[CG-ACT-01] [CG-ACT-02] Begin the turns of those who share a number, each with one action."""
    able = []
    for who in queue:
        if context.state.combatants[who].gone:
            skip_departed(context, who)
            continue
        forget(context, who, AGAIN)
        count_down_at(context, who, "start")
        if is_able(context.state[who]):
            able.append(who)
        else:
            remove_conditions(context, who, "holding", why="why.expired", rule="CG-STUN-01")
            pass_over(context, who)
    for who in able:
        if early or has_condition(context.state[who], "holding"):
            lose_hold(context, who, early)
        kind = e.TurnShared if context.state.active else e.TurnStarted
        context.emit(
            kind(who, dict(TURN_BUDGET), context.state[who].acted), "CG-ACT-09" if early else "CG-ACT-01"
        )
    share_count(context, able)
    return None if able else Then(open_next, passed + 1)


def pass_over(context: RuleContext, who: str) -> None:
    """[CG-STUN-01] Who cannot act has no turn. [CG-ACT-08] Nor a usual one after one that came early."""
    if not has_condition(context.state[who], "dead"):
        context.emit(e.Said("log.idle", who), "CG-STUN-01")
    if context.state[who].acted:
        return
    context.emit(e.TurnEnded(who), "CG-STUN-01", e.GM_ONLY)
    count_down_at(context, who, "end")
