"""The GM brings someone down to nothing: they are out, whatever kind of body they have."""

from __future__ import annotations

import random

from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, Done, find_action, run
from combat.rules.core.state.state import Combatant
from tests.combat.rules.games import every_game
from tests.combat.rules.stage import Stage

BEYOND = 20  # more harm than anyone bears, in a game that counts it up


def find_life(system: System, combatant: Combatant) -> list[tuple[str, int]]:
    """The numbers behind the health of a combatant, and what each is when nothing is left."""
    tracks = system.characters.find_tracks(combatant)
    shared = system.characters.shared_track
    keys = {track.key for track in tracks} & set(shared.tracks) if shared else set()
    life = [track for track in tracks if track.key in keys or track.key == "structure"] or [tracks[0]]
    most = system.characters.health(combatant).most
    ends = [(track.key, most + BEYOND if track.rises else 0) for track in life]
    return [(key, end) for key, end in ends if combatant.tracks[key] != end]


@every_game
def test_everyone_whom_the_gm_brings_to_nothing_is_out(system: System) -> None:
    action, dice = find_action(system, "adjust"), AutoDriver(random.Random(1))
    for key in system.book.find_blocks():
        stage = Stage(system)
        who = stage.add("Bo", block=key)
        life = find_life(system, stage[who])
        for track, to in life:
            command = read_command(action, {"target": who, "track": track, "to": to})
            done = run(system, stage.state, action, command, dice)
            assert isinstance(done, Done)
            stage.state = done.state
        assert system.characters.health(stage[who]).is_out or not life, key
