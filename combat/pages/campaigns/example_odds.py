"""What a condition of the GM's own does to odds: a usual attack of the game's demo, before and with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from characters.display.shapes import Shape
from combat.display.forms.usual_odds import Usual, find_chance, find_usual
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.book import DemoStep
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import Done, find_action, run
from combat.rules.core.state.state import OwnCondition, State, is_acting

from ..home.pictures import Script, play_steps

OWN = "live"  # the id of the condition in the example


class Effect(Shape, frozen=True):
    """A line of the card: who does what, and its chance in percent before and with the condition."""

    words: str
    before: str
    after: str

    @property
    def is_same(self) -> bool:
        """Whether the condition leaves the chance as it is."""
        return self.before == self.after


class Example(NamedTuple):
    """A moment of a demo in which someone attacks with a chance that can go up and down."""

    state: State
    who: str
    usual: Usual
    target: str
    chance: str


def find_example(system: System) -> Example | None:
    """The first such moment of a game's demo; None if it has none."""
    demo = system.demo.make_first()
    found = (
        one
        for state, _ in play_steps(system, (*demo.setup, *demo.script))
        for one in _list_attacks(system, state)
    )
    return next(found, None)


def _list_attacks(system: System, state: State) -> Iterator[Example]:
    attack = system.actions.attack
    if state.phase != "fight" or attack not in system.actions.by_name:
        return
    for who in state.combatants:
        usual = find_usual(system, state, who, attack) if is_acting(state, who) else None
        target, chance = find_chance(system, state, usual) if usual else ("", "")
        if usual and chance and 20 <= float(chance) <= 80:
            yield Example(state, who, usual, target=target, chance=chance)


def view_effects(system: System, own: OwnCondition) -> tuple[Effect, ...]:
    """What a condition changes of the example, for the one who attacks and for the one attacked.

    One that changes neither leaves the attack as it is.
    """
    example = find_example(system)
    if example is None or not (own.changes or own.effects):
        return ()
    attacker = example.state[example.who].name
    sentences = {
        example.who: f"{attacker} attacks {example.target}",
        example.usual.target: f"{attacker} attacks {example.target}, who has it",
    }
    lines = tuple(
        Effect(words, example.chance, after)
        for who, words in sentences.items()
        if (after := _count_with(system, example, own, who)) and after != example.chance
    )
    return lines or (Effect(sentences[example.who], example.chance, example.chance),)


def _count_with(system: System, example: Example, own: OwnCondition, who: str) -> str:
    """The chance in a turn that begins with the condition: “cannot” if it lets them not attack at all."""
    state = msgspec.structs.replace(
        example.state,
        own_conditions=(*example.state.all_own_conditions, msgspec.structs.replace(own, id=OWN)),
    )
    try:
        state = _do(system, state, "give_condition", {"target": who, "kind": OWN})
        state = _take_actions(system, state, own, who)
        usual = find_usual(system, state, example.who, system.actions.attack)
        if usual is None or usual.command is None or usual.is_legal < example.usual.is_legal:
            return "cannot"
        command = msgspec.structs.replace(usual.command, target=example.usual.target)
        chosen = msgspec.structs.replace(usual, target=example.usual.target, command=command)
        return find_chance(system, state, chosen)[1] or "cannot"
    except Refused:
        return "cannot"


def _take_actions(system: System, state: State, own: OwnCondition, who: str) -> State:
    """The state without what a condition takes from each turn: that of the example has begun before it."""
    row, one = system.characters.own_conditions.make_row(own), state[who]
    budget = {pool: 0 if pool in (*row.takes, *row.loses) else left for pool, left in one.budget.items()}
    changed = msgspec.structs.replace(one, budget=budget)
    return msgspec.structs.replace(state, combatants={**state.combatants, who: changed})


def _do(system: System, state: State, name: str, fields: dict[str, Any]) -> State:
    action = find_action(system, name)
    done = run(system, state, action, read_command(action, fields), Script(DemoStep(name, fields)))
    return done.state if isinstance(done, Done) else state
