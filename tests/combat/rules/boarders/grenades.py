"""Grenades: one roll for all, and each of those caught ducks for half."""

from __future__ import annotations

from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.commands.commands import Preview
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.declaration.book import read_option
from combat.rules.core.map.areas import Throw, find_aim
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State
from combat.rules.core.turn.simple_checks import roll_under
from combat.rules.core.turn.turns import add_condition, remove_conditions, spend
from tests.combat.rules.boarders.body import wound
from tests.combat.rules.boarders.characters import score_terms
from tests.combat.rules.boarders.world import BLASTS, OPTIONS, TABLE, check_action

DUCKS = ("outcome.half", "outcome.whole")


def check_grenade(state: State, actor: str) -> None:
    """Refuse without a grenade. [BRD-GREN-01]"""
    if state[actor].tracks["grenades"] < 1:
        raise Refused("not_allowed", f"{state[actor].name} has no grenade left.")


def find_caught(state: State, command: Throw) -> tuple[str, ...]:
    """Everyone whom it catches, but by house rule its thrower. [BRD-GREN-01]  RULING R2"""
    caught = BLASTS.find_caught(state, command)
    spared = command.actor if read_option(state, OPTIONS, "spares_thrower") else ""
    return tuple(who for who in caught if who != spared)


def preview_throw(state: State, command: Throw) -> Preview:
    """Whom it would catch, before it is thrown."""
    stopped = BLASTS.find_middle(state, command) != find_aim(state, command.at)
    return Preview(stopped="note.stops_at_wall" if stopped else "")


def throw(context: RuleContext, command: Throw) -> Then | None:
    """Throw it: one roll for all whom it catches. [BRD-GREN-01]"""
    who = command.actor
    check_grenade(context.state, who)
    caught = find_caught(context.state, command)
    spend(context, who, {"act": 1}, "A grenade", "BRD-GREN-01")
    left = context.state[who].tracks["grenades"]
    context.emit(e.TrackChanged(who, "grenades", left, left - 1), "BRD-GREN-01")
    seen = [one for one in caught if one not in context.unknown]
    context.emit(e.Said("log.throws", who, args={"n": len(seen)}), "BRD-GREN-01")
    if not caught:
        return None
    roll = context.roll("3d6", by=who, rule="BRD-GREN-01", why="roll.blast")
    context.predict_rolls("3d6", caught, rule="BRD-GREN-01", why="check.cover")
    return Then(_duck, roll, caught)


def _duck(context: RuleContext, roll: Roll, left: tuple[str, ...]) -> Then | None:
    """Let each of those caught in turn duck for half; those who are hurt are stunned. [BRD-GREN-02]"""
    who, rest = left[0], left[1:]
    terms = score_terms(context.state[who], "nimble")
    ducks = roll_under(context, who, terms, dice="3d6", rule="BRD-GREN-01", what="check.cover", words=DUCKS)
    half = (Modifier("term.half", roll.total // 2 - roll.total, "BRD-GREN-01"),) if ducks else ()
    if wound(context, who, roll, rule="BRD-GREN-01", why="roll.blast", dealt=half):
        remove_conditions(context, who, "stunned")
        add_condition(context, who, "stunned", rule="BRD-GREN-02")
    return Then(_duck, roll, rest) if rest else None


ACTIONS = (
    TABLE.act(
        "throw",
        throw,
        check_grenade,
        check_action,
        fields=BLASTS.find_fields,
        preview=preview_throw,
        caught=find_caught,
        area=BLASTS.find_area,
        brief=lambda words, state, one: words.format(n=one.tracks["grenades"]),
    ),
)
