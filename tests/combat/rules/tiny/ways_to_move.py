"""Trials of what each way to move asks: every_game/test_moving.py compares them with `moving.toml`."""

from __future__ import annotations

from tests.combat.rules.every_game.bounds import make_trials
from tests.combat.rules.stage import Stage


def _make() -> Stage:
    """Ada on her turn, Bo five meters from her."""
    stage = Stage("tiny")
    ada = stage.add("Ada", block="brawler")
    return stage.begin(ada, stage.add("Bo", "enemies", (5, 0), block="brawler"))


def _is_shorter_on_slippery_ground(way: str) -> bool:
    stage = _make()
    stage.do("set_setting", key="ground", value="slippery")
    return MOVES[way](stage, "f1", "f2") < 1


def _step(stage: Stage, who: str, other: str) -> float:
    stage.do("move", who, to=f"near:{other}", far=True)
    return stage[who].at.x / 4


def _back_off(stage: Stage, who: str, other: str) -> float:
    stage.do("scare", who, dice=["back"])
    return (stage[other].at.x - 5) / 3


def _place(stage: Stage, who: str, other: str) -> float:
    stage.do("place", target=who, x=4, y=0)
    return stage[who].at.x / 4


# `lid`, `way`, `ladder` and `lift` lead on however the ground is
MOVES = {
    "walk": _step,
    "escape": _back_off,
    **dict.fromkeys(("placed", "lid", "way", "ladder", "lift"), _place),
}
TRIALS = {"terrain": _is_shorter_on_slippery_ground, **make_trials(_make)}
