"""Properties of every body after every step, however wildly a fight is played."""

from __future__ import annotations

from combat.rules.core.state.state import Combatant, has_condition, present
from combat.rules.guardians import SYSTEM
from combat.rules.guardians.book.tables import HEAD, LEGS, LIMBS, TORSO
from combat.rules.guardians.characters.conditions import is_on_part
from combat.rules.guardians.characters.values import find_mp, has_lost_half
from combat.rules.guardians.world.reach import count_item_hands, find_arms, find_held
from tests.combat.rules.every_game.wild.wild import play, wild_fights


@wild_fights
def test_body_is_what_its_points_say_and_holds_what_its_arms_can(seed: int, length: int) -> None:
    for log, _ in play(SYSTEM, seed, length):
        for combatant in present(log.state):
            check_limbs(combatant)
            check_life(combatant)
            check_hands(combatant)


def check_limbs(combatant: Combatant) -> None:
    for limb in LIMBS:
        lost, lame = (is_on_part(combatant, kind, limb) for kind in ("destroyed", "disabled"))
        assert not (lost and lame), limb
        assert lost or find_mp(combatant, limb), limb
        assert lost or lame or not has_lost_half(combatant, limb), limb


def check_life(combatant: Combatant) -> None:
    dead = has_condition(combatant, "dead")
    assert dead or (find_mp(combatant, HEAD) and find_mp(combatant, TORSO))
    assert dead or has_condition(combatant, "unconscious") or not has_lost_half(combatant, HEAD)
    if any(not any(is_on_part(combatant, kind, leg) for kind in ("destroyed", "disabled")) for leg in LEGS):
        return
    assert has_condition(combatant, "prone")


def check_hands(combatant: Combatant) -> None:
    held = find_held(combatant)
    assert sum(map(count_item_hands, held)) <= len(find_arms(combatant))
    assert not (held and has_condition(combatant, "dead", "unconscious"))
