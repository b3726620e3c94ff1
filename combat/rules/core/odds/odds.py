"""Exact odds of a command for the odds panel, summed over all its outcomes."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from math import lcm
from typing import Any

import msgspec

from ..basics.dice.requests import Answer, ChoiceRequest, answer_choice, key_of
from ..basics.errors import Drift, Refused
from ..basics.words import Label, say
from ..commands.commands import Action, Command
from ..declaration.characters import Track
from ..declaration.parts import DEFENDED
from ..declaration.system import System
from ..engine.engine import TryDriver, run
from ..sides import are_opposed
from ..state.state import Combatant, State
from .enumeration import (
    Enumeration,
    GiveUp,
    Mark,
    Marks,
    Outcome,
    Settled,
    TooMany,
    Watched,
    never,
    part_checks,
    part_earned,
)

POLICIES = {  # by the source of the answers to choices
    (): "",
    ("order",): "Choices follow standing orders.",
    ("policy",): "Assumes sensible choices.",
    ("order", "policy"): "Choices follow standing orders; assumes sensible ones otherwise.",
}


class Measure(msgspec.Struct, frozen=True):
    """A number of the odds panel, exact: chance 0 to 1."""

    label: str
    chance: float
    rule: str = ""
    who: str = ""
    kind: str = ""


class Distribution(msgspec.Struct, frozen=True):
    """The chances to lose or gain points of a track.

    `chances` are points -> exact chance, `mean` is in points.
    """

    who: str
    track: str
    chances: tuple[tuple[int, float], ...]
    mean: float


class Odds(msgspec.Struct, frozen=True):
    """The content of the odds panel. `policy` says how choices were answered, if there were any.

    `dealt` is the average total that caught enemies lose of the first track, in points. `brief` odds know
    only the first check. `after` is the chance that the headline result still counts after others defend
    themselves; None if nobody does.
    """

    headline: Measure | None
    measures: tuple[Measure, ...]
    distributions: tuple[Distribution, ...]
    runs: int
    first_dice: str = ""
    asks_first: bool = False
    policy: str = ""
    dealt: float = 0.0
    brief: bool = False
    after: float | None = None


class Ends:
    """The ends of a command, counted as integer weights out of `whole`: exact, and quick to sum.

    `changed` holds each possible result of each affected combatant once; `own` are the marks without those of
    checks `against` the actor.
    """

    def __init__(
        self,
        base: State,
        outcomes: Iterable[Outcome],
        settled: Iterable[Settled] = (),
        against: Container[tuple[str, str]] = (),
    ) -> None:
        found, apart = list(outcomes), list(settled)
        chances = [outcome.chance for outcome in found] + [each.chance for each in apart]
        self.whole = lcm(*{chance.denominator for chance in chances})
        self.marks: list[tuple[int, Marks]] = []
        weight_of: dict[str, dict[int, list[Any]]] = {who: {} for who in base.combatants}
        for chance, state, marks in ((o.chance, o.state, o.marks) for o in found):
            paths = chance.numerator * (self.whole // chance.denominator)
            self.marks.append((paths, marks))
            for who, combatant in base.combatants.items():
                after = state.combatants[who]
                if after is not combatant:
                    weight_of[who].setdefault(id(after), [after, 0])[1] += paths
        for each in apart:
            paths = each.chance.numerator * (self.whole // each.chance.denominator)
            weight_of[each.after.id].setdefault(id(each.after), [each.after, 0])[1] += paths
        self.own = [
            (paths, tuple([mark for mark in marks if mark[:2] not in against])) for paths, marks in self.marks
        ]
        self.changed: dict[str, list[tuple[Combatant, int]]] = {
            who: [(after, paths) for after, paths in each.values()] for who, each in weight_of.items() if each
        }


def find_odds(
    system: System,
    state: State,
    action: Action,
    command: Command,
    give_up: GiveUp = never,
    given: tuple[Answer, ...] = (),
) -> Odds:
    """The exact numbers of the odds panel for a command; `given` are known rolls and choices.

    Raises what `find_all` raises.
    """
    enumeration = Enumeration(system, state, give_up, loose=True, given=given)
    outcomes = Watched(enumeration.run(action, command, to_the_end=True), give_up)
    ends = Ends(state, outcomes, enumeration.settled, enumeration.against)
    marks = _measure_marks(system, ends, state, enumeration)
    measures = (*marks, *_measure_falls(system, state, ends), *_measure_other_outcomes(system, state, ends))
    distributions = _find_distributions(system, state, ends)
    caught = action.find_caught(state, command) if action.find_caught else ()
    enemies = [who for who in caught if are_opposed(system, state[who], state[command.actor])]
    return Odds(
        _find_headline(enumeration, ends, caught if action.caught_rolls else (), enemies),
        measures,
        distributions,
        runs=enumeration.runs,
        first_dice="" if enumeration.asks_first else enumeration.first_dice,
        asks_first=enumeration.asks_first,
        policy=POLICIES[tuple(sorted(enumeration.chosen_by))],
        dealt=sum(s.mean for s in distributions if s.who in enemies and s.track == find_first(system)),
        after=_find_after(enumeration, ends),
    )


def brief_chance(
    system: System,
    state: State,
    action: Action,
    command: Command,
    give_up: GiveUp = never,
    checked: bool = False,
) -> float:
    """The chance alone that the first check of a command succeeds, and is not warded off.

    The guards of a `checked` action have let it pass already, in the same state. Raises TooMany if several
    are caught, who each have their own check, or if no check comes soon; Refused if the rules refuse it.
    """
    enumeration, outcomes = _count_briefly(
        system, state, action, command=command, give_up=give_up, untold=True, checked=checked
    )
    what = enumeration.first_check
    good = enumeration.good[what]
    ratios = [one.chance.as_integer_ratio() for one in outcomes if _lasts(one.marks, what, good)]
    whole = lcm(*[below for _, below in ratios])
    return sum(above * (whole // below) for above, below in ratios) / whole


def _count_briefly(
    system: System,
    state: State,
    action: Action,
    command: Command,
    give_up: GiveUp,
    untold: bool = False,
    checked: bool = False,
) -> tuple[Enumeration, list[Outcome]]:
    """The outcomes of a command that is counted only as far as its first check, an `untold` one as far as
    the defense against it."""
    if action.find_caught and action.caught_rolls and action.find_caught(state, command):
        run(system, state, action, command=command, driver=TryDriver())  # a refusal comes first
        raise TooMany
    enumeration = Enumeration(system, state, give_up, loose=True, brief=True, untold=untold)
    outcomes = enumeration.run(action, command, checked=checked)
    if not enumeration.good:
        raise TooMany
    return enumeration, outcomes


def brief_odds(system: System, state: State, action: Action, command: Command) -> Odds:
    """The chance of a command's first check, if the rest is too much to count.

    Raises what `brief_chance` raises.
    """
    enumeration, outcomes = _count_briefly(system, state, action, command=command, give_up=never)
    ends = Ends(state, outcomes)
    headline = _find_headline(enumeration, ends, (), ())
    measures = _measure_marks(system, ends, state, enumeration)
    return Odds(
        headline,
        tuple(measure for measure in measures if measure.kind == enumeration.first_check),
        (),
        runs=enumeration.runs,
        first_dice="" if enumeration.asks_first else enumeration.first_dice,
        asks_first=enumeration.asks_first,
        policy=POLICIES[tuple(sorted(enumeration.chosen_by))],
        brief=True,
    )


class Threat(msgspec.Struct, frozen=True):
    """What others may do to someone who acts, such as shoot from overwatch.

    `chance` is that of at least one success.
    """

    who: tuple[str, ...]
    what: str
    chance: float


def find_threat(
    system: System,
    state: State,
    action: Action,
    command: Command,
    asked: Container[str],
    give_up: GiveUp = never,
) -> Threat | None:
    """The checks of those who are `asked` against the actor of a command; None if they have none.

    Raises what `find_all` raises.
    """
    enumeration = Enumeration(system, state, give_up, loose=True)
    ends = Ends(state, Watched(enumeration.run(action, command), give_up))
    checks = {
        kind: rolled for kind, rolled in enumeration.against.items() if any(who in asked for who in rolled)
    }
    if not checks:
        return None
    good = enumeration.results.is_good
    hits = sum(
        paths
        for paths, marks in ends.marks
        if any(mark[:2] in checks and good(mark[0], mark[2]) for mark in marks)
    )
    who = tuple(sorted(set().union(*checks.values())))
    return Threat(who, system.draw(min(checks)[0]), hits / ends.whole)


def _find_headline(
    enumeration: Enumeration, ends: Ends, caught: Sequence[str], enemies: Sequence[str]
) -> Measure | None:
    """The chance that the first kind of check of the command succeeds at least once.

    If the command catches people: that at least one enemy fails; without enemies, that nobody does.
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


def _find_after(enumeration: Enumeration, ends: Ends) -> float | None:
    """The chance that the first kind of check succeeds more often than it is warded off.

    None without defenses.
    """
    first = next(iter(enumeration.good.items()), None)
    if first is None or not any(m[2] == DEFENDED for _, marks in ends.own for m in marks):
        return None
    what, good = first
    return sum(paths for paths, marks in ends.own if _lasts(marks, what, good)) / ends.whole


def _lasts(marks: Marks, what: str, good: set[str]) -> bool:
    """Whether a kind of check succeeds more often than it is warded off."""
    hits = 0
    for mark in marks:
        if mark[0] == what and mark[2] in good:
            hits += 1
        elif mark[2] == DEFENDED:
            hits -= 1
    return hits > 0


def _count_good(ends: Ends, what: str, good: set[str]) -> int:
    return sum(paths for paths, marks in ends.own if any(m[0] == what and m[2] in good for m in marks))


def _count_failed(ends: Ends, what: str, good: set[str], who: Sequence[str]) -> int:
    """The weight of the outcomes in which at least one of these fails a check of this kind."""

    def fails(mark: tuple[str, str, str]) -> bool:
        return mark[0] == what and mark[1] in who and mark[2] not in good

    return sum(paths for paths, marks in ends.own if any(map(fails, marks)))


def _measure_marks(system: System, ends: Ends, state: State, enumeration: Enumeration) -> tuple[Measure, ...]:
    """The chance of each result; earned numbers come once per command and are counted apart.

    Chances of one kind and one combatant add up to 1. Those of people who join by the command are left out.
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
        if mark[1] in state.combatants
    )


def _name_mark(system: System, mark: Mark, is_earned: bool) -> str:
    """A result in words; an earned number has words of its own."""
    what, _, result = mark
    return (
        system.draw(say(what, n=int(result))) if is_earned else f"{system.draw(what)}: {system.draw(result)}"
    )


def _measure_falls(system: System, base: State, ends: Ends) -> tuple[Measure, ...]:
    found = []
    for who, changed in ends.changed.items():
        combatant = base.combatants[who]
        if combatant.gone or system.characters.health(combatant).is_out:
            continue
        falls = sum(paths for after, paths in changed if system.characters.health(after).is_out)
        if falls:
            down, up = system.tactics.falls
            name, stays = combatant.name, ends.whole - falls
            found.append(Measure(f"{name} {down}", falls / ends.whole, who=who, kind="falls"))
            found += [Measure(f"{name} {up}", stays / ends.whole, who=who, kind="falls")] if up else []
    return tuple(found)


def _measure_other_outcomes(system: System, base: State, ends: Ends) -> Iterator[Measure]:
    """The chance of each result besides going down, as the game names them."""
    if system.tactics.other_outcomes is None:
        return
    for who, changed in ends.changed.items():
        combatant = base.combatants[who]
        counts: dict[Label, int] = {}
        for after, paths in changed:
            for fate in system.tactics.other_outcomes(combatant, after):
                counts[fate] = counts.get(fate, 0) + paths
        for fate, paths in counts.items():
            label = f"{combatant.name}: {system.draw(fate)}"
            yield Measure(label, paths / ends.whole, who=who, kind=f"fate {fate}")


def _find_distributions(system: System, base: State, ends: Ends) -> tuple[Distribution, ...]:
    found = []
    for who, changed in ends.changed.items():
        combatant = base.combatants[who]
        numbers = [(after.tracks, paths) for after, paths in changed if after.tracks is not combatant.tracks]
        for key, tracks in _find_counted(system) if numbers else ():
            weight_of = _count_lost(combatant.tracks, numbers, tracks, ends.whole)
            if set(weight_of) != {0}:
                found.append(_spread(who, key, weight_of, ends.whole))
    return tuple(found)


def find_first(system: System) -> str:
    """The number that measures damage: the first track, or the shared one."""
    return (system.characters.shared_track or system.characters.tracks[0]).key


def _find_counted(system: System) -> list[tuple[str, tuple[Track, ...]]]:
    """The countable numbers of a combatant: each track, and those that share points together."""
    tracks, shared = system.characters.tracks, system.characters.shared_track
    if shared is None:
        return [(track.key, (track,)) for track in tracks]
    sharing = tuple(track for track in tracks if track.key in shared.tracks)
    return [(shared.key, sharing), *((track.key, (track,)) for track in tracks if track not in sharing)]


Numbers = Mapping[str, int]  # the tracks of a combatant


def _count_lost(
    before: Numbers, numbers: Iterable[tuple[Numbers, int]], tracks: tuple[Track, ...], whole: int
) -> dict[int, int]:
    """The weight of each loss; outcomes that do not mention the combatant lose nothing."""
    full, weight_of, left = _add_up(before, tracks), {0: 0}, whole
    for after, paths in numbers:
        lost = full - _add_up(after, tracks)
        weight_of[lost] = weight_of.get(lost, 0) + paths
        left -= paths
    weight_of[0] += left
    return {lost: paths for lost, paths in weight_of.items() if paths}


def _add_up(numbers: Numbers, tracks: tuple[Track, ...]) -> int:
    """The sum of a combatant's numbers, signed so that less is harm."""
    if len(tracks) == 1:
        points = numbers.get(tracks[0].key, 0)
        return -points if tracks[0].rises else points
    return sum(numbers.get(t.key, 0) * (-1 if t.rises else 1) for t in tracks)


def _spread(who: str, key: str, weight_of: dict[int, int], whole: int) -> Distribution:
    mean = sum(lost * paths for lost, paths in weight_of.items()) / whole
    return Distribution(who, key, tuple((n, paths / whole) for n, paths in sorted(weight_of.items())), mean)


# The result of each answer to an open question: the odds of a dodge, a parry, or no reaction.


class Prospect(msgspec.Struct, frozen=True):
    """The result of an answer: the chance that the attack counts, and its victim's average loss.

    `losses` are all they may lose of that, None if it is nothing.
    """

    chance: float
    lost: float
    losses: Distribution | None = None


def find_prospects(
    system: System,
    state: State,
    action: Action,
    command: Command,
    answers: tuple[Answer, ...],
    request: ChoiceRequest,
    give_up: GiveUp = never,
) -> dict[str, Prospect]:
    """The prospect of each option for a combatant whom another acts on; `state` is the one before.

    Empty if the question is of another kind, makes no difference, or cannot be counted.
    """
    if not _is_asked_once(answers, request) or request.who == command.actor:
        return {}
    if not {request.who, command.actor} <= state.combatants.keys():
        return {}
    found: dict[str, Prospect] = {}
    try:
        for option in (option for option in request.options if not option.refused):
            given = (*answers, answer_choice(request, option.value, "seat"))
            odds = find_odds(system, state, action, command=command, give_up=give_up, given=given)
            if odds.headline:
                found[option.value] = _make_prospect(system, odds, request.who)
    except (Refused, TooMany, Drift):  # the rules may have changed since the action began
        return {}
    return found if len({(one.chance, one.lost) for one in found.values()}) > 1 else {}


def _is_asked_once(answers: tuple[Answer, ...], request: ChoiceRequest) -> bool:
    """Whether an answer is for one question only: if asked again, it would answer both."""
    known = [key_of(answer)[:3] for answer in answers]
    return bool(request.options) and len({*known, key_of(request)[:3]}) == len(known) + 1


def _make_prospect(system: System, odds: Odds, who: str) -> Prospect:
    assert odds.headline is not None
    first = find_first(system)
    losses = next((one for one in odds.distributions if one.who == who and one.track == first), None)
    chance = odds.headline.chance if odds.after is None else odds.after
    return Prospect(chance, losses.mean if losses else 0.0, losses)
