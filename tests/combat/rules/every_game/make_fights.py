"""Record the stored fights again: `python -m tests.combat.rules.every_game.make_fights [GAME ...]`.

`long` is the demo fight to its end; `undone` half of it, with steps undone and redone; `conditions` gives
every condition of the game to someone; `second` begins another fight. A game's own fights are in the
`fights.py` of its tests.
"""

from __future__ import annotations

import importlib
import json
import random
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec

from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.document import make_document, read_document, write_document
from combat.rules.core.state.state import present
from tests.combat.rules.every_game.wild.wild import Log
from tests.combat.rules.games import GAMES
from tests.combat.rules.stored import EXPECTATIONS, find_store, sum_up

TAKEN_BACK = "uuurruur"  # undo and redo
Chance = random.Random


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def begin(system: System, chance: Chance, share: float) -> Log:
    """The demo fight set up, with this much of its script played."""
    log, demo = Log(system), system.demo.make_first()
    log.play((*demo.setup, *demo.script[: int(share * len(demo.script))]), chance)
    return log


def make_long(system: System, chance: Chance) -> Log:
    """The demo fight to its end."""
    return begin(system, chance, 1)


def make_undone(system: System, chance: Chance) -> Log:
    """Half of it, with steps undone and redone."""
    log = begin(system, chance, 0.5)
    for letter in TAKEN_BACK:
        log.undo() if letter == "u" else log.redo()
    return log


def make_conditions(system: System, chance: Chance) -> Log:
    """Every condition that the GM may give, each to the next combatant; refused ones are left out."""
    log = begin(system, chance, 0)
    log.do(system.actions.start, {}, chance)
    people = [combatant.id for combatant in present(log.state)]
    for number, kind in enumerate(system.characters.conditions):
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
    log.do(system.actions.start, {}, chance)
    return log


KINDS: dict[str, Callable[[System, Chance], Log]] = {
    "long": make_long,
    "undone": make_undone,
    "conditions": make_conditions,
    "second": make_second,
}


def find_fights(system: System) -> Iterator[tuple[str, Callable[[System, Chance], Log]]]:
    """The name of every fight of a game, and what plays it."""
    for kind, make in KINDS.items():
        yield f"{system.slug}-{kind}", make
    own = f"tests.combat.rules.{system.slug}.fights"
    if find_spec(f"tests.combat.rules.{system.slug}") and find_spec(own):
        for kind, make in importlib.import_module(own).FIGHTS.items():
            yield f"{system.slug}-{kind}", make


def record(system: System) -> dict[str, bytes]:
    """Play all fights of a game; gives the file of each by name."""
    made: dict[str, bytes] = {}
    for name, make in find_fights(system):
        say(name)
        log = make(system, random.Random(name))
        made[name] = write_document(make_document(name, log.start, tuple(log.steps), log.state)) + b"\n"
    return made


def main(slugs: list[str]) -> None:
    """Record the fights of these games, or of all; what is no longer made goes."""
    for slug in slugs or GAMES:
        made, folder = record(GAMES[slug]), find_store(GAMES[slug])
        folder.mkdir(parents=True, exist_ok=True)
        listed = folder / EXPECTATIONS
        expected = json.loads(listed.read_bytes()) if listed.exists() else {}
        for path in folder.glob(f"{slug}-*.json"):
            path.unlink()
            expected.pop(path.stem, None)
        for name, raw in made.items():
            (folder / f"{name}.json").write_bytes(raw)
        expected |= {name: sum_up(read_document(raw)) for name, raw in made.items()}
        text = json.dumps(dict(sorted(expected.items())), indent=1, ensure_ascii=False)
        listed.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
