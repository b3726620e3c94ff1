"""What a form shows before a roll is what is then rolled, in every game and for every action."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.book.examples import load_examples
from combat.rules.core.commands.commands import Action, Command, read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import find_action
from combat.rules.core.state.state import State, replace
from tests.combat.rules.cosmos.time.test_treatment import ward
from tests.combat.rules.every_game.acting import Acting
from tests.combat.rules.every_game.comparing import PLAIN, ROLL, compare
from tests.combat.rules.every_game.pairs.pairs import ADA, BO, copy_of, give, load_pairs, prepare
from tests.combat.rules.games import set_up
from tests.combat.rules.stage import Stage
from tests.thinning import thin

Case = tuple[State, Action, Command]
LATER = {"rig_now"}  # its check comes when the minutes are over
FOLDERS = tuple(dict.fromkeys(slug.partition("_")[0] for slug in SYSTEMS))  # variants share their actions
every_folder = pytest.mark.parametrize("folder", thin(FOLDERS, FOLDERS[0]))


def find_variants(folder: str) -> list[System]:
    """The games that share these actions, such as the full rules and the quick ones."""
    return [find_system(slug) for slug in SYSTEMS if slug.partition("_")[0] == folder]


def make_case(stage: Stage, name: str, fields: dict[str, Any]) -> Case:
    action = find_action(stage.system, name)
    return stage.state, action, read_command(action, fields)


def find_examples(system: System) -> Iterator[Case]:
    """The commands of the worked examples that are not refused."""
    examples = load_examples(system.folder)
    for example in examples.example:
        stage = Acting(system, examples, example)
        for deed in example.do:
            if find_action(system, deed.action).preview is not None and not deed.refused:
                yield stage.state, *stage.read(deed)
            stage.try_out(deed)


def find_tries(folder: str) -> Iterator[tuple[Stage, Action, Command]]:
    """Every action with a preview as its form opens, in the small scene of the tables of pairs."""
    pairs = load_pairs(folder)
    for way in pairs.find_tries():
        trial = prepare(pairs, way)
        if trial.action.preview is None:
            continue
        try:
            yield trial.stage, trial.action, read_command(trial.action, trial.data)
        except Refused:
            continue  # nobody to aim it at


def find_rest(folder: str) -> Iterator[Case]:
    """What neither the examples nor the opening forms reach."""
    if folder == "cosmos":
        for more in ({}, {"tn": 16}, {"attribute": "RES"}):
            stage = set_up(find_system("cosmos"))
            who = next(iter(stage.state.combatants))
            yield make_case(stage, "save", {"target": who, **more})
        stage, healer, patient = ward(field_medicine_in_rounds=True)
        stage.begin(healer, patient)
        yield make_case(stage, "field_medicine", {"actor": healer, "target": patient})
    if folder == "starshock":
        for option in ("minus_one", "roll_three_keep_low_two"):
            stage = load_pairs(folder).make()
            stage.state = replace(stage.state, options={"no_kit": option})
            stage.edit(ADA, items=())
            stage.edit(BO, side="allies")
            stage.set_track(BO, damage=3)
            yield make_case(stage, "emergency_medicate", {"actor": ADA, "target": BO})
        for option in ("free_once", "action"):  # after an action, in a turn without a declaration
            stage = load_pairs(folder).make()
            stage.state = replace(stage.state, options={"stand_up": option})
            stage.give(ADA, "prone", marks={"stand": 9})
            stage.edit(ADA, marks={"taken": 1})
            yield make_case(stage, "stand_up", {"actor": ADA})
        for stage, action, command in find_tries(folder):
            stage.edit(ADA, marks={"taken": 1})
            yield stage.state, action, command


@every_folder
def test_every_form_shows_the_roll_that_follows(folder: str) -> None:
    met: dict[str, set[str]] = {}
    for system in find_variants(folder):
        cases = [*find_examples(system), *find_rest(folder)]
        cases += [(stage.state, action, command) for stage, action, command in find_tries(folder)]
        for state, action, command in cases:
            met.setdefault(action.name, set()).add(compare(system, state, action, command))
    shows = {a.name for s in find_variants(folder) for a in s.actions.by_name.values() if a.preview}
    never = {name for name in shows if not met.get(name, set()) & {ROLL, PLAIN}}
    assert never <= LATER, f"no roll of {never - LATER} has been compared: add an example"


@pytest.mark.slow
@every_folder
def test_every_form_shows_the_next_roll_under_every_condition(folder: str) -> None:
    pairs, compared = load_pairs(folder), 0
    for stage, action, command in find_tries(folder):
        for who in (ADA, BO):
            for kind in pairs.system.characters.conditions:
                there = copy_of(stage)
                partial(give, pairs, kind, who)(there)
                compared += compare(pairs.system, there.state, action, command) == ROLL
    assert compared
