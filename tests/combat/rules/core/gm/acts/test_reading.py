"""The three answers to what a player types: what is offered, what the GM is asked, and what stays words."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from combat.rules.core.declaration.frames import ASK, OFFER, WORDS
from combat.rules.core.gm.acts import reading
from combat.rules.core.gm.acts.scenery import view_scenery
from combat.rules.core.gm.acts.typos import is_english, repair
from combat.rules.core.gm.loot import can_part
from combat.rules.core.gm.verbs import _weigh, find_best
from combat.rules.core.space import map_of
from combat.rules.core.space.plane import with_map
from combat.rules.core.state.rulings import Effect
from combat.rules.core.state.state import replace
from tests.combat.rules.core.gm.acts.scenes import (
    CAPTAIN,
    FOE,
    FRIEND,
    ME,
    ROBOT,
    RULED,
    make_scene,
    read_words,
)

GAME = "cosmos"
TALK = Path(__file__).parent / "table_talk.txt"
MOST_TALK = 0.05  # of the talk of a table may be offered
GRAVE = {"side", "leaves"}
ODD_LETTERS = "ıİſKßŉǰΐﬁﬃ０９Ａｚ‍‌́’“«…—☃🙂\u202e\u00ad\x00"


def kinds_of(effects: tuple[Effect, ...]) -> list[str]:
    return [effect.kind for effect in effects]


# ---- Who acts ----


@pytest.mark.parametrize(
    ("words", "answer", "about"),
    [
        ("I trip Korr", OFFER, FOE),
        ("trip Korr", OFFER, FOE),
        ("Tripping Korr", OFFER, FOE),
        ("I'm gonna try to trip Korr", OFFER, FOE),
        ("We trip Korr", ASK, FOE),
        ("Korr trips over the crate", WORDS, FOE),
        ("He trips Korr", WORDS, FOE),
        ("He grabs Nia and drags her off", WORDS, FRIEND),
        ("Nia trips Korr", WORDS, FRIEND),
        ("You trip Korr", WORDS, FOE),
        ("I tripped Korr", ASK, FOE),
    ],
)
def test_only_what_the_speaker_does_is_offered(words: str, answer: str, about: str) -> None:
    found = read_words(GAME, words)
    assert (found.answer, found.act.about) == (answer, about)
    assert bool(found.act.check) == (answer != WORDS)


@pytest.mark.parametrize(
    "words",
    [
        "Nia, trip Korr!",
        "Nia! Shoot the robot!",
        "Shoot the robot, Nia!",
        "I tell Nia to trip Korr",
        "I ask Nia to throw me at Korr",
        "I wave at Nia to come over",
        "I send Nia to the gantry",
        "I want Nia to seal the service hatch",
        "Tell Nia to get down",
        "I yell to Nia that she should fall back",
        "I tell Nia we must go",
    ],
)
def test_an_order_to_a_friend_stays_words(words: str) -> None:
    found = read_words(GAME, words)
    assert (found.answer, found.act.check, found.act.works) == (WORDS, (), ())


@pytest.mark.parametrize(
    "words",
    [
        "I don't trip Korr",
        "I do not open the service hatch",
        "I won't surrender",
        "I refuse to run",
        "I'm not going to threaten Korr",
        "I never hit a guard",
    ],
)
def test_what_is_not_done_stays_words(words: str) -> None:
    found = read_words(GAME, words)
    assert (found.answer, found.act.check, found.act.works) == (WORDS, (), ())


def test_what_is_done_instead_is_offered() -> None:
    for words in ("I don't shoot, I trip Korr", "I trip Korr instead of shooting the robot"):
        found = read_words(GAME, words)
        assert (found.answer, found.act.about) == (OFFER, FOE), words


@pytest.mark.parametrize(
    "words",
    [
        "If Korr moves I trip him",
        "When Korr comes through the service hatch I trip him",
        "As soon as Korr moves I trip him",
        "Once Korr is near I trip him",
        "I trip Korr if he moves",
        "Unless he stops I trip Korr",
    ],
)
def test_a_condition_is_asked(words: str) -> None:
    found = read_words(GAME, words)
    assert (found.answer, found.why) == (ASK, reading.DEPENDS)
    assert found.act.about == FOE
    assert found.choices


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("Can I trip Korr?", ASK),
        ("could i trip korr", ASK),
        ("Would it be possible to trip Korr?", ASK),
        ("I trip Korr?", ASK),
        ("Do I see anyone on the gantry?", ASK),
        ("What do I hear?", ASK),
        ("Can Nia trip Korr?", WORDS),
        ("Is the service hatch open?", WORDS),
        ("How far is the gantry?", WORDS),
        ("Who is Korr?", WORDS),
        ("Where is the exit", WORDS),
    ],
)
def test_questions_are_asked_or_stay_words(words: str, answer: str) -> None:
    found = read_words(GAME, words)
    assert found.answer == answer
    assert (found.why == reading.MAY_THEY) == (answer == ASK)


def test_of_several_acts_the_gm_chooses_one() -> None:
    found = read_words(GAME, "I open the service hatch and trip Korr")
    assert (found.answer, found.why) == (ASK, reading.SEVERAL)
    assert {kind for choice in found.choices for kind in kinds_of(choice.act.works)} == {"door", "condition"}
    led = read_words(GAME, "I grab a chair and throw it at Korr")
    assert (led.answer, kinds_of(led.act.works)) == (OFFER, ["harm"]), "taking it only leads to the throw"


# ---- What follows ----


@pytest.mark.parametrize("slug", RULED)
def test_nobody_leaves_gives_up_or_changes_sides_by_one_tap(slug: str) -> None:
    for words, effect in (
        ("I tell Korr to surrender", Effect(kind="leaves", who=(FOE,), key="surrenders")),
        ("I scream at Korr until he runs", Effect(kind="leaves", who=(FOE,))),
        ("I win Korr over to our side", Effect(kind="side", who=(FOE,), key="allies")),
        ("I flee through the vent", Effect(kind="leaves", who=(ME,))),
        ("I surrender", Effect(kind="leaves", who=(ME,), key="surrenders")),
    ):
        found = read_words(slug, words)
        assert found.answer == ASK, words
        assert not GRAVE & {*kinds_of(found.act.works), *kinds_of(found.act.fails)}, words
        assert any(effect in choice.act.works for choice in found.choices), words
        assert len(found.choices) in (2, 3)


def test_an_act_for_a_friend_lets_nobody_leave() -> None:
    found = read_words(GAME, "I cover Nia so that she can escape")
    assert (found.answer, found.act.about, kinds_of(found.act.works)) == (OFFER, FRIEND, ["points"])
    assert found.act.works[0].n > 0


# ---- Whom it concerns ----


@pytest.mark.parametrize(
    ("words", "about"),
    [
        ("I trip Captain Sula Veil", CAPTAIN),
        ("I trip Captain Veil", CAPTAIN),
        ("I trip Sula", CAPTAIN),
        ("I trip the captain's leg", CAPTAIN),
        ("I trip the robot", ROBOT),
        ("I trip the guard", "guard"),
        ("I trip goon 2", "goon2"),
        ("I trip goon2", "goon2"),
        ("I trip the cargo", ""),
        ("I trip security", ""),
        ("I trip a guard dog", ""),
    ],
)
def test_a_name_is_said_whole_by_its_last_word_or_a_proper_one(words: str, about: str) -> None:
    found = read_words(GAME, words)
    assert found.act.about == about
    assert (found.answer == OFFER) == bool(about)


@pytest.mark.parametrize("words", ["I trip the goon", "I throw sand in the goon's eyes", "I tackle goon"])
def test_who_is_not_clear_is_asked(words: str) -> None:
    found = read_words(GAME, words)
    assert (found.answer, found.why, found.act.about) == (ASK, reading.WHICH, "")
    assert [choice.name for choice in found.choices] == ["Goon 1", "Goon 2"]
    assert [choice.act.about for choice in found.choices] == ["goon1", "goon2"]
    told = read_words(GAME, words, about="goon2")
    assert (told.answer, told.act.about) == (OFFER, "goon2")


def test_several_are_asked() -> None:
    for words, count in (("I taunt both goons", 2), ("I taunt the goons", 2), ("I taunt all of them", 6)):
        found = read_words(GAME, words)
        assert (found.answer, found.why) == (ASK, reading.AT_ONCE), words
        assert len(found.act.works[0].who) == count, words


def test_a_pronoun_is_who_was_named_last() -> None:
    found = read_words(GAME, "I walk up to Korr and trip him")
    assert (found.answer, found.act.about) == (OFFER, FOE)
    assert read_words(GAME, "I trip him").why == reading.WHICH


# ---- Slips of the keyboard ----


@pytest.mark.parametrize(
    "words", ["I tirp Korr", "I tackel Korr", "trow sand at Korr", "i thretaen korr", "I push Veill over"]
)
def test_slips_are_mended(words: str) -> None:
    found = read_words(GAME, words)
    assert found.act.about in (FOE, CAPTAIN)
    assert found.act.check


def test_a_number_has_a_possessive_without_apostrophe() -> None:
    assert read_words(GAME, "i trip goon 2s leg").act.about == "goon2"


@pytest.mark.parametrize("word", ["trap", "trips", "card", "private", "crush", "grape", "state", "steel"])
def test_what_is_english_is_never_taken_for_something_else(word: str) -> None:
    assert is_english(word)
    assert repair(word, {"trip", "guard", "pirate", "crash", "grab", "slate", "steal"}) == word


def test_word_that_is_also_a_name_is_a_verb_in_a_verbs_place() -> None:
    """Nobody who locks their arms means the air lock, and nobody leaps to the bar who leaps over it."""
    found = read_words(GAME, "I lock my arms around Korr")
    assert (found.answer, kinds_of(found.act.works)) == (OFFER, ["points"])
    over = read_words(GAME, "I leap over the bar onto Korr")
    assert [effect.to for effect in over.act.works] == [FOE]
    into = read_words(GAME, "I swing across to the bar")
    assert [effect.key for effect in into.act.works] == ["z3"]


@pytest.mark.parametrize("slug", RULED)
def test_what_is_rolled_is_what_they_are_best_at(slug: str) -> None:
    system, state = make_scene(slug)
    rules = system.actions.improvising
    assert rules
    for deed, ways in rules.figures.fitting.items():
        best = find_best(system, state, ME, rules.figures, deed)
        weights = {
            tuple(way.items()): _weigh(system, state, ME, way) for way in (rules.figures.deeds[deed], *ways)
        }
        assert weights[best] == max(weights.values()), deed
        if len(set(weights.values())) == 1:
            assert dict(best) == rules.figures.deeds[deed], "of equal ones the first"


def test_odd_letters_and_long_words_are_read_in_their_places() -> None:
    words = "Ｉ ｔｒｉｐ Ｋｏｒｒ’ｓ leg"
    found = read_words(GAME, words)
    assert (found.answer, found.act.about) == (OFFER, FOE)
    assert next(words[span.start : span.end] for span in found.spans) == "ｔｒｉｐ"


def test_any_words_are_read_without_error_or_any_grave_offer() -> None:
    """Words of frames, names and odd letters in any order: seeded, so that it is the same every time."""
    dice = random.Random(81)
    frames = reading.load_vocabulary(None)
    pool = [
        *sorted(frames.words),
        *sorted(frames.verbs),
        "I",
        "and",
        "not",
        "if",
        "so that",
        ",",
        "?",
        "'",
        '"',
    ]
    pool += ["Korr", "Nia", "the goon", "gantry", "service hatch", "him", "it", "my", *ODD_LETTERS]
    offered = 0
    for _ in range(400):
        words = " ".join(dice.choices(pool, k=dice.randrange(1, 16)))[:200]
        found = read_words(GAME, words.replace("{", "").replace("}", ""))
        offered += found.is_ready
        if found.is_ready:
            assert found.act.works
            assert not GRAVE & {*kinds_of(found.act.works), *kinds_of(found.act.fails)}, words
        assert all(0 <= span.start < span.end <= len(words) for span in found.spans)
    assert offered, "some of them are acts"


# ---- The talk of a table ----


def test_talk_of_a_table_is_hardly_ever_offered() -> None:
    lines = TALK.read_text(encoding="utf-8").splitlines()
    offered = [
        (slug, line, found.verb)
        for number, line in enumerate(lines)
        for slug in (RULED[number % len(RULED)],)
        if (found := read_words(slug, line)).is_ready
    ]
    assert len(lines) > 300
    assert len(offered) <= MOST_TALK * len(lines), offered


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ("I swing across to the bar", "z3"),
        ("I climb onto the gantry", "z1"),
        ("I climb over to the control room", "z2"),
        ("I climb to the gantry's edge", "z1"),
        ("I climb past the gantry", ""),
        ("I climb gantry", ""),
    ],
)
def test_a_place_is_where_the_word_before_it_leads(words: str, key: str) -> None:
    found = read_words(GAME, words)
    assert [effect.key for effect in found.act.works if effect.key.startswith("z")] == [key] * bool(key)


def test_a_phrase_goes_on_behind_a_comma_to_the_first_word_there() -> None:
    """Else its last word would be a second act, and nothing be offered."""
    found = read_words(GAME, "I draw Korr, fire")
    assert (found.answer, found.verb) == (OFFER, "Distract someone")


LOOK, TRIP, SHUT, HARD_WAY = (
    "Look for something",
    "Knock someone off their feet",
    "Shut a door",
    "Get somewhere the hard way",
)


@pytest.mark.parametrize(
    ("words", "answer", "why", "verbs"),
    [
        ("I throw the dice at Korr", WORDS, "", []),
        ("Do I see Korr?", ASK, reading.MAY_THEY, [LOOK]),
        ("I climb onto the gantry and swing across to the bar", OFFER, "", [HARD_WAY]),
        ("I climb onto the gantry and leap down onto Korr", OFFER, "", ["Get to someone"]),
        ("I climb onto the gantry and trip Korr", ASK, reading.SEVERAL, [TRIP, HARD_WAY]),
        ("I shut the service hatch and hide behind the crate", ASK, reading.SEVERAL, [SHUT, "Stay unseen"]),
        ("I hide behind the crate and shut the service hatch", ASK, reading.SEVERAL, [SHUT, "Stay unseen"]),
        ("I shut the service hatch and trip Korr", ASK, reading.SEVERAL, [SHUT, TRIP]),
        ("I trip Korr and pat Nia", ASK, reading.IN_PART, [TRIP]),
        ('I trip Korr and yell "duck"', OFFER, "", [TRIP]),
        ("I grab a chair and throw it at Korr", OFFER, "", ["Hurl something big at someone"]),
        ("I hide behind the crate", OFFER, "", ["Stay unseen"]),
        ("I hide behind the crate with a token", ASK, reading.IN_PART, ["Stay unseen"]),
    ],
)
def test_the_leading_act_is_first_and_why_is_said(
    words: str, answer: str, why: str, verbs: list[str]
) -> None:
    found = read_words(GAME, words)
    assert (found.answer, found.why, found.verb) == (answer, why, verbs[0] if verbs else "")
    if answer == ASK:
        assert [choice.name for choice in found.choices] == verbs


def test_what_can_be_named_is_a_door_with_a_name_and_goods() -> None:
    system, state = make_scene(GAME)
    walls = map_of(state.scene).walls
    more = (replace(walls[0], id="bare", name=""), replace(walls[0], id="wall", kind="wall", name="Old wall"))
    scene = with_map(state.scene, replace(map_of(state.scene), walls=(*walls, *more)))
    scenery = view_scenery(system, replace(state, scene=scene), ME, {FOE: "Korr", "gone": "Gone"})
    assert scenery.doors == {"d0": "Blast door", "d1": "Service hatch"}
    assert set(scenery.theirs) == {item.id for item in state[FOE].items if can_part(system, item)} != set()
    assert set(scenery.own) == {item.id for item in state[ME].items if can_part(system, item)}


def test_what_was_understood_of_a_question_is_marked() -> None:
    words = "Do I see Korr?"
    marked = [(words[one.start : one.end], one.what) for one in read_words(GAME, words).spans]
    assert marked == [("Do I see", "skill"), ("Korr", "attack")]
