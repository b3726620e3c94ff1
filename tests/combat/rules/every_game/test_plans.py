"""Plans: their parts do by hand what the plan foresaw, in every game, from many states of its demo fights."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import command_data, find_refusal, read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import Done, TryDriver, Waiting, find_action, run
from combat.rules.core.odds.planner import Plan, find_place_plans, find_plans, say_parts, say_price
from combat.rules.core.odds.proposals import propose
from combat.rules.core.state.state import Combatant, Condition, State, is_acting, present, replace
from tests.combat.rules import MADE_UP
from tests.combat.rules.games import GAMES, demo_moments, every_game

STATES = 300


def hinder(state: State, who: str, chance: random.Random) -> State:
    """The state with someone lying down, unarmed, or with empty weapons, and shut doors, by chance."""
    actor: Combatant = state[who]
    items = tuple(
        replace(item, place="carried")
        if item.place == "held" and chance.random() < 0.4
        else replace(item, loaded=0)
        if item.loaded and chance.random() < 0.3
        else replace(item, place="held")
        if item.place == "carried" and chance.random() < 0.1
        else item
        for item in actor.items
    )
    low = (Condition("x1", "prone", who),) if chance.random() < 0.3 else ()
    budget = actor.budget if chance.random() < 0.7 else {key: n // 2 for key, n in actor.budget.items()}
    hindered = replace(actor, items=items, conditions=(*actor.conditions, *low), budget=budget)
    return replace(state, combatants={**state.combatants, who: hindered})


def make_wish(system: System, state: State, who: str, chance: random.Random) -> tuple[str, dict[str, Any]]:
    """An attack with any weapon on anyone, or a move to any place or person."""
    others = [one.id for one in present(state) if one.id != who]
    weapons = [item.id for item in state[who].items if item.kind == "weapon"]
    if weapons and others and chance.random() < 0.7:
        return "attack", {"actor": who, "target": chance.choice(others), "weapon": chance.choice(weapons)}
    moves = [action.name for action in system.actions.by_name.values() if action.leads_there]
    if not moves or not others:
        return "attack", {"actor": who, "target": who, "weapon": "none"}
    at = state[who].at
    spot = f"{at.x + chance.randint(-6, 6):g},{at.y + chance.randint(-6, 6):g}"
    return chance.choice(moves), {"actor": who, "to": chance.choice((spot, f"near:{chance.choice(others)}"))}


def do_by_hand(system: System, state: State, plan: Plan) -> tuple[State, bool, Counter[str]]:
    """The parts as a person does them: the state after them, whether someone is asked, and what was paid."""
    paid: Counter[str] = Counter()
    for number, part in enumerate(plan.parts, 1):
        action = find_action(system, part.do)
        who = part.fields["actor"]
        assert find_refusal(action, state, who) is None, (part, "the form of a part is not open")
        before = state[who].budget
        done = run(system, state, action, read_command(action, part.fields, state), TryDriver())
        if isinstance(done, Waiting):
            assert number == len(plan.parts), "nothing follows a question"
            return state, True, paid
        assert isinstance(done, Done)
        state = done.state
        paid.update({key: before[key] - state[who].budget.get(key, 0) for key in before})
    return state, False, paid


@pytest.mark.parametrize("states", [40, pytest.param(STATES, marks=pytest.mark.slow)])
@every_game
def test_parts_of_a_plan_are_what_is_done_by_hand(system: System, states: int) -> None:
    chance, kinds = random.Random(70), Counter[str]()
    fights = [
        moment.before
        for number in range(len(system.demo.make_all()))
        for moment in demo_moments(system.slug, number)
        if is_acting(moment.before, moment.before.active)
    ]
    for _ in range(states):
        state = chance.choice(fights)
        who = state.active
        state = hinder(state, who, chance)
        name, fields = make_wish(system, state, who, chance)
        if name not in system.actions.by_name:
            continue
        action = find_action(system, name)
        plans = find_plans(system, state, action, fields)
        try:
            run(system, state, action, read_command(action, fields, state), TryDriver())
        except Refused:
            assert all(len(plan.parts) > 1 or plan.is_over for plan in plans)
        else:
            assert [plan.key for plan in plans] == [name], "what is possible needs no plan"
        for plan in plans:
            after, asks, _ = do_by_hand(system, state, plan)
            assert after == plan.after
            assert asks == bool(plan.asked)
            assert say_parts(system, plan)
            assert isinstance(say_price(system, plan.parts), str)
            if not plan.stopped and not (plan.asked and plan.parts[-1].do != name):
                assert (plan.parts[-1].do, plan.parts[-1].fields) == (name, fields)
            kinds[f"{'…' if plan.stopped else ''}{plan.key}"] += 1
    assert len(kinds) > 1 or system.tactics.handling is None


def test_every_game_says_what_mends_what() -> None:
    for slug, system in GAMES.items():
        handling = system.tactics.handling
        if handling is None:
            assert slug == MADE_UP
            continue
        named = (handling.draw, handling.put_away, handling.drop, handling.reload, handling.exchange)
        assert {*named, handling.stand} - {""} <= {*system.actions.by_name}, slug
        assert {*handling.low} <= {*system.characters.conditions}, slug


WALLS = [
    {"id": "w1", "kind": "wall", "x1": 5, "y1": -1, "x2": 5, "y2": 1},
    {"id": "w2", "kind": "wall", "x1": 5, "y1": 3, "x2": 5, "y2": 12},
    {"id": "w3", "kind": "wall", "x1": -1, "y1": -1, "x2": 5, "y2": -1},
    {"id": "w4", "kind": "wall", "x1": -1, "y1": 12, "x2": 5, "y2": 12},
    {"id": "w5", "kind": "wall", "x1": -1, "y1": -1, "x2": -1, "y2": 12},
    {"id": "d1", "kind": "door", "x1": 5, "y1": 1, "x2": 5, "y2": 3},
]
BESIDE, INSIDE = (4, 2), (2, 8)
SPOTS = [BESIDE, INSIDE, (3, 4), (0, 0), (4, 10)]  # in the room; the door is within reach of the first alone


def shut_in(system: System, at: tuple[float, float]) -> State:
    """Someone whose turn it is, alone in a room with a shut door; all others are outside."""
    state = next(one.before for one in demo_moments(system.slug) if is_acting(one.before, one.before.active))
    who, settings = state.active, dict(state.scene.settings)
    if system.slug == "starshock":
        settings["positioning"] = "squares"
    state = do(system, state, "set_scene", scene={"zones": [], "settings": settings})
    state = do(system, state, "set_map", map={"walls": WALLS})
    for number, other in enumerate(state.combatants):
        at_end = at if other == who else (10 + 2 * number, 6)
        state = do(system, state, "place", target=other, x=at_end[0], y=at_end[1])
    if "declare" in system.actions.by_name:
        state = do(system, state, "declare", actor=who, actions=3)
    return state


def do(system: System, state: State, name: str, **fields: Any) -> State:
    action = find_action(system, name)
    done = run(system, state, action, read_command(action, fields, state), TryDriver())
    assert isinstance(done, Done)
    return done.state


@pytest.mark.parametrize("at", SPOTS)
@pytest.mark.parametrize("slug", [slug for slug in GAMES if slug != MADE_UP])
def test_nobody_stays_behind_a_shut_door(slug: str, at: tuple[float, float]) -> None:
    """The plan opens it, after a walk to it where it is out of reach; the app's own play does the same."""
    system = GAMES[slug]
    state = shut_in(system, at)
    (plan, *_) = find_place_plans(system, state, state.active, "8,3")
    assert "door" in plan.key.split()[:2] or plan.stopped, plan.key
    after, _, _ = do_by_hand(system, state, plan)
    assert after == plan.after
    proposed = propose(system, state, state.active)
    assert proposed
    first = plan.parts[0]
    assert proposed[0] == first.do
    assert command_data(proposed[1]).get("door") == first.fields.get("door")


def first_steps(system: System, state: State, who: str, name: str, item: str) -> list[tuple[str, Any]]:
    """How the planner's plans for an attack with a weapon on anyone begin."""
    action, found = find_action(system, name), list[tuple[str, Any]]()
    for other in present(state):
        if other.side != state[who].side:
            fields = {"actor": who, "target": other.id, "weapon": item}
            found += [read_step(plan) for plan in find_plans(system, state, action, fields)]
    return found


def read_step(plan: Plan) -> tuple[str, Any]:
    part = plan.parts[0]
    return part.do, handled(part.fields)


def handled(fields: dict[str, Any]) -> list[str]:
    """The items that a step handles."""
    names = [*fields.get("stow", ()), *fields.get("draw", ())]
    return [str(one) for one in (fields.get("item"), fields.get("weapon"), *names) if one]


@pytest.mark.parametrize("states", [60, pytest.param(STATES, marks=pytest.mark.slow)])
@every_game
def test_who_gets_a_weapon_ready_begins_as_the_plan_for_it(system: System, states: int) -> None:
    """Suggest and auto-play draw, load and free hands as a plan for an attack with some weapon of theirs.

    Where no such plan leads to an attack in a turn, they are free to prepare for later ones.
    """
    handling = system.tactics.handling
    if handling is None:
        return
    chance, seen = random.Random(71), Counter[str]()
    fights = [one.before for one in demo_moments(system.slug) if is_acting(one.before, one.before.active)]
    for _ in range(states):
        state = chance.choice(fights)
        who = state.active
        state = hinder(state, who, chance)
        proposed = propose(system, state, who)
        if proposed is None or proposed[0] not in (handling.draw, handling.exchange, handling.reload):
            continue
        step = proposed[0], handled(command_data(proposed[1]))
        weapons = [item.id for item in state[who].items if item.kind == "weapon"]
        known = [one for item in weapons for one in first_steps(system, state, who, "attack", item)]
        assert not known or step in known, (step, known)
        seen[step[0]] += step in known
    assert seen


@every_game
def test_nobody_ends_a_turn_unarmed_who_could_draw(system: System) -> None:
    """What is left of a turn after its attack draws the weapon that is put away, or loads the empty one."""
    handling = system.tactics.handling
    if handling is None:
        return
    state = next(one.before for one in demo_moments(system.slug) if is_acting(one.before, one.before.active))
    who = state.active
    if "declare" in system.actions.by_name:
        state = do(system, state, "declare", actor=who, actions=3)
    items = [replace(one, place="carried" if one.place == "held" else one.place) for one in state[who].items]
    bare = replace(state[who], items=tuple(items))
    idle = replace(system, tactics=replace(system.tactics, suggest=lambda state, actor: None))
    proposed = propose(idle, replace(state, combatants={**state.combatants, who: bare}), who)
    assert proposed
    assert proposed[0] in (handling.draw, handling.exchange)
    assert propose(idle, state, who) is None, "who holds a weapon is left alone"


@pytest.mark.parametrize("slug", [slug for slug in GAMES if slug != MADE_UP])
def test_locked_and_secret_doors_are_no_part_of_a_plan(slug: str) -> None:
    system = GAMES[slug]
    state = shut_in(system, BESIDE)
    for change in ({"locked": True}, {"secret": True}):
        shut = do(system, state, "set_map", map={"walls": [*WALLS[:-1], {**WALLS[-1], **change}]})
        assert find_place_plans(system, shut, state.active, "8,3") == ()
