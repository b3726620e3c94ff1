"""The procedures of Tiny Duel."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.requests import Choice
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Command, Preview
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.space import Point, away_from, beside, distance, find_zone, towards, zone_named
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, Until, has_condition, present
from combat.rules.core.turns import (
    add_condition,
    begin_fight,
    count_down_at,
    find_next,
    open_round,
    remove_conditions,
    skip_departed,
    spend,
)

REACH_M, SCARE_M, BACK_M, STEP_M, TO_HIT = 2, 5, 3, 6, 6
BUDGET = {"act": 1, "step": 1}


class Strike(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    target: str
    strikes: int = 1


class Move(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`to` is zone:ID or near:FIGHTER."""

    to: str
    far: bool = False


# ---------------------------------------------------------------- turns


def start(context: RuleContext, command: Command) -> Then:
    """[TINY-TURN-01]"""
    if context.state.phase == "fight":
        raise Refused("not_allowed", "The fight is under way.")
    if not present(context.state):
        raise Refused("not_allowed", "No combatants yet: add some first.")
    begin_fight(context)
    for fighter in present(context.state):
        roll_order(context, fighter.id)
    order = sorted(present(context.state), key=_score)
    context.emit(e.OrderSet(tuple(f.id for f in order), "why.order"), "TINY-TURN-01")
    open_round(context)
    return Then(open_next, 0)


def roll_order(context: RuleContext, who: str) -> None:
    terms = (Modifier("term.skill", int(context.state[who].sheet["skill"]), "TINY-TURN-01"),)
    roll = context.roll("1d6", by=who, rule="TINY-TURN-01", why="check.order")
    score = roll.total + add_up(terms)
    context.emit(e.Checked(who, "check.order", roll, terms, score, str(score)), "TINY-TURN-01")
    context.emit(e.InitiativeSet(who, score), "TINY-TURN-01")


def _score(fighter: Combatant) -> int:
    return -(fighter.initiative or 0)


def enter(context: RuleContext, who: str) -> None:
    """A latecomer acts last this round."""
    roll_order(context, who)
    context.emit(e.OrderSet((*context.state.order, who), "why.joins"), "TINY-TURN-01")


def next_turn(context: RuleContext, command: Command) -> Then:
    if context.state.phase != "fight":
        raise Refused("not_allowed", "There is no fight.")
    close_turn(context)
    return Then(open_next, 0)


def close_turn(context: RuleContext) -> None:
    who = context.state.active
    if who:
        context.emit(e.TurnEnded(who))
        count_down_at(context, who, "end")


def open_next(context: RuleContext, passed: int) -> Then | None:
    """[TINY-TURN-02] Ghosts and the down are passed over."""
    if passed > 2 * len(context.state.order) + 1:
        context.emit(e.Said("log.nobody_able"))
        return None
    who = find_next(context.state)
    if who is None:
        open_round(context)
        return Then(open_next, passed + 1)
    fighter = context.state.combatants[who]
    if fighter.gone or has_condition(fighter, "down"):
        skip_departed(context, who)
        return Then(open_next, passed + 1)
    if remove_conditions(context, who, "waiting", why="why.acts_now"):
        context.emit(e.TurnStarted(who, fighter.budget), "TINY-TURN-03")
        return None
    context.emit(e.TurnStarted(who, BUDGET), "TINY-TURN-02")
    count_down_at(context, who, "start")
    return None


def wait(context: RuleContext, command: Command) -> Then:
    """[TINY-TURN-03]"""
    who = command.actor
    check_wait(context.state, who)
    add_condition(context, who, "waiting")
    order = (*(w for w in context.state.order if w != who), who)
    context.emit(e.OrderSet(order, "why.waits"), "TINY-TURN-03")
    return Then(open_next, 0)


def check_wait(state: State, actor: str) -> None:
    fighter, later = state[actor], [w for w in state.order if w != actor and _can_act(state, w)]
    if fighter.budget != BUDGET or not later:
        raise Refused("not_allowed", "Wait before doing anything, while somebody else is still to act.")


def _can_act(state: State, who: str) -> bool:
    fighter = state.combatants[who]
    return not (fighter.acted or fighter.gone or has_condition(fighter, "down"))


# ---------------------------------------------------------------- actions


def check_up(state: State, actor: str) -> None:
    if has_condition(state[actor], "down"):
        raise Refused("not_allowed", f"{state[actor].name} is down.")


def can_pay(pool: str):
    def check(state: State, actor: str) -> None:
        if not state[actor].budget.get(pool):
            raise Refused("no_budget", f"No {pool} is left this turn.")

    return check


def check_strike(state: State, command: Strike) -> None:
    fighter, target = state[command.actor], state[command.target]
    if not 1 <= command.strikes <= 3:
        raise Refused("bad_value", "Strike 1 to 3 times.")
    if target.id == fighter.id or has_condition(target, "down"):
        raise Refused("bad_target", "Choose somebody else who stands.")
    if distance(fighter.at, target.at) > REACH_M:
        raise Refused("out_of_range", f"Come within {REACH_M} m of {target.name}.")


def strike_terms(state: State, command: Strike) -> Modifiers:
    fighter = state[command.actor]
    terms = [Modifier("term.skill", int(fighter.sheet["skill"]), "TINY-STR-01")]
    if command.strikes > 1:
        terms.append(Modifier("term.more_strikes", 1 - command.strikes, "TINY-STR-01"))
    if has_condition(fighter, "shaken"):
        terms.append(Modifier("condition.shaken", -1, "TINY-COND-01"))
    if command.adjust:
        terms.append(Modifier(say("term.situation", because=command.because), command.adjust, ""))
    return tuple(terms)


def need_terms(state: State, target: str) -> Modifiers:
    terms = [Modifier("against.to_hit", TO_HIT, "TINY-STR-01")]
    if has_condition(state[target], "guarded"):
        terms.append(Modifier("condition.guarded", 2, "TINY-GRD-01"))
    return tuple(terms)


def preview(state: State, command: Strike) -> Preview:
    check_strike(state, command)
    return Preview(strike_terms(state, command), need_terms(state, command.target), "against.to_hit", "1d6")


def strike(context: RuleContext, command: Strike) -> Then:
    """[TINY-STR-01]"""
    check_strike(context.state, command)
    spend(context, command.actor, {"act": 1}, "A strike", "TINY-STR-01")
    return Then(_swing, command, command.strikes)


def _swing(context: RuleContext, command: Strike, left: int) -> Then | None:
    who, target = command.actor, command.target
    if not left or has_condition(context.state[target], "down"):
        return None
    terms, against = strike_terms(context.state, command), need_terms(context.state, target)
    need, bonus = add_up(against), add_up(terms)
    roll = context.roll("1d6", by=who, rule="TINY-STR-01", why="check.strike", cuts=(need - bonus,))
    hits = roll.total + bonus >= need
    told = e.Checked(
        who, "check.strike", roll, terms, roll.total + bonus, "outcome.hit" if hits else "outcome.miss",
        need, against, "against.to_hit", target, hits,
    )  # fmt: skip
    context.emit(told, "TINY-STR-01")
    return Then(_parry if hits else _swing, command, left - (not hits))


def _parry(context: RuleContext, command: Strike, left: int) -> Then:
    """[TINY-STR-03]"""
    who = command.target
    late = Choice("run", "Run", refused="It is too late to run.")
    options = (Choice("parry", "Parry"), Choice("take", "Take it"), late)
    if not has_condition(context.state[who], "guarded"):
        return Then(_wound, command, left)
    if context.ask(who, "Parry?", options, rule="TINY-STR-03", default="parry") == "take":
        return Then(_wound, command, left)
    remove_conditions(context, who, "guarded", why="why.parries")
    roll = context.roll("1d6", by=who, rule="TINY-STR-03", why="check.parry", look="faces")
    good = roll.faces[0] >= 4
    outcome = "outcome.stopped" if good else "outcome.late"
    told = e.Checked(who, "check.parry", roll, (), roll.total, outcome, 4, (), "against.needed", good=good)
    context.emit(told, "TINY-STR-03")
    return Then(_swing, command, left - 1) if good else Then(_wound, command, left)


def _wound(context: RuleContext, command: Strike, left: int) -> Then:
    """[TINY-STR-02]"""
    before = context.state[command.target]
    roll = context.roll(context.option("damage"), by=command.actor, rule="TINY-STR-02", why="roll.wound")
    old = before.tracks["hits"]
    new, terms = max(0, old - roll.total), (Modifier("roll.wound", roll.total, "TINY-STR-02"),)
    told = e.TrackChanged(before.id, "hits", old, new, "check.strike", terms, roll, command.actor)
    context.emit(told, "TINY-STR-02")
    settle(context, before)
    if roll.total >= 4:
        shake(context, before.id, "TINY-STR-02")
    return Then(_swing, command, left - 1)


def settle(context: RuleContext, before: Combatant) -> None:
    """[TINY-COND-02]"""
    fighter = context.state[before.id]
    if fighter.tracks["hits"] > 0:
        remove_conditions(context, fighter.id, "down", why="why.up_again")
    elif not has_condition(fighter, "down"):
        add_condition(context, fighter.id, "down")


def shake(context: RuleContext, who: str, rule: str) -> None:
    """[TINY-COND-01]"""
    remove_conditions(context, who, "shaken")
    turns = 2 if context.state.active == who else 1
    add_condition(context, who, "shaken", until=Until(who, "end", turns), rule=rule)


def guard(context: RuleContext, command: Command) -> None:
    """[TINY-GRD-01]"""
    spend(context, command.actor, {"act": 1}, "Guard", "TINY-GRD-01")
    remove_conditions(context, command.actor, "guarded")
    add_condition(context, command.actor, "guarded", until=Until(command.actor, "start"))


def move(context: RuleContext, command: Move) -> None:
    """[TINY-MOVE-01] [TINY-MOVE-02] A step may also be taken instead of the act."""
    state, who = context.state, command.actor
    slippery = context.system.setting(state, "ground") == "slippery"
    here, most = state[who].at, STEP_M / 2 if slippery else float(STEP_M)
    goal = find_goal(state, who, command.to)
    if command.far:
        goal = towards(here, goal, most)
    metres = round(distance(here, goal), 3)
    if metres > most + 0.01:
        raise Refused("out_of_range", f"That is {metres:g} m away, a step is {most:g} m.")
    spend(context, who, {"step": 1}, "A step", "TINY-MOVE-01", step=("act",))
    zone = find_zone(state.scene, goal)
    rule = "TINY-MOVE-02" if slippery else "TINY-MOVE-01"
    context.emit(e.Moved(who, (here, goal), metres, metres, "how.steps", zone.name if zone else ""), rule)


def find_goal(state: State, who: str, to: str) -> Point:
    kind, _, name = to.partition(":")
    zone = zone_named(state.scene, name)
    if kind == "near":
        return beside(state[who].at, state[name].at, 1.0)
    if kind == "zone" and zone:
        return zone.centre
    raise Refused("bad_value", "Choose where to go.")


def scare(context: RuleContext, command: Command) -> Then | None:
    """[TINY-SCARE-01] All foes near are asked at once."""
    check_scare(context.state, command.actor)
    if not context.option("scaring"):
        raise Refused("not_allowed", "Nobody is scared at this table.")
    spend(context, command.actor, {"act": 1}, "Scaring", "TINY-SCARE-01")
    foes = find_near(context.state, command.actor)
    options = (Choice("stand", "Stand"), Choice("back", "Back off"))
    chosen = context.ask_each(foes, "Stand or back off?", options, rule="TINY-SCARE-01", default="stand")
    return Then(_face, command.actor, tuple(chosen.items()))


def find_near(state: State, actor: str) -> tuple[str, ...]:
    fighter = state[actor]
    foes = (f for f in present(state) if f.side != fighter.side and not has_condition(f, "down"))
    return tuple(f.id for f in foes if distance(f.at, fighter.at) <= SCARE_M)


def check_scare(state: State, actor: str) -> None:
    if not find_near(state, actor):
        raise Refused("bad_target", f"No foe is within {SCARE_M} m.")


def courage_terms(context: RuleContext, who: str) -> Modifiers:
    """Skill steadies since version 2 of these rules; before that it was the bare die."""
    if not context.follows("courage_by_skill"):
        return ()
    return (Modifier("term.skill", int(context.state[who].sheet["skill"]), "TINY-SCARE-01"),)


def _face(context: RuleContext, actor: str, left: tuple[tuple[str, str], ...]) -> Then | None:
    if not left:
        return None
    who, chosen = left[0]
    here = context.state[who].at
    if chosen == "back":
        goal = away_from(here, context.state[actor].at, float(BACK_M))
        context.emit(e.Moved(who, (here, goal), float(BACK_M), 0.0, "how.backs_off"), "TINY-SCARE-01")
    else:
        terms = courage_terms(context, who)
        bonus = add_up(terms)
        roll = context.roll("1d6", by=who, rule="TINY-SCARE-01", why="check.courage", cuts=(3 - bonus,))
        good = roll.total + bonus >= 3
        outcome = "outcome.brave" if good else "outcome.shaken"
        number = {"against": 3, "against_label": "against.needed"}
        told = e.Checked(who, "check.courage", roll, terms, roll.total + bonus, outcome, good=good, **number)
        context.emit(told, "TINY-SCARE-01")
        if not good:
            shake(context, who, "TINY-SCARE-01")
    return Then(_face, actor, left[1:])
