"""No step is proposed or forecast that changes nothing, or leads back to where the steps began."""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec
import pytest

from combat.rules.core.commands.commands import Command, read_command
from combat.rules.core.declaration.parts import Candidate
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, find_action
from combat.rules.core.odds.forecast import is_undecided, play_many, play_turn
from combat.rules.core.odds.proposals import MAX_CANDIDATES, Submission, find_suggestions, propose
from combat.rules.core.state.state import State, has_condition, replace
from tests.combat.rules.games import GAMES
from tests.combat.rules.stage import Stage

Suggest = Callable[[State, str], Submission | None]


def with_tactics(system: System, suggest: Suggest) -> System:
    """A game whose tactics suggest something else."""
    return replace(system, tactics=replace(system.tactics, suggest=suggest))


def make(system: System, name: str, **fields: object) -> tuple[str, Command]:
    return name, read_command(find_action(system, name), {"actor": "f1", **fields})


def line_up(slug: str) -> Stage:
    """Ada and Bo with their turns, three meters apart."""
    stage = Stage(slug)
    block = next(iter(stage.system.book.find_blocks()))
    stage.add("Ada", "allies", (0, 0), block=block)
    stage.add("Bo", "enemies", (3, 0), block=block)
    stage.begin()
    stage.edit("f1", budget={**stage["f1"].budget, "minor": 9, "move": 9, "quick": 9})
    return stage


def check_stays(stage: Stage, suggest: Suggest) -> None:
    """Nothing is proposed, and a forecast leaves everyone as they are."""
    system = with_tactics(stage.system, suggest)
    assert propose(system, stage.state, "f1") is None
    auto = AutoDriver(random.Random(1), tells=False)
    after = play_turn(system, stage.state, auto)
    ended = play_turn(with_tactics(stage.system, lambda state, who: None), stage.state, auto)
    assert after == ended


def test_a_stance_that_would_be_changed_back_is_not_proposed() -> None:
    stage = line_up("cepheus")

    def suggest(state: State, who: str) -> Submission:
        stance = "standing" if has_condition(state[who], "prone") else "prone"
        return make(stage.system, "stance", stance=stance)

    check_stays(stage, suggest)


def test_a_walk_that_would_be_walked_back_is_not_proposed() -> None:
    stage = line_up("cepheus")

    def suggest(state: State, who: str) -> Submission:
        return make(stage.system, "move", to="0,3" if state[who].at.y == 0 else "0,0")

    check_stays(stage, suggest)


def test_thing_to_be_dropped_and_picked_up_again_is_not_proposed() -> None:
    stage = line_up("cosmos")
    weapon = next(
        item.id for item in stage["f1"].items if item.place == "held" and item.data["id"] != "unarmed"
    )

    def suggest(state: State, who: str) -> Submission:
        held = any(item.id == weapon and item.place == "held" for item in state[who].items)
        return make(stage.system, "drop" if held else "pick_up", item=weapon)

    check_stays(stage, suggest)


def test_step_that_leads_on_is_proposed_and_a_loop_is_not() -> None:
    """From where she stands to the corner; from there to the door and back, for ever."""
    stage = line_up("cepheus")
    ways: dict[tuple[float, float], str] = {(0, 0): "0,2", (0, 2): "0,4", (0, 4): "0,2"}

    def suggest(state: State, who: str) -> Submission:
        at = state[who].at
        return make(stage.system, "move", to=ways[at.x, at.y])

    system = with_tactics(stage.system, suggest)
    assert propose(system, stage.state, "f1") == suggest(stage.state, "f1")
    stage.do("move", "f1", to="0,2")
    assert propose(system, stage.state, "f1") is None


def test_what_the_rules_refuse_is_not_proposed() -> None:
    stage = line_up("starshock")
    check_stays(stage, lambda state, who: make(stage.system, "stand_up"))


def test_an_attack_is_proposed_though_it_may_change_nothing() -> None:
    stage = line_up("cepheus")
    weapon = next(item.id for item in stage["f1"].items if item.kind == "weapon" and item.place == "held")
    system = with_tactics(
        stage.system, lambda state, who: make(stage.system, "attack", target="f2", weapon=weapon)
    )
    assert propose(system, stage.state, "f1") is not None


@pytest.mark.parametrize("slug", [slug for slug in GAMES if slug != "cepheus_quick"])
def test_fights_that_do_not_end_are_undecided(slug: str) -> None:
    """Two sides that do nothing: no one wins, and nothing says how likely that is."""
    system = with_tactics(GAMES[slug], lambda state, who: None)
    endings = list(play_many(system, line_up(slug).state, 3, seed=1))
    assert is_undecided(endings)
    assert [ending.standing for ending in endings] == [("allies", "enemies")] * 3
    one = msgspec.structs.replace(endings[0], standing=("enemies",))
    assert not is_undecided([endings[0], one])
    assert not is_undecided([])


# Suggestions: only what the rules allow and what raises the chance, best first.


# In the made-up game Ada needs 3 or more on a d6 against Cy: each point is a sixth.
BETTER = Candidate("A better blade", fields={"adjust": 1})
BEST = Candidate("The best blade", fields={"adjust": 2})
SAME = Candidate("Another blade", fields={"adjust": 0})
WORSE = Candidate("A blunt blade", fields={"adjust": -1})
GUARD = Candidate("Guard first", name="guard")
UNREAL = Candidate("Four strikes", fields={"strikes": 4})


def suggestions(
    duel: Stage, *candidates: Candidate, most: int = 3, **fields: object
) -> dict[str, tuple[float, float]]:
    """The suggestions for a strike at Cy, each with its chance and its gain."""
    action = duel.system.action("strike")
    command = read_command(action, {"actor": "f1", "target": "f3", **fields})
    found = find_suggestions(duel.system, duel.state, action, command, candidates, most)
    return {each.candidate.label: (each.chance, each.gain) for each in found}


@pytest.fixture
def duel(duel: Stage) -> Stage:
    """Move Cy near enough to be struck, without a guard."""
    duel.do("place", target="f3", x=1, y=0)
    return duel


def test_only_what_raises_the_chance_is_named_best_first(duel: Stage) -> None:
    now = duel.odds("strike", "f1", target="f3").headline
    assert now
    found = suggestions(duel, WORSE, SAME, BETTER, BEST)
    assert list(found) == ["The best blade", "A better blade"]
    assert found["A better blade"] == pytest.approx((now.chance + 1 / 6, 1 / 6))
    assert found["The best blade"] == pytest.approx((now.chance + 2 / 6, 2 / 6))


def test_what_the_rules_forbid_helps_nobody(duel: Stage) -> None:
    assert suggestions(duel, UNREAL, BETTER).keys() == {"A better blade"}
    assert suggestions(duel, GUARD) == {}, "after a guard nothing is left to strike with"


def test_what_makes_a_command_possible_helps_by_its_whole_chance(duel: Stage) -> None:
    duel.do("place", target="f3", x=5, y=0)
    closer = Candidate("Go there first", name="move", fields={"to": "near:f3"})
    ((chance, gain),) = suggestions(duel, closer).values()
    assert chance == gain > 0


def test_no_more_is_suggested_than_asked_or_tried_than_allowed(duel: Stage) -> None:
    assert list(suggestions(duel, BETTER, BEST, most=1)) == ["The best blade"]
    assert suggestions(duel, *[SAME] * MAX_CANDIDATES, BEST) == {}
