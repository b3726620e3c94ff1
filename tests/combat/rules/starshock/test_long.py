"""Long fights by tactics: no one acts twice in a round or never, numbers stay in bounds."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Next
from combat.rules.core.engine.engine import AutoDriver, Done, find_action, run
from combat.rules.core.space import find_zone
from combat.rules.core.state import events as e
from combat.rules.core.state.fold import fold_all
from combat.rules.core.state.history import Step
from combat.rules.core.state.state import State, decode, encode, present
from combat.rules.starshock import SYSTEM
from combat.rules.starshock.characters.sheet import is_able
from combat.rules.starshock.world.place import is_map
from tests.combat.rules.every_game.wild.wild import long_fights, play_rounds
from tests.combat.rules.starshock.figures import StarStage, sheet

ROUNDS = 60
WALKS = ("move", "free_move")
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"turn_economy": "two_actions", "maneuver_order": "after_knockout_check", "npc_drop": "at_15"},
    {"turn_economy": "declared_three_by_rate", "table_order": "head_start", "generic_maneuvers": "on"},
    {
        "declare_mode": "running",
        "maneuver_rounding": "up",
        "unconscious_prone": "no",
        "stand_up": "free_once",
    },
)


def crowd(positioning: str, options: dict[str, Any]) -> StarStage:
    """Three players against five opponents of different kinds."""
    stage = StarStage("dock", "hold", "deck", **options)
    stage.describe("hold", terrain=["slippery"])
    stage.describe("deck", terrain=["elevated", "difficult"], height=4)
    stage.map(positioning)
    stage.hero("Ada", "electron_revolver", "dagger", zone="dock", skills=("Firearms",), str=4, dex=3)
    stage.hero("Bo", "venusian_machete", "shock_shield", zone="dock", skills=("Melee",), str=4)
    stage.hero("Cy", "aluminum_crossbow", "tungsten_staff", zone="hold", skills=("Archery",), str=3, luck=3)
    for block in ("enforcer", "hif_officer", "mercurian", "bounty_hunter", "jovian_walker"):
        stage.do("join", block=block, side="enemies", zone="deck")
    return stage


def step(state: State, name: str, command: Any, auto: AutoDriver) -> tuple[State, tuple[e.Fact, ...]]:
    done = run(SYSTEM, state, find_action(SYSTEM, name), command, auto)
    assert isinstance(done, Done)
    assert fold_all(state, done.facts) == done.state
    return done.state, done.facts


def check_state(state: State) -> None:
    """Check what holds after every command."""
    for combatant in present(state):
        assert all(left >= 0 for left in combatant.budget.values())
        assert combatant.tracks["damage"] >= 0
        assert combatant.tracks["luck"] >= 0
        hands = sum(i.data.get("hands", 1) for i in combatant.items if i.place == "held")
        assert hands <= 2 or state.options.get("two_handed") == "ignored"
        kinds = Counter(held.kind for held in combatant.conditions)
        assert all(kinds[kind] <= 1 for kind in ("unconscious", "coma", "dead", "prone", "blinded"))
        assert sum(kinds[kind] for kind in ("unconscious", "coma", "dead")) <= 1
    acting = [who for who in (state.active, *state.sharing) if who]
    assert len(acting) == len(set(acting))
    assert not [who for who in acting if state[who].acted]


@pytest.mark.parametrize("options", OPTIONS, ids=["default", "two actions", "by rate", "running"])
@pytest.mark.parametrize("positioning", ["zones", "squares", "hexes"])
@pytest.mark.rule("SS-INIT-06", "SS-ACT-03", "SS-TURN-03")
def test_a_long_fight_keeps_its_bounds(positioning: str, options: dict[str, Any]) -> None:
    state = crowd(positioning, options).state
    auto = AutoDriver(random.Random(f"{positioning} {sorted(options)}"))
    state, _ = step(state, "start", SYSTEM.action("start").type(), auto)
    acted: Counter[str] = Counter()
    while state.round <= ROUNDS and state.phase == "fight":
        before = state.round
        able = {f.id for f in present(state) if is_able(f)}
        state = play_part(state, auto, acted)
        check_state(state)
        if state.round != before:
            assert all(count == 1 for count in acted.values()), "someone acted twice in a round"
            if before > 1:
                assert not [w for w in able if w not in acted and is_able(state[w]) and not state[w].gone]
            acted.clear()
            if len({f.side for f in present(state) if is_able(f)}) < 2:
                break
    assert state.round > 2
    assert decode(encode(state)) == state


def play_part(state: State, auto: AutoDriver, acted: Counter[str]) -> State:
    """Play the active combatant's part of the turn by tactics, then go to the next."""
    actor = state.active
    for _ in range(12):
        submission = SYSTEM.tactics.suggest(state, actor) if actor else None
        if submission is None or state.active != actor:
            break
        try:
            state, _ = step(state, *submission, auto)
        except Refused as refused:
            raise AssertionError(f"tactics proposed {submission}: {refused.message}") from refused
        check_state(state)
    if actor:
        acted[actor] += 1
    state, _ = step(state, "next_turn", Next(), auto)
    return state


def test_a_sheet_of_extremes_survives_a_fight() -> None:
    stage = StarStage("dock")
    stage.add("Titan", "titans", (1, 1), sheet("grav_hammer", str=12, dex=12), pc=True)
    stage.add("Moth", "moths", (1, 1), sheet("ray_gun", str=-5, dex=-5, int=-5, prs=-5))
    auto = AutoDriver(random.Random(5))
    state, _ = step(stage.state, "start", SYSTEM.action("start").type(), auto)
    for _ in range(12):
        state = play_part(state, auto, Counter())
        check_state(state)


@long_fights
@given(seed=st.integers(0, 2**32))
@pytest.mark.rule("SS-UNC-07")
def test_a_wild_fight_keeps_the_rules(seed: int) -> None:
    """Ten rounds of anything that people may try, including the GM."""
    for log, taken in play_rounds(SYSTEM, seed, 10):
        check_state(log.state)
        check_moves(log.states[-2], taken)


def check_moves(state: State, taken: Step) -> None:
    """Without a map, a walk from a zone ends in a zone; the unconscious go nowhere."""
    for fact in taken.facts:
        event = fact.event
        if isinstance(event, e.Moved) and taken.name in WALKS:
            assert is_able(state.combatants[event.who]), event
            start, goal = (find_zone(state.scene, event.path[place]) for place in (0, -1))
            assert goal or start is None or is_map(state), event
        state = fold_all(state, (fact,))
