"""Speech: anyone may speak at any time, to everyone or to their own side only."""

from __future__ import annotations

from typing import Literal

from combat.rules.core.basics.checking import tidy
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Command, Field
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, present

from ..world.senses import tell_unheard

MAX_LENGTH = 200  # characters: the most that can be said in passing
HEARERS = (Choice("all", "everyone"), Choice("side", "your side"))


class Speech(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Words of at most 200 characters, and their audience."""

    what: str = ""
    to: Literal["all", "side"] = "all"


def say(context: RuleContext, command: Speech) -> None:
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
        Field("to", "Heard by", "choice", HEARERS, "all", rule="COS-ACT-22"),
    )
