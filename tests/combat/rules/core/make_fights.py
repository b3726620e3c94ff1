"""Make the stored fights of a game that has none yet: `python -m tests.combat.rules.core.make_fights SLUG`.

A fight that is stored is never made again: it shows for ever what a version of today wrote.
`long` is the demo fight to its end; `undone` half of it, with steps taken back and done again;
`conditions` gives every condition of the game to somebody; `second` begins another fight.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import command_data, read_command
from combat.rules.core.engine.document import make_document, read_document, write_document
from combat.rules.core.engine.engine import Done, find_action, run
from combat.rules.core.state.history import COMMAND, VERSION
from combat.rules.core.state.state import present
from combat.rules.core.system import DemoStep, System
from tests.combat.rules.core.test_stored_fights import EXPECTED, FOLDER, sum_up
from tests.combat.rules.core.wild import Log
from tests.combat.rules.stage import Script

CHANCE = random.Random(1)
TAKEN_BACK = "uuurruur"  # undo and redo


def say(line: str) -> None:
    """Tell whoever runs this."""
    sys.stdout.write(f"{line}\n")


def play(log: Log, steps: tuple[DemoStep, ...]) -> None:
    """Do demo steps with their scripted answers."""
    for step in steps:
        command = read_command(find_action(log.system, step.name), dict(step.command))
        done = run(log.system, log.state, find_action(log.system, step.name), command, Script(step.answers))
        assert isinstance(done, Done)
        log._add(
            COMMAND, name=step.name, command=command_data(command), answers=done.answers, facts=done.facts
        )


def begin(system: System, share: float) -> Log:
    """The demo fight set up, and so much of its script played."""
    log, demo = Log(system), system.demo()
    play(log, (*demo.setup, *demo.script[: int(share * len(demo.script))]))
    return log


def make_long(system: System) -> Log:
    """The demo fight to its end."""
    return begin(system, 1)


def make_undone(system: System) -> Log:
    """Half of it, with steps taken back and done again."""
    log = begin(system, 0.5)
    for letter in TAKEN_BACK:
        log.undo() if letter == "u" else log.redo()
    return log


def make_conditions(system: System) -> Log:
    """Every condition that may be given, each to the next fighter; what is refused is left out."""
    log = begin(system, 0)
    log.do(system.start, {}, CHANCE)
    people = [fighter.id for fighter in present(log.state)]
    for number, kind in enumerate(system.conditions):
        command = {"target": people[number % len(people)], "kind": kind}
        try:
            log.do("give_condition", command, CHANCE)
        except Refused as refused:
            say(f"  {kind}: {refused.message}")
    return log


def make_second(system: System) -> Log:
    """Half of it, its end, and the beginning of another fight."""
    log = begin(system, 0.5)
    log.do("end_fight", {}, CHANCE)
    log.do(system.start, {}, CHANCE)
    return log


KINDS: dict[str, Callable[[System], Log]] = {
    "long": make_long,
    "undone": make_undone,
    "conditions": make_conditions,
    "second": make_second,
}


def store(path: Path, log: Log, expected: dict[str, Any]) -> None:
    """Write a fight and how it ends."""
    name = path.stem
    raw = write_document(make_document(name, log.start, tuple(log.steps), log.state))
    path.write_bytes(raw + b"\n")
    expected[f"{path.parent.name}/{name}"] = sum_up(read_document(raw))


def main(slug: str) -> None:
    """Make what is missing of a game."""
    folder, expected = FOLDER / f"v{VERSION}", dict(EXPECTED)
    folder.mkdir(exist_ok=True)
    for kind, make in KINDS.items():
        path = folder / f"{slug}-{kind}.json"
        if path.exists():
            say(f"{path.name} is there and stays")
            continue
        store(path, make(find_system(slug)), expected)
        say(path.name)
    text = json.dumps(expected, indent=1, ensure_ascii=False)
    (FOLDER / "expected.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
