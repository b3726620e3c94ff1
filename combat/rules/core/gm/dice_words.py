"""The players' own words: each goes into all later sealed rolls, so nobody can know the dice in advance."""

from __future__ import annotations

from ..basics.errors import Refused
from ..commands.commands import Command
from ..commands.context import RuleContext
from ..state import events as e
from ..state.state import State

WORD = "dice_word"
MAX_LENGTH = 30


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
