"""The GM's decisions on who still fights, and the pause."""

from __future__ import annotations

import pytest

from combat.rules.core.sides import describe_losses, find_verdict, gives_up, has_turns, is_asked
from combat.rules.core.state.state import replace
from tests.combat.rules.reading import read_log
from tests.combat.rules.stage import Stage


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
