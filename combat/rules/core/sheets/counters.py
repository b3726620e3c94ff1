"""Counters of a combatant on its sheet: as it joins, and what is left of them after a fight."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ..basics.data import as_plain
from ..basics.typed import convert
from ..state.events import EVERYONE, GM_ONLY
from ..state.state import Counter

USUAL_MOST = 3
MAX_COUNTERS, MAX_COUNTED, MAX_NAME = 6, 20, 30  # of a combatant, of one of them, of its name


class SheetCounter(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A counter of someone: `left` of `most`, all of them without it. `gm`: only the GM sees it in a fight.

    It refills each "round", "turn" or "scene" (when a fight begins), or by "hand".
    """

    name: Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]
    most: Annotated[int, Meta(ge=1, le=MAX_COUNTED)] = USUAL_MOST
    left: Annotated[int, Meta(ge=0, le=MAX_COUNTED)] | None = None
    refills: Annotated[str, Meta(pattern=r"^(hand|round|turn|scene)$")] = "hand"
    gm: bool = False


def read_counters(sheet: Mapping[str, Any]) -> tuple[Counter, ...] | UnsetType:
    """The counters of a joining combatant, by its sheet."""
    found = (convert(one, SheetCounter) for one in sheet.get("counters") or ())
    return tuple(_read(f"n{number}", one) for number, one in enumerate(found, 1)) or UNSET


def _read(counter_id: str, one: SheetCounter) -> Counter:
    left = one.most if one.left is None else min(one.left, one.most)
    to = GM_ONLY if one.gm else EVERYONE
    return Counter(counter_id, one.name, one.most, left, refills=one.refills, to=to)


def write_counters(counters: Iterable[Counter]) -> list[dict[str, Any]]:
    """Counters as a sheet has them."""
    return [
        as_plain(
            SheetCounter(
                name=one.name,
                most=one.most,
                left=None if one.left == one.most else one.left,
                refills=one.refills,
                gm=one.to == GM_ONLY,
            )
        )
        for one in counters
    ]
