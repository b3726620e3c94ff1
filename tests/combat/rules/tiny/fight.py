"""Striking, guarding and scaring: procedures as chains of `Then` steps."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Command, Field, Preview
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.everyday import find_targets
from combat.rules.core.map.moving import Course
from combat.rules.core.space import away_from, distance
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, Until, has_condition, present
from combat.rules.core.turn.turns import add_condition, remove_conditions, spend
from tests.combat.rules.tiny.body import after_change, shake
from tests.combat.rules.tiny.world import MOVER, TABLE, WALKS, can_pay

REACH_M, SCARE_M, BACK_M, TO_HIT = 2, 5, 3, 6


class Strike(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Strike a target, once or several times."""

    target: str
    strikes: int = 1


def strike_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a strike: foes first, the nearest first."""

    def check(state: State, who: str) -> None:
        if _down(state[who]):
            raise Refused("bad_target", _down(state[who]))

    return (
        find_targets(state, actor, check),
        Field("strikes", "Strikes", "number", value="1", low=1, high=3, rule="TINY-STR-01"),
    )


def _down(combatant: Combatant) -> str:
    return f"{combatant.name} is down" if has_condition(combatant, "down") else ""


def check_strike(state: State, command: Strike) -> None:
    """Refuse a strike that cannot be made. [TINY-STR-01] [TINY-MOVE-03]"""
    combatant, target = state[command.actor], state[command.target]
    if not 1 <= command.strikes <= 3:
        raise Refused("bad_value", "Strike 1 to 3 times.")
    if target.id == combatant.id or has_condition(target, "down"):
        raise Refused("bad_target", "Choose someone else who stands.")
    WALKS.check_hand(state, combatant, target, REACH_M)


def strike_terms(state: State, command: Strike) -> Modifiers:
    """What is added to the die of a strike. [TINY-STR-01] [TINY-COND-01]"""
    combatant = state[command.actor]
    terms = [Modifier("term.skill", int(combatant.sheet["skill"]), "TINY-STR-01")]
    if command.strikes > 1:
        terms.append(Modifier("term.more_strikes", 1 - command.strikes, "TINY-STR-01"))
    if has_condition(combatant, "shaken"):
        terms.append(Modifier("condition.shaken", -1, "TINY-COND-01"))
    if command.adjust:
        terms.append(Modifier(say("term.situation", because=command.because), command.adjust, ""))
    return tuple(terms)


def need_terms(state: State, target: str) -> Modifiers:
    """The number that a strike must reach. [TINY-STR-01] [TINY-GRD-01]"""
    terms = [Modifier("against.to_hit", TO_HIT, "TINY-STR-01")]
    if has_condition(state[target], "guarded"):
        terms.append(Modifier("condition.guarded", 2, "TINY-GRD-01"))
    return tuple(terms)


def preview(state: State, command: Strike) -> Preview:
    """The sum of a strike before it is rolled."""
    check_strike(state, command)
    return Preview(strike_terms(state, command), need_terms(state, command.target), "against.to_hit", "1d6")


def strike(context: RuleContext, command: Strike) -> Then:
    """Pay for the strikes and make the first. [TINY-STR-01]"""
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
    """Let the guarded parry a hit. [TINY-STR-03]"""
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
    """Take the wound off the HP. [TINY-STR-02]"""
    before = context.state[command.target]
    roll = context.roll(context.option("damage"), by=command.actor, rule="TINY-STR-02", why="roll.wound")
    old = before.tracks["hits"]
    new, terms = max(0, old - roll.total), (Modifier("roll.wound", roll.total, "TINY-STR-02"),)
    told = e.TrackChanged(before.id, "hits", old, new, "check.strike", terms, roll, command.actor)
    context.emit(told, "TINY-STR-02")
    after_change(context, before)
    if roll.total >= 4:
        shake(context, before.id, "TINY-STR-02")
    return Then(_swing, command, left - 1)


def guard(context: RuleContext, command: Command) -> None:
    """Be harder to hit until the next turn. [TINY-GRD-01]"""
    spend(context, command.actor, {"act": 1}, "Guard", "TINY-GRD-01")
    remove_conditions(context, command.actor, "guarded")
    add_condition(context, command.actor, "guarded", until=Until(command.actor, "start"))


def scare(context: RuleContext, command: Command) -> Then | None:
    """Ask all foes near at once. [TINY-SCARE-01]"""
    check_scare(context.state, command.actor)
    if not context.option("scaring"):
        raise Refused("not_allowed", "Nobody is scared at this table.")
    spend(context, command.actor, {"act": 1}, "Scaring", "TINY-SCARE-01")
    foes = find_near(context.state, command.actor)
    options = (Choice("stand", "Stand"), Choice("back", "Back off"))
    chosen = context.ask_each(foes, "Stand or back off?", options, rule="TINY-SCARE-01", default="stand")
    return Then(_face, command.actor, tuple(chosen.items()))


def find_near(state: State, actor: str) -> tuple[str, ...]:
    """The foes who can be scared. [TINY-SCARE-01]"""
    combatant = state[actor]
    foes = (one for one in present(state) if one.side != combatant.side and not has_condition(one, "down"))
    return tuple(one.id for one in foes if distance(one.at, combatant.at) <= SCARE_M)


def check_scare(state: State, actor: str) -> None:
    """Refuse to scare nobody."""
    if not find_near(state, actor):
        raise Refused("bad_target", f"No foe is within {SCARE_M} m.")


def courage_terms(context: RuleContext, who: str) -> Modifiers:
    """What is added to the die of courage. [TINY-SCARE-01]"""
    if not context.follows("courage_by_skill"):  # not in a copy
        return ()  # not in a copy
    return (Modifier("term.skill", int(context.state[who].sheet["skill"]), "TINY-SCARE-01"),)


def _face(context: RuleContext, actor: str, left: tuple[tuple[str, str], ...]) -> Then | None:
    if not left:
        return None
    who, chosen = left[0]
    here = context.state[who].at
    if chosen == "back":
        goal = away_from(here, context.state[actor].at, float(BACK_M))
        MOVER.go(context, Course(who, (here, goal), "escape", "TINY-SCARE-01", "how.backs_off"))
    else:
        terms = courage_terms(context, who)
        bonus = add_up(terms)
        roll = context.roll("1d6", by=who, rule="TINY-SCARE-01", why="check.courage", cuts=(3 - bonus,))
        good = roll.total + bonus >= 3
        outcome = "outcome.brave" if good else "outcome.shaken"
        told = e.Checked(
            who,
            "check.courage",
            roll,
            terms,
            roll.total + bonus,
            outcome,
            against=3,
            against_label="against.needed",
            good=good,
        )
        context.emit(told, "TINY-SCARE-01")
        if not good:
            shake(context, who, "TINY-SCARE-01")
    return Then(_face, actor, left[1:])


ACTIONS = (
    TABLE.act(
        "strike",
        strike,
        can_pay("act"),
        fields=strike_fields,
        preview=preview,
        brief=lambda words, state, one: words.format(skill=one.sheet["skill"], metres=REACH_M),
    ),
    TABLE.act("guard", guard, can_pay("act")),
    TABLE.act(
        "scare",
        scare,
        check_scare,
        can_pay("act"),
        brief=lambda words, state, one: words.format(metres=SCARE_M),
    ),
)
