"""Checks that are actions of their own, help for someone's next check, and Skill Challenges."""

from __future__ import annotations

from typing import Literal

import msgspec

from combat.rules.core.basics.data import read_json
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import Args, Label, possessive, say, say_typed
from combat.rules.core.commands.commands import (
    Command,
    Field,
    Preview,
    adjusted,
    as_command,
    folded_field,
    form_of,
    number_field,
)
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.decisions import GmCommand
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, Until, present
from combat.rules.core.turn.turns import add_condition

from ..body.doses import burn
from ..book import tables
from ..book.options import find_option
from ..book.tables import ASSIST_MIN, CHALLENGE, DIFFICULTY, EASIEST, HARDEST, PHYSICAL
from ..characters.sheet import ATTRIBUTES, TERMS, attribute, has_skill, is_able, is_conscious, read_weapon
from ..dice import DICE, action_penalty, assist_terms, check_terms, find_hindrances, roll_check, use_assist
from ..world.acting import act, attribute_options, gm, skill_field, target_field
from ..world.economy import pay
from .deeds import clean

AS_TAKEN = (Choice("", "as usual"), Choice("yes", "yes"), Choice("no", "no"))
# The book's checks with these skills: Dex + Medicate; Dex + Move, or Str where a Move needs a check
USES = {"Medicate": ("dex",), "Move": ("dex", "str")}  # SS-OTHER-11, SS-ZONE-07, SS-OTHER-08


class Check(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Any other action with a roll. [SS-OTHER-01]

    `prone` and `sight` override whether these hinder the check: yes or no.  [SS-PRONE-02]
    """

    attribute: Literal["str", "dex", "int", "prs"]
    skill: str = ""
    difficulty: int = DIFFICULTY
    why: str = ""
    prone: Literal["", "yes", "no"] = ""
    sight: Literal["", "yes", "no"] = ""


class Challenge(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One attempt at a Skill Challenge, by its name. [SS-OTHER-17]"""

    name: str
    attribute: Literal["str", "dex", "int", "prs"]
    skill: str = ""


# ---------------------------------------------------------------- checks and challenges


def check(context: RuleContext, command: Check) -> Then | None:
    """Roll an action that the table makes up. [SS-OTHER-01]"""
    check_check(command)
    pay(context, command.actor, "check", on="A check", rule="SS-OTHER-01")
    times = 1 if command.attribute in PHYSICAL else 0
    return burn(context, command.actor, times, (_roll_it, command))


def check_check(command: Check) -> None:
    """Refuse unknown skills and impossible numbers."""
    if command.skill and command.skill not in tables.skills():
        raise Refused("bad_value", f"There is no skill “{command.skill}”.")
    if not EASIEST <= command.difficulty <= HARDEST:
        raise Refused("bad_value", f"A difficulty is {EASIEST} to {HARDEST}.")


def terms_for_check(state: State, command: Check, paid: bool = True) -> Modifiers:
    """The terms of a check that is an action, with the Action Penalty. [SS-PEN-04]"""
    combatant = state[command.actor]
    terms = (
        *check_terms(
            state,
            combatant,
            command.attribute,
            skill=command.skill,
            rule="SS-OTHER-01",
            hindered=_hindered(command),
        ),
        *action_penalty(state, combatant, paid),
        *assist_terms(state, combatant, command.attribute, command.skill),
    )
    return adjusted(command, terms, "SS-OTHER-01")


def _hindered(command: Check) -> str:
    """The hindrances, with the GM's changes. [SS-PRONE-02] [SS-BLIND-02]  RULING R38"""
    words = set(find_hindrances(command.attribute, command.skill))
    for word, said in (("physical", command.prone), ("sight", command.sight)):
        words = words | {word} if said == "yes" else words - {word} if said == "no" else words
    return " ".join(sorted(words)) or "none"


def roll_made_up(context: RuleContext, command: Check) -> None:
    """Roll a check whose action is paid for: help, luck and second chances count. [SS-OTHER-01]"""
    check_check(command)
    roll_check(
        context,
        command.actor,
        terms_for_check(context.state, command),
        command.difficulty,
        rule="SS-OTHER-01",
        what=name_check(command),
        why=say_typed(command.why),
        again=command.attribute,
    )
    use_assist(context, command.actor, command.attribute, command.skill)


def _roll_it(context: RuleContext, command: Check) -> None:
    if is_able(context.state[command.actor]):
        roll_made_up(context, command)


def name_check(command: Check) -> Label:
    """The name of a check in the log: the skill, or the attribute alone."""
    return say("check.of", what=command.skill or TERMS[command.attribute])


def preview_check(state: State, command: Check) -> Preview:
    """The sums of a check."""
    check_check(command)
    number = (Modifier("term.difficulty", command.difficulty, "SS-OTHER-01"),)
    return Preview(terms_for_check(state, command, paid=False), number, "against.difficulty", DICE)


class Progress(msgspec.Struct, frozen=True):
    """The progress of a Skill Challenge.  [SS-OTHER-17]"""

    difficulty: int = CHALLENGE[0]
    successes: int = CHALLENGE[1]
    failures: int = CHALLENGE[2]
    won: int = 0
    lost: int = 0

    @property
    def word(self) -> str:
        """Won, lost, or open."""
        if self.won >= self.successes:
            return "won"
        return "lost" if self.lost >= self.failures else "open"


def find_progress(state: State, name: str) -> Progress:
    """The progress of a challenge; a new one has the figures of the book.  RULING R36"""
    raw = state.marks.get(f"challenge {name.lower()}")
    return read_json(str(raw), Progress) if raw else Progress()


def write_progress(context: RuleContext, name: str, progress: Progress) -> None:
    """Store the progress of a challenge."""
    raw = msgspec.json.encode(progress).decode()
    context.emit(e.Marked("", f"challenge {name.lower()}", raw), "SS-OTHER-17", e.GM_ONLY)


def try_challenge(context: RuleContext, command: Challenge) -> None:
    """Make one attempt a turn; three successes win, three failures lose. [SS-OTHER-17] [SS-OTHER-18]"""
    name = clean(command.name, "The name of the challenge")
    progress = check_challenge(context.state, command, name)
    pay(context, command.actor, "skill_challenge", on="A Skill Challenge", rule="SS-OTHER-17")
    result = roll_check(
        context,
        command.actor,
        terms_for_check(context.state, as_command(Check, command)),
        progress.difficulty,
        rule="SS-OTHER-17",
        what="action.skill_challenge",
        why=name,
        again=command.attribute,
    )
    use_assist(context, command.actor, command.attribute, command.skill)
    more = {"won": progress.won + 1} if result.good else {"lost": progress.lost + 1}
    progress = msgspec.structs.replace(progress, **more)
    write_progress(context, name, progress)
    key = {"won": "log.challenge_won", "lost": "log.challenge_lost"}.get(progress.word, "log.challenge")
    args: Args = {"name": name, "won": progress.won, "needed": progress.successes, "lost": progress.lost}
    context.emit(e.Said(key, args=args), "SS-OTHER-18")


def preview_challenge(state: State, command: Challenge) -> Preview:
    """The sums of an attempt."""
    progress = check_challenge(state, command, clean(command.name, "The name of the challenge"))
    number = (Modifier("term.difficulty", progress.difficulty, "SS-OTHER-17"),)
    done = say("note.challenge", won=progress.won, needed=progress.successes, lost=progress.lost)
    return Preview(
        terms_for_check(state, as_command(Check, command), paid=False),
        number,
        "against.difficulty",
        dice=DICE,
        notes=(done,),
    )


def check_challenge(state: State, command: Challenge, name: str) -> Progress:
    """Refuse a challenge that is over, and unknown skills."""
    if command.skill and command.skill not in tables.skills():
        raise Refused("bad_value", f"There is no skill “{command.skill}”.")
    progress = find_progress(state, name)
    if progress.word != "open":
        raise Refused("not_allowed", f"{name} is already {progress.word}.")
    return progress


class OpenChallenge(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A Skill Challenge with its own numbers. [SS-OTHER-17]  RULING R36"""

    name: str
    difficulty: int = CHALLENGE[0]
    successes: int = CHALLENGE[1]
    failures: int = CHALLENGE[2]


def open_challenge(context: RuleContext, command: OpenChallenge) -> None:
    """Begin a Skill Challenge. [SS-OTHER-17]"""
    name = " ".join(command.name.split())
    sane = (
        EASIEST <= command.difficulty <= HARDEST
        and 1 <= command.successes <= 20
        and 1 <= command.failures <= 20
    )
    if not 1 <= len(name) <= 60 or not sane:
        numbers = f"a difficulty of {EASIEST} to {HARDEST}, and 1 to 20 successes and failures"
        text = f"A challenge has a name, {numbers}."
        raise Refused("bad_value", text)
    progress = Progress(command.difficulty, command.successes, command.failures)
    write_progress(context, name, progress)
    args: Args = {"name": name, "difficulty": command.difficulty}
    context.emit(e.Said("log.challenge_opens", args=args), "SS-OTHER-17")


open_challenge_fields = form_of(
    Field("name", "Name", "text", value="Repairs", rule="SS-OTHER-17"),
    number_field("difficulty", "Difficulty", CHALLENGE[0], low=EASIEST, high=HARDEST),
    number_field("successes", "Successes to win", CHALLENGE[1], low=1, high=20),
    number_field("failures", "Failures to lose", CHALLENGE[2], low=1, high=20),
)


def check_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of any other check. [SS-OTHER-01]"""
    return (
        Field("attribute", "Attribute", "choice", options=attribute_options(), value="dex"),
        skill_field(state, actor),
        number_field("difficulty", "Difficulty", DIFFICULTY, low=EASIEST, high=HARDEST),
        Field("why", "For what", "text", required=False),
        folded_field("prone", "Prone hinders", "choice", options=AS_TAKEN, rule="SS-PRONE-02"),
        folded_field("sight", "Needs sight", "choice", options=AS_TAKEN, rule="SS-BLIND-02"),
    )


def challenge_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The challenge, and the attribute and skill to try it with. [SS-OTHER-17]"""
    known = [key.partition(" ")[2] for key in state.marks if key.startswith("challenge ")]
    return (
        Field("name", "Challenge", "text", value=known[0] if known else "repairs", rule="SS-OTHER-17"),
        Field("attribute", "Attribute", "choice", options=attribute_options(), value="int"),
        skill_field(state, actor),
    )


# Assist: help for someone's next check, offered to one person once.


class Assist(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Help for someone's check with this attribute and skill. [SS-OTHER-09]"""

    target: str
    attribute: Literal["str", "dex", "int", "prs"]
    skill: str = ""


def assist(context: RuleContext, command: Assist) -> None:
    """Give +1 to someone else's check, if the helper is good at it. [SS-OTHER-09] [SS-OTHER-10]"""
    check_assist(context.state, command)
    who = command.actor
    pay(context, who, "assist", on="Assisting", rule="SS-OTHER-09")
    label = say("term.help", by=who)
    marks = {"attribute": command.attribute, "skill": command.skill}
    add_condition(
        context, command.target, "assisted", label=label, by=who, marks=marks, until=Until(who, "start")
    )


def check_assist(state: State, command: Assist) -> None:
    """Refuse wasted help: for a check with help already, or with an attribute that it does not use.

    [SS-OTHER-10] Refuse a helper who is not good at it.  RULING R22
    """
    combatant, target = state[command.actor], state[command.target]
    if command.skill and command.skill not in tables.skills():
        raise Refused("bad_value", f"There is no skill “{command.skill}”.")
    check_taker(state, command.actor, target)
    _check_same_check(target, command.attribute)
    _check_use(target, command.attribute, command.skill)
    good = attribute(combatant, command.attribute) >= ASSIST_MIN
    if not good and not (command.skill and has_skill(combatant, command.skill)):
        label = ATTRIBUTES[command.attribute]
        needs = f"{label} {ASSIST_MIN}" + (f" or {command.skill}" if command.skill else "")
        raise Refused("not_allowed", f"{combatant.name} cannot help with that: it takes {needs}.")


def check_taker(state: State, actor: str, target: Combatant) -> None:
    """Refuse a target who can make no check, or whose next check has help.  RULING R22"""
    if target.id == actor:
        raise Refused("bad_target", "Assist is for someone else's check.")
    if not is_conscious(target):
        raise Refused("bad_target", f"{target.name} cannot make checks now: choose someone else.")
    if is_helped(target) and find_option(state, "assist_stacks") == "no":
        raise Refused("bad_target", f"{possessive(target.name)} next check already has help.")


def is_helped(target: Combatant) -> bool:
    """Whether someone's next check has help."""
    return any(held.kind == "assisted" for held in target.conditions)


def check_can_help(state: State, actor: str) -> None:
    """Refuse if no one can be helped."""
    others = [f for f in present(state) if f.id != actor and is_conscious(f)]
    if not others:
        raise Refused("bad_target", "There is no one else to help.")
    if all(is_helped(f) for f in others) and find_option(state, "assist_stacks") == "no":
        raise Refused("bad_target", "Everyone's next check already has help.")


def _check_same_check(target: Combatant, key: str) -> None:
    """Refuse help for a second check: several helpers all help the same one."""
    waiting = {str(c.marks.get("attribute", key)) for c in target.conditions if c.kind == "assisted"}
    if waiting - {key}:
        label = ATTRIBUTES[min(waiting)]
        text = f"{possessive(target.name)} next check is helped with {label}: help with that."
        raise Refused("not_allowed", text)


def _check_use(target: Combatant, key: str, skill: str) -> None:
    uses = find_uses(target, skill)
    if uses and key not in uses:
        label = " or ".join(ATTRIBUTES[use] for use in uses)
        text = f"{possessive(target.name)} {skill} check uses {label}, not {ATTRIBUTES[key]}: help with that."
        raise Refused("not_allowed", text)


def find_uses(target: Combatant, skill: str) -> tuple[str, ...]:
    """The attributes of someone's checks with a skill; empty if any attribute may be used.

    [SS-ATK-04] For weapon skills, those of the weapons carried, or of any weapon with this skill.
    """
    if skill in USES:
        return USES[skill]
    own = [read_weapon(item) for item in target.items if item.kind == "weapon"]
    fitting = [w for w in own if skill in w.skills] or [
        w for w in tables.weapons().values() if skill in w.skills
    ]
    return tuple(key for key in ATTRIBUTES if any(key in weapon.attributes for weapon in fitting))


def assist_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The person to help, and their check. [SS-OTHER-09]"""
    combatant = state[actor]
    target = target_field(state, actor, foes=False, check=lambda other: check_taker(state, actor, other))
    skill = next(iter(combatant.sheet["skills"]), "")
    uses = find_uses(state[target.value], skill) if target.value else ()
    best = max(uses or ATTRIBUTES, key=lambda key: combatant.sheet["attributes"][key])
    help_text = f"takes {ATTRIBUTES[best]} 3 or the skill"
    return (
        target,
        Field(
            "attribute",
            "Their check uses",
            "choice",
            options=attribute_options(),
            value=best,
            help=help_text,
            rule="SS-OTHER-10",
        ),
        skill_field(state, actor, skill),
    )


ACTIONS = (
    act("check", check, fields=check_fields, preview=preview_check),
    act("skill_challenge", try_challenge, fields=challenge_fields, preview=preview_challenge),
    gm("open_challenge", open_challenge, fields=open_challenge_fields),
    act("assist", assist, check_can_help, fields=assist_fields),
)
