"""An evening: what is left of the party goes on from fight to fight; rests restore by each game's rules."""

from __future__ import annotations

import random
from typing import Any

import pytest

from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver
from combat.rules.core.odds import evening
from combat.rules.core.odds.evening import (
    WON,
    Evening,
    Stage,
    play_evenings,
    play_stage,
    prepare,
    rest,
    write_sheet,
)
from combat.rules.core.odds.forecast import Ending
from combat.rules.core.state.state import present, replace
from tests.combat.rules.games import GAMES, every_game
from tests.combat.rules.stage import Stage as Fight
from tests.typed import sure

ADA, BO = "character:1", "character:2"
EVENINGS = 30


class Fours(AutoDriver):
    """Each die shows a four."""

    def throw(self, dice: str) -> tuple[int, ...]:
        return tuple(4 for _ in super().throw(dice))


def find_sheet(system: System) -> dict[str, Any]:
    return dict(next(iter(system.book.find_blocks().values())).sheet)


def make_stage(system: System, heroes: int = 2, foes: int = 2, rest: str = "") -> Stage:
    """Copies of the game's first stat block, some of them as the party."""
    fight, block = Fight(system), next(iter(system.book.find_blocks()))
    for number in range(heroes):
        fight.add(f"Hero {number}", "heroes", (0.0, 2.0 * number), block=block)
    for number in range(foes):
        fight.add(f"Foe {number}", "foes", (6.0, 2.0 * number), block=block)
    own = [one.id for one in present(fight.state) if one.side == "heroes"]
    return Stage(fight.state, dict(zip((ADA, BO), own, strict=False)), "heroes", rest)


def play(system: System, *stages: Stage, count: int = EVENINGS, seed: int = 5) -> list[Ending]:
    return list(play_evenings(system, Evening(stages), count, seed))


def count_won(endings: list[Ending], number: int) -> int:
    return sum(ending.legs[number].standing == ("heroes",) for ending in endings)


@every_game
def test_costless_fight_leaves_the_next_ones_chances_unchanged(system: System) -> None:
    """After it the second begins as it is prepared, so it has the same chances."""
    stage = make_stage(system, foes=1)
    foe = present(stage.state)[-1]
    if "hp" in foe.tracks:  # else nobody leaves it unhurt
        hurt = replace(foe, tracks={**foe.tracks, "hp": 1})
        stage = replace(
            stage, state=replace(stage.state, combatants={**stage.state.combatants, foe.id: hurt})
        )
    first = {key: stage.state.combatants[who].sheet for key, who in stage.party.items()}
    auto, free = AutoDriver(random.Random(1)), 0
    for seed in range(20):
        leg, after = play_stage(system, stage, stage.state, set(), random.Random(seed))
        sheets = {key: write_sheet(system, after, after.combatants[who]) for key, who in stage.party.items()}
        same = prepare(system, stage, first, sheets, set(), auto) == stage.state
        tired = any(after.combatants[who].tracks.get("fatigue") for who in stage.party.values())
        free += leg.left == 100 and not tired
        assert same == (leg.left == 100 and not leg.dropped and not tired)
    assert 0 < free < 20


@every_game
def test_unchanged_sheet_leaves_a_combatant_as_prepared(system: System) -> None:
    stage = make_stage(system)
    sheets = {key: stage.state.combatants[who].sheet for key, who in stage.party.items()}
    auto = AutoDriver(random.Random(1))
    assert prepare(system, stage, sheets, sheets, set(), auto) == stage.state


@pytest.mark.slow
@every_game
def test_first_fight_that_wounds_lowers_the_chance_of_the_second(system: System) -> None:
    """Two against two is even alone: who comes from such a fight is worse off in the next."""
    stage = make_stage(system)
    evenings = play(system, stage, stage, count=60)
    first, second = count_won(evenings, 0), count_won(evenings, 1)
    assert second < first - 6
    strength = [sum(ending.legs[number].left for ending in evenings) for number in (0, 1)]
    assert strength[1] < strength[0]
    assert sum(WON in ending.standing for ending in evenings) <= second


@pytest.mark.slow
@every_game
def test_dead_stay_out_of_later_fights_and_are_counted_in_them(system: System) -> None:
    stage = make_stage(system)
    auto = AutoDriver(random.Random(1))
    sheets = {key: stage.state.combatants[who].sheet for key, who in stage.party.items()}
    state = prepare(system, stage, sheets, sheets, {ADA}, auto)
    assert [one.name for one in present(state) if one.side == "heroes"] == ["Hero 1"]
    for ending in play(system, stage, stage):
        assert set(ending.legs[0].dead) <= set(ending.legs[1].dead) <= set(ending.legs[1].dropped)


@pytest.mark.slow
def test_equal_seeds_give_equal_evenings() -> None:
    system = GAMES["cosmos"]
    stage = make_stage(system)
    assert play(system, stage, stage, count=3) == play(system, stage, stage, count=3)
    assert play(system, stage, stage, count=3) != play(system, stage, stage, count=3, seed=6)


# ---------------------------------------------------------------- rests


def rest_of(slug: str, key: str, **changed: Any) -> dict[str, Any]:
    """What the sheet says after a rest, with fours on all dice."""
    system = GAMES[slug]
    sheet = {**find_sheet(system), "tracks": {}, "conditions": [], "items": [], "uses": {}, **changed}
    return sure(rest(system, make_stage(system, rest=key), sheet, Fours(random.Random(1))))


@pytest.mark.parametrize(("key", "hp"), [("scene", 40), ("night", 40), ("day", 42), ("week", 54)])
@pytest.mark.rule("COS-HEAL-02")
def test_cosmos_gives_2_hp_a_day_of_full_rest(key: str, hp: int) -> None:
    assert rest_of("cosmos", key, tracks={"hp": 40})["tracks"]["hp"] == hp


@pytest.mark.parametrize(("key", "left"), [("scene", ["fatigued"]), ("night", [])])
@pytest.mark.rule("COS-COND-13")
def test_cosmos_ends_fatigue_by_a_night(key: str, left: list[str]) -> None:
    sheet = rest_of("cosmos", key, conditions=[{"kind": "fatigued", "level": 1}])
    assert [held["kind"] for held in sheet["conditions"]] == left


def test_rest_the_rules_refuse_leaves_the_sheet_and_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cosmos: nobody rests while they bleed."""
    system, seen = GAMES["cosmos"], list[Any]()
    bleeding = {**find_sheet(system), "tracks": {"hp": 40}, "conditions": [{"kind": "bleeding", "level": 1}]}
    assert rest(system, make_stage(system, rest="day"), bleeding, AutoDriver(random.Random(1))) is None

    def look(system: System, stage: Stage, first: Any, sheets: Any, **rest: Any) -> Any:
        seen.append(sheets)
        return prepare(system, stage, first, sheets=sheets, **rest)

    monkeypatch.setattr(evening, "write_sheet", lambda *_: bleeding)
    monkeypatch.setattr(evening, "prepare", look)
    one, two = make_stage(system, heroes=2), make_stage(system, heroes=2, rest="day")
    (ending,) = play(system, one, two, count=1)
    alive = set(ending.legs[0].dead) ^ {ADA, BO}
    assert (ending.legs[0].unrested, set(ending.legs[1].unrested)) == ((), alive)
    assert alive
    assert seen[1] == dict.fromkeys(alive, bleeding)


@pytest.mark.parametrize(("key", "kinds"), [("hour", []), ("shift", [])])
@pytest.mark.rule("SS-UNC-05")
def test_star_shock_wakes_the_unconscious_after_an_hour(key: str, kinds: list[str]) -> None:
    sheet = rest_of("starshock", key, conditions=[{"kind": "unconscious", "level": 1}])
    assert [held["kind"] for held in sheet["conditions"]] == kinds


@pytest.mark.parametrize(("key", "torso", "fatigue"), [("breath", 10, 0), ("day", 11, 0), ("week", 17, 0)])
@pytest.mark.rule("CG-FAT-05")
def test_guardians_regain_a_point_a_day_and_fatigue_by_minutes(key: str, torso: int, fatigue: int) -> None:
    tracks = rest_of("guardians", key, tracks={"mp.torso": 10, "fatigue": 4})["tracks"]
    assert (tracks["mp.torso"], tracks.get("fatigue", 0)) == (torso, fatigue)


@pytest.mark.parametrize("slug", ["cepheus", "cepheus_quick"])
@pytest.mark.parametrize(("key", "endurance"), [("hour", 2), ("night", 2), ("day", 4)])
@pytest.mark.rule("CE-HEAL-01")
def test_cepheus_gives_a_die_and_the_endurance_dm_a_day(slug: str, key: str, endurance: int) -> None:
    """Endurance 2 of 7: a DM of −2 and a four, so two points."""
    tracks = rest_of(slug, key, tracks={"end": 2})["tracks"]
    assert tracks["end"] == endurance


@every_game
def test_every_rest_of_a_game_can_be_taken(system: System) -> None:
    """By the unhurt it changes nothing."""
    sheet = find_sheet(system)
    for one in system.turn.passing.interludes:
        after = sure(rest(system, make_stage(system, rest=one.key), sheet, AutoDriver(random.Random(1))))
        assert {key: after[key] for key in sheet} == sheet
