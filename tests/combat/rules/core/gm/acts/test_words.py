"""Single words: what is written in several or in short, what they are forms of, and slips of the keyboard."""

from __future__ import annotations

import pytest

from combat.rules.core.gm.acts.lexicon import find_stems, load_compounds, load_short
from combat.rules.core.gm.acts.reading import load_vocabulary
from combat.rules.core.gm.acts.typos import repair


def test_compounds_and_short_words_are_read_from_the_lexicon() -> None:
    compounds, short = load_compounds(), load_short()
    assert compounds["as", "soon", "as"] == "as-soon-as"
    assert compounds["sniper", "rifle"] == "sniper-rifle"
    assert all(word == "-".join(parts) and len(parts) > 1 for parts, word in compounds.items())
    assert (short["pls"], short["ur"]) == ("please", "your")
    assert min(map(len, load_vocabulary(None).words)) == 4, "shorter ones are never mistyped ones"
    assert not [word for word in (*short, *short.values()) if "=" in word]


@pytest.mark.parametrize(
    ("word", "stems"),
    [
        ("throws", ("throws", "throw")),
        ("ids", ("ids", "id")),
        ("is", ("is",)),
        ("2s", ("2s", "2")),
        ("s", ("s",)),
        ("grabbed", ("grabbed", "grabb", "grabbe", "grab")),
        ("hiding", ("hiding", "hid", "hide")),
        ("going", ("going", "go", "goe")),
        ("bed", ("bed",)),
        ("tries", ("tries", "trie", "tri", "try")),
        ("judo-throw", ("judo-throw", "throw")),
    ],
)
def test_a_word_is_a_form_of_these(word: str, stems: tuple[str, ...]) -> None:
    assert find_stems(word) == stems


@pytest.mark.parametrize(
    ("word", "known", "verbs", "meant"),
    [
        ("qorin", {"qoril"}, (), "qoril"),  # one letter of five is another
        ("zarv", {"zarx"}, (), "zarv"),  # of four it may be another word
        ("zavr", {"zarv"}, (), "zarv"),  # unless only their order differs
        ("zav", {"zavv"}, (), "zav"),
        ("zavr2", {"zavr3"}, (), "zavr2"),
        ("qorin", {"xorin"}, (), "qorin"),  # the first letter is right
        ("tirp", {"trip", "tirpa"}, (), "trip"),  # the same letters first
        ("grba", {"grab", "garb"}, ("grab",), "grab"),  # then verbs
        ("grba", {"grab", "garb"}, ("garb",), "garb"),
        ("qorils", {"qoril", "qorilx"}, (), "qorils"),  # a form of a known word
    ],
)
def test_a_slip_is_mended_to_what_is_nearest(
    word: str, known: set[str], verbs: tuple[str, ...], meant: str
) -> None:
    assert repair(word, known, verbs) == meant
