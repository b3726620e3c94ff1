"""How the app plays: `python -m tests.tools.autoplay [GAME ...] [--fights N]`, by exact odds of each attack.

Prints for each game the attacks that its tactics proposed in auto-played fights on all kinds of ground, how
many of them were by hand, how many by hand with a loaded gun in hand, how many could do nothing at all (and
of these, while another weapon in hand could), the steps that were refused or changed nothing, and the fights
that had not ended after 60 rounds.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import find_action
from combat.rules.core.odds.enumeration import Enumeration, TooMany, never
from combat.rules.core.state.state import Item, State
from tests.combat.rules.every_game.autoplay import GROUNDS, Fight, Move, play, set_up
from tests.combat.rules.games import GAMES, WITH_DOORS

FIGHTS = 60


def is_weapon_part(system: System, item: Item) -> bool:
    """Whether a weapon is a part of the body."""
    catalogue = system.book.catalogue
    return bool(catalogue and catalogue.is_built_in(item.kind, item.data))


def find_used(state: State, move: Move) -> Item | None:
    """The weapon of an attack, if it is the attacker's own."""
    wanted = getattr(move.command, "weapon", "")
    return next((item for item in state[move.command.actor].items if item.id == wanted), None)


def can_do_anything(system: System, move: Move) -> bool:
    """Whether any dice of an attack change the points or the conditions of its target; assumed if that cannot
    be counted."""
    target = getattr(move.command, "target", "")
    before = move.before[target]
    try:
        whole = Enumeration(system, move.before, never)
        ends = whole.run(find_action(system, move.name), move.command, to_the_end=True)
    except (Refused, TooMany):
        return True
    after = (end.state.combatants[target] for end in ends)
    return any(one.tracks != before.tracks or one.conditions != before.conditions for one in after)


def count(system: System, fights: list[Fight], exact: bool = True) -> Counter[str]:
    """What the tactics proposed in these fights."""
    found: Counter[str] = Counter()
    for fight in fights:
        found["fights"] += 1
        found["open"] += fight.is_open
        found["steps"] += len(fight.moves)
        for move in fight.moves:
            found["refused"] += move.odd not in ("", "no effect")
            found["no effect"] += move.odd == "no effect"
            used = find_used(move.before, move)
            if move.name != "attack" or used is None:
                continue
            held = [
                i for i in move.before[move.command.actor].items if i.kind == "weapon" and i.place == "held"
            ]
            armed = any(item.loaded for item in held)
            found["attacks"] += 1
            by_hand = is_weapon_part(system, used)
            found["by hand"] += by_hand
            found["by hand, gun loaded"] += by_hand and armed
            if exact and not can_do_anything(system, move):
                found["futile"] += 1
                found["futile, gun loaded"] += by_hand and armed
    return found


def main() -> None:
    """Print a line for each game."""
    asked = argparse.ArgumentParser()
    asked.add_argument("games", nargs="*", default=WITH_DOORS)
    asked.add_argument("--fights", type=int, default=FIGHTS)
    asked.add_argument("--rough", action="store_true", help="without exact odds")
    asked.add_argument(
        "--odd", action="store_true", help="list the odd steps and the fights that did not end"
    )
    options = asked.parse_args()
    for slug in options.games:
        system, started = GAMES[slug], time.process_time()
        fights = []
        for n in range(options.fights):
            fight = play(system, set_up(system, GROUNDS[n % len(GROUNDS)], n), n)
            fights.append(fight)
            if options.odd and (fight.is_open or fight.odd):
                sys.stdout.write(
                    f"{slug} {n} on {GROUNDS[n % len(GROUNDS)] or 'open'}: "
                    f"{'not ended' if fight.is_open else f'{fight.end.round} rounds'}\n"
                )
                for line in fight.odd[:4]:
                    sys.stdout.write(f"   {line}\n")
        seconds = time.process_time() - started
        found = count(system, fights, exact=not options.rough)
        said = ", ".join(f"{key} {number}" for key, number in found.items())
        sys.stdout.write(f"{slug}: {said}; played in {seconds:.1f} s\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
