"""Who of one's own side lies dying, so that help is offered first."""

from __future__ import annotations

import pytest

from combat.display.forms.helping import DYING, find_dying
from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from combat.rules.core.state.state import replace
from tests.combat.visit import MARCUS, PIRATE, SLUG, ZARA, state_of


@pytest.mark.parametrize(("who", "found"), [(MARCUS, [ZARA]), (ZARA, []), (PIRATE, [])])
def test_only_dying_friends_who_are_there_need_help(started: Encounter, who: str, found: list[str]) -> None:
    system = find_system(SLUG)
    dying = next(key for key, kind in system.kinds.sections["condition"].items() if kind == DYING)
    for one in (ZARA, PIRATE):
        submit(started.pk, Submission("give_condition", {"target": one, "kind": dying}))
    state = state_of(started.pk)
    assert [one.id for one in find_dying(system, state, who)] == [one for one in found if one != who]
    away = {**state.combatants, ZARA: replace(state[ZARA], gone=True)}
    assert not [*find_dying(system, replace(state, combatants=away), MARCUS)]
