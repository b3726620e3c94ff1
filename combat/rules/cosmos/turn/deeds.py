"""Deeds: skills, devices, looking around, rallying, words."""

from __future__ import annotations

from typing import Literal

from combat.rules.core.basics.checking import tidy
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import Label, joined, name_task, say, say_typed
from combat.rules.core.commands.commands import (
    Command,
    Field,
    Preview,
    Targeted,
    Words,
    number_field,
    words_fields,
)
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.map.bodies import is_concealed, nearest
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Condition, State, has_condition, present
from combat.rules.core.turn.turns import add_condition, remove_conditions, say_words, spend

from ..book.tables import RALLY_TN, TARGET_NUMBERS, skills
from ..characters.conditions import KINDS
from ..characters.sheet import ATTRIBUTE_WORDS, ATTRIBUTES, skill
from ..dice import DICE, check_terms, describe_some_uses, did_succeed, roll_check, table_terms
from ..world.acting import act, target_field
from ..world.heights import span

RALLY_RANGE_M = 10  # RULING R53
MAX_LENGTH = 200  # characters: the most that can be said in passing
HEARERS = (Choice("all", "everyone"), Choice("side", "your side"))
SENSES = (Choice("", "no"), Choice("sight", "by sight"), Choice("hearing", "by hearing"))
FAILS = {"sight": "note.no_sight", "hearing": "note.no_hearing"}


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


# Uses of a skill against a number; checks that need a sense.


class Check(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A full use of a skill against a target number. `sense` is the only sense that can do it."""

    attribute: str
    skill: str = ""
    tn: int = 14
    why: str = ""
    sense: Literal["", "sight", "hearing"] = ""


def skill_check(context: RuleContext, command: Check) -> Then:
    """A full use of a skill, a Standard Action. [COS-ACT-03]  RULING R5."""
    check_skill(context.state, command)
    spend(context, command.actor, {"standard": 1}, on="Full skill use", rule="COS-ACT-03")
    return Then(use_skill, command)


def check_skill(state: State, command: Check) -> None:
    """Refuse unknown attributes and skills, and impossible numbers."""
    if command.attribute not in ATTRIBUTES:
        raise Refused("bad_value", f"Choose one of {', '.join(ATTRIBUTES)}.")
    if command.skill and command.skill not in skills():
        raise Refused("bad_value", f"There is no skill “{command.skill}”.")
    if not 2 <= command.tn <= 60:
        raise Refused("bad_value", "A target number is 2 to 60.")


def skill_terms(state: State, command: Check) -> Modifiers:
    """The terms of the check, with the table's own modifier."""
    terms = check_terms(state, state[command.actor], command.attribute, command.skill)
    return (*terms, *table_terms(command, "COS-ACT-03"))


def use_skill(context: RuleContext, command: Check) -> None:
    """Make the check; it fails without a roll if it needs a lost sense. [COS-COND-05] [COS-COND-09]"""
    what = command.skill or ATTRIBUTE_WORDS[command.attribute]
    lost = find_lost_sense(context.state[command.actor], command.sense)
    if lost:
        fails = describe_lost_sense(context.state[command.actor], command.sense)
        task = name_task(what, command.why)
        told = e.Said("log.fails", command.actor, args={"what": task, "why": fails})
        context.emit(told, lost[1])
        return
    terms = skill_terms(context.state, command)
    roll_check(
        context,
        command.actor,
        terms,
        target=command.tn,
        rule="COS-ACT-03",
        what=what,
        why=say_typed(command.why),
    )


def preview_skill(state: State, command: Check) -> Preview:
    """The sums of a skill check."""
    check_skill(state, command)
    target = (Modifier("term.target_number", command.tn, "COS-ACT-03"),)
    fails = describe_lost_sense(state[command.actor], command.sense)
    notes = (*((fails,) if fails else ()), *describe_some_uses(state[command.actor], command.skill))
    return Preview(skill_terms(state, command), target, "against.tn", dice=DICE, notes=notes)


def skill_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a skill check, with the combatant's own skills first."""
    combatant = state[actor]
    known = sorted(skills(), key=lambda name: (-skill(combatant, name), name))
    options = tuple(Choice(name, f"{name} {skill(combatant, name)}") for name in known)
    numbers = ", ".join(f"{word} {tn}" for word, tn in TARGET_NUMBERS.items())
    attributes = tuple(Choice(key, name) for key, name in ATTRIBUTES.items())
    return (
        Field("attribute", "Attribute", "choice", options=attributes, value="INT"),
        Field(
            "skill",
            "Skill",
            "choice",
            options=(Choice("", "none"), *options),
            value=options[0].value,
            required=False,
        ),
        number_field("tn", "Target number", 14, low=2, high=60, help=numbers),
        Field("why", "For what", "text", required=False),
        Field(
            "sense",
            "By one sense alone",
            "choice",
            options=SENSES,
            value="",
            rule="COS-COND-05",
            required=False,
        ),
    )


def describe_lost_sense(combatant: Combatant, sense: str) -> Label:
    """Why a check by this sense alone fails; empty if it does not."""
    lost = find_lost_sense(combatant, sense)
    return say(FAILS[sense], condition=lost[0].label) if lost else ""


def find_lost_sense(combatant: Combatant, sense: str) -> tuple[Condition, str] | None:
    """The condition that takes this sense from a combatant, with its rule; None if none does.

    [COS-COND-05] [COS-COND-09] Things that can only be seen or heard are then missed without a roll.
    """
    return KINDS.find_loss(combatant, sense) if sense else None


ACTIONS = (
    act("rally", rally, check_any_afraid, fields=rally_fields, preview=preview_rally),
    act("complex_device", use_complex, fields=words_fields),
    act("simple_device", use_simple, fields=words_fields),
    act("look", look_around, fields=words_fields),
    act("speak", speak, fields=words_fields),
    act("say", talk, fields=speech_fields, on_turn=False),
    act("concentrate", concentrate),
    act("skill", skill_check, fields=skill_fields, preview=preview_skill),
)
