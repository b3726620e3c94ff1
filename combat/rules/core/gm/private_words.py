"""Words between people at the table: to everyone, their side, the GM or one player. No deed of the fight.

They cost nothing, wait for no turn, and stand in the log of those alone whom they are for. The GM, who
holds the log, reads all of them.
"""

from __future__ import annotations

from ..basics.checking import tidy
from ..basics.errors import Refused
from ..commands.commands import Command
from ..commands.context import RuleContext
from ..state import events as e
from ..state.state import Combatant, State, is_played, present

ALL, SIDE, GM = "all", "side", "gm"  # whom words can be for, beside one combatant's player
MAX_LENGTH = 300  # characters


class SendWord(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player's words, `to` everyone, the own side, the GM or the player of the combatant with this id."""

    to: str
    text: str


class GmWord(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The GM's words to the player of one combatant."""

    target: str
    text: str


def find_hearers(state: State, actor: str = "") -> tuple[Combatant, ...]:
    """Whom someone, or the GM, can talk to alone: all whom other people play. `state` is what they know."""
    return tuple([one for one in present(state) if one.id != actor and is_played(state, one)])


def send_word(context: RuleContext, command: SendWord) -> None:
    """Give a player's words to those whom they are for."""
    who, text = command.actor, _read(command.text)
    if command.to == ALL:
        context.emit(e.Said("log.word", who, args={"words": text}))
    elif command.to == SIDE:
        side = context.state[who].side
        people = [one.id for one in present(context.state) if one.side == side]
        context.emit(e.Said("log.word_to_side", who, args={"words": text}), to=e.for_seats(people))
    elif command.to == GM:
        context.emit(e.Said("log.word_to_gm", who, args={"words": text}), to=e.for_seat(who))
    else:
        target = _find_hearer(context, who, command.to)
        said = e.Said("log.word_to_one", who, target.id, args={"words": text})
        context.emit(said, to=e.for_seats((who, target.id)))


def gm_word(context: RuleContext, command: GmWord) -> None:
    """Give the GM's words to one player."""
    one = next((one for one in find_hearers(context.state) if one.id == command.target), None)
    if one is None:
        raise Refused("bad_value", "Nobody plays them: choose someone with a player.")
    said = e.Said("log.word_of_gm", one.id, args={"words": _read(command.text)})
    context.emit(said, to=e.for_seat(one.id))


def _find_hearer(context: RuleContext, actor: str, to: str) -> Combatant:
    found = next((one for one in find_hearers(context.state, actor) if one.id == to), None)
    if found is None or to in context.unknown:
        raise Refused("bad_value", "Choose who reads it: everyone, your side, the GM or a player.")
    return found


def _read(text: str) -> str:
    """The words as they are kept; Refused if there are none, or too many. Their line has a full stop."""
    words = tidy(text).removesuffix(".")
    if not 1 <= len(words) <= MAX_LENGTH:
        raise Refused("bad_value", f"Write 1 to {MAX_LENGTH} characters.")
    return words
