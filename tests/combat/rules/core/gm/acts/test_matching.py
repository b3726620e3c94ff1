"""How well a frame's phrases fit a clause: their scores, and how far apart their parts may stand."""

from __future__ import annotations

import pytest

from combat.rules.core.declaration.frames import Frame
from combat.rules.core.gm.acts.clauses import split_clauses
from combat.rules.core.gm.acts.matching import Fit, find_end, find_fit, find_verbs
from combat.rules.core.gm.acts.scenery import FOE, Scenery
from combat.rules.core.gm.acts.sentence import read_tokens

SCENERY = Scenery("ash", {"korr": "Korr", "moss": "Moss"}, frozenset(), {}, {}, {}, {})


def fit(words: str, *say: str, needs: tuple[str, ...] = ()) -> Fit | None:
    """How a frame with these phrases fits the first clause of the words that has a verb of it."""
    frame = Frame("own", "Own", say, needs=needs)
    verbs = {*find_verbs(frame), "duck"}
    tokens = read_tokens(words, SCENERY, (), verbs)
    clauses = split_clauses(tokens, verbs)
    known = dict.fromkeys(find_verbs(frame), (frame,))
    return next((found for n in range(len(clauses)) if (found := find_fit(known, tokens, clauses, n))), None)


@pytest.mark.parametrize(
    ("words", "say", "score", "end"),
    [
        ("I kick", "kick", 2, 1),
        ("I kick the crate", "kick crate", 4, 3),
        ("I kick in the crate", "kick+in", 4, 2),
        ("I kick in the crate", "kick+in crate", 6, 4),
        ("I kick the crate in", "kick+in", 4, 1),
        ("I kick the crate at Korr", "kick crate <foe>", 6, 5),
        ("I kick the table", "kick crate", None, None),
        # a particle stands directly behind its verb, or with up to five words between
        ("I kick a b c d e in", "kick+in", 4, 1),
        ("I kick a b c d e f in", "kick+in", None, None),
        # up to seven words stand before the next one, up to ten before a name
        ("I kick a b c d e f g crate", "kick crate", 4, 9),
        ("I kick a b c d e f g h crate", "kick crate", None, None),
        ("I kick a b c d e f g h j k Korr", "kick <foe>", 4, 12),
        ("I kick a b c d e f g h j k l Korr", "kick <foe>", None, None),
        # none before a word that follows, up to three before a thing that does, and no other way
        ("I kick crate", "kick ^crate", 4, 2),
        ("I kick red crate", "kick ^crate", None, None),
        ("I kick a b c crate", "kick ^<usual>", 4, 5),
        ("I kick a b c d crate", "kick ^<usual>", None, None),
        ("I kick into crate", "kick ^<usual>", None, None),
        ("I kick off crate", "kick ^<usual>", None, None),
    ],
)
def test_phrase_has_a_score_and_reaches_as_far_as_this(
    words: str, say: str, score: int | None, end: int | None
) -> None:
    found = fit(words, say)
    assert (found and found.score, found and found.end) == (score, end)


def test_the_best_phrase_counts() -> None:
    found = fit("I kick in the crate", "kick", "kick+in crate", "kick+in")
    assert found
    assert found.score == 6


@pytest.mark.parametrize(
    ("words", "used"),
    [
        ("I kick Korr", ["korr"]),
        ("I kick Korr and Moss", ["korr"]),
        ("I kick", None),
        ("If Korr comes I kick", ["korr"]),
        ("Moss ducks and I kick", None),
    ],
)
def test_who_is_needed_is_named_in_the_act_or_a_condition(words: str, used: list[str] | None) -> None:
    found = fit(words, "kick", "kick <foe>", needs=(FOE,))
    assert (found and [one.ids[0] for one in found.used]) == used


@pytest.mark.parametrize(
    ("words", "ends"),
    [
        ("I duck", ["duck"]),
        ("I duck so that he falls", ["falls"]),
        ("I duck and kick so that he falls", ["duck", "falls"]),
        ("I duck so that he falls and kick", ["falls", "kick"]),
        ("I duck so that he falls until he stops and kick", ["stops", "kick"]),
        ("I kick if he falls", ["kick", "falls"]),
    ],
)
def test_a_clause_ends_with_what_it_leads_to(words: str, ends: list[str]) -> None:
    verbs = {"duck", "kick"}
    tokens = read_tokens(words, SCENERY, (), verbs)
    clauses = split_clauses(tokens, verbs)
    found = [tokens[find_end(clauses, n) - 1].text for n, one in enumerate(clauses) if one.kind != "tail"]
    assert found == ends
