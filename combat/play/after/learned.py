"""What a fight taught about its house rules: each step is played again by the usual rule and compared.

A step keeps its recorded dice and answers. It differs if its facts do, or if it needs other dice; it asks if
the usual rule lets someone choose where nobody did.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator

import msgspec
from django.core.cache import cache

from combat.models import Encounter
from combat.rules import find_system
from combat.rules.core.basics.data import read_json
from combat.rules.core.basics.dice.requests import ChoiceRequest
from combat.rules.core.basics.errors import Drift, Refused
from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.book import TABLE_OPTIONS, TableOption
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import Done, ReplayDriver, find_action, run
from combat.rules.core.state import events as e
from combat.rules.core.state.fold import fold_all
from combat.rules.core.state.history import COMMAND, Step, find_counting
from combat.rules.core.state.state import Scalar, State, decode, replace

from ..writing.verification import read_step

KEEP_SECONDS = 7 * 86_400
MAX_SECONDS = 2.0  # of processor, for comparing
SAME, DIFFERENT, ASKS = "same", "different", "asks"


class RuleCount(msgspec.Struct, frozen=True):
    """A house rule in play: its key and value, how many steps were `compared`, and how they came out."""

    key: str
    value: Scalar
    compared: int
    different: int
    asks: int


class Learned(msgspec.Struct, frozen=True):
    """What a fight showed of its house rules.

    `left` comparisons had no time. `modifiers` are the GM's situational modifiers: reason, points, number.
    """

    rules: tuple[RuleCount, ...] = ()
    left: int = 0
    modifiers: tuple[tuple[str, int, int], ...] = ()


def find_learned(encounter: Encounter) -> Learned:
    """What the last fight of an encounter showed; kept until the log grows."""
    key = f"learned:{encounter.pk}:{encounter.steps}:{len(encounter.undone)}"
    if raw := cache.get(key):
        return read_json(raw, Learned)
    steps = [read_step(row) for row in encounter.log.defer("after")]
    found = learn(find_system(encounter.system), decode(bytes(encounter.start)), steps)
    cache.set(key, msgspec.json.encode(found), KEEP_SECONDS)
    return found


def learn(system: System, start: State, steps: list[Step], seconds: float = MAX_SECONDS) -> Learned:
    """What the last fight in a log showed, as far as it can be compared in this time."""
    end, left = time.thread_time() + seconds, 0
    counts: dict[tuple[str, Scalar], Counter[str]] = {}
    modifiers: Counter[tuple[str, int]] = Counter()
    for state, step in _find_steps(start, steps):
        if step.command.get("adjust"):
            modifiers[str(step.command.get("because", "")), int(step.command["adjust"])] += 1
        for option in _find_unusual(system, state):
            if time.thread_time() > end:
                left += 1
                continue
            key = option.key, system.option(state, option.key)
            counts.setdefault(key, Counter())[_compare(system, state, step, option)] += 1
    rules = (
        RuleCount(key, value, found.total(), different=found[DIFFERENT], asks=found[ASKS])
        for (key, value), found in counts.items()
    )
    return Learned(
        tuple(sorted(rules, key=lambda one: -(one.different + one.asks))),
        left,
        tuple((why, points, times) for (why, points), times in modifiers.most_common()),
    )


def _find_steps(start: State, steps: list[Step]) -> Iterator[tuple[State, Step]]:
    """The steps of the last fight that count, each with the state before it."""
    state, found = start, list[tuple[State, Step]]()
    for step in find_counting(steps):
        if any(isinstance(fact.event, e.FightStarted) for fact in step.facts):
            found = [(state, step)]
        elif state.phase == "fight" and step.kind == COMMAND and step.name != "set_option":
            found.append((state, step))
        state = fold_all(state, step.facts)
    return iter(found)


def _find_unusual(system: System, state: State) -> list[TableOption]:
    """The house rules of the game that differ from their defaults; how a table shows things is none."""
    own = [option for option in system.book.options if option not in TABLE_OPTIONS]
    return [option for option in own if system.option(state, option.key) != option.default]


def _compare(system: System, state: State, step: Step, option: TableOption) -> str:
    """Whether a step comes out the same by the usual rule."""
    usual = replace(state, options={**state.options, option.key: option.default})
    try:
        action = find_action(system, step.name)
        done = run(
            system,
            usual,
            action,
            command=read_command(action, step.command),
            driver=ReplayDriver(),
            answers=step.answers,
        )
    except (Drift, Refused):
        return DIFFERENT
    if not isinstance(done, Done):
        return ASKS if isinstance(done.requests[0], ChoiceRequest) else DIFFERENT
    return SAME if [f.event for f in done.facts] == [f.event for f in step.facts] else DIFFERENT
