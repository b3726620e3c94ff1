"""Free dice: anyone at the table rolls dice that no rule asks for. Nothing follows from them.

They have a series of their own: so they get between no rolls of an action that waits, and move no roll of
the fight.
"""

from __future__ import annotations

from ..basics.dice.dice import MAX_DICE, MAX_SIDES, Dice, parse_dice
from ..basics.dice.requests import GM
from ..basics.errors import Refused
from ..commands.commands import Command
from ..commands.context import RuleContext
from ..state import events as e

SERIES, OF_GM = "dice", "dice+gm"
MAX_TERM = 20  # characters


class RollDice(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The dice of a `term` such as 2d6+3, rolled by a player."""

    term: str


class GmRoll(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The dice of a `term`, rolled by the GM; nobody else learns of a `secret` roll."""

    term: str
    secret: bool = False


def read_term(term: str) -> Dice:
    """The dice of a term as a person types it; Refused("bad_value") if there are none."""
    try:
        dice = parse_dice(term.lower()) if len(term) <= MAX_TERM else Dice(0, 0)
    except ValueError:
        dice = Dice(0, 0)
    if not dice.count:
        told = f"“{term[:MAX_TERM]}” is no roll" if term.strip() else "That is no roll"
        bounds = f"up to {MAX_DICE} dice of up to {MAX_SIDES:,} sides"
        raise Refused("bad_value", f"{told}: write dice like 2d6+3 or d100, {bounds}.")
    return dice


def roll_dice(context: RuleContext, command: RollDice) -> None:
    """Roll for a player. All who may know of their combatant see it."""
    _roll(context, command.term, command.actor)


def gm_roll(context: RuleContext, command: GmRoll) -> None:
    """Roll for the GM, before everyone or in secret."""
    _roll(context, command.term, "", command.secret)


def _roll(context: RuleContext, term: str, who: str, secret: bool = False) -> None:
    dice, series = str(read_term(term)), OF_GM if secret else SERIES
    roll = context.roll(dice, by=who or GM, rule="", why="roll.free", look="faces", series=series)
    context.emit(e.DiceRolled(who, roll, secret), to=e.GM_ONLY if secret else "")
