"""Dice of players: rolls that no rule asks for, and their own words in all later sealed rolls.

They have a series of their own: so they get between no rolls of an action that waits, and move no roll of
the fight.
"""

from __future__ import annotations

from msgspec.structs import replace

from ..basics.dice.dice import MAX_DICE, MAX_SIDES
from ..basics.dice.requests import GM
from ..basics.dice.throws import Throw, parse_throw
from ..basics.errors import Refused
from ..commands.commands import Command
from ..commands.context import RuleContext
from ..state import events as e
from ..state.state import State

SERIES, OF_GM = "dice", "dice+gm"
MAX_TERM = 20  # characters
WORD = "dice_word"
MAX_LENGTH = 30


class RollDice(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The dice of a `term` such as 2d6+3, rolled by a player."""

    term: str


class GmRoll(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The dice of a `term`, rolled by the GM; nobody else learns of a `secret` roll."""

    term: str
    secret: bool = False


def read_term(term: str) -> Throw:
    """The dice of a term as a person types it; Refused("bad_value") if there are none."""
    try:
        thrown = parse_throw(term) if len(term) <= MAX_TERM else None
    except ValueError:
        thrown = None
    if thrown is None or not thrown.parts[0].count:
        told = f"“{term[:MAX_TERM]}” is no roll" if term.strip() else "That is no roll"
        bounds = f"up to {MAX_DICE} dice of up to {MAX_SIDES:,} sides"
        raise Refused("bad_value", f"{told}: write dice like 2d6+3, d100, 3d6kh2, 2d6+1d4 or d66, {bounds}.")
    return thrown


def roll_dice(context: RuleContext, command: RollDice) -> None:
    """Roll for a player. All who may know of their combatant see it."""
    _roll(context, command.term, command.actor)


def gm_roll(context: RuleContext, command: GmRoll) -> None:
    """Roll for the GM, before everyone or in secret."""
    _roll(context, command.term, "", command.secret)


def _roll(context: RuleContext, term: str, who: str, secret: bool = False) -> None:
    thrown, series = read_term(term), OF_GM if secret else SERIES
    rolls = [
        context.roll(str(one), by=who or GM, rule="", why="roll.free", look="faces", series=series)
        for one in thrown.parts
    ]
    event = e.DiceRolled(who, rolls[0], secret)
    if not thrown.is_plain:
        total = thrown.add_up([one.faces for one in rolls])
        event = replace(event, term=str(thrown), total=total, more=tuple(rolls[1:]))
    context.emit(event, to=e.GM_ONLY if secret else "")


# The players' own words: each goes into all later sealed rolls, so nobody can know the dice in advance.


class GiveWord(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Set a player's own word for the dice; an empty one removes it."""

    word: str = ""


def find_words(state: State) -> str:
    """The words of all combatants for a roll, in the order they joined."""
    words = (
        str(combatant.marks.get(WORD, "")) for combatant in state.combatants.values() if not combatant.gone
    )
    return ",".join(filter(None, words))


def give_word(context: RuleContext, command: GiveWord) -> None:
    """Take a word for the dice. It is public, since checking the dice needs it."""
    combatant, word = context.state[command.actor], " ".join(command.word.split())
    if combatant.id in context.unknown:
        raise Refused("not_allowed", "Words for the dice are public: show yourself first.")
    if len(word) > MAX_LENGTH or not word.isprintable() or "," in word:
        raise Refused("bad_value", f"A word for the dice has up to {MAX_LENGTH} characters and no comma.")
    if word == combatant.marks.get(WORD, ""):
        raise Refused(
            "not_allowed", "That is the word already." if word else "There is no word to take back."
        )
    context.emit(e.Marked(combatant.id, WORD, word or None))
    key = "log.dice_word" if word else "log.no_dice_word"
    context.emit(e.Said(key, combatant.id, args={"word": word}))
