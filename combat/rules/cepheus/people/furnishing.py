"""The things of a stat block, which names them by their ids, one by one on a sheet of its own."""

from __future__ import annotations

from collections import Counter
from typing import Any

from .catalogue import CATALOGUE, UNARMED
from .inventory import find_gear
from .lines import make_items


def furnish(sheet: dict[str, Any]) -> dict[str, Any]:
    """The sheet of a stat block with its weapons, armor and gear as things that can be put away or spent.

    Bare hands are no thing: everybody has them.
    """
    named = [("weapon", name, 1) for name in sheet.get("weapons", ()) if name != UNARMED]
    named += [("armor", name, 1) for name in sheet.get("armor", ())]
    named += [(find_gear(name)[0], name, n) for name, n in Counter(sheet.get("gear", ())).items()]
    if sheet.get("items") or not named:
        return dict(sheet)
    entries = [(entry, n) for kind, name, n in named if (entry := CATALOGUE.find_entry(kind, name))]
    return {**sheet, "weapons": [], "armor": [], "gear": [], "items": make_items(entries)}
