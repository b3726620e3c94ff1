"""Rounds and turns: initiative, the budget, the start of each turn, and turns out of order."""

from __future__ import annotations

from itertools import groupby

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import Label, joined, possessive, say
from combat.rules.core.commands.commands import Command, Field, Preview, name_everyone
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state import events as e
from combat.rules.core.state.events import make_checked
from combat.rules.core.state.state import Combatant, State, has_condition, present
from combat.rules.core.turn.squads import find_members
from combat.rules.core.turn.turns import (
    add_condition,
    begin_fight,
    count_down_at,
    find_group,
    find_next,
    open_round,
    remove_conditions,
    skip_departed,
)

from ..body.damage import INTERRUPTED, find_interrupted, stay_conscious
from ..book.options import find_option
from ..book.tables import CRITICAL, DYING
from ..care.healing import lose_blood, save_against_death
from ..characters.conditions import KINDS
from ..characters.sheet import ability, attribute, attribute_terms, count_quick, health_state, is_able
from ..dice import (
    DICE,
    default_tn,
    did_succeed,
    initiative_terms,
    passing_initiative,
    roll_check,
    save,
    table_terms,
)
from ..hazards.drift import drift
from ..hazards.exposure import end_round, find_ticks, tick
from ..hazards.ground import start_inside
from ..time.clock import expire
from ..world.acting import act, gm

INTERRUPT_TN = 17  # COS-INIT-07
COUNTED = "initiative_counted"  # the part of the score that comes from deafness and drugs
NEW_SCORE = "initiative_by_gm"  # why the GM has set the score since the round began


class Start(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`surprised` names the combatants who are flat-footed until their first turn."""

    surprised: tuple[str, ...] = ()


def start(context: RuleContext, command: Start) -> Then:
    """Roll initiative once and begin round 1. [COS-INIT-01] [COS-INIT-02]"""
    combatants = present(context.state)
    if context.state.phase == "fight":
        raise Refused("not_allowed", "The fight is under way.")
    if not combatants:
        raise Refused("not_allowed", "Add combatants first: there is no one to fight.")
    again = begin_fight(context)
    forget_last_fight(context, again)
    for who in dict.fromkeys(command.surprised):
        add_condition(context, context.state[who].id, "surprised")
    roll_for_all(context, combatants)
    expire(context)
    open_round(context)
    return Then(open_next, 0)


def forget_last_fight(context: RuleContext, again: bool) -> None:
    """Clear the remains of an earlier fight: an interrupt, delays, turn conditions, pending scores.

    `again` says that there was one.
    """
    kinds = (*KINDS.ended_by("any fight"), *(KINDS.ended_by("new fight") if again else ()))
    for who in find_interrupted(context.state):
        context.emit(e.Marked(who, INTERRUPTED, None), to=e.GM_ONLY)
    for combatant in present(context.state):
        remove_conditions(context, combatant.id, *kinds, why="why.new_fight")
        if NEW_SCORE in combatant.marks:
            context.emit(e.Marked(combatant.id, NEW_SCORE, None), to=e.GM_ONLY)


def find_budget(combatant: Combatant) -> dict[str, int]:
    """The actions at the start of a turn. [COS-ACT-01] [COS-ACT-14]

    The stunned lose the Standard Action [COS-COND-31], the unconscious have none. [COS-COND-34]  RULING R24
    R39.
    """
    if not is_able(combatant):
        return {"standard": 0, "move": 0, "quick": 0}
    taken = {pool for _, row in KINDS.find_active(combatant) for pool in row.takes}
    budget = {"standard": 1, "move": 1, "quick": count_quick(combatant)}
    return {pool: 0 if pool in taken else count for pool, count in budget.items()}


def next_turn(context: RuleContext, command: Command) -> Then:
    """End the current turn and begin the next one that a combatant can use."""
    if context.state.phase != "fight":
        raise Refused("not_allowed", "The fight has not started yet, or is over.")
    close_turn(context)
    return Then(open_next, 0)


def close_turn(context: RuleContext) -> None:
    """End the active combatant's turn, and whatever expires with it."""
    who = context.state.active
    if not who:
        return
    drift(context, who)
    context.emit(e.TurnEnded(who))
    count_down_at(context, who, "end")


def open_next(context: RuleContext, passed: int) -> Then | None:
    """Begin the next turn; combatants who cannot act are passed over after their turn's effects."""
    state = context.state
    if passed > 2 * len(state.order) + 1:
        context.emit(e.Said("log.nobody_able"))
        return None
    if waiting := find_interrupted(state):
        return _resume(context, waiting[0], passed)
    who = find_next(state)
    if who is None:
        return end_round(context, Then(_end_round, passed))
    combatant = state.combatants[who]
    if combatant.gone or has_condition(combatant, "dead"):
        skip_departed(context, who)
        return Then(open_next, passed + 1)
    return Then(begin, who, passed)


def _end_round(context: RuleContext, passed: int) -> Then:
    """Repeat the order with the present scores, or roll again by house rule. [COS-INIT-02]  RULING R21"""
    if find_option(context.state, "initiative_each") == "round":
        return Then(_roll_anew, passed)
    count_changes(context)
    take_new_places(context)
    return Then(_open_round, passed)


def _roll_anew(context: RuleContext, passed: int) -> Then:
    """Roll again for all but the dead, by house rule; a score of the GM counted for its round alone."""
    for combatant in present(context.state):
        if NEW_SCORE in combatant.marks:
            context.emit(e.Marked(combatant.id, NEW_SCORE, None), "COS-INIT-03", e.GM_ONLY)
    roll_for_all(context, [each for each in present(context.state) if not has_condition(each, "dead")])
    return Then(_open_round, passed)


def _open_round(context: RuleContext, passed: int) -> Then:
    open_round(context)
    expire(context)
    return Then(open_next, passed + 1)


def _resume(context: RuleContext, who: str, passed: int) -> Then | None:
    """Resume the turn interrupted last with the rest of its budget, or end it. [COS-INIT-07]"""
    context.emit(e.Marked(who, INTERRUPTED, None), to=e.GM_ONLY)
    combatant = context.state.combatants[who]
    if is_able(combatant) and not combatant.acted:
        context.emit(e.TurnStarted(who, combatant.budget), "COS-INIT-07")
        return None
    context.emit(e.TurnEnded(who))
    count_down_at(context, who, "end")
    return Then(open_next, passed + 1)


def begin(context: RuleContext, who: str, passed: int) -> Then | None:
    """Begin a turn: its budget, expiring conditions, and the effects of wounds and fire."""
    combatant = context.state.combatants[who]
    if has_condition(combatant, "delaying"):
        return _take_delayed(context, who, passed)
    context.emit(e.TurnStarted(who, find_budget(combatant)), "COS-ACT-01")
    count_down_at(context, who, "start")
    lose_blood(context, who)
    start_inside(context, who)
    danger, ticks = _find_danger(combatant), find_ticks(context.state, who)
    if not (danger or ticks or context.state.combatants[who].conditions):
        return _ready(context, who, passed)
    return _face_world(context, who, passed, danger, left=ticks)


def _face_world(context: RuleContext, who: str, passed: int, was: str, left: tuple[str, ...]) -> Then | None:
    """Apply the effects of the surroundings by the round or by the clock, in turn.

    [COS-ENV-14] [COS-HAZ-15] [COS-HAZ-18]
    """
    if not left:
        return Then(_face_wounds, who, passed, was)
    tick(context, who, left[0])
    return Then(_face_world, who, passed, was, left[1:])


def _find_danger(combatant: Combatant) -> str:
    """Dying or Critical at the start of a turn; empty for all others, including the stable."""
    if has_condition(combatant, "dying"):
        return DYING.name
    return CRITICAL.name if health_state(combatant) is CRITICAL else ""


def _take_delayed(context: RuleContext, who: str, passed: int) -> Then | None:
    """Begin a delayed turn, with the budget of the current conditions."""
    remove_conditions(context, who, "delaying", why="why.acts_now", rule="COS-INIT-06")
    context.emit(e.TurnStarted(who, find_budget(context.state[who])), "COS-INIT-06")
    return _ready(context, who, passed)


def _face_wounds(context: RuleContext, who: str, passed: int, was: str) -> Then | None:
    """Roll the saves of combatants who began the turn dying or critical.  RULING R15 R17.

    `was` is the state at the start of the turn, before bleeding and fire: a combatant who drops now saves
    from the next turn on.
    """
    if was == DYING.name:
        save_against_death(context, who)
    elif was == CRITICAL.name and context.option("critical_save") == "every_turn":
        combatant = context.state[who]
        if is_able(combatant) and health_state(combatant) is CRITICAL:
            stay_conscious(context, who)
    return Then(_face_fear, who, passed)


def _face_fear(context: RuleContext, who: str, passed: int) -> Then | None:
    """Roll a Resolve save; it lets the frightened act normally this turn. [COS-COND-20]"""
    combatant = context.state.combatants[who]
    if is_able(combatant) and has_condition(combatant, "frightened"):
        plus = morale_terms(context.state, combatant)
        number, why = default_tn(context.state), "roll.against_fear"
        if save(context, who, "RES", number, rule="COS-COND-20", why=why, plus=plus):
            if context.option("fear_save_ends_it"):
                remove_conditions(context, who, "frightened", why="why.courage", rule="COS-COND-20")
            else:
                add_condition(context, who, "steeled")
    return _ready(context, who, passed)


def morale_terms(state: State, combatant: Combatant) -> Modifiers:
    """The bonus of an ally of some species to a save against fear; only the best counts."""
    friends = [f for f in present(state) if f.side == combatant.side and f.id != combatant.id and is_able(f)]
    best = max(friends, key=lambda friend: ability(friend, "allies_morale_bonus"), default=None)
    points = ability(best, "allies_morale_bonus") if best else 0
    return (Modifier(say("term.beside", target=best.id), points, "COS-COND-20"),) if best and points else ()


def _ready(context: RuleContext, who: str, passed: int) -> Then | None:
    """Hand the turn over, or close it if nothing can be done in it."""
    combatant = context.state.combatants[who]
    budget = find_budget(combatant)
    if budget != combatant.budget:
        context.emit(e.BudgetSet(who, budget), "COS-ACT-01")
    if is_able(combatant) and not _loses_turn(context, combatant):
        remove_conditions(context, who, "surprised", why="why.first_turn", rule="COS-DEF-12")
        return None
    close_turn(context)
    return Then(open_next, passed + 1)


def _loses_turn(context: RuleContext, combatant: Combatant) -> bool:
    """Whether surprise or a stun costs the whole turn, by the options of RULING R23 and R39."""
    if has_condition(combatant, "stunned") and context.option("stunned_loses_whole_turn"):
        return True
    if has_condition(combatant, "surprised") and context.option("surprised_lose_first_turn"):
        remove_conditions(context, combatant.id, "surprised", why="why.first_turn", rule="COS-DEF-12")
        return True
    return False


def start_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form that starts a fight, with the surprised combatants."""
    people, hint = name_everyone(state), "flat-footed until their first turn"
    return (Field("surprised", "Surprised", "many", people, help=hint, rule="COS-DEF-12", required=False),)


# Turns out of order: delaying, stepping in, interrupting.


class Delay(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Act after another combatant; without a name, step in later or act last."""

    after: str = ""


def delay(context: RuleContext, command: Delay) -> Then:
    """Act later: after a named combatant, by stepping in, or last. [COS-INIT-06]  RULING R22."""
    who = command.actor
    add_condition(context, who, "delaying")
    rest = [other for other in context.state.order if other != who]
    spot = len(rest)
    if command.after:
        if command.after not in find_later(context.state, who):
            raise Refused("bad_target", "Choose someone who has yet to act this round.")
        spot = rest.index(command.after) + 1
    order = (*rest[:spot], who, *rest[spot:])
    context.emit(e.OrderSet(order, "why.delays"), "COS-INIT-06")
    return Then(open_next, 0)


def check_delay(state: State, actor: str) -> None:
    """Refuse to delay after any action, or if nobody else is still to act."""
    combatant = state[actor]
    if combatant.budget != find_budget(combatant):
        raise Refused("not_allowed", "Delay before doing anything else this turn.")
    if not find_later(state, actor):
        raise Refused("not_allowed", "No one acts after this turn: there is nothing to wait for.")


def find_later(state: State, actor: str) -> list[str]:
    """The other combatants still to act this round, in order."""
    waiting = [w for w in state.order if w != actor and not state.combatants[w].acted]
    return [w for w in waiting if is_able(state.combatants[w])]


def delay_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a delay."""
    names = [Choice(w, f"after {state.combatants[w].name}") for w in find_later(state, actor)]
    options = (Choice("", "wait and step in later"), *names)
    return (Field("after", "Act", "choice", options, value="", rule="COS-INIT-06", required=False),)


def step_in(context: RuleContext, command: Command) -> None:
    """Let a delaying combatant act right after the current turn. [COS-INIT-06]

    After an interrupt the current turn is the interrupted one, which resumes first.
    """
    who = command.actor
    rest = [other for other in context.state.order if other != who]
    turn = (*find_interrupted(context.state), context.state.active)[0]
    spot = rest.index(turn) + 1
    order = (*rest[:spot], who, *rest[spot:])
    context.emit(e.OrderSet(order, "why.steps_in"), "COS-INIT-06")


def check_step_in(state: State, actor: str) -> None:
    """Refuse to step in without delaying, or outside someone else's turn."""
    if not has_condition(state[actor], "delaying"):
        raise Refused("not_allowed", f"{state[actor].name} is not delaying.")
    if state.active not in state.order or state.active == actor:
        raise Refused("not_allowed", "Step in during someone else's turn.")


def interrupt(context: RuleContext, command: Command) -> Then | None:
    """Roll Awareness against 17 to act before the current turn. [COS-INIT-07]  RULING R22."""
    who = command.actor
    add_condition(context, who, "tried_interrupt")
    terms = interrupt_terms(context.state, command)
    roll_check(context, who, terms, INTERRUPT_TN, rule="COS-INIT-07", what="Awareness", why="roll.interrupt")
    if not did_succeed(context):
        return None
    depth = 1 + len(find_interrupted(context.state))
    context.emit(e.Marked(context.state.active, INTERRUPTED, depth), "COS-INIT-07", e.GM_ONLY)
    return Then(begin, who, 0)


def interrupt_terms(state: State, command: Command) -> Modifiers:
    """Awareness alone: no skill, and no penalty of wounds or conditions.  RULING R5."""
    rule = "COS-INIT-07"
    return (*attribute_terms(state[command.actor], "AWA", rule), *table_terms(command, rule))


def preview_interrupt(state: State, command: Command) -> Preview:
    """The sums of the interrupt check."""
    check_interrupt(state, command.actor)
    target = (Modifier("term.target_number", INTERRUPT_TN, "COS-INIT-07"),)
    return Preview(interrupt_terms(state, command), target, "against.tn", DICE)


def check_interrupt(state: State, actor: str) -> None:
    """Refuse an interrupt during or after the own turn, and a second try in a round."""
    combatant = state[actor]
    if not state.active or state.active == actor:
        raise Refused("not_allowed", "Interrupt during someone else's turn.")
    if combatant.acted or not is_able(combatant):
        raise Refused("not_allowed", f"{combatant.name} has no turn left this round.")
    if INTERRUPTED in combatant.marks:
        raise Refused("not_allowed", f"{possessive(combatant.name)} own turn goes on after this one.")
    KINDS.check(combatant, "interrupt")
    only = find_option(state, "interrupt_only_when_delaying")
    if only and not has_condition(combatant, "delaying"):
        raise Refused("not_allowed", "At this table only those who delay may interrupt.")


# Initiative: the rolls, the order, and scores that change.


def roll_initiative(context: RuleContext, who: str) -> None:
    """1d10 + Awareness. [COS-INIT-01]"""
    combatant = context.state[who]
    terms = initiative_terms(combatant)
    roll = context.roll("1d10", by=who, rule="COS-INIT-01", why="roll.initiative")
    told = make_checked(who, "check.initiative", roll, terms)
    context.emit(told, "COS-INIT-01")
    context.emit(e.InitiativeSet(who, told.total), "COS-INIT-01", e.GM_ONLY)
    _note_counted(context, who, add_up(passing_initiative(combatant)))


def _note_counted(context: RuleContext, who: str, points: int) -> None:
    """Record the part of the new score that comes from deafness and drugs; drop the older record."""
    if points != int(context.state[who].marks.get(COUNTED, 0)):
        context.emit(e.Marked(who, COUNTED, points or None), "COS-COND-10", e.GM_ONLY)


def roll_for_all(context: RuleContext, combatants: list[Combatant]) -> None:
    """Roll for each of these, or once for each group, and set the order. [COS-INIT-01] [COS-INIT-02]"""
    leaders: dict[str, str] = {}
    for combatant in combatants:
        leaders.setdefault(group_of(context.state, combatant), combatant.id)
    context.predict_rolls("1d10", leaders.values(), rule="COS-INIT-01", why="roll.initiative")
    for combatant in combatants:
        leader = leaders[group_of(context.state, combatant)]
        if leader == combatant.id:
            roll_initiative(context, combatant.id)
        else:
            share_initiative(context, combatant.id, leader)
    set_order(context)


def group_of(state: State, combatant: Combatant) -> str:
    """The group that rolls together: a squad, numbered enemies of one kind by table option, or each alone."""
    if squad := find_members(state, combatant.id):
        return squad[0]
    return find_group(state, combatant) if find_option(state, "group_initiative") else combatant.id


def share_initiative(context: RuleContext, who: str, leader: str) -> None:
    """Share one roll among a group of identical enemies. [COS-INIT-02]

    Wounds, deafness and drugs still count for each alone.
    """
    own, other = (add_up(passing_initiative(context.state[f])) for f in (who, leader))
    score = (context.state[leader].initiative or 0) + own - other
    context.emit(e.InitiativeSet(who, score), "COS-INIT-02", e.GM_ONLY)
    _note_counted(context, who, own)


def rank(combatant: Combatant) -> tuple[int, int, int]:
    """The sort key of the order: score, Awareness, Coordination; higher is earlier.

    [COS-INIT-03] [COS-INIT-04] [COS-INIT-05]
    """
    score = combatant.initiative if combatant.initiative is not None else 0
    return (-score, -attribute(combatant, "AWA"), -attribute(combatant, "COO"))


def set_order(context: RuleContext) -> None:
    """Sort by score, highest first; remaining ties roll off on a d10. [COS-INIT-03]  RULING R21."""
    ranked = sorted(present(context.state), key=rank)
    order: list[str] = []
    for _, group in groupby(ranked, key=rank):
        order += _roll_off(context, [combatant.id for combatant in group])
    context.emit(e.OrderSet(tuple(order), "why.initiative"), "COS-INIT-03")


def _roll_off(context: RuleContext, tied: list[str]) -> list[str]:
    groups_of = {who: group_of(context.state, context.state[who]) for who in tied}
    if len(set(groups_of.values())) < 2:
        return tied
    rolls = _roll_for_groups(context, groups_of)
    ranked = sorted(tied, key=lambda who: (-rolls[who], groups_of[who]))
    groups = [list(group) for _, group in groupby(ranked, key=lambda who: rolls[who])]
    if len(groups) == 1:
        return tied  # still equal: the order of joining decides
    return [who for group in groups for who in _roll_off(context, group)]


def _roll_for_groups(context: RuleContext, groups_of: dict[str, str]) -> dict[str, int]:
    """Roll one d10 for each group among the tied; returns everyone's result."""
    first = {group: who for who, group in reversed(groups_of.items())}
    ranked = sorted(first.items(), key=lambda pair: list(groups_of).index(pair[1]))
    rule, why = "COS-INIT-05", "roll.roll_off"
    context.predict_rolls("1d10", [who for _, who in ranked], rule=rule, why=why)
    rolls = {group: context.roll("1d10", by=who, rule=rule, why=why).total for group, who in ranked}
    return {who: rolls[group] for who, group in groups_of.items()}


def enter(context: RuleContext, who: str) -> None:
    """Roll initiative for a combatant who joins a running fight, and place it.  [COS-INIT-01]"""
    roll_initiative(context, who)
    take_place(context, who, "why.joins")


def take_place(context: RuleContext, who: str, why: Label) -> None:
    """Place one combatant by its score; the others keep their places. [COS-INIT-03]"""
    state = context.state
    new = rank(state[who])
    rest = [other for other in state.order if other != who]
    spot = next((i for i, w in enumerate(rest) if rank(state.combatants[w]) > new), len(rest))
    order = (*rest[:spot], who, *rest[spot:])
    if order != state.order:
        context.emit(e.OrderSet(order, why), "COS-INIT-03")


def count_changes(context: RuleContext) -> None:
    """Apply changes of the score by deafness and drugs from the next round. [COS-COND-10] [COS-DRUG-01]

    RULING R21.
    """
    for combatant in present(context.state):
        terms, counted = passing_initiative(combatant), int(combatant.marks.get(COUNTED, 0))
        now = add_up(terms)
        if now == counted or combatant.initiative is None:
            continue
        rule = terms[0].rule if terms else "COS-COND-10"
        context.emit(e.Marked(combatant.id, COUNTED, now or None), rule, e.GM_ONLY)
        context.emit(e.InitiativeSet(combatant.id, combatant.initiative + now - counted), rule, e.GM_ONLY)
        take_place(context, combatant.id, joined(term.label for term in terms) if terms else "why.as_before")


def reseat(context: RuleContext, who: str, why: str) -> None:
    """Record a score that the GM sets; it counts from the next round. [COS-INIT-03]  RULING R21."""
    context.emit(e.Marked(who, NEW_SCORE, why), "COS-INIT-03", e.GM_ONLY)


def take_new_places(context: RuleContext) -> None:
    """Place everyone whose score the GM has set."""
    for combatant in present(context.state):
        why = combatant.marks.get(NEW_SCORE)
        if why is not None:
            context.emit(e.Marked(combatant.id, NEW_SCORE, None), "COS-INIT-03", e.GM_ONLY)
            take_place(context, combatant.id, str(why))


ACTIONS = (
    gm("start", start, fields=start_fields),
    gm("next_turn", next_turn),
    act("delay", delay, check_delay, fields=delay_fields),
    act("step_in", step_in, check_step_in, on_turn=False),
    act("interrupt", interrupt, check_interrupt, preview=preview_interrupt, on_turn=False),
)
