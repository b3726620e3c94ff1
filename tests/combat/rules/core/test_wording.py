"""Words of the log that all games share."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest

from combat.rules import find_system
from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.basics.words import say
from combat.rules.core.space import BattleMap, Scene, Wall
from combat.rules.core.space.battle_map import Look
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Condition, Until
from combat.rules.core.wording import describe, describe_facts, say_span
from combat.rules.core.wording.sentences import _WORDS, gather
from tests.combat.rules import tiny
from tests.typed import as_a

# Events without a line of their own: what caused them has one, or they are bookkeeping
UNTOLD = {
    e.DoorSet,
    e.Explored,
    e.InitiativeSet,
    e.TurnEnded,
    e.BudgetSpent,
    e.BudgetSet,
    e.Marked,
    e.PlayersSet,
    e.SheetSet,
}


def test_every_event_has_a_sentence_or_is_known_to_have_none() -> None:
    missing = {*get_args(e.Event)} ^ {*_WORDS, *UNTOLD}
    assert not missing, "give these events a sentence in core/wording/sentences.py, or add them to UNTOLD"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 seconds"),
        (1, "1 second"),
        (59, "59 seconds"),
        (60, "1 minute"),
        (3599, "59 minutes 59 seconds"),
        (3600, "1 hour"),
        (5400, "1 hour 30 minutes"),
        (2 * 86_400, "2 days"),
        (129_600, "1 day 12 hours"),
    ],
)
def test_spans_of_time_are_told_in_full(seconds: int, words: str) -> None:
    assert say_span(seconds) == words


def test_time_that_passes_is_told_with_its_reason() -> None:
    line = describe(tiny.SYSTEM, e.Fact(e.TimePassed(5400, "a rest")), {})
    assert line
    assert (line.text, line.kind) == ("1 hour 30 minutes later: a rest.", "turn")
    bare = describe(tiny.SYSTEM, e.Fact(e.TimePassed(60)), {})
    assert bare
    assert bare.text == "1 minute later."


def test_newcomer_is_one_line_and_not_the_whole_order() -> None:
    names = {"f1": "Ada", "f2": "Bo"}
    assert describe(tiny.SYSTEM, e.Fact(e.OrderSet(("f1", "f2"), "why.joins")), names) is None
    line = describe(tiny.SYSTEM, e.Fact(e.OrderSet(("f1", "f2"), "why.initiative")), names)
    assert line
    assert "Ada, Bo" in line.text


def point(new: int, **more: object) -> e.Fact:
    """One point of HP less."""
    event = e.TrackChanged("f1", "hp", new + 1, new, "why.expired")
    return e.Fact(msgspec.structs.replace(event, **more), "T-1")


def test_single_points_lost_for_one_reason_are_told_as_one_loss() -> None:
    found = list(gather([point(4), point(3), point(2), point(1, why="why.gone"), point(0, who="f2")]))
    losses = [as_a(fact.event, e.TrackChanged) for fact in found]
    assert [(loss.who, loss.old, loss.new) for loss in losses] == [
        ("f1", 5, 2),
        ("f1", 2, 1),
        ("f2", 1, 0),
    ]


def test_points_that_have_terms_of_their_own_stay_apart() -> None:
    terms = (Modifier("term.armor", -1, ""),)
    assert len(list(gather([point(4, terms=terms), point(3, terms=terms)]))) == 2


def test_of_a_number_that_is_secret_the_last_word_is_told() -> None:
    twins = [point(-1, word=word) for word in ("health.hurt", "health.out")]
    (fact,) = gather(twins)
    told = as_a(fact.event, e.TrackChanged)
    assert (told.old, told.new, told.word) == (0, -1, "health.out")


def test_words_that_others_read_too_are_not_called_private() -> None:
    """Only the GM reads the changes of a map; everyone hears that it changed."""
    cosmos = find_system("cosmos")
    told = [
        describe(cosmos, e.Fact(e.MapChanged(), to=e.GM_ONLY, redacted=twin), {})
        for twin in (e.Said("log.map"), e.Said("log.rules_moved"), None)
    ]
    assert [line and line.to for line in told] == [e.EVERYONE, e.GM_ONLY, e.GM_ONLY]


COSMOS, NAMES = find_system("cosmos"), {"f1": "Zara", "f2": "Pirate"}


def tell(event: e.Event) -> str:
    """The line of a fact in a game, for a viewer who knows everyone; empty for none."""
    line = describe(COSMOS, e.Fact(event, ""), NAMES)
    return line.text if line else ""


@pytest.mark.parametrize(
    ("what", "target", "words"),
    [
        ("check.attack", "f2", "Zara attacks Pirate (21 vs Defense 12): hit."),
        ("check.attack", "", "Zara attacks (21 vs Defense 12): hit."),
        ("check.initiative", "", "Zara rolls initiative (21 vs Defense 12): hit."),
        ("no such key", "f2", "Zara rolls no such key on Pirate (21 vs Defense 12): hit."),
    ],
)
def test_check_is_told_by_a_verb_where_the_game_has_one(what: str, target: str, words: str) -> None:
    roll = Roll("2d10", (10, 9), 19, "app", "f1", "", "")
    told = e.Checked("f1", what, roll, (), 21, "hit", 12, (), "Defense", target)
    assert tell(told) == words


def test_number_without_a_name_is_told_alone() -> None:
    roll = Roll("2d10", (10, 9), 19, "app", "f1", "", "")
    told = e.Checked("f1", "check.attack", roll, (), 21, "hit", 12, target="f2")
    assert tell(told) == "Zara attacks Pirate (21 vs 12): hit."


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (NAMES, "Zara gives Pirate first aid (Medicine 15 vs TN 14): success."),
        ({"f1": "Zara"}, "Zara rolls Medicine (15 vs TN 14): success."),
    ],
)
def test_check_is_told_by_its_purpose_to_those_who_know_for_whom(names: dict[str, str], words: str) -> None:
    why = say("roll.check", what="Medicine", why=say("roll.help_for", target="f2"))
    roll = Roll("2d10", (10, 5), 15, "app", "f1", "", why)
    told = e.Checked("f1", "Medicine", roll, (), 15, "outcome.success", 14, (), "against.tn")
    line = describe(COSMOS, e.Fact(told), names)
    assert line
    assert line.text == words


def test_save_has_the_article_of_its_attribute() -> None:
    what = say("check.save", attribute="attribute.AWA")
    roll = Roll("2d10", (10, 5), 15, "app", "f1", "", "")
    told = e.Checked("f1", what, roll, (), 15, "outcome.success", 14, (), "against.tn")
    assert tell(told) == "Zara rolls an Awareness save (15 vs TN 14): success."


def begins(kind: str, who: str = "f1") -> e.Fact:
    """A condition that begins."""
    return e.Fact(e.ConditionGained(who, Condition(f"k-{kind}", kind, f"condition.{kind}")))


def tell_all(*facts: e.Fact) -> list[str]:
    """The lines of one step."""
    return [line.text for line in describe_facts(COSMOS, facts, NAMES)]


def test_prone_is_not_told_of_those_who_fall_unconscious() -> None:
    ends = e.Fact(e.ConditionEnded("f1", "k1", "condition.total_defense", "why.helpless"))
    assert tell_all(begins("unconscious"), begins("prone"), ends) == ["Zara falls unconscious."]
    assert tell_all(begins("unconscious"), begins("prone", "f2")) == [
        "Zara falls unconscious.",
        "Pirate falls prone.",
    ]
    assert tell_all(ends, begins("stunned")) == [
        "Zara is no longer on total defense (helpless).",
        "Zara is stunned.",
    ]


def test_scene_change_by_a_rule_is_told_by_the_rules_line() -> None:
    scene = e.SceneSet(Scene("Hold"))
    assert tell_all(e.Fact(scene, "COS-HAZ-05")) == []
    assert tell_all(e.Fact(scene)) == ["The scene is set: Hold."]
    assert tell_all(e.Fact(scene, to=e.GM_ONLY)) == ["The zones change."], "its name is what it was"


def test_map_that_is_removed_is_no_new_map() -> None:
    built = BattleMap(walls=(Wall("w1", 0, 0, 5, 0),))
    assert tell_all(e.Fact(e.MapSet(built))) == ["The scene gets a battle map."]
    assert tell_all(e.Fact(e.MapSet(BattleMap()))) == ["The battle map is removed."]


def test_condition_is_told_by_a_verb_where_there_is_one() -> None:
    for kind, words in (
        ("unconscious", "Zara falls unconscious."),
        ("slowed", "Zara is slowed by the cold."),
    ):
        held = Condition("k1", kind, f"condition.{kind}", "")
        assert tell(e.ConditionGained("f1", held)) == words


def test_condition_by_the_gm_without_a_reason_is_told_once() -> None:
    what = say("gm.condition", what="condition.prone", who="f1")
    assert tell(e.Overruled(what)) == ""
    assert tell(e.Overruled(what, "a push")) == "GM: a push."


def test_end_of_a_condition_is_told_by_a_verb_where_there_is_one() -> None:
    assert tell(e.ConditionEnded("f1", "k1", "condition.prone", "why.expired")) == "Zara is no longer prone."
    assert (
        tell(e.ConditionEnded("f1", "k1", "condition.prone", "a hand")) == "Zara is no longer prone (a hand)."
    )


def test_condition_its_action_tells_has_no_line_unless_gm_given() -> None:
    """COS-EX-07: the action says that someone aims, and the attack that it is used."""
    assert (
        tell(e.ConditionGained("f1", Condition("k1", "quick_aim", "condition.quick_aim", "")))
        == "Zara takes quick aim."
    )
    assert tell(e.ConditionEnded("f1", "k1", "condition.quick_aim", "why.used")) == ""
    assert tell(e.ConditionEnded("f1", "k1", "condition.quick_aim", "why.gm")) != ""
    watches = say("gm.condition", what="condition.overwatch", who="f1")
    assert tell(e.Overruled(say("gm.condition", what="condition.quick_aim", who="f1"))) == ""
    assert tell(e.Overruled(watches)) == "GM: Zara gets the condition On overwatch."


def test_sentence_about_the_unknown_begins_with_a_capital() -> None:
    moved = describe(find_system("cosmos"), e.Fact(e.Said("log.out_of_sight", "f9")), {})
    assert moved
    assert moved.text == "Someone moves out of sight."


@pytest.mark.parametrize(
    ("word", "by", "told"),
    [
        ("health.healthy", "f1", "Pirate is hit, still healthy (Pistol)."),
        ("health.wounded", "f1", "Pirate is hit, now wounded (Pistol)."),
        ("health.wounded", "", "Pirate loses HP (Wounded): Pistol."),
        ("health.wounded", "f2", "Pirate loses HP (Wounded): Pistol."),
    ],
)
def test_hit_in_words_says_how_its_target_is_now(word: str, by: str, told: str) -> None:
    assert tell(e.TrackChanged("f2", "hp", 0, -1, "Pistol", by=by, word=word)) == told
    better = e.TrackChanged("f2", "hp", 0, 1, "First aid", by="f1", word=word)
    assert tell(better).startswith("Pirate gains HP (")


def test_cause_that_says_the_same_as_the_health_is_left_out() -> None:
    """Someone dying loses HP because they are dying."""
    dying = e.TrackChanged("f2", "hp", -4, -5, "why.dying", word="health.dying")
    assert tell(dying) == "Pirate loses HP (Dying)."


def test_correction_is_called_one_first() -> None:
    assert tell(e.TrackChanged("f2", "hp", 60, 62, "corrected")) == "Corrected: Pirate gains 2 HP (60 → 62)."
    assert tell(e.TrackChanged("f2", "hp", 60, 62, "rest")) == "Pirate gains 2 HP (60 → 62): rest."


def test_condition_for_several_turns_says_for_how_many() -> None:
    def gain(until: Until | None, *, in_turn: bool = False) -> str:
        held = Condition("k1", "bleeding", "condition.bleeding", "", until=until)
        return tell(e.ConditionGained("f2", held, in_turn))

    assert gain(None) == gain(Until("f1", "end")) == "Pirate starts to bleed."
    assert gain(Until("f1", "end", 3)) == "Pirate starts to bleed (3 turns)."
    assert gain(Until("f1", "end", 4), in_turn=True) == "Pirate starts to bleed (this turn and 3 more)."
    told = "Pirate starts to bleed (until the end of Zara's next turn)."
    assert gain(Until("f1", "end", 2), in_turn=True) == told


def test_map_says_when_fog_is_on() -> None:
    fog, wall = Look(fog=True), Wall("w1", 0, 0, 1, 0)
    assert tell(e.MapChanged(look=fog)) == "Fog is on: players see what their side sees."
    assert tell(e.MapChanged(look=Look())) == "The battle map changes."
    assert tell(e.MapChanged(walls=(wall,), look=fog)) == "The battle map changes."
