"""A stat block before it is taken: its token and its lines, as on paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from characters.exchange.blocks import tell
from characters.games import check_sheet, find_problems
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.sheets import ME

from ..combatants.tokens import Look, find_look

MAX_VALUE = 400  # characters of a line


@dataclass(frozen=True)
class BlockView:
    """A stat block or an own NPC: its name, its kind, its token, and its lines by label."""

    key: str
    name: str
    kind: str
    look: Look
    lines: tuple[tuple[str, str], ...]


def view_block(system: System, key: str, name: str, kind: str, sheet: Mapping[str, Any]) -> BlockView:
    """The preview of a sheet; one that is no longer valid has no lines."""
    plain = dict(sheet)
    if find_problems(system, plain):
        return BlockView(key, name, kind, Look("is-foe", face="stranger"), ())
    plain = check_sheet(system, plain)
    made = system.people.make_combatant(ME, name, "", plain, {})
    look = find_look(system, made, "is-foe", active=False, down=False)
    lines = tuple((label, str(value)[:MAX_VALUE]) for label, value in tell(system, name, plain) if value)
    return BlockView(key, name, kind, look, lines)
