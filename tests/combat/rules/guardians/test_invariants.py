"""What holds of every body after every step, however wildly a fight is played."""

from __future__ import annotations

from combat.rules.core.state.state import Combatant, has_condition, present
from combat.rules.guardians import SYSTEM
from combat.rules.guardians.book.tables import HEAD, LEGS, LIMBS, TORSO
from combat.rules.guardians.people.conditions import is_on_part
from combat.rules.guardians.people.values import find_mp, has_lost_half
from combat.rules.guardians.world.things import count_item_hands, find_arms, find_held
from tests.combat.rules.core.wild import play, wild_fights


@wild_fights
def test_a_body_is_what_its_points_say_and_holds_what_its_arms_can(seed: int, length: int) -> None:
    for log, _ in play(SYSTEM, seed, length):
        for fighter in present(log.state):
            check_limbs(fighter)
            check_life(fighter)
            check_hands(fighter)


def check_limbs(fighter: Combatant) -> None:
    for limb in LIMBS:
        lost, lame = (is_on_part(fighter, kind, limb) for kind in ("destroyed", "disabled"))
        assert not (lost and lame), limb
        assert lost or find_mp(fighter, limb), limb
        assert lost or lame or not has_lost_half(fighter, limb), limb


def check_life(fighter: Combatant) -> None:
    dead = has_condition(fighter, "dead")
    assert dead or (find_mp(fighter, HEAD) and find_mp(fighter, TORSO))
    assert dead or has_condition(fighter, "unconscious") or not has_lost_half(fighter, HEAD)
    if any(not any(is_on_part(fighter, kind, leg) for kind in ("destroyed", "disabled")) for leg in LEGS):
        return
    assert has_condition(fighter, "prone")


def check_hands(fighter: Combatant) -> None:
    held = find_held(fighter)
    assert sum(map(count_item_hands, held)) <= len(find_arms(fighter))
    assert not (held and has_condition(fighter, "dead", "unconscious"))
