"""The procedures of Tiny Duel."""

from __future__ import annotations

from combat.rules.core import events as e
from combat.rules.core.commands import Command, Preview
from combat.rules.core.errors import Refused
from combat.rules.core.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.requests import Choice
from combat.rules.core.space import Point, away_from, beside, distance, find_zone, towards, zone_named
from combat.rules.core.state import Combatant, State, Until, has_condition, present
from combat.rules.core.table import Table, Then
from combat.rules.core.turns import find_next, gain, lift_kinds, open_round, pass_ghost, run_out, spend

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


def start(table: Table, command: Command) -> Then:
    """[TINY-TURN-01]"""
    if table.state.phase == "fight":
        raise Refused("not_allowed", "The fight is under way.")
    if not present(table.state):
        raise Refused("not_allowed", "Add fighters first.")
    table.tell(e.FightStarted())
    for fighter in present(table.state):
        roll_order(table, fighter.id)
    order = sorted(present(table.state), key=_score)
    table.tell(e.OrderSet(tuple(f.id for f in order), "order"), "TINY-TURN-01")
    open_round(table)
    return Then(open_next, 0)


def roll_order(table: Table, who: str) -> None:
    terms = (Modifier("Skill", int(table.state[who].sheet["skill"]), "TINY-TURN-01"),)
    roll = table.roll("1d6", by=who, rule="TINY-TURN-01", why="order")
    score = roll.total + add_up(terms)
    table.tell(e.Checked(who, "order", roll, terms, score, str(score)), "TINY-TURN-01")
    table.tell(e.InitiativeSet(who, score), "TINY-TURN-01")


def _score(fighter: Combatant) -> int:
    return -(fighter.initiative or 0)


def enter(table: Table, who: str) -> None:
    """A latecomer acts last this round."""
    roll_order(table, who)
    table.tell(e.OrderSet((*table.state.order, who), "joins"), "TINY-TURN-01")


def next_turn(table: Table, command: Command) -> Then:
    if table.state.phase != "fight":
        raise Refused("not_allowed", "There is no fight.")
    close_turn(table)
    return Then(open_next, 0)


def close_turn(table: Table) -> None:
    who = table.state.active
    if who:
        table.tell(e.TurnEnded(who))
        run_out(table, who, "end")


def open_next(table: Table, passed: int) -> Then | None:
    """[TINY-TURN-02] Ghosts and the down are passed over."""
    if passed > 2 * len(table.state.order) + 1:
        table.tell(e.Said("Nobody is able to act."))
        return None
    who = find_next(table.state)
    if who is None:
        open_round(table)
        return Then(open_next, passed + 1)
    fighter = table.state.combatants[who]
    if fighter.gone or has_condition(fighter, "down"):
        pass_ghost(table, who)
        return Then(open_next, passed + 1)
    if lift_kinds(table, who, "waiting", why="acts now"):
        table.tell(e.TurnStarted(who, fighter.budget), "TINY-TURN-03")
        return None
    table.tell(e.TurnStarted(who, BUDGET), "TINY-TURN-02")
    run_out(table, who, "start")
    return None


def wait(table: Table, command: Command) -> Then:
    """[TINY-TURN-03]"""
    who = command.actor
    check_wait(table.state, who)
    gain(table, who, "waiting")
    order = (*(w for w in table.state.order if w != who), who)
    table.tell(e.OrderSet(order, "waits"), "TINY-TURN-03")
    return Then(open_next, 0)


def check_wait(state: State, actor: str) -> None:
    check_up(state, actor)
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
        check_up(state, actor)
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
    terms = [Modifier("Skill", int(fighter.sheet["skill"]), "TINY-STR-01")]
    if command.strikes > 1:
        terms.append(Modifier("More strikes", 1 - command.strikes, "TINY-STR-01"))
    if has_condition(fighter, "shaken"):
        terms.append(Modifier("Shaken", -1, "TINY-COND-01"))
    if command.adjust:
        terms.append(Modifier(f"Table: {command.because}", command.adjust, ""))
    return tuple(terms)


def need_terms(state: State, target: str) -> Modifiers:
    terms = [Modifier("To hit", TO_HIT, "TINY-STR-01")]
    if has_condition(state[target], "guarded"):
        terms.append(Modifier("Guarded", 2, "TINY-GRD-01"))
    return tuple(terms)


def preview(state: State, command: Strike) -> Preview:
    check_strike(state, command)
    return Preview(strike_terms(state, command), need_terms(state, command.target), "To hit", "1d6")


def strike(table: Table, command: Strike) -> Then:
    """[TINY-STR-01]"""
    check_strike(table.state, command)
    spend(table, command.actor, {"act": 1}, "A strike", "TINY-STR-01")
    return Then(_swing, command, command.strikes)


def _swing(table: Table, command: Strike, left: int) -> Then | None:
    who, target = command.actor, command.target
    if not left or has_condition(table.state[target], "down"):
        return None
    terms, against = strike_terms(table.state, command), need_terms(table.state, target)
    need, bonus = add_up(against), add_up(terms)
    roll = table.roll("1d6", by=who, rule="TINY-STR-01", why="a strike", cuts=(need - bonus,))
    hits = roll.total + bonus >= need
    told = e.Checked(
        who, "strike", roll, terms, roll.total + bonus, "hit" if hits else "miss",
        need, against, "To hit", target, hits,
    )  # fmt: skip
    table.tell(told, "TINY-STR-01")
    return Then(_parry if hits else _swing, command, left - (not hits))


def _parry(table: Table, command: Strike, left: int) -> Then:
    """[TINY-STR-03]"""
    who = command.target
    late = Choice("run", "Run", refused="It is too late to run.")
    options = (Choice("parry", "Parry"), Choice("take", "Take it"), late)
    if not has_condition(table.state[who], "guarded"):
        return Then(_wound, command, left)
    if table.ask(who, "Parry?", options, rule="TINY-STR-03", default="parry") == "take":
        return Then(_wound, command, left)
    lift_kinds(table, who, "guarded", why="parries")
    roll = table.roll("1d6", by=who, rule="TINY-STR-03", why="parry", look="faces")
    good = roll.faces[0] >= 4
    told = e.Checked(who, "parry", roll, (), roll.total, "stopped" if good else "late", 4, good=good)
    table.tell(told, "TINY-STR-03")
    return Then(_swing, command, left - 1) if good else Then(_wound, command, left)


def _wound(table: Table, command: Strike, left: int) -> Then:
    """[TINY-STR-02]"""
    before = table.state[command.target]
    roll = table.roll(table.option("damage"), by=command.actor, rule="TINY-STR-02", why="a wound")
    old = before.tracks["hits"]
    new, terms = max(0, old - roll.total), (Modifier("A wound", roll.total, "TINY-STR-02"),)
    told = e.TrackChanged(before.id, "hits", old, new, "a strike", terms, roll, command.actor)
    table.tell(told, "TINY-STR-02")
    settle(table, before)
    if roll.total >= 4:
        shake(table, before.id, "TINY-STR-02")
    return Then(_swing, command, left - 1)


def settle(table: Table, before: Combatant) -> None:
    """[TINY-COND-02]"""
    fighter = table.state[before.id]
    if fighter.tracks["hits"] > 0:
        lift_kinds(table, fighter.id, "down", why="up again")
    elif not has_condition(fighter, "down"):
        gain(table, fighter.id, "down")


def shake(table: Table, who: str, rule: str) -> None:
    """[TINY-COND-01]"""
    lift_kinds(table, who, "shaken")
    turns = 2 if table.state.active == who else 1
    gain(table, who, "shaken", until=Until(who, "end", turns), rule=rule)


def guard(table: Table, command: Command) -> None:
    """[TINY-GRD-01]"""
    spend(table, command.actor, {"act": 1}, "Guard", "TINY-GRD-01")
    lift_kinds(table, command.actor, "guarded")
    gain(table, command.actor, "guarded", until=Until(command.actor, "start"))


def move(table: Table, command: Move) -> None:
    """[TINY-MOVE-01] [TINY-MOVE-02] A step may also be taken instead of the act."""
    state, who = table.state, command.actor
    slippery = table.system.setting(state, "ground") == "slippery"
    here, most = state[who].at, STEP_M / 2 if slippery else float(STEP_M)
    goal = find_goal(state, who, command.to)
    if command.far:
        goal = towards(here, goal, most)
    metres = round(distance(here, goal), 3)
    if metres > most + 0.01:
        raise Refused("out_of_range", f"That is {metres:g} m away, a step is {most:g} m.")
    spend(table, who, {"step": 1}, "A step", "TINY-MOVE-01", step=("act",))
    zone = find_zone(state.scene, goal)
    rule = "TINY-MOVE-02" if slippery else "TINY-MOVE-01"
    table.tell(e.Moved(who, (here, goal), metres, metres, "steps", zone.name if zone else ""), rule)


def find_goal(state: State, who: str, to: str) -> Point:
    kind, _, name = to.partition(":")
    zone = zone_named(state.scene, name)
    if kind == "near":
        return beside(state[who].at, state[name].at, 1.0)
    if kind == "zone" and zone:
        return zone.centre
    raise Refused("bad_value", "Choose where to go.")


def scare(table: Table, command: Command) -> Then | None:
    """[TINY-SCARE-01] All foes near are asked at once."""
    check_scare(table.state, command.actor)
    if not table.option("scaring"):
        raise Refused("not_allowed", "Nobody is scared at this table.")
    spend(table, command.actor, {"act": 1}, "Scaring", "TINY-SCARE-01")
    foes = find_near(table.state, command.actor)
    options = (Choice("stand", "Stand"), Choice("back", "Back off"))
    chosen = table.ask_each(foes, "Stand or back off?", options, rule="TINY-SCARE-01", default="stand")
    return Then(_face, command.actor, tuple(chosen.items()))


def find_near(state: State, actor: str) -> tuple[str, ...]:
    fighter = state[actor]
    foes = (f for f in present(state) if f.side != fighter.side and not has_condition(f, "down"))
    return tuple(f.id for f in foes if distance(f.at, fighter.at) <= SCARE_M)


def check_scare(state: State, actor: str) -> None:
    if not find_near(state, actor):
        raise Refused("bad_target", f"No foe is within {SCARE_M} m.")


def _face(table: Table, actor: str, left: tuple[tuple[str, str], ...]) -> Then | None:
    if not left:
        return None
    who, chosen = left[0]
    here = table.state[who].at
    if chosen == "back":
        goal = away_from(here, table.state[actor].at, float(BACK_M))
        table.tell(e.Moved(who, (here, goal), float(BACK_M), 0.0, "backs off"), "TINY-SCARE-01")
    else:
        roll = table.roll("1d6", by=who, rule="TINY-SCARE-01", why="courage", cuts=(3,))
        good = roll.total >= 3
        told = e.Checked(who, "courage", roll, (), roll.total, "brave" if good else "shaken", 3, good=good)
        table.tell(told, "TINY-SCARE-01")
        if not good:
            shake(table, who, "TINY-SCARE-01")
    return Then(_face, actor, left[1:])
