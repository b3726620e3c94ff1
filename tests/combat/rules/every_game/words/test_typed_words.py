"""What people type into the form of an action stands in the log, in every game."""

from __future__ import annotations

import random
from collections import defaultdict

import pytest

from combat.rules import SYSTEMS, find_system
from combat.rules.cepheus.turn.tasks import describe_condition
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, Field, find_first_value, read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, Done, find_action, run
from combat.rules.core.state.state import State, find_condition, replace
from combat.rules.core.wording import describe_facts
from tests.combat.rules.cepheus.figures import CepheusStage
from tests.combat.rules.guardians.stage import GuardStage
from tests.combat.rules.reading import read_log
from tests.tools.speed.rules import set_up

TYPED = "zebra crossing 7"
# Text fields that hold a number, dice or a place, which are read and not quoted
READ = {"amount", "damage", "to"}
# Those that no turn of a demo fight is for
ELSEWHERE = {
    ("starshock", "allow_again", "per"): "names what was done before",
    ("guardians", "heal", "reason"): "needs a wound: below",
    ("guardians", "pass_time", "reason"): "needs the end of the fight: below",
    ("guardians", "repair", "reason"): "needs damaged armor: it says its reason as the healing below does",
    ("cepheus_quick", "stunt", "why"): "needs a vehicle, which the other text has in its demo",
}


def begin(system: System, state: State) -> State:
    """A demo fight at its first turn."""
    if state.phase != "fight":
        start = find_action(system, "start")
        done = run(system, state, start, read_command(start, {}), AutoDriver(random.Random(1)))
        assert isinstance(done, Done)
        state = done.state
    return state


def give_turn(system: System, state: State, who: str) -> State:
    """The state in someone's fresh turn, with two actions declared where a game asks for that."""
    budget = {pool.key: pool.most for pool in system.turn.pools}
    combatants = {**state.combatants, who: replace(state[who], budget=budget)}
    state = replace(state, active=who, combatants=combatants)
    if declare := system.actions.by_name.get("declare"):
        command = read_command(declare, {"actor": who, "actions": 2})
        try:
            done = run(system, state, declare, command, AutoDriver(random.Random(1)))
        except Refused:
            return state
        assert isinstance(done, Done)
        return done.state
    return state


def find_texts(action: Action, state: State, who: str) -> tuple[Field, ...]:
    try:
        return tuple(field for field in action.find_fields(state, who) if field.kind == "text")
    except Refused:
        return ()


def type_into(system: System, state: State, action: Action, who: str, name: str) -> str:
    """The log of an action as its form proposes it, with words in one field."""
    fields = action.find_fields(state, who)
    given = {field.name: find_first_value(field) for field in fields if field.value not in ("", None)}
    command = read_command(action, {"actor": who, **given, name: TYPED})
    done = run(system, state, action, command, AutoDriver(random.Random(3)))
    assert isinstance(done, Done)
    names = {one.id: one.name for one in state.combatants.values()}
    return " ".join(line.text for line in describe_facts(system, done.facts, names))


@pytest.mark.parametrize("slug", SYSTEMS)
def test_every_text_that_someone_types_is_in_the_log(slug: str) -> None:
    system, quoted = find_system(slug), defaultdict[tuple[str, str], set[str]](set)
    for demo in system.demo.make_all():
        begun = begin(system, set_up(system, demo))
        for who in begun.combatants:
            state = give_turn(system, begun, who)
            for action in system.actions.by_name.values():
                for field in find_texts(action, state, who):
                    if field.name in READ or "yes" in quoted[action.name, field.name]:
                        continue
                    try:
                        log = type_into(system, state, action, who, field.name)
                    except Refused as refused:
                        quoted[action.name, field.name].add(refused.message)
                        continue
                    quoted[action.name, field.name].add("yes" if TYPED in log else f"not in: {log}")
    missing = {key: said for key, said in quoted.items() if "yes" not in said}
    assert set(missing) == {(name, field) for game, name, field in ELSEWHERE if game == slug}, missing


def test_reasons_of_a_gm_after_a_fight_are_in_the_log() -> None:
    stage = GuardStage()
    ada, bo = stage.hero("Ada"), stage.foe("Bo")
    stage.begin(ada, bo)
    stage.do("harm", target=ada, damage="2", place="right_leg")
    stage.do("end_fight")
    for name, given in (
        ("heal", {"target": ada, "place": "right_leg", "points": 1}),
        ("pass_time", {"count": 1}),
    ):
        stage.do(name, reason=TYPED, **given)
        assert TYPED in " ".join(read_log(stage)), name


def test_long_task_says_what_it_is_for_at_its_start_and_end() -> None:
    stage = CepheusStage()
    ada = stage.hero(skills={"mechanics": 1})
    stage.foe(at=(9, 0))
    stage.begin()
    task = {"skill": "mechanics", "characteristic": "int", "takes": "rounds", "why": TYPED}
    stage.do("check", ada, **task, dice=[1])
    assert f"Mechanics for “{TYPED}”" in " ".join(read_log(stage))
    held = find_condition(stage[ada], "extended_action")
    assert held is not None
    assert TYPED in stage.system.draw(describe_condition(held))
    stage.end_turn()
    stage.end_turn((4, 4))
    assert f"rolls for “{TYPED}” (Mechanics " in " ".join(read_log(stage))
