"""Every game in every ready scene with three rosters: the tactics play to an end, and each step leads on."""

from __future__ import annotations

import random
from itertools import product

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.play.scenes.ready import find_ready_scenes
from combat.play.writing.encounter_service import Submission, create_encounter, submit
from combat.rules import find_system
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver
from combat.rules.core.odds.forecast import find_staying, is_contested, play_step
from combat.rules.core.odds.proposals import MAX_STEPS_PER_TURN, find_return
from combat.rules.core.state.state import State
from tests.combat.visit import state_of
from tests.thinning import by_thoroughness

from .test_starts import choose

Roster = tuple[dict[str, int], dict[str, int]]  # how many of each: the enemies, the allies
CEPHEUS: tuple[Roster, ...] = (
    ({"street_thug": 4, "pirate_captain": 1}, {"star_marine": 2}),
    ({"hunter_beast": 3, "killer_beast": 1}, {"combat_medic": 2, "infantry_soldier": 1}),
    ({"zealot": 3, "mercenary_grenadier": 1}, {"police_officer": 2, "noble_duellist": 1}),
)
ROSTERS: dict[str, tuple[Roster, ...]] = {
    "cosmos": (
        ({"street_thug": 4, "pirate_captain": 1}, {"soldier": 2}),
        ({"pack_hunter": 3, "cave_brute": 1}, {"combat_medic": 2, "sniper": 1}),
        ({"riot_trooper": 3, "umbral_assassin": 1}, {"brutari_berserker": 2, "security_drone": 1}),
    ),
    "starshock": (
        ({"pickpocket": 4, "smuggler": 1}, {"enforcer": 2}),
        ({"martian": 3, "jovian_walker": 1}, {"hif_security": 2, "hif_ensign": 1}),
        ({"gang_leader": 2, "hacker": 2}, {"armed_guard": 2, "mercurian": 1}),
    ),
    "guardians": (
        ({"street_thug": 4, "soldier": 1}, {"knight": 2}),
        ({"war_hound": 3, "brute": 1}, {"martial_artist": 2, "security_guard": 1}),
        ({"armed_robber": 3, "sniper": 1}, {"riot_officer": 2, "armored_enforcer": 1}),
    ),
    "cepheus": CEPHEUS,
    "cepheus_quick": CEPHEUS,
}
QUICK = "docking_ring"  # of this every game; all others are slow
MOST = 6000  # commands: ten times as many as most fights need


def list_fights() -> list[object]:
    """Every game in every scene, with the next of its rosters each time; a thorough run takes all of them."""
    scenes = [ready.key for ready in find_ready_scenes()]
    return [
        pytest.param(
            *(slug, key, number % 3),
            marks=[] if key == QUICK and number == place else [pytest.mark.slow],
            id=f"{slug}-{key}-{number % 3}",
        )
        for slug, (place, key) in product(ROSTERS, enumerate(scenes))
        for number in range(place, place + by_thoroughness(1, 3))
    ]


def begin(gm: User, client: Client, slug: str, key: str, roster: Roster) -> State:
    """A fight in a ready scene, before its first round."""
    encounter = create_encounter(gm, slug, key)
    choose(client, encounter, key)
    for side, people in zip(("enemies", "allies"), roster, strict=True):
        for block, count in people.items():
            submit(encounter.pk, Submission("join", {"block": block, "side": side, "count": count}))
    return state_of(encounter.pk)


def play_turn(system: System, state: State, auto: AutoDriver) -> tuple[State, int]:
    """Play one turn as auto-play does, and end it; returns the number of commands too."""
    actor, since, taken = state.active, [state], 1
    while state.phase == "fight" and state.active == actor:
        submission = system.tactics.suggest(state, actor) if actor else None
        if submission is None:
            break
        name, command = submission
        thrown, done = auto.thrown, play_step(system, state, name, command, auto)
        rolled = auto.thrown > thrown
        assert rolled or find_return(since, done.state) is None, f"{command} leads back"
        since = [done.state] if rolled else [*since, done.state]
        state, taken = done.state, taken + 1
        assert taken <= MAX_STEPS_PER_TURN, f"{name} again and again"
    if state.phase != "fight" or state.active != actor:
        return state, taken
    return play_step(system, state, system.actions.advance, None, auto).state, taken


@pytest.mark.slow
@pytest.mark.parametrize(("slug", "key", "number"), list_fights())
def test_the_tactics_play_to_an_end(gm: User, gm_client: Client, slug: str, key: str, number: int) -> None:
    system = find_system(slug)
    start = begin(gm, gm_client, slug, key, ROSTERS[slug][number])
    auto, commands = AutoDriver(random.Random(f"{slug} {key} {number}"), tells=False), 0
    state = play_step(system, start, system.actions.start, None, auto).state
    while state.phase == "fight" and is_contested(system, start, state):
        state, taken = play_turn(system, state, auto)
        commands += taken
        assert commands <= MOST, f"{key} does not end: {find_staying(system, start, state)}"
    assert state.round
