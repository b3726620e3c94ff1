"""Height and action: what is so many squares up is as far as what is so many squares along.

The actions come from a game's declarations and the ways to take them from its pairs, so a new action is
included at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

import msgspec

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import find_action
from combat.rules.core.map.bodies import body_of
from combat.rules.core.space import Point, map_of
from combat.rules.core.space.grid import make_grid
from combat.rules.core.space.rays.area_shapes import is_inside
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from tests.combat.rules.every_game.pairs.pairs import (
    ADA,
    BO,
    Change,
    Pairs,
    Trial,
    Try,
    act,
    copy_of,
    prepare,
    tell_terms,
    try_it,
)
from tests.combat.rules.stage import Stage

SQUARES = (2, 3, 30)  # squares along, or up
CY = "f9"
NUMBER = re.compile(r"[0-9.]+")


def stand(at: Point, stage: Stage) -> None:
    """Put Ada at a place, with what carries her."""
    for who in (ADA, stage[ADA].inside):
        if who:
            stage.edit(who, at=at)


class Way(msgspec.Struct, frozen=True):
    """A way to take an action, where the game counts distances as `change` says."""

    name: str
    tried: Try
    change: Change | None = None

    def prepare(self, pairs: Pairs) -> Trial:
        """The stage for the action, and its command."""
        trial = prepare(pairs, self.tried)
        if self.change:
            self.change(trial.stage)
        return trial


def find_ways(pairs: Pairs) -> Iterator[Way]:
    """Each way to take an action, in each way in which the game counts distances."""
    counted: dict[str, Change | None] = {"": None, **pairs.counted}
    for how, change in counted.items():
        for tried in pairs.find_tries():
            yield Way(f"{tried.name} {how}".strip(), tried, change)


def check_up(pairs: Pairs, way: Way) -> None:
    """Check an action on what is some squares up against the same on what is as far along."""
    trial = way.prepare(pairs)
    for squares in SQUARES:
        meters = squares * pairs.cell
        along, up = (partial(stand, Point(pairs.cell, *at)) for at in ((meters, 0), (0, -meters)))
        if not (_leads_on(trial) or _leads_on(trial, along)):
            assert _tell(trial, up) == _tell(trial, along), f"{squares} squares up and along"


def _tell(trial: Trial, change: Change) -> tuple[str, tuple[str, ...]]:
    """The result and the terms; without numbers for a place, which is aslant and not as far in each game."""
    text = try_it(trial, [change])
    told = NUMBER.sub("", text) if {"at", "to"} & trial.data.keys() else text
    return told, tell_terms(trial, [change]) if text.startswith("yes") else ()


def _leads_on(trial: Trial, *changes: Change) -> bool:
    """Whether the action moves Ada or what carries her, so that it counts the way over the ground too."""
    stage = copy_of(trial.stage)
    for change in changes:
        change(stage)
    movers = (ADA, stage[ADA].inside)
    try:
        facts = act(stage, trial.action, trial.data).facts
    except Refused:
        return False
    return any(isinstance(fact.event, e.Moved) and fact.event.who in movers for fact in facts)


def has_area(pairs: Pairs, way: Way) -> bool:
    """Whether an action names the area that it covers."""
    return find_action(pairs.system, way.tried.action).find_area is not None


def find_caught(pairs: Pairs, way: Way, up: float) -> tuple[bool, ...]:
    """Whether an area, and the action itself, catches someone so many meters above its middle."""
    trial = way.prepare(pairs)
    stage, action, space = trial.stage, trial.action, pairs.system.space
    command = read_command(action, trial.data)
    assert action.find_area is not None
    shapes = action.find_area(stage.state, command)
    if not shapes:
        return ()
    middle = shapes[0].at
    cy = replace(stage[BO], id=CY, name="Cy", at=replace(middle, z=middle.z + up))
    state = replace(stage.state, combatants={**stage.state.combatants, CY: cy})
    grid = make_grid(map_of(state.scene), space.cell_meters, space.has_hexes(state))
    found = [is_inside(shapes[0], map_of(state.scene), grid, body_of(cy))]
    if action.find_caught and (caught := action.find_caught(state, command)):
        found.append(CY in caught)
    return tuple(found)
