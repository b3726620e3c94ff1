"""Decisions and corrections of the GM, as programs find them: all that the table accepts, with fields."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from combat.models import Encounter
from combat.pages.programs.decisions import CHOICES, list_decisions
from combat.pages.table.submissions import FOR_GM
from combat.play.campaigns.campaigns import create_campaign, move_encounter
from combat.play.campaigns.own_conditions import keep_condition
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.data import find_fields
from combat.rules.core.gm.actions import GM_ACTIONS, SEAT_ACTIONS
from combat.rules.core.gm.rulings import USE
from combat.rules.core.space import map_of
from tests.combat.cast import Cast, seat_named
from tests.combat.pages.programs.asking import Program, make_program
from tests.combat.pages.table.test_wishes import newest
from tests.combat.visit import MARCUS, PIRATE, ZARA, combatant, demo_fight, play, state_of, stored
from tests.thinning import thin

pytestmark = pytest.mark.usefixtures("patience")

SHAPES = "it draws on the map: no field of a program holds a shape"
OWN = "another address has it: /api/table/answers/"
SEAT = "it is a player's: the page of their seat has it"
# What the table accepts from a GM without listing it for programs, and why
UNLISTED = {
    "set_scene": SHAPES,
    "set_map": SHAPES,
    "change_map": SHAPES,
    "answer": OWN,
    "answer_all": OWN,
    "roll_dice": "for the GM it is gm_roll, which is listed",
    "send_word": "for the GM it is gm_word, which is listed",
    "looked": SEAT,
    "say_ready": SEAT,
    "change_face": SEAT,
    "give_word": SEAT,
    "spend_counter": "it is listed for those who have counters",
    "ask_for": f"{SEAT}; the GM hands out",
    "ask_wish": SEAT,
    "take_offer": SEAT,
    "leave_offer": SEAT,
    **dict.fromkeys(("keep_plan", "drop_plan", "do_planned"), SEAT),
    **dict.fromkeys(("improvise", "help_next", "answer_wish"), "the answers to a wish do it"),
    "correct_own": f"{SEAT}, where the table allows it",
    "bring_rulings": "the app does it when a fight begins",
    **dict.fromkeys(("use_ruling", "drop_ruling"), "they are listed for those who have rulings"),
    "way": "only in scenes with ways between decks",
    **dict.fromkeys(("hand_over", "swap_players"), "who plays whom is given on the pages"),
    "hand_all": "hands out each thing as hand_out does",
    "move_to_deck": "does a move, `way` and another move, which are listed, one after the other",
    "set_standing": "an answer with `always` makes one",
}


def list_gm(bot: Program) -> dict[str, Any]:
    """What the GM's program can do, by name."""
    return {one["name"]: one for one in bot.get("actions")["gm"]}


def values(listed: dict[str, Any], action: str, field: str) -> list[str]:
    """The choices for a field."""
    (found,) = [one for one in listed[action]["fields"] if one["name"] == field]
    return [choice["value"] for choice in found["choices"]]


def test_all_that_a_gm_may_send_is_listed_or_has_a_reason(gm_bot: Program, started: Encounter) -> None:
    offered = gm_bot.get("actions")
    listed = {one["name"] for one in (*offered["gm"], *offered["actions"])}
    game = find_system(started.system).actions.by_name
    accepted = {*GM_ACTIONS, *SEAT_ACTIONS, *FOR_GM, *game}
    assert accepted - listed == UNLISTED.keys()
    assert not listed - accepted


def test_players_program_finds_none_of_them(started: Encounter, cast: Cast) -> None:
    offered = make_program(started, seat_named("Pia")).get("actions")
    assert not offered["gm"]
    assert not {one["name"] for one in offered["actions"]} & list_decisions().keys()


def test_only_the_gm_ends_a_fight_and_only_one_that_runs(gm: User, started: Encounter, cast: Cast) -> None:
    assert make_program(started).get("actions")["ends_fight"]
    assert make_program(started, seat_named("Pia")).get("actions")["ends_fight"] is None
    assert make_program(demo_fight(gm, "cosmos")).get("actions")["ends_fight"] is None


def test_each_choice_belongs_to_a_field() -> None:
    known = {
        f"{name} {field.name}" for name, one in list_decisions().items() for field in find_fields(one.type)
    }
    assert set(CHOICES) <= known | {one.partition(" ")[2] for one in known}


def test_required_fields_are_known_by_their_words_and_kinds(gm_bot: Program) -> None:
    listed = list_gm(gm_bot)
    fields = {one["name"]: one for one in listed["give_condition"]["fields"]}
    assert (fields["target"]["kind"], fields["target"]["required"]) == ("target", True)
    assert (fields["by"]["kind"], fields["by"]["required"]) == ("choice", False)
    assert (fields["turns"]["kind"], fields["turns"]["usual"]) == ("number", "0")
    assert [one["kind"] for one in listed["hide"]["fields"] if one["name"] == "hidden"] == ["flag"]
    assert [one["kind"] for one in listed["gather"]["fields"] if one["name"] == "targets"] == ["many"]
    assert all(
        one["label"] and one["text"] and not one["refused"]
        for one in (listed[name] for name in list_decisions())
    )


@pytest.mark.parametrize("name", ["duplicate", "undo", "fog", "pass_turns"])
def test_what_a_gm_decides_has_no_odds(gm_bot: Program, name: str) -> None:
    refused = gm_bot.post("odds", 422, action=name, fields={"target": ZARA})
    assert refused == {"code": "not_allowed", "problem": "What a GM decides has no odds."}


def test_program_acts_on_what_it_finds(gm_bot: Program, started: Encounter) -> None:
    listed = list_gm(gm_bot)
    assert values(listed, "hide", "target") == [ZARA, PIRATE, MARCUS]
    gm_bot.act("hide", target=PIRATE)
    gm_bot.act(
        "join", block=values(listed, "join", "block")[0], zone=values(listed, "join", "zone")[0], hidden=True
    )
    gm_bot.act("adjust", target=ZARA, track=values(listed, "adjust", "track")[0], by=-3)
    gm_bot.act("give_condition", target=ZARA, kind=values(listed, "give_condition", "kind")[0], turns=2)
    gm_bot.act("set_option", key="turn_seconds", value=60)
    gm_bot.act("define_condition", name="Cursed", change=["attack", "defense"], points=["-2", "1"])
    gm_bot.act("arrange", targets=[PIRATE, MARCUS], side="strays")
    state, listed = state_of(started.pk), list_gm(gm_bot)
    assert state.combatants[PIRATE].hidden
    assert len(state.combatants) == 4
    assert state.options["turn_seconds"] == 60
    assert {state.combatants[who].side for who in (PIRATE, MARCUS)} == {"strays"}
    (own,) = state.all_own_conditions
    assert dict(own.changes) == {"attack": -2, "defense": 1}
    assert own.id in values(listed, "give_condition", "kind")
    held = values(listed, "take_condition", "condition")
    assert held == [one.id for one in state.combatants[ZARA].conditions]
    gm_bot.act("take_condition", target=ZARA, condition=held[0])
    gm_bot.act("undo")
    assert [one.id for one in state_of(started.pk).combatants[ZARA].conditions] == held
    gm_bot.act("redo")


@pytest.mark.slow
def test_counters_are_listed_where_there_are_some(gm_bot: Program, started: Encounter) -> None:
    gm_bot.act("start_counter", target="f1", name="Luck", most=2)
    listed = list_gm(gm_bot)
    (counter,) = values(listed, "tick_counter", "counter")
    assert values(listed, "start_counter", "refills") == ["hand", "round", "turn", "scene"]
    assert values(listed, "start_counter", "shown") == ["all", "gm"]
    (own,) = [
        one for one in gm_bot.get("actions", combatant="f1")["actions"] if one["name"] == "spend_counter"
    ]
    assert own["usual"] == {"counter": counter, "by": "1"}
    gm_bot.act("spend_counter", "f1", counter=counter)
    (told,) = [one for one in gm_bot.get("state")["state"]["combatants"] if one["id"] == "f1"]
    assert told["counters"] == [{"id": counter, "name": "Luck", "left": 1, "most": 2, "refills": "hand"}]


def test_map_campaign_clocks_and_reserves_are_choices(gm_bot: Program, started: Encounter, gm: User) -> None:
    campaign = create_campaign(gm, "The long haul")
    move_encounter(started.pk, campaign)
    keep_condition(campaign, find_system(started.system), {"name": "Jinxed"})
    gm_bot.act("start_clock", name="Alarm")
    gm_bot.act("hold_back", targets=[PIRATE])
    gm_bot.act("hide_area", points="0,0; 3,3", name="Vault")
    gm_bot.act("fog", fog=True)
    state, listed = state_of(started.pk), list_gm(gm_bot)
    assert values(listed, "tick_clock", "clock") == [one.id for one in state.all_clocks] != []
    assert values(listed, "arrive", "reserve") == [one.id for one in state.all_reserves] != []
    assert PIRATE not in values(listed, "hide", "target")
    areas = values(listed, "reveal_area", "area")
    assert areas == [one.id for one in map_of(state.scene).hidden] != []
    assert map_of(state.scene).fog
    assert values(listed, "set_door", "door")
    gm_bot.act("reveal_area", area=areas[0])
    gm_bot.act("take_own", own=values(listed, "take_own", "own")[0])
    assert [one.name for one in state_of(started.pk).all_own_conditions] == ["Jinxed"]


@pytest.mark.parametrize("slug", thin(SYSTEMS, next(iter(SYSTEMS))))
def test_every_game_lists_them_before_and_after_a_fight(gm: User, slug: str) -> None:
    fight = demo_fight(gm, slug)
    bot = make_program(fight)
    before = list_gm(bot)
    play(fight.pk, find_system(slug).demo.make_first().script)
    after = list_gm(bot)
    assert before.keys() == after.keys() >= list_decisions().keys()
    for listed in (before, after):
        assert values(listed, "adjust", "track")
        assert values(listed, "join", "block")
        assert {"typed_dice"} <= set(values(listed, "set_option", "key"))


@pytest.mark.parametrize(
    ("action", "fields"),
    [
        ("pass_turns", {"whose": "cake"}),
        ("overrule", {"overrule": "1", "roll": "x"}),
        ("reveal_area", {"area": "a99"}),
        ("hide_area", {"points": "here"}),
        ("take_own", {"own": "o1"}),
        ("define_condition", {"name": "x", "change": ["attack", "attack"], "points": ["1", "2"]}),
        ("define_condition", {"name": "x", "sign": ["a", "b"]}),
        ("undo", {"steps": ["1"]}),
        ("join", {"block": "cake"}),
    ],
    ids=str,
)
def test_wrong_field_gets_a_sentence(
    gm_bot: Program, started: Encounter, action: str, fields: dict[str, Any]
) -> None:
    before = stored(started.pk)
    assert gm_bot.act(action, status=422, **fields)["problem"].endswith(".")
    assert stored(started.pk) == before


def test_programs_do_what_was_ruled_once(gm_bot: Program, cast: Cast, started: Encounter) -> None:
    """A player's program uses a ruling and takes it away, the GM's offers it for a wish."""
    pk, bot = started.pk, make_program(started, seat_named("Pia"))
    assert USE not in {one["name"] for one in bot.get("actions")["actions"]}
    bot.act("ask_wish", ZARA, words="I sneak past the Pirate")
    gm_bot.act("offer_wish", wish=newest(pk))
    bot.act("take_offer", ZARA, wish=newest(pk))
    gm_bot.act("give_budget", target=ZARA, pool="standard", left=1)
    listed = {one["name"]: one for one in bot.get("actions")["actions"]}
    assert listed[USE]["usual"]["ruling"] == "r1"
    assert listed[USE]["chance"] is None
    bot.act(USE, ZARA, ruling="r1")
    bot.act("ask_wish", ZARA, words="I sneak past once more")
    ruled = values(list_gm(gm_bot), "rule_again", "ruled")
    assert ruled == [f"{ZARA}/r1"]
    gm_bot.act("rule_again", wish=gm_bot.get("state")["wishes"][0]["wish"], ruled=ruled[0])
    assert bot.get("state")["wishes"][0]["status"] == "offered"
    bot.act("drop_ruling", ZARA, ruling="r1")
    assert not combatant(pk, ZARA).all_rulings


def test_programs_read_and_choose_the_ways_of_an_asked_wish(
    gm_bot: Program, cast: Cast, started: Encounter
) -> None:
    """The GM's program sees what the words may mean and offers one; the player's sees no way before that."""
    bot = make_program(started, seat_named("Pia"))
    bot.act("ask_wish", ZARA, words="I threaten the Pirate")
    (wish,) = gm_bot.get("state")["wishes"]
    assert wish["why"]
    assert [way["choice"] for way in wish["ways"]] == list(range(len(wish["ways"])))
    assert len({way["name"] for way in wish["ways"]}) > 1
    assert wish["act"] is None
    (mine,) = bot.get("state")["wishes"]
    assert (mine["why"], mine["ways"], mine["act"]) == ("", [], None)
    for choice in (len(wish["ways"]), -1):
        told = gm_bot.act("offer_wish", status=422, wish=wish["wish"], choice=choice)
        assert told["problem"] == "That choice is not on the card: choose one that is."
    gm_bot.act("offer_wish", wish=wish["wish"], choice=1)
    (offered,) = bot.get("state")["wishes"]
    assert offered["status"] == "offered"
    assert offered["act"]["works"] == wish["ways"][1]["act"]["works"]
    assert not gm_bot.get("state")["wishes"][0]["ways"]


def test_program_is_told_a_ruling_that_beats_an_attack(cast: Cast, started: Encounter) -> None:
    """It does what is suggested, with the fields as they are."""
    pk, bot = started.pk, make_program(started, seat_named("Pia"))
    assert bot.get("actions")["suggested"]["action"] != USE
    harm = {"kind": "harm", "who": ["them"], "dice": "40"}
    check = [["skill", "Combat"], ["attribute", "COO"]]
    ruling = {"id": "r1", "name": "Drop the crane", "check": check, "works": [harm]}
    submit(pk, Submission("bring_rulings", {"rulings": {ZARA: [ruling]}}))
    told = bot.get("actions")["suggested"]
    assert (told["action"], told["fields"]) == (USE, {"ruling": "r1", "target": PIRATE})
    bot.act(told["action"], ZARA, **told["fields"])
    assert bot.get("actions")["suggested"]["action"] != USE, "what costs nothing comes once a turn"


def test_gms_program_corrects_a_figure(gm_bot: Program, started: Encounter) -> None:
    assert "correct" in list_gm(gm_bot)
    gm_bot.act("correct", target=PIRATE, figure="skills.Combat", value="7")
    assert state_of(started.pk)[PIRATE].sheet["skills"]["Combat"] == 7
    gm_bot.act("correct", status=422, target=PIRATE, figure="skills.Combat", value="99")
    gm_bot.act("correct", target=PIRATE, figure="traits.traits", value="zero-g, calm")
    assert tuple(state_of(started.pk)[PIRATE].sheet["traits"]) == ("zero-g", "calm")
    gm_bot.act("correct", status=422, target=PIRATE, figure="traits.immune", value="no such word")
