"""Whom the form of a coup de grace offers."""

from __future__ import annotations

import pytest

from tests.combat.rules.cepheus.fight.range import duel
from tests.combat.rules.cepheus.figures import ADA, BO


@pytest.mark.rule("CE-ATK-10")
def test_a_coup_de_grace_is_offered_against_enemies_only() -> None:
    stage = duel("dagger", 1)
    friend = stage.join("Cy", 1)
    stage.give(friend, "unconscious")
    assert stage.obstacle("coup_de_grace", ADA)
    stage.give(BO, "unconscious")
    target = stage.system.action("coup_de_grace").find_fields(stage.state, ADA)[0]
    options = {one.value: one.refused for one in target.options}
    assert options == {BO: "", friend: "Cy is on the same side."}
