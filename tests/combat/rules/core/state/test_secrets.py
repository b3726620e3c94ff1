"""Facts about the hidden: who hears what, from the moment of each fact."""

from __future__ import annotations

from typing import Any

import pytest

from combat.audience.changes import Audience, find_audience, find_private
from combat.audience.viewer import GM, Viewer
from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.basics.words import say
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.events import for_seat
from combat.rules.core.state.secret_names import SecretNames, without_names
from combat.rules.core.state.state import Condition, Until, replace
from tests.combat.rules.cosmos.figures import CosmosStage

GHOST = "Old Ghost"


class Nobody:
    """Answers nothing."""

    def answer(self, context: RuleContext, request: object) -> None:
        return None


@pytest.fixture
def stage() -> CosmosStage:
    """Ada and Bo see each other; a third is hidden."""
    stage = CosmosStage()
    stage.hero("Ada")
    stage.foe("Bo")
    stage.edit(stage.foe(GHOST, at=(20, 0)), hidden=True)
    return stage


def emit(stage: CosmosStage, event: e.Event, to: str = "", redacted: e.Event | None = None) -> e.Fact:
    """Emit one event; return the fact as stored."""
    context = RuleContext(stage.system, stage.state, Nobody())
    context.emit(event, "COS-ACT-17", to, redacted)
    (fact,) = context.facts
    return fact


@pytest.mark.parametrize(
    ("text", "public"),
    [
        (f"{GHOST} hums.", "someone hums."),
        (f"It is {GHOST}'s knife.", "It is someone's knife."),
        (f"{GHOST}", "someone"),
    ],
)
def test_name_of_the_hidden_stands_in_no_public_text(stage: CosmosStage, text: str, public: str) -> None:
    fact = emit(stage, e.Said(text, "f1"))
    assert (fact.to, fact.event, fact.redacted) == (e.GM_ONLY, e.Said(text, "f1"), e.Said(public, "f1"))


@pytest.mark.parametrize("text", ["Old Ghostwriters hum.", "An old ghost story.", "OldGhost"])
def test_words_that_only_contain_a_hidden_name_stay_public(stage: CosmosStage, text: str) -> None:
    assert emit(stage, e.Said(text, "f1")).to == e.EVERYONE


def test_name_that_someone_visible_has_too_stays(stage: CosmosStage) -> None:
    other = stage.foe(GHOST)
    assert stage[other].name == f"{GHOST} 1"
    assert emit(stage, e.Said(f"{GHOST} 1 hums.", "f1")).to == e.EVERYONE
    stage.edit(other, name=GHOST)
    assert emit(stage, e.Said(f"{GHOST} hums.", "f1")).to == e.EVERYONE


def test_terms_of_a_sum_do_not_name_the_hidden(stage: CosmosStage) -> None:
    terms = (Modifier(f"{GHOST} in the way", -2, "COS-ATK-01"), Modifier("Combat", 5))
    fact = emit(stage, e.TrackChanged("f1", "hp", 10, 8, f"a push by {GHOST}", terms), to=e.EVERYONE)
    assert isinstance(fact.redacted, e.TrackChanged)
    assert [term.label for term in fact.redacted.terms] == ["someone in the way", "Combat"]
    assert fact.redacted.why == "a push by someone"
    assert (fact.redacted.who, fact.redacted.terms[0].rule) == ("f1", "COS-ATK-01")


def test_public_twin_is_hushed_as_well(stage: CosmosStage) -> None:
    fact = emit(stage, e.TurnEnded("f3"), redacted=e.Said(f"{GHOST} is gone", "f1"))
    assert fact.redacted == e.Said("someone is gone", "f1")


def test_order_without_the_hidden_is_public_only_if_it_changes(stage: CosmosStage) -> None:
    stage.begin("f1", "f2", "f3")
    assert emit(stage, e.OrderSet(("f3", "f1", "f2"), "joins")).redacted is None
    assert emit(stage, e.OrderSet(("f3", "f2", "f1"), "delays")).redacted == e.OrderSet(
        ("f2", "f1"), "delays"
    )
    assert emit(stage, e.OrderSet(("f1", "f2", "f3"), "again")).redacted == e.OrderSet(("f1", "f2"), "again")


def test_condition_tells_not_that_someone_hidden_is_acting(stage: CosmosStage) -> None:
    held = Condition("k1", "pressed", "condition.pressed", "", by="f3", until=Until("f3", "end", 2))
    fact = emit(stage, e.ConditionGained("f1", held, in_turn=True))
    assert fact.redacted == e.ConditionGained("f1", replace(held, by="", until=None))


def test_revealed_combatant_is_named_from_then_on(stage: CosmosStage) -> None:
    (fact,) = stage.do("hide", target="f3", hidden=False)
    assert fact.to == e.EVERYONE
    assert emit(stage, e.Said(f"{GHOST} hums.", "f1")).to == e.EVERYONE


def test_names_are_found_as_they_are_written() -> None:
    names = SecretNames({"A.", "A.B (c)", "", "Ænne", "Pirate"}, {"Pirate 2", "Pirate Bay"})
    assert names.mask_names("A.B (c) and Ænne, not Ænnes or XA.") == "someone and someone, not Ænnes or XA."
    text = "Pirate, Pirate 2, Pirate 22, Pirate Bay"
    assert names.mask_names(text) == "someone, Pirate 2, someone 22, Pirate Bay"
    assert SecretNames(()).mask_names("all") == "all"
    names = SecretNames({"Knuckles", "Ana"}, {"Rhys"})
    assert (
        names.mask_names("Knuckles' and Ana's attack, Rhys' too")
        == "someone's and someone's attack, Rhys' too"
    )
    assert SecretNames({"Bo"}, {"Bo"}).mask_names("Bo") == "Bo"


def test_ids_and_kinds_are_no_names() -> None:
    names = SecretNames({"f1", "hp", "Said", "grappled", "type"})
    event = e.TrackChanged("f1", "hp", 3, 2, "hp")
    assert without_names(event, names) == e.TrackChanged("f1", "hp", 3, 2, "someone")


def test_ids_of_the_hidden_in_labels_are_drawn_as_someone(stage: CosmosStage) -> None:
    """Those who may know them read the name, all others "someone"; the twin holds no id."""
    terms = (Modifier(say("term.in_the_way", who="f3"), -2), Modifier("term.combat", 5))
    fact = emit(stage, e.ConditionEnded("f1", "k1", "condition.prone", say("why.gone", who="f3")))
    public = e.ConditionEnded("f1", "k1", "condition.prone", say("why.gone", who=""))
    assert (fact.to, fact.redacted) == (e.GM_ONLY, public)
    wound = emit(stage, e.TrackChanged("f1", "hp", 10, 8, "why.gm", terms), to=e.EVERYONE)
    assert isinstance(wound.redacted, e.TrackChanged)
    assert wound.redacted.terms == (Modifier(say("term.in_the_way", who=""), -2), Modifier("term.combat", 5))
    system = stage.system
    assert system.draw(say("why.gone", who=""), {"f1": "Ada"}) == "someone is gone"
    assert system.draw(say("why.gone", who="f3"), {"f1": "Ada"}) == "someone is gone"


@pytest.mark.parametrize(
    "event",
    [
        e.Said("log.note", "f1", args={"by": "f3"}),
        e.Said("log.note", "f1", args={"text": say("why.gone", who="f3")}),
        e.Overruled(say("gm.leaves", who="f3")),
        e.Overruled(say("gm.track", who="f1", what=say("why.gone", who="f3"))),
    ],
)
def test_sentences_about_the_hidden_are_for_gm_and_their_player(stage: CosmosStage, event: e.Event) -> None:
    fact = emit(stage, event)
    assert (fact.to, fact.redacted) == (for_seat("f3"), None)


@pytest.mark.parametrize(
    ("args", "public"),
    [
        ({"text": f"{GHOST} hums."}, {"text": "someone hums."}),
        ({"kind": GHOST, "key": GHOST}, {"kind": "someone", "key": "someone"}),
        ({"what": say("log.note", text=GHOST)}, {"what": say("log.note", text="someone")}),
        ({"n": 3, "flag": True, "what": say(GHOST)}, {"n": 3, "flag": True, "what": say("someone")}),
    ],
)
def test_names_of_the_hidden_in_what_fills_a_sentence_are_masked(
    stage: CosmosStage, args: dict[str, Any], public: dict[str, Any]
) -> None:
    fact = emit(stage, e.Said("log.note", "f1", args=args))
    assert (fact.to, fact.redacted) == (e.GM_ONLY, e.Said("log.note", "f1", args=public))


def test_keys_of_words_are_no_names(stage: CosmosStage) -> None:
    stage.edit("f3", name="log")
    assert emit(stage, e.Said("log.note", "f1", args={"text": "a dog"})).to == e.EVERYONE


def test_enemys_points_are_for_the_gm_though_only_some_see_it(stage: CosmosStage) -> None:
    """Those who see it read what they read of any enemy; the others read nothing."""
    wound = e.TrackChanged("f3", "hp", 30, 5, "an arrow", (Modifier("Combat", 5),), by="f1")
    fact, shown = emit(stage, wound), replace(wound, old=0, new=-1, terms=(), word="health.critical")
    assert fact == e.Fact(wound, "COS-ACT-17", e.GM_ONLY, shown, for_seat("f3"))
    one_who_sees, others = Viewer("seat", frozenset({"f3"})), Viewer("seat", frozenset({"f1"}))
    told = [one.select([fact]) for one in (GM, one_who_sees, others)]
    assert told == [[fact], [e.Fact(shown, "COS-ACT-17")], []]
    assert (find_private([fact]), find_audience([fact])) == (",f3,", Audience(people=frozenset({"f3"})))
    stage.do("set_option", key="foe_health", value="nothing")
    assert emit(stage, wound) == e.Fact(wound, "COS-ACT-17", e.GM_ONLY)
    stage.do("set_option", key="foe_health", value="number")
    assert emit(stage, wound) == e.Fact(wound, "COS-ACT-17", for_seat("f3"))


def test_enemys_points_are_for_the_gm_even_if_its_foe_is_seen(stage: CosmosStage) -> None:
    wound = e.TrackChanged("f2", "hp", 30, 5, "an arrow", by="f3")
    shown = e.TrackChanged("f2", "hp", 0, -1, word="health.critical")
    assert emit(stage, wound) == e.Fact(wound, "COS-ACT-17", e.GM_ONLY, shown)


def test_public_words_stay_beside_what_only_some_read(stage: CosmosStage) -> None:
    own, public = e.Said("Ada has a plan.", "f1"), e.Said("Ada thinks.", "f1")
    for to in (for_seat("f1"), e.GM_ONLY):
        assert emit(stage, own, to, public) == e.Fact(own, "COS-ACT-17", to, public)
    hidden = e.TrackChanged("f3", "hp", 10, 8)
    assert emit(stage, hidden, e.GM_ONLY, public) == e.Fact(hidden, "COS-ACT-17", e.GM_ONLY, public)
