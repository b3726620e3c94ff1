"""What follows from words: of two things in hand, the one that was named changes hands."""

from __future__ import annotations

import pytest

from combat.rules.core.declaration.frames import OFFER
from combat.rules.core.gm.acts.endings import Deed, make_endings
from combat.rules.core.gm.loot import can_part
from combat.rules.core.state.state import replace
from tests.combat.rules.core.gm.acts.scenes import FOE, ME, RULED, make_scene, read_words
from tests.combat.rules.core.gm.acts.test_frames import EXAMPLES, list_examples


@pytest.mark.slow
@pytest.mark.parametrize("slug", RULED)
def test_no_offer_has_an_empty_ending(slug: str) -> None:
    """Whatever is one tap away says what follows if it works and if it fails, and to whom."""
    offers = [found for _, _, words in list_examples() if (found := read_words(slug, words)).answer == OFFER]
    assert len(offers) > EXAMPLES / 4
    for found in offers:
        for ending in (found.act.works, found.act.fails):
            assert ending, found.act
            assert all(one.text if one.kind == "words" else one.who or one.key for one in ending), found.act


@pytest.mark.parametrize("slug", RULED)
@pytest.mark.parametrize(
    "words",
    [
        "I slam the {door} on {foe}",
        "Slam the {door} on {foe}!",
        "I slam the {door} shut on {foe}'s hand",
    ],
)
def test_slammed_door_hurts_someone_and_no_other_door_shuts(slug: str, words: str) -> None:
    act = read_words(slug, words).act
    assert [(one.kind, one.who) for one in act.works] == [("harm", (FOE,))]
    alone = read_words(slug, "I slam the {door}").act
    assert [(one.kind, one.n) for one in alone.works] == [("door", 0)]


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


def test_nothing_follows_for_who_is_gone_and_words_stay_words() -> None:
    system, state = make_scene(RULED[0])
    assert not make_endings(Deed(system, state, ME, ("gone",)), ("item them",))
    assert not make_endings(Deed(system, state, "", (FOE,)), ("item them",))
    assert not make_endings(Deed(system, state, ME), ("open", "shut", "harm them"))
    (words,) = make_endings(Deed(system, state, ME), ("Silence.",))
    assert (words.kind, words.text) == ("words", "Silence.")
