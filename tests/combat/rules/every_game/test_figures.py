"""Figures corrected in a fight, in every game: what follows is worked out, and the sheet may keep it."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest

from combat.rules.core.aftermath import make_aftermath
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import command_data, read_command
from combat.rules.core.declaration.book import CORRECT_OWN
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, Done, ReplayDriver, find_action, run
from combat.rules.core.gm.figures import (
    MAX_TRAITS,
    Figure,
    find_choices,
    find_figures,
    find_numbers,
    find_traits,
    name_choice,
    name_words,
)
from combat.rules.core.sheets.catalogue import Column
from combat.rules.core.sheets.changes import find_item_ids
from combat.rules.core.sheets.kit import furnish
from combat.rules.core.sheets.sheets import blank_draft
from combat.rules.core.state import events as e
from combat.rules.core.state.fold import fold_all
from combat.rules.core.state.state import Combatant, Item, State, present, replace
from combat.rules.core.wording import describe_facts
from tests.combat.rules.games import GAMES, demo_fights

WITH_SHEETS = [pytest.param(game, id=slug) for slug, game in GAMES.items() if game.book.sheets]
every_sheet = pytest.mark.parametrize("system", WITH_SHEETS)


def find_fight(system: System) -> State:
    return next(moment.after for moment in demo_fights(system) if moment.after.phase == "fight")


def correct(system: System, state: State, who: str, name: str = "correct", **fields: Any) -> Done:
    """Correct figures, and check that the record comes back and its replay verifies."""
    action = find_action(system, name)
    whose = {"target": who} if name == "correct" else {"actor": who}
    command = read_command(action, {**whose, **fields}, state)
    assert read_command(action, command_data(command), state) == command
    done = run(system, state, action, command, AutoDriver(random.Random(1)))
    assert isinstance(done, Done)
    assert fold_all(state, done.facts) == done.state
    assert run(system, state, action, command, ReplayDriver(), answers=done.answers) == done
    return done


def change_all(system: System, one: Combatant) -> dict[str, int]:
    """Every number one step up, or down where it is the highest."""
    found = {}
    for part, stat, value in find_numbers(system, one):
        moved = stat.step(value, 1)
        moved = moved if moved <= stat.high else stat.step(value, -1)
        if stat.low <= moved <= stat.high:
            found[f"{part}.{stat.key}"] = moved
    return found


@every_sheet
def test_every_number_is_corrected_as_if_they_had_joined_with_it(system: System) -> None:
    state = find_fight(system)
    for one in present(state):
        numbers = change_all(system, one)
        if not numbers:
            continue
        done = correct(system, state, one.id, numbers=numbers)
        after = done.state[one.id]
        now = {f"{part}.{stat.key}": value for part, stat, value in find_numbers(system, after)}
        assert {key: now[key] for key in numbers} == numbers
        fresh = system.characters.make_combatant(
            one.id, one.name, one.side, {**after.sheet, "tracks": {}, "conditions": []}, state.options
        )
        assert system.characters.health(after).most == system.characters.health(fresh).most
        assert system.characters.facts_of(done.state, after)
        assert after.items == one.items
        back = {key: value for key, value in now.items() if key in numbers}
        was = {f"{part}.{stat.key}": value for part, stat, value in find_numbers(system, one)}
        undone = correct(system, done.state, one.id, numbers={key: was[key] for key in back}).state[one.id]
        assert system.characters.health(undone).most == system.characters.health(one).most


@every_sheet
def test_the_log_says_what_was_and_is_to_those_who_may_know(system: System) -> None:
    state = find_fight(system)
    one = present(state)[0]
    part, stat, old = find_numbers(system, one)[0]
    new = stat.step(old, 1) if stat.step(old, 1) <= stat.high else stat.step(old, -1)
    done = correct(system, state, one.id, numbers={f"{part}.{stat.key}": new})
    lines = [line.text for line in describe_facts(system, done.facts, {one.id: one.name})]
    assert any(f"{stat.label} {old} → {new}" in line and "corrected" in line for line in lines)
    told = [fact for fact in done.facts if not isinstance(fact.event, e.TrackChanged)]
    assert all(not fact.is_public for fact in told), "nobody else learns of it"


@every_sheet
def test_the_sheet_may_keep_it_after_the_fight(system: System) -> None:
    state = find_fight(system)
    one = next(one for one in present(state) if change_all(system, one))
    sheet = {**one.sheet, "tracks": {}, "conditions": [], "uses": {}}
    for name, new in change_all(system, one).items():
        after = correct(system, state, one.id, numbers={name: new}).state[one.id]
        found = make_aftermath(system, after, sheet)
        (change,) = [
            change
            for change in found.changes
            if change.after == str(new).replace("-", "−")
            and not change.is_usual
            and change.path[0] not in ("items", "conditions", "tracks", "uses")
        ]
        assert not change.is_late, "the sheet is as they joined with it"
        kept = found.write([change.token])
        twin = replace(after, sheet=kept)
        now = {f"{part}.{stat.key}": value for part, stat, value in find_numbers(system, twin)}
        assert now[name] == new
        assert all(now[key] == value for key, value in _values(system, one).items() if key != name), name


@every_sheet
def test_every_choice_is_corrected_whole_and_may_go_to_the_sheet(system: System) -> None:
    state = find_fight(system)
    for one in _find_kinds(system, state):
        there = replace(state, combatants={**state.combatants, one.id: one})
        for selection, old in find_choices(system, one):
            for option in selection.options:
                if option.key != old:
                    _check_choice(system, there, one, selection.key, option.key)


def _find_kinds(system: System, state: State) -> list[Combatant]:
    """Someone of the fight, and one of each kind of sheet that has other choices."""
    plan, first = system.book.sheets, present(state)[0]
    assert plan is not None
    found, known = [first], {one.key for one, _ in find_choices(system, first)}
    kinds = next((one.options for one in plan.selections if one.key == "kind"), ())
    for kind in kinds:
        blank = blank_draft(plan)
        sheet = plan.write({}, replace(blank, chosen={**blank.chosen, "kind": kind.key}))
        one = system.characters.make_combatant("f99", "Rover", first.side, sheet, state.options)
        if {choice.key for choice, _ in find_choices(system, one)} - known:
            found.append(one)
    return found


def _check_choice(system: System, state: State, one: Combatant, key: str, value: str) -> None:
    """Correct one choice: the words, what is as if they had joined with it, what stays, what is kept."""
    done = correct(system, state, one.id, chosen={key: value})
    after = done.state[one.id]
    (selection, now) = next(pair for pair in find_choices(system, after) if pair[0].key == key)
    assert now == value
    old = {choice.key: was for choice, was in find_choices(system, one)}[key]
    lines = [line.text for line in describe_facts(system, done.facts, {one.id: one.name})]
    words = f"{selection.label} {name_choice(selection, old)} → {name_choice(selection, value)}"
    assert any(words in line for line in lines), lines
    assert (after.items, after.tracks.keys()) == (one.items, one.tracks.keys())
    numbers = {key: number for key, number in _values(system, after).items() if key in _values(system, one)}
    assert numbers == {key: number for key, number in _values(system, one).items() if key in numbers}
    fresh = system.characters.make_combatant(
        one.id, one.name, one.side, {**after.sheet, "tracks": {}, "conditions": []}, state.options
    )
    assert system.characters.health(after).most == system.characters.health(fresh).most
    sheet = {**one.sheet, "tracks": {}, "conditions": [], "uses": {}}
    found = make_aftermath(system, after, sheet)
    (change,) = [change for change in found.changes if change.path == ("choice", key)]
    assert (change.is_usual, change.is_late) == (False, False)
    kept = found.write([change.token])
    joined = system.characters.make_combatant(one.id, one.name, one.side, kept, state.options)
    assert all(joined.sheet[field] == after.sheet[field] for field in change.value)
    assert system.characters.health(joined).most == system.characters.health(after).most


def _values(system: System, one: Combatant) -> dict[str, int]:
    return {f"{part}.{stat.key}": value for part, stat, value in find_numbers(system, one)}


@every_sheet
def test_weapons_and_armor_are_corrected(system: System) -> None:
    state, done = find_fight(system), 0
    for one in present(state):
        for item in one.items:
            for column, value in find_figures(system, item):
                if column.kind != "number" or not isinstance(value, int) or value >= column.high:
                    continue
                try:
                    after = correct(system, state, one.id, items={item.id: {column.key: value + 1}}).state
                except Refused:
                    continue  # this item cannot have more of it
                (mended,) = [each for each in after[one.id].items if each.id == item.id]
                assert mended.data[column.key] == value + 1
                done += 1
    assert done > 3 or system.book.catalogue is None


@every_sheet
def test_the_sheet_may_keep_the_figures_of_its_items(system: System) -> None:
    plan, catalogue, state = system.book.sheets, system.book.catalogue, find_fight(system)
    done = 0
    for someone in present(state) if plan and catalogue else ():
        assert plan is not None
        assert catalogue is not None
        bare = {**someone.sheet, "tracks": {}, "conditions": [], "uses": {}}
        sheet = furnish(catalogue, plan.named, partial(_make_items, system, state, someone), bare)
        one = _make(system, state, someone, sheet)
        there = replace(state, combatants={**state.combatants, one.id: one})
        ids = find_item_ids(one)
        for item in (item for item in one.items if item.id in ids.values()):
            done += _check_item(system, there, one, item)
    assert done > 3 or not catalogue


def _make(system: System, state: State, one: Combatant, sheet: dict[str, Any]) -> Combatant:
    worked_out = system.book.sheets.worked_out if system.book.sheets else ()
    fresh = {key: value for key, value in sheet.items() if key not in worked_out}
    return system.characters.make_combatant(one.id, one.name, one.side, fresh, state.options)


def _make_items(system: System, state: State, one: Combatant, sheet: dict[str, Any]) -> tuple[Item, ...]:
    return _make(system, state, one, sheet).items


def _check_item(system: System, state: State, one: Combatant, item: Item) -> bool:
    """Correct a number of an item and keep it on the sheet; False if the item cannot have more of any."""
    for column, value in find_figures(system, item):
        if column.kind != "number" or not isinstance(value, int) or value >= column.high:
            continue
        try:
            done = correct(system, state, one.id, items={item.id: {column.key: value + 1}})
        except Refused:
            continue
        found = make_aftermath(system, done.state[one.id], one.sheet)
        offered = [change for change in found.changes if change.is_figure]
        if not offered:
            continue  # no sheet can hold such a record
        (change,) = offered
        assert system.book.sheets is not None
        if system.book.sheets.find_problems(found.write([change.token])):
            continue  # such as one for more hands than they have: the sheet refuses it
        assert (change.label, change.is_usual, change.is_late) == (item.name, False, False)
        assert change.line == f"{item.name}: {column.label} {value} → {column.label} {value + 1}"
        kept = found.write([change.token])
        (mended,) = [each for each in _make(system, state, one, kept).items if each.id == item.id]
        assert mended.data[column.key] == value + 1
        assert (mended.place, mended.loaded, mended.count) == (item.place, item.loaded, item.count)
        back = correct(system, done.state, one.id, items={item.id: {column.key: value}}).state
        assert not make_aftermath(system, back[one.id], one.sheet).figures.changes, "as it was"
        return True
    return False


@every_sheet
def test_the_sheet_may_keep_the_most_health(system: System) -> None:
    state, one = find_fight(system), present(find_fight(system))[0]
    if system.book.imports.set_health is None:
        return  # it follows from the numbers, which the sheet may keep
    most = system.characters.health(one).most
    after = correct(system, state, one.id, health=most + 5).state
    found = make_aftermath(system, after[one.id], one.sheet, state=state)
    (change,) = found.figures.changes
    assert (change.before, change.after, change.is_late) == (str(most), str(most + 5), False)
    kept = _make(system, state, one, found.write([change.token]))
    assert system.characters.health(kept).most == most + 5
    for name, value in change_all(system, one).items():
        both = correct(system, after, one.id, numbers={name: value}).state[one.id]
        found = make_aftermath(system, both, one.sheet, state=state)
        kept = _make(system, state, one, found.figures.sheet)
        offers_health = any(each.label == change.label for each in found.changes)
        assert not offers_health or system.characters.health(kept).most == most + 5, name
    back = correct(system, after, one.id, health=most).state[one.id]
    assert not make_aftermath(system, back, one.sheet, state=state).figures.changes


def toggle(words: tuple[str, ...], word: str) -> tuple[str, ...]:
    """The words with this one, or without it if they have it."""
    return tuple(one for one in words if one != word) if word in words else (*words, word)


@every_sheet
def test_every_trait_is_corrected_and_the_sheet_may_keep_it(system: System) -> None:
    """Also with a word of the table's own, where the list is free; taking it back leaves nothing to keep."""
    state = find_fight(system)
    for one in _find_kinds(system, state):
        there = replace(state, combatants={**state.combatants, one.id: one})
        for each, old in find_traits(system, one):
            own = ("Old friend",) if each.free else ()
            for word in (*(option.value for option in each.options), *own):
                new = toggle(old, word)
                done = correct(system, there, one.id, traits={each.key: new})
                after = done.state[one.id]
                assert tuple(after.sheet[each.key]) == new
                assert (after.items, after.tracks) == (one.items, one.tracks)
                assert _values(system, after) == _values(system, one)
                lines = [line.text for line in describe_facts(system, done.facts, {one.id: one.name})]
                how = "with" if word in new else "without"
                assert any(
                    f"{each.label}: {how} {name_words(each.options, [word])}" in line for line in lines
                )
                _check_kept(system, one, after, each.key, new)
                back = correct(system, done.state, one.id, traits={each.key: old}).state[one.id]
                assert not make_aftermath(system, back, {**one.sheet, "items": []}).figures.changes


def _check_kept(system: System, one: Combatant, after: Combatant, key: str, new: tuple[str, ...]) -> None:
    sheet = {**one.sheet, "tracks": {}, "conditions": [], "uses": {}}
    found = make_aftermath(system, after, sheet)
    (change,) = found.figures.changes
    assert (change.path, change.is_usual, change.is_late) == ((key,), False, False)
    kept = found.write([change.token])
    assert tuple(kept[key]) == new
    assert {**kept, key: sheet[key]} == sheet
    assert system.book.sheets is not None
    assert not system.book.sheets.find_problems(kept)


def change_traits(column: Column, value: Figure) -> list[Figure]:
    """Every other value of a trait of an item that is one word or one tick away."""
    if isinstance(value, tuple):
        return [toggle(value, option.value) for option in column.options]
    return [not value] if column.kind == "flag" else []


@every_sheet
def test_every_trait_of_weapons_and_armor_is_corrected(system: System) -> None:
    """What anyone can do then is offered as ever, and their attacks are counted."""
    state, done, plan = find_fight(system), 0, system.book.sheets
    for one in present(state):
        for item in one.items:
            for column, value in find_figures(system, item):
                for new in change_traits(column, value):
                    try:
                        after = correct(system, state, one.id, items={item.id: {column.key: new}}).state
                    except Refused:
                        continue  # this item cannot be so
                    (mended,) = [each for each in after[one.id].items if each.id == item.id]
                    now = {each.key: then for each, then in find_figures(system, mended)}
                    assert now[column.key] == new
                    assert plan is not None
                    assert system.characters.facts_of(after, after[one.id])
                    plan.find_attacks(after, after[one.id])
                    back = correct(system, after, one.id, items={item.id: {column.key: value}}).state
                    assert {key: was for key, was in item.data.items() if key != column.key} == {
                        key: was
                        for key, was in _find(back, one.id, item.id).data.items()
                        if key != column.key
                    }
                    done += 1
    assert done > 3 or system.book.catalogue is None


def _find(state: State, who: str, item_id: str) -> Item:
    return next(item for item in state[who].items if item.id == item_id)


@every_sheet
def test_no_more_rounds_are_in_a_gun_than_it_holds_now(system: System) -> None:
    """One that needs no ammunition any more has none; the sheet may keep both."""
    catalogue, state, done = system.book.catalogue, find_fight(system), 0
    for one in present(state) if catalogue else ():
        assert catalogue is not None
        for item in one.items:
            kind, holds = catalogue.find_kind(item.kind), catalogue.capacity(item.kind, item.data)
            if kind is None or not holds:
                continue
            one_left = correct(system, state, one.id, items={item.id: {kind.load: 1}}).state
            assert _find(one_left, one.id, item.id).loaded == min(item.loaded or 0, 1)
            bare = _find(
                correct(system, state, one.id, items={item.id: {kind.load: 0}}).state, one.id, item.id
            )
            assert bare.loaded is None
            back = correct(system, one_left, one.id, items={item.id: {kind.load: holds}}).state
            assert _find(back, one.id, item.id).loaded == min(item.loaded or 0, 1), "the rounds are gone"
            done += 1
    assert done or system.slug not in ("cosmos", "cepheus")


@pytest.mark.slow
@every_sheet
def test_the_sheet_may_keep_the_traits_of_its_items(system: System) -> None:
    plan, catalogue, state = system.book.sheets, system.book.catalogue, find_fight(system)
    done = 0
    for someone in present(state) if plan and catalogue else ():
        assert plan is not None
        assert catalogue is not None
        bare = {**someone.sheet, "tracks": {}, "conditions": [], "uses": {}}
        sheet = furnish(catalogue, plan.named, partial(_make_items, system, state, someone), bare)
        one = _make(system, state, someone, sheet)
        there = replace(state, combatants={**state.combatants, one.id: one})
        for item in (item for item in one.items if item.id in find_item_ids(one).values()):
            for column, value in find_figures(system, item):
                done += sum(
                    _check_trait(system, there, one, item, column, new)
                    for new in change_traits(column, value)
                )
    assert done > 3 or not catalogue


def _check_trait(
    system: System, state: State, one: Combatant, item: Item, column: Column, new: Figure
) -> bool:
    """Correct a trait of an item and keep it on the sheet; False if the item or a sheet cannot be so."""
    assert system.book.sheets is not None
    try:
        done = correct(system, state, one.id, items={item.id: {column.key: new}})
    except Refused:
        return False
    found = make_aftermath(system, done.state[one.id], one.sheet)
    for change in found.figures.changes:
        kept = found.write([change.token])
        if system.book.sheets.find_problems(kept):
            return False
        (mended,) = [each for each in _make(system, state, one, kept).items if each.id == item.id]
        assert {each.key: now for each, now in find_figures(system, mended)}[column.key] == new
        return True
    return False


@every_sheet
def test_bad_figures_are_refused(system: System) -> None:
    state = find_fight(system)
    one = present(state)[0]
    part, stat, old = find_numbers(system, one)[0]
    key, item = f"{part}.{stat.key}", one.items[0].id if one.items else "gone"
    bad: tuple[dict[str, Any], ...] = (
        {},
        {"numbers": {key: old}},
        {"numbers": {key: stat.high + 1}},
        {"numbers": {key: stat.low - 1}},
        {"numbers": {"attributes.luck of the devil": 1}},
        {"numbers": {"name": 1}},
        {"items": {"gone": {"damage": 1}}},
        {"items": {item: {"name": "Excalibur"}}},
        {"items": {item: {"no such figure": 1}}},
        {"health": -5},
        {"health": 10_000},
        {"numbers": {f"skills.{n}": 1 for n in range(300)}},
        {"chosen": {f"{n}": "" for n in range(300)}},
        {"chosen": {"luck of the devil": "yes"}},
        {"chosen": {"kind": "vehicle"}},
        {"chosen": {"method": "points"}},
        *({"chosen": {choice.key: "no such thing"}} for choice, _ in find_choices(system, one)),
        {"chosen": {choice.key: was for choice, was in find_choices(system, one)}},
        *_find_bad_traits(system, one),
    )
    for fields in bad:
        with pytest.raises(Refused):
            correct(system, state, one.id, **fields)
    with pytest.raises(Refused):
        correct(system, state, "f99", numbers={key: old})


def _find_bad_traits(system: System, one: Combatant) -> list[dict[str, Any]]:
    bad: list[dict[str, Any]] = [{"traits": {"weapons": ("lance",)}}, {"traits": {"name": ("Ada",)}}]
    bad += [{"traits": {f"{n}": () for n in range(300)}}, {"traits": {"": ()}}]
    for each, old in find_traits(system, one):
        many = tuple(f"word {n}" for n in range(MAX_TRAITS + 1))
        wrong = (("x" * 200,), ("two, words",), (" ",), ("",), ("a\x00b",), many)
        bad += [{"traits": {each.key: words}} for words in (*wrong, old)]
        bad += [] if each.free else [{"traits": {each.key: ("no such word",)}}]
    for item in one.items:
        for column, value in find_figures(system, item):
            if isinstance(value, tuple):
                twice = (*value, column.options[0].value, column.options[0].value)
                bad += [
                    {"items": {item.id: {column.key: new}}}
                    for new in (("no such word",), twice, "", 7, value)
                ]
            if column.kind == "flag":
                bad += [{"items": {item.id: {column.key: new}}} for new in ("yes", 7, ("yes",), value)]
    return bad


@every_sheet
def test_players_correct_their_own_only_if_the_table_allows_it(system: System) -> None:
    state = find_fight(system)
    one = present(state)[0]
    numbers = dict([next(iter(change_all(system, one).items()))])
    with pytest.raises(Refused, match="only the GM"):
        correct(system, state, one.id, "correct_own", numbers=numbers)
    allowed = replace(state, options={**state.options, CORRECT_OWN: True})
    assert correct(system, allowed, one.id, "correct_own", numbers=numbers).facts
