"""The duties of every game with character sheets, and of every game with a catalog."""

from __future__ import annotations

import random

import msgspec
import pytest

from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, Done, run
from combat.rules.core.sheets.catalogue import find_record_problems, find_thing_problems, new_thing
from combat.rules.core.sheets.sheets import (
    ME,
    Offer,
    SheetPlan,
    blank_draft,
    find_departures,
    find_faults,
    find_option,
    find_sheet_problems,
    with_preset,
)
from combat.rules.core.state.state import State
from tests.combat.rules.every_game.comparing import ROLL, compare
from tests.combat.rules.games import GAMES, lack

with_sheets = pytest.mark.parametrize(
    "system", [g for g in GAMES.values() if g.book.sheets], ids=lambda g: g.slug
)
with_things = pytest.mark.parametrize(
    "system", [g for g in GAMES.values() if g.book.catalogue], ids=lambda g: g.slug
)


def plan_of(system: System) -> SheetPlan:
    assert system.book.sheets is not None
    return system.book.sheets


def solo(system: System) -> State:
    """A blank character alone, as on the sheet page."""
    plan = plan_of(system)
    sheet = plan.write({}, plan.creation.finish(blank_draft(plan)))
    combatant = system.characters.make_combatant(ME, "Ada", "", sheet, {})
    return State(system.slug, combatants={ME: combatant}, phase="fight", order=(ME,))


def offers(plan: SheetPlan) -> list[Offer]:
    return [*plan.offers, *(offer for stat in (*plan.attributes, *plan.skills) for offer in stat.offers)]


def test_some_game_has_sheets_and_things() -> None:
    assert [game for game in GAMES.values() if game.book.sheets]
    assert [game for game in GAMES.values() if game.book.catalogue]


@with_sheets
def test_blank_draft_is_a_legal_character_with_a_sound_sheet(system: System) -> None:
    plan = plan_of(system)
    blank = blank_draft(plan)
    assert find_faults(plan, blank) == ()
    sheet = plan.write({}, plan.creation.finish(blank))
    assert find_sheet_problems(plan, system.characters.sheet, sheet) == ()
    assert find_departures(plan, sheet) == ()
    assert plan.read(sheet) == plan.creation.finish(blank)
    assert isinstance(plan.summarize(sheet), str)


@with_sheets
def test_every_option_finishes_and_undoes(system: System) -> None:
    plan = plan_of(system)
    for selection in plan.selections:
        for option in selection.options:
            bought = blank_draft(plan)
            bought = msgspec.structs.replace(bought, chosen={**bought.chosen, selection.key: option.key})
            assert find_option(plan, bought, selection.key) == option
            assert plan.creation.undo(plan.creation.finish(bought)) == bought
            written = plan.write({}, plan.creation.finish(bought))
            assert find_sheet_problems(plan, system.characters.sheet, written) == (), option.key


@with_sheets
def test_every_number_of_the_plan_is_written_into_the_sheet(system: System) -> None:
    """Some numbers count only beside a choice, such as the dice of a natural attack."""
    plan = plan_of(system)
    blank = plan.creation.finish(blank_draft(plan))
    full = {selection.key: selection.options[-1].key for selection in plan.selections}
    for part, stats in (("attributes", plan.attributes), ("skills", plan.skills)):
        for stat in stats:
            numbers = {part: getattr(blank, part) | {stat.key: stat.high}}
            only = {key: values[0] for key, values in stat.only.items()}
            drafts = [
                msgspec.structs.replace(blank, chosen=chosen | only, **numbers)
                for chosen in (blank.chosen, full)
            ]
            found = [getattr(plan.read(plan.write({}, draft)), part)[stat.key] for draft in drafts]
            assert stat.high in found, lack(
                system, f"lets people set {stat.label}, but its plan does not read and write that in a sheet"
            )


@with_sheets
def test_presets_name_what_there_is_and_are_within_bounds(system: System) -> None:
    plan = plan_of(system)
    for presets, stats in ((plan.creation.arrays, plan.attributes), (plan.creation.packages, plan.skills)):
        known = {stat.key: stat for stat in stats}
        for preset in presets:
            assert set(preset.values) <= set(known)
            for key, value in with_preset(dict.fromkeys(known, 0), preset).items():
                assert known[key].first_low <= value <= known[key].first_high or not value


@with_sheets
def test_stats_have_names_of_their_own_and_sensible_bounds(system: System) -> None:
    plan = plan_of(system)
    for stats in (plan.attributes, plan.skills):
        assert len({stat.key for stat in stats}) == len({stat.label for stat in stats}) == len(stats)
        for stat in stats:
            assert stat.low <= stat.first_low <= stat.usual <= stat.first_high <= stat.high, stat.key
            assert set(stat.links) <= {attribute.key for attribute in plan.attributes}


@with_sheets
def test_cited_rules_are_in_the_rulebook(system: System) -> None:
    plan, book = plan_of(system), system.rulebook
    known = {"", *book.ids, *book.rulings}
    cited = {stat.rule for stat in (*plan.attributes, *plan.skills)} | {each.rule for each in plan.selections}
    cited |= {budget.rule for budget in plan.creation.find_budgets(blank_draft(plan))}
    cited |= {action.rule for action in plan.checks.values()}
    state = solo(system)
    for group in plan.derive(state, state[ME]):
        for number in group.numbers:
            cited |= {number.rule, *(term.rule for term in number.terms)}
    assert cited <= known


@with_sheets
def test_every_offer_shows_its_sum_and_is_rolled(system: System) -> None:
    plan, state = plan_of(system), solo(system)
    for offer in offers(plan):
        action = plan.checks[offer.action]
        fields = {field.name for field in action.find_fields(state, ME)}
        assert set(offer.fields) <= fields, offer
        usual = {f.name: f.value for f in action.find_fields(state, ME) if f.value}
        chosen = {name: value for name, value in offer.fields.items() if value}
        usual = {name: value for name, value in usual.items() if name not in offer.fields}
        command = read_command(action, {"actor": ME, **usual, **chosen})
        if action.preview:
            assert action.preview(state, command).dice, offer
            assert compare(system, state, action, command) == ROLL, offer
        done = run(system, state, action, command, AutoDriver(random.Random(1)))
        assert isinstance(done, Done)
        assert done.facts, offer


@with_sheets
def test_conditions_that_last_are_those_of_the_game(system: System) -> None:
    plan = plan_of(system)
    for kind in plan.lasting:
        assert kind in system.characters.conditions
        sheet = plan.write({}, plan.creation.finish(blank_draft(plan)))
        combatant = system.characters.make_combatant(
            ME, "Ada", "", {**sheet, "conditions": [{"kind": kind}]}, {}
        )
        assert kind in [held.kind for held in combatant.conditions]


@with_things
def test_every_entry_is_sound_and_can_be_carried(system: System) -> None:
    catalogue = system.book.catalogue
    assert catalogue is not None
    entries = catalogue.find_entries()
    assert len({(entry.kind, entry.id) for entry in entries}) == len(entries)
    for entry in entries:
        assert find_record_problems(catalogue, entry.kind, entry.record) == (), entry.id
        assert catalogue.describe(entry.kind, entry.record) == entry
        thing = new_thing(catalogue, entry, set())
        assert find_thing_problems(catalogue, thing, "") == (), entry.id
        assert catalogue.look_up(thing) == entry
        assert entry.name
        assert entry.source


@with_things
def test_columns_name_figures_of_the_record(system: System) -> None:
    catalogue = system.book.catalogue
    assert catalogue is not None
    for kind in catalogue.kinds:
        fields = {field.name for field in msgspec.structs.fields(kind.record)}
        assert {column.key.split(".")[0] for column in kind.columns} <= fields
        assert kind.ready in ("", "held", "worn")
        for column in kind.columns:
            assert column.kind in ("text", "number", "dice", "choice", "many", "flag")
            assert column.options or column.kind not in ("choice", "many")
            assert not column.options or column.kind in ("choice", "many", "text")
