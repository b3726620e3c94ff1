"""A stat block's gear as items of a sheet: the same combatant, and a sheet that shows its items."""

from __future__ import annotations

import msgspec
import pytest

from combat.rules.core.basics.data import convert
from combat.rules.core.declaration.book import StatBlock
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.kit import furnish
from combat.rules.core.sheets.sheets import Carried, find_sheet_problems
from combat.rules.core.state.state import Item
from tests.combat.rules.games import GAMES

NAMING = [game for game in GAMES.values() if game.book.sheets and game.book.sheets.named]
every_naming_game = pytest.mark.parametrize("system", NAMING, ids=lambda game: game.slug)

Sheet = dict[str, object]


def furnished(system: System, sheet: Sheet) -> Sheet:
    assert system.book.sheets is not None
    assert system.book.catalogue is not None
    return furnish(system.book.catalogue, system.book.sheets.named, lambda one: items_of(system, one), sheet)


def items_of(system: System, sheet: Sheet) -> tuple[Item, ...]:
    return system.characters.make_combatant("f1", "One", "enemies", sheet, {}).items


def things_of(system: System, sheet: Sheet) -> list[str]:
    """The items of a sheet's combatant, in any order."""
    return sorted(str(msgspec.structs.replace(item, id="")) for item in items_of(system, sheet))


def find_armed(system: System) -> StatBlock:
    return next(
        block for block in system.book.find_blocks().values() if len(block.sheet.get("weapons", ())) > 1
    )


@every_naming_game
def test_furnished_stat_blocks_make_the_same_combatants(system: System) -> None:
    assert system.book.sheets is not None
    for block in system.book.find_blocks().values():
        sheet = furnished(system, block.sheet)
        assert things_of(system, sheet) == things_of(system, block.sheet), block.name
        assert find_sheet_problems(system.book.sheets, system.characters.sheet, sheet) == (), block.name
        assert all(sheet.get(key, empty) == empty for key, empty in system.book.sheets.named.items()), (
            block.name
        )


@every_naming_game
def test_sheet_that_names_nothing_stays_as_it_is(system: System) -> None:
    sheet = furnished(system, find_armed(system).sheet)
    assert furnished(system, sheet) == sheet


@every_naming_game
def test_what_a_sheet_with_things_names_is_stowed_beside_them(system: System) -> None:
    block = find_armed(system).sheet
    first = furnished(system, block)
    both = furnished(system, {**block, "items": first["items"]})
    things = convert(both["items"], tuple[Carried, ...])
    half = len(things) // 2
    assert len({thing.id for thing in things}) == len(things) == 2 * half
    assert [thing.place for thing in things[half:]] == ["carried"] * half
    assert [thing.entry for thing in things[half:]] == [thing.entry for thing in things[:half]]
