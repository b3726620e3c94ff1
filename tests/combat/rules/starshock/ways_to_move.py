"""Trials of what each way to move asks: every_game/test_moving.py compares them with `moving.toml`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec

from combat.rules.core.basics.dice.requests import Answer, ChoiceRequest, Request, answer_choice, answer_roll
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import read_command
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.engine.engine import Done, find_action, run
from combat.rules.core.space import Point, on_ground
from combat.rules.core.state import events as e
from tests.combat.rules.every_game.bounds import make_trials
from tests.combat.rules.every_game.decks import HEIGHT, LADDER, SHIFT, make_ship, make_zones
from tests.combat.rules.every_game.test_walls import TABLES
from tests.combat.rules.starshock.figures import ADA, BO, StarStage

PIT = {"id": "pit", "kind": "gallery", "x1": 12, "y1": 6, "x2": 36, "y2": 6, "hole": [33, 5, 3, 3]}
LID = {"id": "lid", "kind": "hatch", "x1": 18, "y1": 1, "x2": 42, "y2": 1, "open": False}
LID = {**LID, "hole": [29, 5, 3, 3]}
WAY_KINDS = {"way": "stairs", "ladder": "ladder", "lift": "lift"}
FOOT, TOP = (4, 6), (SHIFT + 4, 6)  # of a way
RIM = (SHIFT + 8, 6)  # beside the pit
START = {**dict.fromkeys(WAY_KINDS, FOOT), "jump": RIM, "lid": (SHIFT + 6, 6)}
GOAL = (SHIFT + 10, 2)
ENDS = {**dict.fromkeys(WAY_KINDS, TOP), "jump": (10, 6), "lid": (6, 6), "push": (SHIFT + 12, 2)}
ENDS = {**ENDS, "swap": (SHIFT + 6, 2)}
Change = Callable[[StarStage], object]


class Steady:
    """Rolls the highest faces, trades places or pushes if it may, and else chooses the default."""

    def answer(self, context: RuleContext, request: Request) -> Answer:
        if isinstance(request, ChoiceRequest):
            wanted = (option.value for option in request.options if option.label.startswith("Trade"))
            return answer_choice(request, next(wanted, request.default), "gm")
        many, sides = map(int, re.findall(r"\d+", request.dice)[:2])
        return answer_roll(request, (sides,) * many, "app")


def put(stage: StarStage, who: str, x: float, y: float) -> None:
    stage.edit(who, at=on_ground(stage.state.scene, Point(x, y)))


def board(way: str, **options: Any) -> StarStage:
    """Ada before what a way to move takes, on her turn with three actions on Earth; Bo beside her."""
    stage = StarStage(generic_maneuvers="on" if way == "swap" else "off", **options)
    stage.hero("Ada", at=(0, 0))
    stage.foe("Bo", at=(0, 0))
    settings = {"positioning": "squares", "gravity": "earth_venus"}
    stage.do("set_scene", scene={"zones": make_zones(), "settings": settings})
    stage.do("set_map", map=make_ship({**LADDER, "kind": WAY_KINDS.get(way, "ladder")}, PIT, LID))
    x, y = START.get(way, (SHIFT + 7, 2))
    put(stage, ADA, x, y)
    put(stage, BO, x - 1, y)
    if way == "crawl":
        stage.give(ADA, "prone")
    stage.begin(ADA, BO, active=BO if way in ("push", "swap") else ADA, actions=3)
    stage.hold(BO, "dagger" if way == "swap" else "grav_hammer")
    return stage


def go(stage: StarStage, way: str) -> bool:
    """Whether Ada may move in the usual manner of its kind; then she has."""
    x, y = GOAL
    commands: dict[str, tuple[str, dict[str, Any]]] = {
        **dict.fromkeys(WAY_KINDS, ("way", {"way": "ladder"})),
        **dict.fromkeys(("push", "swap"), ("attack", {"target": ADA, "weapon": f"{BO}-w0"})),
        "jump": ("move", {"to": f"{SHIFT + 10},6", "jump": True}),
        "lid": ("set_door", {"door": "lid", "open": True}),
        "placed": ("place", {"target": ADA, "x": x, "y": y}),
    }
    name, fields = commands.get(way, ("move", {"to": f"{x},{y}"}))
    return act(stage, name, **fields)


def act(stage: StarStage, name: str, **fields: Any) -> bool:
    """Whether an action is allowed; then it is done, by whose turn it is."""
    actor = {} if name in ("set_door", "place") else {"actor": stage.state.active}
    action = find_action(stage.system, name)
    try:
        done = run(stage.system, stage.state, action, read_command(action, {**fields, **actor}), Steady())
    except Refused:
        return False
    assert isinstance(done, Done)
    stage.state, stage.facts = done.state, done.facts
    return True


def is_dearer(way: str, hamper: Change) -> bool:
    """Whether a way is refused, or leaves less of her turn, for someone who is hampered."""
    plain, hampered = board(way), board(way)
    hamper(hampered)
    assert go(plain, way)
    return not go(hampered, way) or plain[ADA].budget != hampered[ADA].budget


# ---------------------------------------------------------------- the questions


def _asks_stance(way: str) -> bool:
    return is_dearer("walk" if way == "crawl" else way, lambda stage: stage.give(ADA, "prone"))


def _asks_wounds(way: str) -> bool:
    return is_dearer(way, lambda stage: stage.set_track(ADA, damage=6))


def _asks_terrain(way: str) -> bool:
    def roughen(stage: StarStage) -> None:
        zones = [{**msgspec.to_builtins(z), "terrain": ["difficult"]} for z in stage.state.scene.zones]
        settings = dict(stage.state.scene.settings)
        stage.do("set_scene", scene={"zones": zones, "settings": settings})

    return is_dearer(way, roughen)


def _asks_watchers(way: str) -> bool:
    stage = board(way, map_leave_check="leaving_1m_of_hostile")
    assert go(stage, way)
    return bool(stage.checks("breaking_away"))


def _asks_for_edges(way: str) -> bool:
    """Whether the way leads into no open hole."""
    if way in WAY_KINDS or way in ("lid", "swap"):
        return False  # they lead to another deck, or to where someone stood
    stage = board(way)
    put(stage, ADA, *RIM)
    put(stage, BO, RIM[0] - 1, RIM[1])
    x, y = RIM[0] + 2, RIM[1]
    if way == "placed":
        assert act(stage, "place", target=ADA, x=x, y=y)
    elif way == "push":
        assert go(stage, way)
    elif not act(stage, "move", to=f"{x},{y}", jump=way == "jump"):
        return True
    return stage[ADA].at.z == HEIGHT


def _asks_for_falls(way: str) -> bool:
    """Whether someone who comes to a lower deck falls: 3 m on Earth."""
    stage = board(way)
    if way in WAY_KINDS:
        put(stage, ADA, *TOP)
    if way == "push":
        put(stage, ADA, *RIM)
        put(stage, BO, RIM[0] - 1, RIM[1])
    if way == "placed":
        assert act(stage, "place", target=ADA, x=2, y=2)
    else:
        assert go(stage, way)
    return any("why.fall" in str(told.why) for told in stage.told(e.TrackChanged) if told.who == ADA)


def _asks_who_stands_there(way: str) -> bool:
    """Whether someone stops beside those who stand at the end."""
    stage = board(way)
    cy = stage.foe("Cy", at=(0, 12))
    put(stage, cy, *ENDS.get(way, GOAL))
    assert go(stage, way)
    here, there = stage[ADA].at, stage[cy].at
    assert max(abs(here.x - there.x), abs(here.y - there.y)) < 2
    return (here.x, here.y) != (there.x, there.y)


TRIALS = {
    "stance": _asks_stance,
    "wounds": _asks_wounds,
    "terrain": _asks_terrain,
    "watchers": _asks_watchers,
    "edges": _asks_for_edges,
    "falls": _asks_for_falls,
    "landing": _asks_who_stands_there,
    **make_trials(TABLES["squares"].make),
}
