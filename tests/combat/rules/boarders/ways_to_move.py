"""Trials of what each way to move asks: every_game/test_moving.py compares them with `moving.toml`."""

from __future__ import annotations

from tests.combat.rules.boarders import SYSTEM
from tests.combat.rules.every_game.bounds import make_trials
from tests.combat.rules.stage import Stage


def _make() -> Stage:
    """Ada on her turn, Bo five meters from her."""
    stage = Stage(SYSTEM)
    ada = stage.add("Ada", block="raider")
    return stage.begin(ada, stage.add("Bo", "enemies", (5, 0), block="raider"))


def _step(stage: Stage, who: str, other: str) -> float:
    stage.do("move", who, to=f"near:{other}", far=True)
    return stage[who].at.x / 4


def _place(stage: Stage, who: str, other: str) -> float:
    stage.do("place", target=who, x=4, y=0)
    return stage[who].at.x / 4


# `lid`, `way`, `ladder` and `lift` lead on however the ground is
MOVES = {"walk": _step, **dict.fromkeys(("placed", "lid", "way", "ladder", "lift"), _place)}
TRIALS = make_trials(_make)
