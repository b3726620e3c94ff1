"""What follows from words: of two things in hand, the one that was named changes hands."""

from __future__ import annotations

import pytest

from combat.rules.core.gm.acts.endings import Deed, make_endings
from combat.rules.core.gm.loot import can_part
from combat.rules.core.state.state import replace
from tests.combat.rules.core.gm.acts.scenes import FOE, ME, RULED, make_scene


@pytest.mark.parametrize("slug", RULED[:1])
def test_of_two_things_the_one_that_was_named_is_taken(slug: str) -> None:
    system, state = make_scene(slug)
    foe = state[FOE]
    first = next(item for item in foe.items if can_part(system, item) and item.place == "held")
    second = replace(first, id="second", place="stowed")
    others = tuple(item for item in foe.items if item.id != first.id)
    two = replace(foe, items=(first, second, *others))
    state = replace(state, combatants={**state.combatants, FOE: two})
    for named, taken in (((first.id,), first.id), ((second.id,), second.id), ((), first.id)):
        (effect,) = make_endings(Deed(system, state, ME, (FOE,), items=named), ("item them",))
        assert (effect.kind, effect.who, effect.key, effect.to) == ("item", (FOE,), taken, ME)
    (words,) = make_endings(Deed(system, state, ME, (FOE,), takes_held=False), ("item them",))
    assert words.kind == "words"
