"""Checks that are actions of their own, and Skill Challenges."""

from __future__ import annotations

from typing import Literal

import msgspec

from ..core import events as e
from ..core.commands import Command, Preview
from ..core.errors import Refused
from ..core.modifiers import Modifier, Modifiers
from ..core.state import State
from ..core.table import Table, Then
from . import tables
from .doses import burn
from .economy import pay
from .items import LONGEST, clean, escape
from .rolls import (
    DICE,
    action_penalty,
    adjusted,
    assist_terms,
    check_terms,
    find_hindrances,
    roll_check,
    use_assist,
)
from .sheet import (
    ATTRIBUTES,
    is_able,
)
from .tables import CHALLENGE, DIFFICULTY, EASIEST, HARDEST, PHYSICAL


class Check(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[SS-OTHER-01] Any other action with a roll.

    `prone` and `sight` overrule what is taken to be hindered: yes or no.  [SS-PRONE-02]
    """

    attribute: Literal["str", "dex", "int", "prs"]
    skill: str = ""
    difficulty: int = DIFFICULTY
    why: str = ""
    prone: Literal["", "yes", "no"] = ""
    sight: Literal["", "yes", "no"] = ""


class Challenge(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[SS-OTHER-17] One attempt at a Skill Challenge, by its name."""

    name: str
    attribute: Literal["str", "dex", "int", "prs"]
    skill: str = ""


# ---------------------------------------------------------------- checks and challenges


def check(table: Table, command: Check) -> Then | None:
    """[SS-OTHER-01] An action of the table's own making, with a roll."""
    check_check(table.state, command)
    pay(table, command.actor, "check", "A check", "SS-OTHER-01")
    times = 1 if command.attribute in PHYSICAL else 0
    return burn(table, command.actor, times, (_roll_it, command))


def check_check(state: State, command: Check) -> None:
    """Refuse unknown skills and impossible numbers."""
    if command.skill and command.skill not in tables.skills():
        raise Refused("bad_value", f"There is no skill “{command.skill}”.")
    if not EASIEST <= command.difficulty <= HARDEST:
        raise Refused("bad_value", f"A difficulty is {EASIEST} to {HARDEST}.")


def terms_for_check(state: State, command: Check, paid: bool = True) -> Modifiers:
    """[SS-PEN-04] The terms of a check that is an action: the Action Penalty counts."""
    fighter = state[command.actor]
    terms = (
        *check_terms(
            state, fighter, command.attribute, command.skill, "SS-OTHER-01", hindered=_hindered(command)
        ),
        *action_penalty(state, fighter, paid),
        *assist_terms(state, fighter, command.attribute, command.skill),
    )
    return adjusted(command, terms, "SS-OTHER-01")


def _hindered(command: Check) -> str:
    """[SS-PRONE-02] [SS-BLIND-02] What is taken to hinder, as the GM left it.  RULING R38"""
    words = set(find_hindrances(command.attribute, command.skill))
    for word, said in (("prone", command.prone), ("sight", command.sight)):
        words = words | {word} if said == "yes" else words - {word} if said == "no" else words
    return " ".join(sorted(words)) or "none"


def _roll_it(table: Table, command: Check) -> None:
    if not is_able(table.state[command.actor]):
        return
    what = command.skill or ATTRIBUTES[command.attribute]
    roll_check(
        table,
        command.actor,
        terms_for_check(table.state, command),
        command.difficulty,
        rule="SS-OTHER-01",
        what=what,
        why=command.why[:LONGEST],
        again=command.attribute,
    )
    use_assist(table, command.actor, command.attribute, command.skill)


def preview_check(state: State, command: Check) -> Preview:
    """The sums of a check."""
    check_check(state, command)
    number = (Modifier("Difficulty", command.difficulty, "SS-OTHER-01"),)
    return Preview(terms_for_check(state, command, paid=False), number, "Difficulty", DICE)


class Progress(msgspec.Struct, frozen=True):
    """How far a Skill Challenge is.  [SS-OTHER-17]"""

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
    """How far a challenge is; a new one has the figures of the book.  RULING R36"""
    raw = state.marks.get(f"challenge {name.lower()}")
    return msgspec.json.decode(str(raw), type=Progress) if raw else Progress()


def write_progress(table: Table, name: str, progress: Progress, rule: str) -> None:
    """Keep how far a challenge is."""
    raw = msgspec.json.encode(progress).decode()
    table.tell(e.Marked("", f"challenge {name.lower()}", raw), rule, e.GM_ONLY)


def try_challenge(table: Table, command: Challenge) -> None:
    """[SS-OTHER-17] [SS-OTHER-18] One attempt a turn; three successes win, three failures lose."""
    name = clean(command.name, "The name of the challenge")
    progress = check_challenge(table.state, command, name)
    pay(table, command.actor, "skill_challenge", "A Skill Challenge", "SS-OTHER-17")
    result = roll_check(
        table,
        command.actor,
        terms_for_check(table.state, _as_check(command)),
        progress.difficulty,
        rule="SS-OTHER-17",
        what="Skill Challenge",
        why=name,
        again=command.attribute,
    )
    use_assist(table, command.actor, command.attribute, command.skill)
    more = {"won": progress.won + 1} if result.good else {"lost": progress.lost + 1}
    progress = msgspec.structs.replace(progress, **more)
    write_progress(table, name, progress, "SS-OTHER-17")
    ending = "" if progress.word == "open" else f": {progress.word}"
    text = f"{escape(name)}: {progress.won} of {progress.successes}, {progress.lost} failures{ending}."
    table.tell(e.Said(text), "SS-OTHER-18")


def preview_challenge(state: State, command: Challenge) -> Preview:
    """The sums of an attempt."""
    progress = check_challenge(state, command, clean(command.name, "The name of the challenge"))
    number = (Modifier("Difficulty", progress.difficulty, "SS-OTHER-17"),)
    done = f"{progress.won} of {progress.successes} successes, {progress.lost} failures"
    return Preview(
        terms_for_check(state, _as_check(command), paid=False), number, "Difficulty", DICE, (done,)
    )


def _as_check(command: Challenge) -> Check:
    return Check(
        actor=command.actor,
        attribute=command.attribute,
        skill=command.skill,
        adjust=command.adjust,
        because=command.because,
    )


def check_challenge(state: State, command: Challenge, name: str) -> Progress:
    """Refuse a challenge that is over, and unknown skills."""
    if command.skill and command.skill not in tables.skills():
        raise Refused("bad_value", f"There is no skill “{command.skill}”.")
    progress = find_progress(state, name)
    if progress.word != "open":
        raise Refused("not_allowed", f"{name} is {progress.word} already.")
    return progress
