"""How a sheet shows its items."""

from __future__ import annotations

import pytest

from characters.display.sheet_view import view_item
from combat.rules import find_system
from combat.rules.core.sheets.sheets import Carried
from tests.typed import sure


@pytest.mark.parametrize(("loaded", "shown"), [(None, 1), (0, 0), (1, 1)])
def test_what_comes_full_is_shown_so_where_nothing_else_is_said(loaded: int | None, shown: int) -> None:
    launcher = Carried(id="i1", kind="accessory", entry="underslung_grenade_launcher", loaded=loaded)
    catalogue = sure(find_system("cepheus").book.catalogue)
    view = view_item(catalogue, launcher)
    assert (view.item.loaded, view.capacity) == (shown, 1)


def test_what_takes_no_rounds_has_none() -> None:
    catalogue = sure(find_system("cepheus").book.catalogue)
    view = view_item(catalogue, Carried(id="i1", kind="accessory", entry="gyrostabilizer"))
    assert (view.item.loaded, view.capacity) == (None, None)
