"""The GM overrules a roll of a finished command: the same command again, with its dice kept.

The verdict turns by the smallest number of points added to the roll. Dice that the new course does not need
are dropped; dice that it needs in addition are rolled as always.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from ..basics.dice.dice import check_faces
from ..basics.dice.requests import KEPT, Answer, Request, RollRequest, key_of
from ..basics.dice.sealed import SealedDice
from ..basics.errors import Refused, allows
from ..basics.words import Label, Phrase
from ..commands.commands import Action, Command
from ..commands.context import RuleContext
from ..commands.overruling import Overruling
from ..declaration.system import System
from ..state import events as e
from ..state.state import State
from .engine import Done, LiveDriver, Waiting, run

MOST_POINTS = 30  # added to a roll
NO_POINTS = "No modifier changes that roll: undo the action and decide it by hand."

Key = tuple[str, str, str, int]


class Verdict(msgspec.Struct, frozen=True):
    """A check of a finished command with the name of its roll. `label` says what overruling it means."""

    check: e.Checked
    roll: Overruling
    label: Label


class KeptDriver(LiveDriver):
    """Answers with the dice and choices of an earlier course first; without `dice`, with nothing else."""

    gathers = False  # kept dice count for each roller

    def __init__(
        self, kept: Mapping[Key, Answer], dice: SealedDice | None = None, typed: bool = False
    ) -> None:
        super().__init__(typed=typed, dice=dice)
        self.kept = kept

    def answer(self, context: RuleContext, request: Request) -> Answer | None:
        """The kept answer, if it still fits the request; else that of the table."""
        known = self.kept.get(key_of(request))
        if known and _fits(request, known):
            return keep_roll(known, request.dice) if isinstance(request, RollRequest) else known
        return super().answer(context, request) if self.dice else None


def keep_roll(rolled: Answer, dice: str) -> Answer:
    """The same faces as an answer of their own: they have no number, as nothing was rolled for it."""
    return Answer(
        "roll",
        rolled.rule,
        rolled.who,
        ordinal=rolled.ordinal,
        faces=rolled.faces,
        value="",
        source=KEPT,
        dice=dice,
    )


def _fits(request: Request, known: Answer) -> bool:
    if not isinstance(request, RollRequest):
        is_open = any(option.value == known.value and not option.refused for option in request.options)
        return is_open or request.split is not None
    return allows(check_faces, request.dice, known.faces) and known.dice in ("", request.dice)


def find_verdicts(
    system: System, facts: Iterable[e.Fact], answers: Iterable[Answer]
) -> Iterator[Verdict | None]:
    """Each check among the facts, in order; None for one that cannot be overruled.

    The catalogue names the outcomes that can: `overrule.miss = "It hit after all"`, and those of one kind of
    check: `overrule.block_defended`.
    """
    left: dict[tuple[str, str], list[Answer]] = defaultdict(list)
    for answer in answers:
        if answer.kind == "roll":
            left[answer.rule, answer.who].append(answer)
    for event in (fact.event for fact in facts):
        if isinstance(event, e.Checked):
            roll, outcome = event.roll, event.outcome.removeprefix("outcome.")
            own, label = f"overrule.{event.kind}_{outcome}", f"overrule.{outcome}"
            label = own if own in system.words else label
            rolled = _take(left[roll.rule, roll.by], roll.faces)
            is_open = rolled is not None and event.against is not None and label in system.words
            named = Overruling(roll.rule, roll.by, rolled.ordinal if rolled else 0)
            yield Verdict(event, named, Phrase(label, {"what": event.what})) if is_open else None


def _take(left: list[Answer], faces: tuple[int, ...]) -> Answer | None:
    """The next answer with these faces; those before it belong to rolls that no check tells."""
    place = next((n for n, answer in enumerate(left) if answer.faces == faces), None)
    if place is None:
        return None
    found = left[place]
    del left[: place + 1]
    return found


def overrule(
    system: System,
    state: State,
    action: Action,
    command: Command,
    verdict: Verdict,
    kept: Mapping[Key, Answer],
) -> tuple[Command, Done | Waiting]:
    """The command with the verdict changed, and its result as far as the kept answers carry it.

    `state` is the one before it. Refused if no number of points changes the verdict.
    """
    known = {one.key: one for one in command.overruled}
    was = known[verdict.roll.key].points if verdict.roll.key in known else 0
    for points in _list_points(verdict.check, was):
        known[verdict.roll.key] = msgspec.structs.replace(verdict.roll, points=points)
        found = _try(system, state, action, command=command, known=known, kept=kept)
        verdicts = find_verdicts(system, found[1].facts, found[1].answers)
        now = next((v for v in verdicts if v and v.roll.key == verdict.roll.key), None)
        if now and now.check.good != verdict.check.good:
            told = msgspec.structs.replace(known[verdict.roll.key], outcome=now.check.outcome)
            return _try(system, state, action, command=command, known=known | {told.key: told}, kept=kept)
    raise Refused("not_allowed", NO_POINTS)


def _list_points(check: e.Checked, was: int) -> list[int]:
    """The points to try, the fewest first: those that reach the number or just miss it, then all others."""
    short = (check.against or 0) - check.total
    near = [was + short + more for more in (-1, 0, 1)]
    every = range(was - MOST_POINTS, was + MOST_POINTS + 1)
    return sorted({*near, 0} - {was}, key=abs) + sorted(set(every) - {*near, 0, was}, key=abs)


def _try(
    system: System,
    state: State,
    action: Action,
    command: Command,
    known: Mapping[tuple[str, str, int], Overruling],
    kept: Mapping[Key, Answer],
) -> tuple[Command, Done | Waiting]:
    changed = msgspec.structs.replace(command, overruled=tuple(known.values()))
    return changed, run(system, state, action, command=changed, driver=KeptDriver(kept))
