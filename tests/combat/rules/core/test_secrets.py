"""Facts about the hidden: who is told what, from the moment they are born."""

from __future__ import annotations

import pytest

from combat.rules.core import events as e
from combat.rules.core.events import SecretNames, for_seat, without_names
from combat.rules.core.modifiers import Modifier
from combat.rules.core.state import Condition, Until
from combat.rules.core.table import Table
from tests.combat.rules.cosmos.people import CosmosStage

GHOST = "Old Ghost"


class Nobody:
    """Answers nothing."""

    def answer(self, table: Table, request: object) -> None:
        return None


@pytest.fixture
def stage() -> CosmosStage:
    """Ada and Bo see each other; somebody lurks."""
    stage = CosmosStage()
    stage.hero("Ada")
    stage.foe("Bo")
    stage.edit(stage.foe(GHOST, at=(20, 0)), hidden=True)
    return stage


def tell(stage: CosmosStage, event: e.Event, to: str = "", twin: e.Event | None = None) -> e.Fact:
    """Tell one thing; the fact as it is kept."""
    table = Table(stage.system, stage.state, Nobody())
    table.tell(event, "COS-ACT-17", to, twin)
    (fact,) = table.facts
    return fact


def test_what_the_visible_do_is_for_everyone(stage: CosmosStage) -> None:
    assert tell(stage, e.TurnEnded("f1")) == e.Fact(e.TurnEnded("f1"), "COS-ACT-17", e.EVERYONE, None)


def test_what_the_hidden_do_is_for_the_gm_and_their_player(stage: CosmosStage) -> None:
    fact = tell(stage, e.TurnEnded("f3"))
    assert (fact.to, fact.twin) == (for_seat("f3"), None)


def test_what_two_hidden_share_is_for_the_gm(stage: CosmosStage) -> None:
    stage.edit("f2", hidden=True)
    assert tell(stage, e.Said("{who} nods to {target}.", "f2", "f3")).to == e.GM_ONLY


@pytest.mark.parametrize(
    ("text", "public"),
    [
        (f"{GHOST} hums.", "somebody hums."),
        (f"It is {GHOST}'s knife.", "It is somebody's knife."),
        (f"{GHOST}", "somebody"),
    ],
)
def test_name_of_the_hidden_stands_in_no_public_text(stage: CosmosStage, text: str, public: str) -> None:
    fact = tell(stage, e.Said(text, "f1"))
    assert (fact.to, fact.event, fact.twin) == (e.GM_ONLY, e.Said(text, "f1"), e.Said(public, "f1"))


@pytest.mark.parametrize("text", ["Old Ghostwriters hum.", "An old ghost story.", "OldGhost"])
def test_other_words_stay(stage: CosmosStage, text: str) -> None:
    assert tell(stage, e.Said(text, "f1")).to == e.EVERYONE


def test_name_that_somebody_visible_has_too_stays(stage: CosmosStage) -> None:
    other = stage.foe(GHOST)
    assert stage[other].name == f"{GHOST} 1"
    assert tell(stage, e.Said(f"{GHOST} 1 hums.", "f1")).to == e.EVERYONE
    stage.edit(other, name=GHOST)
    assert tell(stage, e.Said(f"{GHOST} hums.", "f1")).to == e.EVERYONE


def test_terms_of_a_sum_do_not_name_the_hidden(stage: CosmosStage) -> None:
    terms = (Modifier(f"{GHOST} in the way", -2, "COS-ATK-01"), Modifier("Combat", 5))
    fact = tell(stage, e.TrackChanged("f1", "hp", 10, 8, f"a push by {GHOST}", terms), to=e.EVERYONE)
    assert isinstance(fact.twin, e.TrackChanged)
    assert [term.label for term in fact.twin.terms] == ["somebody in the way", "Combat"]
    assert fact.twin.why == "a push by somebody"
    assert (fact.twin.who, fact.twin.terms[0].rule) == ("f1", "COS-ATK-01")


def test_public_twin_is_hushed_as_well(stage: CosmosStage) -> None:
    fact = tell(stage, e.TurnEnded("f3"), twin=e.Said(f"{GHOST} is gone", "f1"))
    assert fact.twin == e.Said("somebody is gone", "f1")


def test_condition_from_the_hidden_tells_not_from_whom(stage: CosmosStage) -> None:
    held = Condition("k9", "grappled", "Grappled", until=Until("f3", "end"), by="f3", marks={"by": "f3"})
    fact = tell(stage, e.ConditionGained("f1", held))
    assert isinstance(fact.twin, e.ConditionGained)
    assert (fact.twin.condition.by, fact.twin.condition.until, fact.twin.condition.marks) == ("", None, {})


def test_order_without_the_hidden_is_public_only_if_it_is_another_one(stage: CosmosStage) -> None:
    stage.begin("f1", "f2", "f3")
    assert tell(stage, e.OrderSet(("f3", "f1", "f2"), "joins")).twin is None
    assert tell(stage, e.OrderSet(("f3", "f2", "f1"), "delays")).twin == e.OrderSet(("f2", "f1"), "delays")
    assert tell(stage, e.OrderSet(("f1", "f2", "f3"), "again")).twin == e.OrderSet(("f1", "f2"), "again")


def test_revealed_fighter_is_named_from_then_on(stage: CosmosStage) -> None:
    (fact,) = stage.do("hide", target="f3", hidden=False)
    assert fact.to == e.EVERYONE
    assert tell(stage, e.Said(f"{GHOST} hums.", "f1")).to == e.EVERYONE


def test_names_are_found_as_they_are_written() -> None:
    names = SecretNames({"A.", "A.B (c)", "", "Ænne", "Pirate"}, {"Pirate 2", "Pirate Bay"})
    assert names.hush("A.B (c) and Ænne, not Ænnes or XA.") == "somebody and somebody, not Ænnes or XA."
    text = "Pirate, Pirate 2, Pirate 22, Pirate Bay"
    assert names.hush(text) == "somebody, Pirate 2, somebody 22, Pirate Bay"
    assert SecretNames(()).hush("all") == "all"
    assert SecretNames({"Bo"}, {"Bo"}).hush("Bo") == "Bo"


def test_ids_and_kinds_are_no_names() -> None:
    names = SecretNames({"f1", "hp", "Said", "grappled", "type"})
    event = e.TrackChanged("f1", "hp", 3, 2, "hp")
    assert without_names(event, names) == e.TrackChanged("f1", "hp", 3, 2, "somebody")
