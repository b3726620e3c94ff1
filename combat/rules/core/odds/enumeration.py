"""Find every outcome of a command by running its own procedure over every result of its dice.

Equal states are merged between the steps of a procedure, so three attacks in a row cost a few hundred short
runs instead of millions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import compress
from operator import is_not
from typing import Any

import msgspec

from ..basics.dice.dice import find_outcomes, parse_dice
from ..basics.dice.requests import Answer, ChoiceRequest, Request, RollRequest, answer_roll, key_of
from ..basics.words import Label
from ..commands.commands import Action, Command, check
from ..commands.context import Again, Defend, RuleContext, Then
from ..declaration.system import System
from ..engine.engine import choose, end_out_of_reach, takes_default
from ..gm.counters import begin
from ..state import events as e
from ..state.state import Combatant, State, replace
from ..turn.turns import find_deferred, is_shared, take_deferred

MAX_RUNS = 60_000
MAX_BRIEF_RUNS = 600  # only up to the first check
LOOK_EVERY = 8  # items of a list, all similar and quick
_SAME = {"same": True}  # stands for long data that did not change
_WHOLE = Fraction(1)  # the weight before the first roll
Marks = tuple[tuple[str, str, str], ...]
GiveUp = Callable[[], bool]  # called all the time while counting; the caller supplies a clock

NOT_ROLLED = "outcome.not_rolled"
NOTHING_EARNED = "0"


def never() -> bool:
    """Never give up, however long the count takes."""
    return False


class Outcome(msgspec.Struct, frozen=True):
    """One way a command can end: its exact chance, the state, and the results of its checks.

    A mark is (the check, its roller or target, result).
    """

    chance: Fraction
    state: State
    marks: Marks


class Settled(msgspec.Struct, frozen=True):
    """The end of one combatant whom no other part of the command looks at, with its exact chance."""

    chance: Fraction
    after: Combatant


class TooMany(Exception):
    """The command has more outcomes than can be counted at once, or in the time available."""


class _Enumerate:
    """Goes on with one outcome of a roll and leaves a path open for each other one; answers choices by
    standing orders and policy.

    Given answers neither branch nor choose. A `brief` one ends at the verdict of a check.
    """

    tells = False

    def __init__(self, enumeration: Enumeration, weight: Fraction) -> None:
        self.enumeration = enumeration
        self.brief = enumeration.brief
        self.weight = weight  # of the path that is run
        self.open_paths: list[tuple[Fraction, tuple[Answer, ...]]] = []

    def answer(self, context: RuleContext, request: Request) -> Answer | None:
        given = self.enumeration.given
        if given and (known := given.get(key_of(request)[:3])):
            return replace(known, ordinal=request.ordinal)
        if isinstance(request, ChoiceRequest):
            self.enumeration.asks_first |= not self.enumeration.first_dice
            answer = choose(context, request)
            self.enumeration.chosen_by.add(answer.source)
            return answer
        self.open_paths += self.enumeration.branch(self.weight, context, request)
        self.weight, answers = self.open_paths.pop()
        return answers[-1]


class _EnumerateUntold(_Enumerate):
    """The same for odds that do not record who answered: defaults are taken without choices."""

    takes_default = staticmethod(takes_default)


class _Node(msgspec.Struct):
    """A point between two steps; that of a part is only about `who`."""

    weight: Fraction
    state: State
    step: Then | None
    marks: Marks
    who: str = ""


def _without_repeats(
    node: _Node, ends: list[tuple[Fraction, RuleContext, Then | None]]
) -> list[tuple[Fraction, RuleContext, Then | None]]:
    """The ends of a step, without those that lead to it `Again` with no change.

    The other ends share its whole weight, in proportion.
    """
    kept = [end for end in ends if not (isinstance(end[2], Again) and _is_same(node, end[1].state, end[2]))]
    if len(kept) == len(ends):
        return ends
    if not kept:
        raise TooMany
    share = node.weight / sum((weight for weight, _, _ in kept), Fraction(0))
    return [(weight * share, context, then) for weight, context, then in kept]


def _is_same(node: _Node, state: State, then: Then) -> bool:
    step = node.step
    return step is not None and state == node.state and (then.step, then.args) == (step.step, step.args)


class Watched(list[Any]):
    """A list whose iteration stops when counting must give up."""

    def __init__(self, items: Iterable[Any], give_up: GiveUp) -> None:
        super().__init__(items)
        self.give_up = give_up

    def __iter__(self) -> Iterator[Any]:
        for number, item in enumerate(super().__iter__()):
            if number % LOOK_EVERY == 0 and self.give_up():
                raise TooMany
            yield item


def watch(items: Sequence[Any], give_up: GiveUp) -> Sequence[Any]:
    """The items, whose iteration stops when counting must give up; a few of them are looked at once."""
    if len(items) > LOOK_EVERY:
        return Watched(items, give_up)
    if items and give_up():
        raise TooMany
    return items


def find_all(
    system: System, state: State, action: Action, command: Command, give_up: GiveUp = never
) -> list[Outcome]:
    """Every outcome of a command with its exact chance; the chances add up to 1.

    Raises Refused as the command would, and TooMany beyond MAX_RUNS runs or when told to give up.
    """
    return Enumeration(system, state, give_up).run(action, command)


class Enumeration:
    """All outcomes of one command. A `loose` one merges states that the panel cannot tell apart.

    Its checks are those of `good`. Those of others against the actor, such as a shot from overwatch, are no
    subject of the command: `against` names them, and who rolls them.

    A `brief` one stops at the first check, which is the subject of the command. `given` rolls and choices
    apply wherever the same combatant gets the same question. An `untold` one does not record how choices were
    answered, and a brief one of those goes on to the defense against the check.
    """

    def __init__(
        self,
        system: System,
        state: State,
        give_up: GiveUp,
        loose: bool = False,
        brief: bool = False,
        given: tuple[Answer, ...] = (),
        untold: bool = False,
    ) -> None:
        self.system = system
        self.give_up = give_up
        self.brief = brief
        self.untold = untold
        self.driver = _EnumerateUntold if untold else _Enumerate
        self.given = {key_of(answer)[:3]: answer for answer in given} if given else {}
        self.most = MAX_BRIEF_RUNS if brief else MAX_RUNS
        self.blur = system.tactics.blur if loose else None
        self.base = state
        self.runs = 0
        self.trades = True
        self.first_dice = ""
        self.asks_first = False
        self.chosen_by: set[str] = set()
        self.actor = ""
        self.good: dict[str, set[str]] = {}
        self.against: dict[tuple[str, str], set[str]] = {}
        self.rules: dict[str, str] = {}
        self.earned: Chances = {}
        self.results = Results()
        self.written: dict[int, tuple[bytes, Combatant]] = {}
        self.settles = loose
        self.has_parts = False
        self.settled: list[Settled] = []

    def run(
        self, action: Action, command: Command, to_the_end: bool = False, checked: bool = False
    ) -> list[Outcome]:
        """Every outcome; with `to_the_end`, past effects that wait for others who act at the same time.

        The guards of a `checked` action have let it pass already, in the same state.
        """
        if not checked:
            check(self.base, action, command.actor, command)
        self.trades, self.actor = not command.untraded, command.actor
        done = self._finish([_Node(_WHOLE, self.base, Then(begin, action, command), ())])
        if to_the_end and is_shared(self.base):
            waiting = Then(take_deferred, find_deferred(self.base))
            done = self._finish([_Node(n.weight, n.state, waiting, n.marks) for n in done])
        if self.system.turn.after_moves is not None:
            done = self._merge([self._end_out_of_reach(node) for node in done])
        return [Outcome(n.weight, n.state, n.marks) for n in done]

    def _end_out_of_reach(self, node: _Node) -> _Node:
        """The node after what follows from moves at the end of the command; it rolls nothing."""
        context = RuleContext(
            self.system, node.state, self.driver(self, node.weight), answers=(), trades=self.trades
        )
        end_out_of_reach(context, self.base)
        return _Node(node.weight, context.state, None, node.marks)

    def _finish(self, nodes: list[_Node]) -> list[_Node]:
        """Run all steps to the end, merging equal states."""
        done: list[_Node] = []
        while nodes:
            grown = [grown for node in nodes for grown in self._grow(node)]
            if self.has_parts:
                grown = self._part(grown)
            nodes = []
            for node in self._merge(grown) if len(grown) > 1 else grown:
                (done if node.step is None else nodes).append(node)
        for node in done:
            if node.who:
                self._settle(node)
        whole = [node for node in done if not node.who]
        return self._merge(whole) if len(whole) > 1 else whole

    def _grow(self, node: _Node) -> list[_Node]:
        """All results of one step."""
        assert node.step is not None
        step, args, driver = node.step.func, node.step.args, self.driver(self, node.weight)
        ends: list[tuple[Fraction, RuleContext, Then | None]] = []
        answers: tuple[Answer, ...] = ()
        repeats = False
        while True:
            context = RuleContext(self.system, node.state, driver, answers=answers, trades=self.trades)
            self._count()
            then = step(context, *args)
            ends.append((driver.weight, context, then))
            repeats |= isinstance(then, Again)
            if not driver.open_paths:
                break
            driver.weight, answers = driver.open_paths.pop()
        return [self._end(node, *end) for end in (_without_repeats(node, ends) if repeats else ends)]

    def _end(self, node: _Node, weight: Fraction, context: RuleContext, then: Then | None) -> _Node:
        """One result of a step, with its marks."""
        facts = context.facts if len(context.facts) < 2 else join_sides(context.facts)
        marks = (*node.marks, *self._learn(facts, weight))
        if self.brief and self.first_check in [mark[0] for mark in marks]:
            then = then if self.untold and isinstance(then, Defend) else None
        self.has_parts |= self.settles and then is not None and bool(then.keywords)
        return _Node(weight, context.state, then, marks=marks, who=node.who)

    @property
    def first_check(self) -> str:
        """The name of the first check; empty if there is none yet."""
        return next(iter(self.good), "")

    def _learn(self, facts: list[e.Fact], weight: Fraction) -> list[tuple[str, str, str]]:
        """Record which check results are good for the roller, and what was earned; return the marks.

        A brief count leaves out the checks against the actor.
        """
        marks = []
        for fact in facts:
            event = fact.event
            if isinstance(event, e.Checked):
                what = event.what if isinstance(event.what, str) else self._name(event.what)
                self.results.learn(event, what)
                is_against = bool(self.actor) and event.target == self.actor != event.who
                if is_against:
                    self.against.setdefault((what, self.actor), set()).add(event.who)
                else:
                    self._learn_own(what, event, fact.rule)
                if not (is_against and self.brief):
                    marks.append((what, event.target or event.who, event.outcome))
            elif isinstance(event, e.Earned):
                mark = (event.what, event.target or event.who, str(event.count))
                self.earned[mark] = self.earned.get(mark, Fraction(0)) + weight
        return marks

    def _learn_own(self, what: str, event: e.Checked, rule: str) -> None:
        good = self.good.setdefault(what, set())
        self.rules.setdefault(what, rule)
        if event.good:
            good.add(event.outcome)

    def _name(self, label: Label) -> str:
        """The name of a kind of check in the odds."""
        return self.system.draw(label, {who: one.name for who, one in self.base.combatants.items()})

    def _count(self) -> None:
        self.runs += 1
        if self.runs > self.most or self.give_up():
            raise TooMany

    def branch(
        self, weight: Fraction, context: RuleContext, request: RollRequest
    ) -> list[tuple[Fraction, tuple[Answer, ...]]]:
        """A path for each outcome of a roll, with its chance."""
        self._count()
        self.first_dice = self.first_dice or request.dice
        dice = parse_dice(request.dice)
        whole = dice.sides**dice.count
        if request.look != "sum" and whole > MAX_RUNS:
            raise TooMany
        equal_states = request.namesakes if self.blur and request.namesakes else request.equal_states
        outcomes = watch(find_outcomes(request.dice, request.look, request.cuts, equal_states), self.give_up)
        given = tuple(context.answers)
        answer = answer_roll(request, (), "odds")
        return [
            (
                weight * Fraction(part, whole),
                (*given, replace(answer, faces=faces)),
            )
            for faces, part in outcomes
        ]

    def _merge(self, nodes: list[_Node]) -> list[_Node]:
        """The nodes, with equal ones as one."""
        merged: dict[Any, _Node] = {}
        for node in watch(nodes, self.give_up):
            step = node.step
            is_over = self.brief and step is None  # the check of a brief count has told all
            state = () if is_over else self._tell_apart(node)
            key = (state, tuple(sorted(node.marks)), node.who)
            whole = (key, step.step, step.args) if step else (key, None, None)
            known = merged.get(whole)
            if known is None:
                merged[whole] = node
            else:
                known.weight += node.weight
        return list(merged.values())

    def _part(self, nodes: list[_Node]) -> list[_Node]:
        """The nodes, with those that have parts replaced by their parts."""
        parts: list[_Node] = []
        for node in nodes:
            apart = node.step.apart if node.step and node.step.keywords and not node.who else None
            if apart is None:
                parts.append(node)
                continue
            before, now = self.base.combatants, node.state.combatants
            for who, step in apart.each.items():
                alone = replace(node.state, combatants={**before, who: now[who]})
                parts.append(_Node(node.weight, alone, step, marks=(), who=who))
            others = replace(node.state, combatants={**now, **{who: before[who] for who in apart.each}})
            parts.append(_Node(node.weight, others, apart.rest, node.marks))
        return parts

    def _settle(self, node: _Node) -> None:
        """Record the end of a combatant who is counted apart."""
        after = node.state.combatants[node.who]
        if after is not self.base.combatants[node.who]:
            self.settled.append(Settled(node.weight, after))

    def _tell_apart(self, node: _Node) -> tuple[Any, ...]:
        """The key that keeps states apart when merging."""
        args = node.step.args if node.step else ()
        return self._fingerprint(self.blur(node.state, args) if self.blur else node.state)

    def _fingerprint(self, state: State) -> tuple[Any, ...]:
        """The differences from the state before the command."""
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
            changed = find_changed(base.combatants, state.combatants)
            parts += [self._encode(combatant, base.combatants.get(who)) for who, combatant in changed]
        return tuple(parts)

    def _encode(self, combatant: Combatant, before: Combatant | None) -> bytes:
        """A combatant as bytes, cached: most outcomes of a blast combine the same few combatants."""
        known = self.written.get(id(combatant))
        if known is None:
            raw = msgspec.json.encode(_shorten(combatant, before) if before else combatant)
            known = self.written[id(combatant)] = (raw, combatant)  # held, so no other object takes its id
        return known[0]


def find_changed(
    before: dict[str, Combatant], after: dict[str, Combatant]
) -> Iterable[tuple[str, Combatant]]:
    """The combatants that are not the same object as before, in order; most of a crowd are."""
    return compress(after.items(), map(is_not, after.values(), map(before.get, after)))


def _shorten(combatant: Combatant, before: Combatant) -> Combatant:
    """A combatant without long data that did not change: the sheet, and the records of items."""
    if combatant.sheet is not before.sheet:
        return combatant
    if combatant.items is before.items:
        return replace(combatant, sheet=_SAME, items=())
    known = {item.id: item.data for item in before.items}
    items = tuple(replace(i, data=_SAME) if known.get(i.id) is i.data else i for i in combatant.items)
    return replace(combatant, sheet={}, items=items)


# The chances of one kind of result, adding up to 1: each outcome of a command counts once.


Mark = tuple[str, str, str]  # the check, its roller or target, result
Chances = dict[Mark, Fraction]


class Results:
    """What is known about check results: which is better, and whether the checks have targets."""

    def __init__(self) -> None:
        self._ranks: dict[tuple[str, str], tuple[bool, int]] = {}
        self._aimed: set[str] = set()

    def learn(self, check: e.Checked, what: str) -> None:
        """Record a check under the name `what`.

        A good result is better than a bad one, and so is one with a higher total.
        """
        key, rank = (what, check.outcome), (check.good, check.total)
        self._ranks[key] = max(rank, self._ranks.get(key, rank))
        if check.target:
            self._aimed.add(what)

    def is_good(self, what: str, result: str) -> bool:
        """Whether a result of a check is one that its roller wants."""
        return self._ranks[what, result][0]

    def pick(self, what: str, results: list[str]) -> str:
        """The one of several results that counts.

        For attempts on a target, the best; for checks a combatant must withstand, the worst.
        """
        choose = max if what in self._aimed else min
        return choose(results, key=lambda result: self._ranks[what, result])


def join_sides(facts: Iterable[e.Fact]) -> list[e.Fact]:
    """The facts, with the two sides of an opposed check as one: whether the initiator won.

    The first side has no number to reach; the second follows at once, against the total of the first.
    """
    joined: list[e.Fact] = []
    for fact in facts:
        one, other = joined[-1].event if joined else None, fact.event
        if isinstance(other, e.Checked) and isinstance(one, e.Checked) and _answers(one, other):
            outcome = "outcome.lost" if other.good else "outcome.won"
            joined[-1] = replace(joined[-1], event=replace(one, outcome=outcome, good=not other.good))
        else:
            joined.append(fact)
    return joined


def _answers(one: e.Checked, other: e.Checked) -> bool:
    """Whether the second of two checks is the other side of the first."""
    sides = (other.who, other.target, other.what, other.against)
    return one.against is None and sides == (one.target, one.who, one.what, one.total)


def part_checks(outcomes: Iterable[tuple[int, tuple[Mark, ...]]], whole: int, results: Results) -> Chances:
    """The chance of each result of each kind of check, and of no roll.

    An outcome is a weight out of the `whole`, with its results.
    """
    weight_of: dict[tuple[Mark, ...], int] = {}
    for paths, marks in outcomes:
        weight_of[marks] = weight_of.get(marks, 0) + paths
    counts: dict[Mark, int] = {}
    groups = {(what, who) for marks in weight_of for what, who, _ in marks}
    for marks, paths in weight_of.items():
        for what, who in groups:
            rolled = [result for kind, whom, result in marks if (kind, whom) == (what, who)]
            mark = (what, who, results.pick(what, rolled) if rolled else NOT_ROLLED)
            counts[mark] = counts.get(mark, 0) + paths
    return {mark: Fraction(paths, whole) for mark, paths in counts.items()}


def part_earned(earned: Chances) -> Chances:
    """The chance of each number earned; an outcome that mentions none earns nothing."""
    chances = dict(earned)
    for what, who in {mark[:2] for mark in earned}:
        told = sum((chance for mark, chance in earned.items() if mark[:2] == (what, who)), Fraction(0))
        nothing = (what, who, NOTHING_EARNED)
        if told < 1:
            chances[nothing] = chances.get(nothing, Fraction(0)) + 1 - told
    return chances
