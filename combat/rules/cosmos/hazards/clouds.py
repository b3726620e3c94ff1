"""Grenades with effects other than damage: flashes, gas and smoke."""

from __future__ import annotations

from typing import Any

from combat.rules.core.basics.words import say
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.space import Piece, Point, map_of
from combat.rules.core.space.clouds import fill
from combat.rules.core.space.paths import has_walls
from combat.rules.core.space.rays.area_shapes import Shape, make_cloud
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Condition, Scalar, State, Until, has_condition
from combat.rules.core.turn.turns import add_condition, remove_conditions

from ..body.damage import fall_unconscious, is_immune, is_under_way
from ..book.tables import ROUND_SECONDS
from ..dice import predict_saves, save
from ..environment import find_level, lay
from ..world.sight_lines import find_grid, is_stopped
from .protection import hazard_terms, is_exposed

Effect = tuple[tuple[str, Any], ...]
RULE = "COS-DMG-04"


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
    predict_saves(context, saving, str(words["save"]), rule=RULE, why=say("roll.against", item=name))
    return Then(overcome, effect, name, caught)


def smoke(context: RuleContext, centre: Point, radius: float, rounds: int) -> None:
    """Thick smoke conceals heavily for `rounds` rounds. [COS-COVER-09]"""
    ends_at = context.state.clock + rounds * ROUND_SECONDS
    parts = find_parts(context.state, centre, radius)
    lay(
        context,
        centre,
        radius,
        tag="thick smoke",
        label="Smoke",
        rule="COS-COVER-09",
        ends_at=ends_at,
        parts=parts,
    )
    context.emit(e.Said("log.smoke", args={"n": rounds}), "COS-COVER-09")


def make_shape(state: State, centre: Point, radius: float) -> Shape:
    """What smoke would fill, as its form draws it. [COS-COVER-09]"""
    parts = find_parts(state, centre, radius)
    return make_cloud(centre, radius, find_level(state.scene, centre, radius, parts))


def find_parts(state: State, centre: Point, radius: float) -> tuple[Piece, ...]:
    """The parts of its square that smoke fills on a map with walls; empty for all. [COS-COVER-09]

    RULING R50
    """
    drawn = map_of(state.scene)
    stops = is_stopped(state) and has_walls(drawn)
    return fill(drawn, find_grid(state), centre, radius) if stops else ()


def overcome(context: RuleContext, effect: Effect, name: str, left: tuple[str, ...]) -> Then | None:
    """Let each victim in turn save against the condition."""
    words, who, rest = dict(effect), left[0], left[1:]
    kind = str(words["condition"]).lower()
    if _can_be(context, who, words):
        plus = hazard_terms(context.state, context.state[who], "toxic") if words.get("breathed") else ()
        key, tn = str(words["save"]), int(words["tn"])
        if not save(context, who, key, target=tn, rule=RULE, why=say("roll.against", item=name), plus=plus):
            afflict(
                context,
                who,
                kind,
                turns=_count_turns(context, who, words),
                minutes=int(words.get("minutes", 0)),
            )
    return Then(overcome, effect, name, rest) if rest else None


def _can_be(context: RuleContext, who: str, words: dict[str, Any]) -> bool:
    """Whether the condition can begin, or outlast the same condition from before.

    What must be breathed does not affect those whom toxic air does not reach.
    """
    combatant, kind = context.state[who], str(words["condition"]).lower()
    if has_condition(combatant, "dead") or is_immune(combatant, kind):
        return False
    same = [held for held in combatant.conditions if held.kind == kind]
    if not all(_outlasts(context, who, words, held) for held in same):
        return False
    return not words.get("breathed") or is_exposed(context.state, combatant, "toxic")


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
    remove_conditions(context, who, kind, why="why.renewed")
    if kind == "unconscious":  # who has no turns wakes by the clock
        seconds = minutes * 60 or turns * ROUND_SECONDS
        fall_unconscious(context, who, RULE, **_end_after(context, seconds))
        return
    until = Until(who, "end", turns) if turns else None
    add_condition(context, who, kind, until=until, marks=_end_after(context, minutes * 60))


def _end_after(context: RuleContext, seconds: int) -> dict[str, Scalar]:
    """The mark of a condition that ends by the clock; none for 0 seconds."""
    return {"ends_at": context.state.clock + seconds} if seconds else {}
