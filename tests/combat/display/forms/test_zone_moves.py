"""The zones that a combatant can move to."""

from __future__ import annotations

from combat.display.forms.usual_odds import _share_reasons, try_way
from combat.display.map.scene import view_scene
from combat.rules import find_system
from combat.rules.core.basics.errors import why_refused
from combat.rules.core.commands.commands import find_refusal
from combat.rules.core.declaration.system import System
from combat.rules.core.odds.planner import MOVE
from combat.rules.core.space import Scene, Zone
from combat.rules.core.state.state import is_acting, replace
from tests.combat.rules.every_game.wild.wild import few_wild_fights, play
from tests.combat.rules.games import every_game


@every_game
@few_wild_fights
def test_a_way_is_refused_as_the_move_would_be(system: System, seed: int, length: int) -> None:
    """A game's own check of a way says what the move says, which runs to its end."""
    check_way, move = system.space.zones.check_way, system.actions.by_name.get(MOVE)
    if check_way is None or move is None:
        return
    for log, _ in play(system, seed, length):
        state = log.state
        for who in filter(lambda who: is_acting(state, who), state.combatants):
            if find_refusal(move, state, who):
                continue
            for zone in state.scene.zones:
                given = (state, who, f"zone:{zone.id}")
                assert why_refused(check_way, *given) == why_refused(try_way, system, *given)


def test_reason_that_zones_share_is_told_once_else_at_its_zone() -> None:
    system = find_system("cosmos")
    zones = tuple(Zone(f"z{n}", name, 10 * n, 0, 10, 10) for n, name in enumerate(("Hall", "Shed", "Vault")))
    scene = view_scene(system, replace(system.begin(), scene=Scene("Here", zones)), {})
    why = {"z0": "Too far.", "z1": "Too far.", "z2": "Locked."}
    assert [(one.zones, one.why) for one in _share_reasons(scene, why)] == [(("Hall", "Shed"), "Too far.")]
