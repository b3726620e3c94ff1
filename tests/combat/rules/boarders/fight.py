"""Shooting and striking, with the reaction of the target: procedures as chains of `Then` steps."""

from __future__ import annotations

from functools import partial

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import (
    Field,
    Preview,
    Targeted,
    adjusted,
)
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.everyday import find_targets
from combat.rules.core.space import distance
from combat.rules.core.state.state import State, has_condition
from combat.rules.core.turn.simple_checks import preview_under, roll_under
from combat.rules.core.turn.turns import add_condition, spend
from tests.combat.rules.boarders.body import DEEP, wound
from tests.combat.rules.boarders.characters import KINDS, score_terms
from tests.combat.rules.boarders.world import HAND_M, SHOT_M, TABLE, WALKS, check_action

HIT, STOPS = ("outcome.hit", "outcome.miss"), ("outcome.stopped", "outcome.late")


class Shoot(Targeted, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A shot at a target."""


class Strike(Targeted, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A blow at a target."""


Attack = Shoot | Strike


def attack_fields(kind: type[Attack], state: State, actor: str) -> tuple[Field, ...]:
    """The form of an attack: foes first, the nearest first."""
    return (
        find_targets(state, actor, lambda state, who: check_attack(state, kind(actor=actor, target=who))),
    )


def check_attack(state: State, command: Attack) -> None:
    """Refuse an attack that cannot be made. [BRD-SHOOT-01] [BRD-BLOW-01]"""
    combatant, target = state[command.actor], state[command.target]
    if target.id == combatant.id or has_condition(target, "down"):
        raise Refused("bad_target", f"{target.name} is no target: choose someone else who stands.")
    if isinstance(command, Shoot):
        WALKS.check_shot(state, combatant, target, SHOT_M)
    else:
        WALKS.check_hand(state, combatant, target, HAND_M)


def attack_terms(state: State, command: Attack) -> Modifiers:
    """The number to roll under. [BRD-SHOOT-01] [BRD-BLOW-01] [BRD-COND-01]"""
    combatant, target = state[command.actor], state[command.target]
    if isinstance(command, Strike):
        terms = (*score_terms(combatant, "fight"), *KINDS.terms(target, "struck"))
        return adjusted(command, terms)
    meters = distance(combatant.at, target.at)
    far = int(meters // 10)
    range_terms = (Modifier(say("term.range", metres=round(meters)), -far, "BRD-SHOOT-01"),) if far else ()
    return adjusted(command, (*score_terms(combatant, "shoot"), *range_terms, *KINDS.terms(target, "shot")))


def preview(state: State, command: Attack) -> Preview:
    """The number of an attack before it is rolled."""
    check_attack(state, command)
    return preview_under(attack_terms(state, command), "3d6")


def shoot(context: RuleContext, command: Shoot) -> Then | None:
    """Shoot at someone in sight. [BRD-SHOOT-01]"""
    return _attack(context, command, "check.shoot", "BRD-SHOOT-01")


def strike(context: RuleContext, command: Strike) -> Then | None:
    """Strike someone within reach. [BRD-BLOW-01]"""
    return _attack(context, command, "check.strike", "BRD-BLOW-01")


def _attack(context: RuleContext, command: Attack, what: str, rule: str) -> Then | None:
    check_attack(context.state, command)
    spend(context, command.actor, {"act": 1}, "An attack", rule)
    terms = attack_terms(context.state, command)
    hits = roll_under(
        context, command.actor, terms, dice="3d6", rule=rule, what=what, target=command.target, words=HIT
    )
    return Then(_react, command) if hits else None


def _react(context: RuleContext, command: Attack) -> Then | None:
    """Let the target of a hit dodge or parry, once until their next turn. [BRD-REACT-01]"""
    who, verb = command.target, "dodge" if isinstance(command, Shoot) else "parry"
    target = context.state[who]
    if KINDS.find_loss(target, "reactions"):
        return Then(_wound, command)
    options = (Choice(verb, verb.capitalize()), Choice("take", "Take it"))
    question = f"{verb.capitalize()} the hit?"
    if context.ask(who, question, options, rule="BRD-REACT-01", default=verb) == "take":
        return Then(_wound, command)
    add_condition(context, who, "reacted")
    terms = score_terms(target, "nimble")
    stops = roll_under(
        context, who, terms, dice="3d6", rule="BRD-REACT-01", what=f"check.{verb}", words=STOPS
    )
    return None if stops else Then(_wound, command)


def _wound(context: RuleContext, command: Attack) -> None:
    """Take the points off the HP of the target. [BRD-SHOOT-02] [BRD-BLOW-01]"""
    is_shot = isinstance(command, Shoot)
    dice, rule = ("2d6", "BRD-SHOOT-02") if is_shot else ("1d6+2", "BRD-BLOW-01")
    roll = context.roll(dice, by=command.actor, rule=rule, why="roll.wound")
    why = "check.shoot" if is_shot else "check.strike"
    through = wound(context, command.target, roll, rule=rule, why=why)
    if is_shot and through >= DEEP and not has_condition(context.state[command.target], "bleeding"):
        add_condition(context, command.target, "bleeding")


ACTIONS = (
    TABLE.act(
        "shoot",
        shoot,
        check_action,
        fields=partial(attack_fields, Shoot),
        preview=preview,
        brief=lambda words, state, one: words.format(score=one.sheet["shoot"]),
    ),
    TABLE.act(
        "strike",
        strike,
        check_action,
        fields=partial(attack_fields, Strike),
        preview=preview,
        brief=lambda words, state, one: words.format(score=one.sheet["fight"]),
    ),
)
