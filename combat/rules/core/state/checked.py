"""The maker of `Checked`: a roll with its terms, against a number."""

from __future__ import annotations

from ..basics.dice.dice import Roll
from ..basics.modifiers import Modifiers
from ..basics.words import Label
from .events import Checked


def make_checked(
    who: str,
    what: Label,
    roll: Roll,
    terms: Modifiers = (),
    *,
    against: int | None = None,
    against_terms: Modifiers = (),
    against_label: Label = "",
    target: str = "",
    good: bool | None = None,
    words: tuple[str, str] | None = None,
    outcome: str = "",
) -> Checked:
    """A roll with the terms added, against a number: as much is good, unless `good` says otherwise.

    `words` are the keys of the outcomes of a good and of a bad roll. Without them or an `outcome` it is the
    total.
    """
    total = roll.total
    for term in terms:  # a call fewer in each check
        total += term.value
    if good is None:
        good = against is None or total >= against
    return Checked(
        who=who,
        what=what,
        roll=roll,
        modifiers=terms,
        total=total,
        outcome=outcome or (words[not good] if words else str(total)),
        against=against,
        against_terms=against_terms,
        against_label=against_label,
        target=target,
        good=good,
    )
