"""Trials of what each way to move asks: every_game/test_moving.py compares them with `moving.toml`."""

from __future__ import annotations

from collections.abc import Callable

from combat.rules.core.basics.errors import Refused
from combat.rules.core.space import Point, on_ground
from combat.rules.core.state import events as e
from tests.combat.rules.every_game.bounds import make_trials
from tests.combat.rules.every_game.decks import HEIGHT, LADDER, SHIFT, make_ship, make_zones
from tests.combat.rules.every_game.test_walls import TABLES
from tests.combat.rules.guardians.stage import ADA, BO, GuardStage

HOLE = {"id": "pit", "kind": "gallery", "x1": 12, "y1": 6, "x2": 36, "y2": 6, "hole": [33, 5, 3, 3]}
LID = {
    "id": "lid",
    "kind": "hatch",
    "x1": 18,
    "y1": 1,
    "x2": 42,
    "y2": 1,
    "hole": [29, 5, 3, 3],
    "open": False,
}
WAY_KINDS = {"way": "stairs", "ladder": "ladder", "lift": "lift"}
FOOT = (4, 6)  # of a way
TOP = (SHIFT + 4, 6)
Move = Callable[[GuardStage], object]


def board(way: str) -> GuardStage:
    """Ada before what a way to move takes, on her turn, with 12 yards of movement; Bo far away."""
    stage = GuardStage()
    stage.hero("Ada", running=10)
    stage.foe("Bo")
    stage.do("set_scene", scene={"zones": make_zones(), "settings": {}})
    passage = {**LADDER, "kind": WAY_KINDS.get(way, "ladder")}
    stage.do("set_map", map=make_ship(passage, HOLE, LID))
    put(stage, ADA, *(FOOT if way in WAY_KINDS else (SHIFT + 6, 6)))
    put(stage, BO, 0, 0)
    if way == "charge":
        put(stage, BO, SHIFT + 8, 6)
    if way == "crawl":
        stage.give(ADA, "prone")
    return stage.begin(ADA, BO)


def put(stage: GuardStage, who: str, x: float, y: float) -> None:
    stage.edit(who, at=on_ground(stage.state.scene, Point(x, y)))


def go(way: str) -> Move:
    """The usual move of its kind."""

    def move(stage: GuardStage) -> None:
        if way in WAY_KINDS:
            stage.do("way", ADA, way="ladder")
        elif way == "charge":
            stage.attack((100,))
        elif way == "jump":
            stage.do("move", ADA, to=f"{SHIFT + 11},6", jump=True)
        elif way == "lid":
            stage.do("set_door", door="lid", open=True)
        elif way == "placed":
            stage.do("place", target=ADA, x=SHIFT + 7, y=6)
        else:
            stage.do("move", ADA, to=f"{SHIFT + 7},6")

    return move


def is_refused(move: Move, stage: GuardStage) -> bool:
    try:
        move(stage)
    except Refused:
        return True
    return False


def is_dearer(way: str, hamper: Move) -> bool:
    """Whether a way is refused, or leaves fewer yards of the move, for someone who is hampered."""
    left = []
    for hampers in (False, True):
        stage = board(way)
        if hampers:
            hamper(stage)
        if is_refused(go(way), stage):
            return True
        left.append(stage[ADA].budget.get("yards", 0))
    return left[0] > left[1]


# ---------------------------------------------------------------- the questions


def _asks_stance(way: str) -> bool:
    return is_dearer("walk" if way == "crawl" else way, lambda stage: stage.give(ADA, "prone"))


def _asks_wounds(way: str) -> bool:
    return is_dearer(way, lambda stage: stage.set_part(ADA, "left_leg", 0))


def _asks_arms(way: str) -> bool:
    def hurt(stage: GuardStage) -> None:
        for arm in ("left_arm", "right_arm"):
            stage.set_part(ADA, arm, 1)

    return is_dearer(way, hurt)


def _asks_terrain(way: str) -> bool:
    return is_dearer(way, lambda stage: stage.do("set_setting", key="footing", value="50"))


def _asks_for_edges(way: str) -> bool:
    """Whether the way leads into no open hole."""
    stage = board(way)
    if way in WAY_KINDS or way == "lid":
        return False  # they lead through one
    if way == "charge":
        put(stage, ADA, SHIFT + 8, 6)
        put(stage, BO, SHIFT + 13, 6)
        return is_refused(go(way), stage)
    if way == "placed":
        stage.do("place", target=ADA, x=SHIFT + 10, y=6)
    else:
        put(stage, ADA, SHIFT + 8.5, 6)
        is_jump = way == "jump"
        if is_refused(lambda s: s.do("move", ADA, to=f"{SHIFT + 9.5},6", jump=is_jump), stage):
            return True
    return stage[ADA].at.z == HEIGHT


def _asks_for_falls(way: str) -> bool:
    """Whether it leads down, and the GM is told how far."""
    stage = board(way)
    go(way)(stage)
    told = [said.args["yards"] for said in stage.told(e.Said) if said.key == "log.falls"]
    return stage[ADA].at.z == 0 and told == [HEIGHT]


def _asks_who_stands_there(way: str) -> bool:
    """Whether someone stops beside those who stand at the end."""
    stage = board(way)
    cy = stage.foe("Cy", at=(0, 12))
    ends = {"jump": (9, 6), "lid": (6, 6), "charge": (SHIFT + 7, 6)}
    put(stage, cy, *(TOP if way in WAY_KINDS else ends.get(way, (SHIFT + 7, 6))))
    stage.turn(ADA)
    go(way)(stage)
    here, there = stage[ADA].at, stage[cy].at
    assert max(abs(here.x - there.x), abs(here.y - there.y)) < 4
    return (here.x, here.y) != (there.x, there.y)


TRIALS = {
    "stance": _asks_stance,
    "wounds": _asks_wounds,
    "arms": _asks_arms,
    "terrain": _asks_terrain,
    "edges": _asks_for_edges,
    "falls": _asks_for_falls,
    "landing": _asks_who_stands_there,
    **make_trials(TABLES["guardians"].make),
}
