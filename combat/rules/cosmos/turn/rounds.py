"""Rounds and turns: the budget, and the start of each turn."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Command, Field
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.commands.forms import name_everyone
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, has_condition, present
from combat.rules.core.turn.turns import (
    add_condition,
    begin_fight,
    count_down_at,
    find_next,
    open_round,
    remove_conditions,
    skip_departed,
)

from ..body.damage import stay_conscious
from ..book.options import find_option
from ..book.tables import CRITICAL, DYING
from ..care.healing import lose_blood, save_against_death
from ..characters.conditions import KINDS
from ..characters.sheet import ability, count_quick, health_state, is_able
from ..dice import (
    default_tn,
    save,
)
from ..hazards.drift import drift
from ..hazards.exposure.exposure import find_ticks, tick
from ..hazards.exposure.vacuum import end_round
from ..hazards.ground import start_inside
from ..time.clock import expire
from ..world.acting import gm
from .initiative import (
    NEW_SCORE,
    count_changes,
    roll_for_all,
    take_new_places,
)


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
    if "interrupted" in context.state.marks:
        context.emit(e.Marked("", "interrupted", None), to=e.GM_ONLY)
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
    waiting = str(state.marks.get("interrupted", ""))
    if waiting:
        return _resume(context, waiting, passed)
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
    """Resume the interrupted turn with the rest of its budget, or end it. [COS-INIT-07]"""
    context.emit(e.Marked("", "interrupted", None), to=e.GM_ONLY)
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


ACTIONS = (gm("start", start, fields=start_fields), gm("next_turn", next_turn))
