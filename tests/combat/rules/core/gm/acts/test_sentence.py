"""Names in what people type: places that share a word, people with titles and numbers, and what they have."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from combat.rules.core.gm.acts.scenery import DOORWAY, FOE, FRIEND, OWN, PASSED, THEIRS, ZONE, Scenery
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
        ("i pick the lock of my old hatch", [(DOORWAY, ("hatch",), False)]),
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


FOES = {
    "veil": "Captain Sula Veil",
    "moss": "Doctor Moss",
    "goon1": "Red Goon 1",
    "goon2": "Red Goon 2",
    "unit1": "Unit 7",
    "unit2": "Unit 7",
    "jay": "Zed J",
    "al": "Old Al",
    "rob": "Rob",
    "iron": "Iron Korrik",
}
PEOPLE = replace(
    SCENERY,
    people={"nia": "Nia", "brask": "Brask", **FOES},
    friends=frozenset(("nia", "brask")),
    own={"mine": "Grenade", "flask": "Flask", "club": "Club"},
    theirs={"grenade": "Grenade", "rifle": "Rifle", "baton": "Baton"},
)
ONE_FOE = replace(SCENERY, people={"nia": "Nia", "korr": "Korr"}, friends=frozenset(("nia",)))


def list_named(words: str, scenery: Scenery) -> list[tuple[str, tuple[str, ...], str]]:
    """Each name: its slot, whom or what it means, and whether these are a group or unclear."""
    tokens = read_tokens(words, scenery, (), {"club", "trip", "baton"})
    how = {(True, False): "group", (False, True): "unclear", (False, False): ""}
    return [(one.slot, one.ids, how[one.group, one.unclear]) for one in tokens if one.slot]


def test_people_and_their_things_are_named() -> None:
    """In one go: what names can be said by is made for all people of a table at once, and remembered."""
    table = [
        # titles, last words and proper words; no English words, single letters or numbers alone
        ("trip captain sula veil", [(FOE, ("veil",), "")]),
        ("trip captain veil", [(FOE, ("veil",), "")]),
        ("trip the captain", [(FOE, ("veil",), "")]),
        ("trip sula", [(FOE, ("veil",), "")]),
        ("trip doctor", [(FOE, ("moss",), "")]),
        ("trip zed", [(FOE, ("jay",), "")]),
        ("trip j", []),
        ("trip al", [(FOE, ("al",), "")]),
        ("trip korrik", [(FOE, ("iron",), "")]),
        ("trip iron", []),
        ("trip red", []),
        ("trip 1", []),
        ("i robbed", []),
        # numbers
        ("trip goon 2", [(FOE, ("goon2",), "")]),
        ("trip goon2", [(FOE, ("goon2",), "")]),
        ("trip red goon 2", [(FOE, ("goon2",), "")]),
        ("trip goon 2s leg", [(FOE, ("goon2",), "")]),
        ("trip unit 7s leg", [(FOE, ("unit1", "unit2"), "unclear")]),
        ("trip goon", [(FOE, ("goon1", "goon2"), "unclear")]),
        ("trip goons", [(FOE, ("goon1", "goon2"), "group")]),
        ("trip both goon", [(FOE, ("goon1", "goon2"), "group")]),
        # all of a side, if nobody is named
        ("i trip everyone", [(FOE, tuple(FOES), "group")]),
        ("i trip moss and everyone", [(FOE, ("moss",), "")]),
        ("i cheer the crew", [(FRIEND, ("nia", "brask"), "group")]),
        # claims to be one of them
        ("i'm one of the goons", []),
        ("i trip one of the goons", [(FOE, ("goon1", "goon2"), "group")]),
        # weapons: mine, else those of the other person, else of the one who is named
        ("i throw my grenade", [(OWN, ("mine",), "")]),
        ("i throw my last grenade", [(OWN, ("mine",), "")]),
        ("i take the grenade", [(THEIRS, ("grenade",), "")]),
        ("i take my rifle", [(THEIRS, ("rifle",), "")]),
        ("i take the flask", [(OWN, ("flask",), "")]),
        ("i swing rifle", [(THEIRS, ("rifle",), "")]),
        ("i swing the club", [(OWN, ("club",), "")]),
        ("i club moss", [(FOE, ("moss",), "")]),
        ("club moss", [(FOE, ("moss",), "")]),
        ("i take moss's baton", [(FOE, ("moss",), ""), (THEIRS, ("baton",), "")]),
        ("i turn my eyes from grenade", [(THEIRS, ("grenade",), "")]),
        ("i am behind one of the goons", [(FOE, ("goon1", "goon2"), "group")]),
    ]
    assert {words: list_named(words, PEOPLE) for words, _ in table} == dict(table)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("i trip him", [(FOE, ("korr",), "")]),
        ("trip him", [(FOE, ("korr",), "")]),
        ("he trips", []),
        ("trip krro", [(FOE, ("korr",), "")]),
        ("trip niaa", []),
        ("i cheer nia and trip him", [(FRIEND, ("nia",), ""), (FRIEND, ("nia",), "")]),
        ("i trip korr and his friend", [(FOE, ("korr",), ""), (FOE, ("korr",), "")]),
    ],
)
def test_he_is_who_was_named_or_the_only_foe(
    words: str, named: list[tuple[str, tuple[str, ...], str]]
) -> None:
    assert list_named(words, ONE_FOE) == named


def test_what_belongs_to_somebody_is_no_short_form() -> None:
    there, korr = read_tokens("there's korr's", ONE_FOE, (), ())
    assert (there.text, there.owner) == ("there's", False)
    assert (korr.ids, korr.owner) == (("korr",), True)


def test_of_two_foes_he_is_unclear() -> None:
    two = replace(ONE_FOE, people={**ONE_FOE.people, "moss": "Moss"})
    assert list_named("i trip him", two) == [(FOE, ("korr", "moss"), "unclear")]


@pytest.mark.parametrize(
    ("words", "thing"),
    [
        ("grab the chair and throw it", "chair"),
        ("grab the chair and the crate and throw it", "crate"),
        ("grab the chair off the wall and throw it", "chair"),
        ("carry the chair to the crate and throw it", "chair"),
        ("lean on the crate and throw it", "crate"),
    ],
)
def test_it_is_the_last_thing_in_hand(words: str, thing: str) -> None:
    *_, it = read_tokens(words, ONE_FOE, (), ())
    assert thing in it.stems


@pytest.mark.parametrize(
    ("word", "kinds"),
    [
        ("korr", {"person", FOE}),
        ("nia", {"person", FRIEND}),
        ("crate", {"any", "usual", "thing"}),
        ("me", set()),
        ("between", set()),
        ("toward", set()),
        (",", set()),
    ],
)
def test_a_token_is_of_these_kinds(word: str, kinds: set[str]) -> None:
    asked = ("person", FOE, FRIEND, ZONE, "any", "usual", "thing", "light")
    (token,) = read_tokens(word, ONE_FOE, (), ())
    assert {kind for kind in asked if token.is_of(kind)} == kinds
