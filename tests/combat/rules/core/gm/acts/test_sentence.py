"""Names of places in what people type, where two doors, two zones, and a door and a zone share a word."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from combat.rules.core.gm.acts.scenery import DOORWAY, FOE, PASSED, ZONE, Scenery
from combat.rules.core.gm.acts.sentence import read_tokens

SCENERY = Scenery(
    actor="ash",
    people={},
    friends=frozenset(),
    zones={"east": "East bar", "west": "West bar", "deck": "Deck", "lift": "Lift shaft"},
    doors={
        "vault": "Vault door",
        "blast": "Blast door",
        "hatch": "Service hatch",
        "lock": "Air lock",
        "flap": "Shaft flap",
        "deck1": "Deck gate",
        "deck2": "Deck window",
    },
    own={},
    theirs={},
)
VERBS = {"lock", "bar", "hatch", "deck", "climb"}


@pytest.mark.parametrize(
    ("words", "named"),
    [
        # a door: its whole name, a word of one door, a word of two
        ("shut the vault door", [(DOORWAY, ("vault",), False)]),
        ("shut the hatch", [(DOORWAY, ("hatch",), False)]),
        ("shut the door", [(DOORWAY, ("vault", "blast"), True)]),
        ("door", [(DOORWAY, ("vault", "blast"), True)]),
        ("i kick door", [(DOORWAY, ("vault", "blast"), True)]),
        # a word that is a verb, too, names a door only behind an article, or first
        ("i lock my arms", []),
        ("i will lock", []),
        ("i shut the lock", [(DOORWAY, ("lock",), False)]),
        ("lock", [(DOORWAY, ("lock",), False)]),
        # a part of a door is no other door
        ("i pick the lock of the blast door", [(DOORWAY, ("blast",), False)]),
        ("i pick the lock on my hatch", [(DOORWAY, ("hatch",), False)]),
        ("i shut the lock and the hatch", [(DOORWAY, ("lock",), False), (DOORWAY, ("hatch",), False)]),
        # the door of a zone is a door, if there is one
        ("i run to the vault's door", [(DOORWAY, ("vault",), False)]),
        ("i hide behind the shaft's edge", [(DOORWAY, ("flap",), False)]),
        ("i hide behind the deck's edge", [(DOORWAY, ("deck1", "deck2"), True)]),
        ("i run to the east bar's end", [(ZONE, ("east",), False)]),
        ("i run to the bar's end", [(ZONE, ("east", "west"), True)]),
        # a zone: behind a word that leads there, with or without an article between them
        ("i run to the east bar", [(ZONE, ("east",), False)]),
        ("i run to the bar", [(ZONE, ("east", "west"), True)]),
        ("i run to our old bar", [(ZONE, ("east", "west"), True)]),
        ("i run into lift shaft", [(ZONE, ("lift",), False)]),
        ("i leap over the deck", []),
        ("i leap over the east bar", [(PASSED, (), False)]),
        ("the deck", []),
        ("east bar", [(PASSED, (), False)]),
        # a verb behind a word that leads somewhere is no zone without an article
        ("i want to deck", []),
        ("i want to bar", []),
    ],
)  # fmt: skip
def test_places_are_named_by_words_that_several_share(
    words: str, named: list[tuple[str, tuple[str, ...], bool]]
) -> None:
    found = [token for token in read_tokens(words, SCENERY, (), VERBS) if token.slot]
    assert [(token.slot, token.ids, token.unclear) for token in found] == named


def test_the_rifle_of_a_sniper_is_no_sniper_rifle() -> None:
    """What somebody has is no compound with who has it."""
    scenery = replace(SCENERY, people={"sniper": "Sniper"})
    tokens = read_tokens("i cut the sniper's rifle", scenery, (), VERBS)
    assert [(one.slot, one.ids) for one in tokens if one.slot] == [(FOE, ("sniper",))]
    assert "sniper-rifle" in [one.text for one in read_tokens("my sniper rifle", scenery, (), VERBS)]
