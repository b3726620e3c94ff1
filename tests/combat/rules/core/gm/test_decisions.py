"""What the GM may always do: each command's success, its refusals, and its log lines."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.words import say
from combat.rules.core.gm.actions import GM_ACTIONS
from combat.rules.core.gm.decisions import MAX_COMBATANTS
from combat.rules.core.sides import describe_losses, find_verdict, gives_up, has_turns, is_asked
from combat.rules.core.space import Point, distance
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Until, present, replace
from tests.combat.rules import tiny
from tests.combat.rules.reading import read_log
from tests.combat.rules.stage import Stage

SHEET = {"skill": 2, "hits": 7}


@pytest.fixture
def empty() -> Stage:
    """A fight without combatants."""
    return Stage(tiny.SYSTEM)


# ---------------------------------------------------------------- join


def test_join_makes_a_combatant_of_a_sheet(empty: Stage) -> None:
    empty.do("join", sheet=SHEET, name="  Eve \n Adams ", side="allies", pc=True)
    eve = empty["f1"]
    assert (eve.name, eve.side, eve.pc, eve.hidden, eve.tracks) == (
        "Eve Adams",
        "allies",
        True,
        False,
        {"hits": 7},
    )
    assert read_log(empty) == ["Eve Adams joins (allies)."]


def test_join_takes_the_name_of_the_sheet_or_the_block(empty: Stage) -> None:
    empty.do("join", sheet={**SHEET, "name": "Eve"})
    empty.do("join", block="master")
    assert [combatant.name for combatant in present(empty.state)] == ["Eve", "Master"]
    assert empty["f2"].tracks == {"hits": 12}


def test_join_numbers_copies_and_namesakes(empty: Stage) -> None:
    empty.do("join", block="brawler", count=3)
    assert [combatant.name for combatant in present(empty.state)] == ["Brawler 1", "Brawler 2", "Brawler 3"]
    empty.do("join", block="master")
    empty.do("join", block="master")
    assert [combatant.name for combatant in present(empty.state)][3:] == ["Master", "Master 2"]


def test_numbered_names_are_no_longer_than_others(empty: Stage) -> None:
    empty.do("join", block="brawler", name="x" * 60, count=11)
    assert [len(combatant.name) for combatant in empty.state.combatants.values()] == [60] * 11
    assert len({combatant.name for combatant in empty.state.combatants.values()}) == 11
    empty.do("rename", target="f11", name=empty["f11"].name, side="others")
    assert empty["f11"].side == "others"


def test_join_keeps_copies_apart(empty: Stage) -> None:
    empty.zone("hall", width=12, depth=12)
    empty.do("join", block="brawler", count=20, zone="hall")
    places = [combatant.at for combatant in present(empty.state)]
    apart = [distance(a, b) for i, a in enumerate(places) for b in places[:i]]
    assert min(apart) >= 1.5
    assert all(0 <= place.x <= 12 and 0 <= place.y <= 12 for place in places)


def test_join_finds_room_in_a_wide_plain(empty: Stage) -> None:
    empty.zone("plain", width=1000, depth=1000)
    for _ in range(5):
        empty.do("join", block="brawler", count=20, zone="plain")
    places = {combatant.at for combatant in present(empty.state)}
    assert len(places) == MAX_COMBATANTS
    assert max(distance(place, Point(500, 500)) for place in places) < 40


def test_join_in_a_full_closet_shares_its_middle(empty: Stage) -> None:
    empty.zone("closet", width=1, depth=1)
    empty.do("join", block="brawler", count=2, zone="closet")
    assert empty["f2"].at == Point(0.5, 0.5)


def test_join_hidden_is_for_the_gm(empty: Stage) -> None:
    empty.do("join", block="brawler", hidden=True)
    assert e.EVERYONE not in empty.audiences()
    assert read_log(empty) == []


def test_join_during_a_fight_enters_the_order(duel: Stage) -> None:
    duel.do("join", block="brawler", dice=[(3,)])
    late = duel.state.order[-1]
    assert duel[late].initiative == 4
    assert duel.state.active == "f1"


@pytest.mark.parametrize(
    ("fields", "code", "message"),
    [
        ({}, "bad_value", "Nothing to add: choose a stat block or a character."),
        ({"block": "dragon"}, "unknown", "That stat block is not in the library: choose one from the list."),
        ({"block": "brawler", "count": 0}, "bad_value", "Too many at a time: add 1 to 20 combatants."),
        ({"block": "brawler", "count": 21}, "bad_value", "Too many at a time: add 1 to 20 combatants."),
        (
            {"block": "brawler", "zone": "moon"},
            "unknown",
            "That zone is not part of the scene: choose one that is.",
        ),
        ({"sheet": SHEET}, "bad_value", "A name has 1 to 60 characters."),
        ({"block": "brawler", "name": "x" * 61}, "bad_value", "A name has 1 to 60 characters."),
        ({"block": "brawler", "side": " "}, "bad_value", "A name has 1 to 60 characters."),
        (
            {"sheet": {"skill": 9}, "name": "Eve"},
            "bad_value",
            "Eve cannot join with that sheet: skill: must be 0 to 5",
        ),
        ({"sheet": {"strength": 9}, "name": "Eve"}, "bad_value", "Eve cannot join with that sheet: "),
        ({"sheet": {"skill": "high"}, "name": "Eve"}, "bad_value", "Eve cannot join with that sheet: "),
    ],
)
def test_join_refused(empty: Stage, fields: dict[str, Any], code: str, message: str) -> None:
    refused = empty.refused("join", **fields)
    assert refused.code == code
    assert refused.message.startswith(message)


def test_join_refused_when_the_encounter_is_full(empty: Stage) -> None:
    for _ in range(5):
        empty.do("join", block="brawler", count=20)
    assert (
        empty.refused("join", block="brawler").message
        == "An encounter holds at most 100 combatants: remove some first."
    )
    empty.do("remove", target="f7")
    empty.do("join", block="brawler")


# ---------------------------------------------------------------- rename, duplicate, remove, hide


def test_rename(duel: Stage) -> None:
    duel.do("rename", target="f2", name=" Big  Bo", side="strays")
    assert (duel["f2"].name, duel["f2"].side) == ("Big Bo", "strays")
    duel.do("rename", target="f2", name="Bo")
    assert (duel["f2"].name, duel["f2"].side) == ("Bo", "strays")
    assert read_log(duel) == ["Bo is the new name (strays)."]


@pytest.mark.parametrize("name", ["", "  ", "x" * 61])
def test_rename_refused_without_a_proper_name(duel: Stage, name: str) -> None:
    assert duel.refused("rename", target="f2", name=name).code == "bad_value"


def test_duplicate_is_another_one_unhurt(duel: Stage) -> None:
    duel.do("hide", target="f2")
    duel.set_track("f2", hits=1)
    duel.give("f2", "shaken")
    duel.do("duplicate", target="f2", dice=[(2,)])
    copy = list(duel.state.combatants.values())[-1]
    assert (copy.name, copy.side, copy.tracks, copy.conditions) == ("Bo 2", "enemies", {"hits": 6}, ())
    assert copy.hidden
    assert copy.sheet == duel["f2"].sheet
    duel.do("duplicate", target=copy.id, dice=[(2,)])
    assert list(duel.state.combatants.values())[-1].name == "Bo 3"


def test_duplicate_of_the_first_of_two_is_the_third(duel: Stage) -> None:
    for who, name in (("f2", "Scout 1"), ("f3", "Scout 2")):
        duel.do("rename", target=who, name=name)
    duel.do("duplicate", target="f2", dice=[(2,)])
    assert list(duel.state.combatants.values())[-1].name == "Scout 3"


def test_duplicate_joins_where_the_first_stands(duel: Stage) -> None:
    duel.do("place", target="f3", zone="wall")
    duel.do("duplicate", target="f3", dice=[(2,)])
    copy = list(duel.state.combatants.values())[-1]
    assert 10 <= copy.at.x <= 12
    assert copy.at.z == 1


def test_remove_leaves_the_combatant_out(duel: Stage) -> None:
    duel.do("remove", target="f2", reason="ran off")
    assert duel["f2"].gone
    assert [combatant.id for combatant in present(duel.state)] == ["f1", "f3"]
    assert read_log(duel) == [
        "GM: ran off.",
        "Bo leaves the encounter.",
    ]
    assert duel.refused("remove", target="f2").code == "unknown"


def test_remove_ends_the_turn_of_the_active_one(duel: Stage) -> None:
    duel.do("remove", target="f1")
    assert duel.told(e.TurnEnded) == [e.TurnEnded("f1")]
    assert duel.state.active == ""
    duel.do("next_turn")
    assert duel.state.active == "f2"


def test_remove_before_the_fight_gives_up_the_place(duel: Stage) -> None:
    duel.do("end_fight")
    duel.do("remove", target="f2")
    assert duel.state.order == ("f1", "f3")


def test_hide_and_reveal(duel: Stage) -> None:
    duel.do("hide", target="f2")
    assert duel["f2"].hidden
    refused = duel.refused("hide", target="f2")
    assert (refused.code, refused.message) == ("not_allowed", "Bo is hidden already.")
    duel.do("hide", target="f2", hidden=False)
    assert not duel.state.combatants["f2"].hidden
    assert read_log(duel) == ["Bo is revealed."]
    assert duel.refused("hide", target="f2", hidden=False).message == "Bo is visible already."


# ---------------------------------------------------------------- numbers


@pytest.mark.parametrize(
    ("change", "hits"),
    [
        ({"by": -2}, 4),
        ({"to": 9}, 9),
        ({"to": 1}, 1),
        ({"to": 0}, 0),
        ({"by": -50}, 0),
        ({"by": 5, "to": 2}, 2),
    ],
)
def test_adjust_changes_a_number(duel: Stage, change: dict[str, Any], hits: int) -> None:
    duel.do("adjust", target="f2", track="hits", reason="a loose tile", **change)
    assert duel["f2"].tracks["hits"] == hits
    (told,) = duel.told(e.TrackChanged)
    assert (told.old, told.new, told.why) == (6, hits, "a loose tile")
    assert duel.told(e.Overruled) == [
        e.Overruled(say("gm.track", who="f2", what="track.hits"), "a loose tile")
    ]
    assert not any("GM" in line for line in read_log(duel)), "the loss tells the reason"


def test_healing_stops_at_the_maximum_and_set_to_goes_beyond(duel: Stage) -> None:
    duel.do("adjust", target="f2", track="hits", by=-2)
    duel.do("adjust", target="f2", track="hits", by=5)
    assert duel["f2"].tracks["hits"] == 6
    duel.do("adjust", target="f2", track="hits", to=9)
    assert duel.refused("adjust", target="f2", track="hits", by=1).code == "bad_value"
    assert duel["f2"].tracks["hits"] == 9


def test_healing_several_passes_over_the_unhurt(duel: Stage) -> None:
    duel.do("adjust", target="f3", track="hits", by=-3)
    duel.do("adjust_each", targets=["f2", "f3"], track="hits", by=50)
    assert [change.who for change in duel.told(e.TrackChanged)] == ["f3"]
    assert [duel[who].tracks["hits"] for who in ("f2", "f3")] == [6, 6]


def test_adjust_settles_what_follows(duel: Stage) -> None:
    duel.do("adjust", target="f2", track="hits", to=0)
    assert duel.has("f2", "down")
    duel.do("adjust", target="f2", track="hits", by=1)
    assert not duel.has("f2", "down")


@pytest.mark.parametrize(
    ("fields", "code", "message"),
    [
        ({"track": "luck", "by": 1}, "unknown", "There is no stat “luck”."),
        ({"track": "hits"}, "bad_value", "Bo: HP is 6 already; enter another number."),
        ({"track": "hits", "to": 6}, "bad_value", "Bo: HP is 6 already; enter another number."),
        ({"track": "hits", "by": 2}, "bad_value", "Bo: HP is at its maximum of 6; “Set to” goes beyond."),
        ({"track": "hits", "to": 10_000}, "bad_value", "HP stays between −9999 and 9999."),
        ({"track": "hits", "to": -1}, "bad_value", "HP does not go below 0."),
        ({"track": "hits", "by": 1, "target": "f9"}, "unknown", "That combatant is not in this encounter."),
    ],
)
def test_adjust_refused(duel: Stage, fields: dict[str, Any], code: str, message: str) -> None:
    refused = duel.refused("adjust", **{"target": "f2", **fields})
    assert (refused.code, refused.message) == (code, message)


def test_adjust_each_is_one_step_for_all(duel: Stage) -> None:
    duel.do("adjust_each", targets=["f2", "f3", "f2"], track="hits", by=-2, reason="smoke")
    assert [duel[who].tracks["hits"] for who in ("f1", "f2", "f3")] == [8, 4, 4]


def test_adjust_each_passes_over_whose_number_cannot_change(duel: Stage) -> None:
    duel.do("adjust", target="f2", track="hits", to=0)
    duel.do("adjust_each", targets=["f2", "f3"], track="hits", by=-2)
    assert [duel[who].tracks["hits"] for who in ("f2", "f3")] == [0, 4]
    assert duel.refused("adjust_each", targets=["f2"], track="hits", by=-2).message == (
        "Bo: HP is 0 already; enter another number."
    )


def test_adjust_each_refused_for_one_changes_none(duel: Stage) -> None:
    assert duel.refused("adjust_each", targets=[], track="hits", by=-2).code == "bad_target"
    assert duel.refused("adjust_each", targets=["f2", "f9"], track="hits", by=-2).code == "unknown"
    assert duel["f2"].tracks["hits"] == 6


def test_set_initiative_says_why_and_leaves_order_to_the_game(duel: Stage) -> None:
    duel.do("set_initiative", target="f3", score=12, reason="misheard")
    assert duel["f3"].initiative == 12
    assert read_log(duel) == ["GM: Cy's initiative changes: misheard."]
    assert duel.state.order == ("f1", "f2", "f3")
    assert duel.refused("set_initiative", target="f3", score=10_000).code == "bad_value"


def test_give_budget(duel: Stage) -> None:
    duel.do("give_budget", target="f2", pool="act", left=2, reason="inspired")
    assert duel["f2"].budget == {"act": 2}
    duel.do("give_budget", target="f1", pool="act", left=0)
    assert duel["f1"].budget == {"act": 0, "step": 1}
    assert read_log(duel) == ["GM: Ada's actions left change."]
    assert duel.refused("give_budget", target="f2", pool="luck", left=1).code == "unknown"
    for left in (-1, 21):
        assert duel.refused("give_budget", target="f2", pool="act", left=left).code == "bad_value"


# ---------------------------------------------------------------- conditions


def test_give_and_take_a_condition(duel: Stage) -> None:
    duel.do("give_condition", target="f2", kind="shaken", level=2, turns=3, by="f1", reason="a roar")
    (held,) = duel["f2"].conditions
    assert (held.kind, held.level, held.by, held.until) == ("shaken", 2, "f1", Until("f2", "end", 3))
    assert held.rule == "TINY-COND-01"
    assert read_log(duel)[0] == "GM: a roar."
    duel.do("take_condition", target="f2", condition=held.id, reason="all a joke")
    assert duel["f2"].conditions == ()
    assert "Bo: Shaken ends (all a joke)." in read_log(duel)


def test_give_a_condition_until_it_is_taken(duel: Stage) -> None:
    duel.do("give_condition", target="f2", kind="guarded")
    assert duel["f2"].conditions[0].until is None


@pytest.mark.parametrize(("level", "turns"), [(1, 0), (20, 100)])
def test_give_a_condition_up_to_the_limits(duel: Stage, level: int, turns: int) -> None:
    duel.do("give_condition", target="f2", kind="shaken", level=level, turns=turns)
    assert duel["f2"].conditions[0].level == level


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"kind": "cursed"}, "unknown"),
        ({"kind": "shaken", "level": 0}, "bad_value"),
        ({"kind": "shaken", "level": 21}, "bad_value"),
        ({"kind": "shaken", "turns": -1}, "bad_value"),
        ({"kind": "shaken", "turns": 101}, "bad_value"),
        ({"kind": "shaken", "by": "f9"}, "unknown"),
        ({"kind": "shaken", "target": "f9"}, "unknown"),
    ],
)
def test_give_condition_refused(duel: Stage, fields: dict[str, Any], code: str) -> None:
    assert duel.refused("give_condition", **{"target": "f2", **fields}).code == code


def test_take_condition_refused_when_it_is_over(duel: Stage) -> None:
    duel.give("f3", "shaken")
    held = duel["f3"].conditions[0].id
    refused = duel.refused("take_condition", target="f2", condition=held)
    assert (refused.code, refused.message) == ("unknown", "Bo no longer has that condition.")


# ---------------------------------------------------------------- places and order


def test_place_at_a_point_stands_on_its_ground(duel: Stage) -> None:
    duel.do("place", target="f2", x=11, y=3.25)
    assert duel["f2"].at == Point(11, 3.25, 1)
    assert read_log(duel) == ["Bo is now at Wall."]
    duel.do("place", target="f2", x=-30, y="0.12345")
    assert duel["f2"].at == Point(-30, 0.123, 0)


def test_place_in_a_zone_keeps_apart(duel: Stage) -> None:
    duel.do("place", target="f2", zone="wall")
    duel.do("place", target="f3", zone="wall")
    assert distance(duel["f2"].at, duel["f3"].at) >= 1.5


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"x": 10_000, "y": 0}, "bad_value"),
        ({"x": 0, "y": -10_000}, "bad_value"),
        ({"x": "nan", "y": 0}, "bad_value"),
        ({"x": 0, "y": "nan"}, "bad_value"),
        ({"x": "inf", "y": 0}, "bad_value"),
        ({"zone": "moon"}, "unknown"),
    ],
)
def test_place_refused(duel: Stage, fields: dict[str, Any], code: str) -> None:
    assert duel.refused("place", target="f2", **fields).code == code


@pytest.mark.parametrize(("after", "order"), [("", ("f3", "f1", "f2")), ("f1", ("f1", "f3", "f2"))])
def test_reorder(duel: Stage, after: str, order: tuple[str, ...]) -> None:
    duel.do("reorder", target="f3", after=after)
    assert duel.state.order == order
    assert read_log(duel) == ["GM: Cy moves in the turn order."]


@pytest.mark.parametrize(
    ("target", "after", "code"),
    [("f3", "f2", "not_allowed"), ("f1", "", "not_allowed"), ("f1", "f9", "unknown")],
)
def test_reorder_refused(duel: Stage, target: str, after: str, code: str) -> None:
    assert duel.refused("reorder", target=target, after=after).code == code


# ---------------------------------------------------------------- notes and the end


def test_notes_are_secret_unless_said_aloud(duel: Stage) -> None:
    (fact,) = duel.do("note", text="  Cy has the key.  ")
    assert fact == e.Fact(e.Said("log.note", args={"text": "Cy has the key."}), "", e.GM_ONLY)
    duel.do("note", text="A bell rings.", secret=False)
    assert read_log(duel) == ["A bell rings."]
    for text in ("", "  ", "x" * 2001):
        assert duel.refused("note", text=text).code == "bad_value"


def test_end_fight(duel: Stage) -> None:
    duel.do("end_fight", reason="they talk")
    assert (duel.state.phase, duel.state.active) == ("over", "")
    assert read_log(duel) == [
        "The fight is over: they talk.",
        "Still standing: Ada (allies); Bo, Cy (enemies).",
    ]
    assert duel.refused("end_fight").message == "No fight is running: nothing to end."


def test_a_fight_may_begin_again(duel: Stage) -> None:
    duel.do("end_fight")
    duel.do("start", dice=[(6,), (1,), (1,)])
    assert (duel.state.phase, duel.state.round, duel.state.active) == ("fight", 1, "f1")


# ---------------------------------------------------------------- for all of them


SAMPLE: dict[str, dict[str, Any]] = {
    "rename": {"target": "f2", "name": "Robin"},
    "remove": {"target": "f2"},
    "duplicate": {"target": "f2", "dice": [(2,)]},
    "adjust": {"target": "f2", "track": "hits", "by": -1},
    "adjust_each": {"targets": ["f2"], "track": "hits", "by": -1},
    "give_condition": {"target": "f2", "kind": "guarded"},
    "place": {"target": "f2", "x": 3, "y": 3},
    "reorder": {"target": "f2"},
    "set_initiative": {"target": "f2", "score": 3},
    "give_budget": {"target": "f2", "pool": "act", "left": 3},
}


@pytest.mark.parametrize("name", SAMPLE)
def test_what_is_done_to_the_hidden_is_not_for_everyone(duel: Stage, name: str) -> None:
    duel.edit("f2", hidden=True)
    duel.do(name, **SAMPLE[name])
    assert e.EVERYONE not in duel.audiences()


@pytest.mark.parametrize("name", SAMPLE)
def test_what_is_done_to_others_is_for_everyone(duel: Stage, name: str) -> None:
    duel.do(name, **SAMPLE[name])
    assert e.EVERYONE in duel.audiences()


@pytest.mark.parametrize("name", GM_ACTIONS)
def test_gm_commands_need_no_turn(name: str) -> None:
    action = GM_ACTIONS[name]
    assert (action.who, action.on_turn, action.name) == ("gm", False, name)
    assert action.label


# The GM's decisions on who still fights, and the pause.


def test_surrendered_get_no_turn_until_they_fight_on(duel: Stage) -> None:
    duel.do("surrender", target="f2")
    assert read_log(duel) == ["Bo surrenders."]
    assert not has_turns(duel.system, duel.state, duel["f2"])
    assert duel.refused("surrender", target="f2").message == "Bo has surrendered already."
    duel.do("next_turn")
    assert duel.state.active == "f3"
    duel.do("fight_on", target="f2")
    assert read_log(duel) == ["Bo fights on (GM)."]
    assert has_turns(duel.system, duel.state, duel["f2"])
    assert duel.refused("fight_on", target="f2").message == "Bo has not surrendered."


def test_surrender_of_a_whole_side_decides_the_fight(duel: Stage) -> None:
    duel.do("surrender", target="f2")
    assert find_verdict(duel.system, duel.state) is None
    duel.do("surrender", target="f3")
    verdict = find_verdict(duel.system, duel.state)
    assert verdict is not None
    assert verdict.beaten == ("enemies",)


def test_decided_fight_plays_on_until_someone_else_goes_down(duel: Stage) -> None:
    assert duel.refused("play_on").message == "The fight is not decided: it goes on as it is."
    duel.do("surrender", target="f2")
    duel.do("surrender", target="f3")
    assert is_asked(duel.system, duel.state)
    assert (verdict := find_verdict(duel.system, duel.state))
    told = "2 surrendered. Standing: allies 1 of 1, enemies 0 of 2. Nobody else is to arrive."
    assert describe_losses(duel.system, duel.state, verdict) == told
    duel.do("play_on", reason="the bomb still ticks.")
    assert read_log(duel) == ["The fight goes on: the bomb still ticks."]
    assert not is_asked(duel.system, duel.state)
    assert duel.refused("play_on").message == "The fight goes on already."
    duel.do("surrender", target="f1")
    assert is_asked(duel.system, duel.state)
    duel.do("play_on")
    duel.do("end_fight")
    assert duel.state.marks == {}


def test_fight_is_closed_once_and_opens_again_with_its_next_end(duel: Stage) -> None:
    assert duel.refused("close_fight").message == "The fight is not over: end it first."
    duel.do("end_fight")
    duel.do("close_fight")
    assert duel.state.marks == {"closed": True}
    assert duel.refused("close_fight").message == "The fight is closed already: read its report."


@pytest.mark.parametrize(("when", "wounded", "alone"), [("wounded", True, False), ("alone", False, True)])
def test_npc_gives_up_when_wounded_or_when_alone(duel: Stage, when: str, wounded: bool, alone: bool) -> None:
    def asks() -> bool:
        bo = replace(duel["f2"], sheet={**duel["f2"].sheet, "flees": when})
        return gives_up(
            duel.system, replace(duel.state, combatants={**duel.state.combatants, "f2": bo}), "f2"
        )

    assert not gives_up(duel.system, duel.state, "f2")
    assert not asks()
    duel.do("surrender", target="f3")
    assert asks() is alone
    duel.do("fight_on", target="f3")
    duel.do("adjust", target="f2", track="hits", to=1)
    assert asks() is wounded


def test_revived_come_back_with_the_least_numbers(duel: Stage) -> None:
    duel.do("adjust", target="f2", track="hits", to=0)
    assert duel.refused("surrender", target="f2").message.endswith("revive them first.")
    duel.do("revive", target="f2")
    assert read_log(duel)[0] == "The GM revives Bo."
    assert duel["f2"].tracks["hits"] == 1
    assert not duel.system.characters.health(duel["f2"]).is_out
    assert duel.refused("revive", target="f2").message == "Bo is not out of the fight: heal them instead."


@pytest.mark.parametrize("game", ["cosmos", "starshock", "guardians", "cepheus", "cepheus_quick"])
def test_dead_of_every_game_are_revived_in_one_step(game: str) -> None:
    stage = Stage(game)
    block = next(iter(stage.system.book.find_blocks()))
    who = stage.add("Bo", block=block)
    stage.add("Ada", side="enemies", block=block)
    stage.begin()
    stage.do("give_condition", target=who, kind="dead")
    for track in stage.system.characters.find_tracks(stage[who]):
        if track.tells_health and not track.rises:
            stage.set_track(who, **{track.key: 0})
    stage.do("revive", target=who)
    health = stage.system.characters.health(stage[who])
    assert (health.is_out, health.dead) == (False, False)


def test_side_changes_without_a_new_name(duel: Stage) -> None:
    duel.do("rename", target="f2", side="allies")
    assert read_log(duel) == ["Bo joins the allies."]
    assert (duel["f2"].name, duel["f2"].side) == ("Bo", "allies")
    assert duel.refused("rename", target="f2", side="allies").code == "not_allowed"
    assert duel.refused("rename", target="f2", name="").code == "bad_value"


def test_pause_holds_until_the_fight_goes_on_or_ends(duel: Stage) -> None:
    before = duel.state
    duel.do("pause", reason="pizza is here.")
    assert read_log(duel) == ["The GM pauses the fight: pizza is here."]
    assert duel.state.is_paused
    assert duel.refused("pause").message == "The fight is paused already."
    duel.do("resume")
    assert read_log(duel) == ["The fight goes on."]
    assert duel.state == before
    assert duel.refused("resume").message == "The fight is not paused."
    duel.do("pause")
    duel.do("end_fight")
    ended = duel.state
    assert not ended.is_paused
    assert duel.refused("pause").message == "No fight is running: nothing to pause."
