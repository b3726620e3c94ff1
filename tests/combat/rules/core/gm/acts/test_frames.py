"""Frames of improvised acts: each example is understood as its frame says, in every game that has it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from combat.rules.core.declaration.frames import ASK, OFFER, WORDS, Frame
from combat.rules.core.gm.acts.lexicon import SIZES, find_size, load_things, load_words
from combat.rules.core.gm.acts.matching import read_phrase
from combat.rules.core.gm.acts.reading import load_vocabulary
from combat.rules.core.state.rulings import Effect
from tests.combat.rules.core.gm.acts.scenes import ME, RULED, make_scene, read_words
from tests.combat.rules.games import GAMES

SLOTS = {"any", "foe", "friend", "person", "us", "door", "zone", "speech", "own", "theirs", "passed"}
ABOUT = {"prone", "beside", "harm", "hinder", "cheer", "item", "side", "leaves", "surrenders"}
GRAVE = {"side", "leaves"}  # never in an offer
EXAMPLES = 200


def list_frames(slug: str) -> tuple[Frame, ...]:
    rules = GAMES[slug].actions.improvising
    assert rules
    return load_vocabulary(rules.frames).frames


def list_examples() -> Iterator[tuple[str, Frame, str]]:
    """Each example once: the core's in one game after the other, a game's own in that game."""
    seen = set[tuple[str, str]]()
    for slug in RULED:
        for frame in list_frames(slug):
            for words in frame.examples:
                seen.add((frame.id, words))
                yield slug, frame, words
    assert len(seen) > EXAMPLES / 2


@pytest.mark.parametrize("slug", RULED)
def test_every_example_is_its_frame(slug: str) -> None:
    wrong = []
    for game, frame, words in list_examples():
        if game != slug:
            continue
        found = read_words(slug, words)
        is_question = words.endswith("?") or words.lower().startswith(("can ", "could ", "we "))
        several = WORDS if frame.answer == WORDS else ASK
        wanted = {frame.answer} if not is_question else {several}
        if found.verb != frame.name or found.answer not in wanted:
            wrong.append((frame.id, words, found.verb, found.answer, found.why))
    assert not wrong


@pytest.mark.parametrize("slug", RULED)
def test_every_frame_is_made_of_what_is_there(slug: str) -> None:
    rules = GAMES[slug].actions.improvising
    assert rules
    known = SLOTS | load_things().keys()
    for frame in list_frames(slug):
        assert frame.examples, frame.id
        assert not frame.deed or frame.deed in rules.figures.deeds, frame.id
        phrases = [read_phrase(say) for say in frame.say]
        kinds = {kind for phrase in phrases for part in phrase.parts for kind in part.kinds}
        assert kinds <= known, frame.id
        assert set(frame.needs) <= SLOTS, frame.id
        assert (frame.answer == WORDS) != bool(frame.works), frame.id
        for ending in (*frame.works, *frame.fails, *(end for ends in frame.choose.values() for end in ends)):
            what, _, whom = ending.partition(" ")
            assert (what in ABOUT) == (whom in ("me", "them")), (frame.id, ending)
        if frame.answer == OFFER:
            assert not [end for end in (*frame.works, *frame.fails) if end.split()[0] in GRAVE], frame.id


@pytest.mark.parametrize("slug", RULED)
def test_every_deed_and_size_is_one_of_the_games(slug: str) -> None:
    system, state = make_scene(slug)
    rules = system.actions.improvising
    assert rules
    figures = rules.figures
    assert {"shoot", "aid"} <= figures.deeds.keys()
    assert set(figures.fitting) <= figures.deeds.keys()
    known = {field.name: field for field in rules.check.find_fields(state, ME)}
    always = {option.value for option in known[figures.asks[0]].options}
    for deed, ways in figures.fitting.items():
        for way in (figures.deeds[deed], *ways):
            assert way.keys() == figures.deeds[deed].keys(), deed
            others = {name: value for name, value in way.items() if name != figures.asks[0]}
            assert all(value in {o.value for o in known[name].options} for name, value in others.items())
    assert always
    assert set(figures.sizes) == set(SIZES)
    grades = [grade.value for grade in figures.grades]
    assert all(size.grade in grades for size in figures.sizes.values())


@pytest.mark.parametrize("slug", RULED)
def test_bigger_things_hurt_more_and_are_harder(slug: str) -> None:
    """The size of what is hurled decides the damage and the difficulty, by the game's own table."""
    rules = GAMES[slug].actions.improvising
    assert rules
    for thing, size in (("chair", "usual"), ("piano", "heavy"), ("car", "huge")):
        act = read_words(slug, f"I hurl the {thing} at {{foe}}").act
        (harm,) = act.works
        assert harm == Effect(kind="harm", who=("korr",), dice=rules.figures.sizes[size].harm)
        assert dict(act.check)[rules.figures.grade] == rules.figures.sizes[size].grade
    assert find_size("mug") == "light"
    assert find_size("idea") == ""


def test_no_word_stands_in_a_class_for_nothing() -> None:
    for table in ("things", "sizes", "sentence"):
        for kind, words in load_words(table).items():
            assert words, kind
            assert all(word == word.lower().strip() for word in words), kind
