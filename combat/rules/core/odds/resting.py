"""What rest brings, day by day, before anyone rests: with the lowest dice and with the highest ones."""

from __future__ import annotations

from collections.abc import Iterator

from ..basics.dice.dice import parse_dice
from ..commands.commands import read_command
from ..declaration.parts import Interlude
from ..declaration.system import System
from ..engine.engine import AutoDriver, find_action
from ..state.state import State
from .forecast import play_step

NIGHT, DAY = "night", "day"  # the keys of the rests that games declare
SHORT = "short"  # the size of their shortest one


class LimitDriver(AutoDriver):
    """Answers every roll with its lowest faces or its highest ones, and choices as auto-play does."""

    def __init__(self, high: bool) -> None:
        super().__init__(tells=False)
        self.high = high

    def throw(self, dice: str) -> tuple[int, ...]:
        """The lowest or the highest faces of these dice."""
        self.thrown += 1
        thrown = parse_dice(dice)
        return (thrown.sides if self.high else 1,) * thrown.count


def find_rest(system: System, key: str) -> Interlude | None:
    """The rest of a game by its key, or its short one; None if it has none."""
    rests = system.turn.passing.interludes
    return next((one for one in rests if key == (one.size if key == SHORT else one.key)), None)


def list_steps(rest: Interlude, days: int) -> list[dict[str, int | str | bool]]:
    """The fields of the commands that let so many days pass: one command, if it counts them."""
    fields = dict(rest.fields)
    return [{**fields, rest.counts: days}] if rest.counts else [fields] * days


def foresee_rest(system: System, state: State, rest: Interlude, days: int) -> Iterator[tuple[State, State]]:
    """The state after each day, with the lowest dice and with the highest; raises Refused."""
    command = read_command(find_action(system, rest.action), dict(rest.fields))
    low, high = LimitDriver(high=False), LimitDriver(high=True)
    worst = best = state
    for _ in range(days):
        worst = play_step(system, worst, rest.action, command=command, auto=low).state
        best = play_step(system, best, rest.action, command=command, auto=high).state
        yield worst, best
