"""Exact odds of a command, by running its own procedure over every outcome of its dice.

Equal intermediate states are merged between the steps of a procedure, so that three attacks
in a row cost a few hundred short runs instead of millions.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import msgspec

from . import events as e
from .commands import Action, Command
from .dice import find_outcomes, parse_dice
from .engine import check
from .errors import NeedsAnswer
from .requests import Answer, ChoiceRequest, Request, RollRequest, answer_choice, answer_roll
from .state import State
from .system import Measure, System, Track
from .table import Table, Then

MOST_RUNS = 60_000
Marks = tuple[tuple[str, str, str], ...]


class Outcome(msgspec.Struct, frozen=True):
    """One way a command can end: its exact chance, the state, and the results of its checks.

    A mark is (what was rolled, for or against whom, result).
    """

    chance: Fraction
    state: State
    marks: Marks


class Spread(msgspec.Struct, frozen=True):
    """How much of a track somebody loses, or what is added to one that counts harm up.

    `chances` are points -> exact chance, `mean` is in points.
    """

    who: str
    track: str
    chances: tuple[tuple[int, float], ...]
    mean: float


class Odds(msgspec.Struct, frozen=True):
    """What the odds panel shows. `policy` says how choices were answered."""

    headline: Measure | None
    measures: tuple[Measure, ...]
    spreads: tuple[Spread, ...]
    runs: int
    first_dice: str = ""
    policy: str = "choices answered as the game's tactics would"


class TooMany(Exception):
    """The command has more outcomes than can be counted at once."""


class _Enumerate:
    """Leaves rolls open, so that the caller branches; answers choices by policy."""

    def answer(self, table: Table, request: Request) -> Answer | None:
        if isinstance(request, ChoiceRequest):
            return answer_choice(request, table.system.policy(table.state, request), "policy")
        return None


class _Node(msgspec.Struct):
    weight: Fraction
    state: State
    step: Then | None
    marks: Marks


def find_all(system: System, state: State, action: Action, command: Command) -> list[Outcome]:
    """Every outcome of a command with its exact chance; the chances add up to 1.

    Raises Refused as the command would, and TooMany beyond MOST_RUNS runs.
    """
    return _Enumeration(system, state).run(action, command)


class _Enumeration:
    def __init__(self, system: System, state: State) -> None:
        self.system = system
        self.base = state
        self.runs = 0
        self.first_dice = ""
        self.good: dict[str, set[str]] = {}
        self.rules: dict[str, str] = {}
        self.earned: dict[tuple[str, str, str], Fraction] = {}

    def run(self, action: Action, command: Command) -> list[Outcome]:
        check(self.base, action, command)
        nodes = [_Node(Fraction(1), self.base, Then(action.run, command), ())]
        done: list[_Node] = []
        while nodes:
            grown = self._merge(grown for node in nodes for grown in self._grow(node))
            done += [node for node in grown if node.step is None]
            nodes = [node for node in grown if node.step is not None]
        return [Outcome(n.weight, n.state, n.marks) for n in self._merge(done)]

    def _grow(self, node: _Node) -> list[_Node]:
        """All ways one step can go."""
        found: list[_Node] = []
        open_paths: list[tuple[Fraction, tuple[Answer, ...]]] = [(node.weight, ())]
        while open_paths:
            weight, answers = open_paths.pop()
            table = Table(self.system, node.state, _Enumerate(), answers)
            self._count()
            assert node.step is not None
            try:
                then = node.step.step(table, *node.step.args)
            except NeedsAnswer as needed:
                self._see_dice(needed.requests[0])
                open_paths += _branch(weight, table, needed.requests[0])
            else:
                self._learn(table.facts, weight)
                marks = (*node.marks, *_marks_of(table.facts))
                found.append(_Node(weight, table.state, then, marks))
        return found

    def _see_dice(self, request: Request) -> None:
        if not self.first_dice and isinstance(request, RollRequest):
            self.first_dice = request.dice

    def _learn(self, facts: list[e.Fact], weight: Fraction) -> None:
        """Remember which results of which checks are good for the roller, and what was earned."""
        for fact in facts:
            event = fact.event
            if isinstance(event, e.Checked):
                good = self.good.setdefault(event.what, set())
                self.rules.setdefault(event.what, fact.rule)
                if event.good:
                    good.add(event.outcome)
            elif isinstance(event, e.Earned):
                mark = (event.what, event.target or event.who, str(event.count))
                self.earned[mark] = self.earned.get(mark, Fraction(0)) + weight

    def _count(self) -> None:
        self.runs += 1
        if self.runs > MOST_RUNS:
            raise TooMany

    def _merge(self, nodes: Iterable[_Node]) -> list[_Node]:
        merged: dict[Any, _Node] = {}
        for node in nodes:
            step = node.step
            key = (self._fingerprint(node.state), tuple(sorted(node.marks)))
            whole = (key, step.step, step.args) if step else (key, None, None)
            known = merged.get(whole)
            if known is None:
                merged[whole] = node
            else:
                known.weight += node.weight
        return list(merged.values())

    def _fingerprint(self, state: State) -> tuple[Any, ...]:
        """What differs from the state before the command."""
        base = self.base
        if state is base:
            return ()
        parts: list[Any] = [state.active, state.sharing, state.round, state.phase, state.order, state.clock]
        if state.marks is not base.marks:
            parts.append(msgspec.json.encode(state.marks, order="sorted"))
        if state.scene is not base.scene or state.options is not base.options:
            parts.append(msgspec.json.encode((state.scene, state.options)))
        if state.ground is not base.ground:
            parts.append(msgspec.json.encode(state.ground))
        if state.combatants is not base.combatants:
            for who, fighter in state.combatants.items():
                if fighter is not base.combatants.get(who):
                    parts.append(msgspec.json.encode(fighter))
        return tuple(parts)


def _branch(weight: Fraction, table: Table, request: Request) -> list[tuple[Fraction, tuple[Answer, ...]]]:
    assert isinstance(request, RollRequest)
    dice = parse_dice(request.dice)
    whole = dice.sides**dice.count
    if request.look == "faces" and whole > MOST_RUNS:
        raise TooMany
    given = tuple(table.answers)
    return [
        (weight * Fraction(part, whole), (*given, answer_roll(request, faces, "odds")))
        for faces, part in find_outcomes(request.dice, request.look, request.cuts)
    ]


def _marks_of(facts: list[e.Fact]) -> Marks:
    found = []
    for fact in facts:
        event = fact.event
        if isinstance(event, e.Checked):
            found.append((event.what, event.target or event.who, event.outcome))
    return tuple(found)


def find_odds(system: System, state: State, action: Action, command: Command) -> Odds:
    """The numbers of the odds panel for a command, exact."""
    enumeration = _Enumeration(system, state)
    outcomes = enumeration.run(action, command)
    marks = _measure_marks(outcomes, state, enumeration.earned)
    measures = (*marks, *_measure_falls(system, state, outcomes))
    spreads = _find_spreads(system, state, outcomes)
    return Odds(
        _find_headline(enumeration, outcomes), measures, spreads, enumeration.runs, enumeration.first_dice
    )


def _find_headline(enumeration: _Enumeration, outcomes: list[Outcome]) -> Measure | None:
    """The chance that the first kind of check of the command succeeds at least once."""
    first = next(iter(enumeration.good.items()), None)
    if first is None:
        return None
    what, good = first
    lucky = (o.chance for o in outcomes if any(m[0] == what and m[2] in good for m in o.marks))
    return Measure(what, float(sum(lucky, Fraction(0))), enumeration.rules[what])


def _measure_marks(
    outcomes: list[Outcome], state: State, earned: dict[tuple[str, str, str], Fraction]
) -> tuple[Measure, ...]:
    """The chance of each result; what is earned is told one time in a command, and counted there."""
    chances = dict(earned)
    for outcome in outcomes:
        for mark in set(outcome.marks):
            chances[mark] = chances.get(mark, Fraction(0)) + outcome.chance
    ranked = sorted(chances.items(), key=lambda pair: (pair[0][:2], -pair[1]))
    return tuple(
        Measure(f"{what}: {result} ({state.combatants[who].name})", float(chance), who=who, kind=what)
        for (what, who, result), chance in ranked
    )


def _measure_falls(system: System, base: State, outcomes: list[Outcome]) -> tuple[Measure, ...]:
    found = []
    for who, fighter in base.combatants.items():
        if fighter.gone or system.health(fighter).out:
            continue
        falls = sum(
            (o.chance for o in outcomes if _falls(system, fighter, o.state.combatants[who])),
            Fraction(0),
        )
        if falls:
            down, up = system.falls
            found.append(Measure(f"{fighter.name} {down}", float(falls), who=who, kind="falls"))
            found += [Measure(f"{fighter.name} {up}", float(1 - falls), who=who, kind="falls")] if up else []
    return tuple(found)


def _falls(system: System, before: Any, after: Any) -> bool:
    return after is not before and system.health(after).out


def _find_spreads(system: System, base: State, outcomes: list[Outcome]) -> tuple[Spread, ...]:
    found = []
    for who, fighter in base.combatants.items():
        if all(o.state.combatants[who] is fighter for o in outcomes):
            continue
        for track in system.tracks:
            spread = _spread(who, track, fighter.tracks.get(track.key, 0), outcomes)
            if len(spread.chances) > 1 or spread.mean:
                found.append(spread)
    return tuple(found)


def _spread(who: str, track: Track, before: int, outcomes: list[Outcome]) -> Spread:
    chances: dict[int, Fraction] = {}
    for outcome in outcomes:
        lost = before - outcome.state.combatants[who].tracks.get(track.key, 0)
        lost = -lost if track.rises else lost
        chances[lost] = chances.get(lost, Fraction(0)) + outcome.chance
    mean = float(sum(lost * chance for lost, chance in chances.items()))
    return Spread(who, track.key, tuple((n, float(c)) for n, c in sorted(chances.items())), mean)
