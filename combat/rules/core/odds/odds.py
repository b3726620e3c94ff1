"""Exact odds of a command, by running its own procedure over every outcome of its dice.

Equal intermediate states are merged between the steps of a procedure, so that three attacks
in a row cost a few hundred short runs instead of millions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import msgspec

from ..basics.dice import find_outcomes, parse_dice
from ..basics.requests import (
    Answer,
    ChoiceRequest,
    NeedsAnswer,
    Request,
    RollRequest,
    answer_roll,
)
from ..basics.words import Label, say
from ..commands.commands import Action, Command, check
from ..commands.context import RuleContext, Then
from ..engine.engine import choose
from ..sides import are_opposed
from ..state import events as e
from ..state.state import Combatant, State, replace
from ..system import System, Track
from ..turns import find_deferred, is_shared, take_deferred
from .measures import Measure
from .partition import Chances, Mark, Results, part_checks, part_earned

MAX_RUNS = 60_000
POLICIES = {  # by who has answered the choices
    (): "",
    ("order",): "Choices follow standing orders.",
    ("policy",): "Choices are made as the tactics would.",
    ("order", "policy"): "Choices follow standing orders, the others are made as the tactics would.",
}
LOOK_EVERY = 8  # items of a list, all alike and quickly done
_SAME = {"same": True}  # stands for what is long and has not changed
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
    """What the odds panel shows. `policy` says how choices were answered, if there were any.

    `dealt` is what the enemies caught lose of the first track together, on average, in points.
    """

    headline: Measure | None
    measures: tuple[Measure, ...]
    distributions: tuple[Distribution, ...]
    runs: int
    first_dice: str = ""
    asks_first: bool = False
    policy: str = ""
    dealt: float = 0.0


class TooMany(Exception):
    """The command has more outcomes than can be counted at once, or in the time there is."""


class _Enumerate:
    """Leaves rolls open, so that the caller branches; answers choices by standing orders and policy."""

    tells = False

    def __init__(self, enumeration: _Enumeration) -> None:
        self.enumeration = enumeration

    def answer(self, context: RuleContext, request: Request) -> Answer | None:
        if isinstance(request, ChoiceRequest):
            self.enumeration.asks_first |= not self.enumeration.first_dice
            answer = choose(context, request)
            self.enumeration.chosen_by.add(answer.source)
            return answer
        return None


class _Node(msgspec.Struct):
    weight: Fraction
    state: State
    step: Then | None
    marks: Marks


class Ends:
    """How a command can end, counted in whole ways out of `whole`: exact, and quickly added up.

    `changed` is what may become of everybody it does something to, each thing one time.
    """

    def __init__(self, base: State, outcomes: Iterable[Outcome]) -> None:
        found = list(outcomes)
        self.whole = lcm(*{outcome.chance.denominator for outcome in found})
        self.marks: list[tuple[int, Marks]] = []
        ways_of: dict[str, dict[int, list[Any]]] = {who: {} for who in base.combatants}
        for chance, state, marks in ((o.chance, o.state, o.marks) for o in found):
            ways = chance.numerator * (self.whole // chance.denominator)
            self.marks.append((ways, marks))
            for who, fighter in base.combatants.items():
                after = state.combatants[who]
                if after is not fighter:
                    ways_of[who].setdefault(id(after), [after, 0])[1] += ways
        self.changed: dict[str, list[tuple[Combatant, int]]] = {
            who: [(after, ways) for after, ways in each.values()] for who, each in ways_of.items() if each
        }


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
        self.chosen_by: set[str] = set()
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
                before = base.combatants.get(who)
                if fighter is not before:
                    parts.append(msgspec.json.encode(_shorten(fighter, before) if before else fighter))
        return tuple(parts)


def _shorten(fighter: Combatant, before: Combatant) -> Combatant:
    """A fighter without what is long and still the very same: the sheet, and the records of things."""
    if fighter.sheet is not before.sheet:
        return fighter
    if fighter.items is before.items:
        return replace(fighter, sheet=_SAME, items=())
    known = {item.id: item.data for item in before.items}
    items = tuple([replace(i, data=_SAME) if known.get(i.id) is i.data else i for i in fighter.items])
    return replace(fighter, sheet={}, items=items)


def find_odds(
    system: System, state: State, action: Action, command: Command, give_up: GiveUp = never
) -> Odds:
    """The numbers of the odds panel for a command, exact. Raises what `find_all` raises."""
    enumeration = _Enumeration(system, state, give_up, loose=True)
    outcomes = _Watched(enumeration.run(action, command, to_the_end=True), give_up)
    ends = Ends(state, outcomes)
    marks = _measure_marks(system, ends, state, enumeration)
    measures = (*marks, *_measure_falls(system, state, ends), *_measure_fates(system, state, ends))
    distributions = _find_distributions(system, state, ends)
    caught = action.find_caught(state, command) if action.find_caught else ()
    enemies = [who for who in caught if are_opposed(system, state[who], state[command.actor])]
    return Odds(
        _find_headline(enumeration, ends, caught if action.caught_rolls else (), enemies),
        measures,
        distributions,
        enumeration.runs,
        "" if enumeration.asks_first else enumeration.first_dice,
        asks_first=enumeration.asks_first,
        policy=POLICIES[tuple(sorted(enumeration.chosen_by))],
        dealt=sum(s.mean for s in distributions if s.who in enemies and s.track == find_first(system)),
    )


def _find_headline(
    enumeration: _Enumeration, ends: Ends, caught: Sequence[str], enemies: Sequence[str]
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
        label, lucky = f"to succeed: {named}", _count_good(ends, what, good)
    elif enemies:
        name = enumeration.base[enemies[0]].name if len(enemies) == 1 else "at least one enemy"
        label, lucky = f"{name} fails: {named}", _count_failed(ends, what, good, enemies)
    else:
        label, lucky = f"nobody fails: {named}", ends.whole - _count_failed(ends, what, good, caught)
    return Measure(label, lucky / ends.whole, enumeration.rules[what], kind=what)


def _count_good(ends: Ends, what: str, good: set[str]) -> int:
    return sum(ways for ways, marks in ends.marks if any(m[0] == what and m[2] in good for m in marks))


def _count_failed(ends: Ends, what: str, good: set[str], who: Sequence[str]) -> int:
    """The ways in which at least one of these fails a check of this kind."""

    def fails(mark: tuple[str, str, str]) -> bool:
        return mark[0] == what and mark[1] in who and mark[2] not in good

    return sum(ways for ways, marks in ends.marks if any(map(fails, marks)))


def _measure_marks(
    system: System, ends: Ends, state: State, enumeration: _Enumeration
) -> tuple[Measure, ...]:
    """The chance of each result; what is earned is told one time in a command, and counted there.

    Those of one kind and one fighter add up to 1.
    """
    rolled = part_checks(ends.marks, ends.whole, enumeration.results)
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


def _measure_falls(system: System, base: State, ends: Ends) -> tuple[Measure, ...]:
    found = []
    for who, changed in ends.changed.items():
        fighter = base.combatants[who]
        if fighter.gone or system.health(fighter).out:
            continue
        falls = sum(ways for after, ways in changed if system.health(after).out)
        if falls:
            down, up = system.falls
            name, stays = fighter.name, ends.whole - falls
            found.append(Measure(f"{name} {down}", falls / ends.whole, who=who, kind="falls"))
            found += [Measure(f"{name} {up}", stays / ends.whole, who=who, kind="falls")] if up else []
    return tuple(found)


def _measure_fates(system: System, base: State, ends: Ends) -> Iterator[Measure]:
    """The chance of each thing that may befall somebody besides going down, as the game names them."""
    if system.befalls is None:
        return
    for who, changed in ends.changed.items():
        fighter = base.combatants[who]
        counts: dict[Label, int] = {}
        for after, ways in changed:
            for fate in system.befalls(fighter, after):
                counts[fate] = counts.get(fate, 0) + ways
        for fate, ways in counts.items():
            label = f"{fighter.name}: {system.draw(fate)}"
            yield Measure(label, ways / ends.whole, who=who, kind=f"fate {fate}")


def _find_distributions(system: System, base: State, ends: Ends) -> tuple[Distribution, ...]:
    found = []
    for who, changed in ends.changed.items():
        fighter = base.combatants[who]
        numbers = [(after.tracks, ways) for after, ways in changed if after.tracks is not fighter.tracks]
        for key, tracks in _find_counted(system) if numbers else ():
            ways_of = _count_lost(fighter.tracks, numbers, tracks, ends.whole)
            if set(ways_of) != {0}:
                found.append(_spread(who, key, ways_of, ends.whole))
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


Numbers = Mapping[str, int]  # the tracks of somebody


def _count_lost(
    before: Numbers, numbers: Iterable[tuple[Numbers, int]], tracks: tuple[Track, ...], whole: int
) -> dict[int, int]:
    """The ways of each loss; in those of which nothing is said nothing is lost."""
    full, ways_of, left = _add_up(before, tracks), {0: 0}, whole
    for after, ways in numbers:
        lost = full - _add_up(after, tracks)
        ways_of[lost] = ways_of.get(lost, 0) + ways
        left -= ways
    ways_of[0] += left
    return {lost: ways for lost, ways in ways_of.items() if ways}


def _add_up(numbers: Numbers, tracks: tuple[Track, ...]) -> int:
    """Numbers of a fighter together, so that less is harm."""
    if len(tracks) == 1:
        points = numbers.get(tracks[0].key, 0)
        return -points if tracks[0].rises else points
    return sum(numbers.get(t.key, 0) * (-1 if t.rises else 1) for t in tracks)


def _spread(who: str, key: str, ways_of: dict[int, int], whole: int) -> Distribution:
    mean = sum(lost * ways for lost, ways in ways_of.items()) / whole
    return Distribution(who, key, tuple((n, ways / whole) for n, ways in sorted(ways_of.items())), mean)
