"""The players' own words: each goes into every sealed roll after it, so nobody can know the dice before."""

from __future__ import annotations

from ..basics.errors import Refused
from ..commands.commands import Command
from ..commands.context import RuleContext
from ..state import events as e
from ..state.state import State

WORD = "dice_word"
MAX_LENGTH = 30


class GiveWord(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A word of somebody's own for the dice; without one it is taken back."""

    word: str = ""


def find_words(state: State) -> str:
    """The words of all combatants as they go into a roll, in the order they joined."""
    words = (str(fighter.marks.get(WORD, "")) for fighter in state.combatants.values() if not fighter.gone)
    return ",".join(filter(None, words))


def give_word(context: RuleContext, command: GiveWord) -> None:
    """Take a word for the dice. It is public, as whoever checks the dice needs it."""
    fighter, word = context.state[command.actor], " ".join(command.word.split())
    if fighter.id in context.unknown:
        raise Refused("not_allowed", "Words for the dice are public: show yourself first.")
    if len(word) > MAX_LENGTH or not word.isprintable() or "," in word:
        raise Refused("bad_value", f"A word for the dice has up to {MAX_LENGTH} characters and no comma.")
    if word == fighter.marks.get(WORD, ""):
        raise Refused(
            "not_allowed", "That is the word already." if word else "There is no word to take back."
        )
    context.emit(e.Marked(fighter.id, WORD, word or None))
    key = "log.dice_word" if word else "log.no_dice_word"
    context.emit(e.Said(key, fighter.id, args={"word": word}))
