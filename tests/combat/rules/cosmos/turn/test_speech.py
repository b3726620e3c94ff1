"""Free speech: words at any time, to everyone or to the speaker's side."""

from __future__ import annotations

import pytest

from combat.audience.viewer import GM, Viewer
from combat.rules.core.state import events as e
from tests.combat.rules.cosmos.figures import CosmosStage
from tests.combat.rules.reading import read_log


def context() -> tuple[CosmosStage, str, str, str]:
    """Ada and Al against Bo; it is Ada's turn."""
    stage = CosmosStage()
    ada, al, bo = stage.hero(), stage.hero("Al", (1, 0)), stage.foe()
    stage.begin()
    return stage, ada, al, bo


def heard(stage: CosmosStage, *combatants: str) -> int:
    """How many of the last facts a seat with these combatants reads."""
    return len(Viewer("seat", frozenset(combatants)).select(stage.facts))


@pytest.mark.rule("COS-ACT-22")
def test_words_are_free_and_go_into_the_log() -> None:
    stage, ada, _, bo = context()
    before = stage[ada].budget
    stage.do("say", ada, what="  Behind   the crates! ")
    assert read_log(stage) == ["Ada: “Behind the crates!”"]
    stage.do("say", bo, what="Surrender {who}")  # out of turn
    assert read_log(stage) == ["Bo: “Surrender {who}”"]
    assert (stage[ada].budget, stage.rules()) == (before, {"COS-ACT-22"})


@pytest.mark.rule("COS-ACT-22")
def test_words_to_the_own_side_reach_its_players_and_the_gm_only() -> None:
    stage, ada, al, bo = context()
    stage.do("say", ada, what="I flank them", to="side")
    assert [heard(stage, who) for who in (ada, al, bo)] == [1, 1, 0]
    assert heard(stage, ada, al) == 1  # once, for someone with two of them
    assert (len(GM.select(stage.facts)), Viewer().select(stage.facts)) == (1, [])
    assert [said.key for said in stage.told(e.Said)] == ["log.says_to_side"]


@pytest.mark.rule("COS-ACT-22")
@pytest.mark.parametrize(
    ("words", "code"), [("", "bad_value"), (" \n ", "bad_value"), ("x" * 201, "bad_value")]
)
def test_words_have_1_to_200_characters(words: str, code: str) -> None:
    stage, ada, _, _ = context()
    no = stage.refused("say", ada, what=words)
    assert (no.code, no.message) == (code, "Say something of 1 to 200 characters.")
    stage.do("say", ada, what="x" * 200)


@pytest.mark.rule("COS-ACT-22", "COS-COND-34")
def test_the_unconscious_say_nothing_and_the_held_speak() -> None:
    stage, ada, al, bo = context()
    stage.give(al, "unconscious")
    assert stage.refused("say", al, what="Help").message == "Al is unconscious: no actions."
    stage.give(ada, "grappled", by=bo)
    stage.give(ada, "pinned", by=bo)
    stage.do("say", ada, what="Let go")


@pytest.mark.rule("COS-ACT-22", "COS-COND-11")
def test_the_deafened_hear_nothing_of_it() -> None:
    stage, ada, al, bo = context()
    stage.give(al, "deafened")
    stage.give(bo, "deafened")
    stage.do("say", ada, what="Now")
    assert read_log(stage)[1:] == [
        "Al is deafened and hears nothing.",
        "Bo is deafened and hears nothing.",
    ]
    stage.do("say", ada, what="Now", to="side")
    assert [(said.target, heard(stage, bo)) for said in stage.told(e.Said)] == [("", 0), (al, 0)]
