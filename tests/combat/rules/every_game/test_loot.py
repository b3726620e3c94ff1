"""What the fallen of any game hold can go home to a sheet of its game."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules import SYSTEMS, find_system
from combat.rules.core.aftermath import Received, make_aftermath
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.loot import can_part
from combat.rules.core.sheets.sheets import find_sheet_problems
from combat.rules.core.state.state import replace
from tests.combat.rules.stage import Stage


def make_blocks(system: System) -> tuple[Stage, list[str]]:
    """Every opponent of the library, once."""
    stage = Stage(system)
    return stage, [stage.add(block.name, block=key) for key, block in system.book.find_blocks().items()]


@pytest.mark.parametrize("slug", [slug for slug in SYSTEMS if find_system(slug).book.catalogue])
def test_all_that_opponents_hold_fits_on_a_sheet(slug: str) -> None:
    system = find_system(slug)
    stage, everybody = make_blocks(system)
    plan = system.book.sheets
    assert plan
    things = [i for who in everybody for i in stage[who].items if can_part(system, i)]
    assert len(things) > 20
    taker = stage[everybody[0]]
    for number, item in enumerate(things):
        got = replace(item, id=f"f999-{number}", place="carried")
        mine = replace(taker, items=(*taker.items, got))
        found = make_aftermath(system, mine, taker.sheet, received=Received("e7"))
        (change,) = [one for one in found.changes if one.label.startswith(item.name) and one.value]
        sheet: dict[str, Any] = found.write([change.token])
        assert not find_sheet_problems(plan, system.characters.sheet, sheet), item.name
