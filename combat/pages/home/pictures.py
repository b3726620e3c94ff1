"""Small pictures of scenes: the map with its people, without words, numbers or anything to press."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from math import ceil, floor

from django.utils.safestring import SafeString
from msgspec.structs import replace

from combat.audience.viewer import GM, Viewer
from combat.display.map.scene import view_scene
from combat.display.regions import Drawn, draw
from combat.display.shapes.result_shapes import ResultView
from combat.display.shapes.scene_shapes import SceneView, Token
from combat.display.shapes.table_shapes import CombatantView
from combat.rules import find_system
from combat.rules.core.basics.dice.requests import Answer, ChoiceRequest, Request, answer_choice, answer_roll
from combat.rules.core.commands.commands import read_command
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.book import Demo, DemoStep
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import Done, find_action, run
from combat.rules.core.state.history import Step
from combat.rules.core.state.state import State
from combat.sharing.viewer_context import ViewerContext

from ..table.result_view import CRITICAL_TONE, make_result
from ..table.rows import view_combatants, view_known

TEMPLATE = "combat/home/picture.html"
OWN = "is-ally"  # the tone of the viewer's side
ROWS, APART = 3, 2.75  # of people on open ground; from one to the next, in their sizes
LEAST, MARGIN = 6, 2  # meters of a picture at least; around the tokens, in their sizes
SPECTATOR = Viewer()  # nothing on the board can be pressed


class Picture(Drawn, frozen=True):
    """A scene without words; `picture_at` is the address of what lies under it, if it is no encounter's."""

    scene: SceneView
    picture_at: str = ""

    OF_PAGE = frozenset(("scene", "picture_at"))


@dataclass(frozen=True)
class DemoView:
    """A demo fight: the value that opens it, its name and the short one, its picture, how many are in it."""

    value: str
    name: str
    title: str
    people: int
    picture: SafeString


def draw_picture(
    system: System,
    known: State,
    combatants: dict[str, CombatantView],
    encounter: int = 0,
    *,
    picture_at: str = "",
    key: str = "",
    whole: bool = False,
) -> SafeString:
    """The picture of a scene as far as its viewer knows it; empty if there is nothing to draw.

    It shows the part around the people, or the `whole` scene. `encounter` is the number of the encounter
    whose picture lies under the scene; another's is `picture_at`.
    `key` keeps the ids of its patterns from those of the same scene's map on the same page.
    """
    if not (known.scene.zones or known.scene.map or combatants):
        return SafeString()
    scene = view_scene(system, known, combatants)
    zones = tuple(replace(zone, combatants=(), way="", names=()) for zone in scene.zones)
    tokens = tuple(replace(token, look=replace(token.look, badge="")) for token in scene.tokens)
    land = replace(scene.land, key=f"{key}{scene.land.key}")
    plain = replace(scene, zones=zones, tokens=tokens, ground=(), land=land)
    if known.phase == "prep" and not scene.is_drawn:
        plain = replace(plain, tokens=_line_up(plain))
    plain = replace(plain, box=scene.box if whole else find_frame(plain))
    return draw(TEMPLATE, Picture(encounter, system.slug, plain, picture_at)).html


def _line_up(scene: SceneView) -> tuple[Token, ...]:
    """Everyone on open ground in rows: the own side at the left, the others at the right."""
    own = [token for token in scene.tokens if token.look.tone == OWN]
    others = [token for token in scene.tokens if token.look.tone != OWN]
    step, placed = APART * scene.scale, []
    for side, way in ((own, -1), (others, 1)):
        high = min(len(side), ROWS)
        for number, token in enumerate(side):
            column, row = divmod(number, ROWS)
            spot = (way * step * (column + 1), step * (row - (high - 1) / 2))
            placed.append(replace(token, spot=spot, scale=scene.scale))
    return tuple(placed)


def find_frame(scene: SceneView) -> tuple[int, int, int, int]:
    """The part of the plane around the people; what lies beside it fills the rest of the picture."""
    if not scene.tokens:
        return scene.box
    xs, ys = zip(*(token.spot for token in scene.tokens), strict=True)
    margin = MARGIN * scene.scale
    wide, tall = max(max(xs) - min(xs), LEAST), max(max(ys) - min(ys), LEAST)
    left, top = (min(xs) + max(xs) - wide) / 2, (min(ys) + max(ys) - tall) / 2
    x, y = floor(left - margin), floor(top - margin)
    return x, y, ceil(left + wide + margin) - x, ceil(top + tall + margin) - y


def draw_known(context: ViewerContext, key: str = "") -> SafeString:
    """The picture of an encounter's scene, as one viewer may see it; `key` as of `draw_picture`."""
    people, pk = view_known(context), context.encounter.pk
    return draw_picture(context.system, context.known_state, people, pk, key=key)


@cache
def view_demos(slug: str) -> tuple[DemoView, ...]:
    """A game's demo fights, each with the picture of its scene before the first turn."""
    system = find_system(slug)
    return tuple(_view_demo(system, demo, number) for number, demo in enumerate(system.demo.make_all()))


def _view_demo(system: System, demo: Demo, number: int) -> DemoView:
    *_, (state, _) = play_steps(system, demo.setup)
    views = view_combatants(system, state, GM)
    value = f"{system.slug}/{number}" if number else system.slug
    title = demo.name.partition(":")[0]
    return DemoView(value, demo.name, title, people=len(views), picture=draw_picture(system, state, views))


# The board of the front page: a demo fight played to its best moment, drawn like the table.


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
