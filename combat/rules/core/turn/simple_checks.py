"""Simple checks and healing for any game: a roll under a number, and points that come back."""

from __future__ import annotations

from ..basics.dice.dice import Roll
from ..basics.modifiers import Modifiers, add_up
from ..basics.words import Label
from ..commands.commands import Preview
from ..commands.context import RuleContext
from ..declaration.system import system_of
from ..state import events as e
from .turns import find_most

SUCCESS = ("outcome.success", "outcome.failure")
NEEDED = "against.needed"  # what a number to roll under is called, unless the game says otherwise


def roll_under(
    context: RuleContext,
    who: str,
    terms: Modifiers,
    *,
    dice: str,
    rule: str,
    what: Label,
    target: str = "",
    words: tuple[str, str] = SUCCESS,
    label: Label = NEEDED,
) -> bool:
    """Roll dice at or under the sum of the terms, and tell it; whether that succeeded.

    A sum below the least roll always fails, one from the highest roll on always succeeds. `words` are the
    keys of a success and of a failure, `label` that of the number. Odds branch only there.
    """
    number = add_up(terms)
    roll = context.roll(dice, by=who, rule=rule, why=what, cuts=(number + 1,), verdict=(number + 1,))
    told = e.make_checked(
        who,
        what,
        roll,
        against=number,
        against_terms=terms,
        against_label=label,
        target=target,
        good=roll.total <= number,
        words=words,
    )
    context.emit(told, rule)
    return told.good


def preview_under(terms: Modifiers, dice: str, *notes: Label, label: Label = NEEDED) -> Preview:
    """The sum of such a roll before it is made."""
    return Preview((), terms, label, dice=dice, notes=notes)


def heal(
    context: RuleContext, who: str, key: str, roll: Roll | int, *, rule: str, why: Label, by: str = ""
) -> int:
    """Give points of a number back, by a roll or so many, up to the most there is; returns how many.

    What follows, such as waking up, is the game's `after_change`.
    """
    before, system = context.state[who], system_of(context)
    points = roll if isinstance(roll, int) else roll.total
    most = find_most(system, context.state, before, system.characters.find_track(key))
    old = before.tracks[key]
    new = old + points if most is None else min(most, old + points)
    if new <= old:
        return 0
    rolled = None if isinstance(roll, int) else roll
    context.emit(e.TrackChanged(who, key, old, new, why=why, roll=rolled, by=by), rule)
    system.turn.after_change(context, before)
    return new - old
