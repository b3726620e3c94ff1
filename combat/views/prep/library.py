"""The library of stat blocks: what a search found, and a block before it is taken."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest

from combat.display.forms.fields import NPC, JoinForm
from combat.display.prep.library_view import BlockView, view_block
from combat.play.people.npcs import find_fields
from combat.rules.core.basics.errors import Refused
from combat.sharing.viewer_context import ViewerContext

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
