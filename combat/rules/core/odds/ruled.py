"""What was ruled once, weighed against the step of the tactics: by the exact damage that each may do.

Only what is counted in points is weighed: rulings whose endings are damage and words, with an open number.
What moves people, hinders them or takes things is left to people. Damage to others than enemies counts
against it, twice, and so does that of failing.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from ..basics.errors import Refused
from ..commands.commands import Command
from ..declaration.system import System
from ..engine.engine import find_action
from ..gm.rulings import USE, UseRuling, find_target, needs_target
from ..map.bodies import is_concealed_from
from ..sides import are_opposed, has_turns
from ..state.rulings import Ruling
from ..state.state import State, present
from .enumeration import TooMany
from .odds import find_first, find_odds

Submission = tuple[str, Command]
COUNTED = ("harm", "words")  # the kinds of endings that are weighed
MAX_TARGETS = 4
MAX_LOOKS = 5_000  # of one count, a quarter of a second: the same on every machine


def find_better(
    system: System,
    state: State,
    actor: str,
    usual: Submission | None,
    rolled: tuple[State, Submission] | None,
) -> Submission | None:
    """The ruling that someone does in place of the usual step; None without one that does more damage.

    The usual step leads to the roll in the same turn. Nobody leaves anything but an attack for a ruling:
    where that roll does no damage, or there is none, the usual step stays.
    """
    rulings = [one for one in state.combatants[actor].all_rulings if _is_counted(one)]
    if not rulings:
        return None
    least = _count_damage(system, *rolled, unknown=inf) if rolled else 0.0
    best: Submission | None = None
    for ruling in rulings if least > 0 or usual is None else ():
        for target in _find_targets(system, state, actor, ruling):
            again = USE, UseRuling(actor=actor, ruling=ruling.id, target=target)
            worth = _count_damage(system, state, again, unknown=-inf)
            if worth > least:
                least, best = worth, again
    return best


def _is_counted(ruling: Ruling) -> bool:
    """Whether all that follows from a ruling is damage and words, which its player knows."""
    kinds = {effect.kind for effect in (*ruling.works, *ruling.fails)}
    return "harm" in kinds and kinds <= {*COUNTED} and not (ruling.secret or ruling.hides)


def _find_targets(system: System, state: State, actor: str, ruling: Ruling) -> Iterator[str]:
    """Whom a ruling can be done to: enemies, first the one it was about; "" if it concerns nobody."""
    if not needs_target(ruling):
        yield ""
        return
    one, first = state.combatants[actor], find_target(state, actor, ruling)
    foes = [
        foe
        for foe in present(state)
        if are_opposed(system, one, foe)
        and has_turns(system, state, foe)
        and not is_concealed_from(state, one, foe)
    ]
    for foe in sorted(foes, key=lambda foe: foe.id != first)[:MAX_TARGETS]:
        yield foe.id


def _count_damage(system: System, state: State, submission: Submission, unknown: float) -> float:
    """The points that a step takes off enemies on average, less twice those off others.

    `unknown` if there is too much to count; below everything if the step is refused.
    """
    name, command = submission
    looks = iter(range(MAX_LOOKS))
    try:
        odds = find_odds(system, state, find_action(system, name), command, lambda: next(looks, None) is None)
    except Refused:
        return -inf
    except TooMany:
        return unknown
    one, first = state.combatants[command.actor], find_first(system)
    return sum(
        each.mean * (1 if are_opposed(system, one, state.combatants[each.who]) else -2)
        for each in odds.distributions
        if each.track == first
    )
