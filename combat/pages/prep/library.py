"""The library of stat blocks: what a search found, and a block before it is taken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest

from characters.exchange.blocks import tell
from characters.games import check_sheet, find_problems
from combat.display.combatants.tokens import Look, find_look
from combat.display.forms.fields import NPC, JoinForm
from combat.play.people.npcs import find_fields
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.sheets import ME
from combat.sharing.viewer_context import ViewerContext

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


MAX_FOUND = 12  # names that are listed; the field for the block has all of them


def list_found(join: JoinForm, find: str) -> list[tuple[str, str]]:
    """The blocks that a search found, each with the query of the page that shows it; none without words."""
    if not find:
        return []
    found = [(urlencode({"find": find, "block": key}), label.split(" (")[0]) for key, label in join.blocks]
    return found[:MAX_FOUND]


def preview(request: HttpRequest, context: ViewerContext, join: JoinForm) -> BlockView | None:
    """The block that is chosen in the form, else the first that it offers; None without any."""
    keys = [key for key, _ in join.blocks]
    wanted = str(join["block"].value() or "")
    key = wanted if wanted in keys else next(iter(keys), "")
    system = context.system
    if key.startswith(NPC):
        try:
            own = find_fields(request.user, system.slug, key.removeprefix(NPC))
        except Refused:
            return None
        return view_block(system, key, own["name"], "your NPC", own["sheet"])
    block = system.book.find_block(key)
    return view_block(system, key, block.name, block.tier, block.sheet) if block else None
