"""Count the Python calls of a forecast, for every demo fight: `python -m tests.tools.speed.rules`.

Calls are those of Python functions, as cProfile counts them: no machine's pace changes them. A command is one
run of the engine. Seconds are those of one core, for a whole forecast.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import sys
import time
from dataclasses import dataclass

from combat.rules.core.declaration.book import Demo
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import run
from combat.rules.core.odds.forecast import CHUNK, Ending, is_settled, play_many
from combat.rules.core.state.state import State
from tests.combat.rules.games import GAMES
from tests.combat.rules.stage import Stage

FIGHTS, SEED = 30, 1
BUILT_IN = "~"  # the file of what is not Python, which the profiler of 3.14 counts although it is told not to


@dataclass(frozen=True)
class Count:
    """The Python calls and the commands of some fights."""

    calls: int
    commands: int
    stats: pstats.Stats

    @property
    def each(self) -> float:
        """The calls of a command."""
        return self.calls / self.commands


def set_up(system: System, demo: Demo) -> State:
    """The state before initiative."""
    stage = Stage(system)
    for step in demo.setup:
        stage.do(step.name, **dict(step.command))
    return stage.state


def measure(system: System, state: State) -> tuple[int, float]:
    """The fights of a whole forecast, and its seconds."""
    endings: list[Ending] = []
    started = time.process_time()
    while not is_settled(endings):
        endings += play_many(system, state, CHUNK, SEED + len(endings))
    return len(endings), time.process_time() - started


def count(system: System, state: State, fights: int = FIGHTS) -> Count:
    """Play the first fights of a forecast under the profiler."""
    profiler = cProfile.Profile(builtins=False)
    profiler.runcall(lambda: list(play_many(system, state, fights, SEED)))
    stats = pstats.Stats(profiler)
    entries = stats.stats  # type: ignore[attr-defined]
    calls = sum(entry[1] for (file, *_), entry in entries.items() if file != BUILT_IN)
    place = (run.__code__.co_filename, run.__code__.co_firstlineno, run.__name__)
    return Count(calls, entries[place][1], stats)


def main() -> None:
    """Print a line for each demo fight, and the functions called most often if asked."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--only", default="", help="part of a game's short name")
    asked.add_argument("--most", type=int, default=0, help="list the functions called most often")
    asked.add_argument("--by", default="ncalls", help="the order of that list: ncalls, tottime, cumtime")
    options = asked.parse_args()
    for slug, system in GAMES.items():
        for number, demo in enumerate(system.demo.make_all()):
            if options.only not in f"{slug}:{number}":
                continue
            state = set_up(system, demo)
            fights, seconds = measure(system, state)
            found = count(system, state)
            sys.stdout.write(
                f"{f'{slug}:{number}':16} {found.each:6.1f} calls a command  "
                f"{found.commands / FIGHTS:6.1f} commands a fight  "
                f"{found.calls / FIGHTS:7.0f} calls a fight  "
                f"{fights:4} fights in {seconds:5.2f} s\n"
            )
            sys.stdout.flush()
            if options.most:
                found.stats.sort_stats(options.by).print_stats(options.most)


if __name__ == "__main__":
    main()
