"""Rulings come through the game's own door: states × ways to act, beside the game's own check."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, Done, TryDriver, find_action, run
from combat.rules.core.gm.improvising import ACT, OVERRIDES, RULED
from combat.rules.core.gm.rulings import USE
from combat.rules.core.gm.verbs import name_everyone
from combat.rules.core.state import events as e
from combat.rules.core.state.rulings import CheckFields, Ruling
from combat.rules.core.state.state import SURRENDERED, Combatant, State
from combat.rules.core.wording import describe_facts
from tests.combat.rules.every_game.test_improvising import every_ruled, find_turn


class OwnCheck(NamedTuple):
    """The game's own action that an improvised act stands for, with what the same act is as a ruling."""

    action: str
    fields: dict[str, str]
    ruled: CheckFields
    cost: str


CHECKS = {
    "cosmos": OwnCheck(
        "skill",
        {"skill": "Athletics", "attribute": "COO", "tn": "14"},
        (("skill", "Athletics"), ("attribute", "COO")),
        "standard",
    ),
    "cepheus": OwnCheck(
        "check",
        {"skill": "athletics", "characteristic": "dex", "takes": "significant"},
        (("skill", "athletics"), ("characteristic", "dex")),
        "significant",
    ),
    "guardians": OwnCheck(
        "other",
        {"what": "a deed", "roll": "coordination", "physical": "true"},
        (("name", "coordination"),),
        "action",
    ),
    "starshock": OwnCheck(
        "check",
        {"attribute": "dex", "skill": "Move"},
        (("attribute", "dex"), ("skill", "Move")),
        "actions",
    ),
}
CHECKS["cepheus_quick"] = CHECKS["cepheus"]
FREE = "free"
BARRED = {
    "cosmos": {"unconscious", "helpless", "pinned", "dead"},
    "cepheus": {"unconscious", "dead", "grappled", "extended_action", "bound", "helpless"},
    "cepheus_quick": {"unconscious", "dead"},
    "guardians": {"stunned", "exhausted", "unconscious", "terrified", "dead"},
    "starshock": {"stunned", "paralyzed", "unconscious", "coma", "dead"},
}


def give(system: System, state: State, who: str, kind: str) -> State | None:
    """The state once the GM has given someone a condition in their turn; None if they cannot have it."""
    action = find_action(system, "give_condition")
    try:
        done = run(
            system, state, action, read_command(action, {"target": who, "kind": kind}, state), AutoDriver()
        )
    except Refused:
        return None
    assert isinstance(done, Done)
    return done.state if done.state.active == state.active else None


def find_states(system: System) -> Iterator[tuple[str, State, str]]:
    """A turn of someone in each state that a condition can put them into; the first is without any."""
    state, actor, _ = find_turn(system)
    yield "", state, actor
    for kind in (*system.characters.conditions, SURRENDERED):
        there = give(system, state, actor, kind)
        if there is not None:
            yield kind, there, actor


def look(one: Combatant) -> tuple[object, ...]:
    """What acting may change of someone."""
    kinds = sorted((held.kind, held.level) for held in one.conditions)
    return kinds, one.budget, one.tracks, one.marks, one.at


def rule(state: State, who: str, own: OwnCheck, cost: str) -> State:
    """The state in which someone can do a ruling again without asking."""
    ruling = Ruling(id="r1", name="Leap", words="I leap", check=own.ruled, cost="" if cost == FREE else cost)
    return replace(state, combatants={**state.combatants, who: replace(state[who], rulings=(ruling,))})


def ask(system: System, state: State, name: str, fields: dict[str, Any]) -> str:
    """Why an action is refused; "" if it is not."""
    action = find_action(system, name)
    command = read_command(action, fields, state)
    return why_refused(lambda: run(system, state, action, command, TryDriver()))


def play(system: System, state: State, name: str, fields: dict[str, Any]) -> Done:
    action = find_action(system, name)
    done = run(system, state, action, read_command(action, fields, state), AutoDriver(random.Random(4)))
    assert isinstance(done, Done)
    return done


@every_ruled
def test_a_tile_is_refused_as_the_games_own_check_is(system: System) -> None:
    """Whatever state someone is in, for a tile with a cost; a free one only asks no budget."""
    own, refused = CHECKS[system.slug], set()
    for kind, there, actor in find_states(system):
        why = ask(system, there, own.action, {**own.fields, "actor": actor})
        use = {"actor": actor, "ruling": "r1"}
        tile = ask(system, rule(there, actor, own, own.cost), USE, use)
        free = ask(system, rule(there, actor, own, FREE), USE, use)
        assert bool(tile) == bool(why), (kind, why, tile)
        assert free in ("", why), (kind, why, free)
        refused |= {kind} if free else set()
    assert refused >= BARRED[system.slug]


@every_ruled
def test_a_tile_does_to_its_actor_what_the_games_own_check_does(system: System) -> None:
    """Aims end, rounds count as active, what burns hurts: whatever state they are in."""
    own, ended = CHECKS[system.slug], 0
    for kind, there, actor in find_states(system):
        if ask(system, there, own.action, {**own.fields, "actor": actor}):
            continue
        plain = play(system, there, own.action, {**own.fields, "actor": actor}).state
        ruled = play(system, rule(there, actor, own, own.cost), USE, {"actor": actor, "ruling": "r1"}).state
        for now in (plain, ruled):
            assert now.active == there.active, kind
        assert look(ruled[actor]) == look(plain[actor]), kind
        assert {who: look(one) for who, one in ruled.combatants.items()} == {
            who: look(one) for who, one in plain.combatants.items()
        }, kind
        ended += kind not in {held.kind for held in ruled[actor].conditions}
    assert ended >= (system.slug == "cepheus")


@every_ruled
def test_the_gms_own_act_is_done_and_says_what_it_overrides(system: System) -> None:
    """To the GM alone, and with the cost of the turn as ever."""
    own = CHECKS[system.slug]
    for kind, there, actor in find_states(system):
        why = ask(system, rule(there, actor, own, FREE), USE, {"actor": actor, "ruling": "r1"})
        act = {"actor": actor, "words": "I leap", "check": [list(pair) for pair in own.ruled]}
        for fields in (act, {"actor": actor, "words": "I leap"}):
            done = play(system, there, ACT, fields)
            said = {fact.event.key: fact.to for fact in done.facts if isinstance(fact.event, e.Said)}
            assert (OVERRIDES in said) == bool(why), kind
            assert said.get(OVERRIDES, e.GM_ONLY) == e.GM_ONLY
            lines = " ".join(line.text for line in describe_facts(system, done.facts, name_everyone(there)))
            assert ("ruled all the same." in lines) == bool(why), kind
            assert not why or there[actor].name in lines
            assert RULED in said, kind
