"""Plans: their parts do by hand what the plan foresaw, in every game, from many states of its demo fights."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from typing import Any

import pytest

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, command_data, find_refusal, read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import Done, TryDriver, Waiting, find_action, run
from combat.rules.core.odds.planner import (
    Plan,
    find_moves,
    find_place_plans,
    find_plans,
    say_parts,
    say_price,
)
from combat.rules.core.odds.proposals import propose
from combat.rules.core.state.state import Combatant, Condition, State, is_acting, present, replace
from tests.combat.rules.games import ARMED, GAMES, WITH_DOORS, demo_moments, every_game
from tests.thinning import by_thoroughness

STATES = by_thoroughness(100, 300)


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
            assert slug not in ARMED
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
@pytest.mark.parametrize("slug", WITH_DOORS)
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


@pytest.mark.parametrize("slug", WITH_DOORS)
def test_locked_and_secret_doors_are_no_part_of_a_plan(slug: str) -> None:
    system = GAMES[slug]
    state = shut_in(system, BESIDE)
    for change in ({"locked": True}, {"secret": True}):
        shut = do(system, state, "set_map", map={"walls": [*WALLS[:-1], {**WALLS[-1], **change}]})
        assert find_place_plans(system, shut, state.active, "8,3") == ()


# ---- Whatever one action mends has a plan ----


ROUND = [  # a wall with an open door, and one with a shut door that a long way leads round
    {"id": "w1", "kind": "wall", "x1": 6, "y1": -2, "x2": 6, "y2": 3},
    {"id": "d1", "kind": "door", "x1": 6, "y1": 3, "x2": 6, "y2": 5, "open": True},
    {"id": "w2", "kind": "wall", "x1": 6, "y1": 5, "x2": 6, "y2": 10},
    {"id": "w3", "kind": "wall", "x1": 12, "y1": -12, "x2": 12, "y2": 3},
    {"id": "d2", "kind": "door", "x1": 12, "y1": 3, "x2": 12, "y2": 5},
    {"id": "w4", "kind": "wall", "x1": 12, "y1": 5, "x2": 12, "y2": 14},
]


def scatter(system: System, state: State, chance: random.Random) -> State:
    """The same people on a map with walls and doors, near to each other."""
    settings = dict(state.scene.settings)
    if system.slug == "starshock":
        settings["positioning"] = "squares"
    state = do(system, state, "set_scene", scene={"zones": [], "settings": settings})
    state = do(system, state, "set_map", map={"walls": ROUND, "metres": [30, 20]})
    for other in state.combatants:
        at = {"x": chance.randint(0, 17) + 0.5, "y": chance.randint(0, 9) + 0.5}
        state = do(system, state, "place", target=other, **at)
    return state


def is_spent(system: System, state: State) -> bool:
    """Whether whose turn it is has attacked already."""
    refused = find_refusal(find_action(system, "attack"), state, state.active)
    return refused is not None and refused.code == "no_budget"


def list_single_steps(
    system: System, state: State, who: str, walks: bool
) -> list[tuple[Action, dict[str, Any]]]:
    """What someone can do at once that may lead on: handle one item, stand up, use a door, walk, begin."""
    handling, found = system.tactics.handling, list[tuple[Action, dict[str, Any]]]()
    assert handling
    names = (handling.draw, handling.put_away, handling.drop, handling.reload)
    for name in {*names} - {""}:
        found += [(find_action(system, name), {handling.field: one.id}) for one in state[who].items]
    if handling.exchange:
        for one in state[who].items:
            key = "draw" if one.place == "carried" else "stow"
            found.append((find_action(system, handling.exchange), {"draw": [], "stow": [], key: [one.id]}))
        drawn = [one.id for one in state[who].items if one.place == "held"]
        rest = [one.id for one in state[who].items if one.place == "carried"]
        for away, other in product(drawn, rest):
            found.append((find_action(system, handling.exchange), {"stow": [away], "draw": [other]}))
    found.append((find_action(system, handling.stand), dict(handling.standing)))
    found += [(find_action(system, "door"), {"door": door}) for door in ("d1", "d2")]
    if "declare" in system.actions.by_name:
        found += [(find_action(system, "declare"), {"actions": number}) for number in (1, 2, 3)]
    for move in find_moves(system) if walks else ():
        reach = move.find_reach(state, who) if move.find_reach else ()
        found += [(move, {"to": f"{one.at.x:g},{one.at.y:g}"}) for one in reach[::7] if one.meters]
    return found


def find_single_step(
    system: System, state: State, action: Action, fields: dict[str, Any]
) -> tuple[str, dict[str, Any]] | None:
    """Something to do first after which a wish is allowed; None without it."""
    who = fields["actor"]
    for step, given in list_single_steps(system, state, who, walks="to" not in fields):
        try:
            command = read_command(step, {"actor": who, **given}, state)
            done = run(system, state, step, command, TryDriver())
            if isinstance(done, Done) and is_acting(done.state, who):
                run(system, done.state, action, read_command(action, fields, done.state), TryDriver())
                return step.name, given
        except Refused:
            continue
    return None


@pytest.mark.parametrize("states", [20, pytest.param(100, marks=pytest.mark.slow)])
@pytest.mark.parametrize("slug", ARMED)
def test_a_wish_that_one_step_makes_possible_has_a_plan(slug: str, states: int) -> None:
    """Whatever it is: put away, draw, load, stand up, declare, open, walk round a wall or nearer."""
    system, chance, seen = GAMES[slug], random.Random(80), Counter[str]()
    fights = [
        one.before
        for one in demo_moments(slug)
        if is_acting(one.before, one.before.active) and not is_spent(system, one.before)
    ]
    for _ in range(states):
        state = chance.choice(fights)
        who = state.active
        state = hinder(scatter(system, state, chance), who, chance)
        name, fields = make_wish(system, state, who, chance)
        action = find_action(system, name)
        target = fields.get("target")
        if target and state[target].side == state[who].side:
            continue
        try:
            run(system, state, action, read_command(action, fields, state), TryDriver())
        except Refused:
            step = find_single_step(system, state, action, fields)
            plans = find_plans(system, state, action, fields)
            whole = [plan for plan in plans if not plan.stopped]
            assert whole or not step, (name, fields, step, plans)
            seen[step[0] if step else ""] += 1
    assert seen


def set_out(system: System, places: list[tuple[float, float]], **drawn: Any) -> State:
    """The first turn of the demo fight on a map: who acts at the first place, an enemy at the next, the rest
    far away; a turn that waits for a declaration is one more thing to plan."""
    state = next(one.before for one in demo_moments(system.slug) if is_acting(one.before, one.before.active))
    settings, who = dict(state.scene.settings), state.active
    if system.slug == "starshock":
        settings["positioning"] = "squares"
    state = do(system, state, "set_scene", scene={"zones": [], "settings": settings})
    state = do(system, state, "set_map", map=drawn)
    foe = next(one.id for one in state.combatants.values() if one.side != state[who].side)
    rest = [(40.5 + 2 * number, 40.5) for number in range(len(state.combatants))]
    for other, (x, y) in zip(dict.fromkeys((who, foe, *state.combatants)), [*places, *rest], strict=False):
        state = do(system, state, "place", target=other, x=x, y=y)
    if system.slug == "starshock":  # its turn began without a map, which gives it meters
        budget = {**state[who].budget, "metres": 5}
        state = replace(state, combatants={**state.combatants, who: replace(state[who], budget=budget)})
    return state


def plan_attack(system: System, state: State, weapon: str) -> str:
    """The key of the best plan for an attack on the enemy."""
    who = state.active
    foe = next(one.id for one in state.combatants.values() if one.side != state[who].side)
    fields = {"actor": who, "target": foe, "weapon": weapon}
    plans = find_plans(system, state, find_action(system, "attack"), fields)
    assert plans
    assert not plans[0].stopped
    after, asks, _ = do_by_hand(system, state, plans[0])
    assert (after, asks) == (plans[0].after, bool(plans[0].asked))
    return plans[0].key


def find_gun(state: State) -> str:
    return next(one.id for one in state[state.active].items if one.kind == "weapon" and one.place == "held")


ACTING = [slug for slug in ARMED if slug != "guardians"]  # there a move takes the only action
BEGINS = {"starshock": "declare "}


@pytest.mark.parametrize("slug", ACTING)
def test_a_shot_round_a_wall_begins_with_a_walk(slug: str) -> None:
    system = GAMES[slug]
    wall = {"id": "w1", "kind": "wall", "x1": 4, "y1": 3, "x2": 4, "y2": 30}
    state = set_out(system, [(2.5, 4.5), (8.5, 4.5)], walls=[wall])
    move = "free_move" if slug == "starshock" else "move"
    assert plan_attack(system, state, find_gun(state)) == f"{BEGINS.get(slug, '')}{move} attack"


@pytest.mark.parametrize("slug", ACTING)
def test_shot_through_an_open_door_begins_with_a_walk_in_front(slug: str) -> None:
    system = GAMES[slug]
    door = {"id": "d1", "kind": "door", "x1": 5, "y1": 1, "x2": 5, "y2": 3, "open": True}
    state = set_out(system, [(3.5, 5.5), (12.5, 2.5)], walls=[*WALLS[:-1], door])
    move = "free_move" if slug == "starshock" else "move"
    assert plan_attack(system, state, find_gun(state)) == f"{BEGINS.get(slug, '')}{move} attack"


@pytest.mark.parametrize("slug", WITH_DOORS)
def test_a_door_is_opened_though_a_longer_way_leads_round_it(slug: str) -> None:
    system = GAMES[slug]
    walls = [
        {"id": "w1", "kind": "wall", "x1": 4, "y1": 2, "x2": 4, "y2": 60},
        {"id": "d1", "kind": "door", "x1": 4, "y1": 0, "x2": 4, "y2": 2},
        {"id": "w2", "kind": "wall", "x1": 4, "y1": -60, "x2": 4, "y2": 0},
    ]
    state = set_out(system, [(3.5, 1.5), (60.5, 1.5)], walls=walls)
    (plan, *_) = find_place_plans(system, state, state.active, "5.5,1.5")
    assert plan.key.removeprefix(BEGINS.get(slug, "")).split()[0] == "door"
    assert plan.stopped or plan.key.split()[-1] in {one.name for one in find_moves(system)}


TWO_HANDED = {  # a weapon for both hands, and how the planner frees the other one
    "cosmos": ("weapon/assault_rifle", ("draw attack", "drop attack")),
    "cepheus": ("weapon/assault_rifle", ("put_away attack", "drop attack")),
    "cepheus_quick": ("weapon/assault_rifle", ("put_away attack", "drop attack")),
    "starshock": ("weapon/beam_rifle", ("change_items attack",)),
}


@pytest.mark.parametrize("slug", TWO_HANDED)
def test_what_is_in_the_other_hand_is_put_away_before_an_attack(slug: str) -> None:
    """A weapon for two hands, beside something in one of them."""
    system = GAMES[slug]
    state = set_out(system, [(2.5, 4.5), (6.5, 4.5)], metres=[40, 20])
    who, (entry, keys) = state.active, TWO_HANDED[slug]
    state = do(system, state, "give_item", target=who, entry=entry)
    long = state[who].items[-1]
    other = next(one for one in state[who].items if one.id == find_gun(state))
    items = tuple(
        replace(one, place="held" if one.id in (long.id, other.id) else "carried") for one in state[who].items
    )
    held = replace(state, combatants={**state.combatants, who: replace(state[who], items=items)})
    key = plan_attack(system, held, long.id).removeprefix(BEGINS.get(slug, ""))
    assert key in keys


@pytest.mark.parametrize("slug", WITH_DOORS)
def test_two_close_to_each_other_at_a_shut_door_do_not_wait(slug: str) -> None:
    """The app's own play opens it, or goes round it."""
    system = GAMES[slug]
    walls = [
        {"id": "w1", "kind": "wall", "x1": 4, "y1": -30, "x2": 4, "y2": 1},
        {"id": "d1", "kind": "door", "x1": 4, "y1": 1, "x2": 4, "y2": 3},
        {"id": "w2", "kind": "wall", "x1": 4, "y1": 3, "x2": 4, "y2": 30},
    ]
    state = set_out(system, [(3.5, 2.5), (4.5, 2.5)], walls=walls)
    if "declare" in system.actions.by_name:
        state = do(system, state, "declare", actor=state.active, actions=3)
    proposed = propose(system, state, state.active)
    assert proposed
    assert proposed[0] in ("door", *(move.name for move in find_moves(system)))


@pytest.mark.parametrize(("weapon", "far"), [("Unarmed strike", 12.5), ("Knife", 12.5), ("Knife", 26.5)])
def test_what_a_plan_itself_spends_is_said_of_its_last_part(weapon: str, far: float) -> None:
    """The turn is still full: that nothing is left is no reason of now."""
    system = GAMES["cosmos"]
    state = set_out(system, [(0.5, 0.5), (far, 0.5)])
    who = state.active
    foe = next(one.id for one in state.combatants.values() if one.side != state[who].side)
    item = next(one.id for one in state[who].items if one.name == weapon)
    fields = {"actor": who, "target": foe, "weapon": item}
    (plan,) = find_plans(system, state, find_action(system, "attack"), fields)
    assert plan.stopped.startswith(f"After {plan.parts[-1].label}: no ")
