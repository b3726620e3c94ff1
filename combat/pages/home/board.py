"""The board of the front page: a demo fight played to its best moment, drawn like the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from msgspec.structs import replace

from combat.audience.viewer import GM, Viewer
from combat.display.map.scene import view_scene
from combat.display.shapes.result_shapes import ResultView
from combat.display.shapes.scene_shapes import SceneView
from combat.display.shapes.table_shapes import CombatantView
from combat.rules import find_system
from combat.rules.core.basics.dice.requests import Answer, ChoiceRequest, Request, answer_choice, answer_roll
from combat.rules.core.commands.commands import read_command
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.demo import Demo, DemoStep
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import Done, find_action, run
from combat.rules.core.state.history import Step
from combat.rules.core.state.state import State

from ..table.result_view import CRITICAL_TONE, make_result
from ..table.rows import view_combatants

SPECTATOR = Viewer()  # nothing on the board can be pressed


@dataclass(frozen=True)
class Board:
    """A moment of a fight with all its numbers: who is there, where, and the last roll."""

    name: str
    round: int
    combatants: tuple[CombatantView, ...]
    scene: SceneView
    result: ResultView
    viewer: Viewer = SPECTATOR

    @property
    def acting(self) -> CombatantView | None:
        """The active combatant."""
        return next((combatant for combatant in self.combatants if combatant.active), None)


@cache
def view_demo_board(slug: str) -> Board | None:
    """The first critical hit of a game's demo, else its last roll that changed someone."""
    system = find_system(slug)
    demo, best = system.demo.make_first(), None
    for state, step in play_steps(system, (*demo.setup, *demo.script)):
        board = view_board(system, demo, state, step)
        best = board or best
        if board and board.result.main.tone == CRITICAL_TONE:
            break
    return best


def view_board(system: System, demo: Demo, state: State, step: Step) -> Board | None:
    """The moment after a step; None unless the step rolled something that changed someone."""
    views = view_combatants(system, state, GM)
    result = make_result(system, GM, state, step=step, key="demo", combatants=views)
    if state.phase != "fight" or result is None or not (result.changes and result.main.verdict):
        return None
    scene = replace(view_scene(system, state, views), ground=())
    combatants = tuple(views[who] for who in state.order if who in views)
    return Board(demo.name, state.round, combatants, scene=scene, result=result)


def play_steps(system: System, steps: Iterable[DemoStep]) -> Iterator[tuple[State, Step]]:
    """The steps of a demo, played in an empty encounter, each with the state after it."""
    state = system.begin()
    for number, step in enumerate(steps, 1):
        action = find_action(system, step.name)
        command = read_command(action, step.command)
        done = run(system, state, action, command=command, driver=Script(step))
        assert isinstance(done, Done)
        state = done.state
        yield state, Step(number, name=step.name, command=step.command, facts=done.facts)


class Script:
    """Answers the questions of a demo's step, in the order of its script."""

    def __init__(self, step: DemoStep) -> None:
        self.left = list(step.answers)

    def answer(self, context: RuleContext, request: Request) -> Answer | None:
        """The next answer of the script."""
        given = self.left.pop(0)
        if isinstance(request, ChoiceRequest):
            return answer_choice(request, str(given), "policy")
        return answer_roll(request, tuple(map(int, given)), "app")
