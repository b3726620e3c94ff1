"""Exact odds of a command, by running its own procedure over every outcome of its dice.

Equal intermediate states are merged between the steps of a procedure, so that three attacks
in a row cost a few hundred short runs instead of millions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from ..basics.dice import find_outcomes, parse_dice
from ..basics.requests import (
    Answer,
    ChoiceRequest,
    NeedsAnswer,
    Request,
    RollRequest,
    answer_choice,
    answer_roll,
)
from ..basics.words import Label, say
from ..commands.commands import Action, Command, check
from ..commands.context import RuleContext, Then
from ..sides import are_opposed
from ..state import events as e
from ..state.state import Combatant, State
from ..system import Measure, System, Track
from ..turns import find_deferred, is_shared, take_deferred
from .partition import Chances, Mark, Results, part_checks, part_earned

MAX_RUNS = 60_000
LOOK_EVERY = 8  # items of a list, all alike and quickly done
Marks = tuple[tuple[str, str, str], ...]
GiveUp = Callable[[], bool]  # looked at all the time while counting; who counts brings the clock


def never() -> bool:
    """Count to the end, however long it takes."""
    return False


class Outcome(msgspec.Struct, frozen=True):
    """One way a command can end: its exact chance, the state, and the results of its checks.

    A mark is (what was rolled, for or against whom, result).
    """

    chance: Fraction
    state: State
    marks: Marks


class Distribution(msgspec.Struct, frozen=True):
    """How much of a track somebody loses, or what is added to one that counts harm up.

    `chances` are points -> exact chance, `mean` is in points.
    """

    who: str
    track: str
    chances: tuple[tuple[int, float], ...]
    mean: float


class Odds(msgspec.Struct, frozen=True):
    """What the odds panel shows. `policy` says how choices were answered.

    `dealt` is what the enemies caught lose of the first track together, on average, in points.
    """

    headline: Measure | None
    measures: tuple[Measure, ...]
    distributions: tuple[Distribution, ...]
    runs: int
    first_dice: str = ""
    asks_first: bool = False
    policy: str = "choices answered as the game's tactics would"
    dealt: float = 0.0


class TooMany(Exception):
    """The command has more outcomes than can be counted at once, or in the time there is."""


class _Enumerate:
    """Leaves rolls open, so that the caller branches; answers choices by policy."""

    def __init__(self, enumeration: _Enumeration) -> None:
        self.enumeration = enumeration

    def answer(self, context: RuleContext, request: Request) -> Answer | None:
        if isinstance(request, ChoiceRequest):
            self.enumeration.asks_first |= not self.enumeration.first_dice
            return answer_choice(request, context.system.policy(context.state, request), "policy")
        return None


class _Node(msgspec.Struct):
    weight: Fraction
    state: State
    step: Then | None
    marks: Marks


class _Watched(list[Any]):
    """A list that is not gone through to its end once counting is to be given up."""

    def __init__(self, items: Iterable[Any], give_up: GiveUp) -> None:
        super().__init__(items)
        self.give_up = give_up

    def __iter__(self) -> Iterator[Any]:
        for number, item in enumerate(super().__iter__()):
            if number % LOOK_EVERY == 0 and self.give_up():
                raise TooMany
            yield item


def find_all(
    system: System, state: State, action: Action, command: Command, give_up: GiveUp = never
) -> list[Outcome]:
    """Every outcome of a command with its exact chance; the chances add up to 1.

    Raises Refused as the command would, and TooMany beyond MAX_RUNS runs or when told to give up.
    """
    return _Enumeration(system, state, give_up).run(action, command)


class _Enumeration:
    """All ways of one command. A `loose` one counts states as equal that the panel cannot tell apart."""

    def __init__(self, system: System, state: State, give_up: GiveUp, loose: bool = False) -> None:
        self.system = system
        self.give_up = give_up
        self.blur = system.blur if loose else None
        self.base = state
        self.runs = 0
        self.trades = True
        self.first_dice = ""
        self.asks_first = False
        self.good: dict[str, set[str]] = {}
        self.rules: dict[str, str] = {}
        self.earned: Chances = {}
        self.results = Results()
        self.names = {who: fighter.name for who, fighter in state.combatants.items()}

    def run(self, action: Action, command: Command, to_the_end: bool = False) -> list[Outcome]:
        """Every outcome; `to_the_end` also of what would wait for others who act at the same time."""
        check(self.base, action, command.actor)
        self.trades = not command.untraded
        done = self._finish([_Node(Fraction(1), self.base, Then(action.run, command), ())])
        if to_the_end and is_shared(self.base):
            waiting = Then(take_deferred, find_deferred(self.base))
            done = self._finish([_Node(n.weight, n.state, waiting, n.marks) for n in done])
        return [Outcome(n.weight, n.state, n.marks) for n in done]

    def _finish(self, nodes: list[_Node]) -> list[_Node]:
        """Go on with every step until there is none; equal states merged."""
        done: list[_Node] = []
        while nodes:
            grown = self._merge(grown for node in nodes for grown in self._grow(node))
            done += [node for node in grown if node.step is None]
            nodes = [node for node in grown if node.step is not None]
        return self._merge(done)

    def _grow(self, node: _Node) -> list[_Node]:
        """All ways one step can go."""
        found: list[_Node] = []
        open_paths: list[tuple[Fraction, tuple[Answer, ...]]] = [(node.weight, ())]
        while open_paths:
            weight, answers = open_paths.pop()
            context = RuleContext(self.system, node.state, _Enumerate(self), answers, self.trades)
            self._count()
            assert node.step is not None
            try:
                then = node.step.step(context, *node.step.args)
            except NeedsAnswer as needed:
                self._see_dice(needed.requests[0])
                open_paths += self._branch(weight, context, needed.requests[0])
            else:
                self._learn(context.facts, weight)
                marks = (*node.marks, *self._marks_of(context.facts))
                found.append(_Node(weight, context.state, then, marks))
        return found

    def _see_dice(self, request: Request) -> None:
        if not self.first_dice and isinstance(request, RollRequest):
            self.first_dice = request.dice

    def _learn(self, facts: list[e.Fact], weight: Fraction) -> None:
        """Remember which results of which checks are good for the roller, and what was earned."""
        for fact in facts:
            event = fact.event
            if isinstance(event, e.Checked):
                what = self._name(event.what)
                self.results.learn(event, what)
                good = self.good.setdefault(what, set())
                self.rules.setdefault(what, fact.rule)
                if event.good:
                    good.add(event.outcome)
            elif isinstance(event, e.Earned):
                mark = (event.what, event.target or event.who, str(event.count))
                self.earned[mark] = self.earned.get(mark, Fraction(0)) + weight

    def _name(self, label: Label) -> str:
        """The words that a kind of check goes by in the odds."""
        return label if isinstance(label, str) else self.system.draw(label, self.names)

    def _marks_of(self, facts: list[e.Fact]) -> Marks:
        checks = (fact.event for fact in facts if isinstance(fact.event, e.Checked))
        return tuple((self._name(c.what), c.target or c.who, c.outcome) for c in checks)

    def _count(self) -> None:
        self.runs += 1
        if self.runs > MAX_RUNS or self.give_up():
            raise TooMany

    def _outcomes_of(self, request: RollRequest) -> tuple[tuple[tuple[int, ...], int], ...]:
        alike = request.kin if self.blur and request.kin else request.alike
        return find_outcomes(request.dice, request.look, request.cuts, alike)

    def _branch(
        self, weight: Fraction, context: RuleContext, request: Request
    ) -> list[tuple[Fraction, tuple[Answer, ...]]]:
        assert isinstance(request, RollRequest)
        dice = parse_dice(request.dice)
        whole = dice.sides**dice.count
        if request.look != "sum" and whole > MAX_RUNS:
            raise TooMany
        given = tuple(context.answers)
        return [
            (weight * Fraction(part, whole), (*given, answer_roll(request, faces, "odds")))
            for faces, part in _Watched(self._outcomes_of(request), self.give_up)
        ]

    def _merge(self, nodes: Iterable[_Node]) -> list[_Node]:
        merged: dict[Any, _Node] = {}
        for node in _Watched(nodes, self.give_up):
            step = node.step
            state = self.blur(node.state, step.args if step else ()) if self.blur else node.state
            key = (self._fingerprint(state), tuple(sorted(node.marks)))
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


def find_odds(
    system: System, state: State, action: Action, command: Command, give_up: GiveUp = never
) -> Odds:
    """The numbers of the odds panel for a command, exact. Raises what `find_all` raises."""
    enumeration = _Enumeration(system, state, give_up, loose=True)
    outcomes = _Watched(enumeration.run(action, command, to_the_end=True), give_up)
    marks = _measure_marks(system, outcomes, state, enumeration)
    measures = (*marks, *_measure_falls(system, state, outcomes), *_measure_fates(system, state, outcomes))
    distributions = _find_distributions(system, state, outcomes)
    caught = action.find_caught(state, command) if action.find_caught else ()
    enemies = [who for who in caught if are_opposed(system, state[who], state[command.actor])]
    return Odds(
        _find_headline(enumeration, outcomes, caught, enemies),
        measures,
        distributions,
        enumeration.runs,
        "" if enumeration.asks_first else enumeration.first_dice,
        asks_first=enumeration.asks_first,
        dealt=sum(s.mean for s in distributions if s.who in enemies and s.track == find_first(system)),
    )


def _find_headline(
    enumeration: _Enumeration, outcomes: list[Outcome], caught: Sequence[str], enemies: Sequence[str]
) -> Measure | None:
    """The chance that the first kind of check of the command succeeds at least once.

    Where it catches people, that at least one enemy fails theirs; without enemies, that nobody does.
    """
    first = next(iter(enumeration.good.items()), None)
    if first is None:
        return None
    what, good = first
    named = enumeration.system.draw(what)
    if not caught:
        label, lucky = f"to succeed: {named}", _chance_of(outcomes, what, good)
    elif enemies:
        name = enumeration.base[enemies[0]].name if len(enemies) == 1 else "at least one enemy"
        label, lucky = f"{name} fails: {named}", _chance_to_fail(outcomes, what, good, enemies)
    else:
        label, lucky = f"nobody fails: {named}", 1 - _chance_to_fail(outcomes, what, good, caught)
    return Measure(label, float(lucky), enumeration.rules[what], kind=what)


def _chance_of(outcomes: list[Outcome], what: str, good: set[str]) -> Fraction:
    lucky = (o.chance for o in outcomes if any(m[0] == what and m[2] in good for m in o.marks))
    return sum(lucky, Fraction(0))


def _chance_to_fail(outcomes: list[Outcome], what: str, good: set[str], who: Sequence[str]) -> Fraction:
    """The chance that at least one of these fails a check of this kind."""

    def fails(mark: tuple[str, str, str]) -> bool:
        return mark[0] == what and mark[1] in who and mark[2] not in good

    return sum((o.chance for o in outcomes if any(map(fails, o.marks))), Fraction(0))


def _measure_marks(
    system: System, outcomes: list[Outcome], state: State, enumeration: _Enumeration
) -> tuple[Measure, ...]:
    """The chance of each result; what is earned is told one time in a command, and counted there.

    Those of one kind and one fighter add up to 1.
    """
    rolled = part_checks(((o.chance, o.marks) for o in outcomes), enumeration.results)
    earned = part_earned(enumeration.earned)
    chances = earned | rolled
    ranked = sorted(chances.items(), key=lambda pair: (pair[0][:2], -pair[1]))
    return tuple(
        Measure(
            f"{_name_mark(system, mark, mark in earned)} ({state.combatants[mark[1]].name})",
            float(chance),
            who=mark[1],
            kind=mark[0],
        )
        for mark, chance in ranked
    )


def _name_mark(system: System, mark: Mark, is_earned: bool) -> str:
    """A result in words: a count has those of what was earned."""
    what, _, result = mark
    return (
        system.draw(say(what, n=int(result))) if is_earned else f"{system.draw(what)}: {system.draw(result)}"
    )


def _measure_falls(system: System, base: State, outcomes: list[Outcome]) -> tuple[Measure, ...]:
    found = []
    for who, fighter in base.combatants.items():
        if fighter.gone or system.health(fighter).out:
            continue
        falls = sum(
            (chance for after, chance in _weigh(outcomes, who) if _falls(system, fighter, after)),
            Fraction(0),
        )
        if falls:
            down, up = system.falls
            found.append(Measure(f"{fighter.name} {down}", float(falls), who=who, kind="falls"))
            found += [Measure(f"{fighter.name} {up}", float(1 - falls), who=who, kind="falls")] if up else []
    return tuple(found)


def _weigh(outcomes: list[Outcome], who: str) -> list[tuple[Combatant, Fraction]]:
    """What may become of somebody, each thing one time, with its chance."""
    found: dict[int, tuple[Combatant, Fraction]] = {}
    for outcome in outcomes:
        after = outcome.state.combatants[who]
        known = found.get(id(after))
        found[id(after)] = (after, outcome.chance if known is None else known[1] + outcome.chance)
    return list(found.values())


def _measure_fates(system: System, base: State, outcomes: list[Outcome]) -> Iterator[Measure]:
    """The chance of each thing that may befall somebody besides going down, as the game names them."""
    if system.befalls is None:
        return
    for who, fighter in base.combatants.items():
        chances: dict[Label, Fraction] = {}
        for after, chance in _weigh(outcomes, who):
            for fate in system.befalls(fighter, after) if after is not fighter else ():
                chances[fate] = chances.get(fate, Fraction(0)) + chance
        for fate, chance in chances.items():
            label = f"{fighter.name}: {system.draw(fate)}"
            yield Measure(label, float(chance), who=who, kind=f"fate {fate}")


def _falls(system: System, before: Any, after: Any) -> bool:
    return after is not before and system.health(after).out


def _find_distributions(system: System, base: State, outcomes: list[Outcome]) -> tuple[Distribution, ...]:
    found = []
    for who, fighter in base.combatants.items():
        if all(o.state.combatants[who] is fighter for o in outcomes):
            continue
        for key, tracks in _find_counted(system):
            before = _add_up(fighter, tracks)
            if all(_add_up(o.state.combatants[who], tracks) == before for o in outcomes):
                continue
            spread = _spread(who, key, tracks, before, outcomes)
            if len(spread.chances) > 1 or spread.mean:
                found.append(spread)
    return tuple(found)


def find_first(system: System) -> str:
    """The number that damage is counted by: the first track, or what several share."""
    return system.toll.key if system.toll else system.tracks[0].key


def _find_counted(system: System) -> list[tuple[str, tuple[Track, ...]]]:
    """What is counted of a fighter: each track, and those that share points together."""
    if system.toll is None:
        return [(track.key, (track,)) for track in system.tracks]
    shared = tuple(track for track in system.tracks if track.key in system.toll.tracks)
    rest = [(track.key, (track,)) for track in system.tracks if track not in shared]
    return [(system.toll.key, shared), *rest]


def _add_up(fighter: Combatant, tracks: tuple[Track, ...]) -> int:
    """Numbers of a fighter together, so that less is harm."""
    return sum(fighter.tracks.get(t.key, 0) * (-1 if t.rises else 1) for t in tracks)


def _spread(
    who: str, key: str, tracks: tuple[Track, ...], before: int, outcomes: list[Outcome]
) -> Distribution:
    chances: dict[int, Fraction] = {}
    for outcome in outcomes:
        lost = before - _add_up(outcome.state.combatants[who], tracks)
        chances[lost] = chances.get(lost, Fraction(0)) + outcome.chance
    mean = float(sum(lost * chance for lost, chance in chances.items()))
    return Distribution(who, key, tuple((n, float(c)) for n, c in sorted(chances.items())), mean)
