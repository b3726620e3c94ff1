"""Devices, looking around, rallying, words."""

from __future__ import annotations

from typing import Literal

from combat.rules.core.basics.checking import tidy
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import joined, say
from combat.rules.core.commands.commands import Command, Field, Preview, Targeted, Words
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.commands.forms import words_fields
from combat.rules.core.map.bodies import is_concealed, nearest
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, has_condition, present
from combat.rules.core.turn.turns import add_condition, remove_conditions, say_words, spend

from ..book.tables import RALLY_TN
from ..characters.conditions import KINDS
from ..dice import DICE, check_terms, did_succeed, roll_check, table_terms
from ..world.acting import act, target_field
from ..world.heights import span
from .skills import find_lost_sense

RALLY_RANGE_M = 10  # RULING R53
MAX_LENGTH = 200  # characters: the most that can be said in passing
HEARERS = (Choice("all", "everyone"), Choice("side", "your side"))


def use_simple(context: RuleContext, command: Words) -> None:
    """A Quick Action. [COS-ACT-18]"""
    spend(context, command.actor, {"quick": 1}, on="A simple device", rule="COS-ACT-18")
    say_words(context, command, "log.simple_device", so="log.simple_device_so", rule="COS-ACT-18")


def use_complex(context: RuleContext, command: Words) -> None:
    """A Standard Action. [COS-ACT-05]"""
    spend(context, command.actor, {"standard": 1}, on="A complex device", rule="COS-ACT-05")
    say_words(context, command, "log.complex_device", so="log.complex_device_so", rule="COS-ACT-05")


def look_around(context: RuleContext, command: Words) -> None:
    """A Quick Action; the GM may reveal what is hidden. [COS-ACT-19]"""
    spend(context, command.actor, {"quick": 1}, on="Looking around", rule="COS-ACT-19")
    say_words(context, command, "log.looks_around", so="log.looks_around_so", rule="COS-ACT-19")
    if find_lost_sense(context.state[command.actor], "sight"):
        context.emit(e.Said("log.sees_nothing", command.actor), "COS-COND-05")
        return
    hidden = [f.id for f in present(context.state) if is_concealed(context.state, f)]
    if hidden:
        people = joined(say("note.person", target=who) for who in hidden)
        told = e.Said("log.still_hidden", command.actor, args={"people": people})
        context.emit(told, "COS-ACT-19", e.GM_ONLY)


def speak(context: RuleContext, command: Words) -> None:
    """A few words, a Quick Action. [COS-ACT-17]"""
    spend(context, command.actor, {"quick": 1}, on="A few words", rule="COS-ACT-17")
    say_words(context, command, "log.speaks", so="log.speaks_so", rule="COS-ACT-17")
    tell_unheard(context, command.actor)


def concentrate(context: RuleContext, command: Words) -> None:
    """Maintain concentration, which is free [COS-ACT-20]; so is ending it. [COS-ACT-21]"""
    who = command.actor
    if remove_conditions(context, who, "concentrating", why="why.lets_go", rule="COS-ACT-21"):
        return
    add_condition(context, who, "concentrating")


def rally(context: RuleContext, command: Targeted) -> Then:
    """Presence + Social against 14 ends an ally's fear. [COS-ACT-07]  RULING R53."""
    check_rally(context.state, command)
    spend(context, command.actor, {"standard": 1}, on="Rallying", rule="COS-ACT-07")
    return Then(_rally, command)


def check_any_afraid(state: State, actor: str) -> None:
    """Refuse to rally if no ally is afraid, to gray out an action; the reason names one who is not."""
    friends = [f for f in present(state) if f.side == state[actor].side and f.id != actor]
    if not friends:
        raise Refused("bad_target", "There is no ally to rally.")
    if not any(has_condition(friend, "frightened") for friend in friends):
        check_rally(state, Targeted(actor=actor, target=friends[0].id))


def check_rally(state: State, command: Targeted) -> Combatant:
    """Refuse to rally combatants who are not afraid, or too far away."""
    combatant, target = state[command.actor], state[command.target]
    friend = target.side == combatant.side and target.id != combatant.id
    if not friend or not has_condition(target, "frightened"):
        raise Refused("bad_target", f"Choose a frightened ally; {target.name} is not one.")
    if has_condition(target, "dead"):
        raise Refused("bad_target", f"{target.name} is dead.")
    if span(*nearest(combatant, target)) > RALLY_RANGE_M + 0.01:
        raise Refused("out_of_range", f"{target.name} is more than {RALLY_RANGE_M} m away.")
    return target


def _rally(context: RuleContext, command: Targeted) -> None:
    """Roll to rally; the GM decides if the deafened can be rallied without words. [COS-COND-11]"""
    if find_lost_sense(context.state[command.target], "hearing"):
        context.emit(e.Said("log.rally_deaf", command.actor, command.target), "COS-COND-11", e.GM_ONLY)
    terms = rally_terms(context.state, command)
    roll_check(
        context, command.actor, terms, target=RALLY_TN, rule="COS-ACT-07", what="Social", why="roll.rally"
    )
    if did_succeed(context):
        remove_conditions(context, command.target, "frightened", why="why.rallied", rule="COS-ACT-07")


def rally_terms(state: State, command: Targeted) -> Modifiers:
    """Presence and half Social."""
    rule = "COS-ACT-07"
    terms = check_terms(state, state[command.actor], "PRE", skill_name="Social", rule=rule)
    return (*terms, *table_terms(command, rule))


def preview_rally(state: State, command: Targeted) -> Preview:
    """The sums of rallying."""
    check_rally(state, command)
    target = (Modifier("term.target_number", RALLY_TN, "COS-ACT-07"),)
    return Preview(rally_terms(state, command), target, "against.tn", DICE)


class Speech(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Words of at most 200 characters, and their audience."""

    what: str = ""
    to: Literal["all", "side"] = "all"


def talk(context: RuleContext, command: Speech) -> None:
    """Simple communication is free, on any turn. [COS-ACT-22]

    The own side are the players of those who fight on it now; the GM hears everything.
    """
    words = tidy(command.what)
    if not 1 <= len(words) <= MAX_LENGTH:
        raise Refused("bad_value", f"Say something of 1 to {MAX_LENGTH} characters.")
    who = command.actor
    to = e.for_seats(f.id for f in present(context.state) if f.side == context.state[who].side)
    to = to if command.to == "side" else ""
    key = "log.says_to_side" if to else "log.says"
    context.emit(e.Said(key, who, args={"words": words}), "COS-ACT-22", to)
    tell_unheard(context, who, to)


def speech_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The fields for the words and their audience."""
    return (
        Field("what", "Words", "text", help=f"up to {MAX_LENGTH} characters"),
        Field("to", "Heard by", "choice", options=HEARERS, value="all", rule="COS-ACT-22"),
    )


# ---------------------------------------------------------------- lost senses


def tell_unheard(context: RuleContext, speaker: str, to: str = "") -> None:
    """Flag words as not heard by every deafened combatant. [COS-COND-11]

    `to` is the audience of the words, if not everyone: then only those on the speaker's side count.
    """
    side = context.state[speaker].side
    for combatant in present(context.state):
        meant = combatant.id != speaker and (not to or combatant.side == side)
        if meant and KINDS.loses(combatant, "hearing"):
            told = e.Said("log.unheard", speaker, combatant.id)
            context.emit(told, "COS-COND-11", to)


def rally_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The target to rally, allies first. [COS-ACT-07]"""

    def check(other: Combatant) -> None:
        check_rally(state, Targeted(actor=actor, target=other.id))

    return (target_field(state, actor, foes=False, check=check),)


ACTIONS = (
    act("rally", rally, check_any_afraid, fields=rally_fields, preview=preview_rally),
    act("complex_device", use_complex, fields=words_fields),
    act("simple_device", use_simple, fields=words_fields),
    act("look", look_around, fields=words_fields),
    act("speak", speak, fields=words_fields),
    act("say", talk, fields=speech_fields, on_turn=False),
    act("concentrate", concentrate),
)
