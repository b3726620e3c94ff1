"""Deeds: getting up, an extra defense, others with a roll or without, and a few words."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Command, Field, Preview, Words, folded_field, form_of
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, has_condition
from combat.rules.core.turn.turns import say_words, spend

from ..body.resolve import Effect, carry_out
from ..book.tables import ACTION, LEGS, MAX_REASON
from ..characters.values import name_rank, rank_terms
from ..dice import adjusted, preview_chance, roll_under
from ..fight.attack import exert
from ..world.acting import act
from ..world.strides import count_lame_legs


class Other(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Any other deed: its description, and the ranks to roll for it, if any. [CG-ACT-05]"""

    what: str
    roll: str = ""
    physical: bool = False


def other_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The deed, and the ranks to roll for it. [CG-ACT-05]"""
    ranks = tuple(Choice(name, name_rank(name), str(n)) for name, n in state[actor].sheet["ranks"].items())
    return (
        Field("what", "What they do", "text", value="something else", rule="CG-ACT-05"),
        Field("roll", "Roll", "choice", options=(Choice("", "no roll"), *ranks), value="", required=False),
        folded_field("physical", "Purely physical", "flag", rule="CG-FAT-01"),
    )


def do_other(context: RuleContext, command: Other) -> Then | None:
    """Do another deed, with a roll if ranks are named; the GM rules on it. [CG-ACT-05] [CG-REF-11]"""
    what = " ".join(command.what.split())[:MAX_REASON]
    if not what:
        raise Refused("bad_value", "Say what they do.")
    check_rank(context.state, command)
    spend(context, command.actor, {ACTION: 1}, on="another deed", rule="CG-ACT-05")
    exert(context, command.actor, command.physical)
    context.emit(e.Said("log.does", command.actor, args={"text": what}), "CG-ACT-05")
    return Then(_roll_other, command) if command.roll else None


def check_rank(state: State, command: Other) -> None:
    """Refuse ranks that the combatant does not have. [CG-ATK-02]"""
    if command.roll and command.roll not in state[command.actor].sheet["ranks"]:
        raise Refused("bad_value", f"{state[command.actor].name} has no ranks in “{command.roll}”.")


def _roll_other(context: RuleContext, command: Other) -> None:
    terms = adjusted(command, rank_terms(context.state, context.state[command.actor], command.roll))
    roll_under(context, command.actor, terms, rule="CG-ATK-02", what=name_rank(command.roll))


def preview_other(state: State, command: Other) -> Preview:
    """The sums of the roll, if there is one."""
    check_rank(state, command)
    if not command.roll:
        return Preview()
    return preview_chance(state, adjusted(command, rank_terms(state, state[command.actor], command.roll)))


def speak(context: RuleContext, command: Words) -> None:
    """Say a few words, at no cost. [CG-ACT-02]  RULING R9"""
    say_words(context, command, "log.speaks", so="log.says", rule="CG-ACT-02", key="text", most=MAX_REASON)


words_fields = form_of(Field("what", "Words", "text", required=False))

# Getting up, and an extra defense.


def stand_up(context: RuleContext, command: Command) -> None:
    """Get up as the round's combat action. [CG-PRONE-01]  RULING R22 R40"""
    spend(context, command.actor, {ACTION: 1}, on="getting up", rule="CG-PRONE-01")
    exert(context, command.actor, True)
    carry_out(context, Effect(kind="stand", who=command.actor, rule="CG-PRONE-01"))


def check_prone(state: State, actor: str) -> None:
    """Refuse to get up unless prone, with a sound leg.  RULING R25"""
    combatant = state[actor]
    if not has_condition(combatant, "prone"):
        raise Refused("not_allowed", f"{combatant.name} is on their feet.")
    if count_lame_legs(combatant) == len(LEGS):
        raise Refused("not_allowed", f"Neither leg of {combatant.name} can be used: crawl (Move).")


def guard(context: RuleContext, command: Command) -> None:
    """Take an extra defense: one more roll, once, until the end of the round. [CG-ACT-04]  RULING R4"""
    spend(context, command.actor, {ACTION: 1}, on="an extra defensive action", rule="CG-ACT-04")
    exert(context, command.actor, False)
    carry_out(context, Effect(kind="guard", who=command.actor, rule="CG-ACT-04"))


ACTIONS = (
    act("other", do_other, fields=other_fields, preview=preview_other),
    act("speak", speak, fields=words_fields, on_turn=False),
    act("stand_up", stand_up, check_prone),
    act("guard", guard),
)
