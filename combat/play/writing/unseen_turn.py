"""What a viewer still sees while a combatant they do not know of has the turn.

Their state is folded without the step that passes the turn, so that the last visible combatant still acts,
and its lines join those of the next turn in sight. If a round begins with such a turn, viewers read what they
see of it in the round before. Nothing of this is stored.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count

from combat.audience.changes import STARTS, is_held_back, is_quiet
from combat.audience.map_fog import find_unknown
from combat.audience.secrecy import redact
from combat.audience.viewer import Viewer
from combat.models import Encounter, StoredStep
from combat.rules.core.declaration.parts import Actions
from combat.rules.core.state import events as e
from combat.rules.core.state.fold import fold, fold_all
from combat.rules.core.state.history import COMMAND, Step
from combat.rules.core.state.state import State, replace

from .step_cache import find_rows, state_at
from .verification import read_step

MOST = 100  # steps searched for who acted last, or read at a time
OVER, BEGINS, ELSE = "Your turn is over", "The fight begins", "The GM is playing"
TURNS = (*STARTS, e.TurnEnded, e.FightStarted, e.FightEnded)


@dataclass(frozen=True)
class UnseenTurn:
    """What a viewer goes on seeing: the fight as it was `then`, without the steps `held` back.

    `ended` had the last turn in sight. `said` is what a page says if it may show nobody as acting.
    """

    then: State
    held: tuple[int, ...]
    ended: str
    said: str


@dataclass(frozen=True)
class ToldLater:
    """What a viewer reads later than it happened, or in an earlier round.

    `steps` were held back, newest first, each with the number of the step that told it; 0 if it was undone
    before. `rounds` are those that the viewer knew of at steps after which another had begun out of sight.
    """

    steps: dict[int, int] = field(default_factory=dict)
    rounds: dict[int, int] = field(default_factory=dict)


def is_unseen(full: State, known: State) -> bool:
    """Whether a combatant has the turn whom a viewer with this knowledge does not know."""
    return full.phase == "fight" and bool(full.active) and not known.active


def find_unseen_turn(encounter: Encounter, viewer: Viewer, now: State, number: int = 0) -> UnseenTurn:
    """What a viewer goes on seeing while nobody they know of acts; with a number, after that step.

    Two queries, and one more if steps wait.
    """
    rows = StoredStep.objects.filter(encounter=encounter, kind=COMMAND, struck=False).order_by("-number")
    rows = rows.filter(number__lte=number) if number else rows
    held, since, last = _look_back(find_rows(rows[:MOST]), viewer)
    then = replace(fold_all(state_at(encounter, held[-1] - 1), since), played=now.played) if held else now
    if not find_unknown(now, viewer) & then.combatants.keys() <= find_unknown(then, viewer):
        held, then = (), now  # someone has gone out of sight since
    ended = last.who if isinstance(last, e.TurnEnded) else ""
    said = OVER if viewer.plays(ended) else BEGINS if isinstance(last, e.FightStarted) else ELSE
    return UnseenTurn(then, held, ended, said)


def find_known(encounter: Encounter, viewer: Viewer, now: State) -> State:
    """What a viewer may know of the present state; in a hidden turn the last visible combatant still acts."""
    known = redact(now, viewer)
    if not is_unseen(now, known):
        return known
    turn = find_unseen_turn(encounter, viewer, now)
    return keep_acting(redact(turn.then, viewer), viewer, turn.ended)


def find_told_later(
    encounter: Encounter, viewer: Viewer, held: Collection[int] = (), most: int = 0
) -> ToldLater:
    """What a viewer reads later than it happened. The steps `held` still wait, and are not among them.

    With `most`, only what is among the newest `most` steps of their log: the search ends before older turns.
    """
    found, later, seen = ToldLater(), 0, 0
    newer = end = encounter.steps + 1
    for row in _find_passed(encounter):
        step = read_step(row)
        if is_held_back(step, viewer):
            if row.struck or later:
                found.steps[row.number] = 0 if row.struck else later
            until = newer if row.struck else later or (end if row.number in held else 0)
            found.rounds.update(_find_rounds(step, range(row.number + 1, until)))
        elif not (row.struck or is_quiet(step, viewer)) and _find_turns(step, viewer):
            seen += 1
            if seen > most > 0:
                break
            later = row.number if row.name == Actions.advance else 0
        newer = row.number
    return found


def _find_rounds(step: Step, numbers: range) -> dict[int, int]:
    """The steps with these numbers, each with the round before the one that a step began; none if none."""
    begun = [fact.event.round for fact in step.facts if isinstance(fact.event, e.RoundStarted)]
    return dict.fromkeys(numbers, begun[0] - 1) if begun else {}


def _find_passed(encounter: Encounter) -> Iterator[StoredStep]:
    """The steps that pass a turn or begin a fight, newest first."""
    names = Actions.start, Actions.advance
    passed = StoredStep.objects.filter(encounter=encounter, kind=COMMAND, name__in=names).order_by("-number")
    for first in count(0, MOST):
        rows = find_rows(passed[first : first + MOST])
        yield from rows
        if len(rows) < MOST:
            return


def _look_back(
    rows: Iterable[StoredStep], viewer: Viewer
) -> tuple[tuple[int, ...], tuple[e.Fact, ...], e.Event | None]:
    """The steps held back since a viewer last saw something of a turn, and what that was.

    Also the facts of the other steps since the first of them. `rows` are newest first, what is found oldest
    last for the steps, and oldest first for the facts.
    """
    held, since, waiting = list[int](), list[e.Fact](), list[e.Fact]()
    for row in rows:
        step = read_step(row)
        if is_quiet(step, viewer):
            held, since, waiting = [*held, row.number], [*waiting, *since], []
        else:
            waiting = [*step.facts, *waiting]
        if turns := _find_turns(step, viewer):
            return tuple(held), tuple(since), turns[-1]
    return tuple(held), tuple(since), None


def _find_turns(step: Step, viewer: Viewer) -> list[e.Event]:
    """What a viewer sees in a step of turns, and of fights that begin or end."""
    return [fact.event for fact in viewer.select(step.facts) if isinstance(fact.event, TURNS)]


def keep_acting(known: State, viewer: Viewer, ended: str) -> State:
    """The state in which the last visible combatant still acts, unless the viewer plays them."""
    for who in (known.active, *known.sharing):
        if viewer.plays(who):
            known = fold(known, e.TurnEnded(who))
    one = known.combatants.get(ended)
    if known.active or one is None or one.gone or viewer.plays(ended):
        return known
    return replace(known, active=ended, combatants={**known.combatants, ended: replace(one, acted=False)})
