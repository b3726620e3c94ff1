"""The library of stat blocks: what a search found, and a block before it is taken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest

from characters.exchange.blocks import tell
from characters.exchange.words_out import NOTES
from characters.games import check_sheet, find_problems
from combat.display.combatants.cards import NPC
from combat.display.combatants.tokens import Look, find_look
from combat.display.forms.fields import JoinForm
from combat.play.campaigns.npcs import find_fields
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
        return BlockView(key, name, kind, look=Look("is-foe", face="stranger"), lines=())
    plain = check_sheet(system, plain)
    made = system.characters.make_combatant(ME, name, "", plain, {})
    look = find_look(system, made, "is-foe", active=False, down=False)
    told = (*tell(system, name, plain), (NOTES, "; ".join(plain.get("notes", ()))))
    lines = tuple((label, str(value)[:MAX_VALUE]) for label, value in told if value)
    return BlockView(key, name, kind, look=look, lines=lines)


MAX_FOUND = 12  # names that are listed; the field for the block has all of them


def list_found(join: JoinForm, find: str) -> list[tuple[str, str]]:
    """The blocks that a search found, each with the query of the page that shows it; none without words."""
    if not find:
        return []
    found = [(urlencode({"find": find, "block": key}), label.split(" (")[0]) for key, label in join.blocks]
    return found[:MAX_FOUND]


def list_tiers(system: System) -> list[str]:
    """The tiers of a game's stat blocks, in the order of the book, to filter by."""
    return list(dict.fromkeys(block.tier for block in system.book.find_blocks().values() if block.tier))


def preview(request: HttpRequest, context: ViewerContext, join: JoinForm) -> BlockView | None:
    """The block that is chosen in the form, else the first that it offers; None without any."""
    keys = [key for key, _ in join.blocks]
    wanted = str(join["block"].value() or "")
    key = wanted if wanted in keys else next(iter(keys), "")
    return find_block(request, context, key)


def find_block(request: HttpRequest, context: ViewerContext, key: str) -> BlockView | None:
    """A stat block, or an NPC of the viewer's own, by its key; None if it is gone."""
    system = context.system
    if key.startswith(NPC):
        try:
            own = find_fields(request.user, system.slug, key.removeprefix(NPC))
        except Refused:
            return None
        return view_block(system, key, own["name"], kind="your NPC", sheet=own["sheet"])
    block = system.book.find_block(key)
    return view_block(system, key, block.name, kind=block.tier, sheet=block.sheet) if block else None
