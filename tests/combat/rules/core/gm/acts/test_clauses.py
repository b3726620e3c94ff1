"""Whose act each clause of a sentence is, where it begins and ends, and what kind of sentence it is."""

from __future__ import annotations

import pytest

from combat.rules.core.gm.acts.clauses import find_kind, split_clauses
from combat.rules.core.gm.acts.reading import load_vocabulary
from combat.rules.core.gm.acts.scenery import view_scenery
from combat.rules.core.gm.acts.sentence import Token, read_tokens
from combat.rules.core.gm.verbs import name_everyone
from tests.combat.rules.core.gm.acts.scenes import ME, make_scene


def read(words: str) -> tuple[Token, ...]:
    system, state = make_scene("cosmos")
    vocabulary = load_vocabulary(None)
    scenery = view_scenery(system, state, ME, name_everyone(state))
    return read_tokens(words, scenery, vocabulary.words, vocabulary.verbs)


def tell(words: str) -> list[str]:
    """Each clause: its kind if it is not the main one, whose it is, "not", its verbs, and its words."""
    tokens, told = read(words), []
    for clause in split_clauses(tokens, load_vocabulary(None).verbs):
        verbs = "+".join(tokens[head].text for head in clause.heads)
        part = words[tokens[clause.start].start : tokens[clause.end - 1].end]
        who = ("not " if clause.negated else "") + clause.subject
        told.append(f"{clause.kind} {who} {verbs}: {part}".replace("main ", "").replace(" :", ":"))
    return told


@pytest.mark.parametrize(
    ("words", "clauses"),
    [
        # "and" begins a clause before a verb, a subject, or a person with a verb
        ("I duck and trip Korr", ["me duck: I duck", "me trip: trip Korr"]),
        ("I duck and I trip Korr", ["me duck: I duck", "me trip: I trip Korr"]),
        ("I duck and quickly trip Korr", ["me duck: I duck", "me trip: quickly trip Korr"]),
        ("I duck and then quickly trip Korr", ["me duck: I duck", "me trip: quickly trip Korr"]),
        ("I duck and they trip", ["me duck: I duck", "tail other: they trip"]),
        ("I duck and Korr trips", ["me duck: I duck", "tail other: Korr trips"]),
        ("I duck and Nia trips Korr", ["me duck: I duck", "tail other: Nia trips Korr"]),
        # but not before one more person or thing, nor at the end
        ("I trip Korr and Nia", ["me trip: I trip Korr and Nia"]),
        ("I trip Korr and Nia, duck", ["me trip: I trip Korr and Nia", "me duck: duck"]),
        ("I duck and Korr's gun falls", ["me duck: I duck and Korr's gun falls"]),
        ("I grab the crate and the rope", ["me grab: I grab the crate and the rope"]),
        ("I duck and", ["me duck: I duck and"]),
        ("I duck and quickly", ["me duck: I duck and quickly"]),
        ("I duck and, trip Korr", ["me duck: I duck and", "me trip: trip Korr"]),
        # a mark at the end begins nothing
        ("I duck!", ["me duck: I duck"]),
        # conditions end at a comma or where the speaker is named
        ("When she comes I trip her", ["condition me when: When she comes", "me trip: I trip her"]),
        ("When I come, I trip her", ["condition me when: When I come", "me trip: I trip her"]),
        ("Once there I trip Korr", ["condition other: Once there", "me trip: I trip Korr"]),
        ("I trip Korr if he moves", ["me trip: I trip Korr", "condition me if: if he moves"]),
        ("I promise Korr all if he helps", ["me promise: I promise Korr all", "tail me if: if he helps"]),
        # what follows, and what is done instead
        ("I trip Korr so he falls", ["me trip: I trip Korr", "tail other: he falls"]),
        ("I trip Korr so I can run", ["me trip: I trip Korr", "me run: I can run"]),
        ("I duck till I trip Korr", ["me duck: I duck", "tail me till: till I trip Korr"]),
        ("I duck so", ["me duck: I duck"]),
        ("Would like to trip Korr", ["me trip: Would like to trip Korr"]),
        ("I run like Korr", ["me run: I run", "tail other: like Korr"]),
        ("I would like to trip Korr", ["me trip: I would like to trip Korr"]),
        ("I duck instead of shooting", ["me duck: I duck", "tail not me shooting: instead of shooting"]),
        # who does it
        ("We trip Korr", ["many trip: We trip Korr"]),
        ("Can we trip Korr", ["many trip: Can we trip Korr"]),
        ("Can I trip Korr", ["me trip: Can I trip Korr"]),
        ("Korr trips and I duck", ["other: Korr trips", "me duck: I duck"]),
        ("The crate falls and I duck", ["other: The crate falls", "me duck: I duck"]),
        ("He grabs Nia and drags her off", ["other: He grabs Nia", "tail other: drags her off"]),
        (
            "He grabs Nia and he drags her off and kicks her",
            ["other: He grabs Nia", "tail other: he drags her off", "tail other: kicks her"],
        ),
        ("He falls and I duck and trip Korr", ["other: He falls", "me duck: I duck", "me trip: trip Korr"]),
        # what is not done
        ("I refuse to trip Korr", ["not me trip: I refuse to trip Korr"]),
        ("I do not want to trip Korr", ["not me trip: I do not want to trip Korr"]),
        ("I duck and don't trip Korr", ["me duck: I duck", "not me trip: don't trip Korr"]),
        # purposes; an order that someone gives is not done by them
        ("I duck to trip Korr", ["me duck+trip: I duck to trip Korr"]),
        ("I yell to distract Korr", ["me yell+distract: I yell to distract Korr"]),
        ("I yell at Korr to duck", ["me yell: I yell at Korr to duck"]),
        ("I tell him to duck", ["me tell: I tell him to duck"]),
        ("I duck to trip", ["me duck+trip: I duck to trip"]),
        ("I duck to", ["me duck: I duck to"]),
    ],
)  # fmt: skip
def test_a_sentence_has_these_clauses(words: str, clauses: list[str]) -> None:
    assert tell(words) == clauses


@pytest.mark.parametrize(
    ("kind", "sentences"),
    [
        ("order", [
            "Nia, trip Korr", "Nia! Trip Korr", "Nia!", "Nia trip Korr", "Nia, I trip Korr",
            "Trip Korr, Nia", "Trip Korr, Nia!", "Trip Korr, please, Nia!",
            "I tell Nia to trip Korr", "I quietly tell my friend Nia to trip Korr",
            "I tell Nia to hold on", "I tell Nia that she should go", "I tell Nia we must go",
            "I tell Brask and Nia to duck",
            "I tell Nia to aim steady", "I tell Nia that we all must go",
            "I get up and tell Nia to trip Korr", "I tell Nia to duck",
        ]),
        ("plain", [
            "Nia", "Nia trips Korr", "Nia I trip Korr", "Nia's gun falls and I trip Korr",
            "I trip Korr, Nia", "I trip Korr for Nia", "trip Korr with Nia", "trip Korr, then duck with Nia",
            "I tell Nia to keep calm", "I tell Nia that she is safe", "I tell Nia it will be fine",
            "I tell Nia's guard to duck", "I tell Korr that Nia must go", "I call Nia",
            "I trip Korr there and tell Nia to duck", "Duck, help Nia", "Duck, then help Nia!",
            "When Korr comes I trip him",
        ]),
        ("question", [
            "When Korr comes?", "Why does Korr run", "Who is it", "Korr trips?", "The crate?", "...", "?",
        ]),
        ("may", ["Can I trip Korr", "Could we trip Korr?", "I trip Korr?", "So I trip Korr?"]),
        ("sense", ["Do I see Korr?", "What do I see"]),
    ],
)  # fmt: skip
def test_a_sentence_is_of_this_kind(kind: str, sentences: list[str]) -> None:
    assert {words: find_kind(read(words)) for words in sentences} == dict.fromkeys(sentences, kind)
