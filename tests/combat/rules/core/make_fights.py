"""Record the stored fights of every game again: `python -m tests.combat.rules.core.make_fights`.

`long` is the demo fight to its end; `undone` half of it, with steps taken back and done again;
`conditions` gives every condition of the game to somebody; `second` begins another fight. Fights of a
game's own are in the `fights.py` of its tests.
"""

from __future__ import annotations

import importlib
import json
import random
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec

from combat.rules import SYSTEMS
from combat.rules.core.basics.errors import Refused
from combat.rules.core.engine.document import make_document, read_document, write_document
from combat.rules.core.state.state import present
from combat.rules.core.system import System
from tests.combat.rules.core.wild import Log
from tests.combat.rules.games import GAMES
from tests.combat.rules.stored import FIGHTS, FOLDER, sum_up

TAKEN_BACK = "uuurruur"  # undo and redo
Chance = random.Random


def say(line: str) -> None:
    """Tell whoever runs this."""
    sys.stdout.write(f"{line}\n")


def begin(system: System, chance: Chance, share: float) -> Log:
    """The demo fight set up, and so much of its script played."""
    log, demo = Log(system), system.demo()
    log.play((*demo.setup, *demo.script[: int(share * len(demo.script))]), chance)
    return log


def make_long(system: System, chance: Chance) -> Log:
    """The demo fight to its end."""
    return begin(system, chance, 1)


def make_undone(system: System, chance: Chance) -> Log:
    """Half of it, with steps taken back and done again."""
    log = begin(system, chance, 0.5)
    for letter in TAKEN_BACK:
        log.undo() if letter == "u" else log.redo()
    return log


def make_conditions(system: System, chance: Chance) -> Log:
    """Every condition that may be given, each to the next fighter; what is refused is left out."""
    log = begin(system, chance, 0)
    log.do(system.start, {}, chance)
    people = [fighter.id for fighter in present(log.state)]
    for number, kind in enumerate(system.conditions):
        command = {"target": people[number % len(people)], "kind": kind}
        try:
            log.do("give_condition", command, chance)
        except Refused as refused:
            say(f"  {kind}: {refused.message}")
    return log


def make_second(system: System, chance: Chance) -> Log:
    """Half of it, its end, and the beginning of another fight."""
    log = begin(system, chance, 0.5)
    log.do("end_fight", {}, chance)
    log.do(system.start, {}, chance)
    return log


KINDS: dict[str, Callable[[System, Chance], Log]] = {
    "long": make_long,
    "undone": make_undone,
    "conditions": make_conditions,
    "second": make_second,
}


def find_fights() -> Iterator[tuple[str, System, Callable[[System, Chance], Log]]]:
    """The name of every fight, its game, and what plays it."""
    for slug, system in GAMES.items():
        for kind, make in KINDS.items() if slug in SYSTEMS else ():
            yield f"{slug}-{kind}", system, make
        own = f"tests.combat.rules.{slug}.fights"
        if find_spec(f"tests.combat.rules.{slug}") and find_spec(own):
            for kind, make in importlib.import_module(own).FIGHTS.items():
                yield f"{slug}-{kind}", system, make


def main() -> None:
    """Record them all; what is no longer made goes."""
    made: dict[str, bytes] = {}
    for name, system, make in find_fights():
        say(name)
        log = make(system, random.Random(name))
        made[name] = write_document(make_document(name, log.start, tuple(log.steps), log.state)) + b"\n"
    for path in FIGHTS:
        path.unlink()
    for name, raw in made.items():
        (FOLDER / f"{name}.json").write_bytes(raw)
    expected = {name: sum_up(read_document(raw)) for name, raw in made.items()}
    text = json.dumps(expected, indent=1, ensure_ascii=False)
    (FOLDER / "expected.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
