"""Grenades with effects other than damage: flashes, gas and smoke."""

from __future__ import annotations

from typing import Any

from combat.rules.core.basics.words import say
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.space import Piece, Point, map_of
from combat.rules.core.space.clouds import fill
from combat.rules.core.space.paths import has_walls
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Condition, Until, has_condition
from combat.rules.core.turn.turns import add_condition, remove_conditions

from ..body.damage import fall_unconscious, is_immune, is_under_way
from ..book.tables import ROUND_SECONDS
from ..dice import predict_saves, save
from ..environment import lay
from ..world.sight_lines import find_grid, is_stopped
from .protection import hazard_terms, is_exposed

Effect = tuple[tuple[str, Any], ...]
RULE = "COS-DMG-04"
GAS_CONDITION = "unconscious"


def freeze(effect: dict[str, Any] | None) -> Effect:
    """A weapon's effect as a tuple that a procedure step can carry."""
    return tuple(sorted((effect or {}).items()))


def spread(
    context: RuleContext, effect: Effect, name: str, centre: Point, radius: float, caught: tuple[str, ...]
) -> Then | None:
    """Apply an area weapon's other effects: smoke at once, saves one by one. [COS-DMG-04]"""
    words = dict(effect)
    if words.get("concealment"):
        smoke(context, centre, radius, int(words["rounds"]))
    if not words.get("condition") or not caught:
        return None
    saving = [who for who in caught if _can_be(context, who, words)]
    predict_saves(context, saving, str(words["save"]), RULE, say("roll.against", item=name))
    return Then(overcome, effect, name, caught)


def smoke(context: RuleContext, centre: Point, radius: float, rounds: int) -> None:
    """Thick smoke conceals heavily for `rounds` rounds. [COS-COVER-09]"""
    ends_at = context.state.clock + rounds * ROUND_SECONDS
    parts = _find_parts(context, centre, radius)
    lay(context, centre, radius, "thick smoke", "Smoke", "COS-COVER-09", ends_at, parts)
    context.emit(e.Said("log.smoke", args={"n": rounds}), "COS-COVER-09")


def _find_parts(context: RuleContext, centre: Point, radius: float) -> tuple[Piece, ...]:
    """The parts of its square that smoke fills on a map with walls; empty for all. [COS-COVER-09]

    RULING R50
    """
    state, drawn = context.state, map_of(context.state.scene)
    stops = is_stopped(state) and has_walls(drawn)
    return fill(drawn, find_grid(state), centre, radius) if stops else ()


def overcome(context: RuleContext, effect: Effect, name: str, left: tuple[str, ...]) -> Then | None:
    """Let each victim in turn save against the condition."""
    words, who, rest = dict(effect), left[0], left[1:]
    kind = str(words["condition"]).lower()
    if _can_be(context, who, words):
        plus = hazard_terms(context.state, context.state[who], "toxic") if kind == GAS_CONDITION else ()
        key, tn = str(words["save"]), int(words["tn"])
        if not save(context, who, key, tn, RULE, say("roll.against", item=name), plus):
            afflict(context, who, kind, _count_turns(context, who, words), int(words.get("minutes", 0)))
    return Then(overcome, effect, name, rest) if rest else None


def _can_be(context: RuleContext, who: str, words: dict[str, Any]) -> bool:
    """Whether the condition can begin, or outlast the same condition from before.

    Gas does not affect those who do not breathe it.
    """
    combatant, kind = context.state[who], str(words["condition"]).lower()
    if has_condition(combatant, "dead") or is_immune(combatant, kind):
        return False
    same = [held for held in combatant.conditions if held.kind == kind]
    if not all(_outlasts(context, who, words, held) for held in same):
        return False
    return kind != GAS_CONDITION or is_exposed(context.state, combatant, "toxic")


def _outlasts(context: RuleContext, who: str, words: dict[str, Any], held: Condition) -> bool:
    """Whether an effect would end later than the condition held. [COS-COND-05]

    Nothing outlasts a condition without an end.  RULING R39
    """
    anew = _count_turns(context, who, words) * ROUND_SECONDS + int(words.get("minutes", 0)) * 60
    if held.until:
        return anew > held.until.count * ROUND_SECONDS
    return "ends_at" in held.marks and anew > int(held.marks["ends_at"]) - context.state.clock


def _count_turns(context: RuleContext, who: str, words: dict[str, Any]) -> int:
    """The number of the victim's turn ends that an effect lasts: the current turn adds one."""
    rounds = int(words.get("rounds", 0))
    return rounds + 1 if rounds and is_under_way(context.state, who) else rounds


def afflict(context: RuleContext, who: str, kind: str, turns: int, minutes: int) -> None:
    """Give a condition for `turns` of the victim's turns, or for minutes by the clock; never twice."""
    ends_at = context.state.clock + minutes * 60
    remove_conditions(context, who, kind, why="why.renewed")
    if kind == GAS_CONDITION:
        fall_unconscious(context, who, RULE, cause="gas", ends_at=ends_at)
        return
    until = Until(who, "end", turns) if turns else None
    add_condition(context, who, kind, until=until, marks={"ends_at": ends_at} if minutes else {})
