"""Skill checks in a fight: as a minor or a significant action, or over several rounds."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, allows
from combat.rules.core.basics.modifiers import Modifiers, add_up
from combat.rules.core.basics.numbers import with_true_minus
from combat.rules.core.basics.words import Label, name_task, say
from combat.rules.core.commands.commands import Command, Field, Preview, adjusted, folded_field
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    Combatant,
    Condition,
    State,
    find_condition,
    find_holders,
    replace,
)
from combat.rules.core.turn.turns import add_condition, remove_conditions

from ..book.options import find_option
from ..book.tables import MINUTE_SECONDS, ROUND_SECONDS, SCORES, TARGET, difficulties, skills
from ..characters.conditions import is_busy
from ..characters.machinery import check_handling, check_sensing
from ..characters.values import find_dm, find_skill, is_conscious, read_skill
from ..dice import (
    DICE,
    DONE,
    NEED,
    SPOILED,
    difficulty_terms,
    lose_aim,
    modifiers_for_check,
    roll_check,
    say_check,
)
from ..vehicles.repairs import RIG_PART, finish_rig
from ..world.acting import act, check_able
from ..world.economy import check_minor, check_significant, pay_minor, pay_significant

SIGNIFICANT, MINOR, SECONDS, ROUNDS, MINUTES = "significant", "minor", "seconds", "rounds", "minutes"
TAKES = {
    SIGNIFICANT: "full attention: a significant action",
    MINOR: "little attention, if the GM agrees: a minor action",
    SECONDS: "1 to 6 seconds: a significant action",
    ROUNDS: "1D6 rounds: an extended action",
    MINUTES: "1D6 minutes: an extended action",
}
LONG = {ROUNDS: ROUND_SECONDS, MINUTES: MINUTE_SECONDS}


class Check(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Use a skill or a bare characteristic against a difficulty; `takes` is a key of TAKES."""

    skill: str = ""
    characteristic: str = ""
    difficulty: str = "average"
    takes: str = SIGNIFICANT
    why: str = ""


def clean(words: str) -> str:
    """Typed text, in one line."""
    return " ".join(words.split())[:100]


def is_plain_act(command: Check) -> bool:
    """Whether the command is an action without a roll."""
    return not command.skill and not command.characteristic


# ---------------------------------------------------------------- at once


def check_skill(state: State, command: Check) -> None:
    """Refuse unknown skills, characteristics and difficulties, and checks without a fitting action left."""
    if command.skill and read_skill(command.skill) not in skills():
        raise Refused("bad_value", f"There is no skill “{command.skill[:40]}”: choose one from the list.")
    check_sensing(state, command.actor, read_skill(command.skill))
    check_handling(state, state[command.actor], read_skill(command.skill))
    if command.characteristic not in ("", *SCORES, "psi"):
        raise Refused("bad_value", f"Choose one of {', '.join(SCORES)}.")
    if is_plain_act(command) and not clean(command.why):
        raise Refused("bad_value", "Choose a skill or a characteristic, or say what is done without a check.")
    if command.difficulty not in difficulties() or command.takes not in TAKES:
        raise Refused("bad_value", "Choose a difficulty and a time from the lists.")
    if command.takes in LONG and not find_option(state, "use_extended_actions"):
        raise Refused("not_allowed", "This table plays without extended actions: the GM can switch them on.")


def use_skill(context: RuleContext, command: Check) -> Then:
    """Spend the actions for a check and roll, or begin an extended action.

    [CE-MINOR-20] The GM may allow it as a minor action. [CE-SIG-05] Otherwise it is significant, [CE-SIG-06]
    up to six seconds. [CE-OTHER-04] Longer than a round, it is an extended action.
    """
    check_skill(context.state, command)
    who = command.actor
    lose_aim(context, who, "why.does_else")
    if command.takes == MINOR:
        pay_minor(context, who, "This check", "CE-MINOR-20")
    else:
        rule = {SECONDS: "CE-SIG-06", SIGNIFICANT: "CE-SIG-05"}.get(command.takes, "CE-OTHER-04")
        pay_significant(context, who, "This check", rule)
    return Then(begin_task if command.takes in LONG else _roll, command)


def _roll(context: RuleContext, command: Check) -> None:
    """Roll the check, or log an action without one. [CE-MINOR-20] [CE-SIG-05]"""
    rule = "CE-MINOR-20" if command.takes == MINOR else "CE-SIG-05"
    if is_plain_act(command):
        context.emit(e.Said("log.acts", command.actor, args={"words": clean(command.why)}), rule)
        return
    roll_check(
        context,
        command.actor,
        what=name_check(command.skill, command.characteristic),
        skill=command.skill,
        characteristic=command.characteristic,
        difficulty=command.difficulty,
        terms=adjusted(command, (), rule),
        rule=rule,
        why=say_check(name_check(command.skill, command.characteristic), command.why),
    )


def name_check(skill: str, characteristic: str) -> str:
    """The name of a check: its printed skill or characteristic, else nothing."""
    known = skills().get(read_skill(skill)) if skill else None
    if known:
        return known.name
    return f"term.{characteristic}" if characteristic else ""


def name_deed(skill: str, characteristic: str, words: str) -> Label:
    """The name of a task: its check with what someone typed it is for; without a check, those words."""
    check = name_check(skill, characteristic)
    return name_task(check, words) if check else words


def skill_terms(state: State, command: Check) -> Modifiers:
    """The terms of a check, for its form."""
    own = modifiers_for_check(state, command.actor, command.skill, command.characteristic)
    return adjusted(command, (*own, *difficulty_terms(command.difficulty)))


def preview_check(state: State, command: Check) -> Preview:
    """The sums of a check, with the number to reach."""
    check_skill(state, command)
    if is_plain_act(command):
        return Preview()
    terms = skill_terms(state, command)
    need = TARGET - add_up(terms)
    return Preview(terms, (), "against.eight", dice=DICE, notes=() if need > 2 else ("note.sure",))


def check_any_action(state: State, actor: str) -> None:
    """Refuse checks without any action left."""
    if not allows(check_significant, state, actor, "A check"):
        check_minor(state, actor, "A check")


def check_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a check, the actor's best skills first."""
    combatant = state[actor]
    known = sorted(skills().values(), key=lambda row: (-find_skill(combatant, row.id), row.name))
    listed = tuple(
        Choice(row.id, with_true_minus(f"{row.name} {find_skill(combatant, row.id):+d}")) for row in known
    )
    keys = tuple(Choice(key, key.capitalize(), f"DM {find_dm(combatant, key):+d}") for key in SCORES)
    hard = tuple(Choice(row.id, row.name, f"DM {row.dm:+d}") for row in difficulties().values())
    usual = known[0].usual[0] if known[0].usual else "int"
    return (
        Field(
            "skill",
            "Skill",
            "choice",
            options=(*listed, Choice("", "none")),
            value=listed[0].value,
            required=False,
        ),
        Field(
            "characteristic",
            "With",
            "choice",
            options=(*keys, Choice("", "none")),
            value=usual,
            required=False,
        ),
        Field("difficulty", "Difficulty", "choice", options=hard, value="average"),
        Field(
            "takes",
            "Takes",
            "choice",
            options=tuple(Choice(k, v) for k, v in TAKES.items()),
            value=SIGNIFICANT,
        ),
        folded_field("why", "For what", "text"),
    )


# ---------------------------------------------------------------- over rounds


def begin_task(context: RuleContext, command: Check) -> None:
    """Roll how long it takes, in rounds of six seconds, and begin. [CE-OTHER-04] [CE-OTHER-05]

    The round it begins in counts as its first.
    """
    who = command.actor
    roll = context.roll("1d6", by=who, rule="CE-OTHER-05", why="roll.task_time")
    rounds = roll.total * LONG[command.takes] // ROUND_SECONDS
    marks = {
        "skill": command.skill,
        "characteristic": command.characteristic,
        "difficulty": command.difficulty,
        "adjust": command.adjust,
        "because": command.because,
        "why": clean(command.why),
        NEED: rounds,
        DONE: 0,
    }
    add_condition(context, who, "extended_action", marks=marks)
    what = name_deed(command.skill, command.characteristic, clean(command.why))
    context.emit(e.Said("log.begins_task", who, args={"n": rounds, "what": what}), "CE-OTHER-05")


def describe_condition(held: Condition) -> Label:
    """The text beside the name of a condition: for an extended action the task and its progress, for a set-up
    the DM.  [CE-OTHER-05] [CE-VACT-17]"""
    if points := int(held.marks.get("checks", 0)):
        return say("detail.checks", n=points)
    if held.kind != "extended_action" or NEED not in held.marks:
        return ""
    marks = held.marks
    what = name_deed(str(marks["skill"]), str(marks["characteristic"]), str(marks.get("why", "")))
    done, need = int(marks[DONE]), int(marks[NEED])
    return say("detail.rig" if RIG_PART in marks else "detail.task", what=what, done=done, n=need)


def check_task(state: State, actor: str) -> None:
    """Refuse to give up without an extended action. [CE-OTHER-07]"""
    if not is_busy(state[actor]):
        raise Refused("not_allowed", f"{state[actor].name} is not on an extended action.")


def abandon_task(context: RuleContext, command: Command) -> None:
    """Give the task up: all progress is lost, and the next turn is free again. [CE-OTHER-07]"""
    remove_conditions(context, command.actor, "extended_action", why="why.gives_up", rule="CE-OTHER-07")


def count_round(context: RuleContext) -> None:
    """Count the round that ends for every task not disturbed in it; tasks that the GM assigned are not
    counted.

    [CE-OTHER-05] [CE-OTHER-09] [CE-OTHER-10]
    """
    for combatant in find_holders(context.state, "extended_action"):
        held = find_condition(combatant, "extended_action")
        if combatant.gone or held is None or NEED not in held.marks:
            continue
        done = int(held.marks[DONE]) + (0 if held.marks.get(SPOILED) else 1)
        marks = {key: value for key, value in held.marks.items() if key != SPOILED} | {DONE: done}
        if marks != held.marks:
            context.emit(e.ConditionChanged(combatant.id, replace(held, marks=marks)), "CE-OTHER-05")


def find_done(state: State) -> Combatant | None:
    """Someone who has completed all rounds of a task."""
    working = find_holders(state, "extended_action")
    return next((f for f in working if is_conscious(f) and _is_done(f)), None)


def _is_done(combatant: Combatant) -> bool:
    held = find_condition(combatant, "extended_action")
    return held is not None and NEED in held.marks and int(held.marks[DONE]) >= int(held.marks[NEED])


def finish_task(context: RuleContext, combatant: Combatant) -> None:
    """Roll for a task with all its rounds completed.  [CE-OTHER-04]"""
    held = find_condition(combatant, "extended_action")
    assert held is not None
    skill, key = str(held.marks["skill"]), str(held.marks["characteristic"])
    remove_conditions(context, combatant.id, "extended_action", why="why.done", rule="CE-OTHER-04")
    if not skill and not key:
        return
    said = str(held.marks.get("because", ""))
    own = Command(actor=combatant.id, adjust=int(held.marks["adjust"]), because=said)
    effect = roll_check(
        context,
        combatant.id,
        what=name_check(skill, key),
        skill=skill,
        characteristic=key,
        difficulty=str(held.marks["difficulty"]),
        terms=adjusted(own, (), "CE-OTHER-04"),
        rule="CE-OTHER-04",
        why=say_check(name_check(skill, key), str(held.marks.get("why", ""))),
    )
    finish_rig(context, combatant.id, held, effect)


ACTIONS = (
    act("check", use_skill, check_any_action, fields=check_fields, preview=preview_check),
    act("abandon", abandon_task, check_task, bar=check_able, on_turn=False, has_odds=False),
)
