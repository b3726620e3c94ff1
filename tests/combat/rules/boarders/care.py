"""First aid, lying down and standing up."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import (
    Command,
    Field,
    Preview,
    Targeted,
    adjusted,
)
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.everyday import find_targets
from combat.rules.core.state.state import State, has_condition
from combat.rules.core.turn.simple_checks import heal, preview_under, roll_under
from combat.rules.core.turn.turns import add_condition, remove_conditions, spend
from tests.combat.rules.boarders.characters import score_terms
from tests.combat.rules.boarders.world import HAND_M, TABLE, WALKS, check_action

HELPS = ("outcome.helped", "outcome.failed")


class Aid(Targeted, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """First aid for someone near."""


def check_aid(state: State, command: Aid) -> None:
    """Refuse the unhurt, the treated and those out of reach. [BRD-AID-01]"""
    healer, patient = state[command.actor], state[command.target]
    hurt = patient.tracks["hits"] < patient.sheet["hits"] or has_condition(patient, "bleeding")
    if not hurt:
        raise Refused("bad_target", f"{patient.name} is unhurt: choose someone hurt.")
    if has_condition(patient, "treated"):
        raise Refused("bad_target", f"{patient.name} has had first aid: once in a fight.")
    WALKS.check_hand(state, healer, patient, HAND_M)


def aid_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form: the own side first, the nearest first."""

    def check(state: State, who: str) -> None:
        check_aid(state, Aid(actor=actor, target=who))

    return (find_targets(state, actor, check, label="Patient", friends=True),)


def check_patient(state: State, actor: str) -> None:
    """Refuse while nobody can be helped."""
    (field,) = aid_fields(state, actor)
    if not field.value:
        raise Refused("out_of_range", f"Nobody hurt is within {HAND_M} m: go to a patient.")


def preview_aid(state: State, command: Aid) -> Preview:
    """The number of first aid."""
    check_aid(state, command)
    return preview_under(adjusted(command, score_terms(state[command.actor], "aid")), "3d6")


def aid(context: RuleContext, command: Aid) -> Then | None:
    """Give first aid. [BRD-AID-01]"""
    who, patient = command.actor, command.target
    check_aid(context.state, command)
    spend(context, who, {"act": 1}, "First aid", "BRD-AID-01")
    terms = adjusted(command, score_terms(context.state[who], "aid"))
    good = roll_under(
        context,
        who,
        terms,
        dice="3d6",
        rule="BRD-AID-01",
        what="check.aid",
        target=patient,
        words=HELPS,
    )
    return Then(_mend, command) if good else None


def _mend(context: RuleContext, command: Aid) -> None:
    roll = context.roll("1d6", by=command.actor, rule="BRD-AID-01", why="roll.aid")
    remove_conditions(context, command.target, "bleeding", why="why.treated")
    heal(context, command.target, "hits", roll, rule="BRD-AID-01", why="why.treated", by=command.actor)
    add_condition(context, command.target, "treated")


def drop(context: RuleContext, command: Command) -> None:
    """Lie down. [BRD-COND-01]"""
    check_standing(context.state, command.actor)
    add_condition(context, command.actor, "prone")


def check_standing(state: State, actor: str) -> None:
    """Refuse to lie down twice."""
    if has_condition(state[actor], "prone"):
        raise Refused("not_allowed", f"{state[actor].name} is prone already.")


def stand(context: RuleContext, command: Command) -> None:
    """Stand up. [BRD-COND-01]"""
    check_prone(context.state, command.actor)
    spend(context, command.actor, {"act": 1}, "Standing up", "BRD-COND-01")
    remove_conditions(context, command.actor, "prone")


def check_prone(state: State, actor: str) -> None:
    """Refuse to stand up while standing."""
    if not has_condition(state[actor], "prone"):
        raise Refused("not_allowed", f"{state[actor].name} stands already.")


ACTIONS = (
    TABLE.act(
        "aid",
        aid,
        check_patient,
        check_action,
        fields=aid_fields,
        preview=preview_aid,
        brief=lambda words, state, one: words.format(score=one.sheet["aid"]),
    ),
    TABLE.act("drop", drop, check_standing),
    TABLE.act("stand", stand, check_prone, check_action),
)
