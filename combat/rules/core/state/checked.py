"""The maker of `Checked`: a roll with its terms, against a number; and its words until a defense is known."""

from __future__ import annotations

from collections.abc import Sequence

from ..basics.dice.dice import Roll
from ..basics.modifiers import Modifiers
from ..basics.words import Label
from .events import Checked, Event, Fact
from .state import replace

WOULD_HIT = "outcome.would_hit"  # of an attack that a defense can still ward off, or has warded off


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


def leave_open(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """The facts with the last attack that succeeded as one that a defense can still ward off."""
    for place in range(len(facts) - 1, -1, -1):
        event = facts[place].event
        if isinstance(event, Checked) and event.good:
            return (*facts[:place], tell_averted(facts[place]), *facts[place + 1 :])
    return tuple(facts)


def tell_averted(fact: Fact) -> Fact:
    """A successful attack as it is told while a defense can still change it, or once one did."""

    def tell(event: Event | None) -> Event | None:
        return replace(event, outcome=WOULD_HIT) if isinstance(event, Checked) else event

    return replace(fact, event=tell(fact.event), twin=tell(fact.twin))
