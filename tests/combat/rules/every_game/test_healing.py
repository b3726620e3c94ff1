"""What the GM heals stops at the maximum, whatever the number; “Set to” goes beyond."""

from __future__ import annotations

from combat.rules.core.declaration.system import System
from combat.rules.core.state.state import present
from combat.rules.core.turn.turns import find_full
from tests.combat.rules.games import every_game, set_up


@every_game
def test_healing_stops_at_the_maximum_of_every_number(system: System) -> None:
    stage = set_up(system)
    state = stage.state
    for combatant in present(state):
        full = find_full(system, combatant)
        for track in system.characters.find_tracks(combatant):
            most = full.get(track.key, 0)
            if track.rises or most < 1:
                continue
            stage.state = state
            stage.set_track(combatant.id, **{track.key: most - 1})
            stage.do("adjust", target=combatant.id, track=track.key, by=20)
            assert stage[combatant.id].tracks[track.key] == most
            assert "“Set to”" in stage.refused("adjust", target=combatant.id, track=track.key, by=1).message
